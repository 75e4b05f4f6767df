/* The process structure of a run.
 *
 *     host -> warden -> target -> whatever the target starts
 *
 * In a pid namespace the warden is process 1: it cannot be signalled from inside, and when it dies the kernel
 * kills everything else. Without one it is a child subreaper, so that what the target leaves behind becomes
 * its child, and is found and killed in /proc. It holds none of the host's descriptors but the control
 * socket; when that is closed (the host died) it kills everything and exits.
 *
 * The limit on processes is kept here. RLIMIT_NPROC counts all processes of a user and never binds root, so
 * seccomp suspends each fork and clone instead and asks; the warden compares the number of living tasks with
 * the limit. `tasks` is an upper bound, counted anew in /proc only when it reaches the limit.
 *
 * Everything after the clone in warden_start runs in a copy of a possibly multithreaded host: system calls
 * only, no allocation, no locks.
 */
#include "run/warden.h"

#include "base/err.h"
#include "run/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NEW_SPACES (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | \
	CLONE_NEWCGROUP)

#define CLOSE_MS 2000

/* Linux 6.6, newer than the headers: who waits for an answer is woken on the processor of who gives it. */
#define NOTIF_SET_FLAGS _IOW('!', 4, uint64_t)
#define NOTIF_SYNC_WAKE_UP 1u

enum order { ORDER_KILL = 1, ORDER_SWEEP };

struct inside {
	_Atomic uint64_t *forks;
	int control, hand, listener, signals;
	pid_t target;
	bool own_pids;
	unsigned limit, tasks;
	bool ended; /* the target did */
	int status;
	uint64_t cpu_us, peak;
};

static void tell(int control, const struct warden_report *report)
{
	(void)!send(control, report, sizeof *report, MSG_NOSIGNAL);
}

static void fail(int control, const char *what, bool exec)
{
	struct warden_report r = {.kind = WARDEN_FAILED, .error = errno, .exec = exec};
	strncpy(r.what, what, sizeof r.what - 1);
	tell(control, &r);
	_exit(127);
}

/* The target's half: from the fork to the exec. */

static bool hand_over(int hand, int fd)
{
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} c;
	char byte = 0;
	struct iovec iov = {.iov_base = &byte, .iov_len = 1};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &c, .msg_controllen = sizeof c};

	memset(&c, 0, sizeof c);
	c.head = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
	memcpy(CMSG_DATA(&c.head), &fd, sizeof fd);
	return sendmsg(hand, &msg, MSG_NOSIGNAL) == 1;
}

static int take_over(int hand)
{
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} c;
	char byte;
	struct iovec iov = {.iov_base = &byte, .iov_len = 1};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &c, .msg_controllen = sizeof c};
	int fd = -1;

	if (recvmsg(hand, &msg, MSG_CMSG_CLOEXEC) == 1 && msg.msg_controllen >= CMSG_LEN(sizeof(int)))
		memcpy(&fd, CMSG_DATA(&c.head), sizeof fd);
	return fd;
}

