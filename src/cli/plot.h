/* Curves in a picture that needs nothing else to be looked at: SVG. */
#ifndef TANDEM_CLI_PLOT_H
#define TANDEM_CLI_PLOT_H

#include "base/err.h"

#include <stddef.h>

struct plot_curve {
	const char *name;
	const double *values;  /* at equal distances, from the first point behind 0 to the last */
};

struct plot {
	const char *title, *x, *y;  /* x, y: what the axes are about */
	double x_max;
	size_t points;              /* of each curve */
	const struct plot_curve *curves;
	size_t curves_count;
};

bool plot_write(const struct plot *p, const char *path, struct err *err);

#endif
