// What printf and scanf write is checked, and is what the library writes.
// cc: -O1
// cc: -O2 -D_FORTIFY_SOURCE=2
// tandem: trace @ 42
// never: unsafe
// expect: symbolic
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char *print_to(char *to, size_t room, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(to, room, format, list);
    char *all = NULL;
    if (vasprintf(&all, format, again) != n)
        puts("not the same length");
    va_end(list);
    va_end(again);
    printf("%d %s|", n, all);
    free(all);
    return to;
}

static int print_exactly(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsprintf(to, format, list);
    va_end(list);
    return n;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    char *exact = malloc(6), *small = malloc(4), *wide = malloc(64);
    int count = -1, number = 0;
    errno = ERANGE;
    printf("%d <%s>\n", sprintf(exact, "%5d", 12345), exact);
    printf("%d <%s>\n", snprintf(small, 4, "%s", "much longer than that"), small);
    printf("%d\n", snprintf(NULL, 0, "%s and %d", word, 7));
    printf("%d\n", snprintf(small, 0, "nothing is written"));
    printf("%d <%s>\n", snprintf(wide, 64, "%Lf %g %c %-6s| %p %zu", 1.25L, 2.5, 'x', word, (void *)0, sizeof word), wide);
    printf("%d <%s> %d\n", sprintf(wide, "%d%%", 17), wide, errno == ERANGE);
    printf("%d <%s>\n", print_exactly(wide, "%s:%d:%s", word, 3, "end"), wide);
    printf("<%s>\n", print_to(small, 4, "%d.%s", 10, word));
    (void)count;

    char first[4], rest[8], set[4], one;
    double real;
    long big;
    printf("%d", sscanf("abc def 123", "%3s %s %d", first, rest, &number));
    printf(" %s %s %d\n", first, rest, number);
    printf("%d", sscanf("x1.5 99999999999 yyy]z", "%c%lf %ld %3[y]%*[]]%n", &one, &real, &big, set, &count));
    printf(" %c %g %ld %s %d\n", one, real, big, set, count);
    printf("%d\n", sscanf("%", "%%%s", first));
    printf("%d %d\n", sscanf(word, "%d", &number), number);

    char *here = malloc(4096), *time_text = malloc(11), link[1];
    struct stat s;
    struct tm tm = {.tm_year = 100, .tm_mday = 1};
    printf("%d %d\n", getcwd(here, 4096) != NULL, stat(here, &s));
    printf("%zu %s\n", strftime(time_text, 11, "%Y-%m-%d", &tm), time_text);
    printf("%zu\n", strftime(time_text, 11, "%Y-%m-%d %H", &tm));
    printf("%zd\n", readlink("/nonexistent", link, 100));
    fflush(stdout);
    printf("%zd\n", write(1, "done\n", 5));
    printf("%zu\n", fwrite(time_text, 1, 0, stdout));
    fputs(exact, stdout);
    puts(wide);
    free(exact), free(small), free(wide), free(here), free(time_text);
    return number == 42 ? 3 : 0;
}
