#include "site-gen/files/source_bundle.h"
#include "site-gen/build/index.h"
#include "site-gen/build/groups.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/site/aliases.h"
#include "site-gen/files/data_files.h"
#include "site-gen/look/card.h"
#include "site-gen/pages/code_page.h"
#include "site-gen/pages/comparison.h"
#include "site-gen/site/content.h"
#include "site-gen/pages/device_page.h"
#include "site-gen/pages/figure_page.h"
#include "site-gen/site/handbook.h"
#include "site-gen/base/html.h"
#include "site-gen/site/outputs.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/numbers/prediction.h"
#include "site-gen/site/backlinks.h"
#include "site-gen/site/related.h"
#include "site-gen/files/image_sizes.h"
#include "site-gen/files/markdown_copy.h"
#include "site-gen/base/inputs.h"
#include "site-gen/site/site.h"
#include "site-gen/base/problems.h"
#include "site-gen/site/maker.h"

struct site_list;

/* --- generated pages ----------------------------------------------------------------------- */

/* The next page of an earlier build for which `is` holds, or NULL. They mostly keep their order. */
static const struct page *kept_page(struct site *s, const struct page *p,
                                    bool (*is)(const struct page *kept, const struct page *p))
{
	const struct page_list *all = &s->reuse.generated;
	for (size_t i = 0; i < all->n; i++) {
		size_t at = (s->reuse.next + i) % all->n;
		if (!is(all->all[at], p))
			continue;
		s->reuse.next = at + 1;
		return all->all[at];
	}
	return NULL;
}

static bool same_subject(const struct page *kept, const struct page *p)
{
	return kept->subject == p->subject;
}

static bool same_address(const struct page *kept, const struct page *p)
{
	return kept->kind == p->kind && strcmp(kept->url, p->url) == 0;
}

/* Adds a page, reusing the one that an earlier build has loaded, if any. */
static void add_generated(struct site *s, const char *kind, const char *url, const void *subject)
{
	struct page *p = site_add(s, page_kind(s, kind), url, subject);
	const struct page *kept = kept_page(s, p, same_subject);
	if (kept)
		*p = *kept;
}

/* Takes over what an earlier build has loaded. Each build makes the subject anew, so the URL
 * counts.
 */
static void reuse_address(struct site *s, struct page *p)
{
	const struct page *kept = kept_page(s, p, same_address);
	if (!kept)
		return;
	const struct page own = *p;
	*p = *kept;
	p->subject = own.subject;
	p->versions = own.versions;
}

/* Adds the page in each language. */
static void add_comparison(struct site *s, const struct comparison *c)
{
	size_t n = s->config->nlanguages;
	struct page **versions = ARENA_ARRAY(s->shared, struct page *, n);
	for (size_t l = 0; l < n; l++) {
		const struct config_language *in = &s->config->languages[l];
		versions[l] = site_add(s, page_kind(s, "comparison"),
		                       arena_printf(s->shared, "%s%s", in->prefix, c->url), c);
		versions[l]->language = (int)l;
		versions[l]->text.lang = in->code;
		versions[l]->versions = n > 1 ? versions : NULL;
		reuse_address(s, versions[l]);
	}
}

static void add_code(struct site *s)
{
	if (s->reuse.code)
		s->code = s->reuse.code;
	else
		code_page_find(s);
	for (size_t i = 0; i < s->code->n; i++)
		if (s->code->all[i].url)
			site_add(s, page_kind(s, "code"), s->code->all[i].url, &s->code->all[i]);
}

static void add_families(struct site *s)
{
	for (size_t i = 0; i < s->data->families.n; i++)
		add_generated(s, "family", s->data->families.all[i].url, &s->data->families.all[i]);
}

static void add_generated_all(struct site *s)
{
	add_families(s);
	for (size_t i = 0; i < s->data->nruns; i++)
		add_generated(s, "run", s->data->runs[i].url, &s->data->runs[i]);
	size_t n;
	if (!s->reuse.pairs)
		s->reuse.pairs = comparison_all(s->data, s->arena, &s->reuse.npairs);
	for (size_t i = 0; i < s->reuse.npairs; i++)
		add_comparison(s, &s->reuse.pairs[i]);
	const struct device *devices = device_list(s->data, s->arena, &n);
	for (size_t i = 0; i < n; i++)
		reuse_address(s, site_add(s, page_kind(s, "device"), devices[i].url, &devices[i]));
	for (size_t i = 0; i < s->data->nnumbers; i++)
		add_generated(s, "number", s->data->numbers[i].url, &s->data->numbers[i]);
	add_code(s);
	for (size_t i = 0; i < s->data->predictions->n; i++)
		add_generated(s, "prediction", s->data->predictions->all[i].url,
		              &s->data->predictions->all[i]);
}

