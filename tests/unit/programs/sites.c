/* For search_sites.c, which knows the lines. */
#include <string.h>
#include <unistd.h>

static int global;

static int find(const int *table, int n, int want)
{
	for (int i = 0; i < n; i++)     /* line 9 */
		if (table[i] == want)   /* line 10 */
			return i;
	do {
		n--;
		if (n == 7)             /* line 14 */
			break;
	} while (n > 3);                /* line 16 */
	while (1) {
		if (global == 5)        /* line 18 */
			return -1;
		global++;
	}
}

static int shape(const int *p, const int *q, double d, char c)
{
	if (p == q)                     /* line 26 */
		return 2;
	if (d > 1.5)                    /* line 28 */
		return 3;
	if (c == 'x') {                 /* line 30 */
		if (global)             /* line 31 */
			global = 4;
	}
	return 5;
}

int main(int argc, char **argv)
{
	int table[4] = { 1, 2, 3, argc };
	if (global > 2)                 /* line 40 */
		global = 1;
	if (getppid() == 3)             /* line 42 */
		global = 5;
	if (!strcmp(argv[0], "abc"))    /* line 44 */
		global = 8;
	switch (global) {               /* line 46 */
	case 1: return 1;
	case 2: return shape(table, table + 1, argc, *argv[0]);
	}
	return find(table, 4, argc);
}
