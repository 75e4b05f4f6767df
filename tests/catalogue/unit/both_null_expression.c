/* crash: stdin "+1-" */
/* tests: stdin "+12" | stdin "7" | stdin "+-3+45" | stdin "-9" */
/* A recursive tree: nodes tagged SUM have both sides, nodes tagged MINUS may lack theirs. */
#include <stdio.h>

enum tag { NUMBER, SUM, MINUS };

struct node {
	enum tag tag;
	int number;
	struct node *left, *right;
};

static struct node pool[16];
static unsigned used;

static struct node *parse(void)
{
	int c = getchar();
	struct node *node;

	if (used >= 16 || c < ' ')
		return NULL;
	node = &pool[used++];
	node->number = c % 10;
	if (c == '+' || c == '-')
		node->left = parse();
	if (c == '+')
		node->right = parse();
	if (c == '-' || (node->left && node->right))
		node->tag = c == '-' ? MINUS : SUM;
	return node;
}

static int plain_sum(const struct node *node)
{
	return node->left->tag == NUMBER && node->right->tag == NUMBER; /* FALSE: null; a type tag */
}

static int minus(const struct node *node)
{
	return -node->left->number; /* TRUE: null */
}

static int value(const struct node *node)
{
	if (node->tag == MINUS)
		return minus(node);
	if (node->tag == NUMBER)
		return node->number;
	return value(node->left) + value(node->right) + (plain_sum(node) ? 100 : 0);
}

int main(void)
{
	const struct node *root = parse();

	printf("%d\n", root ? value(root) : 0);
	return 0;
}
