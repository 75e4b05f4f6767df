/* See status.h. On a terminal it is drawn four times a second, as often as the engine tells; elsewhere after ten seconds, and then ever more seldom, up to once a minute. */
#include "cli/status.h"

#include "base/str.h"

#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FIRST_LINE 10.0
#define SELDOM 60.0

void status_open(struct status *s, const char *program, const char *search, bool wanted)
{
	const char *terminal = getenv("TERM");
	*s = (struct status){ .program = program, .search = search, .next = FIRST_LINE };
	if (!wanted)
		return;
	s->to = stderr;
	s->live = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

void status_clear(struct status *s)
{
	if (!s->drawn)
		return;
	fprintf(s->to, "\x1b[%uA\x1b[J", s->drawn);
	fflush(s->to);
	s->drawn = 0;
}

static void put_time(double seconds, struct str *out)
{
	unsigned long n = (unsigned long)seconds;
	if (n >= 3600)
		str_printf(out, "%lu h %02lu min", n / 3600, n / 60 % 60);
	else if (n >= 60)
		str_printf(out, "%lu min %02lu s", n / 60, n % 60);
	else
		str_printf(out, "%lu s", n);
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static unsigned columns(void)
{
	struct winsize w;
	return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 8 ? w.ws_col : 80;
}

/* A line may not be wider than the screen, or going back up would miss it. */
static void draw(struct status *s, struct str *text)
{
	unsigned width = columns();
	status_clear(s);
	for (char *line = strtok(text->text, "\n"); line; line = strtok(NULL, "\n"), s->drawn++)
		fprintf(s->to, "%.*s\n", (int)width - 1, line);
	fflush(s->to);
}

static void put_screen(struct status *s, const struct engine_stats *e, struct str *out)
{
	str_printf(out, "tandem %s %s, search %s, for ", s->checks ? "check" : "explore", s->program, s->search);
	put_time(e->seconds, out);
	str_printf(out, "\n  runs      %" PRIu64 ", now %.0f/s", s->runs_before + e->runs, s->rate);
	if (e->timeouts)
		str_printf(out, ", %" PRIu64 " not in time", e->timeouts);
	str_printf(out, "\n  covered   %" PRIu64 " of %" PRIu64 " sides of branches (%.1f %%), nothing new for ", e->edges_seen, e->edges, percent(e->edges_seen, e->edges));
	put_time(e->seconds - s->last_news, out);
	if (s->checks)
		str_printf(out, "\n  checks    %" PRIu64 ": %" PRIu64 " proved, %" PRIu64 " broken; at distance %" PRIu64, e->checks, e->checks_proved, e->checks_broken, e->distance);
	str_printf(out, "\n  bugs      %" PRIu64 "\n  solver    %" PRIu64 " queries:", e->bugs, e->solver.queries);
	for (unsigned i = 0; i < SOLVER_STAGES; i++)
		str_printf(out, " %s %" PRIu64, solver_stage_name((enum solver_stage)i), e->solver.stages[i].sat + e->solver.stages[i].unsat);
	str_printf(out, "\n  branches  %" PRIu64 " refuted, %" PRIu64 " given up, %" PRIu64 " to be tried; %" PRIu64 " divergences, %" PRIu64 " restarts\n", e->unsat, e->unknown, e->open, e->divergences, e->restarts);
}

static void put_line(const struct status *s, const struct engine_stats *e, struct str *out)
{
	if (s->checks)
		str_printf(out, "%s: distance %" PRIu64 ", %" PRIu64 " checks, ", s->program, e->distance, e->checks);
	put_time(e->seconds, out);
	str_printf(out, ": %" PRIu64 " runs (%.0f/s), %" PRIu64 " of %" PRIu64 " sides of branches, %" PRIu64 " bugs, %" PRIu64 " queries, %" PRIu64 " branches to be tried\n", s->runs_before + e->runs, s->rate,
	           e->edges_seen, e->edges, e->bugs, e->solver.queries, e->open);
}

static void measure(struct status *s, const struct engine_stats *e)
{
	if (e->edges_seen > s->covered)
		s->last_news = e->seconds;
	s->covered = e->edges_seen;
	if (e->seconds - s->then < 1.0)
		return;
	s->rate = (double)(e->runs - s->runs) / (e->seconds - s->then);
	s->runs = e->runs;
	s->then = e->seconds;
}

void status_show(struct status *s, const struct engine_stats *e)
{
	struct str text = {0};
	measure(s, e);
	if (!s->to || (!s->live && e->seconds < s->next))
		return;
	if (s->live) {
		put_screen(s, e, &text);
		draw(s, &text);
	} else {
		put_line(s, e, &text);
		fputs(str_text(&text), s->to);
		fflush(s->to);
		s->next = e->seconds + (e->seconds < SELDOM ? FIRST_LINE : SELDOM);
	}
	str_free(&text);
}
