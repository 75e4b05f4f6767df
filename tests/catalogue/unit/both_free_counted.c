/* crash: argv "box 2 2" */
/* tests: argv "box 3 1" | argv "abc 4 2" | argv "x 5 0" | argv "cup 1 9" */
/* One function lets go of one owner, which its callers allow for; another lets go of two. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
	unsigned owners;
	char *data;
};

static void let_go(struct text *text)
{
	if (text->owners > 0 && --text->owners == 0)
		free(text->data);
}

static int leave_one(struct text *text)
{
	let_go(text);
	return text->data[0]; /* FALSE: free; guarded two levels up */
}

static int leave_two(struct text *text)
{
	let_go(text);
	let_go(text);
	return text->data[0]; /* TRUE: free */
}

static int leave(struct text *text, int count)
{
	return count == 2 ? leave_two(text) : leave_one(text);
}

static int leave_safely(struct text *text, int count)
{
	return text->owners > 1 ? leave(text, count) : '-';
}

int main(int argc, char **argv)
{
	struct text text;

	if (argc < 4)
		return 1;
	text.owners = 1 + (unsigned)atoi(argv[2]) % 7;
	text.data = calloc(1, strlen(argv[1]) + 1);
	if (!text.data)
		return 1;
	text.data[0] = argv[1][0];
	printf("%c\n", leave_safely(&text, 1));
	printf("%c\n", leave_safely(&text, atoi(argv[3])));
	while (text.owners > 0)
		let_go(&text);
	return 0;
}
