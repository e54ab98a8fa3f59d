#include "lib/json.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "lib/json_plain.h"

/* jansson has macros of these names for its own values. */
#undef json_is_object
#undef json_is_array
#undef json_is_string
#undef json_is_number
#undef json_is_null

/* When jansson runs out of memory it reports a wrong text; so its allocator aborts instead. */
static void *alloc_or_die(size_t n)
{
	void *p = malloc(n);
	if (!p)
		arena_die("out of memory");
	return p;
}

__attribute__((constructor)) static void set_allocator(void)
{
	json_set_alloc_funcs(alloc_or_die, free);
}

static const json_t *raw(struct json v)
{
	return v.value;
}

bool json_parse(struct str text, struct loc at, struct json_doc **doc, struct json *root,
                struct err *e)
{
	json_error_t je;
	if (!str_utf8(text))
		return err_at(e, at, "not valid UTF-8 text");
	json_t *v = json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &je);
	if (!v) {
		at.line += je.line > 1 ? je.line - 1 : 0;
		at.col = je.column > 0 ? je.column : 0;
		return err_at(e, at, "not JSON: %s", je.text);
	}
	*doc = (struct json_doc *)v;
	*root = (struct json){v, at, false};
	return true;
}

bool json_parse_plain(char *text, size_t n, struct loc at, struct arena *a, struct json *root)
{
	*root = (struct json){json_plain_read(text, n, a), at, true};
	return root->value;
}

/* A value of a plain document. */
static const struct json_plain *bare(struct json v)
{
	return v.value;
}

void json_free(struct json_doc *doc)
{
	json_decref((json_t *)doc);
}

/* Is the value of this type in its kind of document? */
static bool has_type(struct json v, json_type type, enum json_plain_type plain)
{
	return v.value && (v.plain ? bare(v)->type == plain : json_typeof(raw(v)) == type);
}

bool json_is_object(struct json v)
{
	return has_type(v, JSON_OBJECT, JSON_PLAIN_OBJECT);
}

bool json_is_array(struct json v)
{
	return has_type(v, JSON_ARRAY, JSON_PLAIN_ARRAY);
}

static bool json_is_string(struct json v)
{
	return has_type(v, JSON_STRING, JSON_PLAIN_STRING);
}

bool json_is_null(struct json v)
{
	return has_type(v, JSON_NULL, JSON_PLAIN_NULL);
}

static bool json_is_int(struct json v)
{
	return has_type(v, JSON_INTEGER, JSON_PLAIN_INTEGER);
}

bool json_is_number(struct json v)
{
	return json_is_int(v) || has_type(v, JSON_REAL, JSON_PLAIN_REAL);
}

struct json json_get(struct json obj, const char *key)
{
	const void *v = !obj.plain  ? (const void *)json_object_get(raw(obj), key)
	                : obj.value ? json_plain_get(bare(obj), key)
	                            : NULL;
	return (struct json){v, obj.at, obj.plain};
}

size_t json_len(struct json array)
{
	if (!array.plain)
		return json_array_size(raw(array));
	return json_is_array(array) ? bare(array)->n : 0;
}

struct json json_item(struct json array, size_t i)
{
	if (!array.plain)
		return (struct json){json_array_get(raw(array), i), array.at, false};
	const struct json_plain *v = json_is_array(array) ? bare(array)->first : NULL;
	while (v && i-- > 0)
		v = v->next;
	return (struct json){v, array.at, true};
}

/* json_each() for a plain document, whose members are a list. */
static bool each_plain(struct json obj, size_t *i, const char **key, struct json *v)
{
	const struct json_plain *m = json_is_object(obj) ? bare(obj)->first : NULL;
	if (m && *i > 0)
		m = json_plain_get(bare(obj), *key)->next;
	if (!m)
		return false;
	*i += 1;
	*key = m->key;
	*v = (struct json){m, obj.at, true};
	return true;
}

bool json_each(struct json obj, size_t *i, const char **key, struct json *v)
{
	if (obj.plain)
		return each_plain(obj, i, key, v);
	json_t *o = (json_t *)raw(obj);
	void *it = *i == 0 ? json_object_iter(o)
	                   : json_object_iter_next(o, json_object_iter_at(o, *key));
	if (!it)
		return false;
	*i += 1;
	*key = json_object_iter_key(it);
	*v = (struct json){json_object_iter_value(it), obj.at, false};
	return true;
}

bool json_as_str(struct json v, struct str *out)
{
	if (!json_is_string(v))
		return false;
	*out = v.plain ? (struct str){bare(v)->text, bare(v)->n}
	               : (struct str){json_string_value(raw(v)), json_string_length(raw(v))};
	return true;
}

bool json_as_i64(struct json v, int64_t *out)
{
	if (!json_is_int(v))
		return false;
	*out = v.plain ? bare(v)->integer : json_integer_value(raw(v));
	return true;
}

bool json_as_f64(struct json v, double *out)
{
	int64_t n;
	if (!json_is_number(v))
		return false;
	if (!v.plain)
		*out = json_number_value(raw(v));
	else
		*out = json_as_i64(v, &n) ? (double)n : bare(v)->real;
	return true;
}

static bool is_bool(struct json v)
{
	return has_type(v, JSON_TRUE, JSON_PLAIN_BOOL) || (!v.plain && has_type(v, JSON_FALSE, 0));
}

bool json_as_bool(struct json v, bool *out)
{
	if (!is_bool(v))
		return false;
	*out = v.plain ? bare(v)->integer : json_is_true(raw(v));
	return true;
}

