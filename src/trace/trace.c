/* Traces, read and created. A trace was written by a program that may have been doing anything, wild writes into its
 * own trace included, or comes from a file that was cut off. So trace_view checks every number that anybody will use
 * as an index, once, in time linear in what was used; after that nobody checks again. Regions may overlap or be in
 * any order: that is odd, but harms no reader.
 *
 * Layout of a new file, each part on its own pages: header, inputs, arguments, nodes, events, arrays, their elements, reports, coverage, functions without a model, modules, the plan of a unit. */
#include "trace/trace.h"

#include "base/fs.h"
#include "base/str.h"
#include "contract/op.h"
#include "trace/report.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(sizeof(struct td_header) <= TD_HEADER_SIZE, "the header has its own page");
_Static_assert(sizeof(struct td_loaded) == 4096, "docs/trace-format.md");
_Static_assert(sizeof(struct td_report) == 66624 && offsetof(struct td_report, modules) == 1088, "docs/trace-format.md");
_Static_assert(sizeof(struct td_node) == 32 && sizeof(struct td_event) == 24 && sizeof(struct td_array) == 64, "docs/trace-format.md");

const char *const trace_kind_names[TD_EV_KINDS] = {
	[TD_EV_BRANCH] = "branch", [TD_EV_SWITCH] = "switch", [TD_EV_CONCRETISE] = "concretise", [TD_EV_LENGTH] = "length",
	[TD_EV_ASSUME] = "assume", [TD_EV_SAFETY] = "safety", [TD_EV_SENSITIVE] = "sensitive", [TD_EV_GUARD] = "guard",
	[TD_EV_CALL] = "call", [TD_EV_ARG] = "argument", [TD_EV_RET] = "return", [TD_EV_SNAPSHOT] = "snapshot",
	[TD_EV_NOTE] = "note", [TD_EV_BOUND] = "bound",
};

/* --- validation --- */

static bool region_fits(uint64_t offset, uint64_t count, uint64_t element, uint64_t size)
{
	return offset % 8 == 0 && offset >= TD_HEADER_SIZE && offset <= size && count <= (size - offset) / element;
}

static bool check_header(const struct td_header *h, size_t size, struct err *err)
{
	if (size < TD_HEADER_SIZE)
		return err_set(err, "not a trace: only %zu bytes long", size);
	if (h->magic != TD_MAGIC)
		return err_set(err, "not a trace: wrong magic number");
	if (h->version != TD_VERSION)
		return err_set(err, "trace has format version %" PRIu32 ", this program reads %u", h->version, TD_VERSION);
	if (h->size > size)
		return err_set(err, "trace is truncated: %zu of %" PRIu64 " bytes", size, h->size);
	if (!region_fits(h->inputs_off, h->inputs, sizeof(struct td_input), h->size))
		return err_set(err, "trace is garbled: inputs lie outside the file");
	if (!region_fits(h->nodes_off, h->nodes_max, sizeof(struct td_node), h->size))
		return err_set(err, "trace is garbled: nodes lie outside the file");
	if (!region_fits(h->events_off, h->events_max, sizeof(struct td_event), h->size))
		return err_set(err, "trace is garbled: events lie outside the file");
	if (h->modules > TD_MAX_MODULES || !region_fits(h->modules_off, h->modules, sizeof(struct td_loaded), h->size))
		return err_set(err, "trace is garbled: modules lie outside the file");
	if (!region_fits(h->arrays_off, h->arrays_max, sizeof(struct td_array), h->size))
		return err_set(err, "trace is garbled: arrays lie outside the file");
	if (!region_fits(h->array_bytes_off, h->array_bytes_max, 1, h->size))
		return err_set(err, "trace is garbled: elements of arrays lie outside the file");
	if (h->reports > TD_MAX_REPORTS || !region_fits(h->reports_off, h->reports, sizeof(struct td_report), h->size))
		return err_set(err, "trace is garbled: reports lie outside the file");
	if (!region_fits(h->cover_off, h->cover_max, 1, h->size))
		return err_set(err, "trace is garbled: coverage lies outside the file");
	if (h->foreign > TD_MAX_FOREIGN || !region_fits(h->foreign_off, h->foreign, sizeof(struct td_foreign), h->size))
		return err_set(err, "trace is garbled: functions without a model lie outside the file");
	if (h->nodes < 1 || h->nodes > h->nodes_max || h->events > h->events_max || h->inputs > TD_MAX_INPUTS ||
	    h->arrays > h->arrays_max || h->array_bytes > h->array_bytes_max)
		return err_set(err, "trace is garbled: more records than room for them");
	return true;
}

