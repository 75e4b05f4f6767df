/* For search_graph.c, which knows the lines. */
static int leaf(int x)
{
	return x > 3 ? x + leaf(x - 1) : 0; /* line 4: a branch */
}

static int first(int x)
{
	if (x == 1) /* line 9 */
		return leaf(x);
	return 0;
}

static int second(int x)
{
	if (x == 2) /* line 16 */
		x++;
	return x;
}

int (*volatile pointer)(int) = second;

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) /* line 26 */
		return first(argc);
	switch (argc) { /* line 28: 0, 7 and 8 */
	case 0: return pointer(argc);
	case 7:
	case 8: return 5;
	default: return 1;
	}
}

int behind(int x, int *y)
{
	if (x > 4) { /* line 38 */
		while (x-- > 5) { /* line 39 */
			if (*y == x) /* line 40 */
				*y = 3;
			if (x == 7) /* line 42 */
				*y = 4;
		}} else if (leaf(x)) /* line 44 */
		*y = 5;
	return *y;
}
