#include "site-gen/pages/waivers.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/numbers/case.h"
#include "site-gen/records/data.h"
#include "site-gen/markdown/traced.h"
#include "site-gen/site/imported.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"
#include "site-gen/lua/config.h"
#include "site-gen/site/traced.h"

static void put_url(struct maker *m, struct script *s, const char *key, const char *url)
{
	script_cstr(s, key, arena_printf(&m->scratch, "%s%s", m->site->config->base, url));
}

/* Address of the line in the repository; "" if the repository's address is unknown. */
static const char *source_url(struct maker *m, struct loc at)
{
	const struct site *site = m->site;
	if (!*site->config->repository || !*site->repo.head)
		return "";
	return arena_printf(&m->scratch, "%s/blob/%s/%s#L%d", site->config->repository,
	                    site->repo.head, at.path, at.line);
}

/* A waiver of a page. The first of those with equal rule and reason represents all. */
struct entry {
	const struct page *page;
	const struct waiver *w;
	size_t order, first;
};

static int by_reason(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int c = (x->w->rule > y->w->rule) - (x->w->rule < y->w->rule);
	if (!c)
		c = strcmp(x->w->why, y->w->why);
	return c ? c : (x->order > y->order) - (x->order < y->order);
}

static int by_first(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int c = (x->first > y->first) - (x->first < y->first);
	return c ? c : (x->order > y->order) - (x->order < y->order);
}

static bool same_reason(const struct entry *a, const struct entry *b)
{
	return a->w->rule == b->w->rule && strcmp(a->w->why, b->w->why) == 0;
}

/* True if a translation repeats its original's waivers; they appear only in its own language. */
static bool is_elsewhere(const struct maker *m, const struct page *p)
{
	return p->language != m->page->language && site_version(p, (size_t)m->page->language);
}

/* Lists the waivers in the order of pages, with those of the same reason together. */
static struct entry *list_entries(const struct maker *m, struct arena *a, size_t *n)
{
	const struct site *site = m->site;
	size_t most = 0;
	for (size_t i = 0; i < site->pages.n; i++)
		for (const struct waiver *w = site->pages.all[i]->source.waivers; w; w = w->next)
			most++;
	struct entry *e = ARENA_ARRAY(a, struct entry, most + 1);
	*n = 0;
	for (size_t i = 0; i < site->pages.n; i++)
		for (const struct waiver *w = site->pages.all[i]->source.waivers; w; w = w->next)
			if (!is_elsewhere(m, site->pages.all[i])) {
				e[*n] = (struct entry){site->pages.all[i], w, *n, 0};
				++*n;
			}
	if (*n == 0)
		return e;
	qsort(e, *n, sizeof *e, by_reason);
	for (size_t i = 0; i < *n; i++)
		e[i].first = i && same_reason(&e[i - 1], &e[i]) ? e[i - 1].first : e[i].order;
	qsort(e, *n, sizeof *e, by_first);
	return e;
}

static const char *what(const struct waiver *w)
{
	return w->text && *w->text ? w->text : w->in;
}

/* The name of a case for people; other texts as they are. */
static const char *for_people(struct maker *m, struct str text)
{
	const struct data *d = m->site->data;
	const struct words words = {m->site->config, site_language(m->site, m->page)->code};
	for (size_t i = 0; i < d->nnumbers; i++) {
		const struct data_number *n = &d->numbers[i];
		if (n->nruns && str_is(text, n->id))
			return case_title(&words, n->in[0]->c, &m->scratch);
	}
	return str_dup(&m->scratch, text);
}

/* Adds a text to those of a reason, each once. */
static void add_item(struct maker *m, struct script *s, const char **seen, size_t *n,
                     struct str text)
{
	const char *item = for_people(m, text);
	for (size_t i = 0; i < *n; i++)
		if (strcmp(seen[i], item) == 0)
			return;
	seen[(*n)++] = item;
	script_cstr(s, NULL, item);
}

/* What is waived: a text of the page, or the cases of a selector, "a; b" (site/strict.c). */
static void put_items(struct maker *m, struct script *s, const struct entry *e, size_t n)
{
	size_t most = 0, count = 0;
	for (size_t i = 0; i < n; i++)
		for (const char *c = what(e[i].w); c;
		     c = strchr(c, ';') ? strchr(c, ';') + 1 : NULL)
			most++;
	const char **seen = ARENA_ARRAY(&m->scratch, const char *, most);
	script_begin(s, "items", 0);
	for (size_t i = 0; i < n; i++) {
		struct str one, rest = str_of(what(e[i].w));
		bool more = true;
		while (more) {
			if (e[i].w->rule == RULE_TRACED) {
				one = rest;
				more = false;
			} else {
				more = str_cut(rest, ';', &one, &rest);
			}
			add_item(m, s, seen, &count, str_trim(one));
		}
	}
	script_end(s);
}

static void put_places(struct maker *m, struct script *s, const struct entry *e, size_t n)
{
	script_begin(s, "places", 0);
	for (size_t i = 0; i < n; i++) {
		struct loc at = e[i].w->at;
		script_begin(s, NULL, 4);
		script_cstr(s, "title",
		            i && e[i].page == e[i - 1].page ? "" : e[i].page->text.title);
		put_url(m, s, "url", e[i].page->url);
		script_cstr(s, "place", arena_printf(&m->scratch, "%s:%d", at.path, at.line));
		script_cstr(s, "source_url", source_url(m, at));
		script_end(s);
	}
	script_end(s);
}

/* Sets the `n` waivers of one reason. */
static void put_waivers(struct maker *m, struct script *s, const struct entry *e, size_t n)
{
	script_begin(s, NULL, 4);
	script_cstr(s, "rule", rule_info(e->w->rule)->id);
	script_cstr(s, "why", e->w->why);
	put_items(m, s, e, n);
	put_places(m, s, e, n);
	script_end(s);
}

static void put_record(struct maker *m, struct script *s, const struct traced_record *r)
{
	script_begin(s, NULL, 6);
	script_cstr(s, "what", r->what);
	script_cstr(s, "name", r->name);
	script_cstr(s, "text", r->text);
	script_cstr(s, "found", r->found);
	script_cstr(s, "run_id", r->run->run.head.id);
	put_url(m, s, "run_url", r->run->url);
	script_end(s);
}

void waivers_list(struct maker *m, struct script *s, const struct page *p)
{
	size_t n;
	(void)p;
	const struct entry *e = list_entries(m, &m->scratch, &n);
	script_begin(s, "waivers", 0);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && same_reason(&e[i], &e[end]);)
			end++;
		put_waivers(m, s, &e[i], end - i);
	}
	script_end(s);
	const struct traced_record *r = traced_records(m->site, &m->scratch, &n);
	script_begin(s, "recorded", 0);
	for (size_t i = 0; i < n; i++)
		put_record(m, s, &r[i]);
	script_end(s);
	imported_list(m, s);
}
