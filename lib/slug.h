/*
 * lib/slug.h - the short name of a device in run files, datasheets and URLs, made
 * from the name that its driver or the operating system reports.
 */
#ifndef LIB_SLUG_H
#define LIB_SLUG_H

#include <stddef.h>

/*
 * The lower-case words of `name` that tell one chip from another, joined by
 * '-' after `prefix` ("" or "cpu"): "NVIDIA H100 80GB HBM3" is
 * "h100-80gb-hbm3". A slug is returned unchanged. Words that do not fit into
 * `size` bytes are dropped.
 */
void slug_device(const char *prefix, const char *name, char *out, size_t size);

#endif
