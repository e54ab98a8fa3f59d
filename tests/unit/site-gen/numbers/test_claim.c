/*
 * Claims and citations, through Markdown, over a synthetic run. What is true
 * is computed from the record by the test itself.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/records/cited.h"
#include "site-gen/numbers/claim.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/markdown/markdown.h"
#include "site-gen/numbers/statements.h"
#include "tests/unit/help/synthetic_repo.h"

static struct repo repo;

static int make(void **state)
{
	struct err e = ERR_NONE;
	(void)state;
	repo_ready(&repo);
	repo_write(&repo, "data/references/roofline.md",
	           STR("---\ntitle: Roofline\nauthors: Williams & al.\n"
	               "url: https://doi.org/10.1145/1498765.1498785\ndate: 2009-04\n---\n\n"
	               "The \"ridge point\" is\nwhere the roofs meet: 3.35 TB/s, 2x, 85 %.\n"));
	must(statements_load(&repo.data, &e), &e);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

/* The markup of a text, or the error. */
static const char *render(const char *text)
{
	struct err e = ERR_NONE;
	struct md_doc doc = {0};
	return markdown_render(&repo.ctx, str_of(text), "post.md", 1, &doc, &e)
	               ? str_dup(&repo.arena, doc.html)
	               : arena_strdup(&repo.arena, e.text);
}

static const char *claim(const char *condition)
{
	return render(arena_printf(&repo.arena, "<<bench:claim %s>>So it *is*.<</bench:claim>>\n",
	                           condition));
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%.2000s", part, text);
}

#define WHERE " rows=16384 dtype=f32 "
#define TILE_ID "transpose/tile:rows=16384,cols=16384,dtype=f32,cache=cold"

static const struct data_case *tile(void)
{
	const struct data_run *r = &repo.data.runs[0];
	return data_case_of(r, record_case(&r->run, TILE_ID));
}

/* Bytes per second of the tile at a time per call. */
static double rate(double seconds)
{
	return 2.0 * 16384 * 16384 * 4 / seconds;
}

static void holds(const char *condition)
{
	const char *html = claim(condition);
	contains(html, "<p><span class=\"claim\" data-claim=\"");
	contains(html, "\" data-device=\"h200\" title=\"Decided by the measurements: ");
	contains(html, "\">So it <em>is</em>.</span></p>");
}

static void fails(const char *condition)
{
	const char *text = claim(condition);
	contains(text, "post.md:1:1: claim is false: “So it is.”: ");
	contains(text, "; say what is so [claimed]");
}

static void constants(void **state)
{
	(void)state;
	holds("transpose/tile" WHERE "bandwidth >= 2.5 TB/s");
	holds("transpose/tile" WHERE "bandwidth > 2500 GB/s");
	fails("transpose/tile" WHERE "bandwidth <= 2.5TB/s");
	fails("transpose/tile" WHERE "< 2.5 TB/s");
	holds("transpose/tile" WHERE "time < 1 ms");
	holds("transpose/tile" WHERE "time > 100 µs");
	holds("transpose/tile" WHERE "time > 100 us");
	fails("transpose/tile" WHERE "time >= 1 ms");
	contains(claim("transpose/tile" WHERE "time >= 1 ms"), " against 1\xC2\xA0ms; ");
}

static void other_cases(void **state)
{
	(void)state;
	holds("transpose/padded" WHERE ">= 1.2 * transpose/tile");
	holds("transpose/padded" WHERE "bandwidth > transpose/tile bandwidth");
	fails("transpose/padded" WHERE ">= 1.5 * transpose/tile");
	holds("transpose/padded" WHERE "time <= 0.8 * transpose/tile time");
	fails("transpose/padded" WHERE "time >= transpose/tile");
	holds("transpose/padded" WHERE "within 5 % of transpose/cublas");
	holds("transpose/padded" WHERE "within 5% of transpose/cublas");
	fails("transpose/padded" WHERE "within 1 % of transpose/cublas");
	holds("transpose/padded" WHERE ">= 0.9 * stream/memcpy:op=copy");
	const char *text = claim("transpose/padded" WHERE ">= 2 * transpose/tile");
	contains(text, "transpose/padded:rows=16384,cols=16384,dtype=f32,cache=cold bandwidth ");
	contains(text, " against 2 × transpose/tile:rows=16384,cols=16384,dtype=f32,cache=cold "
	               "bandwidth ");
	contains(text, ", a ratio of ");
	text = claim("transpose/padded" WHERE ">= 1.2 * transpose/tile");
	contains(text, "measurements: padded tile, 16384 × 16384, f32, cold cache: ");
	contains(text, "; shared-memory tile: ");
	contains(text, "; ratio 1.3");
	contains(text, ", asked ≥\xC2\xA0"
	               "1.2×\"");
	contains(claim("transpose/padded" WHERE "within 5 % of transpose/cublas"),
	         ", asked 0.95–1.05×\"");
}

