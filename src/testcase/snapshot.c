/* A name is followed part by part, so that symbolic links on the way are kept too. What is not there is remembered as such: if it turns up later, the program has made it. A directory may be
 * large and its files too; who lists it sees names, and whoever wants more of a file names it. */
#include "testcase/snapshot.h"

#include "base/fs.h"
#include "base/str.h"
#include "base/vec.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40

struct snapshot {
	const char *directory;
	struct snapshot_limits limits;
	size_t bytes;
	const char *left_out;
	VEC(struct testcase_file) files, listed; /* listed: of which no more is known than the name */
	uint64_t *seen;       /* hashes of names; 0: free */
	size_t seen_count, seen_room;
	struct arena *arena;
};

struct snapshot *snapshot_new(const char *directory, struct snapshot_limits limits)
{
	struct snapshot *s = mem_alloc(sizeof *s);
	s->arena = arena_new();
	s->directory = arena_strdup(s->arena, directory);
	s->limits = limits;
	return s;
}

void snapshot_free(struct snapshot *s)
{
	if (!s)
		return;
	vec_free(&s->files);
	vec_free(&s->listed);
	free(s->seen);
	arena_free(s->arena);
	free(s);
}

/* --- names --- */

static uint64_t hash_of(const char *text)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (; *text; text++)
		h = (h ^ (uint8_t)*text) * 0x100000001b3u;
	return h ? h : 1;
}

static bool put_hash(uint64_t *table, size_t room, uint64_t h)
{
	size_t i = h & (room - 1);
	while (table[i] && table[i] != h)
		i = (i + 1) & (room - 1);
	bool is_new = !table[i];
	table[i] = h;
	return is_new;
}

static bool is_heard(const struct snapshot *s, const char *name)
{
	uint64_t h = hash_of(name);
	size_t i = s->seen_room ? h & (s->seen_room - 1) : 0;
	while (s->seen_room && s->seen[i] && s->seen[i] != h)
		i = (i + 1) & (s->seen_room - 1);
	return s->seen_room && s->seen[i];
}

/* True if it was not heard of before. */
static bool is_new(struct snapshot *s, const char *name)
{
	if (2 * (s->seen_count + 1) > s->seen_room) {
		size_t room = s->seen_room ? 2 * s->seen_room : 256;
		uint64_t *bigger = mem_alloc(room * sizeof *bigger);
		for (size_t i = 0; i < s->seen_room; i++)
			if (s->seen[i])
				put_hash(bigger, room, s->seen[i]);
		free(s->seen);
		s->seen = bigger;
		s->seen_room = room;
	}
	bool result = put_hash(s->seen, s->seen_room, hash_of(name));
	s->seen_count += result;
	return result;
}

/* Without ".", ".." and double slashes. */
static void normalise(const char *path, struct str *out)
{
	str_clear(out);
	for (const char *part = path, *end; *part; part = end) {
		part += strspn(part, "/");
		end = part + strcspn(part, "/");
		size_t n = (size_t)(end - part);
		if (!n || (n == 1 && part[0] == '.'))
			continue;
		if (n == 2 && part[0] == '.' && part[1] == '.') {
			while (out->length && out->text[--out->length] != '/')
				;
			if (out->text)
				out->text[out->length] = '\0';
			continue;
		}
		str_add_char(out, '/');
		str_add_bytes(out, part, n);
	}
	if (!out->length)
		str_add_char(out, '/');
}

static bool is_below(const char *name, const char *top)
{
	size_t n = strlen(top);
	return strncmp(name, top, n) == 0 && (name[n] == '/' || !name[n] || (n == 1 && top[0] == '/'));
}

static bool is_systems(const char *name)
{
	static const char *const tops[] = { "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/etc", "/proc", "/sys", "/dev", "/run", "/boot" };
	for (size_t i = 0; i < sizeof tops / sizeof *tops; i++)
		if (is_below(name, tops[i]))
			return true;
	return false;
}

