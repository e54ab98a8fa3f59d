/*
 * site-gen/kinds/listing.h - listings of code, with a name, line numbers, marked lines
 * and notes on lines.
 *
 *   div.code[data-lang] > div.caption + pre[tabindex=0] > code
 *     span.l[data-n]      a line and its number, which CSS shows so that it is not copied; only
 *                         in listings with numbers, marks or notes
 *       .memory, .tensor, .arithmetic, .control   the class of an instruction (sass_class.h)
 *       .lit              the author's mark=
 *       .n1, .n2, …       the line of note 1, 2, …; its a.note links to the note
 *       .rest             hidden on a phone until label.unfold is checked (listing_rest)
 *     label.unfold     "all 27 lines", on a phone; only where lines are .rest
 *   ol.code-notes         the notes, right after the code (markdown/code.c)
 *
 * A phone shows what the text speaks of: the lines with a mark or a note, or, where there are none,
 * the first ones. The others stand in the page as well; static/code.css hides them, without a
 * script, and paper has all.
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
	const char *caption;   /* plain text; NULL: none */
	const int *number;     /* number of each line, 0: none; NULL: no line has one */
	const char *const *is; /* a further class of each line, NULL: none; NULL: no line has one */
	const bool *lit;       /* for each line, whether it is marked; NULL: none */
	const int *note;       /* note of each line, from 1; 0: none. NULL: no line has a note */
	int id;                /* ids of notes are "code-<id>-<note>", of their lines "…-line" */
	bool again;            /* it stands above for another device, so its lines have no ids */
	const struct words *words;
};

/*
 * Which of n lines a phone hides, when `kept` says which matter; if none does, the first ones stay.
 * NULL where too few lines would be saved, or `kept` is NULL.
 */
const bool *listing_rest(const bool *kept, size_t n, struct arena *a);

/* Writes the control that shows all lines on a phone, right after the listing's pre. */
void listing_toggle(const struct words *w, size_t nlines, struct arena *a, struct sb *to);
/* Writes label.unfold with this text: a control that phones alone show, and style sheets obey. */
void listing_unfold(const char *text, struct sb *to);

void listing_print(const struct listing *l, struct arena *a, struct sb *to);

size_t listing_lines(struct str code);

/*
 * Parses an author's marks, "3-5,8", counted from the first line shown. Returns an
 * array of nlines; NULL on an error at `at`.
 */
MUST_CHECK const bool *listing_marks(struct str text, size_t nlines, struct loc at, struct arena *a,
                                     struct err *e);

/*
 * Finds the lines that an author's notes are for: "TEXT; TEXT", each a part of exactly one line,
 * first that of note 1. Returns an array of nlines; NULL on an error at `at`.
 */
MUST_CHECK const int *listing_noted(struct str texts, struct str code, struct loc at, int *most,
                                    struct arena *a, struct err *e);

/*
 * Removes the markers of notes from the ends of lines: the language's comment,
 * then <1>. *code is the rest, *notes the note of each line, *most the highest
 * note. False: there are none.
 */
bool listing_notes(const struct highlight_lang *lang, struct str *code, const int **notes,
                   int *most, struct arena *a);

#endif
