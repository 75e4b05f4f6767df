#!/bin/bash
# Memory that is never freed (tandem trace --leaks): what counts as reachable, what is told of the rest, and that the run ends as it would have. All
# inputs are those written here.
set -uo pipefail
. "$(dirname "$0")/../reported.sh"

# tells STATUS INPUT COUNT: so many reports.
tells() {
    traced "$1" "$2" --quiet --leaks ./program
    [ "$(grep -c '^==TANDEM: memory-leak: memory never freed: ' err)" = "$3" ] || fail "$2: not $3 reports: $(cat err)"
    [ "$(grep -c '^==TANDEM' err)" = "$3" ] || fail "$2: other reports: $(cat err)"
}

cat > library.c <<'C'
#include <stdlib.h>
static void *kept[4];
void keep(void *p) { kept[2] = p; }
void *foreign(void) { return malloc(100); }
void lose(void) { volatile char *p = malloc(200); p[0] = 1; }
C
cat > lost.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct node { struct node *next; char rest[40]; };
void keep(void *p);
void *foreign(void);
void lose(void);
static struct node *list;
static char *inner, *behind;
static void *volatile last, *hidden;
static __thread void *local;
static pthread_key_t key;
static int pipes[2];
__attribute__((noinline)) static struct node *make(struct node *next)
{
	struct node *n = malloc(sizeof *n);
	n->next = next;
	return n;
}
/* Whatever is left of it on the stack. */
__attribute__((noinline)) static void wipe(void)
{
	volatile char room[8192];
	for (unsigned i = 0; i < sizeof room; i++)
		room[i] = 0;
}
static void *waits(void *p)
{
	void *volatile mine = malloc(70);
	char c;
	local = malloc(71);
	pthread_setspecific(key, malloc(72));
	write(pipes[1], "x", 1);
	if (p)
		read(pipes[0], &c, 1); /* of itself, at most one */
	for (;;)
		pause();
	return mine;
}
static void *returns(void *p)
{
	void *volatile mine = malloc(73);
	return mine ? p : NULL;
}
static void free_hidden(void)
{
	free((void *)~(unsigned long)hidden);
}
static void act(int c)
{
	pthread_t t;
	char byte;
	switch (c) {
	case 'a': last = malloc(10); last = NULL; break;
	case 'b': for (int i = 0; i < 3; i++) last = malloc(10); break;
	case 'c': list = make(make(make(NULL))); break;
	case 'd': list = make(make(make(NULL))); list = NULL; break;
	case 'e': inner = (char *)malloc(100) + 50; break;
	case 'f': behind = (char *)malloc(100) + 100; break;
	case 'g': keep(malloc(20)); break;
	case 'h': local = malloc(20); break;
	case 'i': setenv("NAME", "value", 1); putenv(strdup("PATH=/bin")); break;
	case 'j': pthread_setspecific(key, malloc(20)); break;
	case 'k': last = realloc(malloc(10), 100000); last = NULL; break;
	case 'l': { struct node *x = make(NULL), *y = make(x); x->next = y; break; }
	case 'm': last = malloc(0); last = calloc(3, 100); last = NULL; break;
	case 'n': hidden = (void *)~(unsigned long)malloc(10); atexit(free_hidden); break;
	case 'o': lose(); break;
	case 'p': last = foreign(); last = NULL; break;
	case 'q': last = strdup("text"); last = NULL; break;
	case 't': pthread_create(&t, NULL, waits, NULL); read(pipes[0], &byte, 1); break;
	case 'u': pthread_create(&t, NULL, returns, NULL); pthread_join(t, NULL); break;
	}
}
int main(void)
{
	int c = getchar(), how = getchar();
	pipe(pipes);
	pthread_key_create(&key, NULL);
	act(c);
	wipe();
	if (how == 'e')
		exit(3);
	if (how == 'E')
		_exit(4);
	if (how == 's') {
		void *volatile here = malloc(60);
		exit(here ? 5 : 6);
	}
	if (how == 'A')
		abort();
	return 2;
}
C
for flags in -O0 -O2 "-O1 -static"; do
    case="reachable and not, $flags"
    clang-19 -w -O2 -fPIC -c library.c -o library.o || exit 2
    # shellcheck disable=SC2086
    builds "$cc" -w -g $flags lost.c library.o -o program
    for reachable in c e f g h i j n t z; do tells 2 $reachable 0; done
    tells 2 a 1
    has ': 10 bytes in 1 block$'
    has '^  block of 10 bytes \[0x[0-9a-f]+,0x[0-9a-f]+\) allocated$'
    has '#[01] act at lost.c:5[0-9]:'
    tells 2 b 1
    has ': 20 bytes in 2 blocks$'
    tells 2 d 3
    has ': 48 bytes in 1 block$'
    has ': 48 bytes in 1 block, reachable from lost ones only$'
    tells 2 k 1
    has ': 100000 bytes in 1 block$'
    tells 2 l 2
    tells 2 m 2
    has ': 0 bytes in 1 block$'
    has ': 300 bytes in 1 block$'
    tells 2 q 1
    has '#[01] strdup$'
    tells 2 u 1
    has ': 73 bytes in 1 block$'
    # However it ends.
    tells 3 ae 1
    tells 4 aE 0
    tells 5 as 1
    tells 134 aA 0
    tells 3 ce 0
    tells 3 te 0
    input=a
    traced 2 a --quiet ./program
    [ ! -s err ] || fail "told without being asked: $(cat err)"
    traced 2 a --quiet --leaks --nothing-symbolic ./program
    has '^==TANDEM: memory-leak: '
    traced 2 a --quiet --leaks --no-sandbox ./program
    has '^==TANDEM: memory-leak: '
done

case="uninstrumented code alone"
clang-19 -w -O2 -fPIC -shared library.c -o liblibrary.so || exit 2
cat > alone.c <<'C'
#include <pthread.h>
#include <stdlib.h>
void *start_alone(void *p);
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, start_alone, NULL);
	pthread_join(t, NULL);
	return 0;
}
C
cat > thread.c <<'C'
#include <stdlib.h>
void *start_alone(void *p) { volatile char *q = malloc(300); q[0] = 1; return p; }
C
clang-19 -w -O2 -fPIC -shared thread.c -o libthread.so || exit 2
builds "$cc" -g alone.c -L. -lthread -Wl,-rpath,"$dir" -o program
tells 0 '' 0

case="JSON"
builds "$cc" -w -g lost.c library.o -o program
traced 2 a --quiet --leaks --json ./program
printf a | "$tandem" trace --leaks --json ./program > out 2> err
has '"class":"memory-leak","violation":"memory-leak","headline":"memory-leak: memory never freed: 10 bytes in 1 block"' out
has '"made":\[\{"function":"malloc"' out

[ "$failures" = 0 ] && echo "leaks: ok"
[ "$failures" = 0 ]
