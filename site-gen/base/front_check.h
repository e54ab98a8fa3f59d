/*
 * site-gen/base/front_check.h - what a word of the front matter may be. Each check
 * returns NULL if the word is right, else what was expected.
 */
#ifndef SITE_GEN_BASE_FRONT_CHECK_H
#define SITE_GEN_BASE_FRONT_CHECK_H

const char *front_check_date(const char *s); /* "2026-11-21", in the calendar, from 1970 */
const char *front_check_slug(const char *s); /* [a-z0-9][a-z0-9-]{0,63} */
const char *front_check_difficulty(const char *s);
const char *front_check_status(const char *s);
const char *front_check_blob(const char *s); /* 40 hex digits, small */
const char *front_check_lang(const char *s); /* BCP 47, the usual part: "en", "zh-Hans" */

#endif
