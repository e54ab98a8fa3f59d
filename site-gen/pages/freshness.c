#include "site-gen/pages/freshness.h"

#include <stdlib.h>
#include <string.h>

#include "lib/record_file.h"
#include "site-gen/base/html.h"
#include "site-gen/markdown/traced.h"
#include "site-gen/records/judge.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"

/* A case that pages quote, of one run: a row of the page. */
struct fresh {
	const struct data_run *run;
	const struct data_case *k;
	const struct backlink *by; /* what shows its state, in the order of pages */
	size_t n;
};

/* --- the numbers --------------------------------------------------------------------------- */

/* One quote, under the case whose state it shows. */
struct entry {
	const struct data_run *run;
	const struct data_case *k;
	struct backlink by;
	size_t order;
};

static int by_state(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->k->state != y->k->state)
		return x->k->state > y->k->state ? -1 : 1;
	int d = strcmp(x->k->url, y->k->url);
	if (!d && x->run != y->run)
		d = strcmp(y->run->run.head.id, x->run->run.head.id);
	return d ? d : x->order < y->order ? -1 : x->order > y->order;
}

static struct entry *list_quotes(const struct site *s, struct arena *a, size_t *n)
{
	size_t total = 0;
	for (size_t i = 0; i < s->data->nnumbers; i++)
		total += s->backlinks[i].n;
	struct entry *e = ARENA_ARRAY(a, struct entry, total + 1);
	*n = 0;
	for (size_t i = 0; i < s->data->nnumbers; i++)
		for (size_t k = 0; k < s->backlinks[i].n; k++) {
			const struct backlink *by = &s->backlinks[i].by[k];
			const struct number *x = &by->q->n;
			const struct data_case *worst = number_case(x);
			e[*n] = (struct entry){number_case_run(x), worst, *by, *n};
			++*n;
		}
	if (*n)
		qsort(e, *n, sizeof *e, by_state);
	return e;
}

/*
 * Every case whose state some page shows beside a number, worst state first, then by address. A
 * ratio counts where its worse case is.
 */
static struct fresh *every_case(const struct site *s, struct arena *a, size_t *n)
{
	size_t total;
	const struct entry *e = list_quotes(s, a, &total);
	struct fresh *out = ARENA_ARRAY(a, struct fresh, total + 1);
	struct backlink *by = ARENA_ARRAY(a, struct backlink, total + 1);
	*n = 0;
	for (size_t i = 0; i < total; i++) {
		by[i] = e[i].by;
		if (*n == 0 || out[*n - 1].k != e[i].k)
			out[(*n)++] = (struct fresh){e[i].run, e[i].k, &by[i], 0};
		out[*n - 1].n++;
	}
	return out;
}

/* --- variables ------------------------------------------------------------------------------- */

static void put_url(struct maker *m, struct script *s, const char *key, const char *url)
{
	script_cstr(s, key, arena_printf(&m->scratch, "%s%s", m->site->config->base, url));
}

/* True if quote i is an author's, and the first of its page. */
static bool is_first(const struct fresh *f, size_t i)
{
	for (size_t k = i; k-- > 0;)
		if (f->by[k].page == f->by[i].page && number_is_authored(f->by[k].q->at))
			return false;
	return number_is_authored(f->by[i].q->at);
}

/* True if a text by an author shows it. */
static bool is_authored(const struct fresh *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (number_is_authored(f->by[i].q->at))
			return true;
	return false;
}

/* True for a page in another language that also exists in this one. */
static bool is_elsewhere(const struct maker *m, const struct page *p)
{
	return p->language != m->page->language && site_version(p, (size_t)m->page->language);
}

/* Sets the pages by authors that show it, each once. */
static void put_pages(struct maker *m, struct script *s, const struct fresh *f)
{
	script_begin(s, "pages", 0);
	for (size_t i = 0; i < f->n; i++) {
		const struct page *p = f->by[i].page;
		if (!is_first(f, i) || is_elsewhere(m, p))
			continue;
		script_begin(s, NULL, 3);
		script_cstr(s, "title", p->text.title);
		put_url(m, s, "url", p->url);
		script_cstr(s, "lang", site_lang(m->site, p));
		script_end(s);
	}
	script_end(s);
}

