/* One run of a program: start it in its box, wait, say how it ended.
 *
 * Used for plain builds, replays and everything that a fork server cannot do. A run that is over time is not
 * an error: the warden is told to kill everything, and the outcome is a timeout.
 */
#include "run/target.h"

#include "base/err.h"
#include "run/box.h"

#include <signal.h>
#include <stdlib.h>

#define GRACE_MS 2000 /* for killing and reaping, which cannot be refused but takes time under load */

/* The kernel sends SIGXCPU at the limit and SIGKILL a second later. */
static bool out_of_cpu(const struct target_spec *spec, const struct outcome *out)
{
	uint64_t limit = (uint64_t)spec->policy.limits.cpu_s * 1000000u;
	return limit && out->kind == OUTCOME_SIGNAL &&
		(out->signal == SIGXCPU || (out->signal == SIGKILL && out->cpu_us + 50000u >= limit));
}

static bool await(struct box *box, const struct target_spec *spec, struct outcome *out, struct err *err)
{
	struct warden_report report;
	bool killed = false;

	if (box_wait(box, -1, box_deadline(spec->wall_ms), out) == BOX_TIMEOUT) {
		killed = true;
		warden_kill(&box->warden);
		if (box_wait(box, -1, box_deadline(GRACE_MS), out) == BOX_TIMEOUT)
			return err_set(err, "%s: could not be killed", spec->program);
	}
	warden_receive(&box->warden, &report);
	if (report.kind != WARDEN_ENDED)
		return box_failure(spec, &report, err);
	box_drain(box, out);
	out->cpu_us = report.cpu_us;
	out->peak = report.peak;
	box_outcome(out, report.status, killed);
	if (out_of_cpu(spec, out)) {
		out->kind = OUTCOME_TIMEOUT;
		out->signal = SIGXCPU;
	}
	return true;
}

bool target_run(const struct target_spec *spec, struct outcome *out, struct err *err)
{
	struct box box;
	uint64_t start = box_now_us();

	*out = (struct outcome){.kind = OUTCOME_FAILED_TO_START};
	if (!box_open(&box, spec, -1, err))
		return false;
	bool ok = await(&box, spec, out, err);
	box_close(&box);
	out->wall_us = box_now_us() - start;
	if (!ok)
		outcome_free(out);
	return ok;
}

void outcome_free(struct outcome *out)
{
	free(out->out.bytes);
	free(out->err.bytes);
	out->out = out->err = (struct output){0};
}
