/* claim: a sentence that measurements must confirm (numbers/claim.h). */
#include "site-gen/numbers/claim.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/device_part.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/base/rules.h"

/* The beginning of the sentence, for errors. */
static struct str beginning(struct str text)
{
	enum { MOST = 120 };
	text = str_trim(text);
	if (text.n <= MOST)
		return text;
	size_t n = MOST;
	while (n > 0 && ((unsigned char)text.p[n] & 0xC0) == 0x80)
		n--;
	return str_sub(text, 0, n);
}

static bool refuse(struct kind_call *k, const struct claim_result *r, struct err *e)
{
	struct str text = beginning(k->span->text);
	const char *cut = text.n < str_trim(k->span->text).n ? "…" : "";
	const char *way = "say what is so";
	if (r->verdict == CLAIM_UNDECIDED && r->compared.cards)
		way = "more cards would decide it, or a narrower claim";
	else if (r->verdict == CLAIM_UNDECIDED)
		way = r->more ? arena_printf(k->ctx->arena,
		                             "%zu more launches would decide it if the spread "
		                             "stays, or a narrower claim",
		                             r->more)
		              : "no number of launches in reach would decide it, a narrower claim "
		                "would";
	return rule_err(e, RULE_CLAIMED, k->p->at, "claim is %s: “" STR_FMT "%s”: %s; %s",
	                r->verdict == CLAIM_FALSE ? "false" : "undecided", STR_ARG(text), cut,
	                r->why, way);
}

static bool decide(struct kind_call *k, struct err *e)
{
	struct claim c;
	struct claim_result *r = ARENA_NEW(k->ctx->arena, struct claim_result);
	k->span->state = r;
	if (!claim_parse(k->p, &c, e) || !claim_decide(k->ctx, &c, r, e))
		return false;
	if (str_trim(k->span->text).n == 0)
		return rule_err(e, RULE_CLAIMED, k->p->at, "claim without a sentence");
	return r->verdict == CLAIM_TRUE || refuse(k, r, e);
}

static void open(struct kind_call *k, const struct claim_result *r)
{
	html_raw(k->to, "<span class=\"claim\" data-claim=\"");
	html_attr(k->to, str_of(claim_condition(k->p, k->ctx->arena)));
	html_raw(k->to, "\" data-device=\"");
	html_attr(k->to, str_of(r->subject.pick.run->run.head.device));
	html_raw(k->to, "\" title=\"");
	html_attr(k->to, str_of(words_get(k->ctx->words, "claim_decided")));
	html_attr(k->to, str_of(r->said));
	if (number_case(&r->compared)->state != DATA_OK) {
		html_raw(k->to, "\" data-state=\"");
		html_attr(k->to, str_of(data_state_name(number_case(&r->compared)->state)));
	}
	html_raw(k->to, "\">");
	number_quote(k->ctx, &r->subject);
	if (r->has_object)
		number_quote(k->ctx, &r->object);
	if (r->compared.kind != NUMBER_VALUE)
		number_quote(k->ctx, &r->compared);
}

/* Closes the sentence, with the mark of the numbers that decided it. */
static void put_close(struct kind_call *k, const struct claim_result *r)
{
	enum data_state state = number_case(&r->compared)->state;
	bool several = k->ctx->device_no && data_state_marked(state);
	if (several)
		device_part_open(k->ctx, false, k->to);
	number_mark(k->ctx->words, state, k->to);
	if (several)
		device_part_close(k->ctx, false, k->to);
	html_raw(k->to, "</span>");
}

bool kind_claim(struct kind_call *k, struct err *e)
{
	switch (k->span->step) {
	case SPAN_SEEN:
		return decide(k, e);
	case SPAN_OPEN:
		open(k, k->span->state);
		return true;
	case SPAN_CLOSE:
		put_close(k, k->span->state);
		return true;
	}
	return true;
}