/* Sets the file that changed, with a link to its history. */
static void put_changed(struct maker *m, struct script *s, const struct data_case *k)
{
	const struct site *site = m->site;
	bool known = k->changed && *site->config->repository && *site->repo.head;
	script_cstr(s, "changed", k->changed);
	script_cstr(s, "changed_url",
	            known ? arena_printf(&m->scratch, "%s/commits/%s/%s", site->config->repository,
	                                 site->repo.head, k->changed)
	                  : "");
}

/* Sets the numbers, each comparison once. */
static void put_numbers(struct maker *m, struct script *s, const struct fresh *f)
{
	struct expand_ctx ctx = site_context(m, f->run->run.head.device);
	struct sb html = {0};
	ctx.arena = &m->scratch;
	for (size_t i = 0; i < f->n && f->k->state != DATA_OK; i++) {
		const struct number *x = &f->by[i].q->n;
		const char *name = number_name(x, ctx.arena);
		bool seen = false;
		for (size_t k = 0; k < i && !seen; k++)
			seen = strcmp(number_name(&f->by[k].q->n, ctx.arena), name) == 0;
		if (seen)
			continue;
		if (html.n)
			html_raw(&html, ", ");
		number_link(&ctx, x, "", NULL, &html);
	}
	script_markup(s, "numbers", str_keep(&m->scratch, sb_view(&html)));
	sb_free(&html);
}

static void put_row(struct maker *m, struct script *s, const struct fresh *f)
{
	const struct words words = {m->site->config, m->page->text.lang};
	const struct words_said family = words_said(&words, f->k->c->family_title);
	script_begin(s, NULL, 12);
	script_cstr(s, "id", f->k->c->id);
	script_cstr(s, "device", f->run->run.head.device);
	script_cstr(s, "device_name", data_device_name(m->site->data, f->run->run.head.device));
	script_cstr(s, "family", family.text);
	script_cstr(s, "family_lang", *family.lang ? "en" : site_lang(m->site, m->page));
	put_url(m, s, "url", f->k->url);
	script_cstr(s, "run", f->run->run.head.id);
	put_url(m, s, "run_url", f->run->url);
	script_cstr(s, "why", data_case_why_state(&words, f->k, &m->scratch));
	put_numbers(m, s, f);
	put_changed(m, s, f->k);
	put_pages(m, s, f);
	script_end(s);
}

static size_t same_state(const struct fresh *f, size_t n, size_t i)
{
	size_t k = i;
	while (k < n && f[k].k->state == f[i].k->state)
		k++;
	return k;
}

/* Length of the figure at s: "3.2" in "±3.2 %", or "…" in place of one; 0 if there is none. */
static size_t figure_at(const char *text, const char *s)
{
	if (strncmp(s, "…", strlen("…")) == 0)
		return strlen("…");
	size_t n = strspn(s, "0123456789.");
	bool begins = s == text || s[-1] == ' ' || (unsigned char)s[-1] == 0xB1; /* of ± */
	return begins && (s[n] == ' ' || !s[n]) ? n : 0;
}

/* True if two reasons differ only in figures; figures that differ become "…" in `to`. */
static bool same_reason(const char *a, const char *b, struct sb *to)
{
	for (const char *x = a, *y = b; *x || *y;) {
		size_t n = figure_at(a, x), m = figure_at(b, y);
		if (n && m) {
			if (n == m && memcmp(x, y, n) == 0)
				sb_put(to, x, n);
			else
				sb_cstr(to, "…");
		} else if (*x != *y) {
			return false;
		} else {
			sb_char(to, *x);
			n = m = 1;
		}
		x += n;
		y += m;
	}
	return true;
}

/* A reason that cases share, in the words of the page, and their number. */
struct shared_reason {
	const char *why;
	int64_t cases;
};

