/* Seccomp stops each system call that names a file and asks us; we look at the name, have it recorded and let the call go on. That costs the program some
 * microseconds per name and nothing else: no instruction of it is changed, and its children are watched as it is.
 *
 * Nobody is kept from anything here: between our look and the call another thread may change the name. So it is no protection, only a record.
 *
 * Standard input that is a pipe has to pass through us. We never wait for it to be read: the reader may be waiting for our answer. */
#include "run/watch.h"

#include "base/err.h"
#include "run/forward.h"
#include "run/names.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FEED_STEP 65536

/* --- the program's side --- */

/* The listener's number goes to our parent, who takes it; then we go on. What is sent after that is why there is no program. */
static _Noreturn void become(const struct watch_spec *spec, int link, int input)
{
	struct { int listener, error; } hello = { -1, 0 };
	char go;
	if (input >= 0 && dup2(input, 0) < 0)
		hello.error = errno;
	if (spec->named && !hello.error && (hello.listener = names_listen()) < 0)
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

static void answer(struct watch *w, bool looking)
{
	union notice n;
	if (!names_receive(w->listener, &n))
		return;
	if (looking)
		names_of(&n.ask, w->spec->named, w->spec->context);
	names_let(w->listener, n.ask.id);
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
	struct forward forward;
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
	forward_begin(&forward, w.pid);
	bool ok = w.pid > 0 ? follow(&w, status, err) : err_errno(err, "cannot start a process");
	forward_end(&forward);
	end_feed(&w);
	close(w.link);
	if (w.process >= 0)
		close(w.process);
	if (w.listener >= 0)
		close(w.listener);
	return ok;
}
