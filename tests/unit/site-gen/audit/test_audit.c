/* The audit's own reader of markup, and its checks of facts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/units.h"
#include "site-gen/audit/audit.h"
#include "site-gen/audit/fact.h"
#include "site-gen/audit/html.h"
#include "site-gen/audit/log.h"
#include "site-gen/numbers/number.h"
#include "site-gen/numbers/published.h"
#include "tests/unit/help/synthetic_repo.h"

/* The tokens of a text as "<a class> text </a> ", or the error. */
static const char *tokens(const char *html, struct arena *a)
{
	struct audit_html h;
	struct sb out = {0};
	struct err e = ERR_NONE;
	enum audit_token t = AUDIT_TEXT;
	audit_html_open(&h, "x.html", str_of(html));
	while (t != AUDIT_EOF && audit_html_next(&h, &t, &e)) {
		struct str class = audit_html_attribute(&h, "class");
		if (t == AUDIT_START)
			sb_printf(&out, "<" STR_FMT "%s" STR_FMT ">%s", STR_ARG(h.name),
			          class.n ? " " : "", STR_ARG(class), h.empty ? "/" : "");
		else if (t == AUDIT_END)
			sb_printf(&out, "</" STR_FMT ">", STR_ARG(h.name));
		else if (t == AUDIT_TEXT)
			audit_html_plain(&out, h.text);
	}
	const char *text = arena_strdup(a, e.set ? e.text : out.p ? out.p : "");
	sb_free(&out);
	return text;
}

static void test_markup(void **state)
{
	struct arena a = {0};
	(void)state;
	assert_string_equal(
	        tokens("<!doctype html><p class=\"x\">a&amp;b<br>c</p><!-- <b> -->", &a),
	        "<p x>a&b<br>/c</p>");
	assert_string_equal(tokens("<svg><path d=\"M0\"/></svg>", &a), "<svg><path>/</svg>");
	assert_string_equal(tokens("<script>if (a<b) x = \"</p>\"</script>", &a),
	                    "<script>if (a<b) x = \"</p>\"</script>");
	assert_string_equal(tokens("&#215; &#xd7; &nope; &lt;", &a), "× × &nope; <");
	arena_free(&a);
}

/* Markup that the generator never writes is an error with its place. */
static void test_broken(void **state)
{
	static const struct {
		const char *html, *says;
	} bad[] = {
	        {"<p>\n<b>x</p>", "x.html:2:5: broken markup: an end tag closes no open element"},
	        {"<p>x", "x.html:1:2: broken markup: an element is never closed"},
	        {"x</p>", "x.html:1:2: broken markup: an end tag closes no open element"},
	        {"<p class=x>", "x.html:1:10: broken markup: an attribute's value has no quotes"},
	        {"<p class=\"x>", "x.html:1:11: broken markup: an attribute's value has no end"},
	        {"<p", "x.html:1:1: broken markup: a tag has no end"},
	        {"a < b", "x.html:1:3: broken markup: '<' begins no tag"},
	        {"<!-- x", "x.html:1:1: broken markup: a comment or declaration has no end"},
	};
	struct arena a = {0};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_string_equal(tokens(bad[i].html, &a), bad[i].says);
	arena_free(&a);
}

/* Any bytes end in tokens or in an error. */
static void test_any_bytes(void **state)
{
	static const char alphabet[] = "<>/!-=\"' apxbr&;\n?";
	struct arena a = {0};
	unsigned seed = 1;
	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[24];
		for (size_t k = 0; k + 1 < sizeof text; k++) {
			seed = seed * 1664525u + 1013904223u;
			text[k] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
		}
		text[sizeof text - 1] = 0;
		tokens(text, &a);
	}
	arena_free(&a);
}

static const char *fact(struct audit *audit, const char *key, struct arena *a)
{
	struct sb out = {0};
	struct err e = ERR_NONE;
	struct audit_fact what;
	bool ok = audit_fact_text(audit, str_of(key), (struct str){0}, &out, &what, &e);
	const char *text = arena_strdup(a, ok ? out.p : e.text);
	sb_free(&out);
	return text;
}

