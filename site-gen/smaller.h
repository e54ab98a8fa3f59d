/*
 * site-gen/smaller.h - pictures in the sizes that readers' screens need, as WebP:
 * /posts/x/photo.jpg of 2000 pixels is offered as photo-480.webp, photo-960.webp, … beside
 * it. cwebp makes them; they are kept in the cache under a hash of the picture.
 */
#ifndef SITE_GEN_SMALLER_H
#define SITE_GEN_SMALLER_H

#include "site-gen/site.h"

/* Adds the sizes of all pictures that loaded pages show. */
void smaller_add(struct site *s);

/* The row function of these files (pages.h). */
bool smaller_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);

#endif
