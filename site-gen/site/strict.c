#include "site-gen/site/strict.h"

#include <string.h>

#include "site-gen/numbers/number.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/records/query_inner.h"
#include "site-gen/markdown/traced.h"
#include "site-gen/site/site.h"

/* --- waivers ------------------------------------------------------------------------------- */

/* Does an author's name of a device, a slug or that of its data sheet, mean this one? */
static bool is_device(const struct data *d, struct str said, const char *device)
{
	const char *measured = data_device_find(d, said);
	return str_is(measured ? str_of(measured) : said, device);
}

/* Does a waiver's selector find this case of this run? */
static bool finds(const struct data *d, const struct waiver *w, const struct run *r,
                  const struct run_case *c, struct err *e)
{
	struct placeholder p = {.text = str_of(w->in), .at = w->at};
	struct query q;
	return query_parse(&p, p.text, NULL, false, &q, e) && query_covers(&q, c) &&
	       (!q.device.p || is_device(d, q.device, r->head.device)) &&
	       (!q.run.p || strncmp(r->head.id, q.run.p, q.run.n) == 0);
}

static bool breaks(const struct data_case *k, enum rule rule)
{
	for (int s = DATA_OK + 1; s < DATA_STATE_COUNT; s++)
		if (k->why[s] && data_case_rule(k, (enum data_state)s) == rule)
			return true;
	return false;
}

/* The waiver of a page that covers a rule of a case, or NULL. */
static const struct waiver *waived(const struct data *d, const struct page *p, enum rule rule,
                                   const struct expand_use *u)
{
	struct err ignored = ERR_NONE;
	for (const struct waiver *w = p->source.waivers; w; w = w->next)
		if (rule != RULE_TRACED && w->rule == rule && finds(d, w, u->run, u->c, &ignored))
			return w;
	return NULL;
}

/* Does an author show counters of another build than the measured one? */
static bool is_stale(const struct fact *f)
{
	return f->not_of.d && number_is_authored(f->at);
}

/* The first of a page's stale counters for f's case, up to and including f. */
static const struct fact *first_stale(const struct page *p, const struct fact *f)
{
	const struct fact *x = p->numbers.facts;
	while (x != f && !(is_stale(x) && x->not_of.d == f->not_of.d))
		x = x->next;
	return x;
}

static struct expand_use measured_of(const struct fact *f)
{
	return (struct expand_use){.run = &f->not_of.run->run, .c = f->not_of.d->c};
}

static void note_case(struct site *s, struct waiver *w, const struct run_case *c)
{
	w->text = w->text ? arena_printf(s->shared, "%s; %s", w->text, c->id) : c->id;
}

static void note_waived(struct site *s, const struct page *p, struct waiver *w, struct problems *to)
{
	struct err e = ERR_NONE;
	for (const struct expand_use *u = p->numbers.uses; u && !e.set; u = u->next) {
		const struct data_case *k = data_case_of(data_run_of(s->data, u->run), u->c);
		if (breaks(k, w->rule) && finds(s->data, w, u->run, u->c, &e))
			note_case(s, w, u->c);
	}
	for (const struct fact *f = p->numbers.facts; f && !e.set && w->rule == RULE_FRESH;
	     f = f->next) {
		if (!is_stale(f) || first_stale(p, f) != f || breaks(f->not_of.d, w->rule))
			continue; /* not a stale counter, or recorded already */
		struct expand_use u = measured_of(f);
		if (finds(s->data, w, u.run, u.c, &e))
			note_case(s, w, u.c);
	}
	if (e.set)
		problems_add(to, &e);
	else if (!w->text)
		problems_rule(
		        to, w->rule, w->at,
		        "the waiver waives nothing: no number of this page that '%s' finds breaks "
		        "this rule",
		        w->in);
}

void strict_waivers(struct site *s, struct problems *to)
{
	for (size_t i = 0; i < s->pages.n; i++)
		for (struct waiver *w = s->pages.all[i]->source.waivers; w; w = w->next)
			if (w->rule != RULE_TRACED)
				note_waived(s, s->pages.all[i], w, to);
}

/* --- --strict ------------------------------------------------------------------------------ */

/* The place where the page first shows a number of the case. */
static struct loc place_of(const struct page *p, const struct data_case *k)
{
	for (const struct quote *q = p->numbers.quotes; q; q = q->next)
		if (number_is_of(&q->n, k) && number_is_authored(q->at))
			return q->at;
	for (const struct expand_use *u = p->numbers.uses; u; u = u->next)
		if (u->c == k->c && number_is_authored(u->at))
			return u->at;
	return (struct loc){.path = p->path ? p->path : p->url};
}

static void check_use(const struct site *s, const struct page *p, const struct expand_use *u,
                      struct problems *to)
{
	const struct data_case *k = data_case_of(data_run_of(s->data, u->run), u->c);
	for (int i = DATA_OK + 1; i < DATA_STATE_COUNT; i++) {
		enum data_state state = (enum data_state)i;
		enum rule rule = data_case_rule(k, state);
		if (!k->why[i] || !data_state_refused(state) || waived(s->data, p, rule, u))
			continue;
		problems_rule(to, rule, place_of(p, k), "%s, '%s' of run %s: %s",
		              data_state_name(state), u->c->id, u->run->head.id, k->why[i]);
	}
}

