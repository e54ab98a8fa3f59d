#include "site-gen/index.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/content.h"
#include "site-gen/html.h"
#include "site-gen/pages.h"

/* --- pages that are always there ----------------------------------------------------------- */

static const char *const home_text = "content/pages/home.md";

static bool has_input(const struct site *s, const char *path)
{
	size_t from, to;
	inputs_under(&s->inputs, path, &from, &to);
	return from < to && strcmp(s->inputs.file[from].path, path) == 0;
}

/* Adds a page, as an earlier build has loaded it if one has. */
static void add_generated(struct site *s, const char *kind, const char *url, const void *subject)
{
	struct page *p = site_add(s, page_kind(kind), url, subject);
	for (size_t i = 0; i < s->nmade; i++)
		if (s->made[i]->subject == subject)
			*p = *s->made[i];
}

void index_add_generated(struct site *s)
{
	for (size_t i = 0; i < s->nfamilies; i++)
		add_generated(s, "family", s->families[i].url, &s->families[i]);
	for (size_t i = 0; i < s->data.nruns; i++)
		add_generated(s, "run", s->data.runs[i].url, &s->data.runs[i]);
}

void index_add_fixed(struct site *s)
{
	size_t n;
	const struct page_kind *k = page_kinds(&n);
	for (size_t i = 0; i < n; i++) {
		if (!k[i].list_url)
			continue;
		struct page *p = site_add(s, &k[i], k[i].list_url, NULL);
		p->loaded = !k[i].load;
		if (strcmp(k[i].name, "home") == 0 && has_input(s, home_text))
			p->path = home_text;
	}
	index_add_generated(s);
}

/* --- posts ------------------------------------------------------------------------------------ */

static int newest_first(const void *a, const void *b)
{
	const struct page *x = *(struct page *const *)a, *y = *(struct page *const *)b;
	int d = strcmp(y->date, x->date);
	return d ? d : strcmp(x->url, y->url);
}

/* Keeps what is loaded; posts, sorted, also in their own list. */
static void collect(struct site *s)
{
	const struct page_kind *post = page_kind("post");
	size_t n = 0;
	s->posts = ARENA_ARRAY(s->arena, struct page *, s->npages);
	for (size_t i = 0; i < s->npages; i++) {
		struct page *p = s->pages[i];
		if (!p->loaded)
			continue;
		s->pages[n++] = p;
		if (p->kind == post)
			s->posts[s->nposts++] = p;
	}
	s->npages = n;
	if (s->nposts)
		qsort(s->posts, s->nposts, sizeof *s->posts, newest_first);
	for (size_t i = 0; i + 1 < s->nposts; i++) {
		s->posts[i]->older = s->posts[i + 1];
		s->posts[i + 1]->newer = s->posts[i];
	}
}

/* --- tags and series: groups of posts with a name --------------------------------------------- */

struct membership {
	const char *name;
	struct page *post;
	size_t order, tag; /* of the post in its list; of the tag in the post */
};

static int by_name(const void *a, const void *b)
{
	const struct membership *x = a, *y = b;
	int d = strcmp(x->name, y->name);
	return d ? d : x->order < y->order ? -1 : x->order > y->order;
}

/* One group for each name among sorted memberships; `join` tells a post its group. */
static struct site_tag *group(struct site *s, struct membership *m, size_t n, size_t *ngroups,
                              void (*join)(struct membership *m, const struct site_tag *g))
{
	struct site_tag *all = ARENA_ARRAY(s->arena, struct site_tag, n);
	*ngroups = 0;
	if (n)
		qsort(m, n, sizeof *m, by_name);
	for (size_t i = 0, k; i < n; i = k) {
		struct site_tag *g = &all[(*ngroups)++];
		for (k = i; k < n && strcmp(m[k].name, m[i].name) == 0; k++)
			join(&m[k], g);
		g->name = m[i].name;
		g->nposts = k - i;
		g->posts = ARENA_ARRAY(s->arena, struct page *, k - i);
		for (size_t j = i; j < k; j++)
			g->posts[j - i] = m[j].post;
	}
	return all;
}

static void join_tag(struct membership *m, const struct site_tag *g)
{
	m->post->tag[m->tag] = g;
}

static void join_series(struct membership *m, const struct site_tag *g)
{
	m->post->group = g;
}

static void build_tags(struct maker *maker)
{
	struct site *s = maker->site;
	size_t n = 0, total = 0;
	for (size_t i = 0; i < s->nposts; i++)
		total += s->posts[i]->ntags;
	struct membership *m = ARENA_ARRAY(s->arena, struct membership, total);
	for (size_t i = 0; i < s->nposts; i++) {
		struct page *p = s->posts[i];
		p->tag = ARENA_ARRAY(s->shared, const struct site_tag *, p->ntags);
		for (size_t k = 0; k < p->ntags; k++)
			m[n++] = (struct membership){p->tags[k], p, i, k};
	}
	s->tags = group(s, m, n, &s->ntags, join_tag);
}

static int reading_order(const void *a, const void *b)
{
	const struct page *x = *(struct page *const *)a, *y = *(struct page *const *)b;
	int d = x->part < y->part ? -1 : x->part > y->part;
	return d ? d : -newest_first(a, b);
}

