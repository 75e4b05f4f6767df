// What was overwritten is concrete again, on either side, also when the new value happens to be the old one.
// cc: -O0
// cc: -O2
// tandem: trace @
// stdin: abcdefgh
// expect: main +taken .*stdin\[4\]
// expect: look +not taken .*stdin\[2\]
// never: (look|main) .*stdin\[(0|1|3|5|6|7)\]
#include <stdio.h>
#include <string.h>

static char cells[8];
static int words[2];

/* Nothing symbolic comes in here: the concrete side. */
static void reset(char *at) { at[0] = 'a'; }
static void reset_all(int *at) { memset(at, 0, sizeof words); at[1] = 'g'; }
/* In a block that does not look itself. */
static void reset_late(char **at, int really) { if (really > 0) { if (really > 1) **at = 'h'; else at[0]++; } }
static int look(int i) { if (cells[i] == '?') return 1; return 0; }

int main(void)
{
	for (int i = 0; i < 6; i++)
		cells[i] = (char)getchar();
	words[1] = getchar();
	cells[7] = (char)getchar();
	reset(cells);
	reset_all(words);
	char *last = cells + 7;
	reset_late(&last, 2);
	int c = cells[4];
	cells[1] = 'b';
	memset(cells + 3, 'd', 1);
	memcpy(cells + 5, "f", 1);
	if (c == 'e') /* the symbolic side */
		cells[3] = 'd';
	printf("%d%d%d%d%d%d\n", look(0), look(1), look(2), look(3), look(5), look(7));
	if (words[1] == 'G')
		puts("G");
	return 0;
}