static void refuse_preview(const struct data_run *r, size_t n, const struct fact *f,
                           struct problems *to)
{
	for (size_t i = 0; i < n; i++)
		if (!r[i].committed && f->run && strcmp(f->run, r[i].run.head.id) == 0)
			problems_rule(to, RULE_WHOLE, f->at,
			              "preview, '%s': %s is not committed yet", f->key, r[i].path);
}

/* Refuses counters, traces and instructions whose file is not committed. */
static void check_fact(const struct site *s, const struct fact *f, struct problems *to)
{
	refuse_preview(s->data->profiles, s->data->nprofiles, f, to);
	refuse_preview(s->data->traces, s->data->ntraces, f, to);
	const struct data_sass *l = f->run ? data_sass_called(s->data, str_of(f->run)) : NULL;
	if (l)
		refuse_preview(&l->file, 1, f, to);
}

/* Refuses counters of another build; reports each case once. */
static void check_stale(const struct data *d, const struct page *p, const struct fact *f,
                        struct problems *to)
{
	if (!is_stale(f) || first_stale(p, f) != f)
		return;
	struct expand_use u = measured_of(f);
	if (!waived(d, p, RULE_FRESH, &u))
		problems_rule(
		        to, RULE_FRESH, f->at,
		        "stale, '%s' of run %s: its counters, of %s, are of another build of this "
		        "variant",
		        u.c->id, u.run->head.id, f->run);
}

/* Does an author quote a number of that case before q? */
static bool quoted_before(const struct page *p, const struct quote *q, const struct data_case *k)
{
	for (const struct quote *x = p->numbers.quotes; x != q; x = x->next)
		if (number_is_authored(x->at) && number_is_of(&x->n, k))
			return true;
	return false;
}

/* Checks an author's quotes on a generated page; reports each case once. */
static void check_quotes(const struct site *s, const struct page *p, struct problems *to)
{
	for (const struct quote *q = p->numbers.quotes; q; q = q->next) {
		const struct pick *pick[] = {&q->n.pick, &q->n.over};
		for (int i = 0; i < 2 && number_is_authored(q->at); i++) {
			struct expand_use u = {.run = pick[i]->d ? &pick[i]->run->run : NULL,
			                       .c = pick[i]->d ? pick[i]->d->c : NULL};
			if (pick[i]->d && !quoted_before(p, q, pick[i]->d))
				check_use(s, p, &u, to);
		}
	}
}

void strict_check(const struct site *s, struct problems *to)
{
	if (s->data->history.shallow)
		problems_rule(
		        to, RULE_WHOLE, (struct loc){0},
		        "this clone is shallow, so whether a record was ever changed or removed is "
		        "not known: git fetch --unshallow");
	for (size_t i = 0; i < s->pages.n; i++) {
		const struct page *p = s->pages.all[i];
		bool authored = p->kind->flags & PAGE_WRITTEN;
		if (!authored && p->numbers.state == DATA_PREVIEW)
			problems_rule(to, RULE_WHOLE,
			              (struct loc){.path = p->path ? p->path : p->url},
			              "preview: %s", data_state_title(DATA_PREVIEW));
		for (const struct expand_use *u = authored ? p->numbers.uses : NULL; u; u = u->next)
			check_use(s, p, u, to);
		if (!authored)
			check_quotes(s, p, to);
		for (const struct fact *f = p->numbers.facts; f; f = f->next)
			if (number_is_authored(f->at)) {
				check_fact(s, f, to);
				check_stale(s->data, p, f, to);
			}
	}
}

/* --- records ------------------------------------------------------------------------------- */

static void say_record(bool strict, const struct data_run *r, struct problems *to)
{
	struct loc at = {.path = r->path};
	if (!r->run.whole && strict)
		problems_rule(to, RULE_WHOLE, at, "is not whole: %s; it publishes nothing",
		              r->run.why_not_whole);
	else if (!r->run.whole)
		problems_warn(to, at, "is not whole: %s; it publishes nothing",
		              r->run.why_not_whole);
	if (r->run.head.newer)
		problems_warn(to, at,
		              "has the schema '%s', and this program knows '%s': new members are "
		              "ignored",
		              r->run.head.schema, RECORD_SCHEMA);
}

void strict_records(const struct site *s, struct problems *to)
{
	const struct data *d = s->data;
	bool strict = s->options.strict;
	for (size_t i = 0; i < d->nruns; i++)
		say_record(strict, &d->runs[i], to);
	for (size_t i = 0; i < d->nprofiles; i++)
		say_record(strict, &d->profiles[i], to);
	for (size_t i = 0; i < d->ntraces; i++)
		say_record(strict, &d->traces[i], to);
	for (size_t i = 0; i < d->nforeign; i++) {
		struct loc at = {.path = d->foreign[i]};
		if (strict)
			problems_rule(
			        to, RULE_WHOLE, at,
			        "is no record, expected <device>/<id>.jsonl.gz and nothing else "
			        "here");
		else
			problems_warn(to, at,
			              "is no record, expected <device>/<id>.jsonl.gz and nothing "
			              "else here: it is not looked at");
	}
}