/* The page's numbers and the audit's come from different code, and agree. */
static void test_facts(void **state)
{
	struct repo r;
	struct problems found = {0};
	struct audit audit;
	(void)state;
	repo_ready(&r);
	found.arena = &r.arena;
	audit_init(&audit, &r.data, &r.arena, &found);
	static const char *const counts[] = {"count variants transpose/*",
	                                     "count families",
	                                     "count cases gemv:m=1,4",
	                                     "count launches gemv/warp",
	                                     "count runs",
	                                     "count cases transpose/{naive,tile} dtype=f32"};
	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		assert_string_equal(
		        fact(&audit, arena_printf(&r.arena, "%s on h200", counts[i]), &r.arena),
		        repo_expand(&r, counts[i], false));
	assert_string_equal(fact(&audit, "spec h200 hbm", &r.arena),
	                    repo_expand(&r, "spec hbm", false));
	assert_string_equal(
	        fact(&audit, "derived h200 (2 * 4 B * 1024 + 8 B) / spec:hbm s", &r.arena),
	        repo_expand(&r, "derived \"(2 * 4 B * 1024 + 8 B) / spec:hbm\" unit=s", false));
	assert_string_equal(fact(&audit, "spec h200 none", &r.arena),
	                    "'h200 none' is no number of data/specs");
	assert_string_equal(fact(&audit, "nothing", &r.arena), "'nothing' is no key of a number");
	arena_free(&audit.records.scratch);
	repo_free(&r);
}

static size_t copy_findings(struct audit *audit, const char *path, struct str bytes)
{
	size_t n = 0;
	audit->found->first = NULL;
	audit_copy(audit, path, bytes);
	for (const struct problem *p = audit->found->first; p; p = p->next)
		n++;
	return n;
}

/* A record and the log are published byte for byte. */
static void test_copies(void **state)
{
	struct repo r;
	struct problems found = {0};
	struct audit audit;
	struct err e = ERR_NONE;
	struct str record, changed, log = STR("{\"schema\":\"" PUBLISHED_SCHEMA "\"}\n");
	(void)state;
	repo_ready(&r);
	repo_write(&r, PUBLISHED_PATH, log);
	found.arena = &r.arena;
	const char *from = arena_printf(&r.arena, "%s/%s", r.dir, r.data.runs[0].path);
	assert_true(file_read(from, 1 << 24, &r.arena, &record, &e));
	char *digit = str_dup(&r.arena, record);
	changed = (struct str){digit, record.n};
	*strpbrk(strstr(digit, "\"base\":") + 7, "123456789") = '0';
	assert_int_equal(chdir(r.dir), 0);
	audit_init(&audit, &r.data, &r.arena, &found);
	assert_null(found.first);
	assert_int_equal(copy_findings(&audit, "runs/" RUN_A "/" RUN_A ".jsonl", record), 0);
	assert_int_equal(copy_findings(&audit, "runs/" RUN_A "/" RUN_A ".jsonl", changed), 1);
	assert_int_equal(copy_findings(&audit, "runs/" RUN_B "/" RUN_B ".jsonl", record), 1);
	assert_int_equal(copy_findings(&audit, "runs/" RUN_A "/" RUN_B ".jsonl", record), 1);
	assert_int_equal(copy_findings(&audit, "changes.jsonl", log), 0);
	assert_int_equal(copy_findings(&audit, "changes.jsonl", STR("{}\n")), 1);
	assert_int_equal(copy_findings(&audit, "posts/x/more.jsonl", STR("{}\n")), 0);
	arena_free(&audit.records.scratch);
	repo_free(&r);
}

/* A page whose numbers agree has no findings; each digit changed is one. */
/* Languages count large numbers in words of their own; the digits stay. */
static void test_other_words(void **state)
{
	static const struct {
		const char *said, *want;
		bool english, same;
	} c[] = {
	        {"268 million", "268 million", true, true},
	        {"2.68 亿", "268 million", true, false},
	        {"2.68 亿", "268 million", false, true},
	        {"268 million", "268 million", false, true},
	        {"26.8 million", "268 million", false, false},
	        {"2.69 亿", "268 million", false, false},
	        {"2.68 亿 8", "268 million", false, false},
	        {"2.68", "268 million", false, false},
	        {"9760 万", "97.6 million", false, true},
	        {"100 万", "1 million", false, true},
	        {"12 亿", "12", false, false},
	        {"12", "12", false, true},
	        {"118185", "118185", true, true},
	        {"118\u202f185", "118185", true, true},
	        {"1\u202f118\u202f185", "1118185", false, true},
	        {"118\u202f185", "118186", true, false},
	        {"1181\u202f85", "118185", true, false},
	        {"11\u202f8185", "118185", true, false},
	        {"118\u202f185x", "118185", true, false},
	        {"118185\u202f", "118185", true, false},
	        {"\u202f118185", "118185", true, false},
	};
	const struct audit_fact counter = {.what = AUDIT_N_COUNTER}, spec = {.what = AUDIT_N_SPEC};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(c); i++)
		assert_int_equal(audit_fact_says(&counter, str_of(c[i].said), str_of(c[i].want),
		                                 c[i].english),
		                 c[i].same);
	assert_false(audit_fact_says(&spec, STR("2 亿"), STR("200 million"), false));
}

