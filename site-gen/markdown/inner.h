/*
 * site-gen/markdown/inner.h - what the files of the Markdown renderer share.
 *
 *   markdown.c          the way through: check, mark, parse, print
 *   limits.c   refuses what cmark-gfm cannot do in linear time
 *   marks.c    placeholders in the source, and places
 *   address.c  addresses that are links without markup
 *   block.c    paragraphs, callouts, lists, tables, code, footnotes
 *   cite.c     citations, and the list of references
 *   code.c     code blocks, and the notes of their lines
 *   heading.c  headings and their ids
 *   image.c    pictures: their text, their size, the smaller ones beside them
 *   label.c    numbers of figures, tables and equations, and references to them
 *   math.c     formulas
 *   note.c     which footnotes are published, and which are not
 *   outline.c  what a text consists of, without printing it
 *   inline.c   text, links, images, and plain text of a node
 *   prose.c    line ends and quotes beside Chinese, markup that stays as text
 *   text.c     the text of a block for the lint, and its spans
 *   mem.c      the memory cmark-gfm parses into
 *
 * Only these files use cmark-gfm, and it is included here alone.
 */
#ifndef SITE_GEN_MARKDOWN_INNER_H
#define SITE_GEN_MARKDOWN_INNER_H

#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
#include <setjmp.h>

#include "site-gen/markdown/markdown.h"
#include "site-gen/base/placeholder.h"

/* --- limits ---------------------------------------------------------------- */

/* The source, checked before anything else reads it. Places are in `path` from first_line on. */
bool md_check_source(struct str src, const char *path, int first_line, struct err *e);

/* --- marks ----------------------------------------------------------------- */

enum md_mark_kind {
	MD_PLACEHOLDER, /* <<bench:…>> */
	MD_UNCLOSED,    /* <<bench: without its >> : right in code only */
	MD_LAUNCH,      /* <<<grid, block>>> : plain text everywhere */
	MD_MATH,        /* $x$ in a sentence, $$x$$ by itself */
	MD_ADDRESS,     /* https://example.org : a link without more */
	MD_MISTYPED,    /* <bench: and the like : right in code only */
	MD_COMMENT,     /* <!-- : right in code only */
};

struct md_mark {
	enum md_mark_kind kind;
	struct str text; /* as it stands in the source */
	struct loc at;
	struct str tex; /* of a formula, without its dollars */
	bool shown;     /* as it stands in the source: in code */
	bool parsed;    /* place and p are known: only once it is used, not in code */
	enum expand_place place;
	struct placeholder p;

	/* a span: what md_text_block knows of it */
	struct md_mark *open, *close; /* the other mark: of a closing one, of an opening one */
	struct md_mark *next_span;    /* of the same text; of a number: the one before it */
	cmark_node *node;             /* it stands in; NULL: in a caption */
	size_t from, to;   /* of an opening one: its text in that of the block; a number's place */
	struct span *span; /* of an opening one */
	bool used;         /* it waives something */
};

/* Does it stand for numbers, and not for what the author wrote? */
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
	bool cites;        /* something in it looks like a citation */
	bool folded;       /* some mark holds a line end */
	const char **line; /* starts of the lines of `marked`; NULL until a place is asked for, */
	int *line_no;      /* and which of the source they are */
	size_t nlines;
	struct arena *arena;
};

bool md_source_init(struct md_source *s, struct err *e);
/* Is there a '[' with this right after it? */
bool md_has_bracket(struct str s, const char *after);

/*
 * The first mark in text at or after `from`, with its place [*start, *end)
 * there. NULL: none.
 */
struct md_mark *md_mark_next(const struct md_source *s, struct str text, size_t from, size_t *start,
                             size_t *end);

/* The text with all marks as they stand in the source; in the arena if there are any. */
struct str md_restore(const struct md_source *s, struct str text);

/* Which line of `marked` a node, or what it stands in, starts in, from 0; -1: none. */
int md_node_line(struct md_source *s, cmark_node *n);

/* The place of a byte of a line of `marked`, from 0, once places have been asked for. */
struct loc md_place(struct md_source *s, size_t line, size_t byte);

/* The place of a node. Column 0, so none, where cmark-gfm's column cannot be trusted. */
struct loc md_node_loc(struct md_source *s, cmark_node *n);

/* Does an odd number of backslashes stand before the byte? */
bool md_escaped_at(struct str s, size_t at);

/* --- bare addresses -------------------------------------------------------- */

/* Where the next "http://" or "https://" starts, from `from` on; s.n: there is none. */
size_t md_address_find(struct str s, size_t from);
/* The end of the address that is a link by itself and starts at `at`, or 0. */
size_t md_address_end(struct str s, size_t at);
/* The address of a mark, entities decoded. */
struct str md_address_of(const struct md_mark *m, struct arena *a);

/* --- formulas -------------------------------------------------------------- */

/* How far fenced code has been looked for; it begins as zeros. */
struct md_fences {
	size_t at; /* the line where that goes on */
	char open; /* '`' or '~' inside of a fence, else 0 */
};

