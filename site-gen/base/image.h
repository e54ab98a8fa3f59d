/*
 * site-gen/base/image.h - formats and sizes of picture files, read from their headers.
 * A page needs the size to reserve room while the picture loads. This module also
 * decides in which smaller sizes readers get a picture.
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
	int width, height; /* pixels; CSS pixels for a drawing */
	bool moves;        /* an animation */
};

enum { IMAGE_MAX_BYTES = 64 << 20, IMAGE_MOST_WIDTHS = 4 };

/*
 * Reads the bytes of a picture. The error says what is wrong: the format is unknown,
 * the file is cut short, it has no size, or viewers must rotate it (Exif).
 */
MUST_CHECK bool image_read(struct str bytes, struct image *out, struct err *e);

/*
 * The widths in which a picture is offered, ascending, none above its own. Returns
 * their number: 0 for drawings, animations and small pictures.
 */
size_t image_widths(const struct image *i, int out[IMAGE_MOST_WIDTHS]);

/* Appends the address of a smaller size: "photo.jpg", 480 -> "photo-480.webp". */
void image_address(struct str url, int width, struct sb *to);

#endif
