/* Checks each line of the log of published numbers against the records that it names. */
#include "site-gen/audit/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/json.h"
#include "lib/record.h"
#include "lib/units.h"
#include "site-gen/audit/state.h"
#include "site-gen/audit/fact.h"
#include "site-gen/numbers/number.h"
#include "site-gen/numbers/published.h"
#include "site-gen/records/run.h"

#define SHEETS "data/specs/"

/* A figure that a data sheet had in some commit. */
struct past {
	struct str device;
	const char *key, *unit;
	double value;
};

struct holder {
	struct audit *a;
	struct past *past;
	size_t npast, cap;
	bool knows_past; /* the history of the data sheets was read completely */
};

/* The number that the records give for one key. */
struct given {
	enum audit_log_outcome as; /* HELD: compare; else why there is no number to compare */
	double value, lo, hi;
	const char *si; /* NULL: the unit of the text */
	struct sb text;
	struct audit_fact fact;
	/* datasheet numbers and shares of them: the spec's key, its device, and the figure used */
	struct str spec, device;
	double figure;
	bool share, cards, pooled, of_sheets; /* of_sheets: a derivation from data sheets */
	struct err e;                         /* if set, the line is wrong whatever its number */
};

/* --- data sheets of the past ------------------------------------------------------------------ */

static void keep_figures(struct holder *h, struct json root, const char *path)
{
	struct arena *m = h->a->records.a;
	struct json specs = json_get(root, "specs");
	struct str device = str_of(arena_strdup(m, path + strlen(SHEETS)));
	device.n -= device.n > 5 ? 5 : 0; /* ".json" */
	for (size_t i = 0; json_is_array(specs) && i < json_len(specs); i++) {
		struct json spec = json_item(specs, i);
		struct past p = {.device = device};
		struct err ignored = ERR_NONE;
		if (!json_is_object(spec) || !json_want_str(spec, "key", m, &p.key, &ignored) ||
		    !json_want_str(spec, "unit", m, &p.unit, &ignored) ||
		    !json_want_f64(spec, "value", &p.value, &ignored))
			continue;
		h->past = arena_grow(m, h->past, h->npast, &h->cap, sizeof *h->past);
		h->past[h->npast++] = p;
	}
}

static void read_past(struct holder *h)
{
	const struct data *d = h->a->data;
	h->knows_past = d->git && !d->history.shallow;
	for (size_t i = 0; i < d->history.n; i++) {
		const struct git_change *c = &d->history.change[i];
		struct err e = ERR_NONE;
		struct str bytes;
		struct json_doc *doc;
		struct json root;
		bool found;
		if (!c->after || !str_starts(str_of(c->path), SHEETS) ||
		    !str_ends(str_of(c->path), ".json"))
			continue;
		if (!git_bytes(d->git, c->after, h->a->records.a, &bytes, &found, &e) || !found) {
			h->knows_past = false;
			continue;
		}
		if (!json_parse(bytes, (struct loc){.path = c->path}, &doc, &root, &e))
			continue; /* malformed, so no build ever used it */
		keep_figures(h, root, c->path);
		json_free(doc);
	}
}

/* Has any figure of any data sheet ever changed? */
static bool sheets_changed(const struct holder *h)
{
	for (size_t i = 0; i < h->npast; i++) {
		const struct past *p = &h->past[i];
		const struct data_spec *s = data_spec_find(h->a->data, p->device, str_of(p->key));
		if (!s || s->value != p->value)
			return true;
	}
	return !h->knows_past;
}

/* --- from a key to its number ----------------------------------------------------------------- */

static const struct data_run *run_of(const struct data_run *r, size_t n, const char *id)
{
	for (size_t i = 0; id && i < n; i++)
		if (strcmp(r[i].run.head.id, id) == 0)
			return &r[i];
	return NULL;
}

