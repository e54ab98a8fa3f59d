/*
 * Lua's functions for templates, in the tables text_functions, list_functions,
 * math_functions and base_functions. To add one, write it so that its input bounds
 * its cost, add a row, document it in templates/README.md and add a case to
 * tests/unit/site-gen/lua/test_template.c.
 */
#include <stdlib.h>
#include <string.h>

#include "site-gen/lua/script_lua.h"

enum { MAX_REPEAT = 1000 };

/* --- errors that suggest the nearest name --------------------------------- */

void nearest_try(struct nearest *n, const char *name)
{
	size_t d = str_distance(n->wanted, str_of(name), n->distance);
	if (d >= n->distance || strlen(name) >= sizeof n->name)
		return;
	n->distance = d;
	strcpy(n->name, name);
}

static void nearest_in_table(lua_State *L, int table, struct nearest *n)
{
	table = lua_absindex(L, table);
	for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
		if (lua_type(L, -2) == LUA_TSTRING)
			nearest_try(n, lua_tostring(L, -2));
}

int nearest_undefined(lua_State *L, const char *what, const struct nearest *n)
{
	if (n->name[0])
		return luaL_error(L, "undefined %s '%s', did you mean '%s'?", what, n->wanted.p,
		                  n->name);
	return luaL_error(L, "undefined %s '%s'", what, n->wanted.p);
}

/* __index of the generator's tables; reading beyond the end of a list is allowed. */
static int strict_index(lua_State *L)
{
	if (lua_type(L, 2) != LUA_TSTRING)
		return lua_pushnil(L), 1;
	struct nearest n = {.wanted = str_of(lua_tostring(L, 2)), .distance = 4};
	nearest_in_table(L, 1, &n);
	return nearest_undefined(L, "field", &n);
}

static int strict_newindex(lua_State *L)
{
	return luaL_error(L, "cannot add '%s': this table is the generator's",
	                  lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "an item");
}

/*
 * __index of the global table, called for a name that is neither a template's own
 * variable nor a global. (Own variables are raw fields of the environment, whose
 * __index is the global table.)
 */
static int global_index(lua_State *L)
{
	struct nearest n = {.wanted = str_of(luaL_tolstring(L, 2, NULL)), .distance = 4};
	nearest_in_table(L, 1, &n);
	return nearest_undefined(L, "name", &n);
}

static int env_newindex(lua_State *L)
{
	return luaL_error(L, "assignment to undefined name '%s', expected 'local %s = …'",
	                  luaL_tolstring(L, 2, NULL), lua_tostring(L, 2));
}

/* __index of string, table, math: the real table is upvalue 1. */
static int library_index(lua_State *L)
{
	lua_pushvalue(L, 2);
	if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
		return 1;
	struct nearest n = {.wanted = str_of(luaL_tolstring(L, 2, NULL)), .distance = 4};
	nearest_in_table(L, lua_upvalueindex(1), &n);
	return nearest_undefined(L, "function", &n);
}

/* --- Lua's own functions, bounded ------------------------------------------ */

/* Prints no addresses, because they would differ between runs. */
static int base_tostring(lua_State *L)
{
	int t = lua_type(L, 1);
	if (t == LUA_TSTRING || t == LUA_TNUMBER || t == LUA_TBOOLEAN || t == LUA_TNIL)
		luaL_tolstring(L, 1, NULL);
	else
		lua_pushstring(L, luaL_typename(L, 1));
	return 1;
}

static int base_type(lua_State *L)
{
	luaL_checkany(L, 1);
	if (lua_type(L, 1) != LUA_TUSERDATA)
		lua_pushstring(L, luaL_typename(L, 1));
	else
		lua_pushstring(L, luaL_testudata(L, 1, SCRIPT_MARKUP) ? SCRIPT_MARKUP : "table");
	return 1;
}

/* holds(what, part): true if a text or markup contains the bytes of `part`. */
static int base_holds(lua_State *L)
{
	const struct markup *m = luaL_testudata(L, 1, SCRIPT_MARKUP);
	struct str in = {NULL, 0}, part;
	part.p = luaL_checklstring(L, 2, &part.n);
	if (m)
		in = m->s;
	else
		in.p = luaL_checklstring(L, 1, &in.n);
	lua_pushboolean(L, part.n == 0 || (in.n > 0 && memmem(in.p, in.n, part.p, part.n)));
	return 1;
}

