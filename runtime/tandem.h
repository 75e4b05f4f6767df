/* Marks a program can carry. They do nothing in ordinary runs.
 *
 *     tandem_symbolic(&x, sizeof x, "x");   from here on x is an input
 *     tandem_assume(x > 0);                 runs where this is false are of no interest: they end here
 */
#ifndef TANDEM_H
#define TANDEM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void tandem_symbolic(void *memory, size_t bytes, const char *name);
void tandem_stop(void);

#define tandem_assume(condition) \
	do { \
		if (!(condition)) \
			tandem_stop(); \
	} while (0)

#ifdef __cplusplus
}
#endif

#endif