static void test_numbers(void **state)
{
	struct repo r;
	struct problems found = {0};
	struct audit audit;
	(void)state;
	repo_ready(&r);
	found.arena = &r.arena;
	audit_init(&audit, &r.data, &r.arena, &found);
	const char *html = repo_expand(
	        &r, "ratio transpose/tile rows=16384 dtype=f32 over=transpose/naive", true);
	audit_page(&audit, "x.html", str_of(html));
	assert_null(found.first);
	assert_int_equal(audit.counted[AUDIT_N_RATIO], 1);
	char *edited = arena_strdup(&r.arena, html);
	char *text = strstr(strchr(edited, '>'), "×");
	text[-1] = text[-1] == '9' ? '0' : (char)(text[-1] + 1);
	audit_page(&audit, "x.html", str_of(edited));
	assert_non_null(found.first);
	assert_non_null(strstr(found.first->text, "[traced]"));
	arena_free(&audit.records.scratch);
	repo_free(&r);
}

/* The line that a note would add for a placeholder. */
static struct published noted(struct repo *r, const char *inside)
{
	r->ctx.quotes = NULL; /* one that is there already is not put in front */
	repo_expand(r, inside, true);
	const struct quote *q = r->ctx.quotes;
	assert_non_null(q);
	const struct number *n = &q->n;
	return (struct published){.page = "/posts/x/",
	                          .number = number_key(n, &r->arena),
	                          .text = q->text,
	                          .value = n->value,
	                          .lo = n->lo,
	                          .hi = n->hi,
	                          .unit = n->si,
	                          .run = n->pick.run->run.head.id,
	                          .format = NUMBER_FORMAT,
	                          .noted = "2026-11-23",
	                          .reason = "a reason excuses nothing",
	                          .line = 2,
	                          .at = {PUBLISHED_PATH, 2, 0}};
}

static struct published plain(const char *number, const char *text, double value, const char *unit)
{
	return (struct published){.page = "/posts/x/",
	                          .number = number,
	                          .text = text,
	                          .value = value,
	                          .lo = value,
	                          .hi = value,
	                          .unit = unit,
	                          .format = NUMBER_FORMAT,
	                          .noted = "2026-11-23",
	                          .line = 2,
	                          .at = {PUBLISHED_PATH, 2, 0}};
}

/* Checks a line; for a wrong one, the error must contain this text. */
static void outcome(struct repo *r, struct published line, enum audit_log_outcome as,
                    const char *says)
{
	struct problems found = {.arena = &r->arena};
	const struct published_log log = {.line = &line, .n = 1, .exists = true};
	struct audit_log_count count = audit_log(&r->data, &log, &r->arena, &found);
	for (int i = 0; i < AUDIT_LOG_N; i++)
		if (count.n[i] != (i == (int)as))
			fail_msg("%s: outcome %d%s%s", line.number, i, found.first ? ": " : "",
			         found.first ? found.first->text : "");
	assert_true(!found.first == (as != AUDIT_LOG_WRONG));
	if (found.first &&
	    !(strstr(found.first->text, says) && strstr(found.first->text, PUBLISHED_PATH ":2: ") &&
	      strstr(found.first->text, "[noted]")))
		fail_msg("'%s' is not in '%s'", says, found.first->text);
}

