/*
 * site-gen/audit/feed.h - the texts of posts in feeds, which have no links of numbers: each block
 * of an entry must stand word for word on the page that the entry links to, whose numbers were
 * derived again.
 */
#ifndef SITE_GEN_AUDIT_FEED_H
#define SITE_GEN_AUDIT_FEED_H

#include "site-gen/audit/state.h"

/* Keeps the text of a post's page under its canonical address; ignores other pages. */
void audit_feed_page(struct audit *a, const char *path, struct str bytes);

/* Keeps an entry's markup for audit_feed_finish(); `url` is the address of its page. */
void audit_feed_entry(struct audit *a, struct loc at, struct str url, struct str html);

/* Compares the entries with their pages. Call it after the last file. */
void audit_feed_finish(struct audit *a);

#endif
