/* The kinds for use in a sentence: value, ratio, percent, spec, count. */
#include <string.h>

#include "lib/array.h"
#include "site-gen/lint/directed.h"
#include "site-gen/numbers/roof.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/kinds.h"

static const char *const own_keys[] = {"metric", "over", "of", "needs", NULL};

static const char *title_of(const struct kind_call *k, const struct run_case *c)
{
	return case_title(k->ctx->words, c, k->ctx->arena);
}

static bool pick_one(struct kind_call *k, struct pick *out, struct err *e)
{
	struct query q;
	return query_parse(k->p, k->p->word[0], own_keys, true, &q, e) &&
	       query_one(k->ctx, &q, out, e);
}

/*
 * Writes the number as a link, or as text with its state in words. Equal machine code (same-code)
 * needs no words.
 */
static void put_number(struct kind_call *k, const struct number *n, const char *classes,
                       const char *what)
{
	if (k->html) {
		number_link(k->ctx, n, classes, what, k->to);
		return;
	}
	number_text(n, k->to);
	number_cards_text(k->ctx, n, k->to);
	number_quote(k->ctx, n);
	if (number_case(n)->state != DATA_OK && number_case(n)->state != DATA_SAME_CODE)
		sb_printf(k->to, " (%s)",
		          words_state(k->ctx->words, data_state_name(number_case(n)->state)));
}

static const char *why_none(const struct run_case *c, enum metric m)
{
	bool flop = m == METRIC_FLOPCLOCK || m == METRIC_FLOPCOST;
	if (!metric_is_read(m) || (flop && (c->model.flop == 0 || c->model.op)))
		return "its cost model counts none";
	if (metric_info(m)->from == METRIC_FROM_ENERGY)
		return "its launches did not read it, which takes half a second of samples, as "
		       "load=sustained has";
	if (metric_info(m)->from == METRIC_FROM_CHECK)
		return "its outputs are exact, or its record is older than schema 1.2";
	return "its launches did not read it";
}

static bool number_for(struct kind_call *k, const struct pick *p, enum metric m, struct number *out,
                       struct err *e)
{
	return number_of(p, m, out) || err_at(e, k->p->at, "%s has no %s: %s", p->d->c->id,
	                                      metric_info(m)->name, why_none(p->d->c, m));
}

/* The number of the case, or the one over cards if the placeholder says so. */
static bool value_for(struct kind_call *k, const struct pick *p, enum metric m, struct number *out,
                      struct err *e)
{
	if (!kind_over_cards(k))
		return number_for(k, p, m, out, e);
	return number_want_over_cards(k->ctx->data, p, m,
	                              placeholder_loc(k->p, placeholder_key(k->p, "over")), out, e);
}

bool kind_value(struct kind_call *k, struct err *e)
{
	struct pick p;
	enum metric m;
	struct number n;
	if (!number_check_cards(k->p, e) || !pick_one(k, &p, e) || !kind_metric(k, &p, &m, e) ||
	    !value_for(k, &p, m, &n, e))
		return false;
	put_number(k, &n, "",
	           arena_printf(k->ctx->arena, "%s, %s", title_of(k, p.d->c),
	                        words_label(k->ctx->words, metric_info(m)->name)));
	return true;
}

/* Checks that words beside a ratio, such as "faster" or "time", fit it. */
static bool is_directed(struct kind_call *k, const struct number *n, enum metric m, struct err *e)
{
	const struct metric_info *info = metric_info(m);
	struct directed d = {k->p->before, k->p->after, strcmp(info->si, "s") == 0, n->hi < 1};
	const char *wrong = directed_wrong(&d);
	return !wrong ||
	       rule_err(e, RULE_TYPED, k->p->at,
	                "the sentence calls it %s, and it is a ratio of %s, %.4g: expected "
	                "metric=time beside 'time', and a factor above 1 beside 'faster'",
	                wrong, info->name, n->value);
}

