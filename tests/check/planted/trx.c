/*
 * trx: translate (default) or delete (-d) the characters of standard input.
 *
 * A set is a text in which a-z is a range and \n, \t, \s (space) and \\ are
 * escapes. The n-th character of FROM becomes the n-th of TO; a TO that is too
 * short is continued with its last character. With -s a run of the same
 * character, if that character is in the last set given, is printed once.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SET_MAX 256

struct set {
    unsigned char c[SET_MAX];
    int n;
};

static unsigned char map[256];
static unsigned char drop[256];
static unsigned char squeeze[256];

static void die(const char *why)
{
    fprintf(stderr, "trx: %s\n", why);
    exit(2);
}

/* One character of a set; moves behind it. */
static int char_read(const char **p)
{
    unsigned char c = (unsigned char)*(*p)++;
    if (c != '\\') return c;
    c = (unsigned char)*(*p)++;
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 's': return ' ';
    default: return c;
    }
}

static void set_read(const char *p, struct set *s)
{
    s->n = 0;
    while (*p) {
        int c = char_read(&p);
        int last = c;
        if (*p == '-' && p[1]) {
            p++;
            last = char_read(&p);
        }
        if (last < c) die("range out of order");
        for (; c <= last; c++) {
            if (s->n == SET_MAX) die("set too large");
            s->c[s->n++] = (unsigned char)c;
        }
    }
    if (s->n == 0) die("empty set");
}

static void map_make(const struct set *from, const struct set *to)
{
    for (int i = 0; i < 256; i++) map[i] = (unsigned char)i;
    for (int i = 0; i < from->n; i++)
        map[from->c[i]] = to->c[i < to->n ? i : to->n - 1];
}

static void set_mark(const struct set *s, unsigned char *flags)
{
    for (int i = 0; i < s->n; i++) flags[s->c[i]] = 1;
}

static void line_translate(const char *line, size_t len)
{
    static int previous = EOF; /* a run may go on in the next line */
    for (size_t i = 0; i < len; i++) {
        int c = map[line[i]];
        if (c == previous && squeeze[c]) continue;
        putchar(c);
        previous = c;
    }
}

static void line_delete(const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!drop[(unsigned char)line[i]]) putchar((unsigned char)line[i]);
}

int main(int argc, char **argv)
{
    struct set from, to;
    int delete = 0, squeezing = 0, i;
    for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
        if (strcmp(argv[i], "-d") == 0) delete = 1;
        else if (strcmp(argv[i], "-s") == 0) squeezing = 1;
        else die("usage: trx [-s] FROM [TO] | trx -d FROM");
    }
    if (delete && (squeezing || argc - i != 1)) die("-d takes one set and no -s");
    if (!delete && argc - i != 2 && !(squeezing && argc - i == 1)) die("two sets are needed");

    set_read(argv[i], &from);
    if (delete) {
        set_mark(&from, drop);
    } else {
        set_read(argv[argc - 1], &to);
        map_make(&from, &to);
    }
    if (squeezing) set_mark(&to, squeeze);

    char *line = NULL;
    size_t room = 0;
    ssize_t len;
    while ((len = getline(&line, &room, stdin)) > 0) {
        if (delete) line_delete(line, (size_t)len);
        else line_translate(line, (size_t)len);
    }
    free(line);
    return 0;
}
