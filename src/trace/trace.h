/* A trace as the host sees it: a validated read-only view, and the live file a run is given to write into. */
#ifndef TANDEM_TRACE_TRACE_H
#define TANDEM_TRACE_TRACE_H

#include "base/err.h"
#include "contract/report.h"
#include "contract/trace.h"
#include "expr/terms.h"

#include <stddef.h>

/* A view whose every index was checked: nodes are well-formed, events name existing nodes, names are terminated. */
struct trace {
	const struct td_header *header;
	struct terms terms;  /* with the arrays they read from */
	const struct td_event *events;
	uint32_t events_count;
	const struct td_input *inputs;
	uint32_t inputs_count;
	const struct td_loaded *modules;
	uint32_t modules_count;
	const struct td_report *reports;
	uint32_t reports_count;
	const uint8_t *edges;  /* coverage: a byte per edge, not 0 if it was taken in this run; to be completed (coverage.h) */
	uint32_t edges_count;  /* in all modules, as far as it is told */
	const struct td_foreign *foreign; /* functions without a model that got symbolic data */
	uint32_t foreign_count;
	void *map;   /* what trace_close gives back; NULL: the memory is someone else's */
	size_t size;
};

extern const char *const trace_kind_names[TD_EV_KINDS]; /* of events */

/* Views memory that stays where it is; it must be 8-aligned, and nobody may write to it any more. */
bool trace_view(struct trace *t, const void *memory, size_t size, struct err *err);
bool trace_open(struct trace *t, const char *path, struct err *err);
bool trace_open_fd(struct trace *t, int fd, struct err *err); /* the descriptor stays the caller's */
void trace_close(struct trace *t);

/* Copies the used parts only: a trace of a few events is a few kilobytes. */
bool trace_save(const struct trace *t, const char *path, struct err *err);

/* A live trace: the file a program writes to, mapped here as well. After the program has ended, view it with
 * trace_view(&t, live.header, live.size, err); trace_reset makes it ready for the next run, which will find the modules
 * where they are: numbers of sites stay valid. */
struct live {
	int fd;
	struct td_header *header;
	size_t size;
	uint64_t cover_off; /* as it was made: the program can write to the header */
	uint32_t covered;   /* edges a run may have told of: whoever looks at a run keeps it up to date, and trace_reset clears so many */
};

struct trace_request {
	uint32_t flags;                  /* enum td_flag */
	uint32_t nodes_max, events_max;  /* 0: TRACE_ROOM */
	uint32_t site_budget;            /* 0: no limit */
	int server_fd;                   /* with TD_SERVER */
	uint32_t window;                 /* bytes of a file that are symbolic; 0: all */
	const void *unit;                /* a plan for unit mode (contract/unit.h), or NULL */
	size_t unit_size;
};

#define TRACE_ROOM (1u << 24)
#define TRACE_ARGS_SIZE (1u << 20)

/* The file is sparse: room costs nothing until it is used. The descriptor is close-on-exec. */
bool trace_create(struct live *l, const struct trace_request *r, struct err *err);
void trace_reset(struct live *l);
void trace_destroy(struct live *l);

/* The fork server's arguments of the next run, program name included; false: they do not fit. */
bool trace_set_args(struct live *l, uint32_t argc, char *const argv[], struct err *err);

#endif
