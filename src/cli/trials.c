/* See trials.h. A batch of trials is forked off: so many processes take one after the other, by a number that they share, and add a line to the ledger for each. So nothing is lost when one of them, or
 * all, are killed, and nobody has to listen. What a trial came to depends on itself alone, so it does not matter who made it, and when.
 *
 * Runs and answers that one trial had are there for all others (engine/known.h). So one that was begun before, or stopped, is at once where it was.
 *
 * What all trials covered is a byte for each side in a file that they map, and names of bugs are in another; an input that takes a side no other did is kept as a test, and a bug once. Both are marked when they are on disk.
 * Who took a side is kept: what training covers must not be more if a comparison came before, or beside it. */
#include "cli/trials.h"

#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/ledger.h"
#include "cli/telling.h"
#include "cli/told.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "engine/runner.h"
#include "base/map.h"
#include "search/search.h"
#include "search/weights.h"
#include "store/hoard.h"
#include "trace/facts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define COVERED "covered"
#define BUGS "bugs"
#define BUGS_MAX 4096u
#define MAGIC 0x53445453444e5431ull /* "1TNDSTDS" */
#define LOOK_US 200000

/* Of all processes that make trials. */
struct shared {
	_Atomic size_t next;      /* the trial that is taken next */
	_Atomic bool unsaved;     /* something could not be saved, and that was told */
};

struct trials {
	struct trials_options o;
	struct ledger *ledger;
	struct runner *runner;    /* of a process that makes trials */
	struct hoard *hoard;      /* NULL: trials share nothing */
	uint32_t sides;           /* of all branches, in the program and the libraries that its first input loads */
	uint8_t *covered;         /* by side: enum taken_by; shared, as are: */
	_Atomic uint64_t *bugs;   /* names; 0: free */
	struct shared *shared;
	size_t first;             /* trials that were known when it began */
	struct map counted;       /* of these, the keys of those that are in the sums */
	struct trials_sums sums;
};

enum taken_by { TAKEN_LEARNING = 1, TAKEN_COMPARING = 2 };

/* How files begin that trials share. */
struct share_head {
	uint64_t magic, id;
};

/* --- what it is about --- */

static uint64_t key_of(const struct trial *one)
{
	uint64_t h = rng_mix(one->seed ^ rng_mix(one->execs));
	for (const char *c = one->search->name; *c; c++)
		h = rng_mix(h ^ (uint8_t)*c);
	for (size_t i = 0; one->weights && i < WEIGHTS; i++) {
		uint64_t bits;
		memcpy(&bits, &one->weights[i], sizeof bits);
		h = rng_mix(h ^ bits);
	}
	return h;
}

/* Another engine makes other inputs. */
static bool add_ourselves(uint64_t *h, struct err *err)
{
	size_t size;
	char *bytes = fs_read("/proc/self/exe", &size, err);
	if (!bytes)
		return false;
	*h = digest_bytes(digest_of(*h), bytes, size).a;
	free(bytes);
	return true;
}

/* Builds of the program and of its libraries, and how many sides their branches have: the first input tells which it loads. */
static bool add_program(struct trials *t, uint64_t *h, struct err *err)
{
	struct facts f;
	struct outcome out;
	struct trace first;
	if (!facts_open(&f, t->o.engine->program, err))
		return false;
	struct runner *r = engine_runner(t->o.engine, err);
	bool ok = r && runner_run(r, &t->o.engine->feeds[0], &out, &first, err);
	if (ok) {
		if (first.header)
			facts_learn(&f, &first, cli_hush, NULL);
		outcome_free(&out);
		*err->text = '\0'; /* what it wrote into its trace is no trouble of ours */
	}
	for (size_t i = 0; i < f.modules_count; i++)
		*h = rng_mix(*h ^ f.modules[i].build);
	t->sides = f.edges;
	facts_close(&f);
	runner_close(r);
	return ok;
}

