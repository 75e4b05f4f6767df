/* Allocation: memory handed out has no terms; what realloc moves keeps them. The runtime's heap sees to that itself; a program's own does
 * not. */
#include "model.h"

#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

void *MODEL(malloc)(size_t size)
{
	void *p = malloc(size);
	if (p && !__td_serves())
		__td_clear(p, size);
	return p;
}

void *MODEL(calloc)(size_t count, size_t size)
{
	void *p = calloc(count, size);
	if (p && !__td_serves())
		__td_clear(p, count * size);
	return p;
}

/* A pointer to it is one to an instrumented function: what it is given is not lost. */
void MODEL(free)(void *p)
{
	free(p);
}

void *MODEL(realloc)(void *old, size_t size)
{
	if (__td_serves())
		return realloc(old, size);
	size_t before = old ? malloc_usable_size(old) : 0;
	void *p = realloc(old, size);
	if (!p)
		return NULL;
	size_t kept = before < size ? before : size;
	if (p != old)
		__td_move(p, old, kept);
	__td_clear((byte *)p + kept, size - kept);
	return p;
}

void *MODEL(reallocarray)(void *old, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes)) /* refused there, and reported */
		return reallocarray(old, count, size);
	return MODEL(realloc)(old, bytes);
}

/* A child that shares our memory would write into its parent's trace. */
pid_t MODEL(vfork)(void)
{
	return fork();
}
