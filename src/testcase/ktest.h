/* KLEE's test cases (.ktest), read. */
#ifndef TANDEM_TESTCASE_KTEST_H
#define TANDEM_TESTCASE_KTEST_H

#include "base/err.h"
#include "testcase/testcase.h"

bool ktest_is(const void *bytes, size_t size); /* does it start like one? */

/* Arguments, standard input and files are what KLEE's model of the system makes of the objects; all others are marks. Everything is in the arena.
 * `left` (may be NULL) is the name of an object that there is no place for, as failures of system calls; NULL: all have one. */
bool ktest_parse(struct testcase *t, const void *bytes, size_t size, struct arena *arena, const char **left, struct err *err);

#endif
