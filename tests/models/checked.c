/* The checked variants, with sizes that are large enough. Input as in strings.c. */
// case: plain = hello, world of text\0\0\0\0\0o, wor\0\0\0\0\0\0\0\0\0\0\006\005o
// case: empty = \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
// case: high-bytes = \0377\0200\0201\0303\0244 \0377\0376\0375\0200z\0377 \0303\0244\0377\0\0\0\0\0\0\0377\0200\0376\0303\0244\0\0\0\0\0\0\0\0\0\0\0\0007\0003\0377
#define _GNU_SOURCE
#include "harness.h"

#define A piece(0, 24)
#define B piece(24, 16)
#define N (in[40] & 15u)

static char *room(void)
{
	char *made = malloc(48);
	if (!made)
		_exit(3);
	for (int i = 0; i < 48; i++)
		made[i] = '#';
	return made;
}

void *__memcpy_chk(void *, const void *, size_t, size_t), *__mempcpy_chk(void *, const void *, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t), *__memset_chk(void *, int, size_t, size_t);
void __explicit_bzero_chk(void *, size_t, size_t);
char *__strcpy_chk(char *, const char *, size_t), *__stpcpy_chk(char *, const char *, size_t), *__strcat_chk(char *, const char *, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t), *__strncpy_chk(char *, const char *, size_t, size_t);
char *__stpncpy_chk(char *, const char *, size_t, size_t);

TEST(__memcpy_chk) { char *to = room(); give_at(__memcpy_chk(to, A, N, 48), to); give_bytes(to, 20); }
TEST(__mempcpy_chk) { char *to = room(); give_at(__mempcpy_chk(to, A, N, 16), to); give_bytes(to, 20); }
TEST(__memmove_chk) { char *a = A; give_at(__memmove_chk(a + 3, a, N, 21), a); give_bytes(a, 24); }
TEST(__memset_chk) { char *a = A; give_at(__memset_chk(a, in[42], N, 24), a); give_bytes(a, 24); }
TEST(__explicit_bzero_chk) { char *a = A; __explicit_bzero_chk(a, N, 24); give_bytes(a, 24); }
TEST(__strcpy_chk) { char *to = room(); give_at(__strcpy_chk(to, A, 48), to); give_bytes(to, 25); }
TEST(__stpcpy_chk) { char *to = room(); give_at(__stpcpy_chk(to, A, 25), to); give_bytes(to, 25); }
TEST(__strcat_chk) { char *to = room(); strcpy(to, B); give_at(__strcat_chk(to, A, 48), to); give_bytes(to, 41); }
TEST(__strncat_chk) { char *to = room(); strcpy(to, B); give_at(__strncat_chk(to, A, N, 48), to); give_bytes(to, 41); }
TEST(__strncpy_chk) { char *to = room(); give_at(__strncpy_chk(to, A, N, 48), to); give_bytes(to, 20); }
TEST(__stpncpy_chk) { char *to = room(); give_at(__stpncpy_chk(to, A, N, 48), to); give_bytes(to, 20); }
