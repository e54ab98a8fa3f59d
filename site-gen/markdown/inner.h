/*
 * site-gen/markdown/inner.h - declarations shared by the files of the Markdown renderer.
 *
 *   markdown.c  the stages: check, mark, parse, print
 *   limits.c   refuses sources that would cost cmark-gfm more than linear time
 *   marks.c    placeholders in the source, and places
 *   address.c  bare addresses, which are links without markup
 *   block.c    paragraphs, callouts, lists, code, footnotes
 *   cite.c     citations, and the list of references
 *   code.c     code blocks, and the notes of their lines
 *   heading.c  headings and their ids
 *   image.c    pictures: alternative text, size, and smaller versions
 *   label.c    numbers of figures, tables and equations, and references to them
 *   math.c     formulas
 *   note.c     published and unpublished footnotes
 *   outline.c  the parts of a text, without printing it
 *   inline.c   text, links, images, and plain text of a node
 *   table.c    tables, their titles, and what they sort by
 *   prose.c    line ends and quotes beside Chinese, markup that stays as text
 *   text.c     the text of a block for the lint, and its spans
 *   mem.c      memory for cmark-gfm
 *
 * Only these files use cmark-gfm, and only this header includes it.
 */
#ifndef SITE_GEN_MARKDOWN_INNER_H
#define SITE_GEN_MARKDOWN_INNER_H

#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
#include <setjmp.h>

#include "lib/err.h"
#include "site-gen/markdown/markdown.h"
#include "site-gen/base/placeholder.h"

/* --- limits ---------------------------------------------------------------- */

/* Checks the source before any other code reads it. Places are in `path`, from first_line on. */
MUST_CHECK bool md_check_source(struct str src, const char *path, int first_line, struct err *e);

/* --- marks ----------------------------------------------------------------- */

enum md_mark_kind {
	MD_PLACEHOLDER, /* <<bench:…>> */
	MD_UNCLOSED,    /* <<bench: without its >> : allowed only in code */
	MD_LAUNCH,      /* <<<grid, block>>> : plain text everywhere */
	MD_MATH,        /* $x$ in a sentence, $$x$$ on its own */
	MD_ADDRESS,     /* https://example.org : a link without markup */
	MD_MISTYPED,    /* <bench: and the like : allowed only in code */
	MD_COMMENT,     /* <!-- : allowed only in code */
};

struct md_mark {
	enum md_mark_kind kind;
	struct str text; /* as written in the source */
	struct loc at;
	struct str tex; /* formulas: the source without its dollars */
	bool shown;     /* in code, so shown as written */
	bool parsed;    /* place and p are set, which happens at its first use outside of code */
	enum expand_place place;
	struct placeholder p;

	/* spans, set by md_text_block() */
	struct md_mark *open, *close; /* the opening mark of a closing one, and vice versa */
	struct md_mark *next_span; /* next span of the text; for a number, the number before it */
	cmark_node *node;          /* the node that contains it; NULL: in a caption */
	size_t from, to; /* range in the block's text: of an opening mark's span, or of a number */
	struct span *span; /* opening marks only */
	bool used;         /* it waives a finding */
};

/* Does the mark stand for numbers, and not for an author's own text? */
static inline bool md_mark_looks_up(const struct md_mark *m)
{
	return m->kind == MD_PLACEHOLDER || m->kind == MD_UNCLOSED;
}

/* A source whose marks are replaced by U+E000 index U+E001. */
struct md_source {
	struct str src, marked;
	const char *path;
	int first_line;
	struct md_mark *marks;
	size_t nmarks;
	bool cites;        /* it may contain a citation */
	bool folded;       /* a mark contains a line end */
	const char **line; /* starts of the lines of `marked`; NULL until a place is needed */
	int *line_no;      /* for each of them, its line number in the source */
	size_t nlines;
	struct arena *arena;
};

MUST_CHECK bool md_source_init(struct md_source *s, struct err *e);
/* Does the text contain a '[' directly before `after`? */
bool md_has_bracket(struct str s, const char *after);

/*
 * The first mark in text at or after `from`, with its range [*start, *end) in the
 * text. NULL: none.
 */
struct md_mark *md_mark_next(const struct md_source *s, struct str text, size_t from, size_t *start,
                             size_t *end);

