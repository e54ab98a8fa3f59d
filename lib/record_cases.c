/*
 * lib/record_cases.c - writes what was measured: a `family` record for each family, a
 * `variant` record for each variant, a `case` record for each case. A member that all cases
 * of a family share may stand in the family's record, one that all cases of a variant share
 * in the variant's. A case has all other members itself. To add a member: add a row to the
 * table, and read it in record_read_case.c.
 */
#include <string.h>

#include "lib/array.h"
#include "lib/json.h"
#include "lib/record.h"

/* Where a member stands if all cases there share it. */
enum place { OF_CASE, OF_VARIANT, OF_FAMILY, PLACES };

enum kind { WORD, COUNT, REAL, FLAG, PARAMS, KNOB, MIX, SOURCES, CHOICE };

static const struct member {
	enum place place; /* the highest; a member that differs there stands further down */
	const char *in;   /* the object that it is in; NULL: the record */
	const char *key;
	enum kind kind;
	size_t at; /* in struct run_case */
} members[] = {
#define AT(field) offsetof(struct run_case, field)
        {OF_CASE, NULL, "id", WORD, AT(id)},
        {OF_CASE, NULL, "family", WORD, AT(family)},
        {OF_CASE, NULL, "variant", WORD, AT(variant)},
        {OF_FAMILY, NULL, "family_title", WORD, AT(family_title)},
        {OF_VARIANT, NULL, "variant_title", WORD, AT(variant_title)},
        {OF_FAMILY, NULL, "problem", WORD, AT(problem)},
        {OF_VARIANT, NULL, "idea", WORD, AT(idea)},
        {OF_FAMILY, NULL, "metric", WORD, AT(metric)},
        {OF_VARIANT, NULL, "rank", COUNT, AT(rank)},
        {OF_VARIANT, NULL, "role", WORD, AT(role)},
        {OF_VARIANT, NULL, "device", WORD, AT(device)},
        {OF_CASE, NULL, "params", PARAMS, 0},
        {OF_VARIANT, NULL, "knob", KNOB, AT(knob)},
        {OF_CASE, NULL, "dtype", WORD, AT(dtype)},
        {OF_CASE, NULL, "cache", WORD, AT(cache)},
        {OF_CASE, NULL, "unavailable", WORD, AT(unavailable)},
        {OF_CASE, NULL, "heavy", FLAG, AT(heavy)},
        {OF_VARIANT, NULL, "source", SOURCES, 0},
        {OF_VARIANT, "build", "flags", WORD, AT(build.flags)},
        {OF_VARIANT, "build", "registers", COUNT, AT(build.registers)},
        {OF_VARIANT, "build", "shared_bytes", COUNT, AT(build.shared_bytes)},
        {OF_VARIANT, "build", "spill_bytes", COUNT, AT(build.spill_bytes)},
        {OF_VARIANT, "build", "code_sha256", WORD, AT(build.code_sha256)},
        {OF_VARIANT, "build", "instructions", MIX, 0},
        {OF_VARIANT, "build", "library", WORD, AT(build.library)},
        {OF_CASE, "build", "choice", CHOICE, 0},
        {OF_CASE, "model", "flop", COUNT, AT(model.flop)},
        {OF_CASE, "model", "bytes_read", COUNT, AT(model.bytes_read)},
        {OF_CASE, "model", "bytes_written", COUNT, AT(model.bytes_written)},
        {OF_FAMILY, "model", "formula", WORD, AT(model.formula)},
        {OF_FAMILY, "model", "unit", WORD, AT(model.unit)},
        {OF_FAMILY, "model", "level", WORD, AT(model.level)},
        {OF_FAMILY, "model", "op", WORD, AT(model.op)},
        {OF_FAMILY, "input", "distribution", WORD, AT(input)},
        {OF_FAMILY, "input", "sets", COUNT, AT(input_sets)},
        {OF_FAMILY, "check", "reference", WORD, AT(check_reference)},
        {OF_FAMILY, "check", "tolerance", REAL, AT(tolerance)},
        {OF_FAMILY, "check", "why", WORD, AT(check_why)},
        {OF_FAMILY, "check", "exact", WORD, AT(check_exact)},
#undef AT
};

enum { MEMBERS = ARRAY_LEN(members) };

static void put_sources(struct json_out *w, const char *key, const struct run_case *c)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < c->nsource; i++) {
		json_open(w, NULL, '[');
		json_put_str(w, NULL, c->source[i].path);
		json_put_str(w, NULL, c->source[i].blob);
		json_close(w, ']');
	}
	json_close(w, ']');
}

