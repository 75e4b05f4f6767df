/* See team.h. Members are processes, forked from here, each with an engine, a solver and a fork server of its own, so one that dies takes nothing with it. They work in epochs, by the number of
 * runs: at the end of one, each has told what it found, and is told what the others did. What was found is taken member by member, epoch by epoch, whoever was faster: so a seed and a number of members decide everything,
 * as long as no time limit strikes. An epoch is short at first, when there is most to be told.
 *
 * Where the search leaves no path but those of the inputs to start from (struct strategy, whole), each member has its share of these inputs, and none has anything to tell the others: there are no epochs, and what
 * was found is taken as it comes. So it is for one alone.
 *
 * A team rests while its gate is shut: an eventfd, which members look at between two steps. When they do is not up to a seed, but all the same to what they do.
 *
 * A message is a kind, a size and so many bytes. To us: FOUND, RUNS, FLIPS, LEFT, COUNTS, TROUBLE and, as the last of an epoch, END. To them: FOUND, RUNS, FLIPS of the others and GO. */
#include "cli/team.h"

#include "cli/cli.h"
#include "cli/status.h"
#include "cli/told.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/vec.h"
#include "search/search.h"
#include "testcase/casefile.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST_EPOCH 32u   /* runs of each */
#define EPOCH_MAX 512u
#define LOOK_MS 500       /* how often we look at the clock */

enum kind { M_FOUND, M_RUNS, M_FLIPS, M_LEFT, M_COUNTS, M_END, M_TROUBLE, M_GO };

struct head {
	uint32_t kind;
	uint32_t flags;  /* of END: the member leaves; of GO: stop */
	uint64_t size;
};

static void put_message(struct str *out, enum kind kind, uint32_t flags, const void *bytes, size_t size)
{
	struct head h = { kind, flags, size };
	str_add_bytes(out, &h, sizeof h);
	if (size)
		str_add_bytes(out, bytes, size);
}

/* --- a member --- */

struct member {
	struct telling telling;       /* first, as the engine's calls want it */
	int fd, gate;
	const volatile sig_atomic_t *stop;
	struct str out;               /* not sent yet */
	VEC(uint64_t) runs;
	VEC(struct campaign_flip) flips;
	struct arena *arena;          /* what the others told */
	VEC(struct testcase) feeds;
	VEC(uint64_t) their_runs;
	VEC(struct past_flip) their_flips;
	VEC(struct past_edge) their_edges;
	uint64_t *epoch;
};

static void send_all(struct member *m)
{
	if (!fs_write_fd(m->fd, m->out.text, m->out.length))
		_exit(1); /* there is nobody to tell any more */
	str_clear(&m->out);
}

static void member_found(struct telling *r, const struct told *t)
{
	struct member *m = (struct member *)r;
	struct str bytes = {0};
	told_pack(t, &bytes);
	put_message(&m->out, M_FOUND, 0, bytes.text, bytes.length);
	str_free(&bytes);
	if (t->kind == TOLD_BUG)
		send_all(m);
}

static void member_ran(void *context, uint64_t hash)
{
	vec_push(&((struct member *)context)->runs, hash);
}

static void member_answered(void *context, uint64_t key, uint8_t state)
{
	vec_push(&((struct member *)context)->flips, (struct campaign_flip){ .key = key, .state = state });
}

static void member_left(void *context, const struct testcase *t)
{
	struct member *m = context;
	struct str text = {0};
	if (t)
		casefile_print(&(struct casefile){ .input = *t, .kind = CASE_SEED }, &text);
	put_message(&m->out, M_LEFT, 0, text.text, text.length);
	str_free(&text);
}

static void put_lists(struct member *m)
{
	put_message(&m->out, M_RUNS, 0, m->runs.at, m->runs.count * sizeof *m->runs.at);
	put_message(&m->out, M_FLIPS, 0, m->flips.at, m->flips.count * sizeof *m->flips.at);
	vec_clear(&m->runs);
	vec_clear(&m->flips);
}

static void member_tick(void *context, const struct engine_stats *s)
{
	struct member *m = context;
	put_lists(m);
	put_message(&m->out, M_COUNTS, 0, s, sizeof *s);
	send_all(m);
}

