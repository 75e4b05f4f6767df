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

struct word {
	uint32_t kind, serial;
};

/* A message, and a descriptor that may come with it. */
static bool receive(int from, int flags, void *bytes, size_t size, int *passed)
{
	struct iovec text = { bytes, size };
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct msghdr m = { .msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control };
	ssize_t n = recvmsg(from, &m, MSG_CMSG_CLOEXEC | flags);
	struct cmsghdr *c = n >= 0 ? CMSG_FIRSTHDR(&m) : NULL;
	*passed = -1;
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(passed, CMSG_DATA(c), sizeof(int));
	return n == (ssize_t)size;
}

bool heir_receive(int from, int flags, struct td_suite_hello *hello, int *passed)
{
	return receive(from, flags, hello, sizeof *hello, passed);
}

/* If it is gone, there is nothing to be done about it. */
void heir_give(int heir, enum heir_kind kind, uint32_t serial, int fd)
{
	struct word word = { kind, serial };
	struct iovec text = { &word, sizeof word };
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { .head = { .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS } };
	struct msghdr m = { .msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control };
	memcpy(CMSG_DATA(&control.head), &fd, sizeof(int));
	while (sendmsg(heir, &m, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

struct heir {
	VEC(struct listener) listeners, links;
	VEC(struct pollfd) polled;
};

static bool has_listener(const struct heir *h, uint32_t serial)
{
	for (size_t i = 0; i < h->listeners.count; i++)
		if (h->listeners.at[i].serial == serial)
			return true;
	return false;
}

static void drop_link(struct heir *h, size_t i)
{
	close(h->links.at[i].fd);
	h->links.at[i] = h->links.at[--h->links.count];
}

static void drop_listener(struct heir *h, size_t i)
{
	close(h->listeners.at[i].fd);
	h->listeners.at[i] = h->listeners.at[--h->listeners.count];
}

/* Until there is nobody to hear of any more. What nobody uses is dropped. */
static void hear_of(struct heir *h, int from)
{
	for (bool goes_on = true; goes_on;) {
		struct word word;
		int fd;
		size_t listeners = h->listeners.count;
		vec_clear(&h->polled);
		vec_push(&h->polled, (struct pollfd){ .fd = from, .events = POLLIN });
		for (size_t i = 0; i < listeners; i++)
			vec_push(&h->polled, (struct pollfd){ .fd = h->listeners.at[i].fd });
		for (size_t i = 0; i < h->links.count; i++)
			vec_push(&h->polled, (struct pollfd){ .fd = h->links.at[i].fd });
		poll(h->polled.at, (nfds_t)h->polled.count, -1);
		for (size_t i = h->links.count; i--;)
			if (h->polled.at[1 + listeners + i].revents)
				drop_link(h, i);
		for (size_t i = listeners; i--;)
			if (h->polled.at[1 + i].revents)
				drop_listener(h, i);
		if (!h->polled.at[0].revents)
			continue;
		goes_on = receive(from, 0, &word, sizeof word, &fd);
		if (fd >= 0 && word.kind == HEIR_LINK)
			vec_push(&h->links, (struct listener){ fd, word.serial });
		else if (fd >= 0)
			vec_push(&h->listeners, (struct listener){ fd, word.serial });
	}
}

static void settle(const struct heir *h, uint32_t serial, uint64_t id)
{
	for (size_t i = 0; i < h->listeners.count; i++)
		if (h->listeners.at[i].serial == serial)
			names_let(h->listeners.at[i].fd, id);
}

static void let_one(struct heir *h, size_t i, short events)
{
	union notice n;
	if (events & POLLIN && names_receive(h->listeners.at[i].fd, &n))
		names_let(h->listeners.at[i].fd, n.ask.id);
	else if (events & (POLLHUP | POLLERR))
		drop_listener(h, i);
}

/* He was told to go on, and is not recorded any more. What we have of him already we do not want twice. */
static void hear_link(struct heir *h, size_t i)
{
	struct listener link = h->links.at[i];
	struct td_suite_hello hello;
	int fd;
	bool said = heir_receive(link.fd, 0, &hello, &fd) || (errno == ECONNRESET && heir_receive(link.fd, 0, &hello, &fd)); /* he may be gone, but what he said is there */
	if (said)
		send(link.fd, "", 1, MSG_NOSIGNAL);
	if (fd >= 0 && has_listener(h, link.serial))
		close(fd);
	else if (fd >= 0)
		vec_push(&h->listeners, (struct listener){ fd, link.serial });
	drop_link(h, i);
}

/* Whatever he waits for, he need not: nobody knows what he was answered. */
static void hurry_links(const struct heir *h)
{
	for (size_t i = 0; i < h->links.count; i++)
		send(h->links.at[i].fd, "", 1, MSG_NOSIGNAL);
}

static void let_all(struct heir *h)
{
	while (h->listeners.count || h->links.count) {
		size_t listeners = h->listeners.count, links = h->links.count;
		vec_clear(&h->polled);
		for (size_t i = 0; i < listeners; i++)
			vec_push(&h->polled, (struct pollfd){ .fd = h->listeners.at[i].fd, .events = POLLIN });
		for (size_t i = 0; i < links; i++)
			vec_push(&h->polled, (struct pollfd){ .fd = h->links.at[i].fd, .events = POLLIN });
		poll(h->polled.at, (nfds_t)h->polled.count, -1);
		for (size_t i = listeners; i--;)
			let_one(h, i, h->polled.at[i].revents);
		for (size_t i = links; i--;)
			if (h->polled.at[listeners + i].revents)
				hear_link(h, i);
	}
}

static _Noreturn void inherit(int from, const struct will *will)
{
	struct heir h = {0};
	hear_of(&h, from);
	settle(&h, will->serial, will->notice.ask.id);
	for (size_t i = 0; i < HEIR_READERS; i++)
		settle(&h, will->readers[i].serial, will->readers[i].id);
	hurry_links(&h);
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
