/* See trials.h. A batch of trials is forked off: so many processes take one after the other, by a number that they share, and add a line to the file for each, in one write. So nothing is lost when one of them, or
 * all, are killed, and nobody has to listen. What a trial came to depends on itself alone, so it does not matter who made it, and when.
 *
 * Runs and answers that one trial had are there for all others (engine/known.h). So one that was begun before, or stopped, is at once where it was.
 *
 * What all trials covered is a byte for each side in a file that they map; an input that takes a side no other did is kept as a test. */
#include "cli/trials.h"

#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/story.h"
#include "cli/telling.h"
#include "cli/told.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "engine/runner.h"
#include "search/feature.h"
#include "search/search.h"
#include "store/hoard.h"
#include "trace/facts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOG "trials"
#define COVERED "covered"
#define HEAD "tandem trials 2 "
#define LOOK_US 200000

/* A line of the file. */
struct entry {
	uint64_t key;
	struct trial_result result;
	size_t first, count;      /* of all steps */
};

struct trials {
	struct trials_options o;
	int log;
	struct runner *runner;    /* of a process that makes trials */
	struct hoard *hoard;      /* NULL: trials share nothing */
	uint64_t build;           /* of the program */
	uint64_t id;              /* of program, inputs and number of runs */
	uint32_t sides;
	uint8_t *covered;         /* by side; shared */
	_Atomic size_t *next;     /* shared: the trial that is taken next */
	size_t read;              /* bytes of the file that were looked at */
	VEC(struct entry) entries;
	VEC(struct trial_step) steps;
	struct trials_sums sums;
};

/* --- the file --- */

static uint64_t key_of(const struct trial *one)
{
	uint64_t h = rng_mix(one->seed ^ rng_mix(one->execs));
	for (const char *c = one->search->name; *c; c++)
		h = rng_mix(h ^ (uint8_t)*c);
	for (size_t i = 0; one->weights && i < FEATURES; i++) {
		uint64_t bits;
		memcpy(&bits, &one->weights[i], sizeof bits);
		h = rng_mix(h ^ bits);
	}
	return h;
}

static const struct entry *find(const struct trials *t, uint64_t key)
{
	for (size_t i = 0; i < t->entries.count; i++)
		if (t->entries.at[i].key == key)
			return &t->entries.at[i];
	return NULL;
}

/* KEY COVERED CHAINED RUNS INPUTS MADE SECONDS STEPS, these as RUNS:COVERED with commas; what makes no sense is left out. */
static void take_line(struct trials *t, const char *line)
{
	struct entry e = { .first = t->steps.count };
	int at = 0;
	if (sscanf(line, "%" SCNx64 " %lf %lf %lf %*x %lf %lf %n", &e.key, &e.result.covered, &e.result.chained, &e.result.runs, &e.result.made, &e.result.seconds, &at) != 6 || !at)
		return;
	for (const char *c = line + at; *c && *c != '\n'; c += *c == ',') {
		struct trial_step s;
		int n = 0;
		if (sscanf(c, "%" SCNu32 ":%" SCNu32 "%n", &s.runs, &s.covered, &n) != 2 || !n)
			break;
		vec_push(&t->steps, s);
		c += n;
	}
	e.count = t->steps.count - e.first;
	vec_push(&t->entries, e);
}

/* All whole lines that came since. */
static bool look(struct trials *t, struct err *err)
{
	struct stat st;
	if (fstat(t->log, &st))
		return err_errno(err, "%s/" LOG, t->o.directory);
	size_t size = (size_t)st.st_size - t->read;
	char *bytes = mem_alloc(size + 1);
	ssize_t n = pread(t->log, bytes, size, (off_t)t->read);
	bytes[n > 0 ? n : 0] = '\0';
	for (char *line = bytes, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		take_line(t, line);
		t->read += (size_t)(end + 1 - line);
	}
	free(bytes);
	return n >= 0 || err_errno(err, "%s/" LOG, t->o.directory);
}

