/* What a page says about a goal: its verdict, how far it was missed, and the case in question. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/lua/words.h"
#include "site-gen/numbers/goal.h"

#define NBSP_ "\xC2\xA0"
#define CASE_ID "scan/tile:n=1,dtype=f32,cache=cold"

static struct run_case scan = {
        .id = CASE_ID, .family = "scan", .variant = "tile", .dtype = "f32", .cache = "cold"};
static struct data_case judged = {.c = &scan, .anchor = "scan-tile", .url = "/numbers/h200/x/"};
static struct data_run run = {.run.head.id = "20260101T000000Z-synthetic-0000000a",
                              .run.head.device = "h200",
                              .run.head.start = "2026-01-01T00:00:00Z",
                              .run.cases = &scan,
                              .run.ncases = 1,
                              .cases = &judged};

static struct goal goal_of(enum claim_verdict verdict, double gap, bool is_share)
{
	const struct number n = {.value = 85,
	                         .lo = 85,
	                         .hi = 85,
	                         .si = "%",
	                         .kind = NUMBER_SHARE_MEASURED,
	                         .metric = METRIC_BANDWIDTH,
	                         .pick = {&run, &judged},
	                         .over = {&run, &judged}};
	return (struct goal){.text = "a goal",
	                     .condition = "scan/tile >= 88 % of spec:hbm",
	                     .r = {.verdict = verdict,
	                           .subject = n,
	                           .compared = n,
	                           .gap = gap,
	                           .is_share = is_share,
	                           .said = "85 %",
	                           .where = ""}};
}

static void says(struct claim_result r, const struct words *w, const char *want)
{
	struct sb to = {0};
	goal_outcome(&r, w, &to);
	assert_string_equal(to.p, want);
	sb_free(&to);
}

static const char *markup(struct expand_ctx *ctx, const struct goal *g)
{
	struct sb to = {0};
	goal_result(ctx, g, &to);
	const char *text = str_dup(ctx->arena, sb_view(&to));
	sb_free(&to);
	return text;
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in '%s'", part, text);
}

/* The words in data-verdict are those of predictions, in every language. */
static void test_verdict(void **state)
{
	(void)state;
	assert_string_equal(goal_verdict(&(struct claim_result){.verdict = CLAIM_TRUE}), "held");
	assert_string_equal(goal_verdict(&(struct claim_result){.verdict = CLAIM_FALSE}), "missed");
	assert_string_equal(goal_verdict(&(struct claim_result){.verdict = CLAIM_UNDECIDED}),
	                    "undecided");
}

