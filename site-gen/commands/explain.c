/* `site-gen explain`: everything behind a number, as text for a terminal. */
#include <string.h>

#include "site-gen/kinds/expand.h"
#include "site-gen/kinds/source.h"
#include "site-gen/commands/explain.h"
#include "site-gen/kinds/kinds.h"

enum { MAX_SHOWN = 20 };

/* "4.312 TB/s   95 % interval 4.309 … 4.315 TB/s" */
static void metric_line(const struct pick *p, enum metric m, struct sb *to)
{
	struct number n;
	struct unit_text lo, hi, u;
	if (!number_of(p, m, &n))
		return;
	sb_printf(to, "  %-18s ", metric_info(m)->name);
	number_text(&n, to);
	if (n.hi > n.lo) {
		unit_format(n.value, (n.hi - n.lo) / 2, n.si, &u);
		unit_format_as(n.lo, u.scale, u.decimals + 1, u.unit, &lo);
		unit_format_as(n.hi, u.scale, u.decimals + 1, u.unit, &hi);
		sb_printf(to, "   95 %% interval %s … %s %s", lo.number, hi.number, u.unit);
	}
	sb_char(to, '\n');
}

static void launches_line(const struct data_case *d, struct sb *to)
{
	const struct stats_summary *t = &d->time;
	sb_printf(to,
	          "  %-18s %zu processes, %zu samples; between processes %.2f %%, within %.2f %%\n",
	          "samples", t->launches, t->samples, 100 * t->between_sd, 100 * t->within_cv);
	sb_printf(to, "  %-18s ", "medians");
	for (size_t i = 0; i < t->launches; i++)
		sb_printf(to, "%s%.6g%s", i ? " " : "", 1e6 * d->medians[i], d->slow[i] ? "*" : "");
	sb_cstr(to, " µs\n");
}

static void sources(struct expand_ctx *ctx, const struct pick *p, struct sb *to)
{
	const struct run_case *c = p->d->c;
	for (size_t i = 0; i < c->nsource; i++)
		sb_printf(to, "  %-18s %s %.12s%s\n", i == 0 ? "sources" : "", c->source[i].path,
		          c->source[i].blob, source_changed(ctx, p, i) ? " (changed since)" : "");
}

static void case_lines(struct expand_ctx *ctx, const struct pick *p, struct sb *to)
{
	const struct run_head *h = &p->run->run.head;
	const struct data_case *d = p->d;
	size_t n;
	sb_printf(to, "\n%s\n", d->c->id);
	if (d->why_none) {
		explain_field(to, "no number", d->why_none);
	} else {
		for (int m = 0; m < METRIC_COUNT; m++)
			metric_line(p, (enum metric)m, to);
		launches_line(d, to);
		explain_field(to, "state",
		              d->why_state ? arena_printf(ctx->arena, "%s: %s",
		                                          data_state_name(d->state), d->why_state)
		                           : data_state_name(d->state));
		if (d->power_limited > 0)
			explain_field(to, "power",
			              arena_printf(ctx->arena, "limited in %zu of %zu processes",
			                           d->power_limited, d->time.launches));
	}
	explain_field(to, "cost model", d->c->model.formula);
	explain_field(to, "check", d->c->check_why);
	explain_field(to, "run", h->id);
	explain_field(to, "file",
	              arena_printf(ctx->arena, "%s, blob %s", p->run->path, p->run->blob));
	explain_field(to, "sha256", p->run->run.sha256);
	const struct data_fact *f = data_conditions(p->run, &n);
	for (size_t i = 0; i < n; i++)
		explain_field(to, f[i].label, f[i].value);
	sources(ctx, p, to);
	if (!d->c->foreign) /* of another program the conditions have the command */
		explain_field(to, "again",
		              arena_printf(ctx->arena, "build/runner run '%s'", d->c->id));
}

static void explain_spec(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to)
{
	struct str device = placeholder_key(p, "device");
	const struct data_spec *s = data_spec_find(
	        ctx->data, device.p ? device : str_of(query_default_device(ctx)), p->word[0]);
	if (!s)
		return;
	sb_printf(to, "\nspec %s of %s\n", s->key, s->device);
	explain_field(to, "title", s->title);
	explain_field(to, "note", s->note);
	explain_field(to, "quote", s->quote);
	explain_field(to, "source", arena_printf(ctx->arena, "%s (%s)", s->source, s->source_date));
	explain_field(to, "", s->source_url);
}

/* Appends the numbers that the placeholder shows. */
static void shown(struct expand_ctx *ctx, struct sb *to)
{
	const struct quote *quote[MAX_SHOWN];
	size_t n = 0, more = 0;
	for (const struct quote *q = ctx->quotes; q; q = q->next)
		if (n < MAX_SHOWN)
			quote[n++] = q;
		else
			more++;
	for (size_t i = n; i-- > 0;) {
		sb_char(to, '\n');
		explain_number(ctx, &quote[i]->n, to);
	}
	if (more)
		sb_printf(to, "\n  and %zu numbers more\n", more);
	for (const struct fact *f = ctx->facts; f; f = f->next)
		explain_fact(f, to);
}

bool explain_placeholder(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to,
                         struct err *e)
{
	enum expand_place place;
	struct sb text = {0};
	const struct expand_ctx outside = *ctx;
	ctx->uses = NULL;
	ctx->quotes = NULL;
	ctx->facts = NULL;
	bool ok = expand_place_of(p, &place, e) &&
	          (place == EXPAND_INLINE ? expand_text(ctx, p, &text, e)
	                                  : expand_html(ctx, p, &text, e));
	if (ok) {
		sb_str(to, p->text);
		sb_char(to, '\n');
		if (place == EXPAND_INLINE)
			sb_printf(to, "  %s\n", text.p);
		shown(ctx, to);
		if (str_is(p->kind, "spec"))
			explain_spec(ctx, p, to);
	}
	/* the last used comes first: reverse the list */
	struct expand_use *turned = NULL;
	for (struct expand_use *u = ctx->uses, *next; u; u = next) {
		next = u->next;
		u->next = turned;
		turned = u;
	}
	for (const struct expand_use *u = turned; ok && u; u = u->next) {
		const struct data_run *r = data_run_of(ctx->data, u->run);
		struct pick pick = {r, data_case_of(r, u->c)};
		case_lines(ctx, &pick, to);
	}
	ctx->uses = outside.uses;
	ctx->quotes = outside.quotes;
	ctx->facts = outside.facts;
	sb_free(&text);
	return ok;
}
