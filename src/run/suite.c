/* One loop answers everybody: the command's processes that make themselves known, their calls that name a file, and their reads of standard input.
 *
 * Of a pipe we see what is in it before the process reads (tee), and then it does. If more may come in between, so that nobody could say how much it got, the read is done by us, and what was read
 * is put into the process's memory: no byte is taken that the process did not ask for, and the pipe stays what it was to those who write to it. We hold it open only while the process itself
 * waits in that call, so that a writer learns in time that nobody reads any more. What was read for a process that is gone before it has it waits for the next reader (`spare`).
 *
 * A process whose calls nobody answers would fail at each of them. So a second process, the heir, has a copy of every listener: when we are gone, however that happened, it lets all calls
 * through as long as there is anybody to make them. What we had been asked and not answered is in memory that it shares (`will`). */
#include "run/suite.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"
#include "contract/suite.h"
#include "contract/trace.h"
#include "run/forward.h"
#include "run/names.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_MS 20          /* how often a process that waits for its standard input is looked at */
#define READ_MAX (1 << 20)  /* of one read */
#define PARENTS_MAX 64
#define HELLO_MS 5000
#define READERS_MAX 1024    /* that wait at a time; more are let through */

/* Of a process, or of several that share it. Its serial number is the same for the heir. */
struct listener {
	int fd;
	uint32_t serial;
};

/* A read of standard input that waits. */
struct reader {
	struct listener from;
	int pipe;
	bool is_socket, is_patient;
	uint64_t id, inode, address, count;
	pid_t pid;
};

struct question {
	uint32_t serial; /* of the listener; 0: none */
	uint64_t id;
};

/* What was asked and not answered yet. */
struct will {
	uint32_t serial; /* that the notice came from, or will */
	union notice notice;
	struct question readers[READERS_MAX];
};

/* What was read and not delivered. */
struct spare {
	uint64_t inode;
	struct str bytes;
};

struct run {
	struct recording *recording;
	int process; /* tells when it is over */
};

struct suite {
	const struct suite_spec *spec;
	int socket, heir;  /* where processes make themselves known; what the heir hears from */
	unsigned number;
	struct will *will;
	uint32_t serials;
	VEC(struct listener) listeners;
	VEC(struct run) runs;
	VEC(struct reader) readers;
	VEC(struct spare) spares;
	VEC(struct pollfd) polled;
	char *block;
	int peek[2];  /* a pipe for what is in another */
};

/* --- who is it? --- */

