#include "site-gen/base/pack.h"

#include <stdlib.h>
#include <string.h>

enum {
	MOST_DEPTH = 32, /* of structs in structs, and of chains */
	REAL_BYTES = sizeof(double),
	COUNT_BYTES = sizeof(uint32_t),
};

static const struct pack_member int_members[] = {
        {.name = "", .kind = PACK_INT, .size = sizeof(int64_t)}};
static const struct pack_member real_members[] = {
        {.name = "", .kind = PACK_REAL, .size = sizeof(double)}};
static const struct pack_member bool_members[] = {
        {.name = "", .kind = PACK_BOOL, .size = sizeof(bool)}};
static const struct pack_member text_members[] = {
        {.name = "", .kind = PACK_TEXT, .size = sizeof(char *)}};
static const struct pack_member maybe_members[] = {
        {.name = "", .kind = PACK_MAYBE, .size = sizeof(char *)}};
const struct pack_type pack_int = PACK_TYPE("int64_t", int64_t, int_members);
const struct pack_type pack_real = PACK_TYPE("double", double, real_members);
const struct pack_type pack_bool = PACK_TYPE("bool", bool, bool_members);
const struct pack_type pack_text = PACK_TYPE("text", char *, text_members);
const struct pack_type pack_maybe = PACK_TYPE("text or NULL", char *, maybe_members);

/* --- writing --- */

/* A text in the output: its hash, and 1 + its offset. */
struct known {
	uint64_t hash;
	size_t at;
};

struct packer {
	struct sb body, texts;
	struct known *known; /* hash table, open addressing */
	size_t cap, n;
	const char *target; /* the list that PACK_AMONG points into */
	size_t step;
};

static void put_number(struct sb *to, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		sb_char(to, (char)(v | 0x80));
	sb_char(to, (char)v);
}

