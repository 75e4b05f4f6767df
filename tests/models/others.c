/* Sorting and searching; allocation: what is in a block, and that terms stay when it moves. */
// case: mixed = \005\001\0377\003\0200\002\001\007\0\011\003\005
// case: zeros = \0\0\0\0\0\0\0\0\0\0\0\0
// case: sorted = abcdefghijkl
#define _GNU_SOURCE
#include "harness.h"

static int by_byte(const void *a, const void *b)
{
	return *(const unsigned char *)a - *(const unsigned char *)b;
}

static int by_half(const void *a, const void *b, void *context)
{
	return (*(const unsigned char *)a >> *(int *)context) - (*(const unsigned char *)b >> *(int *)context);
}

TEST(qsort) { char *a = block(0, 6); qsort(a, 6, 1, by_byte); give_bytes(a, 6); }
TEST(qsort_r) { char *a = block(0, 8); int shift = 4; qsort_r(a, 4, 2, by_half, &shift); give_bytes(a, 8); }
TEST(bsearch) { char *a = block(0, 8); give_at(bsearch(in + 9, a, 8, 1, by_byte), a); give_at(bsearch(in + 9, a, 0, 1, by_byte), a); }

TEST(malloc) { unsigned char *p = malloc(3); give_truth(p != NULL); p[0] = in[0]; give(p[0]); free(p); }
TEST(calloc) { unsigned char *p = calloc(3, in[0] % 4 + 1u); give_bytes(p, 3); p[1] = in[1]; give_bytes(p, 3); free(p); }
TEST(free) { free(NULL); free(block(0, 12)); give(1); }
TEST(realloc) { char *p = realloc(NULL, 12); memcpy(p, in, 12); p = realloc(p, 500); give_bytes(p, 12); p = realloc(p, 4); give_bytes(p, 4); }
TEST(reallocarray) { char *p = reallocarray(NULL, 3, 4); memcpy(p, in, 12); p = reallocarray(p, 30, 30); give_bytes(p, 12); }