/* What tells trials of one program, inputs and number of runs from others. */
static uint64_t id_of(const struct engine_options *o, uint64_t build)
{
	uint64_t h = rng_mix(build ^ rng_mix(o->execs ^ rng_mix(o->flags)));
	for (size_t i = 0; i < o->feeds_count; i++)
		h = rng_mix(h ^ testcase_hash(&o->feeds[i]));
	return h;
}

/* The rest of a line whose writer was killed is cut off. */
static bool check_head(struct trials *t, struct err *err)
{
	struct str head = {0};
	struct stat st;
	char text[64] = "";
	str_printf(&head, HEAD "%016" PRIx64 "\n", t->id);
	bool ok = fstat(t->log, &st) == 0 && pread(t->log, text, sizeof text - 1, 0) >= 0;
	if (!ok)
		err_errno(err, "%s/" LOG, t->o.directory);
	else if (!st.st_size)
		ok = fs_write_fd(t->log, head.text, head.length) || err_errno(err, "%s/" LOG, t->o.directory);
	else if (strncmp(text, head.text, head.length) != 0)
		ok = err_set(err, strncmp(text, HEAD, strlen(HEAD)) == 0 ? "%s: its trials are of another program, other inputs or another number of runs" : "%s/" LOG ": not a file of trials", t->o.directory);
	t->read = head.length;
	str_free(&head);
	ok = ok && look(t, err);
	return ok && (ftruncate(t->log, (off_t)t->read) == 0 || err_errno(err, "%s/" LOG, t->o.directory));
}

