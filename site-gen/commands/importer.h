/*
 * site-gen/commands/importer.h - import of posts from Hugo, Jekyll, Zola and Astro.
 *
 * It translates front matter (YAML or TOML) and shortcodes. Whatever it cannot
 * translate stays in place and is reported with that place, so an import loses
 * nothing silently. It only reads the sources, and replaces no file here.
 */
#ifndef SITE_GEN_COMMANDS_IMPORTER_H
#define SITE_GEN_COMMANDS_IMPORTER_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

struct lint;

/* What a note is about. */
enum import_kind {
	IMPORT_FRONT,     /* front matter without a counterpart */
	IMPORT_SHORTCODE, /* a shortcode that is not known */
	IMPORT_EXCEPTION, /* HTML that became a link or was left out */
	IMPORT_PICTURE,   /* a picture on another site, or without a text */
	IMPORT_NAME,      /* an address that could not be kept */
	IMPORT_LEFT_OUT,  /* a file that was left out */
	IMPORT_LINK,      /* a link or a picture that leads nowhere here */
	IMPORT_FORMULA,   /* a formula that cannot be set */
	IMPORT_TAG,       /* tags of one address */
	IMPORT_OTHER,
	IMPORT_KINDS,
};

/* Repairs that are made without a note. */
enum import_repair {
	IMPORT_MADE_COMMENT,
	IMPORT_MADE_ALT,
	IMPORT_MADE_TAG,
	IMPORT_MADE_LINK,
	IMPORT_MADE_FILE,
	IMPORT_MADE_FORMULA,
	IMPORT_MADE_BLOCK,
	IMPORT_MADE_MODULE,
	IMPORT_MADE_ADDRESS,
	IMPORT_MADE_MARK,
	IMPORT_MADE_DRAWING,
	IMPORT_MADE_ALIAS,
	IMPORT_REPAIRS,
};

/* The line of the source that each line of a text comes from. */
struct import_lines {
	int *at;
	size_t n, cap;
};

/* Places that need manual work, in the order found. */
struct import_report {
	struct sb text; /* "path:line: what\n" */
	size_t posts, notes, of_kind[IMPORT_KINDS], repaired[IMPORT_REPAIRS];
	size_t drafts;   /* left out */
	size_t from;     /* bytes of each path that are the given folder */
	struct str *tag; /* spellings of tags, one for each address */
	size_t ntags, tags_cap;
	struct import_key *key; /* of front matter without a counterpart */
	size_t nkeys, keys_cap;
	struct import_key *language; /* of translations */
	size_t nlanguages, languages_cap;
	size_t undated;  /* posts that came in as drafts */
	struct err lost; /* the file system failed: what was read may be incomplete */
	const char **written;
	size_t nwritten, written_cap;
};

/* A name, and how many posts have it. */
struct import_key {
	struct str name;
	size_t n;
};

/* One translated post. */
struct import_post {
	const char *slug;
	struct str text;           /* front matter and Markdown in our format */
	struct import_lines lines; /* of its body */
	bool draft, dated;
	const char *language; /* that its front matter says; "" */
	struct str *alias;    /* former addresses, as they wrote them */
	size_t naliases;
	bool placed;         /* its front matter says its address */
	const char *date;    /* "2024-01-31"; NULL: none */
	struct str own_slug; /* of its front matter; n == 0: none */
	const struct str *category;
	size_t ncategories;
};

/* A part of a source. */
struct import_text {
	const char *path;
	int line; /* of its first byte */
	struct arena *arena;
	struct import_report *report;
};

