/* Files besides reading them: where one stands in them, how large they are, what the system says about them. Sizes, permissions and
 * times of files that are inputs are symbolic (runtime/source.c); all the rest is as the system says. */
#include "model.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- positions ---- */

/* A position that was found by going to the end is the size of the file. */
static off_t as_size(int fd, off_t position)
{
	uint64_t size = (uint64_t)position;
	__td_input_size(fd, &size);
	return (off_t)size;
}

/* Near the end is a place that depends on the size, whatever it is then used for. */
static off_t at_end(int fd, off_t position, off_t offset)
{
	if (offset == 0)
		return as_size(fd, position);
	__td_input_sized(fd);
	return position;
}

static int descriptor_at_end = -1; /* has gone there last, as far as we know: others may share its position */

off_t MODEL(lseek)(int fd, off_t offset, int whence)
{
	off_t position = lseek(fd, offset, whence);
	if (position >= 0 && whence == SEEK_END) {
		descriptor_at_end = fd;
		return at_end(fd, position, offset);
	}
	if (fd == descriptor_at_end && whence == SEEK_CUR)
		__td_input_sized(fd);
	else if (fd == descriptor_at_end)
		descriptor_at_end = -1;
	return position;
}

off_t MODEL(lseek64)(int fd, off_t offset, int whence) { return MODEL(lseek)(fd, offset, whence); }

static FILE *stream_at_end;

int MODEL(fseeko)(FILE *f, off_t offset, int whence)
{
	int result = fseeko(f, offset, whence);
	if (f == stream_at_end)
		stream_at_end = NULL;
	__td_input_refilled(f);
	if (result == 0 && whence == SEEK_END) {
		stream_at_end = f;
		if (offset)
			__td_input_sized(f->_fileno);
	}
	return result;
}

int MODEL(fseek)(FILE *f, long offset, int whence) { return MODEL(fseeko)(f, offset, whence); }
int MODEL(fseeko64)(FILE *f, off_t offset, int whence) { return MODEL(fseeko)(f, offset, whence); }

off_t MODEL(ftello)(FILE *f)
{
	off_t position = ftello(f);
	return position >= 0 && f == stream_at_end ? as_size(f->_fileno, position) : position;
}

long MODEL(ftell)(FILE *f) { return MODEL(ftello)(f); }
off_t MODEL(ftello64)(FILE *f) { return MODEL(ftello)(f); }

int MODEL(fclose)(FILE *f)
{
	if (f == stream_at_end) /* another may come to lie there */
		stream_at_end = NULL;
	return fclose(f);
}

void MODEL(rewind)(FILE *f)
{
	if (f == stream_at_end)
		stream_at_end = NULL;
	rewind(f);
	__td_input_refilled(f);
}

int MODEL(fsetpos)(FILE *f, const fpos_t *position)
{
	if (f == stream_at_end)
		stream_at_end = NULL;
	int result = fsetpos(f, position);
	__td_input_refilled(f);
	return result;
}

int MODEL(fsetpos64)(FILE *f, const fpos_t *position) { return MODEL(fsetpos)(f, position); }

/* ---- what the system says ---- */

static const char *ends(const char *path)
{
	__td_string(path, path, 0, 0, NULL, NULL);
	return path;
}

static int told(int result, struct stat *to)
{
	if (result == 0)
		__td_input_stat(to);
	return result;
}

int MODEL(stat)(const char *path, struct stat *to) { return told(stat(ends(path), to), to); }
int MODEL(lstat)(const char *path, struct stat *to) { return told(lstat(ends(path), to), to); }
int MODEL(fstat)(int fd, struct stat *to) { return told(fstat(fd, to), to); }
int MODEL(fstatat)(int at, const char *path, struct stat *to, int flags) { return told(fstatat(at, ends(path), to, flags), to); }
int MODEL(stat64)(const char *path, struct stat *to) { return MODEL(stat)(path, to); }
int MODEL(lstat64)(const char *path, struct stat *to) { return MODEL(lstat)(path, to); }
int MODEL(fstat64)(int fd, struct stat *to) { return MODEL(fstat)(fd, to); }
int MODEL(fstatat64)(int at, const char *path, struct stat *to, int flags) { return MODEL(fstatat)(at, path, to, flags); }

int MODEL(statx)(int at, const char *path, int flags, unsigned mask, struct statx *to)
{
	int result = statx(at, ends(path), flags, mask, to);
	if (result == 0)
		__td_input_statx(to);
	return result;
}

/* Reading and writing do not depend on what is symbolic of the mode, executing does: a path of its own. */
static void part_at_mode(int at, const char *path, int wish, int flags)
{
	int before = errno;
	struct stat s;
	if (wish & X_OK && MODEL(fstatat)(at, path, &s, flags & AT_SYMLINK_NOFOLLOW) == 0 && s.st_mode & __td_input_runs())
		__asm__ volatile("");
	errno = before;
}

int MODEL(access)(const char *path, int wish)
{
	int result = access(ends(path), wish);
	part_at_mode(AT_FDCWD, path, wish, 0);
	return result;
}

int MODEL(euidaccess)(const char *path, int wish)
{
	int result = euidaccess(ends(path), wish);
	part_at_mode(AT_FDCWD, path, wish, 0);
	return result;
}

int MODEL(faccessat)(int at, const char *path, int wish, int flags)
{
	int result = faccessat(at, ends(path), wish, flags);
	part_at_mode(at, path, wish, flags);
	return result;
}
