/* Coverage, counted and written. Sites come by file, line and column; of a switch each case is a side. Models are left out: the map of
 * a run does not tell of them.
 *
 * Programs do not mark every edge that they take: of some, one of the sides of another site tells (contract/facts.h, `behind`). What a run took is
 * completed here before anybody looks at it.
 *
 * In lcov's format the lines are those of sites, with how often they were reached by a run: of other lines nothing is known. A function counts
 * as reached when one of its branches was, and one without branches is left out. */
#include "trace/coverage.h"

#include "base/arena.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- what a run took --- */

/* An edge was taken; so were those it is behind, of which the nearest one that is known stands for the rest. */
static void complete_from(uint8_t *taken, uint32_t count, const struct facts *facts, uint32_t edge)
{
	for (;;) {
		const struct facts_place *p = facts_find(facts, edge);
		if (!p || p->site->behind == UINT32_MAX)
			return;
		edge = p->block->first_edge + p->site->behind;
		if (edge >= count || taken[edge])
			return;
		taken[edge] = 1;
	}
}

void coverage_complete(uint8_t *taken, uint32_t count, const struct facts *facts)
{
	for (uint32_t i = 0; i < count; i++)
		if (taken[i])
			complete_from(taken, count, facts, i);
}

uint8_t *coverage_taken(const struct trace *t, const struct facts *facts)
{
	uint8_t *taken = mem_resize(NULL, t->edges_count + 1u);
	memcpy(taken, t->edges, t->edges_count);
	coverage_complete(taken, t->edges_count, facts);
	return taken;
}

/* --- counting --- */

uint32_t coverage_add(struct coverage *c, const uint8_t *taken, uint32_t count)
{
	uint32_t new = 0;
	if (count > c->count) {
		c->runs = mem_resize_array(c->runs, count, sizeof *c->runs);
		memset(c->runs + c->count, 0, (count - c->count) * sizeof *c->runs);
		c->count = count;
	}
	for (uint32_t i = 0; i < count; i++)
		if (taken[i])
			new += c->runs[i]++ == 0;
	return new;
}

void coverage_free(struct coverage *c)
{
	free(c->runs);
	*c = (struct coverage){0};
}

static uint32_t runs_of(const struct coverage *c, uint32_t edge)
{
	return edge < c->count ? c->runs[edge] : 0;
}

/* Of all its sides together. */
static uint64_t runs_at(const struct coverage *c, const struct facts_place *p)
{
	uint64_t sum = 0;
	for (uint32_t side = 0; side < p->site->edges; side++)
		sum += runs_of(c, p->first_edge + side);
	return sum;
}

/* --- sites in order --- */

struct row {
	const struct facts_place *place;
	const char *path;
};

struct rows {
	struct row *at;
	size_t count;
	struct arena *arena; /* paths */
};

static const char *path_of(const struct facts_place *p, struct arena *arena)
{
	const char *file = facts_file(p), *directory = facts_string(p->block, p->block->head->directory);
	return file[0] == '/' || !directory[0] ? file : arena_printf(arena, "%s/%s", directory, file);
}

static int by_place(const void *x, const void *y)
{
	const struct row *a = x, *b = y;
	int order = strcmp(a->path, b->path);
	const uint64_t keys[][2] = {
		{ a->place->site->line, b->place->site->line }, { a->place->site->column, b->place->site->column }, { a->place->first_edge, b->place->first_edge },
	};
	for (size_t i = 0; i < sizeof keys / sizeof *keys && !order; i++)
		order = (keys[i][0] > keys[i][1]) - (keys[i][0] < keys[i][1]);
	return order;
}

static struct rows rows_of(const struct facts *facts)
{
	struct rows r = { .arena = arena_new() };
	size_t room = 0;
	for (size_t i = 0; i < facts->modules_count; i++)
		room += facts->modules[i].places_count;
	r.at = mem_resize_array(NULL, room + 1, sizeof *r.at);
	for (size_t i = 0; i < facts->modules_count; i++)
		for (size_t k = 0; k < facts->modules[i].places_count; k++) {
			const struct facts_place *p = &facts->modules[i].places[k];
			if (!(p->block->head->flags & TD_FACTS_HIDDEN))
				r.at[r.count++] = (struct row){ p, path_of(p, r.arena) };
		}
	qsort(r.at, r.count, sizeof *r.at, by_place);
	return r;
}

