#!/bin/bash
# Whose memory is it: what the program and the libraries allocate in a traced run is the runtime's and known to the map of objects,
# in programs linked in every way; a program's own allocator stays its own. All inputs are those written here.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "allocator: $*"; failures=$((failures + 1)); }
builds() { "$@" > log 2>&1 && [ ! -s log ] || fail "$case: $*: $(head -n 5 log)"; }

# prints TEXT COMMAND...: exactly that, and status 0.
prints() {
    local text=$1 said status
    shift
    said=$(timeout 20 "$@" 2>&1 < input)
    status=$?
    [ "$status" = 0 ] && [ "$said" = "$text" ] || fail "$case: $*: status $status, said: $said"
}
both() { # NATIVE TRACED PROGRAM ARGUMENT...
    prints "$1" "${@:3}"
    prints "$2" "$tandem" trace --quiet "${@:3}"
}

printf 'a line\nanother\n' > input

# look POINTER: kind, bytes from there to its end, and whether woven code would ask. Nothing when not traced.
cat > look.h <<'C'
#define _GNU_SOURCE
#include "contract/object.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern struct td_space __td_space __attribute__((weak));
static struct td_object *find(const void *p)
{
	uint64_t number = __td_space.owners[((uint64_t)p & __td_space.mask) >> TD_GRANULE_BITS];
	return (void *)((char *)__td_space.objects + number * TD_NUMBER_BYTES);
}
static void look(const char *what, const void *p, size_t bytes)
{
	const struct td_object *o = find(p);
	if (o->kind)
		printf("%s%d%s", what, o->kind, o->start == (uint64_t)p && o->size == bytes && o->state == 0 ? " " : "? ");
}
C

case="all ways to allocate"
cat > ways.c <<'C'
#include "look.h"
#include <wchar.h>
int main(int argc, char **argv)
{
	char *line = NULL, *text = NULL, *wide;
	size_t room = 0;
	void *aligned = NULL;
	look("m", malloc(33), 33);
	look("0", malloc(0), 0);
	look("c", calloc(3, 7), 21);
	look("r", realloc(malloc(5), 50), 50);
	look("a", reallocarray(NULL, 5, 5), 25);
	look("A", aligned_alloc(64, 128), 128);
	look("M", memalign(4096, 10), 10);
	look("p", posix_memalign(&aligned, 256, 300) ? NULL : aligned, 300);
	look("v", valloc(5000), 5000);
	look("P", pvalloc(5000), 8192);
	look("L", malloc(1000000), 1000000);
	look("s", strdup("abc"), 4);
	look("w", wcsdup(L"abc"), 16);
	if (getline(&line, &room, stdin) > 0)
		look("g", line, room);
	if (asprintf(&text, "%d", 12345) == 5)
		look("f", text, 6);
	FILE *memory = open_memstream(&wide, &room);
	fputs("0123456789", memory);
	fclose(memory);
	look("o", wide, 11);
	look("i", argv[1], 7);
	look("I", argv, 8 * (argc + 1));
	look("e", getenv("HOME"), strlen(getenv("HOME")) + 1 + 0 * sizeof(int));
	puts("");
	free(realloc(line, 10));
	free(text);
	free(wide);
	free(aligned);
	printf("%d %zu\n", realloc(malloc(5), 0) == NULL, malloc_usable_size(NULL));
	return 0;
}
C
known='m1 01 c1 r1 a1 A1 M1 p1 v1 P1 s1 w1 g1 f1 o1 i4 I4 '
for flags in "" "-no-pie -fno-pie" "-static" "-static-pie -fPIE -Wl,--gc-sections"; do
    # shellcheck disable=SC2086
    builds "$cc" -w -I"$root" $flags ways.c -o ways
    case="all ways to allocate, $flags"
    said=$(timeout 20 "$tandem" trace --quiet ./ways string < input 2>&1)
    # Large blocks are entered when they are asked for; how long HOME is depends.
    [ "$(sed 's/e5? *$//; s/e4 *$//; q' <<< "$said")" = "$known" ] || fail "$case: $said"
    [ "$(sed -n 2p <<< "$said")" = "1 0" ] || fail "$case: $said"
done
builds "$cc" -w -fno-builtin -I"$root" ways.c -o ways
case="all ways to allocate, not traced"
prints $'\n1 0' ./ways string

