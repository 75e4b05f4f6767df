/*
 * recs: list a file of fixed records.
 *
 *     offset  size  header
 *          0     4  "REC1"
 *          4     1  flags: 1 names are quoted, 2 names are shown in hexadecimal
 *          5     1  records on a page
 *          6     2  number of records, low byte first
 *
 *     offset  size  record
 *          0     8  name, filled up with zero bytes
 *          8     4  value, low byte first
 *
 * -p begins each page with a line, -r N shows record N only, -t adds the sum.
 */
#define _DEFAULT_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADER 8
#define NAME 8
#define RECORD 12

enum { QUOTED = 1, HEX = 2 };

struct header {
    unsigned flags, per_page, count, pages;
};

static void die(const char *why)
{
    fprintf(stderr, "recs: %s\n", why);
    exit(2);
}

static void header_read(FILE *f, struct header *h)
{
    unsigned char raw[HEADER];
    if (fread(raw, 1, HEADER, f) != HEADER) die("no header");
    if (memcmp(raw, "REC1", 4) != 0) die("not a record file");
    h->flags = raw[4];
    h->per_page = raw[5];
    h->count = raw[6] | (unsigned)raw[7] << 8;
    if (h->flags & ~(unsigned)(QUOTED | HEX)) die("unknown flags");
    if (h->count == 0) die("no records");
    h->pages = (h->count + h->per_page - 1) / h->per_page;
}

static char printable(unsigned char c)
{
    return c < ' ' || c > '~' ? '.' : (char)c;
}

static void name_print(const unsigned char *name, unsigned flags)
{
    static const char digit[] = "0123456789abcdef";
    char text[2 * NAME + 2];
    size_t n = 0;
    if (flags & QUOTED) text[n++] = '"';
    for (int i = 0; i < NAME; i++) {
        if (flags & HEX) {
            text[n++] = digit[name[i] >> 4];
            text[n++] = digit[name[i] & 15];
        } else if (name[i]) {
            text[n++] = printable(name[i]);
        }
    }
    if (flags & QUOTED) text[n++] = '"';
    text[n] = '\0';
    fputs(text, stdout);
}

static uint32_t value_read(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void file_list(FILE *f, int paged, int total, long only)
{
    struct header h;
    uint64_t sum = 0;
    header_read(f, &h);
    printf("%u records, %u pages\n", h.count, h.pages);
    if (only > (long)h.count) die("no such record");
    for (unsigned i = 0; i < h.count; i++) {
        unsigned char raw[RECORD];
        if (fread(raw, 1, RECORD, f) != RECORD) die("file ends too early");
        uint32_t value = value_read(raw + NAME);
        sum += value;
        if (paged && i % h.per_page == 0) printf("-- page %u\n", i / h.per_page + 1);
        if (only && (long)i + 1 != only) continue;
        name_print(raw, h.flags);
        printf(" %lu\n", (unsigned long)value);
    }
    if (total) printf("total %llu\n", (unsigned long long)sum);
}

int main(int argc, char **argv)
{
    int paged = 0, total = 0, c;
    long only = 0;
    char *end;
    FILE *f = stdin;
    while ((c = getopt(argc, argv, "pr:t")) != -1) {
        switch (c) {
        case 'p': paged = 1; break;
        case 't': total = 1; break;
        case 'r':
            only = strtol(optarg, &end, 10);
            if (*end || only < 1) die("records are numbered from 1");
            break;
        default: die("usage: recs [-p] [-r N] [-t] [FILE]");
        }
    }
    if (argc - optind > 1) die("one file only");
    if (optind < argc) f = fopen(argv[optind], "rb");
    if (!f) die("cannot open the file");
    file_list(f, paged, total, only);
    if (f != stdin) fclose(f);
    return 0;
}
