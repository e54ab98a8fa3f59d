/*
 * lib/visible.h - does a text show anything? A title, a reason or a quote that
 * a reader cannot see is none.
 */
#ifndef LIB_VISIBLE_H
#define LIB_VISIBLE_H

#include "lib/str.h"

/*
 * True if a character of the text leaves ink on the page by itself: a letter,
 * digit, mark of punctuation or symbol. Spaces (Z*), controls and formats (Cc,
 * Cf), combining marks alone (Mn, Me), private use (Co), noncharacters, what
 * Unicode calls default ignorable, and the letters and symbols that are blank
 * (Hangul fillers, the empty Braille pattern) are none. The text is UTF-8.
 */
bool visible_any(struct str s);

#endif