/* Trials of one id are alike: what decides them is in it, or in their keys. *common: without inputs and the number of runs, which questions and runs do not depend on. */
static bool find_id(struct trials *t, uint64_t *id, uint64_t *common, struct err *err)
{
	const struct engine_options *o = t->o.engine;
	uint64_t h = rng_mix(o->flags ^ rng_mix(o->window ^ rng_mix(o->sandbox)));
	if (!add_ourselves(&h, err) || !add_program(t, &h, err))
		return false;
	*common = h;
	h = rng_mix(h ^ o->execs);
	for (size_t i = 0; i < o->feeds_count; i++)
		h = rng_mix(h ^ testcase_hash(&o->feeds[i]));
	*id = h;
	return true;
}

/* --- what all of them know --- */

/* What is there of other trials is thrown away, as theirs are; what somebody else has put there is not. */
static bool begin_share(int fd, uint64_t id, size_t size, const char *path, struct err *err)
{
	struct share_head head = {0};
	if (pread(fd, &head, sizeof head, 0) < 0)
		return err_errno(err, "%s", path);
	if (head.magic && head.magic != MAGIC)
		return err_set(err, "%s: not a file of trials", path);
	int trouble = head.id != id && ftruncate(fd, 0) ? errno : posix_fallocate(fd, 0, (off_t)size);
	errno = trouble;
	head = (struct share_head){ MAGIC, id };
	return (!trouble && pwrite(fd, &head, sizeof head, 0) == sizeof head) || err_errno(err, "%s", path);
}

