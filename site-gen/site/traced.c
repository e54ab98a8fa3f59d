/*
 * The texts of sources, settings and records.
 */
#include <string.h>

#include "lib/file.h"
#include "site-gen/site/traced.h"
#include "site-gen/base/front.h"
#include "site-gen/site/imported.h"
#include "site-gen/site/site.h"
#include "site-gen/base/placeholder.h"
#include "site-gen/markdown/markdown.h"
#include "site-gen/records/data.h"
#include "site-gen/lua/config.h"
#include "lib/record.h"
#include "site-gen/site/maker.h"

enum { MAX_FOUND = 32, MAX_FILE_BYTES = 1 << 20 };

/* --- front matter ---------------------------------------------------------- */

/* Runs the lint over `linted`, which has the bytes of the text `s` at `at` but for placeholders. */
static size_t check(const struct lint *l, struct str s, struct str linted, struct loc at,
                    struct arena *a, const char *advice, struct traced_found **to)
{
	struct lint_finding found[MAX_FOUND];
	size_t n = lint_text(l, linted, found, MAX_FOUND);
	for (size_t i = 0; i < n && i < MAX_FOUND; i++) {
		struct loc here = at;
		here.col += str_loc(s, NULL, s.p + found[i].start).col - 1;
		traced_add(to, a, here, str_sub(s, found[i].start, found[i].end), found[i].what,
		           advice);
	}
	return n;
}

static struct waiver *keep_waiver(struct maker *m, struct page *p, enum rule rule)
{
	struct waiver *w = ARENA_NEW(m->shared, struct waiver), **last = &p->source.waivers;
	while (*last)
		last = &(*last)->next;
	w->rule = rule;
	return *last = w;
}

/* The waiver of the front matter for a key, or NULL. */
static const struct front_waive *waiver_for(const struct front *f, const char *key)
{
	for (size_t i = 0; i < f->nwaives; i++)
		if (f->waive[i].in && strcmp(f->waive[i].in, key) == 0)
			return &f->waive[i];
	return NULL;
}

static void check_key(struct maker *m, struct page *p, const struct front *f, const char *key,
                      struct str s, struct loc at)
{
	struct arena *a = &m->scratch;
	struct traced_found *list = NULL;
	struct lint_finding first;
	if (!s.p || !m->site->lint)
		return;
	struct str text = lint_without_placeholders(s, a);
	if (!lint_text(m->site->lint, text, &first, 1))
		return;
	const struct front_waive *waive = waiver_for(f, key);
	const char *advice = arena_printf(a,
	                                  "write a placeholder, cite it, or waive it in the front "
	                                  "matter: waive: [{rule: traced, in: %s, why: \"…\"}]",
	                                  key);
	check(m->site->lint, s, text, at, a, advice, &list);
	if (!waive) {
		imported_say(m, p, f, list);
		return;
	}
	struct waiver *w = keep_waiver(m, p, RULE_TRACED);
	w->in = arena_strdup(m->shared, key);
	w->why = arena_strdup(m->shared, waive->why);
	w->text = str_dup(m->shared, s);
	w->at = waive->at;
	w->at.path = p->path;
}

static bool has_waiver(const struct page *p, const char *key)
{
	for (const struct waiver *w = p->source.waivers; w; w = w->next)
		if (strcmp(w->in, key) == 0)
			return true;
	return false;
}

/* Reports a waiver without a finding, or of a rule that cannot be waived; keeps one of `steady`. */
static void check_waiver(struct maker *m, struct page *p, const struct front_waive *f)
{
	enum rule rule = rule_find(f->rule);
	if (rule == RULE_COUNT || !rule_info(rule)->waivable) {
		problems_say(m->problems, f->at,
		             "no rule '%s' that can be waived, expected traced, %s", f->rule,
		             "or steady with 'for: SELECTOR'");
	} else if (rule == RULE_TRACED) {
		/* without the lint, nothing is known about waivers */
		if (m->site->lint && (!f->in || !has_waiver(p, f->in)))
			problems_rule(
			        m->problems, rule, f->at,
			        "the waiver waives nothing, expected a number typed by hand in "
			        "'%s'",
			        f->in ? f->in : "in: title");
	} else if (!f->selector) {
		problems_rule(m->problems, rule, f->at, "waiver needs 'for: SELECTOR'");
	} else {
		struct waiver *w = keep_waiver(m, p, rule);
		w->in = arena_strdup(m->shared, f->selector);
		w->why = arena_strdup(m->shared, f->why);
		w->at = f->at;
		w->at.path = p->path;
	}
}

static void keep_doc_waivers(struct maker *m, struct page *p, const struct waiver *w)
{
	for (; w; w = w->next) { /* newest first, so prepend each to the kept ones */
		struct waiver *own = ARENA_NEW(m->shared, struct waiver);
		*own = *w;
		own->in = "text";
		own->why = arena_strdup(m->shared, w->why);
		own->text = arena_strdup(m->shared, w->text);
		own->at.path = p->path;
		own->next = p->source.waivers;
		p->source.waivers = own;
	}
}

void traced_page(struct maker *m, struct page *p, const struct front *f, const struct md_doc *d)
{
	p->source.waivers = NULL;
	p->source.ntyped = 0;
	imported_say(m, p, f, d->found);
	check_key(m, p, f, "title", f->title.s, f->title.at);
	check_key(m, p, f, "description", f->description.s, f->description.at);
	check_key(m, p, f, "key", f->key.s, f->key.at);
	for (size_t i = 0; i < FRONT_TAKES; i++)
		check_key(m, p, f, "take", f->take[i].s, f->take[i].at);
	for (size_t i = 0; i < f->nwords; i++)
		check_key(m, p, f, f->word[i].key, f->word[i].s, f->word[i].at);
	for (size_t i = 0; i < f->nwaives; i++)
		check_waiver(m, p, &f->waive[i]);
	keep_doc_waivers(m, p, d->waivers);
	imported_end(m, p);
}

