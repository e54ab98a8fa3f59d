/*
 * The kinds of placeholder. How to add one:
 *   1. write `bool kind_<name>(struct kind_call *k, struct err *e)` in a file <name>.c (or
 *      beside its relatives) and declare it in kinds.h;
 *   2. add a row to the table below: the author's help is made of it;
 *   3. add a case to tests/unit/site-gen/kinds/test_kinds.c, a line to a golden site, and a row to
 *      docs/placeholders.md (a test asks for it);
 *   4. if it makes new markup, list its classes in kinds.h and style them in static/;
 *   5. its words, if it has any, go into site-gen/lua/words.c, and those of other languages into
 *      templates/words.lua;
 *   6. if a page over several devices should not print it for each, add it to `other_devices`;
 *   7. if it prints a number that no kind printed before, derive that number in
 *      site-gen/audit/fact.c, and name its element in `elements` of audit/page.c and its kind in
 *      `facts` of audit/log.c.
 *
 * No page of this repository uses count, env, history or ledger. They stay because
 * docs/placeholders.md promises them to authors of other blogs. Tests use each of them.
 */
#include "site-gen/kinds/kinds.h"

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/numbers/roof.h"

#include <string.h>

static const char *const metric_keys[] = {"metric", NULL};
static const char *const ladder_keys[] = {"metric", NULL};
static const char *const value_keys[] = {"metric", "over", NULL};
static const char *const ratio_keys[] = {"metric", "over", "needs", NULL};
static const char *const percent_keys[] = {"metric", "of", "over", NULL};
static const char *const table_keys[] = {"metric", "rows", "cols", "over", "sort", NULL};
static const char *const across_keys[] = {"metric", "devices", "device", "over", NULL};
static const char *const plot_keys[] = {"metric",  "x",       "y",     "series", "log", "roof",
                                        "ceiling", "program", "names", "focus",  NULL};
static const char *const counters_keys[] = {"show", "only", NULL};
static const char *const roofline_keys[] = {"bytes", "names", "focus", NULL};
static const char *const source_keys[] = {"file", "region", "part",  "lines",
                                          "lang", "mark",   "notes", NULL};
static const char *const code_lines_keys[] = {"file", "region", "part", "lines", NULL};
static const char *const staircase_keys[] = {"region", "part", "metric", NULL};
static const char *const sass_keys[] = {"function", "region", "lines", "loop", "from",
                                        "to",       "mark",   "notes", NULL};
static const char *const sass_count_keys[] = {"function", "region", "lines", "loop",
                                              "from",     "to",     NULL};
static const char *const diff_keys[] = {"region", "part", NULL};
static const char *const device_keys[] = {"device", NULL};
static const char *const derived_keys[] = {"unit", "metric", NULL};
static const char *const run_keys[] = {"device", "run", NULL};
static const char *const cited_keys[] = {"source", "of", NULL};
static const char *const ledger_keys[] = {"series", NULL};
const char *const kind_diagram_keys[] = {
        "title", "expr",    "index",  "let",       "pitch",   "bytes",  "unit",  "check",
        "per",   "layouts", "names",  "tile",      "of",      "metric", "steps", "work",
        "pipes", "links",   "legend", "mark",      "threads", "vector", "need",  "window",
        "from",  "kernels", "scale",  "latencies", "lengths", NULL};
static const char *const claim_keys[] = {"over", NULL};
static const char *const shortcode_keys[] = {"title", NULL};
static const char *const no_keys[] = {NULL};

