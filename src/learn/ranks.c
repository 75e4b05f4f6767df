/* The exact distribution of U where the samples are small, by counting; else the normal one with corrections for ties and for steps. Ties are counted too, as coverage has many: of three against three no difference can
 * be significant, and the normal distribution would say p = 0.047 if all three of either are alike. */
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

static double *sorted(const double *a, size_t m, const double *b, size_t n)
{
	double *all = mem_alloc((m + n) * sizeof *all);
	for (size_t i = 0; i < m + n; i++)
		all[i] = i < m ? a[i] : b[i - m];
	qsort(all, m + n, sizeof *all, by_value);
	return all;
}

/* The first behind those that are equal to it. */
static size_t behind(const double *all, size_t count, size_t i)
{
	size_t k = i;
	while (k < count && all[k] == all[i])
		k++;
	return k;
}

/* The sum of t^3 - t over all groups of t equal values. */
static double ties(const double *all, size_t count)
{
	double sum = 0;
	for (size_t i = 0, k; i < count; i = k) {
		k = behind(all, count, i);
		double t = (double)(k - i);
		sum += t * t * t - t;
	}
	return sum;
}

/* How many choices of m of all values have each sum of ranks, doubled, as equal values share theirs: ways[i][r] for i of those so far. How far from the middle is U in these? */
static double exact(double u, size_t m, const double *all, size_t count)
{
	size_t width = 2 * m * count + 1;
	double *ways = mem_alloc((m + 1) * width * sizeof *ways), far = 0, sum = 0, middle = (double)(m * (count + 1)), off = fabs(2 * u - (double)(m * (count - m)));
	ways[0] = 1;
	for (size_t v = 0, first = 0; v < count; v++) {
		first = all[v] == all[first] ? first : v;
		size_t rank = first + 1 + behind(all, count, first);
		for (size_t i = m < v + 1 ? m : v + 1; i > 0; i--)
			for (size_t r = width; r-- > rank;)
				ways[i * width + r] += ways[(i - 1) * width + r - rank];
	}
	for (size_t r = 0; r < width; r++) {
		sum += ways[m * width + r];
		far += fabs((double)r - middle) >= off ? ways[m * width + r] : 0;
	}
	free(ways);
	return far / sum;
}

static double normal(double u, double m, double n, double tied)
{
	double all = m + n, variance = m * n / 12 * (all + 1 - (all > 1 ? tied / (all * (all - 1)) : 0)), off = fabs(u - m * n / 2) - 0.5;
	return variance > 0 && off > 0 ? erfc(off / sqrt(2 * variance)) : 1;
}

struct ranks ranks_compare(const double *a, size_t m, const double *b, size_t n)
{
	double u = pairs_won(a, m, b, n), *all = sorted(a, m, b, n);
	bool small = m <= EXACT_MAX && n <= EXACT_MAX;
	double p = small ? exact(u, m, all, m + n) : normal(u, (double)m, (double)n, ties(all, m + n));
	free(all);
	return (struct ranks){ u, u / ((double)m * (double)n), p };
}
