/* crash: argv "-d" */
/* tests: argv "-q a" | argv "-q -w 3 a" | argv "-d 2 a" | argv "-w 1 -d 1" | argv "a b c d" | argv "-q -q a" */
/* Options from left to right, two of which take the word behind them: of one it is asked whether there is a word. */
#include <stdio.h>
#include <string.h>

static int width, depth, quiet;

static void set_width(const char *word)
{
	width = word[0] - '0'; /* FALSE: null; there is a word */
}

static void set_depth(const char *word)
{
	depth = word[0] - '0'; /* TRUE: null */
}

static int read_options(int argc, char **argv)
{
	int i = 1;
	for (; i < argc; i++) {
		if (strcmp(argv[i], "-q") == 0)
			quiet++;
		else if (strcmp(argv[i], "-w") == 0 && i + 1 < argc)
			set_width(argv[++i]);
		else if (strcmp(argv[i], "-d") == 0)
			set_depth(argv[++i]);
		else
			break;
	}
	return i;
}

int main(int argc, char **argv)
{
	int first = read_options(argc, argv);
	printf("%d %d %d %d\n", first, width, depth, quiet);
	return 0;
}
