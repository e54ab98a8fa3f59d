/*
 * lib/stats_compare.c - compares A with B: ratios with intervals, and verdicts.
 */
#include <assert.h>
#include <math.h>

#include "lib/stats.h"

const char *stats_verdict_name(enum stats_verdict v)
{
	static const char *const names[] = {
	        [STATS_UNDECIDED] = "undecided",
	        [STATS_FASTER] = "faster",
	        [STATS_SLOWER] = "slower",
	        [STATS_EQUIVALENT] = "equivalent",
	};
	return names[v];
}

enum stats_verdict stats_verdict(const struct stats_summary *ratio, double band)
{
	if (ratio->launches < 2)
		return STATS_UNDECIDED;
	if (ratio->lo >= 1 / (1 + band) && ratio->hi <= 1 + band)
		return STATS_EQUIVALENT;
	if (ratio->hi < 1)
		return STATS_FASTER;
	return ratio->lo > 1 ? STATS_SLOWER : STATS_UNDECIDED;
}

/* Half-width of the log ratio's interval after n launches of the same spread. */
static double half_after(const struct stats_summary *ratio, size_t n)
{
	return stats_t975(n - 1) * ratio->between_sd / sqrt((double)n);
}

/*
 * A ratio is decided if the half-width is below |mean| (then 1 is outside), or if
 * |mean| plus the half-width is below the band. One of the two bounds is at least
 * half the band, so the search ends.
 */
size_t stats_launches_needed(const struct stats_summary *ratio, double band)
{
	assert(band > 0);
	if (stats_verdict(ratio, band) != STATS_UNDECIDED)
		return 0;
	double mean = fabs(log(ratio->typical)), enough = fmax(mean, log1p(band) - mean);
	size_t below = ratio->launches > 2 ? ratio->launches : 2, n = below;
	while (half_after(ratio, n) >= enough)
		n *= 2;
	for (size_t low = n / 2 > below ? n / 2 : below; low < n;) {
		size_t middle = low + (n - low) / 2;
		if (half_after(ratio, middle) >= enough)
			low = middle + 1;
		else
			n = middle;
	}
	return n > ratio->launches ? n - ratio->launches : 1;
}

/* The p of a ratio of 1, from its mean, spread and launches. */
static double ratio_p(const struct stats_summary *r)
{
	double error = r->between_sd / sqrt((double)r->launches), mean = log(r->typical);
	if (error == 0)
		return mean == 0;
	return stats_t_p(mean / error, (double)(r->launches - 1));
}

static struct stats_comparison judge(struct stats_summary ratio, double band)
{
	return (struct stats_comparison){
	        .ratio = ratio,
	        .band = band,
	        .p = ratio_p(&ratio),
	        .verdict = stats_verdict(&ratio, band),
	        .more = stats_launches_needed(&ratio, band),
	};
}

struct stats_comparison stats_compare(const double *a, const double *b, size_t n, double band)
{
	return judge(stats_paired_ratio(a, b, n), band);
}

struct stats_comparison stats_compare_unpaired(const double *a, size_t na, const double *b,
                                               size_t nb, double band)
{
	struct stats_comparison c = judge(stats_unpaired_ratio(a, na, b, nb), band);
	c.more = (c.more + 1) / 2; /* both sides add degrees of freedom */
	return c;
}

double stats_band(const double *null_ratio, size_t n)
{
	double band = STATS_BAND_PERCENT / 100.0;
	for (size_t i = 0; i < n; i++)
		band = fmax(band, expm1(fabs(log(null_ratio[i]))));
	return band;
}