static const struct kind kinds[] = {
        {"value", EXPAND_INLINE, 1, 1, "value SELECTOR [metric=NAME] [over=cards]",
         "one measured number with its unit", value_keys, true, kind_value, EXPAND_UNNUMBERED},
        {"ratio", EXPAND_INLINE, 1, 1, "ratio SELECTOR over=SELECTOR [metric=NAME] [needs=cards]",
         "how many times faster, paired process by process; of two devices, unpaired", ratio_keys,
         true, kind_ratio, EXPAND_UNNUMBERED},
        {"percent", EXPAND_INLINE, 1, 1,
         "percent SELECTOR of=spec:KEY or of=measured:SELECTOR [metric=NAME] [over=cards]",
         "share of a named peak", percent_keys, true, kind_percent, EXPAND_UNNUMBERED},
        {"spec", EXPAND_INLINE, 1, 1, "spec KEY [device=NAME]", "a datasheet number", device_keys,
         false, kind_spec, EXPAND_UNNUMBERED},
        {"derived", EXPAND_INLINE, 1, 1,
         "derived \"EXPRESSION\" unit=UNIT [metric=NAME] [device=NAME]",
         "arithmetic over datasheet numbers and measured ones: 1 B / spec:hbm * 2, or "
         "([step/late time] - [step/early time]) / 32",
         derived_keys, true, kind_derived, EXPAND_UNNUMBERED},
        {"count", EXPAND_INLINE, 1, 2,
         "count families, variants, cases, runs, launches or samples [SELECTOR]", "how many",
         no_keys, true, kind_count, EXPAND_UNNUMBERED},
        {"counter", EXPAND_INLINE, 2, 2, "counter SELECTOR NAME",
         "one hardware counter of a case, as a profiler read it", no_keys, true, kind_counter,
         EXPAND_UNNUMBERED},
        {"sass-count", EXPAND_INLINE, 2, 2,
         "sass-count FAMILY/VARIANT OPCODE [function=\"NAME\"] [region=NAME] [loop=LABEL] "
         "[from=X to=Y]",
         "how many instructions of a kind the measured machine code has", sass_count_keys, true,
         kind_sass_count, EXPAND_UNNUMBERED},
        {"code-lines", EXPAND_INLINE, 1, 1,
         "code-lines FAMILY/VARIANT [file=GLOB] [region=NAME] [part=kernels] [lines=A-B]",
         "how many lines of code the measured source has, without empty lines and comments",
         code_lines_keys, true, kind_code_lines, EXPAND_UNNUMBERED},
        {"cited", EXPAND_INLINE, 1, 2, "cited VALUE UNIT source=KEY [of=\"WHAT\"]",
         "somebody else's number, with the reference", cited_keys, false, kind_cited,
         EXPAND_UNNUMBERED},
        {"predicted", EXPAND_INLINE, 1, 1, "predicted ID",
         "what was predicted, and whether it held", no_keys, false, kind_predicted,
         EXPAND_UNNUMBERED},
        {"waive", EXPAND_SPAN, 1, 1, "waive \"REASON\"",
         "around text: numbers there are typed by hand, for a reason that is published", no_keys,
         false, kind_waive, EXPAND_UNNUMBERED},
        {"claim", EXPAND_SPAN, 3, 8, "claim SELECTOR [METRIC] RELATION [over=cards]",
         "around a sentence: the build stops unless the measurements decide that it is true",
         claim_keys, true, kind_claim, EXPAND_UNNUMBERED},
        {"goal", EXPAND_SPAN, 3, 8, "goal SELECTOR [METRIC] RELATION [over=cards]",
         "around a sentence: what was to be reached, met or missed by what was measured",
         claim_keys, true, kind_goal, EXPAND_UNNUMBERED},
        {"table", EXPAND_BLOCK, 1, 1,
         "table SELECTOR [title=\"SENTENCE\"] [rows=KEY] [cols=KEY] [metric=NAME] [over=cards] "
         "[sort=yes] [id=NAME]",
         "exact values, one row per variant or parameter", table_keys, true, kind_table_block,
         EXPAND_TABLE},
        {"across", EXPAND_BLOCK, 1, 1,
         "across SELECTOR devices=A,B [title=\"SENTENCE\"] [metric=NAME] [over=cards] [id=NAME]",
         "the same cases on several devices, each with the ratio of the first to the others",
         across_keys, true, kind_across, EXPAND_TABLE},
        {"ladder", EXPAND_BLOCK, 1, 1,
         "ladder SELECTOR [title=\"SENTENCE\"] [metric=NAME] [id=NAME]",
         "variants in reading order, each with its gain", ladder_keys, true, kind_ladder,
         EXPAND_TABLE},
        {"staircase", EXPAND_BLOCK, 1, 1,
         "staircase SELECTOR title=\"SENTENCE\" [region=NAME] [part=kernels] [metric=NAME] "
         "[id=NAME]",
         "steps one by one: what changed, how fast, which unit is busy", staircase_keys, true,
         kind_staircase, EXPAND_FIGURE},
        {"roofline", EXPAND_BLOCK, 1, 24,
         "roofline SELECTOR... title=\"SENTENCE\" [bytes=model or measured] [focus=NAMES] "
         "[names=\"NAME; …\"] [id=NAME]",
         "throughput over intensity, under its roofs", roofline_keys, true, kind_roofline,
         EXPAND_FIGURE},
        {"plot", EXPAND_BLOCK, 1, 8,
         "plot SELECTOR... title=\"SENTENCE\" [x=PARAM] [y=METRIC] [series=KEY] [log=AXES] "
         "[roof=KEY] "
         "[ceiling=SELECTOR] [focus=NAMES] [program=NAME] [id=NAME]",
         "a metric over a parameter, bytes or intensity", plot_keys, true, kind_plot,
         EXPAND_FIGURE},
        {"diagram", EXPAND_BLOCK, 1, 8,
         "diagram KIND [SELECTOR...] title=\"SENTENCE\" [KEYS of docs/diagrams.md] [id=NAME]",
         "a drawing whose facts come from an index expression or from records", kind_diagram_keys,
         true, kind_diagram, EXPAND_FIGURE},
        {"samples", EXPAND_BLOCK, 1, 1, "samples SELECTOR title=\"SENTENCE\" [id=NAME]",
         "the median of each process, drawn", no_keys, true, kind_samples, EXPAND_FIGURE},
        {"counters", EXPAND_BLOCK, 1, 8,
         "counters SELECTOR... [title=\"SENTENCE\"] [show=NAMES] [only=recorded] [id=NAME]",
         "hardware counters of each case", counters_keys, true, kind_counters, EXPAND_TABLE},
        {"history", EXPAND_BLOCK, 1, 1,
         "history SELECTOR title=\"SENTENCE\" [metric=NAME] [id=NAME]",
         "a metric over all runs, with its steps", metric_keys, true, kind_history, EXPAND_FIGURE},
        {"selftest", EXPAND_BLOCK, 0, 0, "selftest [device=NAME]",
         "how often the instrument calls equal code different, and finds a known difference",
         device_keys, false, kind_selftest, EXPAND_UNNUMBERED},
        {"nulls", EXPAND_BLOCK, 0, 0, "nulls [device=NAME]",
         "cases measured beside themselves, in the newest runs", device_keys, false, kind_nulls,
         EXPAND_TABLE},
        {"spread", EXPAND_BLOCK, 0, 0, "spread [device=NAME]",
         "how far apart runs of the same code lie", device_keys, false, kind_spread, EXPAND_TABLE},
        {"cards", EXPAND_BLOCK, 0, 0, "cards [device=NAME]",
         "how far apart cards of one kind lie, and how often that looks like a difference",
         device_keys, false, kind_cards, EXPAND_TABLE},
        {"widths", EXPAND_BLOCK, 0, 0, "widths [device=NAME]",
         "how narrow the intervals of short cases are, and what that took of the device",
         device_keys, false, kind_widths, EXPAND_TABLE},
        {"env", EXPAND_BLOCK, 0, 1, "env [SELECTOR] [run=ID] [device=NAME]",
         "the conditions of a run", run_keys, true, kind_env, EXPAND_UNNUMBERED},
        {"source", EXPAND_BLOCK, 1, 1,
         "source FAMILY/VARIANT [file=GLOB] [region=NAME] [part=kernels] [lines=A-B] [mark=LINES] "
         "[notes=\"TEXT; TEXT\"]",
         "the code as it was measured", source_keys, true, kind_source, EXPAND_UNNUMBERED},
        {"sass", EXPAND_BLOCK, 1, 1,
         "sass FAMILY/VARIANT [function=\"NAME\"] [region=NAME] [lines=A-B] [loop=LABEL] "
         "[from=X to=Y] [mark=LINES] [notes=\"TEXT; TEXT\"]",
         "the machine code as it was measured", sass_keys, true, kind_sass, EXPAND_UNNUMBERED},
        {"diff", EXPAND_BLOCK, 1, 1, "diff FAMILY/VARIANT [region=NAME] [part=kernels]",
         "the code against the variant before", diff_keys, true, kind_diff, EXPAND_UNNUMBERED},
        {"reproduce", EXPAND_BLOCK, 1, 1, "reproduce SELECTOR",
         "the commands that measure it again", no_keys, true, kind_reproduce, EXPAND_UNNUMBERED},
        {"prediction", EXPAND_BLOCK, 1, 1, "prediction ID",
         "a row: the claim, what was measured, the verdict; it opens to the reasons", no_keys,
         false, kind_prediction, EXPAND_UNNUMBERED},
        {"ledger", EXPAND_BLOCK, 0, 0, "ledger [series=NAME]",
         "all predictions and what became of them, misses first", ledger_keys, false, kind_ledger,
         EXPAND_UNNUMBERED},
        {"shortcode", EXPAND_BLOCK, 1, 8, "shortcode NAME [WORD...] [KEY=VALUE...]",
         "what templates/shortcodes/NAME.html prints", shortcode_keys, true, kind_shortcode,
         EXPAND_UNNUMBERED},
};

