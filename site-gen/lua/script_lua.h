/*
 * site-gen/lua/script_lua.h - private declarations of script*.c; the only file that
 * includes Lua.
 */
#ifndef SITE_GEN_LUA_SCRIPT_LUA_H
#define SITE_GEN_LUA_SCRIPT_LUA_H

#include <time.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "lib/err.h"
#include "site-gen/lua/script.h"

enum {
	SCRIPT_MAX_DEPTH = 24, /* nesting of templates */
	SCRIPT_MAX_TEMPLATES = 128,
};

enum {
	SCRIPT_SMALL = 512, /* bytes: larger blocks come from malloc */
	SCRIPT_STEP = 16,
};

#define SCRIPT_MARKUP "markup"   /* metatable and type name of markup values */
#define SCRIPT_STRICT "table"    /* metatable of the generator's tables */
#define SCRIPT_ENV "environment" /* metatable of the environments of templates */

struct markup {
	struct str s;
	char own[]; /* the bytes, if include() made them */
};

struct frame {
	struct sb out;
	const char *layout; /* the layout that layout() asked for */
};

struct compiled {
	const char *name;
	int function, literal; /* registry references */
	struct sb once;        /* the result that once() keeps; p is NULL before its first call */
};

/* Why a page ends, and where; the place is "" if unknown. */
struct script_stop {
	char text[512];
};

struct script {
	lua_State *L;
	size_t used, most;                            /* bytes */
	void *free_block[SCRIPT_SMALL / SCRIPT_STEP]; /* lists of free blocks, by size */
	struct arena small;                           /* where small blocks come from */
	int budget;                                   /* calls of the count hook left */
	int64_t start_ms;                             /* CPU time when the page began */
	int cpu_s;                                    /* that a page may take */
	const char *no_memory;                        /* the error if memory is refused */
	struct script_stop refused;                   /* the latest refusal */
	bool exhausted;                               /* a limit has ended a page */
	bool has_timer;
	timer_t timer; /* arms the hook */
	struct frame frame[SCRIPT_MAX_DEPTH];
	int depth;
	struct compiled template[SCRIPT_MAX_TEMPLATES];
	int ntemplates;
	struct sb text;
};

/*
 * Ends the page if its CPU time is up. C functions that can take long call it, because Lua's hook
 * sees only instructions of Lua.
 */
void script_check_time(lua_State *L);

/* Ends the page with this error, at the place of the script, and marks the script exhausted. */
void script_end_page(lua_State *L, const char *what);

/* Start the limits of instructions and CPU time: of a page, and of a data file. */
void script_limit_page(struct script *s);
void script_limit_data(struct script *s);

/* lua_Alloc, with the script as `ud`. Refuses what exceeds the script's `most` bytes. */
void *script_alloc(void *ud, void *old, size_t osize, size_t nsize);

/* The script that owns L. */
struct script *script_of(lua_State *L);

/* A search for the nearest name, for "undefined WHAT 'wanted', did you mean …". */
struct nearest {
	struct str wanted;
	size_t distance; /* a name at a smaller distance replaces this one */
	char name[64];
};
void nearest_try(struct nearest *n, const char *name);
int nearest_undefined(lua_State *L, const char *what, const struct nearest *n);

/* lua_CFunction: makes the global table, which holds only the template functions. */
int script_open_functions(lua_State *L);

/* A Lua state with limits and without any functions. */
struct script *script_state_new(void);

/* Turns the message on top of the stack into an error; `path` is its place if it has none. */
MUST_CHECK bool script_fail(lua_State *L, int status, const char *path, struct err *e);

/* A markup value that borrows its bytes. */
void script_push_markup(lua_State *L, struct str html);

/* lua_CFunctions of script.c. */
int script_include(lua_State *L);
int script_layout(lua_State *L);
int script_once(lua_State *L);

#endif
