#include "site-gen/audit/fact.h"

#include <math.h>
#include <string.h>

#include "lib/ways.h"
#include "site-gen/audit/drawn.h"
#include "site-gen/audit/listed.h"
#include "site-gen/audit/stamps.h"
#include "site-gen/audit/trust.h"
#include "site-gen/numbers/published.h"

static bool unknown(struct str what, const char *want, struct err *e)
{
	return err_set(e, "'" STR_FMT "' is no %s", STR_ARG(what), want);
}

/* --- datasheets and derived numbers --------------------------------------------------------- */

/*
 *   sum    -> product { ('+' | '-') product }
 *   product -> factor { ('*' | '/') factor }
 *   factor -> '(' sum ')' | 'spec:' key [ '@' device ] | number [ unit ]
 * The generator checked the dimensions; the audit only computes the value.
 */
struct arithmetic {
	const struct data *d;
	struct str s, device;
	size_t i;
	int depth;
	bool bad;
};

static char next(struct arithmetic *p)
{
	while (p->i < p->s.n && p->s.p[p->i] == ' ')
		p->i++;
	return p->i < p->s.n ? p->s.p[p->i] : 0;
}

static struct str take_word(struct arithmetic *p)
{
	size_t from = p->i;
	while (p->i < p->s.n && !memchr(" ()*/+", p->s.p[p->i], 6))
		p->i++;
	return str_sub(p->s, from, p->i);
}

static double sum(struct arithmetic *p);

static double spec_value(struct arithmetic *p, struct str name)
{
	struct str key, device;
	if (!str_cut(name, '@', &key, &device))
		device = p->device;
	const struct data_spec *s = data_spec_find(p->d, device, key);
	p->bad = p->bad || !s;
	return s ? s->value : 0;
}

static double factor(struct arithmetic *p)
{
	static const char *const units[] = {"FLOP", "B", "s"};
	double v = 0;
	if (next(p) == '(' && p->depth < 16) {
		p->i++;
		p->depth++;
		v = sum(p);
		p->depth--;
		p->bad = p->bad || next(p) != ')';
		p->i++;
		return v;
	}
	struct str w = take_word(p);
	if (str_starts(w, "spec:"))
		return spec_value(p, str_sub(w, 5, w.n));
	p->bad = p->bad || !str_f64(w, &v);
	next(p);
	size_t before = p->i;
	w = take_word(p);
	bool unit = false;
	for (int i = 0; i < 3; i++)
		unit = unit || str_is(w, units[i]);
	if (!unit)
		p->i = before;
	return v;
}

static double product(struct arithmetic *p)
{
	double v = factor(p);
	for (char c = next(p); (c == '*' || c == '/') && !p->bad; c = next(p)) {
		p->i++;
		double w = factor(p);
		v = c == '*' ? v * w : v / w;
	}
	return v;
}

static double sum(struct arithmetic *p)
{
	double v = product(p);
	for (char c = next(p); (c == '+' || c == '-') && !p->bad; c = next(p)) {
		p->i++;
		double w = product(p);
		v = c == '+' ? v + w : v - w;
	}
	return v;
}

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

/* rest -> device ' ' expression ' ' unit */
static bool put_derived(struct audit *a, struct str rest, struct sb *to, double *value,
                        struct err *e)
{
	struct arithmetic p = {.d = a->data};
	struct str all;
	if (!str_cut(rest, ' ', &p.device, &all))
		return unknown(rest, "derivation", e);
	size_t cut = all.n;
	while (cut > 0 && all.p[cut - 1] != ' ')
		cut--;
	struct str unit = str_sub(all, cut, all.n);
	p.s = str_sub(all, 0, cut);
	double v = sum(&p);
	if (p.bad || next(&p) || !isfinite(v))
		return unknown(all, "derivation", e);
	const char *si = str_dup(&a->records.scratch, unit);
	const struct audit_number n = {.value = str_is(unit, "%") ? 100 * v : v, .si = si};
	audit_number_amount(&n, to);
	*value = n.value;
	return true;
}

