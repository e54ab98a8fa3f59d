/*
 * Decides a claim: each relation becomes a number and the range it must lie
 * in; the number's interval says whether it does.
 */
#include <math.h>
#include <string.h>

#include "lib/record_foreign.h"

#include "site-gen/numbers/case.h"
#include "site-gen/numbers/claim.h"
#include "site-gen/numbers/claim_said.h"
#include "site-gen/numbers/roof.h"
#include "site-gen/lint/typeset.h"
#include "site-gen/records/reason.h"
#include "site-gen/base/rules.h"

struct decision {
	struct expand_ctx *ctx;
	const struct claim *c;
	struct claim_result *out;
	struct pick subject, object;
	enum metric metric;
	double low, high; /* the range that `compared` must lie in */
	bool open;        /* the bounds themselves are outside the range */
	double bound;     /* the bound in question */
	const char *peak; /* the title of the data sheet's number, "" without one */
	struct sb why;
	struct err *e;
};

/* --- numbers --------------------------------------------------------------------- */

static bool metric_number(struct decision *d, const struct pick *p, enum metric m,
                          struct number *out)
{
	const struct placeholder *c = d->c->p;
	if (p->d->c->foreign && p->d->time.launches == 1)
		return rule_err(
		        d->e, RULE_NATIVE, c->at,
		        "%s was measured with %s in one process, so it has no interval that "
		        "could decide a claim",
		        p->d->c->id, p->run->run.head.foreign->harness);
	if (d->c->cards)
		return number_want_over_cards(d->ctx->data, p, m,
		                              placeholder_loc(c, placeholder_key(c, "over")), out,
		                              d->e);
	return number_of(p, m, out) ||
	       err_at(d->e, d->c->p->at, "%s has no %s: its cost model counts none", p->d->c->id,
	              metric_info(m)->name);
}

static void put_number(struct decision *d, const struct number *n)
{
	number_text(n, &d->why);
	if (!(n->hi > n->lo))
		return;
	sb_cstr(&d->why, " (");
	number_range(n, &d->why);
	sb_cstr(&d->why, ")");
	if (n->cards)
		sb_printf(&d->why, " over %zu cards", n->cards->ncards);
}

static void put_case(struct decision *d, const struct number *n)
{
	sb_printf(&d->why, "%s %s ", n->pick.d->c->id, metric_info(n->metric)->name);
	put_number(d, n);
}

static void set_metric(struct decision *d)
{
	d->metric = d->c->has_metric ? d->c->metric : roof_metric(d->ctx->data, &d->subject);
	if (d->c->relation == CLAIM_FASTEST)
		d->metric = METRIC_TIME;
}

/* Finds the other case and its number in the same metric. */
static bool object(struct decision *d)
{
	const struct claim *c = d->c;
	struct query q = c->object;
	if (!query_pair(d->ctx, &q, &d->subject, &d->object, d->e))
		return false;
	if (d->object.d == d->subject.d)
		return rule_err(d->e, RULE_CLAIMED, c->p->at, "the claim compares %s with itself",
		                d->subject.d->c->id);
	if (c->has_object_metric && c->object_metric != d->metric)
		return rule_err(d->e, RULE_TYPED, c->p->at,
		                "the claim compares %s with %s, expected the same metric",
		                metric_info(d->metric)->name, metric_info(c->object_metric)->name);
	if (!number_want_comparable(&d->subject, &d->object, placeholder_loc(c->p, c->object.text),
	                            d->e))
		return false;
	d->out->has_object = true;
	return metric_number(d, &d->object, d->metric, &d->out->object);
}

/* --- the range that each relation asks for ------------------------------------------ */

static void set_range(struct decision *d, double bound)
{
	enum claim_relation r = d->c->relation;
	bool up = r == CLAIM_AT_LEAST || r == CLAIM_ABOVE || r == CLAIM_SATURATES_PEAK;
	d->low = up ? bound : -INFINITY;
	d->high = up ? INFINITY : bound;
	d->open = r == CLAIM_ABOVE || r == CLAIM_BELOW;
	d->bound = bound;
}

/* What the condition's number is to be multiplied by. */
static bool scale_of(struct decision *d, double *scale)
{
	struct str unit = d->c->unit;
	const struct metric_info *m = metric_info(d->metric);
	return unit_parse(unit, m->si, scale) ||
	       rule_err(d->e, RULE_TYPED, placeholder_loc(d->c->p, unit),
	                "'" STR_FMT "' is no unit of %s, expected %s with a prefix", STR_ARG(unit),
	                m->name, m->si);
}

