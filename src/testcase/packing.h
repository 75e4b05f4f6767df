/* A test case as a row of bytes for whoever has another one like it (base/pack.h): the same program, files of the same names. */
#ifndef TANDEM_TESTCASE_PACKING_H
#define TANDEM_TESTCASE_PACKING_H

#include "base/pack.h"
#include "testcase/testcase.h"

void testcase_pack(struct pack *p, const struct testcase *t);

/* What is not in there is that of `like`. False: it makes no sense. */
bool testcase_unpack(struct unpack *u, const struct testcase *like, struct testcase *out, struct arena *arena);

#endif