/* Does the named run have a number of the case? If not, sets g->e or g->as. */
static bool has_number(struct holder *h, const char *run, struct str device, struct str id,
                       struct given *g)
{
	const struct data *d = h->a->data;
	const struct data_run *r = run_of(d->runs, d->nruns, run);
	if (!run)
		return err_set(&g->e, "names no run");
	if (!r)
		return err_set(&g->e, "is from run %s, which data/runs does not have", run);
	if (!str_is(device, r->run.head.device))
		return err_set(&g->e, "is from run %s, which is of %s", run, r->run.head.device);
	const struct run_case *c = data_run_case(r, str_dup(&h->a->records.scratch, id));
	if (!c)
		return err_set(&g->e, "is from run %s, which did not measure " STR_FMT, run,
		               STR_ARG(id));
	if (audit_case_of(&h->a->records, r, data_case_of(r, c))->has)
		return true;
	g->as = AUDIT_LOG_REFUSED;
	return false;
}

/* Position of the words in s; s.n if they do not occur. */
static size_t find(struct str s, const char *words)
{
	const char *at = s.n ? memmem(s.p, s.n, words, strlen(words)) : NULL;
	return at ? (size_t)(at - s.p) : s.n;
}

/* Cuts " in RUN [over RUN]" off a name; the runs must be those of the line. */
static bool cut_runs(const struct published *p, struct str *key, struct given *g)
{
	size_t at = find(*key, " in ");
	if (at == key->n)
		return true;
	struct str run = str_sub(*key, at + 4, key->n), over = {0};
	size_t cut = find(run, " over ");
	if (cut < run.n)
		over = str_sub(run, cut + 6, run.n);
	*key = str_sub(*key, 0, at);
	if (str_eq(str_sub(run, 0, cut), str_of(p->run)) && str_eq(over, str_of(p->over_run)))
		return true;
	return err_set(&g->e, "its name and its 'run' and 'over_run' disagree");
}

/* The present figure of a data sheet, or the last figure of a spec that was removed. */
static bool take_figure(const struct holder *h, struct str device, struct str key, struct given *g)
{
	const struct data_spec *now = data_spec_find(h->a->data, device, key);
	g->spec = key;
	g->device = now ? str_of(now->device) : device;
	g->figure = now ? now->value : 0;
	g->si = now ? now->si : NULL;
	for (size_t i = h->npast; i-- > 0 && !(g->figure > 0);)
		if (str_eq(h->past[i].device, device) && str_is(key, h->past[i].key)) {
			g->figure = h->past[i].value;
			g->si = h->past[i].unit;
		}
	if (g->figure > 0)
		return true;
	if (h->knows_past)
		return err_set(&g->e, "'" STR_FMT "' was never in data/specs", STR_ARG(key));
	g->as = AUDIT_LOG_SHEET;
	return false;
}

static void give_spec(const struct holder *h, struct str rest, struct given *g)
{
	struct str device, key;
	str_cut(rest, ' ', &device, &key);
	if (!take_figure(h, device, key, g))
		return;
	g->value = g->lo = g->hi = g->figure;
	audit_spec_text(g->value, g->si, &g->text);
}

/*
 * key -> device case metric [ ("over" | "of") (device case | "spec:"…) ]. Splits it into words and
 * returns their number; 0: not such a key.
 */
static size_t read_key(struct str key, struct str word[6])
{
	size_t n = 0;
	bool more = true;
	for (; more && n < 6; n++)
		more = str_cut(key, ' ', &word[n], &key);
	bool over = n > 3 && str_is(word[3], "over"), of = n > 3 && str_is(word[3], "of");
	bool spec = n == 5 && of && str_starts(word[4], "spec:");
	return !more && (n == 3 || spec || (n == 6 && (over || of))) ? n : 0;
}

/* Turns the value of a case into its share of a data sheet's figure, in per cent. */
static void in_percent(struct audit_number *n, double figure)
{
	n->value *= 100 / figure;
	n->lo *= 100 / figure;
	n->hi *= 100 / figure;
	n->speed[0] *= 100 / figure;
	n->speed[1] *= 100 / figure;
	n->si = "%";
}

