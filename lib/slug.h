/*
 * lib/slug.h - what a device is called in run files, datasheets and addresses,
 * made of the name that its driver or its kernel gives.
 */
#ifndef LIB_SLUG_H
#define LIB_SLUG_H

#include <stddef.h>

/*
 * The lower-case words of `name` that tell one chip from another, joined by
 * '-' after `prefix` ("" or "cpu"): "NVIDIA H100 80GB HBM3" is
 * "h100-80gb-hbm3". A slug stays as it is. Words that do not fit into `size`
 * bytes are left out.
 */
void slug_device(const char *prefix, const char *name, char *out, size_t size);

#endif