/* A number of /proc/PID/status, or 0. */
static uint64_t status_of(pid_t pid, const char *name, int base)
{
	char path[32], text[4096];
	snprintf(path, sizeof path, "/proc/%d/status", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	const char *at = strstr(text, name);
	return at ? strtoull(at + strlen(name), NULL, base) : 0;
}

static struct recording *recording_of(const struct suite *s, pid_t pid)
{
	for (size_t i = 0; i < s->runs.count; i++)
		if (s->runs.at[i].recording->pid == pid)
			return s->runs.at[i].recording;
	return NULL;
}

/* The recording that a thread's process is, or that of the nearest process above it. */
static struct recording *owner_of(const struct suite *s, pid_t thread)
{
	struct recording *r = recording_of(s, thread);
	pid_t pid = r ? 0 : (pid_t)status_of(thread, "\nTgid:", 10);
	for (int i = 0; !r && pid > 1 && i < PARENTS_MAX; i++) {
		r = recording_of(s, pid);
		pid = r ? 0 : (pid_t)status_of(pid, "\nPPid:", 10);
	}
	return r;
}

/* --- names --- */

static void named(void *context, const char *path, bool directory)
{
	for (struct recording *r = context; r; r = r->parent)
		recording_named(r, path, directory);
}

/* --- reads of standard input --- */

static struct spare *spare_of(struct suite *s, uint64_t inode)
{
	for (size_t i = 0; i < s->spares.count; i++)
		if (s->spares.at[i].inode == inode)
			return &s->spares.at[i];
	return NULL;
}

static void keep_spare(struct suite *s, uint64_t inode, const char *bytes, size_t size)
{
	struct spare *p = spare_of(s, inode);
	struct str all = {0};
	str_add_bytes(&all, bytes, size); /* in front of what was there */
	if (p) {
		str_add_bytes(&all, str_text(&p->bytes), p->bytes.length);
		str_free(&p->bytes);
		p->bytes = all;
	} else {
		vec_push(&s->spares, (struct spare){ inode, all });
	}
}

static ssize_t take_spare(struct spare *p, char *to, size_t count)
{
	size_t n = p->bytes.length < count ? p->bytes.length : count;
	memcpy(to, str_text(&p->bytes), n);
	memmove(p->bytes.text, p->bytes.text + n, p->bytes.length - n);
	p->bytes.length -= n;
	return (ssize_t)n;
}

static bool put_into(pid_t pid, uint64_t address, const char *bytes, size_t size)
{
	char path[32];
	snprintf(path, sizeof path, "/proc/%d/mem", pid);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && pwrite(fd, bytes, size, (off_t)address) == (ssize_t)size;
	if (fd >= 0)
		close(fd);
	return ok;
}

static void fed(struct suite *s, const struct reader *r, size_t size)
{
	for (struct recording *to = owner_of(s, r->pid); to; to = to->parent)
		if (to->pipe == r->inode)
			recording_fed(to, s->block, size);
}

/* Whatever the process reads now, it is what we see: all that it asks for is there, or nobody can add to it. */
static bool see_through(struct suite *s, const struct reader *r, size_t count)
{
	struct pollfd p = { .fd = r->pipe, .events = POLLIN };
	int there = 0;
	ssize_t n = tee(r->pipe, s->peek[1], count, SPLICE_F_NONBLOCK);
	if (n > 0 && read(s->peek[0], s->block, READ_MAX) != n)
		return false;
	bool alone = poll(&p, 1, 0) >= 0 && p.revents & POLLHUP;
	if (n < 0 || (n == 0 && !alone) || ((size_t)n < count && !(alone && ioctl(r->pipe, FIONREAD, &there) == 0 && there == n)))
		return false;
	fed(s, r, (size_t)n);
	names_let(r->from.fd, r->id);
	return true;
}

/* False: there is nothing to be read yet. */
static bool deliver(struct suite *s, const struct reader *r)
{
	size_t count = r->count < READ_MAX ? (size_t)r->count : READ_MAX;
	struct spare *p = spare_of(s, r->inode);
	if (!r->is_socket && !(p && p->bytes.length) && see_through(s, r, count))
		return true;
	ssize_t n = p && p->bytes.length ? take_spare(p, s->block, count) :
	            r->is_socket ? recv(r->pipe, s->block, count, MSG_DONTWAIT) : read(r->pipe, s->block, count);
	if (n < 0 && errno == EAGAIN && r->is_patient)
		return false;
	if (n < 0) {
		names_answer(r->from.fd, r->id, 0, errno);
	} else if (n > 0 && !put_into(r->pid, r->address, s->block, (size_t)n)) {
		keep_spare(s, r->inode, s->block, (size_t)n);
		names_answer(r->from.fd, r->id, 0, EFAULT);
	} else if (!names_answer(r->from.fd, r->id, n, 0)) {
		keep_spare(s, r->inode, s->block, (size_t)n);
	} else {
		fed(s, r, (size_t)n);
	}
	return true;
}

/* A signal that the process would be told of waits until its read is answered: then the read is its own business again, and what it reads not known. */
static bool is_interrupted(pid_t pid)
{
	uint64_t pending = status_of(pid, "\nSigPnd:", 16) | status_of(pid, "\nShdPnd:", 16);
	return pending & ~status_of(pid, "\nSigBlk:", 16) & status_of(pid, "\nSigCgt:", 16);
}

static void add_reader(struct suite *s, const struct reader *r)
{
	s->will->readers[s->readers.count] = (struct question){ r->from.serial, r->id };
	vec_push(&s->readers, *r);
}

static void drop_reader(struct suite *s, size_t i)
{
	size_t last = s->readers.count - 1;
	close(s->readers.at[i].pipe);
	s->will->readers[i] = s->will->readers[last];
	s->will->readers[last].serial = 0;
	s->readers.at[i] = s->readers.at[last];
	s->readers.count = last;
}

static void tend_readers(struct suite *s)
{
	for (size_t i = s->readers.count; i--;) {
		struct reader *r = &s->readers.at[i];
		if (ioctl(r->from.fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &r->id)) {
			drop_reader(s, i);
		} else if (is_interrupted(r->pid)) {
			struct recording *of = owner_of(s, r->pid);
			if (of)
				recording_trouble(of, "it was interrupted while it waited for its standard input");
			names_let(r->from.fd, r->id);
			drop_reader(s, i);
		}
	}
}

static bool is_ours(const struct recording *r, uint64_t inode)
{
	while (r && r->pipe != inode)
		r = r->parent;
	return r;
}

/* The pipe itself, opened anew so that we can look into it without waiting; of a socket a copy of the descriptor. */
static int open_pipe(pid_t pid, const char *path, const struct stat *st)
{
	if (S_ISFIFO(st->st_mode))
		return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int process = (int)syscall(SYS_pidfd_open, pid, 0), fd = process >= 0 ? (int)syscall(SYS_pidfd_getfd, process, 0, 0) : -1;
	if (process >= 0)
		close(process);
	return fd;
}

static bool is_patient(pid_t pid)
{
	char path[48], text[256];
	snprintf(path, sizeof path, "/proc/%d/fdinfo/0", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	const char *at = strstr(text, "flags:");
	return !(at && strtoul(at + 6, NULL, 8) & O_NONBLOCK);
}

static void begin_read(struct suite *s, struct listener from, const struct seccomp_notif *n)
{
	struct reader r = { .from = from, .id = n->id, .pid = (pid_t)n->pid, .address = n->data.args[1], .count = n->data.args[2], .pipe = -1 };
	char path[32];
	struct stat st;
	snprintf(path, sizeof path, "/proc/%d/fd/0", r.pid);
	if (r.count && s->readers.count < READERS_MAX && stat(path, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) && is_ours(owner_of(s, r.pid), st.st_ino)) {
		r.inode = st.st_ino;
		r.is_socket = S_ISSOCK(st.st_mode);
		r.is_patient = is_patient(r.pid);
		r.pipe = open_pipe(r.pid, path, &st);
	}
	if (r.pipe < 0)
		names_let(from.fd, n->id);
	else if (deliver(s, &r))
		close(r.pipe);
	else
		add_reader(s, &r);
}

/* --- processes --- */

static void answer(struct suite *s, struct listener from)
{
	const struct seccomp_notif *n = &s->will->notice.ask;
	s->will->serial = from.serial;
	if (names_receive(from.fd, &s->will->notice) && n->data.nr == SYS_read) {
		begin_read(s, from, n);
	} else if (n->id) {
		struct recording *r = owner_of(s, (pid_t)n->pid);
		if (r)
			names_of(n, named, r);
		names_let(from.fd, n->id);
	}
	s->will->serial = 0;
}

static void end_run(struct suite *s, size_t i)
{
	struct recording *r = s->runs.at[i].recording;
	close(s->runs.at[i].process);
	s->runs.at[i] = s->runs.at[--s->runs.count];
	for (size_t k = 0; k < s->runs.count; k++)
		if (s->runs.at[k].recording->parent == r)
			s->runs.at[k].recording->parent = r->parent;
	tend_readers(s);
	recording_finish(r);
	s->spec->recorded(s->spec->context, r);
	recording_close(r);
}

static void begin_run(struct suite *s, pid_t pid)
{
	for (size_t i = s->runs.count; i--;)
		if (s->runs.at[i].recording->pid == pid) /* it has become another program */
			end_run(s, i);
	struct recording *above = owner_of(s, (pid_t)status_of(pid, "\nPPid:", 10));
	int process = (int)syscall(SYS_pidfd_open, pid, 0);
	struct err why = {0};
	struct recording *r = process >= 0 ? recording_open(pid, s->spec->limits, &why) : NULL;
	if (r) {
		r->parent = above;
		vec_push(&s->runs, (struct run){ r, process });
	} else {
		s->spec->note(s->spec->context, process >= 0 ? why.text : "a process is gone");
		if (process >= 0)
			close(process);
	}
}

/* A message and a descriptor that may come with it. */
static bool receive(int from, struct td_suite_hello *hello, int *passed)
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

static bool send_listener(int to, int listener)
{
	struct iovec text = { "", 1 };
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { .head = { .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS } };
	struct msghdr m = { .msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control };
	memcpy(CMSG_DATA(&control.head), &listener, sizeof(int));
	return sendmsg(to, &m, MSG_NOSIGNAL) == 1;
}

/* Is he one of ours? Only then is he told to go on. */
static bool is_known(struct suite *s, int link)
{
	struct td_suite_hello hello;
	int nothing;
	bool said = receive(link, &hello, &nothing);
	if (nothing >= 0)
		close(nothing); /* there should be none yet */
	if (!said)
		return false;
	if (hello.version != TD_VERSION)
		s->spec->note(s->spec->context, "a program was built with another version of Tandem: its runs are not recorded");
	return hello.version == TD_VERSION && send(link, "", 1, MSG_NOSIGNAL) == 1;
}

/* Somebody makes himself known. He does so at once, being the runtime; nobody else knows of this socket. */
static void welcome(struct suite *s)
{
	int link = accept4(s->socket, NULL, NULL, SOCK_CLOEXEC), listener = -1;
	struct td_suite_hello hello;
	struct ucred who;
	socklen_t size = sizeof who;
	struct timeval patience = { .tv_sec = HELLO_MS / 1000 };
	if (link < 0)
		return;
	setsockopt(link, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (is_known(s, link) && receive(link, &hello, &listener)) {
		if (listener >= 0) {
			send_listener(s->heir, listener);
			vec_push(&s->listeners, (struct listener){ listener, ++s->serials });
		}
		if (getsockopt(link, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0)
			begin_run(s, who.pid);
		send(link, "", 1, MSG_NOSIGNAL);
	}
	close(link);
}

/* --- the loop --- */

static void add_polled(struct suite *s, int fd)
{
	vec_push(&s->polled, (struct pollfd){ .fd = fd, .events = POLLIN });
}

/* The order in which serve() looks at them. */
static void gather(struct suite *s, int command)
{
	vec_clear(&s->polled);
	add_polled(s, command);
	add_polled(s, s->socket);
	for (size_t i = 0; i < s->listeners.count; i++)
		add_polled(s, s->listeners.at[i].fd);
	for (size_t i = 0; i < s->readers.count; i++)
		add_polled(s, s->readers.at[i].pipe);
	for (size_t i = 0; i < s->runs.count; i++)
		add_polled(s, s->runs.at[i].process);
}

/* Only one thing is done for each look: it may change all the lists. But listeners, of which each answer is one call of one process, are all asked. */
static bool serve(struct suite *s)
{
	size_t listeners = s->listeners.count, readers = s->readers.count, runs = s->runs.count, at = 2;
	const struct pollfd *p = s->polled.at;
	bool over = p[0].revents;
	for (size_t i = 0; i < listeners; i++)
		if (p[at + i].revents & POLLIN)
			answer(s, s->listeners.at[i]);
	for (size_t i = listeners; i--;)
		if (p[at + i].revents & (POLLHUP | POLLERR) && !(p[at + i].revents & POLLIN)) {
			close(s->listeners.at[i].fd);
			s->listeners.at[i] = s->listeners.at[--s->listeners.count];
		}
	at += listeners;
	for (size_t i = readers; i--;)
		if (p[at + i].revents && deliver(s, &s->readers.at[i]))
			drop_reader(s, i);
	at += readers;
	for (size_t i = 0; i < runs; i++)
		if (p[at + i].revents) {
			end_run(s, i);
			break;
		}
	if (p[1].revents)
		welcome(s);
	return !over;
}

static void serve_all(struct suite *s, int command)
{
	for (bool goes_on = true; goes_on;) {
		gather(s, command);
		int n = poll(s->polled.at, s->polled.count, s->readers.count ? TICK_MS : -1);
		if (n > 0)
			goes_on = serve(s);
		else
			tend_readers(s);
	}
	while (s->runs.count) /* what is still running is known as far as it came */
		end_run(s, s->runs.count - 1);
}

/* --- the heir --- */

struct heir {
	VEC(struct listener) listeners;
	VEC(struct pollfd) polled;
	uint32_t serials;
};

/* Those whom nobody uses any more are dropped. */
static void hear_of(struct heir *h, int from)
{
	for (int listener = 0; listener >= 0;) {
		struct td_suite_hello nothing;
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
		receive(from, &nothing, &listener);
		if (listener >= 0)
			vec_push(&h->listeners, (struct listener){ listener, ++h->serials });
	}
}

static void settle(const struct heir *h, uint32_t serial, uint64_t id)
{
	for (size_t i = 0; i < h->listeners.count; i++)
		if (h->listeners.at[i].serial == serial)
			names_let(h->listeners.at[i].fd, id);
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
			if (h->polled.at[i].revents & POLLIN && names_receive(h->listeners.at[i].fd, &n)) {
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
	for (size_t i = 0; i < READERS_MAX; i++)
		settle(&h, will->readers[i].serial, will->readers[i].id);
	let_all(&h);
	_exit(0);
}

static bool start_heir(struct suite *s, struct err *err)
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
		for (int i = 0; i < 3; i++)
			close(i);
		inherit(3, s->will);
	}
	close(pair[1]);
	s->heir = pair[0];
	if (pid < 0)
		return err_errno(err, "cannot start a process");
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return true;
}

/* --- the command --- */

static bool open_socket(struct suite *s, struct err *err)
{
	s->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	for (s->number = TD_SUITE_FIRST; s->socket >= 0 && s->number <= TD_SUITE_LAST; s->number++) {
		struct sockaddr_un at = { .sun_family = AF_UNIX };
		int n = snprintf(at.sun_path + 1, sizeof at.sun_path - 1, TD_SUITE_SOCKET "%u", s->number);
		if (bind(s->socket, (struct sockaddr *)&at, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)) == 0)
			return listen(s->socket, 4096) == 0 || err_errno(err, "cannot listen");
		if (errno != EADDRINUSE)
			break;
	}
	return err_errno(err, "cannot make a socket for the programs of the suite");
}

/* In all that the command starts, one prctl is answered with our number. */
static bool install_number(unsigned number)
{
	struct sock_filter code[] = {
		TD_LISTEN_BEGIN
		TD_LISTEN_IF(SYS_prctl, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
		TD_LISTEN_IF(TD_SUITE_PRCTL, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | number),
		TD_LISTEN_END
	};
	const struct sock_fprog program = { .len = sizeof code / sizeof *code, .filter = code };
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0)
		return true;
	return errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

static _Noreturn void become(const struct suite *s, int tell)
{
	if (install_number(s->number))
		execvp(s->spec->argv[0], s->spec->argv);
	int why = errno;
	(void)!write(tell, &why, sizeof why);
	_exit(127);
}

static bool run_command(struct suite *s, int *status, struct err *err)
{
	struct forward forward;
	int told[2], why;
	if (pipe2(told, O_CLOEXEC))
		return err_errno(err, "cannot make a pipe");
	pid_t pid = fork();
	if (pid == 0)
		become(s, told[1]);
	close(told[1]);
	forward_begin(&forward, pid);
	int command = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	bool ok = command >= 0 || err_errno(err, "cannot start a process");
	if (ok && read(told[0], &why, sizeof why) == sizeof why) {
		errno = why;
		ok = err_errno(err, "%s: cannot execute", s->spec->argv[0]);
	}
	close(told[0]);
	if (ok)
		serve_all(s, command);
	while (pid > 0 && waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
	forward_end(&forward);
	if (command >= 0)
		close(command);
	return ok;
}

bool suite_run(const struct suite_spec *spec, int *status, struct err *err)
{
	struct suite s = { .spec = spec, .socket = -1, .heir = -1, .block = mem_alloc(READ_MAX), .peek = { -1, -1 } };
	s.will = mmap(NULL, sizeof *s.will, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s.will == MAP_FAILED) {
		free(s.block);
		return err_errno(err, "cannot get memory");
	}
	bool ok = (pipe2(s.peek, O_CLOEXEC) == 0 || err_errno(err, "cannot make a pipe")) && fcntl(s.peek[1], F_SETPIPE_SZ, READ_MAX) != 0 && open_socket(&s, err) && start_heir(&s, err) && run_command(&s, status, err);
	for (size_t i = 0; i < s.readers.count; i++) /* the heir lets them through */
		close(s.readers.at[i].pipe);
	for (size_t i = 0; i < s.listeners.count; i++)
		close(s.listeners.at[i].fd);
	for (size_t i = 0; i < s.spares.count; i++)
		str_free(&s.spares.at[i].bytes);
	for (int i = 0; i < 2; i++)
		if (s.peek[i] >= 0)
			close(s.peek[i]);
	if (s.socket >= 0)
		close(s.socket);
	if (s.heir >= 0)
		close(s.heir);
	vec_free(&s.listeners);
	vec_free(&s.runs);
	vec_free(&s.readers);
	vec_free(&s.spares);
	vec_free(&s.polled);
	free(s.block);
	munmap(s.will, sizeof *s.will);
	return ok;
}

bool suite_is_recorded(void)
{
	return prctl(TD_SUITE_PRCTL, 0, 0, 0, 0) < 0 && errno >= TD_SUITE_FIRST && errno <= TD_SUITE_LAST;
}
