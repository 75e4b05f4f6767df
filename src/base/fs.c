/* Whole files. A file is written under a temporary name beside its final one and renamed, so a kill at any moment
 * leaves the old file or the new one. A full disk shows up in write or close; both are looked at, and the temporary
 * file is removed. Reading does not trust st_size: /proc and pipes have none. */
#include "base/fs.h"

#include "base/mem.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_STEP ((size_t)64 << 10)

static char *read_all(int fd, size_t *size)
{
	size_t room = READ_STEP, used = 0;
	char *bytes = mem_resize(NULL, room + 1);
	for (;;) {
		ssize_t n = read(fd, bytes + used, room - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			free(bytes);
			return NULL;
		}
		if (n == 0)
			break;
		used += (size_t)n;
		if (used == room)
			bytes = mem_resize(bytes, (room *= 2) + 1);
	}
	bytes[used] = '\0';
	if (size)
		*size = used;
	return bytes;
}

char *fs_read(const char *path, size_t *size, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		err_errno(err, "cannot open %s", path);
		return NULL;
	}
	char *bytes = read_all(fd, size);
	if (!bytes)
		err_errno(err, "cannot read %s", path);
	close(fd);
	return bytes;
}

bool fs_write_fd(int fd, const void *bytes, size_t size)
{
	const char *from = bytes;
	while (size) {
		ssize_t n = write(fd, from, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n ? errno : ENOSPC;
			return false;
		}
		from += n;
		size -= (size_t)n;
	}
	return true;
}

/* Beside the final name, since rename works within one file system only. */
static int create_temporary(const char *path, struct str *name)
{
	static _Atomic unsigned number;
	int fd;
	do {
		str_clear(name);
		str_printf(name, "%s.%d-%u.tmp", path, (int)getpid(), number++);
		fd = open(str_text(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	} while (fd < 0 && errno == EEXIST);
	return fd;
}

static bool fill_and_close(int fd, const void *bytes, size_t size)
{
	bool written = fs_write_fd(fd, bytes, size);
	int saved = errno;
	bool closed = close(fd) == 0;
	if (!written)
		errno = saved;
	return written && closed;
}

/* A device, a pipe: there is nothing to replace, and a rename would put a plain file in its place. */
static bool is_special(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static bool write_in_place(const char *path, const void *bytes, size_t size, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	return (fd >= 0 && fill_and_close(fd, bytes, size)) || err_errno(err, "cannot write %s", path);
}

bool fs_write(const char *path, const void *bytes, size_t size, struct err *err)
{
	if (is_special(path))
		return write_in_place(path, bytes, size, err);
	struct str name = {0};
	int fd = create_temporary(path, &name);
	bool ok = fd >= 0 && fill_and_close(fd, bytes, size) && rename(name.text, path) == 0;
	if (!ok) {
		err_errno(err, "cannot write %s", path);
		if (fd >= 0)
			unlink(name.text);
	}
	str_free(&name);
	return ok;
}

bool fs_can_write(const char *path, struct err *err)
{
	if (is_special(path)) {
		int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		return (fd >= 0 && close(fd) == 0) || errno == ENXIO /* a pipe that nobody reads yet */ || err_errno(err, "cannot write %s", path);
	}
	struct str name = {0};
	int fd = create_temporary(path, &name);
	bool ok = fd >= 0 && close(fd) == 0 && unlink(name.text) == 0;
	if (!ok)
		err_errno(err, "cannot write %s", path);
	str_free(&name);
	return ok;
}
