/* Seccomp stops each system call that names a file and asks us; we look at the name, have it recorded and let the call go on. That costs the program some
 * microseconds per name and nothing else: no instruction of it is changed, and its children are watched as it is.
 *
 * Nobody is kept from anything here: between our look and the call another thread may change the name. So it is no protection, only a record.
 *
 * Standard input that is a pipe has to pass through us. We never wait for it to be read: the reader may be waiting for our answer. */
#include "run/watch.h"

#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NONE (-1)
#define FEED_STEP 65536

/* Linux 5.19, newer than some headers: a signal does not interrupt the call while we look. */
#define WAIT_KILLABLE (1u << 5)

/* System calls that name files: number, argument of the directory, of the name, and those of a second name. */
static const struct call {
	int number;
	signed char dir, name, dir2, name2;
} calls[] = {
	{ SYS_open, NONE, 0, NONE, NONE }, { SYS_openat, 0, 1, NONE, NONE }, { SYS_openat2, 0, 1, NONE, NONE }, { SYS_creat, NONE, 0, NONE, NONE },
	{ SYS_stat, NONE, 0, NONE, NONE }, { SYS_lstat, NONE, 0, NONE, NONE }, { SYS_newfstatat, 0, 1, NONE, NONE }, { SYS_statx, 0, 1, NONE, NONE },
	{ SYS_access, NONE, 0, NONE, NONE }, { SYS_faccessat, 0, 1, NONE, NONE }, { SYS_faccessat2, 0, 1, NONE, NONE },
	{ SYS_readlink, NONE, 0, NONE, NONE }, { SYS_readlinkat, 0, 1, NONE, NONE }, { SYS_truncate, NONE, 0, NONE, NONE },
	{ SYS_rename, NONE, 0, NONE, 1 }, { SYS_renameat, 0, 1, 2, 3 }, { SYS_renameat2, 0, 1, 2, 3 },
	{ SYS_link, NONE, 0, NONE, 1 }, { SYS_linkat, 0, 1, 2, 3 }, { SYS_symlink, NONE, 1, NONE, NONE }, { SYS_symlinkat, 1, 2, NONE, NONE },
	{ SYS_unlink, NONE, 0, NONE, NONE }, { SYS_unlinkat, 0, 1, NONE, NONE }, { SYS_mkdir, NONE, 0, NONE, NONE }, { SYS_mkdirat, 0, 1, NONE, NONE },
	{ SYS_rmdir, NONE, 0, NONE, NONE }, { SYS_chmod, NONE, 0, NONE, NONE }, { SYS_fchmodat, 0, 1, NONE, NONE }, { SYS_utimensat, 0, 1, NONE, NONE },
	{ SYS_chdir, NONE, 0, NONE, NONE },
};

enum { CALLS = sizeof calls / sizeof *calls };

/* --- the program's side --- */

static int install_as(struct sock_fprog *program, unsigned flags)
{
	long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, program);
	if (fd < 0 && errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) /* root need not give up anything */
		fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, program);
	return (int)fd;
}

static int install(void)
{
	struct sock_filter f[8 + CALLS];
	unsigned short n = 0;
	f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (int i = 0; i < CALLS; i++)
		f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i].number, (unsigned char)(CALLS - i), 0);
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
	struct sock_fprog program = { .len = n, .filter = f };
	int fd = install_as(&program, SECCOMP_FILTER_FLAG_NEW_LISTENER | WAIT_KILLABLE);
	return fd < 0 && errno == EINVAL ? install_as(&program, SECCOMP_FILTER_FLAG_NEW_LISTENER) : fd;
}

/* The listener's number goes to our parent, who takes it; then we go on. What is sent after that is why there is no program. */
static _Noreturn void become(const struct watch_spec *spec, int link, int input)
{
	struct { int listener, error; } hello = { -1, 0 };
	char go;
	if (input >= 0 && dup2(input, 0) < 0)
		hello.error = errno;
	if (spec->named && !hello.error && (hello.listener = install()) < 0)
		hello.error = errno;
	(void)!write(link, &hello, sizeof hello);
	if (hello.error || read(link, &go, 1) != 1)
		_exit(127);
	execv(spec->program, spec->argv);
	int why = errno;
	(void)!write(link, &why, sizeof why);
	_exit(127);
}