/* --- counts --------------------------------------------------------------------------------- */

/* A count of the cases that meet these conditions. */
struct count {
	struct audit *a;
	struct str what, family, variant, run;
	const char *device;             /* as records name it; NULL if none has it */
	struct str name[16], value[16]; /* parameters, dtype, cache, role */
	size_t n;
};

static bool in_list(struct str list, struct str word, const int64_t *num)
{
	struct str item;
	for (bool more = true; more;) {
		int64_t v;
		more = str_cut(list, ',', &item, &list);
		if ((num && unit_parse_size(item, &v) && v == *num) || str_glob(item, word))
			return true;
	}
	return false;
}

static bool has_value(const struct run_case *c, struct str name, struct str want)
{
	if (str_is(name, "dtype"))
		return in_list(want, str_of(c->dtype), NULL);
	if (str_is(name, "cache"))
		return in_list(want, str_of(c->cache), NULL);
	if (str_is(name, "role"))
		return in_list(want, str_of(c->role), NULL);
	for (size_t i = 0; i < c->nparams; i++)
		if (str_is(name, c->param[i].name))
			return in_list(want, str_of(c->param[i].word),
			               c->param[i].word ? NULL : &c->param[i].num);
	const struct ways_key *way = ways_find(name);
	return way && in_list(want, str_of(way->word[0]), NULL);
}

/* Unusual ways of measuring, knobs and families of the instrument count only if they are named. */
static bool is_named(const struct count *q, const struct run_case *c)
{
	for (size_t i = 0; i < c->nparams; i++) {
		const char *name = c->param[i].name;
		bool named = !ways_unusual(c, i) && !record_is_knob(c, name);
		for (size_t k = 0; !named && k < q->n; k++)
			named = str_is(q->name[k], name);
		if (!named)
			return false;
	}
	return !data_is_apart(c->family) || data_names_apart(q->family);
}

static bool selects(const struct count *q, const struct run_case *c)
{
	bool ok =
	        str_glob(q->family, str_of(c->family)) && str_glob(q->variant, str_of(c->variant));
	for (size_t i = 0; ok && i < q->n; i++)
		ok = has_value(c, q->name[i], q->value[i]);
	return ok && is_named(q, c);
}

/* Adds key=value, or one more item of the previous key's list. */
static void add_condition(struct count *q, struct str part)
{
	struct str name, value;
	if (str_cut(part, '=', &name, &value) && q->n < 16) {
		if (str_is(name, "device"))
			q->device = data_device_find(q->a->data, value);
		else if (str_is(name, "run"))
			q->run = value;
		else {
			q->name[q->n] = name;
			q->value[q->n++] = value;
		}
	} else if (q->n > 0) {
		struct str *last = &q->value[q->n - 1];
		last->n = (size_t)(part.p + part.n - last->p);
	}
}

static void read_selector(struct count *q, struct str s)
{
	struct str path, conditions, part;
	bool more = str_cut(s, ':', &path, &conditions);
	if (!str_cut(path, '/', &q->family, &q->variant))
		q->variant = STR("*");
	while (more) {
		more = str_cut(conditions, ',', &part, &conditions);
		add_condition(q, part);
	}
}

/* rest -> what { ' ' word } " on " device */
static bool read_count(struct count *q, struct str rest)
{
	const char *on = NULL;
	for (size_t i = 0; i + 4 <= rest.n; i++)
		if (memcmp(rest.p + i, " on ", 4) == 0)
			on = rest.p + i;
	if (!on)
		return false;
	struct str words = str_sub(rest, 0, (size_t)(on - rest.p)), word;
	q->device = data_device_find(q->a->data, str_sub(rest, words.n + 4, rest.n));
	q->family = q->variant = STR("*");
	bool more = str_cut(words, ' ', &q->what, &words);
	for (int i = 0; more; i++) {
		more = str_cut(words, ' ', &word, &words);
		if (i == 0 && str_find(word, '=', 0) > str_find(word, ':', 0))
			read_selector(q, word);
		else if (i == 0 && str_find(word, '=', 0) == word.n)
			read_selector(q, word);
		else
			add_condition(q, word);
	}
	return true;
}