/* Until the gate is open. */
static void member_rest(void *context)
{
	const struct member *m = context;
	struct pollfd gate = { .fd = m->gate, .events = POLLIN };
	while (poll(&gate, 1, -1) < 0 && errno == EINTR && !(m->stop && *m->stop))
		;
}

static bool read_all(int fd, void *bytes, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = read(fd, (char *)bytes + done, size - done);
		if (n == 0 || (n < 0 && errno != EINTR))
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

static void learn_found(struct member *m, const void *bytes, size_t size)
{
	struct told t;
	struct casefile c;
	if (!told_unpack(&t, bytes, size, m->arena) || t.kind != TOLD_TEST)
		return;
	for (size_t i = 0; i < t.edges_count; i++)
		vec_push(&m->their_edges, (struct past_edge){ .build = t.edges[i].build, .edge = t.edges[i].edge });
	if (casefile_parse(&c, t.content, t.size, m->arena, NULL))
		vec_push(&m->feeds, c.input);
}

static void learn(struct member *m, const struct head *h, const void *bytes)
{
	const uint64_t *runs = bytes;
	const struct campaign_flip *flips = bytes;
	if (h->kind == M_FOUND)
		learn_found(m, bytes, h->size);
	for (size_t i = 0; h->kind == M_RUNS && i < h->size / sizeof *runs; i++)
		vec_push(&m->their_runs, runs[i]);
	for (size_t i = 0; h->kind == M_FLIPS && i < h->size / sizeof *flips; i++)
		vec_push(&m->their_flips, (struct past_flip){ .key = flips[i].key, .state = flips[i].state });
}

/* What the others did, up to GO. */
static bool receive(struct member *m, bool *stop, struct err *err)
{
	struct head h;
	do {
		if (!read_all(m->fd, &h, sizeof h))
			return err_set(err, "the exploration has ended");
		void *bytes = arena_alloc(m->arena, h.size + 1);
		if (!read_all(m->fd, bytes, h.size))
			return err_set(err, "the exploration has ended");
		learn(m, &h, bytes);
	} while (h.kind != M_GO);
	*stop = h.flags;
	return true;
}

static void end_epoch(struct member *m, const struct engine_stats *s, bool leaves)
{
	put_lists(m);
	put_message(&m->out, M_COUNTS, 0, s, sizeof *s);
	put_message(&m->out, M_END, leaves, NULL, 0);
	send_all(m);
}

static bool member_exchange(void *context, const struct engine_stats *s, struct news *n, struct err *err)
{
	struct member *m = context;
	end_epoch(m, s, false);
	arena_reset(m->arena);
	vec_clear(&m->feeds);
	vec_clear(&m->their_runs);
	vec_clear(&m->their_flips);
	vec_clear(&m->their_edges);
	*m->epoch = *m->epoch < EPOCH_MAX ? 2 * *m->epoch : EPOCH_MAX;
	if (!receive(m, &n->stop, err))
		return false;
	n->feeds = m->feeds.at;
	n->feeds_count = m->feeds.count;
	n->past = (struct past){
		.inputs = m->their_runs.at, .inputs_count = m->their_runs.count, .flips = m->their_flips.at, .flips_count = m->their_flips.count,
		.edges = m->their_edges.at, .edges_count = m->their_edges.count,
	};
	return true;
}

static bool in_epochs(const struct engine_options *o, unsigned members)
{
	return members > 1 && !(o->search && o->search->whole);
}

/* There may be many teams, and what is open for each is no business of the others: a sandbox lets a program open so many files, by their numbers. */
static void close_others(unsigned a, unsigned b)
{
	unsigned low = a < b ? a : b, high = a < b ? b : a;
	if (low > 3)
		close_range(3, low - 1, 0);
	if (high - low > 1)
		close_range(low + 1, high - 1, 0);
	close_range(high + 1, ~0u, 0);
}

_Noreturn static void be_member(const struct telling *r, const struct engine_options *shared, unsigned number, unsigned members, int fd, int gate)
{
	struct member m = { .telling = *r, .fd = fd, .gate = gate, .stop = shared->stop, .arena = arena_new() };
	struct engine_options o = *shared;
	struct engine_stats stats;
	enum engine_end end;
	struct err err = {0};
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close_others((unsigned)fd, (unsigned)gate);
	m.telling.take = member_found;
	m.epoch = &o.epoch;
	o.epoch = FIRST_EPOCH;
	if (in_epochs(shared, members)) {
		o.member = number;
		o.members = members;
		o.exchange = member_exchange;
	} else {
		size_t first = number * shared->feeds_count / members;
		o.feeds = shared->feeds + first;
		o.feeds_count = (number + 1) * shared->feeds_count / members - first;
	}
	o.seed += number * 1000003u;
	o.execs = shared->execs ? shared->execs / members + (number < shared->execs % members) : 0;
	o.ran = member_ran;
	o.answered = member_answered;
	o.leave = shared->leave ? member_left : NULL;
	o.tick = member_tick;
	o.rest = member_rest;
	o.context = &m;
	bool ok = engine_explore(&o, &end, &stats, &err);
	if (!ok)
		put_message(&m.out, M_TROUBLE, 0, err.text, strlen(err.text));
	end_epoch(&m, &stats, true);
	_exit(ok ? 0 : 1);
}

/* --- all of them --- */

struct desk {
	pid_t pid;
	int fd;                  /* -1: it has left */
	struct str in;           /* received; `read` bytes of it were looked at */
	size_t read;
	bool ended;              /* its epoch */
	bool leaves;
	struct engine_stats counts;
	struct str found, lists; /* messages of this epoch, for the others */
	struct str left;         /* messages: what it has left to be tried */
};

struct team {
	struct telling *r;
	const struct engine_options *o;
	struct desk *desks;
	unsigned members;
	int gate;                /* open: something is in it */
	bool is_open, is_over;
	VEC(struct campaign_edge) edges; /* covered by anyone */
	VEC(uint64_t) bugs;
	uint64_t bugs_told;
	struct arena *arena;
	struct err trouble;
	bool left_changed;       /* what somebody has left to be tried */
	bool stopping;           /* all have been told */
};

static bool is_new_bug(struct team *t, uint64_t name)
{
	for (size_t i = 0; i < t->bugs.count; i++)
		if (t->bugs.at[i] == name)
			return false;
	vec_push(&t->bugs, name);
	return true;
}

static bool knows_edge(const struct team *t, const struct campaign_edge *e)
{
	for (size_t i = 0; i < t->edges.count; i++)
		if (t->edges.at[i].build == e->build && t->edges.at[i].edge == e->edge)
			return true;
	return false;
}

/* A member does not know what another found in the same epoch: of a test only what is new to all counts. */
static size_t new_edges(struct team *t, const struct told *found, struct campaign_edge *to)
{
	size_t n = 0;
	for (size_t i = 0; i < found->edges_count; i++)
		if (!knows_edge(t, &found->edges[i]))
			to[n++] = found->edges[i];
	for (size_t i = 0; i < n; i++)
		vec_push(&t->edges, to[i]);
	return n;
}

static void take_found(struct team *t, struct desk *d, const struct head *h, const void *bytes)
{
	struct told found;
	if (!told_unpack(&found, bytes, h->size, t->arena))
		return;
	if (found.kind == TOLD_BUG && is_new_bug(t, found.name))
		t->bugs_told++;
	else if (found.kind == TOLD_BUG)
		found.kind = TOLD_AGAIN; /* another member has told it */
	if (found.kind != TOLD_TEST) {
		t->r->take(t->r, &found);
		return;
	}
	struct campaign_edge *edges = arena_alloc(t->arena, (found.edges_count + 1) * sizeof *edges);
	found.edges_count = new_edges(t, &found, edges);
	found.edges = edges;
	if (!found.edges_count)
		return;
	t->r->take(t->r, &found);
	put_message(&d->found, M_FOUND, 0, bytes, h->size);
}

static void take_left(struct team *t, struct desk *d, const struct head *h, const void *bytes)
{
	if (h->size)
		put_message(&d->left, M_LEFT, 0, bytes, h->size);
	else
		str_clear(&d->left);
	t->left_changed = true;
}

static void keep_left(struct team *t)
{
	struct head h;
	if (!t->left_changed)
		return;
	t->left_changed = false;
	campaign_leave(t->r->campaign, NULL, 0, NULL);
	for (unsigned i = 0; i < t->members; i++)
		for (size_t at = 0; at < t->desks[i].left.length; at += sizeof h + h.size) {
			memcpy(&h, t->desks[i].left.text + at, sizeof h);
			campaign_leave(t->r->campaign, t->desks[i].left.text + at + sizeof h, h.size, NULL);
		}
}

static void take_lists(struct team *t, struct desk *d, const struct head *h, const void *bytes)
{
	uint64_t run;
	struct campaign_flip flip;
	const char *at = bytes; /* not aligned */
	for (size_t i = 0; h->kind == M_RUNS && i < h->size / sizeof run; i++) {
		memcpy(&run, at + i * sizeof run, sizeof run);
		telling_run(t->r, run);
	}
	for (size_t i = 0; h->kind == M_FLIPS && i < h->size / sizeof flip; i++) {
		memcpy(&flip, at + i * sizeof flip, sizeof flip);
		telling_answer(t->r, flip.key, flip.state);
	}
	put_message(&d->lists, (enum kind)h->kind, 0, bytes, h->size);
}

static void take(struct team *t, struct desk *d, const struct head *h, const void *bytes)
{
	switch (h->kind) {
	case M_FOUND: take_found(t, d, h, bytes); break;
	case M_RUNS: case M_FLIPS: take_lists(t, d, h, bytes); break;
	case M_LEFT: take_left(t, d, h, bytes); break;
	case M_TROUBLE:
		if (!*t->trouble.text)
			err_set(&t->trouble, "%.*s", (int)h->size, (const char *)bytes);
		break;
	default: break;
	}
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* All counts of all members; what is covered and what was met counts once, and the distance is that of the last. */
static struct engine_stats sum_of(const struct team *t)
{
	struct engine_stats sum = {0};
	for (unsigned i = 0; i < t->members; i++) {
		const struct engine_stats *s = &t->desks[i].counts, last = sum;
#define STAT(name, text) sum.name += s->name;
		ENGINE_STAT_TABLE(STAT)
#undef STAT
		sum.edges_seen = larger(last.edges_seen, s->edges_seen);
		sum.edges = larger(last.edges, s->edges);
		sum.risky_places = larger(last.risky_places, s->risky_places);
		sum.checked_places = larger(last.checked_places, s->checked_places);
		sum.distance = !i || s->distance < last.distance ? s->distance : last.distance;
		sum.exhausted = (!i || last.exhausted) && s->exhausted;
		sum.solver.queries += s->solver.queries;
		for (unsigned k = 0; k < SOLVER_STAGES; k++) {
			sum.solver.stages[k].asked += s->solver.stages[k].asked;
			sum.solver.stages[k].sat += s->solver.stages[k].sat;
			sum.solver.stages[k].unsat += s->solver.stages[k].unsat;
		}
		sum.seconds = sum.seconds > s->seconds ? sum.seconds : s->seconds;
		if (!*sum.trouble)
			memcpy(sum.trouble, s->trouble, sizeof sum.trouble);
	}
	if (t->edges.count > sum.edges_seen)
		sum.edges_seen = t->edges.count;
	sum.bugs = t->bugs_told;
	return sum;
}

/* The next whole message of what came in, or NULL. */
static const struct head *next_message(struct desk *d, const void **bytes)
{
	static struct head h; /* what came in is not aligned */
	if (d->in.length - d->read < sizeof h)
		return NULL;
	memcpy(&h, d->in.text + d->read, sizeof h);
	if (d->in.length - d->read - sizeof h < h.size)
		return NULL;
	*bytes = d->in.text + d->read + sizeof h;
	d->read += sizeof h + h.size;
	return &h;
}

/* Only looks for what need not wait for its turn: counts, and the end. */
static void look_ahead(struct team *t, struct desk *d, size_t from)
{
	struct head h;
	for (size_t at = from; d->in.length - at >= sizeof h; at += sizeof h + h.size) {
		memcpy(&h, d->in.text + at, sizeof h);
		if (d->in.length - at - sizeof h < h.size)
			return;
		if (h.kind == M_COUNTS && h.size == sizeof d->counts)
			memcpy(&d->counts, d->in.text + at + sizeof h, sizeof d->counts);
		d->ended |= h.kind == M_END;
		d->leaves |= h.kind == M_END && h.flags;
	}
	struct engine_stats sum = sum_of(t);
	status_show(t->r->status, &sum);
}

static void take_epoch(struct team *t, struct desk *d)
{
	const void *bytes;
	const struct head *h;
	str_clear(&d->found);
	str_clear(&d->lists);
	while ((h = next_message(d, &bytes)) && h->kind != M_END)
		take(t, d, h, bytes);
	memmove(d->in.text, d->in.text + d->read, d->in.length - d->read);
	d->in.length -= d->read;
	d->read = 0;
}

static void leave(struct desk *d)
{
	close(d->fd);
	d->fd = -1;
	d->ended = true;
	d->leaves = true;
}

static void take_in(struct team *t, struct desk *d)
{
	char bytes[1 << 16];
	ssize_t n = read(d->fd, bytes, sizeof bytes);
	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0) {
		if (!d->leaves && !*t->trouble.text)
			err_set(&t->trouble, "one of the processes that explore has died");
		leave(d);
		return;
	}
	str_add_bytes(&d->in, bytes, (size_t)n);
	look_ahead(t, d, d->read);
	if (in_epochs(t->o, t->members))
		return;
	arena_reset(t->arena);
	take_epoch(t, d);
	struct engine_stats sum = sum_of(t);
	telling_tick(t->r, &sum);
}

static void tell_to_stop(struct team *t)
{
	t->stopping = true;
	for (unsigned i = 0; i < t->members; i++)
		if (t->desks[i].fd >= 0)
			kill(t->desks[i].pid, SIGTERM);
}

/* A signal may have come to us alone. */
static void pass_on_stop(struct team *t)
{
	if (!t->stopping && t->o->stop && *t->o->stop)
		tell_to_stop(t);
}

static void set_gate(struct team *t, bool open)
{
	uint64_t one = 1;
	if (open != t->is_open && (open ? write(t->gate, &one, sizeof one) : read(t->gate, &one, sizeof one)) == sizeof one)
		t->is_open = open;
}

/* Nobody has to be told to stop who is asked to. */
static bool has_turn(const struct team *t, double until, uint64_t distance)
{
	return t->stopping || (clock_seconds() < until && sum_of(t).distance <= distance);
}

static int look_after(double until)
{
	double ms = 1000 * (until - clock_seconds());
	return ms < LOOK_MS ? ms > 1 ? (int)ms : 1 : LOOK_MS;
}

/* Until all have ended their epoch. False: it is not their turn any more. */
static bool wait_for_all(struct team *t, double until, uint64_t distance)
{
	struct pollfd *fds = mem_alloc(t->members * sizeof *fds);
	bool wait = true;
	while (wait && has_turn(t, until, distance)) {
		wait = false;
		for (unsigned i = 0; i < t->members; i++) {
			struct desk *d = &t->desks[i];
			fds[i] = (struct pollfd){ .fd = d->fd >= 0 && !d->ended ? d->fd : -1, .events = POLLIN };
			wait |= fds[i].fd >= 0;
		}
		int n = wait ? poll(fds, t->members, look_after(until)) : 0;
		pass_on_stop(t);
		for (unsigned i = 0; i < t->members; i++)
			if (n > 0 && fds[i].fd >= 0 && fds[i].revents)
				take_in(t, &t->desks[i]);
	}
	free(fds);
	return !wait;
}

static bool tell_others(struct team *t, unsigned to, bool stop)
{
	struct str out = {0};
	for (unsigned i = 0; i < t->members && !stop; i++) {
		if (i == to)
			continue;
		str_add_bytes(&out, str_text(&t->desks[i].found), t->desks[i].found.length);
		str_add_bytes(&out, str_text(&t->desks[i].lists), t->desks[i].lists.length);
	}
	put_message(&out, M_GO, stop, NULL, 0);
	bool ok = fs_write_fd(t->desks[to].fd, out.text, out.length);
	str_free(&out);
	return ok;
}

/* All have ended their epoch; false: nobody is left. */
static bool end_of_epoch(struct team *t)
{
	bool anyone = false;
	arena_reset(t->arena);
	for (unsigned i = 0; i < t->members; i++)
		take_epoch(t, &t->desks[i]);
	keep_left(t);
	struct engine_stats sum = sum_of(t);
	telling_tick(t->r, &sum);
	bool stop = (t->bugs_told && !t->o->go_on) || *t->trouble.text;
	for (unsigned i = 0; i < t->members; i++) {
		struct desk *d = &t->desks[i];
		if (d->fd >= 0 && (d->leaves || !tell_others(t, i, stop)))
			leave(d);
		d->ended = d->fd < 0;
		anyone |= d->fd >= 0;
	}
	return anyone;
}

static bool start(struct team *t, struct err *err)
{
	for (unsigned i = 0; i < t->members; i++) {
		int pair[2];
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
			return err_errno(err, "cannot start a process");
		fflush(NULL);
		pid_t pid = fork();
		if (pid == 0)
			be_member(t->r, t->o, i, t->members, pair[1], t->gate);
		close(pair[1]);
		t->desks[i].fd = pair[0];
		t->desks[i].pid = pid;
		if (pid < 0)
			return err_errno(err, "cannot start a process");
	}
	return true;
}

static void stop_all(struct team *t)
{
	for (unsigned i = 0; i < t->members; i++) {
		struct desk *d = &t->desks[i];
		if (d->fd >= 0)
			close(d->fd); /* it ends when it finds nobody to tell */
		if (d->pid > 0)
			waitpid(d->pid, NULL, 0);
		str_free(&d->in);
		str_free(&d->found);
		str_free(&d->lists);
		str_free(&d->left);
	}
}

static void free_team(struct team *t)
{
	stop_all(t);
	if (t->gate >= 0)
		close(t->gate);
	vec_free(&t->edges);
	vec_free(&t->bugs);
	arena_free(t->arena);
	free(t->desks);
	free(t);
}

static void know_past(struct team *t)
{
	const struct past *p = t->o->past;
	for (size_t i = 0; p && i < p->edges_count; i++)
		vec_push(&t->edges, (struct campaign_edge){ .build = p->edges[i].build, .edge = p->edges[i].edge });
	for (size_t i = 0; p && i < p->bugs_count; i++)
		vec_push(&t->bugs, p->bugs[i]);
}

struct team *team_open(struct telling *r, const struct engine_options *o, unsigned members, struct err *err)
{
	struct team *t = mem_alloc(sizeof *t);
	*t = (struct team){ .r = r, .o = o, .members = members, .arena = arena_new(), .desks = mem_alloc(members * sizeof *t->desks), .gate = eventfd(1, EFD_CLOEXEC), .is_open = true };
	for (unsigned i = 0; i < members; i++)
		t->desks[i] = (struct desk){ .fd = -1 };
	know_past(t);
	if ((t->gate >= 0 || err_errno(err, "cannot start a process")) && start(t, err))
		return t;
	free_team(t);
	return NULL;
}

bool team_go(struct team *t, double until, uint64_t distance)
{
	set_gate(t, true);
	while (!t->is_over && wait_for_all(t, until, distance))
		t->is_over = !end_of_epoch(t);
	if (!t->is_over)
		set_gate(t, false);
	return !t->is_over;
}

bool team_close(struct team *t, enum engine_end *end, struct engine_stats *stats, struct err *err)
{
	if (!t->is_over) {
		tell_to_stop(t);
		team_go(t, INFINITY, UINT64_MAX);
	}
	*stats = sum_of(t);
	*end = stats->bugs ? ENGINE_BUG : stats->open ? ENGINE_BUDGET : ENGINE_EXHAUSTED;
	bool ok = !*t->trouble.text || err_set(err, "%s", t->trouble.text);
	free_team(t);
	return ok;
}

bool team_explore(struct telling *r, const struct engine_options *o, unsigned members, enum engine_end *end, struct engine_stats *stats, struct err *err)
{
	struct team *t = team_open(r, o, members, err);
	if (!t)
		return false;
	team_go(t, INFINITY, UINT64_MAX);
	return team_close(t, end, stats, err);
}
