/*
 * confchk: check a file of settings, one key=value on a line.
 *
 * Empty lines and lines that begin with # are skipped, spaces around keys and
 * values are dropped. Each known key has a function that looks at its value
 * and returns what is wrong with it, or NULL. All faults of a file are
 * reported, with their lines, before the program fails. -k KEY prints the
 * value of a key as the checker understood it, -q prints nothing but faults.
 */
#define _DEFAULT_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE 200
#define DIGITS 5 /* of the largest port */

struct key {
    const char *name;
    const char *(*check)(char *value);
    int seen;
};

static int line_number, faults, quiet;
static const char *asked;

static void die(const char *why)
{
    fprintf(stderr, "confchk: %s\n", why);
    exit(2);
}

static void fault(const char *key, const char *why)
{
    printf("%d: %s: %s\n", line_number, key, why);
    faults++;
}

static int is_digit(char c)
{
    return (unsigned)c - '0' < 10;
}

static const char *debug_check(char *value)
{
    if (strcmp(value, "yes") == 0 || strcmp(value, "no") == 0) return NULL;
    return "neither yes nor no";
}

/* A name may stand in quotes, and then \ takes the next character as it is. */
static const char *name_check(char *value)
{
    char *p = value, *out = value;
    if (*p++ != '"') return *value ? NULL : "empty";
    for (;; p++) {
        if (*p == '\\') p++;
        else if (*p == '"') break;
        *out++ = *p;
    }
    if (p[1]) return "text after the quote";
    *out = '\0';
    return NULL;
}

static const char *port_check(char *value)
{
    char digits[DIGITS + 1];
    size_t n = 0;
    if (!is_digit(value[0])) return strcmp(value, "dynamic") == 0 ? NULL : "not a port";
    while (n <= DIGITS && is_digit(value[n])) {
        digits[n] = value[n];
        n++;
    }
    digits[n] = '\0';
    if (value[n] || strtol(digits, NULL, 10) > 65535) return "not a port";
    return NULL;
}

static const char *host_check(char *value)
{
    char *colon = strchr(value, ':');
    *colon = '\0';
    const char *wrong = port_check(colon + 1);
    if (!wrong && colon == value) wrong = "host without a name";
    *colon = ':';
    return wrong;
}

static struct key keys[] = {
    {"debug", debug_check, 0}, {"host", host_check, 0}, {"name", name_check, 0},
    {"port", port_check, 0},   {NULL, NULL, 0},
};

static char *trim(char *s)
{
    while (isspace((unsigned char)*s)) s++;
    size_t len = strlen(s);
    while (len > 0 && isspace((unsigned char)s[len - 1])) len--;
    s[len] = '\0';
    return s;
}

static void setting_check(const char *name, char *value)
{
    struct key *k = keys;
    while (k->name && strcmp(k->name, name) != 0) k++;
    if (!k->name) {
        fault(name, "unknown key");
        return;
    }
    if (k->seen++) fault(name, "set twice");
    const char *wrong = k->check(value);
    if (wrong) fault(name, wrong);
    else if (asked && strcmp(asked, name) == 0) printf("%s\n", value);
}

static void line_check(char *line)
{
    char *text = trim(line);
    if (*text == '\0' || *text == '#') return;
    char *equals = strchr(text, '=');
    if (!equals) {
        fault(text, "no value");
        return;
    }
    *equals = '\0';
    char *value = strdup(trim(equals + 1));
    if (!value) die("out of memory");
    setting_check(trim(text), value);
    free(value);
}

int main(int argc, char **argv)
{
    char line[LINE];
    FILE *f = stdin;
    int c;
    while ((c = getopt(argc, argv, "k:q")) != -1) {
        switch (c) {
        case 'k': asked = optarg; break;
        case 'q': quiet = 1; break;
        default: die("usage: confchk [-k KEY] [-q] [FILE]");
        }
    }
    if (argc - optind > 1) die("one file only");
    if (optind < argc) f = fopen(argv[optind], "r");
    if (!f) die("cannot open the file");
    while (fgets(line, sizeof line, f)) {
        line_number++;
        if (!strchr(line, '\n') && !feof(f)) die("line too long");
        line_check(line);
    }
    if (f != stdin) fclose(f);
    if (!quiet && !asked) printf("%d lines, %d faults\n", line_number, faults);
    return faults > 0;
}
