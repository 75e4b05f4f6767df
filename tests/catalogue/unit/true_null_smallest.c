/* crash: stdin "321\n" */
/* tests: stdin "213\n" | stdin "58\n" | stdin "2468\n" | stdin "\n" */
/* The smallest node of a subtree is looked for in a search tree; the subtree may be empty. */
#include <stdio.h>

struct node {
	int key;
	struct node *left, *right;
};

static struct node pool[12];
static unsigned used;

static struct node *insert(struct node *tree, int key)
{
	if (!tree) {
		if (used >= 12)
			return NULL;
		pool[used].key = key;
		return &pool[used++];
	}
	if (key < tree->key)
		tree->left = insert(tree->left, key);
	else if (key > tree->key)
		tree->right = insert(tree->right, key);
	return tree;
}

static int smallest(const struct node *tree)
{
	while (tree->left) /* TRUE: null */
		tree = tree->left;
	return tree->key;
}

static void print_successor(const struct node *root)
{
	if (root)
		printf("after %d: %d\n", root->key, smallest(root->right));
}

int main(void)
{
	struct node *root = NULL;
	int c;

	while ((c = getchar()) >= '0' && c <= '9')
		root = insert(root, c - '0');
	print_successor(root);
	return 0;
}