/* As the test case has it; NULL: it is the directory itself. */
static const char *case_name(const struct snapshot *s, const char *name)
{
	if (!is_below(name, s->directory))
		return name;
	const char *rest = name + strlen(s->directory);
	rest += *rest == '/';
	return *rest ? rest : NULL;
}

/* --- what they stand for --- */

static void leave_out(struct snapshot *s, const char *name)
{
	if (!s->left_out)
		s->left_out = arena_strdup(s->arena, name);
}

static void keep(struct snapshot *s, const char *name, struct testcase_file f)
{
	const char *as = case_name(s, name);
	if (!as)
		return;
	if (s->files.count + s->listed.count >= s->limits.files) {
		leave_out(s, name);
		return;
	}
	f.path = arena_strdup(s->arena, as);
	vec_push(&s->files, f);
}

static void keep_name(struct snapshot *s, const char *name, const struct stat *st)
{
	if (s->files.count + s->listed.count >= s->limits.files)
		leave_out(s, name);
	else
		vec_push(&s->listed, (struct testcase_file){ .path = arena_strdup(s->arena, case_name(s, name)), .mode = st->st_mode & 07777, .mtime = st->st_mtime });
}

static void keep_file(struct snapshot *s, const char *name, const struct stat *st)
{
	struct testcase_file f = { .mode = st->st_mode & 07777, .mtime = st->st_mtime };
	size_t room = s->limits.bytes - s->bytes;
	char *bytes = st->st_size >= 0 && (uint64_t)st->st_size <= room ? fs_read(name, &f.size, NULL) : NULL;
	if (bytes && f.size <= room) {
		s->bytes += f.size;
		f.bytes = f.size ? arena_copy(s->arena, bytes, f.size) : NULL;
		keep(s, name, f);
	} else {
		leave_out(s, name);
	}
	free(bytes);
}

static void keep_link(struct snapshot *s, const char *name, const char *target)
{
	struct testcase_file f = { .type = TESTCASE_LINK, .size = strlen(target) };
	f.bytes = arena_copy(s->arena, target, f.size + 1);
	if (is_below(name, s->directory))
		keep(s, name, f);
}

static void follow(struct snapshot *s, const char *path, enum snapshot_depth depth, int links);

static void take_name(struct snapshot *s, const char *name, int links)
{
	struct stat st;
	if (lstat(name, &st) || !S_ISREG(st.st_mode))
		follow(s, name, SNAPSHOT_ITSELF, links);
	else if (!is_heard(s, name))
		keep_name(s, name, &st);
}

static void take_entries(struct snapshot *s, const char *name, enum snapshot_depth depth, int links)
{
	DIR *dir = opendir(name);
	struct str path = {0};
	if (!dir)
		return;
	for (struct dirent *e; (e = readdir(dir));) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		str_clear(&path);
		str_printf(&path, "%s/%s", name, e->d_name);
		if (depth == SNAPSHOT_ENTRIES)
			follow(s, str_text(&path), SNAPSHOT_ITSELF, links);
		else if (is_below(name, s->directory)) /* others are where they are */
			take_name(s, str_text(&path), links);
	}
	closedir(dir);
	str_free(&path);
}

/* The whole of the name is no link. */
static void take_last(struct snapshot *s, const char *name, const struct stat *st, enum snapshot_depth depth, int links)
{
	bool first = is_new(s, name);
	if (S_ISDIR(st->st_mode)) {
		if (first && is_below(name, s->directory)) /* others are the machine's */
			keep(s, name, (struct testcase_file){ .type = TESTCASE_DIRECTORY, .mode = st->st_mode & 07777, .mtime = st->st_mtime });
		struct str mark = {0};
		str_printf(&mark, "%s/", name);
		if (depth && is_new(s, str_text(&mark)))
			take_entries(s, name, depth, links);
		str_free(&mark);
	} else if (S_ISREG(st->st_mode) && first) {
		keep_file(s, name, st);
	}
}

