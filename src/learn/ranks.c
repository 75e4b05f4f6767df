/* The exact distribution of U where there are no ties and the samples are small, by counting; else the normal one with corrections for ties and for steps. */
#include "learn/ranks.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define EXACT_MAX 20 /* of each */

static double pairs_won(const double *a, size_t m, const double *b, size_t n)
{
	double u = 0;
	for (size_t i = 0; i < m; i++)
		for (size_t k = 0; k < n; k++)
			u += a[i] > b[k] ? 1 : a[i] == b[k] ? 0.5 : 0;
	return u;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The sum of t^3 - t over all groups of t equal values. */
static double ties(const double *a, size_t m, const double *b, size_t n)
{
	double *all = mem_alloc((m + n) * sizeof *all), sum = 0;
	for (size_t i = 0; i < m + n; i++)
		all[i] = i < m ? a[i] : b[i - m];
	qsort(all, m + n, sizeof *all, by_value);
	for (size_t i = 0, k; i < m + n; i = k) {
		for (k = i; k < m + n && all[k] == all[i]; k++)
			;
		double t = (double)(k - i);
		sum += t * t * t - t;
	}
	free(all);
	return sum;
}

/* How many of all orders of m and n values have each U: ways[m][u] for the n so far, from those for one value less. */
static double exact(double u, size_t m, size_t n)
{
	size_t top = m * n, width = top + 1;
	double *ways = mem_alloc((m + 1) * width * sizeof *ways), below = 0, all = 0;
	for (size_t i = 0; i <= m; i++)
		ways[i * width] = 1;
	for (size_t k = 1; k <= n; k++)
		for (size_t i = 1; i <= m; i++)
			for (size_t v = i * k + 1; v-- > 0;) /* the largest of all is one of b, or one of a, which is above all k of b */
				ways[i * width + v] += v >= k ? ways[(i - 1) * width + v - k] : 0;
	double lesser = u < (double)top - u ? u : (double)top - u;
	for (size_t v = 0; v <= top; v++) {
		all += ways[m * width + v];
		below += (double)v <= lesser ? ways[m * width + v] : 0;
	}
	free(ways);
	double p = 2 * below / all;
	return p < 1 ? p : 1;
}

static double normal(double u, double m, double n, double tied)
{
	double all = m + n, variance = m * n / 12 * (all + 1 - (all > 1 ? tied / (all * (all - 1)) : 0)), off = fabs(u - m * n / 2) - 0.5;
	return variance > 0 && off > 0 ? erfc(off / sqrt(2 * variance)) : 1;
}

struct ranks ranks_compare(const double *a, size_t m, const double *b, size_t n)
{
	double u = pairs_won(a, m, b, n), tied = ties(a, m, b, n);
	bool small = tied == 0 && m <= EXACT_MAX && n <= EXACT_MAX;
	return (struct ranks){ u, u / ((double)m * (double)n), small ? exact(u, m, n) : normal(u, (double)m, (double)n, tied) };
}
