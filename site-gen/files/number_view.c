#include "site-gen/files/number_view.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/numbers/roof.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/site/site.h"
#include "site-gen/records/launches.h"

/* --- words ----------------------------------------------------------------------- */

const char *number_view_hardware(const struct run *r)
{
	return r->head.gpu.name ? r->head.gpu.name : r->head.machine.cpu;
}

const char *number_view_title(const struct config *config, const struct data_number *n,
                              struct arena *a)
{
	const struct run_case *c = n->in[n->newest < n->nruns ? n->newest : 0]->c;
	const struct words w = {config, config->languages[0].code};
	return arena_printf(a, "%s: %s, %s, %s", words_said(&w, c->family_title).text,
	                    words_said(&w, c->variant_title).text, case_words(NULL, c, a),
	                    n->device);
}

static const char *other_words(const struct number *n, struct arena *a)
{
	const struct run_case *c = n->pick.d->c, *o = n->over.d->c;
	bool family = strcmp(c->family, o->family) == 0;
	const char *who = family ? o->variant_title
	                         : arena_printf(a, "%s, %s", o->family_title, o->variant_title);
	return strcmp(case_words(NULL, c, a), case_words(NULL, o, a)) == 0
	               ? who
	               : arena_printf(a, "%s (%s)", who, case_words(NULL, o, a));
}

/* Its words without "over 5 cards". */
static const char *own_words(const struct number *n, struct arena *a)
{
	const char *m = metric_info(n->metric)->title;
	switch (n->kind) {
	case NUMBER_VALUE:
		break;
	case NUMBER_RATIO:
		return arena_printf(a, "%s over %s", m, other_words(n, a));
	case NUMBER_SHARE_SPEC:
		return arena_printf(a, "%s, share of %s (theoretical)", m, n->peak->title);
	case NUMBER_SHARE_MEASURED:
		return arena_printf(a, "%s, share of %s (measured)", m, other_words(n, a));
	}
	return m;
}

const char *number_view_words(const struct number *n, struct arena *a)
{
	const char *own = own_words(n, a);
	if (n->over_cards)
		return arena_printf(a, "%s, over %zu and %zu cards", own, n->cards->ncards,
		                    n->over_cards->ncards);
	if (n->cards)
		return arena_printf(a, "%s, over %zu cards", own, n->cards->ncards);
	const char *one = number_one_each(n);
	return one ? arena_printf(a, "%s, %s", own, words_get(NULL, one)) : own;
}

const char *number_view_plain(const struct number *n, struct arena *a)
{
	struct sb text = {0};
	number_text(n, &text);
	return sb_take(a, &text);
}

const char *number_view_range(const struct number *n, struct arena *a)
{
	struct sb text = {0};
	if (!number_has_interval(n))
		return NULL;
	number_range(n, &text);
	return sb_take(a, &text);
}

