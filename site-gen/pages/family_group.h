/*
 * site-gen/pages/family_group.h - the groups of cases of a family's page: each has equal words,
 * dtype and cache, while its sizes vary.
 */
#ifndef SITE_GEN_PAGES_FAMILY_GROUP_H
#define SITE_GEN_PAGES_FAMILY_GROUP_H

#include "site-gen/pages/body_writer.h"

struct family_group {
	struct pick *picks;
	size_t n;
	const char *conditions; /* "op=copy,dtype=f32,cache=cold": the same on all devices */
	const char *title;      /* "copy, f32, cold": its anchor */
};

/* Groups the cases; groups have the order of their first case, and keep the order of cases. */
struct family_group *family_group_find(const struct pick *picks, size_t n, struct arena *a,
                                       size_t *count);

/*
 * Opens the fold of group i of n, with its heading. False: it has no section, because no case of it
 * has a number, or because an earlier group shows its only case, which was measured in an unusual
 * way.
 */
bool family_group_head(struct writer *w, const struct family_group *all, size_t n, size_t i);

/* Writes the ladder and the charts of group i of n, as measured on the device. */
MUST_CHECK bool family_group_write(struct writer *w, const struct data_family *f,
                                   const char *device, const struct family_group *all, size_t n,
                                   size_t i);
/* The same for a group of usual cases, with the ladder of the size that `like` has. */
MUST_CHECK bool family_group_lead(struct writer *w, const struct data_family *f, const char *device,
                                  const struct family_group *g, const struct pick *like);

/* The case with the size that stands for the group; NULL: it has none, or is a lone case. */
const struct pick *family_group_size(const struct family_group *g);

/* The kernel that is best in the metric, among those with the sizes of `like`; NULL: none. */
const struct pick *family_group_best(const struct family_group *g, const struct pick *like,
                                     enum metric m);

#endif
