/*
 * site-gen/base/image.h - what a picture file says of itself in its first bytes: its
 * format and its size, so that a page keeps its place while it loads; and in
 * which smaller sizes readers get it.
 *
 * Formats: PNG (W3C, 3rd edition), JPEG (ITU-T T.81) with Exif (CIPA DC-008),
 * WebP (RFC 9649), GIF (89a), SVG (2).
 */
#ifndef SITE_GEN_BASE_IMAGE_H
#define SITE_GEN_BASE_IMAGE_H

#include "lib/err.h"
#include "lib/str.h"

enum image_format { IMAGE_PNG, IMAGE_JPEG, IMAGE_WEBP, IMAGE_GIF, IMAGE_SVG };

struct image {
	enum image_format format;
	int width, height; /* pixels, of CSS if it is a drawing */
	bool moves;        /* several pictures, one after the other */
};

enum { IMAGE_MAX_BYTES = 64 << 20, IMAGE_MOST_WIDTHS = 4 };

/*
 * Reads the bytes of a picture. An error says what is wrong with them: no known
 * format, cut short, without a size, or to be turned by its reader (Exif).
 */
bool image_read(struct str bytes, struct image *out, struct err *e);

/*
 * The widths in which a picture is offered, ascending: up to its own. None for
 * drawings, for what moves, and for what is small anyway.
 */
size_t image_widths(const struct image *i, int out[IMAGE_MOST_WIDTHS]);

/* The address of one of them: "photo.jpg", 480 -> "photo-480.webp". */
void image_address(struct str url, int width, struct sb *to);

#endif
