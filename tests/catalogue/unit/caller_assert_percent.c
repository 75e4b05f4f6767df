/* crash: none */
/* tests: argv "50 b" | argv "120 s" | argv "0 b" | argv "99 s" */
/* A function reached through a pointer asserts a range that the caller has made sure of. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static const char *stars(int percent)
{
	return percent >= 50 ? "*****" : "*";
}

static const char *bar(int percent)
{
	assert(percent <= 100); /* FALSE: assert; guarded by a caller */
	return &"##########"[percent < 0 ? 10 : 10 - percent / 10];
}

static void draw(int percent, const char *(*style)(int))
{
	if (percent > 100)
		percent = 100;
	puts(style(percent));
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 1;
	draw(atoi(argv[1]), argv[2][0] == 's' ? stars : bar);
	return 0;
}
