/*
 * site-gen/kinds/listing.h - code as a figure of its own: with a name above it,
 * numbers before its lines, some of them lit, and notes bound to lines.
 *
 *   div.code[data-lang] > div.caption + pre[tabindex=0] > code
 *     span.l[data-n]      a line and its number, which CSS shows, so that nobody copies it;
 *                         only where there is something to say of lines
 *       .lit              the author's mark=
 *       .n1, .n2, …       the line of note 1, 2, …; in it a.note leads to the note
 *   ol.code-notes         the notes, right after the code (markdown/code.c)
 */
#ifndef SITE_GEN_KINDS_LISTING_H
#define SITE_GEN_KINDS_LISTING_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/lua/words.h"

struct highlight_lang;

struct listing {
	const struct highlight_lang *lang;
	struct str code;
	const char *caption; /* plain text; NULL: none */
	const int *number;   /* of each line; NULL: none */
	const bool *lit;     /* each line; NULL: none */
	const int *note;     /* of each line, from 1; 0: none. NULL: no line has any */
	int id;              /* of the notes: "code-<id>-<note>", their lines "…-line" */
	const struct words *words;
};

void listing_print(const struct listing *l, struct arena *a, struct sb *to);

size_t listing_lines(struct str code);

/*
 * Lines that an author marks: "3-5,8", counted from the first that is shown.
 * Returns an array for nlines; NULL: an error at `at`.
 */
const bool *listing_marks(struct str text, size_t nlines, struct loc at, struct arena *a,
                          struct err *e);

/*
 * Takes the markers of notes off the ends of lines: the language's comment, then
 * <1>. *code is what remains, *notes the note of each line, *most the highest.
 * False: there are none.
 */
bool listing_notes(const struct highlight_lang *lang, struct str *code, const int **notes,
                   int *most, struct arena *a);

#endif
