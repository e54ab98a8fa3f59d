/*
 * site-gen/base/front_check.h - checks of front matter values. Each returns NULL if
 * the value is right, else what was expected.
 */
#ifndef SITE_GEN_BASE_FRONT_CHECK_H
#define SITE_GEN_BASE_FRONT_CHECK_H

#include <stdbool.h>

const char *front_check_date(const char *s); /* "2026-11-21", in the calendar, from 1970 */
const char *front_check_slug(const char *s); /* [a-z0-9][a-z0-9-]{0,63} */
/* The same of a file's name. A family is a name in C, too, so its may have '_'. */
const char *front_check_name(const char *s, bool family);
const char *front_check_difficulty(const char *s);
const char *front_check_status(const char *s);
const char *front_check_task(const char *s); /* what a family's kernels do, by a closed list */
const char *front_check_post(const char *s); /* "/posts/scan/" */
const char *front_check_blob(const char *s); /* 40 lower-case hex digits */
const char *front_check_lang(const char *s); /* the common subset of BCP 47: "en", "zh-Hans" */

#endif
