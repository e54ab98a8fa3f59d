#include "site-gen/numbers/goal.h"

#include "site-gen/base/html.h"
#include "site-gen/records/query.h"
#include "site-gen/numbers/prediction.h"

static enum prediction_verdict verdict_of(const struct claim_result *r)
{
	return r->verdict == CLAIM_TRUE    ? PREDICTION_HELD
	       : r->verdict == CLAIM_FALSE ? PREDICTION_MISSED
	                                   : PREDICTION_UNDECIDED;
}

const char *goal_verdict(const struct claim_result *r)
{
	return prediction_verdict_name(verdict_of(r));
}

void goal_outcome(const struct claim_result *r, const struct words *w, struct sb *to)
{
	if (r->verdict != CLAIM_FALSE) {
		sb_cstr(to, words_get(w, r->verdict == CLAIM_TRUE ? "goal_met" : "goal_open"));
		return;
	}
	sb_cstr(to, words_get(w, "goal_missed"));
	prediction_gap(r->gap, r->is_share, w, to);
}

static void put_badge(const struct expand_ctx *ctx, const struct goal *g, struct sb *to)
{
	struct sb text = {0};
	html_raw(to, "<span class=\"verdict\" data-goal=\"");
	html_attr(to, str_of(g->condition));
	html_raw(to, "\" data-device=\"");
	html_attr(to, str_of(g->r.subject.pick.run->run.head.device));
	html_raw(to, "\" data-verdict=\"");
	html_raw(to, goal_verdict(&g->r));
	html_raw(to, "\" title=\"");
	html_attr(to, str_of(g->r.said));
	html_raw(to, "\">");
	goal_outcome(&g->r, ctx->words, &text);
	html_text(to, sb_view(&text));
	html_raw(to, "</span>");
	sb_free(&text);
}

void goal_result(struct expand_ctx *ctx, const struct goal *g, struct sb *to)
{
	const struct number *n = &g->r.compared;
	put_badge(ctx, g, to);
	if (g->r.unmeasured)
		return;
	html_raw(to, NBSP); /* the number stays beside it */
	number_link(ctx, n,
	            n->kind == NUMBER_VALUE ? ""
	            : g->r.is_share         ? "percent"
	                                    : "ratio",
	            NULL, to);
	if (!*g->r.where)
		return;
	html_raw(to, " <span class=\"goal-at\">");
	html_text(to, str_of(g->r.where));
	html_raw(to, "</span>");
}