static void shares(void **state)
{
	(void)state;
	holds("transpose/tile" WHERE ">= 60 % of spec:hbm");
	fails("transpose/tile" WHERE ">= 63 % of spec:hbm");
	holds("transpose/tile" WHERE "<= 70 % of measured:stream/memcpy:op=copy");
	fails("transpose/tile" WHERE "saturates spec:hbm");
	holds("transpose/padded" WHERE "saturates measured:stream/memcpy:op=copy");
	contains(claim("transpose/tile" WHERE ">= 63 % of spec:hbm"),
	         " of the theoretical HBM3e bandwidth, against 63\xC2\xA0%; ");
}

static void fastest(void **state)
{
	(void)state;
	holds("transpose/padded" WHERE "fastest of transpose/*");
	contains(claim("transpose/padded" WHERE "fastest of transpose/*"),
	         "; the closest of 3 others, cublasSgeam: ");
	fails("transpose/tile" WHERE "fastest of transpose/*");
	contains(claim("transpose/tile" WHERE "fastest of transpose/tile"),
	         "'transpose/tile' has nothing with the same parameters to be compared with");
}

/* A bound at the very value is inside the interval, whichever way the claim points. */
static void open_ones(void **state)
{
	static const char *const ops[] = {">=", "<=", ">", "<"};
	(void)state;
	double value = rate(tile()->time.typical);
	for (int i = 0; i < 4; i++) {
		const char *text = claim(arena_printf(
		        &repo.arena, "transpose/tile" WHERE "%s %.9f TB/s", ops[i], value / 1e12));
		contains(text, "post.md:1:1: claim is undecided: “So it is.”: ");
		contains(text, " [claimed]");
	}
	/* near a bound more launches help, at it none do */
	double edge = rate(tile()->time.lo);
	contains(claim(arena_printf(&repo.arena, "transpose/tile" WHERE "<= %.9f TB/s",
	                            (0.2 * value + 0.8 * edge) / 1e12)),
	         " more launches would decide it if the spread stays, or a narrower claim");
	contains(claim(arena_printf(&repo.arena, "transpose/tile" WHERE "<= %.9f TB/s",
	                            value / 1e12)),
	         "no number of launches in reach would decide it");
}

/* Against the definition: the half-width of the mean of L logs. */
static void launches_needed(void **state)
{
	enum { L = 10 };
	(void)state;
	double s = 0.01, half = stats_t975(L - 1) * s / sqrt(L);
	struct number n = {.value = 1, .lo = exp(-half), .hi = exp(half)};
	double bounds[] = {exp(0.8 * half), exp(-0.5 * half), exp(0.1 * half)};
	for (int i = 0; i < 3; i++) {
		size_t more = claim_more_launches(&n, L, bounds[i]), all = L + more;
		double d = fabs(log(bounds[i]));
		assert_true(more > 0);
		assert_true(stats_t975(all - 1) * s / sqrt((double)all) < d);
		assert_false(stats_t975(all - 2) * s / sqrt((double)all - 1) < d);
	}
	assert_int_equal(claim_more_launches(&n, L, 1), 0);
	assert_int_equal(claim_more_launches(&n, L, -1), 0);
	n.lo = n.hi = 1;
	assert_int_equal(claim_more_launches(&n, L, 1.1), 0);
}

