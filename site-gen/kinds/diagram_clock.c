/*
 * diagram clock: the clock of each call over the time of measuring. A record has the time of each
 * sample, and for each process the cycles of all its samples together. Where every call takes the
 * same cycles, the clock of a sample is the mean clock times the mean time over its own time.
 */
#include <math.h>

#include "site-gen/diagram/clock.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/chart.h"
#include "site-gen/kinds/diagram.h"
#include "site-gen/records/launches.h"

static double sum(const int64_t *ns, size_t n)
{
	double all = 0;
	for (size_t i = 0; i < n; i++)
		all += (double)ns[i];
	return all;
}

/* Fills a line with means over equal shares of the samples. `cycles` are those of one sample. */
static void fill(struct clock_line *l, const int64_t *ns, size_t n, double cycles)
{
	size_t each = (n + CLOCK_BINS - 1) / CLOCK_BINS, i = 0;
	double at = 0;
	l->n = 0;
	while (i < n) {
		size_t end = i + each < n ? i + each : n;
		double took = sum(ns + i, end - i);
		if (took > 0)
			l->point[l->n++] = (struct clock_point){
			        (at + took / 2) / 1e9, (double)(end - i) * cycles / took * 1e9};
		at += took;
		i = end;
	}
}

/* The clock of each group of samples, where the record has groups. */
static void fill_groups(struct clock_line *l, const struct run_launch *of)
{
	size_t each = (of->ngroups + CLOCK_BINS - 1) / CLOCK_BINS;
	double at = 0, cycles = 0, ns = 0;
	for (size_t i = 0; i < of->ngroups; i++) {
		cycles += (double)of->group[i].cycles;
		ns += (double)of->group[i].ns;
		if ((i + 1) % each && i + 1 < of->ngroups)
			continue;
		l->point[l->n++] = (struct clock_point){(at + ns / 2) / 1e9, cycles / ns * 1e9};
		at += ns;
		cycles = ns = 0;
	}
}

/* The two lines of a process. False: its cycles were not read. */
static bool add_process(struct clock *k, const struct run_launch *l, int series)
{
	double all = sum(l->sample_ns, l->nsamples);
	if (l->sm_cycles <= 0 || l->sm_cycles_ns <= 0 || l->nsamples == 0 || !(all > 0))
		return false;
	double ghz = (double)l->sm_cycles / (double)l->sm_cycles_ns;
	double cycles = ghz * all / (double)l->nsamples;
	for (int p = 0; p < CLOCK_PHASES; p++) {
		struct clock_line *line = &k->line[k->n++];
		line->series = series;
		line->phase = (enum clock_phase)p;
		if (p == CLOCK_SAMPLES && l->ngroups)
			fill_groups(line, l);
		else
			fill(line, p == CLOCK_WARM_UP ? l->warmup_ns : l->sample_ns,
			     p == CLOCK_WARM_UP ? l->nwarmup : l->nsamples, cycles);
	}
	return true;
}

/* The lines of all processes of a case. */
static bool add_case(struct kind_call *k, struct clock *c, const struct pick *p, int series,
                     struct err *e)
{
	const struct run *r = launches_of(p->run);
	size_t before = c->n, most = before + CLOCK_PHASES * p->d->time.launches;
	for (size_t i = 0; i < r->nlaunches && c->n < most; i++) {
		const struct run_launch *l = &r->launches[i];
		if (l->of != p->d->c || !record_launch_ok(l))
			continue;
		if (!add_process(c, l, series))
			return err_at(e, k->p->at,
			              "the record of %s has no cycles for every process",
			              p->d->c->id);
	}
	return c->n > before || err_at(e, k->p->at, "no process measured %s", p->d->c->id);
}

static void draw(struct canvas *c, const struct canvas_said *said, const void *facts)
{
	clock_draw(c, facts, said);
}

/* "uniform: 1.43 GHz; zeros: 1.59 GHz"; of one case, which has no words of its own, "1.43 GHz" */
static const char *describe(struct kind_call *k, const struct clock *c, const struct pick *picks)
{
	struct sb text = {0};
	const struct words *w = k->ctx->words;
	for (int i = 0; i < c->nnames; i++) {
		struct number n;
		if (!number_of(&picks[i], METRIC_CLOCK, &n))
			continue;
		sb_printf(&text, "%s%s%s%s", text.n ? words_get(w, "semicolon") : "", c->name[i],
		          *c->name[i] ? words_get(w, "colon") : "",
		          chart_amount(n.value, n.si, k->ctx->arena));
	}
	sb_cstr(&text, words_get(w, "stop"));
	return sb_take(k->ctx->arena, &text);
}

bool diagram_clock(struct kind_call *k, struct diagram *d, struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct clock *c = ARENA_NEW(a, struct clock);
	struct pick *picks;
	struct query q;
	size_t n, lines = 0;
	if (k->p->nwords != 2)
		return err_at(e, k->p->at, "diagram clock needs one selector");
	if (!query_parse(k->p, k->p->word[1], kind_diagram_keys, true, &q, e) ||
	    !query_all(k->ctx, &q, &picks, &n, e))
		return false;
	if (n > CLOCK_MOST_SERIES)
		return err_at(e, placeholder_loc(k->p, k->p->word[1]),
		              "%zu cases, expected at most %d in one drawing", n,
		              CLOCK_MOST_SERIES);
	for (size_t i = 0; i < n; i++)
		lines += CLOCK_PHASES * picks[i].d->time.launches;
	c->line = ARENA_ARRAY(a, struct clock_line, lines + 1);
	for (size_t i = 0; i < n; i++) {
		c->name[c->nnames++] = block_own_words(k, picks, n, i);
		if (!add_case(k, c, &picks[i], (int)i, e))
			return false;
	}
	d->about = block_caption(k, picks, n, words_get(k->ctx->words, "diagram_clock"));
	d->desc = describe(k, c, picks);
	d->draw = draw;
	d->facts = c;
	d->exact[0] = (struct block_values){picks, n, METRIC_CLOCK};
	return true;
}
