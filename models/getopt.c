/* getopt and its long forms, as glibc 2.36 does it, whose variables these are: which argument is an option is decided by branches on its
 * characters, and so is which option it is. The state between calls is this file's own. Messages are the library's, in the program's language.
 *
 * Arguments that are no options are moved behind those that are (unless the options string begins with + or -, or POSIXLY_CORRECT is set): those
 * passed over so far are the stretch [first, last) in front of optind. */
#include "model.h"

#include <getopt.h>
#include <libintl.h>
#include <stdio.h>
#include <stdlib.h>

/* Weak: a static program that has no getopt must not get one. */
extern char *optarg __attribute__((weak));
extern int optind __attribute__((weak)), opterr __attribute__((weak)), optopt __attribute__((weak));

enum ordering { PERMUTE, STOP_AT_FIRST, IN_ORDER };

static struct {
	int ready, first, last;
	enum ordering ordering;
	char *next;            /* in a row of short options: the next one */
	int wrong;             /* the last one that was; written to optopt by every call, as there */
} state;

struct request {
	int argc;
	char **argv;
	const char *options;   /* without what its first character may say */
	const struct option *longs;
	int *index;
	int only;              /* one dash begins a long option too */
	int talks;
};

static const char *text(const char *message)
{
	return dcgettext("libc", message, 5 /* LC_MESSAGES */);
}

#define SAY(r, message, ...) \
	do { \
		if ((r)->talks) \
			fprintf(stderr, text(message), (r)->argv[0], __VA_ARGS__); \
	} while (0)

static int missing(const struct request *r)
{
	return r->options[0] == ':' ? ':' : '?';
}

static const char *find(const char *options, char c)
{
	for (; *options; options++)
		if (*options == c)
			return options;
	return c ? NULL : options;
}

/* ---- the order of arguments ---- */

static void reverse(char **from, char **to)
{
	while (from < --to) {
		char *other = *to;
		*to = *from;
		*from++ = other;
	}
}

/* What was passed over goes behind the options that followed it. */
static void exchange(const struct request *r)
{
	int options = optind - state.last;
	reverse(r->argv + state.first, r->argv + state.last);
	reverse(r->argv + state.last, r->argv + optind);
	reverse(r->argv + state.first, r->argv + optind);
	state.first += options;
	state.last = optind;
}

static int is_option(const char *argument)
{
	return argument[0] == '-' && argument[1];
}

static void pass_over(const struct request *r)
{
	if (state.first != state.last && state.last != optind)
		exchange(r);
	else if (state.last != optind)
		state.first = optind;
	while (optind < r->argc && !is_option(r->argv[optind]))
		optind++;
	state.last = optind;
}

/* "--": all the rest are no options. */
static void end_options(const struct request *r)
{
	optind++;
	if (state.first != state.last && state.last != optind)
		exchange(r);
	else if (state.first == state.last)
		state.first = optind;
	state.last = optind = r->argc;
}

/* ---- long options ---- */

static size_t name_length(const char *argument)
{
	size_t n = 0;
	while (argument[n] && argument[n] != '=')
		n++;
	return n;
}

/* How many of the n characters of an argument are the beginning of the name: n, or fewer. One branch decides. */
static int begins(const char *name, const char *argument, size_t n)
{
	byte different = 0;
	for (size_t i = 0; i < n; i++) {
		different |= (byte)(name[i] ^ argument[i]);
		if (!name[i])
			return 0;
	}
	return !different;
}

