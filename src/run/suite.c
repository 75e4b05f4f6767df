/* One loop answers everybody: the command's processes that make themselves known, their calls that name a file, and their reads of standard input.
 *
 * Of a pipe we see what is in it before the process reads (tee), and then it does. If more may come in between, so that nobody could say how much it got, the read is done by us, and what was read
 * is put into the process's memory: no byte is taken that the process did not ask for, and the pipe stays what it was to those who write to it. We hold it open only while the process itself
 * waits in that call, so that a writer learns in time that nobody reads any more. What was read for a process that is gone before it has it waits for the next reader (`spare`). Nobody else's read is looked
 * at while one that was seen may not have been done yet (`seen`): he would see the same. A process that throws away what is left (splice to /dev/null) is no other reader. What is read in other ways, or cannot be read for a process, is its own business; then all that is known is that
 * something is not.
 *
 * Nobody is waited for: who has said half of what he wants to say (`links`) may be stopped. But who was told to go on is heard to the end: from then on he has a filter, and somebody has to answer.
 *
 * A process whose calls nobody answers would fail at each of them. When we are gone, an heir answers (heir.h). */
#include "run/suite.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "contract/suite.h"
#include "contract/trace.h"
#include "run/forward.h"
#include "run/heir.h"
#include "run/names.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_MS 20          /* how often a process that waits for its standard input is looked at */
#define READ_MAX (1 << 20)  /* of one read */
#define SEEN_MS 50          /* a process has read what is there, which takes no time */
#define PARENTS_MAX 64
#define HELLO_MS 5000       /* at the end, for those who have not said all */
#define DESCRIPTORS 32      /* that we use besides those of processes; */
#define DESCRIPTORS_EACH 5  /* of a process: listener, for a moment twice, end, standard input, link */

/* A read of standard input that waits. */
struct reader {
	struct listener from;
	int pipe;
	bool is_socket, is_patient, is_thrown; /* thrown: away */
	uint64_t id, inode, address, count;
	pid_t pid;
};

/* What was read and not delivered. */
struct spare {
	uint64_t inode;
	struct str bytes;
};

/* A read that the process does itself. */
struct seen {
	uint64_t inode;
	pid_t pid;
	double until; /* by then it has done so, whatever else we hear of it */
};

struct run {
	struct recording *recording;
	int process; /* tells when it is over */
};

/* Somebody who makes himself known. */
struct link {
	int fd;
	uint32_t serial;
	bool goes_on; /* he was told so */
};

struct suite {
	const struct suite_spec *spec;
	struct rlimit descriptors; /* as the command has it; ours is as large as can be, */
	size_t descriptors_max;    /* which is this */
	int socket, heir;  /* where processes make themselves known; what the heir hears from */
	unsigned number;
	uint32_t tokens[2];
	struct will *will;
	uint32_t serials;
	VEC(struct listener) listeners;
	VEC(struct run) runs;
	VEC(struct reader) readers;
	VEC(struct spare) spares;
	VEC(struct seen) seen;
	VEC(struct link) links;
	VEC(struct pollfd) polled;
	double tended;     /* when readers will have to be looked at again */
	bool told_version, told_deaf, told_full; /* notes, once each */
	char *block;
	int peek[2];       /* a pipe for what is in another */
};

static void note_once(struct suite *s, bool *told, const char *text)
{
	if (!*told)
		s->spec->note(s->spec->context, text);
	*told = true;
}

/* Is there room for another process, or for something of one? */
static bool has_room(const struct suite *s, size_t descriptors)
{
	return DESCRIPTORS + s->listeners.count + s->runs.count + s->readers.count + s->links.count + descriptors <= s->descriptors_max;
}

/* --- who is it? --- */

/* Of /proc. */
static const char *read_text(pid_t pid, const char *name, char *text, size_t room)
{
	char path[48];
	snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, room - 1) : 0;
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

/* A number of /proc/PID/status, or 0. */
static uint64_t field(const char *status, const char *name, int base)
{
	const char *at = strstr(status, name);
	return at ? strtoull(at + strlen(name), NULL, base) : 0;
}

