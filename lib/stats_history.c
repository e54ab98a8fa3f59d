/*
 * lib/stats_history.c - finds the steps in a value's history.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "lib/arena.h"
#include "lib/stats.h"

enum {
	FEWEST_VALUES = 8,
	SHORTEST = 2, /* values in a stretch */
};

static double *room(size_t n)
{
	double *x = malloc((n ? n : 1) * sizeof *x);
	if (!x)
		arena_die("out of memory");
	return x;
}

/*
 * Lower bound of the noise of a log: 0.05 %. Values rounded to clock ticks may be
 * equal more often than not, and then the estimate below would be zero.
 */
static const double LEAST_NOISE = 5e-4;

/*
 * Standard deviation of the noise in y. Successive differences have √2 times it,
 * and their median ignores the few differences that are steps. 0.6745 is the third
 * quartile of the normal distribution.
 */
static double noise_of(const double *y, size_t n)
{
	double *d = room(n);
	for (size_t i = 0; i + 1 < n; i++)
		d[i] = fabs(y[i + 1] - y[i]);
	double median = stats_median(d, n - 1);
	free(d);
	return median / (0.6745 * sqrt(2));
}

/*
 * A single value far above or below both neighbours (at an end: the two values next
 * to it) is an outlier. It takes the nearer neighbour's value, because least squares
 * would split around it.
 */
static void mend_outliers(double *y, size_t n, double noise)
{
	for (size_t i = 0; i < n; i++) {
		size_t left = i ? i - 1 : 2, right = i + 1 < n ? i + 1 : n - 3;
		double a = y[i] - y[left], b = y[i] - y[right];
		double off = fmin(fabs(a), fabs(b));
		if (a * b > 0 && off > 6 * noise)
			y[i] -= a > 0 ? off : -off;
	}
}

/* Prefix sums of y and y²: they give the error of a stretch in one step. */
struct sums {
	double *y, *y2;
};

static struct sums sums_of(const double *y, size_t n)
{
	struct sums s = {room(n + 1), room(n + 1)};
	s.y[0] = s.y2[0] = 0;
	for (size_t i = 0; i < n; i++) {
		s.y[i + 1] = s.y[i] + y[i];
		s.y2[i + 1] = s.y2[i] + y[i] * y[i];
	}
	return s;
}

static double squared_error(const struct sums *s, size_t from, size_t to)
{
	double sum = s->y[to] - s->y[from];
	return fmax(0, s->y2[to] - s->y2[from] - sum * sum / (double)(to - from));
}

/* best[i]: least cost of y[0..i); cut[i]: where its last stretch begins. */
static void partition(const struct sums *s, size_t n, double penalty, double *best, size_t *cut)
{
	best[0] = -penalty;
	for (size_t i = 1; i <= n; i++) {
		best[i] = INFINITY;
		cut[i] = 0;
		for (size_t from = 0; from + SHORTEST <= i; from++) {
			double cost = best[from] + squared_error(s, from, i) + penalty;
			if (cost < best[i]) {
				best[i] = cost;
				cut[i] = from;
			}
		}
	}
}

/* The stretches that end at n, read backwards from cut[]. */
static size_t unwind(const size_t *cut, size_t n, size_t *first)
{
	size_t count = 0;
	for (size_t i = n; i > 0; i = cut[i])
		first[count++] = cut[i];
	for (size_t i = 0; i < count / 2; i++) {
		size_t t = first[i];
		first[i] = first[count - 1 - i];
		first[count - 1 - i] = t;
	}
	return count;
}

size_t stats_steps(const double *y, size_t n, size_t *first)
{
	first[0] = 0;
	if (n < FEWEST_VALUES)
		return n > 0;
	double *v = room(n), *best = room(n + 1);
	size_t *cut = calloc(n + 1, sizeof *cut);
	if (!cut)
		arena_die("out of memory");
	for (size_t i = 0; i < n; i++) {
		assert(y[i] > 0);
		v[i] = log(y[i] / y[0]); /* near 0: the sums lose no digits */
	}
	double noise = fmax(noise_of(v, n), LEAST_NOISE);
	mend_outliers(v, n, noise);
	/* found by simulation; a test checks what the header promises */
	double penalty = noise * noise * (4 * log((double)n) + 120 / (double)n);
	struct sums s = sums_of(v, n);
	partition(&s, n, penalty, best, cut);
	size_t count = unwind(cut, n, first);
	free(s.y);
	free(s.y2);
	free(cut);
	free(best);
	free(v);
	return count;
}
