/* How one test case differs from another, in words. */
#ifndef TANDEM_TESTCASE_DIFFER_H
#define TANDEM_TESTCASE_DIFFER_H

#include "base/str.h"
#include "testcase/testcase.h"

#include <stdbool.h>

/* argv[2] bytes 0-3 "AAAA" -> "boom"; stdin byte 4 'x' -> 'y'; stdin is 3 bytes shorter
 * At most so many items, and how many more there are. False: they are the same, and nothing is added. The program's name does not count. */
bool differ_text(const struct testcase *from, const struct testcase *to, size_t most, struct str *out);

#endif
