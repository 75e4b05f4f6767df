/* The runner pays for the sandbox and for the program's start-up once. All that is left of a run is its outcome and the
 * trace in the shared file, which the next run overwrites: who needs one longer keeps a copy. */
#include "engine/runner.h"

#include "base/mem.h"
#include "run/request.h"
#include "run/scratch.h"
#include "run/server.h"
#include "run/standin.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct runner {
	struct runner_options options;
	struct live live;
	struct scratch scratch;
	bool has_scratch;
	struct standins *standins; /* NULL: none */
	char here[PATH_MAX];
	struct server *server;
	struct live plain;        /* of a second server, whose runs are not traced */
	struct server *plain_server; /* NULL: not yet wanted */
	bool no_plain_server;     /* nor to be had */
	struct td_header plain_request;
	struct td_header request; /* as it was when the server started: the program can write to the shared one */
	struct td_loaded *modules; /* likewise those that were ever reported: numbers of sites stay what they are */
	uint32_t modules_count;
	uint32_t modules_first;    /* how many there were when the server started for the first time */
	uint64_t modules_off;
};

static struct target_spec spec_of(const struct runner *r, int trace_fd)
{
	struct target_spec spec = {
		.program = r->options.program, .policy = sandbox_policy_default(r->has_scratch ? r->scratch.path : r->here),
		.wall_ms = r->options.wall_ms, .output_max = r->options.output_max, .trace_fd = trace_fd,
	};
	spec.policy.limits.data_bytes = r->options.memory;
	standins_tell(r->standins, &spec.policy);
	if (!r->options.sandbox) {
		spec.policy.use = 0;
		spec.policy.allow_none = true;
	}
	return spec;
}

/* Puts back what is known about modules. What a run has added to it is kept or not. */
static void restore_modules(struct runner *r, bool keep_new)
{
	struct td_header *h = r->live.header;
	h->modules_off = r->modules_off;
	if (r->modules_count)
		memcpy((char *)h + r->modules_off, r->modules, r->modules_count * sizeof *r->modules);
	if (!keep_new || h->modules < r->modules_count)
		h->modules = r->modules_count;
}

static void keep_modules(struct runner *r, const struct trace *t)
{
	if (t->modules_count == r->modules_count)
		return;
	r->modules = mem_resize_array(r->modules, t->modules_count, sizeof *r->modules);
	memcpy(r->modules, t->modules, t->modules_count * sizeof *r->modules);
	r->modules_count = t->modules_count;
}

/* What was written since; if it makes no sense, nothing of it stays. */
static bool look(struct runner *r, struct trace *t, struct err *err)
{
	restore_modules(r, true);
	bool ok = trace_view(t, r->live.header, r->live.size, err);
	if (!ok) {
		restore_modules(r, false);
		return false;
	}
	keep_modules(r, t);
	r->live.covered = t->edges_count;
	return true;
}

/* The libraries that the server has loaded are known from here on: its children go by their numbers. */
static bool start(struct runner *r, struct err *err)
{
	struct target_spec spec = spec_of(r, r->live.fd);
	struct trace t;
	trace_reset(&r->live);
	restore_modules(r, false);
	r->server = server_open(&spec, r->live.header, r->has_scratch ? &r->scratch : NULL, err);
	r->request = *r->live.header;
	return r->server && look(r, &t, err);
}

static bool prepare(struct runner *r, struct err *err)
{
	struct trace_request request = {
		.flags = r->options.flags, .nodes_max = r->options.nodes_max, .events_max = r->options.events_max,
		.window = r->options.window, .unit = r->options.unit, .unit_size = r->options.unit_size,
	};
	if (!trace_create(&r->live, &request, err))
		return false;
	r->modules_off = r->live.header->modules_off;
	if (!getcwd(r->here, sizeof r->here))
		return err_errno(err, "cannot find the current directory");
	if (r->options.sandbox && !(r->has_scratch = scratch_open(&r->scratch, NULL, err)))
		return false;
	if (r->options.sandbox && r->options.outside_count && !(r->standins = standins_new(r->options.outside, r->options.outside_count, r->options.directory, err)))
		return false;
	bool ok = start(r, err);
	r->modules_first = r->modules_count;
	return ok;
}

bool runner_is_as_new(const struct runner *r)
{
	return r->modules_count == r->modules_first;
}

struct runner *runner_open(const struct runner_options *o, struct err *err)
{
	struct runner *r = mem_alloc(sizeof *r);
	r->options = *o;
	r->live.fd = -1;
	r->plain.fd = -1;
	if (prepare(r, err))
		return r;
	runner_close(r);
	return NULL;
}

void runner_close(struct runner *r)
{
	if (!r)
		return;
	server_close(r->server);
	server_close(r->plain_server);
	trace_destroy(&r->live);
	trace_destroy(&r->plain);
	if (r->has_scratch)
		scratch_close(&r->scratch, NULL);
	standins_free(r->standins);
	free(r->modules);
	free(r);
}

void runner_patience(struct runner *r, int wall_ms)
{
	r->options.wall_ms = wall_ms;
	server_patience(r->server, wall_ms);
	if (r->plain_server)
		server_patience(r->plain_server, wall_ms);
}

/* Nothing of a run stays that has to be had again. */
static bool run_in(const struct runner *r, struct server *server, struct live *live, const struct td_header *request, const struct testcase *f,
	struct outcome *out, struct err *err)
{
	for (bool fresh = r->options.fresh || !r->options.sandbox; standins_put(r->standins, f, err); fresh = true) {
		memcpy(live->header, request, offsetof(struct td_header, state));
		trace_reset(live);
		if (!server_run(server, f, fresh, out, err))
			return false;
		if (out->kind != OUTCOME_AGAIN)
			return true;
		outcome_free(out);
	}
	return false;
}

