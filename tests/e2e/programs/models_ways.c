// Models are reached in all ways: by name, through pointers, in static programs, with checked variants asked for; and the program's own function wins.
// cc: -O0
// cc: -O2 -D_FORTIFY_SOURCE=2
// cc: -O2 -static
// tandem: trace @ key
// stdin: a7\0303\0244.c\n
// expect: main +not taken .*argv\[1\]\[0\]
// expect: main +taken .*stdin\[0\]
// expect: strverscmp +taken .*stdin\[1\]
// expect: stdin\[2\]
// expect: (match|fold).*stdin\[
// expect: lost .*stdin\[1\]
#define _GNU_SOURCE
#include <ctype.h>
#include <fnmatch.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

/* Not the library's. */
int strverscmp(const char *a, const char *b)
{
	return *a == '7' ? 1 : *b;
}

static int (*volatile compare)(const char *, const char *) = strcmp;
static size_t (*volatile convert)(wchar_t *, const char *, size_t, mbstate_t *) = mbrtowc;
static int (*volatile is_letter)(wint_t) = iswalpha;
static int (*volatile matches)(const char *, const char *, int) = fnmatch;
static double (*volatile number)(const char *, char **) = strtod;

int main(int argc, char **argv)
{
	char line[16], copy[16], *end;
	wchar_t c = 0;
	mbstate_t state = {0};
	setlocale(LC_ALL, "C.UTF-8");
	if (argc < 2 || !fgets(line, sizeof line, stdin))
		return 1;
	line[strcspn(line, "\n")] = 0;
	if (compare(argv[1], "kez") == 0)
		puts("kez");
	if (isalpha((unsigned char)line[0]))
		puts("a letter");
	if (strverscmp(line + 1, line) == 1)
		puts("ours");
	size_t n = convert(&c, line + 2, 4, &state);
	printf("%zu %d %d\n", n, (int)c, is_letter((wint_t)c) != 0);
	strcpy(copy, line + 4);
	printf("%d %d\n", matches("?c", copy, 0), matches("[[:alpha:]]*", copy, FNM_PERIOD));
	double value = number(line + 1, &end);
	printf("%g %d\n", value, (int)(end - line));
	return 0;
}