static void wrong_claims(void **state)
{
	static const struct {
		const char *condition, *error;
	} wrong[] = {
	        {"transpose/tile", "post.md:1:1: 'claim' needs more words"},
	        {"transpose/tile bandwidth >=", "post.md:1:1: claim ends too early, expected a "
	                                        "number with its unit, or a selector"},
	        {"transpose/tile bandwidth is 4 TB/s",
	         "post.md:1:40: 'is' in a claim, expected a metric, then >=, <=, >, <, within, "
	         "fastest or saturates"},
	        {"transpose/tile speed >= 4 TB/s", "post.md:1:30: 'speed' in a claim, expected a "
	                                           "metric"},
	        {"transpose/tile" WHERE ">= 85 %", "post.md:1:57: a share names its peak, expected "
	                                           "'% of spec:KEY' or '% of measured:SELECTOR' "
	                                           "[typed]"},
	        {"transpose/tile" WHERE ">= 85 % of hbm",
	         "a share names its peak, expected spec:KEY or measured:SELECTOR [typed]"},
	        {"transpose/tile" WHERE ">= 85 % of spec:hbn",
	         "post.md:1:67: device 'h200' has no spec 'hbn'"},
	        {"transpose/tile" WHERE ">= 85 % of spec:bf16",
	         "transpose/tile:rows=16384,cols=16384,dtype=f32,cache=cold has no throughput"},
	        {"transpose/tile" WHERE "bandwidth >= 85 % of spec:bf16",
	         "spec 'bf16' is in FLOP/s, which is no peak of bandwidth [typed]"},
	        {"transpose/tile" WHERE "bandwidth >= 4 ms",
	         "'ms' is no unit of bandwidth, expected B/s with a prefix [typed]"},
	        {"transpose/tile" WHERE "bandwidth >= 0.9 * transpose/naive time",
	         "the claim compares bandwidth with time, expected the same metric [typed]"},
	        {"transpose/tile" WHERE "within 500 % of transpose/naive",
	         "'500' includes everything, expected less than 100 %"},
	        {"transpose/tile" WHERE ">= transpose/tile",
	         "dtype=f32,cache=cold with itself [claimed]"},
	        {"transpose/tile" WHERE "within 2 of transpose/naive",
	         "'transpose/naive' in a claim, expected 'within 2 % of SELECTOR'"},
	        {"transpose/tile" WHERE "fastest transpose/*", "expected 'fastest of SELECTOR'"},
	        {"transpose/tile" WHERE "saturates hbm", "a share names its peak"},
	        {"transpose/tile" WHERE "< 0.45 * spec:hbm",
	         "post.md:1:60: 'spec:hbm' is a peak, and a factor multiplies another case, "
	         "expected "
	         "family/variant; a share of the peak is written '45 % of spec:hbm'"},
	        {"transpose/tile" WHERE "> measured:stream/memcpy",
	         "a share of the peak is written '100 % of measured:stream/memcpy'"},
	        {"transpose/tile" WHERE "within 2 % of spec:hbm",
	         "'spec:hbm' is a peak, expected another case: family/variant"},
	        {"transpose/tile" WHERE "fastest of measured:transpose/*",
	         "'measured:transpose/*' is a peak, expected another case: family/variant"},
	        {"transpose/tile" WHERE "> 4 TB/s really",
	         "'really' in a claim, expected the end of the claim"},
	        {"transpose/tiel" WHERE "> 4 TB/s",
	         "post.md:1:25: family 'transpose' has no variant 'tiel'"},
	        {"transpose/tile dtype=f32 > 4 TB/s", "rows= (4096, 16384)"},
	        {"transpose/ring" WHERE "> 4 TB/s", "has no number to show"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		contains(claim(wrong[i].condition), wrong[i].error);
	contains(render("<<bench:claim transpose/tile" WHERE "> 1 TB/s>> <</bench:claim>>\n"),
	         "claim without a sentence [claimed]");
	contains(render("<<bench:claim transpose/tile" WHERE "> 1 TB/s>>open\n"),
	         "is not closed where it opens");
}

/* The claim's numbers are quotes of the page; what stands in it may be one, too. */
static void quotes(void **state)
{
	(void)state;
	repo.ctx.quotes = NULL;
	contains(claim("transpose/padded" WHERE ">= 1.2 * transpose/tile"), "class=\"claim\"");
	int ratios = 0, values = 0;
	for (const struct quote *q = repo.ctx.quotes; q; q = q->next) {
		ratios += q->n.kind == NUMBER_RATIO;
		values += q->n.kind == NUMBER_VALUE;
		assert_string_equal(q->at.path, "post.md");
	}
	assert_int_equal(ratios, 1);
	assert_int_equal(values, 2);
	contains(render("## <<bench:claim transpose/tile" WHERE "> 1 TB/s>>At "
	                "<<bench:value transpose/tile" WHERE ">> *fast*<</bench:claim>>\n"),
	         "<a class=\"num\"");
}

/* Does a condition answer for what the lint finds? */
static void answers(const char *condition, const char *what, const char *words, bool yes)
{
	struct placeholder p;
	struct claim c;
	struct err e = ERR_NONE;
	const char *text = arena_printf(&repo.arena, "<<bench:claim %s>>", condition);
	must(placeholder_parse(str_of(text), (struct loc){0}, &p, &e) && claim_parse(&p, &c, &e),
	     &e);
	if (claim_answers(&c, what, str_of(words)) != yes)
		fail_msg("'%s' %s for '%s'", condition, yes ? "does not answer" : "answers", words);
}

static void words_it_answers_for(void **state)
{
	(void)state;
	answers("a/x:n=2^28 bandwidth >= 4.0 TB/s", "a bandwidth", "4 TB/s", true);
	answers("a/x:n=2^28 bandwidth >= 4.0 TB/s", "a bandwidth", "4.1 TB/s", false);
	answers("a/x:n=2^28 bandwidth >= 4.0 TB/s", "a time", "4 ms", false);
	answers("a/x:n=2^28 bandwidth >= 4.0 TB/s", "a factor", "2x", false); /* of its size */
	answers("a/x time <= 520 µs", "a time", "520 µs", true);
	answers("a/x time <= 520 µs", "a bandwidth", "520 GB/s", false);
	answers("a/x >= 0.95 * b/y", "a share of performance", "95 %", true);
	answers("a/x >= 95 % of measured:b/y", "a share of performance", "95 %", true);
	answers("a/x >= 1.9 * b/y", "a comparison in words", "twice as fast", true);
	answers("a/x time <= 0.5 * b/y", "a comparison in words", "half the time", true);
	answers("a/x time <= 0.5 * b/y", "a comparison in words", "快一倍", true);
	answers("a/x > b/y", "a comparison in words", "twice as fast", false);
	answers("a/x time > 0 s", "a comparison in words", "half the time", false);
	answers("a/x > 1.2 * b/y", "a comparison in words", "快一倍", false);
	answers("a/x fastest of a/*", "a comparison in words", "three times faster", false);
	answers("a/x fastest of a/*", "a comparison in words", "outperforms", true);
	answers("a/x saturates spec:hbm", "a comparison in words", "saturates", true);
	answers("a/x > b/y", "a comparison in words", "saturates the memory", false);
}

static const char *goal(const char *condition)
{
	return render(arena_printf(&repo.arena, "<<bench:goal %s>>To *reach*<</bench:goal>>\n",
	                           condition));
}

/* A goal is decided as a claim is, and may be missed: nothing stops. */
static void goals(void **state)
{
	(void)state;
	const char *met = goal("transpose/tile" WHERE "bandwidth >= 2.5 TB/s");
	contains(met, "<p><span class=\"goal\">To <em>reach</em></span> <span class=\"verdict\" "
	              "data-goal=\"transpose/tile" WHERE "bandwidth &gt;= 2.5 TB/s\" "
	              "data-device=\"h200\" data-verdict=\"held\" title=\"shared-memory tile, "
	              "16384 × 16384, ");
	contains(met, "\">met</span>\xC2\xA0<a class=\"num\" href=\"/numbers/h200/transpose-tile-");
	const char *missed = goal("transpose/tile" WHERE ">= 99 % of spec:hbm");
	double share = 100 * rate(tile()->time.typical) / 4.8e12;
	contains(missed, "data-verdict=\"missed\"");
	contains(missed, arena_printf(&repo.arena, "\">missed: %.1f\xC2\xA0points too low</span>",
	                              99 - share));
	const char *open = goal(arena_printf(&repo.arena, "transpose/tile" WHERE "time <= %.9f ms",
	                                     tile()->time.typical * 1e3));
	contains(open, "data-verdict=\"undecided\"");
	contains(goal("transpose/tile" WHERE ">= 99 %"), "a share names its peak");
	contains(render("<<bench:goal transpose/tile" WHERE "> 1 TB/s>> <</bench:goal>>\n"),
	         "goal without a sentence [claimed]");
}

/* What a run could not measure leaves a goal open, and says why; what no run knows is an error. */
static void goals_that_nothing_measured(void **state)
{
	(void)state;
	const char *open = goal("transpose/ring" WHERE "bandwidth >= 2.5 TB/s");
	contains(open,
	         "data-device=\"h200\" data-verdict=\"undecided\" title=\"not measured: not built "
	         "here\">open</span></p>");
	assert_null(strstr(open, "class=\"num\""));
	contains(goal("transpose/tile rows=3 bandwidth >= 2.5 TB/s"),
	         "no case of transpose/tile has rows=3");
	contains(goal("transpose/ring" WHERE ">= 1.1 * transpose/tile"), "\">open</span>");
	contains(goal("transpose/ring" WHERE ">= 85 % of spec:hbm"), "\">open</span>");
	contains(goal("transpose/ring" WHERE ">= 1.1 * transpose/tiel"), "no variant 'tiel'");
	contains(goal("transpose/ring" WHERE "fastest of transpos/*"), "no family 'transpos'");
	contains(goal("transpose/ring" WHERE ">= 85 % of spec:hmb"), "has no spec 'hmb'");
	contains(goal("transpose/ring" WHERE "bandwidth >= 2.5 TBs"), "'TBs' is no unit");
}

/* The reason is typeset as on a page, whether or not the words of a page are there. */
static void why_nothing_was_measured(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	s.unavailable = "needs 300 GB of memory";
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	struct err e = ERR_NONE;
	struct md_doc doc = {0};
	must(markdown_render(
	             &r.ctx,
	             STR("<<bench:goal transpose/ring" WHERE "time < 1 ms>>So.<</bench:goal>>\n"),
	             "post.md", 1, &doc, &e),
	     &e);
	contains(str_dup(&r.arena, doc.html),
	         "title=\"not measured: needs 300\xC2\xA0GB of memory\">open<");
	repo_free(&r);
}

/* Of several cases the fastest variant of each counts, and of those the farthest from the goal. */
static void goals_of_several(void **state)
{
	(void)state;
	contains(goal("transpose/{tile,padded}" WHERE "> 1 TB/s"), "transpose-padded-");
	contains(goal("transpose/tile dtype=f32 time <= 1 ns"),
	         "<span class=\"goal-at\">16384 × 16384</span>");
	assert_null(strstr(goal("transpose/tile" WHERE "> 1 TB/s"), "goal-at"));
}

/* What decided a sentence is marked beside it, as numbers are. */
static void marks(void **state)
{
	(void)state;
	assert_null(strstr(claim("transpose/tile" WHERE "> 1 TB/s"), "<sup class=\"mark\""));
	struct synthetic s = repo_run(&repo, RUN_B);
	s.slower = 2;
	s.start = "2026-01-02T00:00:00Z";
	repo_add_run(&repo, &s);
	repo_commit(&repo);
	repo_load(&repo);
	const char *old = claim("transpose/tile run=" RUN_A WHERE "> 1 TB/s");
	contains(old, "data-state=\"superseded\"");
	contains(old, "So it <em>is</em>.<sup class=\"mark\" data-state=\"superseded\">older "
	              "run</sup></span>");
}

static void citations(void **state)
{
	static const struct {
		const char *quote, *value, *unit;
		bool found;
	} quoted[] = {
	        {"reaches 3.35TB/s of", "3.35", "TB/s", true},
	        {"reaches 3.35TB/s of", "3.35", "GB/s", false},
	        {"reaches 3.35TB/s of", "3.3", "TB/s", false},
	        {"reaches 3.35TB/s of", "35", "TB/s", false},
	        {"reaches 3.35TB/s of", "12", "TB/s", false},
	        {"1,979 teraFLOPS, 80 GB/s", "1979", "TFLOP/s", true},
	        {"1,979 teraFLOPS, 80 GB/s", "979", "TFLOP/s", false},
	        {"1,2,3 GB/s", "2", "GB/s", true},
	        {"a (us) 22.30, b (us) 373.79", "22.3", "µs", true},
	        {"took 7 us.", "7", "µs", true},
	        {"2x as fast", "2", "×", true},
	        {"2-fold", "2", "×", true},
	        {"from 5 to -3 %", "-3", "%", true},
	        {"from 5 to 3 %", "-3", "%", false},
	        {"3 GB/s and 3 TB/s", "3", "TB/s", true},
	        {"nothing", "3", "TB/s", false},
	};
	static const struct {
		const char *inside, *error;
	} wrong[] = {
	        {"cited 3 GB/s", "post.md:3:1: a cited number names its source"},
	        {"cited 3 GB/s source=nobody",
	         "no reference 'nobody', data/references has roofline [traced]"},
	        {"cited three GB/s source=roofline", "post.md:3:15: 'three' is no number"},
	        {"cited 3 source=roofline", "'3' has no unit, expected one such as GB/s"},
	        {"cited 3 parsec source=roofline", "'parsec' is no unit of performance"},
	        {"cited 3GB/s GB/s source=roofline", "'GB/s' is a second unit"},
	        {"cited 85 % source=roofline",
	         "a share says what it is of, expected of=\"…\" [typed]"},
	        {"cited 85 % of=\"\u2060\" source=roofline",
	         "a share says what it is of, expected of=\"…\" [typed]"},
	        {"cited 12 TB/s source=roofline",
	         "post.md:3:15: '12 TB/s' does not stand in the quote of 'roofline': “The \"ridge"},
	        {"cited 2× source=roofline",
	         "a factor says what it is of, expected of=\"…\" [typed]"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(quoted); i++)
		assert_int_equal(cited_in_quote(&(struct reference){.quote = quoted[i].quote},
		                                str_of(quoted[i].value), str_of(quoted[i].unit)),
		                 quoted[i].found);
	assert_string_equal(repo_expand(&repo, "cited 3.350 TB/s source=roofline", false),
	                    "3.350\xC2\xA0TB/s");
	assert_string_equal(
	        repo_expand(&repo, "cited 2x of=\"the old one\" source=roofline", false), "2×");
	const char *html = repo_expand(&repo, "cited 85% of=\"the peak\" source=roofline", true);
	contains(html, "<a class=\"num cited\" data-source=\"roofline\" title=\"Cited, a share of "
	               "the peak: “The &quot;ridge point&quot; is where the roofs meet: 3.35 TB/s, "
	               "2x, 85 %.” Williams "
	               "&amp; al., Roofline, 2009-04\" "
	               "href=\"https://doi.org/10.1145/1498765.1498785\">85\xC2\xA0%</a>");
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		contains(repo_expand(&repo, wrong[i].inside, true), wrong[i].error);
}

static void wrong_references(void **state)
{
	static const struct {
		const char *text, *error;
	} wrong[] = {
	        {"---\ntitle: T\nauthors: A\ndate: 2009\n---\nQ\n",
	         "data/references/x.md:1:1: reference has no 'url'"},
	        {"---\ntitle: T\nauthors: A\nurl: http://x.org\ndate: 2009\n---\nQ\n",
	         "data/references/x.md:4:6: url is 'http://x.org', expected one that begins with "
	         "https://"},
	        {"---\ntitle: T\nauthors: A\nurl: https://x.org\ndate: May\n---\nQ\n",
	         "data/references/x.md:5:7: date is 'May', expected YYYY, YYYY-MM or YYYY-MM-DD"},
	        {"---\ntitle: T\nauthors: A\nurl: https://x.org\ndate: 2009\n---\n",
	         "reference without a quote"},
	        {"---\ntitle: T\nauthor: A\nurl: https://x.org\ndate: 2009\n---\nQ\n",
	         "data/references/x.md:3:1: unknown key 'author' of a reference"},
	        {"title: T\n", "data/references/x.md:1:1: no front matter"},
	};
	(void)state;
	struct references all;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct err e = ERR_NONE;
		repo_write(&repo, "data/references/x.md", str_of(wrong[i].text));
		assert_false(references_load(repo.dir, &repo.arena, &all, &e));
		contains(e.text, wrong[i].error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(constants),
	        cmocka_unit_test(other_cases),
	        cmocka_unit_test(shares),
	        cmocka_unit_test(fastest),
	        cmocka_unit_test(open_ones),
	        cmocka_unit_test(launches_needed),
	        cmocka_unit_test(wrong_claims),
	        cmocka_unit_test(quotes),
	        cmocka_unit_test(goals),
	        cmocka_unit_test(goals_that_nothing_measured),
	        cmocka_unit_test(why_nothing_was_measured),
	        cmocka_unit_test(goals_of_several),
	        cmocka_unit_test(citations),
	        cmocka_unit_test(wrong_references),
	        cmocka_unit_test(words_it_answers_for),
	        cmocka_unit_test(marks), /* the last: it measures again */
	};
	return cmocka_run_group_tests(tests, make, drop);
}