void json_fill(struct json obj, struct json from)
{
	const char *key;
	struct json v;
	for (size_t i = 0; json_each(from, &i, &key, &v);) {
		struct json own = json_get(obj, key);
		if (!own.value)
			json_object_set((json_t *)raw(obj), key, (json_t *)raw(v));
		else if (json_is_object(own) && json_is_object(v))
			json_fill(own, v);
	}
}

/* The member `key`, or an error that says which type was expected. */
static bool want(struct json obj, const char *key, bool (*is)(struct json), const char *type,
                 struct json *out, struct err *e)
{
	*out = json_get(obj, key);
	if (!out->value)
		return err_at(e, obj.at, "'%s' is missing, expected %s", key, type);
	return is(*out) || err_at(e, obj.at, "'%s' is not %s", key, type);
}

bool json_want_str(struct json obj, const char *key, struct arena *a, const char **out,
                   struct err *e)
{
	struct json v;
	struct str s = {0};
	if (!want(obj, key, json_is_string, "a string", &v, e) || !json_as_str(v, &s))
		return false;
	*out = str_dup(a, s);
	return true;
}

bool json_want_i64(struct json obj, const char *key, int64_t *out, struct err *e)
{
	struct json v;
	return want(obj, key, json_is_int, "an integer", &v, e) && json_as_i64(v, out);
}

bool json_want_f64(struct json obj, const char *key, double *out, struct err *e)
{
	struct json v;
	return want(obj, key, json_is_number, "a number", &v, e) && json_as_f64(v, out);
}

bool json_want_bool(struct json obj, const char *key, bool *out, struct err *e)
{
	struct json v;
	return want(obj, key, is_bool, "true or false", &v, e) && json_as_bool(v, out);
}

bool json_want_obj(struct json obj, const char *key, struct json *out, struct err *e)
{
	return want(obj, key, json_is_object, "an object", out, e);
}

bool json_want_arr(struct json obj, const char *key, struct json *out, struct err *e)
{
	return want(obj, key, json_is_array, "an array", out, e);
}

bool json_want_i64s(struct json obj, const char *key, struct arena *a, int64_t **out, size_t *n,
                    struct err *e)
{
	struct json arr;
	if (!json_want_arr(obj, key, &arr, e))
		return false;
	*n = json_len(arr);
	*out = ARENA_ARRAY(a, int64_t, *n);
	for (size_t i = 0; i < *n; i++)
		if (!json_as_i64(json_item(arr, i), &(*out)[i]))
			return err_at(e, obj.at, "'%s[%zu]' is not an integer", key, i);
	return true;
}

bool json_opt_str(struct json obj, const char *key, struct arena *a, const char **out,
                  struct err *e)
{
	return !json_get(obj, key).value || json_want_str(obj, key, a, out, e);
}

bool json_opt_i64(struct json obj, const char *key, int64_t *out, struct err *e)
{
	return !json_get(obj, key).value || json_want_i64(obj, key, out, e);
}

bool json_opt_f64(struct json obj, const char *key, double *out, struct err *e)
{
	return !json_get(obj, key).value || json_want_f64(obj, key, out, e);
}

struct json_out json_to(struct sb *to)
{
	return (struct json_out){.to = to};
}

static void start(struct json_out *w, const char *key)
{
	if (w->comma)
		sb_char(w->to, ',');
	w->comma = true;
	if (key) {
		json_quote(w->to, str_of(key));
		sb_char(w->to, ':');
	}
}

void json_open(struct json_out *w, const char *key, char bracket)
{
	start(w, key);
	sb_char(w->to, bracket);
	w->comma = false;
}

void json_close(struct json_out *w, char bracket)
{
	sb_char(w->to, bracket);
	w->comma = true;
}

void json_put_str(struct json_out *w, const char *key, const char *s)
{
	start(w, key);
	if (s)
		json_quote(w->to, str_of(s));
	else
		sb_cstr(w->to, "null");
}

void json_put_i64(struct json_out *w, const char *key, int64_t v)
{
	char digits[24], *p = digits + sizeof digits;
	uint64_t rest = v < 0 ? -(uint64_t)v : (uint64_t)v; /* fast: search indexes have many */
	do
		*--p = (char)('0' + rest % 10);
	while (rest /= 10);
	if (v < 0)
		*--p = '-';
	start(w, key);
	sb_put(w->to, p, (size_t)(digits + sizeof digits - p));
}

/* A real stays a real when read back: "2" becomes "2.0". */
void json_put_f64(struct json_out *w, const char *key, double v)
{
	char buf[40];
	assert(isfinite(v));
	start(w, key);
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, sizeof buf, "%.*g", digits, v);
		if (strtod(buf, NULL) == v)
			break;
	}
	sb_cstr(w->to, buf);
	if (!strpbrk(buf, ".e"))
		sb_cstr(w->to, ".0");
}

void json_put_bool(struct json_out *w, const char *key, bool v)
{
	start(w, key);
	sb_cstr(w->to, v ? "true" : "false");
}

static void quote_text(struct sb *to, struct str s)
{
	sb_char(to, '"');
	size_t done = 0;
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		if (c != '"' && c != '\\' && c >= 0x20 && c != 0x7f)
			continue;
		sb_str(to, str_sub(s, done, i));
		done = i + 1;
		if (c == '"' || c == '\\')
			sb_printf(to, "\\%c", c);
		else if (c == '\n')
			sb_cstr(to, "\\n");
		else
			sb_printf(to, "\\u%04x", c);
	}
	sb_str(to, str_sub(s, done, s.n));
	sb_char(to, '"');
}

void json_quote(struct sb *to, struct str s)
{
	struct sb text = {0};
	if (str_utf8(s)) {
		quote_text(to, s);
		return;
	}
	sb_text(&text, s);
	quote_text(to, sb_view(&text));
	sb_free(&text);
}
