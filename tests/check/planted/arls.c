/*
 * arls: list an archive.
 *
 * An archive is the text "ARC1" and then, for each entry, a header of 28 bytes
 * and as many bytes of data as the header says:
 *
 *     offset  size  header
 *          0    16  name, filled up with zero bytes
 *         16     1  type, a letter of the table below
 *         17     4  permissions in octal
 *         21     6  size of the data in decimal
 *         27     1  newline
 *
 * -l shows everything, -m MODE only the entries with these permissions, -n N
 * only the first N entries, or with a negative N the last ones.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME 16
#define HEADER 28
#define MODE_TEXT 10

struct entry {
    char *name;
    char type;
    int mode, size;
};

struct type {
    char code;
    const char *name;
};

struct type types[] = {
    {'f', "file"}, {'d', "dir"}, {'l', "link"}, {'p', "pipe"}, {'s', "socket"},
};

static struct entry *entries;
static int count, room;

static void die(const char *why)
{
    fprintf(stderr, "arls: %s\n", why);
    exit(2);
}

static int digits_read(const char *p, size_t len, int base)
{
    int n = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned digit = (unsigned)p[i] - '0';
        if (digit >= (unsigned)base) die("bad digit in a number");
        n = n * base + (int)digit;
    }
    return n;
}

static int number_read(const char *text, int base)
{
    size_t len = strlen(text);
    if (len < 1 || len > 6) die("a number has 1 to 6 characters");
    if (text[0] != '-') return digits_read(text, len, base);
    if (len == 1) die("a sign alone is no number");
    return -digits_read(text + 1, len - 1, base);
}

static void mode_print(char *text, int mode)
{
    static const char *const bits[8] = {"---", "--x", "-w-", "-wx", "r--", "r-x", "rw-", "rwx"};
    const char *owner = bits[mode >> 6];
    snprintf(text, MODE_TEXT, "%s%s%s", owner, bits[mode >> 3 & 7], bits[mode & 7]);
}

static const char *type_name(char code)
{
    const struct type *t = types;
    while (t->code != code) t++;
    return t->name;
}

static char *name_copy(const char *field)
{
    char name[NAME];
    strncpy(name, field, sizeof name);
    size_t len = strlen(name);
    if (len == 0) die("entry without a name");
    char *copy = malloc(len + 1);
    if (!copy) die("out of memory");
    memcpy(copy, name, len);
    copy[len] = '\0';
    return copy;
}

static void entry_add(const char *raw)
{
    if (raw[HEADER - 1] != '\n') die("damaged header");
    if (count == room) {
        room = room ? 2 * room : 4;
        entries = realloc(entries, (size_t)room * sizeof *entries);
        if (!entries) die("out of memory");
    }
    struct entry *e = &entries[count];
    e->type = raw[16];
    e->mode = digits_read(raw + 17, 4, 8) & 0777;
    e->size = digits_read(raw + 21, 6, 10);
    e->name = name_copy(raw);
    count++;
}

static void archive_read(FILE *f)
{
    char raw[HEADER];
    size_t n = fread(raw, 1, 4, f);
    if (n != 4 || memcmp(raw, "ARC1", 4) != 0) die("not an archive");
    while ((n = fread(raw, 1, HEADER, f)) == HEADER) {
        entry_add(raw);
        for (int left = entries[count - 1].size; left > 0; left--)
            if (getc(f) == EOF) die("data ends too early");
    }
    if (n != 0) die("header ends too early");
}

static void entry_print(const struct entry *e, int all, const char *wanted)
{
    char mode[MODE_TEXT];
    mode_print(mode, e->mode);
    if (wanted[0] && strcmp(mode, wanted) != 0) return;
    if (all) printf("%s %-6s %6d ", mode, type_name(e->type), e->size);
    puts(e->name);
}

int main(int argc, char **argv)
{
    int all = 0, first = 0, limit = 0, limited = 0, mode, c;
    char wanted[MODE_TEXT] = "";
    FILE *f = stdin;
    while ((c = getopt(argc, argv, "lm:n:")) != -1) {
        switch (c) {
        case 'l': all = 1; break;
        case 'm':
            mode = number_read(optarg, 8);
            if (mode > 0777) die("permissions end at 0777");
            mode_print(wanted, mode);
            break;
        case 'n':
            limit = number_read(optarg, 10);
            limited = 1;
            break;
        default: die("usage: arls [-l] [-m MODE] [-n N] [FILE]");
        }
    }
    if (argc - optind > 1) die("one archive only");
    if (optind < argc) f = fopen(argv[optind], "rb");
    if (!f) die("cannot open the archive");
    archive_read(f);
    if (f != stdin) fclose(f);

    int end = count;
    if (limited && limit >= 0 && limit < count) end = limit;
    if (limited && limit < 0 && -limit < count) first = count + limit;
    for (int i = first; i < end; i++) entry_print(&entries[i], all, wanted);
    for (int i = 0; i < count; i++) free(entries[i].name);
    free(entries);
    return 0;
}
