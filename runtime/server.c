/* The fork server: start-up is paid once, each run is a fork. See contract/server.h. The server itself touches nothing of the
 * program's; it waits on the socket and on the child at once, so that the host can end a run. */
#include "state.h"

#include "contract/server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool forking;

bool server_is_forking(void)
{
	return forking;
}

static bool tell(int fd, enum td_server_message kind, int32_t value)
{
	struct td_message m = {kind, value};
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

static int wait_child(int fd, pid_t child)
{
	int status = 0, handle = (int)syscall(SYS_pidfd_open, child, 0);
	struct pollfd watch[2] = {{.fd = handle, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
	while (handle >= 0 && !(watch[0].revents & POLLIN)) {
		if (poll(watch, 2, -1) < 0 && errno != EINTR)
			break;
		if (watch[1].revents && listen_for(fd).kind != TD_MSG_RUN) {
			kill(child, SIGKILL);
			watch[1].fd = -1;
		}
	}
	if (handle >= 0)
		close(handle);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
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
	syscall(SYS_sched_setaffinity, 0, processor.bytes, wanted ? one : processor.all);
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

void server_loop(void)
{
	int fd = td_state.header->server_fd;
	long flags[STREAMS];
	struct td_message m;
	streams_ask(flags);
	processor_ask();
	prepare();
	if (!tell(fd, TD_MSG_HELLO, 0))
		_exit(6);
	while ((m = listen_for(fd)).kind == TD_MSG_RUN) {
		streams_reset(flags);
		processor_set(m.value);
		forking = true;
		pid_t child = fork();
		forking = false;
		if (child == 0) {
			processor_set(0);
			close(fd);
			errno = 0; /* as at the beginning of any program, whatever was asked above */
			return;
		}
		if (child < 0 || !tell(fd, TD_MSG_ENDED, wait_child(fd, child)))
			break;
	}
	_exit(0);
}
