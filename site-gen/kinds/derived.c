/*
 * derived: arithmetic over datasheet numbers and measured ones, so that a derivation on a page is
 * computed, not typed, and changes with its records. A result that is a time, a rate or a share
 * must depend on a number that was looked up.
 */
#include "site-gen/kinds/derived.h"

#include <math.h>
#include <string.h>

#include "site-gen/base/html.h"

static struct loc place(const struct derivation *d, struct str at)
{
	return placeholder_loc(d->k->p, d->at.p ? d->at : at);
}

/* Converts to the requested unit, which must have the dimensions of the result. */
static bool in_unit(const struct derivation *d, const struct quantity *q, struct number *n,
                    struct err *e)
{
	struct str said = placeholder_key(d->k->p, "unit");
	const struct derived_unit *u = derived_unit(said);
	if (!u)
		return rule_err(e, RULE_TYPED, d->k->p->at,
		                "a derivation needs its unit, expected unit= one of s, B, B/s, "
		                "FLOP, FLOP/s, FLOP/B, FLOP/clk/SM, %%, ×, ppm, tokens/s, Hz, "
		                "cycles, J, W, J/FLOP, J/B");
	if (!derived_is_in(q, u))
		return rule_err(e, RULE_TYPED, placeholder_loc(d->k->p, said),
		                "the derivation is in FLOP^%d B^%d s^%d J^%d, which is not '%s'",
		                q->flop, q->byte, q->second, q->joule, u->si);
	*n = (struct number){.value = q->value * u->scale, .si = u->si};
	n->lo = n->hi = n->value;
	return true;
}

/* Does the value lie between the ends, but for rounding? It does not if a pole lies there. */
static bool is_between(double value, double x, double y)
{
	double most = 1e-9 * fabs(value);
	return fmin(x, y) <= value + most && value - most <= fmax(x, y);
}

/*
 * Its interval: each measured number goes to the ends of its own, and the shares add up as those
 * of independent numbers do, which is wide for two numbers that rise and fall together. If a
 * divisor passes through zero on the way, the ends say nothing of what lies between them.
 */
static bool set_interval(struct derivation *d, const struct quantity *q, struct number *n,
                         struct err *e)
{
	double squares = 0;
	for (size_t i = 0; i < d->n; i++) {
		const struct number *of = &d->number[i].n;
		struct derived_change c = {.one = true, .which = i, .to = of->lo};
		struct quantity lo, hi;
		if (d->number[i].first != i)
			continue;
		if (!derived_compute(d, &c, &lo, e))
			return false;
		c.to = of->hi;
		if (!derived_compute(d, &c, &hi, e))
			return false;
		if (!is_between(q->value, lo.value, hi.value))
			return rule_err(e, RULE_TYPED, place(d, d->number[i].written),
			                "the derivation is higher, or lower, than at both ends of "
			                "the interval of this number: expected a divisor that "
			                "cannot be zero");
		squares += pow((hi.value - lo.value) / 2, 2);
	}
	double half = sqrt(squares) * derived_unit(str_of(n->si))->scale;
	n->lo = n->value - half;
	n->hi = n->value + half;
	return half == 0 || half < fabs(n->value) ||
	       rule_err(e, RULE_TYPED, place(d, d->s),
	                "the intervals of its numbers leave the sign of this derivation open, "
	                "%.3g ± %.2g in %s: expected a result that they decide",
	                n->value, half, n->si);
}

/* Would the result change with what was looked up? That of spec:x / spec:x would not. */
static bool depends(struct derivation *d, const struct quantity *q)
{
	struct err ignored = ERR_NONE;
	const struct derived_change all = {.all = true};
	struct quantity r;
	return derived_compute(d, &all, &r, &ignored) &&
	       !(fabs(r.value - q->value) <= 1e-9 * fabs(q->value));
}

/*
 * Rule `traced`: a text may state sizes (bytes and operations) and their ratios, but a time, a rate
 * or a share must depend on a number that was looked up.
 */
static bool is_traced(struct derivation *d, const struct quantity *q, struct err *e)
{
	struct str unit = placeholder_key(d->k->p, "unit");
	bool rate = q->second || str_is(unit, "FLOP/clk/SM"); /* a cycle has no dimension */
	bool size = !rate && (q->byte || q->flop) && !d->n;
	bool times = d->sizes && !d->fraction && !d->n && str_is(unit, "×");
	return size || times || depends(d, q) ||
	       rule_err(e, RULE_TRACED, place(d, d->s),
	                "a derivation that looks nothing up is a number typed by hand, "
	                "expected a result that depends on a spec:KEY or a [SELECTOR METRIC]");
}