static void rows_free(struct rows *r)
{
	free(r->at);
	arena_free(r->arena);
}

/* The rows from `first` on that are of the same file: where they end. */
static size_t end_of_file(const struct rows *r, size_t first)
{
	size_t end = first;
	while (end < r->count && strcmp(r->at[end].path, r->at[first].path) == 0)
		end++;
	return end;
}

/* --- functions of a file --- */

struct reached {
	const struct td_function_facts *function;
	const struct facts_block *block;
	uint64_t runs;
};

static int by_function(const void *x, const void *y)
{
	const struct reached *a = x, *b = y;
	if (a->function->line != b->function->line)
		return a->function->line < b->function->line ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}

/* Each function that has sites among these rows, once. */
static struct reached *functions_of(const struct coverage *c, const struct rows *r, size_t first, size_t end, size_t *count)
{
	struct reached *all = mem_resize_array(NULL, end - first + 1, sizeof *all);
	size_t n = 0;
	for (size_t i = first; i < end; i++) {
		const struct facts_place *p = r->at[i].place;
		all[n++] = (struct reached){ &p->block->functions[p->site->function], p->block, runs_at(c, p) };
	}
	qsort(all, n, sizeof *all, by_function);
	*count = 0;
	for (size_t i = 0; i < n; i++) {
		struct reached *last = *count ? &all[*count - 1] : NULL;
		if (last && last->function == all[i].function)
			last->runs = all[i].runs > last->runs ? all[i].runs : last->runs;
		else
			all[(*count)++] = all[i];
	}
	return all;
}

/* --- sums --- */

static void add_site(struct coverage_sum *s, const struct coverage *c, const struct facts_place *p)
{
	uint64_t taken = 0;
	for (uint32_t side = 0; side < p->site->edges; side++)
		taken += runs_of(c, p->first_edge + side) > 0;
	bool select = p->site->kind == TD_SITE_SELECT;
	*(select ? &s->selects : &s->sides) += p->site->edges;
	*(select ? &s->selects_taken : &s->sides_taken) += taken;
}

static void add_functions(struct coverage_sum *s, const struct coverage *c, const struct rows *r, size_t first, size_t end)
{
	size_t count;
	struct reached *functions = functions_of(c, r, first, end, &count);
	for (size_t i = 0; i < count; i++)
		s->functions_reached += functions[i].runs > 0;
	s->functions += count;
	free(functions);
}

static void add_sum(struct coverage_sum *to, const struct coverage_sum *s)
{
	to->sides += s->sides;
	to->sides_taken += s->sides_taken;
	to->selects += s->selects;
	to->selects_taken += s->selects_taken;
	to->functions += s->functions;
	to->functions_reached += s->functions_reached;
}

struct coverage_sum coverage_files(const struct coverage *c, const struct facts *facts, coverage_visit *visit, void *context)
{
	struct rows r = rows_of(facts);
	struct coverage_sum all = {0};
	for (size_t first = 0, end; first < r.count; first = end) {
		end = end_of_file(&r, first);
		struct coverage_sum s = {0};
		for (size_t i = first; i < end; i++)
			add_site(&s, c, r.at[i].place);
		add_functions(&s, c, &r, first, end);
		add_sum(&all, &s);
		if (visit)
			visit(context, r.at[first].path, &s);
	}
	rows_free(&r);
	return all;
}

/* --- text --- */

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