/* Small negative numbers become small positive ones. */
static void put_signed(struct sb *to, int64_t v)
{
	put_number(to, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

static uint64_t hash_of(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h ^ h >> 32;
}

/* Where the text is, or the free place where it belongs. */
static struct known *place_of(struct packer *p, uint64_t hash, const char *s)
{
	size_t i = hash & (p->cap - 1);
	while (p->known[i].at &&
	       (p->known[i].hash != hash || strcmp(p->texts.p + p->known[i].at - 1, s) != 0))
		i = (i + 1) & (p->cap - 1);
	return &p->known[i];
}

static void make_room(struct packer *p)
{
	struct packer old = *p;
	if (2 * (p->n + 1) <= p->cap)
		return;
	p->cap = p->cap ? 2 * p->cap : 256;
	p->known = calloc(p->cap, sizeof *p->known);
	if (!p->known)
		arena_die("out of memory");
	for (size_t i = 0; i < old.cap; i++) {
		size_t k = old.known[i].hash & (p->cap - 1);
		while (old.known[i].at && p->known[k].at)
			k = (k + 1) & (p->cap - 1);
		if (old.known[i].at)
			p->known[k] = old.known[i];
	}
	free(old.known);
}

/* 0 for NULL, else 1 + the place of the text. */
static void put_text(struct packer *p, const char *s)
{
	if (!s) {
		put_number(&p->body, 0);
		return;
	}
	make_room(p);
	uint64_t hash = hash_of(s);
	struct known *k = place_of(p, hash, s);
	if (!k->at) {
		*k = (struct known){hash, p->texts.n + 1};
		p->n++;
		sb_put(&p->texts, s, strlen(s) + 1);
	}
	put_number(&p->body, k->at);
}

/* An integer member, whatever its size. */
static int64_t int_of(const void *from, size_t size)
{
	int64_t wide = 0;
	int32_t narrow;
	if (size == sizeof wide) {
		memcpy(&wide, from, sizeof wide);
		return wide;
	}
	memcpy(&narrow, from, sizeof narrow);
	return narrow;
}

static size_t count_of(const struct pack_member *m, const char *from)
{
	size_t n = m->size / m->type->size;
	if (m->count)
		memcpy(&n, from + m->count - 1, sizeof n);
	return n;
}

static void put_struct(struct packer *p, const struct pack_type *t, const char *from);

static void put_structs(struct packer *p, const struct pack_type *t, const char *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_struct(p, t, from + i * t->size);
}

/* Each with its size before it. */
static void put_sized(struct packer *p, const struct pack_type *t, const char *from, size_t n)
{
	struct sb before = p->body, one = {0};
	for (size_t i = 0; i < n; i++) {
		p->body = one;
		sb_clear(&p->body);
		put_struct(p, t, from + i * t->size);
		one = p->body;
		put_number(&before, one.n);
		sb_str(&before, sb_view(&one));
	}
	sb_free(&one);
	p->body = before;
}

static void put_pointer(struct packer *p, const struct pack_member *m, const char *from)
{
	const char *to;
	memcpy(&to, from + m->at, sizeof to);
	switch (m->kind) {
	case PACK_TEXT:
	case PACK_MAYBE:
		put_text(p, to);
		break;
	case PACK_ONE:
		sb_char(&p->body, to ? 1 : 0);
		if (to)
			put_struct(p, m->type, to);
		break;
	case PACK_AMONG:
		put_number(&p->body, (uint64_t)(to - p->target) / p->step);
		break;
	default:
		if (m->kind == PACK_TARGET) {
			p->target = to;
			p->step = m->type->size;
		}
		if (m->kind == PACK_SIZED)
			put_sized(p, m->type, to, count_of(m, from));
		else
			put_structs(p, m->type, to, count_of(m, from));
	}
}

static void put_member(struct packer *p, const struct pack_member *m, const char *from)
{
	switch (m->kind) {
	case PACK_INT:
		put_signed(&p->body, int_of(from + m->at, m->size));
		break;
	case PACK_BOOL:
		sb_char(&p->body, *(const bool *)(from + m->at) ? 1 : 0);
		break;
	case PACK_REAL:
		sb_put(&p->body, from + m->at, REAL_BYTES);
		break;
	case PACK_CHARS:
		put_text(p, from + m->at);
		break;
	case PACK_INSIDE:
		put_structs(p, m->type, from + m->at, count_of(m, from));
		break;
	case PACK_LATER:
		break;
	default:
		put_pointer(p, m, from);
	}
}

static void put_struct(struct packer *p, const struct pack_type *t, const char *from)
{
	for (size_t i = 0; i < t->n; i++)
		put_member(p, &t->member[i], from);
}

void pack_put(const struct pack_type *t, const void *from, struct sb *to)
{
	struct packer p = {0};
	put_struct(&p, t, from);
	uint32_t n = (uint32_t)p.texts.n;
	sb_put(to, &n, sizeof n);
	sb_str(to, sb_view(&p.texts));
	sb_str(to, sb_view(&p.body));
	sb_free(&p.texts);
	sb_free(&p.body);
	free(p.known);
}

/* --- reading --- */

struct taker {
	const char *p, *end;
	struct str texts; /* in the arena; its last byte is NUL */
	struct arena *a;
	char *target;
	size_t ntarget, step;
	int depth;
	pack_wanted *wanted; /* NULL: all are */
	void *ctx;
};

static bool take_number(struct taker *t, uint64_t *out)
{
	*out = 0;
	for (unsigned shift = 0; shift < 64 && t->p < t->end; shift += 7) {
		unsigned char c = (unsigned char)*t->p++;
		*out |= (uint64_t)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return true;
	}
	return false;
}

static bool take_int(struct taker *t, const struct pack_member *m, char *out)
{
	uint64_t raw;
	if (!take_number(t, &raw))
		return false;
	int64_t v = (int64_t)(raw >> 1 ^ -(raw & 1));
	int32_t narrow = (int32_t)v;
	if ((m->limit && (v < 0 || v >= m->limit)) || (m->size != sizeof v && narrow != v))
		return false;
	if (m->size == sizeof v)
		memcpy(out, &v, sizeof v);
	else
		memcpy(out, &narrow, sizeof narrow);
	return true;
}

static bool take_text(struct taker *t, bool maybe, const char **out)
{
	uint64_t at;
	if (!take_number(t, &at) || at > t->texts.n || (at == 0 && !maybe))
		return false;
	*out = at ? t->texts.p + at - 1 : NULL;
	return true;
}

static bool take_flag(struct taker *t, bool *out)
{
	if (t->p == t->end || (*t->p != 0 && *t->p != 1))
		return false;
	*out = *t->p++ == 1;
	return true;
}

static bool take_struct(struct taker *t, const struct pack_type *type, char *out);

static bool take_structs(struct taker *t, const struct pack_type *type, char *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!take_struct(t, type, out + i * type->size))
			return false;
	return true;
}

static bool take_sized(struct taker *t, const struct pack_type *type, char *out, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t size;
		if (!take_number(t, &size) || size > (uint64_t)(t->end - t->p))
			return false;
		const char *after = t->p + size;
		if (t->wanted && !t->wanted(t->ctx, i))
			t->p = after;
		else if (!take_struct(t, type, out + i * type->size) || t->p != after)
			return false;
	}
	return true;
}

