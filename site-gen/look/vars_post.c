/* Tags and posts as template objects, which cost little in long lists. */
#include <stddef.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/look/cite.h"
#include "site-gen/site/related.h"
#include "site-gen/site/translation.h"
#include "site-gen/look/spark.h"
#include "site-gen/look/vars.h"
#include "site-gen/site/site.h"
#include "site-gen/lua/script.h"
#include "site-gen/site/maker.h"

static void make_tag_url(struct script *s, void *maker, const void *tag)
{
	vars_url(maker, s, SCRIPT_VALUE, ((const struct page_group *)tag)->url);
}

static void make_tag_count(struct script *s, void *maker, const void *tag)
{
	(void)maker;
	script_int(s, SCRIPT_VALUE, (int64_t)((const struct page_group *)tag)->posts.n);
}

static const struct script_field tag_fields[] = {
        {"name", SCRIPT_FIELD_TEXT, offsetof(struct page_group, name), NULL},
        {"url", SCRIPT_FIELD_MADE, 0, make_tag_url},
        {"count", SCRIPT_FIELD_MADE, 0, make_tag_count},
};
static const struct script_class tag_class = {"tag", tag_fields, ARRAY_LEN(tag_fields)};

void vars_tag_object(struct maker *m, struct script *s, const char *key, const struct page_group *t)
{
	script_object(s, key, &tag_class, m, t);
}

static void make_post_url(struct script *s, void *maker, const void *post)
{
	vars_url(maker, s, SCRIPT_VALUE, ((const struct page *)post)->url);
}

/* The last part of the address, as `make reproduce POST=` takes it. */
static void make_post_slug(struct script *s, void *maker, const void *post)
{
	struct str url = str_of(((const struct page *)post)->url), slug = {0};
	(void)maker;
	for (struct str part; url.n && str_cut(url, '/', &part, &url);)
		slug = part.n ? part : slug;
	script_text(s, SCRIPT_VALUE, slug);
}

static void make_post_tags(struct script *s, void *maker, const void *post)
{
	const struct page *p = post;
	script_begin(s, SCRIPT_VALUE, 0);
	for (size_t i = 0; i < p->front.ntags; i++)
		vars_tag_object(maker, s, NULL, p->place.tags[i]);
	script_end(s);
}

static void make_post_prev(struct script *s, void *maker, const void *post);
static void make_post_next(struct script *s, void *maker, const void *post);
static void make_post_series(struct script *s, void *maker, const void *post);
static void make_post_related(struct script *s, void *maker, const void *post);

/* Makes the address of the page of the post's series; "" if there is none. */
static void make_post_series_url(struct script *s, void *maker, const void *post)
{
	const struct page_group *g = ((const struct page *)post)->place.series;
	vars_url(maker, s, SCRIPT_VALUE, g && g->url ? g->url : "");
}

static void make_post_current(struct script *s, void *maker, const void *post)
{
	script_flag(s, SCRIPT_VALUE, ((const struct maker *)maker)->page == post);
}

static void make_post_source_url(struct script *s, void *maker, const void *post)
{
	struct maker *m = maker;
	const struct site *site = m->site;
	bool known = *site->config->repository && *site->repo.head;
	script_cstr(s, SCRIPT_VALUE,
	            known ? arena_printf(&m->scratch, "%s/blob/%s/%s", site->config->repository,
	                                 site->repo.head, ((const struct page *)post)->path)
	                  : "");
}

/* Makes the post's language if it is not the current page's, else "". */
static void make_post_foreign(struct script *s, void *maker, const void *post)
{
	const struct maker *m = maker;
	const struct page *p = post;
	bool same = p->language == m->page->language;
	script_cstr(s, SCRIPT_VALUE, same ? "" : site_lang(m->site, p));
}

static void make_post_language(struct script *s, void *maker, const void *post)
{
	const struct maker *m = maker;
	const struct page *p = post;
	bool same = p->language == m->page->language;
	script_cstr(s, SCRIPT_VALUE, same ? "" : site_language(m->site, p)->name);
}

static void make_post_older(struct script *s, void *maker, const void *post)
{
	(void)maker;
	script_flag(s, SCRIPT_VALUE,
	            vars_is_older(((const struct page *)post)->source.translation));
}

static void make_post_bibtex(struct script *s, void *maker, const void *post)
{
	struct maker *m = maker;
	script_cstr(s, SCRIPT_VALUE, cite_bibtex(m->site, post, &m->scratch));
}

static void make_post_mail(struct script *s, void *maker, const void *post)
{
	struct maker *m = maker;
	script_cstr(s, SCRIPT_VALUE, cite_mail(m->site, post, &m->scratch));
}

static void make_post_take(struct script *s, void *maker, const void *post)
{
	const struct page *p = post;
	(void)maker;
	script_begin(s, SCRIPT_VALUE, 0);
	for (size_t i = 0; p->front.take[0] && i < FRONT_TAKES; i++)
		script_markup(s, NULL, p->front.take_html[i]);
	script_end(s);
}

static void make_post_spark(struct script *s, void *maker, const void *post)
{
	struct maker *m = maker;
	struct sb to = {0};
	spark_draw(((const struct page *)post)->numbers.quotes, &to);
	script_markup(s, SCRIPT_VALUE, str_of(sb_take(&m->scratch, &to)));
}

#define POST(member) offsetof(struct page, member), NULL

