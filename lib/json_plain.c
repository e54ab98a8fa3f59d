#include "lib/json_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_DEPTH = 8,
	EXACT_DIGITS = 15, /* an integer of so many digits is exact as a double, and so is */
	EXACT_POWER = 22,  /* ten to this power; one division then rounds once */
	MOST_DIGITS = 19,
};

struct reader {
	char *p, *end;
	struct arena *a;
	int depth;
};

static struct json_plain *value(struct reader *r);

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool take(struct reader *r, char c)
{
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

/* A string after its first quote; its closing quote becomes a NUL. */
static bool string(struct reader *r, const char **text, uint32_t *n)
{
	char *from = r->p;
	while (r->p < r->end && *r->p != '"' && *r->p != '\\' && *r->p >= ' ' && *r->p < 0x7f)
		r->p++;
	if (r->p == r->end || *r->p != '"')
		return false;
	*text = from;
	*n = (uint32_t)(r->p - from);
	*r->p++ = '\0';
	return true;
}

static uint32_t hash_of(const char *key, size_t n)
{
	uint32_t h = (uint32_t)n;
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)key[i]) * 0x01000193u;
	return h ^ h >> 15;
}

static const struct json_plain *find(const struct json_plain *object, const char *key, size_t n,
                                     uint32_t hash)
{
	const struct json_plain *m = object->first;
	while (m && (m->key_h != hash || m->key_n != n || memcmp(m->key, key, n) != 0))
		m = m->next;
	return m;
}

const struct json_plain *json_plain_get(const struct json_plain *object, const char *key)
{
	size_t n = strlen(key);
	return object->type == JSON_PLAIN_OBJECT ? find(object, key, n, hash_of(key, n)) : NULL;
}

/* The members after '{', or the items after '['. */
static bool inside(struct reader *r, struct json_plain *v, bool object)
{
	struct json_plain **end = &v->first;
	uint64_t seen = 0; /* a bit for the hash of each key: few keys need a search */
	if (take(r, object ? '}' : ']'))
		return true;
	do {
		const char *key = NULL;
		uint32_t n = 0, hash = 0;
		if (object) {
			if (!take(r, '"') || !string(r, &key, &n) || !take(r, ':'))
				return false;
			hash = hash_of(key, n);
			if ((seen >> hash % 64 & 1) && find(v, key, n, hash))
				return false; /* twice */
			seen |= (uint64_t)1 << hash % 64;
		}
		struct json_plain *m = value(r);
		if (!m)
			return false;
		m->key = key;
		m->key_n = n;
		m->key_h = hash;
		*end = m;
		end = &m->next;
		v->n++;
	} while (take(r, ','));
	return take(r, object ? '}' : ']');
}

/* The rest of a number that is no integer: its mantissa is `digits` digits long so far. */
static bool real(struct reader *r, const char *from, uint64_t mantissa, int digits, double *out)
{
	static const double powers[EXACT_POWER + 1] = {
	        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
	        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	int after = 0;
	if (take(r, '.')) {
		for (; r->p < r->end && is_digit(*r->p); after++)
			mantissa = 10 * mantissa + (uint64_t)(*r->p++ - '0');
		if (after == 0)
			return false;
	}
	bool power = r->p < r->end && (*r->p == 'e' || *r->p == 'E');
	if (!power && digits + after <= EXACT_DIGITS) {
		*out = (double)mantissa / powers[after];
		*out = *from == '-' ? -*out : *out;
		return true;
	}
	if (power) {
		r->p++;
		if (r->p < r->end && (*r->p == '+' || *r->p == '-'))
			r->p++;
		if (r->p == r->end || !is_digit(*r->p))
			return false;
		while (r->p < r->end && is_digit(*r->p))
			r->p++;
	}
	char *end;
	*out = strtod(from, &end); /* stops at the byte after the number, which is none of one */
	return end == r->p && isfinite(*out);
}

static bool number(struct reader *r, struct json_plain *v)
{
	const char *from = r->p;
	bool below = take(r, '-');
	const char *first = r->p;
	uint64_t n = 0;
	while (r->p < r->end && is_digit(*r->p) && r->p - first < MOST_DIGITS)
		n = 10 * n + (uint64_t)(*r->p++ - '0');
	int digits = (int)(r->p - first);
	if (digits == 0 || r->p == r->end || (*first == '0' && digits > 1) || is_digit(*r->p))
		return false;
	if (*r->p == '.' || *r->p == 'e' || *r->p == 'E') {
		v->type = JSON_PLAIN_REAL;
		return real(r, from, n, digits, &v->real);
	}
	v->type = JSON_PLAIN_INTEGER;
	v->integer = below ? -(int64_t)n : (int64_t)n;
	return n <= INT64_MAX && (n > 0 || !below);
}

static bool word(struct reader *r, const char *is, struct json_plain *v, enum json_plain_type type)
{
	size_t n = strlen(is);
	if ((size_t)(r->end - r->p) < n || memcmp(r->p, is, n) != 0)
		return false;
	r->p += n;
	v->type = type;
	v->integer = *is == 't';
	return true;
}

static bool read_value(struct reader *r, struct json_plain *v)
{
	switch (*r->p) {
	case '{':
		v->type = JSON_PLAIN_OBJECT;
		r->p++;
		return inside(r, v, true);
	case '[':
		v->type = JSON_PLAIN_ARRAY;
		r->p++;
		return inside(r, v, false);
	case '"':
		v->type = JSON_PLAIN_STRING;
		r->p++;
		return string(r, &v->text, &v->n);
	case 't':
		return word(r, "true", v, JSON_PLAIN_BOOL);
	case 'f':
		return word(r, "false", v, JSON_PLAIN_BOOL);
	case 'n':
		return word(r, "null", v, JSON_PLAIN_NULL);
	default:
		return number(r, v);
	}
}

static struct json_plain *value(struct reader *r)
{
	if (r->p == r->end || r->depth == MOST_DEPTH)
		return NULL;
	struct json_plain *v = ARENA_NEW(r->a, struct json_plain);
	r->depth++;
	bool ok = read_value(r, v);
	r->depth--;
	return ok ? v : NULL;
}

struct json_plain *json_plain_read(char *text, size_t n, struct arena *a)
{
	struct reader r = {.p = text, .end = text + n, .a = a};
	struct json_plain *v = value(&r);
	return r.p == r.end ? v : NULL;
}
