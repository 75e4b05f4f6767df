// A program's own functions win over the models, in the file that calls them and through pointers.
// tandem: trace @ -x 12
// expect: own_formats\.c:[0-9]+:[0-9]+ (__isoc99_)?sscanf
// expect: own_formats\.c:[0-9]+:[0-9]+ getopt
// never: models/(scan|getopt|format)\.c
#include <stdarg.h>
#include <stdio.h>

int optind = 1;

int getopt(int argc, char *const *argv, const char *options)
{
	(void)options;
	return optind < argc && argv[optind][0] == '-' ? argv[optind++][1] : -1;
}

/* Not what the library does. */
int sscanf(const char *text, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int *to = va_arg(list, int *);
	*to = 200;
	if (text[0] == '1')
		*to = 100;
	va_end(list);
	return 7;
}

int snprintf(char *to, size_t room, const char *format, ...)
{
	(void)format;
	to[0] = (char)(room + '0');
	to[1] = 0;
	return -5;
}

int main(int argc, char **argv)
{
	char b[4];
	int n = 0, (*print)(char *, size_t, const char *, ...) = snprintf, r = argc > 2 ? sscanf(argv[2], "%d", &n) : 0;
	printf("%d %d\n", r, n);
	printf("%d %s\n", print(b, 3, "%d", 1), b);
	printf("%d\n", getopt(argc, argv, "y"));
	return n == 100;
}