static pid_t above(pid_t pid, const char *name)
{
	char text[4096];
	return (pid_t)field(read_text(pid, "status", text, sizeof text), name, 10);
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
	pid_t pid = r ? 0 : above(thread, "\nTgid:");
	for (int i = 0; !r && pid > 1 && i < PARENTS_MAX; i++) {
		r = recording_of(s, pid);
		pid = r ? 0 : above(pid, "\nPPid:");
	}
	return r;
}

/* --- names --- */

#define LOST "not all that it read from its standard input is known"

/* Standard input may be opened by a name as well. */
static bool is_input(const char *path)
{
	static const char *const names[] = { "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(path, names[i]) == 0)
			return true;
	return false;
}

static void named(void *context, const char *path, enum name_use use)
{
	for (struct recording *r = context; r; r = r->parent) {
		recording_named(r, path, use);
		if (r->pipe && use >= NAME_OPEN && is_input(path))
			recording_trouble(r, LOST);
		if (strcmp(path, "/dev/tty") == 0)
			recording_trouble(r, RECORDING_TERMINAL);
	}
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

/* As a read of its own would: not where it may not write. */
static bool put_into(pid_t pid, uint64_t address, char *bytes, size_t size)
{
	struct iovec from = { bytes, size }, to = { (void *)(uintptr_t)address, size };
	return process_vm_writev(pid, &from, 1, &to, 1, 0) == (ssize_t)size;
}

/* To all whose standard input it is. */
static void fed(struct recording *to, const struct reader *r, const char *bytes, size_t size)
{
	for (; to; to = to->parent)
		if (to->pipe == r->inode)
			recording_fed(to, bytes, size);
}

static void lost(struct recording *r, uint64_t inode, const char *why)
{
	for (; r; r = r->parent)
		if (r->pipe == inode)
			recording_trouble(r, why);
}

static ssize_t take(struct suite *s, const struct reader *r)
{
	size_t count = r->count < READ_MAX ? (size_t)r->count : READ_MAX;
	struct spare *p = spare_of(s, r->inode);
	if (p && p->bytes.length)
		return take_spare(p, s->block, count);
	return r->is_socket ? recv(r->pipe, s->block, count, MSG_DONTWAIT) : read(r->pipe, s->block, count);
}

/* Has somebody else not done yet what he was let to do? */
static bool is_ahead(struct suite *s, const struct reader *r)
{
	double now = clock_seconds();
	bool ahead = false;
	for (size_t i = s->seen.count; i--;) {
		const struct seen *one = &s->seen.at[i];
		if (one->until <= now || kill(one->pid, 0))
			s->seen.at[i] = s->seen.at[--s->seen.count];
		else
			ahead |= one->inode == r->inode;
	}
	return ahead;
}

/* He asks for something else now. */
static void is_back(struct suite *s, pid_t pid)
{
	for (size_t i = s->seen.count; i--;)
		if (s->seen.at[i].pid == pid)
			s->seen.at[i] = s->seen.at[--s->seen.count];
}

/* Whatever the process reads now, it is what we see: all that it asks for is there, or nobody can add to it. */
static bool see_through(struct suite *s, const struct reader *r, struct recording *owner)
{
	struct pollfd p = { .fd = r->pipe, .events = POLLIN };
	size_t count = r->count < READ_MAX ? (size_t)r->count : READ_MAX;
	struct spare *spare = spare_of(s, r->inode);
	int there = 0;
	if (r->is_socket || (spare && spare->bytes.length))
		return false;
	ssize_t n = tee(r->pipe, s->peek[1], count, SPLICE_F_NONBLOCK);
	if (n > 0 && read(s->peek[0], s->block, READ_MAX) != n)
		return false;
	bool alone = poll(&p, 1, 0) >= 0 && p.revents & POLLHUP;
	if (n < 0 || (n == 0 && !alone) || ((uint64_t)n < r->count && !(alone && ioctl(r->pipe, FIONREAD, &there) == 0 && there == n)))
		return false;
	fed(owner, r, s->block, (size_t)n);
	vec_push(&s->seen, (struct seen){ r->inode, r->pid, clock_seconds() + SEEN_MS / 1000.0 });
	names_let(r->from.fd, r->id);
	return true;
}

/* False: there is nothing to be read yet. */
static bool deliver(struct suite *s, const struct reader *r)
{
	struct recording *owner = owner_of(s, r->pid); /* when it has its answer it may be gone at once */
	if (is_ahead(s, r))
		return false;
	if (see_through(s, r, owner))
		return true;
	ssize_t n = take(s, r);
	if (n < 0 && errno == EAGAIN && r->is_patient)
		return false;
	if (n < 0) {
		names_answer(r->from.fd, r->id, 0, errno);
		return true;
	}
	bool is_put = !n || r->is_thrown || put_into(r->pid, r->address, s->block, (size_t)n);
	if (!names_answer(r->from.fd, r->id, is_put ? n : 0, is_put ? 0 : EFAULT) || !is_put)
		keep_spare(s, r->inode, s->block, (size_t)n);
	else
		fed(owner, r, s->block, (size_t)n);
	return true;
}

/* A signal that would end its call, to be told to the process, to stop it or to end it, waits until its read is answered: then the read is its own business again, and what it reads not known. (One that just
 * ends it does not wait.) */
static bool is_interrupted(pid_t pid)
{
	const uint64_t harmless = 1ull << (SIGCHLD - 1) | 1ull << (SIGCONT - 1) | 1ull << (SIGURG - 1) | 1ull << (SIGWINCH - 1);
	char text[4096];
	const char *status = read_text(pid, "status", text, sizeof text);
	uint64_t pending = field(status, "\nSigPnd:", 16) | field(status, "\nShdPnd:", 16), caught = field(status, "\nSigCgt:", 16);
	return pending & ~field(status, "\nSigBlk:", 16) & ~field(status, "\nSigIgn:", 16) & (caught | ~harmless);
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

/* Those that are gone. */
static void drop_readers(struct suite *s)
{
	for (size_t i = s->readers.count; i--;)
		if (ioctl(s->readers.at[i].from.fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &s->readers.at[i].id))
			drop_reader(s, i);
}

static void tend_readers(struct suite *s)
{
	double start = clock_seconds();
	if (!s->readers.count || start < s->tended)
		return;
	drop_readers(s);
	for (size_t i = s->readers.count; i--;) {
		struct reader *r = &s->readers.at[i];
		if (!is_interrupted(r->pid))
			continue;
		lost(owner_of(s, r->pid), r->inode, "it was interrupted while it waited for its standard input");
		names_let(r->from.fd, r->id);
		drop_reader(s, i);
	}
	double now = clock_seconds();
	s->tended = now + TICK_MS / 1000.0 + 4 * (now - start); /* of many it takes long */
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

/* A socket may be told to wait so long and no longer. */
static bool has_limit(int socket)
{
	struct timeval limit = {0};
	socklen_t size = sizeof limit;
	return getsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, &size) || limit.tv_sec || limit.tv_usec;
}

static bool is_patient(pid_t pid)
{
	char text[256];
	const char *at = strstr(read_text(pid, "fdinfo/0", text, sizeof text), "flags:");
	return !(at && strtoul(at + 6, NULL, 8) & O_NONBLOCK);
}

/* False: it cannot be read for the process. */
static bool open_reader(struct suite *s, struct reader *r, const char *path, const struct stat *st)
{
	r->inode = st->st_ino;
	r->is_socket = S_ISSOCK(st->st_mode);
	r->is_patient = is_patient(r->pid);
	if (s->readers.count >= HEIR_READERS || !has_room(s, 1))
		return false;
	r->pipe = open_pipe(r->pid, path, st);
	if (r->pipe < 0 || !r->is_socket || !has_limit(r->pipe))
		return r->pipe >= 0;
	close(r->pipe);
	return false;
}

/* Is the process's standard input that of its recording, or of one above, and no file? */
static bool reads_ours(const struct recording *owner, pid_t pid, char path[32], struct stat *st)
{
	snprintf(path, 32, "/proc/%d/fd/0", pid);
	return stat(path, st) == 0 && !S_ISREG(st->st_mode) && is_ours(owner, st->st_ino);
}

static bool is_device(const struct stat *st)
{
	return !S_ISFIFO(st->st_mode) && !S_ISSOCK(st->st_mode);
}

/* All that is read goes where it is never seen again. */
static bool throws_away(const struct seccomp_notif *n)
{
	char path[48];
	struct stat st;
	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)n->pid, (int)n->data.args[2]);
	return n->data.nr == SYS_splice && !n->data.args[1] && !(n->data.args[5] & SPLICE_F_NONBLOCK) && stat(path, &st) == 0 && S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3);
}