/* needs=cards: refuses a ratio of two devices that is not over cards. */
static bool has_needed_cards(struct kind_call *k, const struct number *n, struct err *e)
{
	struct str needs = placeholder_key(k->p, "needs");
	if (!needs.p)
		return true;
	if (!str_is(needs, "cards"))
		return err_at(e, placeholder_loc(k->p, needs), "needs=" STR_FMT ", expected cards",
		              STR_ARG(needs));
	if (!number_of_two_devices(n))
		return err_at(e, placeholder_loc(k->p, needs),
		              "needs=cards is for a ratio of two devices; within a run the card "
		              "cancels");
	const struct data *d = k->ctx->data;
	return n->cards ||
	       err_at(e, placeholder_loc(k->p, needs),
	              "a ratio over cards needs %d cards on each side with the same machine code, "
	              "and %s was measured on %zu, %s of %s on %zu",
	              DATA_CARDS_LEAST, n->pick.d->c->id,
	              data_number_at(d, str_of(n->pick.d->url))->ncards, n->over.d->c->id,
	              n->over.run->run.head.device,
	              data_number_at(d, str_of(n->over.d->url))->ncards);
}

/* A side of a ratio, beside `first`; after its device if there are two. */
static const char *named(const struct kind_call *k, const struct pick *p, const struct pick *first,
                         bool device)
{
	const char *title =
	        p == first ? title_of(k, p->d->c)
	                   : case_beside(k->ctx->words, first->d->c, p->d->c, k->ctx->arena);
	return device ? arena_printf(k->ctx->arena, "%s %s", p->run->run.head.device, title)
	              : title;
}

/*
 * Says what the ratio is one of, unless its sentence does: "1.3× in bandwidth". A number that
 * stands alone, as in a cell of a table, has its words elsewhere.
 */
static void put_quantity(struct kind_call *k, enum metric m)
{
	struct str before = str_trim(k->p->before), after = str_trim(k->p->after);
	if (before.n + after.n == 0 || directed_named(before, after))
		return;
	const char *in = words_fill(k->ctx->words, k->ctx->arena, "ratio_in",
	                            words_label(k->ctx->words, metric_info(m)->name), NULL);
	if (k->html)
		html_text(k->to, str_of(in));
	else
		sb_cstr(k->to, in);
}

bool kind_ratio(struct kind_call *k, struct err *e)
{
	struct str over = placeholder_key(k->p, "over");
	struct pick a, b;
	struct query q;
	enum metric m;
	struct number top, bottom;
	if (!over.p)
		return err_at(e, k->p->at, "a ratio needs what it is over, expected <<bench:%s>>",
		              k->kind->usage);
	if (!pick_one(k, &a, e) || !query_parse(k->p, over, own_keys, false, &q, e) ||
	    !query_pair(k->ctx, &q, &a, &b, e) || !kind_metric(k, &a, &m, e) ||
	    !number_for(k, &a, m, &top, e) || !number_for(k, &b, m, &bottom, e))
		return false;
	if (!number_want_comparable(&a, &b, placeholder_loc(k->p, over), e))
		return false;
	struct number n = number_ratio(k->ctx->data, &a, &b, m, k->ctx->arena);
	if (!has_needed_cards(k, &n, e))
		return false;
	if (!is_directed(k, &n, m, e))
		return false;
	bool open = n.lo <= 1 && n.hi >= 1, apart = number_of_two_devices(&n);
	const struct words *w = k->ctx->words;
	put_number(k, &n, "ratio",
	           arena_printf(k->ctx->arena, "%s%s%s",
	                        words_fill(w, k->ctx->arena,
	                                   apart            ? "ratio_two_devices"
	                                   : a.run == b.run ? "ratio_paired"
	                                                    : "ratio_two_runs",
	                                   named(k, &a, &a, apart), named(k, &b, &a, apart)),
	                        words_fill(w, k->ctx->arena, "ratio_of",
	                                   words_label(w, metric_info(m)->name), NULL),
	                        open ? words_get(w, "ratio_open") : ""));
	put_quantity(k, m);
	return true;
}