static bool check_inputs(const struct trace *t, struct err *err)
{
	for (uint32_t i = 0; i < t->inputs_count; i++)
		if (t->inputs[i].kind >= TD_IN_KINDS || !memchr(t->inputs[i].name, 0, TD_NAME_SIZE))
			return err_set(err, "trace is garbled: input %" PRIu32, i);
	return true;
}

static bool check_foreign(const struct trace *t, struct err *err)
{
	for (uint32_t i = 0; i < t->foreign_count; i++)
		if (!memchr(t->foreign[i].name, 0, TD_NAME_SIZE))
			return err_set(err, "trace is garbled: function without a model %" PRIu32, i);
	return true;
}

/* They share the numbers without gaps and overlaps, the program first. */
static bool check_modules(const struct trace *t, struct err *err)
{
	uint32_t edges = 0, functions = 0;
	for (uint32_t i = 0; i < t->modules_count; i++) {
		const struct td_loaded *m = &t->modules[i];
		bool place = m->first_edge == edges && m->edges <= TD_MAX_EDGES - edges && m->first_function == functions &&
		             m->functions <= TD_MAX_EDGES - functions;
		if (!place || m->kind > TD_LOADED_LIBRARY || !memchr(m->path, 0, TD_PATH_SIZE))
			return err_set(err, "trace is garbled: module %" PRIu32, i);
		edges += m->edges;
		functions += m->functions;
	}
	return true;
}

/* How many edges are told of. */
static uint32_t covered(const struct td_header *h, const struct td_loaded *modules)
{
	uint32_t edges = h->modules ? modules[h->modules - 1].first_edge + modules[h->modules - 1].edges : 0;
	return edges < h->cover_max ? edges : h->cover_max;
}

static bool check_nodes(const struct trace *t, struct err *err)
{
	uint32_t bad;
	if (!terms_check_arrays(&t->terms, t->header->array_bytes, &bad))
		return err_set(err, "trace is garbled: array %" PRIu32, bad);
	if (!terms_check(&t->terms, &bad))
		return err_set(err, "trace is garbled: node %" PRIu32, bad);
	for (uint32_t id = 1; id < t->terms.count; id++) {
		const struct td_node *n = &t->terms.nodes[id];
		if ((n->op == TD_INPUT || n->op == TD_LENGTH) && n->a >= t->inputs_count)
			return err_set(err, "trace is garbled: node %" PRIu32 " reads an unknown input", id);
	}
	return true;
}

static bool check_events(const struct trace *t, struct err *err)
{
	for (uint32_t i = 0; i < t->events_count; i++) {
		const struct td_event *e = &t->events[i];
		bool known = e->kind > TD_EV_NONE && e->kind < TD_EV_KINDS && e->node < t->terms.count;
		if (!known || (e->kind == TD_EV_CONCRETISE && e->sub >= TD_LOST_KINDS))
			return err_set(err, "trace is garbled: event %" PRIu32, i);
	}
	return true;
}

static bool check_reports(const struct trace *t, struct err *err)
{
	for (uint32_t i = 0; i < t->reports_count; i++)
		if (!report_check(&t->reports[i], t->terms.count, t->events_count))
			return err_set(err, "trace is garbled: report %" PRIu32, i);
	return true;
}