static bool in_scope(const struct count *q, const struct data_run *r)
{
	bool pinned = q->run.n && strncmp(r->run.head.id, q->run.p, q->run.n) == 0;
	return !r->why_none &&
	       (q->run.n ? pinned : q->device && strcmp(q->device, r->run.head.device) == 0);
}

/* Does this case of run i count, as the one of the newest run in scope? */
static bool stands(const struct count *q, size_t i, const struct data_case *d)
{
	const struct data *data = q->a->data;
	for (size_t k = 0; k < i; k++) {
		const struct data_run *r = &data->runs[k];
		const struct run_case *c = in_scope(q, r) ? data_run_case(r, d->c->id) : NULL;
		if (c && !q->run.n && data_case_of(r, c)->why[DATA_WITHDRAWN])
			continue; /* ignore the case */
		if (c && !(c->unavailable && !d->c->unavailable))
			return false;
	}
	return true;
}

/* The group that the count counts once, such as a family; "" if every case counts. */
static const char *group_of(const struct count *q, const struct run_case *c)
{
	struct arena *a = &q->a->records.scratch;
	return str_is(q->what, "families")   ? c->family
	       : str_is(q->what, "variants") ? arena_printf(a, "%s/%s", c->family, c->variant)
	                                     : "";
}

enum { MAX_GROUPS = 4096 };

static size_t count_case(const struct count *q, const struct audit_case *c, const char **seen,
                         size_t *nseen)
{
	if (str_is(q->what, "launches"))
		return c->time.launches;
	if (str_is(q->what, "samples"))
		return c->d->time.samples;
	const char *group = group_of(q, c->d->c);
	for (size_t i = 0; *group && i < *nseen; i++)
		if (strcmp(seen[i], group) == 0)
			return 0;
	if (*group && *nseen < MAX_GROUPS)
		seen[(*nseen)++] = group;
	return 1;
}

static size_t count_cases(const struct count *q)
{
	const char **seen = ARENA_ARRAY(&q->a->records.scratch, const char *, MAX_GROUPS);
	size_t nseen = 0, total = 0;
	for (size_t i = 0; i < q->a->data->nruns; i++) {
		const struct data_run *r = &q->a->data->runs[i];
		bool any = false, in = in_scope(q, r);
		for (size_t k = 0; in && k < r->run.ncases; k++) {
			const struct data_case *d = &r->cases[k];
			if (!selects(q, d->c) || (!q->run.n && d->why[DATA_WITHDRAWN]))
				continue;
			any = true;
			const struct audit_case *c = audit_case_of(&q->a->records, r, d);
			if (!str_is(q->what, "runs") && c->has && stands(q, i, d))
				total += count_case(q, c, seen, &nseen);
		}
		total += any && str_is(q->what, "runs");
	}
	return total;
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

bool audit_fact_text(struct audit *a, struct str key, struct sb *to, struct audit_fact *out,
                     struct err *e)
{
	struct str kind, rest;
	struct count q = {.a = a};
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
		return put_derived(a, rest, to, &out->value, e);
	}
	if (two && str_is(kind, "drawn")) {
		out->what = AUDIT_N_DRAWN;
		return audit_drawn(rest, to, &out->value, e);
	}
	if (two && str_is(kind, "sass")) {
		out->what = AUDIT_N_LISTED;
		return audit_listed(a->data, rest, to, &out->value, &out->listing, e);
	}
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
	if (!two || !str_is(kind, "count") || !read_count(&q, rest))
		return unknown(key, "key of a number", e);
	size_t n = count_cases(&q);
	out->value = (double)n;
	sb_printf(to, "%zu", n);
	return true;
}
