/*
 * The kinds of placeholder. Numbers are compared with a second, plain computation from the
 * record, never with digits typed here.
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
#include "site-gen/records/again.h"
#include "site-gen/commands/explain.h"
#include "site-gen/audit/number.h"
#include "site-gen/pages/comparison.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/base/html.h"
#include "site-gen/base/html_scan.h"
#include "site-gen/pages/body.h"
#include "site-gen/records/launches.h"
#include "tests/unit/help/synthetic_repo.h"

static struct repo repo;

static int make(void **state)
{
	(void)state;
	repo_ready(&repo);
	repo.ctx.generated = true; /* figures need no title; test_finding.c has those that do */
	return 0;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

/* Bytes per second of a case, straight from its launches. */
static double rate(const char *id)
{
	const struct run *r = launches_of(&repo.data.runs[0]);
	const struct run_case *c = record_case(r, id);
	double sum = 0, n = 0;
	assert_non_null(c);
	for (size_t i = 0; i < r->nlaunches; i++) {
		if (r->launches[i].of != c)
			continue;
		sum += log(record_launch_median(&r->launches[i]));
		n++;
	}
	return (double)(c->model.bytes_read + c->model.bytes_written) / exp(sum / n);
}

/* The first number in a text, times 10^3 for each step of its prefix. */
static double shown(const char *text)
{
	char *end;
	double v = strtod(text, &end);
	if (strncmp(end, "\xC2\xA0", 2) == 0)
		end += 2;
	return v * (*end == 'T' ? 1e12 : *end == 'G' ? 1e9 : *end == 'M' ? 1e6 : 1);
}

static void near(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance * fabs(want)))
		fail_msg("got %g, expected %g", got, want);
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%.2000s", part, text);
}

static int occurrences(const char *text, const char *part)
{
	int n = 0;
	for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
		n++;
	return n;
}

static void lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in:\n%.2000s", part, strstr(text, part));
}

#define TILE "transpose/tile:rows=16384,cols=16384,dtype=f32,cache=cold"
#define NAIVE "transpose/naive:rows=16384,cols=16384,dtype=f32,cache=cold"
#define MEMCPY "stream/memcpy:op=copy,n=268435456,dtype=f32,cache=cold"

static void values(void **state)
{
	(void)state;
	const char *text = repo_expand(&repo, "value transpose/tile rows=16384 dtype=f32", false);
	near(shown(text), rate(TILE), 5e-4);
	contains(text, "\xC2\xA0TB/s");
	const char *html = repo_expand(&repo, "value transpose/tile rows=16384 dtype=f32", true);
	contains(html, "<a class=\"num\" href=\"/numbers/h200/"
	               "transpose-tile-rows-16384-cols-16384-dtype-f32-cache-cold/#bandwidth\" "
	               "data-state=\"ok\" data-run=\"" RUN_A "\" data-ci=\"±");
	contains(html, "\u00a0%\" title=\"shared-memory tile, "
	               "16384 × 16384, f32, cold cache, bandwidth: ");
	contains(html, "95\xC2\xA0% interval ");
	contains(html, "; 10 processes; Synthetic GPU; 2026-01-01\">");
	contains(html, arena_printf(&repo.arena, ">%s</a>", text));
	lacks(html, "<sup");
	text = repo_expand(&repo, "value transpose/tile rows=16384 dtype=f32 metric=time", false);
	contains(text, "\xC2\xA0µs");
	text = repo_expand(&repo, "value transpose/tile rows=16384 dtype=f32 metric=speed", false);
	contains(text, "post.md:3:58: no metric 'speed', expected one of time, bandwidth");
	text = repo_expand(&repo, "value transpose/tile rows=16384 dtype=f32 metric=throughput",
	                   false);
	contains(text, "has no throughput: its cost model counts none");
	text = repo_expand(&repo, "value gemv/warp m=4 metric=throughput", false);
	contains(text, "TFLOP/s");
}

static void ratios(void **state)
{
	(void)state;
	const char *text = repo_expand(
	        &repo, "ratio transpose/tile over=transpose/naive rows=16384 dtype=f32", false);
	near(strtod(text, NULL), rate(TILE) / rate(NAIVE), 5e-4);
	contains(text, "×");
	const char *html = repo_expand(
	        &repo, "ratio transpose/tile over=transpose/naive rows=16384 dtype=f32", true);
	contains(html, "class=\"num ratio\"");
	contains(html, "paired by process, ratio of bandwidth");
	html = repo_expand(&repo, "ratio transpose/tile over=transpose/tile rows=16384 dtype=f32",
	                   true);
	contains(html, "no difference shown");
	contains(repo_expand(&repo, "ratio transpose/tile rows=16384", false),
	         "a ratio needs what it is over");
	text = repo_expand(
	        &repo,
	        "ratio transpose/tile:rows=16384,dtype=f32 over=transpose/tile:rows=4096,"
	        "cols=4096 metric=time",
	        false);
	assert_true(strtod(text, NULL) > 10); /* times: the larger one takes longer */
}

static void a_ladder_climbs_one_family(void **state)
{
	(void)state;
	contains(repo_expand(&repo, "ladder {transpose,gemv}/*", true),
	         "a ladder shows one family");
}

