/* crash: stdin "   \n" */
/* tests: stdin "ab  \n" | stdin "word\n" | stdin "a b \n" | stdin "x\n" */
/* Two looks at the last byte: one where the length is at least 1, one in a text that may be blank. */
#include <stdio.h>
#include <string.h>

struct view {
	const char *start;
	int length;
};

static void trim(char *text)
{
	int length = (int)strlen(text);

	while (text[length - 1] == ' ' || text[length - 1] == '\n') /* TRUE: lower */
		length--;
	text[length] = '\0';
}

static struct view word_at(const char *text)
{
	struct view view = {text, (int)strcspn(text, " ")};

	if (view.length == 0) {
		view.start = "?";
		view.length = 1;
	}
	return view;
}

static int last_of(struct view view)
{
	return view.start[view.length - 1]; /* FALSE: lower; a length that goes with a pointer */
}

int main(void)
{
	char line[32];

	if (!fgets(line, sizeof(line), stdin))
		return 1;
	trim(line);
	printf("%c\n", last_of(word_at(line)));
	return 0;
}
