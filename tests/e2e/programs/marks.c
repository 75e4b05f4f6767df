// Marks in the program: tandem_symbolic makes an object an input under its name, tandem_assume ends runs of no interest.
// tandem: trace @
// expect: main +taken .*limit
// expect: assume +.*limit.*<.*100
// expect: main +not taken .*limit
// expect: main +not taken .*name\[2\]
#include <stdio.h>
#include <tandem.h>

#ifdef PLAIN
void tandem_symbolic(void *memory, size_t bytes, const char *name) { (void)memory, (void)bytes, (void)name; }
void (tandem_assume)(int condition) { (void)condition; }
#endif

int main(void)
{
	int limit = 41;
	char name[4] = "abc";
	tandem_symbolic(&limit, sizeof limit, "limit");
	tandem_symbolic(name, sizeof name, "name");
	if (limit > 40)
		puts("above");
	tandem_assume(limit < 100);
	if (limit == 42)
		puts("42");
	if (name[2] == 'x')
		puts("x");
	return 0;
}
