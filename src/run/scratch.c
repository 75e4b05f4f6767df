/* Scratch directories, made, put back to their first state, removed.
 *
 * What is found in one after a run was made by a program that was given nonsense: names with newlines, trees
 * deeper than PATH_MAX, directories nobody may read, symbolic links to anywhere. So no path is ever put
 * together; everything goes by directory descriptor and a single name, and links are not followed.
 *
 * Emptying does not recurse. A directory found inside another one is moved up to the top first, so that the
 * tree becomes flat while it goes away, whatever its depth.
 *
 * Whether a copied tree was changed is told by inode numbers, sizes and change times, which a program cannot
 * set back. These times tick coarsely, so a copy waits until its last one is over before it is used.
 */
#include "run/scratch.h"

#include "base/err.h"
#include "testcase/realise.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define DEPTH_MAX 100
#define TICK_NS 11000000l /* longer than a tick at 100 Hz */

/* The directory's entries by a descriptor of its own, so that the one we have keeps its position. */
static DIR *dir_open(int at, const char *name)
{
	int fd = openat(at, name, DIR_FLAGS);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

static const char *dir_next(DIR *dir)
{
	struct dirent *e;
	while ((e = readdir(dir)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			return e->d_name;
	return NULL;
}

/* Moves a directory to the top under a name that is free there. */
static bool lift(int from, const char *name, int top)
{
	static _Atomic unsigned long serial;
	char to[32];
	do
		snprintf(to, sizeof to, ".tandem-%lx", serial++);
	while (renameat2(from, name, top, to, RENAME_NOREPLACE) && errno == EEXIST);
	return faccessat(top, to, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Empties one directory of the top: files go, directories move up. Then removes it. */
static bool remove_one(int top, const char *name)
{
	if (unlinkat(top, name, 0) == 0)
		return true;
	if (errno != EISDIR && errno != EPERM)
		return false;
	fchmodat(top, name, 0700, 0);
	DIR *dir = dir_open(top, name);
	if (!dir)
		return false;
	bool ok = true;
	for (const char *e; ok && (e = dir_next(dir));) {
		if (unlinkat(dirfd(dir), e, 0) == 0 || unlinkat(dirfd(dir), e, AT_REMOVEDIR) == 0)
			continue;
		fchmodat(dirfd(dir), e, 0700, 0); /* it is a directory, and moving one writes to it */
		ok = lift(dirfd(dir), e, top);
	}
	closedir(dir);
	return ok && unlinkat(top, name, AT_REMOVEDIR) == 0;
}

static bool empty(int top)
{
	bool ok = fchmod(top, 0700) == 0, again = true;
	while (ok && again) {
		DIR *dir = dir_open(top, ".");
		if (!dir)
			return false;
		again = false;
		for (const char *e; ok && (e = dir_next(dir)); again = true)
			ok = remove_one(top, e);
		closedir(dir);
	}
	return ok;
}

static bool copy_bytes(int from, int to)
{
	char block[1 << 16];
	ssize_t n;
	while ((n = read(from, block, sizeof block)) > 0)
		for (ssize_t done = 0, w; done < n; done += w)
			if ((w = write(to, block + done, (size_t)(n - done))) < 0)
				return false;
	return n == 0;
}

static bool copy_file(int from, int to, const char *name, const struct stat *st)
{
	int in = openat(from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	int out = in < 0 ? -1 : openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct timespec times[2] = {st->st_atim, st->st_mtim};
	bool ok = out >= 0 && copy_bytes(in, out) && fchmod(out, st->st_mode & 07777) == 0 && futimens(out, times) == 0;
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return ok;
}

static bool copy_link(int from, int to, const char *name)
{
	char text[PATH_MAX];
	ssize_t n = readlinkat(from, name, text, sizeof text - 1);
	if (n < 0)
		return false;
	text[n] = '\0';
	return symlinkat(text, to, name) == 0;
}

static bool copy_tree(int from, int to, unsigned depth);

static bool copy_dir(int from, int to, const char *name, const struct stat *st, unsigned depth)
{
	if (mkdirat(to, name, 0700))
		return false;
	int in = openat(from, name, DIR_FLAGS), out = openat(to, name, DIR_FLAGS);
	bool ok = in >= 0 && out >= 0 && copy_tree(in, out, depth + 1) && fchmod(out, st->st_mode & 07777) == 0;
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return ok;
}

static bool copy_entry(int from, int to, const char *name, unsigned depth)
{
	struct stat st;
	if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW))
		return false;
	switch (st.st_mode & S_IFMT) {
	case S_IFREG: return copy_file(from, to, name, &st);
	case S_IFDIR: return copy_dir(from, to, name, &st, depth);
	case S_IFLNK: return copy_link(from, to, name);
	case S_IFIFO: return mkfifoat(to, name, st.st_mode & 07777) == 0;
	default: return true; /* sockets and devices are not copied */
	}
}

static bool copy_tree(int from, int to, unsigned depth)
{
	if (depth > DEPTH_MAX) {
		errno = ELOOP;
		return false;
	}
	DIR *dir = dir_open(from, ".");
	bool ok = dir;
	for (const char *e; ok && (e = dir_next(dir));)
		ok = copy_entry(from, to, e, depth);
	int saved = errno;
	if (dir)
		closedir(dir);
	errno = saved;
	return ok;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return h ^ (h >> 29);
}

/* A sum, as the order of a directory's entries means nothing. */
static uint64_t print_tree(int at, const char *name, unsigned depth)
{
	struct stat st;
	if (depth > DEPTH_MAX || fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW))
		return 0;
	uint64_t sum = mix(mix(mix(mix(1, st.st_ino), (uint64_t)st.st_size), (uint64_t)st.st_ctim.tv_sec),
		(uint64_t)st.st_ctim.tv_nsec);
	if (!S_ISDIR(st.st_mode))
		return sum;
	DIR *dir = dir_open(at, name);
	if (!dir)
		return sum;
	for (const char *e; (e = dir_next(dir));)
		sum += print_tree(dirfd(dir), e, depth + 1);
	closedir(dir);
	return sum;
}

static bool fill(struct scratch *s, struct err *err)
{
	if (!s->model[0])
		return true;
	int from = open(s->model, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (from < 0)
		return err_errno(err, "%s", s->model);
	bool ok = copy_tree(from, s->fd, 0);
	if (!ok)
		err_errno(err, "cannot copy %s to %s", s->model, s->path);
	close(from);
	s->print = print_tree(s->fd, ".", 0);
	struct timespec tick = {.tv_nsec = TICK_NS};
	nanosleep(&tick, NULL);
	return ok;
}

/* ---- the janitor: a child that outlives its parent by as long as it takes to remove the directory ---- */

enum { JANITOR_TRIES = 50, JANITOR_PAUSE_US = 20000 }; /* what is left of the target dies meanwhile */

static void janitor_wait(int leash)
{
	char byte;
	while (read(leash, &byte, 1) < 0 && errno == EINTR)
		;
}

static void janitor_work(const struct scratch *s, int leash)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	if (dup2(leash, 0) < 0 || dup2(s->fd, 1) < 0)
		_exit(6);
	close_range(2, ~0u, 0); /* nobody's pipes must wait for us */
	janitor_wait(0);
	for (int i = 0; i < JANITOR_TRIES && access(s->path, F_OK) == 0; i++) {
		if (empty(1))
			rmdir(s->path);
		usleep(JANITOR_PAUSE_US);
	}
	_exit(0);
}

static bool janitor_start(struct scratch *s, struct err *err)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_errno(err, "cannot make a pipe");
	s->janitor = fork();
	if (s->janitor == 0) {
		close(ends[1]);
		janitor_work(s, ends[0]);
	}
	close(ends[0]);
	s->leash = ends[1];
	return s->janitor > 0 || err_errno(err, "cannot fork");
}

static void janitor_dismiss(struct scratch *s)
{
	if (s->leash >= 0)
		close(s->leash);
	if (s->janitor > 0)
		while (waitpid(s->janitor, NULL, 0) < 0 && errno == EINTR)
			;
	s->leash = s->janitor = -1;
}

bool scratch_open(struct scratch *s, const char *model, struct err *err)
{
	const char *base = getenv("TMPDIR");
	char name[PATH_MAX];

	*s = (struct scratch){.fd = -1, .leash = -1, .janitor = -1};
	if (model && !realpath(model, s->model))
		return err_errno(err, "%s", model);
	int n = snprintf(name, sizeof name, "%s/tandem-XXXXXX", base && base[0] ? base : "/tmp");
	if (n < 0 || (size_t)n >= sizeof name || !mkdtemp(name))
		return err_errno(err, "cannot make a scratch directory below %s", base && base[0] ? base : "/tmp");
	if (!realpath(name, s->path) || (s->fd = open(s->path, DIR_FLAGS)) < 0)
		return err_errno(err, "%s", name);
	if (janitor_start(s, err) && fill(s, err))
		return true;
	scratch_close(s, NULL);
	return false;
}

/* ---- files of a test case ---- */

bool scratch_put(struct scratch *s, const struct testcase_file *files, size_t count, struct err *err)
{
	struct testcase t = {.files = files, .files_count = count};
	return realise_files(s->fd, &t, err);
}

bool scratch_dirty(const struct scratch *s)
{
	if (s->model[0])
		return print_tree(s->fd, ".", 0) != s->print;
	struct stat st;
	DIR *dir = fstat(s->fd, &st) == 0 && (st.st_mode & 07777) == 0700 ? dir_open(s->fd, ".") : NULL;
	bool dirty = !dir || dir_next(dir);
	if (dir)
		closedir(dir);
	return dirty;
}

bool scratch_reset(struct scratch *s, struct err *err)
{
	if (!scratch_dirty(s))
		return true;
	if (!empty(s->fd))
		return err_errno(err, "cannot empty %s", s->path);
	return fill(s, err);
}

bool scratch_close(struct scratch *s, struct err *err)
{
	if (s->fd < 0)
		return true;
	bool ok = empty(s->fd) && rmdir(s->path) == 0;
	if (!ok)
		err_errno(err, "cannot remove %s", s->path);
	close(s->fd);
	s->fd = -1;
	janitor_dismiss(s);
	return ok;
}
