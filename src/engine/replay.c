/* A test case is replayed in a fresh scratch directory with its files in it. A file with an absolute name must be on the machine: as the test case has it, or in the sandbox something else stands in for it
 * (run/standin.h); without a sandbox it may be made, if it is not there, for as long as the run takes.
 *
 * A sanitized program gets the sanitizer's variables from our own environment; without any, leaks are not looked for, since that takes ptrace, which
 * the sandbox refuses. */
#include "engine/replay.h"

#include "base/crc.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/rng.h"
#include "engine/flip.h"
#include "engine/runner.h"
#include "run/request.h"
#include "run/scratch.h"
#include "run/standin.h"
#include "testcase/realise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the program --- */

static bool has_sanitizer(const char *bytes, size_t size)
{
	static const char *const names[] = { "__asan_init", "__ubsan_handle_", "__msan_init" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (memmem(bytes, size, names[i], strlen(names[i])))
			return true;
	return false;
}

bool replay_build_of(const char *program, enum replay_build *build, struct facts *facts, struct err *err)
{
	struct stat st;
	if (stat(program, &st))
		return err_errno(err, "%s", program);
	if (!S_ISREG(st.st_mode) || access(program, X_OK))
		return err_set(err, "%s: not a program", program);
	*build = REPLAY_INSTRUMENTED;
	if (facts_open(facts, program, NULL))
		return true;
	size_t size;
	char *bytes = fs_read(program, &size, err);
	if (!bytes)
		return false;
	*build = has_sanitizer(bytes, size) ? REPLAY_SANITISED : REPLAY_PLAIN;
	free(bytes);
	return true;
}

const char *replay_build_name(enum replay_build build)
{
	static const char *const names[] = { "instrumented", "sanitized", "plain" };
	return names[build];
}

/* --- running --- */

bool replay_possible(const struct replay_spec *spec, struct err *err)
{
	const struct testcase *t = spec->input;
	const struct testcase_file *f = realise_misnamed(t);
	if (f)
		return err_set(err, "'%.300s' is not the name of a file in the working directory", f->path);
	if (t->marks_count && spec->build != REPLAY_INSTRUMENTED)
		return err_set(err, "it has a value for the mark '%.100s' in the program, which only a build of tandem cc can be given", t->marks[0].name);
	f = spec->sandbox ? realise_missing(t, standin_possible) : NULL;
	return !f || err_set(err, "it needs the file %.300s, which is not there as it was, and cannot be made in the sandbox (see --no-sandbox)", f->path);
}

/* The test case's variables, and a sanitizer's own. */
static const char **variables(const struct replay_spec *spec, size_t *count, struct arena *a)
{
	static const char *const names[] = { "ASAN_OPTIONS", "UBSAN_OPTIONS", "MSAN_OPTIONS" };
	const struct testcase *t = spec->input;
	const char **env = arena_alloc(a, (t->env_count + 5) * sizeof *env);
	*count = 0;
	if (spec->build == REPLAY_SANITISED) {
		env[(*count)++] = spec->memory ? arena_printf(a, "ASAN_OPTIONS=detect_leaks=0:hard_rss_limit_mb=%" PRIu64, spec->memory >> 20) : "ASAN_OPTIONS=detect_leaks=0";
		for (size_t i = 0; i < 3; i++)
			if (getenv(names[i]))
				env[(*count)++] = arena_printf(a, "%s=%s", names[i], getenv(names[i]));
	}
	for (size_t i = 0; i < t->env_count; i++)
		env[(*count)++] = t->env[i];
	if (spec->gcov)
		env[(*count)++] = arena_printf(a, "GCOV_PREFIX=%s", spec->gcov);
	return env;
}

static bool run_in(const struct replay_spec *spec, const struct scratch *scratch, const struct standins *standins, int request, struct outcome *out, struct err *err)
{
	const struct testcase *t = spec->input;
	struct arena *a = arena_new();
	struct target_spec s = {
		.program = spec->program, .argv = t->args, .argc = t->args_count, .input = t->bytes, .input_size = t->size,
		.input_kind = t->input, .umask = t->umask, .policy = sandbox_policy_default(scratch->path),
		.wall_ms = spec->wall_ms, .output_max = spec->output_max, .trace_fd = request,
	};
	s.more_env = variables(spec, &s.more_env_count, a);
	s.policy.limits.data_bytes = spec->build == REPLAY_SANITISED ? 0 : spec->memory; /* its shadow alone would be more */
	s.policy.also = spec->gcov;
	standins_tell(standins, &s.policy);
	s.policy.limits.cpu_s = spec->wall_ms ? (unsigned)spec->wall_ms / 1000 + 1 : 0;
	if (!spec->sandbox) {
		s.policy.use = 0;
		s.policy.allow_none = true;
	}
	bool ok = target_run(&s, out, err);
	arena_free(a);
	return ok;
}

static bool run_with_request(const struct replay_spec *spec, const struct scratch *scratch, const struct standins *standins, struct outcome *out, struct err *err)
{
	struct live values;
	if (spec->live)
		return request_put(spec->live->header, spec->input, err) && run_in(spec, scratch, standins, spec->live->fd, out, err);
	bool ok = runner_values(&values, spec->input, err) && run_in(spec, scratch, standins, values.fd, out, err);
	trace_destroy(&values);
	return ok;
}

/* For all files that the test case has outside; *made NULL: there are none. */
static bool stand_in(const struct replay_spec *spec, struct standins **made, struct err *err)
{
	const struct testcase *t = spec->input;
	const char **paths = mem_alloc((t->files_count + 1) * sizeof *paths);
	size_t count = 0;
	for (size_t i = 0; i < t->files_count && spec->sandbox; i++)
		if (standin_possible(&t->files[i]))
			paths[count++] = t->files[i].path;
	*made = count ? standins_new(paths, count, t->directory, err) : NULL;
	free(paths);
	return !count || (*made && standins_put(*made, t, err));
}

bool replay_run(const struct replay_spec *spec, struct outcome *out, struct err *err)
{
	struct scratch scratch;
	struct standins *standins = NULL;
	bool *made = mem_alloc(spec->input->files_count + 1);
	bool ok = replay_possible(spec, err) && scratch_open(&scratch, NULL, err);
	if (ok) {
		ok = realise_files(scratch.fd, spec->input, err) && (spec->sandbox || realise_absolute(spec->input, made, err)) && stand_in(spec, &standins, err) &&
		     run_with_request(spec, &scratch, standins, out, err);
		realise_remove(spec->input, made);
		standins_free(standins);
		scratch_close(&scratch, NULL);
	}
	free(made);
	return ok;
}

/* --- what came of it --- */

bool replay_is_over(const struct outcome *out, uint64_t memory)
{
	struct rusage own;
	return memory && out->peak > memory && getrusage(RUSAGE_SELF, &own) == 0 && (uint64_t)own.ru_maxrss * 1024u < memory;
}

bool replay_sanitizer(const struct output *err, struct str *class)
{
	static const char *const starts[] = { "AddressSanitizer: ", "LeakSanitizer: ", "MemorySanitizer: ", "runtime error: " };
	for (size_t i = 0; err->size && i < sizeof starts / sizeof *starts; i++) {
		const char *at = memmem(err->bytes, err->size, starts[i], strlen(starts[i])), *end = err->bytes + err->size;
		if (!at)
			continue;
		size_t length = strlen(starts[i]);
		while (at + length < end && at[length] > ' ' && at[length] < 127)
			length++;
		str_add_bytes(class, at, length);
		return true;
	}
	return false;
}

static uint64_t extend(uint64_t h, const struct trace *t, const struct facts *facts, const struct td_event *e)
{
	uint32_t edge = flip_edge(facts, t, e);
	const struct facts_place *p = edge == TD_NO_SITE ? NULL : facts_find(facts, edge);
	h = rng_mix(h ^ (p ? p->site->key : e->site));
	return rng_mix(h ^ (p ? edge - p->first_edge : e->value));
}

uint64_t replay_path(const struct trace *t, const struct facts *facts)
{
	uint64_t h = 1;
	for (uint32_t i = 0; i < t->events_count; i++) {
		const struct td_event *e = &t->events[i];
		if (e->kind == TD_EV_NOTE && e->sub == TD_NOTE_THREADS)
			break;
		if (e->kind == TD_EV_BRANCH || e->kind == TD_EV_SWITCH)
			h = extend(h, t, facts, e);
	}
	return h ? h : 1;
}

struct casefile_sum replay_sum(const struct output *o)
{
	return (struct casefile_sum){ !o->cut, crc_of(o->bytes, o->size), o->size };
}