/* A line about a run must have that run's values, whatever reason it gives. */
static void test_log(void **state)
{
	static const char *const shown[] = {
	        "value transpose/tile rows=16384 dtype=f32",
	        "ratio transpose/tile rows=16384 dtype=f32 over=transpose/naive",
	        "percent transpose/tile rows=16384 dtype=f32 of=spec:hbm",
	        "percent transpose/tile rows=16384 dtype=f32 of=measured:transpose/naive"};
	struct repo r;
	(void)state;
	repo_ready(&r);
	struct synthetic slower = repo_run(&r, RUN_B);
	slower.slower = 1.1;
	repo_add_run(&r, &slower);
	repo_commit(&r);
	repo_load(&r);
	for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
		struct published p = noted(&r, shown[i]), x = p;
		outcome(&r, p, AUDIT_LOG_HELD, "");
		x.text = "1.00\xC2\xA0TB/s";
		outcome(&r, x, AUDIT_LOG_WRONG, "says '1.00\xC2\xA0TB/s'");
		x = p;
		x.value *= 1.0001;
		outcome(&r, x, AUDIT_LOG_WRONG, "but run " RUN_B " gives '");
		x = p;
		x.hi += (p.hi - p.lo) / 10;
		outcome(&r, x, AUDIT_LOG_WRONG, p.number);
		x = p;
		x.lo = x.hi = x.value; /* as if it had no interval */
		outcome(&r, x, AUDIT_LOG_WRONG, p.number);
		x = p;
		x.run = "20260103T000000Z-synthetic-0000000c";
		outcome(&r, x, AUDIT_LOG_WRONG, "which data/runs does not have");
		x.run = NULL;
		outcome(&r, x, AUDIT_LOG_WRONG, "names no run");
		x = p;
		x.format = "9";
		outcome(&r, x, AUDIT_LOG_WRONG, "format '9' is no version of the formatter");
	}
	struct published p = noted(&r, shown[0]), ratio = noted(&r, shown[1]);
	p.run = RUN_A; /* another run's value */
	outcome(&r, p, AUDIT_LOG_WRONG, "but run " RUN_A " gives '");
	ratio.over_run = RUN_A; /* a ratio over another run than it says */
	outcome(&r, ratio, AUDIT_LOG_WRONG, "gives '");
	ratio = noted(&r, shown[1]);
	ratio.number = arena_printf(&r.arena, "%s in " RUN_B, ratio.number);
	outcome(&r, ratio, AUDIT_LOG_HELD, "");
	ratio.number = arena_printf(&r.arena, "%s over " RUN_A, ratio.number);
	outcome(&r, ratio, AUDIT_LOG_WRONG, "its name and its 'run' and 'over_run' disagree");
	p = noted(&r, shown[0]);
	p.number = "h200 transpose/none:n=1 time";
	outcome(&r, p, AUDIT_LOG_WRONG, "did not measure transpose/none:n=1");
	p = noted(&r, shown[0]);
	p.number = arena_printf(&r.arena, "h100%s", strchr(p.number, ' '));
	outcome(&r, p, AUDIT_LOG_WRONG, "is from run " RUN_B ", which is of h200");
	p = noted(&r, shown[1]);
	p.number = arena_printf(&r.arena, "%s more", p.number);
	outcome(&r, p, AUDIT_LOG_WRONG, "is no name of a number");
	p = noted(&r, shown[0]);
	p.number = arena_printf(&r.arena, "%sless", p.number);
	outcome(&r, p, AUDIT_LOG_WRONG, "is no number of run");
	p.text = NULL;
	outcome(&r, p, AUDIT_LOG_GONE, "");
	repo_free(&r);
}

/* A withdrawn record still confirms what it measured. */
static void test_log_withdrawn(void **state)
{
	static const char why[] =
	        "---\ndate: 2026-01-31\ncases: all\n---\nIt was the wrong card.\n";
	struct repo r;
	(void)state;
	repo_ready(&r);
	struct published p = noted(&r, "value transpose/tile rows=16384 dtype=f32"), x = p;
	repo_write(&r, "data/withdrawn/" RUN_A ".md", STR(why));
	repo_commit(&r);
	repo_load(&r);
	outcome(&r, p, AUDIT_LOG_HELD, "");
	x.value *= 1.01;
	outcome(&r, x, AUDIT_LOG_WRONG, "but run " RUN_A " gives '");
	repo_free(&r);
}

