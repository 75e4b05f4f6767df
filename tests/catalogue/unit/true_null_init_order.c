/* crash: stdin "pl" */
/* tests: stdin "lp" | stdin "llp" | stdin "lpp" | stdin "lpx" */
/* A global pointer is set by one command and used by another, which may come first. */
#include <stdio.h>

struct page {
	int number, words;
};

static struct page pages[2] = {{1, 250}, {2, 90}};
static struct page *current;

static void load(void)
{
	current = current == &pages[0] ? &pages[1] : &pages[0];
}

static void print_page(void)
{
	printf("%d words\n", current->words); /* TRUE: null */
}

static int handle(int c)
{
	if (c == 'l')
		load();
	else if (c == 'p')
		print_page();
	else
		return 0;
	return 1;
}

int main(void)
{
	int c, handled = 0;

	while (handled < 1000 && (c = getchar()) != EOF)
		handled += handle(c);
	printf("%d commands\n", handled);
	return 0;
}