static bool run_once(struct runner *r, const struct testcase *f, struct outcome *out, struct err *err)
{
	return run_in(r, r->server, &r->live, &r->request, f, out, err);
}

bool runner_run(struct runner *r, const struct testcase *f, struct outcome *out, struct trace *t, struct err *err)
{
	struct err first = {0};
	if (!run_once(r, f, out, &first)) {
		server_close(r->server);
		r->server = NULL;
		if (!start(r, err) || !run_once(r, f, out, err))
			return false;
	}
	if (!look(r, t, err))
		*t = (struct trace){0};
	return true;
}

/* The part of a request that is not a run's own; the program can write to what it is given. */
static bool open_plain(struct runner *r, struct err *err)
{
	struct trace_request request = { .flags = TD_NO_TRACE, .nodes_max = 2, .events_max = 2 };
	if (!trace_create(&r->plain, &request, err))
		return false;
	struct target_spec spec = spec_of(r, r->plain.fd);
	r->plain_server = server_open(&spec, r->plain.header, r->has_scratch ? &r->scratch : NULL, err);
	r->plain_request = *r->plain.header;
	return r->plain_server;
}

static void close_plain(struct runner *r)
{
	server_close(r->plain_server);
	trace_destroy(&r->plain);
	r->plain_server = NULL;
	r->plain.fd = -1;
	r->no_plain_server = true;
}

bool runner_untraced(struct runner *r, const struct testcase *f, struct outcome *out, struct err *err)
{
	struct err ignored = {0};
	if (!r->no_plain_server && !r->options.unit_size && !r->plain_server && !open_plain(r, &ignored))
		close_plain(r);
	if (r->plain_server) {
		if (run_in(r, r->plain_server, &r->plain, &r->plain_request, f, out, &ignored))
			return true;
		close_plain(r);
	}
	return runner_replay(r, f, NULL, out, err);
}

bool runner_values(struct live *values, const struct testcase *f, struct err *err)
{
	struct trace_request request = { .flags = TD_NO_TRACE, .nodes_max = 2, .events_max = 2 };
	*values = (struct live){ .fd = -1 };
	return !f->marks_count || (trace_create(values, &request, err) && request_put(values->header, f, err));
}

static bool replay_in(struct runner *r, const struct testcase *f, const struct runner_limits *limits, int values, struct outcome *out, struct err *err)
{
	struct target_spec spec = spec_of(r, values);
	if (limits) {
		spec.wall_ms = limits->wall_ms;
		spec.policy.limits.cpu_s = limits->cpu_s;
		spec.policy.limits.data_bytes = limits->memory;
	}
	spec.argv = f->args;
	spec.argc = f->args_count;
	spec.more_env = f->env;
	spec.more_env_count = f->env_count;
	spec.input = f->bytes;
	spec.input_size = f->size;
	if (f->files_count && !r->has_scratch)
		return err_set(err, "files need a scratch directory");
	if (f->files_count && (!scratch_put(&r->scratch, f->files, f->files_count, err) || !standins_put(r->standins, f, err)))
		return false;
	return target_run(&spec, out, err);
}

static bool unit_values(const struct runner *r, struct live *values, const struct testcase *f, struct err *err)
{
	struct trace_request request = { .flags = r->options.flags, .unit = r->options.unit, .unit_size = r->options.unit_size };
	return trace_create(values, &request, err) && request_put(values->header, f, err);
}

bool runner_replay(struct runner *r, const struct testcase *f, const struct runner_limits *limits, struct outcome *out, struct err *err)
{
	struct live values;
	bool ok = (r->options.unit_size ? unit_values(r, &values, f, err) : runner_values(&values, f, err)) && replay_in(r, f, limits, values.fd, out, err);
	trace_destroy(&values);
	if (r->has_scratch && !scratch_reset(&r->scratch, ok ? err : NULL))
		return false;
	return ok;
}

void *runner_keep(const struct trace *from, struct trace *to, size_t *size)
{
	size_t inputs = from->inputs_count * sizeof *from->inputs, nodes = from->terms.count * sizeof *from->terms.nodes;
	size_t events = from->events_count * sizeof *from->events, arrays = from->terms.arrays_count * sizeof *from->terms.arrays;
	size_t elements = from->header->array_bytes;
	*size = sizeof *from->header + inputs + nodes + events + arrays + elements;
	char *block = mem_resize(NULL, *size), *at = block;
	*to = *from;
	to->map = NULL;
	to->modules = NULL; /* the facts know them */
	to->modules_count = 0;
	to->edges = NULL;   /* whoever wants to know has looked */
	to->edges_count = 0;
	to->reports = NULL; /* told when they were found */
	to->reports_count = 0;
	to->foreign = NULL;
	to->foreign_count = 0;
	to->header = memcpy(at, from->header, sizeof *from->header);
	to->inputs = memcpy(at += sizeof *from->header, from->inputs, inputs);
	to->terms.nodes = memcpy(at += inputs, from->terms.nodes, nodes);
	to->events = memcpy(at += nodes, from->events, events);
	to->terms.arrays = memcpy(at += events, from->terms.arrays, arrays);
	to->terms.array_bytes = memcpy(at + arrays, from->terms.array_bytes, elements);
	return block;
}
