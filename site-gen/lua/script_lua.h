/*
 * site-gen/lua/script_lua.h - what script.c and script_lib.c share; the only file
 * that includes Lua.
 */
#ifndef SITE_GEN_LUA_SCRIPT_LUA_H
#define SITE_GEN_LUA_SCRIPT_LUA_H

#include <time.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "site-gen/lua/script.h"

enum {
	SCRIPT_MAX_DEPTH = 24, /* templates inside templates */
	SCRIPT_MAX_TEMPLATES = 128,
};

enum {
	SCRIPT_SMALL = 512, /* bytes: larger blocks come from malloc */
	SCRIPT_STEP = 16,
};

#define SCRIPT_MARKUP "markup"   /* metatable and type name of markup values */
#define SCRIPT_STRICT "table"    /* metatable of tables the generator makes */
#define SCRIPT_ENV "environment" /* metatable of a template's own names */

struct markup {
	struct str s;
	char own[]; /* the bytes, when include() made them */
};

struct frame {
	struct sb out;
	const char *layout; /* what layout() asked for */
};

struct compiled {
	const char *name;
	int function, literal; /* registry references */
	struct sb once;        /* what once() has of it; p is NULL until it was asked for */
};

/* Why a page ends, with its place; "" if it has none. */
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
	const char *no_memory;                        /* what is said where memory is refused */
	struct script_stop refused;                   /* where it was refused last */
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
 * Ends the page if its CPU time is up: for functions in C that can take long, since Lua's hook
 * sees instructions of Lua alone.
 */
void script_check_time(lua_State *L);

/* The script that owns L. */
struct script *script_of(lua_State *L);

/* Calls error with "undefined WHAT 'wanted', did you mean …". */
struct nearest {
	struct str wanted;
	size_t distance; /* smaller ones replace the name */
	char name[64];
};
void nearest_try(struct nearest *n, const char *name);
int nearest_undefined(lua_State *L, const char *what, const struct nearest *n);

/* lua_CFunction: makes the global table, which holds the template functions and nothing else. */
int script_open_functions(lua_State *L);

/* A state with limits and no functions at all. */
struct script *script_state_new(void);

/* Makes an error of the message on top; one without a place gets `path`. Returns false. */
bool script_fail(lua_State *L, int status, const char *path, struct err *e);

/* A markup value that borrows its bytes. */
void script_push_markup(lua_State *L, struct str html);

/* lua_CFunctions that script.c has. */
int script_include(lua_State *L);
int script_layout(lua_State *L);
int script_once(lua_State *L);

#endif
