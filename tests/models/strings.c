/* Strings: searching, comparing, copying. The input is two pieces of text and small numbers: 0..23 and 24..39, from 40 on numbers. */
// case: plain = hello, world of text\0\0\0\0\0o, wor\0\0\0\0\0\0\0\0\0\0\006\005o
// case: empty = \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
// case: high-bytes = \0377\0200\0201\0303\0244 \0377\0376\0375\0200z\0377 \0303\0244\0377\0\0\0\0\0\0\0377\0200\0376\0303\0244\0\0\0\0\0\0\0\0\0\0\0\0007\0003\0377
// case: embedded-nul = ab\0cd\0ab\0cd\0\0ab\0cd\0ab\0abc\0b\0cd\0ab\0cd\0ab\0\0b\003\004\0
// case: equal = same text same te\0\0\0\0\0\0\0\0same text same t\011\006t
// case: versions @strverscmp = item-1.09.0\0\0\0\0\0\0\0\0\0\0\0\0\0item-1.010\0
// case: zeros @strverscmp = a000\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0a00\0
// case: digits @strverscmp = foo10x\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0foo9\0
// case: fraction @strverscmp = 1.011\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0001.01\0
// case: long = aabaabaaabaabaabaaabaabbaaabaabaaabaabb\0\017\011b
#define _GNU_SOURCE
#include "harness.h"

#include <strings.h>

#define A piece(0, 24)
#define B piece(24, 16)
#define N (in[40] & 31u)
#define M (in[41] & 15u)
#define C in[42]

static char *room(size_t n)
{
	char *made = malloc(n);
	if (!made)
		_exit(3);
	memset(made, '#', n);
	return made;
}

TEST(strlen) { give(strlen(A)); give(strlen(B)); }
TEST(strnlen) { give(strnlen(block(0, 24), N % 25)); give(strnlen(A, SIZE_MAX)); }
TEST(strcmp) { give_sign(strcmp(A, B)); give_sign(strcmp(B, A)); }
TEST(strcoll) { give_sign(strcoll(A, B)); }
TEST(strxfrm) { char *to = room(32); give(strxfrm(to, A, N)); give_bytes(to, 32); give(strxfrm(NULL, A, 0)); }
TEST(strverscmp) { give_sign(strverscmp(A, B)); }
TEST(strncmp) { give_sign(strncmp(A, B, N)); give_sign(strncmp(A, B, 7)); give_sign(strncmp(A, B, 0)); }
TEST(strcasecmp) { give_sign(strcasecmp(A, B)); }
TEST(strncasecmp) { give_sign(strncasecmp(A, B, N)); give_sign(strncasecmp(A, B, SIZE_MAX)); }

TEST(strchr) { char *a = A; give_at(strchr(a, C), a); give_at(strchr(a, 0), a); give_at(strchr(a, C | 0x100), a); }
TEST(strchrnul) { char *a = A; give_at(strchrnul(a, C), a); }
TEST(strrchr) { char *a = A; give_at(strrchr(a, C), a); give_at(strrchr(a, 0), a); }
TEST(index) { char *a = A; give_at(index(a, C), a); }
TEST(rindex) { char *a = A; give_at(rindex(a, C), a); }
TEST(strspn) { give(strspn(A, B)); }
TEST(strcspn) { give(strcspn(A, B)); give(strcspn(A, "")); }
TEST(strpbrk) { char *a = A; give_at(strpbrk(a, B), a); }

TEST(strstr)
{
	char *a = A, *b = B;
	give_at(strstr(a, b), a);
	b[M % 4] = 0;
	give_at(strstr(a, b), a);
}

TEST(strcasestr)
{
	char *a = A, *b = B;
	give_at(strcasestr(a, b), a);
	b[M % 4] = 0;
	give_at(strcasestr(a, b), a);
}

TEST(strcpy) { char *to = room(25); give_at(strcpy(to, A), to); give_bytes(to, 25); }
TEST(stpcpy) { char *to = room(25); give_at(stpcpy(to, A), to); give_bytes(to, 25); }
TEST(strncpy) { char *to = room(32); give_at(strncpy(to, A, N), to); give_bytes(to, 32); }
TEST(stpncpy) { char *to = room(32); give_at(stpncpy(to, A, N), to); give_bytes(to, 32); }
TEST(strcat) { char *to = room(41); strcpy(to, B); give_at(strcat(to, A), to); give_bytes(to, 41); }

TEST(strncat)
{
	char *to = room(48);
	strcpy(to, B);
	give_at(strncat(to, block(0, 24), N < 24 ? N : 24), to);
	give_bytes(to, 48);
}

TEST(strdup) { char *made = strdup(A); give(strlen(made)); give_bytes(made, strlen(made)); free(made); }
TEST(strndup) { char *made = strndup(A, N); give(strlen(made)); give_bytes(made, strlen(made)); free(made); }

TEST(strsep)
{
	char *a = A, *rest = a;
	for (int i = 0; i < 6; i++) {
		give_at(strsep(&rest, B), a);
		give_at(rest, a);
	}
	give_bytes(a, 25);
}

TEST(strtok_r)
{
	char *a = A, *rest = NULL;
	give_at(strtok_r(a, B, &rest), a);
	for (int i = 0; i < 4; i++) {
		give_at(rest, a);
		give_at(strtok_r(NULL, i & 1 ? B : "o ", &rest), a);
	}
	give_bytes(a, 25);
}

TEST(strtok)
{
	char *a = A, *b = B;
	give_at(strtok(a, B), a);
	for (int i = 0; i < 4; i++)
		give_at(strtok(NULL, b), a);
	give_bytes(a, 25);
	give_at(strtok(b, "abc"), b);
	give_at(strtok(NULL, "d"), b);
}
