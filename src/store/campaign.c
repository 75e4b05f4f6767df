/* SQLite in WAL mode. A commit there is a write to the end of a file: it outlives the process without waiting for the disk, and costs little. Tests and bugs are committed one by one,
 * before they are told; runs and flips, of which there are thousands in a second, by the half second, and what is lost of them is done again. Tables are in the order of adding
 * and have no index but the row number: they are read as a whole, once, when a campaign goes on.
 *
 * One process writes. It holds a lock on a file of its own, since SQLite's would let a second one in between two commits. */
#include "store/campaign.h"

#include "base/mem.h"
#include "base/str.h"

#include <sqlite3.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define FORMAT 1
#define LOCK_FILE "campaign.lock"
#define LOCK_TRIES 40 /* in two seconds */
#define APPLICATION 0x544e444d /* "TNDM", in the file's head */

/* Newer than the others: a campaign that has none gets it when it goes on. */
#define SIGHTING "CREATE TABLE IF NOT EXISTS sighting (bug INTEGER NOT NULL, test TEXT NOT NULL, distance INTEGER NOT NULL, depth INTEGER NOT NULL);"

static const char schema[] =
	"CREATE TABLE about (format INTEGER NOT NULL, program TEXT NOT NULL, build INTEGER NOT NULL);"
	"CREATE TABLE session (id INTEGER PRIMARY KEY, began INTEGER NOT NULL, runs INTEGER NOT NULL, seconds REAL NOT NULL, stats TEXT NOT NULL);"
	"CREATE TABLE test (hash INTEGER NOT NULL, parent INTEGER NOT NULL, run INTEGER NOT NULL, sides INTEGER NOT NULL, file TEXT NOT NULL);"
	"CREATE TABLE edge (build INTEGER NOT NULL, edge INTEGER NOT NULL, test INTEGER NOT NULL);"
	"CREATE TABLE bug (name INTEGER NOT NULL, hash INTEGER NOT NULL, parent INTEGER NOT NULL, run INTEGER NOT NULL, class TEXT NOT NULL, place TEXT NOT NULL, file TEXT NOT NULL);"
	SIGHTING
	"CREATE TABLE run (hash INTEGER NOT NULL);"
	"CREATE TABLE flip (key INTEGER NOT NULL, state INTEGER NOT NULL);"
	"CREATE TABLE remainder (input BLOB NOT NULL);";

/* STATEMENT(name, text) */
#define STATEMENT_TABLE(STATEMENT) \
	STATEMENT(BEGIN, "BEGIN IMMEDIATE") \
	STATEMENT(COMMIT, "COMMIT") \
	STATEMENT(ADD_TEST, "INSERT INTO test VALUES (?, ?, ?, ?, ?)") \
	STATEMENT(ADD_EDGE, "INSERT INTO edge VALUES (?, ?, ?)") \
	STATEMENT(ADD_BUG, "INSERT INTO bug VALUES (?, ?, ?, ?, ?, ?, ?)") \
	STATEMENT(ADD_SIGHTING, "INSERT INTO sighting VALUES (?, ?, ?, ?)") \
	STATEMENT(ADD_RUN, "INSERT INTO run VALUES (?)") \
	STATEMENT(ADD_FLIP, "INSERT INTO flip VALUES (?, ?)") \
	STATEMENT(FORGET_LEFT, "DELETE FROM remainder") \
	STATEMENT(ADD_LEFT, "INSERT INTO remainder VALUES (?)") \
	STATEMENT(SET_SESSION, "UPDATE session SET runs = ?, seconds = ?, stats = ? WHERE id = ?")

enum statement {
#define STATEMENT(name, text) DO_##name,
	STATEMENT_TABLE(STATEMENT)
#undef STATEMENT
	STATEMENTS
};

static const char *const texts[STATEMENTS] = {
#define STATEMENT(name, text) [DO_##name] = text,
	STATEMENT_TABLE(STATEMENT)
#undef STATEMENT
};

struct campaign {
	sqlite3 *db;
	int lock;
	char *path, *program;
	uint64_t build;
	sqlite3_int64 session;
	sqlite3_stmt *statements[STATEMENTS];
	bool begun;      /* a transaction */
};

