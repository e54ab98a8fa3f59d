/* goal: a sentence that measurements meet or miss (numbers/goal.h). */
#include "site-gen/numbers/goal.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/device_part.h"
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

/* Closes the sentence. A list of goals has it once: with the result of the page's first device. */
static void put_result(struct kind_call *k, struct goal *g)
{
	int no = k->ctx->device_no;
	const char *device = g->r.subject.pick.run->run.head.device;
	bool alone = !no && k->ctx->ndevices > 1;
	html_raw(k->to, no > 1 ? "" : "</span> ");
	if (no > 1)
		device_part_between(k->ctx, k->to);
	if (no)
		device_part_open(k->ctx, false, k->to);
	if (alone)
		device_part_only(k->ctx, device, false, k->to);
	goal_result(k->ctx, g, k->to);
	if (alone)
		device_part_only_end(k->ctx, device, false, k->to);
	if (no)
		device_part_close(k->ctx, false, k->to);
	if (no > 1)
		return;
	g->next = k->ctx->goals;
	k->ctx->goals = g;
}

bool kind_goal(struct kind_call *k, struct err *e)
{
	struct goal *g = k->span->state;
	switch (k->span->step) {
	case SPAN_SEEN:
		return decide(k, e);
	case SPAN_OPEN:
		html_raw(k->to, k->ctx->device_no > 1 ? "" : "<span class=\"goal\">");
		return true;
	case SPAN_CLOSE:
		put_result(k, g);
		return true;
	}
	return true;
}
