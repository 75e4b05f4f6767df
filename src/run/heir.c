/* See heir.h. */
#include "run/heir.h"

#include "base/err.h"
#include "base/vec.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

bool heir_receive(int from, struct td_suite_hello *hello, int *passed)
{
	struct iovec text = { hello, sizeof *hello };
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct msghdr m = { .msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control };
	ssize_t n = recvmsg(from, &m, MSG_CMSG_CLOEXEC);
	struct cmsghdr *c = n >= 0 ? CMSG_FIRSTHDR(&m) : NULL;
	*passed = -1;
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(passed, CMSG_DATA(c), sizeof(int));
	return n == sizeof *hello;
}

/* With its serial number. */
bool heir_give(int heir, struct listener listener)
{
	struct td_suite_hello serial = { .version = listener.serial };
	struct iovec text = { &serial, sizeof serial };
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { .head = { .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS } };
	struct msghdr m = { .msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control };
	memcpy(CMSG_DATA(&control.head), &listener.fd, sizeof(int));
	return sendmsg(heir, &m, MSG_NOSIGNAL) == sizeof serial;
}

struct heir {
	VEC(struct listener) listeners; /* serial HEIR_LINK: no listener, but somebody who will send one */
	VEC(struct pollfd) polled;
};

/* Those whom nobody uses any more are dropped. */
static void hear_of(struct heir *h, int from)
{
	for (int listener = 0; listener >= 0;) {
		struct td_suite_hello serial;
		vec_clear(&h->polled);
		vec_push(&h->polled, (struct pollfd){ .fd = from, .events = POLLIN });
		for (size_t i = 0; i < h->listeners.count; i++)
			vec_push(&h->polled, (struct pollfd){ .fd = h->listeners.at[i].fd });
		poll(h->polled.at, (nfds_t)h->polled.count, -1);
		for (size_t i = h->listeners.count; i--;)
			if (h->polled.at[i + 1].revents) {
				close(h->listeners.at[i].fd);
				h->listeners.at[i] = h->listeners.at[--h->listeners.count];
			}
		if (!h->polled.at[0].revents)
			continue;
		heir_receive(from, &serial, &listener);
		if (listener >= 0)
			vec_push(&h->listeners, (struct listener){ listener, serial.version });
	}
}

static void settle(const struct heir *h, uint32_t serial, uint64_t id)
{
	for (size_t i = 0; i < h->listeners.count; i++)
		if (serial && h->listeners.at[i].serial == serial)
			names_let(h->listeners.at[i].fd, id);
}

/* Whoever was told that there is somebody to listen has his answer from us. */
static void hear_link(struct heir *h, int link)
{
	struct td_suite_hello hello;
	int listener;
	if (heir_receive(link, &hello, &listener) && listener >= 0)
		vec_push(&h->listeners, (struct listener){ listener, UINT32_MAX });
	send(link, "", 1, MSG_NOSIGNAL);
}

static void let_all(struct heir *h)
{
	while (h->listeners.count) {
		vec_clear(&h->polled);
		for (size_t i = 0; i < h->listeners.count; i++)
			vec_push(&h->polled, (struct pollfd){ .fd = h->listeners.at[i].fd, .events = POLLIN });
		poll(h->polled.at, (nfds_t)h->polled.count, -1);
		for (size_t i = h->listeners.count; i--;) {
			union notice n;
			bool is_link = h->listeners.at[i].serial == HEIR_LINK;
			if (is_link && h->polled.at[i].revents & POLLIN) {
				hear_link(h, h->listeners.at[i].fd);
				close(h->listeners.at[i].fd);
				h->listeners.at[i] = h->listeners.at[--h->listeners.count];
			} else if (h->polled.at[i].revents & POLLIN && names_receive(h->listeners.at[i].fd, &n)) {
				names_let(h->listeners.at[i].fd, n.ask.id);
			} else if (h->polled.at[i].revents & (POLLHUP | POLLERR)) {
				close(h->listeners.at[i].fd);
				h->listeners.at[i] = h->listeners.at[--h->listeners.count];
			}
		}
	}
}

static _Noreturn void inherit(int from, const struct will *will)
{
	struct heir h = {0};
	hear_of(&h, from);
	settle(&h, will->serial, will->notice.ask.id);
	for (size_t i = 0; i < HEIR_READERS; i++)
		settle(&h, will->readers[i].serial, will->readers[i].id);
	let_all(&h);
	_exit(0);
}

bool heir_start(const struct will *will, int *heir, struct err *err)
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return err_errno(err, "cannot make a socket");
	pid_t pid = fork();
	if (pid == 0) {
		if (fork()) /* nobody waits for it */
			_exit(0);
		setsid();
		prctl(PR_SET_NAME, "tandem-heir");
		for (int i = 1; i < NSIG; i++)
			signal(i, SIG_IGN);
		if (dup2(pair[1], 3) != 3)
			_exit(1);
		close_range(4, ~0u, 0);
		(void)!chdir("/"); /* where we are is not ours to keep */
		for (int i = 0; i < 3; i++)
			close(i);
		inherit(3, will);
	}
	close(pair[1]);
	*heir = pair[0];
	if (pid < 0)
		return err_errno(err, "cannot start a process");
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return true;
}