/* A file of so many bytes behind its head, in memory that all share. Room for it is had before it is used: a full disk is an error, and no signal. */
static void *map_file(const struct trials *t, const char *name, uint64_t id, size_t size, struct err *err)
{
	struct str path = {0};
	str_printf(&path, "%s/%s", t->o.directory, name);
	int fd = open(str_text(&path), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	bool ok = fd >= 0 ? begin_share(fd, id, size, str_text(&path), err) : err_errno(err, "%s", str_text(&path));
	void *map = ok ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
	if (ok && map == MAP_FAILED)
		err_errno(err, "%s", str_text(&path));
	if (fd >= 0)
		close(fd);
	str_free(&path);
	return map == MAP_FAILED ? NULL : (char *)map + sizeof(struct share_head);
}

static void unmap_file(void *at, size_t size)
{
	if (at)
		munmap((char *)at - sizeof(struct share_head), size);
}

static size_t covered_size(const struct trials *t)
{
	return sizeof(struct share_head) + t->sides;
}

static size_t bugs_size(void)
{
	return sizeof(struct share_head) + BUGS_MAX * sizeof(uint64_t);
}

static bool share(struct trials *t, uint64_t id, struct err *err)
{
	t->covered = map_file(t, COVERED, id, covered_size(t), err);
	t->bugs = t->covered ? map_file(t, BUGS, id, bugs_size(), err) : NULL;
	t->shared = mmap(NULL, sizeof *t->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (t->shared == MAP_FAILED)
		t->shared = NULL;
	return t->covered && t->bugs && (t->shared || err_errno(err, "no memory to share"));
}

struct trials *trials_open(const struct trials_options *o, struct err *err)
{
	struct trials *t = mem_alloc(sizeof *t);
	uint64_t id = 0, common = 0;
	*t = (struct trials){ .o = *o };
	bool ok = cases_make_dir(o->directory, err) && find_id(t, &id, &common, err);
	t->ledger = ok ? ledger_open(o->directory, id, err) : NULL;
	t->first = t->ledger ? ledger_count(t->ledger) : 0;
	ok = t->ledger && share(t, id, err);
	t->hoard = ok && !o->apart ? hoard_open(o->directory, common, o->tree_size, err) : NULL;
	if (ok && (t->hoard || o->apart))
		return t;
	trials_close(t);
	return NULL;
}

void trials_close(struct trials *t)
{
	unmap_file(t->covered, covered_size(t));
	unmap_file((void *)(uintptr_t)t->bugs, bugs_size());
	map_free(&t->counted);
	if (t->shared)
		munmap(t->shared, sizeof *t->shared);
	ledger_close(t->ledger);
	hoard_close(t->hoard);
	free(t);
}

/* --- a trial --- */

struct attempt {
	struct telling telling;   /* first, as the engine's calls want it */
	struct trials *trials;
	uint32_t covered;
	enum taken_by by;
	uint64_t inputs;          /* hash of all that ran, in their order */
	VEC(struct ledger_step) steps;
};

static bool is_known_bug(const struct trials *t, uint64_t name)
{
	for (unsigned i = 0; i < BUGS_MAX && t->bugs[i]; i++)
		if (t->bugs[i] == name)
			return true;
	return false;
}

static void mark_bug(struct trials *t, uint64_t name)
{
	for (unsigned i = 0; i < BUGS_MAX && !is_known_bug(t, name); i++) {
		uint64_t free = 0;
		if (atomic_compare_exchange_strong(&t->bugs[i], &free, name))
			return;
	}
}

/* Others mark meanwhile. */
static void mark_sides(struct trials *t, const struct novelty *n, enum taken_by by)
{
	for (uint32_t i = 0; i < n->sides; i++)
		if (n->edges[i] < t->sides)
			__atomic_fetch_or(&t->covered[n->edges[i]], (uint8_t)by, __ATOMIC_RELAXED);
}

static bool write_file(const struct telling *r, const struct told *t, struct err *err)
{
	struct str path = {0};
	const char *slash = strrchr(t->file, '/');
	str_printf(&path, "%s/%.*s", r->out, slash ? (int)(slash - t->file) : 0, t->file);
	bool ok = cases_make_dir(str_text(&path), err);
	str_clear(&path);
	str_printf(&path, "%s/%s", r->out, t->file);
	ok = ok && fs_write(str_text(&path), t->content, t->size, err);
	str_free(&path);
	return ok;
}

/* What could not be saved others may save. It is told of once, as there may be thousands of trials. */
static void keep(struct telling *r, const struct told *t)
{
	struct attempt *a = (struct attempt *)r;
	struct err err = {0};
	if (!write_file(r, t, &err)) {
		if (!atomic_exchange(&a->trials->shared->unsaved, true))
			cli_fail(CLI_INTERNAL, &err);
		r->unsaved = true;
	} else if (t->kind == TOLD_BUG) {
		mark_bug(a->trials, t->name);
	}
}

static bool knows(void *context, uint64_t name)
{
	const struct attempt *a = context;
	return is_known_bug(a->trials, name);
}

static void ran(void *context, uint64_t hash)
{
	struct attempt *a = context;
	a->inputs = rng_mix(a->inputs ^ hash);
}

static bool wants(void *context, const uint32_t *edges, uint32_t count)
{
	const struct trials *t = ((struct attempt *)context)->trials;
	for (uint32_t i = 0; i < count; i++)
		if (edges[i] < t->sides && !t->covered[edges[i]])
			return true;
	return false;
}

static void covered(void *context, const struct novelty *n)
{
	struct attempt *a = context;
	a->covered += n->sides;
	vec_push(&a->steps, (struct ledger_step){ (uint32_t)n->runs, a->covered });
	bool is_wanted = wants(context, n->edges, n->sides);
	if (is_wanted)
		telling_test(context, n);
	if (!is_wanted || !a->telling.unsaved)
		mark_sides(a->trials, n, a->by);
}

static bool add_result(const struct attempt *a, uint64_t key, const struct engine_stats *s, struct err *err)
{
	return ledger_add(a->trials->ledger, &(struct ledger_entry){
		.key = key, .covered = (double)s->edges_seen, .chained = (double)s->chained_seen, .runs = (double)s->runs, .inputs = a->inputs,
		.made = (double)(s->runs - s->known_runs + s->reruns + s->untraced + s->minimising), .seconds = s->seconds, .steps = a->steps.at, .steps_count = a->steps.count }, err);
}

/* A program is started once for many trials, unless one had it load what others may not. */
static bool start_program(struct trials *t, struct err *err)
{
	if (t->runner && !runner_is_as_new(t->runner)) {
		runner_close(t->runner);
		t->runner = NULL;
	}
	if (!t->runner)
		t->runner = engine_runner(t->o.engine, err);
	return t->runner;
}

static bool make(struct trials *t, const struct trial *one, struct err *err)
{
	struct attempt a = { .telling = { .out = t->o.directory, .take = keep, .program = t->o.engine->program, .to = stderr }, .trials = t, .by = one->compared ? TAKEN_COMPARING : TAKEN_LEARNING };
	struct engine_options o = *t->o.engine;
	struct engine_stats stats;
	enum engine_end end;
	o.seed = o.solver.seed = one->seed;
	o.execs = one->execs ? one->execs : o.execs;
	o.search = one->search;
	o.weights = one->weights;
	o.go_on = true;
	o.stop = t->o.stop;
	o.found = telling_bug;
	o.covered = covered;
	o.ran = ran;
	o.wants = wants;
	o.knows = knows;
	o.hoard = t->hoard;
	o.runner = t->runner;
	o.note = cli_hush;
	o.context = &a;
	bool ok = engine_explore(&o, &end, &stats, err);
	if (ok && !*o.stop)
		ok = add_result(&a, key_of(one), &stats, err);
	vec_free(&a.steps);
	return ok;
}

/* --- a batch --- */

_Noreturn static void work(struct trials *t, pid_t parent, const struct trial *list, const size_t *left, size_t count, int tell)
{
	struct err err = {0};
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	for (size_t i; (i = atomic_fetch_add(&t->shared->next, 1)) < count && !*t->o.stop;)
		if (!start_program(t, &err) || !make(t, &list[left[i]], &err)) {
			(void)!write(tell, err.text, strlen(err.text) + 1); /* others may have something to tell too */
			runner_close(t->runner);
			_exit(1);
		}
	runner_close(t->runner);
	_exit(0);
}

static void tell_progress(struct trials *t, size_t before, size_t count)
{
	double seconds = 0;
	for (size_t i = before; i < ledger_count(t->ledger); i++)
		seconds += ledger_at(t->ledger, i)->seconds;
	if (t->o.progress)
		t->o.progress(t->o.context, ledger_count(t->ledger) - before, count, seconds);
}

struct crew {
	pid_t *pids;
	size_t count;
	int told;                 /* what kept one from going on */
	int signal;               /* that killed one, which was not told to stop */
	bool stopped;
};

static bool start(struct trials *t, struct crew *c, const struct trial *list, const size_t *left, size_t count, struct err *err)
{
	int told[2];
	if (pipe2(told, O_CLOEXEC))
		return err_errno(err, "cannot make a pipe");
	atomic_store(&t->shared->next, 0);
	fflush(NULL);
	pid_t parent = getpid();
	for (size_t i = 0; i < t->o.jobs && i < count; i++) {
		pid_t pid = fork();
		if (pid == 0)
			work(t, parent, list, left, count, told[1]);
		if (pid > 0)
			c->pids[c->count++] = pid;
	}
	close(told[1]);
	c->told = told[0];
	return c->count || err_errno(err, "cannot start a process");
}

bool trials_is_over(const struct trials *t)
{
	return *t->o.stop || clock_seconds() >= t->o.until;
}

/* Those that are still at work are told when it is over: a trial that was not made to its end does not count. */
static size_t tend(const struct trials *t, struct crew *c)
{
	bool stop = trials_is_over(t) && !c->stopped;
	size_t running = 0;
	for (size_t i = 0; i < c->count; i++) {
		int status = 0;
		if (c->pids[i] && waitpid(c->pids[i], &status, WNOHANG) != 0) {
			c->signal = WIFSIGNALED(status) && !c->stopped ? WTERMSIG(status) : c->signal;
			c->pids[i] = 0;
		}
		if (c->pids[i] && stop)
			kill(c->pids[i], SIGTERM);
		running += c->pids[i] != 0;
	}
	c->stopped |= stop;
	return running;
}

static bool make_all(struct trials *t, const struct trial *list, const size_t *left, size_t count, struct err *err)
{
	size_t before = ledger_count(t->ledger);
	struct crew c = { .pids = mem_alloc((t->o.jobs + 1) * sizeof *c.pids), .told = -1 };
	char text[sizeof err->text] = "";
	bool ok = start(t, &c, list, left, count, err);
	while (tend(t, &c)) {
		usleep(LOOK_US);
		ok = ledger_look(t->ledger, err) && ok;
		tell_progress(t, before, count);
	}
	ok = ledger_look(t->ledger, err) && ok;
	ssize_t n = c.told >= 0 ? read(c.told, text, sizeof text - 1) : 0;
	if (c.told >= 0)
		close(c.told);
	free(c.pids);
	if (n > 0 && *text)
		return err_set(err, "%s", text); /* the first of them */
	return c.signal ? err_set(err, "a process that made trials was ended by signal %d", c.signal) : ok;
}

/* Those of the list that are not known, each once. */
static size_t missing(struct trials *t, const struct trial *list, size_t count, size_t *left)
{
	struct map taken = {0};
	size_t n = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t key = key_of(&list[i]);
		uint32_t *twice = map_at(&taken, key);
		if (!*twice && !ledger_find(t->ledger, key))
			left[n++] = i;
		*twice = 1;
	}
	map_free(&taken);
	return n;
}

/* It was known when all began, and is asked for the first time. */
static bool is_counted_now(struct trials *t, const struct ledger_entry *e)
{
	uint32_t *twice = map_at(&t->counted, e->key);
	bool counts = !*twice && t->first && e <= ledger_at(t->ledger, t->first - 1);
	*twice = 1;
	return counts;
}

static bool fill(struct trials *t, const struct trial *list, size_t count, struct trial_result *results, struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		const struct ledger_entry *e = ledger_find(t->ledger, key_of(&list[i]));
		if (!e)
			return trials_is_over(t) ? false : err_set(err, "a trial has no result");
		results[i] = (struct trial_result){ .covered = e->covered, .chained = e->chained };
		t->sums.known += is_counted_now(t, e);
	}
	return true;
}

