/*
 * site-gen/commands/importer.h - import of posts from Hugo, Jekyll, Zola and AstroPaper.
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
	IMPORT_REPAIRS,
};

/* Places that need manual work, in the order found. */
struct import_report {
	struct sb text; /* "path:line: what\n" */
	size_t posts, notes, of_kind[IMPORT_KINDS], repaired[IMPORT_REPAIRS];
	size_t drafts;   /* left out */
	size_t from;     /* bytes of each path that are the given folder */
	struct str *tag; /* spellings of tags, one for each address */
	size_t ntags, tags_cap;
};

/* One translated post. */
struct import_post {
	const char *slug;
	struct str text; /* front matter and Markdown in our format */
	int line;        /* of the source, where its body begins */
	bool draft;
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

/* Appends another generator's Markdown in our format. `line` is the body's first line. */
void importer_body(struct str body, const char *path, int line, struct arena *a, struct sb *to,
                   struct import_report *r);

/* --- importer_html.c --- */

/* The state between the lines of a text. */
struct import_html {
	struct sb *to;
	struct import_report *report;
	const char *path;
	int line;
	const char *until; /* everything up to this text is left out; NULL: nothing is */
	struct str href;   /* of an open <a> */
};

/*
 * Appends a line outside of code: without comments, HTML as Markdown, pictures with a text.
 * HTML without a counterpart becomes a link or is left out, and is noted.
 */
void importer_html_line(struct import_html *h, struct str line);

/* --- importer_scan.c --- */

/* The end of the code that begins at `i`, a block or `code`; `i` if none does. */
size_t importer_skip_code(struct str s, size_t i);

/* --- importer_tex.c --- */

#define IMPORT_MATH_CACHE "build/cache/math" /* which a build uses, too */

/* The formulas of a text, in our form, for the marks that stand for them. */
struct import_tex {
	const char **all;
	size_t n, cap;
};

/* The text with a mark for each formula. */
struct str importer_tex_out(struct str s, const char *path, int line, struct arena *a,
                            struct import_tex *out, struct import_report *r);
/* Appends the text with its formulas. */
void importer_tex_back(struct str s, const struct import_tex *tex, struct sb *to);

/* --- importer_links.c --- */

/* A post that came in. */
struct import_place {
	const char *from; /* its source */
	const char *slug;
	const char *to; /* its file */
	bool bundle;    /* it has a folder of its own */
	struct str text;
	int line; /* of the source, where its body begins */
};

struct import_links {
	const char *site; /* the folder that is imported */
	const struct import_place *all;
	size_t n;
	bool dry_run;
	struct arena *arena;
	struct import_report *report;
};

/*
 * The text of a post whose links lead to where their targets are now. Files that it refers to come
 * to static/. What leads nowhere becomes text, and is noted.
 */
MUST_CHECK bool importer_links(const struct import_links *l, const struct import_place *of,
                               struct str *text, struct err *e);

/* --- importer_tags.c --- */

/* Remembers the spelling of a tag; the first one of an address stays. Returns that one. */
struct str importer_tag(struct import_report *r, struct arena *a, struct str tag);
/* Remembers the tags of the posts below a folder of this site. */
void importer_tags_of(const char *folder, struct import_report *r, struct arena *a);

/* --- importer.c --- */

/* Translates one source file; `path` supplies slug and date if the front matter lacks them. */
MUST_CHECK bool import_post(struct str src, const char *path, struct arena *a,
                            struct import_post *out, struct import_report *r, struct err *e);

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
