/* Files outside of the scratch directory as test cases have them. A stand-in, in a directory of ours, is mounted over each in the sandbox's own view: so the program finds under its name what we put there, and the
 * file itself stays what it is. Only where the sandbox has mount namespaces. */
#ifndef TANDEM_RUN_STANDIN_H
#define TANDEM_RUN_STANDIN_H

#include "testcase/testcase.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct sandbox_policy;
struct standins;

bool standin_possible(const struct testcase_file *f); /* a regular file with an absolute name, and there is one to put it over; no program and no shared library, which may be what is run */

/* For files of these names, each as it is now. directory: where tests that have such files were run, which may have called them by names with ".."; so these lead there from the scratch directory too. NULL, or
 * one that is gone: they do not. */
struct standins *standins_new(const char *const *paths, size_t count, const char *directory, struct err *err);
void standins_free(struct standins *s); /* NULL is allowed */

void standins_tell(const struct standins *s, struct sandbox_policy *policy);         /* borrowed by it */
bool standins_put(struct standins *s, const struct testcase *t, struct err *err);    /* those of the test case as it has them, all others as at first */

#endif
