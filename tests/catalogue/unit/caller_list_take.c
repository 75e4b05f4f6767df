/* crash: none */
/* tests: stdin "abc\n" | stdin "ab-c\n" | stdin "a-\n" | stdin "xy--z\n" */
/* The first node of a linked list is taken off; callers ask first whether there is one. */
#include <stdio.h>

struct node {
	int letter;
	struct node *next;
};

static struct node pool[16];
static unsigned used;

static struct node *add(struct node *head, int letter)
{
	if (used >= 16)
		return head;
	pool[used].letter = letter;
	pool[used].next = head;
	return &pool[used++];
}

static struct node *take(struct node *head)
{
	return head->next; /* FALSE: null; guarded by a caller */
}

static struct node *handle(struct node *head, int c)
{
	if (c != '-')
		return add(head, c);
	if (head)
		return take(head);
	puts("nothing to take");
	return NULL;
}

static void print_list(const struct node *list)
{
	for (; list; list = list->next)
		putchar(list->letter);
	puts("");
}

int main(void)
{
	struct node *head = NULL;
	int c;

	while ((c = getchar()) != EOF && c != '\n')
		head = handle(head, c);
	print_list(head);
	return 0;
}
