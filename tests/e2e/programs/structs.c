// Structs by value, small (registers, mixed classes) and large (memory), returned, nested, copied, compared, in arrays.
// cc: -O0
// cc: -O2
// tandem: trace @
// stdin: abcdefgh
// expect: small +not taken .*stdin\[0\]
// expect: mixed +taken .*stdin\[1\]
// expect: large +not taken .*stdin\[2\]
// expect: main +taken .*stdin\[3\]
// expect: main +not taken .*stdin\[4\]
// expect: main +not taken .*stdin\[5\]
// expect: main +not taken .*stdin\[6\]
#include <stdio.h>
#include <string.h>

struct small { char a; short b; int c; };
struct mixed { double d; int i; };
struct large { int n; char text[40]; struct small s; };
struct floats { float x, y, z; };

static int small(struct small s) { if (s.a + s.b + s.c == 10) return 1; return s.c; }
static int mixed(struct mixed m) { if (m.d + m.i > 190) return 1; return 2; }
static int large(struct large l) { l.n++; if (l.text[20] == '+') return 1; return l.n; }
static struct small make_small(int c) { return (struct small){ 1, (short)(c * 2), 3 }; }
static struct mixed make_mixed(int c) { return (struct mixed){ c * 0.5, c }; }
static struct large make_large(int c) { struct large l = { 7, "", { 1, 2, c } }; return l; }
static struct floats make_floats(int c) { return (struct floats){ 1, 2, c }; }

int main(void)
{
	int c[8];
	for (int i = 0; i < 8; i++)
		c[i] = getchar();
	printf("%d ", small((struct small){ (char)c[0], 2, 3 }));
	printf("%d ", mixed((struct mixed){ c[1], c[1] }));
	struct large l = { 0 };
	l.text[20] = (char)c[2];
	printf("%d %d\n", large(l), l.n);
	if (make_small(c[3]).b == 200)
		puts("small");
	if (make_mixed(c[4]).d == 'A' / 2.0)
		puts("mixed");
	struct large many[3] = { make_large(1), make_large(c[5]), make_large(3) };
	many[2] = many[1];
	if (many[2].s.c == 'F')
		puts("large");
	if (make_floats(c[6]).z == 42)
		puts("floats");
	return memcmp(&many[2], &many[1], sizeof l) != 0;
}
