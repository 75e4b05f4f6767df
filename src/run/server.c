/* The host's end of the fork server.
 *
 * All the cost of a sandbox is paid once, when the server starts; a run is then two small messages and a fork. Arguments, variables and
 * marks go through the trace, standard input through the memory file that the server rewinds, files through the scratch directory.
 * After a run that forked itself the warden sweeps away what it left behind, before the scratch directory is put in order: a leftover
 * process could write to it.
 *
 * Host, warden, server and child take turns, so they are kept on one processor: that one where the system has put us when it was last free to choose, which it is
 * for one run in SETTLED. On several processors a run took a fifth more processor time and up to twice the time by the clock.
 *
 * A run over time is ended twice, by the server (KILL) and by the warden, because a server that may not signal anybody (no pid
 * namespace, old Landlock) cannot kill its own child. */
#include "run/server.h"

#include "base/err.h"
#include "contract/server.h"
#include "contract/trace.h"
#include "run/box.h"
#include "run/request.h"
#include "run/scratch.h"
#include "run/target.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HELLO_MS 10000
#define GRACE_MS 2000
#define SETTLED 128u
#define SOON_MS 500 /* a server that has closed its socket is given the time to say how it ended */

struct server {
	struct box box;
	struct target_spec spec;
	struct td_header *header;
	struct scratch *scratch;
	uint64_t forks;   /* allowed when it was last known that only the server is left */
	cpu_set_t all;    /* processors that we may use */
	unsigned runs;
	int processor;    /* all of us are on; -1: any */
	int socket;
};

/* A run as far as it has come. */
struct turn {
	uint64_t deadline;
	int status;
	int sweeps;   /* asked for and not yet done */
	bool ended, killed, again, reused;
};

static bool post(struct server *s, enum td_server_message kind)
{
	struct td_message m = {.kind = kind, .value = s->processor + 1};
	return send(s->socket, &m, sizeof m, MSG_NOSIGNAL) == sizeof m;
}

static bool receive(struct server *s, struct td_message *m)
{
	ssize_t n;
	do
		n = recv(s->socket, m, sizeof *m, 0);
	while (n < 0 && errno == EINTR);
	return n == sizeof *m;
}

/* What the warden has to say about the end; false: nothing in so many milliseconds. */
static bool hear(struct server *s, int ms, struct warden_report *report)
{
	struct outcome out = {0};
	*report = (struct warden_report){.kind = WARDEN_LOST};
	do {
		if (box_wait(&s->box, -1, box_deadline(ms), &out) != BOX_CONTROL)
			break;
		warden_receive(&s->box.warden, report);
	} while (report->kind == WARDEN_SWEPT);
	outcome_free(&out);
	return report->kind != WARDEN_LOST && report->kind != WARDEN_SWEPT;
}

/* The server closed its socket or the warden speaks unasked: it has ended, or is about to. */
static bool died(struct server *s, struct err *err)
{
	struct warden_report report;
	struct outcome out = {0};

	if (!hear(s, SOON_MS, &report)) {
		warden_kill(&s->box.warden);
		hear(s, GRACE_MS, &report);
	}
	if (report.kind != WARDEN_ENDED)
		return box_failure(&s->spec, &report, err);
	box_outcome(&out, report.status, false);
	if (out.kind == OUTCOME_EXIT)
		return err_set(err, "%s: the fork server exited with %d", s->spec.program, out.code);
	return err_set(err, "%s: the fork server was ended by signal %d (%s)", s->spec.program, out.signal,
		strsignal(out.signal));
}

static bool await_hello(struct server *s, struct err *err)
{
	struct outcome out = {0};
	struct td_message m;
	enum box_event event = box_wait(&s->box, s->socket, box_deadline(HELLO_MS), &out);
	outcome_free(&out);
	if (event == BOX_TIMEOUT)
		return err_set(err, "%s: no fork server answers (was it built with tandem cc?)", s->spec.program);
	if (event == BOX_CONTROL || !receive(s, &m))
		return died(s, err);
	if (m.kind != TD_MSG_HELLO)
		return err_set(err, "%s: its fork server speaks another protocol", s->spec.program);
	return true;
}

/* -1: wherever the system likes. */
static void stay_on(struct server *s, int processor)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	if (processor >= 0)
		CPU_SET(processor, &one);
	const cpu_set_t *set = processor >= 0 ? &one : &s->all;
	if (processor == s->processor || sched_setaffinity(0, sizeof *set, set))
		return;
	sched_setaffinity(s->box.warden.pid, sizeof *set, set);
	s->processor = processor;
}

static void settle(struct server *s)
{
	unsigned turn = s->runs++ % SETTLED;
	if (turn < 2 && CPU_COUNT(&s->all) > 1)
		stay_on(s, turn ? sched_getcpu() : -1);
}

static void ask_sweep(struct server *s, struct turn *t)
{
	warden_sweep(&s->box.warden);
	t->sweeps++;
	t->deadline = box_deadline(GRACE_MS);
}

