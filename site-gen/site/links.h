/*
 * site-gen/site/links.h - the check that every internal link has a target and an
 * anchor. Errors in an author's links name the link's place; errors in links that
 * templates and records make name the page.
 *
 * liburiparser would not save these lines. It refuses letters beyond ASCII, which our addresses
 * have. As RFC 3986 demands, it drops a ".." above the root, which is an error here.
 */
#ifndef SITE_GEN_SITE_LINKS_H
#define SITE_GEN_SITE_LINKS_H

#include <stdbool.h>

struct maker;
struct page;
struct problems;
struct sb;
struct site;
struct str;

/* LINKS_SRC also stands for each address of a srcset. */
enum links_attribute { LINKS_ID, LINKS_HREF, LINKS_SRC };

/* Calls back for each id, href and src in well-formed markup, until a call returns false. */
void links_scan(struct str html,
                bool (*found)(void *ctx, enum links_attribute kind, struct str value), void *ctx);

/* Does the address have a scheme, or a host? */
bool links_is_external(struct str url);

/*
 * Resolves `href` on the page at `page_url`: `path` is absolute, without dots,
 * query and escapes; the fragment is without '#'. False if it leads above the
 * root.
 */
bool links_resolve(const char *page_url, struct str href, struct sb *path, struct str *fragment);

/* In a worker: keeps the page's anchors, and the links that cannot be checked yet. */
void links_note(struct maker *m, struct page *p, struct str html);

/* In the parent, after all pages are written: adds a problem for each broken link. */
void links_check(struct site *s, struct problems *to);

#endif