static void build_series(struct site *s)
{
	size_t n = 0;
	struct membership *m = ARENA_ARRAY(s->arena, struct membership, s->nposts);
	for (size_t i = 0; i < s->nposts; i++)
		if (s->posts[i]->series)
			m[n++] = (struct membership){s->posts[i]->series, s->posts[i], i, 0};
	s->series = group(s, m, n, &s->nseries, join_series);
	for (size_t i = 0; i < s->nseries; i++)
		qsort(s->series[i].posts, s->series[i].nposts, sizeof *s->series[i].posts,
		      reading_order);
}

/* The address has the slug percent-encoded, the file's name has it as it is. */
static void add_tag_page(struct maker *m, struct site_tag *t)
{
	struct site *s = m->site;
	struct sb slug = {0}, url = {0};
	struct err e = ERR_NONE;
	html_slug(&slug, str_of(t->name));
	sb_cstr(&url, "/tags/");
	html_url(&url, sb_view(&slug));
	sb_char(&url, '/');
	t->url = arena_strdup(s->shared, url.p);
	struct page *p = site_add(s, page_kind("tag"), t->url, t);
	p->out = arena_printf(s->shared, "tags/" STR_FMT "/index.html", STR_ARG(slug));
	p->kind->load(m, p, &e);
	if (slug.n == 0)
		problems_say(m->problems, (struct loc){.path = t->posts[0]->path},
		             "tag '%s' has no letter or digit", t->name);
	sb_free(&slug);
	sb_free(&url);
}

/* --- outputs -------------------------------------------------------------------------------------
 */

static uint64_t hash_of(struct str s)
{
	uint64_t h = 14695981039346656037u;
	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 1099511628211u;
	return h ^ h >> 32;
}

static void lower(char *s)
{
	for (; *s; s++)
		if (*s >= 'A' && *s <= 'Z')
			*s = (char)(*s + 'a' - 'A');
}

/* Where `key` is, or would be entered. */
static struct site_output *slot_of(const struct site *s, struct str key)
{
	size_t mask = s->outputs_cap - 1;
	for (size_t i = hash_of(key) & mask;; i = (i + 1) & mask)
		if (!s->outputs[i].key || str_is(key, s->outputs[i].key))
			return &s->outputs[i];
}

static const char *source_of(const struct page *p)
{
	return p->path ? p->path : p->kind->name;
}

/* The later source is the one at fault, whoever came first in the list. */
static void say_twice(struct maker *m, const struct page *a, const struct page *b)
{
	bool swap = b->path && a->path && strcmp(a->path, b->path) > 0;
	const struct page *first = swap || !b->path ? b : a, *second = first == a ? b : a;
	if (first->kind == page_kind("tag") && second->kind == first->kind)
		problems_say(
		        m->problems,
		        (struct loc){
		                .path = ((const struct site_tag *)second->subject)->posts[0]->path},
		        "tags '%s' and '%s' have the same address %s", first->title, second->title,
		        first->url);
	else
		problems_say(m->problems, (struct loc){.path = source_of(second)},
		             "its address %s is taken by %s", second->url, source_of(first));
}

static void enter_outputs(struct maker *m)
{
	struct site *s = m->site;
	s->outputs_cap = 64;
	while (s->outputs_cap < 2 * s->npages + 2)
		s->outputs_cap *= 2;
	s->outputs = ARENA_ARRAY(s->arena, struct site_output, s->outputs_cap);
	for (size_t i = 0; i < s->npages; i++) {
		char *key = arena_strdup(s->arena, s->pages[i]->out);
		lower(key);
		struct site_output *o = slot_of(s, str_of(key));
		if (o->key)
			say_twice(m, o->page, s->pages[i]);
		else
			*o = (struct site_output){key, s->pages[i]};
	}
}

const struct page *index_find(const struct site *s, struct str path)
{
	char key[1024];
	if (path.n + 16 > sizeof key || path.n == 0)
		return NULL;
	memcpy(key, path.p + 1, path.n - 1);
	strcpy(key + path.n - 1, path.p[path.n - 1] == '/' ? "index.html" : "");
	char exact[sizeof key];
	strcpy(exact, key);
	lower(key);
	const struct site_output *o = slot_of(s, str_of(key));
	return o->key && strcmp(o->page->out, exact) == 0 ? o->page : NULL;
}

/* --- all of it
 * --------------------------------------------------------------------------------------- */

/* Lists first, posts last, so that no worker is left with a long page at the end. */
static void put_posts_last(struct site *s)
{
	const struct page_kind *post = page_kind("post");
	struct page **order = ARENA_ARRAY(s->arena, struct page *, s->npages);
	size_t n = 0;
	for (int last = 0; last < 2; last++)
		for (size_t i = 0; i < s->npages; i++)
			if ((s->pages[i]->kind == post) == last)
				order[n++] = s->pages[i];
	s->pages = order;
	s->page_cap = n;
}

void index_build(struct maker *m)
{
	struct site *s = m->site;
	collect(s);
	build_tags(m);
	build_series(s);
	for (size_t i = 0; i < s->ntags; i++)
		add_tag_page(m, &s->tags[i]);
	content_post_files(s);
	put_posts_last(s);
	enter_outputs(m);
}
