/* Addresses of a run that is over, as places in the source. */
#ifndef TANDEM_TRACE_SYMBOLS_H
#define TANDEM_TRACE_SYMBOLS_H

#include "base/arena.h"
#include "contract/report.h"
#include "trace/facts.h"

/* A line of a call stack. Texts are in the arena they were asked for with; what is not known is NULL or 0. */
struct symbols_frame {
	uint64_t address;     /* as it was in the run: a return address; 0: the frame was inlined into the next */
	const char *function;
	const char *file;     /* seen from the source tree, as facts name it; else as debug information has it */
	uint32_t line, column;
	const char *module;   /* path of the file the code is in */
	uint64_t offset;      /* in that file's own addresses */
};

struct symbols_frames {
	struct symbols_frame *at;
	size_t count;
};

struct symbols;

/* The facts are borrowed: they say which files have changed since and how files are called. */
struct symbols *symbols_open(const struct facts *facts);
void symbols_close(struct symbols *s);

/* A call stack as the source has it, innermost first: inlined calls have frames of their own, the two sides of a traced function are one, a
 * model is the library function it stands for, and what is Tandem's own is left out. */
struct symbols_frames symbols_stack(struct symbols *s, const struct td_report *r, enum td_report_where where, struct arena *a);

#endif
