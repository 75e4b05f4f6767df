/* An error: a bad file, a missing tool, a full disk. Not an outcome (unsat, crash), which is an enum value.
 * Passed as the last parameter; the function that fails sets it and returns false or NULL. Only cli prints it. */
#ifndef TANDEM_BASE_ERR_H
#define TANDEM_BASE_ERR_H

#include <stdbool.h>

struct err {
	char text[512]; /* empty: no error; otherwise one line without a full stop */
};

/* Both return false, so that `return err_set(...)` reads well. A NULL err is allowed. */
bool err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool err_errno(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
