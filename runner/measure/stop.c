#include "runner/measure/stop.h"

#include "lib/stats.h"

enum {
	/*
	 * With 10 samples, the second smallest and the second largest still enclose the
	 * median with 97.9 % (1 - 2 (1 + 10) / 2^10), so no single outlier decides.
	 */
	CAP_MIN_SAMPLES = 10,
	HARD_CAP = 2,         /* after so many times cap_ms even fewer samples must do */
	HARD_MIN_SAMPLES = 3, /* of a heavy burst, too, and with load=steady */
};

size_t stop_next_look(const struct settings *s, size_t n)
{
	size_t next = n == 0 ? (size_t)s->min_samples : n + n / 2 + 1;
	return next < (size_t)s->max_samples ? next : (size_t)s->max_samples;
}

static bool is_look(const struct settings *s, size_t n)
{
	size_t look = stop_next_look(s, 0);
	while (look < n)
		look = stop_next_look(s, look);
	return look == n;
}

const char *stop_reason(const struct settings *s, const int64_t *ns, size_t n, double tick_ns,
                        int64_t elapsed_ms, double *work)
{
	if (is_look(s, n) && elapsed_ms >= s->window_ms) {
		for (size_t i = 0; i < n; i++)
			work[i] = (double)ns[i];
		if (stats_median_halfwidth(work, n, tick_ns) <= s->halfwidth)
			return "halfwidth";
	}
	if (n >= (size_t)s->max_samples)
		return "samples";
	if (elapsed_ms >= s->cap_ms && n >= CAP_MIN_SAMPLES)
		return "cap";
	if (elapsed_ms >= HARD_CAP * s->cap_ms && n >= HARD_MIN_SAMPLES)
		return "cap";
	return NULL;
}

const char *stop_window(const struct settings *s, size_t n, int64_t sum_ns)
{
	if (sum_ns >= s->window_ms * 1000000 && n >= HARD_MIN_SAMPLES)
		return "window";
	return n >= (size_t)s->max_samples ? "samples" : NULL;
}

size_t stop_burst_next(const struct settings *s, size_t n, size_t group, int64_t load_ns,
                       int64_t each_ns, const char **stop)
{
	const int64_t left_ns = s->burst_ms * 1000000 - load_ns;
	const size_t missing = n < (size_t)s->min_samples ? (size_t)s->min_samples - n : 0;
	size_t fit = left_ns > 0 && each_ns > 0 ? (size_t)(left_ns / each_ns) : 0;
	if (n + fit < HARD_MIN_SAMPLES)
		fit = HARD_MIN_SAMPLES - n;
	*stop = missing == 0 ? "samples" : fit == 0 ? "budget" : NULL;
	fit = fit < missing ? fit : missing;
	return fit < group ? fit : group;
}