/* The metric that a peak of this unit bounds; power only if requested. */
static bool metric_for_unit(const char *si, enum metric asked, enum metric *out)
{
	const struct metric_info *m = metric_of_unit(si);
	if (metric_is_read(asked) && strcmp(metric_info(asked)->si, si) == 0)
		m = metric_info(asked);
	if (m)
		*out = m->id;
	return m;
}

static bool no_spec(struct kind_call *k, struct str device, struct str key, struct err *e)
{
	const struct data *d = k->ctx->data;
	struct sb all = {0}, devices = {0};
	for (size_t i = 0; i < d->nspecs; i++) {
		if (data_spec_is_of(&d->specs[i], device))
			sb_printf(&all, "%s%s", all.n ? ", " : "", d->specs[i].key);
		if (i == 0 || strcmp(d->specs[i].device, d->specs[i - 1].device) != 0)
			sb_printf(&devices, "%s%s", devices.n ? ", " : "", d->specs[i].device);
	}
	if (all.n)
		rule_err(e, RULE_TYPED, placeholder_loc(k->p, key),
		         "device '" STR_FMT "' has no spec '" STR_FMT "', expected one of %s",
		         STR_ARG(device), STR_ARG(key), all.p);
	else
		rule_err(e, RULE_TYPED, placeholder_loc(k->p, key),
		         "device '" STR_FMT "' has no datasheet numbers, data/specs has %s",
		         STR_ARG(device), devices.n ? devices.p : "none");
	sb_free(&all);
	sb_free(&devices);
	return false;
}

const struct data_spec *kind_spec_find(struct kind_call *k, struct str device, struct str key,
                                       struct err *e)
{
	const struct data_spec *s = data_spec_find(k->ctx->data, device, key);
	if (!s)
		no_spec(k, device, key, e);
	return s;
}

/*
 * The peak that bounds a metric of a case: of the memory its bytes come from,
 * of the unit that does its operations. Hot data comes from a cache, of which
 * the datasheets say nothing.
 */
static bool bounds(const struct data_spec *s, const struct run_case *c, enum metric m)
{
	char key[32];
	if (m == METRIC_POWER) /* bounds every case */
		return true;
	return roof_key(c, m, key, sizeof key) && strcmp(key, s->key) == 0 &&
	       (m != METRIC_BANDWIDTH || strcmp(c->cache, "cold") == 0 ||
	        data_is_instrument(c->family));
}

static bool no_bound(struct kind_call *k, const struct data_spec *s, const struct run_case *c,
                     struct str key, struct err *e)
{
	bool hot = strcmp(c->cache, "cold") != 0 && c->model.level &&
	           strcmp(c->model.level, s->key) == 0;
	return rule_err(e, RULE_TYPED, placeholder_loc(k->p, key),
	                "spec '%s' (%s) does not bound %s: %s%s%s%s", s->key, s->title, c->id,
	                hot ? "its data is hot and comes from a cache" : "its bytes come from ",
	                hot ? "" : c->model.level,
	                !hot && c->model.unit ? ", its operations are done in " : "",
	                !hot && c->model.unit ? c->model.unit : "");
}

static bool percent_of_spec(struct kind_call *k, const struct pick *p, struct str key,
                            struct err *e)
{
	const char *device = p->run->run.head.device;
	const struct data_spec *s = kind_spec_find(k, str_of(device), key, e);
	enum metric m, asked;
	struct number n;
	if (!s)
		return false;
	if (!kind_metric(k, p, &asked, e))
		return false;
	if (!metric_for_unit(s->si, asked, &m) || (placeholder_key(k->p, "metric").p && asked != m))
		return rule_err(e, RULE_TYPED, placeholder_loc(k->p, key),
		                "spec '%s' is in %s, which is no peak of %s", s->key, s->si,
		                metric_info(asked)->name);
	if (!value_for(k, p, m, &n, e))
		return false;
	if (!bounds(s, p->d->c, m))
		return no_bound(k, s, p->d->c, key, e);
	n = number_percent(&n, s);
	put_number(k, &n, "percent",
	           words_fill(k->ctx->words, k->ctx->arena, "share_spec", title_of(k, p->d->c),
	                      words_fill(k->ctx->words, k->ctx->arena, "spec_of",
	                                 words_label(k->ctx->words, s->title), s->device_name)));
	return true;
}