/* Adds "path:line: what" to the report. */
void import_report_note(struct import_report *r, enum import_kind kind, const char *path, int line,
                        const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* --- importer_front.c --- */

enum { IMPORT_MAX_FIELDS = 64 };

/* A key of a front matter with its value, or the values of its list. */
struct import_field {
	struct str name, value[32];
	size_t nvalues;
	bool map; /* it holds keys of its own, which are not read */
	int line;
};

struct import_front {
	struct import_field field[IMPORT_MAX_FIELDS];
	size_t n;
	struct str body;
	int body_line;
};

/*
 * Reads `---` YAML or `+++` TOML of one level, and plain keys of tables ("taxonomies.tags").
 * YAML that no YAML reader accepts is an error; what is left out is noted in `r`.
 */
MUST_CHECK bool import_front_read(struct str src, const char *path, struct arena *a,
                                  struct import_front *out, struct import_report *r, struct err *e);

/* --- importer_body.c --- */

/* Appends another generator's Markdown in our format. `lines` (or NULL) gets where it comes from.
 */
void importer_body(struct str body, const struct import_text *of, struct sb *to,
                   struct import_lines *lines);

/* --- importer_shortcode.c --- */

/* {{< name a b="c" >}}, {{% … %}}, {% name … %}, {{ name(a="b") }} */
struct import_shortcode {
	struct str name, args;
	bool closing;
	size_t start, end; /* byte positions in the line */
};

/* The next shortcode of a line at or after `from`, outside of `code`. */
bool importer_shortcode(struct str line, size_t from, struct import_shortcode *out);
/* The value of name= among arguments, or (name == NULL) the first plain word. */
struct str importer_argument(struct str args, const char *name);
bool importer_is_word(char c); /* of a shortcode's name */

/* What {% assign %} named so far. */
struct import_variable {
	struct str name, value;
};
struct import_variables {
	struct import_variable *all;
	size_t n, cap;
};
/* A line with the values of {{ name }} and {{ "text" | filter }}. */
struct str importer_variables(struct import_variables *v, struct str line, struct arena *a);

/* --- importer_html.c --- */

/* The state between the lines of a text. */
struct import_html {
	struct sb *to;
	struct import_report *report;
	const char *path;
	int line;
	const char *until; /* everything up to this text is left out; NULL: nothing is */
	struct str href;   /* of an open <a> */
	struct str all;    /* the whole text, for its footnotes */
	bool mdx;          /* <Name> is a component */
};

/*
 * Appends a line outside of code: without comments, HTML as Markdown, pictures with a text.
 * HTML without a counterpart becomes a link or is left out, and is noted.
 */
void importer_html_line(struct import_html *h, struct str line);
/* "/a/two-words.png?x" -> "two-words"; "picture" if nothing is left. */
struct str importer_stem(struct str address);

/* --- importer_scan.c --- */

/* The end of the code that begins at `i`, a block or `code`; `i` if none does. */
size_t importer_skip_code(struct str s, size_t i);
/* Does a line without spaces before it begin a fenced block? "``` x ```" does not. */
bool importer_is_fence(struct str line);
/* The end of the `code` at `i`; `i` if there is none. */
size_t importer_skip_span(struct str s, size_t i);
/* The end of the code at the start of a line that is code by its four spaces alone. */
size_t importer_skip_indented(struct str s, size_t i);

/* The end of the tag that begins at `i`, which may have line breaks; `i` if none does. */
size_t importer_tag_end(struct str s, size_t i);
/* Is the file a page of HTML, in which no Markdown stands? */
bool importer_is_html(const char *path);
/* "img" of a tag from '<' to '>'. */
struct str importer_tag_name(struct str tag);
bool importer_is_tag(struct str name, const char *tag); /* without case */
/* name="value" or name=value among a tag's attributes; p == NULL: not there. */
struct str importer_attribute(struct str tag, const char *name);
/* The end of the element that begins at `i`, and what it holds; `i` if none does. */
size_t importer_element_end(struct str s, size_t i, struct str *inside);

/* --- importer_tex.c --- */

#define IMPORT_MATH_CACHE "build/cache/math" /* which a build uses, too */

/* The formulas of a text, in our form, for the marks that stand for them. */
struct import_tex {
	const char **all;
	size_t n, cap;
	int depth; /* of HTML blocks inside each other */
};

/* The text with a mark for each formula. */
struct str importer_tex_out(struct str s, const char *path, int line, struct arena *a,
                            struct import_tex *out, struct import_report *r);
/* Appends a mark for a text that is in our form already. */
void importer_mark(struct import_tex *out, const char *text, struct arena *a, struct sb *to);
/* A line break of the source that the text lacks: lines are counted with it. */
#define IMPORT_BREAK "\xEE\x80\x82"
/* Appends the text with its formulas. */
void importer_tex_back(struct str s, const struct import_tex *tex, struct sb *to);
/* The lines of that text, from those of the text with marks. */
struct import_lines importer_tex_lines(struct str s, const struct import_tex *tex,
                                       const struct import_lines *marked, struct arena *a);

/* --- importer_blocks.c --- */

/* An HTML element. */
struct import_element {
	struct import_text of;
	struct import_tex *marks;
	struct str tag, whole, inside; /* the opening tag, the element, what it holds */
	const char *base;              /* of the text that `of.line` is the line of */
};

/* Markup inside the element as Markdown, without marks. */
struct str importer_markdown(const struct import_element *e, struct str inside);
/* The same on one line. */
struct str importer_one_line(const struct import_element *e, struct str inside);
/* Notes what became of the element: "'<svg>' " and `what`. */
void importer_note(const struct import_element *e, const char *what);

/* The text with a mark for each HTML element that is a block; each other tag on one line. */
struct str importer_blocks(struct str s, const struct import_text *of, struct import_tex *marks);

/* --- importer_table.c --- */

bool importer_table(const struct import_element *e, struct sb *to);

/* --- importer_links.c --- */

/* A post that came in. */
struct import_place {
	const char *from; /* its source */
	const char *slug;
	const char *key;    /* shared with its translations */
	const char *suffix; /* ".es", or "" */
	const char *to;     /* its file */
	bool said;          /* the language is that of its front matter, not of its path */
	bool bundle;        /* its source has a folder of its own */
	bool folder;        /* so has it here */
	bool draft;         /* it is not published */
	struct str text;
	struct import_lines lines; /* of its body */
	struct str *alias;
	size_t naliases;
};

struct import_links {
	const char *site; /* the folder that is imported */
	const struct import_place *all;
	size_t n;
	const char *to; /* "content/posts" */
	bool dry_run;
	const struct lint *lint;
	struct arena *arena;
	struct import_report *report;
};

/* Has the post a drawing with typed numbers, which must stand beside it to be excused? */
bool importer_needs_folder(const struct import_links *l, const struct import_place *of);
/*
 * The text of a post whose links lead to where their targets are now. Files that it refers to come
 * to static/. What leads nowhere becomes text, and is noted.
 */
MUST_CHECK bool importer_links(const struct import_links *l, const struct import_place *of,
                               struct str *text, struct err *e);

/* --- importer_files.c --- */

enum { IMPORT_MAX_FILE_BYTES = 64 << 20 };

/*
 * Is there such a file? If the system cannot tell, r->lost is set, and the answer is no: the caller
 * may go on, and the import fails at its end. So it does if importer_read() fails with a file that
 * could be imported: a plain file, small enough, that this user may read.
 */
bool importer_exists(struct import_report *r, const char *path);
MUST_CHECK bool importer_read(struct import_report *r, const char *path, size_t max,
                              struct arena *a, struct str *out, struct err *e);
/* Remembers a file that was written, for importer_undo(), which removes them all. */
void importer_wrote(struct import_report *r, const char *path, struct arena *a);
void importer_undo(struct import_report *r, struct arena *a);

struct import_file {
	struct str bytes;
	const char *name; /* in characters of an address, with the ending of its format */
};

/*
 * A file as it may be published: a drawing without what may do more than draw, and
 * with a waiver for its typed numbers if it stands beside a post. False: the build would refuse it,
 * which is noted at `from`:`line`.
 */
bool importer_file(const struct import_links *l, const char *path, const char *from, int line,
                   bool beside, struct import_file *out);
/* A file's name in characters that an address may have. */
const char *importer_plain_name(const char *name, struct arena *a);

/* The same for a picture with these bytes: a format that its name does not say gets its ending. */
const char *importer_name_for(const char *name, struct str bytes, struct arena *a);
const char *importer_base(const char *path); /* "a/b.svg" -> "b.svg" */
bool importer_is_drawing(const char *path);

/* --- importer_svg.c --- */

/* A drawing without the parts that site/svg.h refuses, as far as they are known. */
struct str importer_svg(struct str bytes, struct arena *a);

/* --- importer_former.c --- */

/* How the other generator made addresses. Neither template nor root: it cannot be told. */
struct import_former {
	const char *template; /* "/:year/:month/:title/" */
	const char *root;     /* the folder below which a source's place is its address */
	bool undated;         /* without the date at the start of a name */
};

/* From the site at `from`, whose posts are in `folder`. */
struct import_former importer_former(const char *from, const char *folder, struct import_report *r,
                                     struct arena *a);

/* The address of the post of this source; p == NULL: it cannot be told. */
struct str importer_former_of(const struct import_former *f, const char *path,
                              const struct import_post *p, struct arena *a);

/* --- importer_aliases.c --- */

struct import_aliases {
	const char **all;
	size_t n, cap;
};

/* The text with `aliases:` in its front matter: former addresses that no page has yet. */
struct str importer_aliases(const struct import_links *l, const struct import_place *p,
                            struct str text, struct import_aliases *all);
/* Does this site have a page or a file at the address? */
bool importer_is_here(const struct import_links *l, const char *path);

/* --- importer_tags.c --- */

/* Remembers the spelling of a tag; the first one of an address stays. Returns that one. */
struct str importer_tag(struct import_report *r, struct arena *a, struct str tag);
/* Remembers the tags of the posts below a folder of this site. */
void importer_tags_of(const char *folder, struct import_report *r, struct arena *a);

/* --- importer_post.c --- */

/* Bytes of "-en" at the end of a name, if that is the language; 0: it ends otherwise. */
size_t importer_language_end(struct str stem, struct str language);

/* "2024-01-31-tiles" -> "tiles"; any other name stays. */
struct str importer_without_date(struct str stem);

/* Translates one source file; `path` supplies slug and date if the front matter lacks them. */
MUST_CHECK bool import_post(struct str src, const char *path, struct arena *a,
                            struct import_post *out, struct import_report *r, struct err *e);

/* --- importer.c --- */

struct import_options {
	const char *to;       /* "content/posts" */
	const char *language; /* the site's own: "en" */
	bool dry_run;         /* write nothing */
	bool drafts;          /* drafts, too */
};

/*
 * Imports all posts below `from` (a site of one of those generators, or a folder of posts). A post
 * in another language (NAME.es.md, ko/NAME.md) becomes a translation. A post whose address is taken
 * gets a number. A file that cannot be read is noted and left out.
 */
MUST_CHECK bool importer_run(const char *from, const struct import_options *o, struct arena *a,
                             struct import_report *r, struct err *e);

#endif