static void percents(void **state)
{
	(void)state;
	double hbm = data_spec_find(&repo.data, STR("h200"), STR("hbm"))->value;
	const char *text = repo_expand(
	        &repo, "percent transpose/tile of=spec:hbm rows=16384 dtype=f32", false);
	near(strtod(text, NULL), 100 * rate(TILE) / hbm, 1e-3);
	contains(text, "\xC2\xA0%");
	text = repo_expand(&repo, "percent transpose/tile of=measured:memcpy rows=16384 dtype=f32",
	                   false);
	near(strtod(text, NULL), 100 * rate(TILE) / rate(MEMCPY), 1e-3);
	text = repo_expand(&repo,
	                   "percent transpose/tile of=measured:stream/memcpy:op=copy,n=2^28 "
	                   "rows=16384 dtype=f32",
	                   false);
	near(strtod(text, NULL), 100 * rate(TILE) / rate(MEMCPY), 1e-3);
	contains(
	        repo_expand(&repo, "percent transpose/tile of=spec:hbm rows=16384 dtype=f32", true),
	        "share of the theoretical HBM3e bandwidth of the H200");
	contains(repo_expand(&repo, "percent transpose/tile rows=16384 dtype=f32", false),
	         "a percentage names its peak");
	contains(repo_expand(&repo, "percent transpose/tile of=hbm rows=16384 dtype=f32", false),
	         "'hbm' names no peak, expected of=spec:KEY");
	contains(repo_expand(&repo, "percent transpose/tile of=spec:bhm rows=16384 dtype=f32",
	                     false),
	         "device 'h200' has no spec 'bhm', expected one of hbm");
	contains(repo_expand(&repo, "percent transpose/tile of=spec:tdp rows=16384 dtype=f32",
	                     false),
	         "spec 'tdp' is in W, which is no peak of bandwidth");
	contains(repo_expand(&repo, "percent transpose/tile of=spec:bf16 rows=16384 dtype=f32",
	                     false),
	         "has no throughput");
}

static void specs(void **state)
{
	(void)state;
	const struct data_spec *s = data_spec_find(&repo.data, STR("h200"), STR("bf16"));
	const char *text = repo_expand(&repo, "spec bf16", false);
	near(shown(text), s->value, 1e-9); /* all digits of the datasheet */
	const char *html = repo_expand(&repo, "spec bf16", true);
	contains(html, "<a class=\"num spec\" href=\"https://");
	contains(html, "Data sheet, theoretical");
	contains(html, s->quote);
	contains(repo_expand(&repo, "spec hbm device=b200", false),
	         "device 'b200' has no datasheet numbers, data/specs has h200");
	contains(repo_expand(&repo, "spec hbm cache=cold", false), "'spec' has no key 'cache'");
}

/* The result of a derivation must depend on something that it looks up. */
static void derivations_look_something_up(void **state)
{
	(void)state;
	contains(repo_expand(&repo, "derived \"8 B / spec:hbm\" unit=s", false), "s");
	contains(repo_expand(&repo, "derived \"spec:hbm / spec:hbm * 0.0035 s\" unit=s", false),
	         "expected a result that depends on a spec:KEY or a [SELECTOR METRIC] [traced]");
	contains(repo_expand(&repo, "derived \"(spec:hbm - spec:hbm) / 1 B + 920 / 1 s\" unit=%",
	                     false),
	         "post.md:3:");
	contains(repo_expand(&repo, "derived \"0.92\" unit=%", false), "[traced]");
	/* how many times one size is the other is a size, too */
	assert_string_equal(repo_expand(&repo, "derived \"8 B / 4 B\" unit=×", false), "2.00×");
	contains(repo_expand(&repo, "derived \"92 B / 100 B\" unit=%", false), "[traced]");
	/* but no typed fraction becomes one */
	contains(repo_expand(&repo, "derived \"1.83 * 4 B / 4 B\" unit=×", false), "[traced]");
	contains(repo_expand(&repo, "derived \"0.000001 s * spec:hbm / 132\" unit=B", false), "kB");
	contains(repo_expand(&repo, "derived \"1 / (8 B / spec:hbm)\" unit=tokens/s", false),
	         "tokens/s");
	contains(repo_expand(&repo, "derived \"300 / 1 s\" unit=tokens/s", false), "[traced]");
}

static void counts(void **state)
{
	(void)state;
	assert_string_equal(repo_expand(&repo, "count variants transpose/*", false), "4");
	assert_string_equal(repo_expand(&repo, "count cases transpose/tile", false), "4");
	assert_string_equal(repo_expand(&repo, "count launches transpose/tile", false), "40");
	assert_string_equal(repo_expand(&repo, "count samples transpose/tile", false), "200");
	assert_string_equal(repo_expand(&repo, "count families", false), "3");
	assert_string_equal(repo_expand(&repo, "count runs", false), "1");
	assert_string_equal(repo_expand(&repo, "count variants transpose/* role=peer", true),
	                    "<span class=\"num count\" data-n=\"count variants transpose/* "
	                    "role=peer on h200\">1</span>");
	contains(repo_expand(&repo, "count words", false), "'words' cannot be counted");
}

static void wrong_use(void **state)
{
	(void)state;
	contains(repo_expand(&repo, "vlaue x", false),
	         "post.md:3:9: no placeholder kind 'vlaue', nearest is 'value'");
	contains(repo_expand(&repo, "value", false), "'value' needs more words, expected "
	                                             "<<bench:value SELECTOR");
	contains(repo_expand(&repo, "value a/b c", false), "'c' is one word too many");
	contains(repo_expand(&repo, "table transpose/*", false), "'table' is a block");
}

static void states_show(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	repo_load(&r);
	const char *html = repo_expand(&r, "value transpose/tile rows=4096 dtype=f32", true);
	contains(html, "data-state=\"preview\"");
	contains(html, "<sup class=\"mark\" data-state=\"preview\">preview</sup></a>");
	contains(html, "preview: its run file is not committed yet\"");
	contains(repo_expand(&r, "value transpose/tile rows=4096 dtype=f32", false), " (preview)");
	assert_int_equal(data_worst(&r.data, r.ctx.uses), DATA_PREVIEW);
	repo_free(&r);
}