/* Cuts an ending off; returns false if it is not there. */
static bool cut_end(struct str *s, const char *end)
{
	bool is = str_ends(*s, end);
	s->n -= is ? strlen(end) : 0;
	return is;
}

static struct str over_cards(struct holder *h, struct str key)
{
	return str_of(arena_printf(&h->a->records.scratch, STR_FMT " over cards", STR_ARG(key)));
}

static void give_measured(struct holder *h, const struct published *p, struct given *g)
{
	struct str key = str_of(p->number), word[6] = {0};
	const char *other = p->over_run ? p->over_run : p->run;
	struct audit_number n;
	if (!cut_runs(p, &key, g))
		return;
	g->cards = cut_end(&key, " over cards");
	size_t words = read_key(key, word);
	g->share = words == 5;
	if (g->share) /* derive the value of the case first, then its share */
		key.n = (size_t)(word[2].p + word[2].n - key.p);
	if (words == 0)
		err_set(&g->e, "is no name of a number, see data/PUBLISHED.md");
	if (words == 0 || !has_number(h, p->run, word[0], word[1], g) ||
	    (words == 6 && !has_number(h, other, word[4], word[5], g)) ||
	    !audit_number_keyed(&h->a->records, g->cards ? over_cards(h, key) : key, str_of(p->run),
	                        str_of(p->over_run), &n, &g->e) ||
	    (g->share && !take_figure(h, word[0], str_sub(word[4], 5, word[4].n), g)))
		return;
	if (g->share)
		in_percent(&n, g->figure);
	g->value = n.value;
	g->lo = n.lo;
	g->hi = n.hi;
	g->si = n.si;
	audit_number_text(&n, &g->text);
}

/* Checks that the run in a key "null RUN …" or "selftest RUN …" is that of the line. */
static bool is_of_its_run(const struct data *d, const struct published *p, struct str rest,
                          struct given *g)
{
	struct str id;
	str_cut(rest, ' ', &id, &rest);
	const struct data_run *r = run_of(d->runs, d->nruns, p->run);
	if (!p->run || !str_is(id, p->run))
		return err_set(&g->e, "its name and its 'run' disagree");
	if (!r)
		return err_set(&g->e, "is from run %s, which data/runs does not have", p->run);
	if (r->why_none)
		g->as = AUDIT_LOG_REFUSED;
	return !r->why_none;
}

static void give_counter(struct holder *h, const struct published *p, struct str rest,
                         struct given *g)
{
	const struct data *d = h->a->data;
	const struct data_run *r = run_of(d->profiles, d->nprofiles, p->run);
	struct str device, ignored;
	r = r ? r : run_of(d->runs, d->nruns, p->run);
	str_cut(rest, ' ', &device, &ignored);
	if (!r)
		err_set(&g->e, "is from run %s, which neither data/profiles nor data/runs has",
		        p->run ? p->run : "(none)");
	else if (!str_is(device, r->run.head.device))
		err_set(&g->e, "is from run %s, which is of %s", p->run, r->run.head.device);
	else if (r->why_none)
		g->as = AUDIT_LOG_REFUSED;
	else
		/* the caller reads g->e */
		unchecked(audit_counter_in(h->a, rest, r, &g->text, &g->fact, &g->e));
	g->value = g->lo = g->hi = g->fact.value;
}

