// Values of more than a page: what lies far behind their beginning is seen too, wherever the store or load is looked at.
// cc: -O2
// cc: -O0
// tandem: trace @
// stdin: a\0000\0000def
// expect: lost +memory given .*stdin\[0\]
// expect: main +taken +stdin\[3\] == 'd'
// expect: lost +memory given .*stdin\[4\]
// never: taken .*stdin\[[125]\]
#include <stdio.h>

typedef long wide __attribute__((vector_size(16384)));

static wide one, two;
static int zero;

__attribute__((noinline)) static void copy(wide *to, const wide *from) { *to = *from; }
__attribute__((noinline)) static void clear(wide *to) { *to = (wide){0}; }
__attribute__((noinline)) static int late(wide **to) { int n = 0; for (; n < 2; n++) if (!zero) **to = (wide){0}; return n; }

int main(void)
{
	unsigned char *a = (unsigned char *)&one, *b = (unsigned char *)&two;
	wide *to = &two;
	a[16000] = (unsigned char)getchar();
	copy(&two, &one);
	if (b[16000] == 'a') puts("copied");
	b[9000] = (unsigned char)getchar();
	clear(&two);
	if (b[9000] == 0) puts("cleared");
	b[13000] = (unsigned char)getchar();
	printf("%d\n", late(&to));
	if (b[13000] == 0) puts("cleared late");
	a[5000] = (unsigned char)getchar();
	if (a[5000] == 'd') puts("kept");
	a[16383] = (unsigned char)getchar();
	copy(&two, &one);
	if (b[16383] == 'e') puts("copied again");
	return 0;
}