/* An achievable peak must bound a rate, with data from the same place (cache or memory). */
static bool like(struct kind_call *k, const struct pick *p, const struct pick *roof, enum metric m,
                 struct str selector, struct err *e)
{
	const struct run_case *a = p->d->c, *b = roof->d->c;
	struct loc at = placeholder_loc(k->p, selector);
	if (m != METRIC_BANDWIDTH && m != METRIC_THROUGHPUT && m != METRIC_RATE)
		return rule_err(e, RULE_TYPED, at,
		                "a share of a peak is of bandwidth, throughput or rate, not of %s",
		                metric_info(m)->name);
	bool beyond = strcmp(a->cache, "cold") == 0 && data_is_instrument(b->family);
	if (strcmp(a->cache, b->cache) != 0 && !beyond)
		return rule_err(
		        e, RULE_TYPED, at,
		        "%s is measured %s and %s %s: their bytes come from different places",
		        a->id, a->cache, b->id, b->cache);
	if (m == METRIC_BANDWIDTH &&
	    (!a->model.level || !b->model.level || strcmp(a->model.level, b->model.level) != 0))
		return rule_err(e, RULE_TYPED, at,
		                "the bytes of %s come from %s, those of %s from %s", a->id,
		                a->model.level, b->id, b->model.level);
	/* a kernel may be any case, but a ceiling must be the highest one */
	return !data_is_instrument(b->family) || roof_holds(k->ctx->data, p, roof, m, at, e);
}

static bool percent_of_measured(struct kind_call *k, const struct pick *p, struct str selector,
                                struct err *e)
{
	const struct words *w = k->ctx->words;
	struct query q;
	struct pick roof;
	enum metric m;
	struct number a, b;
	struct str written = selector;
	if (str_find(str_sub(selector, 0, str_find(selector, ':', 0)), '/', 0) ==
	    str_find(selector, ':', 0)) {
		/* a variant alone: `measured:memcpy` */
		const char *full = arena_printf(k->ctx->arena, "*/" STR_FMT, STR_ARG(selector));
		selector = str_of(full);
	}
	if (!query_parse(k->p, selector, own_keys, false, &q, e) ||
	    !query_beside(k->ctx, &q, p, &roof, e) || !kind_metric(k, p, &m, e) ||
	    !like(k, p, &roof, m, written, e) || !number_for(k, p, m, &a, e) ||
	    !number_for(k, &roof, m, &b, e))
		return false;
	if (!number_want_comparable(p, &roof, placeholder_loc(k->p, written), e))
		return false;
	struct number n = number_share(k->ctx->data, p, &roof, m, k->ctx->arena);
	put_number(k, &n, "percent",
	           words_fill(w, k->ctx->arena, "share_measured", title_of(k, p->d->c),
	                      words_fill(w, k->ctx->arena, "metric_of",
	                                 words_label(w, metric_info(m)->name),
	                                 case_beside(w, p->d->c, roof.d->c, k->ctx->arena))));
	return true;
}

bool kind_percent(struct kind_call *k, struct err *e)
{
	struct str of = placeholder_key(k->p, "of"), kind, key;
	struct pick p;
	if (!of.p)
		return rule_err(e, RULE_TYPED, k->p->at,
		                "a percentage names its peak, expected <<bench:%s>>",
		                k->kind->usage);
	bool split = str_cut(of, ':', &kind, &key) && key.n > 0;
	if (!split || (!str_is(kind, "spec") && !str_is(kind, "measured")))
		return rule_err(e, RULE_TYPED, placeholder_loc(k->p, of),
		                "'" STR_FMT "' names no peak, expected of=spec:KEY or "
		                "of=measured:SELECTOR",
		                STR_ARG(of));
	if (!number_check_cards(k->p, e) || !pick_one(k, &p, e))
		return false;
	if (kind_over_cards(k) && !str_is(kind, "spec"))
		return err_at(e, placeholder_loc(k->p, of),
		              "a share over cards is one of a datasheet number, expected "
		              "of=spec:KEY: of a measured peak, both sides come from one card");
	return str_is(kind, "spec") ? percent_of_spec(k, &p, key, e)
	                            : percent_of_measured(k, &p, key, e);
}