static void give_fact(struct holder *h, const struct published *p, struct str kind, struct str rest,
                      struct given *g)
{
	struct err e = ERR_NONE;
	g->pooled = str_is(kind, "count") || str_is(kind, "spread") || str_is(kind, "width") ||
	            str_is(kind, "card");
	bool derived = str_is(kind, "derived");
	g->of_sheets = derived && find(rest, "spec:") < rest.n;
	if ((str_is(kind, "null") || str_is(kind, "selftest")) &&
	    !is_of_its_run(h->a->data, p, rest, g))
		return;
	struct str name = str_of(p->number);
	if (derived && p->run) /* an older run on a page that shows a newer one, too */
		cut_end(&name, arena_printf(&h->a->records.scratch, " in %s", p->run));
	if (audit_fact_text(h->a, name, str_of(p->run ? p->run : ""), &g->text, &g->fact, &e)) {
		g->value = g->fact.value;
		g->lo = g->fact.lo;
		g->hi = g->fact.hi;
		g->si = g->fact.si;
	} else if (g->fact.refused) /* the log cannot be mended */
		g->as = AUDIT_LOG_REFUSED;
	else if (g->pooled || (g->of_sheets && sheets_changed(h)))
		g->as = g->pooled ? AUDIT_LOG_POOLED : AUDIT_LOG_SHEET;
	else
		err_set(&g->e, "%s", e.text);
}

static void give(struct holder *h, const struct published *p, struct given *g)
{
	static const char *const facts[] = {"derived",  "count",  "null",  "drawn", "sass", "code",
	                                    "selftest", "spread", "width", "card",  "trace"};
	struct str kind, rest;
	str_cut(str_of(p->number), ' ', &kind, &rest);
	sb_clear(&g->text);
	*g = (struct given){.as = AUDIT_LOG_HELD, .text = g->text, .e = ERR_NONE};
	bool fact = false;
	for (size_t i = 0; i < ARRAY_LEN(facts); i++)
		fact = fact || str_is(kind, facts[i]);
	if (fact)
		give_fact(h, p, kind, rest, g);
	else if (str_is(kind, "counter"))
		give_counter(h, p, rest, g);
	else if (str_is(kind, "spec"))
		give_spec(h, rest, g);
	else
		give_measured(h, p, g);
}

/* --- comparing ------------------------------------------------------------------------------ */

/* Equal except for rounding, since two programs may add in different orders. */
static bool near(double x, double y, const char *unit)
{
	double most = fmax(fabs(x), fabs(y));
	return fabs(x - y) <= 1e-9 * (strcmp(unit, "%") == 0 ? fmax(most, 1) : most);
}

static bool same_amounts(const struct published *p, const struct given *g, double factor)
{
	/* the log has bounds only if they differ */
	double lo = g->hi > g->lo ? g->lo : g->value, hi = g->hi > g->lo ? g->hi : g->value;
	return near(p->value, factor * g->value, p->unit) && near(p->lo, factor * lo, p->unit) &&
	       near(p->hi, factor * hi, p->unit) && (!g->si || strcmp(g->si, p->unit) == 0);
}

static bool same_text(const struct published *p, const struct given *g)
{
	return audit_fact_says(&g->fact, str_of(p->text), sb_view(&g->text), false);
}

static bool agrees(const struct published *p, const struct given *g, bool format)
{
	return same_amounts(p, g, 1) && (!format || same_text(p, g));
}

/* Is the text the printed form of the line's own value and interval (already checked)? */
static bool text_of_amounts(const struct published *p, const struct given *g)
{
	const struct audit_number n = {.value = p->value, .lo = p->lo, .hi = p->hi, .si = p->unit};
	struct sb text = {0};
	if (g->share)
		audit_number_text(&n, &text);
	else
		audit_spec_text(p->value, p->unit, &text);
	bool same = str_eq(sb_view(&text), str_of(p->text));
	sb_free(&text);
	return same;
}

/* Does the line follow from a figure that its data sheet had in an earlier commit? */
static bool was_on_sheet(const struct holder *h, const struct published *p, const struct given *g,
                         bool format)
{
	for (size_t i = 0; i < h->npast; i++) {
		const struct past *past = &h->past[i];
		/* a share is inversely proportional to the figure */
		double factor = g->share ? g->figure / past->value : past->value / g->figure;
		if (str_eq(past->device, g->device) && str_is(g->spec, past->key) &&
		    same_amounts(p, g, factor) && (!format || text_of_amounts(p, g)))
			return true;
	}
	return false;
}