/* A narrow interval is not printed as zero, and the audit agrees. */
static void narrow_intervals(void **state)
{
	(void)state;
	static const struct {
		double half;
		const char *text;
	} rows[] = {
	        {0.00002, "±0.01\xc2\xa0%"}, {0.0003, "±0.03\xc2\xa0%"}, {0.02, "±2.0\xc2\xa0%"}};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct number n = {.value = 1, .lo = 1 - rows[i].half, .hi = 1 + rows[i].half};
		struct audit_number same = {.value = 1, .lo = n.lo, .hi = n.hi};
		struct sb to = {0}, audited = {0};
		number_interval(&n, &to);
		audit_number_interval(&same, &audited);
		contains(to.p, rows[i].text);
		assert_string_equal(audited.p, rows[i].text);
		sb_free(&to);
		sb_free(&audited);
	}
}

/* A page remembers each case once, including ceilings and denominators of ratios. */
static void uses(void **state)
{
	(void)state;
	repo.ctx.uses = NULL;
	repo_expand(&repo, "value transpose/tile rows=4096 dtype=f32", true);
	repo_expand(&repo, "value transpose/tile rows=4096 dtype=f32", true);
	assert_non_null(repo.ctx.uses);
	assert_null(repo.ctx.uses->next);
	repo_expand(&repo, "ratio transpose/tile over=transpose/naive rows=4096 dtype=f32", false);
	assert_non_null(repo.ctx.uses->next);
	assert_null(repo.ctx.uses->next->next);
}

static void no_style_no_script(const char *html)
{
	lacks(html, "style=");
	lacks(html, "<script");
	lacks(html, "onload");
	lacks(html, "rgb(");
}

static void tables(void **state)
{
	(void)state;
	const char *html = repo_expand(&repo, "table transpose/* dtype=f32", true);
	contains(html, "<figure class=\"bench table\" id=\"b");
	contains(html,
	         "<figcaption>Matrix transpose: bandwidth; f32, cold cache. Synthetic GPU, <a "
	         "href=\"/runs/" RUN_A "/\">run of 2026-01-01</a>.</figcaption>");
	contains(html, "<th scope=\"col\" class=\"right\">4096 rows</th>");
	contains(html, "<span class=\"none\" title=\"not measured: not built here\">–</span>");
	contains(html, "<span class=\"ci\">±0.0");
	no_style_no_script(html);
	html = repo_expand(&repo, "table gemv/* rows=m cols=variant metric=throughput", true);
	contains(html, "<tr><th scope=\"row\">256</th>");
	contains(repo_expand(&repo, "table transpose/*", true),
	         "several cases fall into one cell of this table");
	contains(repo_expand(&repo, "table transpose/* rows=n", true),
	         "'n' is no key of these cases");
}

static void ladders(void **state)
{
	(void)state;
	const char *html = repo_expand(&repo, "ladder transpose/* rows=16384 dtype=f32", true);
	contains(html, "<tr class=\"kernel\">");
	contains(html, "<tr class=\"peer\">");
	contains(html, "<tr class=\"none\">");
	contains(html, "Each thread moves one element.");
	contains(html, "<span>0</span><span><a class=\"num spec\"");
	contains(html,
	         "best measured copy <a class=\"num roof\" href=\"/numbers/h200/stream-memcpy");
	contains(html, "% of data sheet</th>");
	lacks(html, "swatch");
	contains(html, "<span class=\"badge\">library</span>");
	contains(html, "<span class=\"ink library\">library</span>");
	contains(html, "<summary>Exact values</summary>");
	contains(html, "shared-memory tile over one thread an element, paired by process");
	no_style_no_script(html);
	assert_int_equal(occurrences(html, "<tr class=\"kernel best\">"), 1);
	assert_int_equal(occurrences(html, "bar-fill best"), 1);
	/* the share in the ladder is the share in the text */
	const char *share = repo_expand(
	        &repo, "percent transpose/tile of=spec:hbm rows=16384 dtype=f32", false);
	contains(html, arena_printf(&repo.arena, ">%s</a>", share));
	contains(repo_expand(&repo, "ladder transpose/*", true), "a ladder has one case of each");
}

/* Makes a variant's cases at 16384 rows, or all of them, those of another family. */
static void take_away(struct data_run *r, const char *variant, const char *unless)
{
	for (size_t i = 0; i < r->run.ncases; i++) {
		struct run_case *c = &r->run.cases[i];
		if (strcmp(c->variant, variant) == 0 && !(unless && strstr(c->id, unless)))
			c->family = "elsewhere";
	}
}

/* A step without a case there is named, with the reason; a name that nothing has is an error. */
static void a_ladder_names_absent_steps(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	s = repo_run(&r, RUN_B);
	s.device = "cpu";
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	struct data_run *h200 = &r.data.runs[strcmp(r.data.runs[0].run.head.device, "h200") != 0];
	static const char ladder[] = "ladder transpose/* rows=16384 dtype=f32";
	lacks(repo_expand(&r, ladder, true), "class=\"absent\"");
	take_away(h200, "padded", "rows=4096");
	take_away(h200, "cublas", NULL);
	const char *html = repo_expand(&r, ladder, true);
	contains(html, "<p class=\"absent\"><span>Not measured with these inputs: "
	               "<code>padded</code>.</span> <span>Not measured on the H200: "
	               "<code>cublas</code>.</span> </p>");
	html = repo_expand(&r, "ladder transpose/{naive,padded} rows=16384 dtype=f32", true);
	contains(html, "these inputs: <code>padded</code>.");
	lacks(html, "cublas");
	html = repo_expand(&r, arena_printf(&r.arena, "%s run=" RUN_A, ladder), true);
	contains(html, "<span>Not in this run: <code>padded</code>, <code>cublas</code>.</span>");
	contains(repo_expand(&r, "ladder transpose/{tile,tiel} rows=16384 dtype=f32", true),
	         "family 'transpose' has no variant 'tiel' in any run");
	repo_free(&r);
}