static int is_same(const struct option *a, const struct option *b)
{
	return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

static void list_candidates(const struct request *r, const struct option *found, size_t n, const char *dashes)
{
	SAY(r, "%s: option '%s%s' is ambiguous; possibilities:", dashes, state.next);
	for (const struct option *o = r->longs; o->name && r->talks; o++)
		if (begins(o->name, state.next, n) && (o == found || r->only || !is_same(o, found)))
			fprintf(stderr, " '%s%s'", dashes, o->name);
	if (r->talks)
		fprintf(stderr, "\n");
}

enum { NONE = -1, AMBIGUOUS = -2 };

/* The whole name of an option, or the beginning of one, or of several that mean the same. */
static int choose(const struct request *r, size_t n, const char *dashes)
{
	int found = NONE, ambiguous = 0;
	for (int i = 0; r->longs[i].name; i++)
		if (begins(r->longs[i].name, state.next, n) && !r->longs[i].name[n])
			return i;
	for (int i = 0; r->longs[i].name; i++) {
		if (!begins(r->longs[i].name, state.next, n))
			continue;
		if (found == NONE)
			found = i;
		else
			ambiguous |= r->only || !is_same(&r->longs[i], &r->longs[found]);
	}
	if (ambiguous)
		list_candidates(r, &r->longs[found], n, dashes);
	return ambiguous ? AMBIGUOUS : found;
}

/* With the argument that follows an equals sign, or is the next of all. 0: none is missing. */
static int take_argument(const struct request *r, const struct option *o, char *rest, const char *dashes)
{
	if (*rest && o->has_arg) {
		optarg = rest + 1;
	} else if (*rest) {
		SAY(r, "%s: option '%s%s' doesn't allow an argument\n", dashes, o->name);
		state.wrong = o->val;
		return '?';
	} else if (o->has_arg == required_argument) {
		if (optind >= r->argc) {
			SAY(r, "%s: option '%s%s' requires an argument\n", dashes, o->name);
			state.wrong = o->val;
			return missing(r);
		}
		optarg = r->argv[optind++];
	}
	return 0;
}

/* At state.next, behind the dashes. -1: may be a short one. */
static int long_option(const struct request *r, const char *dashes)
{
	size_t n = name_length(state.next);
	char *rest = state.next + n;
	int i = choose(r, n, dashes);
	if (i == NONE && r->only && r->argv[optind][1] != '-' && find(r->options, *state.next))
		return -1;
	if (i == NONE)
		SAY(r, "%s: unrecognized option '%s%s'\n", dashes, state.next);
	optind++;
	state.next = NULL;
	if (i < 0) {
		state.wrong = 0;
		return '?';
	}
	const struct option *o = &r->longs[i];
	int trouble = take_argument(r, o, rest, dashes);
	if (trouble)
		return trouble;
	if (r->index)
		*r->index = i;
	if (!o->flag)
		return o->val;
	*o->flag = o->val;
	return 0;
}

/* ---- short options ---- */

static int no_argument_left(const struct request *r, char c)
{
	SAY(r, "%s: option requires an argument -- '%c'\n", c);
	state.wrong = c;
	return missing(r);
}

/* -W name is --name. */
static int long_by_letter(const struct request *r, char c)
{
	struct request long_form = *r;
	if (!*state.next) {
		if (optind == r->argc)
			return no_argument_left(r, c);
		state.next = r->argv[optind];
	}
	long_form.only = 0;
	return long_option(&long_form, "-W ");
}

static int short_option(const struct request *r)
{
	char c = *state.next++;
	const char *found = find(r->options, c);
	if (!*state.next)
		optind++;
	if (!found || c == ':' || c == ';') {
		SAY(r, "%s: invalid option -- '%c'\n", c);
		state.wrong = c;
		return '?';
	}
	if (c == 'W' && found[1] == ';' && r->longs)
		return long_by_letter(r, c);
	if (found[1] != ':')
		return c;
	char *rest = state.next;
	state.next = NULL;
	if (*rest) {
		optarg = rest;
		optind++;
	} else if (found[2] != ':') {
		if (optind == r->argc)
			return no_argument_left(r, c);
		optarg = r->argv[optind++];
	}
	return c;
}

/* ---- the next one ---- */

static void begin(const char *options, int posix)
{
	if (optind == 0)
		optind = 1;
	state.first = state.last = optind;
	state.next = NULL;
	state.ordering = options[0] == '-' ? IN_ORDER : options[0] == '+' || posix || getenv("POSIXLY_CORRECT") ? STOP_AT_FIRST : PERMUTE;
	state.ready = 1;
}

static int next_argument(const struct request *r)
{
	if (state.last > optind)
		state.last = optind;
	if (state.first > optind)
		state.first = optind;
	if (state.ordering == PERMUTE)
		pass_over(r);
	if (optind != r->argc && r->argv[optind][0] == '-' && r->argv[optind][1] == '-' && !r->argv[optind][2])
		end_options(r);
	if (optind == r->argc) {
		if (state.first != state.last)
			optind = state.first;
		return -1;
	}
	char *argument = r->argv[optind];
	if (!is_option(argument)) {
		if (state.ordering == STOP_AT_FIRST)
			return -1;
		optarg = argument;
		optind++;
		return 1;
	}
	if (r->longs && argument[1] == '-') {
		state.next = argument + 2;
		return long_option(r, "--");
	}
	state.next = argument + 1;
	if (r->longs && r->only && (argument[2] || !find(r->options, argument[1]))) {
		int code = long_option(r, "-");
		if (code != -1)
			return code;
		state.next = argument + 1;
	}
	return short_option(r);
}

static int next_option(int argc, char *const *argv, const char *options, const struct option *longs, int *index, int only, int posix)
{
	struct request r = {argc, (char **)argv, options, longs, index, only, opterr};
	if (argc < 1)
		return -1;
	optarg = NULL;
	if (optind == 0 || !state.ready)
		begin(options, posix);
	if (r.options[0] == '-' || r.options[0] == '+')
		r.options++;
	if (r.options[0] == ':')
		r.talks = 0;
	int code = state.next && *state.next ? short_option(&r) : next_argument(&r);
	optopt = state.wrong;
	return code;
}

int MODEL(getopt)(int argc, char *const *argv, const char *options)
{
	return next_option(argc, argv, options, NULL, NULL, 0, 0);
}

int MODEL(__posix_getopt)(int argc, char *const *argv, const char *options)
{
	return next_option(argc, argv, options, NULL, NULL, 0, 1);
}

int MODEL(getopt_long)(int argc, char *const *argv, const char *options, const struct option *longs, int *index)
{
	return next_option(argc, argv, options, longs, index, 0, 0);
}

int MODEL(getopt_long_only)(int argc, char *const *argv, const char *options, const struct option *longs, int *index)
{
	return next_option(argc, argv, options, longs, index, 1, 0);
}
