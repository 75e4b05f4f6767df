/* Character classes as functions, and as the library's macros: reads from a table that a call gives. */
// case: letters = aZm\0\0\0\0\0
// case: digits = 0f\0\0\0\0\0
// case: high-bytes = \0377\0200\0\0\0\0\0
// case: zero = \0\0\0\0\0\0\0
// case: space = \t \0\0\0\0
#define _GNU_SOURCE
#define __NO_CTYPE
#include "harness.h"

#include <ctype.h>
#include <locale.h>

static void in_utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
}

#define CLASS(name) TEST(name) { give((uint64_t)name(in[0])); give((uint64_t)name((signed char)in[1])); give((uint64_t)name(EOF)); } \
	TEST_OF(name, utf8, in_utf8) { give((uint64_t)name(in[0])); }
CLASS(isalnum)
CLASS(isalpha)
CLASS(isblank)
CLASS(iscntrl)
CLASS(isdigit)
CLASS(isgraph)
CLASS(islower)
CLASS(isprint)
CLASS(ispunct)
CLASS(isspace)
CLASS(isupper)
CLASS(isxdigit)
CLASS(tolower)
CLASS(toupper)
TEST(isascii) { give((uint64_t)isascii(in[0] | in[1] << 8)); }
TEST(toascii) { give((uint64_t)toascii(in[0] | in[1] << 8)); }

/* As headers write it where the macros are on. */
TEST(__ctype_b_loc) { give((*__ctype_b_loc())[(int)in[0]] & (unsigned short)_ISalpha); give((*__ctype_b_loc())[(int)(signed char)in[1]]); }
TEST(__ctype_tolower_loc) { give((uint64_t)(*__ctype_tolower_loc())[(int)in[0]]); give((uint64_t)(*__ctype_tolower_loc())[(signed char)in[1]]); }
TEST(__ctype_toupper_loc) { give((uint64_t)(*__ctype_toupper_loc())[(int)in[0]]); give((uint64_t)(*__ctype_toupper_loc())[(signed char)in[1]]); }
TEST_OF(__ctype_b_loc, utf8, in_utf8) { give((*__ctype_b_loc())[(int)in[0]]); }
