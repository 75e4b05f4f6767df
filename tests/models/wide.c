/* Wide strings and classes: a character is two bytes of the input, 8 of them from 0 on and 6 from 16 on; numbers from 40 on. */
// case: ascii = h\0e\0l\0l\0o\0 \0l\0o\0l\0o\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\003\002l
// case: empty = \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
// case: beyond-ascii = \0344\0\0304\0\0223\003\0263\003\0\060\0\0\0\0\0\0\0304\0\0344\0\0263\003\0\060\0\0\0\0............\006\003\0344
// case: equal = a\0b\0c\0d\0e\0f\0g\0\0\0a\0b\0c\0d\0e\0f\0............\010\004c
// case: number @wcstol @wcstoul @wcstoll @wcstoull = \t\0-\0000\0x\0001\0f\0Z\0\0\0
// case: digits @wcstol @wcstoul @wcstoll @wcstoull = 9\0008\0007\0006\0a\0z\0001\0\0\0
#define _GNU_SOURCE
#include "harness.h"

#include <locale.h>
#include <wchar.h>
#include <wctype.h>

static wchar_t *wide(unsigned at, unsigned n)
{
	wchar_t *made = malloc((n + 1) * sizeof *made);
	if (!made)
		_exit(3);
	for (unsigned i = 0; i < n; i++)
		made[i] = in[at + 2 * i] | in[at + 2 * i + 1] << 8;
	made[n] = 0;
	return made;
}

static wchar_t *room(void)
{
	wchar_t *made = malloc(20 * sizeof *made);
	if (!made)
		_exit(3);
	for (unsigned i = 0; i < 20; i++)
		made[i] = '#';
	return made;
}

#define A wide(0, 8)
#define B wide(16, 6)
#define N (in[40] & 7u)
#define C ((wchar_t)in[42])
#define AT(p, base) give_at(p, base)

static void in_utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
}

TEST(wcslen) { give(wcslen(A)); }
TEST(wcsnlen) { give(wcsnlen(A, N)); }
TEST(wcscmp) { give_sign(wcscmp(A, B)); }
TEST(wcscoll) { give_sign(wcscoll(A, B)); }
TEST(wcsncmp) { give_sign(wcsncmp(A, B, N)); }
TEST(wcscasecmp) { give_sign(wcscasecmp(A, B)); }
TEST(wcsncasecmp) { give_sign(wcsncasecmp(A, B, N)); }
TEST_OF(wcscasecmp, utf8, in_utf8) { give_sign(wcscasecmp(A, B)); }
TEST(wcschr) { wchar_t *a = A; AT(wcschr(a, C), a); AT(wcschr(a, 0), a); }
TEST(wcschrnul) { wchar_t *a = A; AT(wcschrnul(a, C), a); }
TEST(wcsrchr) { wchar_t *a = A; AT(wcsrchr(a, C), a); }
TEST(wcsspn) { give(wcsspn(A, B)); }
TEST(wcscspn) { give(wcscspn(A, B)); }
TEST(wcspbrk) { wchar_t *a = A; AT(wcspbrk(a, B), a); }
TEST(wcsstr) { wchar_t *a = A, *b = B; AT(wcsstr(a, b), a); b[2] = 0; AT(wcsstr(a, b), a); AT(wcsstr(a, L""), a); }
TEST(wcscpy) { wchar_t *to = room(); AT(wcscpy(to, A), to); give_bytes(to, 36); }
TEST(wcpcpy) { wchar_t *to = room(); AT(wcpcpy(to, A), to); give_bytes(to, 36); }
TEST(wcsncpy) { wchar_t *to = room(); AT(wcsncpy(to, A, N), to); give_bytes(to, 36); }
TEST(wcpncpy) { wchar_t *to = room(); AT(wcpncpy(to, A, N), to); give_bytes(to, 36); }
TEST(wcscat) { wchar_t *to = room(); wcscpy(to, B); AT(wcscat(to, A), to); give_bytes(to, 60); }
TEST(wcsncat) { wchar_t *to = room(); wcscpy(to, B); AT(wcsncat(to, A, N), to); give_bytes(to, 60); }
TEST(wcsdup) { wchar_t *made = wcsdup(A); give_bytes(made, wcslen(made) * 4); free(made); }
TEST(wmemcpy) { wchar_t *to = room(); AT(wmemcpy(to, A, 8), to); give_bytes(to, 36); }
TEST(wmempcpy) { wchar_t *to = room(); AT(wmempcpy(to, A, 8), to); give_bytes(to, 36); }
TEST(wmemmove) { wchar_t *a = A; AT(wmemmove(a + 1, a, 7), a); give_bytes(a, 32); }
TEST(wmemset) { wchar_t *a = A; AT(wmemset(a, C, N), a); give_bytes(a, 32); }
TEST(wmemcmp) { give_sign(wmemcmp(A, B, N < 6 ? N : 6)); give_sign(wmemcmp(A, B, 6)); }
TEST(wmemchr) { wchar_t *a = A; AT(wmemchr(a, C, N), a); }

TEST(wcstok)
{
	wchar_t *a = A, *rest = NULL;
	AT(wcstok(a, B, &rest), a);
	AT(rest, a);
	for (int i = 0; i < 3; i++) {
		AT(wcstok(NULL, L"l", &rest), a);
		AT(rest, a);
	}
	give_bytes(a, 32);
}

#define ONE ((wint_t)(in[0] | in[1] << 8))
#define CLASS(name) TEST(name) { give_truth(name(ONE)); give_truth(name(WEOF)); } TEST_OF(name, utf8, in_utf8) { give_truth(name(ONE)); }
CLASS(iswalnum)
CLASS(iswalpha)
CLASS(iswblank)
CLASS(iswcntrl)
CLASS(iswdigit)
CLASS(iswgraph)
CLASS(iswlower)
CLASS(iswprint)
CLASS(iswpunct)
CLASS(iswspace)
CLASS(iswupper)
CLASS(iswxdigit)
TEST(towlower) { give(towlower(ONE)); }
TEST_OF(towlower, utf8, in_utf8) { give(towlower(ONE)); }
TEST(towupper) { give(towupper(ONE)); }
TEST_OF(towupper, utf8, in_utf8) { give(towupper(ONE)); }
TEST(iswctype) { give_truth(iswctype(ONE, wctype("alpha"))); give_truth(iswctype(ONE, wctype("none"))); }
TEST_OF(iswctype, utf8, in_utf8) { give_truth(iswctype(ONE, wctype("punct"))); }
TEST(wcwidth) { give((uint64_t)wcwidth((wchar_t)ONE)); }
TEST_OF(wcwidth, utf8, in_utf8) { give((uint64_t)wcwidth((wchar_t)ONE)); }
TEST(wcswidth) { give((uint64_t)wcswidth(A, N)); }
TEST_OF(wcswidth, utf8, in_utf8) { give((uint64_t)wcswidth(A, N)); }

#define CONVERTS(name, b) \
	TEST_OF(name, base##b, NULL) { wchar_t *a = A, *end = NULL; give((uint64_t)name(a, &end, b)); give_at(end, a); give((uint64_t)errno); } \
	TEST(name) { wchar_t *a = A, *end = NULL; give((uint64_t)name(a, &end, 10)); give_at(end, a); give((uint64_t)errno); }
CONVERTS(wcstol, 0)
CONVERTS(wcstoul, 16)
CONVERTS(wcstoll, 36)
CONVERTS(wcstoull, 8)
