/*
 * lib/record_read.c - reads a run file's lines into the model of lib/record.h.
 * Each line is a JSON text of its own, so every error names its line.
 */
#include "lib/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/hash.h"
#include "lib/json.h"
#include "lib/record_cut.h"
#include "lib/record_foreign.h"
#include "lib/record_trace.h"

/*
 * A hash table of positions in a run's lists, since a file may have hundreds of
 * thousands of lines. Open addressing. An entry is 1 + 2 × position, plus 1 if
 * the position is in the list of null controls; 0 means free.
 */
struct places {
	size_t *entry;
	size_t cap, n; /* cap: a power of two */
};

/* What the cases of a variant or a family share, from 2.0 on. */
struct shared {
	struct shared *next;
	const char *family, *variant; /* variant: NULL for a family */
	struct json v;
	struct json_doc *doc;
};

/* The file that is being read. The arrays of cases and launches grow by doubling. */
struct reader {
	struct str bytes;
	const char *path;
	struct arena *a;
	struct run *run;
	size_t cap_cases, cap_launches, cap_nulls, cap_null_launches, cap_counters, cap_traces;
	int line;
	size_t from; /* start of the current line */
	bool has_head;
	struct record_cuts cut;
	struct sb rest;       /* the line without the arrays that were cut */
	struct arena scratch; /* its values, if it is plain */
	struct places case_at, launch_at;
	size_t *numbered; /* entry of each case, in the order of their lines */
	size_t cap_numbered;
	struct shared *variants, *families;
	size_t nshared;
	bool has_original;
	struct err *e;
};

/* --- what was read so far --- */