/*
 * The end of the formula that starts with the '$' at `at`, or 0. What is none is
 * text, so a price needs no backslash: after the first '$' and before the
 * last there is no space, and no digit after it.
 */
size_t md_math_end(struct md_fences *f, struct str src, size_t at);

/* What stands between the dollars; of several lines, without what quotes begin their lines with. */
struct str md_math_source(struct str src, struct str text, struct arena *a);
/* The TeX of a mark, and whether it stands by itself. */
struct str md_math_tex(const struct md_mark *m, bool *display);

/*
 * What a formula says, for the lint: no commands, so that "4\,\text{TB/s}" reads "4 TB/s", and
 * variables as words without a meaning, so that "n^2 s" has no seconds in it.
 */
void md_math_plain(struct str tex, struct sb *to);

/* --- memory ---------------------------------------------------------------- */

cmark_mem *md_mem(void);

/*
 * While `full` is set, more than 256 MiB jumps there: some kilobytes of
 * references to one long definition would unfold to gigabytes, and cmark-gfm
 * has no way to fail. All it holds is in this memory, so nothing leaks.
 */
void md_mem_limit(jmp_buf *full);

/* Forgets all of it at once: after a post is printed. */
void md_mem_reset(void);

/* --- printing -------------------------------------------------------------- */

struct md_id {
	const char *id;
	unsigned hash;
};

/* A table's name, which no other has; `n`: how many wanted it. */
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
	size_t block, block_at; /* of the top level: its number, where its markup starts */
	size_t headings_cap, links_cap;
	struct md_id *ids; /* of headings, out->nheadings of them and more */
	size_t nids;

	int faults;          /* blocks that were left out because of one */
	bool in_link;        /* links do not nest */
	bool in_figure;      /* an image's title is its caption */
	bool in_word;        /* the last byte counted was inside a word */
	cmark_node *trimmed; /* text of a heading that ends with {#id}, */
	size_t trimmed_to;   /* and where its text ends without it */
	cmark_node *marker;  /* [!NOTE] of a callout: not printed */

	uint8_t *aligns; /* of the table: 'l', 'c', 'r' or 0 for each column */
	int column;
	bool table_head, table_body; /* in the header row; <tbody> is open */
	struct md_table *tables;     /* those so far */
	size_t ntables, tables_cap;
	bool *measured;    /* columns whose head says that they hold measurements */
	bool row_measured; /* or rows */

	struct md_label *labels; /* of figures, tables and equations, */
	size_t nlabels;          /* if the page refers to any */
	int counts[3];           /* how many have been printed, by enum md_numbered */

	struct md_cited *cited; /* in the order of their numbers */
	int ncited;

	cmark_node *notes_of_code; /* the list of notes to the code before it */
	int noted;                 /* code blocks with notes so far */

	bool notes_open;
	int note;         /* the footnote that is printed now, from 1, */
	bool note_backed; /* and whether its ways back stand in its last paragraph */
	int *refs, nrefs; /* how often footnote i + 1 was referred to */
};

/* Each returns false on error. `enter` is true before the children and false after them. */
bool md_print_block(struct md_render *r, cmark_node *n, bool enter, bool *skip);
bool md_print_inline(struct md_render *r, cmark_node *n, bool enter, bool *skip);
bool md_print_heading(struct md_render *r, cmark_node *n, bool enter);

/* --- numbers of figures, tables and equations ------------------------------ */

enum md_numbered { MD_FIGURE, MD_TABLE, MD_EQUATION };

struct md_label {
	const char *id, *text; /* "fig-reads", "Figure 2" */
};

/* A block that has a number: what it is, and its label (p == NULL: none). */
struct md_number {
	enum md_numbered what;
	struct str label;
	struct md_mark *mark; /* of a placeholder or formula */
	cmark_node *image;    /* of a picture */
};

/* Has the block a number? Formulas have one if they have a label. */
bool md_numbered(struct md_render *r, cmark_node *block, struct md_number *out);

/* Before anything is printed: all labels of the page, if it refers to any. */
bool md_labels_find(struct md_render *r, cmark_node *root);

/*
 * The next number: *text is "Figure 2", *id the label or NULL. The label is
 * checked, and taken as an id.
 */
bool md_number_next(struct md_render *r, cmark_node *block, const struct md_number *n,
                    const char **text, const char **id);

/* The text of [](#label), or NULL: the link has a text, or leads elsewhere. */
const char *md_reference(const struct md_render *r, cmark_node *link);
/* An error: no such label; names the nearest. */
bool md_reference_fail(struct md_render *r, cmark_node *link);

/* id: a letter, then letters, digits, '-' or '_' */
bool md_id_allowed(struct str id);
/* Is the id in use, or kept for something else? */
bool md_id_taken(const struct md_render *r, const char *id);
void md_id_take(struct md_render *r, const char *id);

/* --- formulas -------------------------------------------------------------- */

/* A formula in a sentence. */
bool md_math_inline(struct md_render *r, const struct md_mark *m, struct sb *to);
/*
 * A formula by itself; `block` is the paragraph or the code block it is written
 * as. `label` as in struct md_number.
 */
