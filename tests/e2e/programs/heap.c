// The heap: what malloc returns is concrete, lists, copies, free and reuse leave nothing behind; flexible arrays.
// tandem: trace @
// stdin: abcdef
// expect: main +not taken .*stdin\[0\]
// expect: main +taken .*stdin\[1\]
// expect: main +not taken .*stdin\[2\]
// never: main .*stdin\[5\]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list { struct list *next; int value; };
struct text { size_t n; char bytes[]; };

int main(void)
{
	struct list *head = NULL;
	for (int i = 0; i < 3; i++) {
		struct list *l = malloc(sizeof *l);
		*l = (struct list){ head, getchar() };
		head = l;
	}
	if (head->next->next->value == 'x')
		puts("x");
	struct text *t = malloc(sizeof *t + 4);
	t->bytes[2] = (char)head->next->value;
	struct text *u = malloc(100000);
	memcpy(u, t, sizeof *t + 4);
	free(t);
	t = u;
	if (t->bytes[2] == 'b')
		puts("b");
	memmove(t->bytes + 3, t->bytes + 1, 3);
	t->bytes[3] = (char)head->value;
	memmove(t->bytes + 50000, t->bytes + 3, 1);
	if (t->bytes[50000] == 'C')
		puts("C");
	free(t);
	char *old = malloc(24);
	memset(old, getchar(), 24);
	old[4] = (char)(getchar(), getchar());
	free(old);
	char *fresh = calloc(1, 24);
	if (fresh[4] == 'f')
		puts("stale");
	free(fresh);
	return 0;
}
