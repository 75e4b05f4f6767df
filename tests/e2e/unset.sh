#!/bin/bash
# Memory that was never set (tandem trace --uninitialised): what is a use of it and what is none. All inputs are those written here.
set -uo pipefail
. "$(dirname "$0")/../reported.sh"

cat > library.c <<'C'
#include <string.h>
struct pair { char c; int n; };
void sets(struct pair *p) { p->n = 5; }
void sets_behind(struct pair **p) { (*p)->n = 5; (*p)->c = 1; }
int sum(struct pair p) { return p.n; }
C
cat > uses.c <<'C'
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
struct pair { char c; int n; };
struct bits { unsigned a : 1, b : 3, c : 12, d : 16; };
struct big { int used; int rest[20]; };
void sets(struct pair *p);
void sets_behind(struct pair **p);
int sum(struct pair p);
static volatile int sink;
static jmp_buf away;
static int table[256];
static int (*volatile always)(int);
__attribute__((noinline)) static int is_seven(const int *n) { if (*n == 7) puts("seven"); return *n == 7; }
__attribute__((noinline)) static struct pair make(int n) { struct pair p; p.n = n; return p; }
__attribute__((noinline)) static int by_value(struct big b) { return b.used > 3; }
__attribute__((noinline)) static int many(int n, ...)
{
	va_list list;
	int all = 0;
	va_start(list, n);
	for (int i = 0; i < n; i++)
		all += va_arg(list, int);
	va_end(list);
	return all > 10;
}
__attribute__((noinline)) static int one(int n) { return n + 1; }
__attribute__((noinline)) static void seven(int *p) { *p = 7; }
__attribute__((noinline)) static int again(int set) { int n; if (set) seven(&n); return is_seven(&n); } /* a call at the depth of one before */
#define IF(x) if (x) puts("yes"); break
static int bad(int c)
{
	int n, *p = malloc(40);
	struct pair a, b, *q;
	struct bits *f;
	char text[8];
	switch (c) {
	case '1': IF(is_seven(&n));
	case '2': IF(p[3] > 2);
	case '3': sink = p[2] + 1; IF(sink > 3);
	case '4': a.c = 1; b = a; IF(is_seven(&b.n));
	case '5': q = malloc(sizeof *q); q->c = 1; memcpy(&b, q, sizeof b); IF(is_seven(&b.n));
	case '6': f = malloc(sizeof *f); f->b = 3; IF(f->a);
	case '7': text[1] = 0; return (int)strlen(text);
	case '8': sink = table[((unsigned char *)p)[1]]; IF(sink > 0);
	case '9': p = realloc(p, 80); IF(p[15] > 0);
	case 's': switch (p[1]) { case 3: return 1; case 4: return 2; default: return 3; }
	case 'm': IF(memcmp(p, table, 4) > 0);
	case 'a': again(1); again(1); IF(again(0));
	}
	return 0;
}
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int good(int c)
{
	int n = 0, *p = malloc(40), *z = calloc(10, 4);
	struct pair a, b, *q = malloc(sizeof *q);
	struct bits f, g[2], *h;
	struct big big;
	struct stat st;
	struct tm tm;
	time_t now = 1000;
	char text[64];
	double d;
	switch (c) {
	case 'a': memset(p, 0, 40); return p[9] > 0;
	case 'b': return z[3] > 2;
	case 'c': a.c = 1; a.n = 2; b = a; *q = b; return q->n > 1 && sum(b) == 2; /* padding comes along */
	case 'd': f.b = 3; f.a = 1; g[1] = f; return g[1].b == 3 && g[1].a;
	case 'e': sets(q); return q->n == 5;
	case 'f': sets_behind(&q); return q->n == 5 && q->c;
	case 'g': sscanf("12 4.5", "%d %lf", &n, &d); return n == 12 && d > 4;
	case 'h': sprintf(text, "%d", 77); return text[1] == '7' && strlen(text) == 2;
	case 'i': if (stat("/", &st)) return 9; return S_ISDIR(st.st_mode);
	case 'j': gmtime_r(&now, &tm); return tm.tm_year == 70;
	case 'k': a = make(4); return a.n == 4;
	case 'l': big.used = 5; return by_value(big);
	case 'm': p[0] = 3; p = realloc(p, 400); return p[0] == 3;
	case 'n': if (fread(text, 1, 4, stdin) != 4) return 9; return text[2] == 'z' && strtol(text, NULL, 10) == 0;
	case 'o': if (!fgets(text, sizeof text, stdin)) return 9; return text[2] == 'z' && strchr(text, 'y') != NULL;
	case 'p': return many(4, 1, 2, 3, 5);
	case 'q': if (setjmp(away) == 0) longjmp(away, 1); return 1;
	case 'r': p[5] = 7; return is_seven(p + 5);
	case 's': { int v[4] = { 1, 2 }; char w[20] = "ab"; return is_seven(v + 3) + (w[19] == 0); }
	case 't': always = one; return always(1) == 2;
	case 'u': sink = p[3] & 0; return sink == 0; /* whatever it is */
	case 'v': memcpy(p, text, 40); free(p); return 3; /* nobody looks at it */
	case 'w': snprintf(text, sizeof text, "%s-%c", "abc", 'd'); return strcmp(text, "abc-d") == 0;
	case 'y': h = malloc(sizeof *h); h->b = 3; h->a = 1; h->c += 0; g[0] = *h; if (h->b == 3 && g[0].a) puts("set"); return h->a;
	case 'x': qsort(z, 10, 4, order); return z[0];
	}
	return 0;
}
int main(void)
{
	int which = getchar(), c = getchar();
	return which == '-' ? 20 + bad(c) : 30 + good(c);
}
C
clang-19 -w -O2 -fPIC -c library.c -o library.o || exit 2
for flags in -O0 -O2 "-O1 -static"; do
    case="uses, $flags"
    # shellcheck disable=SC2086
    builds "$cc" -w -g $flags uses.c library.o -o program
    for kind in 1 2 3 4 5 6 7 8 9 s m a; do
        traced 134 "-$kind" --quiet --uninitialised ./program
        has '^==TANDEM: uninitialised-read: use of what was never set: (to decide a branch|as an address|as a size)$'
        has '#[01] (is_seven at|bad at|strlen|memcmp)'
        has '^  depends on .*unset\['
    done
    for kind in a b c d e f g h i j k l m n o p q r s t u v w x y; do
        printf '%s' "+${kind}xyz7" | ./program > native.out 2> /dev/null
        traced $? "+${kind}xyz7" --quiet --uninitialised --verify ./program
        ! grep -q '==TANDEM' err || fail "$kind: $(head -n 4 err)"
    done
    traced 20 -0 --quiet --uninitialised ./program
    traced 134 -1 --quiet --uninitialised --nothing-symbolic ./program
    traced 134 -1 --quiet --uninitialised --all-branches ./program
    printf '%s' -1 | timeout 20 "$tandem" trace --quiet --uninitialised --go-on ./program > out 2> err
    [ "$(grep -c '^==TANDEM' err)" = 1 ] || fail "not told once: $(cat err)"
done

[ "$failures" = 0 ] && echo "unset: ok"
[ "$failures" = 0 ]