static bool turn_message(struct server *s, struct turn *t, struct err *err)
{
	struct td_message m;
	if (!receive(s, &m))
		return died(s, err);
	if (m.kind != TD_MSG_ENDED && m.kind != TD_MSG_UNDONE && m.kind != TD_MSG_AGAIN)
		return true;
	t->ended = true;
	t->again = m.kind == TD_MSG_AGAIN;
	t->reused = !m.forks;
	t->status = m.value;
	uint64_t forks = *s->box.warden.forks;
	if (m.kind != TD_MSG_UNDONE && (!forks || forks != s->forks + m.forks)) /* more than the server's own */
		ask_sweep(s, t);
	s->forks = forks;
	return true;
}

static bool turn_report(struct server *s, struct turn *t, struct err *err)
{
	struct warden_report report;
	warden_receive(&s->box.warden, &report);
	if (report.kind == WARDEN_SWEPT) {
		t->sweeps--;
		return true;
	}
	if (report.kind == WARDEN_ENDED)
		return err_set(err, "%s: the fork server ended (wait status %#x)", s->spec.program, (unsigned)report.status);
	return box_failure(&s->spec, &report, err);
}

static bool turn_late(struct server *s, struct turn *t, struct err *err)
{
	if (t->killed || t->ended)
		return err_set(err, "%s: the fork server does not answer", s->spec.program);
	t->killed = true;
	post(s, TD_MSG_KILL);
	ask_sweep(s, t);
	return true;
}

static bool turn_step(struct server *s, struct turn *t, struct outcome *out, struct err *err)
{
	switch (box_wait(&s->box, s->socket, t->deadline, out)) {
	case BOX_EXTRA: return turn_message(s, t, err);
	case BOX_CONTROL: return turn_report(s, t, err);
	default: return turn_late(s, t, err);
	}
}

/* What the program started before its main is to be gone before the first run, which may leave a process behind that is used again. */
static bool sweep_start(struct server *s, struct err *err)
{
	struct outcome out = {0};
	struct turn t = {.ended = true};
	bool ok = true;
	s->forks = *s->box.warden.forks;
	if (s->forks != 1) /* or they are not counted */
		ask_sweep(s, &t);
	while (ok && t.sweeps)
		ok = turn_step(s, &t, &out, err);
	outcome_free(&out);
	return ok;
}

static bool start(struct server *s, struct err *err)
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return err_errno(err, "cannot make a socket pair");
	int theirs = fcntl(pair[1], F_DUPFD_CLOEXEC, 3);
	close(pair[1]);
	s->socket = pair[0];
	s->header->flags |= TD_SERVER;
	s->header->server_fd = theirs;
	s->header->open_files = s->spec.policy.limits.open_files;
	if (s->header->open_files)
		s->spec.policy.limits.open_files += TD_SERVER_KEEPS;
	bool ok = box_open(&s->box, &s->spec, theirs, err);
	close(theirs);
	if (ok && (!await_hello(s, err) || !sweep_start(s, err))) {
		box_close(&s->box);
		ok = false;
	}
	if (!ok)
		close(s->socket);
	return ok;
}

struct server *server_open(const struct target_spec *spec, struct td_header *header, struct scratch *scratch,
	struct err *err)
{
	struct server *s = calloc(1, sizeof *s);
	if (!s) {
		err_set(err, "out of memory");
		return NULL;
	}
	*s = (struct server){.spec = *spec, .header = header, .scratch = scratch, .forks = 1, .processor = -1};
	if (sched_getaffinity(0, sizeof s->all, &s->all))
		CPU_ZERO(&s->all);
	s->spec.policy.limits.cpu_s = 0;
	if (start(s, err))
		return s;
	free(s);
	return NULL;
}

/* Everything where the program will look for it. */
static bool lay_out(struct server *s, const struct testcase *t, struct err *err)
{
	if (t->files_count && !s->scratch)
		return err_set(err, "files need a scratch directory");
	return request_put(s->header, t, err) && box_set_input(&s->box, t->bytes, t->size, err) &&
		(!t->files_count || (scratch_reset(s->scratch, err) && scratch_put(s->scratch, t->files, t->files_count, err)));
}

void server_patience(struct server *s, int wall_ms)
{
	s->spec.wall_ms = wall_ms;
}

bool server_run(struct server *s, const struct testcase *given, bool fresh, struct outcome *out, struct err *err)
{
	uint64_t start_us = box_now_us();
	struct turn t = {.deadline = box_deadline(s->spec.wall_ms)};

	*out = (struct outcome){.kind = OUTCOME_FAILED_TO_START};
	if (!lay_out(s, given, err))
		return false;
	settle(s);
	bool ok = post(s, fresh ? TD_MSG_RUN_FRESH : TD_MSG_RUN) || died(s, err);
	while (ok && (!t.ended || t.sweeps))
		ok = turn_step(s, &t, out, err);
	if (!ok) {
		outcome_free(out);
		return false;
	}
	box_drain(&s->box, out);
	box_outcome(out, t.status, t.killed);
	if (t.again)
		out->kind = OUTCOME_AGAIN;
	out->reused = t.reused;
	out->wall_us = box_now_us() - start_us;
	return !s->scratch || scratch_reset(s->scratch, err);
}

void server_close(struct server *s)
{
	if (!s)
		return;
	stay_on(s, -1);
	post(s, TD_MSG_QUIT);
	close(s->socket);
	box_close(&s->box);
	free(s);
}
