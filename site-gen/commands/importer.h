/*
 * site-gen/commands/importer.h - posts of other generators: Hugo, Jekyll, Zola, AstroPaper.
 *
 * Front matter (YAML or TOML) and shortcodes are translated; what cannot be
 * is left where it stands and told, with its place, in the report: an import
 * loses nothing silently. Sources are only read; nothing here is replaced.
 */
#ifndef SITE_GEN_COMMANDS_IMPORTER_H
#define SITE_GEN_COMMANDS_IMPORTER_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

/* What needs a hand, in the order found. */
struct import_report {
	struct sb text; /* "path:line: what\n" */
	size_t posts, notes;
};

/* One post, translated. */
struct import_post {
	const char *slug;
	struct str text; /* front matter and Markdown of ours */
};

/* Tells: path:line: what. */
void import_note(struct import_report *r, const char *path, int line, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));

/* --- importer_front.c --- */

enum { IMPORT_MAX_FIELDS = 64 };

/* A key of a front matter with its values: one, or those of a list. */
struct import_field {
	struct str name, value[32];
	size_t nvalues;
	int line;
};

struct import_front {
	struct import_field field[IMPORT_MAX_FIELDS];
	size_t n;
	struct str body;
	int body_line;
};

/* Reads `---` YAML or `+++` TOML of one level, and tables' plain keys ("taxonomies.tags"). */
bool import_front_read(struct str src, const char *path, struct arena *a, struct import_front *out,
                       struct import_report *r, struct err *e);

/* --- importer_body.c --- */

/* Markdown of another generator as ours, appended. `line` is the body's first. */
void import_body(struct str body, const char *path, int line, struct arena *a, struct sb *to,
                 struct import_report *r);

/* --- importer.c --- */

/* One source file; `path` gives slug and date where the front matter does not. */
bool import_post(struct str src, const char *path, struct arena *a, struct import_post *out,
                 struct import_report *r, struct err *e);

/*
 * All posts below `from` (a folder of one of those generators, or of posts),
 * into `to` ("content/posts"). With `dry_run` nothing is written.
 */
bool import_all(const char *from, const char *to, bool dry_run, struct arena *a,
                struct import_report *r, struct err *e);

#endif