/* Datasheets change and runs are added: a line must follow from some commit, or is counted. */
static void test_log_of_the_past(void **state)
{
	struct repo r;
	struct str sheet;
	struct err e = ERR_NONE;
	(void)state;
	repo_ready(&r);
	struct published share =
	        noted(&r, "percent transpose/tile rows=16384 dtype=f32 of=spec:hbm");
	struct published derived =
	        plain("derived h200 8 B / spec:hbm s", "1.67\xC2\xA0ps", 8 / 4.8e12, "s");
	outcome(&r, derived, AUDIT_LOG_HELD, "");
	derived.value = 2 / 4.8e12;
	outcome(&r, derived, AUDIT_LOG_WRONG, "but data/ gives '1.67");
	derived.value = 8 / 4.8e12;
	assert_true(file_read("data/specs/h200.json", 1 << 20, &r.arena, &sheet, &e));
	char *text = str_dup(&r.arena, sheet);
	memcpy(strstr(text, "4.8e12"), "4.9e12", 6);
	memcpy(strstr(text, "4.8TB/s"), "4.9TB/s", 7); /* its quote */
	repo_write(&r, "data/specs/h200.json", str_of(text));
	repo_commit(&r);
	repo_load(&r);
	outcome(&r, plain("spec h200 hbm", "4.8\xC2\xA0TB/s", 4.8e12, "B/s"), AUDIT_LOG_HELD, "");
	outcome(&r, plain("spec h200 hbm", "4.9\xC2\xA0TB/s", 4.9e12, "B/s"), AUDIT_LOG_HELD, "");
	outcome(&r, plain("spec h200 hbm", "4.7\xC2\xA0TB/s", 4.7e12, "B/s"), AUDIT_LOG_WRONG,
	        "but data/ gives '4.9");
	outcome(&r, plain("spec h200 hbm", "4.8\xC2\xA0TFLOP/s", 4.8e12, "FLOP/s"), AUDIT_LOG_WRONG,
	        "says '4.8\xC2\xA0TFLOP/s'");
	outcome(&r, plain("spec h200 hbm", "4.7\xC2\xA0TB/s", 4.8e12, "B/s"), AUDIT_LOG_WRONG,
	        "says '4.7");
	outcome(&r, share, AUDIT_LOG_HELD, "");
	share.value *= 1.01;
	outcome(&r, share, AUDIT_LOG_WRONG, "but run " RUN_A " gives '");
	outcome(&r, derived, AUDIT_LOG_SHEET, "");
	memcpy(strstr(text, "\"hbm\""), "\"hbo\"", 5); /* the figure has another key from now on */
	repo_write(&r, "data/specs/h200.json", str_of(text));
	repo_commit(&r);
	repo_load(&r);
	outcome(&r, share, AUDIT_LOG_WRONG, "but run " RUN_A " gives '");
	share.value /= 1.01;
	outcome(&r, share, AUDIT_LOG_HELD, "");
	outcome(&r, plain("spec h200 hbm", "4.8\xC2\xA0TB/s", 4.8e12, "B/s"), AUDIT_LOG_HELD, "");
	outcome(&r, plain("spec h200 none", "1\xC2\xA0TB/s", 1e12, "B/s"), AUDIT_LOG_WRONG,
	        "'none' was never in data/specs");
	outcome(&r, derived, AUDIT_LOG_SHEET, "");
	outcome(&r, plain("count runs on h200", "1", 1, ""), AUDIT_LOG_HELD, "");
	outcome(&r, plain("count runs on h200", "7", 7, ""), AUDIT_LOG_POOLED, "");
	outcome(&r, plain("nothing", "1", 1, ""), AUDIT_LOG_WRONG, "is no name of a number");
	repo_free(&r);
}

/* Numbers that no record can confirm are reported, each with its cause. */
static void test_log_unheld(void **state)
{
	struct audit_log_count c = {.n = {[AUDIT_LOG_HELD] = 5, [AUDIT_LOG_GONE] = 2}};
	struct sb text = {0};
	(void)state;
	audit_log_unheld(&c, &text);
	assert_int_equal(text.n, 0);
	c.n[AUDIT_LOG_POOLED] = 3;
	c.n[AUDIT_LOG_SHEET] = 1;
	audit_log_unheld(&c, &text);
	assert_string_equal(text.p, "4: 3 over all runs of their day, 1 from data sheets that have "
	                            "changed");
	sb_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_log),
	        cmocka_unit_test(test_log_withdrawn),
	        cmocka_unit_test(test_log_of_the_past),
	        cmocka_unit_test(test_log_unheld),
	        cmocka_unit_test(test_markup),
	        cmocka_unit_test(test_broken),
	        cmocka_unit_test(test_any_bytes),
	        cmocka_unit_test(test_facts),
	        cmocka_unit_test(test_other_words),
	        cmocka_unit_test(test_numbers),
	        cmocka_unit_test(test_copies),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