static void spec_fact(struct kind_call *k, const struct data_spec *s)
{
	struct arena *a = k->ctx->arena;
	struct sb text = {0};
	number_spec_text(s, &text);
	number_fact(k->ctx,
	            (struct fact){.key = arena_printf(a, "spec %s %s", s->device, s->key),
	                          .text = str_dup(a, sb_view(&text)),
	                          .unit = s->si,
	                          .value = s->value,
	                          .source = arena_printf(a, "%s (%s)", s->source, s->source_date)});
	sb_free(&text);
}

bool kind_spec(struct kind_call *k, struct err *e)
{
	struct str device = placeholder_key(k->p, "device");
	if (!device.p)
		device = str_of(query_default_device(k->ctx));
	const struct data_spec *s = kind_spec_find(k, device, k->p->word[0], e);
	if (!s)
		return false;
	spec_fact(k, s);
	if (k->html)
		number_spec_link(k->ctx->words, s, k->to);
	else
		number_spec_text(s, k->to);
	return true;
}

/* --- count --- */

enum count_of {
	COUNT_FAMILIES,
	COUNT_VARIANTS,
	COUNT_CASES,
	COUNT_RUNS,
	COUNT_LAUNCHES,
	COUNT_SAMPLES
};

static const char *const counted[] = {"families", "variants", "cases",
                                      "runs",     "launches", "samples"};

enum { NCOUNTED = ARRAY_LEN(counted) };

static bool same_group(const struct pick *a, const struct pick *b, enum count_of of)
{
	const struct run_case *x = a->d->c, *y = b->d->c;
	if (of == COUNT_RUNS)
		return a->run == b->run;
	return strcmp(x->family, y->family) == 0 &&
	       (of == COUNT_FAMILIES || strcmp(x->variant, y->variant) == 0);
}

/* The number of different families, variants or runs among the picks. */
static size_t groups(const struct pick *p, size_t n, enum count_of of)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;
		while (k < i && !same_group(&p[k], &p[i], of))
			k++;
		count += k == i;
	}
	return count;
}

static size_t total(const struct pick *p, size_t n, enum count_of of)
{
	size_t sum = 0;
	for (size_t i = 0; i < n; i++)
		if (!p[i].d->why_none)
			sum += of == COUNT_LAUNCHES ? p[i].d->time.launches : p[i].d->time.samples;
	return sum;
}

/* Moves the picks with a number to the front; cases that could not run do not count. */
static size_t measured(struct pick *p, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (!p[i].d->why_none)
			p[kept++] = p[i];
	return kept;
}

static bool count_word(struct kind_call *k, enum count_of *of, struct err *e)
{
	for (int i = 0; i < NCOUNTED; i++) {
		if (str_is(k->p->word[0], counted[i])) {
			*of = (enum count_of)i;
			return true;
		}
	}
	return err_at(e, placeholder_loc(k->p, k->p->word[0]),
	              "'" STR_FMT "' cannot be counted, expected <<bench:%s>>",
	              STR_ARG(k->p->word[0]), k->kind->usage);
}

/* A count that includes uncommitted records, so it holds only for the work tree. */
static bool counts_preview(struct kind_call *k, const struct pick *p, size_t n)
{
	bool preview = false;
	for (size_t i = 0; i < n; i++) {
		if (p[i].d->why_none || !p[i].d->why[DATA_PREVIEW])
			continue;
		number_use(k->ctx, &p[i]);
		preview = true;
	}
	return preview;
}