static bool against_number(struct decision *d)
{
	const struct claim *c = d->c;
	const char *si = metric_info(d->metric)->si;
	double scale;
	if (!scale_of(d, &scale) || !metric_number(d, &d->subject, d->metric, &d->out->subject))
		return false;
	d->out->compared = d->out->subject;
	set_range(d, c->number * scale);
	put_case(d, &d->out->subject);
	sb_cstr(&d->why, " against ");
	number_exact_text(d->bound, si, &d->why);
	return true;
}

static bool against_case(struct decision *d)
{
	const struct claim *c = d->c;
	if (!object(d) || !metric_number(d, &d->subject, d->metric, &d->out->subject))
		return false;
	d->out->compared =
	        number_ratio(d->ctx->data, &d->subject, &d->object, d->metric, d->ctx->arena);
	put_case(d, &d->out->subject);
	sb_cstr(&d->why, " against ");
	if (c->relation == CLAIM_WITHIN) {
		d->low = 1 - c->number / 100;
		d->high = 1 + c->number / 100;
		d->bound = d->out->compared.value < 1 ? d->low : d->high;
	} else {
		set_range(d, c->number);
		if (c->number != 1)
			sb_printf(&d->why, "%g × ", c->number);
	}
	put_case(d, &d->out->object);
	if (c->relation != CLAIM_WITHIN && c->number != 1) {
		struct number product = d->out->object;
		product.value *= c->number;
		product.lo = product.hi = product.value;
		sb_cstr(&d->why, " = ");
		number_text(&product, &d->why);
	}
	sb_cstr(&d->why, ", a ratio of ");
	put_number(d, &d->out->compared);
	return true;
}

/* The spec that a share is of; sets the metric to its own. */
static const struct data_spec *spec_of(struct decision *d)
{
	const struct claim *c = d->c;
	const char *device = d->subject.run->run.head.device;
	const struct data_spec *s = data_spec_find(d->ctx->data, str_of(device), c->spec);
	if (!s) {
		err_at(d->e, placeholder_loc(c->p, c->spec),
		       "device '%s' has no spec '" STR_FMT "'", device, STR_ARG(c->spec));
		return NULL;
	}
	const struct metric_info *m = metric_of_unit(s->si);
	if (!m || (c->has_metric && m->id != c->metric)) {
		rule_err(d->e, RULE_TYPED, placeholder_loc(c->p, c->spec),
		         "spec '%s' is in %s, which is no peak of %s", s->key, s->si,
		         metric_info(d->metric)->name);
		return NULL;
	}
	d->metric = m->id;
	return s;
}

static bool against_spec(struct decision *d)
{
	const struct claim *c = d->c;
	const struct data_spec *s = spec_of(d);
	if (!s || !metric_number(d, &d->subject, d->metric, &d->out->subject))
		return false;
	d->out->compared = number_percent(&d->out->subject, s);
	d->peak = s->title;
	set_range(d, c->number);
	put_case(d, &d->out->subject);
	sb_cstr(&d->why, ", ");
	put_number(d, &d->out->compared);
	sb_printf(&d->why, " of the theoretical %s, against ", s->title);
	number_exact_text(c->number, "%", &d->why);
	return true;
}

static bool against_measured(struct decision *d)
{
	const struct claim *c = d->c;
	if (!object(d) || !metric_number(d, &d->subject, d->metric, &d->out->subject))
		return false;
	if (data_is_instrument(d->object.d->c->family) &&
	    !roof_holds(d->ctx->data, &d->subject, &d->object, d->metric,
	                placeholder_loc(c->p, c->object.text), d->e))
		return false;
	d->out->compared =
	        number_share(d->ctx->data, &d->subject, &d->object, d->metric, d->ctx->arena);
	set_range(d, c->number);
	put_case(d, &d->out->subject);
	sb_cstr(&d->why, ", ");
	put_number(d, &d->out->compared);
	sb_cstr(&d->why, " of ");
	put_case(d, &d->out->object);
	sb_cstr(&d->why, ", against ");
	number_exact_text(c->number, "%", &d->why);
	return true;
}

/* --- fastest of ------------------------------------------------------------------------ */

static bool is_rival(const struct decision *d, const struct pick *p)
{
	const struct run_case *a = d->subject.d->c, *b = p->d->c;
	if (p->d->why_none || b == a || strcmp(b->id, a->id) == 0 || strcmp(b->role, "null") == 0)
		return false;
	if (strcmp(a->family, b->family) == 0)
		return query_order(a, b) == 0;
	return strcmp(a->dtype, b->dtype) == 0 && strcmp(a->cache, b->cache) == 0;
}