/* --- our side --- */

struct watch {
	const struct watch_spec *spec;
	pid_t pid;
	int process, listener, link;
	int feed;        /* the program's standard input; -1: not ours, or over */
	int source;      /* our own; -1: it is over */
	size_t passed;   /* of what was fed */
};

static const struct call *call_of(int number)
{
	for (int i = 0; i < CALLS; i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}

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

/* As seen from the directory it was named in. */
static bool absolute(pid_t pid, int dir, const char *name, struct str *out)
{
	char link[48], text[PATH_MAX];
	str_clear(out);
	if (name[0] != '/') {
		if (dir == AT_FDCWD)
			snprintf(link, sizeof link, "/proc/%d/cwd", pid);
		else
			snprintf(link, sizeof link, "/proc/%d/fd/%d", pid, dir);
		ssize_t n = readlink(link, text, sizeof text - 1);
		if (n <= 0 || text[0] != '/')
			return false;
		str_add_bytes(out, text, (size_t)n);
		str_add_char(out, '/');
	}
	str_add(out, name);
	return true;
}

static void look(struct watch *w, const struct seccomp_notif *n, int dir, int name)
{
	char text[PATH_MAX];
	struct str path = {0};
	pid_t pid = (pid_t)n->pid;
	int number = n->data.nr;
	bool opens = number == SYS_open || number == SYS_openat || number == SYS_openat2;
	int at = dir == NONE ? AT_FDCWD : (int)n->data.args[dir];
	if (read_string(pid, n->data.args[name], text) && text[0] && absolute(pid, at, text, &path))
		w->spec->named(w->spec->context, str_text(&path), opens);
	str_free(&path);
}

union notice { /* the kernel's structures may be longer than the header's */
	struct seccomp_notif ask;
	struct seccomp_notif_resp reply;
	char space[512];
};

static void answer(struct watch *w, bool looking)
{
	union notice in, out;
	memset(&in, 0, sizeof in);
	memset(&out, 0, sizeof out);
	if (ioctl(w->listener, SECCOMP_IOCTL_NOTIF_RECV, &in.ask))
		return;
	const struct call *c = call_of(in.ask.data.nr);
	if (looking && c) {
		look(w, &in.ask, c->dir, c->name);
		if (c->name2 != NONE)
			look(w, &in.ask, c->dir2, c->name2);
	}
	out.reply.id = in.ask.id;
	out.reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	ioctl(w->listener, SECCOMP_IOCTL_NOTIF_SEND, &out.reply);
}

static void end_feed(struct watch *w)
{
	if (w->feed >= 0)
		close(w->feed);
	w->feed = -1;
}

static void take_in(struct watch *w)
{
	char block[FEED_STEP];
	ssize_t n = read(w->source, block, sizeof block);
	if (n > 0)
		str_add_bytes(w->spec->fed, block, (size_t)n);
	else if (n == 0 || errno != EINTR)
		w->source = -1;
}

static void pass_on(struct watch *w)
{
	struct str *s = w->spec->fed;
	ssize_t n = write(w->feed, s->text + w->passed, s->length - w->passed);
	if (n > 0)
		w->passed += (size_t)n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		end_feed(w);
}

/* Until the program has ended. */
static void serve(struct watch *w)
{
	for (;;) {
		bool pending = w->spec->fed && w->passed < w->spec->fed->length;
		if (w->feed >= 0 && w->source < 0 && !pending)
			end_feed(w);
		struct pollfd fds[4] = {
			{ .fd = w->process, .events = POLLIN }, { .fd = w->listener, .events = POLLIN },
			{ .fd = w->feed >= 0 && !pending ? w->source : -1, .events = POLLIN }, { .fd = pending ? w->feed : -1, .events = POLLOUT },
		};
		if (poll(fds, 4, -1) < 0)
			continue;
		if (fds[1].revents & POLLIN)
			answer(w, true);
		if (fds[2].revents)
			take_in(w);
		if (fds[3].revents)
			pass_on(w);
		if (fds[0].revents)
			return;
	}
}

/* What the program has left running still has to be answered; without us its calls would fail. */
static void serve_leftovers(struct watch *w)
{
	struct pollfd fd = { .fd = w->listener, .events = POLLIN };
	if (w->listener < 0 || (poll(&fd, 1, 0) == 1 && fd.revents & POLLHUP))
		return;
	pid_t pid = fork();
	if (pid != 0)
		return;
	setsid();
	if (dup2(w->listener, 3) != 3)
		_exit(1);
	w->listener = fd.fd = 3;
	close_range(4, ~0u, 0);
	for (int i = 0; i < 3; i++)
		close(i);
	while (poll(&fd, 1, -1) < 0 || !(fd.revents & POLLHUP))
		answer(w, false);
	_exit(0);
}

static volatile pid_t forwarded_to;

static void forward(int signal)
{
	if (forwarded_to > 0)
		kill(forwarded_to, signal);
}

/* What a terminal sends goes to the program as well; what is sent to us alone is passed on. */
static void guard(struct sigaction old[5], bool on)
{
	static const int signals[5] = { SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGHUP };
	for (int i = 0; i < 5; i++) {
		struct sigaction a = { .sa_handler = i < 3 ? SIG_IGN : forward };
		sigaction(signals[i], on ? &a : &old[i], on ? &old[i] : NULL);
	}
}

static bool take_listener(struct watch *w, struct err *err)
{
	struct { int listener, error; } hello;
	if (read(w->link, &hello, sizeof hello) != sizeof hello)
		return err_set(err, "the program's process is gone");
	if (hello.error) {
		errno = hello.error;
		return err_errno(err, "cannot watch a program (seccomp)");
	}
	w->listener = w->spec->named ? (int)syscall(SYS_pidfd_getfd, w->process, hello.listener, 0) : -1;
	if (w->listener < 0 && w->spec->named)
		return err_errno(err, "cannot watch a program (pidfd_getfd)");
	return write(w->link, "", 1) == 1 || err_errno(err, "cannot start the program");
}

static bool follow(struct watch *w, int *status, struct err *err)
{
	int why = 0;
	w->process = (int)syscall(SYS_pidfd_open, w->pid, 0);
	bool ok = w->process >= 0 ? take_listener(w, err) : err_errno(err, "cannot watch a process");
	if (ok)
		serve(w);
	else
		kill(w->pid, SIGKILL);
	while (waitpid(w->pid, status, 0) < 0 && errno == EINTR)
		;
	if (ok && recv(w->link, &why, sizeof why, MSG_DONTWAIT) == sizeof why) {
		errno = why;
		ok = err_errno(err, "%s: cannot execute", w->spec->program);
	}
	if (ok)
		serve_leftovers(w);
	return ok;
}

bool watch_run(const struct watch_spec *spec, int *status, struct err *err)
{
	struct watch w = { .spec = spec, .process = -1, .listener = -1, .feed = -1, .source = spec->fed ? 0 : -1 };
	struct sigaction old[5];
	int link[2], input[2] = { -1, -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, link))
		return err_errno(err, "cannot make a socket");
	if (spec->fed && pipe2(input, O_CLOEXEC)) {
		err_errno(err, "cannot make a pipe");
		close(link[0]);
		close(link[1]);
		return false;
	}
	w.pid = fork();
	if (w.pid == 0)
		become(spec, link[1], input[0]);
	close(link[1]);
	if (input[0] >= 0)
		close(input[0]);
	w.link = link[0];
	w.feed = input[1];
	if (w.feed >= 0)
		fcntl(w.feed, F_SETFL, O_NONBLOCK);
	forwarded_to = w.pid;
	guard(old, true);
	bool ok = w.pid > 0 ? follow(&w, status, err) : err_errno(err, "cannot start a process");
	guard(old, false);
	forwarded_to = 0;
	end_feed(&w);
	close(w.link);
	if (w.process >= 0)
		close(w.process);
	if (w.listener >= 0)
		close(w.listener);
	return ok;
}
