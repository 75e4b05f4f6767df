/* A test case may come from anywhere, and so may its links: no name is handed to the system but one part at a time, by the descriptor of the
 * directory it is in, and links are never followed. So nothing is made outside.
 *
 * Directories get their permissions and times last: a file in a directory that nobody may write to has to be made first. */
#include "testcase/realise.h"

#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

bool realise_takes(const char *name)
{
	for (const char *part = name, *end; part; part = *end ? end + 1 : NULL) {
		end = part + strcspn(part, "/");
		size_t length = (size_t)(end - part);
		if (!length || length > NAME_MAX || (length <= 2 && strncmp(part, "..", length) == 0))
			return false;
	}
	return true;
}

const struct testcase_file *realise_misnamed(const struct testcase *t)
{
	for (size_t i = 0; i < t->files_count; i++)
		if (t->files[i].path[0] != '/' && !realise_takes(t->files[i].path))
			return &t->files[i];
	return NULL;
}

static bool refuse(const struct testcase_file *f, struct err *err)
{
	return err_set(err, "'%.300s' is not the name of a file in the working directory", f->path);
}

bool realise_relative(const struct testcase *t, struct err *err)
{
	for (size_t i = 0; i < t->files_count; i++)
		if (!realise_takes(t->files[i].path))
			return refuse(&t->files[i], err);
	return true;
}

/* The directory that the last part of the name is in, made if it is not there; NULL or that part. */
static const char *descend(int top, const char *name, int *at)
{
	char part[NAME_MAX + 1];
	*at = openat(top, ".", DIR_FLAGS);
	for (const char *slash; *at >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
		memcpy(part, name, (size_t)(slash - name));
		part[slash - name] = '\0';
		int next = mkdirat(*at, part, 0755) == 0 || errno == EEXIST ? openat(*at, part, DIR_FLAGS) : -1, why = errno;
		close(*at);
		errno = why;
		*at = next;
	}
	return *at < 0 ? NULL : name;
}

static bool set_metadata(int fd, const struct testcase_file *f)
{
	struct timespec times[2] = { { .tv_sec = f->mtime }, { .tv_sec = f->mtime } };
	return fchmod(fd, f->mode & TESTCASE_MODES) == 0 && futimens(fd, times) == 0;
}

static bool make_regular(int at, const char *name, const struct testcase_file *f)
{
	int fd = openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool ok = fd >= 0 && fs_write_fd(fd, f->bytes, f->size) && set_metadata(fd, f);
	int why = errno;
	if (fd >= 0)
		close(fd);
	errno = why;
	return ok;
}

static bool make_link(int at, const char *name, const struct testcase_file *f)
{
	char *target = strndup((const char *)f->bytes, f->size);
	bool ok = target && symlinkat(target, at, name) == 0;
	free(target);
	return ok;
}

static bool make_directory(int at, const char *name, const struct testcase_file *f)
{
	(void)f;
	return mkdirat(at, name, 0755) == 0 || errno == EEXIST;
}

static bool finish_directory(int at, const char *name, const struct testcase_file *f)
{
	int fd = openat(at, name, DIR_FLAGS);
	bool ok = fd >= 0 && set_metadata(fd, f);
	int why = errno;
	if (fd >= 0)
		close(fd);
	errno = why;
	return ok;
}

static bool make_one(int top, const struct testcase_file *f, bool make(int at, const char *name, const struct testcase_file *f), struct err *err)
{
	int at;
	const char *name = descend(top, f->path, &at);
	bool ok = name && make(at, name, f);
	if (!ok)
		err_errno(err, "cannot make the file %s", f->path);
	if (at >= 0)
		close(at);
	return ok;
}

bool realise_files(int directory, const struct testcase *t, struct err *err)
{
	static const struct pass {
		enum testcase_type type;
		bool (*make)(int at, const char *name, const struct testcase_file *f);
	} passes[] = {
		{ TESTCASE_DIRECTORY, make_directory }, { TESTCASE_REGULAR, make_regular }, { TESTCASE_LINK, make_link }, { TESTCASE_DIRECTORY, finish_directory },
	};
	const struct testcase_file *bad = realise_misnamed(t);
	if (bad)
		return refuse(bad, err);
	for (size_t k = 0; k < sizeof passes / sizeof *passes; k++)
		for (size_t i = t->files_count; i-- > 0;) { /* backwards: what is in a directory comes after it, as a rule */
			const struct testcase_file *f = &t->files[i];
			if (f->type == passes[k].type && f->path[0] != '/' && !make_one(directory, f, passes[k].make, err))
				return false;
		}
	return true;
}

static bool is_there(const struct testcase_file *f)
{
	struct stat st;
	if (f->type == TESTCASE_DIRECTORY)
		return stat(f->path, &st) == 0 && S_ISDIR(st.st_mode);
	if (f->type == TESTCASE_LINK) {
		char target[PATH_MAX];
		ssize_t n = readlink(f->path, target, sizeof target);
		return n >= 0 && (size_t)n == f->size && memcmp(target, f->bytes, f->size) == 0;
	}
	if (stat(f->path, &st) || !S_ISREG(st.st_mode) || (size_t)st.st_size != f->size)
		return false;
	size_t size;
	char *bytes = fs_read(f->path, &size, NULL);
	bool same = bytes && size == f->size && (!size || memcmp(bytes, f->bytes, size) == 0);
	free(bytes);
	return same;
}

const struct testcase_file *realise_missing(const struct testcase *t, bool (*can_be_made)(const struct testcase_file *f))
{
	for (size_t i = 0; i < t->files_count; i++)
		if (t->files[i].path[0] == '/' && !is_there(&t->files[i]) && !(can_be_made && can_be_made(&t->files[i])))
			return &t->files[i];
	return NULL;
}

static bool make_absolute(int root, const struct testcase_file *f, struct err *err)
{
	struct testcase_file below = *f;
	below.path = f->path + strspn(f->path, "/");
	if (!realise_takes(below.path))
		return err_set(err, "'%s' is not the name of a file", f->path);
	if (access(f->path, F_OK) == 0)
		return err_set(err, "%s is there, but not as the test case wants it", f->path);
	return make_one(root, &below, f->type == TESTCASE_LINK ? make_link : f->type == TESTCASE_DIRECTORY ? make_directory : make_regular, err);
}

bool realise_absolute(const struct testcase *t, bool *made, struct err *err)
{
	int root = open("/", DIR_FLAGS);
	bool ok = root >= 0 || err_errno(err, "cannot open /");
	for (size_t i = 0; ok && i < t->files_count; i++) {
		const struct testcase_file *f = &t->files[i];
		if (f->path[0] == '/' && !is_there(f))
			ok = made[i] = make_absolute(root, f, err);
	}
	if (root >= 0)
		close(root);
	return ok;
}

void realise_remove(const struct testcase *t, const bool *made)
{
	for (size_t i = t->files_count; i-- > 0;)
		if (made[i] && (t->files[i].type == TESTCASE_DIRECTORY ? rmdir : unlink)(t->files[i].path))
			continue; /* not empty any more, or gone */
}