/* Compares with the closest rival: the one with the largest ratio of times. */
static bool against_all(struct decision *d)
{
	struct query q = d->c->object;
	struct pick *picks;
	size_t n, rivals = 0;
	q.device = str_of(d->subject.run->run.head.device);
	if (!query_all(d->ctx, &q, &picks, &n, d->e) ||
	    !metric_number(d, &d->subject, METRIC_TIME, &d->out->subject))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!is_rival(d, &picks[i]))
			continue;
		if (!number_want_comparable(&d->subject, &picks[i],
		                            placeholder_loc(d->c->p, q.text), d->e))
			return false;
		struct number r = number_ratio(d->ctx->data, &d->subject, &picks[i], METRIC_TIME,
		                               d->ctx->arena);
		if (rivals++ == 0 || r.hi > d->out->compared.hi) {
			d->out->compared = r;
			d->object = picks[i];
		}
	}
	if (rivals == 0)
		return err_at(d->e, placeholder_loc(d->c->p, q.text),
		              "'" STR_FMT
		              "' has nothing with the same parameters to be compared with",
		              STR_ARG(q.text));
	d->out->has_object = true;
	d->out->rivals = rivals;
	d->low = -INFINITY;
	d->high = d->bound = 1;
	d->open = true;
	number_of(&d->object, METRIC_TIME, &d->out->object);
	put_case(d, &d->out->subject);
	sb_printf(&d->why, "; of %zu others the closest is ", rivals);
	put_case(d, &d->out->object);
	sb_cstr(&d->why, ", a ratio of ");
	put_number(d, &d->out->compared);
	return true;
}

/* --- the verdict -------------------------------------------------------------------------- */

static enum claim_verdict judge(const struct decision *d)
{
	const struct number *n = &d->out->compared;
	bool in = d->open ? n->lo > d->low && n->hi < d->high : n->lo >= d->low && n->hi <= d->high;
	bool out =
	        d->open ? n->hi <= d->low || n->lo >= d->high : n->hi < d->low || n->lo > d->high;
	return in ? CLAIM_TRUE : out ? CLAIM_FALSE : CLAIM_UNDECIDED;
}

/*
 * Over L processes the half-width of the logarithm is t(L - 1) s / sqrt(L)
 * (lib/stats.h). The interval gives s, and s gives the half-width for any L.
 */
size_t claim_more_launches(const struct number *n, size_t launches, double bound)
{
	if (launches < 2 || !(n->lo > 0) || !(n->hi > n->lo) || !(bound > 0))
		return 0;
	double distance = fabs(log(n->value / bound)), half = log(n->hi / n->lo) / 2;
	double s = half * sqrt((double)launches) / stats_t975(launches - 1);
	for (size_t l = launches + 1; l <= CLAIM_MOST_LAUNCHES; l++)
		if (stats_t975(l - 1) * s / sqrt((double)l) < distance)
			return l - launches;
	return 0;
}

/* Decides the condition for one case. */
static bool decide(struct expand_ctx *ctx, const struct claim *c, const struct pick *subject,
                   struct claim_result *out, struct err *e)
{
	static bool (*const against[])(struct decision *) = {[CLAIM_NUMBER] = against_number,
	                                                     [CLAIM_CASE] = against_case,
	                                                     [CLAIM_SPEC] = against_spec,
	                                                     [CLAIM_MEASURED] = against_measured,
	                                                     [CLAIM_ALL] = against_all};
	struct decision d = {
	        .ctx = ctx, .c = c, .out = out, .subject = *subject, .peak = "", .e = e};
	*out = (struct claim_result){0};
	set_metric(&d);
	bool ok = against[c->against](&d);
	if (ok) {
		double over = out->compared.value - d.bound;
		out->verdict = judge(&d);
		out->why = str_dup(ctx->arena, sb_view(&d.why));
		out->is_share = c->against == CLAIM_SPEC || c->against == CLAIM_MEASURED;
		out->bound = d.bound;
		out->said = claim_said(ctx, c, out, d.peak);
		out->gap = out->is_share ? over : 100 * over / d.bound;
		if (out->verdict == CLAIM_UNDECIDED && !c->cards)
			out->more = claim_more_launches(&out->compared, d.subject.d->time.launches,
			                                d.bound);
	}
	sb_free(&d.why);
	return ok;
}

bool claim_decide(struct expand_ctx *ctx, const struct claim *c, struct claim_result *out,
                  struct err *e)
{
	struct pick subject;
	return query_one(ctx, &c->subject, &subject, e) && decide(ctx, c, &subject, out, e);
}

