/* What could go wrong and is not symbolic, on request: a search that leaves the path near such a place may make it go wrong. Told
 * once for each stretch of the path from one symbolic branch to the next. */
#include "state.h"

enum { SITES = 1 << 12, TRIES = 8 }; /* one too many for its neighbourhood is told again */

static struct site { uint32_t function, place, stretch; } sites[SITES];
static uint32_t stretch = 1;

void sensitive_next(void)
{
	stretch++;
}

static bool is_new(uint32_t function, uint32_t place)
{
	uint32_t at = (function * 0x9E3779B1u ^ place * 0x85EBCA6Bu) >> 20;
	for (unsigned k = 0; k < TRIES; k++) {
		struct site *s = &sites[(at + k) % SITES];
		if (s->stretch != stretch) {
			*s = (struct site){function, place, stretch};
			return true;
		}
		if (s->function == function && s->place == place)
			return false;
	}
	return true;
}

static void pass(uint32_t function, uint32_t place, bool tell)
{
	if (!state_enter())
		return;
	if (is_new(function, place) && tell)
		event_add(TD_EV_SENSITIVE, 0, function, 0, place, 0);
	state_leave();
}

void sensitive_passed(uint32_t function, uint32_t place)
{
	pass(function, place, true);
}

void sensitive_told(uint32_t function, uint32_t place)
{
	pass(function, place, false);
}
