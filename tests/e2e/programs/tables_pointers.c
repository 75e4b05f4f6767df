// Arrays that the program has nothing but a pointer to: how long they are the map of objects knows. In the heap, from the middle on, of structs and pointers,
// on the stack of a caller, flexible; not what is too large, holds symbolic bytes, or is read in front of where the pointer points.
// tandem: trace @
// stdin: b3cd1e2z
// expect: main +taken +table#1\[stdin\[0\]\] == 2
// expect: main +taken +table#2\[\(stdin\[1\] - 48\)\] == 9
// expect: main +taken +table#3\[stdin\[2\] & 7\] == 30
// expect: lost +address of a read: table#4\[stdin\[3\] & 3\]
// expect: main +taken +table#5\[stdin\[4\] & 3\] == 6
// expect: main +taken +.*table#6\[stdin\[5\] & 7\] == 25
// expect: lost +address of a read: .*stdin\[6\]
// expect: lost +address of a read: .*stdin\[7\]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair { int key, value; };
struct list { int count; short items[]; };

static int fourth(const int *of, int i) { return of[i]; }

int main(void)
{
	unsigned char *classes = calloc(256, 1), in[8];
	int *squares = malloc(8 * sizeof *squares), local[4] = { 3, 6, 9, 12 };
	struct pair *pairs = calloc(8, sizeof *pairs);
	char **words = malloc(4 * sizeof *words), *large = calloc(10000, 1);
	struct list *list = calloc(1, sizeof *list + 8 * sizeof(short));
	for (int i = 0; i < 8; i++) {
		squares[i] = i * i;
		pairs[i].value = 10 * i;
		list->items[i] = (short)(5 * i);
	}
	for (int i = 0; i < 4; i++)
		words[i] = i & 1 ? "odd" : "even";
	memset(classes + 'a', 2, 26);
	if (fread(in, 1, sizeof in, stdin) != sizeof in)
		return 1;
	if (classes[in[0]] == 2)
		puts("letter");
	if (squares[in[1] - '0'] == 9)
		puts("three");
	if (pairs[in[2] & 7].value == 30)
		puts("thirty");
	if (words[in[3] & 3][0] == 'e')
		puts("even");
	if (fourth(local, in[4] & 3) == 6)
		puts("six");
	if (list->items[in[5] & 7] == 25)
		puts("twenty-five");
	if (large[in[6] * 30] == 0)
		puts("large");
	classes[7] = in[0];
	if (classes[in[7]] == 2)
		puts("mixed");
	return 0;
}
