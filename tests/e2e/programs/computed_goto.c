// A small interpreter with computed goto: what is jumped to is concrete and said to be lost; the data are symbolic.
// tandem: trace @ +-+p
// stdin: A
// expect: lost +(computed goto|address of a read): .*argv\[1\]\[0\]
// expect: main +not taken .*stdin\[0\]
#include <stdio.h>

int main(int argc, char **argv)
{
	static const void *const op[128] = { ['+'] = &&plus, ['-'] = &&minus, ['p'] = &&print, [0] = &&end };
	int value = getchar();
	const char *p = argc > 1 ? argv[1] : "";
#define NEXT do { int c = *p++ & 127; if (!op[c]) return 3; goto *op[c]; } while (0)
	NEXT;
plus:
	value += 3;
	NEXT;
minus:
	value -= 2;
	NEXT;
print:
	if (value == 'z')
		puts("z");
	printf("%d\n", value);
	NEXT;
end:
	return 0;
}