/* The sides that were taken, or those that were not. */
static void put_site(const struct coverage *c, const struct facts_place *p, bool taken, FILE *out)
{
	const char *before = NULL;
	for (uint32_t side = 0; side < p->site->edges; side++) {
		if ((runs_of(c, p->first_edge + side) > 0) != taken)
			continue;
		if (!before)
			fprintf(out, "%s:%" PRIu32 ":%u %s%s: ", facts_file(p), p->site->line, p->site->column, facts_function(p),
			        p->site->kind == TD_SITE_SELECT ? " (select)" : "");
		fputs(before ? before : "", out);
		put_side(p, side, out);
		before = ", ";
	}
	if (before)
		putc('\n', out);
}

static bool put_sites(const struct coverage *c, const struct facts *facts, bool taken, FILE *out, struct err *err)
{
	struct rows r = rows_of(facts);
	for (size_t i = 0; i < r.count; i++)
		if (runs_at(c, r.at[i].place))
			put_site(c, r.at[i].place, taken, out);
	rows_free(&r);
	return !ferror(out) || err_errno(err, "cannot write the coverage");
}

bool coverage_text(const struct coverage *c, const struct facts *facts, FILE *out, struct err *err)
{
	return put_sites(c, facts, true, out, err);
}

bool coverage_missed(const struct coverage *c, const struct facts *facts, FILE *out, struct err *err)
{
	return put_sites(c, facts, false, out, err);
}

/* --- lcov --- */

static void put_functions(const struct coverage *c, const struct rows *r, size_t first, size_t end, FILE *out)
{
	size_t count, hit = 0;
	struct reached *f = functions_of(c, r, first, end, &count);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "FN:%" PRIu32 ",%s\n", f[i].function->line, facts_string(f[i].block, f[i].function->name));
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "FNDA:%" PRIu64 ",%s\n", f[i].runs, facts_string(f[i].block, f[i].function->name));
		hit += f[i].runs > 0;
	}
	fprintf(out, "FNF:%zu\nFNH:%zu\n", count, hit);
	free(f);
}

static void put_branches(const struct coverage *c, const struct rows *r, size_t first, size_t end, FILE *out)
{
	uint64_t found = 0, hit = 0;
	for (size_t i = first; i < end; i++) {
		const struct facts_place *p = r->at[i].place;
		bool reached = runs_at(c, p) > 0;
		if (p->site->kind == TD_SITE_SELECT)
			continue;
		for (uint32_t side = 0; side < p->site->edges; side++) {
			uint32_t runs = runs_of(c, p->first_edge + side);
			fprintf(out, "BRDA:%" PRIu32 ",%zu,%" PRIu32 ",", p->site->line, i - first, side);
			fprintf(out, reached ? "%" PRIu32 "\n" : "-\n", runs);
			found++;
			hit += runs > 0;
		}
	}
	fprintf(out, "BRF:%" PRIu64 "\nBRH:%" PRIu64 "\n", found, hit);
}

static void put_lines(const struct coverage *c, const struct rows *r, size_t first, size_t end, FILE *out)
{
	uint64_t found = 0, hit = 0;
	for (size_t i = first, next; i < end; i = next) {
		uint64_t runs = 0;
		for (next = i; next < end && r->at[next].place->site->line == r->at[i].place->site->line; next++)
			runs = runs_at(c, r->at[next].place) > runs ? runs_at(c, r->at[next].place) : runs;
		fprintf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", r->at[i].place->site->line, runs);
		found++;
		hit += runs > 0;
	}
	fprintf(out, "LF:%" PRIu64 "\nLH:%" PRIu64 "\n", found, hit);
}

bool coverage_lcov(const struct coverage *c, const struct facts *facts, FILE *out, struct err *err)
{
	struct rows r = rows_of(facts);
	for (size_t first = 0, end; first < r.count; first = end) {
		end = end_of_file(&r, first);
		fprintf(out, "TN:\nSF:%s\n", r.at[first].path);
		put_functions(c, &r, first, end, out);
		put_branches(c, &r, first, end, out);
		put_lines(c, &r, first, end, out);
		fputs("end_of_record\n", out);
	}
	rows_free(&r);
	return !ferror(out) || err_errno(err, "cannot write the coverage");
}
