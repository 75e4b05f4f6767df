/* Memory functions. Copies and fills go through the compiler's intrinsics, which carry shadows along. Comparisons are
 * free of branches on the data: one program branch on the result is one condition, not one per byte. */
#include "model.h"

void *MODEL(memcpy)(void *to, const void *from, size_t n)
{
	__builtin_memcpy(to, from, n);
	return to;
}

void *MODEL(mempcpy)(void *to, const void *from, size_t n)
{
	__builtin_memcpy(to, from, n);
	return (byte *)to + n;
}

void *MODEL(memmove)(void *to, const void *from, size_t n)
{
	__builtin_memmove(to, from, n);
	return to;
}

void *MODEL(memset)(void *to, int c, size_t n)
{
	__builtin_memset(to, c, n);
	return to;
}

/* Forward, since the length may depend on the input: the first difference decides. */
int MODEL(memcmp)(const void *a, const void *b, size_t n)
{
	const byte *x = a, *y = b;
	int result = 0, equal = -1;
	for (size_t i = 0; i < n; i++) {
		int difference = x[i] - y[i];
		result |= difference & equal;
		equal &= -(difference == 0);
	}
	return result;
}

int MODEL(bcmp)(const void *a, const void *b, size_t n)
{
	const byte *x = a, *y = b;
	int result = 0;
	for (size_t i = 0; i < n; i++)
		result |= x[i] ^ y[i];
	return result;
}

void *MODEL(memchr)(const void *s, int c, size_t n)
{
	for (const byte *p = s; n; n--, p++)
		if (*p == (byte)c)
			return (void *)p;
	return NULL;
}

void *MODEL(memrchr)(const void *s, int c, size_t n)
{
	const byte *p = s;
	while (n--)
		if (p[n] == (byte)c)
			return (void *)(p + n);
	return NULL;
}

void *MODEL(memccpy)(void *to, const void *from, int c, size_t n)
{
	byte *d = to;
	for (const byte *s = from; n; n--)
		if ((*d++ = *s++) == (byte)c)
			return d;
	return NULL;
}

void MODEL(bzero)(void *to, size_t n)
{
	__builtin_memset(to, 0, n);
}

void MODEL(explicit_bzero)(void *to, size_t n)
{
	__builtin_memset(to, 0, n);
}

void MODEL(bcopy)(const void *from, void *to, size_t n)
{
	__builtin_memmove(to, from, n);
}

void *MODEL(rawmemchr)(const void *s, int c)
{
	const byte *p = s;
	while (*p != (byte)c)
		p++;
	return (void *)p;
}

void *MODEL(memmem)(const void *where, size_t n, const void *what, size_t m)
{
	const byte *p = where;
	for (; n >= m; n--, p++)
		if (MODEL(memcmp)(p, what, m) == 0)
			return (void *)p;
	return NULL;
}