/* --- settings -------------------------------------------------------------- */

/* Files of settings: those of the site, and the words of its look. */
enum { NFILES = 3 };
struct settings {
	const char *path[NFILES];
	struct str src[NFILES];
};

/* Lua keeps no places, so this searches the file for the quoted text. */
static struct loc place_of(const struct settings *in, const char *text, struct arena *a)
{
	const char *quoted = arena_printf(a, "\"%s\"", text);
	for (size_t i = 0; i < NFILES; i++) {
		struct str src = in->src[i];
		const char *p = src.n ? memmem(src.p, src.n, quoted, strlen(quoted)) : NULL;
		if (p)
			return str_loc(src, in->path[i], p + 1);
	}
	return (struct loc){.path = in->path[0]};
}

static void check_setting(struct site *s, const struct settings *in, const char *text,
                          struct problems *to)
{
	struct traced_found *list = NULL;
	struct lint_finding first;
	if (!text || !lint_text(s->lint, str_of(text), &first, 1))
		return;
	check(s->lint, str_of(text), str_of(text), place_of(in, text, s->arena), s->arena,
	      traced_on_every_page, &list);
	traced_say(list, to);
}

void traced_settings(struct site *s, struct problems *to)
{
	const struct config *c = s->config;
	struct settings in = {
	        .path = {"content/site.lua", config_words_path(c, s->arena), CONFIG_KERNEL_WORDS}};
	for (size_t i = 0; i < NFILES; i++) {
		struct err e = ERR_NONE;
		in.src[i] = (struct str){NULL, 0};
		if (file_exists(in.path[i]) &&
		    !file_read(in.path[i], MAX_FILE_BYTES, s->arena, &in.src[i], &e))
			problems_add(to, &e);
	}
	check_setting(s, &in, c->title, to);
	check_setting(s, &in, c->description, to);
	for (size_t i = 0; i < c->nlanguages; i++) {
		const struct config_language *l = &c->languages[i];
		check_setting(s, &in, l->title, to);
		check_setting(s, &in, l->description, to);
		for (size_t k = 0; k < l->nnav; k++)
			check_setting(s, &in, l->nav[k].title, to);
	}
	for (size_t i = 0; i < c->nwords; i++)
		check_setting(s, &in, c->word[i].text, to);
}

/* --- records --------------------------------------------------------------- */

struct records {
	const struct site *site;
	struct arena *arena;
	struct traced_record *r;
	size_t n, cap;
	const char **seen; /* texts, each once: hash table, open addressing; NULL: a free place */
	size_t nseen, room;
};

static const char **place_in(const struct records *all, const char *text)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (const char *p = text; *p; p++)
		h = (h ^ (unsigned char)*p) * 0x100000001b3u;
	size_t i = (size_t)(h ^ h >> 32) & (all->room - 1);
	while (all->seen[i] && strcmp(all->seen[i], text) != 0)
		i = (i + 1) & (all->room - 1);
	return &all->seen[i];
}

/* Thousands of cases share a text. True if this one comes for the first time. */
static bool is_new(struct records *all, const char *text)
{
	const struct records old = *all;
	if (2 * (all->nseen + 1) > all->room) {
		all->room = old.room ? 2 * old.room : 1024;
		all->seen = ARENA_ARRAY(all->arena, const char *, all->room);
		for (size_t i = 0; i < old.room; i++)
			if (old.seen[i])
				*place_in(all, old.seen[i]) = old.seen[i];
	}
	const char **place = place_in(all, text);
	if (*place)
		return false;
	*place = text;
	all->nseen++;
	return true;
}

static void check_record(struct records *all, const struct data_run *run, const char *name,
                         const char *what, const char *text)
{
	struct lint_finding found;
	if (!text || !is_new(all, text) || !lint_text(all->site->lint, str_of(text), &found, 1))
		return;
	all->r = arena_grow(all->arena, all->r, all->n, &all->cap, sizeof *all->r);
	struct str part = str_sub(str_of(text), found.start, found.end);
	all->r[all->n++] = (struct traced_record){what, name, text, str_dup(all->arena, part), run};
}

const struct traced_record *traced_records(const struct site *s, struct arena *a, size_t *n)
{
	if (s->reuse.traced) {
		*n = s->reuse.ntraced;
		return s->reuse.traced;
	}
	struct records all = {.site = s, .arena = a};
	for (size_t i = 0; s->lint && i < s->data->nruns; i++) { /* newest first */
		const struct data_run *d = &s->data->runs[i];
		check_record(&all, d, d->run.head.id, "reason", d->run.head.reason);
		for (size_t k = 0; k < d->run.ncases; k++) {
			const struct run_case *c = &d->run.cases[k];
			const char *name = arena_printf(a, "%s/%s", c->family, c->variant);
			check_record(&all, d, name, "title", c->variant_title);
			check_record(&all, d, name, "idea", c->idea);
			check_record(&all, d, c->family, "title", c->family_title);
			check_record(&all, d, c->family, "problem", c->problem);
			check_record(&all, d, name, "tolerance", c->check_why);
			check_record(&all, d, name, "reference", c->check_reference);
			check_record(&all, d, name, "exact", c->check_exact);
		}
	}
	*n = all.n;
	return all.r;
}
