/* Functions that have the names of library functions, and do something else. */
#include <stdio.h>

int isatty(int fd)
{
	if (fd == 7)
		return 5;
	return 0;
}

int printf(const char *format, ...)
{
	if (format[0] == 'x')
		puts("an x");
	return 1;
}