static bool open_log(struct trials *t, struct err *err)
{
	struct str path = {0};
	str_printf(&path, "%s/" LOG, t->o.directory);
	t->log = open(str_text(&path), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	bool ok = t->log >= 0 || err_errno(err, "%s", str_text(&path));
	if (ok && flock(t->log, LOCK_EX | LOCK_NB))
		ok = errno == EWOULDBLOCK ? err_set(err, "%s: somebody is at work on it", t->o.directory) : err_errno(err, "%s", str_text(&path));
	str_free(&path);
	return ok && check_head(t, err);
}

static bool map_covered(struct trials *t, struct err *err)
{
	struct str path = {0};
	str_printf(&path, "%s/" COVERED, t->o.directory);
	int fd = open(str_text(&path), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	bool ok = fd >= 0 && ftruncate(fd, t->sides ? t->sides : 1) == 0;
	void *map = ok ? mmap(NULL, t->sides ? t->sides : 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
	t->next = mmap(NULL, sizeof *t->next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ok = (ok && map != MAP_FAILED && t->next != MAP_FAILED) || err_errno(err, "%s", str_text(&path));
	t->covered = map == MAP_FAILED ? NULL : map;
	if (t->next == MAP_FAILED)
		t->next = NULL;
	if (fd >= 0)
		close(fd);
	str_free(&path);
	return ok;
}

struct trials *trials_open(const struct trials_options *o, struct err *err)
{
	struct trials *t = mem_alloc(sizeof *t);
	struct facts f;
	*t = (struct trials){ .o = *o, .log = -1 };
	bool ok = cases_make_dir(o->directory, err) && facts_open(&f, o->engine->program, err);
	if (ok) {
		t->build = f.modules[0].build;
		t->id = id_of(o->engine, t->build);
		t->sides = f.modules[0].edges;
		facts_close(&f);
	}
	ok = ok && open_log(t, err) && map_covered(t, err);
	if (ok && !o->apart) {
		t->hoard = hoard_open(o->directory, rng_mix(t->build ^ rng_mix(o->engine->flags ^ rng_mix(o->engine->window))), o->tree_size, err);
		ok = t->hoard;
	}
	if (ok)
		return t;
	trials_close(t);
	return NULL;
}

void trials_close(struct trials *t)
{
	if (t->covered)
		munmap(t->covered, t->sides ? t->sides : 1);
	if (t->next)
		munmap(t->next, sizeof *t->next);
	if (t->log >= 0)
		close(t->log);
	hoard_close(t->hoard);
	vec_free(&t->entries);
	vec_free(&t->steps);
	free(t);
}

/* --- a trial --- */

struct attempt {
	struct telling telling;   /* first, as the engine's calls want it */
	struct trials *trials;
	uint32_t covered;
	uint64_t inputs;          /* hash of all that ran, in their order */
	VEC(struct trial_step) steps;
};

static void keep(struct telling *r, const struct told *t)
{
	struct str path = {0};
	struct err ignored = {0};
	const char *slash = strrchr(t->file, '/');
	str_printf(&path, "%s/%.*s", r->out, slash ? (int)(slash - t->file) : 0, t->file);
	bool ok = cases_make_dir(str_text(&path), &ignored);
	str_clear(&path);
	str_printf(&path, "%s/%s", r->out, t->file);
	if (ok)
		fs_write(str_text(&path), t->content, t->size, &ignored);
	str_free(&path);
}

static bool is_news(struct trials *t, const struct novelty *n)
{
	bool news = false;
	for (uint32_t i = 0; i < n->sides; i++)
		if (n->edges[i] < t->sides && !t->covered[n->edges[i]])
			news = t->covered[n->edges[i]] = 1;
	return news;
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
	vec_push(&a->steps, (struct trial_step){ (uint32_t)n->runs, a->covered });
	if (is_news(a->trials, n))
		telling_test(context, n);
}

static void put_line(const struct attempt *a, uint64_t key, const struct engine_stats *s, struct str *out)
{
	str_printf(out, "%016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 " %" PRIu64 " %.3f ", key, s->edges_seen, s->chained_seen, s->runs, a->inputs, s->runs - s->known_runs + s->reruns, s->seconds);
	for (size_t i = 0; i < a->steps.count; i++)
		str_printf(out, "%s%" PRIu32 ":%" PRIu32, i ? "," : "", a->steps.at[i].runs, a->steps.at[i].covered);
	str_add_char(out, '\n');
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
	struct attempt a = { .telling = { .out = t->o.directory, .take = keep, .program = t->o.engine->program, .to = stderr }, .trials = t };
	struct engine_options o = *t->o.engine;
	struct engine_stats stats;
	enum engine_end end;
	struct str line = {0};
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
	o.hoard = t->hoard;
	o.runner = t->runner;
	o.note = cli_hush;
	o.context = &a;
	bool ok = engine_explore(&o, &end, &stats, err);
	if (ok && !(o.stop && *o.stop)) {
		put_line(&a, key_of(one), &stats, &line);
		ok = fs_write_fd(t->log, line.text, line.length) || err_errno(err, "%s/" LOG, t->o.directory);
	}
	str_free(&line);
	vec_free(&a.steps);
	return ok;
}

/* --- a batch --- */

_Noreturn static void work(struct trials *t, const struct trial *list, const size_t *left, size_t count, int tell)
{
	struct err err = {0};
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i; (i = atomic_fetch_add(t->next, 1)) < count && !*t->o.stop;)
		if (!start_program(t, &err) || !make(t, &list[left[i]], &err)) {
			(void)!write(tell, err.text, strlen(err.text));
			runner_close(t->runner);
			_exit(1);
		}
	runner_close(t->runner);
	_exit(0);
}

static void tell_progress(struct trials *t, size_t before, size_t count)
{
	double seconds = 0;
	for (size_t i = before; i < t->entries.count; i++)
		seconds += t->entries.at[i].result.seconds;
	if (t->o.progress)
		t->o.progress(t->o.context, t->entries.count - before, count, seconds);
}

struct crew {
	pid_t *pids;
	size_t count;
	int told;                 /* what kept one from going on */
	bool stopped;
};

static bool start(struct trials *t, struct crew *c, const struct trial *list, const size_t *left, size_t count, struct err *err)
{
	int told[2];
	if (pipe2(told, O_CLOEXEC))
		return err_errno(err, "cannot make a pipe");
	atomic_store(t->next, 0);
	fflush(NULL);
	for (size_t i = 0; i < t->o.jobs && i < count; i++) {
		pid_t pid = fork();
		if (pid == 0)
			work(t, list, left, count, told[1]);
		if (pid > 0)
			c->pids[c->count++] = pid;
	}
	close(told[1]);
	c->told = told[0];
	return c->count || err_errno(err, "cannot start a process");
}

static bool is_over(const struct trials *t)
{
	return *t->o.stop || clock_seconds() >= t->o.until;
}

/* Those that are still at work are told when it is over: a trial that was not made to its end does not count. */
static size_t tend(const struct trials *t, struct crew *c)
{
	bool stop = is_over(t) && !c->stopped;
	size_t running = 0;
	for (size_t i = 0; i < c->count; i++) {
		if (c->pids[i] && waitpid(c->pids[i], NULL, WNOHANG) != 0)
			c->pids[i] = 0;
		if (c->pids[i] && stop)
			kill(c->pids[i], SIGTERM);
		running += c->pids[i] != 0;
	}
	c->stopped |= stop;
	return running;
}

static bool make_all(struct trials *t, const struct trial *list, const size_t *left, size_t count, struct err *err)
{
	size_t before = t->entries.count;
	struct crew c = { .pids = mem_alloc((t->o.jobs + 1) * sizeof *c.pids), .told = -1 };
	char text[sizeof err->text] = "";
	bool ok = start(t, &c, list, left, count, err);
	while (tend(t, &c)) {
		usleep(LOOK_US);
		ok = look(t, err) && ok;
		tell_progress(t, before, count);
	}
	ok = look(t, err) && ok;
	ssize_t n = c.told >= 0 ? read(c.told, text, sizeof text - 1) : 0;
	if (c.told >= 0)
		close(c.told);
	free(c.pids);
	return n > 0 ? err_set(err, "%s", text) : ok;
}

/* Those of the list that are not known, each once. */
static size_t missing(const struct trials *t, const struct trial *list, size_t count, size_t *left)
{
	size_t n = 0;
	for (size_t i = 0; i < count; i++) {
		bool twice = find(t, key_of(&list[i]));
		for (size_t k = 0; k < n && !twice; k++)
			twice = key_of(&list[left[k]]) == key_of(&list[i]);
		if (!twice)
			left[n++] = i;
	}
	return n;
}

static bool fill(struct trials *t, const struct trial *list, size_t count, size_t before, struct trial_result *results, struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		const struct entry *e = find(t, key_of(&list[i]));
		if (!e)
			return is_over(t) ? false : err_set(err, "a trial has no result");
		results[i] = e->result;
		results[i].is_known = (size_t)(e - t->entries.at) < before;
		t->sums.known += results[i].is_known;
	}
	return true;
}

bool trials_run(struct trials *t, const struct trial *list, size_t count, struct trial_result *results, struct err *err)
{
	size_t *left = mem_alloc((count + 1) * sizeof *left), before = t->entries.count, n = missing(t, list, count, left);
	bool ok = !n || make_all(t, list, left, n, err);
	free(left);
	for (size_t i = before; i < t->entries.count; i++) {
		t->sums.made++;
		t->sums.runs += t->entries.at[i].result.runs;
		t->sums.runs_made += t->entries.at[i].result.made;
		t->sums.seconds += t->entries.at[i].result.seconds;
	}
	return ok && fill(t, list, count, before, results, err);
}

struct trials_sums trials_sums(const struct trials *t)
{
	struct trials_sums s = t->sums;
	s.sides = t->sides;
	s.tree_size = t->hoard ? hoard_counts(t->hoard).bytes : 0;
	for (uint32_t i = 0; i < t->sides; i++)
		s.covered += t->covered[i];
	return s;
}

const struct trial_step *trials_curve(struct trials *t, const struct trial *one, size_t *count)
{
	const struct entry *e = find(t, key_of(one));
	*count = e ? e->count : 0;
	return e ? t->steps.at + e->first : NULL;
}
