#include "site-gen/site/handbook.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/site/page_kind.h"
#include "site-gen/base/problems.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"
#include "site-gen/lua/config.h"

static const char **keep_words(struct maker *m, const char *const *words, size_t n)
{
	const char **out = ARENA_ARRAY(m->shared, const char *, n + 1);
	for (size_t i = 0; i < n; i++)
		out[i] = arena_strdup(m->shared, words[i]);
	return out;
}

/* "/zh/handbook/memory/" -> "memory" */
static const char *id_of(struct maker *m, const char *url)
{
	struct str s = str_sub(str_of(url), 0, strlen(url) - 1);
	size_t from = s.n;
	while (from > 0 && s.p[from - 1] != '/')
		from--;
	return arena_strndup(m->shared, s.p + from, s.n - from);
}

/* "content/sections/03-memory.zh.md" -> "03"; without a number: "" */
static const char *number_of(struct maker *m, const char *path)
{
	const char *name = strrchr(path, '/') + 1, *dash = strchr(name, '-');
	return dash ? arena_strndup(m->shared, name, (size_t)(dash - name)) : "";
}

struct section *handbook_keep(struct maker *m, const struct page *p, const struct front *f)
{
	bool section = page_kind_is(p, "section");
	if (!section && !page_kind_is(p, "path"))
		return NULL;
	struct section *s = ARENA_NEW(m->shared, struct section);
	*s = (struct section){.id = id_of(m, p->url),
	                      .number = section ? number_of(m, p->path) : "",
	                      .status = section ? arena_strdup(m->shared, f->status) : NULL,
	                      .needs = keep_words(m, f->needs, f->nneeds),
	                      .nneeds = f->nneeds,
	                      .families = keep_words(m, f->families, f->nfamilies),
	                      .nfamilies = f->nfamilies,
	                      .sections = keep_words(m, f->sections, f->nsections),
	                      .nsections = f->nsections};
	return s;
}

bool handbook_planned(const struct page *p)
{
	return p->section && p->section->status && strcmp(p->section->status, "planned") == 0;
}

/* --- lists --- */

static int by_number(const void *a, const void *b)
{
	const struct page *x = *(struct page *const *)a, *y = *(struct page *const *)b;
	int d = strcmp(x->section->number, y->section->number);
	return d ? d : strcmp(x->url, y->url);
}

static int by_title(const void *a, const void *b)
{
	const struct page *x = *(struct page *const *)a, *y = *(struct page *const *)b;
	int d = strcmp(x->section->id, y->section->id);
	return d ? d : strcmp(x->url, y->url);
}

/* The pages in the language, and the pages without a version in it. */
static struct page **list(struct site *s, const struct page_kind *kind, size_t language, size_t *n,
                          int (*order)(const void *, const void *))
{
	struct page **out = ARENA_ARRAY(s->arena, struct page *, s->pages.n);
	*n = 0;
	for (size_t i = 0; i < s->pages.n; i++) {
		struct page *p = s->pages.all[i];
		bool here = (size_t)p->language == language ||
		            (p->language == 0 && (!p->versions || !p->versions[language]));
		if (p->kind == kind && p->loaded && here)
			out[(*n)++] = p;
	}
	if (*n)
		qsort(out, *n, sizeof *out, order);
	return out;
}

/* The lists of a language, and whether to report missing pages: only once, if all pages loaded. */
struct lists {
	const struct site_list *of;
	bool say;
};

static struct page *find(const struct lists *l, const char *id)
{
	for (size_t i = 0; i < l->of->sections.n; i++)
		if (strcmp(l->of->sections.all[i]->section->id, id) == 0)
			return l->of->sections.all[i];
	return NULL;
}

static void say_no_section(struct maker *m, const struct page *p, const struct site_list *l,
                           const char *id)
{
	struct sb all = {0};
	for (size_t i = 0; i < l->sections.n; i++)
		sb_printf(&all, "%s%s", i ? ", " : "", l->sections.all[i]->section->id);
	problems_say(m->problems, (struct loc){p->path, 1, 1},
	             "there is no section '%s', expected one of %s", id,
	             all.n ? all.p : "none: content/sections is empty");
	sb_free(&all);
}

/* The pages for a list of ids. A missing one is a problem of the page in its own language. */
static struct page **resolve(struct maker *m, const struct page *p, const struct lists *l,
                             const char *const *id, size_t n, size_t *found)
{
	struct page **out = ARENA_ARRAY(m->site->arena, struct page *, n + 1);
	*found = 0;
	for (size_t i = 0; i < n; i++) {
		struct page *of = find(l, id[i]);
		if (of)
			out[(*found)++] = of;
		else if (l->say)
			say_no_section(m, p, l->of, id[i]);
	}
	return out;
}

static void link_needed(struct site *s, struct site_list *l)
{
	for (size_t i = 0; i < l->sections.n; i++) {
		struct section *of = l->sections.all[i]->section;
		of->needed_by = ARENA_ARRAY(s->arena, struct page *, l->sections.n);
		of->nneeded_by = 0;
		for (size_t k = 0; k < l->sections.n; k++) {
			const struct section *other = l->sections.all[k]->section;
			for (size_t j = 0; j < other->nneed; j++)
				if (other->need[j] == l->sections.all[i])
					of->needed_by[of->nneeded_by++] = l->sections.all[k];
		}
	}
}

/* --- cycles --- */

enum { CIRCLE_DEPTH = 64 };

static bool leads_to(const struct page *from, const struct page *to, int depth)
{
	for (size_t i = 0; depth < CIRCLE_DEPTH && i < from->section->nneed; i++)
		if (from->section->need[i] == to || leads_to(from->section->need[i], to, depth + 1))
			return true;
	return false;
}

static void check_circles(struct maker *m, const struct site_list *l)
{
	for (size_t i = 0; i < l->sections.n; i++)
		if (leads_to(l->sections.all[i], l->sections.all[i], 0))
			problems_say(m->problems, (struct loc){l->sections.all[i]->path, 1, 1},
			             "section '%s' needs itself, through those that it needs",
			             l->sections.all[i]->section->id);
}

static void build_language(struct maker *m, size_t language, bool all_loaded)
{
	struct site *s = m->site;
	struct site_list *l = &s->index.lists[language];
	const struct lists in = {l, language == 0 && all_loaded};
	l->sections.all = list(s, page_kind(s, "section"), language, &l->sections.n, by_number);
	l->paths.all = list(s, page_kind(s, "path"), language, &l->paths.n, by_title);
	for (size_t i = 0; i < l->sections.n; i++) {
		struct page *p = l->sections.all[i];
		if ((size_t)p->language == language)
			p->section->need = resolve(m, p, &in, p->section->needs, p->section->nneeds,
			                           &p->section->nneed);
	}
	for (size_t i = 0; i < l->paths.n; i++) {
		struct page *p = l->paths.all[i];
		if ((size_t)p->language == language)
			p->section->step = resolve(m, p, &in, p->section->sections,
			                           p->section->nsections, &p->section->nsteps);
	}
	if (language == 0)
		check_circles(m, l);
	link_needed(s, l);
}

void handbook_build(struct maker *m)
{
	bool all_loaded = true;
	for (int i = 0; i <= m->site->options.jobs; i++)
		all_loaded = all_loaded && !m->site->workers.problems[i].first;
	for (size_t l = m->site->config->nlanguages;
	     l-- > 0;) /* the own language last, so that its links stay */
		build_language(m, l, all_loaded);
}