/* The text with all marks as written in the source; a copy in the arena if there are any. */
struct str md_restore(const struct md_source *s, struct str text);

/* The line of `marked`, from 0, where a node or else its parent starts; -1: unknown. */
int md_node_line(struct md_source *s, cmark_node *n);

/* The place of a byte in a line of `marked`, both from 0. Needs a prior md_node_loc(). */
struct loc md_place(struct md_source *s, size_t line, size_t byte);

/* The place of a node; without a column (0) if cmark-gfm's column is unreliable. */
struct loc md_node_loc(struct md_source *s, cmark_node *n);

/* Is the byte escaped, so that an odd number of backslashes precedes it? */
bool md_escaped_at(struct str s, size_t at);

/* --- bare addresses -------------------------------------------------------- */

/* Position of the next "http://" or "https://" at or after `from`; s.n if there is none. */
size_t md_address_find(struct str s, size_t from);
/* The end of the bare address that starts at `at`; 0 if there is none. */
size_t md_address_end(struct str s, size_t at);
/* The address of a mark, with entities decoded. */
struct str md_address_of(const struct md_mark *m, struct arena *a);

/* --- formulas -------------------------------------------------------------- */

/* State of the search for fenced code; starts as zeros. */
struct md_fences {
	size_t at; /* the line where the search continues */
	char open; /* '`' or '~' inside of a fence, else 0 */
};

/*
 * The end of the formula that starts with the '$' at `at`; 0 if it is plain text.
 * In a formula, no space follows the first '$' or precedes the last, and no digit
 * follows the last. So a price needs no backslash.
 */
size_t md_math_end(struct md_fences *f, struct str src, size_t at);

/* The text between the dollars. If it has several lines, their quote markers are removed. */
struct str md_math_source(struct str src, struct str text, struct arena *a);
/* The TeX of a mark; *display: is it a display formula? */
struct str md_math_tex(const struct md_mark *m, bool *display);

/*
 * Appends the text of a formula for the lint. Commands disappear, so that "4\,\text{TB/s}" reads
 * "4 TB/s". Variables become meaningless words, so that "n^2 s" has no seconds in it.
 */
void md_math_plain(struct str tex, struct sb *to);

/* --- memory ---------------------------------------------------------------- */

cmark_mem *md_mem(void);

/*
 * While `full` is set, an allocation beyond 256 MiB jumps there. Some kilobytes of
 * references to one long definition would expand to gigabytes, and cmark-gfm cannot
 * report failure. The jump leaks nothing, because cmark-gfm uses only this memory.
 */
void md_mem_limit(jmp_buf *full);

/* Frees all of it at once, after a post is printed. */
void md_mem_reset(void);

/* --- printing -------------------------------------------------------------- */

struct md_id {
	const char *id;
	unsigned hash;
};

/* The unique name of a table; `n`: the number of tables that wanted it. */
struct md_table {
	const char *name;
	int n;
};

struct md_render {
	struct md_source source;
	struct expand_ctx *ctx;
	struct arena *arena;
	struct err *e;
	struct sb html, scratch, text;
	struct md_doc *out;
	const struct md_options *options; /* may be NULL */
	size_t block, block_at; /* top-level block: its number, and where its markup starts */
	size_t headings_cap, links_cap;
	struct md_id *ids; /* ids of headings (out->nheadings of them) and others */
	size_t nids;

	int faults;          /* number of blocks left out because of an error */
	bool in_link;        /* inside a link; links do not nest */
	bool in_figure;      /* inside a figure, where an image's title is the caption */
	bool in_word;        /* the last byte counted was inside a word */
	cmark_node *trimmed; /* text of a heading or a title that ends with {#id} or {sort} */
	size_t trimmed_to;   /* and the end of that text without it */
	cmark_node *marker;  /* [!NOTE] of a callout, which is not printed */

	uint8_t *aligns; /* current table: 'l', 'c', 'r' or 0 for each column */
	int column;
	bool table_head, table_body;      /* in the header row; <tbody> is open */
	const struct quote *table_quotes; /* the numbers before the table, newest first */
	bool table_sorts;                 /* readers can sort it */
	size_t cell_at;                   /* of its current cell: where its markup starts, */
	const struct quote *cell_quotes;  /* and the numbers before it */
	const struct fact *cell_facts;
	struct md_table *tables; /* tables so far */
	size_t ntables, tables_cap;
	bool *measured;    /* for each column: does its head announce measurements? */
	bool row_measured; /* the same for the current row */

