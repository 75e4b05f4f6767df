/* A test case as a shell script that needs no Tandem, and as plain files. */
#ifndef TANDEM_TESTCASE_SCRIPT_H
#define TANDEM_TESTCASE_SCRIPT_H

#include "base/err.h"
#include "base/str.h"
#include "testcase/casefile.h"

/* POSIX sh, ASCII; `sh SCRIPT PROGRAM` does it. False: a script cannot do what the test case wants. */
bool script_print(const struct casefile *c, struct str *out, struct err *err);

#endif