/* --- goals ---------------------------------------------------------------------------------- */

/* Is another variant faster, measured in the same way? Of two equally fast, the first wins. */
static bool is_beaten(const struct pick *picks, size_t n, size_t i)
{
	const struct run_case *c = picks[i].d->c;
	for (size_t k = 0; k < n; k++) {
		const struct data_case *other = picks[k].d;
		bool same = k != i && !other->why_none &&
		            strcmp(other->c->family, c->family) == 0 &&
		            query_order(other->c, c) == 0;
		double behind = same ? picks[i].d->time.typical - other->time.typical : -1;
		if (behind > 0 || (behind == 0 && k < i))
			return true;
	}
	return false;
}

/* Is `a` farther from the goal than `b`? The verdict decides, then the margin. */
static bool is_worse(const struct claim *c, const struct claim_result *a,
                     const struct claim_result *b)
{
	static const int weights[] = {[CLAIM_TRUE] = 0, [CLAIM_UNDECIDED] = 1, [CLAIM_FALSE] = 2};
	if (weights[a->verdict] != weights[b->verdict])
		return weights[a->verdict] > weights[b->verdict];
	if (c->relation == CLAIM_WITHIN)
		return fabs(a->compared.value - 1) > fabs(b->compared.value - 1);
	bool up = c->relation == CLAIM_AT_LEAST || c->relation == CLAIM_ABOVE ||
	          c->relation == CLAIM_SATURATES_PEAK;
	return up ? a->compared.value < b->compared.value : a->compared.value > b->compared.value;
}

/* "2¹⁵ columns, f32": tells this case from the others. */
static const char *where_of(const struct words *w, const struct pick *p, const struct pick *all,
                            size_t n, struct arena *a)
{
	size_t nkeys, used = 0;
	const char **key = query_keys(all, n, a, &nkeys);
	for (size_t k = 0; k < nkeys; k++) {
		const char *own = query_value(p->d->c, key[k], a);
		bool differs = false;
		for (size_t i = 0; i < n && own && !differs; i++) {
			const char *other = query_value(all[i].d->c, key[k], a);
			differs = !other || strcmp(own, other) != 0;
		}
		if (differs)
			key[used++] = key[k];
	}
	return case_parts(w, p->d->c, key, used, a);
}

/* Is there what an unmeasured goal will be held against? A typo need not wait for the numbers. */
static bool is_bound_known(struct expand_ctx *ctx, const struct claim *c, const struct pick *p,
                           struct err *e)
{
	struct decision d = {.ctx = ctx, .c = c, .subject = *p, .e = e};
	struct query q = c->object;
	double scale;
	set_metric(&d);
	if (c->against == CLAIM_NUMBER)
		return scale_of(&d, &scale);
	if (c->against == CLAIM_SPEC)
		return spec_of(&d) != NULL;
	if (!q.device.p)
		q.device = str_of(p->run->run.head.device);
	return query_is_known(ctx, &q, e);
}

/*
 * A goal that nobody has measured yet: the reason is that of its first case. It is typeset in all
 * languages, so that an audit, which has no words, finds the same on the page.
 */
static struct claim_result unmeasured(const struct expand_ctx *ctx, const struct pick *p)
{
	struct sb said = {0};
	typeset(&said, str_of(reason_text(ctx->words, &p->d->none, ctx->arena)));
	return (struct claim_result){.verdict = CLAIM_UNDECIDED,
	                             .subject = {.pick = *p},
	                             .compared = {.pick = *p},
	                             .why = p->d->why_none,
	                             .said = sb_take(ctx->arena, &said),
	                             .where = "",
	                             .unmeasured = true};
}

bool claim_decide_goal(struct expand_ctx *ctx, const struct claim *c, struct claim_result *out,
                       struct err *e)
{
	struct pick *picks;
	size_t n, decided = 0;
	if (!query_all(ctx, &c->subject, &picks, &n, e))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct claim_result r;
		if (picks[i].d->why_none || is_beaten(picks, n, i))
			continue;
		if (!decide(ctx, c, &picks[i], &r, e))
			return false;
		if (decided++ == 0 || is_worse(c, &r, out))
			*out = r;
		out->where = where_of(ctx->words, &out->subject.pick, picks, n, ctx->arena);
	}
	if (decided > 0)
		return true;
	*out = unmeasured(ctx, &picks[0]); /* query_all() found a case */
	return is_bound_known(ctx, c, &picks[0], e);
}
