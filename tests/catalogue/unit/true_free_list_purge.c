/* crash: stdin "ab-c\n" */
/* tests: stdin "abc\n" | stdin "x\n" | stdin "\n" | stdin "hello\n" */
/* A node is taken out of a list and freed, and then asked for the next one. */
#include <stdio.h>
#include <stdlib.h>

struct node {
	int letter;
	struct node *next;
};

static struct node *add(struct node *head, int letter)
{
	struct node *node = malloc(sizeof(*node));

	if (!node)
		return head;
	node->letter = letter;
	node->next = head;
	return node;
}

static struct node *purge(struct node *head, int unwanted)
{
	struct node **link = &head;
	struct node *node = head;

	while (node) {
		if (node->letter == unwanted) {
			*link = node->next;
			free(node);
		} else {
			link = &node->next;
		}
		node = node->next; /* TRUE: free */
	}
	return head;
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
		head = add(head, c);
	print_list(purge(head, '-'));
	return 0;
}
