/*
 * Conversion of values between C and Lua: variables and objects for templates, and
 * the tables that data files return.
 */
#include <stdlib.h>
#include <string.h>

#include "site-gen/lua/script_lua.h"

enum { MAX_DATA_DEPTH = 8 };

/* --- variables ---------------------------------------------------------------- */

/* The key under which a field's `make` builds its one value. */
const char script_value_key[] = "value";

/* Puts the value on top into the table below it; with SCRIPT_VALUE it stays on the stack. */
static void set(lua_State *L, const char *key)
{
	if (key == SCRIPT_VALUE)
		return;
	if (key) {
		lua_pushstring(L, key);
		lua_insert(L, -2);
		lua_rawset(L, -3);
	} else {
		lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
	}
}

void script_begin(struct script *s, const char *key, int members)
{
	luaL_checkstack(s->L, 8, "tables inside tables");
	lua_createtable(s->L, 0, members);
	luaL_setmetatable(s->L, SCRIPT_STRICT);
	lua_pushvalue(s->L, -1);
	if (key == SCRIPT_VALUE)
		return;
	lua_rotate(s->L, -3, 1); /* a copy goes below the container */
	set(s->L, key);
	lua_rotate(s->L, -2, 1);
}

void script_end(struct script *s)
{
	lua_pop(s->L, 1);
}

void script_text(struct script *s, const char *key, struct str v)
{
	lua_pushlstring(s->L, v.p ? v.p : "", v.n);
	set(s->L, key);
}

void script_cstr(struct script *s, const char *key, const char *v)
{
	script_text(s, key, str_of(v));
}

void script_markup(struct script *s, const char *key, struct str html)
{
	if (html.n)
		script_push_markup(s->L, html);
	else
		lua_pushliteral(s->L, "");
	set(s->L, key);
}

void script_int(struct script *s, const char *key, int64_t v)
{
	lua_pushinteger(s->L, v);
	set(s->L, key);
}

void script_flag(struct script *s, const char *key, bool v)
{
	lua_pushboolean(s->L, v);
	set(s->L, key);
}

/* --- objects ------------------------------------------------------------------- */

struct object {
	const struct script_class *class;
	void *ctx;
	const void *object;
};

static void push_field(struct script *s, const struct script_field *f, const struct object *o)
{
	const char *at = (const char *)o->object + f->offset;
	switch (f->kind) {
	case SCRIPT_FIELD_TEXT:
		script_cstr(s, SCRIPT_VALUE, *(const char *const *)at);
		return;
	case SCRIPT_FIELD_MARKUP:
		script_markup(s, SCRIPT_VALUE, *(const struct str *)at);
		return;
	case SCRIPT_FIELD_INT:
		script_int(s, SCRIPT_VALUE, *(const int *)at);
		return;
	case SCRIPT_FIELD_I64:
		script_int(s, SCRIPT_VALUE, *(const int64_t *)at);
		return;
	case SCRIPT_FIELD_FLAG:
		script_flag(s, SCRIPT_VALUE, *(const bool *)at);
		return;
	case SCRIPT_FIELD_MADE:
		f->make(s, o->ctx, o->object);
		return;
	}
}

static int unknown_field(lua_State *L, const struct object *o)
{
	struct nearest n = {.wanted = str_of(luaL_tolstring(L, 2, NULL)), .distance = 4};
	for (size_t i = 0; i < o->class->nfields; i++)
		nearest_try(&n, o->class->field[i].name);
	return nearest_undefined(L, "field", &n);
}

/* Upvalue: a table from names to positions in the class. */
static int object_index(lua_State *L)
{
	const struct object *o = lua_touserdata(L, 1);
	lua_settop(L, 2);
	lua_pushvalue(L, 2);
	if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNUMBER)
		return unknown_field(L, o);
	push_field(script_of(L), &o->class->field[lua_tointeger(L, -1)], o);
	return 1;
}

/* Pushes the metatable of a class, which the first call makes. */
static void push_class(lua_State *L, const struct script_class *c)
{
	if (lua_rawgetp(L, LUA_REGISTRYINDEX, c) == LUA_TTABLE)
		return;
	lua_pop(L, 1);
	lua_newtable(L);
	lua_pushstring(L, c->name);
	lua_setfield(L, -2, "__name");
	lua_createtable(L, 0, (int)c->nfields);
	for (size_t i = 0; i < c->nfields; i++) {
		lua_pushinteger(L, (lua_Integer)i);
		lua_setfield(L, -2, c->field[i].name);
	}
	lua_pushcclosure(L, object_index, 1);
	lua_setfield(L, -2, "__index");
	lua_pushvalue(L, -1);
	lua_rawsetp(L, LUA_REGISTRYINDEX, c);
}

void script_object(struct script *s, const char *key, const struct script_class *c, void *ctx,
                   const void *object)
{
	luaL_checkstack(s->L, 8, "objects");
	struct object *o = lua_newuserdatauv(s->L, sizeof *o, 0);
	*o = (struct object){c, ctx, object};
	push_class(s->L, c);
	lua_setmetatable(s->L, -2);
	set(s->L, key);
}

