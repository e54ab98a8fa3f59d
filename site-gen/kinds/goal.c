/* goal: a sentence that measurements meet or miss (numbers/goal.h). */
#include "site-gen/numbers/goal.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/base/rules.h"

/* Decides the goal. Runs once for each use of the text; only markup adds it to the page's goals. */
static bool decide(struct kind_call *k, struct err *e)
{
	struct claim c;
	struct goal *g = ARENA_NEW(k->ctx->arena, struct goal);
	struct str text = str_trim(k->span->text);
	k->span->state = g;
	if (text.n == 0)
		return rule_err(e, RULE_CLAIMED, k->p->at, "goal without a sentence");
	*g = (struct goal){.text = str_dup(k->ctx->arena, text),
	                   .condition = claim_condition(k->p, k->ctx->arena)};
	return claim_parse(k->p, &c, e) && claim_decide_goal(k->ctx, &c, &g->r, e);
}

bool kind_goal(struct kind_call *k, struct err *e)
{
	struct goal *g = k->span->state;
	switch (k->span->step) {
	case SPAN_SEEN:
		return decide(k, e);
	case SPAN_OPEN:
		html_raw(k->to, "<span class=\"goal\">");
		return true;
	case SPAN_CLOSE:
		html_raw(k->to, "</span> ");
		goal_result(k->ctx, g, k->to);
		g->next = k->ctx->goals;
		k->ctx->goals = g;
		return true;
	}
	return true;
}