static bool key_less(lua_State *L, int a, int b)
{
	script_check_time(L); /* texts may be long */
	bool x = lua_type(L, a) == LUA_TNUMBER, y = lua_type(L, b) == LUA_TNUMBER;
	return x == y ? lua_compare(L, a, b, LUA_OPLT) : x;
}

/* Sifts keys[i] of the n keys in the table on top of the stack; heap sort has a bounded cost. */
static void sift(lua_State *L, lua_Integer i, lua_Integer n)
{
	for (lua_Integer child; (child = 2 * i) <= n; i = child) {
		lua_rawgeti(L, -1, child);
		if (child < n) {
			lua_rawgeti(L, -2, child + 1);
			if (key_less(L, -2, -1)) {
				lua_remove(L, -2);
				child++;
			} else {
				lua_pop(L, 1);
			}
		}
		lua_rawgeti(L, -2, i);
		if (!key_less(L, -1, -2)) {
			lua_pop(L, 2);
			return;
		}
		lua_rawseti(L, -3, child);
		lua_rawseti(L, -2, i);
	}
}

static void sort_keys(lua_State *L, lua_Integer n)
{
	for (lua_Integer i = n / 2; i >= 1; i--)
		sift(L, i, n);
	for (lua_Integer last = n; last > 1; last--) {
		lua_rawgeti(L, -1, 1);
		lua_rawgeti(L, -2, last);
		lua_rawseti(L, -3, 1);
		lua_rawseti(L, -2, last);
		sift(L, 1, last - 1);
	}
}

/* Upvalues: table, sorted keys, position. */
static int pairs_next(lua_State *L)
{
	lua_Integer i = lua_tointeger(L, lua_upvalueindex(3)) + 1;
	lua_pushinteger(L, i);
	lua_replace(L, lua_upvalueindex(3));
	if (lua_rawgeti(L, lua_upvalueindex(2), i) == LUA_TNIL)
		return 1;
	lua_pushvalue(L, -1);
	lua_rawget(L, lua_upvalueindex(1));
	return 2;
}

static int base_pairs(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	lua_pushvalue(L, 1);
	lua_newtable(L);
	lua_Integer n = 0;
	for (lua_pushnil(L); lua_next(L, 1);) {
		lua_pop(L, 1);
		if (lua_type(L, -1) != LUA_TSTRING && lua_type(L, -1) != LUA_TNUMBER)
			return luaL_error(L, "pairs: keys must be text or numbers");
		lua_pushvalue(L, -1);
		lua_rawseti(L, -3, ++n);
	}
	sort_keys(L, n);
	lua_pushinteger(L, 0);
	lua_pushcclosure(L, pairs_next, 3);
	return 1;
}

static int text_rep(lua_State *L)
{
	size_t n, m;
	const char *p = luaL_checklstring(L, 1, &n);
	lua_Integer times = luaL_checkinteger(L, 2);
	const char *between = luaL_optlstring(L, 3, "", &m);
	luaL_argcheck(L, times <= MAX_REPEAT, 2, "at most 1000 times");
	luaL_Buffer b;
	luaL_buffinit(L, &b);
	for (lua_Integer i = 0; i < times; i++) {
		if (i > 0)
			luaL_addlstring(&b, between, m);
		luaL_addlstring(&b, p, n);
	}
	luaL_pushresult(&b);
	return 1;
}

/* Supports only %d, %s and %%: no widths, no addresses. */
static int text_format(lua_State *L)
{
	const char *f = luaL_checkstring(L, 1);
	luaL_Buffer b;
	int arg = 1, top = lua_gettop(L);
	lua_settop(L, top);
	luaL_buffinit(L, &b);
	for (; *f; f++) {
		if (*f != '%') {
			luaL_addchar(&b, *f);
			continue;
		}
		f++;
		if (*f == '%') {
			luaL_addchar(&b, '%');
			continue;
		}
		luaL_argcheck(L, *f == 'd' || *f == 's', 1, "only %d, %s and %% are known");
		luaL_argcheck(L, ++arg <= top, arg, "a value is missing");
		if (*f == 'd')
			lua_pushinteger(L, luaL_checkinteger(L, arg));
		else
			lua_pushstring(L, luaL_checkstring(L, arg));
		luaL_addvalue(&b);
	}
	luaL_pushresult(&b);
	return 1;
}

