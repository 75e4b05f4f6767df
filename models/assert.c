/* Assertions: one that does not hold is reported as such before the run ends. People still read what the library would have said:
 * if the report ends the run, that is said here, in the library's words; if not, the library says it itself, and ends the run. */
#include "model.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

_Noreturn void __assert(const char *expression, const char *file, int line);
_Noreturn void __assert_fail(const char *expression, const char *file, unsigned line, const char *function);
_Noreturn void __assert_perror_fail(int error, const char *file, unsigned line, const char *function);

static void say(const char *file, unsigned line, const char *function, const char *what, const char *text, const char *end)
{
	const char *program = program_invocation_short_name;
	fprintf(stderr, "%s%s%s:%u: %s%s%s%s%s.\n", program, program[0] ? ": " : "", file, line, function ? function : "", function ? ": " : "",
	        what, text, end);
	fflush(stderr);
}

_Noreturn void MODEL(__assert_fail)(const char *expression, const char *file, unsigned line, const char *function)
{
	if (!__td_goes_on())
		say(file, line, function, "Assertion `", expression, "' failed");
	__td_assertion(expression);
	__assert_fail(expression, file, line, function);
}

_Noreturn void MODEL(__assert)(const char *expression, const char *file, int line)
{
	if (!__td_goes_on())
		say(file, (unsigned)line, NULL, "Assertion `", expression, "' failed");
	__td_assertion(expression);
	__assert(expression, file, line);
}

_Noreturn void MODEL(__assert_perror_fail)(int error, const char *file, unsigned line, const char *function)
{
	const char *text = strerror(error);
	if (!__td_goes_on())
		say(file, line, function, "Unexpected error: ", text, "");
	__td_assertion(text);
	__assert_perror_fail(error, file, line, function);
}
