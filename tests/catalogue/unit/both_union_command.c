/* crash: stdin "s7" */
/* tests: stdin "s1" | stdin "s2" | stdin "n1" | stdin "q" */
/* What a command has depends on its letter: a number, or a pointer to a substitution, whose index nobody has checked against the end. */
#include <stdio.h>

struct substitution {
	int index;
	int lengths[4];
};

struct command {
	char letter;
	union {
		int number;
		struct substitution *substitution;
	} with;
};

static int substitute(const struct substitution *s)
{
	return s->index < 0 ? 0 : s->lengths[s->index]; /* TRUE: upper */
}

static int jump(const struct command *c)
{
	static const int places[3] = {10, 20, 30};

	return places[c->with.number]; /* FALSE: upper; initialised with 1 or 2 */
}

static int execute(const struct command *c)
{
	if (c->letter == 's')
		return substitute(c->with.substitution); /* FALSE: null; a type tag */
	return c->letter == 'n' ? jump(c) : 0;
}

int main(void)
{
	struct substitution s = {0, {1, 2, 3, 4}};
	struct command c = {0};
	char line[8] = "";

	if (!fgets(line, sizeof line, stdin))
		return 1;
	c.letter = line[0];
	if (c.letter == 's') {
		s.index = line[1] - '0';
		c.with.substitution = &s;
	} else {
		c.with.number = line[1] == '2' ? 2 : 1;
	}
	printf("%d\n", execute(&c));
	return 0;
}
