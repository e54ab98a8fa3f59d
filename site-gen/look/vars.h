/*
 * site-gen/look/vars.h - what templates see: templates/README.md is the contract,
 * these functions keep it.
 */
#ifndef SITE_GEN_LOOK_VARS_H
#define SITE_GEN_LOOK_VARS_H

#include "site-gen/site/site.h"

/*
 * Defines the functions of the template API that need the site (url, absolute,
 * asset, date, t) for the language of m->page, if they are not for it already.
 */
void vars_define(struct maker *m);

/* Inside script_render, with a struct maker as context: `site` and `page` of m->page. */
void vars_page(struct script *s, void *maker);

/* An address of the site as a value, with the site's prefix. */
void vars_url(struct maker *m, struct script *s, const char *key, const char *url);

/* The further variables of a kind (build/page_kinds.c). */
void vars_home(struct maker *m, struct script *s, const struct page *p);
void vars_posts(struct maker *m, struct script *s, const struct page *p);
void vars_post(struct maker *m, struct script *s, const struct page *p);
void vars_tags(struct maker *m, struct script *s, const struct page *p);
void vars_tag(struct maker *m, struct script *s, const struct page *p);
void vars_families(struct maker *m, struct script *s, const struct page *p);
void vars_family(struct maker *m, struct script *s, const struct page *p);
void vars_runs(struct maker *m, struct script *s, const struct page *p);
void vars_devices(struct maker *m, struct script *s, const struct page *p);
void vars_comparisons(struct maker *m, struct script *s, const struct page *p);
void vars_run(struct maker *m, struct script *s, const struct page *p);
void vars_number(struct maker *m, struct script *s, const struct page *p);

/* --- vars_site.c --- */

/* `site`. */
void vars_site_object(struct maker *m, struct script *s);

/* --- vars_post.c --- */

/* A post or a tag as a value; no post (NULL) is false. */
void vars_post_object(struct maker *m, struct script *s, const char *key, const struct page *p);
void vars_tag_object(struct maker *m, struct script *s, const char *key, const struct site_tag *t);
/* "posts", a list. */
void vars_post_list(struct maker *m, struct script *s, struct page *const *posts, size_t n);

/* --- vars_language.c --- */

/* The function `date` of the template API. */
bool vars_date(void *maker, const struct str *arg, struct sb *to, struct err *e);
/* page.languages and page.translation. */
void vars_languages(struct maker *m, struct script *s, const struct page *p);
/* Has the original changed since? */
bool vars_is_older(const struct translation *t);

/* The worst state among a run's cases. */
enum data_state vars_run_state(const struct data *d, const struct data_run *r);

#endif
