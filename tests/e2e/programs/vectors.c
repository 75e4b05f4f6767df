// Vector extensions: element-wise arithmetic, comparison, shuffle, conversion, subscripts, a vector through a call.
// tandem: trace @
// stdin: abcdefghijklmnop
// expect: main +not taken .*stdin\[0\]
// expect: main +not taken .*stdin\[1\]
// expect: main +taken .*stdin\[7\]
// expect: main +not taken .*stdin\[3\]
// expect: main +not taken .*stdin\[15\]
#include <stdio.h>
#include <unistd.h>

typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));

static v4 twice(v4 a) { return a + a; }

int main(void)
{
	union { b16 v; unsigned char c[16]; } in;
	if (read(0, in.c, 16) != 16)
		return 1;
	v4 a = { in.c[0], in.c[1], in.c[2], in.c[3] }, b = { 1, 2, 3, 4 };
	v4 t = twice(a) - b;
	if (t[0] == 1)
		puts("0");
	v4 less = a < (v4){ 90, 90, 100, 100 };
	if (less[1])
		puts("1");
	b16 turned = __builtin_shufflevector(in.v, in.v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	if (turned[8] == 'h')
		puts("h");
	f4 f = __builtin_convertvector(a, f4) * 0.5f;
	if (f[3] > 50.5f)
		puts("f");
	b16 sum = in.v ^ (b16){ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	if (sum[15] + turned[0] == 0)
		puts("15");
	printf("%d %d %d %d %d %g\n", t[0], t[1], t[2], t[3], sum[9], f[1]);
	return 0;
}
