/* The worked example of CONBRIO, and what its units and contexts come to: see ../unit.sh. */
#include <stdlib.h>

int prog(int x, int y);
int a1(int x, int y);
int a2(int x);
int b(int x);
int f(int x);
int g(int x);
int h(int x);

int prog(int x, int y) { return x > 0 ? a1(x, y) : a2(y); }
int a1(int x, int y) { if (y > 0) return b(x); else return 0; }
int a2(int x) { if (x > 0) return b(x); return 0; }
int b(int x) { if (x > 0) return f(x); else return 0; }
int f(int x)
{
	int array[5] = { 1, 3, 5, 7, 9 }, r;
	if (g(x) != 0)
		r = array[x];
	else
		r = h(x);
	return r;
}
int g(int x) { return x < 5 ? 1 : 0; }
int h(int x) { return x + 2; }

int main(int argc, char **argv)
{
	return argc == 3 ? prog(atoi(argv[1]), atoi(argv[2])) & 0 : 1;
}
