/* Events: appended to the shared file; the count is stored last. */
#include "state.h"

#include "contract/facts.h"

void event_full(void)
{
	struct td_header *h = td_state.header;
	if (h->incomplete)
		return;
	h->incomplete = 1;
	if (h->events < h->events_max) {
		td_state.events[h->events] = (struct td_event){.kind = TD_EV_NOTE, .sub = TD_NOTE_FULL, .site = TD_NO_SITE};
		h->events++;
	}
}

/* All up to the budget of a site, then only the 2^k-th. */
static bool within_budget(uint32_t site, uint32_t node)
{
	uint32_t budget = td_state.header->site_budget;
	if (!budget || !node || !td_state.site_counts || site >= td_state.site_room) /* none, or of a library loaded later */
		return true;
	uint32_t n = ++td_state.site_counts[site];
	if (n <= budget || (n & (n - 1)) == 0)
		return true;
	state_count(TD_COUNT_OVER_BUDGET);
	td_state.header->incomplete = 1;
	return false;
}

void event_add(enum td_event_kind kind, unsigned sub, uint32_t site, uint32_t node, uint32_t aux, uint64_t value)
{
	struct td_header *h = td_state.header;
	if (node)
		unset_use(kind, sub, node);
	if (kind != TD_EV_SAFETY && !within_budget(site, node)) /* whose site is a function */
		return;
	if (h->events + 1 >= h->events_max) { /* the last place is for the note that says so */
		event_full();
		return;
	}
	td_state.events[h->events] = (struct td_event){
		.kind = (uint8_t)kind, .sub = (uint8_t)sub, .thread = state_thread(), .site = site, .node = node, .aux = aux, .value = value,
	};
	__atomic_store_n(&h->events, h->events + 1, __ATOMIC_RELEASE);
}

enum { LOST_ALREADY = 1 }; /* in td_node.pad: one CONCRETISE per term is enough */

/* Whose value is known if the node's is, and the other way round. */
static uint32_t root_of(uint32_t node)
{
	for (;;) {
		const struct td_node *n = &td_state.nodes[node];
		bool sum = n->op == TD_ADD || n->op == TD_SUB;
		if (sum && td_state.nodes[n->a].op == TD_CONST)
			node = n->b;
		else if (n->op == TD_ZEXT || n->op == TD_SEXT || (sum && td_state.nodes[n->b].op == TD_CONST))
			node = n->a;
		else
			return node;
	}
}

bool event_is_lost(uint32_t node)
{
	return td_state.nodes[root_of(node)].pad & LOST_ALREADY;
}

void event_lose(uint32_t site, enum td_lost why, uint32_t node)
{
	node = root_of(node);
	struct td_node *n = &td_state.nodes[node];
	if (!node || n->op == TD_CONST || n->pad & LOST_ALREADY)
		return;
	n->pad |= LOST_ALREADY;
	td_state.header->lost[why]++;
	if (n->bits <= 64) {
		event_add(TD_EV_CONCRETISE, why, site, node, 0, n->lo);
		return;
	}
	uint32_t low = node_extract(node, 0, 64), high = node_extract(node, 64, n->bits - 64u);
	event_add(TD_EV_CONCRETISE, why, site, low, 0, td_state.nodes[low].lo);
	event_add(TD_EV_CONCRETISE, why, site, high, 0, td_state.nodes[high].lo);
}

/* Where the program went depends on this value. */
static void decided(enum td_event_kind kind, const void *edge, uint32_t node, uint64_t value)
{
	uint32_t all = __td_force & FORCE_BRANCHES;
	if (!(node | all) || !state_enter())
		return;
	if (node && td_state.nodes[node].lo != value) {
		state_count(TD_COUNT_MISMATCH);
		node = 0;
	}
	if (node || all)
		event_add(kind, 0, module_site(edge), node, 0, value);
	if (node)
		sensitive_next();
	state_leave();
}

void __td_branch(void *edge, uint32_t node, uint64_t taken)
{
	decided(TD_EV_BRANCH, edge, node, taken);
}

void __td_switch(void *edge, uint32_t node, uint64_t value)
{
	decided(TD_EV_SWITCH, edge, node, value);
}

void __td_lose(uint32_t why, uint32_t node, uint64_t value)
{
	if (!node || !state_enter())
		return;
	if (td_state.nodes[node].lo != value)
		state_count(TD_COUNT_MISMATCH);
	else
		event_lose(TD_NO_SITE, (enum td_lost)why, node);
	if (why == TD_LOST_EXTERNAL)
		foreign_lost(1, 0);
	state_leave();
}

uint32_t __td_enter(void *record)
{
	const struct td_function *r = record;
	uint64_t frame = *(const uint64_t *)__builtin_frame_address(0); /* the caller's, which keeps its frame pointer */
	if (!state_enter())
		return 0;
	if (r->flags & TD_SWITCH_TRACE && td_state.header->flags & TD_CALLS)
		profile_call(r, frame);
	else if (r->flags & TD_SWITCH_TRACE)
		snapshot_call(r, frame);
	state_leave();
	return (r->flags & TD_SWITCH_STUB) != 0;
}