static void begin_read(struct suite *s, struct listener from, const struct seccomp_notif *n)
{
	bool thrown = n->data.nr == SYS_splice;
	struct reader r = { .from = from, .id = n->id, .pid = (pid_t)n->pid, .address = n->data.args[1], .count = n->data.args[thrown ? 4 : 2], .is_thrown = thrown };
	struct recording *owner = owner_of(s, r.pid);
	char path[32];
	struct stat st;
	if (!r.count || !reads_ours(owner, r.pid, path, &st)) {
		names_let(from.fd, n->id);
	} else if (is_device(&st) || !open_reader(s, &r, path, &st)) {
		lost(owner, st.st_ino, is_device(&st) ? RECORDING_TERMINAL : LOST);
		names_let(from.fd, n->id);
	} else if (deliver(s, &r)) {
		close(r.pipe);
	} else {
		add_reader(s, &r);
	}
}

/* Read in another way, or under another number from now on. */
static void read_otherwise(struct suite *s, const struct seccomp_notif *n)
{
	struct recording *owner = owner_of(s, (pid_t)n->pid);
	bool copies = n->data.args[1] == F_DUPFD || n->data.args[1] == F_DUPFD_CLOEXEC;
	char path[32];
	struct stat st;
	if ((n->data.nr != SYS_fcntl || copies) && reads_ours(owner, (pid_t)n->pid, path, &st))
		lost(owner, st.st_ino, LOST);
}

