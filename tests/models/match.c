/* fnmatch: patterns of the program against text of the input (0..11), and patterns of the input (12..23). */
// case: names = src/main.c\0\0m*n.[ch]\0
// case: hidden = .hid/.x\0\0\0\0\0*/?x\0
// case: brackets = a-z]^!b\0\0\0\0\0[!a-c]-*\0
// case: escapes = a\0134*b?[x\0\0\0\0\0a\0134\0134\0134*b*\0
// case: class = Q7_ z\0\0\0\0\0\0\0[[:upper:]][[:digit:]]*
// case: open = [ab\0\0\0\0\0\0\0\0\0[ab\0
// case: high-bytes = \0344b\0377\0\0\0\0\0\0\0\0\0?b*\0
// case: empty = \0\0\0\0\0\0\0\0\0\0\0\0\0
#define _GNU_SOURCE
#include "harness.h"

#include <fnmatch.h>
#include <locale.h>

static void in_utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
}

static const int flags[] = {0, FNM_PATHNAME, FNM_PERIOD | FNM_PATHNAME, FNM_NOESCAPE, FNM_CASEFOLD, FNM_LEADING_DIR | FNM_PATHNAME, FNM_PERIOD};

static void with(const char *pattern)
{
	for (unsigned i = 0; i < sizeof flags / sizeof flags[0]; i++)
		give((uint64_t)fnmatch(pattern, piece(0, 12), flags[i]));
}

TEST(fnmatch) { with("*.[ch]"); with("*/?*"); }
TEST_OF(fnmatch, names, NULL) { with("[!.a-m]*\\**"); with("[]a-]*[^[:alpha:]x]"); }
TEST_OF(fnmatch, classes, NULL) { with("[[:upper:]b-d]?[[:digit:]_]*"); with("[a"); with("[[:nope:]]*"); with("a\\"); }
TEST_OF(fnmatch, items, NULL) { with("[a-Z]*"); with("[["); with("[[:averyveryverylongname:]]"); with("[[::]x]*"); }
TEST_OF(fnmatch, asked, NULL) { with("[a-"); with("[a[.].]]*"); with("[xa-[:alpha:]]*"); }
TEST_OF(fnmatch, stars, NULL) { with("*a*b*"); with("**?/*"); with("*[x/]*"); }
TEST_OF(fnmatch, pattern, NULL) { give((uint64_t)fnmatch(piece(12, 12), piece(0, 6), 0)); give((uint64_t)fnmatch(piece(12, 12), "main.c", FNM_PATHNAME | FNM_PERIOD)); }
TEST_OF(fnmatch, utf8, in_utf8) { give((uint64_t)fnmatch("*b?", piece(0, 12), 0)); }
TEST_OF(fnmatch, extended, NULL) { give((uint64_t)fnmatch("+(a|b)*", piece(0, 12), FNM_EXTMATCH)); }