/* The finding of a ladder stands before its caption; it is not demanded. */
static void a_table_takes_a_title(void **state)
{
	(void)state;
	const char *html = repo_expand(
	        &repo, "ladder transpose/* rows=16384 dtype=f32 title=\"Padding helps\"", true);
	contains(html, "<figcaption><strong class=\"finding\">Padding helps</strong> ");
	html = repo_expand(
	        &repo, "table transpose/tile:rows=16384,dtype=f32 title=\"More rows help\"", true);
	contains(html, "<strong class=\"finding\">More rows help</strong>");
	contains(repo_expand(&repo, "value transpose/tile rows=16384 dtype=f32 title=\"No\"", true),
	         "'value' has no key 'title'");
}

/* How often `part` stands in `text`. */
static size_t times(const char *text, const char *part)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, part)); at++)
		n++;
	return n;
}

/* A staircase says of each step what the ladder, the counters and the difference say. */
static void a_staircase_has_steps(void **state)
{
	(void)state;
	static const char stairs[] = "staircase transpose/{naive,tile} rows=16384 dtype=f32 "
	                             "title=\"Tiles help\"";
	const char *html = repo_expand(&repo, stairs, true);
	assert_int_equal(times(html, "<li class=\"step\""), 2);
	assert_int_equal(times(html, "step-units"), 0); /* nothing was profiled */
	contains(html, "-tile\"><p class=\"step-head\"><b class=\"step-no\">2.</b>");
	contains(html, "<ol class=\"steps\" data-label=\"Steps\" data-back=\"Back\"");
	contains(html, "shared-memory tile over one thread an element, paired by process");
	const char *share = repo_expand(
	        &repo, "percent transpose/tile of=measured:memcpy rows=16384 dtype=f32", false);
	contains(html, "<dd class=\"share\"><a class=\"num percent\"");
	contains(html, arena_printf(&repo.arena, ">%s</a></dd>", share));
	no_style_no_script(html);
	contains(repo_expand(&repo, "staircase transpose/tile rows=16384 dtype=f32 title=x", true),
	         "a staircase needs two steps");
	contains(repo_expand(&repo, "staircase transpose/{naive,tile} title=x", true),
	         "a staircase has one case of each variant");
	contains(repo_expand(&repo, arena_printf(&repo.arena, "%s region=nowhere", stairs), true),
	         "nowhere");
}

/* Notes are for lines that their text names; the list is the text's (markdown/code.c). */
static void a_source_has_notes(void **state)
{
	(void)state;
	repo.ctx.code_id = 7;
	const char *html =
	        repo_expand(&repo, "source transpose/tile notes=\"in[; __global__\"", true);
	assert_int_equal(repo.ctx.code_notes, 2);
	contains(html, "<a class=\"note\" href=\"#code-7-1\" id=\"code-7-1-line\"");
	const char *kernel = strstr(html, "<span class=\"l n2\""), *in = strstr(html, " n1\"");
	assert_true(kernel && in && kernel < in);
	repo.ctx.code_id = repo.ctx.code_notes = 0;
	contains(repo_expand(&repo, "source transpose/tile notes=nowhere", true),
	         "'nowhere' of notes= is in 0 of the lines shown, expected one");
	contains(repo_expand(&repo, "source transpose/tile notes=\"in[;\"", true),
	         "notes= has an empty part");
	contains(repo_expand(&repo, "source transpose/tile notes=\"in[; out[\"", true),
	         "'out[' of notes= is in the line of note 1");
}

static void tile_is_a_detour(struct run_launch *l)
{
	for (size_t i = 0; strncmp(l->of->id, "transpose/tile:", 15) == 0 && i < l->nsamples; i++)
		l->sample_ns[i] *= 4;
}

/* A step's gain is over the fastest step above it, not over the step right above. */
static void a_gain_is_over_the_best_above(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	s.twist = tile_is_a_detour;
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	const char *html = repo_expand(&r, "ladder transpose/* rows=16384 dtype=f32", true);
	contains(html, "shared-memory tile over one thread an element, paired by process");
	contains(html, "padded tile over one thread an element, paired by process");
	assert_null(strstr(html, "over tile, paired"));
	/* the detour lost: it says how much, and its link what the ratio is */
	contains(html, "class=\"num ratio loss\"");
	contains(html, "paired by process: 0.4");
	contains(html, ">−5");
	contains(html, "<span class=\"visually-hidden\">against one thread an element</span>");
	repo_free(&r);
}

/* Right of the ridge a family of bandwidth is known by throughput; 256 tokens are, 64 are not. */
static void right_of_the_ridge(void **state)
{
	(void)state;
	double hbm = data_spec_find(&repo.data, STR("h200"), STR("hbm"))->value;
	double bf16 = data_spec_find(&repo.data, STR("h200"), STR("bf16"))->value;
	const char *intensity = repo_expand(&repo, "value gemv/warp m=256 metric=intensity", false);
	assert_true(strtod(intensity, NULL) > bf16 / hbm);
	const char *html = repo_expand(&repo, "ladder gemv/* m=64", true);
	contains(html, "class=\"right\">Bandwidth</th>");
	contains(html, "data-n=\"spec h200 hbm\"");
	html = repo_expand(&repo, "ladder gemv/* m=256", true);
	contains(html, "class=\"right\">Throughput</th>");
	contains(html, "FLOP/s</a>");
	assert_null(strstr(html, "B/s</a>"));
	assert_string_equal(repo_expand(&repo, "value gemv/warp m=256", false),
	                    repo_expand(&repo, "value gemv/warp m=256 metric=throughput", false));
	contains(repo_expand(&repo, "value gemv/warp m=256 metric=bandwidth", false), "B/s");
}