static const struct script_field post_fields[] = {
        {"url", SCRIPT_FIELD_MADE, 0, make_post_url},
        {"slug", SCRIPT_FIELD_MADE, 0, make_post_slug},
        {"title", SCRIPT_FIELD_TEXT, POST(text.title)},
        {"title_html", SCRIPT_FIELD_MARKUP, POST(text.title_html)},
        {"description", SCRIPT_FIELD_TEXT, POST(text.description)},
        {"description_html", SCRIPT_FIELD_MARKUP, POST(text.description_html)},
        {"date", SCRIPT_FIELD_TEXT, POST(front.date)},
        {"updated", SCRIPT_FIELD_TEXT, POST(front.updated)},
        {"minutes", SCRIPT_FIELD_INT, POST(source.minutes)},
        {"tags", SCRIPT_FIELD_MADE, 0, make_post_tags},
        {"category", SCRIPT_FIELD_TEXT, POST(front.category)},
        {"author", SCRIPT_FIELD_TEXT, POST(front.author)},
        {"difficulty", SCRIPT_FIELD_TEXT, POST(front.difficulty)},
        {"series", SCRIPT_FIELD_TEXT, POST(front.series)},
        {"series_url", SCRIPT_FIELD_MADE, 0, make_post_series_url},
        {"part", SCRIPT_FIELD_I64, POST(front.part)},
        {"draft", SCRIPT_FIELD_FLAG, POST(front.draft)},
        {"foreign", SCRIPT_FIELD_MADE, 0, make_post_foreign},
        {"language", SCRIPT_FIELD_MADE, 0, make_post_language},
        {"older", SCRIPT_FIELD_MADE, 0, make_post_older},
        {"current", SCRIPT_FIELD_MADE, 0, make_post_current},
        {"prev", SCRIPT_FIELD_MADE, 0, make_post_prev},
        {"next", SCRIPT_FIELD_MADE, 0, make_post_next},
        {"series_posts", SCRIPT_FIELD_MADE, 0, make_post_series},
        {"source_url", SCRIPT_FIELD_MADE, 0, make_post_source_url},
        {"key", SCRIPT_FIELD_TEXT, POST(front.key)},
        {"key_html", SCRIPT_FIELD_MARKUP, POST(front.key_html)},
        {"take", SCRIPT_FIELD_MADE, 0, make_post_take},
        {"spark", SCRIPT_FIELD_MADE, 0, make_post_spark},
        {"featured", SCRIPT_FIELD_FLAG, POST(front.featured)},
        {"related", SCRIPT_FIELD_MADE, 0, make_post_related},
        {"bibtex", SCRIPT_FIELD_MADE, 0, make_post_bibtex},
        {"mail_url", SCRIPT_FIELD_MADE, 0, make_post_mail},
};
static const struct script_class post_class = {"post", post_fields, ARRAY_LEN(post_fields)};

void vars_post_object(struct maker *m, struct script *s, const char *key, const struct page *p)
{
	if (p)
		script_object(s, key, &post_class, m, p);
	else
		script_flag(s, key, false);
}

static void make_post_prev(struct script *s, void *maker, const void *post)
{
	vars_post_object(maker, s, SCRIPT_VALUE, ((const struct page *)post)->place.older);
}

static void make_post_next(struct script *s, void *maker, const void *post)
{
	vars_post_object(maker, s, SCRIPT_VALUE, ((const struct page *)post)->place.newer);
}

static void make_post_series(struct script *s, void *maker, const void *post)
{
	const struct page_group *group = ((const struct page *)post)->place.series;
	script_begin(s, SCRIPT_VALUE, 0);
	for (size_t i = 0; group && i < group->posts.n; i++)
		vars_post_object(maker, s, NULL, group->posts.all[i]);
	script_end(s);
}

static void make_post_related(struct script *s, void *maker, const void *post)
{
	const struct maker *m = maker;
	const struct page *found[RELATED_MOST];
	size_t n = related_posts(m->site, post, found);
	script_begin(s, SCRIPT_VALUE, 0);
	for (size_t i = 0; i < n; i++)
		vars_post_object(maker, s, NULL, found[i]);
	script_end(s);
}

void vars_post_list(struct maker *m, struct script *s, struct page *const *posts, size_t n)
{
	script_begin(s, "posts", 0);
	for (size_t i = 0; i < n; i++)
		vars_post_object(m, s, NULL, posts[i]);
	script_end(s);
}

void vars_featured(struct maker *m, struct script *s, const struct page_list *posts)
{
	size_t i = 0;
	while (i < posts->n && !posts->all[i]->front.featured)
		i++;
	vars_post_object(m, s, "featured", i < posts->n ? posts->all[i] : NULL);
}

/* The body up to the end of the paragraph that it begins with; 0: it begins with something else. */
static size_t opening_of(struct str body)
{
	static const char end[] = "</p>\n";
	const char *at = str_starts(body, "<p") ? memmem(body.p, body.n, end, strlen(end)) : NULL;
	return at ? (size_t)(at - body.p) + strlen(end) : 0;
}

void vars_opening(struct script *s, const struct page *p)
{
	size_t n = opening_of(p->text.body);
	script_markup(s, "opening", str_sub(p->text.body, 0, n));
	script_markup(s, "rest", str_sub(p->text.body, n, p->text.body.n));
}