/* A struct takes a byte or more, so no count can exceed what is left. */
static bool take_list(struct taker *t, const struct pack_member *m, char *out)
{
	size_t n = count_of(m, out);
	if (n > (size_t)(t->end - t->p))
		return false;
	char *list = arena_array(t->a, n, m->type->size);
	if (m->kind == PACK_TARGET) {
		t->target = list;
		t->ntarget = n;
		t->step = m->type->size;
	}
	memcpy(out + m->at, &list, sizeof list);
	return m->kind == PACK_SIZED ? take_sized(t, m->type, list, n)
	                             : take_structs(t, m->type, list, n);
}

static bool take_one(struct taker *t, const struct pack_member *m, char *out)
{
	bool is = false;
	if (!take_flag(t, &is))
		return false;
	if (!is)
		return true;
	char *one = arena_alloc(t->a, m->type->size);
	memcpy(out + m->at, &one, sizeof one);
	return take_struct(t, m->type, one);
}

static bool take_pointer(struct taker *t, const struct pack_member *m, char *out)
{
	uint64_t i;
	const char *to;
	switch (m->kind) {
	case PACK_TEXT:
	case PACK_MAYBE:
		if (!take_text(t, m->kind == PACK_MAYBE, &to))
			return false;
		break;
	case PACK_AMONG:
		if (!take_number(t, &i) || i >= t->ntarget)
			return false;
		to = t->target + i * t->step;
		break;
	case PACK_ONE:
		return take_one(t, m, out);
	default:
		return take_list(t, m, out);
	}
	memcpy(out + m->at, &to, sizeof to);
	return true;
}

/* As many structs in place as there is room for. */
static bool take_inside(struct taker *t, const struct pack_member *m, char *out)
{
	size_t n = count_of(m, out);
	return n <= m->size / m->type->size && take_structs(t, m->type, out + m->at, n);
}

static bool take_member(struct taker *t, const struct pack_member *m, char *out)
{
	const char *text;
	switch (m->kind) {
	case PACK_INT:
		return take_int(t, m, out + m->at);
	case PACK_BOOL:
		return take_flag(t, (bool *)(out + m->at));
	case PACK_REAL:
		if (t->end - t->p < REAL_BYTES)
			return false;
		memcpy(out + m->at, t->p, REAL_BYTES);
		t->p += REAL_BYTES;
		return true;
	case PACK_CHARS:
		if (!take_text(t, false, &text) || strlen(text) >= m->size)
			return false;
		memcpy(out + m->at, text, strlen(text) + 1);
		return true;
	case PACK_INSIDE:
		return take_inside(t, m, out);
	case PACK_LATER:
		return true;
	default:
		return take_pointer(t, m, out);
	}
}

static bool take_struct(struct taker *t, const struct pack_type *type, char *out)
{
	bool ok = ++t->depth <= MOST_DEPTH;
	for (size_t i = 0; i < type->n && ok; i++)
		ok = take_member(t, &type->member[i], out);
	t->depth--;
	return ok;
}

bool pack_take(const struct pack_type *type, struct str bytes, struct arena *a, void *out)
{
	return pack_take_some(type, bytes, a, out, NULL, NULL);
}

bool pack_take_some(const struct pack_type *type, struct str bytes, struct arena *a, void *out,
                    pack_wanted *wanted, void *ctx)
{
	uint32_t n;
	if (bytes.n < COUNT_BYTES)
		return false;
	memcpy(&n, bytes.p, sizeof n);
	if (n > bytes.n - COUNT_BYTES || (n && bytes.p[COUNT_BYTES + n - 1]))
		return false;
	char *texts = arena_alloc(a, n + 1);
	memcpy(texts, bytes.p + COUNT_BYTES, n);
	struct taker t = {.p = bytes.p + COUNT_BYTES + n,
	                  .end = bytes.p + bytes.n,
	                  .texts = {texts, n},
	                  .a = a,
	                  .wanted = wanted,
	                  .ctx = ctx};
	return take_struct(&t, type, out) && t.p == t.end;
}
