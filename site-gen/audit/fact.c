#include "site-gen/audit/fact.h"

#include <math.h>
#include <string.h>

#include "site-gen/audit/code_lines.h"
#include "site-gen/audit/count.h"
#include "site-gen/audit/derived.h"
#include "site-gen/audit/drawn.h"
#include "site-gen/audit/html.h"
#include "site-gen/audit/listed.h"
#include "site-gen/audit/stamps.h"
#include "site-gen/audit/trust.h"
#include "site-gen/numbers/published.h"

static bool unknown(struct str what, const char *want, struct err *e)
{
	return err_set(e, "'" STR_FMT "' is no %s", STR_ARG(what), want);
}

/* --- datasheets ----------------------------------------------------------------------------- */

static bool put_spec(struct audit *a, struct str rest, struct sb *to, double *value, struct err *e)
{
	struct str device, key;
	if (!str_cut(rest, ' ', &device, &key))
		return unknown(rest, "datasheet number", e);
	const struct data_spec *s = data_spec_find(a->data, device, key);
	if (!s)
		return unknown(rest, "number of data/specs", e);
	audit_spec_text(s->value, s->si, to);
	*value = s->value;
	return true;
}

/* --- counters ------------------------------------------------------------------------------- */

/* The counters of a case in a file, or NULL. */
static const struct run_counters *counters_in(const struct data_run *r, const char *id,
                                              struct audit_fact *out)
{
	const struct run_case *c = data_run_case(r, id);
	const struct run_counters *k = c ? record_counters(&r->run, c) : NULL;
	if (!k || k->unavailable || r->why_none)
		return NULL;
	out->file = r;
	out->of = c;
	return k;
}

/* The counters of this case from the newest file that has values. */
static const struct run_counters *counters_for(const struct data_run *r, size_t n,
                                               struct str device, const char *id,
                                               struct audit_fact *out)
{
	const struct run_counters *k = NULL;
	for (size_t i = 0; i < n && !k; i++)
		if (str_is(device, r[i].run.head.device))
			k = counters_in(&r[i], id, out);
	return k;
}

static bool of_dram(const struct run_counters *k, double *sum)
{
	const struct run_counter *r = record_counter(k, "dram_read_bytes");
	const struct run_counter *w = record_counter(k, "dram_written_bytes");
	*sum = r && w ? r->value + w->value : 0;
	return r && w;
}

/* Computes ratios such as "load_sectors_per_request": sectors over requests. */
static bool of_requests(const struct run_counters *k, struct str name, double *ratio)
{
	bool load = str_is(name, "load_sectors_per_request");
	if (!load && !str_is(name, "store_sectors_per_request"))
		return false;
	const struct run_counter *s = record_counter(k, load ? "load_sectors" : "store_sectors");
	const struct run_counter *r = record_counter(k, load ? "load_requests" : "store_requests");
	*ratio = s && r && r->value > 0 ? s->value / r->value : 0;
	return s && r && r->value > 0;
}

/* Three digits: "268 million". */
static void large_amount(double v, struct sb *to)
{
	double third = pow(10, floor(log10(v)) - 2), shown = third * round(v / third);
	double in = shown < 1e9 ? 1e6 : 1e9;
	sb_printf(to, shown / in < 1000 ? "%.3g" : "%.0f", shown / in);
	sb_printf(to, NBSP "%s", in < 1e9 ? "million" : "billion");
}

static void counter_amount(struct str name, double v, struct sb *to)
{
	bool bytes = str_ends(name, "_bytes"), percent = str_ends(name, "_percent");
	const struct audit_number n = {.value = v, .si = bytes ? "B" : percent ? "%" : "×"};
	if (bytes || percent || str_is(name, "dram_over_model"))
		audit_number_amount(&n, to);
	else if (str_ends(name, "_warps") || str_ends(name, "_per_request"))
		sb_printf(to, v < 10 ? "%.2f" : "%.1f", v);
	else if (v < 1e6)
		sb_printf(to, "%.0f", v);
	else
		large_amount(v, to);
}

/*
 * figure -> { digit | '.' } at the start of s. `to` gets its digits, without leading and trailing
 * zeros.
 */
static size_t figure_at(struct str s, struct sb *to)
{
	size_t i = 0;
	for (; i < s.n && (s.p[i] == '.' || (s.p[i] >= '0' && s.p[i] <= '9')); i++)
		if (s.p[i] != '.' && (to->n || s.p[i] != '0'))
			sb_char(to, s.p[i]);
	while (to->n && to->p[to->n - 1] == '0')
		to->n--;
	return i;
}