bool md_math_display(struct md_render *r, cmark_node *block, struct str tex, struct loc at,
                     struct str label);
/* Is the code block a formula? With its label from "math {#label}". */
bool md_math_block(cmark_node *code_block, struct str *label);
/* The display formula that is all of a paragraph, with its label; or NULL. */
struct md_mark *md_math_alone(struct md_render *r, cmark_node *paragraph, struct str *label);

/* --- citations ------------------------------------------------------------- */

/* The first citation in a text at or after `from`. */
bool md_cite_next(struct md_render *r, struct str text, size_t from, size_t *start, size_t *end);
/* One citation, which stands in node n. */
bool md_cite_print(struct md_render *r, struct str text, cmark_node *n);
/* A text without its citations. */
void md_cite_plain(struct md_render *r, struct str text, struct sb *to);
/* The list of references, after all else; nothing if there are none. */
void md_cite_list(struct md_render *r);

/* Does the source have this with a backslash before it, so that it is meant as text? */
bool md_is_escaped(struct md_render *r, struct str text);
/* A line of the source, as the author wrote it. */
struct str md_source_line(const struct md_source *s, int line);

/* --- code ------------------------------------------------------------------ */

bool md_print_code(struct md_render *r, cmark_node *n);

/* Is the item of a list a note to a line of the code before? Its tag, and the way back. */
bool md_is_code_note(const struct md_render *r, cmark_node *item);
void md_code_note_open(struct md_render *r, cmark_node *item);
void md_code_note_back(struct md_render *r, cmark_node *item);

/* Reads r->source: its tree, forgotten by md_mem_reset; or NULL and an error. */
cmark_node *md_parse(struct md_render *r);

/* The id of a heading, from its text or *given in the source; taken once it is told. */
bool md_heading_id(struct md_render *r, cmark_node *heading, const char **id, bool *given);

/* Markup of expansions, text and code of a text node's literal. */
bool md_print_text(struct md_render *r, struct str text, cmark_node *n);

/* Chinese characters and Japanese syllables: written without spaces, each about a word. */
bool md_is_cjk(uint32_t c);
/* Does a line end between characters of scripts without spaces? Its end is no space then. */
bool md_is_solid_break(const struct md_render *r, cmark_node *softbreak);
/* Before anything is printed: quotes beside Chinese, and warnings of markup that stays text. */
void md_prose_mend(struct md_render *r, cmark_node *root);

/* How many footnotes are printed: sets nrefs and refs. */
void md_notes_count(struct md_render *r, cmark_node *root);
/* Says which footnotes are not published, and why; false: an error. */
bool md_notes_check(struct md_render *r, cmark_node *root);
/* Says a comment that no reader would see, and a program would. */
bool md_comments_check(struct md_render *r);

enum md_plain {
	MD_PLAIN,          /* numbers as text */
	MD_PLAIN_UNMARKED, /* without placeholders: ids must not change with a number */
};

/* The plain text under a node (or of one string), appended. */
bool md_plain_node(struct md_render *r, cmark_node *n, enum md_plain how, struct sb *to);
bool md_plain(struct md_render *r, struct str text, cmark_node *n, enum md_plain how,
              struct sb *to);

/* The expansion of a mark that stands inside a line; appends markup, or text. */
bool md_expand(struct md_render *r, struct md_mark *m, bool html, struct sb *to);
/* The mark of numbers that is all of a paragraph, or NULL. */
struct md_mark *md_lone_mark(struct md_render *r, cmark_node *paragraph);
/* Parses a mark on first use. */
bool md_mark_parse(struct md_render *r, struct md_mark *m);

/* What a text is, beside prose. */
enum md_text { MD_TEXT_HEAD = 1, MD_TEXT_MEASURED = 2 };

/*
 * Reads all text of a paragraph, heading or cell before it is printed: pairs
 * the marks of its spans, and lets the lint look at it. `how`: with
 * MD_TEXT_MEASURED a number alone is a finding, too; with MD_TEXT_HEAD,
 * *measures tells if its column or row is such (else it may be NULL).
 */
bool md_text_block(struct md_render *r, cmark_node *block, int how, bool *measures);
/* The same of a title or caption, which stands in or at node n. */
bool md_text_string(struct md_render *r, struct str text, cmark_node *n);
/* One end of a span as markup. */
bool md_span_print(struct md_render *r, struct md_mark *m, struct sb *to);

/* Fails if the address may not be linked to; collects it. Placeholders are not for addresses. */
bool md_address(struct md_render *r, cmark_node *n, bool image, struct str *out);
/* ' attribute="…"': an address with the site's prefix, a text with its numbers as text. */
void md_print_address(struct md_render *r, const char *attribute, struct str url);
bool md_print_attribute(struct md_render *r, const char *attribute, struct str text);
bool md_print_image(struct md_render *r, cmark_node *n);

/* The next node after n and all below it, staying below `root`; NULL at the end. */
cmark_node *md_after(cmark_node *n, cmark_node *root);

static inline struct str md_literal(cmark_node *n)
{
	return str_of(cmark_node_get_literal(n));
}

#endif
