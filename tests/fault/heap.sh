# shellcheck shell=bash
# Programs that misuse the heap, and programs that use it hard. Nothing here depends on how a violation is told, only that it ends the run.

wrong_program() {
    build wrong -fno-builtin <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char global[64] __attribute__((aligned(16)));
int main(int argc, char **argv)
{
	char local[64] __attribute__((aligned(16))), *small = malloc(100), *large = malloc(1000000), *volatile keep = local;
	int c = getchar();
	switch (c) {
	case '2': free(small); free(small); break;
	case '3': free(large); free(large); break;
	case '4': free(small); for (int i = 0; i < 1000; i++) free(malloc(100)); free(small); break;
	case 'i': free(small + 16); break;
	case 'j': free(large + 500000); break;
	case 'p': free(small + 100); break;
	case 'l': free(keep); break;
	case 'g': free(global); break;
	case 'a': free(argv[1]); break;
	case 'e': free(getenv("HOME")); break;
	case 'v': free(argv); break;
	case 'u': free((void *)((size_t)small & ~0xfffffful)); break;
	case 'n': free((void *)12345); break;
	case 'r': free(small); small = realloc(small, 200); break;
	case 's': small = realloc(small + 1, 200); break;
	case 'm': small = realloc(small, 200); large = realloc(large, 2000000); memset(large, 1, 2000000); free(small); free(large); free(NULL); return 5;
	}
	return c == 'x' ? 3 : 4;
}
C
}

test_heap_misuse_ends_the_run() {
    wrong_program
    for kind in 2 3 4 i j p l g a e v u n r s; do
        printf %s $kind > stdin
        run "$TANDEM" trace --stdin stdin ./wrong argument
        [ "$status" = 134 ] || die "$kind: status $status: $(head -n 3 err)"
        grep -q "stdin\[0\]" out || die "$kind: no trace: $(head -n 3 out)"
    done
    printf m > stdin
    run "$TANDEM" trace --stdin stdin ./wrong argument
    wants 5
    printf x > stdin
    run "$TANDEM" trace --stdin stdin ./wrong argument
    wants 3
}

test_heap_misuse_while_exploring() {
    wrong_program
    run "$TANDEM" explore --stdin 1 --time 20 --execs 300 ./wrong argument
    grep -q '^bug: invalid-free in main' out || die "no crash is told: $(cat out err)"
}

test_heap_many_allocations() {
    build many -fno-builtin <<'C'
#include <stdlib.h>
int main(void)
{
	size_t sum = 0;
	for (int i = 0; i < 10000000; i++) {
		char *p = malloc(i % 300);
		if (!p)
			return 1;
		sum += (size_t)p & 15;
		free(p);
	}
	return sum ? 2 : 5;
}
C
    run "$TANDEM" trace --quiet --time 15 ./many
    wants 5
}

test_heap_many_objects() {
    build live -fno-builtin <<'C'
#include <stdlib.h>
#include <string.h>
enum { N = 1000000 };
int main(void)
{
	int **all = malloc(N * sizeof *all);
	for (int k = 0; k < 2; k++) {
		for (int i = 0; i < N; i++) {
			all[i] = malloc(4 + i % 90);
			*all[i] = i;
		}
		for (int i = 0; i < N; i++)
			if (*all[i] != i)
				return 1;
		for (int i = k; i < N; i++)
			free(all[i * 7919ull % N]), all[i * 7919ull % N] = NULL;
	}
	char *grows = NULL;
	for (int i = 0; i < 300000; i++)
		(grows = realloc(grows, i + 1))[i] = (char)i;
	for (int i = 0; i < 300000; i++)
		if (grows[i] != (char)i)
			return 2;
	return 5;
}
C
    run "$TANDEM" trace --quiet --time 15 ./live
    wants 5
}

test_heap_memory_runs_out() {
    build out_of -fno-builtin <<'C'
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	int c = getchar(), n = 0;
	size_t size = c == 'l' ? 10000000 : c == 'm' ? 50000 : 500;
	char *p, *last = NULL;
	while ((p = malloc(size))) {
		*(char **)p = last;
		last = p;
		n++;
	}
	if (errno != ENOMEM || n * size < 50000000)
		return 6;
	while ((p = last)) {
		last = *(char **)p;
		free(p);
	}
	return malloc(size) ? 5 : 7;
}
C
    for kind in l m s; do
        printf $kind > stdin
        for limit in "-d 400000" "-v 2500000"; do
            # shellcheck disable=SC2086
            (ulimit $limit && bounded "$TANDEM" trace --quiet --stdin stdin ./out_of > out 2> err)
            status=$?
            [ "$status" = 5 ] || die "$kind, ulimit $limit: status $status: $(head -n 3 err)"
        done
    done
}
