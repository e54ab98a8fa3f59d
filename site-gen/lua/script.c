#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/lua/script_lua.h"

/* Most memory, in MiB; the errors say these numbers. */
#define TEMPLATES_MIB 256
#define DATA_MIB 16
#define PAGE_MIB 64
#define BUFFERS_MIB 128 /* output of all templates that are being rendered */

enum {
	MIB = 1 << 20,
	GC_PAUSE = 1000,       /* percent: collect when memory has grown tenfold */
	PRINT_BYTES = 1 << 16, /* most bytes that are printed at once */
};

struct script *script_of(lua_State *L)
{
	return *(struct script **)lua_getextraspace(L);
}

/* --- printing ------------------------------------------------------------- */

/* Bytes that the buffers of all templates hold. */
static size_t buffered(const struct script *s)
{
	size_t n = 0;
	for (int i = 0; i < SCRIPT_MAX_DEPTH; i++)
		n += s->frame[i].out.cap;
	return n;
}

/* The buffer to print at most PRINT_BYTES into; raises an error if the page is too large. */
static struct sb *output(lua_State *L)
{
	struct script *s = script_of(L);
	struct sb *out = &s->frame[s->depth].out;
	bool fits = out->n <= PAGE_MIB * MIB;
	if (fits &&
	    (out->cap - out->n > PRINT_BYTES || buffered(s) + out->cap <= BUFFERS_MIB * MIB))
		return out;
	script_end_page(L, fits ? "includes of more than " STR_DIGITS(BUFFERS_MIB) " MiB together"
	                        : "a page of more than " STR_DIGITS(PAGE_MIB) " MiB");
	return NULL;
}

/* Prints in parts, so that no limit is exceeded by much. */
static void print(lua_State *L, struct str s, void (*put)(struct sb *to, struct str s))
{
	for (; s.n > PRINT_BYTES; s = str_sub(s, PRINT_BYTES, s.n))
		put(output(L), str_sub(s, 0, PRINT_BYTES));
	put(output(L), s);
}

/* Prints the value at stack index i. */
static int print_at(lua_State *L, int i)
{
	size_t n;
	const char *p;
	const struct markup *m;
	switch (lua_type(L, i)) {
	case LUA_TSTRING:
	case LUA_TNUMBER:
		p = lua_tolstring(L, i, &n);
		print(L, (struct str){p, n}, html_attr);
		return 0;
	case LUA_TUSERDATA:
		m = luaL_testudata(L, i, SCRIPT_MARKUP);
		if (!m)
			break;
		print(L, m->s, sb_str);
		return 0;
	default:
		break;
	}
	const char *type = luaL_getmetafield(L, i, "__name") == LUA_TSTRING ? lua_tostring(L, -1)
	                                                                    : luaL_typename(L, i);
	return luaL_error(L, "cannot print %s, expected text, a number or markup",
	                  lua_isnil(L, i) ? "nil" : type);
}

static int print_value(lua_State *L)
{
	luaL_checkany(L, 1);
	return print_at(L, 1);
}

static int print_literal(lua_State *L)
{
	const struct script_literals *l = lua_touserdata(L, lua_upvalueindex(1));
	lua_Integer i = lua_tointeger(L, 1);
	if (i < 0 || (size_t)i >= l->n)
		return luaL_error(L, "no piece %d", (int)i);
	print(L, l->piece[i], sb_str);
	return lua_gettop(L) > 1 ? print_at(L, 2) : 0;
}

/* --- templates inside templates ------------------------------------------- */

static const struct compiled *find_template(lua_State *L, const char *name)
{
	struct script *s = script_of(L);
	for (int i = 0; i < s->ntemplates; i++)
		if (strcmp(s->template[i].name, name) == 0)
			return &s->template[i];
	struct nearest n = {.wanted = str_of(name), .distance = 5};
	for (int i = 0; i < s->ntemplates; i++)
		nearest_try(&n, s->template[i].name);
	nearest_undefined(L, "template", &n);
	return NULL;
}

/* Runs one template whose environment is on top of the stack; pops it. */
static void run_one(lua_State *L, const struct compiled *c)
{
	luaL_checkstack(L, 8, "templates inside templates");
	lua_rawgeti(L, LUA_REGISTRYINDEX, c->function);
	lua_insert(L, -2);
	lua_rawgeti(L, LUA_REGISTRYINDEX, c->literal);
	lua_pushcfunction(L, print_value);
	lua_call(L, 3, 0);
}

void script_push_markup(lua_State *L, struct str html)
{
	struct markup *m = lua_newuserdatauv(L, sizeof *m, 0);
	m->s = html;
	luaL_setmetatable(L, SCRIPT_MARKUP);
}

static void push_environment(lua_State *L)
{
	lua_newtable(L);
	luaL_setmetatable(L, SCRIPT_ENV);
}

