// A CSV reader with quoted fields: a state machine; per column the number of numeric fields, their sum and the longest text.
// stdin: name,qty,price\n"a ""b""",12,3.50\nlonger,-7,10.25\n,0,"1,5"\n
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum state { START, PLAIN, QUOTED, QUOTE };
enum { COLUMNS = 4, FIELD = 24 };

struct column { unsigned fields, numbers; long cents; size_t longest; };

static struct column columns[COLUMNS];
static char field[FIELD];
static size_t length;
static unsigned column, row, trouble;

/* Fixed point with two places: 12 -> 1200, -3.5 -> -350; 0 if it is no number. */
static int cents(const char *s, long *out)
{
	long v = 0;
	int places = -1, sign = 1, any = 0;
	if (*s == '-')
		sign = -1, s++;
	for (; *s; s++) {
		if (*s == '.' && places < 0) {
			places = 0;
		} else if (*s >= '0' && *s <= '9') {
			any = 1;
			if (places == 2 || v > 1000000000000)
				continue;
			v = v * 10 + (*s - '0');
			places += places >= 0;
		} else {
			return 0;
		}
	}
	for (; places < 2; places += places < 0 ? 2 : 1)
		v *= places < 0 ? 100 : 10;
	if (places > 2)
		places = 2;
	*out = sign * v;
	return any;
}

static void end_field(void)
{
	struct column *c = &columns[column < COLUMNS ? column : COLUMNS - 1];
	long v;
	field[length] = 0;
	c->fields++;
	if (cents(field, &v)) {
		c->numbers++;
		c->cents += v;
	}
	if (length > c->longest)
		c->longest = length;
	length = 0;
	column++;
}

static void add(int c)
{
	if (length < FIELD - 1)
		field[length++] = (char)c;
	else
		trouble++;
}

int main(void)
{
	enum state s = START;
	for (int c; (c = getchar()) != EOF;) {
		if (s == QUOTED) {
			if (c == '"')
				s = QUOTE;
			else
				add(c);
		} else if (c == '"') {
			if (s == PLAIN)
				trouble++;
			if (s == QUOTE)
				add(c);
			s = QUOTED;
		} else if (c == ',' || c == '\n') {
			end_field();
			s = START;
			if (c == '\n') {
				trouble += column != 3;
				column = 0;
				row++;
			}
		} else {
			trouble += s == QUOTE;
			s = PLAIN;
			add(c);
		}
	}
	for (int i = 0; i < COLUMNS; i++)
		if (columns[i].fields)
			printf("%d: %u fields, %u numbers, %ld.%02ld, longest %zu\n", i, columns[i].fields, columns[i].numbers,
			       columns[i].cents / 100, labs(columns[i].cents % 100), columns[i].longest);
	return trouble || s == QUOTED ? 2 : row > 100;
}
