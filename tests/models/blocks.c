/* Memory by the byte: two blocks without an end mark, at 0..19 and 20..31, and numbers from 40 on. */
// case: plain = the quick brown fox brown qui..\0\0\0\0\0\0\0\0\0\014\005o
// case: zeros = \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
// case: high-bytes = \0377\0376\0200\0377\0376\0201\0377\0376\0177\0200\0201\0202\0203\0377\0377\0377\0376\0200\0201\0\0377\0376\0201\0377\0200\0377\0377\0377\0376\0200\0\0........\017\003\0377
// case: equal = aaaaaaaaaaaaaaaaaaabaaaaaaaaaaabaaaaaaaa\013\003a
// case: overlapping = 0123456789abcdefghij0123456789abcdefghij\014\003\0605
#define _GNU_SOURCE
#include "harness.h"

#include <strings.h>

#define A block(0, 20)
#define B block(20, 12)
#define N (in[40] & 15u)
#define SHORT (N < 12 ? N : 12)
#define M (in[41] & 3u)
#define C in[42]

static void *room(void)
{
	void *made = malloc(32);
	if (!made)
		_exit(3);
	for (int i = 0; i < 32; i++)
		((char *)made)[i] = '#';
	return made;
}

TEST(memcpy) { char *to = room(); give_at(memcpy(to, A, N), to); give_bytes(to, 32); }
TEST(mempcpy) { char *to = room(); give_at(mempcpy(to + M, A, N), to); give_bytes(to, 32); }
TEST(memmove) { char *a = A; give_at(memmove(a + M, a, N), a); give_at(memmove(a, a + M, N), a); give_bytes(a, 20); }
TEST(memset) { char *a = A; give_at(memset(a, C | 0x100, N), a); give_bytes(a, 20); }
TEST(bzero) { char *a = A; bzero(a, N); give_bytes(a, 20); }
TEST(explicit_bzero) { char *a = A; explicit_bzero(a, N); give_bytes(a, 20); }
TEST(bcopy) { char *a = A; bcopy(a, a + M, N); give_bytes(a, 20); }
TEST(memcmp) { give_sign(memcmp(A, B, SHORT)); give_sign(memcmp(B, A, 12)); give_sign(memcmp(A, B, 0)); }
TEST(bcmp) { give_truth(bcmp(A, B, SHORT)); give_truth(bcmp(A, B, 12)); }
TEST(memchr) { char *a = A; give_at(memchr(a, C, N), a); give_at(memchr(a, C | 0x300, 20), a); }
TEST(memrchr) { char *a = A; give_at(memrchr(a, C, N), a); give_at(memrchr(a, C, 20), a); }
TEST(rawmemchr) { char *a = piece(0, 20); give_at(rawmemchr(a, 0), a); a[19] = (char)C; give_at(rawmemchr(a, C), a); }
TEST(memccpy) { char *to = room(), *a = A; give_at(memccpy(to, a, C, N), to); give_bytes(to, 32); }
TEST(memmem) { char *a = A; give_at(memmem(a, 20, B, M), a); give_at(memmem(a, N, B, SHORT), a); give_at(memmem(a, 20, B, 0), a); }