static void reset_signals(void)
{
	sigset_t none;
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Everything else is closed by the exec. */
static bool pass_descriptors(const struct warden_launch *l)
{
	int high[3];
	bool closed = l->stdio[0] < 0;
	for (int i = closed; i < 3; i++)
		if ((high[i] = fcntl(l->stdio[i], F_DUPFD_CLOEXEC, 3)) < 0)
			return false;
	for (int i = closed; i < 3; i++)
		if (dup2(high[i], i) < 0)
			return false;
	if (closed)
		close(0);
	if (close_range(3, ~0u, CLOSE_RANGE_CLOEXEC))
		return false;
	for (int i = 0; i < 2; i++)
		if (l->keep[i] >= 0 && fcntl(l->keep[i], F_SETFD, 0))
			return false;
	return true;
}

static _Noreturn void target_main(const struct warden_launch *l, int control, int hand, pid_t parent)
{
	int listener;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	setsid();
	umask(l->umask);
	personality(ADDR_NO_RANDOMIZE); /* a container may refuse; addresses then differ between runs */
	if (!pass_descriptors(l))
		fail(control, "cannot pass descriptors", false);
	const char *work = l->plan->use & SANDBOX_MOUNT ? l->plan->policy.work : NULL;
	if (chdir(work ? work : l->plan->policy.scratch))
		fail(control, "cannot enter the scratch directory", false);
	const char *what = sandbox_confine(l->plan, &listener);
	if (what)
		fail(control, what, false);
	if (listener >= 0 && !hand_over(hand, listener))
		fail(control, "cannot hand over the seccomp listener", false);
	reset_signals();
	execve(l->program, l->argv, l->envp);
	fail(control, "cannot execute", true);
	_exit(127);
}

/* The family tree below a process, from /proc and without allocation. */

struct visit {
	void (*each)(struct visit *v, pid_t child);
	unsigned count, limit;
	pid_t except, last; /* for kill_each: not this one; the last one killed */
};

/* Calls each() for the children of one thread. */
static void visit_children(struct visit *v, pid_t pid, long tid)
{
	char text[256];
	long child = 0;

	snprintf(text, sizeof text, "/proc/%d/task/%ld/children", pid, tid);
	int fd = open(text, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	for (ssize_t n; v->count < v->limit && (n = read(fd, text, sizeof text)) > 0;) {
		for (ssize_t i = 0; i < n; i++) {
			if (text[i] >= '0' && text[i] <= '9') {
				child = child * 10 + text[i] - '0';
			} else if (child) {
				v->each(v, (pid_t)child);
				child = 0;
			}
		}
	}
	close(fd);
}

struct dir_entry { /* what getdents64 gives */
	uint64_t ino;
	int64_t off;
	unsigned short length;
	unsigned char type;
	char name[];
};

/* Counts the threads of a process and of all below it; gives up at the limit, which bounds the recursion too. */
static void count_tasks(struct visit *v, pid_t pid)
{
	_Alignas(struct dir_entry) char entries[512];

	snprintf(entries, sizeof entries, "/proc/%d/task", pid);
	int fd = open(entries, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	for (long got; v->count < v->limit && (got = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0;) {
		const struct dir_entry *e;
		for (long at = 0; v->count < v->limit && at < got; at += e->length) {
			e = (const struct dir_entry *)(const void *)(entries + at);
			long tid = strtol(e->name, NULL, 10);
			if (tid > 0) {
				v->count++;
				visit_children(v, pid, tid);
			}
		}
	}
	close(fd);
}

static bool fork_allowed(struct inside *in)
{
	if (in->tasks >= in->limit) {
		struct visit v = {.each = count_tasks, .limit = in->limit};
		visit_children(&v, getpid(), getpid());
		in->tasks = v.count;
	}
	if (in->tasks >= in->limit)
		return false;
	in->tasks++;
	return true;
}

static void allow_fork(struct inside *in, struct seccomp_notif_resp *reply)
{
	reply->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	++*in->forks;
}

static void answer_fork(struct inside *in)
{
	union { /* the kernel's structures may be longer than the header's */
		struct seccomp_notif notif;
		char space[512];
	} ask;
	union {
		struct seccomp_notif_resp resp;
		char space[512];
	} reply;

	memset(&ask, 0, sizeof ask);
	memset(&reply, 0, sizeof reply);
	if (ioctl(in->listener, SECCOMP_IOCTL_NOTIF_RECV, &ask.notif))
		return;
	reply.resp.id = ask.notif.id;
	if (ask.notif.data.nr == SYS_clone && (ask.notif.data.args[0] & NEW_SPACES))
		reply.resp.error = -EPERM;
	else if (!fork_allowed(in))
		reply.resp.error = -EAGAIN;
	else
		allow_fork(in, &reply.resp);
	ioctl(in->listener, SECCOMP_IOCTL_NOTIF_SEND, &reply.resp);
}

/* Killing and reaping. */

static pid_t reap(struct inside *in, pid_t pid, int flags)
{
	struct rusage ru;
	int status;
	pid_t got = wait4(pid, &status, flags | __WALL, &ru);
	if (got > 0 && got == in->target) {
		in->ended = true;
		in->status = status;
		in->cpu_us = (uint64_t)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * 1000000u +
			(uint64_t)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec);
		in->peak = (uint64_t)ru.ru_maxrss * 1024u;
	}
	return got;
}

static void kill_each(struct visit *v, pid_t child)
{
	if (child == v->except)
		return;
	kill(child, SIGKILL);
	v->last = child;
}

/* Ends all that became our children but one. What those leave behind becomes ours in turn, so: again. */
static void kill_own(struct inside *in, pid_t except)
{
	for (;;) {
		struct visit v = {.each = kill_each, .except = except, .limit = 1};
		visit_children(&v, getpid(), getpid());
		if (!v.last || reap(in, v.last, 0) < 0)
			return;
	}
}

static void kill_all(struct inside *in)
{
	if (in->own_pids) {
		kill(-1, SIGKILL);
	} else if (!in->ended) {
		kill(in->target, SIGKILL);
		kill(-in->target, SIGKILL);
	}
	kill_own(in, 0);
	while (reap(in, -1, 0) > 0)
		;
}

/* Between two runs of a fork server: the server stays, its child and whatever was left behind goes. */
static void sweep(struct inside *in)
{
	struct visit v = {.each = kill_each, .limit = 1};
	visit_children(&v, in->target, in->target);
	kill_own(in, in->target);
	struct warden_report r = {.kind = WARDEN_SWEPT};
	tell(in->control, &r);
}

/* The warden's own half. */

static void obey(struct inside *in)
{
	uint32_t order = 0;
	if (recv(in->control, &order, sizeof order, 0) <= 0) { /* the host is gone */
		kill_all(in);
		_exit(0);
	}
	if (order == ORDER_SWEEP)
		sweep(in);
	else
		kill_all(in);
}

static void serve(struct inside *in)
{
	struct pollfd fds[4] = {
		{.fd = in->control, .events = POLLIN}, {.fd = in->signals, .events = POLLIN},
		{.fd = in->hand, .events = POLLIN}, {.fd = in->listener, .events = POLLIN},
	};
	struct signalfd_siginfo info;

	if (poll(fds, 4, -1) < 0)
		return;
	if (fds[3].revents & POLLIN)
		answer_fork(in);
	else if (fds[3].revents)
		in->listener = -1; /* nobody is left who could ask */
	if (fds[2].revents) {
		in->listener = take_over(in->hand);
		in->hand = -1;
		if (in->listener >= 0) {
			ioctl(in->listener, NOTIF_SET_FLAGS, NOTIF_SYNC_WAKE_UP); /* an older kernel may refuse */
			*in->forks = 1;
		}
	}
	if (fds[1].revents) {
		(void)!read(in->signals, &info, sizeof info);
		while (reap(in, -1, WNOHANG) > 0)
			;
	}
	if (fds[0].revents)
		obey(in);
}

static void close_others(int a, int b)
{
	unsigned lo = (unsigned)(a < b ? a : b), hi = (unsigned)(a < b ? b : a);
	close_range(0, lo - 1, 0);
	if (hi - lo > 1)
		close_range(lo + 1, hi - 1, 0);
	close_range(hi + 1, ~0u, 0);
}

static pid_t start_target(const struct warden_launch *l, int control, int hands[2])
{
	pid_t self = getpid();
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid < 0)
		fail(control, "cannot fork", false);
	if (pid == 0)
		target_main(l, control, hands[1], self);
	return pid;
}

/* If memory runs out, the target goes first. */
static void offer_to_oom(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		(void)!write(fd, "1000", 4);
		close(fd);
	}
}

/* Until we have read the question, a signal still makes fork fail: on a busy machine, come first. In vain if we are not root. */
static void be_quick(void)
{
	struct sched_param first = {.sched_priority = 1};
	sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first);
}

