/* A started program with its pipes and its warden: what single runs and fork servers have in common. */
#ifndef TANDEM_RUN_BOX_H
#define TANDEM_RUN_BOX_H

#include "run/sandbox.h"
#include "run/target.h"
#include "run/warden.h"

struct box {
	struct warden warden;
	struct sandbox_plan plan;
	int input;          /* memory file behind standard input */
	int feed;           /* or the pipe that is written to, until all of feed_at is; -1: none */
	const char *feed_at;
	size_t feed_left;
	int pipes[2];       /* standard output and error; -1: not kept */
	size_t output_max;
};

enum box_event { BOX_TIMEOUT, BOX_CONTROL, BOX_EXTRA };

/* extra: one more descriptor to pass on, or -1. */
bool box_open(struct box *box, const struct target_spec *spec, int extra, struct err *err);
bool box_set_input(struct box *box, const void *bytes, size_t size, struct err *err);
/* Until the warden has something to say or extra (if not -1) is readable; collects output meanwhile. */
enum box_event box_wait(struct box *box, int extra, uint64_t deadline_us, struct outcome *out);
void box_drain(struct box *box, struct outcome *out); /* what is in the pipes now */
void box_close(struct box *box);

uint64_t box_now_us(void);
uint64_t box_deadline(int wall_ms); /* 0 ms: never */
bool box_failure(const struct target_spec *spec, const struct warden_report *report, struct err *err);
void box_outcome(struct outcome *out, int status, bool killed);

#endif