case="address space is taken in traced runs alone"
cat > space.c <<'C'
#include <stdio.h>
int main(void)
{
	char line[4096];
	unsigned long from, to, most = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof line, maps))
		if (sscanf(line, "%lx-%lx", &from, &to) == 2 && to - from > most && line[0] != 'f')
			most = to - from;
	printf("%d\n", most > 1ul << 40);
	return 0;
}
C
builds "$cc" -w space.c -o space
both 0 1 ./space

case="exact sizes"
cat > exact.c <<'C'
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <errno.h>
int main(void)
{
	volatile size_t most = SIZE_MAX;
	int odd = 0;
	for (size_t n = 0; n < 70000; n += n < 300 ? 1 : 997) {
		char *p = malloc(n);
		odd += malloc_usable_size(p) < n || (uintptr_t)p % 16;
		free(p);
	}
	errno = 0;
	odd += malloc(most) != NULL || errno != ENOMEM;
	odd += malloc(most / 2 + 1) != NULL;
	odd += calloc(most / 2, 4) != NULL || reallocarray(NULL, most / 2, 4) != NULL;
	char *kept = malloc(3);
	odd += realloc(kept, most) != NULL || reallocarray(kept, most, 2) != NULL;
	errno = 7;
	free(kept);
	odd += errno != 7;
	void *p = &odd;
	odd += posix_memalign(&p, 3, 8) != EINVAL || p != &odd;
	odd += memalign(48, 8) == NULL;
	printf("%d\n", odd);
	return 0;
}
C
builds "$cc" -w -fno-builtin exact.c -o exact
prints 0 ./exact
prints 0 sh -c '"$1" trace --quiet --go-on ./exact 2> reports' - "$tandem" # what no memory could hold is reported, each time, and refused
[ "$(grep -c '^==TANDEM: allocation-overflow' reports)" = 6 ] || fail "$case: $(cat reports)"

case="own allocator"
cat > own.c <<'C'
#include <stddef.h>
#include <string.h>
static char pool[1 << 20] __attribute__((aligned(16)));
static size_t used;
int own_calls;
void *reallocarray(void *p, size_t a, size_t b);
void *array(size_t n) { return reallocarray(0, n, 8); }
void *malloc(size_t n) { size_t *p = (size_t *)(pool + used); used += (n + 31) & ~15ul; own_calls++; *p = n; return p + 2; }
void free(void *p) { own_calls++; if (p && (size_t)((char *)p - pool) >= used) __builtin_trap(); }
void *calloc(size_t a, size_t b) { return memset(malloc(a * b), 0, a * b); }
void *realloc(void *p, size_t n) { void *q = malloc(n); if (p) memcpy(q, p, ((size_t *)p)[-2] < n ? ((size_t *)p)[-2] : n); return q; }
C
cat > uses.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int own_calls;
void *array(size_t n);
int main(int argc, char **argv)
{
	char *a = strdup(argv[1]), *b = realloc(a, 100);
	if (b[0] == 'q')
		return 7;
	free(b);
	free(malloc(10));
	free(array(10));
	printf("%d %s\n", own_calls > 4, b);
	return 0;
}
C
clang-19 -c own.c -o own_plain.o
builds "$cc" -w -c own.c -o own_woven.o
for object in own_plain.o own_woven.o; do
    for flags in "" "-static"; do
        # shellcheck disable=SC2086
        builds "$cc" -w -fno-builtin $flags uses.c $object -o uses
        both "1 word" "1 word" ./uses word
        timeout 20 "$tandem" trace --verify ./uses word > trace 2>&1 < /dev/null
        grep -q 'main *not taken .*argv\[1\]\[0\]' trace || fail "$case: $object $flags: terms are lost: $(head -n 5 trace)"
    done
done
# Only some of them: whoever frees must be able to.
cat > partly.c <<'C'
#include <stdio.h>
#include <stdlib.h>
void free(void *p) { (void)p; }
int main(void) { char *p = calloc(1, 100); p = realloc(p, 200); free(p); puts("fine"); return 0; }
C
builds "$cc" -w partly.c -o partly
both fine fine ./partly

case="an allocator over mmap and one over sbrk"
cat > over.c <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
	char *low = sbrk(100000), *mapped = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(low, getchar(), 100000);
	memcpy(mapped + 5000, low, 50000);
	if (mapped[54999] == 'a')
		puts("a");
	munmap(mapped, 1 << 20);
	sbrk(-100000);
	return 0;
}
C
builds "$cc" -w over.c -o over
both a a ./over