bool trace_view(struct trace *t, const void *memory, size_t size, struct err *err)
{
	const char *base = memory;
	const struct td_header *h = memory;
	*t = (struct trace){0};
	if (!check_header(h, size, err))
		return false;
	t->header = h;
	t->terms = (struct terms){ (const void *)(base + h->nodes_off), h->nodes, (const void *)(base + h->arrays_off), h->arrays,
	                           (const void *)(base + h->array_bytes_off) };
	t->events = (const void *)(base + h->events_off);
	t->events_count = h->events;
	t->inputs = (const void *)(base + h->inputs_off);
	t->inputs_count = h->inputs;
	t->modules = (const void *)(base + h->modules_off);
	t->modules_count = h->modules;
	t->reports = (const void *)(base + h->reports_off);
	t->reports_count = h->reports;
	t->foreign = (const void *)(base + h->foreign_off);
	t->foreign_count = h->foreign;
	t->size = size;
	if (!check_modules(t, err))
		return false;
	t->edges = (const void *)(base + h->cover_off);
	t->edges_count = covered(h, t->modules);
	return check_inputs(t, err) && check_nodes(t, err) && check_events(t, err) &&
	       check_reports(t, err) && check_foreign(t, err);
}

/* --- files --- */

bool trace_open_fd(struct trace *t, int fd, struct err *err)
{
	struct stat st;
	if (fstat(fd, &st) != 0)
		return err_errno(err, "cannot look at the trace");
	if (st.st_size < (off_t)TD_HEADER_SIZE)
		return err_set(err, "not a trace: only %lld bytes long", (long long)st.st_size);
	void *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return err_errno(err, "cannot map the trace");
	if (!trace_view(t, map, (size_t)st.st_size, err)) {
		munmap(map, (size_t)st.st_size);
		return false;
	}
	t->map = map;
	return true;
}

bool trace_open(struct trace *t, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_errno(err, "cannot open %s", path);
	struct err inner = {0};
	bool ok = trace_open_fd(t, fd, &inner);
	close(fd);
	return ok || err_set(err, "%.200s: %.250s", path, inner.text);
}

void trace_close(struct trace *t)
{
	if (t->map)
		munmap(t->map, t->size);
	*t = (struct trace){0};
}

static uint64_t append(struct str *out, const void *bytes, size_t size)
{
	uint64_t offset = out->length;
	str_add_bytes(out, bytes, size);
	return offset;
}

bool trace_save(const struct trace *t, const char *path, struct err *err)
{
	static const char page[TD_HEADER_SIZE];
	struct td_header h = *t->header;
	struct str out = {0};
	append(&out, page, sizeof page);
	h.inputs_off = append(&out, t->inputs, t->inputs_count * sizeof *t->inputs);
	h.nodes_off = append(&out, t->terms.nodes, t->terms.count * sizeof *t->terms.nodes);
	h.events_off = append(&out, t->events, t->events_count * sizeof *t->events);
	h.modules_off = append(&out, t->modules, t->modules_count * sizeof *t->modules);
	h.reports_off = append(&out, t->reports, t->reports_count * sizeof *t->reports);
	h.foreign_off = append(&out, t->foreign, t->foreign_count * sizeof *t->foreign);
	h.cover_off = append(&out, t->edges, t->edges_count);
	append(&out, page, (8 - t->edges_count % 8) % 8);
	h.cover_max = t->edges_count;
	h.arrays_off = append(&out, t->terms.arrays, t->terms.arrays_count * sizeof *t->terms.arrays);
	h.array_bytes_off = append(&out, t->terms.array_bytes, h.array_bytes);
	h.nodes_max = h.nodes;
	h.arrays_max = h.arrays;
	h.array_bytes_max = h.array_bytes;
	h.events_max = h.events;
	h.args_off = h.args_size = 0;
	h.size = out.length;
	memcpy(out.text, &h, sizeof h);
	bool ok = fs_write(path, out.text, out.length, err);
	str_free(&out);
	return ok;
}

/* --- live traces --- */

static uint64_t take_pages(uint64_t *end, uint64_t size)
{
	uint64_t offset = *end;
	*end = (offset + size + 4095) & ~(uint64_t)4095;
	return offset;
}

