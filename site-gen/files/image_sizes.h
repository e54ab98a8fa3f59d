/*
 * site-gen/files/image_sizes.h - smaller sizes of pictures, as WebP. /posts/x/photo.jpg of
 * 2000 pixels is also offered as photo-480.webp, photo-960.webp, … beside it. cwebp makes
 * them; the cache keeps them under a hash of the picture.
 */
#ifndef SITE_GEN_FILES_IMAGE_SIZES_H
#define SITE_GEN_FILES_IMAGE_SIZES_H

#include <stdbool.h>

#include "lib/err.h"

struct maker;
struct page;
struct sb;
struct site;

/* Adds the smaller sizes of all pictures on loaded pages. */
void image_sizes_add(struct site *s);

/* The row function of these files (build/page_kinds.h). */
MUST_CHECK bool image_sizes_bytes(struct maker *m, const struct page *p, struct sb *to,
                                  struct err *e);

#endif