/* A template that is included inside a line drops the line break at its file's end. */
static struct str without_last_break(struct str s)
{
	return str_ends(s, "\n") ? str_sub(s, 0, s.n - 1) : s;
}

static struct frame *enter(lua_State *L)
{
	struct script *s = script_of(L);
	if (s->depth + 1 >= SCRIPT_MAX_DEPTH)
		luaL_error(L, "templates are nested more than %d deep", SCRIPT_MAX_DEPTH);
	struct frame *f = &s->frame[++s->depth];
	sb_clear(&f->out);
	f->layout = NULL;
	return f;
}

/*
 * Renders a template and then the layouts that it asks for. The result is in the
 * buffer of the frame below the current depth. Pops the environment from the stack.
 */
static struct frame *render(lua_State *L, const char *name)
{
	struct script *s = script_of(L);
	struct frame *f = enter(L);
	run_one(L, find_template(L, name));
	while (f->layout) {
		const char *layout = f->layout;
		struct frame *outer = enter(L);
		push_environment(L);
		lua_pushliteral(L, "content");
		script_push_markup(L, without_last_break(sb_view(&f->out)));
		lua_rawset(L, -3);
		run_one(L, find_template(L, layout));
		struct frame inner = *f;
		*f = *outer;
		*outer = inner;
		s->depth--;
	}
	s->depth--;
	return f;
}

int script_include(lua_State *L)
{
	const char *name = luaL_checkstring(L, 1);
	push_environment(L);
	if (!lua_isnoneornil(L, 2)) {
		luaL_checktype(L, 2, LUA_TTABLE);
		for (lua_pushnil(L); lua_next(L, 2);) {
			lua_pushvalue(L, -2);
			lua_insert(L, -2);
			lua_rawset(L, -4);
		}
	}
	struct str html = without_last_break(sb_view(&render(L, name)->out));
	struct markup *m = lua_newuserdatauv(L, sizeof *m + html.n, 0);
	if (html.n)
		memcpy(m->own, html.p, html.n);
	m->s = (struct str){m->own, html.n};
	luaL_setmetatable(L, SCRIPT_MARKUP);
	return 1;
}

/* A template that is equal on all pages: rendered once, for the first page, without `page`. */
int script_once(lua_State *L)
{
	struct compiled *c = (struct compiled *)find_template(L, luaL_checkstring(L, 1));
	if (!c->once.p) {
		push_environment(L);
		lua_pushliteral(L, "page");
		lua_pushboolean(L, false);
		lua_rawset(L, -3);
		struct str html = without_last_break(sb_view(&render(L, c->name)->out));
		sb_put(&c->once, html.p ? html.p : "", html.n);
	}
	script_push_markup(L, sb_view(&c->once));
	return 1;
}

void script_forget(struct script *s)
{
	for (int i = 0; i < s->ntemplates; i++)
		sb_free(&s->template[i].once);
}

int script_layout(lua_State *L)
{
	const struct compiled *c = find_template(L, luaL_checkstring(L, 1));
	struct script *s = script_of(L);
	s->frame[s->depth].layout = c->name;
	return 0;
}

static void die(const char *what)
{
	fprintf(stderr, "site-gen: %s\n", what);
	abort();
}

struct script *script_state_new(void)
{
	struct script *s = calloc(1, sizeof *s);
	if (!s)
		die("out of memory");
	script_limit_cpu(s, SCRIPT_PAGE_CPU_S);
	s->most = DATA_MIB * MIB;
	s->no_memory = "more than " STR_DIGITS(DATA_MIB) " MiB of memory wanted";
	s->L = lua_newstate(script_alloc, s);
	if (!s->L)
		die("out of memory");
	*(struct script **)lua_getextraspace(s->L) = s;
	script_limit_data(s);
	lua_gc(s->L, LUA_GCINC, GC_PAUSE, 0, 0);
	return s;
}

struct script *script_new(void)
{
	struct script *s = script_state_new();
	s->most = TEMPLATES_MIB * MIB;
	s->no_memory = "more than " STR_DIGITS(TEMPLATES_MIB) " MiB of memory wanted";
	lua_pushcfunction(s->L, script_open_functions);
	if (lua_pcall(s->L, 0, 0, 0) != LUA_OK)
		die(lua_tostring(s->L, -1));
	return s;
}

void script_free(struct script *s)
{
	if (!s)
		return;
	if (s->has_timer)
		timer_delete(s->timer);
	lua_close(s->L);
	arena_free(&s->small);
	for (int i = 0; i < SCRIPT_MAX_DEPTH; i++)
		sb_free(&s->frame[i].out);
	script_forget(s);
	sb_free(&s->text);
	free(s);
}

/* --- compiling and running -------------------------------------------------- */

