// Pointers to library functions: one address in every file and in files of other compilers, the model behind them in traced code.
// before: $REFERENCE -w -c -fPIC $here/parts/pointers_plain.c -o plain_part.o
// cc: $here/parts/pointers_other.c plain_part.o
// cc: -fno-pie -no-pie -O2 $here/parts/pointers_other.c plain_part.o
// cc: -static $here/parts/pointers_other.c plain_part.o
// tandem: trace @ word Key
// stdin: 7x
// expect: main +not taken .*argv\[1\]\[0\]
// expect: main +taken .*argv\[2\]\[0\]
// expect: main +taken .*stdin\[0\]
// expect: main +not taken .*stdin\[1\]
// never: lost +function pointer
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int compare_function(const char *, const char *);
struct operations { compare_function *compare; int (*lower)(int); int (*next)(FILE *); void *(*allocate)(size_t); };

static struct operations operations = { strcmp, tolower, fgetc, malloc };
extern compare_function *other_compare, *plain_compare;
compare_function *other_choose(int fold);
int plain_is_same(compare_function *f);

static int take(void) { return operations.next(stdin); } /* twice at one place */

int main(int argc, char **argv)
{
	if (argc < 3)
		return 1;
	printf("%d %d %d\n", operations.compare == other_compare, other_compare == plain_compare, plain_is_same(operations.compare));
	printf("%d %d\n", operations.compare == strcmp, other_choose(1) == strcasecmp);
	if (operations.compare(argv[1], "work") == 0)
		puts("work");
	char *copy = operations.allocate(8);
	copy[0] = (char)operations.lower(argv[2][0]);
	if (copy[0] == 'k')
		puts("k");
	if (take() == '7')
		puts("7");
	copy[0] = (char)take();
	copy[1] = 0;
	if (other_choose(argc > 5)(copy, "y") == 0)
		puts("y");
	free(copy);
	return 0;
}
