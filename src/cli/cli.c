/* Small things every command needs. Only code in this folder prints and exits. */
#include "cli/cli.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLURP_MAX ((size_t)64 << 20)

int cli_fail(enum cli_exit code, const struct err *err)
{
	fprintf(stderr, "tandem: %s\n", err->text);
	return (int)code;
}

void cli_hush(void *context, const char *text)
{
	(void)context, (void)text;
}

void cli_note(void *context, const char *text)
{
	(void)context;
	fprintf(stderr, "tandem: note: %s\n", text);
}

char **cli_program(struct argp_state *state, size_t *argc)
{
	char **program = &state->argv[state->next - 1];
	*argc = (size_t)(state->argc - state->next + 1);
	state->next = state->argc;
	return program;
}

uint64_t cli_number(const struct argp_state *state, const char *text, uint64_t max)
{
	char *end;
	errno = 0;
	unsigned long long n = strtoull(text, &end, 0);
	if (*text < '0' || *text > '9' || *end || errno || n > max)
		argp_error(state, "'%s' is not a number from 0 to %" PRIu64, text, max);
	return n;
}

double cli_seconds(const struct argp_state *state, const char *text)
{
	char *end;
	double s = strtod(text, &end);
	if (end == text || *end || !(s >= 0 && s < 1e6))
		argp_error(state, "'%s' is not a number of seconds", text);
	return s;
}

char *cli_slurp(int fd, size_t *size, struct err *err)
{
	struct str all = {0};
	char block[1 << 16];
	ssize_t n = 0;
	str_add(&all, "");
	while (all.length <= SLURP_MAX && (n = read(fd, block, sizeof block)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		str_add_bytes(&all, block, (size_t)n);
	}
	*size = all.length;
	if (n >= 0 && all.length <= SLURP_MAX)
		return all.text ? all.text : calloc(1, 1);
	n < 0 ? err_errno(err, "cannot read the input") : err_set(err, "the input is longer than 64 MiB");
	str_free(&all);
	return NULL;
}

char *cli_slurp_file(const char *path, size_t *size, struct err *err)
{
	struct err inner = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		err_errno(err, "cannot open %s", path);
		return NULL;
	}
	char *bytes = cli_slurp(fd, size, &inner);
	close(fd);
	if (!bytes)
		err_set(err, "%.200s: %.250s", path, inner.text);
	return bytes;
}

void cli_quote_c(const void *bytes, size_t size, size_t limit, struct str *out)
{
	const unsigned char *b = bytes;
	str_add_char(out, '"');
	for (size_t i = 0; i < size && i < limit; i++) {
		if (b[i] == '"' || b[i] == '\\')
			str_printf(out, "\\%c", b[i]);
		else if (b[i] == '\n')
			str_add(out, "\\n");
		else if (b[i] >= ' ' && b[i] < 127)
			str_add_char(out, (char)b[i]);
		else
			str_printf(out, "\\x%02x", b[i]);
	}
	str_add_char(out, '"');
	if (size > limit)
		str_printf(out, "... (%zu bytes)", size);
}

static bool is_plain(const char *text)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
	return *text && text[strspn(text, safe)] == '\0';
}

/* bash's $'...' for what cannot be shown; three octal digits, as what follows might be taken for more hex ones. */
void cli_quote_shell(const char *text, struct str *out)
{
	bool odd = false;
	for (const char *c = text; *c; c++)
		odd |= *c < ' ' || *c == 127;
	if (is_plain(text)) {
		str_add(out, text);
		return;
	}
	str_add(out, odd ? "$'" : "'");
	for (const char *c = text; *c; c++) {
		if (*c == '\'')
			str_add(out, odd ? "\\'" : "'\\''");
		else if (odd && *c == '\\')
			str_add(out, "\\\\");
		else if (odd && (*c < ' ' || *c == 127))
			str_printf(out, "\\%03o", (unsigned char)*c);
		else
			str_add_char(out, *c);
	}
	str_add_char(out, '\'');
}

volatile sig_atomic_t cli_stopped;

static void stop(int number)
{
	cli_stopped = number;
}

void cli_catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction a = { .sa_handler = stop, .sa_flags = (int)SA_RESETHAND };
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &a, NULL);
}

const char *cli_directory(const char *base, bool (*is_used)(const char *directory), bool resume, struct str *name)
{
	str_add(name, base);
	for (unsigned n = 2; is_used(str_text(name)); n++) {
		struct str next = {0};
		str_printf(&next, "%s-%u", base, n);
		if (resume && !is_used(str_text(&next))) {
			str_free(&next);
			break;
		}
		str_free(name);
		*name = next;
	}
	return str_text(name);
}
