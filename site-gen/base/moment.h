/*
 * site-gen/base/moment.h - when a text was finished: a day, "2026-11-19", or a second of UTC,
 * "2026-11-19T14:05:00Z". As texts, both sort in the order of time: a day stands before its times.
 */
#ifndef SITE_GEN_BASE_MOMENT_H
#define SITE_GEN_BASE_MOMENT_H

#include "lib/arena.h"

enum { MOMENT_DAY = 10, MOMENT_TIME = 20 }; /* lengths of the two forms */

/*
 * Checks a day, or a time with its zone as an author writes it: "2026-11-19T14:05Z",
 * "2026-11-19T22:05:30+08:00". Returns NULL if it is right, else what was expected.
 */
const char *moment_check(const char *s);

/* The same day or time in the form above. `s` passes moment_check(). */
const char *moment_utc(const char *s, struct arena *a);

/* The moment in RFC 3339, with a time: a day begins at "T00:00:00Z". */
const char *moment_stamp(const char *moment, struct arena *a);

#endif