static _Noreturn void warden_main(const struct warden_launch *l, int given, _Atomic uint64_t *forks)
{
	int hands[2], control = fcntl(given, F_DUPFD_CLOEXEC, 3);

	offer_to_oom();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	const char *what = sandbox_enter(l->plan);
	if (what)
		fail(control, what, false);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, hands))
		fail(control, "cannot make a socket pair", false);
	struct inside in = {.forks = forks, .control = control, .listener = -1, .limit = l->plan->policy.limits.processes, .tasks = 1};
	in.own_pids = l->plan->use & SANDBOX_PID;
	in.hand = fcntl(hands[0], F_DUPFD_CLOEXEC, 3);
	in.target = start_target(l, control, hands);
	close_others(in.control, in.hand);
	if (l->plan->notify)
		be_quick();
	sigset_t chld;
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	in.signals = signalfd(-1, &chld, SFD_CLOEXEC | SFD_NONBLOCK);
	while (!in.ended)
		serve(&in);
	kill_all(&in);
	struct warden_report r = {.kind = WARDEN_ENDED, .status = in.status, .cpu_us = in.cpu_us, .peak = in.peak};
	tell(control, &r);
	_exit(0);
}

/* The host's half. */

bool warden_start(struct warden *w, const struct warden_launch *launch, struct err *err)
{
	sigset_t all, old;
	int pair[2];

	_Atomic uint64_t *forks = mmap(NULL, sizeof *forks, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (forks == MAP_FAILED)
		return err_errno(err, "cannot map memory");
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		munmap(forks, sizeof *forks);
		return err_errno(err, "cannot make a socket pair");
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int flags = sandbox_clone_flags(launch->plan) | SIGCHLD;
	pid_t pid = (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
	if (pid == 0)
		warden_main(launch, pair[1], forks);
	int saved = errno;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	close(pair[1]);
	*w = (struct warden){.pid = pid, .control = pair[0], .forks = forks};
	if (pid > 0)
		return true;
	close(pair[0]);
	munmap(forks, sizeof *forks);
	errno = saved;
	return err_errno(err, "cannot start a process");
}

void warden_receive(struct warden *w, struct warden_report *report)
{
	ssize_t n;
	do
		n = recv(w->control, report, sizeof *report, 0);
	while (n < 0 && errno == EINTR);
	if (n != sizeof *report)
		*report = (struct warden_report){.kind = WARDEN_LOST};
	report->what[sizeof report->what - 1] = '\0';
}

static void give_order(struct warden *w, uint32_t order)
{
	(void)!send(w->control, &order, sizeof order, MSG_NOSIGNAL);
}

void warden_kill(struct warden *w)
{
	give_order(w, ORDER_KILL);
}

void warden_sweep(struct warden *w)
{
	give_order(w, ORDER_SWEEP);
}

/* Closing the control socket makes it end everything; a warden that does not is killed. */
void warden_close(struct warden *w)
{
	if (w->pid <= 0)
		return;
	close(w->control);
	struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, w->pid, 0), .events = POLLIN};
	if (poll(&end, 1, CLOSE_MS) != 1 || !end.revents)
		kill(w->pid, SIGKILL);
	if (end.fd >= 0)
		close(end.fd);
	while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		;
	munmap(w->forks, sizeof *w->forks);
	w->pid = 0;
}
