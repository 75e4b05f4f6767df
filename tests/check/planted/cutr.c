/*
 * cutr: print chosen columns (-c) or fields (-f) of each line.
 *
 * A list is N, N-, N-M or -M, several of them separated by commas. The closed
 * ranges are kept as a bit for each position, so that asking for a position
 * costs the same however long the list is; of the endless ones only the first
 * position of the earliest is needed. With -o the text is written between two
 * ranges, also where they touch, and therefore the positions at which ranges
 * begin have bits of their own.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_RANGES 16
#define MAX_POS 9999u

struct range {
    unsigned lo, hi; /* hi is 0 in a range without end */
};

static struct {
    struct range range[MAX_RANGES];
    unsigned n;
    unsigned bytes;        /* size of each of the two bit sets */
    unsigned char *chosen; /* positions inside a closed range */
    unsigned char *start;  /* positions at which a range begins */
    unsigned open;         /* where everything after is chosen, 0 if nowhere */
} list;

static char delimiter[2] = "\t";
static const char *separator; /* what -o gave */
static int only_delimited;

static void die(const char *why)
{
    fprintf(stderr, "cutr: %s\n", why);
    exit(2);
}

static int is_digit(char c)
{
    return (unsigned)c - '0' < 10;
}

static const char *number_read(const char *p, unsigned *n)
{
    for (*n = 0; is_digit(*p); p++) {
        *n = *n * 10 + (unsigned)(*p - '0');
        if (*n > MAX_POS) die("position too large");
    }
    return p;
}

static const char *range_read(const char *p, struct range *r)
{
    const char *q = number_read(p, &r->lo);
    if (q > p && r->lo == 0) die("positions start at 1");
    r->hi = r->lo;
    if (*q == '-') {
        p = q + 1;
        q = number_read(p, &r->hi);
        if (r->lo == 0 && r->hi > 0) r->lo = 1;
        if (q > p && r->hi < r->lo) die("range ends before it starts");
    }
    if (r->lo == 0) die("range without a position");
    return q;
}

static void list_read(const char *p)
{
    for (;;) {
        if (list.n == MAX_RANGES) die("too many ranges");
        p = range_read(p, &list.range[list.n++]);
        if (*p != ',') break;
        p++;
    }
    if (*p) die("bad list");
}

static void bit_set(unsigned char *bits, unsigned pos)
{
    bits[pos / 8] |= (unsigned char)(1u << pos % 8);
}

static int bit_get(const unsigned char *bits, unsigned pos)
{
    return pos / 8 < list.bytes && (bits[pos / 8] >> pos % 8 & 1);
}

static void list_mark(void)
{
    unsigned last = 0;
    for (unsigned i = 0; i < list.n; i++)
        if (list.range[i].hi > last) last = list.range[i].hi;
    list.bytes = last / 8 + 1;
    list.chosen = calloc(list.bytes, 1);
    list.start = calloc(list.bytes, 1);
    if (!list.chosen || !list.start) die("out of memory");

    for (unsigned i = 0; i < list.n; i++) {
        struct range r = list.range[i];
        if (separator) bit_set(list.start, r.lo);
        if (r.hi == 0 && (list.open == 0 || r.lo < list.open)) list.open = r.lo;
        for (unsigned pos = r.lo; pos <= r.hi; pos++) bit_set(list.chosen, pos);
    }
}

static int is_chosen(unsigned pos)
{
    return (list.open && pos >= list.open) || bit_get(list.chosen, pos);
}

static void columns_print(const char *line, size_t len)
{
    int printed = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned pos = (unsigned)i + 1;
        if (!is_chosen(pos)) continue;
        if (printed && separator && bit_get(list.start, pos)) fputs(separator, stdout);
        putchar((unsigned char)line[i]);
        printed = 1;
    }
    putchar('\n');
}

static void fields_print(char *line)
{
    int printed = 0;
    if (!strchr(line, delimiter[0])) {
        if (!only_delimited) puts(line);
        return;
    }
    for (unsigned pos = 1; line; pos++) {
        char *next = strchr(line, delimiter[0]);
        if (next) *next++ = '\0';
        if (is_chosen(pos)) {
            if (printed) fputs(separator ? separator : delimiter, stdout);
            fputs(line, stdout);
            printed = 1;
        }
        line = next;
    }
    putchar('\n');
}

static void file_cut(FILE *f, int mode)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t len;
    while ((len = getline(&line, &room, f)) > 0) {
        if (line[len - 1] == '\n') line[--len] = '\0';
        if (mode == 'c') columns_print(line, (size_t)len);
        else fields_print(line);
    }
    free(line);
}

int main(int argc, char **argv)
{
    int mode = 0, status = 0, c;
    while ((c = getopt(argc, argv, "c:f:d:o:s")) != -1) {
        switch (c) {
        case 'c':
        case 'f':
            if (mode) die("only one list may be given");
            mode = c;
            list_read(optarg);
            break;
        case 'd':
            if (!optarg[0] || optarg[1]) die("the delimiter is one character");
            delimiter[0] = optarg[0];
            break;
        case 'o': separator = optarg; break;
        case 's': only_delimited = 1; break;
        default: die("usage: cutr -c LIST | -f LIST [-d CHAR] [-s] [-o TEXT] [FILE...]");
        }
    }
    if (!mode) die("a list is needed");
    list_mark();
    if (optind == argc) file_cut(stdin, mode);
    for (int i = optind; i < argc; i++) {
        FILE *f = fopen(argv[i], "r");
        if (!f) {
            fprintf(stderr, "cutr: cannot open %s\n", argv[i]);
            status = 1;
            continue;
        }
        file_cut(f, mode);
        fclose(f);
    }
    free(list.chosen);
    free(list.start);
    return status;
}