/* A text numbers its blocks: the caption begins with the number, and has the label. */
static void numbers_of_blocks(void **state)
{
	(void)state;
	repo.ctx.caption_no = "Table 3:";
	repo.ctx.caption_id = "tab-x";
	contains(repo_expand(&repo, "table transpose/tile:dtype=f32,cache=cold rows=rows id=tab-x",
	                     true),
	         "<figcaption id=\"tab-x\"><span class=\"caption-no\">Table 3:</span> ");
	lacks(repo_expand(&repo, "table transpose/tile:dtype=f32,cache=cold rows=rows", true),
	      "caption-no");
}

static void samples(void **state)
{
	(void)state;
	const char *html = repo_expand(&repo, "samples transpose/tile dtype=f32", true);
	contains(html, "<svg class=\"strip\" viewBox=\"0 0 160 12\" preserveAspectRatio=\"none\" "
	               "role=\"img\"");
	size_t dots = 0;
	for (const char *p = html; (p = strstr(p, "6h0")); p++)
		dots++;
	assert_int_equal(dots, 20); /* two cases of ten launches */
	contains(html, "as a share of its row’s typical time; all rows to one scale");
	html = repo_expand(&repo, "samples transpose/{padded,cublas} rows=16384 dtype=f32", true);
	contains(html, "median time of each process, all rows on one axis");
	lacks(html, "<td class=\"left\">"); /* no words tell the cases apart */
	no_style_no_script(html);
}

static void sources(void **state)
{
	(void)state;
	const char *html = repo_expand(&repo, "source transpose/tile", true);
	contains(html, "<code>kernels/transpose/tile.cu</code>");
	contains(html, arena_printf(&repo.arena, "at %.12s", repo.commit));
	contains(html, "SYNTHETIC source of transpose/tile");
	lacks(html, "ANCHOR");
	lacks(html, "class=\"changed\"");
	html = repo_expand(&repo, "source transpose/tile region=inner", true);
	lacks(html, "SYNTHETIC source");
	contains(html, "<code><span class=\"l\" data-n=\"5\">out["); /* its line in the file */
	html = repo_expand(&repo, "source transpose/tile region=inner mark=1", true);
	contains(html, "<span class=\"l lit\" data-n=\"5\">");
	contains(repo_expand(&repo, "source transpose/tile region=inner mark=2", true),
	         "mark=2 marks no lines of this code, expected some of 1 to 1");
	contains(repo_expand(&repo, "source transpose/tile id=x", true),
	         "'source' has no key 'id'");
	html = repo_expand(&repo, "source transpose/tile lines=1-1", true);
	contains(html, "SYNTHETIC source");
	lacks(html, "threadIdx");
	contains(repo_expand(&repo, "source transpose/tile region=outer", true),
	         "kernels/transpose/tile.cu has no region 'outer', expected one of inner");
	contains(repo_expand(&repo, "source transpose/tile lines=1-99", true), "goes beyond");
	contains(repo_expand(&repo, "source transpose/tile lines=9-1", true),
	         "is no range of lines");
	contains(repo_expand(&repo, "source transpose/*", true), "matches several variants");
	contains(repo_expand(&repo, "source transpose/tile lang=cobol", true),
	         "unknown language 'cobol'");
}

/* The listing keeps the measured source, and says that the file has changed since. */
static void sources_as_measured(void **state)
{
	(void)state;
	struct repo r;
	repo_ready(&r);
	repo_write(&r, "kernels/transpose/tile.cu", STR("// rewritten\n"));
	repo_commit(&r);
	repo_load(&r);
	const char *html = repo_expand(&r, "source transpose/tile", true);
	contains(html, "SYNTHETIC source of transpose/tile");
	contains(html, "<p class=\"changed\">");
	lacks(html, "rewritten");
	repo_free(&r);
}

static void diffs(void **state)
{
	(void)state;
	const char *html = repo_expand(&repo, "diff transpose/tile", true);
	contains(html, "-<span class=\"c\">// SYNTHETIC source of transpose/<mark>naive</mark>");
	contains(html, "<span class=\"ins\" data-n=\"1\">+<span class=\"c\">// SYNTHETIC source");
	contains(html, "<span class=\"ctx\" data-n=\"2\"> <span class=\"k\">__global__");
	html = repo_expand(&repo, "diff transpose/tile part=kernels", true);
	contains(html, ">+\tout[<span class=\"b\">threadIdx</span>.x]");
	contains(repo_expand(&repo, "diff transpose/tile part=all", true), "unknown part 'all'");
	contains(repo_expand(&repo, "diff transpose/padded region=inner", true),
	         "region=inner is not the same part of kernels/transpose/tile.cu and of "
	         "kernels/transpose/padded.cu");
	lacks(repo_expand(&repo, "diff transpose/padded part=kernels", true), "is not the same");
	contains(repo_expand(&repo, "diff transpose/naive", true), "has no variant before it");
}

static void conditions(void **state)
{
	(void)state;
	const char *html = repo_expand(&repo, "env", true);
	contains(html, "<dt>GPU</dt><dd>Synthetic GPU</dd>");
	contains(html, "<dt>SM clock</dt><dd>1935–1980\xC2\xA0MHz (limit 1980\xC2\xA0MHz)</dd>");
	contains(html, "<dt>Could not be read</dt><dd>energy_mj (not supported)</dd>");
	assert_string_not_equal(html, repo_expand(&repo, "env transpose/tile", true)); /* own id */
	html = repo_expand(&repo, "reproduce transpose/tile rows=16Ki dtype=f32", true);
	contains(html, repo.commit);
	contains(html, "transpose/tile:rows=16Ki,dtype=f32");
}

