/* crash: none */
/* tests: argv "hello 2" | argv "abc 4" | argv "x 1" | argv "yes 3" */
/* A counted text is read after one owner let go of it; callers make sure that another is left. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
	unsigned owners;
	char *data;
};

static void let_go(struct text *text)
{
	if (--text->owners == 0)
		free(text->data);
}

static int hand_over(struct text *text)
{
	let_go(text);
	return text->data[0]; /* FALSE: free; guarded by a caller */
}

static int pass_on(struct text *text)
{
	if (text->owners < 2)
		return '-';
	return hand_over(text);
}

static int make_text(struct text *text, const char *from, int owners)
{
	text->owners = owners > 0 && owners < 10 ? (unsigned)owners : 1;
	text->data = malloc(strlen(from) + 1);
	if (text->data)
		strcpy(text->data, from);
	return text->data != NULL;
}

int main(int argc, char **argv)
{
	struct text text;

	if (argc < 3 || !make_text(&text, argv[1], atoi(argv[2])))
		return 1;
	printf("%c\n", pass_on(&text));
	while (text.owners > 0)
		let_go(&text);
	return 0;
}
