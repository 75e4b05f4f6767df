/* A run is kept when it is over, under a name made of all that it was fed with: so what is the same is one file, whoever wrote it, and a recorder that is killed has lost no run that was over. */
#include "cli/recordings.h"

#include "cli/cases.h"
#include "trace/facts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool recordings_open(struct recordings *r, const char *directory, struct err *err)
{
	r->arena = arena_new();
	r->directory = arena_strdup(r->arena, directory);
	return cases_make_dir(directory, err);
}

void recordings_close(struct recordings *r)
{
	for (size_t i = 0; i < r->programs.count; i++)
		literals_close(r->programs.at[i].literals);
	vec_free(&r->programs);
	vec_free(&r->known);
	vec_free(&r->troubles);
	if (r->arena)
		arena_free(r->arena);
}

/* NULL: it is not there any more, and nothing is known of it. */
static struct recorded_program *program_of(struct recordings *r, const char *path, uint64_t stamp)
{
	for (size_t i = 0; i < r->programs.count; i++)
		if (r->programs.at[i].stamp == stamp && strcmp(r->programs.at[i].path, path) == 0)
			return &r->programs.at[i];
	if (recording_stamp(path) != stamp)
		return NULL;
	struct recorded_program p = { .path = arena_strdup(r->arena, path), .stamp = stamp };
	struct facts facts;
	if (facts_open(&facts, path, NULL)) {
		p.build = facts.modules[0].build;
		facts_close(&facts);
	}
	p.literals = literals_open(path);
	vec_push(&r->programs, p);
	return &r->programs.at[r->programs.count - 1];
}

/* True: it was not. */
static bool add_known(struct recordings *r, uint64_t hash)
{
	size_t low = 0, high = r->known.count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (r->known.at[middle] < hash)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < r->known.count && r->known.at[low] == hash)
		return false;
	vec_push(&r->known, hash);
	memmove(&r->known.at[low + 1], &r->known.at[low], (r->known.count - 1 - low) * sizeof *r->known.at);
	r->known.at[low] = hash;
	return true;
}

/* Times of files are of when the suite made them: no two runs would be the same. */
static uint64_t hash_of(const struct testcase *t, uint64_t build, struct arena *a)
{
	struct testcase plain = *t;
	struct testcase_file *files = arena_alloc(a, (t->files_count + 1) * sizeof *files);
	for (size_t i = 0; i < t->files_count; i++) {
		files[i] = t->files[i];
		files[i].mtime = 0;
	}
	plain.files = files;
	return testcase_hash(&plain) ^ build;
}

static void keep(struct recordings *r, const struct casefile *c, uint64_t hash, struct arena *a)
{
	const char *path = arena_printf(a, "%s/%s-%016" PRIx64 CASEFILE_SUFFIX, r->directory, cases_stem(c->program, a), hash);
	struct stat st;
	struct err err = {0};
	if (access(path, F_OK) == 0) { /* somebody else has recorded it */
		r->merged++;
	} else if (!casefile_write(path, c, &err)) {
		if (!r->failed++)
			r->error = err;
	} else {
		r->kept++;
		r->bytes += stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
	}
}

static void leave_out(struct recordings *r, const char *why)
{
	size_t i = 0, kind = strcspn(why, ":");
	while (i < r->troubles.count && (strcspn(r->troubles.at[i].why, ":") != kind || memcmp(r->troubles.at[i].why, why, kind)))
		i++;
	if (i == r->troubles.count)
		vec_push(&r->troubles, (struct recorded_trouble){ .why = arena_strdup(r->arena, why) });
	r->troubles.at[i].count++;
	r->troubled++;
}

void recordings_add(struct recordings *r, const struct recording *one)
{
	const struct recorded_program *p = program_of(r, one->program, one->stamp);
	r->runs++;
	if (one->trouble || !p) { /* another that was fed the same may have none */
		leave_out(r, one->trouble ? one->trouble : "its program's file was removed, or there is another");
		return;
	}
	struct arena *a = arena_new();
	struct casefile c = { .kind = CASE_SEED, .purpose = "recorded", .program = p->path, .build = p->build, .input = one->input };
	struct environment_rule rule = r->rule;
	rule.literals = p->literals;
	environment_keep(one->input.env, one->input.env_count, &rule, &c.input, a);
	uint64_t hash = hash_of(&c.input, p->build, a);
	if (!add_known(r, hash))
		r->merged++;
	else
		keep(r, &c, hash, a);
	arena_free(a);
}