static void put_key(const struct derived_number *n, struct arena *a, struct sb *to)
{
	sb_printf(to, "[%s]", number_key(&n->n, a));
}

static void put_text(const struct derived_number *n, struct arena *a, struct sb *to)
{
	(void)a;
	if (!n->n.at_speed[0]) {
		number_text(&n->n, to);
		return;
	}
	sb_char(to, '(');
	number_range(&n->n, to);
	sb_char(to, ')');
}

/* The run of its measured numbers; if they are of several, the run of each. NULL: none. */
static const char *runs_of(const struct derivation *d)
{
	struct arena *a = d->k->ctx->arena;
	struct sb ids = {0};
	bool one = true;
	for (size_t i = 1; i < d->n; i++)
		one = one && d->number[i].n.pick.run == d->number[0].n.pick.run;
	for (size_t i = 0; i < (one && d->n ? 1 : d->n); i++)
		sb_printf(&ids, "%s%s", i ? " " : "", d->number[i].n.pick.run->run.head.id);
	return d->n ? sb_take(a, &ids) : NULL;
}

/* Picks the measured number with the worst state; d NULL: nothing was measured. */
static struct pick worst_of(const struct derivation *d)
{
	struct pick worst = {0};
	for (size_t i = 0; i < d->n; i++) {
		const struct pick *p = &d->number[i].n.pick;
		if (!worst.d || p->d->state > worst.d->state)
			worst = *p;
	}
	return worst;
}

/* Three digits, however narrow the interval, for no derivation is better than its idea. */
static void put_short(const struct number *n, struct sb *to)
{
	struct number three = *n;
	three.lo = three.hi = n->value;
	number_text(&three, to);
}

/*
 * Records the number as a fact of the page. A number that nothing looked up changes is the site's
 * device's, so that a page over several devices prints it once.
 */
static struct fact derived_fact(struct derivation *d, const struct number *n, bool depends)
{
	struct kind_call *k = d->k;
	struct arena *a = k->ctx->arena;
	struct str device = placeholder_key(k->p, "device");
	struct sb text = {0}, key = {0};
	if (!device.p)
		device = str_of(depends ? query_default_device(k->ctx)
		                        : k->ctx->data->default_device);
	put_short(n, &text);
	sb_printf(&key, "derived " STR_FMT " ", STR_ARG(device));
	derived_each(d, put_key, &key);
	sb_printf(&key, " %s", n->si);
	struct fact f = {.key = sb_take(a, &key),
	                 .text = sb_take(a, &text),
	                 .unit = n->si,
	                 .value = n->value,
	                 .lo = n->lo,
	                 .hi = n->hi,
	                 .run = runs_of(d),
	                 .worst = worst_of(d)};
	number_fact(k->ctx, f);
	for (size_t i = 0; i < d->n; i++)
		number_use(k->ctx, &d->number[i].n.pick);
	return f;
}

static bool same_run(const struct derivation *d, size_t i, size_t k)
{
	return d->number[i].n.pick.run == d->number[k].n.pick.run;
}

static bool same_card(const struct derivation *d, size_t i, size_t k)
{
	const char *x = d->number[i].n.pick.run->run.head.gpu.uuid;
	const char *y = d->number[k].n.pick.run->run.head.gpu.uuid;
	return same_run(d, i, k) || (x && y && strcmp(x, y) == 0);
}

/* How many runs, or cards, are behind the measured numbers? */
static size_t distinct(const struct derivation *d,
                       bool (*same)(const struct derivation *d, size_t i, size_t k))
{
	size_t n = 0;
	for (size_t i = 0; i < d->n; i++) {
		size_t k = 0;
		while (k < i && !same(d, i, k))
			k++;
		n += k == i;
	}
	return n;
}

/* How far runs and cards lie apart is in no interval of one run, so the title counts them. */
static void put_runs(const struct derivation *d, struct sb *title)
{
	struct arena *a = d->k->ctx->arena;
	size_t runs = distinct(d, same_run), cards = distinct(d, same_card);
	if (runs > 1)
		sb_printf(title, "; %s",
		          words_fill(d->k->ctx->words, a,
		                     cards > 1 ? "derived_cards" : "derived_runs",
		                     arena_printf(a, "%zu", runs), arena_printf(a, "%zu", cards)));
}