static bool fail(const struct campaign *c, struct err *err)
{
	return err_set(err, "%.300s: %.150s", c->path, c->db ? sqlite3_errmsg(c->db) : "out of memory");
}

/* --- statements --- */

/* A value of a row, and where it goes: integers as they are, although SQLite's have a sign. */
static bool bind(sqlite3_stmt *s, const char *kinds, va_list values)
{
	int n = 1, rc = SQLITE_OK;
	for (; *kinds && rc == SQLITE_OK; kinds++, n++)
		switch (*kinds) {
		case 'i': rc = sqlite3_bind_int64(s, n, (sqlite3_int64)va_arg(values, uint64_t)); break;
		case 'b': { const void *bytes = va_arg(values, const void *); rc = sqlite3_bind_blob64(s, n, bytes, va_arg(values, uint64_t), SQLITE_STATIC); break; }
		case 'd': rc = sqlite3_bind_double(s, n, va_arg(values, double)); break;
		default: rc = sqlite3_bind_text(s, n, va_arg(values, const char *), -1, SQLITE_TRANSIENT); break;
		}
	return rc == SQLITE_OK;
}

static bool run(struct campaign *c, enum statement which, struct err *err, const char *kinds, ...)
{
	sqlite3_stmt *s = c->statements[which];
	va_list values;
	va_start(values, kinds);
	bool ok = bind(s, kinds, values) && sqlite3_step(s) == SQLITE_DONE;
	va_end(values);
	if (!ok)
		fail(c, err);
	sqlite3_reset(s);
	return ok;
}

static bool begin(struct campaign *c, struct err *err)
{
	if (c->begun)
		return true;
	c->begun = run(c, DO_BEGIN, err, "");
	return c->begun;
}

bool campaign_flush(struct campaign *c, struct err *err)
{
	if (!c->begun)
		return true;
	c->begun = false;
	if (run(c, DO_COMMIT, err, ""))
		return true;
	sqlite3_exec(c->db, "ROLLBACK", NULL, NULL, NULL); /* a full disk: what was not committed is done again some day */
	return false;
}

/* --- adding --- */

bool campaign_add_test(struct campaign *c, const struct campaign_test *t, const struct campaign_edge *edges, size_t count, struct err *err)
{
	bool ok = begin(c, err) && run(c, DO_ADD_TEST, err, "iiiis", t->hash, t->parent, t->run, (uint64_t)t->sides, t->file);
	for (size_t i = 0; i < count && ok; i++)
		ok = run(c, DO_ADD_EDGE, err, "iii", edges[i].build, (uint64_t)edges[i].edge, t->hash);
	return campaign_flush(c, err) && ok;
}

bool campaign_add_bug(struct campaign *c, const struct campaign_bug *b, struct err *err)
{
	bool ok = begin(c, err) && run(c, DO_ADD_BUG, err, "iiiisss", b->name, b->hash, b->parent, b->run, b->class, b->place, b->file);
	return campaign_flush(c, err) && ok;
}

bool campaign_add_sighting(struct campaign *c, const struct campaign_sighting *s, struct err *err)
{
	return begin(c, err) && run(c, DO_ADD_SIGHTING, err, "isii", s->bug, s->test, (uint64_t)s->distance, (uint64_t)s->depth);
}

bool campaign_add_run(struct campaign *c, uint64_t hash, struct err *err)
{
	return begin(c, err) && run(c, DO_ADD_RUN, err, "i", hash);
}

bool campaign_add_flip(struct campaign *c, const struct campaign_flip *f, struct err *err)
{
	return begin(c, err) && run(c, DO_ADD_FLIP, err, "ii", f->key, (uint64_t)f->state);
}

bool campaign_leave(struct campaign *c, const void *input, size_t size, struct err *err)
{
	return begin(c, err) && (input ? run(c, DO_ADD_LEFT, err, "b", input, (uint64_t)size) : run(c, DO_FORGET_LEFT, err, ""));
}