/* Counts a case under its reason; adds the reason if it is new. */
static void reason_count(struct shared_reason *all, size_t *n, const char *why, struct arena *a)
{
	struct sb text = {0};
	for (size_t i = 0; i < *n; i++, sb_clear(&text))
		if (same_reason(all[i].why, why, &text)) {
			all[i].why = str_dup(a, sb_view(&text));
			all[i].cases++;
			sb_free(&text);
			return;
		}
	sb_free(&text);
	all[(*n)++] = (struct shared_reason){why, 1};
}

static int by_cases(const void *a, const void *b)
{
	const struct shared_reason *x = a, *y = b;
	int c = (y->cases > x->cases) - (y->cases < x->cases);
	return c ? c : strcmp(x->why, y->why);
}

/*
 * Sets counts for cases that only generated pages show: the number of cases for each
 * reason of this state. The case's own page has the details.
 */
static void put_others(struct maker *m, struct script *s, const struct fresh *f, size_t n)
{
	const struct words words = {m->site->config, m->page->text.lang};
	struct shared_reason *all = ARENA_ARRAY(&m->scratch, struct shared_reason, n + 1);
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		const char *why = data_case_why(&words, f[i].k, f[i].k->state, &m->scratch);
		if (!is_authored(&f[i]))
			reason_count(all, &count, why ? why : "", &m->scratch);
	}
	if (count)
		qsort(all, count, sizeof *all, by_cases);
	script_begin(s, "others", 0);
	for (size_t i = 0; i < count; i++) {
		script_begin(s, NULL, 2);
		script_cstr(s, "why", all[i].why);
		script_int(s, "cases", all[i].cases);
		script_end(s);
	}
	script_end(s);
}

static void put_states(struct maker *m, struct script *s)
{
	size_t n;
	const struct fresh *f = every_case(m->site, &m->scratch, &n);
	const struct words words = {m->site->config, m->page->text.lang};
	script_begin(s, "states", 0);
	for (size_t i = 0, k; i < n; i = k) {
		enum data_state state = f[i].k->state;
		k = same_state(f, n, i);
		script_begin(s, NULL, 6);
		script_cstr(s, "state", data_state_name(state));
		script_int(s, "cases", (int64_t)(k - i));
		script_cstr(
		        s, "text",
		        words_state_text(&words, data_state_name(state), data_state_title(state)));
		script_cstr(s, "rule", rule_info(data_case_rule(f[i].k, state))->id);
		put_others(m, s, &f[i], k - i);
		script_begin(s, "rows", 0);
		for (; i < k; i++)
			if (is_authored(&f[i]))
				put_row(m, s, &f[i]);
		script_end(s);
		script_end(s);
	}
	script_end(s);
}

/* Sets a text in which `names` stand between backticks, as authors of records write them. */
static void put_reason(struct maker *m, struct script *s, const char *text)
{
	struct str rest = str_of(text), part;
	struct sb html = {0};
	for (bool code = false; rest.n > 0; code = !code) {
		size_t end = str_find(rest, '`', 0);
		part = str_sub(rest, 0, end);
		rest = str_sub(rest, end + 1, rest.n);
		html_raw(&html, code ? "<code>" : "");
		html_text(&html, part);
		html_raw(&html, code ? "</code>" : "");
	}
	script_markup(s, "reason", str_keep(&m->scratch, sb_view(&html)));
	sb_free(&html);
}

static void put_withdrawn(struct maker *m, struct script *s)
{
	const struct data *d = m->site->data;
	script_begin(s, "withdrawn", 0);
	for (size_t i = 0; i < d->nwithdrawn; i++) {
		const struct data_withdrawal *w = &d->withdrawn[i];
		script_begin(s, NULL, 7);
		script_cstr(s, "run", w->run_id);
		put_url(m, s, "run_url", w->run->url);
		script_cstr(s, "date", w->date);
		script_int(s, "cases", (int64_t)w->cases);
		script_flag(s, "all", w->all);
		put_reason(m, s, w->reason);
		script_flag(s, "committed", w->committed);
		script_end(s);
	}
	script_end(s);
}