/* "Computed from measured numbers: (4.29 ms - 3.99 ms) / 32; 95 % interval …; stale: why" */
static void put_title(struct derivation *d, const struct number *n, const struct fact *f)
{
	const struct words *w = d->k->ctx->words;
	struct sb title = {0};
	sb_printf(&title, "%s ", words_get(w, d->n ? "derived_measured" : "derived"));
	derived_each(d, put_text, &title);
	if (number_has_interval(n)) {
		struct sb range = {0};
		number_range(n, &range);
		sb_printf(&title, "; %s",
		          words_fill(w, d->k->ctx->arena, "number_interval", sb_view(&range).p,
		                     NULL));
		sb_free(&range);
	}
	put_runs(d, &title);
	if (f->worst.d && data_state_marked(f->worst.d->state))
		sb_printf(&title, "; %s %s: %s", f->worst.d->c->variant,
		          words_state(w, data_state_name(f->worst.d->state)),
		          data_case_why_state(w, f->worst.d, d->k->ctx->arena));
	html_attribute(d->k->to, "title", sb_view(&title));
	sb_free(&title);
}

/* As beside a measured number: in a sentence, on demand. */
static void put_ci(struct derivation *d, const struct number *n)
{
	struct sb text = {0};
	if (!d->k->ctx->in_block && number_interval_text(n, &text))
		html_attribute(d->k->to, "data-ci", sb_view(&text));
	sb_free(&text);
}

static void put_html(struct derivation *d, const struct number *n, const struct fact *f)
{
	struct sb *to = d->k->to;
	const struct pick *worst = &f->worst;
	html_raw(to, d->n ? "<a class=\"num derived\"" : "<span class=\"num derived\"");
	if (d->n) {
		html_attribute(to, "href", str_of(number_url(d->k->ctx, &d->number[0].n)));
		html_attribute(to, "data-state", str_of(data_state_name(worst->d->state)));
		html_attribute(to, "data-runs", str_of(f->run));
	}
	if (d->n)
		put_ci(d, n);
	put_title(d, n, f);
	html_attribute(to, "data-n", str_of(f->key));
	html_raw(to, ">");
	html_text(to, str_of(f->text));
	if (d->n)
		number_mark(d->k->ctx->words, worst->d->state, to);
	html_raw(to, d->n ? "</a>" : "</span>");
}

static void put_plain(struct derivation *d, const struct fact *f)
{
	const struct data_case *worst = f->worst.d;
	sb_cstr(d->k->to, f->text);
	if (worst && worst->state != DATA_OK && worst->state != DATA_SAME_CODE)
		sb_printf(d->k->to, " (%s)",
		          words_state(d->k->ctx->words, data_state_name(worst->state)));
}

/* Without a measured number, a key that selects one would do nothing. */
static bool uses_its_keys(const struct derivation *d, struct err *e)
{
	const struct placeholder *p = d->k->p;
	for (size_t i = 0; i < p->nkeys && d->n == 0; i++)
		if (!str_is(p->key[i].name, "unit") && !str_is(p->key[i].name, "device"))
			return err_at(e, placeholder_loc(p, p->key[i].name),
			              "'" STR_FMT "' is for measured numbers, and the derivation "
			              "has none, expected unit= and device=",
			              STR_ARG(p->key[i].name));
	return true;
}

/* A datasheet number without a device is of the page's, and so must the measured numbers be. */
static bool is_of_one_device(const struct derivation *d, struct err *e)
{
	const char *home = query_default_device(d->k->ctx);
	for (size_t i = 0; i < d->n && d->home; i++) {
		const char *of = d->number[i].n.pick.run->run.head.device;
		if (strcmp(of, home) != 0)
			return rule_err(e, RULE_TYPED, place(d, d->number[i].written),
			                "a number of %s beside a datasheet number of %s, expected "
			                "'spec:KEY@DEVICE', or 'device=' for all",
			                of, home);
	}
	return true;
}

bool derived_make(struct kind_call *k, struct str expression, struct str at,
                  struct derived_made *out, struct err *e)
{
	struct derivation *d = &out->d;
	struct quantity q;
	*out = (struct derived_made){.d = {.k = k, .s = expression, .at = at}};
	if (!derived_compute(d, NULL, &q, e) || !is_of_one_device(d, e))
		return false;
	if (!isfinite(q.value))
		return err_at(e, place(d, d->s), "the derivation divides by zero");
	if (!in_unit(d, &q, &out->n, e) || !is_traced(d, &q, e) || !set_interval(d, &q, &out->n, e))
		return false;
	out->depends = depends(d, &q);
	return true;
}

const char *derived_print(struct derived_made *m)
{
	struct fact f = derived_fact(&m->d, &m->n, m->depends);
	if (m->d.k->html)
		put_html(&m->d, &m->n, &f);
	else
		put_plain(&m->d, &f);
	return f.text;
}

bool kind_derived(struct kind_call *k, struct err *e)
{
	struct derived_made m;
	if (!derived_make(k, k->p->word[0], (struct str){0}, &m, e) || !uses_its_keys(&m.d, e))
		return false;
	derived_print(&m);
	return true;
}