static void amounts(double value, double lo, double hi, const char *unit, struct sb *to)
{
	sb_printf(to, "%.10g", value);
	if (hi > lo)
		sb_printf(to, " [%.10g, %.10g]", lo, hi);
	sb_printf(to, "%s%s", *unit ? " " : "", unit);
}

static enum audit_log_outcome contradicts(struct holder *h, const struct published *p,
                                          const struct given *g)
{
	struct sb text = {0};
	sb_printf(&text, "%s: says '%s', ", p->number, p->text);
	amounts(p->value, p->lo, p->hi, p->unit, &text);
	sb_printf(&text, ", but %s%s gives '" STR_FMT "', ", p->run ? "run " : "data/",
	          p->run ? p->run : "", STR_ARG(sb_view(&g->text)));
	amounts(g->value, g->lo, g->hi, g->si ? g->si : p->unit, &text);
	problems_rule(h->a->found, RULE_NOTED, p->at, STR_FMT, STR_ARG(sb_view(&text)));
	sb_free(&text);
	return AUDIT_LOG_WRONG;
}

/*
 * Did the line, noted before a day, agree without a rule that is newer? The formatter's version did
 * not change with the rule, so the date decides. `without` is a member of h->a->records.
 */
static bool agreed_before(struct holder *h, const struct published *p, bool *without,
                          const char *day, bool format)
{
	struct given then = {0};
	if (strcmp(p->noted, day) >= 0)
		return false;
	*without = true;
	give(h, p, &then);
	*without = false;
	bool same = !then.e.set && then.as == AUDIT_LOG_HELD && agrees(p, &then, format);
	sb_free(&then.text);
	return same;
}

/* Did it agree before an energy's interval covered a step of its counter, or two speeds counted? */
static bool agreed_once(struct holder *h, const struct published *p, const struct given *g,
                        bool format)
{
	struct audit_records *r = &h->a->records;
	return g->si && (agreed_before(h, p, &r->stepless, "2026-11-22", format) ||
	                 agreed_before(h, p, &r->one_speed, "2026-11-24", format));
}

/* Was the record of a run committed on that day ("2026-11-22") or later? False if not known. */
static bool is_since(const struct data *d, const struct data_run *r, const char *day,
                     struct arena *a)
{
	int64_t from;
	if (!r->recorded || !run_seconds_of(arena_printf(a, "%sT00:00:00Z", day), &from))
		return false;
	for (size_t i = 0; i < d->history.n; i++)
		if (strcmp(d->history.change[i].commit, r->recorded) == 0)
			return d->history.change[i].time >= from;
	return false;
}

/*
 * May the line have been over other cards: is a record of the case older than the line's run, but
 * committed since the line was noted, or withdrawn?
 */
static bool had_other_cards(struct holder *h, const struct published *p, const struct given *g)
{
	const struct data *d = h->a->data;
	struct arena *m = &h->a->records.scratch;
	struct str word[6] = {0}, key = str_of(p->number);
	if (!g->cards || !cut_end(&key, " over cards") || read_key(key, word) == 0)
		return false;
	for (size_t i = 0; i < d->nruns; i++) {
		const struct data_run *r = &d->runs[i];
		const struct run_case *c = data_run_case(r, str_dup(m, word[1]));
		if (!c || strcmp(r->run.head.id, p->run) > 0 ||
		    !str_is(word[0], r->run.head.device))
			continue;
		if (data_case_of(r, c)->why[DATA_WITHDRAWN] || is_since(d, r, p->noted, m))
			return true;
	}
	return false;
}

/* Did the formatter ever have this version? */
static bool is_version(const char *format)
{
	int64_t version, now;
	return str_i64(str_of(format), &version) && str_i64(STR(NUMBER_FORMAT), &now) &&
	       version >= 1 && version <= now;
}