static void put_knob(struct json_out *w, const char *key, const struct run_knob *k)
{
	if (!k->name)
		return;
	json_open(w, key, '{');
	json_put_str(w, "name", k->name);
	json_put_str(w, "unit", k->unit);
	json_put_i64(w, "chosen", k->chosen);
	json_close(w, '}');
}

/* Writes nothing if the case has no such member. */
static void put_member(struct json_out *w, const struct member *m, const struct run_case *c)
{
	const void *at = (const char *)c + m->at;
	const char *word;
	int64_t count;
	double real;
	bool flag;
	switch (m->kind) {
	case WORD:
		memcpy(&word, at, sizeof word);
		if (word)
			json_put_str(w, m->key, word);
		break;
	case COUNT:
		memcpy(&count, at, sizeof count);
		if (count != RECORD_NONE)
			json_put_i64(w, m->key, count);
		break;
	case REAL:
		memcpy(&real, at, sizeof real);
		json_put_f64(w, m->key, real);
		break;
	case FLAG:
		memcpy(&flag, at, sizeof flag);
		if (flag)
			json_put_bool(w, m->key, flag);
		break;
	case PARAMS:
		record_put_pairs(w, m->key, c->param, c->nparams);
		break;
	case KNOB:
		put_knob(w, m->key, &c->knob);
		break;
	case MIX:
		if (c->build.nmix)
			record_put_pairs(w, m->key, c->build.mix, c->build.nmix);
		break;
	case SOURCES:
		put_sources(w, m->key, c);
		break;
	case CHOICE:
		record_put_choice(w, &c->build.choice);
		break;
	}
}

/* A case on its way into the file. */
struct entry {
	const struct run_case *c;
	size_t first[PLACES]; /* the first entry of this case, of its variant, of its family */
	struct str text[MEMBERS];
	bool differ[PLACES][MEMBERS]; /* of a first entry: its cases differ in this member */
};

static size_t first_like(const struct entry *x, size_t i, enum place p)
{
	size_t k = p == OF_CASE ? i : 0;
	while (k < i && (strcmp(x[k].c->family, x[i].c->family) != 0 ||
	                 (p == OF_VARIANT && strcmp(x[k].c->variant, x[i].c->variant) != 0)))
		k++;
	return k;
}

static void prepare(struct entry *x, size_t i, struct arena *a)
{
	struct sb b = {0};
	for (size_t m = 0; m < MEMBERS; m++) {
		struct json_out w = json_to(&b);
		sb_clear(&b);
		put_member(&w, &members[m], x[i].c);
		x[i].text[m] = str_of(b.n ? arena_strndup(a, b.p, b.n) : "");
	}
	for (enum place p = OF_CASE; p < PLACES; p++) {
		struct entry *first = &x[x[i].first[p] = first_like(x, i, p)];
		for (size_t m = 0; m < MEMBERS; m++)
			first->differ[p][m] |= !str_eq(first->text[m], x[i].text[m]);
	}
	sb_free(&b);
}

/* Where this member of case i stands. */
static enum place place_of(const struct entry *x, size_t i, size_t m)
{
	enum place p = members[m].place;
	while (p > OF_CASE && x[x[i].first[p]].differ[p][m])
		p--;
	return p;
}

static bool same_object(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* One record: the members of case i that stand there, and what it is the record of. */
static void put_record(struct sb *to, const struct entry *x, size_t i, enum place p)
{
	static const char *const types[PLACES] = {"case", "variant", "family"};
	struct json_out w = json_to(to);
	const char *in = NULL;
	json_open(&w, NULL, '{');
	json_put_str(&w, "type", types[p]);
	if (p != OF_CASE)
		json_put_str(&w, "family", x[i].c->family);
	if (p == OF_VARIANT)
		json_put_str(&w, "variant", x[i].c->variant);
	for (size_t m = 0; m < MEMBERS; m++) {
		if (place_of(x, i, m) != p || x[i].text[m].n == 0)
			continue;
		if (!same_object(in, members[m].in)) {
			if (in)
				json_close(&w, '}');
			if (members[m].in)
				json_open(&w, members[m].in, '{');
			in = members[m].in;
		}
		put_member(&w, &members[m], x[i].c);
	}
	if (in)
		json_close(&w, '}');
	json_close(&w, '}');
	sb_char(to, '\n');
}

void record_put_cases(struct sb *to, struct run_case *c, size_t n)
{
	struct arena a = {0};
	struct entry *x = ARENA_ARRAY(&a, struct entry, n);
	for (size_t i = 0; i < n; i++) {
		c[i].number = i;
		x[i].c = &c[i];
		prepare(x, i, &a);
	}
	for (enum place p = PLACES; p-- > OF_CASE;)
		for (size_t i = 0; i < n; i++)
			if (x[i].first[p] == i)
				put_record(to, x, i, p);
	arena_free(&a);
}