bool campaign_set_session(struct campaign *c, uint64_t runs, double seconds, const char *stats, struct err *err)
{
	return begin(c, err) && run(c, DO_SET_SESSION, err, "idsi", runs, seconds, stats, (uint64_t)c->session);
}

/* --- reading --- */

static uint64_t integer(sqlite3_stmt *s, int column)
{
	return (uint64_t)sqlite3_column_int64(s, column);
}

static const char *text(sqlite3_stmt *s, int column)
{
	const char *t = (const char *)sqlite3_column_text(s, column);
	return t ? t : "";
}

/* Calls `row` for every row of a query, until it returns false. */
static bool each(struct campaign *c, const char *query, bool (*row)(sqlite3_stmt *s, void *visitor), void *visitor, struct err *err)
{
	sqlite3_stmt *s;
	if (sqlite3_prepare_v2(c->db, query, -1, &s, NULL) != SQLITE_OK)
		return fail(c, err);
	int rc = SQLITE_ROW;
	bool more = true;
	while (more && (rc = sqlite3_step(s)) == SQLITE_ROW)
		more = row(s, visitor);
	bool ok = rc == SQLITE_ROW || rc == SQLITE_DONE || fail(c, err);
	sqlite3_finalize(s);
	return ok;
}

struct visitor {
	void *context;
	union {
		campaign_visit_test *test;
		campaign_visit_bug *bug;
		campaign_visit_sighting *sighting;
		campaign_visit_run *run;
		campaign_visit_flip *flip;
		campaign_visit_edge *edge;
		campaign_visit_left *left;
	} visit;
};

static bool visit_test(sqlite3_stmt *s, void *visitor)
{
	const struct visitor *v = visitor;
	return v->visit.test(v->context, &(struct campaign_test){ integer(s, 0), integer(s, 1), integer(s, 2), (uint32_t)integer(s, 3), text(s, 4) });
}

bool campaign_tests(struct campaign *c, campaign_visit_test *visit, void *context, struct err *err)
{
	return each(c, "SELECT hash, parent, run, sides, file FROM test ORDER BY rowid", visit_test, &(struct visitor){ context, { .test = visit } }, err);
}

static bool visit_bug(sqlite3_stmt *s, void *visitor)
{
	const struct visitor *v = visitor;
	return v->visit.bug(v->context, &(struct campaign_bug){ integer(s, 0), integer(s, 1), integer(s, 2), integer(s, 3), text(s, 4), text(s, 5), text(s, 6) });
}

bool campaign_bugs(struct campaign *c, campaign_visit_bug *visit, void *context, struct err *err)
{
	return each(c, "SELECT name, hash, parent, run, class, place, file FROM bug ORDER BY rowid", visit_bug, &(struct visitor){ context, { .bug = visit } }, err);
}

static bool visit_sighting(sqlite3_stmt *s, void *visitor)
{
	const struct visitor *v = visitor;
	return v->visit.sighting(v->context, &(struct campaign_sighting){ integer(s, 0), text(s, 1), (uint32_t)integer(s, 2), (uint32_t)integer(s, 3) });
}

bool campaign_sightings(struct campaign *c, campaign_visit_sighting *visit, void *context, struct err *err)
{
	return each(c, "SELECT bug, test, distance, depth FROM sighting ORDER BY rowid", visit_sighting, &(struct visitor){ context, { .sighting = visit } }, err);
}

static bool visit_run(sqlite3_stmt *s, void *visitor)
{
	const struct visitor *v = visitor;
	return v->visit.run(v->context, integer(s, 0));
}

bool campaign_runs(struct campaign *c, campaign_visit_run *visit, void *context, struct err *err)
{
	return each(c, "SELECT hash FROM run ORDER BY rowid", visit_run, &(struct visitor){ context, { .run = visit } }, err);
}

static bool visit_flip(sqlite3_stmt *s, void *visitor)
{
	const struct visitor *v = visitor;
	return v->visit.flip(v->context, &(struct campaign_flip){ integer(s, 0), (uint8_t)integer(s, 1) });
}

