/*
 * site-gen/look/vars.h - variables and functions for templates. templates/README.md is
 * the contract; these functions implement it.
 */
#ifndef SITE_GEN_LOOK_VARS_H
#define SITE_GEN_LOOK_VARS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/err.h"
#include "site-gen/records/data_state.h"

struct data;
struct data_family;
struct data_run;
struct maker;
struct page;
struct page_group;
struct page_list;
struct sb;
struct script;
struct str;
struct translation;
struct words;

/*
 * Defines the functions of the template API that need the site (url, absolute,
 * asset, date, t) for the language of m->page, unless they already are.
 */
void vars_define(struct maker *m);

/* Sets `site` and `page` for m->page. Called inside script_render, with the maker as context. */
void vars_page(struct script *s, void *maker);

/* Sets `key` to an address of the site, with the site's prefix. */
void vars_url(struct maker *m, struct script *s, const char *key, const char *url);

/* The additional variables of each kind of page (build/page_kinds.c). */
void vars_home(struct maker *m, struct script *s, const struct page *p);
void vars_posts(struct maker *m, struct script *s, const struct page *p);
void vars_post(struct maker *m, struct script *s, const struct page *p);
void vars_tags(struct maker *m, struct script *s, const struct page *p);
void vars_tag(struct maker *m, struct script *s, const struct page *p);
void vars_series(struct maker *m, struct script *s, const struct page *p);
void vars_families(struct maker *m, struct script *s, const struct page *p);
void vars_family(struct maker *m, struct script *s, const struct page *p);
void vars_runs(struct maker *m, struct script *s, const struct page *p);
void vars_devices(struct maker *m, struct script *s, const struct page *p);
void vars_comparisons(struct maker *m, struct script *s, const struct page *p);
void vars_run(struct maker *m, struct script *s, const struct page *p);
void vars_number(struct maker *m, struct script *s, const struct page *p);
/* vars_handbook.c: the handbook's list, a section, a path */
void vars_handbook(struct maker *m, struct script *s, const struct page *p);
void vars_section(struct maker *m, struct script *s, const struct page *p);
void vars_path(struct maker *m, struct script *s, const struct page *p);

/* --- vars_site.c --- */

/* `site`. */
void vars_site_object(struct maker *m, struct script *s);

/* --- vars_family.c --- */

/* The family's page in the current page's language, else in the site's own. */
const struct page *vars_family_page(struct maker *m, const struct data_family *f);

/* "families": all of them, in the order of their ids. */
void vars_family_list(struct maker *m, struct script *s);

/* --- vars_post.c --- */

/* Sets `key` to a post or a tag; no post (NULL) becomes false. */
void vars_post_object(struct maker *m, struct script *s, const char *key, const struct page *p);
void vars_tag_object(struct maker *m, struct script *s, const char *key,
                     const struct page_group *t);
/* Sets the list "posts". */
void vars_post_list(struct maker *m, struct script *s, struct page *const *posts, size_t n);
/* `featured`: the newest of the posts that is to stand first on the home page; false: none is. */
void vars_featured(struct maker *m, struct script *s, const struct page_list *posts);

/* Sets `opening`, the paragraph that the body begins with, and `rest`, what comes after it. */
void vars_opening(struct script *s, const struct page *p);

/* --- vars_marks.c --- */

/* Sets page.marks: the marked states of the page's numbers, worst first, and how many have each. */
void vars_marks(struct script *s, const struct page *p, const struct words *w);

/* --- vars_language.c --- */

/* The function `date` of the template API. */
MUST_CHECK bool vars_date(void *maker, const struct str *arg, struct sb *to, struct err *e);
/* Sets page.languages and page.translation. */
void vars_languages(struct maker *m, struct script *s, const struct page *p);
/* True if the original has changed since it was translated. */
bool vars_is_older(const struct translation *t);

/* The worst state among a run's cases. */
enum data_state vars_run_state(const struct data *d, const struct data_run *r);

#endif
