/* The audit's own reader of markup, and what a fact has to say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "site-gen/audit.h"
#include "site-gen/audit_fact.h"
#include "site-gen/audit_html.h"
#include "site-gen/published.h"
#include "tests/unit/synthetic_repo.h"

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
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
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
	bool ok = audit_fact_text(audit, str_of(key), &out, &what, &e);
	const char *text = arena_strdup(a, ok ? out.p : e.text);
	sb_free(&out);
	return text;
}

/* What a page says and what the audit derives come from different code; they agree. */
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
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
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
	char *digit = arena_strndup(&r.arena, record.p, record.n);
	changed = (struct str){digit, record.n};
	*strpbrk(strstr(digit, "\"base_ns\":") + 10, "123456789") = '0';
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
	};
	const struct audit_fact counter = {.what = AUDIT_N_COUNTER}, spec = {.what = AUDIT_N_SPEC};
	(void)state;
	for (size_t i = 0; i < sizeof c / sizeof *c; i++)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_markup),      cmocka_unit_test(test_broken),
	        cmocka_unit_test(test_any_bytes),   cmocka_unit_test(test_facts),
	        cmocka_unit_test(test_other_words), cmocka_unit_test(test_numbers),
	        cmocka_unit_test(test_copies),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