static bool has_digit(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] >= '0' && s.p[i] <= '9')
			return true;
	return false;
}

/* Is `said` the count `want`, in groups of three digits with narrow spaces between them? */
static bool is_grouped(struct str said, struct str want)
{
	size_t w = want.n, group = 0;
	for (size_t i = said.n; i > 0; i--) {
		if (group == 3 && str_ends(str_sub(said, 0, i), "\u202f")) {
			i -= strlen("\u202f") - 1;
			group = 0;
		} else if (group++ == 3 || w == 0 || said.p[i - 1] != want.p[--w]) {
			return false;
		}
	}
	return w == 0 && group > 0;
}

bool audit_fact_says(const struct audit_fact *f, struct str said, struct str want, bool english)
{
	struct sb x = {0}, y = {0};
	if (english || f->what != AUDIT_N_COUNTER || !str_ends(want, "illion"))
		return str_eq(said, want) || is_grouped(said, want);
	struct str words = str_sub(said, figure_at(said, &x), said.n);
	figure_at(want, &y);
	bool same = str_eq(sb_view(&x), sb_view(&y)) && words.n > 0 && !has_digit(words) &&
	            (!str_ends(words, "illion") || str_eq(said, want));
	sb_free(&x);
	sb_free(&y);
	return same;
}

/* rest -> device ' ' case ' ' name. Reads `file`, or if NULL the newest file with the counter. */
static bool counter_value(struct audit *a, struct str rest, const struct data_run *file,
                          struct str *name, struct audit_fact *out, struct err *e)
{
	struct str device, id;
	const struct data *d = a->data;
	double *value = &out->value;
	if (!str_cut(rest, ' ', &device, &rest) || !str_cut(rest, ' ', &id, name))
		return unknown(rest, "counter", e);
	const char *key = str_dup(&a->records.scratch, id);
	const struct run_counters *k =
	        file ? counters_in(file, key, out)
	             : counters_for(d->profiles, d->nprofiles, device, key, out);
	k = k || file ? k : counters_for(d->runs, d->nruns, device, key, out);
	if (!k)
		return unknown(id, "case with counters", e);
	const struct run_counter *one = record_counter(k, str_dup(&a->records.scratch, *name));
	double model = (double)(out->of->model.bytes_read + out->of->model.bytes_written), sum;
	if (one)
		*value = one->value;
	else if (str_is(*name, "dram_bytes") && of_dram(k, &sum))
		*value = sum;
	else if (of_requests(k, *name, &sum))
		*value = sum;
	else if (str_is(*name, "dram_over_model") && of_dram(k, &sum) && model > 0)
		*value = sum / model;
	else
		return unknown(*name, "counter of this case", e);
	return true;
}

static bool put_counter(struct audit *a, struct str rest, struct sb *to, struct audit_fact *out,
                        struct err *e)
{
	struct str name;
	if (!counter_value(a, rest, NULL, &name, out, e))
		return false;
	if (str_ends(name, "_percent") && out->value > 101)
		return err_set(e,
		               "'" STR_FMT "' of this case is more than 100 %%, so it is not shown",
		               STR_ARG(name));
	counter_amount(name, out->value, to);
	return true;
}

bool audit_counter_in(struct audit *a, struct str rest, const struct data_run *file, struct sb *to,
                      struct audit_fact *out, struct err *e)
{
	struct str name;
	*out = (struct audit_fact){.what = AUDIT_N_COUNTER};
	if (!counter_value(a, rest, file, &name, out, e))
		return false;
	counter_amount(name, out->value, to);
	return true;
}

/* --- the instrument --------------------------------------------------------------------------- */

static bool put_trust(struct audit *a, struct str kind, struct str rest, struct sb *to,
                      double *value, struct err *e)
{
	bool known = str_is(kind, "selftest") ? audit_selftest(a, rest, value)
	             : str_is(kind, "null")   ? audit_null(a, rest, value)
	             : str_is(kind, "width")  ? audit_width(a, rest, value)
	             : str_is(kind, "card")   ? audit_card(a, rest, value)
	                                      : audit_spread(a, rest, value);
	const struct audit_number n = {.value = known ? *value : 0, .si = "%"};
	if (!known)
		return unknown(rest, "figure of the instrument", e);
	audit_number_amount(&n, to);
	return true;
}

/* rest -> line [ ' range' ], a line number of the log of published numbers */
static bool put_noted(struct audit *a, struct str rest, struct sb *to, struct err *e)
{
	struct str number, range;
	int64_t line;
	bool ranged = str_cut(rest, ' ', &number, &range);
	if (!str_i64(number, &line) || (ranged && !str_is(range, "range")))
		return unknown(rest, "line of " PUBLISHED_PATH, e);
	const struct published *p = published_at(a->log, line);
	if (!p)
		return err_set(e, "line %lld of the log of published numbers says no number",
		               (long long)line);
	if (ranged)
		published_interval(p, to);
	else
		sb_cstr(to, p->text);
	return true;
}

