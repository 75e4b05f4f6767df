/* Reads a record: a count of names, then which of them to show. */
#include <stdio.h>
#include <string.h>

struct record {
	char names[4][8];
	int shown;
};

static char first_letter(struct record *r, int which)
{
	return r->names[which][0];
}

int main(void)
{
	struct record r = { { "anna", "bert", "cleo", "dora" }, 0 };
	int c = getchar();
	if (c < '1')
		return 1;
	r.shown = c - '1';
	putchar(first_letter(&r, r.shown));
	return 0;
}