/* Mixes in a value that differs in each process, so that no file can make keys collide. */
static uint64_t hash_of(const struct reader *r, const void *p, size_t n)
{
	const unsigned char *bytes = p;
	uint64_t h = 0xcbf29ce484222325u ^ (uint64_t)(uintptr_t)r->bytes.p;
	for (size_t i = 0; i < n; i++) {
		h = (h ^ bytes[i]) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	return h ^ h >> 32;
}

static struct run_case *case_of_entry(const struct reader *r, size_t entry)
{
	size_t i = (entry - 1) / 2;
	return entry % 2 ? &r->run->cases[i] : &r->run->nulls[i];
}

static struct run_launch *launch_of_entry(const struct reader *r, size_t entry)
{
	size_t i = (entry - 1) / 2;
	return entry % 2 ? &r->run->launches[i] : &r->run->null_launches[i];
}

/* The entry of the case `id`, or the free entry (*entry == 0) where it belongs. */
static size_t *find_case(const struct reader *r, const char *id)
{
	const struct places *t = &r->case_at;
	size_t at = hash_of(r, id, strlen(id)) & (t->cap - 1);
	while (t->entry[at] && strcmp(case_of_entry(r, t->entry[at])->id, id) != 0)
		at = (at + 1) & (t->cap - 1);
	return &t->entry[at];
}

/* The same for a launch, by its case and number. */
static size_t *find_launch(const struct reader *r, const struct run_launch *l)
{
	const struct places *t = &r->launch_at;
	const uint64_t key[] = {(uint64_t)(uintptr_t)l->of, (uint64_t)l->i};
	size_t at = hash_of(r, key, sizeof key) & (t->cap - 1);
	for (; t->entry[at]; at = (at + 1) & (t->cap - 1)) {
		const struct run_launch *x = launch_of_entry(r, t->entry[at]);
		if (x->of == l->of && x->i == l->i)
			break;
	}
	return &t->entry[at];
}

/* Makes room for one more entry; at most half of a table is in use. */
static void make_room(struct reader *r, struct places *t)
{
	struct places old = *t;
	if (2 * (t->n + 1) <= t->cap)
		return;
	t->cap = t->cap ? 2 * t->cap : 64;
	t->entry = ARENA_ARRAY(r->a, size_t, t->cap);
	for (size_t i = 0; i < old.cap; i++)
		if (old.entry[i])
			*(t == &r->case_at ? find_case(r, case_of_entry(r, old.entry[i])->id)
			                   : find_launch(r, launch_of_entry(r, old.entry[i]))) =
			        old.entry[i];
}

bool record_want_hex(struct json v, const char *key, const char *s, size_t n, struct err *e)
{
	return hash_is_hex(s, n) ||
	       err_at(e, v.at, "'%s' is '%s', expected %zu hex digits", key, s, n);
}

static bool read_head(struct reader *r, struct json v)
{
	if (r->has_head)
		return err_at(r->e, v.at, "a second 'run' record, expected one, first");
	r->has_head = true;
	return record_read_head(v, r->a, &r->run->head, r->e);
}

/* Adds the case. False if there is one with this id. */
static bool keep_case(struct reader *r, struct json v, struct run_case *c)
{
	struct run *run = r->run;
	bool null = strcmp(c->role, "null") == 0;
	make_room(r, &r->case_at);
	size_t *entry = find_case(r, c->id);
	if (*entry)
		return err_at(r->e, v.at, "case '%s' a second time", c->id);
	if ((null ? run->nnulls : run->ncases) == RECORD_MAX_CASES)
		return err_at(r->e, v.at, "more than %d cases", RECORD_MAX_CASES);
	c->number = r->case_at.n++;
	*entry = 1 + 2 * (null ? run->nnulls : run->ncases) + null;
	r->numbered = arena_grow(r->a, r->numbered, c->number, &r->cap_numbered, sizeof *entry);
	r->numbered[c->number] = *entry;
	if (null) {
		run->nulls = arena_grow(r->a, run->nulls, run->nnulls, &r->cap_nulls, sizeof *c);
		run->nulls[run->nnulls++] = *c;
	} else {
		run->cases = arena_grow(r->a, run->cases, run->ncases, &r->cap_cases, sizeof *c);
		run->cases[run->ncases++] = *c;
	}
	return true;
}

static struct shared *find_shared(struct shared *s, const char *family, const char *variant)
{
	while (s && (strcmp(s->family, family) != 0 || strcmp(s->variant, variant) != 0))
		s = s->next;
	return s;
}

/* Adds what the family shares to a variant's record, or what the variant shares to a case's. */
static bool fill(struct reader *r, struct json v, struct shared *list, const char *variant)
{
	const char *family;
	if (!json_want_str(v, "family", r->a, &family, r->e) ||
	    (!variant && !json_want_str(v, "variant", r->a, &variant, r->e)))
		return false;
	const struct shared *s = find_shared(list, family, variant);
	if (!s)
		return err_at(r->e, v.at, "no '%s' record before it: %s%s%s",
		              *variant ? "variant" : "family", family, *variant ? "/" : "",
		              variant);
	json_fill(v, s->v);
	return true;
}

/* Keeps a `family` or `variant` record with its document: *doc is then NULL. */
static bool keep_shared(struct reader *r, struct json v, struct json_doc **doc, bool variant)
{
	struct shared *s = ARENA_NEW(r->a, struct shared),
	              **list = variant ? &r->variants : &r->families;
	*s = (struct shared){.v = v, .doc = *doc, .next = *list, .variant = ""};
	if (!json_want_str(v, "family", r->a, &s->family, r->e) ||
	    (variant && !json_want_str(v, "variant", r->a, &s->variant, r->e)) ||
	    (variant && !fill(r, v, r->families, "")))
		return false;
	if (find_shared(*list, s->family, s->variant))
		return err_at(r->e, v.at, "%s%s%s a second time", s->family, variant ? "/" : "",
		              s->variant);
	if (r->nshared++ == 2 * RECORD_MAX_CASES)
		return err_at(r->e, v.at, "more than %d families and variants",
		              2 * RECORD_MAX_CASES);
	*list = s;
	*doc = NULL;
	return true;
}

static void free_shared(struct shared *s)
{
	for (; s; s = s->next)
		json_free(s->doc);
}

static bool read_case(struct reader *r, struct json v)
{
	struct run *run = r->run;
	struct run_case c = {0};
	if (run->nlaunches || run->nnull_launches || run->ncounters || run->ntraces)
		return err_at(r->e, v.at,
		              "a 'case' after the first 'launch', 'counters' or 'trace', "
		              "expected all before");
	return (run->head.major < 2 || fill(r, v, r->variants, NULL)) &&
	       record_read_case(v, &run->head, r->a, &c, r->e) && keep_case(r, v, &c);
}

/* The entry of the case that a record names: by its number, before 2.0 by its id. */
static bool read_of(struct reader *r, struct json v, const char *what, size_t *entry)
{
	const char *id;
	int64_t number;
	if (r->run->head.major < 2) {
		if (!json_want_str(v, "case", r->a, &id, r->e))
			return false;
		*entry = r->case_at.n ? *find_case(r, id) : 0;
		return *entry || err_at(r->e, v.at, "%s of unknown case '%s'", what, id);
	}
	if (!json_want_i64(v, "case", &number, r->e))
		return false;
	if (number < 0 || (uint64_t)number >= r->case_at.n)
		return err_at(r->e, v.at, "%s of case %lld, but there are %zu cases", what,
		              (long long)number, r->case_at.n);
	*entry = r->numbered[number];
	return true;
}

/* Adds the launch to its case. False if the case has this launch already. */
static bool keep_launch(struct reader *r, struct json v, const struct run_launch *l, bool null)
{
	struct run *run = r->run;
	make_room(r, &r->launch_at);
	size_t *entry = find_launch(r, l);
	if (*entry)
		return err_at(r->e, v.at, "launch %lld of '%s' a second time", (long long)l->i,
		              l->of->id);
	r->launch_at.n++;
	*entry = 1 + 2 * (null ? run->nnull_launches : run->nlaunches) + null;
	if (null) {
		run->null_launches = arena_grow(r->a, run->null_launches, run->nnull_launches,
		                                &r->cap_null_launches, sizeof *l);
		run->null_launches[run->nnull_launches++] = *l;
	} else {
		run->launches = arena_grow(r->a, run->launches, run->nlaunches, &r->cap_launches,
		                           sizeof *l);
		run->launches[run->nlaunches++] = *l;
	}
	return true;
}

static bool read_launch(struct reader *r, struct json v)
{
	struct run_launch l = {0};
	size_t of;
	if (!read_of(r, v, "launch", &of) ||
	    !record_read_launch(v, &r->cut, &r->run->head, r->a, &l, r->e))
		return false;
	l.of = case_of_entry(r, of);
	return keep_launch(r, v, &l, of % 2 == 0);
}

static bool read_counters(struct reader *r, struct json v)
{
	struct run *run = r->run;
	struct run_counters one, *c = &one;
	size_t of;
	if (!read_of(r, v, "counters", &of) || !record_read_counters(v, r->a, c, r->e))
		return false;
	c->of = case_of_entry(r, of);
	if (of % 2 == 0)
		return err_at(r->e, v.at, "counters of the null control '%s'", c->of->id);
	if (record_counters(run, c->of))
		return err_at(r->e, v.at, "counters of '%s' a second time", c->of->id);
	run->counters =
	        arena_grow(r->a, run->counters, run->ncounters, &r->cap_counters, sizeof *c);
	run->counters[run->ncounters++] = *c;
	return true;
}

static bool read_trace(struct reader *r, struct json v)
{
	struct run *run = r->run;
	struct run_trace t;
	size_t of;
	if (!read_of(r, v, "trace", &of) || !record_trace_read(v, r->a, &t, r->e))
		return false;
	t.of = case_of_entry(r, of);
	if (of % 2 == 0 || record_trace(run, t.of))
		return err_at(r->e, v.at, "trace of '%s' a second time, or of a null control",
		              t.of->id);
	run->traces = arena_grow(r->a, run->traces, run->ntraces, &r->cap_traces, sizeof t);
	run->traces[run->ntraces++] = t;
	return true;
}

/* The hash of the end line covers the line up to that hash; schemas before 1.2 have none. */
static bool end_line_holds(struct reader *r, struct json v)
{
	static const char key[] = ",\"line_sha256\":\"";
	const char *schema = r->run->head.schema;
	struct str line = str_sub(r->bytes, r->from, str_find(r->bytes, '\n', r->from));
	const char *at = memmem(line.p, line.n, key, sizeof key - 1);
	if (!at && !json_get(v, "line_sha256").value)
		return strcmp(schema, "ridgepoint-run/1.0") == 0 ||
		       strcmp(schema, "ridgepoint-run/1.1") == 0;
	char want[sizeof key + HASH_SHA256_HEX + 3], ours[HASH_SHA256_HEX + 1];
	size_t head = at ? (size_t)(at - line.p) : 0;
	hash_sha256(str_sub(line, 0, head), ours);
	snprintf(want, sizeof want, "%s%s\"}", key, ours);
	return at && str_is(str_sub(line, head, line.n), want);
}

/* The file of the other harness; there is one. */
static bool read_original(struct reader *r, struct json v)
{
	if (r->has_original)
		return err_at(r->e, v.at, "a second 'original', expected one");
	r->has_original = true;
	return record_foreign_original(v, &r->run->head, r->e);
}

/* Checks the end record: sets `whole`, or why_not_whole. */
static bool read_end(struct reader *r, struct json v, struct str before)
{
	struct run *run = r->run;
	int64_t records;
	const char *sha;
	char ours[HASH_SHA256_HEX + 1];
	if (!json_want_str(v, "end", r->a, &run->end, r->e) ||
	    !json_want_str(v, "status", r->a, &run->status, r->e) ||
	    (json_get(v, "null_ratio").value &&
	     !json_want_f64(v, "null_ratio", &run->null_ratio, r->e)) ||
	    !json_want_i64(v, "records", &records, r->e) ||
	    !json_want_str(v, "sha256", r->a, &sha, r->e))
		return false;
	hash_sha256(before, ours);
	if (strcmp(sha, ours) != 0)
		run->why_not_whole = "its bytes do not hash to the sum in its end record";
	else if (records != r->line)
		run->why_not_whole = "its end record counts another number of lines";
	else if (run->head.foreign && !r->has_original)
		run->why_not_whole = "it lacks the file of the other harness";
	else if (!end_line_holds(r, v))
		run->why_not_whole = "its end record is not as it was written";
	else
		run->whole = true;
	return true;
}

/* The reader of each record type; other types belong to later minor versions. */
static bool read_record(struct reader *r, struct json v, struct json_doc **doc, const char *type,
                        struct str before)
{
	bool variant = strcmp(type, "variant") == 0;
	if (r->run->end)
		return err_at(r->e, v.at, "a record after 'end'");
	if (strcmp(type, "run") == 0)
		return read_head(r, v);
	if (!r->has_head)
		return err_at(r->e, v.at, "first record is '%s', expected 'run'", type);
	if (r->run->head.major >= 2 && (variant || strcmp(type, "family") == 0))
		return keep_shared(r, v, doc, variant);
	if (strcmp(type, "case") == 0)
		return read_case(r, v);
	if (strcmp(type, "launch") == 0)
		return read_launch(r, v);
	if (strcmp(type, "counters") == 0)
		return read_counters(r, v);
	if (strcmp(type, "trace") == 0)
		return read_trace(r, v);
	if (strcmp(type, "original") == 0)
		return read_original(r, v);
	if (strcmp(type, "end") == 0)
		return read_end(r, v, before);
	return true;
}

static bool read_line(struct reader *r, struct str line, struct str before)
{
	struct json_doc *doc = NULL;
	struct json v;
	const char *type;
	struct loc at = {r->path, r->line, 0};
	struct err ignored = ERR_NONE;
	bool cut = record_cut(line, record_cut_keys(r->run->head.major), r->a, &r->cut, &r->rest) &&
	           (str_starts(line, "{\"type\":\"launch\",")
	                    ? json_parse_plain(r->rest.p, r->rest.n, at, &r->scratch, &v)
	                    : json_parse(sb_view(&r->rest), at, &doc, &v, &ignored));
	if (!cut)
		r->cut = (struct record_cuts){0};
	bool ok = cut || json_parse(line, at, &doc, &v, r->e);
	if (ok && !json_is_object(v))
		ok = err_at(r->e, at, "not an object, expected a record");
	ok = ok && json_want_str(v, "type", r->a, &type, r->e) &&
	     read_record(r, v, &doc, type, before);
	json_free(doc);
	arena_reset(&r->scratch);
	return ok;
}

static bool read_lines(struct reader *r)
{
	size_t at = 0;
	while (at < r->bytes.n) {
		size_t end = str_find(r->bytes, '\n', at);
		r->line++;
		r->from = at;
		if (end == r->bytes.n) {
			r->run->whole = false;
			r->run->why_not_whole = "its last line is cut short";
			break;
		}
		if (!read_line(r, str_sub(r->bytes, at, end), str_sub(r->bytes, 0, at)))
			return false;
		at = end + 1;
	}
	return true;
}

bool record_read(struct str bytes, const char *path, struct arena *a, struct run *out,
                 struct err *e)
{
	*out = (struct run){0};
	struct reader r = {.bytes = bytes, .path = path, .a = a, .run = out, .e = e};
	hash_sha256(bytes, out->sha256);
	bool ok = read_lines(&r);
	sb_free(&r.rest);
	arena_free(&r.scratch);
	free_shared(r.variants);
	free_shared(r.families);
	if (!ok)
		return false;
	if (!r.has_head)
		return err_at(e, (struct loc){path, 1, 0}, "empty, expected a 'run' record");
	if (!out->whole && !out->why_not_whole)
		out->why_not_whole = "it has no end record";
	return true;
}
