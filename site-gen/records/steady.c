/*
 * Rule `steady`: finds disturbances of a measurement in its raw samples. Each has
 * a bound and a word of lua/words.c for readers. To add one, add a row to `disturbances` and a
 * function that detects it in a process, then a line to docs/rules.md#steady.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/stats.h"
#include "lib/ways.h"
#include "site-gen/records/run.h"

enum {
	/* NVML event reasons: hardware slowdown, software thermal, hardware
	 * thermal, power brake; sync boost (0x10) is harmless */
	SLOWED_DOWN = 0x08 | 0x20 | 0x40 | 0x80,
	POWER_CAP = 0x04, /* the device's own limit: allowed, but reported */
	FEWEST_TICKS = 100,
	/* fewer processes say too little about how processes differ */
	FEWEST_PROCESSES = 10,
	/* of a case under load, each of which is timed for half a second or more */
	FEWEST_UNDER_LOAD = 5,
};
/* Limit for the half-width of the 95 % interval, relative to the typical time. */
static const double MOST_HALFWIDTH = 0.02;
/* A process whose clock differs from the others' by more than this is off. */
static const double CLOCK_BAND = 0.01;
/* Limit for a shift within one process: the same as for the half-width. */
static const double MOST_SHIFT = 0.02;

bool run_slowed_down(const struct run_launch *l)
{
	return l->throttle_reasons != RECORD_NONE && (l->throttle_reasons & SLOWED_DOWN);
}

static bool power_limited(const struct run_launch *l)
{
	return l->throttle_reasons != RECORD_NONE && (l->throttle_reasons & POWER_CAP);
}

/* --- detection in one process --- */

/* Input for the detection of disturbances. */
struct seen {
	const struct data_launches *of;
	double clock; /* median over processes of their SM clocks, in MHz; 0: not read */
	double most;  /* the highest SM clock that the driver names; 0: none */
	bool gpu;
	bool loaded; /* the case was timed under load (`load`, lib/ways.h) */
	double tick_ns;
};

static bool slowed(const struct seen *s, const struct run_launch *l)
{
	(void)s;
	return run_slowed_down(l);
}

/* Without the event reasons, throttling cannot be ruled out. */
static bool unread(const struct seen *s, const struct run_launch *l)
{
	return s->gpu && l->throttle_reasons == RECORD_NONE;
}

/*
 * The process's SM clock in MHz; 0: not read. It is what the SMs counted, if they did: the
 * driver's reading is rounded, and an average over longer than the samples take. The SMs may run
 * above the maximum that the driver names, by 4 % on an H100, for some of the time. That is no
 * disturbance: where the time follows the clock, its interval widens.
 */
static double clock_mhz(const struct seen *s, const struct run_launch *l)
{
	double hz;
	if (!record_launch_clock(l, &hz))
		return 0;
	return s->most > 0 ? fmin(hz / 1e6, s->most) : hz / 1e6;
}

/*
 * Under load the power limiter chooses the clock, in steps of about 1 %. A step then belongs to
 * what is measured, and the interval bears it. Without the limiter's flag, or in a burst, it does
 * not.
 */
static bool off_clock(const struct seen *s, const struct run_launch *l)
{
	if (s->loaded && power_limited(l))
		return false;
	double mhz = clock_mhz(s, l);
	return s->clock > 0 && mhz > 0 && fabs(mhz - s->clock) > CLOCK_BAND * s->clock;
}

static bool coarse(const struct seen *s, const struct run_launch *l)
{
	for (size_t i = 0; i < l->nsamples; i++)
		if ((double)l->sample_ns[i] < FEWEST_TICKS * s->tick_ns)
			return true;
	return false;
}

/* Quick test: samples closer together than MOST_SHIFT can neither drift nor have two humps. */
static bool spread_out(const struct run_launch *l)
{
	int64_t lo = INT64_MAX, hi = 0;
	for (size_t i = 0; i < l->nsamples; i++) {
		lo = l->sample_ns[i] < lo ? l->sample_ns[i] : lo;
		hi = l->sample_ns[i] > hi ? l->sample_ns[i] : hi;
	}
	return (double)hi > (1 + MOST_SHIFT) * (double)lo;
}

static double *copy_samples(const struct run_launch *l, size_t from, size_t to)
{
	double *x = malloc((to - from + 1) * sizeof *x);
	if (!x)
		abort();
	for (size_t i = from; i < to; i++)
		x[i - from] = (double)l->sample_ns[i];
	return x;
}

static double median_of(const struct run_launch *l, size_t from, size_t to)
{
	double *x = copy_samples(l, from, to), m = stats_median(x, to - from);
	free(x);
	return m;
}

