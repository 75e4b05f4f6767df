/* The fork server: start-up is paid once, each run is a fork, or less: a child that can undo its run (rewind.c) is used again. See
 * contract/server.h. The server itself touches nothing of the program's; it waits on the socket and on the child at once, so that the
 * host can end a run.
 *
 * Some programs do in every run what cannot be undone, so it is counted how often a child was used again for each that was lost. */
#include "rewind.h"

#include "contract/server.h"
#include "pages.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool forking;

bool server_is_forking(void)
{
	return forking;
}

static uint32_t forks; /* that the host does not know of */

static bool tell(int fd, enum td_server_message kind, int32_t value)
{
	struct td_message m = {kind, value, forks};
	forks = 0;
	return send(fd, &m, sizeof m, MSG_NOSIGNAL) == (ssize_t)sizeof m;
}

static struct td_message listen_for(int fd)
{
	struct td_message m;
	for (;;) {
		ssize_t n = recv(fd, &m, sizeof m, 0);
		if (n == (ssize_t)sizeof m)
			return m;
		if (n >= 0 || errno != EINTR)
			return (struct td_message){.kind = TD_MSG_QUIT};
	}
}

/* ---- children ---- */

static struct {
	pid_t pid;                 /* 0: none */
	int handle;
	int socket;                /* of one that may be used again; -1: it is for one run */
	unsigned again, lost;      /* runs that were undone, children that were lost */
	unsigned fresh;            /* runs since, in processes of their own */
} child = {.handle = -1, .socket = -1};

static bool watches; /* a child's end can be waited for beside other things */

static void watch_ask(void)
{
	int handle = (int)syscall(SYS_pidfd_open, (pid_t)syscall(SYS_getpid), 0);
	watches = handle >= 0;
	if (watches)
		close(handle);
}

enum { TRIES = 4, WORTH = 2, LATER = 64 };

static bool may_rewind(void)
{
	if (child.lost < TRIES || child.again > child.lost * WORTH)
		return true;
	if (++child.fresh % LATER)
		return false;
	child.again = child.lost = 0;
	return true;
}

static void child_close(void)
{
	if (child.handle >= 0)
		close(child.handle);
	if (child.socket >= 0)
		close(child.socket);
	child.handle = child.socket = -1;
	child.pid = 0;
}

/* The wait status; it has ended, or is about to. */
static int child_reap(void)
{
	int status = 0;
	while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR)
		;
	child.lost += child.socket >= 0;
	child_close();
	return status;
}

static void child_drop(void)
{
	if (!child.pid)
		return;
	kill(child.pid, SIGKILL);
	close(child.socket); /* if we may not kill it, it ends by itself */
	child.socket = -1;
	child_reap();
}

/* Has it put itself back? Then this is how its run ended. */
static bool child_undid(int *status)
{
	struct td_message m;
	if (recv(child.socket, &m, sizeof m, MSG_DONTWAIT) != (ssize_t)sizeof m)
		return false;
	child.again++;
	*status = m.value << 8;
	return true;
}

enum ending { GONE, UNDONE, KILLED };

static enum ending wait_child(int fd, int *status)
{
	struct pollfd watch[3] = {{.fd = child.handle, .events = POLLIN}, {.fd = fd, .events = POLLIN}, {.fd = child.socket, .events = POLLIN}};
	enum ending ending = GONE;
	while (child.handle >= 0 && !(watch[0].revents & POLLIN)) {
		if (poll(watch, 3, -1) < 0 && errno != EINTR)
			break;
		if (watch[2].revents && child_undid(status))
			return UNDONE;
		if (watch[2].revents)
			watch[2].fd = -1;
		if (watch[1].revents && listen_for(fd).kind != TD_MSG_RUN) {
			kill(child.pid, SIGKILL);
			watch[1].fd = watch[2].fd = -1;
			ending = KILLED;
		}
	}
	*status = child_reap();
	return ending;
}

/* What a program changes of its standard streams outlives it: they are the next one's as well. */
enum { STREAMS = 3 };

static void streams_ask(long flags[STREAMS])
{
	for (int i = 0; i < STREAMS; i++)
		flags[i] = syscall(SYS_fcntl, i, F_GETFL);
}

static void streams_reset(const long flags[STREAMS])
{
	lseek(0, 0, SEEK_SET);
	for (int i = 0; i < STREAMS; i++)
		if (flags[i] >= 0 && syscall(SYS_fcntl, i, F_GETFL) != flags[i])
			syscall(SYS_fcntl, i, F_SETFL, flags[i]);
}