/* A link on the way: kept, and the rest is looked for where it points to. */
static void take_link(struct snapshot *s, const char *name, const char *rest, enum snapshot_depth depth, int links)
{
	char target[PATH_MAX];
	ssize_t n = readlink(name, target, sizeof target - 1);
	if (n <= 0 || links >= LINKS_MAX)
		return;
	target[n] = '\0';
	if (is_new(s, name))
		keep_link(s, name, target);
	struct str to = {0};
	if (target[0] != '/')
		str_add_bytes(&to, name, (size_t)(strrchr(name, '/') - name) + 1);
	str_printf(&to, "%s/%s", target, rest);
	follow(s, str_text(&to), depth, links + 1);
	str_free(&to);
}

static void follow(struct snapshot *s, const char *path, enum snapshot_depth depth, int links)
{
	struct str name = {0}, part = {0};
	struct stat st;
	normalise(path, &name);
	const char *text = str_text(&name);
	bool goes_on = !is_systems(text) && strcmp(text, "/") != 0;
	/* Those above the directory are what they are. */
	size_t at = !is_below(text, s->directory) ? strlen(text) - 1 : strcmp(s->directory, "/") == 0 ? 0 : strlen(s->directory);
	while (goes_on) {
		at += strcspn(text + at + (at < name.length), "/") + (at < name.length);
		str_clear(&part);
		str_add_bytes(&part, text, at);
		if (lstat(str_text(&part), &st)) {
			is_new(s, str_text(&part));
			goes_on = false;
		} else if (S_ISLNK(st.st_mode)) {
			take_link(s, str_text(&part), text + at, depth, links);
			goes_on = false;
		} else if (at >= name.length) {
			take_last(s, str_text(&part), &st, depth, links);
			goes_on = false;
		} else if (!S_ISDIR(st.st_mode)) {
			goes_on = false;
		}
	}
	str_free(&part);
	str_free(&name);
}

void snapshot_take(struct snapshot *s, const char *path, enum snapshot_depth depth)
{
	follow(s, path, depth, 0);
}

void snapshot_take_absolute(struct snapshot *s, const char *path)
{
	struct str name = {0}, mark = {0};
	normalise(path, &name);
	str_printf(&mark, "//%s", str_text(&name));
	const char *as = is_below(str_text(&name), s->directory) && is_new(s, str_text(&mark)) ? case_name(s, str_text(&name)) : NULL;
	for (size_t i = 0; as && i < s->files.count; i++)
		if (s->files.at[i].type == TESTCASE_REGULAR && strcmp(s->files.at[i].path, as) == 0) {
			struct testcase_file f = s->files.at[i];
			f.path = arena_strdup(s->arena, str_text(&name));
			vec_push(&s->files, f);
			as = NULL;
		}
	str_free(&mark);
	str_free(&name);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct testcase_file *)a)->path, ((const struct testcase_file *)b)->path);
}

/* Those that were only listed, unless they were heard of later. */
static void add_listed(struct snapshot *s)
{
	struct str path = {0};
	for (size_t i = 0; i < s->listed.count; i++) {
		str_clear(&path);
		str_printf(&path, "%s/%s", strcmp(s->directory, "/") == 0 ? "" : s->directory, s->listed.at[i].path);
		if (is_new(s, str_text(&path)))
			vec_push(&s->files, s->listed.at[i]);
	}
	s->listed.count = 0;
	str_free(&path);
}

const struct testcase_file *snapshot_files(struct snapshot *s, size_t *count, const char **left_out)
{
	add_listed(s);
	if (s->files.count)
		qsort(s->files.at, s->files.count, sizeof *s->files.at, by_path);
	*count = s->files.count;
	*left_out = s->left_out;
	return s->files.at;
}
