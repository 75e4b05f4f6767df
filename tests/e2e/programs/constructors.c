// Constructors with priorities, destructors, atexit: they run as ever, before and after main, and what they read is no input yet.
// tandem: trace @ k
// expect: main +taken .*argv\[1\]\[0\]
// expect: last +not taken .*argv\[1\]\[0\]
#include <stdio.h>
#include <stdlib.h>

static char order[16];
static int length, letter;

static void add(char c) { order[length++] = c; }
__attribute__((constructor(201))) static void second(void) { add('b'); }
__attribute__((constructor(101))) static void first(void) { add('a'); }
__attribute__((constructor)) static void third(int argc, char **argv) { add(argc > 1 && argv[1] ? 'c' : '-'); }
__attribute__((destructor)) static void end(void) { printf("destructor %s\n", order); }

static void last(void)
{
	if (letter == 'K')
		puts("K");
	add('z');
}

int main(int argc, char **argv)
{
	atexit(last);
	puts(order);
	letter = argc > 1 ? argv[1][0] : 0;
	if (letter == 'k')
		exit(4);
	return 0;
}
