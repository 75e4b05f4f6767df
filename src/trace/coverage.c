/* Coverage for people. Sites come in the order of the modules, files and functions; of a switch each case is a side. Models are left out: the map does
 * not tell of them. */
#include "trace/coverage.h"

#include <inttypes.h>

static bool is_taken(const struct trace *t, uint32_t edge)
{
	return edge < t->edges_count && t->edges[edge];
}

/* "taken", "not taken", "case 98", "default" */
static void put_side(const struct facts_place *p, uint32_t side, FILE *out)
{
	if (p->site->kind != TD_SITE_SWITCH)
		fputs(side ? "taken" : "not taken", out);
	else if (side)
		fprintf(out, "case %" PRIu64, p->block->cases[p->site->first_case + side - 1]);
	else
		fputs("default", out);
}

static void put_site(const struct trace *t, const struct facts_place *p, FILE *out)
{
	bool any = false;
	for (uint32_t side = 0; side < p->site->edges; side++) {
		if (!is_taken(t, p->first_edge + side))
			continue;
		if (!any)
			fprintf(out, "%s:%" PRIu32 ":%u %s%s: ", facts_file(p), p->site->line, p->site->column, facts_function(p),
			        p->site->kind == TD_SITE_SELECT ? " (select)" : "");
		else
			fputs(", ", out);
		put_side(p, side, out);
		any = true;
	}
	if (any)
		putc('\n', out);
}

bool coverage_text(const struct trace *t, const struct facts *facts, FILE *out, struct err *err)
{
	for (size_t i = 0; i < facts->modules_count; i++)
		for (size_t k = 0; k < facts->modules[i].places_count; k++)
			put_site(t, &facts->modules[i].places[k], out);
	return !ferror(out) || err_errno(err, "cannot write the coverage");
}
