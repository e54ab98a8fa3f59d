/*
 * site-gen/files/image_sizes.h - pictures in the sizes that readers' screens need, as WebP:
 * /posts/x/photo.jpg of 2000 pixels is offered as photo-480.webp, photo-960.webp, … beside
 * it. cwebp makes them; they are kept in the cache under a hash of the picture.
 */
#ifndef SITE_GEN_FILES_IMAGE_SIZES_H
#define SITE_GEN_FILES_IMAGE_SIZES_H

#include "site-gen/site/site.h"

/* Adds the sizes of all pictures that loaded pages show. */
void smaller_add(struct site *s);

/* The row function of these files (build/page_kinds.h). */
bool smaller_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);

#endif
