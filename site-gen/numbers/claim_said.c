/* What decided a claim, in the words of the page: cases by their titles, not by their ids. */
#include <math.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/lua/words.h"
#include "site-gen/numbers/case.h"
#include "site-gen/numbers/claim_said.h"

static const char *kept(struct sb *s, struct arena *a)
{
	const char *text = str_dup(a, sb_view(s));
	sb_free(s);
	return text;
}

/* "2.602 TB/s (2.5983–2.6062 TB/s)" */
static const char *value(const struct expand_ctx *ctx, const struct number *n)
{
	struct sb range = {0}, text = {0};
	number_text(n, &text);
	if (n->hi > n->lo) {
		number_range(n, &range);
		sb_printf(&text, "%s%s%s", words_get(ctx->words, "bracket_open"),
		          kept(&range, ctx->arena), words_get(ctx->words, "bracket_close"));
	}
	return kept(&text, ctx->arena);
}

/* The metric's unit of `compared`: a ratio's "×", a share's "%", else the number's own. */
static const char *unit(const struct claim *c, const struct claim_result *r)
{
	if (r->is_share)
		return "%";
	return c->against == CLAIM_NUMBER ? metric_info(r->subject.metric)->si : "×";
}

/* What was asked of `compared`: "≥ 2 TB/s", "< 1×", "0.95–1.05×" */
static const char *asked(const struct expand_ctx *ctx, const struct claim *c,
                         const struct claim_result *r)
{
	static const char *const signs[] = {
	        [CLAIM_AT_LEAST] = "≥", [CLAIM_AT_MOST] = "≤", [CLAIM_ABOVE] = ">",
	        [CLAIM_BELOW] = "<",    [CLAIM_FASTEST] = "<", [CLAIM_SATURATES_PEAK] = "≥"};
	struct sb text = {0};
	if (c->relation == CLAIM_WITHIN)
		sb_printf(&text, "%g–%g×", 1 - c->number / 100, 1 + c->number / 100);
	else {
		sb_printf(&text, "%s" NBSP, signs[c->relation]);
		if (strcmp(unit(c, r), "×") == 0)
			sb_printf(&text, "%g×", r->bound);
		else
			number_exact_text(r->bound, unit(c, r), &text);
	}
	return kept(&text, ctx->arena);
}

const char *claim_said(const struct expand_ctx *ctx, const struct claim *c,
                       const struct claim_result *r, const char *peak)
{
	static const char *const keys[] = {[CLAIM_NUMBER] = "claim_said_number",
	                                   [CLAIM_CASE] = "claim_said_case",
	                                   [CLAIM_SPEC] = "claim_said_spec",
	                                   [CLAIM_MEASURED] = "claim_said_measured",
	                                   [CLAIM_ALL] = "claim_said_fastest"};
	const struct run_case *of = r->subject.pick.d->c;
	const char *other = "", *others = "";
	if (r->has_object) {
		other = case_beside(ctx->words, of, r->object.pick.d->c, ctx->arena);
		others = value(ctx, &r->object);
	}
	const char *const with[] = {case_title(ctx->words, of, ctx->arena),
	                            value(ctx, &r->subject),
	                            value(ctx, &r->compared),
	                            asked(ctx, c, r),
	                            r->has_object ? other : words_label(ctx->words, peak),
	                            others,
	                            arena_printf(ctx->arena, "%zu", r->rivals)};
	return words_fill_all(ctx->words, ctx->arena, keys[c->against], with, ARRAY_LEN(with));
}