case="a library that allocates, a program that frees, and the other way"
cat > makes.c <<'C'
#include <stdlib.h>
#include <string.h>
char *make(const char *s) { char *p = malloc(strlen(s) + 1); return strcpy(p, s); }
void drop(char *p) { free(p); }
C
cat > asks.c <<'C'
#include <stdio.h>
#include <stdlib.h>
char *make(const char *);
void drop(char *);
int main(int argc, char **argv)
{
	char *a = make(argv[1]), *b = malloc(8);
	int odd = a[0] == 'q';
	free(a);
	drop(b);
	printf("%d\n", odd);
	return 0;
}
C
cxx=g++
command -v g++ > /dev/null || cxx=clang++-19
for library in "$cc" clang-19; do
    builds "$library" -w -fPIC -shared makes.c -o libmakes.so
    builds "$cc" -w asks.c -L. -lmakes -Wl,-rpath,"$dir" -o asks
    both 1 1 ./asks quick
done
builds "$cc" -w -c asks.c makes.c
builds $cxx asks.o makes.o -o asks
prints 1 ./asks quick

case="preloaded"
cat > pre.c <<'C'
#include <stddef.h>
void *__libc_malloc(size_t); void __libc_free(void *); void *__libc_calloc(size_t, size_t); void *__libc_realloc(void *, size_t);
void *malloc(size_t n) { return __libc_malloc(n + 8); }
void free(void *p) { __libc_free(p); }
void *calloc(size_t a, size_t b) { return __libc_calloc(a, b); }
void *realloc(void *p, size_t n) { return __libc_realloc(p, n); }
C
builds clang-19 -w -fPIC -shared pre.c -o libpre.so
builds "$cc" -w asks.c makes.c -o asks
prints 1 env LD_PRELOAD="$dir/libpre.so" ./asks quick
prints 1 env LD_PRELOAD="$dir/libpre.so" "$tandem" trace --quiet ./asks quick

case="before main, in handlers, after a fork, in threads"
cat > odd.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static char *early;
static volatile sig_atomic_t alarms;
__attribute__((constructor(101))) static void first(void) { early = strdup("early"); }
static void handler(int s)
{
	char *p = malloc(100);
	memset(p, 1, 100);
	free(p);
	alarms++;
}
static void *volatile shared[64];
static void *work(void *seed)
{
	unsigned r = (unsigned)(unsigned long)seed;
	for (int i = 0; i < 30000; i++) {
		r = r * 1103515245 + 12345;
		char *p = malloc(r >> 20 & 511);
		void *old = __atomic_exchange_n(&shared[r >> 10 & 63], p, __ATOMIC_ACQ_REL);
		free(old);
	}
	return NULL;
}
static int deep(int n) { char b[64]; memset(b, n, 64); char *p = malloc(n & 63); int r = n ? deep(n - 1) : 0; free(p); return r + b[n & 63]; }
int main(void)
{
	int c = getchar(), status = 0;
	early = realloc(early, 1000);
	free(early);
	signal(SIGALRM, handler);
	struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &often, NULL);
	char text[64], *p = NULL;
	for (int i = 0; i < 10000 || alarms < 20; i++) {
		p = realloc(p, i % 3000 + 1);
		p[i % 3000] = (char)(c + i);
		if (p[i % 3000] == 'q')
			alarms += 0;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	deep(5000);
	if (fork() == 0) {
		free(p);
		p = malloc(100000);
		_exit(p && deep(100) != 12345 ? 3 : 4);
	}
	wait(&status);
	pthread_t t[2];
	for (unsigned long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < 20; i++) {
		pid_t child = fork();
		if (child == 0) {
			for (int k = 0; k < 100; k++)
				free(malloc(k));
			_exit(5);
		}
		int s = 0;
		waitpid(child, &s, 0);
		if (WEXITSTATUS(s) != 5)
			puts("lost child");
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d %d\n", WEXITSTATUS(status), alarms >= 20);
	return 0;
}
C
for flags in "" "-static"; do
    # shellcheck disable=SC2086
    builds "$cc" -w -O2 $flags odd.c -o odd -lpthread
    both "3 1" "3 1" ./odd
done

[ "$failures" = 0 ] && echo "allocator: ok"
[ "$failures" = 0 ]