/* The comparison that list_sort passes to Lua; upvalue 1 is the template's own. */
static int sort_less(lua_State *L)
{
	script_check_time(L);
	if (lua_isnil(L, lua_upvalueindex(1))) {
		lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT));
		return 1;
	}
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, 2, 1);
	return 1;
}

/* Lua's own sort (upvalue 1) with checks of the time: there may be many texts, and long ones. */
static int list_sort(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	if (!lua_isnoneornil(L, 2))
		luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_settop(L, 2);
	lua_pushcclosure(L, sort_less, 1);
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, 2, 0);
	return 0;
}

/* --- the tables of functions ------------------------------------------------ */

/* A row with NULL is Lua's own function; the others get Lua's own as upvalue 1. */
static const luaL_Reg text_functions[] = {
        {"upper", NULL},   {"lower", NULL},         {"sub", NULL}, {"len", NULL},
        {"rep", text_rep}, {"format", text_format}, {NULL, NULL},
};
static const luaL_Reg list_functions[] = {
        {"concat", NULL},
        {"insert", NULL},
        {"sort", list_sort},
        {NULL, NULL},
};
static const luaL_Reg math_functions[] = {
        {"floor", NULL},
        {"min", NULL},
        {"max", NULL},
        {NULL, NULL},
};
static const luaL_Reg base_functions[] = {
        {"ipairs", NULL},          {"pairs", base_pairs}, {"tostring", base_tostring},
        {"type", base_type},       {"holds", base_holds}, {"include", script_include},
        {"layout", script_layout}, {"once", script_once}, {NULL, NULL},
};

/* Pushes a new table with the functions of `list`; NULL rows come from the table at `from`. */
static void pick_functions(lua_State *L, const luaL_Reg *list, int from)
{
	lua_newtable(L);
	for (; list->name; list++) {
		lua_getfield(L, from, list->name);
		if (list->func)
			lua_pushcclosure(L, list->func, 1);
		lua_setfield(L, -2, list->name);
	}
}

/* Opens a library of Lua and pushes a read-only table of the chosen functions. */
static void open_library(lua_State *L, const char *name, lua_CFunction open, const luaL_Reg *list)
{
	luaL_requiref(L, name, open, 0);
	lua_newtable(L);
	lua_newtable(L);
	pick_functions(L, list, lua_absindex(L, -3));
	lua_pushcclosure(L, library_index, 1);
	lua_setfield(L, -2, "__index");
	lua_pushcfunction(L, strict_newindex);
	lua_setfield(L, -2, "__newindex");
	lua_setmetatable(L, -2);
	lua_remove(L, -2);
}

/* Makes the global table, on top of the stack, the fallback of all environments. */
static void chain_environments(lua_State *L)
{
	luaL_newmetatable(L, SCRIPT_ENV);
	lua_pushvalue(L, -2);
	lua_setfield(L, -2, "__index");
	lua_pushcfunction(L, env_newindex);
	lua_setfield(L, -2, "__newindex");
	lua_pop(L, 1);
	lua_newtable(L);
	lua_pushcfunction(L, global_index);
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2);
}

/* Makes a global table that holds only the template functions. */
int script_open_functions(lua_State *L)
{
	luaL_newmetatable(L, SCRIPT_MARKUP);
	luaL_newmetatable(L, SCRIPT_STRICT);
	lua_pushcfunction(L, strict_index);
	lua_setfield(L, -2, "__index");
	lua_pushcfunction(L, strict_newindex);
	lua_setfield(L, -2, "__newindex");
	luaL_requiref(L, "_G", luaopen_base, 0);
	pick_functions(L, base_functions, lua_absindex(L, -1));
	open_library(L, "string", luaopen_string, text_functions);
	lua_pushliteral(L, "");
	lua_newtable(L);
	lua_pushvalue(L, -3);
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2); /* metatable of every text, for s:upper() */
	lua_pop(L, 1);
	lua_setfield(L, -2, "string");
	open_library(L, "table", luaopen_table, list_functions);
	lua_setfield(L, -2, "table");
	open_library(L, "math", luaopen_math, math_functions);
	lua_setfield(L, -2, "math");
	chain_environments(L);
	lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
	lua_pushnil(L);
	lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
	return 0;
}
