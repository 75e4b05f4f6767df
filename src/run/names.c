/* See names.h. */
#include "run/names.h"

#include "base/str.h"
#include "contract/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#define NONE (-1)

static const struct call {
	int number;
	signed char dir, name, dir2, name2;
} calls[] = {
#define CALL(number, dir, name, dir2, name2) { number, dir, name, dir2, name2 },
#include "contract/calls.def"
#undef CALL
};

static const struct sock_filter listen_code[] = {
	TD_LISTEN_BEGIN
#define CALL(number, dir, name, dir2, name2) TD_LISTEN_IF(number, 1), TD_LISTEN_TELL,
#include "contract/calls.def"
#undef CALL
	TD_LISTEN_END
};

static int install(unsigned flags)
{
	const struct sock_fprog program = { .len = sizeof listen_code / sizeof *listen_code, .filter = (struct sock_filter *)listen_code };
	long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
	if (fd < 0 && errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) /* root need not give up anything */
		fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
	return (int)fd;
}

int names_listen(void)
{
	int fd = install(SECCOMP_FILTER_FLAG_NEW_LISTENER | TD_LISTEN_KILLABLE);
	return fd < 0 && errno == EINVAL ? install(SECCOMP_FILTER_FLAG_NEW_LISTENER) : fd;
}

bool names_receive(int listener, union notice *n)
{
	memset(n, 0, sizeof *n);
	return ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &n->ask) == 0;
}

void names_let(int listener, uint64_t id)
{
	union notice n;
	memset(&n, 0, sizeof n);
	n.reply.id = id;
	n.reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &n.reply);
}

bool names_answer(int listener, uint64_t id, int64_t value, int error)
{
	union notice n;
	memset(&n, 0, sizeof n);
	n.reply.id = id;
	n.reply.val = value;
	n.reply.error = -error;
	return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &n.reply) == 0;
}

/* --- names --- */

/* A string of the process. It may end where its memory does, so no more is asked for than up to the end of a page. */
static bool read_string(pid_t pid, uint64_t address, char text[PATH_MAX])
{
	char path[32];
	snprintf(path, sizeof path, "/proc/%d/mem", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t used = 0;
	bool ends = false;
	while (fd >= 0 && !ends && used < PATH_MAX) {
		size_t step = 4096 - (address + used) % 4096;
		if (step > PATH_MAX - used)
			step = PATH_MAX - used;
		ssize_t n = pread(fd, text + used, step, (off_t)(address + used));
		if (n <= 0)
			break;
		ends = memchr(text + used, '\0', (size_t)n);
		used += (size_t)n;
	}
	if (fd >= 0)
		close(fd);
	return ends;
}

static bool put_directory(pid_t pid, int dir, struct str *out)
{
	char link[48], text[PATH_MAX];
	if (dir == AT_FDCWD)
		snprintf(link, sizeof link, "/proc/%d/cwd", pid);
	else
		snprintf(link, sizeof link, "/proc/%d/fd/%d", pid, dir);
	ssize_t n = readlink(link, text, sizeof text - 1);
	if (n <= 0 || text[0] != '/')
		return false;
	str_add_bytes(out, text, (size_t)n);
	return true;
}

/* As seen from the directory it was named in. */
static bool absolute(pid_t pid, int dir, const char *name, struct str *out)
{
	if (name[0] != '/' && !put_directory(pid, dir, out))
		return false;
	if (name[0] != '/')
		str_add_char(out, '/');
	str_add(out, name);
	return true;
}

static void look(const struct seccomp_notif *n, int dir, int name, names_visit *visit, void *context)
{
	char text[PATH_MAX];
	struct str path = {0};
	pid_t pid = (pid_t)n->pid;
	int number = n->data.nr;
	bool opens = number == SYS_open || number == SYS_openat || number == SYS_openat2;
	int at = dir == NONE ? AT_FDCWD : (int)n->data.args[dir];
	if (read_string(pid, n->data.args[name], text) && text[0] && absolute(pid, at, text, &path))
		visit(context, str_text(&path), !opens ? NAME_LOOK : text[0] == '/' ? NAME_OPEN_ABSOLUTE : NAME_OPEN);
	str_free(&path);
}

/* By its number: who only opens a directory, to have names looked up in it, does not see what else is there. */
static void look_inside(const struct seccomp_notif *n, int dir, names_visit *visit, void *context)
{
	struct str path = {0};
	if (put_directory((pid_t)n->pid, (int)n->data.args[dir], &path))
		visit(context, str_text(&path), NAME_LIST);
	str_free(&path);
}

void names_of(const struct seccomp_notif *n, names_visit *visit, void *context)
{
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		const struct call *c = &calls[i];
		if (c->number != n->data.nr)
			continue;
		if (c->name == NONE)
			look_inside(n, c->dir, visit, context);
		else
			look(n, c->dir, c->name, visit, context);
		if (c->name2 != NONE)
			look(n, c->dir2, c->name2, visit, context);
	}
}
