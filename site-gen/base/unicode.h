/*
 * site-gen/base/unicode.h - Unicode properties and forms of characters, from GNU libunistring,
 * which only unicode.c includes. Nothing here depends on a locale.
 */
#ifndef SITE_GEN_BASE_UNICODE_H
#define SITE_GEN_BASE_UNICODE_H

#include "lib/str.h"

/* The character at s.p[i], i < s.n, and its length; U+FFFD for bytes that are not UTF-8. */
uint32_t unicode_at(struct str s, size_t i, size_t *n);

/* Characters of words in any script: letters, combining marks and decimal digits. */
bool unicode_is_word(uint32_t c);

/* Han, Hiragana and Katakana: scripts that write words without spaces between them. */
bool unicode_is_cjk(uint32_t c);

/* The lower-case form of a capital; any other character is returned unchanged. */
uint32_t unicode_lower(uint32_t c);

/* True if the character takes two columns of a terminal (UAX #11). */
bool unicode_is_wide(uint32_t c);

/* True if the character itself is invisible: it only joins, separates or orders others. */
bool unicode_is_ignorable(uint32_t c);

/* 0 to 9 for a decimal digit of any script, else -1. */
int unicode_digit(uint32_t c);

enum { UNICODE_COMPATIBLE = 80 };

/*
 * Writes the character's compatibility form (NFKC, UAX #15) as UTF-8: "MHz" for the squared sign.
 * Returns its length; 0 for a character that is its own form.
 */
size_t unicode_compatible(uint32_t c, char out[UNICODE_COMPATIBLE]);

/* Appends the compatibility form of valid UTF-8 in lower case. */
void unicode_fold(struct sb *to, struct str s);

/* Appends the text with each power of digits set as one: "2^28 floats" becomes "2²⁸ floats". */
void unicode_powers(struct sb *to, struct str s);

/*
 * True if at least one character of the text leaves ink by itself. Spaces, controls, format
 * characters, combining marks, private and ignorable code points do not, nor do blank letters and
 * signs (Hangul fillers, the empty Braille pattern). An invisible title, reason or quote counts as
 * missing.
 */
bool unicode_is_visible(struct str s);

#endif