static void plain_text_with_placeholders(void **state)
{
	(void)state;
	struct sb to = {0};
	struct err e = ERR_NONE;
	struct str text = STR("a <b> & <<bench:count cases transpose/tile>> of\n<<bench:nope>>");
	assert_false(expand_all(&repo.ctx, text, (struct loc){"p.md", 4, 8}, true, &to, &e));
	assert_true(strncmp(e.text, "p.md:5:9: no placeholder kind 'nope'", 36) == 0);
	sb_clear(&to);
	e = ERR_NONE;
	text = str_sub(text, 0, text.n - strlen("<<bench:nope>>"));
	assert_true(expand_all(&repo.ctx, text, (struct loc){"p.md", 4, 8}, true, &to, &e));
	assert_string_equal(to.p,
	                    "a &lt;b&gt; &amp; <span class=\"num count\" data-n=\"count cases "
	                    "transpose/tile on h200\">4</span> of\n");
	sb_clear(&to);
	assert_true(expand_all(&repo.ctx, text, (struct loc){"p.md", 4, 8}, false, &to, &e));
	assert_string_equal(to.p, "a <b> & 4 of\n");
	sb_clear(&to);
	assert_false(expand_all(&repo.ctx, STR("x <<bench:value a"), (struct loc){"p.md", 1, 1},
	                        false, &to, &e));
	assert_non_null(strstr(e.text, "p.md:1:3: placeholder is not closed"));
	sb_free(&to);
}

static void family_pages(void **state)
{
	(void)state;
	const struct data_families *f = &repo.data.families;
	for (size_t i = 0; i < f->n; i++) {
		struct body b;
		struct str lead;
		struct err e = ERR_NONE;
		if (!body_family(&repo.ctx, &f->all[i], NULL, &lead, &b, &e))
			fail_msg("%s: %s", f->all[i].id, e.text);
		assert_true(b.nheadings >= 4);
		assert_int_equal(lead.n, 0); /* no headline */
		contains(b.html.p, "class=\"bench ladder\"");
		contains(b.html.p, "class=\"bench roofline\"");
		no_style_no_script(b.html.p);
		for (size_t h = 0; h < b.nheadings; h++)
			contains(b.html.p,
			         arena_printf(&repo.arena, "id=\"%s\"", b.headings[h].id));
	}
}

/* The lead has the headline case, so the rest does not repeat its group. */
static void a_family_page_leads_with_its_headline(void **state)
{
	(void)state;
	static struct config_language languages[] = {{.code = "en"}};
	static const struct config config = {
	        .language = "en", .languages = languages, .nlanguages = 1};
	struct headlines all;
	struct body b;
	struct str lead;
	struct err e = ERR_NONE;
	repo_write(&repo, "content/kernels/transpose.md",
	           STR("---\ntitle: T\ndescription: D\nheadline: rows=16384 dtype=f32\n"
	               "case: the case\n---\n\nText.\n"));
	must(headlines_load(&repo.data, &config, &repo.arena, &all, &e), &e);
	const struct data_family *f = &repo.data.families.all[2];
	if (!body_family(&repo.ctx, f, headline_find(&all, f->id), &lead, &b, &e))
		fail_msg("%s", e.text);
	contains(lead.p, "<span class=\"lead-case\">the case</span>");
	contains(lead.p, "Limited by memory");
	contains(lead.p, "class=\"bench ladder\"");
	lacks(b.html.p, "<h2 id=\"f32-cold\">");
	contains(b.html.p,
	         "<details class=\"fold\"><summary><h2 id=\"bf16-cold\">bf16, cold cache</h2>");
	contains(b.html.p, "<details class=\"fold\"><summary><h2 id=\"the-variants\">");
}

static void history(void **state)
{
	(void)state;
	const char *html = repo_expand(&repo, "history transpose/tile rows=16384 dtype=f32", true);
	contains(html, "class=\"draw\"");
	contains(html, "TB/s");
	no_style_no_script(html);
	contains(repo_expand(&repo, "history transpose/*", true),
	         "are too many to draw, expected at most 12");
}

/* Ten runs of the same code, of which the last four are slower: the level moved once. */
static void a_step_in_a_history_is_marked(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	for (int i = 0; i < 10; i++) {
		struct synthetic s = repo_run(&r, arena_printf(&r.arena,
		                                               "20260101T0%d0000Z-synthetic-"
		                                               "0000000%d",
		                                               i, i));
		s.start = arena_printf(&r.arena, "2026-01-01T0%d:00:00Z", i);
		s.slower = (i < 6 ? 1 : 1.05) * (1 + (i * 7 % 5 - 2) * 2e-4);
		s.brief = true;
		repo_add_run(&r, &s);
	}
	repo_commit(&r);
	repo_load(&r);
	static const char *const metrics[] = {"time", "bandwidth"};
	for (size_t m = 0; m < 2; m++) {
		const char *html = repo_expand(
		        &r,
		        arena_printf(&r.arena, "history gemv/warp m=1 metric=%s title=\"Steps\"",
		                     metrics[m]),
		        true);
		const char *step = strstr(html, "class=\"draw-step\"");
		if (!step)
			fail_msg("no step in:\n%.3000s", html);
		lacks(step + 1, "class=\"draw-step\"");
	}
	repo_free(&r);
}