/* Only a miss has a distance: percentage points of a share, else per cent of the bound. */
static void test_outcome(void **state)
{
	static const struct {
		enum claim_verdict verdict;
		double gap;
		bool is_share;
		const char *says;
	} row[] = {
	        {CLAIM_TRUE, 5, true, "met"},
	        {CLAIM_UNDECIDED, -5, true, "open"},
	        {CLAIM_FALSE, -3.2, true, "missed: 3.2" NBSP_ "points too low"},
	        {CLAIM_FALSE, -3.2, false, "missed: 3.2" NBSP_ "% too low"},
	        {CLAIM_FALSE, 12, false, "missed: 12.0" NBSP_ "% too high"},
	        {CLAIM_FALSE, 0.04, false, "missed: 0.04" NBSP_ "% too high"},
	        {CLAIM_FALSE, -0.0994, true, "missed: 0.10" NBSP_ "points too low"},
	        {CLAIM_FALSE, -250, false, "missed: 250" NBSP_ "% too low"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(row); i++)
		says(goal_of(row[i].verdict, row[i].gap, row[i].is_share).r, NULL, row[i].says);
}

static void test_outcome_in_another_language(void **state)
{
	struct config_word word[] = {{"de", "goal_met", "erreicht"},
	                             {"de", "goal_missed", "verfehlt"},
	                             {"de", "points", "Punkte"},
	                             {"de", "verdict_too_low", "{1} zu wenig"}};
	struct config config = {.language = "en", .word = word, .nwords = ARRAY_LEN(word)};
	const struct words de = {&config, "de"};
	(void)state;
	says(goal_of(CLAIM_TRUE, 0, true).r, &de, "erreicht");
	says(goal_of(CLAIM_FALSE, -1, true).r, &de, "verfehlt: 1.0" NBSP_ "Punkte zu wenig");
}

static void test_markup(void **state)
{
	struct arena a = {0};
	struct expand_ctx ctx = {.arena = &a, .base = "/blog"};
	struct goal g = goal_of(CLAIM_FALSE, -3, true);
	(void)state;
	const char *html = markup(&ctx, &g);
	static const char badge[] =
	        "<span class=\"verdict\" data-goal=\"scan/tile &gt;= 88 % of spec:hbm\" "
	        "data-device=\"h200\" data-verdict=\"missed\" title=\"85 %\">"
	        "missed: 3.0" NBSP_ "points too low</span>" NBSP_ "<a class=\"num percent\" "
	        "href=\"/blog/numbers/h200/";
	if (strncmp(html, badge, sizeof badge - 1) != 0)
		fail_msg("'%s' does not begin '%s'", html, badge);
	contains(html, ">85.0" NBSP_ "%</a>");
	assert_null(strstr(html, "goal-at"));
	/* the page has shown this number, and this case */
	assert_non_null(ctx.quotes);
	assert_null(ctx.quotes->next);
	assert_string_equal(ctx.quotes->text, "85.0" NBSP_ "%");
	assert_ptr_equal(ctx.uses->c, &scan);
	arena_free(&a);
}

/* The badge is about the subject; the number is the one that the condition tests. */
static void test_kind_of_number(void **state)
{
	struct arena a = {0};
	struct expand_ctx ctx = {.arena = &a, .base = ""};
	struct goal g = goal_of(CLAIM_TRUE, 1, false);
	(void)state;
	g.r.compared.kind = NUMBER_RATIO;
	g.r.compared.si = "×";
	g.r.compared.value = g.r.compared.lo = g.r.compared.hi = 1.5;
	const char *html = markup(&ctx, &g);
	contains(html, "<a class=\"num ratio\"");
	contains(html, ">1.50×</a>");
	g.r.compared = g.r.subject;
	g.r.compared.kind = NUMBER_VALUE;
	g.r.compared.si = "B/s";
	g.r.compared.value = g.r.compared.lo = g.r.compared.hi = 4e12;
	g.r.compared.over = (struct pick){0};
	html = markup(&ctx, &g);
	contains(html, "<a class=\"num\"");
	contains(html, ">4.00" NBSP_ "TB/s</a>");
	arena_free(&a);
}

/* Texts of an author and of a record are text, whatever is in them. */
static void test_texts_are_escaped(void **state)
{
	struct arena a = {0};
	struct expand_ctx ctx = {.arena = &a, .base = ""};
	struct goal g = goal_of(CLAIM_UNDECIDED, 0, true);
	(void)state;
	g.condition = "a \"b\" <c>";
	g.r.said = "\"85\" < 88 & more";
	g.r.where = "n = 1 <b>";
	const char *html = markup(&ctx, &g);
	contains(html, "data-goal=\"a &quot;b&quot; &lt;c&gt;\"");
	contains(html, "title=\"&quot;85&quot; &lt; 88 &amp; more\"");
	contains(html, "data-verdict=\"undecided\"");
	contains(html, ">open</span>");
	contains(html, "</a> <span class=\"goal-at\">n = 1 &lt;b&gt;</span>");
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_verdict),
	        cmocka_unit_test(test_outcome),
	        cmocka_unit_test(test_outcome_in_another_language),
	        cmocka_unit_test(test_markup),
	        cmocka_unit_test(test_kind_of_number),
	        cmocka_unit_test(test_texts_are_escaped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
