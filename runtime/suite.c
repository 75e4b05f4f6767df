/* A run that is not traced asks whether it is part of a suite that is recorded (contract/suite.h), and if so makes itself known. Whatever goes wrong, it runs on, unrecorded. */
#include "state.h"

#include "contract/suite.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

static const struct sock_filter listen_code[] = {
	TD_LISTEN_BEGIN
#define CALL(number, dir, name, dir2, name2) TD_LISTEN_IF(number, 1), TD_LISTEN_TELL,
#include "contract/calls.def"
#undef CALL
	TD_LISTEN_READS
	TD_LISTEN_END
};

/* Where there is no room it is another, or stays where it is: it must not be lost. */
static int move_up(long fd)
{
	static const long places[] = { TD_SUITE_DESCRIPTOR, 3 };
	for (unsigned i = 0; fd >= 0 && i < sizeof places / sizeof *places; i++) {
		long up = system_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, places[i], 0);
		if (up >= 0) {
			system_call(SYS_close, fd, 0, 0, 0);
			return (int)up;
		}
	}
	return (int)fd;
}

static int connect_to(unsigned number)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	static const char name[] = TD_SUITE_SOCKET;
	unsigned n = 1;
	for (unsigned i = 0; name[i]; i++)
		to.sun_path[n++] = name[i];
	for (unsigned digit = 1000; digit; digit /= 10)
		to.sun_path[n++] = (char)('0' + number / digit % 10);
	int fd = move_up(system_call(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, 0));
	if (fd >= 0 && (!fd || system_call(SYS_connect, fd, (long)&to, (long)(offsetof(struct sockaddr_un, sun_path) + n), 0) < 0)) {
		system_call(SYS_close, fd, 0, 0, 0);
		fd = -1;
	}
	return fd;
}

/* The listener, or an error. */
static int listen_in(void)
{
	const struct sock_fprog program = { .len = sizeof listen_code / sizeof *listen_code, .filter = (struct sock_filter *)listen_code };
	long fd = system_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER | TD_LISTEN_KILLABLE, (long)&program, 0);
	if (fd == -EINVAL)
		fd = system_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, (long)&program, 0);
	return move_up(fd);
}

static uint32_t ask(long which)
{
	return (uint32_t)-system_call(SYS_prctl, TD_SUITE_PRCTL, which, 0, 0);
}

/* listener: -1 if there is none. False: nobody answers. */
static bool tell(int socket, int listener)
{
	struct td_suite_hello hello = { .version = TD_VERSION, .tokens = { ask(1), ask(2) } };
	struct iovec text = { &hello, sizeof hello };
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} passed = {0};
	struct msghdr m = { .msg_iov = &text, .msg_iovlen = 1 };
	char answer;
	if (listener >= 0) {
		m.msg_control = &passed;
		m.msg_controllen = sizeof passed;
		passed.head = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS };
		*(int *)(void *)CMSG_DATA(&passed.head) = listener;
	}
	return system_call(SYS_sendmsg, socket, (long)&m, MSG_NOSIGNAL, 0) == sizeof hello && system_call(SYS_read, socket, (long)&answer, 1, 0) == 1;
}

/* What is done with descriptor 0 from then on is asked about, and nobody answers yet: so ours is another. */
static int listen_above(int socket)
{
	long lowest = system_call(SYS_dup, socket, 0, 0, 0);
	int listener = lowest ? -1 : listen_in();
	if (lowest >= 0)
		system_call(SYS_close, lowest, 0, 0, 0);
	return lowest ? listen_in() : listener;
}

void suite_join(void)
{
	uint32_t number = ask(0);
	if (number < TD_SUITE_FIRST || number > TD_SUITE_LAST)
		return;
	int socket = connect_to(number);
	if (socket < 0)
		return;
	if (tell(socket, -1)) {
		int listener = listen_above(socket); /* from here on somebody has to answer */
		if (listener >= 0 || listener == -EBUSY)
			tell(socket, listener);
		if (listener >= 0)
			system_call(SYS_close, listener, 0, 0, 0);
	}
	system_call(SYS_close, socket, 0, 0, 0);
}
