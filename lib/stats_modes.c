/* lib/stats_modes.c - tells whether values have two modes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/stats.h"

enum { FEWEST_VALUES = 10, FEWEST_IN_MODE = 2 };
/* The gap is wider than this, and than so many times the range of either mode. */
static const double LEAST_GAP = 0.02, RANGES = 2;

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The number of values below the widest gap that leaves enough on each side. */
static size_t widest_gap(const double *x, size_t n)
{
	size_t at = FEWEST_IN_MODE;
	for (size_t k = FEWEST_IN_MODE; k + FEWEST_IN_MODE <= n; k++)
		if (x[k] - x[k - 1] > x[at] - x[at - 1])
			at = k;
	return at;
}

static double mean_of(const double *x, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

size_t stats_two_modes(const double *m, size_t n, double mode[2])
{
	if (n < FEWEST_VALUES)
		return 0;
	double *x = malloc(n * sizeof *x);
	if (!x)
		arena_die("out of memory");
	for (size_t i = 0; i < n; i++)
		x[i] = log(m[i]);
	qsort(x, n, sizeof *x, ascending);
	size_t low = widest_gap(x, n);
	double gap = x[low] - x[low - 1], range = fmax(x[low - 1] - x[0], x[n - 1] - x[low]);
	bool two = gap > log1p(LEAST_GAP) && gap > RANGES * range;
	mode[0] = exp(mean_of(x, low));
	mode[1] = exp(mean_of(x + low, n - low));
	free(x);
	return two ? low : 0;
}