bool campaign_flips(struct campaign *c, campaign_visit_flip *visit, void *context, struct err *err)
{
	return each(c, "SELECT key, state FROM flip ORDER BY rowid", visit_flip, &(struct visitor){ context, { .flip = visit } }, err);
}

static bool visit_edge(sqlite3_stmt *s, void *visitor)
{
	const struct visitor *v = visitor;
	return v->visit.edge(v->context, &(struct campaign_edge){ integer(s, 0), (uint32_t)integer(s, 1) });
}

bool campaign_edges(struct campaign *c, campaign_visit_edge *visit, void *context, struct err *err)
{
	return each(c, "SELECT build, edge FROM edge ORDER BY rowid", visit_edge, &(struct visitor){ context, { .edge = visit } }, err);
}

static bool visit_left(sqlite3_stmt *s, void *visitor)
{
	const struct visitor *v = visitor;
	return v->visit.left(v->context, sqlite3_column_blob(s, 0), (size_t)sqlite3_column_bytes(s, 0));
}

bool campaign_left(struct campaign *c, campaign_visit_left *visit, void *context, struct err *err)
{
	return each(c, "SELECT input FROM remainder ORDER BY rowid DESC", visit_left, &(struct visitor){ context, { .left = visit } }, err);
}

static bool take_past(sqlite3_stmt *s, void *visitor)
{
	struct campaign_past *p = visitor;
	*p = (struct campaign_past){ integer(s, 0), integer(s, 1), integer(s, 2), integer(s, 3), integer(s, 4), sqlite3_column_double(s, 5) };
	return false;
}

bool campaign_past(struct campaign *c, struct campaign_past *p, struct err *err)
{
	struct str query = {0};
	str_printf(&query, "SELECT count(*), total(runs), (SELECT count(*) FROM test), (SELECT count(*) FROM bug), (SELECT count(*) FROM edge), total(seconds) FROM session WHERE id <> %lld",
	           (long long)c->session);
	bool ok = each(c, str_text(&query), take_past, p, err);
	str_free(&query);
	return ok;
}

/* --- opening --- */

static bool execute(struct campaign *c, const char *statements, struct err *err)
{
	return sqlite3_exec(c->db, statements, NULL, NULL, NULL) == SQLITE_OK || fail(c, err);
}

/* What a killed exploration started ends a moment after it, and holds the lock until then. */
static bool wait_for(int lock)
{
	for (unsigned tries = 0; flock(lock, LOCK_EX | LOCK_NB) != 0; tries++) {
		if (errno != EWOULDBLOCK || tries == LOCK_TRIES)
			return false;
		nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	}
	return true;
}