bool trials_run(struct trials *t, const struct trial *list, size_t count, struct trial_result *results, struct err *err)
{
	size_t *left = mem_alloc((count + 1) * sizeof *left), before = ledger_count(t->ledger), n = missing(t, list, count, left);
	bool ok = !n || make_all(t, list, left, n, err);
	free(left);
	for (size_t i = before; i < ledger_count(t->ledger); i++) {
		const struct ledger_entry *e = ledger_at(t->ledger, i);
		t->sums.made++;
		t->sums.runs += e->runs;
		t->sums.runs_made += e->made;
		t->sums.seconds += e->seconds;
	}
	return ok && fill(t, list, count, results, err);
}

struct trials_sums trials_sums(const struct trials *t)
{
	struct trials_sums s = t->sums;
	s.sides = t->sides;
	s.tree_size = t->hoard ? hoard_counts(t->hoard).bytes : 0;
	s.tree_full = t->hoard && hoard_counts(t->hoard).full;
	for (uint32_t i = 0; i < t->sides; i++) {
		s.covered += t->covered[i] != 0;
		s.learnt += (t->covered[i] & TAKEN_LEARNING) != 0;
	}
	return s;
}

const struct ledger_step *trials_curve(struct trials *t, const struct trial *one, size_t *count)
{
	const struct ledger_entry *e = ledger_find(t->ledger, key_of(one));
	*count = e ? e->steps_count : 0;
	return e ? e->steps : NULL;
}