/* Two runs of one device, the second a little slower. */
static void comparisons(void **state)
{
	(void)state;
	struct repo r;
	size_t n;
	struct body b;
	struct err e = ERR_NONE;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	s = repo_run(&r, RUN_B);
	s.slower = 1.1;
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	const struct comparison *c = comparison_all(&r.data, &r.arena, &n);
	assert_int_equal(n, 1);
	assert_string_equal(c->url,
	                    arena_printf(&r.arena, "/compared/%s/%s/", r.data.runs[0].run.head.id,
	                                 r.data.runs[1].run.head.id));
	if (!comparison_body(&r.ctx, c, &b, &e))
		fail_msg("%s", e.text);
	bool later = strcmp(r.data.runs[0].run.head.id, RUN_B) == 0;
	contains(b.html.p, later ? "<tr data-verdict=\"slower\">" : "<tr data-verdict=\"faster\">");
	contains(b.html.p, " 0 equivalent, 0 undecided.");
	contains(b.html.p, "/runs/" RUN_A "/\">" RUN_A "</a> → <a");
	assert_true(later);
	assert_string_equal(comparison_title(&r.data, NULL, c, &r.arena),
	                    "transpose, stream, gemv on H200: 2026-01-02 00:00 against 2026-01-01 "
	                    "00:00");
	no_style_no_script(b.html.p);
	repo_free(&r);
}

/* A whole suite is compared with the few cases before it, and with the suite before those. */
static void like_is_compared_with_like(void **state)
{
	(void)state;
	struct repo r;
	size_t n;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	s = repo_run(&r, RUN_B);
	s.brief = true;
	repo_add_run(&r, &s);
	s.brief = false;
	s.id = "20260102T010000Z-synthetic-0000000d";
	s.start = "2026-01-02T01:00:00Z";
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	const struct comparison *c = comparison_all(&r.data, &r.arena, &n);
	assert_int_equal(n, 3);
	assert_string_equal(comparison_title(&r.data, NULL, &c[0], &r.arena),
	                    "gemv on H200: 2026-01-02 01:00 against 00:00");
	assert_string_equal(c[1].now->run.head.id, s.id);
	assert_string_equal(c[1].then->run.head.id, RUN_A);
	assert_string_equal(c[2].then->run.head.id, RUN_A);
	repo_free(&r);
}

