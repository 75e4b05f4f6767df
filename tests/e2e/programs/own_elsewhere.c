// A function of the program with the name of a library function whose effects are known, in another file: it gets its terms.
// before: $CC -w -c $here/parts/own_elsewhere.c -o own_part.o
// cc: own_part.o
// cc: -static own_part.o
// tandem: trace @ 7x
// expect: isatty +taken +.*argv\[1\]\[0\].* == 7
// expect: printf +taken +argv\[1\]\[1\] == 'x'
// never: lost
int isatty(int fd);
int printf(const char *format, ...);

int main(int argc, char **argv)
{
	if (argc < 2)
		return 1;
	int r = isatty(argv[1][0] - '0');
	printf(argv[1] + 1, r);
	return r;
}