static bool put_listed(struct audit *a, struct str rest, struct sb *to, struct audit_fact *out,
                       struct err *e)
{
	const struct data_sass *file = NULL;
	if (!audit_listed(a->data, rest, to, &out->value, &file, e))
		return false;
	out->is_of = arena_printf(&a->records.scratch, "the listing %s", file->sass.id);
	out->preview = !file->file.committed;
	return true;
}

static bool put_code(struct audit *a, struct str rest, struct sb *to, struct audit_fact *out,
                     struct err *e)
{
	out->is_of = "the run that measured this code";
	return audit_code_lines(a, rest, to, &out->value, &out->preview, e);
}

static bool put_derived(struct audit *a, struct str rest, struct str runs, struct sb *to,
                        struct audit_fact *out, struct err *e)
{
	struct audit_derived d;
	bool ok = audit_derived(a, rest, runs, to, &d, e);
	out->refused = d.refused;
	if (!ok)
		return false;
	out->value = d.value;
	out->lo = d.lo;
	out->hi = d.hi;
	out->worst = d.worst;
	out->first = d.first;
	out->fragment = d.fragment;
	out->said = d.said;
	out->range = d.range;
	out->ci = d.ci;
	out->si = d.si;
	return true;
}

/* --- states ----------------------------------------------------------------------------------- */

static bool refuses_preview(struct audit *a, bool is, const char *what, struct loc at)
{
	if (is && !a->preview)
		problems_rule(a->found, RULE_WHOLE, at, "is a preview: %s is not committed", what);
	return is;
}

/* A counter of another build is stale; one from an uncommitted file is a preview. */
static void judge_counter(struct audit *a, const struct audit_fact *f, const struct audit_shown *s)
{
	const struct audit_case *m = audit_measured(&a->records, s->link->href);
	enum data_state state = !f->file->committed ? DATA_PREVIEW
	                        : m && !audit_counted_code(&f->file->run, f->of, m->d->c)
	                                ? DATA_STALE
	                                : DATA_OK;
	const char *name = state == DATA_OK ? "" : data_state_name(state);
	if (!str_is(s->link->state, name) || s->marked != data_state_marked(state))
		problems_rule(a->found, RULE_FRESH, s->at,
		              "a counter of %s, is shown as '" STR_FMT
		              "'%s, but it is '%s' beside what run %s measured",
		              f->file->run.head.id, STR_ARG(s->link->state),
		              s->marked ? " with a mark" : "", name,
		              m ? m->run->run.head.id : "none");
	refuses_preview(a, state == DATA_PREVIEW, f->file->run.head.id, s->at);
}

/* What is counted in a file that is not committed is a preview. */
static void judge_count(struct audit *a, const struct audit_fact *f, const struct audit_shown *s)
{
	const char *name = f->preview ? data_state_name(DATA_PREVIEW) : "";
	if (!str_is(s->link->state, name) || s->marked != f->preview)
		problems_rule(a->found, RULE_WHOLE, s->at,
		              "a count in %s is shown as '" STR_FMT "'%s", f->is_of,
		              STR_ARG(s->link->state), s->marked ? " with a mark" : "");
	refuses_preview(a, f->preview, f->is_of, s->at);
}

static bool contains(struct str text, const char *part)
{
	return text.n && memmem(text.p, text.n, part, strlen(part));
}

/* Does a title say the whole expression: behind a space, and before ';' or the end? */
static bool says_all(struct str title, const char *said)
{
	size_t n = strlen(said);
	for (size_t i = 1; i + n <= title.n; i++)
		if (title.p[i - 1] == ' ' && memcmp(title.p + i, said, n) == 0 &&
		    (i + n == title.n || title.p[i + n] == ';'))
			return true;
	return false;
}

static void judge_title(struct audit *a, const struct audit_fact *f, const struct audit_shown *s)
{
	struct sb plain = {0};
	audit_html_plain(&plain, s->title);
	const char *wrong = !says_all(sb_view(&plain), f->said)                ? f->said
	                    : f->range && !contains(sb_view(&plain), f->range) ? f->range
	                                                                       : NULL;
	if (s->ci.p) {
		sb_clear(&plain);
		audit_html_plain(&plain, s->ci);
		wrong = wrong || str_is(sb_view(&plain), f->ci) ? wrong : f->ci;
	}
	if (wrong)
		problems_rule(
		        a->found, RULE_TRACED, s->at,
		        "the title or data-ci of a derivation does not say %s, as the records do",
		        wrong);
	sb_free(&plain);
}