enum { NKINDS = ARRAY_LEN(kinds) };

/* Those that a page over several devices does not simply print for each. */
static const struct {
	const char *kind;
	enum kind_devices devices;
} other_devices[] = {
        {"source", KIND_SAME_CODE},     {"diff", KIND_SAME_CODE},
        {"cited", KIND_NO_DEVICE},      {"waive", KIND_NO_DEVICE},
        {"prediction", KIND_NO_DEVICE}, {"predicted", KIND_NO_DEVICE},
        {"shortcode", KIND_NO_DEVICE},  {"ledger", KIND_NO_DEVICE},
        {"sass", KIND_SAME_CODE},       {"sass-count", KIND_SAME_CODE},
        {"code-lines", KIND_SAME_CODE}, {"diagram", KIND_OF_CASES},
};

enum kind_devices kind_devices(const struct kind *k)
{
	for (size_t i = 0; i < ARRAY_LEN(other_devices); i++)
		if (strcmp(other_devices[i].kind, k->name) == 0)
			return other_devices[i].devices;
	return KIND_EACH_DEVICE;
}

const struct kind *kind_table(size_t *n)
{
	*n = NKINDS;
	return kinds;
}

static bool unknown_kind(const struct placeholder *p, struct err *e)
{
	const struct kind *near = &kinds[0];
	struct sb all = {0};
	enum { CAP = 32 };
	for (int i = 0; i < NKINDS; i++) {
		if (str_distance(p->kind, str_of(kinds[i].name), CAP) <
		    str_distance(p->kind, str_of(near->name), CAP))
			near = &kinds[i];
		sb_printf(&all, "%s%s", i ? ", " : "", kinds[i].name);
	}
	err_at(e, placeholder_loc(p, p->kind),
	       "no placeholder kind '" STR_FMT "', nearest is '%s'; there are %s", STR_ARG(p->kind),
	       near->name, all.p);
	sb_free(&all);
	return false;
}

