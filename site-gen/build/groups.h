/*
 * site-gen/build/groups.h - tags and series: groups of posts with a name. Each has a page and a
 * feed: a tag always, a series if content/series/ has a text with its name as the title. Pages of
 * former tags (lua/config.h) redirect.
 */
#ifndef SITE_GEN_BUILD_GROUPS_H
#define SITE_GEN_BUILD_GROUPS_H

struct maker;

/* Call it when the lists of all languages are there. Tells posts their groups, adds the pages. */
void groups_build(struct maker *m);

#endif
