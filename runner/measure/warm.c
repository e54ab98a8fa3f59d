#include "runner/measure/warm.h"

#include <math.h>

#include "lib/stats.h"

enum { LEAST_CALLS = 3 };

int64_t warm_ms(const struct warm *w, const struct settings *set)
{
	bool can = set->short_warmup_ms > 0 && set->short_warmup_ms < set->warmup_ms;
	return can && !w->late && w->agreed >= WARM_TRIALS ? set->short_warmup_ms : set->warmup_ms;
}

/* Number of warm-up samples that a short warm-up would have had. */
static size_t short_part(const struct run_launch *l, int64_t short_ns)
{
	int64_t spent = 0;
	size_t k = 0;
	while (k < l->nwarmup && (spent < short_ns || k < LEAST_CALLS))
		spent += l->warmup_ns[k++];
	return k;
}

/* Median of n sample times from the k'th on, counting warm-up and then timed samples. */
static double median_from(const struct run_launch *l, size_t k, size_t n, double *work)
{
	for (size_t i = 0; i < n; i++, k++)
		work[i] = (double)(k < l->nwarmup ? l->warmup_ns[k] : l->sample_ns[k - l->nwarmup]);
	return stats_median(work, n);
}

double warm_moved(const struct run_launch *l, bool whole, size_t kept, const struct settings *set,
                  double *work)
{
	size_t n = l->nsamples, all = l->nwarmup, half = n / 2;
	if (n < 2 || (whole && all >= kept))
		return INFINITY;
	double early =
	        whole ? median_from(l, short_part(l, set->short_warmup_ms * 1000000), n, work)
	              : median_from(l, all, half, work);
	double late =
	        whole ? median_from(l, all, n, work) : median_from(l, all + half, n - half, work);
	return fabs(early / late - 1);
}

void warm_learn(struct warm *w, const struct settings *set, double moved)
{
	bool whole = warm_ms(w, set) == set->warmup_ms;
	w->late = w->late || !(moved <= (whole ? WARM_SAME : WARM_STEADY));
	w->agreed += whole && !w->late;
}