static bool takes_key(const struct kind *k, struct str name)
{
	if (str_is(name, "id"))
		return k->numbered != EXPAND_UNNUMBERED;
	for (size_t i = 0; k->keys[i]; i++)
		if (str_is(name, k->keys[i]))
			return true;
	return str_is(name, "title") ? k->numbered != EXPAND_UNNUMBERED : k->selects;
}

static bool check_use(const struct kind *k, const struct placeholder *p, struct err *e)
{
	if (p->nwords < (size_t)k->min_words)
		return err_at(e, p->at, "'%s' needs more words, expected <<bench:%s>>", k->name,
		              k->usage);
	if (p->nwords > (size_t)k->max_words)
		return err_at(e, placeholder_loc(p, p->word[k->max_words]),
		              "'" STR_FMT "' is one word too many, expected <<bench:%s>>",
		              STR_ARG(p->word[k->max_words]), k->usage);
	for (size_t i = 0; i < p->nkeys; i++)
		if (!takes_key(k, p->key[i].name))
			return err_at(e, placeholder_loc(p, p->key[i].name),
			              "'%s' has no key '" STR_FMT "', expected <<bench:%s>>",
			              k->name, STR_ARG(p->key[i].name), k->usage);
	return true;
}

const struct kind *kind_of(const struct placeholder *p, struct err *e)
{
	for (int i = 0; i < NKINDS; i++)
		if (str_is(p->kind, kinds[i].name))
			return check_use(&kinds[i], p, e) ? &kinds[i] : NULL;
	unknown_kind(p, e);
	return NULL;
}

/* --- what several kinds read from a placeholder --- */

bool kind_no_metric(const struct kind_call *k, struct str name, struct err *e)
{
	struct sb all = {0};
	for (int i = 0; i < METRIC_COUNT; i++)
		sb_printf(&all, "%s%s", i ? ", " : "", metric_info((enum metric)i)->name);
	err_at(e, placeholder_loc(k->p, name), "no metric '" STR_FMT "', expected one of %s",
	       STR_ARG(name), all.p);
	sb_free(&all);
	return false;
}

bool kind_picks(struct kind_call *k, const char *const *own, struct pick **out, size_t *n,
                struct err *e)
{
	struct query q;
	return query_parse(k->p, k->p->word[0], own, true, &q, e) &&
	       query_all(k->ctx, &q, out, n, e);
}

bool kind_metric(const struct kind_call *k, const struct pick *p, enum metric *out, struct err *e)
{
	struct str name = placeholder_key(k->p, "metric");
	const struct metric_info *m =
	        name.p ? metric_find(name) : metric_info(roof_metric(k->ctx->data, p));
	if (!m)
		return kind_no_metric(k, name, e);
	*out = m->id;
	return true;
}

bool kind_over_cards(const struct kind_call *k)
{
	return placeholder_key(k->p, "over").p;
}

void kind_link(const struct expand_ctx *ctx, const char *url, const char *text, struct sb *to)
{
	html_raw(to, "<a href=\"");
	html_url(to, str_of(ctx->base));
	html_url(to, str_of(url));
	html_raw(to, "\">");
	html_text(to, str_of(text));
	html_raw(to, "</a>");
}
