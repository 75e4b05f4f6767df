/* See standin.h. A mount shows a file, not a name: so stand-ins are written anew in place, and only if they are to be something else than they are. */
#include "run/standin.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/str.h"
#include "contract/trace.h"
#include "run/sandbox.h"
#include "run/scratch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct standin {
	struct testcase_file first;  /* as it was; its bytes are our own */
	const struct testcase_file *wanted;
	bool is_first;               /* so it is now */
};

struct standins {
	struct scratch scratch;
	struct standin *at;
	struct sandbox_standin *views;
	size_t count;
	char *world, *work;          /* NULL: none */
};

static bool is_code(const struct testcase_file *f)
{
	static const char magic[] = "\177ELF";
	const char *name = strrchr(f->path, '/');
	return f->size >= sizeof magic - 1 && memcmp(f->bytes, magic, sizeof magic - 1) == 0 && ((f->mode & 0111) || strstr(name ? name : f->path, ".so"));
}

bool standin_possible(const struct testcase_file *f)
{
	struct stat st;
	return f->path[0] == '/' && f->type == TESTCASE_REGULAR && !is_code(f) && (sandbox_probe()->works & SANDBOX_MOUNT) && stat(f->path, &st) == 0 && S_ISREG(st.st_mode);
}

void standins_free(struct standins *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->count; i++) {
		free((void *)(uintptr_t)s->at[i].first.path);
		free((void *)(uintptr_t)s->at[i].first.bytes);
		free((void *)(uintptr_t)s->views[i].file);
	}
	scratch_close(&s->scratch, NULL);
	free(s->world);
	free(s->work);
	free(s->at);
	free(s->views);
	free(s);
}

static bool write_one(const struct standins *s, size_t i, const struct testcase_file *f, struct err *err)
{
	const struct timespec times[2] = { { .tv_sec = f->mtime }, { .tv_sec = f->mtime } };
	chmod(s->views[i].file, 0600); /* it may be there, and read-only */
	int fd = open(s->views[i].file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool ok = fd >= 0 && fs_write_fd(fd, f->bytes, f->size) && fchmod(fd, f->mode & TESTCASE_MODES) == 0 && futimens(fd, times) == 0;
	if (!ok)
		err_errno(err, "cannot write what stands in for %s", f->path);
	if (fd >= 0)
		close(fd);
	return ok;
}

static bool add(struct standins *s, const char *path, struct err *err)
{
	struct stat st;
	size_t size, i = s->count;
	struct str file = {0};
	char *bytes = fs_read(path, &size, err);
	if (!bytes || stat(path, &st)) {
		free(bytes);
		return bytes ? err_errno(err, "%s", path) : false;
	}
	str_printf(&file, "%s/%zu", s->scratch.path, i);
	s->at[i] = (struct standin){ .first = { .path = strdup(path), .bytes = (uint8_t *)bytes, .size = size, .mode = st.st_mode & TESTCASE_MODES, .mtime = st.st_mtim.tv_sec }, .is_first = true };
	s->views[i] = (struct sandbox_standin){ s->at[i].first.path, file.text };
	s->count++;
	return write_one(s, i, &s->at[i].first, err);
}

static bool make_world(struct standins *s, const char *directory, struct err *err)
{
	struct str world = {0}, work = {0};
	struct stat st;
	if (!directory || stat(directory, &st) || !S_ISDIR(st.st_mode))
		return true;
	str_printf(&world, "%s/" TD_WORLD, s->scratch.path);
	str_printf(&work, "%s%s", str_text(&world), directory);
	s->world = world.text;
	s->work = work.text;
	return mkdir(s->world, 0755) == 0 || err_errno(err, "%s", s->world);
}

struct standins *standins_new(const char *const *paths, size_t count, const char *directory, struct err *err)
{
	struct standins *s = mem_alloc(sizeof *s);
	s->at = mem_alloc((count + 1) * sizeof *s->at);
	s->views = mem_alloc((count + 1) * sizeof *s->views);
	bool ok = scratch_open(&s->scratch, NULL, err) && make_world(s, directory, err);
	for (size_t i = 0; i < count && ok; i++)
		ok = add(s, paths[i], err);
	if (ok)
		return s;
	standins_free(s);
	return NULL;
}

void standins_tell(const struct standins *s, struct sandbox_policy *policy)
{
	policy->standins = s ? s->views : NULL;
	policy->standins_count = s ? s->count : 0;
	policy->world = s ? s->world : NULL;
	policy->work = s ? s->work : NULL;
}

static bool is_as_at_first(const struct standin *one, const struct testcase_file *f)
{
	return f->size == one->first.size && f->mode == one->first.mode && f->mtime == one->first.mtime && (!f->size || memcmp(f->bytes, one->first.bytes, f->size) == 0);
}

bool standins_put(struct standins *s, const struct testcase *t, struct err *err)
{
	for (size_t i = 0; s && i < s->count; i++)
		s->at[i].wanted = &s->at[i].first;
	for (size_t k = 0; s && k < t->files_count; k++)
		for (size_t i = 0; i < s->count && t->files[k].path[0] == '/'; i++)
			if (strcmp(s->at[i].first.path, t->files[k].path) == 0)
				s->at[i].wanted = &t->files[k];
	for (size_t i = 0; s && i < s->count; i++) {
		bool first = is_as_at_first(&s->at[i], s->at[i].wanted);
		if (first && s->at[i].is_first)
			continue;
		s->at[i].is_first = false; /* if it cannot be written */
		if (!write_one(s, i, s->at[i].wanted, err))
			return false;
		s->at[i].is_first = first;
	}
	return true;
}