/* Pops the message; one without a place gets the file's path. */
bool script_fail(lua_State *L, int status, const char *path, struct err *e)
{
	const char *text = lua_tostring(L, -1);
	struct script *s = script_of(L);
	if (status == LUA_ERRMEM) {
		s->exhausted = true;
		if (*s->refused.text)
			err_set(e, "%s", s->refused.text);
		else
			err_set(e, "%s: %s", path, s->no_memory);
	} else
		err_set(e, "%s", text ? text : "an error without a text");
	lua_settop(L, 0);
	return false;
}

struct compile_job {
	struct script *s;
	const char *name, *path;
	struct str code;
	const struct script_literals *literals;
};

static int compile(lua_State *L)
{
	const struct compile_job *j = lua_touserdata(L, 1);
	struct script *s = j->s;
	if (s->ntemplates == SCRIPT_MAX_TEMPLATES)
		return luaL_error(L, "%s: more than %d templates", j->path, SCRIPT_MAX_TEMPLATES);
	lua_pushfstring(L, "@%s", j->path);
	if (luaL_loadbufferx(L, j->code.p, j->code.n, lua_tostring(L, -1), "t") != LUA_OK)
		return lua_error(L);
	struct compiled *c = &s->template[s->ntemplates];
	c->name = j->name;
	c->function = luaL_ref(L, LUA_REGISTRYINDEX);
	lua_pushlightuserdata(L, (void *)j->literals);
	lua_pushcclosure(L, print_literal, 1);
	c->literal = luaL_ref(L, LUA_REGISTRYINDEX);
	s->ntemplates++;
	return 0;
}

bool script_compile(struct script *s, const char *name, const char *path, struct str code,
                    const struct script_literals *literals, struct err *e)
{
	struct compile_job job = {s, name, path, code, literals};
	lua_pushcfunction(s->L, compile);
	lua_pushlightuserdata(s->L, &job);
	int status = lua_pcall(s->L, 1, 0, 0);
	if (status == LUA_ERRMEM)
		err_set(e, "%s: the templates together want more than %d MiB of memory", path,
		        TEMPLATES_MIB);
	return status == LUA_OK || script_fail(s->L, status, path, e);
}

/* Upvalues: the function's row, its context, and its cached results or nil. */
static int call_defined(lua_State *L)
{
	bool keeps = lua_istable(L, lua_upvalueindex(3));
	if (keeps) {
		lua_settop(L, 1);
		lua_pushvalue(L, 1);
		if (lua_rawget(L, lua_upvalueindex(3)) == LUA_TSTRING)
			return 1;
		lua_settop(L, 1);
	}
	const struct script_function *f = lua_touserdata(L, lua_upvalueindex(1));
	struct script *s = script_of(L);
	struct str arg[SCRIPT_MAX_ARGS] = {{0}};
	struct err e = ERR_NONE;
	for (int i = 0; i < f->nargs; i++)
		arg[i].p = luaL_checklstring(L, i + 1, &arg[i].n);
	sb_clear(&s->text);
	if (!f->call(lua_touserdata(L, lua_upvalueindex(2)), arg, &s->text, &e))
		return luaL_error(L, "%s", e.text);
	lua_pushlstring(L, s->text.p ? s->text.p : "", s->text.n);
	if (keeps) {
		lua_pushvalue(L, 1);
		lua_pushvalue(L, -2);
		lua_rawset(L, lua_upvalueindex(3));
	}
	return 1;
}

void script_define(struct script *s, const struct script_function *f, void *ctx)
{
	lua_pushlightuserdata(s->L, (void *)f);
	lua_pushlightuserdata(s->L, ctx);
	if (f->constant)
		lua_newtable(s->L);
	else
		lua_pushnil(s->L);
	lua_pushcclosure(s->L, call_defined, 3);
	lua_setglobal(s->L, f->name);
}

struct render_job {
	const char *name;
	void (*variables)(struct script *s, void *ctx);
	void *ctx;
	struct sb *out;
};

static int protected_render(lua_State *L)
{
	const struct render_job *j = lua_touserdata(L, 1);
	struct script *s = script_of(L);
	lua_pushglobaltable(L);
	j->variables(s, j->ctx);
	push_environment(L);
	struct frame *f = render(L, j->name);
	struct sb done = f->out;
	f->out = *j->out;
	*j->out = done;
	return 0;
}

bool script_render(struct script *s, const char *name,
                   void (*variables)(struct script *s, void *ctx), void *ctx, struct sb *out,
                   struct err *e)
{
	struct render_job job = {name, variables, ctx, out};
	if (out->cap > PAGE_MIB * MIB) /* it becomes a buffer of this page, and counts as one */
		sb_free(out);
	script_limit_page(s);
	s->depth = 0;
	lua_pushcfunction(s->L, protected_render);
	lua_pushlightuserdata(s->L, &job);
	int status = lua_pcall(s->L, 1, 0, 0);
	return status == LUA_OK || script_fail(s->L, status, name, e);
}

bool script_exhausted(const struct script *s)
{
	return s->exhausted;
}