	struct md_label *labels; /* labels of figures, tables and equations; */
	size_t nlabels;          /* 0 if the page refers to none */
	int counts[3];           /* blocks numbered so far, by enum md_numbered */

	struct md_cited *cited; /* in the order of their numbers */
	int ncited;

	cmark_node *notes_of_code; /* the list of notes for the preceding code */
	int noted;                 /* code blocks with notes so far */

	bool notes_open;
	int note;         /* number of the current footnote, from 1 */
	bool note_backed; /* its links back are in its last paragraph */
	int *refs, nrefs; /* number of references to footnote i + 1 */
};

/* Each returns false on error. `enter` is true before the children and false after them. */
bool md_print_block(struct md_render *r, cmark_node *n, bool enter, bool *skip);
bool md_print_inline(struct md_render *r, cmark_node *n, bool enter, bool *skip);
bool md_print_heading(struct md_render *r, cmark_node *n, bool enter);

/* --- tables ---------------------------------------------------------------- */

/* Is it a table, or a part of one? */
bool md_is_table(cmark_node *n);
bool md_print_table(struct md_render *r, cmark_node *n, bool enter);

/*
 * Is the paragraph the title of a table: strong as a whole, before it? Leaves {sort} after it out
 * of what is printed, and reports it where it sorts nothing.
 */
MUST_CHECK bool md_table_title(struct md_render *r, cmark_node *paragraph, bool *is_title);

/* --- numbers of figures, tables and equations ------------------------------ */

enum md_numbered { MD_FIGURE, MD_TABLE, MD_EQUATION };

struct md_label {
	const char *id, *text; /* "fig-reads", "Figure 2" */
};

/* A numbered block and its label (p == NULL: none). */
struct md_number {
	enum md_numbered what;
	struct str label;
	struct md_mark *mark; /* placeholders and formulas */
	cmark_node *image;    /* pictures */
};

/* Is the block numbered? A formula is if it has a label. */
bool md_numbered(struct md_render *r, cmark_node *block, struct md_number *out);

/* Finds all labels of the page if it refers to any. Call it before printing. */
bool md_labels_find(struct md_render *r, cmark_node *root);

/*
 * Gives a block the next number: *text is "Figure 2", *id the label or NULL. Checks
 * the label and reserves it as an id.
 */
bool md_number_next(struct md_render *r, cmark_node *block, const struct md_number *n,
                    const char **text, const char **id);

/* The text of [](#label). NULL: the link has a text of its own, or another target. */
const char *md_reference(const struct md_render *r, cmark_node *link);
/* Sets the error for an unknown label, which names the nearest one. */
bool md_reference_fail(struct md_render *r, cmark_node *link);

/* id: a letter, then letters, digits, '-' or '_' */
bool md_id_allowed(struct str id);
/* Is the id in use or reserved? */
bool md_id_taken(const struct md_render *r, const char *id);
void md_id_take(struct md_render *r, const char *id);

/* --- formulas -------------------------------------------------------------- */

/* Prints a formula in a sentence. */
bool md_math_inline(struct md_render *r, const struct md_mark *m, struct sb *to);
/*
 * Prints a display formula; `block` is its paragraph or code block. `label` is as in
 * struct md_number.
 */
bool md_math_display(struct md_render *r, cmark_node *block, struct str tex, struct loc at,
                     struct str label);
/* Is the code block a formula? Takes its label from "math {#label}". */
bool md_math_block(cmark_node *code_block, struct str *label);
/* The display formula that makes up a whole paragraph, with its label; else NULL. */
struct md_mark *md_math_alone(struct md_render *r, cmark_node *paragraph, struct str *label);

/* --- citations ------------------------------------------------------------- */

/* Finds the first citation in a text at or after `from`. */
bool md_cite_next(struct md_render *r, struct str text, size_t from, size_t *start, size_t *end);
/* Prints one citation in node n. */
bool md_cite_print(struct md_render *r, struct str text, cmark_node *n);
/* Appends a text without its citations. */
void md_cite_plain(struct md_render *r, struct str text, struct sb *to);
/* Prints the list of references at the end of the page; nothing if there are none. */
void md_cite_list(struct md_render *r);

