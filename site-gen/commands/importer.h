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

/* Places that need manual work, in the order found. */
struct import_report {
	struct sb text; /* "path:line: what\n" */
	size_t posts, notes;
};

/* One translated post. */
struct import_post {
	const char *slug;
	struct str text; /* front matter and Markdown in our format */
};

/* Adds "path:line: what" to the report. */
void import_report_note(struct import_report *r, const char *path, int line, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));

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

/* --- importer.c --- */

/* Translates one source file; `path` supplies slug and date if the front matter lacks them. */
MUST_CHECK bool import_post(struct str src, const char *path, struct arena *a,
                            struct import_post *out, struct import_report *r, struct err *e);

/*
 * Imports all posts below `from` (a site of one of those generators, or a folder of
 * posts) into `to` ("content/posts"). With `dry_run`, writes nothing.
 */
MUST_CHECK bool importer_run(const char *from, const char *to, bool dry_run, struct arena *a,
                             struct import_report *r, struct err *e);

#endif
