/* See plot.h. Colours are those of Okabe and Ito, which people who do not see all colours can tell apart; beyond them curves are dashed. Names stand in the order of the curves' ends, so that they can be found. */
#include "cli/plot.h"

#include "base/fs.h"
#include "base/mem.h"
#include "base/str.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 860
#define HEIGHT 480
#define LEFT 70
#define RIGHT 190
#define TOP 50
#define BOTTOM 60
#define LINE 20
#define MARKS 6

static const char *const colours[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000" };
#define COLOURS (sizeof colours / sizeof *colours)

struct frame {
	const struct plot *p;
	double low, high;      /* of what is shown */
	struct str out;
};

static void put_text(struct str *out, const char *text)
{
	for (; *text; text++)
		if (*text == '<' || *text == '>' || *text == '&')
			str_add(out, *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "&amp;");
		else
			str_add_char(out, *text);
}

static double across(const struct frame *f, double x)
{
	return LEFT + x / f->p->x_max * (WIDTH - LEFT - RIGHT);
}

static double down(const struct frame *f, double y)
{
	return HEIGHT - BOTTOM - (y - f->low) / (f->high - f->low) * (HEIGHT - TOP - BOTTOM);
}

/* Round numbers, about so many of them. */
static double step_of(double span)
{
	double raw = span / MARKS, power = pow(10, floor(log10(raw > 0 ? raw : 1))), digit = raw / power;
	return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static void find_range(struct frame *f)
{
	f->low = INFINITY;
	f->high = -INFINITY;
	for (size_t i = 0; i < f->p->curves_count; i++)
		for (size_t k = 0; k < f->p->points; k++) {
			f->low = fmin(f->low, f->p->curves[i].values[k]);
			f->high = fmax(f->high, f->p->curves[i].values[k]);
		}
	double step = step_of(f->high > f->low ? f->high - f->low : 1);
	f->low = floor(f->low / step) * step;
	f->high = fmax(ceil(f->high / step) * step, f->low + step);
}

static void put_label(struct frame *f, double x, double y, const char *anchor, const char *more, const char *text)
{
	str_printf(&f->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more);
	put_text(&f->out, text);
	str_add(&f->out, "</text>\n");
}

static void put_axes(struct frame *f)
{
	char text[32];
	double middle = (double)(TOP + HEIGHT - BOTTOM) / 2;
	for (double y = f->low, step = step_of(f->high - f->low); y <= f->high + step / 2; y += step) {
		str_printf(&f->out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", LEFT, WIDTH - RIGHT, down(f, y), down(f, y));
		snprintf(text, sizeof text, "%g", y);
		put_label(f, LEFT - 8, down(f, y) + 4, "end", "", text);
	}
	for (double x = 0, step = step_of(f->p->x_max); x <= f->p->x_max * 1.0001; x += step) {
		snprintf(text, sizeof text, "%g", x);
		put_label(f, across(f, x), HEIGHT - BOTTOM + 20, "middle", "", text);
	}
	put_label(f, across(f, f->p->x_max / 2), HEIGHT - 15, "middle", "", f->p->x);
	snprintf(text, sizeof text, "rotate(-90 18 %.0f)", middle);
	struct str more = {0};
	str_printf(&more, " transform=\"%s\"", text);
	put_label(f, 18, middle, "middle", str_text(&more), f->p->y);
	str_free(&more);
	put_label(f, LEFT, TOP - 20, "start", " font-size=\"16\"", f->p->title);
}

static void put_curve(struct frame *f, size_t i)
{
	const struct plot_curve *c = &f->p->curves[i];
	str_printf(&f->out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"", colours[i % COLOURS], i < COLOURS ? "" : " stroke-dasharray=\"6 3\"");
	for (size_t k = 0; k < f->p->points; k++)
		str_printf(&f->out, "%.1f,%.1f ", across(f, (double)(k + 1) / (double)f->p->points * f->p->x_max), down(f, c->values[k]));
	str_add(&f->out, "\"/>\n");
}

static int by_end(const void *a, const void *b, void *context)
{
	const struct plot *p = context;
	double x = p->curves[*(const size_t *)a].values[p->points - 1], y = p->curves[*(const size_t *)b].values[p->points - 1];
	return (x < y) - (x > y);
}

static void put_names(struct frame *f)
{
	const struct plot *p = f->p;
	size_t *order = mem_alloc((p->curves_count + 1) * sizeof *order);
	for (size_t i = 0; i < p->curves_count; i++)
		order[i] = i;
	qsort_r(order, p->curves_count, sizeof *order, by_end, (void *)(uintptr_t)p);
	for (size_t i = 0; i < p->curves_count; i++) {
		struct str text = {0};
		double y = TOP + 10 + (double)i * LINE;
		str_printf(&f->out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", WIDTH - RIGHT + 15, WIDTH - RIGHT + 40, y, y, colours[order[i] % COLOURS],
		           order[i] < COLOURS ? "" : " stroke-dasharray=\"6 3\"");
		str_printf(&text, "%s (%.1f)", p->curves[order[i]].name, p->curves[order[i]].values[p->points - 1]);
		put_label(f, WIDTH - RIGHT + 46, y + 4, "start", "", str_text(&text));
		str_free(&text);
	}
	free(order);
}

bool plot_write(const struct plot *p, const char *path, struct err *err)
{
	struct frame f = { .p = p };
	find_range(&f);
	str_printf(&f.out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", WIDTH,
	           HEIGHT, WIDTH, HEIGHT);
	put_axes(&f);
	for (size_t i = 0; i < p->curves_count; i++)
		put_curve(&f, i);
	put_names(&f);
	str_add(&f.out, "</svg>\n");
	bool ok = fs_write(path, f.out.text, f.out.length, err);
	str_free(&f.out);
	return ok;
}