/* Host, server and child take turns. On one processor a turn is a switch; on several it is an interrupt, a cold cache, and more interrupts when the
 * child's memory is set up. The child itself is let go: it stays where it is unless somebody else wants that processor. */
enum { PROCESSORS = 1024 };

static struct {
	uint64_t all[PROCESSORS / 64];
	long bytes;  /* of that; 0: not known */
	int32_t now; /* as the message says it */
} processor;

static void processor_ask(void)
{
	long n = syscall(SYS_sched_getaffinity, 0, sizeof processor.all, processor.all);
	processor.bytes = n > 0 ? n : 0;
}

static void processor_set(int32_t wanted)
{
	uint64_t one[PROCESSORS / 64] = {0};
	if (wanted == processor.now || wanted < 0 || wanted > PROCESSORS || !processor.bytes)
		return;
	if (wanted)
		one[(wanted - 1) / 64] = 1ull << (wanted - 1) % 64;
	pages_call(SYS_sched_setaffinity, 0, processor.bytes, (long)(wanted ? one : processor.all), 0); /* also in one that was used before */
	processor.now = wanted;
}

/* What every child would do for itself. */
static void prepare(void)
{
	if (!td_state.live)
		return;
	node_touch();
	if (!state_enter())
		return;
	module_knows(NULL);
	model_prepare();
	state_leave();
}

/* What we keep open is beyond that. */
static void limit_files(void)
{
	const struct rlimit limit = {td_state.header->open_files, td_state.header->open_files};
	if (limit.rlim_cur)
		pages_call(SYS_prlimit64, 0, RLIMIT_NOFILE, (long)&limit, 0);
}

/* In the child: true. */
static bool child_start(int fd, bool fresh)
{
	int32_t here = processor.now;
	int pair[2] = {-1, -1};
	if (!fresh && watches && may_rewind() && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		pair[0] = pair[1] = -1;
	forking = true;
	child.pid = fork();
	forking = false;
	if (child.pid == 0) {
		processor_set(0);
		close(fd);
		if (pair[0] >= 0)
			close(pair[0]);
		if (pair[1] >= 0 && !rewind_begin(pair[1], here, processor_set))
			close(pair[1]);
		limit_files();
		errno = 0; /* as at the beginning of any program, whatever was asked above */
		return true;
	}
	forks++;
	child.socket = pair[0];
	if (pair[1] >= 0)
		close(pair[1]);
	if (child.pid > 0)
		child.handle = (int)syscall(SYS_pidfd_open, child.pid, 0);
	else
		child_close();
	return false;
}

/* One that has put itself back is waiting. */
static bool child_wakes(void)
{
	const struct td_message go = {.kind = TD_MSG_RUN, .value = processor.now};
	if (child.pid && send(child.socket, &go, sizeof go, MSG_NOSIGNAL) == (ssize_t)sizeof go)
		return true;
	child_drop();
	return false;
}

/* One run. In the child: true. */
static bool serve(int fd, bool fresh)
{
	if (fresh)
		child_drop();
	if (!child_wakes()) {
		if (child_start(fd, fresh))
			return true;
		if (child.pid <= 0)
			_exit(0);
	}
	bool used = child.socket >= 0;
	int status;
	enum ending ending = wait_child(fd, &status);
	bool again = used && ending == GONE && WIFSIGNALED(status); /* refused, or a crash: that is believed of a fresh process only */
	if (!tell(fd, again ? TD_MSG_AGAIN : ending == UNDONE ? TD_MSG_UNDONE : TD_MSG_ENDED, status))
		_exit(0);
	return false;
}

void server_loop(void)
{
	int fd = td_state.header->server_fd;
	long flags[STREAMS];
	struct td_message m;
	streams_ask(flags);
	processor_ask();
	watch_ask();
	prepare();
	if (!tell(fd, TD_MSG_HELLO, 0))
		_exit(6);
	while ((m = listen_for(fd)).kind == TD_MSG_RUN || m.kind == TD_MSG_RUN_FRESH || m.kind == TD_MSG_KILL) {
		if (m.kind == TD_MSG_KILL) /* too late */
			continue;
		streams_reset(flags);
		processor_set(m.value);
		if (serve(fd, m.kind == TD_MSG_RUN_FRESH))
			return;
	}
	_exit(0);
}