/* A second device has its parts on the same page, in the same sections. */
static void other_devices(void **state)
{
	(void)state;
	struct repo r;
	struct body b;
	struct str lead;
	struct err e = ERR_NONE;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	s = repo_run(&r, RUN_B);
	s.device = "cpu-synthetic";
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	const struct data_families *f = &r.data.families;
	assert_string_equal(f->all[2].id, "transpose");
	if (!body_family(&r.ctx, &f->all[2], NULL, &lead, &b, &e))
		fail_msg("%s", e.text);
	/* every group once, with a part for each device */
	contains(b.html.p, "<div class=\"dev dev-1\" data-device=\"h200\">");
	contains(b.html.p, "<div class=\"dev dev-2\" data-device=\"cpu-synthetic\">");
	contains(b.html.p, "<span id=\"on-cpu-synthetic\"></span>");
	assert_null(strstr(strstr(b.html.p, "id=\"on-cpu-synthetic\"") + 1, "id=\"on-cpu"));
	contains(b.html.p, "Synthetic CPU, <a href=\"/runs/" RUN_B "/\">");
	contains(b.html.p, "On this page: <a href=\"/devices/h200/\">H200</a>, "
	                   "<a href=\"/devices/cpu-synthetic/\">cpu-synthetic</a></p>");
	/* the best of both, side by side */
	contains(b.html.p, "<th scope=\"col\" class=\"right\">H200</th>"
	                   "<th scope=\"col\" class=\"right\">cpu-synthetic</th>");
	contains(b.html.p, "</a> <code>padded</code></td><td class=\"right\" "
	                   "data-label=\"cpu-synthetic\"><a class=\"num\" ");
	lacks(b.html.p, "Also measured on");
	contains(repo_expand(&r, "ladder transpose/* rows=4096 dtype=f32", true),
	         "Also measured on <a href=\"/kernels/transpose/#on-cpu-synthetic\">");
	for (size_t i = 0; i < b.nheadings; i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(b.headings[i].id, b.headings[k].id);
	repo_free(&r);
}

static void run_pages(void **state)
{
	(void)state;
	struct body b;
	struct err e = ERR_NONE;
	const struct data_run *r = &repo.data.runs[0];
	assert_true(body_run(&repo.ctx, r, &b, &e));
	for (size_t i = 0; i < r->run.ncases; i++)
		contains(b.html.p, arena_printf(&repo.arena, "<tr id=\"%s\">", r->cases[i].anchor));
	contains(b.html.p, r->run.sha256);
	contains(b.html.p, r->blob);
	no_style_no_script(b.html.p);
}

/* The thing that a parameter counts stands at the axis, not in the caption. */
static void axes_have_units(void **state)
{
	(void)state;
	const char *html = repo_expand(&repo, "plot gemv/* x=m", true);
	contains(html, ">Tokens</text>");
	contains(html, "bandwidth over tokens; ");
	contains(repo_expand(&repo, "plot transpose/* x=rows dtype=f32", true), ">Rows</text>");
}

/* Points that share one x are rows of their own, named by what differs, not a vertical line. */
static void one_x_is_drawn_in_rows(void **state)
{
	(void)state;
	const char *html = repo_expand(&repo, "plot transpose/* x=rows rows=16384 dtype=f32", true);
	contains(html, ">Bandwidth, TB/s</text>");
	contains(html, "<text class=\"value\"");
	contains(html, "<path class=\"roof-spec\"");
	lacks(html, "<path class=\"line ");
	lacks(html, "bandwidth over rows");
}

static void explanations(void **state)
{
	(void)state;
	struct placeholder p;
	struct sb to = {0};
	struct err e = ERR_NONE;
	struct str text = STR("<<bench:ratio transpose/tile over=transpose/naive rows=16384 "
	                      "dtype=f32>>");
	assert_true(placeholder_parse(text, (struct loc){"x", 1, 1}, &p, &e));
	assert_true(explain_placeholder(&repo.ctx, &p, &to, &e));
	contains(to.p, TILE "\n");
	contains(to.p, NAIVE "\n");
	contains(to.p, "95 % interval");
	contains(to.p, repo.data.runs[0].blob);
	contains(to.p, "build/runner run '" TILE "'");
	contains(to.p, "kernels/transpose/tile.cu");
	sb_free(&to);
}

/* The authors' reference names every kind with its usage, and every key. */
static void the_reference_is_complete(void **state)
{
	(void)state;
	struct str text;
	struct err e = ERR_NONE;
	size_t n;
	const struct kind *k = kind_table(&n);
	assert_true(file_read("docs/placeholders.md", 1 << 20, &repo.arena, &text, &e));
	for (size_t i = 0; i < n; i++) {
		contains(text.p, arena_printf(&repo.arena, "\n- `%s ", k[i].name));
		for (size_t j = 0; k[i].keys[j]; j++)
			contains(text.p, k[i].keys[j]);
	}
	for (int m = 0; m < METRIC_COUNT; m++)
		contains(text.p,
		         arena_printf(&repo.arena, "`%s`", metric_info((enum metric)m)->name));
	for (int s = DATA_OK + 1; s < DATA_STATE_COUNT; s++)
		contains(text.p,
		         arena_printf(&repo.arena,
		                      data_state_marked((enum data_state)s) ? "| %s |" : "*%s*",
		                      data_state_name((enum data_state)s)));
}

/* The commands check out a commit that has the kernel, whatever commit the record names. */
static void again_is_from_a_commit_that_has_it(void **state)
{
	struct repo r;
	char later[41];
	(void)state;
	repo_ready(&r);
	repo_write(&r, "kernels/late/late.cu", STR("// late\n"));
	repo_commit(&r);
	repo_head(&r, later);
	repo_load(&r);
	const struct data_run *run = &r.data.runs[0];
	struct run_source here = *run->run.cases[0].source, late = {.path = "kernels/late/late.cu"},
	                  never = {.path = "kernels/never/never.cu"};
	const struct {
		struct run_source *source;
		const char *commands, *says;
	} c[] = {
	        {&here, arena_printf(&r.arena, "git checkout %s\n", r.commit), NULL},
	        {&late, arena_printf(&r.arena, "git checkout %s\n", later),
	         arena_printf(&r.arena,
	                      "<p>Commit %.12s, at which the record says that it was "
	                      "measured, has no kernels/late/late.cu: ",
	                      r.commit)},
	        {&never, NULL, "and neither has any other commit of this repository: it cannot"},
	};
	for (size_t i = 0; i < ARRAY_LEN(c); i++) {
		struct run_case of = {.source = c[i].source, .nsource = 1};
		struct sb html = {0}, text = {0};
		again_put(NULL, &r.data, run, &of, "run 'x'", "", NULL, &html);
		html_scan_strip(&text, sb_view(&html));
		assert_int_equal(strstr(text.p, "git checkout ") != NULL, c[i].commands != NULL);
		assert_true(!c[i].commands || strstr(text.p, c[i].commands));
		assert_true(c[i].says ? strstr(html.p, c[i].says) != NULL : !strstr(html.p, "<p>"));
		sb_free(&html);
		sb_free(&text);
	}
	repo_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(again_is_from_a_commit_that_has_it),
	        cmocka_unit_test(values),
	        cmocka_unit_test(ratios),
	        cmocka_unit_test(a_ladder_climbs_one_family),
	        cmocka_unit_test(percents),
	        cmocka_unit_test(specs),
	        cmocka_unit_test(derivations_look_something_up),
	        cmocka_unit_test(counts),
	        cmocka_unit_test(wrong_use),
	        cmocka_unit_test(states_show),
	        cmocka_unit_test(uses),
	        cmocka_unit_test(tables),
	        cmocka_unit_test(ladders),
	        cmocka_unit_test(a_ladder_names_absent_steps),
	        cmocka_unit_test(a_table_takes_a_title),
	        cmocka_unit_test(a_staircase_has_steps),
	        cmocka_unit_test(a_source_has_notes),
	        cmocka_unit_test(a_gain_is_over_the_best_above),
	        cmocka_unit_test(right_of_the_ridge),
	        cmocka_unit_test(axes_have_units),
	        cmocka_unit_test(numbers_of_blocks),
	        cmocka_unit_test(samples),
	        cmocka_unit_test(history),
	        cmocka_unit_test(a_step_in_a_history_is_marked),
	        cmocka_unit_test(comparisons),
	        cmocka_unit_test(like_is_compared_with_like),
	        cmocka_unit_test(narrow_intervals),
	        cmocka_unit_test(sources),
	        cmocka_unit_test(sources_as_measured),
	        cmocka_unit_test(diffs),
	        cmocka_unit_test(conditions),
	        cmocka_unit_test(plain_text_with_placeholders),
	        cmocka_unit_test(family_pages),
	        cmocka_unit_test(a_family_page_leads_with_its_headline),
	        cmocka_unit_test(other_devices),
	        cmocka_unit_test(run_pages),
	        cmocka_unit_test(one_x_is_drawn_in_rows),
	        cmocka_unit_test(explanations),
	        cmocka_unit_test(the_reference_is_complete),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