/* Does the source escape this text with a backslash? Then the author means it as text. */
bool md_is_escaped(struct md_render *r, struct str text);
/* A line of the source, as the author wrote it. */
struct str md_source_line(const struct md_source *s, int line);

/* --- code ------------------------------------------------------------------ */

bool md_print_code(struct md_render *r, cmark_node *n);

/* Is the list item a note for a line of the preceding code? */
/* Prints a placeholder that stands alone; the list after it has the notes of its code. */
bool md_print_lone(struct md_render *r, cmark_node *n, struct md_mark *m);
bool md_is_code_note(const struct md_render *r, cmark_node *item);
void md_code_note_open(struct md_render *r, cmark_node *item); /* prints its tag */
void md_code_note_back(struct md_render *r, cmark_node *item); /* prints its link back */

/* Parses r->source. The tree lives until md_mem_reset(). NULL on error. */
cmark_node *md_parse(struct md_render *r);

/* The id of a heading, from its text or (*given) from the source; reserves it. */
bool md_heading_id(struct md_render *r, cmark_node *heading, const char **id, bool *given);

/* Prints a text node's literal with its expansions. */
bool md_print_text(struct md_render *r, struct str text, cmark_node *n);

/* Is the line end between characters of scripts without spaces, so that it is not a space? */
bool md_is_solid_break(const struct md_render *r, cmark_node *softbreak);
/* Corrects quotes beside Chinese, and warns of markup that stays text. Call it before printing. */
void md_prose_mend(struct md_render *r, cmark_node *root);

/* Counts the published footnotes: sets nrefs and refs. */
void md_notes_count(struct md_render *r, cmark_node *root);
/* Reports footnotes that are not published, with the reason. False on error. */
bool md_notes_check(struct md_render *r, cmark_node *root);
/* Reports an HTML comment that readers would not see, but programs would. */
bool md_comments_check(struct md_render *r);

enum md_plain {
	MD_PLAIN,          /* with numbers as text */
	MD_PLAIN_UNMARKED, /* without placeholders: ids must not change with a number */
};

/* Appends the plain text of a node, or of a string. */
bool md_plain_node(struct md_render *r, cmark_node *n, enum md_plain how, struct sb *to);
bool md_plain(struct md_render *r, struct str text, cmark_node *n, enum md_plain how,
              struct sb *to);

/* Appends the expansion of a mark inside a line, as markup or as text. */
bool md_expand(struct md_render *r, struct md_mark *m, bool html, struct sb *to);
/* The mark for numbers that makes up a whole paragraph; else NULL. */
struct md_mark *md_lone_mark(struct md_render *r, cmark_node *paragraph);
/* Parses a mark on first use. */
bool md_mark_parse(struct md_render *r, struct md_mark *m);

/* Properties of a table cell's text. */
enum md_text { MD_TEXT_HEAD = 1, MD_TEXT_MEASURED = 2 };

/*
 * Reads all text of a paragraph, heading or cell before it is printed: pairs the
 * marks of its spans, and runs the lint. With MD_TEXT_MEASURED in `how`, a number
 * alone is a finding, too. With MD_TEXT_HEAD, *measures tells whether the cell's
 * column or row has measurements (else it may be NULL).
 */
bool md_text_block(struct md_render *r, cmark_node *block, int how, bool *measures);
/* The same for a title or caption in or at node n. */
bool md_text_string(struct md_render *r, struct str text, cmark_node *n);
/* Prints one end of a span. */
bool md_span_print(struct md_render *r, struct md_mark *m, struct sb *to);

/* Collects an address. Fails if links to it are not allowed, or if it contains a placeholder. */
bool md_address(struct md_render *r, cmark_node *n, bool image, struct str *out);
/* Print ' attribute="…"': an address with the site's prefix; a text with its numbers as text. */
void md_print_address(struct md_render *r, const char *attribute, struct str url);
bool md_print_attribute(struct md_render *r, const char *attribute, struct str text);
bool md_print_image(struct md_render *r, cmark_node *n);

/* The next node below `root` after n and its descendants; NULL at the end. */
cmark_node *md_after(cmark_node *n, cmark_node *root);

static inline struct str md_literal(cmark_node *n)
{
	return str_of(cmark_node_get_literal(n));
}

#endif