static struct page *add_fixed(struct site *s, const struct page_kind *k, size_t language)
{
	const struct config_language *l = &s->config->languages[language];
	struct page *p =
	        site_add(s, k, arena_printf(s->shared, "%s%s", l->prefix, k->list_url), NULL);
	p->language = (int)language;
	p->text.lang = l->code;
	p->loaded = !k->load;
	if (k->flags & PAGE_OF_RECORDS)
		reuse_address(s, p);
	if (strcmp(k->name, "home") == 0)
		p->path = content_home(s, language);
	return p;
}

/* False for lists that are left out because they are empty. */
static bool is_wanted(const struct site *s, const struct page_kind *k)
{
	size_t from, to;
	if (strcmp(k->name, "handbook") == 0) {
		inputs_under(&s->repo.files, "content/sections/", &from, &to);
		return from < to;
	}
	if (strcmp(k->name, "predictions") == 0)
		return s->data->predictions->n > 0;
	if (strcmp(k->name, "source") == 0 || strcmp(k->name, "source bundle") == 0)
		return source_bundle_wanted(s);
	if (strcmp(k->name, "devices") == 0)
		return s->data->ndevices > 0;
	if (strcmp(k->name, "comparisons") == 0)
		return comparison_any(s->data);
	return k->list_url != NULL;
}

/* Adds the pages that are the only ones of their kinds; `flag`: of those with it alone. */
static void add_lists(struct site *s, int flag)
{
	const struct page_kind *k = s->kinds.row;
	for (size_t i = 0; i < s->kinds.n; i++) {
		size_t languages = (k[i].flags & PAGE_EACH_LANGUAGE) ? s->config->nlanguages : 1;
		bool wanted = (k[i].flags & flag) == flag && is_wanted(s, &k[i]);
		struct page **versions = ARENA_ARRAY(s->shared, struct page *, languages);
		for (size_t l = 0; wanted && l < languages; l++) {
			versions[l] = add_fixed(s, &k[i], l);
			versions[l]->versions = languages > 1 ? versions : NULL;
		}
	}
}

void index_add_fixed(struct site *s)
{
	add_lists(s, 0);
	add_generated_all(s);
}

void index_add_written(struct site *s)
{
	add_lists(s, PAGE_WRITTEN);
	add_families(s);
}

void index_add_generated(struct site *s)
{
	add_lists(s, PAGE_OF_RECORDS);
	add_generated_all(s);
}

/* --- posts ------------------------------------------------------------------------------------ */

static int newest_first(const void *a, const void *b)
{
	const struct page *x = *(struct page *const *)a, *y = *(struct page *const *)b;
	uint64_t first = (uint64_t)x->front.order - 1,
	         second = (uint64_t)y->front.order - 1; /* 0 comes last */
	int d = strcmp(y->front.date, x->front.date);
	if (!d)
		d = first < second ? -1 : first > second;
	return d ? d : strcmp(x->url, y->url);
}

/* Keeps the loaded pages, and lists the posts in order. */
static void collect(struct site *s)
{
	const struct page_kind *post = page_kind(s, "post");
	size_t n = 0;
	s->index.posts.all = ARENA_ARRAY(s->arena, struct page *, s->pages.n);
	s->index.unpublished.all = ARENA_ARRAY(s->arena, struct page *, s->pages.n);
	for (size_t i = 0; i < s->pages.n; i++) {
		struct page *p = s->pages.all[i];
		if (!p->loaded && (p->front.draft || p->front.scheduled))
			s->index.unpublished.all[s->index.unpublished.n++] = p;
		if (!p->loaded)
			continue;
		s->pages.all[n++] = p;
		if (p->kind == post) {
			p->place.topics = related_kin(p);
			s->index.posts.all[s->index.posts.n++] = p;
		}
	}
	s->pages.n = n;
	if (s->index.posts.n)
		qsort(s->index.posts.all, s->index.posts.n, sizeof *s->index.posts.all,
		      newest_first);
}

