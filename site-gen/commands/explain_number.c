/* Explains one number of a page, as text for a terminal. */
#include <string.h>

#include "site-gen/commands/explain.h"
#include "site-gen/kinds/kinds.h"

void explain_field(struct sb *to, const char *label, const char *value)
{
	if (value && *value)
		sb_printf(to, "  %-18s %s\n", label, value);
}

/* "4.312 TB/s   95 % interval 4.309 … 4.315 TB/s" */
static const char *amount(const struct number *n, struct arena *a)
{
	struct sb text = {0};
	struct unit_text lo, hi, u;
	number_text(n, &text);
	if (number_has_interval(n)) {
		unit_format(n->value, (n->hi - n->lo) / 2, n->si, &u);
		unit_format_as(n->lo, u.scale, u.decimals + 1, u.unit, &lo);
		unit_format_as(n->hi, u.scale, u.decimals + 1, u.unit, &hi);
		sb_printf(&text, "   95 %% interval %s … %s %s", lo.number, hi.number, u.unit);
	}
	return sb_take(a, &text);
}

/* "newest of 3 runs: A, B, C", or which run it is, and why not the newest. */
static const char *why_this_run(const struct data *d, const struct pick *p, struct arena *a)
{
	const struct data_number *n = data_number_at(d, str_of(p->d->url));
	const char *all = "";
	size_t with = 0;
	for (size_t i = 0; n && i < n->nruns; i++) {
		const char *why = n->in[i]->why_none;
		all = arena_printf(a, "%s%s%s%s%s%s", all, i ? ", " : "", n->runs[i]->run.head.id,
		                   why ? " (" : "", why ? why : "", why ? ")" : "");
		with += !why;
	}
	if (p->d->newer)
		return arena_printf(a,
		                    "named by run=, or of the run beside it; newest is %s; of %s",
		                    p->d->newer->run.head.id, all);
	return arena_printf(a, "newest of %zu that publish it: %s", with, all);
}

static void states(const struct pick *p, const char *label, struct sb *to)
{
	bool any = false;
	for (int s = DATA_STATE_COUNT - 1; s > DATA_OK; s--) {
		if (!p->d->why[s])
			continue;
		sb_printf(to, "  %-18s %s: %s\n", any ? "" : label,
		          data_state_name((enum data_state)s), p->d->why[s]);
		any = true;
	}
	if (!any)
		explain_field(to, label, data_state_name(DATA_OK));
}

static size_t shared_launches(const struct data_case *a, const struct data_case *b)
{
	size_t n = 0;
	for (size_t i = 0; i < a->time.launches; i++)
		for (size_t k = 0; k < b->time.launches; k++)
			n += a->launch[i] == b->launch[k];
	return n;
}

static const char *pairing(const struct number *n, struct arena *a)
{
	if (n->metric == METRIC_INTENSITY)
		return "of the cost models; no time is in it";
	if (number_of_two_devices(n))
		return n->cards ? "unpaired: over the cards of both devices"
		                : arena_printf(a, "unpaired: over processes, %s",
		                               words_get(NULL, number_one_each(n)));
	if (n->pick.run != n->over.run)
		return "unpaired: from two runs, intervals joined";
	size_t pairs = shared_launches(n->pick.d, n->over.d);
	return pairs >= 2 ? arena_printf(a, "paired by process: %zu pairs of one run", pairs)
	                  : "unpaired: of one run, but no processes in common";
}

/* The verdict on times, so that "faster" means less time. */
static const char *verdict(const struct number *n, struct arena *a)
{
	double unit = n->kind == NUMBER_SHARE_MEASURED ? 100 : 1, band = stats_band(NULL, 0);
	bool rate = metric_info(n->metric)->higher_is_better;
	double lo = n->lo / unit, hi = n->hi / unit, mid = n->value / unit;
	struct stats_summary time = {.typical = rate ? 1 / mid : mid,
	                             .lo = rate ? 1 / hi : lo,
	                             .hi = rate ? 1 / lo : hi,
	                             .launches = n->hi > n->lo ? 2 : 1};
	return arena_printf(a, "%s (equivalent would be within ±%.1f %%)",
	                    stats_verdict_name(stats_verdict(&time, band)), 100 * band);
}

static void other_case(struct expand_ctx *ctx, const struct number *n, struct sb *to)
{
	struct number x, y;
	explain_field(to, n->kind == NUMBER_RATIO ? "over" : "of", n->over.d->c->id);
	if (number_of(&n->pick, n->metric, &x) && number_of(&n->over, n->metric, &y)) {
		explain_field(to, "  its own", amount(&x, ctx->arena));
		explain_field(to, "  the other's", amount(&y, ctx->arena));
	}
	explain_field(to, "pairing", pairing(n, ctx->arena));
	if (n->metric != METRIC_INTENSITY)
		explain_field(to, "verdict", verdict(n, ctx->arena));
	if (n->over.run != n->pick.run) {
		explain_field(to, "other's run", n->over.run->run.head.id);
		explain_field(to, "  why this run", why_this_run(ctx->data, &n->over, ctx->arena));
	}
}

/* A line for each card: its uuid, its run, its value. */
static void cards(const struct expand_ctx *ctx, const char *label, const struct data_number *n,
                  enum metric m, struct sb *to)
{
	for (size_t i = 0; n && i < n->ncards; i++) {
		struct pick p = number_card(n, i);
		struct number x;
		if (!number_of(&p, m, &x))
			continue;
		explain_field(to, i ? " " : label,
		              arena_printf(ctx->arena, "%s, run %s: %s (%s)",
		                           p.run->run.head.gpu.uuid, p.run->run.head.id,
		                           amount(&x, ctx->arena), data_state_name(p.d->state)));
	}
}

void explain_number(struct expand_ctx *ctx, const struct number *n, struct sb *to)
{
	struct arena *a = ctx->arena;
	explain_field(to, "value", amount(n, a));
	explain_field(to, "number", number_key(n, a));
	explain_field(to, "page", number_url(ctx, n));
	if (n->over.d)
		other_case(ctx, n, to);
	if (n->peak)
		explain_field(to, "of",
		              arena_printf(a, "%s: %s (%s, %s)", n->peak->key, n->peak->title,
		                           n->peak->source, n->peak->source_date));
	cards(ctx, "cards", n->cards, n->metric, to);
	cards(ctx, "other's cards", n->over_cards, n->metric, to);
	if (n->cards && n->between > 0)
		explain_field(to, "between cards",
		              arena_printf(a, "standard deviation %.2f %%", 100 * n->between));
	explain_field(to, "run", n->pick.run->run.head.id);
	explain_field(to, "  why this run", why_this_run(ctx->data, &n->pick, a));
	states(&n->pick, "state", to);
	if (n->over.d)
		states(&n->over, "other's state", to);
}

void explain_fact(const struct fact *f, struct sb *to)
{
	explain_field(to, "value", f->text);
	explain_field(to, "number", f->key);
	explain_field(to, "source", f->source);
	if (f->worst.d && f->hi > f->lo) {
		const struct number n = {
		        .value = f->value, .lo = f->lo, .hi = f->hi, .si = f->unit};
		struct sb range = {0};
		number_range(&n, &range);
		explain_field(to, "95 % interval", range.p);
		sb_free(&range);
	}
	explain_field(to, f->worst.d ? "run of each" : "newest run in it", f->run);
	explain_field(to, "state", number_fact_state(f));
}
