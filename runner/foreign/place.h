/* runner/foreign/place.h - where the elements of an array stand in a JSON text, for errors. */
#ifndef RUNNER_FOREIGN_PLACE_H
#define RUNNER_FOREIGN_PLACE_H

#include "lib/arena.h"
#include "lib/str.h"

/*
 * The places of the elements of the array `key` in the object that stands at `from` of the text,
 * which json_parse() has read. Returns how many there are; 0 without such an array.
 */
size_t place_items(struct str text, size_t from, const char *key, struct arena *a, size_t **out);

#endif
