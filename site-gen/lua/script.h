/*
 * site-gen/lua/script.h - sandboxed interpreter for Lua 5.4. Scripts are templates
 * (compiled by template.c) and content/site.lua.
 *
 * Every script runs without io, os, load, debug, pcall, coroutines, metatables,
 * pattern matching and bytecode. `pairs` iterates in sorted order. Unknown names and
 * fields are errors with file, line and the nearest name. Nothing that a script does
 * outlives the page that it renders. Memory, instructions and CPU time are bounded
 * for each page. Lua's hook cannot end a loop inside a library function, so functions
 * that can loop are absent, bounded by their input, or check the time themselves.
 */
#ifndef SITE_GEN_LUA_SCRIPT_H
#define SITE_GEN_LUA_SCRIPT_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

/* --- data files ----------------------------------------------------------- */

enum script_kind { SCRIPT_TEXT, SCRIPT_INT, SCRIPT_FLAG, SCRIPT_LIST, SCRIPT_TABLE };

struct script_value {
	enum script_kind kind;
	struct str text;
	int64_t num;
	bool flag;
	struct script_member {
		const char *key; /* NULL in a list */
		const struct script_value *value;
	} * member; /* sorted by key in a table */
	size_t n;
};

const char *script_kind_name(enum script_kind k); /* "a text", "a list", … */

/* Runs `src` as a Lua chunk with no functions at all and copies the table it returns. */
MUST_CHECK bool script_data(struct str src, const char *path, struct arena *a,
                            struct script_value *out, struct err *e);

/* --- templates ------------------------------------------------------------ */

struct script;

/* A template's literal pieces: `__lit(i)` prints piece i, `__lit(i, value)` also a value. */
struct script_literals {
	struct str *piece;
	size_t n;
};

/* A page's CPU time, below the limit of a worker's job, so that the error has a place. */
#define SCRIPT_PAGE_CPU_S 2

struct script *script_new(void);
void script_free(struct script *s);                   /* NULL is fine */
void script_limit_cpu(struct script *s, int seconds); /* of each later page */

/*
 * Compiles one template. `code` prints with `__lit` and `__put(value)`;
 * `path` is what errors name; literals must outlive the script.
 */
MUST_CHECK bool script_compile(struct script *s, const char *name, const char *path,
                               struct str code, const struct script_literals *literals,
                               struct err *e);

/* A function of the template API that takes text and gives text. */
enum { SCRIPT_MAX_ARGS = 4 };
struct script_function {
	const char *name;
	int nargs;
	bool constant; /* its result depends on its one argument alone, so it is cached */
	MUST_CHECK bool (*call)(void *ctx, const struct str *arg, struct sb *to, struct err *e);
};
void script_define(struct script *s, const struct script_function *f, void *ctx);

/*
 * Drops the results that once() kept, because the functions or the language have
 * changed. Everything else ends with its page.
 */
void script_forget(struct script *s);

/*
 * Building variables, only inside the `variables` callback of script_render. Tables
 * open and close like brackets; `members` estimates the number of named members (0
 * for a list). key == NULL appends to a list. Texts are copied; markup is borrowed
 * until the page is rendered.
 */
void script_begin(struct script *s, const char *key, int members);
void script_end(struct script *s);
void script_text(struct script *s, const char *key, struct str v);
void script_cstr(struct script *s, const char *key, const char *v);     /* NULL: "" */
void script_markup(struct script *s, const char *key, struct str html); /* empty: "" */
void script_int(struct script *s, const char *key, int64_t v);
void script_flag(struct script *s, const char *key, bool v);

/*
 * An object of the generator. A field's value is made when a template reads it, so a
 * list of ten thousand objects costs little. Text and markup are borrowed until the
 * page is rendered.
 */
enum script_field_kind {
	SCRIPT_FIELD_TEXT,   /* const char *; NULL: "" */
	SCRIPT_FIELD_MARKUP, /* struct str */
	SCRIPT_FIELD_INT,    /* int */
	SCRIPT_FIELD_I64,    /* int64_t */
	SCRIPT_FIELD_FLAG,   /* bool */
	SCRIPT_FIELD_MADE,   /* `make` builds one value, with key SCRIPT_VALUE */
};

struct script_field {
	const char *name;
	enum script_field_kind kind;
	size_t offset;
	void (*make)(struct script *s, void *ctx, const void *object);
};

struct script_class {
	const char *name; /* for errors */
	const struct script_field *field;
	size_t nfields;
};

extern const char script_value_key[];
#define SCRIPT_VALUE script_value_key

void script_object(struct script *s, const char *key, const struct script_class *c, void *ctx,
                   const void *object);

/*
 * Renders template `name` and replaces the contents of `out`. `variables` defines
 * the names that every template of the page sees. Errors: "templates/FILE:LINE: what".
 */
MUST_CHECK bool script_render(struct script *s, const char *name,
                              void (*variables)(struct script *s, void *ctx), void *ctx,
                              struct sb *out, struct err *e);

/* True if a limit has ended a page; the other pages would probably cost as much. */
bool script_exhausted(const struct script *s);

#endif