static bool take_lock(struct campaign *c, const char *directory, struct err *err)
{
	struct str path = {0};
	str_printf(&path, "%s/" LOCK_FILE, directory);
	c->lock = open(str_text(&path), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	bool ok = c->lock >= 0 || err_errno(err, "%s", str_text(&path));
	str_free(&path);
	if (ok && !wait_for(c->lock))
		ok = errno == EWOULDBLOCK ? err_set(err, "%s: another exploration is at work on it", directory) : err_errno(err, "%s", directory);
	return ok;
}

static struct campaign *open_file(const char *directory, int flags, bool alone, struct err *err)
{
	struct campaign *c = mem_alloc(sizeof *c);
	struct str path = {0};
	c->lock = -1;
	str_printf(&path, "%s/" CAMPAIGN_FILE, directory);
	c->path = path.text;
	bool ok = (!alone || take_lock(c, directory, err)) && (sqlite3_open_v2(c->path, &c->db, flags, NULL) == SQLITE_OK || fail(c, err));
	if (ok && alone)
		ok = execute(c, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", err);
	if (ok)
		return c;
	campaign_close(c);
	return NULL;
}

static bool prepare(struct campaign *c, struct err *err)
{
	for (unsigned i = 0; i < STATEMENTS; i++)
		if (sqlite3_prepare_v3(c->db, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &c->statements[i], NULL) != SQLITE_OK)
			return fail(c, err);
	return true;
}

static bool begin_session(struct campaign *c, struct err *err)
{
	struct str s = {0};
	str_printf(&s, "INSERT INTO session (began, runs, seconds, stats) VALUES (%lld, 0, 0, '{}')", (long long)time(NULL));
	bool ok = execute(c, str_text(&s), err);
	c->session = sqlite3_last_insert_rowid(c->db);
	str_free(&s);
	return ok;
}

static bool fill_new(struct campaign *c, const char *program, uint64_t build, struct err *err)
{
	char *about = sqlite3_mprintf("PRAGMA application_id = %d; BEGIN; %s INSERT INTO about VALUES (%d, %Q, %lld); COMMIT", APPLICATION, schema, FORMAT, program, (long long)build);
	bool ok = about ? execute(c, about, err) : fail(c, err);
	sqlite3_free(about);
	return ok;
}

static bool take_about(sqlite3_stmt *s, void *visitor)
{
	struct campaign *c = visitor;
	if (integer(s, 0) == FORMAT) {
		c->program = strdup(text(s, 1));
		c->build = integer(s, 2);
	}
	return false;
}

static bool take_count(sqlite3_stmt *s, void *visitor)
{
	*(uint64_t *)visitor = integer(s, 0);
	return false;
}

/* Somebody was killed when he had just begun one: there is a database, and nothing in it. */
static bool is_empty(const char *path)
{
	struct campaign c = { .path = (char *)(uintptr_t)path, .lock = -1 };
	uint64_t tables = 1;
	if (sqlite3_open_v2(path, &c.db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK)
		each(&c, "SELECT count(*) FROM sqlite_master", take_count, &tables, NULL);
	sqlite3_close(c.db);
	return !tables;
}

bool campaign_is(const char *directory)
{
	struct str path = {0};
	str_printf(&path, "%s/" CAMPAIGN_FILE, directory);
	bool is = access(str_text(&path), F_OK) == 0 && !is_empty(str_text(&path));
	str_free(&path);
	return is;
}

struct campaign *campaign_create(const char *directory, const char *program, uint64_t build, struct err *err)
{
	if (campaign_is(directory)) {
		err_set(err, "%s has an exploration in it: --resume goes on with it, --out DIR puts this one elsewhere", directory);
		return NULL;
	}
	struct campaign *c = open_file(directory, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, true, err);
	if (!c)
		return NULL;
	c->program = strdup(program);
	c->build = build;
	if (c->program && fill_new(c, program, build, err) && prepare(c, err) && begin_session(c, err))
		return c;
	campaign_close(c);
	return NULL;
}

static bool read_about(struct campaign *c, struct err *err)
{
	return each(c, "SELECT format, program, build FROM about", take_about, c, err) && (c->program || err_set(err, "%s: it is of another version of Tandem", c->path));
}

struct campaign *campaign_open(const char *directory, struct err *err)
{
	if (!campaign_is(directory)) {
		err_set(err, "%s: there is no exploration to go on with", directory);
		return NULL;
	}
	struct campaign *c = open_file(directory, SQLITE_OPEN_READWRITE, true, err);
	if (!c)
		return NULL;
	if (read_about(c, err) && execute(c, SIGHTING, err) && prepare(c, err) && begin_session(c, err))
		return c;
	campaign_close(c);
	return NULL;
}

/* It is opened for writing all the same: readers of a log that is written ahead need to. */
struct campaign *campaign_look(const char *directory, struct err *err)
{
	if (!campaign_is(directory)) {
		err_set(err, "%s: there is no exploration in it", directory);
		return NULL;
	}
	struct campaign *c = open_file(directory, SQLITE_OPEN_READWRITE, false, err);
	if (!c || read_about(c, err))
		return c;
	campaign_close(c);
	return NULL;
}

void campaign_close(struct campaign *c)
{
	if (!c)
		return;
	if (c->statements[DO_COMMIT])
		campaign_flush(c, NULL);
	for (unsigned i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(c->statements[i]);
	sqlite3_close(c->db);
	if (c->lock >= 0)
		close(c->lock);
	free(c->path);
	free(c->program);
	free(c);
}

const char *campaign_program(const struct campaign *c)
{
	return c->program;
}

uint64_t campaign_build(const struct campaign *c)
{
	return c->build;
}