/* A derivation has the state of its worst number, and links to its first. */
static void judge_derived(struct audit *a, const struct audit_fact *f, const struct audit_shown *s)
{
	const struct data_case *worst = f->worst;
	struct str fragment = {0};
	if (!str_is(s->link->state, data_state_name(worst->state)) ||
	    s->marked != data_state_marked(worst->state))
		problems_rule(a->found, RULE_TRACED, s->at,
		              "a derivation is shown as '" STR_FMT "'%s, but '%s' is '%s'",
		              STR_ARG(s->link->state), s->marked ? " with a mark" : "",
		              worst->c->id, data_state_name(worst->state));
	const struct data_number *n = audit_address(a->data, s->link->href, &fragment);
	if (!n || strcmp(n->url, f->first->url) != 0 || !str_is(fragment, f->fragment) ||
	    strcmp(s->tag, "a") != 0)
		problems_rule(a->found, RULE_TRACED, s->at,
		              "a derivation is <%s> to " STR_FMT
		              ", and its first number is '%s', #%s",
		              s->tag, STR_ARG(s->link->href), f->first->c->id, f->fragment);
	refuses_preview(a, worst->why[DATA_PREVIEW], worst->c->id, s->at);
}

/* A derivation without measured numbers has no state, and nothing to link to. */
static void judge_plain(struct audit *a, const struct audit_shown *s)
{
	if (s->link->href.n || s->link->state.n || s->marked || strcmp(s->tag, "a") == 0)
		problems_rule(a->found, RULE_TRACED, s->at,
		              "a derivation without measured numbers is shown with a link or a "
		              "state");
}

void audit_fact_judge(struct audit *a, const struct audit_fact *f, const struct audit_shown *s)
{
	if (f->what == AUDIT_N_DERIVED && !f->worst)
		judge_plain(a, s);
	if (f->is_of)
		judge_count(a, f, s);
	if (f->worst) {
		judge_derived(a, f, s);
		judge_title(a, f, s);
	}
	if (f->what == AUDIT_N_COUNTER)
		judge_counter(a, f, s);
}

static bool put_fact(struct audit *a, struct str key, struct str runs, struct sb *to,
                     struct audit_fact *out, struct err *e)
{
	struct str kind, rest;
	size_t n = 0;
	bool two = str_cut(key, ' ', &kind, &rest);
	*out = (struct audit_fact){.what = AUDIT_N_COUNT};
	if (two && str_is(kind, "noted")) {
		out->what = AUDIT_N_NOTED;
		return put_noted(a, rest, to, e);
	}
	if (two && str_is(kind, "spec")) {
		out->what = AUDIT_N_SPEC;
		return put_spec(a, rest, to, &out->value, e);
	}
	if (two && str_is(kind, "derived")) {
		out->what = AUDIT_N_DERIVED;
		return put_derived(a, rest, runs, to, out, e);
	}
	if (two && str_is(kind, "drawn")) {
		out->what = AUDIT_N_DRAWN;
		return audit_drawn(rest, to, &out->value, e);
	}
	if (two && str_is(kind, "sass")) {
		out->what = AUDIT_N_LISTED;
		return put_listed(a, rest, to, out, e);
	}
	if (two && str_is(kind, "code"))
		return put_code(a, rest, to, out, e);
	if (two && str_is(kind, "trace")) {
		out->what = AUDIT_N_STAMPS;
		return audit_stamps(a, rest, to, &out->value, e);
	}
	if (two && str_is(kind, "counter")) {
		out->what = AUDIT_N_COUNTER;
		return put_counter(a, rest, to, out, e);
	}
	bool trust =
	        two && (str_is(kind, "selftest") || str_is(kind, "null") ||
	                str_is(kind, "spread") || str_is(kind, "width") || str_is(kind, "card"));
	if (trust) {
		out->what = AUDIT_N_TRUST;
		return put_trust(a, kind, rest, to, &out->value, e);
	}
	if (!two || !str_is(kind, "count") || !audit_count(a, rest, &n))
		return unknown(key, "key of a number", e);
	out->value = (double)n;
	sb_printf(to, "%zu", n);
	return true;
}

bool audit_fact_text(struct audit *a, struct str key, struct str runs, struct sb *to,
                     struct audit_fact *out, struct err *e)
{
	if (!put_fact(a, key, runs, to, out, e))
		return false;
	if (!out->worst)
		out->lo = out->hi = out->value;
	return true;
}
