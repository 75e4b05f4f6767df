/* Errors as values; see err.h. The first error wins: what is set later is usually a consequence. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool err_set(struct err *err, const char *format, ...)
{
	if (!err || err->text[0])
		return false;
	va_list ap;
	va_start(ap, format);
	vsnprintf(err->text, sizeof err->text, format, ap);
	va_end(ap);
	return false;
}

bool err_errno(struct err *err, const char *format, ...)
{
	int saved = errno;
	if (!err || err->text[0])
		return false;
	va_list ap;
	va_start(ap, format);
	int n = vsnprintf(err->text, sizeof err->text, format, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof err->text)
		snprintf(err->text + n, sizeof err->text - (size_t)n, ": %s", strerror(saved));
	return false;
}