/* Drops language versions that are not published. */
static void forget_unloaded(struct site *s)
{
	for (size_t i = 0; i < s->pages.n; i++)
		for (size_t l = 0; s->pages.all[i]->versions && l < s->config->nlanguages; l++)
			if (s->pages.all[i]->versions[l] && !s->pages.all[i]->versions[l]->loaded)
				s->pages.all[i]->versions[l] = NULL;
}

/* True if a list in this language shows the page: its version in it, else the first version. */
static bool is_offered(const struct page *p, size_t language)
{
	if ((size_t)p->language == language)
		return true;
	if (!p->versions)
		return true;
	size_t first = 0;
	while (!p->versions[first])
		first++;
	return !p->versions[language] && (size_t)p->language == first;
}

static void collect_list(struct site *s, size_t language)
{
	struct site_list *l = &s->index.lists[language];
	l->posts.all = ARENA_ARRAY(s->arena, struct page *, s->index.posts.n);
	for (size_t i = 0; i < s->index.posts.n; i++)
		if (is_offered(s->index.posts.all[i], language))
			l->posts.all[l->posts.n++] = s->index.posts.all[i];
	for (size_t i = 0; i < l->posts.n; i++) {
		struct page *p = l->posts.all[i];
		if ((size_t)p->language != language)
			continue;
		p->place.newer = i > 0 ? l->posts.all[i - 1] : NULL;
		p->place.older = i + 1 < l->posts.n ? l->posts.all[i + 1] : NULL;
	}
}

/* --- outputs -------------------------------------------------------------------------------------
 */

static const char *source_of(const struct page *p)
{
	return p->path ? p->path : p->kind->name;
}

/* Reports a duplicate at the source that sorts later, in whichever order they were found. */
static void say_twice(struct maker *m, const struct page *a, const struct page *b)
{
	bool swap = b->path && a->path && strcmp(a->path, b->path) > 0;
	const struct page *first = swap || !b->path ? b : a, *second = first == a ? b : a;
	if (page_kind_is(a, "tag feed") && b->kind == a->kind)
		return; /* reported for the tag's page */
	if (page_kind_is(first, "tag") && second->kind == first->kind)
		problems_say(m->problems,
		             (struct loc){.path = ((const struct page_group *)second->subject)
		                                          ->posts.all[0]
		                                          ->path},
		             "tags '%s' and '%s' have the same address %s", first->text.title,
		             second->text.title, first->url);
	else
		problems_say(m->problems, (struct loc){.path = source_of(second)},
		             "its address %s is taken by %s", second->url, source_of(first));
}

static void enter_outputs(struct maker *m)
{
	struct site *s = m->site;
	outputs_begin(s);
	for (size_t i = 0; i < s->pages.n; i++) {
		const struct page *taken = outputs_enter(s, s->pages.all[i]);
		if (taken)
			say_twice(m, taken, s->pages.all[i]);
	}
}

/* --- all of it
 * --------------------------------------------------------------------------------------- */

/* Puts posts after lists, so that no worker ends with a long page. */
static void put_posts_last(struct site *s)
{
	const struct page_kind *post = page_kind(s, "post");
	struct page **order = ARENA_ARRAY(s->arena, struct page *, s->pages.n);
	size_t n = 0;
	for (int last = 0; last < 2; last++)
		for (size_t i = 0; i < s->pages.n; i++)
			if ((s->pages.all[i]->kind == post) == last)
				order[n++] = s->pages.all[i];
	s->pages.all = order;
	s->pages.cap = n;
}

void index_build(struct maker *m)
{
	struct site *s = m->site;
	forget_unloaded(s);
	collect(s);
	s->index.lists = ARENA_ARRAY(s->arena, struct site_list, s->config->nlanguages);
	for (size_t l = 0; l < s->config->nlanguages; l++)
		collect_list(s, l);
	groups_build(m);
	handbook_build(m);
}

void index_files(struct maker *m)
{
	struct site *s = m->site;
	content_post_files(s);
	backlinks_build(s);
	data_files_add(s);
	figure_page_add(s);
	image_sizes_add(s);
	card_add(s);
	aliases_add(s);
	markdown_copy_add(s);
	put_posts_last(s);
	enter_outputs(m);
}