/* --- processes --- */

static bool is_input_call(int number)
{
#define INPUT(call) || number == call
	return false TD_LISTEN_INPUTS(INPUT);
#undef INPUT
}

/* A process can keep others from looking at it, but for root. */
static bool may_look(const struct seccomp_notif *n)
{
	char byte;
	struct iovec to = { &byte, 1 }, from = { (void *)(uintptr_t)n->data.instruction_pointer, 1 };
	return process_vm_readv((pid_t)n->pid, &to, 1, &from, 1, 0) == 1 || errno != EPERM;
}

static void hear(struct suite *s, const struct seccomp_notif *n, struct recording *r)
{
	bool may = may_look(n);
	if (may && is_input_call(n->data.nr))
		read_otherwise(s, n);
	else if (may)
		names_of(n, named, r);
	const char *why = !may ? "it does not let others look at it" : n->data.nr == SYS_chroot ? RECORDING_ELSEWHERE : NULL;
	for (; r && why; r = r->parent)
		recording_trouble(r, why);
}

static void answer(struct suite *s, struct listener from)
{
	const struct seccomp_notif *n = &s->will->notice.ask;
	s->will->serial = from.serial;
	bool is_asked = names_receive(from.fd, &s->will->notice);
	is_back(s, (pid_t)n->pid);
	if (is_asked && (n->data.nr == SYS_read || throws_away(n)) && may_look(n)) {
		begin_read(s, from, n);
	} else if (n->id) {
		struct recording *r = owner_of(s, (pid_t)n->pid);
		if (r)
			hear(s, n, r);
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
	drop_readers(s); /* who writes to one that is gone learns it now */
	recording_finish(r);
	s->spec->recorded(s->spec->context, r);
	recording_close(r);
}

static void begin_run(struct suite *s, pid_t pid)
{
	for (size_t i = s->runs.count; i--;)
		if (s->runs.at[i].recording->pid == pid) /* it has become another program */
			end_run(s, i);
	struct recording *parent = owner_of(s, above(pid, "\nPPid:"));
	int process = (int)syscall(SYS_pidfd_open, pid, 0);
	struct err why = {0};
	struct recording *r = process >= 0 ? recording_open(pid, s->spec->limits, &why) : NULL;
	if (r) {
		r->parent = parent;
		vec_push(&s->runs, (struct run){ r, process });
	} else {
		s->spec->note(s->spec->context, process >= 0 ? why.text : "a process is gone");
		if (process >= 0)
			close(process);
	}
}

/* Is he one of ours, and is there room for him? Only then is he told to go on. */
static bool let_go_on(struct suite *s, struct link *l)
{
	struct td_suite_hello hello;
	int nothing;
	bool said = heir_receive(l->fd, 0, &hello, &nothing);
	if (nothing >= 0)
		close(nothing); /* there should be none yet */
	if (!said)
		return false;
	if (hello.version != TD_VERSION)
		note_once(s, &s->told_version, "a program was built with another version of Tandem: its runs are not recorded");
	else if (hello.tokens[0] != s->tokens[0] || hello.tokens[1] != s->tokens[1])
		return false; /* of an earlier suite that had our number */
	else if (!has_room(s, DESCRIPTORS_EACH))
		note_once(s, &s->told_full, "too many processes at a time for the limit of open files (ulimit -n): not all runs are recorded");
	else
		l->goes_on = true;
	if (l->goes_on) {
		heir_give(s->heir, HEIR_LINK, l->serial, l->fd);
		send(l->fd, "", 1, MSG_NOSIGNAL);
	}
	return l->goes_on;
}

/* He has a filter now; or there was one before. At no time is there nobody who has its listener. */
static void meet(struct suite *s, const struct link *l)
{
	struct td_suite_hello hello;
	struct ucred who;
	socklen_t size = sizeof who;
	struct listener listener = { .serial = l->serial };
	int again;
	if (!heir_receive(l->fd, MSG_PEEK, &hello, &listener.fd)) {
		note_once(s, &s->told_deaf, "a program cannot be listened to: its runs are not recorded");
		return;
	}
	if (listener.fd >= 0) {
		heir_give(s->heir, HEIR_LISTENER, listener.serial, listener.fd);
		vec_push(&s->listeners, listener);
	}
	heir_receive(l->fd, 0, &hello, &again);
	if (again >= 0)
		close(again);
	if (getsockopt(l->fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0)
		begin_run(s, who.pid);
	send(l->fd, "", 1, MSG_NOSIGNAL);
}

/* Something was said, or somebody is gone. */
static void hear_link(struct suite *s, size_t i)
{
	struct link l = s->links.at[i];
	if (!l.goes_on && let_go_on(s, &s->links.at[i]))
		return;
	if (l.goes_on)
		meet(s, &l);
	close(l.fd);
	s->links.at[i] = s->links.at[--s->links.count];
}

static void welcome(struct suite *s)
{
	int fd = accept4(s->socket, NULL, NULL, SOCK_CLOEXEC);
	if (fd >= 0)
		vec_push(&s->links, (struct link){ .fd = fd, .serial = ++s->serials });
}

/* Whom we told to go on will depend on somebody's answers. */
static void hear_all(struct suite *s)
{
	for (size_t i = s->links.count; i--;) {
		struct pollfd one = { .fd = s->links.at[i].fd, .events = POLLIN };
		if (s->links.at[i].goes_on && poll(&one, 1, HELLO_MS) > 0)
			hear_link(s, i);
	}
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
	for (size_t i = 0; i < s->links.count; i++)
		add_polled(s, s->links.at[i].fd);
}

/* Only one thing is done for each look: it may change all the lists. But listeners, of which each answer is one call of one process, are all asked. */
static bool serve(struct suite *s)
{
	size_t listeners = s->listeners.count, readers = s->readers.count, runs = s->runs.count, links = s->links.count, at = 2;
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
	at += runs;
	for (size_t i = links; i--;)
		if (p[at + i].revents)
			hear_link(s, i);
	if (p[1].revents)
		welcome(s);
	return !over;
}

static void serve_all(struct suite *s, int command)
{
	for (bool goes_on = true; goes_on;) {
		gather(s, command);
		if (poll(s->polled.at, s->polled.count, s->readers.count ? TICK_MS : -1) > 0)
			goes_on = serve(s);
		tend_readers(s);
	}
	hear_all(s);
	while (s->runs.count) /* what is still running is known as far as it came */
		end_run(s, s->runs.count - 1);
}

/* --- the command --- */

static bool open_socket(struct suite *s, struct err *err)
{
	struct rng rng;
	rng_seed(&rng, (uint64_t)(clock_seconds() * 1e9) ^ (uint64_t)getpid() << 40);
	for (int i = 0; i < 2; i++)
		s->tokens[i] = TD_SUITE_FIRST + (uint32_t)rng_below(&rng, TD_SUITE_LAST - TD_SUITE_FIRST);
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
static bool install_number(const struct suite *s)
{
	struct sock_filter code[] = {
		TD_LISTEN_BEGIN
		TD_LISTEN_IF(SYS_prctl, 8),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
		TD_LISTEN_IF(TD_SUITE_PRCTL, 6),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
		TD_LISTEN_IF(1, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | s->tokens[0]),
		TD_LISTEN_IF(2, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | s->tokens[1]),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | s->number),
		TD_LISTEN_END
	};
	const struct sock_fprog program = { .len = sizeof code / sizeof *code, .filter = code };
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0)
		return true;
	return errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

static _Noreturn void become(const struct suite *s, int tell)
{
	setrlimit(RLIMIT_NOFILE, &s->descriptors);
	if (install_number(s))
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

/* Each process of the suite is several open files to us. */
static void raise_limit(struct suite *s)
{
	getrlimit(RLIMIT_NOFILE, &s->descriptors);
	struct rlimit most = { s->descriptors.rlim_max, s->descriptors.rlim_max };
	rlim_t now = setrlimit(RLIMIT_NOFILE, &most) ? s->descriptors.rlim_cur : most.rlim_cur;
	s->descriptors_max = now < INT_MAX ? (size_t)now : INT_MAX;
}

static void close_all(struct suite *s)
{
	for (size_t i = 0; i < s->readers.count; i++) /* the heir lets them through */
		close(s->readers.at[i].pipe);
	for (size_t i = 0; i < s->listeners.count; i++)
		close(s->listeners.at[i].fd);
	for (size_t i = 0; i < s->links.count; i++)
		close(s->links.at[i].fd);
	for (size_t i = 0; i < s->spares.count; i++)
		str_free(&s->spares.at[i].bytes);
	for (int i = 0; i < 2; i++)
		if (s->peek[i] >= 0)
			close(s->peek[i]);
	if (s->socket >= 0)
		close(s->socket);
	if (s->heir >= 0)
		close(s->heir);
	vec_free(&s->listeners);
	vec_free(&s->runs);
	vec_free(&s->readers);
	vec_free(&s->spares);
	vec_free(&s->seen);
	vec_free(&s->links);
	vec_free(&s->polled);
	free(s->block);
	munmap(s->will, sizeof *s->will);
}

bool suite_run(const struct suite_spec *spec, int *status, struct err *err)
{
	struct suite s = { .spec = spec, .socket = -1, .heir = -1, .block = mem_alloc(READ_MAX), .peek = { -1, -1 } };
	s.will = mmap(NULL, sizeof *s.will, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s.will == MAP_FAILED) {
		free(s.block);
		return err_errno(err, "cannot get memory");
	}
	raise_limit(&s);
	bool ok = (pipe2(s.peek, O_CLOEXEC) == 0 || err_errno(err, "cannot make a pipe")) && fcntl(s.peek[1], F_SETPIPE_SZ, READ_MAX) != 0 && open_socket(&s, err) && heir_start(s.will, &s.heir, err) && run_command(&s, status, err);
	close_all(&s);
	setrlimit(RLIMIT_NOFILE, &s.descriptors);
	return ok;
}

bool suite_is_recorded(void)
{
	return prctl(TD_SUITE_PRCTL, 0, 0, 0, 0) < 0 && errno >= TD_SUITE_FIRST && errno <= TD_SUITE_LAST;
}