/* --- gathering ------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
	const struct run_launch *x = *(const struct run_launch *const *)a;
	const struct run_launch *y = *(const struct run_launch *const *)b;
	return (x->i > y->i) - (x->i < y->i);
}

static void gather_launches(struct number_view *v)
{
	const struct run *r = launches_of(v->p.run);
	size_t n = 0;
	for (size_t i = 0; i < r->nlaunches; i++)
		n += r->launches[i].of == v->p.d->c;
	v->launch = ARENA_ARRAY(v->a, const struct run_launch *, n + 1);
	for (size_t i = 0; i < r->nlaunches; i++)
		if (r->launches[i].of == v->p.d->c) {
			v->launch[v->nlaunches++] = &r->launches[i];
			v->nok += record_launch_ok(&r->launches[i]);
		}
	if (n)
		qsort(v->launch, n, sizeof *v->launch, by_number);
}

static void add_shown(struct number_view *v, const struct number *n)
{
	const char *name = number_name(n, v->a);
	for (size_t i = 0; i < v->nshown; i++)
		if (strcmp(v->shown_name[i], name) == 0)
			return;
	v->shown_name[v->nshown] = name;
	v->shown[v->nshown++] = *n;
}

static void gather_shown(struct number_view *v)
{
	const struct backlinks *q = v->quoted;
	v->shown = ARENA_ARRAY(v->a, struct number, 3 * METRIC_COUNT + q->n);
	v->shown_name = ARENA_ARRAY(v->a, const char *, 3 * METRIC_COUNT + q->n);
	for (int m = 0; v->has && m < METRIC_COUNT; m++) {
		struct number metric;
		if (number_of(&v->p, (enum metric)m, &metric))
			add_shown(v, &metric);
	}
	/* the shares that show the limiter (numbers/bottleneck.h) */
	for (int m = 0; v->has && m < METRIC_COUNT; m++) {
		struct number metric;
		const struct data_spec *roof = roof_spec(v->site->data, &v->p, (enum metric)m);
		if (!roof || !number_of(&v->p, (enum metric)m, &metric))
			continue;
		metric = number_percent(&metric, roof);
		add_shown(v, &metric);
	}
	/* the other share: of the best that was measured */
	struct pick best;
	enum metric headline = v->has ? roof_metric(v->site->data, &v->p) : METRIC_TIME;
	if (v->has && roof_measured(v->site->data, &v->p, headline, &best) && best.d != v->p.d) {
		struct number share = number_share(v->site->data, &v->p, &best, headline, v->a);
		add_shown(v, &share);
	}
	for (int m = 0; v->has && m < METRIC_COUNT; m++) {
		struct number metric;
		if (number_over_cards(v->n, (enum metric)m, &metric))
			add_shown(v, &metric);
	}
	for (size_t i = 0; i < q->n; i++) {
		const struct number *n = &q->by[i].q->n;
		/* a number of an older run is shown at that run */
		if (n->kind != NUMBER_VALUE && n->pick.d == v->p.d)
			add_shown(v, n);
	}
}

struct number_view number_view(const struct site *s, const struct data_number *n,
                               const struct backlinks *quoted, struct arena *a)
{
	size_t i = n->newest < n->nruns ? n->newest : 0;
	struct number_view v = {.site = s, .n = n, .quoted = quoted, .a = a};
	v.p = (struct pick){n->runs[i], n->in[i]};
	v.has = number_of(&v.p, roof_metric(s->data, &v.p), &v.main) ||
	        number_of(&v.p, METRIC_TIME, &v.main);
	v.title = number_view_title(s->config, n, a);
	v.over_cards = v.has && number_over_cards(n, v.main.metric, &v.cards);
	gather_launches(&v);
	gather_shown(&v);
	return v;
}

/* --- derived from the launches ------------------------------------------------------ */

bool number_view_cycles(const struct number_view *v, double *cycles, double *mhz, bool *counted)
{
	double *clock = ARENA_ARRAY(v->a, double, v->nlaunches + 1);
	size_t n = 0;
	*counted = true;
	for (size_t i = 0; i < v->nlaunches; i++) {
		if (!record_launch_ok(v->launch[i]) ||
		    !record_launch_clock(v->launch[i], &clock[n]))
			continue;
		*counted = *counted && v->launch[i]->sm_cycles > 0;
		n++;
	}
	if (!v->has || n == 0)
		return false;
	*mhz = stats_median(clock, n) / 1e6;
	*cycles = v->p.d->time.typical * *mhz * 1e6;
	return true;
}

bool number_view_energy(const struct number_view *v, double *joules, size_t *launches)
{
	double energy = 0, calls = 0;
	*launches = 0;
	for (size_t i = 0; i < v->nlaunches; i++) {
		const struct run_launch *l = v->launch[i];
		double each, n = (double)l->nsamples * (double)l->batch;
		if (!record_launch_energy(l, &each))
			continue;
		energy += each * n;
		calls += n;
		++*launches;
	}
	*joules = calls > 0 ? energy / calls : 0;
	return v->has && calls > 0 && energy > 0;
}