/* Sets the records that one commit changed or removed and a later one restored. */
static void put_restored(struct maker *m, struct script *s)
{
	const struct data *d = m->site->data;
	const struct git_history *h = &d->history;
	script_begin(s, "restored", 0);
	for (size_t i = 0; i < h->n; i++) {
		struct str path = str_of(h->change[i].path);
		if (!h->change[i].before || !str_starts(path, "data/runs/") ||
		    !record_file_is(path) || /* the list of records may grow */
		    judge_packed(d, &h->change[i]))
			continue;
		script_begin(s, NULL, 2);
		script_cstr(s, "path", h->change[i].path);
		script_text(s, "commit", str_sub(str_of(h->change[i].commit), 0, 12));
		script_end(s);
	}
	script_end(s);
}

/* Sets the runs that publish nothing, with the reason. */
static void put_refused(struct maker *m, struct script *s)
{
	const struct data *d = m->site->data;
	const struct words words = {m->site->config, m->page->text.lang};
	script_begin(s, "refused", 0);
	for (size_t i = 0; i < d->nruns; i++) {
		if (!d->runs[i].why_none)
			continue;
		script_begin(s, NULL, 3);
		script_cstr(s, "run", d->runs[i].run.head.id);
		put_url(m, s, "run_url", d->runs[i].url);
		script_cstr(s, "why", reason_text(&words, &d->runs[i].none, &m->scratch));
		script_end(s);
	}
	script_end(s);
}

void freshness_vars(struct maker *m, struct script *s, const struct page *p)
{
	(void)p;
	put_states(m, s);
	put_refused(m, s);
	put_withdrawn(m, s);
	put_restored(m, s);
	script_flag(s, "shallow", m->site->data->history.shallow);
}

/* --- the rules ------------------------------------------------------------------------------- */

static bool marks(enum rule rule, const struct data_case *k)
{
	return k && k->state != DATA_OK && data_case_rule(k, k->state) == rule;
}

/* The number of quoted numbers, counters and derivations that a rule marks. */
static size_t count_marks(const struct site *s, enum rule rule)
{
	size_t n = 0;
	for (size_t i = 0; i < s->pages.n; i++) {
		for (const struct quote *q = s->pages.all[i]->numbers.quotes; q; q = q->next)
			n += number_is_authored(q->at) && marks(rule, number_case(&q->n));
		for (const struct fact *f = s->pages.all[i]->numbers.facts; f; f = f->next)
			n += number_is_authored(f->at) &&
			     ((rule == RULE_FRESH && f->not_of.d) || marks(rule, f->worst.d));
	}
	return n;
}

static size_t count_waivers(const struct site *s, enum rule rule)
{
	size_t n = 0;
	for (size_t i = 0; i < s->pages.n; i++)
		for (const struct waiver *w = s->pages.all[i]->source.waivers; w; w = w->next)
			n += w->rule == rule;
	return n;
}

/* "rule_traced_says" in the page's language; base/rules.c has the English. */
static const char *rule_words(struct maker *m, const char *id, const char *what,
                              const char *english)
{
	const struct config *c = m->site->config;
	const char *key = arena_printf(&m->scratch, "rule_%s_%s", id, what);
	const char *word = strncmp(m->page->text.lang, "en", 2) == 0
	                           ? NULL
	                           : config_word(c, m->page->text.lang, str_of(key));
	return word ? word : english;
}

void freshness_vars_rules(struct maker *m, struct script *s, const struct page *p)
{
	static const char *const forces[] = {
	        [RULE_REFUSES] = "refuses", [RULE_MARKS] = "marks", [RULE_SHOWS] = "shows"};
	(void)p;
	script_begin(s, "rules", 0);
	for (int i = 0; i < RULE_COUNT; i++) {
		const struct rule_info *r = rule_info((enum rule)i);
		script_begin(s, NULL, 7);
		script_cstr(s, "id", r->id);
		script_cstr(s, "says", rule_words(m, r->id, "says", r->says));
		script_cstr(s, "broken", rule_words(m, r->id, "broken", r->broken));
		script_cstr(s, "force", forces[r->force]);
		script_flag(s, "waivable", r->waivable);
		script_int(s, "marks", (int64_t)count_marks(m->site, (enum rule)i));
		script_int(s, "waivers", (int64_t)count_waivers(m->site, (enum rule)i));
		script_end(s);
	}
	script_end(s);
}
