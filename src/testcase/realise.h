/* The files of a test case, made in a directory; of their own path, if they are absolute, never. */
#ifndef TANDEM_TESTCASE_REALISE_H
#define TANDEM_TESTCASE_REALISE_H

#include "base/err.h"
#include "testcase/testcase.h"

/* Can a file of this name be put into a directory? Relative, without "..", no directory itself. */
bool realise_takes(const char *name);

/* The first file that cannot be put into a directory, because of its name; NULL: there is none. Absolute ones are not looked at. */
const struct testcase_file *realise_misnamed(const struct testcase *t);

/* Are all of its files such that can be put into a directory, and none absolute? */
bool realise_relative(const struct testcase *t, struct err *err);

/* Those with relative names. The directory is empty. */
bool realise_files(int directory, const struct testcase *t, struct err *err);

/* Those with absolute names: are they there, as the test case wants them? NULL, or the first that is not and cannot be made so (NULL: none can). */
const struct testcase_file *realise_missing(const struct testcase *t, bool (*can_be_made)(const struct testcase_file *f));
/* Makes those that are not there; made[i] says which. One that is there and another is an error. */
bool realise_absolute(const struct testcase *t, bool *made, struct err *err);
void realise_remove(const struct testcase *t, const bool *made);

#endif