/* Runs are counted over the whole history, other things among today's published numbers. */
static bool count_runs(struct kind_call *k, const struct query *q, size_t *count,
                       const char **newest, bool *preview, struct err *e)
{
	const struct data *d = k->ctx->data;
	const char *device =
	        q->device.p ? data_device_find(d, q->device) : query_default_device(k->ctx);
	struct pick *p;
	*count = 0;
	for (size_t i = 0; device && i < d->nruns; i++) {
		struct query one = *q;
		struct err ignored = ERR_NONE;
		size_t n;
		if (d->runs[i].why_none || strcmp(device, d->runs[i].run.head.device) != 0)
			continue;
		one.run = str_of(d->runs[i].run.head.id);
		bool counts = query_all(k->ctx, &one, &p, &n, &ignored);
		if (counts && *count == 0)
			*newest = d->runs[i].run.head.id;
		*count += counts;
		*preview = (counts && counts_preview(k, p, n)) || *preview;
	}
	size_t n;
	return *count > 0 || query_all(k->ctx, q, &p, &n, e);
}

/* Run ids begin with their time. */
static const char *newest_run(const struct pick *p, size_t n)
{
	const char *newest = NULL;
	for (size_t i = 0; i < n; i++)
		if (!newest || strcmp(p[i].run->run.head.id, newest) > 0)
			newest = p[i].run->run.head.id;
	return newest;
}

/* Records the number as a fact of the page; returns its key. */
static const char *count_fact(struct kind_call *k, size_t count, const char *newest)
{
	struct arena *a = k->ctx->arena;
	struct str said = str_sub(k->p->text, strlen("<<bench:"), k->p->text.n - strlen(">>"));
	const char *key =
	        arena_printf(a, STR_FMT " on %s", STR_ARG(said), query_default_device(k->ctx));
	number_fact(k->ctx, (struct fact){.key = key,
	                                  .text = arena_printf(a, "%zu", count),
	                                  .unit = "",
	                                  .value = (double)count,
	                                  .run = newest});
	return key;
}

static void put_count_end(struct kind_call *k, bool preview)
{
	const char *mark = words_state(k->ctx->words, data_state_name(DATA_PREVIEW));
	if (k->html && preview)
		number_mark(k->ctx->words, DATA_PREVIEW, k->to);
	if (k->html)
		html_raw(k->to, "</span>");
	else if (preview)
		sb_printf(k->to, " (%s)", mark);
}

bool kind_count(struct kind_call *k, struct err *e)
{
	enum count_of of = COUNT_FAMILIES;
	struct query q;
	struct pick *p;
	size_t n, count;
	const char *newest = NULL;
	bool preview = false;
	struct str selector = k->p->nwords > 1 ? k->p->word[1] : STR("*");
	if (!count_word(k, &of, e) || !query_parse(k->p, selector, NULL, true, &q, e))
		return false;
	if (of == COUNT_RUNS && !q.run.p) {
		if (!count_runs(k, &q, &count, &newest, &preview, e))
			return false;
	} else {
		if (!query_all(k->ctx, &q, &p, &n, e))
			return false;
		n = measured(p, n);
		newest = newest_run(p, n);
		preview = counts_preview(k, p, n);
		count = of == COUNT_CASES                             ? n
		        : of == COUNT_LAUNCHES || of == COUNT_SAMPLES ? total(p, n, of)
		                                                      : groups(p, n, of);
	}
	const char *key = count_fact(k, count, newest);
	if (k->html) {
		html_raw(k->to, "<span class=\"num count\" data-n=\"");
		html_attr(k->to, str_of(key));
		html_raw(k->to, preview ? "\" data-state=\"preview\">" : "\">");
	}
	struct str digits = str_of(arena_printf(k->ctx->arena, "%zu", count));
	if (k->html)
		unit_count(digits, k->to);
	else
		sb_str(k->to, digits);
	put_count_end(k, preview);
	return true;
}
