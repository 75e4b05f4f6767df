/* Marks a program can carry. In ordinary runs they do nothing, but that an assumption that does not hold ends the run.
 *
 *     tandem_symbolic(&x, sizeof x, "x");   from here on x is an input; what it is at first is what it holds, later what Tandem finds
 *     tandem_assume(x > 0);                 runs where this is false are of no interest: they end here
 *
 * Programs written for KLEE, CREST, CROWN or SV-COMP keep their own: klee/klee.h, crest.h, crown.h, __VERIFIER_nondet_int() and
 * the like work as they are.
 */
#ifndef TANDEM_H
#define TANDEM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void tandem_symbolic(void *memory, size_t bytes, const char *name);
void tandem_assume(int condition);
void tandem_stop(void);

#define tandem_assume(condition) tandem_assume(!!(condition))

#ifdef __cplusplus
}
#endif

#endif