static enum audit_log_outcome hold(struct holder *h, const struct published *p,
                                   const struct given *g)
{
	bool format = strcmp(p->format, NUMBER_FORMAT) == 0;
	enum audit_log_outcome right = format ? AUDIT_LOG_HELD : AUDIT_LOG_FORMAT;
	if (!is_version(p->format)) {
		problems_rule(h->a->found, RULE_NOTED, p->at,
		              "%s: format '%s' is no version of the formatter, expected 1 to %s",
		              p->number, p->format, NUMBER_FORMAT);
		return AUDIT_LOG_WRONG;
	}
	if (g->e.set) {
		problems_rule(h->a->found, RULE_NOTED, p->at, "%s: %s", p->number, g->e.text);
		return AUDIT_LOG_WRONG;
	}
	if (g->as != AUDIT_LOG_HELD)
		return g->as;
	if (agrees(p, g, format) || agreed_once(h, p, g, format))
		return right;
	if (g->pooled || had_other_cards(h, p, g))
		return AUDIT_LOG_POOLED;
	if (g->spec.n && was_on_sheet(h, p, g, format))
		return right;
	if ((g->of_sheets && sheets_changed(h)) || (g->spec.n && !h->knows_past))
		return AUDIT_LOG_SHEET;
	return contradicts(h, p, g);
}

/* --- all lines -------------------------------------------------------------------------------- */

static int by_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int by_basis(const struct published *x, const struct published *y)
{
	int d = strcmp(x->number, y->number);
	d = d ? d : by_text(x->run, y->run);
	return d ? d : by_text(x->over_run, y->over_run);
}

static int by_basis_and_line(const void *a, const void *b)
{
	const struct published *x = *(const struct published *const *)a;
	const struct published *y = *(const struct published *const *)b;
	int d = by_basis(x, y);
	return d ? d : x->line - y->line;
}

struct audit_log_count audit_log(const struct data *d, const struct published_log *log,
                                 struct arena *arena, struct problems *found)
{
	struct audit_log_count count = {0};
	struct audit audit, *a = &audit;
	struct holder h = {.a = a};
	struct given g = {0};
	const struct published **line = ARENA_ARRAY(arena, const struct published *, log->n + 1);
	size_t n = 0;
	for (size_t i = 0; i < log->n; i++)
		if (log->line[i].text)
			line[n++] = &log->line[i];
	count.n[AUDIT_LOG_GONE] = log->n - n;
	if (n == 0)
		return count;
	qsort(line, n, sizeof *line, by_basis_and_line);
	audit_init_with(a, d, log, arena, found);
	a->records.refused = true;
	read_past(&h);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || by_basis(line[i - 1], line[i]) != 0) {
			arena_reset(&a->records.scratch);
			give(&h, line[i], &g);
		}
		count.n[hold(&h, line[i], &g)]++;
	}
	arena_free(&a->records.scratch);
	sb_free(&g.text);
	return count;
}

void audit_log_unheld(const struct audit_log_count *c, struct sb *to)
{
	static const struct {
		enum audit_log_outcome as;
		const char *what;
	} why[] = {
	        {AUDIT_LOG_FORMAT, "with the text of an older formatter"},
	        {AUDIT_LOG_REFUSED, "of cases that have no number"},
	        {AUDIT_LOG_POOLED, "over all runs of their day"},
	        {AUDIT_LOG_SHEET, "from data sheets that have changed"},
	};
	size_t all = 0;
	for (size_t i = 0; i < ARRAY_LEN(why); i++)
		all += c->n[why[i].as];
	if (all == 0)
		return;
	sb_printf(to, "%zu", all);
	for (size_t i = 0, k = 0; i < ARRAY_LEN(why); i++)
		if (c->n[why[i].as])
			sb_printf(to, "%s %zu %s", k++ ? "," : ":", c->n[why[i].as], why[i].what);
}
