/* See recording.h. All of /proc is read while the process waits, so it is one moment's. */
#include "run/recording.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct recorded {
	struct arena *arena;
	struct snapshot *files;
	struct snapshot_limits limits;
	struct str fed;
};

/* --- /proc --- */

static const char *place(pid_t pid, const char *name, char text[64])
{
	snprintf(text, 64, "/proc/%d/%s", pid, name);
	return text;
}

static bool slurp(pid_t pid, const char *name, struct str *out)
{
	char path[64], block[4096];
	int fd = open(place(pid, name, path), O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;
	while (fd >= 0 && (n = read(fd, block, sizeof block)) > 0)
		str_add_bytes(out, block, (size_t)n);
	if (fd >= 0)
		close(fd);
	return n == 0;
}

/* Texts with a null behind each. */
static const char *const *split(const struct str *s, size_t *count, struct arena *a)
{
	size_t n = 0;
	for (size_t i = 0; i < s->length; i++)
		n += !s->text[i];
	const char **list = arena_alloc(a, (n + 1) * sizeof *list), *text = arena_copy(a, str_text(s), s->length + 1);
	for (size_t i = 0; i < n; i++, text += strlen(text) + 1)
		list[i] = text;
	*count = n;
	return list;
}

static bool take_list(pid_t pid, const char *name, const char *const **list, size_t *count, struct arena *a)
{
	struct str s = {0};
	bool ok = slurp(pid, name, &s);
	*list = split(&s, count, a);
	str_free(&s);
	return ok;
}

static const char *take_link(pid_t pid, const char *name, struct arena *a)
{
	char path[64], text[PATH_MAX];
	ssize_t n = readlink(place(pid, name, path), text, sizeof text - 1);
	if (n <= 0)
		return NULL;
	text[n] = '\0';
	return arena_strdup(a, text);
}

static uint32_t take_umask(pid_t pid)
{
	struct str s = {0};
	slurp(pid, "status", &s);
	const char *at = strstr(str_text(&s), "\nUmask:");
	uint32_t mask = at ? TESTCASE_UMASK | (uint32_t)strtoul(at + 7, NULL, 8) : 0;
	str_free(&s);
	return mask;
}

uint64_t recording_stamp(const char *path)
{
	struct stat st;
	if (stat(path, &st))
		return 0;
	const uint64_t parts[] = { st.st_dev, st.st_ino, (uint64_t)st.st_size, (uint64_t)st.st_mtim.tv_sec, (uint64_t)st.st_mtim.tv_nsec };
	uint64_t stamp = 1;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		stamp = rng_mix(stamp ^ parts[i]);
	return stamp ? stamp : 1;
}

/* Does a name mean to us what it means to the process? */
static bool is_same(pid_t pid, const char *name, const char *ours)
{
	char path[64];
	struct stat a, b;
	return stat(place(pid, name, path), &a) == 0 && stat(ours, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* --- standard input --- */

/* A regular file, from where the process stands in it. It is opened anew, so nobody's place in it changes. */
static void take_rest(struct recording *r, const struct stat *st)
{
	struct str info = {0};
	char path[64];
	slurp(r->pid, "fdinfo/0", &info);
	const char *pos = strstr(str_text(&info), "pos:");
	off_t at = pos ? (off_t)strtoll(pos + 4, NULL, 10) : 0;
	size_t size = st->st_size > at ? (size_t)(st->st_size - at) : 0;
	str_free(&info);
	if (size > r->rest->limits.bytes) {
		recording_trouble(r, "its standard input is too large");
		return;
	}
	uint8_t *bytes = arena_alloc(r->rest->arena, size + 1);
	int fd = open(place(r->pid, "fd/0", path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd >= 0 ? pread(fd, bytes, size, at) : 0;
	if (fd >= 0)
		close(fd);
	else
		recording_trouble(r, "its standard input cannot be read");
	r->input.bytes = n > 0 ? bytes : NULL;
	r->input.size = n > 0 ? (size_t)n : 0;
}

static void take_input(struct recording *r)
{
	char path[64];
	struct stat st;
	if (stat(place(r->pid, "fd/0", path), &st)) {
		r->input.input = TESTCASE_CLOSED;
	} else if (S_ISREG(st.st_mode)) {
		take_rest(r, &st);
	} else if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) {
		r->input.input = TESTCASE_PIPE;
		r->pipe = st.st_ino;
	} else { /* of a terminal, which a suite that somebody has started there inherits, only who reads from it has anything */
		r->input.input = TESTCASE_NULL;
		r->pipe = S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3) ? 0 : st.st_ino;
	}
}

/* --- the whole --- */

struct recording *recording_open(pid_t pid, struct snapshot_limits limits, struct err *err)
{
	struct recording *r = mem_alloc(sizeof *r);
	r->pid = pid;
	r->rest = mem_alloc(sizeof *r->rest);
	r->rest->arena = arena_new();
	r->rest->limits = limits;
	r->program = take_link(pid, "exe", r->rest->arena);
	r->input.directory = take_link(pid, "cwd", r->rest->arena);
	r->input.umask = take_umask(pid);
	if (!r->program || !r->input.directory || !take_list(pid, "cmdline", &r->input.args, &r->input.args_count, r->rest->arena) ||
	    !take_list(pid, "environ", &r->input.env, &r->input.env_count, r->rest->arena) || !r->input.args_count) {
		err_set(err, "cannot look at process %d", pid);
		recording_close(r);
		return NULL;
	}
	char exe[64];
	r->stamp = recording_stamp(place(pid, "exe", exe));
	r->rest->files = snapshot_new(r->input.directory, limits);
	if (!is_same(pid, "root", "/") || !is_same(pid, "cwd", r->input.directory))
		recording_trouble(r, RECORDING_ELSEWHERE);
	take_input(r);
	return r;
}

void recording_named(struct recording *r, const char *path, enum name_use use)
{
	struct stat st;
	if (use >= NAME_OPEN && lstat(path, &st) == 0 && S_ISFIFO(st.st_mode)) /* who would open it again waits for somebody at the other end */
		recording_trouble(r, RECORDING_TERMINAL);
	snapshot_take(r->rest->files, path, use == NAME_LIST ? SNAPSHOT_NAMES : SNAPSHOT_ITSELF);
	if (use == NAME_OPEN_ABSOLUTE)
		snapshot_take_absolute(r->rest->files, path);
}

void recording_fed(struct recording *r, const void *bytes, size_t size)
{
	if (r->rest->fed.length + size <= r->rest->limits.bytes)
		str_add_bytes(&r->rest->fed, bytes, size);
	else
		recording_trouble(r, "its standard input is too large");
}

void recording_trouble(struct recording *r, const char *text)
{
	if (!r->trouble)
		r->trouble = text;
}

void recording_finish(struct recording *r)
{
	const char *left_out;
	r->input.files = snapshot_files(r->rest->files, &r->input.files_count, &left_out);
	if (left_out)
		recording_trouble(r, arena_printf(r->rest->arena, "no room, or no right to read it: %s", left_out));
	if (r->pipe) {
		r->input.bytes = r->rest->fed.length ? (const uint8_t *)r->rest->fed.text : NULL;
		r->input.size = r->rest->fed.length;
	}
}

void recording_close(struct recording *r)
{
	if (!r)
		return;
	snapshot_free(r->rest->files);
	str_free(&r->rest->fed);
	arena_free(r->rest->arena);
	free(r->rest);
	free(r);
}
