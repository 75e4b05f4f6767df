/* crash: none */
/* tests: argv "100 5" | argv "7 0" | argv "50 25" | argv "1 1" */
/* A global scale is 0 until configure() sets it, which comes before any use. */
#include <stdio.h>
#include <stdlib.h>

static struct settings {
	unsigned scale, offset;
} settings;

static void configure(unsigned scale)
{
	settings.scale = scale > 0 && scale < 1000 ? scale : 10;
	settings.offset = scale / 2;
}

static unsigned scaled(unsigned value)
{
	return (value + settings.offset) / settings.scale; /* FALSE: division; initialisation order */
}

static unsigned measure(unsigned value)
{
	unsigned result = 0;

	for (unsigned i = 1; i <= 3; i++)
		result += scaled(value * i);
	return result;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 1;
	configure((unsigned)atoi(argv[2]));
	printf("%u\n", measure((unsigned)atoi(argv[1])));
	return 0;
}