static struct td_header lay_out(const struct trace_request *r)
{
	struct td_header h = {
		.magic = TD_MAGIC, .version = TD_VERSION, .flags = r->flags, .args_size = TRACE_ARGS_SIZE,
		.nodes_max = r->nodes_max ? r->nodes_max : TRACE_ROOM,
		.events_max = r->events_max ? r->events_max : TRACE_ROOM,
		.arrays_max = TD_MAX_ARRAYS, .array_bytes_max = TD_ARRAY_BYTES, .cover_max = TD_MAX_COVER,
		.site_budget = r->site_budget, .window = r->window, .server_fd = r->flags & TD_SERVER ? r->server_fd : -1,
	};
	h.size = TD_HEADER_SIZE;
	h.inputs_off = take_pages(&h.size, TD_MAX_INPUTS * sizeof(struct td_input));
	h.args_off = take_pages(&h.size, h.args_size);
	h.nodes_off = take_pages(&h.size, h.nodes_max * sizeof(struct td_node));
	h.events_off = take_pages(&h.size, h.events_max * sizeof(struct td_event));
	h.arrays_off = take_pages(&h.size, h.arrays_max * sizeof(struct td_array));
	h.array_bytes_off = take_pages(&h.size, h.array_bytes_max);
	h.reports_off = take_pages(&h.size, TD_MAX_REPORTS * sizeof(struct td_report));
	h.cover_off = take_pages(&h.size, h.cover_max);
	h.foreign_off = take_pages(&h.size, TD_MAX_FOREIGN * sizeof(struct td_foreign));
	h.modules_off = take_pages(&h.size, TD_MAX_MODULES * sizeof(struct td_loaded));
	h.unit_size = r->unit_size;
	h.unit_off = take_pages(&h.size, h.unit_size);
	return h;
}

bool trace_create(struct live *l, const struct trace_request *r, struct err *err)
{
	struct td_header h = lay_out(r);
	struct rlimit files;
	*l = (struct live){ .fd = -1, .size = h.size, .cover_off = h.cover_off };
	if (getrlimit(RLIMIT_FSIZE, &files) == 0 && files.rlim_cur < h.size) /* going over it is a signal, not an error */
		return err_set(err, "a trace of %zu MiB is more than the limit on the size of files", l->size >> 20);
	l->fd = memfd_create("tandem-trace", MFD_CLOEXEC);
	if (l->fd < 0)
		return err_errno(err, "cannot create a trace");
	void *map = MAP_FAILED;
	if (ftruncate(l->fd, (off_t)h.size) == 0)
		map = mmap(NULL, h.size, PROT_READ | PROT_WRITE, MAP_SHARED, l->fd, 0);
	if (map == MAP_FAILED) {
		err_errno(err, "cannot make room for a trace of %zu MiB", l->size >> 20);
		close(l->fd);
		l->fd = -1;
		return false;
	}
	l->header = map;
	*l->header = h;
	if (r->unit_size)
		memcpy((char *)map + h.unit_off, r->unit, r->unit_size);
	trace_reset(l);
	return true;
}

void trace_reset(struct live *l)
{
	struct td_header *h = l->header;
	size_t request = offsetof(struct td_header, state);
	memset((char *)h + l->cover_off, 0, l->covered);
	memset((char *)h + request, 0, offsetof(struct td_header, modules_off) - request);
	h->nodes = 1;
}

void trace_destroy(struct live *l)
{
	if (l->header)
		munmap(l->header, l->size);
	if (l->fd >= 0)
		close(l->fd);
	*l = (struct live){ .fd = -1 };
}

bool trace_set_args(struct live *l, uint32_t argc, char *const argv[], struct err *err)
{
	char *to = (char *)l->header + l->header->args_off;
	size_t left = l->header->args_size;
	for (uint32_t i = 0; i < argc; i++) {
		size_t size = strlen(argv[i]) + 1;
		if (size > left)
			return err_set(err, "more than %zu bytes of arguments", (size_t)l->header->args_size);
		memcpy(to, argv[i], size);
		to += size;
		left -= size;
	}
	l->header->argc = argc;
	return true;
}
