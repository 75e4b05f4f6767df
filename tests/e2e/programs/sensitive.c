// What could go wrong but does not depend on the input is told once between two symbolic branches.
// tandem: trace --sensitive @
// stdin: ab
// expect: sensitive.c:21:.* fill +passed +not symbolic
// expect: sensitive.c:34:.* main +taken
// expect: sensitive.c:26:.* share +passed +not symbolic
// expect: sensitive.c:21:.* fill +passed +not symbolic
// expect: sensitive.c:36:.* main +taken
// expect: sensitive.c:37:.* main +safe
// never: sensitive.c:37:.* passed
// expect: sensitive.c:38:.* main +passed +not symbolic
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int made;

__attribute__((noinline)) static void fill(int *to, int n)
{
	for (int i = 0; i < n; i++, made++)
		to[i] = n;
}

__attribute__((noinline)) static int share(int a, int b)
{
	return a / b;
}

int main(void)
{
	char copy[32];
	int *numbers = malloc(8 * sizeof *numbers), c = getchar(), d = getchar();
	fill(numbers, 8);
	if (c == 'a')
		fill(numbers, share(8, 2));
	if (d == 'b')
		printf("%d %d\n", numbers[c & 15], made);
	memcpy(copy, numbers, (size_t)made);
	puts(copy[0] ? "copied" : "not copied");
	free(numbers);
	return 0;
}