/* Does the second half differ from the first, significantly and by more than MOST_SHIFT? */
static bool drifts(const struct seen *s, const struct run_launch *l)
{
	size_t half = l->nsamples / 2;
	(void)s;
	if (half < 4 || !spread_out(l))
		return false;
	double before = median_of(l, 0, half),
	       after = median_of(l, l->nsamples - half, l->nsamples);
	if (fabs(log(after / before)) <= log1p(MOST_SHIFT))
		return false;
	double *x = copy_samples(l, 0, l->nsamples);
	bool drift = stats_drifts(x, l->nsamples);
	free(x);
	return drift;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/*
 * Do the samples have two humps, so that the median is the speed of neither? The
 * samples are split where the squared error within both sides is least (Otsu 1979,
 * doi 10.1109/TSMC.1979.4310076). Each side must have at least a quarter of the
 * samples, and the sides must be further apart than MOST_SHIFT and than four of
 * their own standard deviations.
 */
static bool two_humps_in(const double *x, size_t n)
{
	double sum = 0, squares = 0, left = 0, best = -1, gap = 0;
	size_t at = 0;
	for (size_t i = 0; i < n; i++) {
		sum += x[i] - x[0];
		squares += (x[i] - x[0]) * (x[i] - x[0]);
	}
	for (size_t k = 1; k < n; k++) {
		double a = (double)k, b = (double)(n - k);
		left += x[k - 1] - x[0];
		double apart = (sum - left) / b - left / a,
		       between = a * b / (a + b) * apart * apart;
		if (between > best) {
			best = between;
			at = k;
			gap = apart;
		}
	}
	double total = squares - sum * sum / (double)n;
	double sd = sqrt(fmax(total - best, 0) / (double)(n - 2));
	return 4 * at >= n && 4 * (n - at) >= n && gap > MOST_SHIFT * x[n / 2] && gap > 4 * sd;
}

static bool two_humps(const struct seen *s, const struct run_launch *l)
{
	enum { FEWEST = 12 };
	(void)s;
	if (l->nsamples < FEWEST || !spread_out(l))
		return false;
	double *x = copy_samples(l, 0, l->nsamples);
	qsort(x, l->nsamples, sizeof *x, ascending);
	bool two = two_humps_in(x, l->nsamples);
	free(x);
	return two;
}

static const struct {
	double most;         /* share of the processes in which it is tolerated */
	const char *word;    /* of lua/words.c */
	const double *bound; /* that the word names, in percent; may be NULL */
	bool (*in)(const struct seen *s, const struct run_launch *l);
} disturbances[] = {
        {0, "why_clock_slowed", NULL, slowed},          {0, "why_clock_unread", NULL, unread},
        {0.2, "why_clock_off", &CLOCK_BAND, off_clock}, {0, "why_coarse", NULL, coarse},
        {0.5, "why_drift", &MOST_SHIFT, drifts},        {0.5, "why_humps", NULL, two_humps},
};

/* --- the judgement --- */

static double usual_clock(const struct seen *s, struct arena *a)
{
	const struct data_launches *of = s->of;
	double *mhz = ARENA_ARRAY(a, double, of->n + 1);
	size_t n = 0;
	for (size_t i = 0; i < of->n; i++)
		if ((mhz[n] = clock_mhz(s, of->launch[i])) > 0)
			n++;
	return n ? stats_median(mhz, n) : 0;
}

/* "2", a bound as readers see it. */
static const char *percent(double bound, struct arena *a)
{
	return arena_printf(a, "%g", 100 * bound);
}

static bool under_load(const struct run_case *c)
{
	const struct ways_key *load = &ways_keys[WAYS_LOAD];
	const struct run_pair *p = record_param(c, load->name);
	return p && p->word && strcmp(p->word, load->word[0]) != 0;
}

static void judge_launches(struct data_case *k, const struct run *r, const struct data_launches *of,
                           struct arena *a)
{
	bool gpu = r->head.gpu.name && strcmp(k->c->device, "cuda") == 0;
	struct seen s = {.of = of, .gpu = gpu, .tick_ns = r->head.tick_ns};
	s.loaded = under_load(k->c);
	s.most = gpu && r->head.gpu.sm_clock_max_mhz != RECORD_NONE
	                 ? (double)r->head.gpu.sm_clock_max_mhz
	                 : 0;
	s.clock = usual_clock(&s, a);
	for (size_t i = 0; i < ARRAY_LEN(disturbances); i++) {
		const double *bound = disturbances[i].bound;
		size_t n = 0;
		for (size_t m = 0; m < of->n; m++)
			n += disturbances[i].in(&s, of->launch[m]);
		if ((double)n <= disturbances[i].most * (double)of->n)
			continue;
		struct reason why = {.word = disturbances[i].word,
		                     .with = {reason_number(n, a), reason_number(of->n, a),
		                              bound ? percent(*bound, a) : NULL}};
		data_case_add(k, DATA_UNSTEADY, why, a);
	}
}

void run_judge_steady(struct data_case *k, const struct run *r, const struct data_launches *of,
                      struct arena *a)
{
	size_t fewest = under_load(k->c) ? FEWEST_UNDER_LOAD : FEWEST_PROCESSES;
	if (of->n < fewest)
		data_case_add(k, DATA_UNSTEADY,
		              (struct reason){
		                      .word = "why_few",
		                      .with = {reason_number(of->n, a), reason_number(fewest, a)}},
		              a);
	double h = stats_halfwidth(&k->time);
	if (of->n > 1 && !(h <= MOST_HALFWIDTH))
		data_case_add(k, DATA_UNSTEADY,
		              (struct reason){.word = "why_wide",
		                              .with = {arena_printf(a, "%.1f", 100 * h),
		                                       percent(MOST_HALFWIDTH, a)}},
		              a);
	double mode[2];
	size_t fast = stats_two_modes(k->medians, k->time.launches, mode);
	if (fast)
		data_case_add(k, DATA_UNSTEADY,
		              (struct reason){.word = "why_two_speeds",
		                              .with = {reason_number(fast, a),
		                                       reason_number(of->n - fast, a)}},
		              a);
	if (of->failed > 0)
		data_case_add(k, DATA_UNSTEADY,
		              (struct reason){.word = "why_failed",
		                              .with = {reason_number(of->failed, a),
		                                       reason_number(of->all, a), of->status}},
		              a);
	judge_launches(k, r, of, a);
	for (size_t i = 0; i < of->n; i++)
		k->power_limited += power_limited(of->launch[i]);
}