/* --- data files ----------------------------------------------------------------- */

const char *script_kind_name(enum script_kind k)
{
	static const char *const name[] = {
	        [SCRIPT_TEXT] = "a text",        [SCRIPT_INT] = "a whole number",
	        [SCRIPT_FLAG] = "true or false", [SCRIPT_LIST] = "a list",
	        [SCRIPT_TABLE] = "a table",
	};
	return name[k];
}

static int by_key(const void *a, const void *b)
{
	const struct script_member *x = a, *y = b;
	return strcmp(x->key, y->key);
}

static void copy_value(lua_State *L, struct arena *a, struct script_value *v, int depth);

static void copy_list(lua_State *L, struct arena *a, struct script_value *v, int depth)
{
	for (size_t i = 0; i < v->n; i++) {
		struct script_value *item = ARENA_NEW(a, struct script_value);
		lua_rawgeti(L, -1, (lua_Integer)i + 1);
		copy_value(L, a, item, depth + 1);
		lua_pop(L, 1);
		v->member[i].value = item;
	}
}

static void copy_members(lua_State *L, struct arena *a, struct script_value *v, int depth)
{
	size_t i = 0;
	for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
		struct script_value *item = ARENA_NEW(a, struct script_value);
		if (lua_type(L, -2) != LUA_TSTRING)
			luaL_error(L, "a table mixes names and positions");
		v->member[i].key = arena_strdup(a, lua_tostring(L, -2));
		copy_value(L, a, item, depth + 1);
		v->member[i++].value = item;
	}
	qsort(v->member, v->n, sizeof *v->member, by_key);
}

static void copy_table(lua_State *L, struct arena *a, struct script_value *v, int depth)
{
	if (depth > MAX_DATA_DEPTH)
		luaL_error(L, "tables are nested more than %d deep", MAX_DATA_DEPTH);
	luaL_checkstack(L, 8, "tables inside tables");
	size_t list = lua_rawlen(L, -1), all = 0;
	for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
		all++;
	v->kind = all > 0 && list == 0 ? SCRIPT_TABLE : SCRIPT_LIST;
	if (v->kind == SCRIPT_LIST && list != all)
		luaL_error(L, "a table mixes names and positions");
	v->n = all;
	v->member = ARENA_ARRAY(a, struct script_member, all);
	if (v->kind == SCRIPT_LIST)
		copy_list(L, a, v, depth);
	else
		copy_members(L, a, v, depth);
}

/* Copies the value on top of the stack, which stays there. */
static void copy_value(lua_State *L, struct arena *a, struct script_value *v, int depth)
{
	size_t n;
	const char *p;
	switch (lua_type(L, -1)) {
	case LUA_TSTRING:
		p = lua_tolstring(L, -1, &n);
		*v = (struct script_value){.kind = SCRIPT_TEXT,
		                           .text = {arena_strndup(a, p, n), n}};
		return;
	case LUA_TBOOLEAN:
		*v = (struct script_value){.kind = SCRIPT_FLAG, .flag = lua_toboolean(L, -1)};
		return;
	case LUA_TNUMBER:
		if (!lua_isinteger(L, -1))
			luaL_error(L, "a number that is not whole");
		*v = (struct script_value){.kind = SCRIPT_INT, .num = lua_tointeger(L, -1)};
		return;
	case LUA_TTABLE:
		copy_table(L, a, v, depth);
		return;
	default:
		luaL_error(L, "%s is not data", luaL_typename(L, -1));
	}
}

struct data_job {
	struct str src;
	const char *path;
	struct arena *arena;
	struct script_value *out;
};

static int run_data(lua_State *L)
{
	struct data_job *j = lua_touserdata(L, 1);
	lua_pushfstring(L, "@%s", j->path);
	if (luaL_loadbufferx(L, j->src.p ? j->src.p : "", j->src.n, lua_tostring(L, -1), "t") !=
	    LUA_OK)
		return lua_error(L);
	lua_call(L, 0, 1);
	if (!lua_istable(L, -1))
		return luaL_error(L, "%s: expected 'return { … }'", j->path);
	copy_value(L, j->arena, j->out, 0);
	return 0;
}

bool script_data(struct str src, const char *path, struct arena *a, struct script_value *out,
                 struct err *e)
{
	struct script *s = script_state_new();
	struct data_job job = {src, path, a, out};
	lua_pushcfunction(s->L, run_data);
	lua_pushlightuserdata(s->L, &job);
	int status = lua_pcall(s->L, 1, 0, 0);
	bool ok = status == LUA_OK;
	if (!ok && status == LUA_ERRRUN && !str_starts(str_of(lua_tostring(s->L, -1)), path))
		ok = err_set(e, "%s: %s", path, lua_tostring(s->L, -1));
	else if (!ok)
		ok = script_fail(s->L, status, path, e);
	script_free(s);
	return ok;
}
