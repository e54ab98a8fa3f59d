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
#include "lib/record_words.h"

/*
 * A hash table of positions in a run's lists, since a file may have hundreds of
 * thousands of lines. Open addressing. An entry is 1 + 2 × position, plus 1 if
 * the position is in the list of null controls; 0 means free.
 */
struct places {
	size_t *entry;
	size_t cap, n; /* cap: a power of two */
};

/* The file that is being read. The arrays of cases and launches grow by doubling. */
struct reader {
	struct str bytes;
	const char *path;
	struct arena *a;
	struct run *run;
	size_t cap_cases, cap_launches, cap_nulls, cap_null_launches, cap_counters;
	int line;
	size_t from; /* start of the current line */
	bool has_head;
	struct record_cuts cut;
	struct sb rest; /* the line without the arrays that were cut */
	struct places case_at, launch_at;
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

static bool read_range(struct json obj, const char *key, int64_t *out, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++)
		out[i] = RECORD_NONE;
	struct json arr = json_get(obj, key);
	if (!arr.value)
		return true;
	for (size_t i = 0; i < n; i++)
		if (!json_is_array(arr) || json_len(arr) != n ||
		    !json_as_i64(json_item(arr, i), &out[i]))
			return err_at(e, obj.at, "'%s' is not an array of %zu integers", key, n);
	return true;
}

static bool read_head(struct reader *r, struct json v)
{
	if (r->has_head)
		return err_at(r->e, v.at, "a second 'run' record, expected one, first");
	r->has_head = true;
	return record_read_head(v, r->a, &r->run->head, r->e);
}

static bool read_params(struct reader *r, struct json v, struct run_case *c)
{
	struct run_pair *p;
	if (!record_read_pairs(v, "params", r->a, &p, &c->nparams, r->e))
		return false;
	if (c->nparams > RECORD_MAX_PARAMS)
		return err_at(r->e, v.at, "more than %d params", RECORD_MAX_PARAMS);
	memcpy(c->param, p, c->nparams * sizeof *p);
	return true;
}

static bool read_sources(struct reader *r, struct json v, struct run_case *c)
{
	struct json arr;
	struct str path, blob;
	if (!json_want_arr(v, "source", &arr, r->e))
		return false;
	c->nsource = json_len(arr);
	c->source = ARENA_ARRAY(r->a, struct run_source, c->nsource);
	for (size_t i = 0; i < c->nsource; i++) {
		struct json pair = json_item(arr, i);
		if (json_len(pair) != 2 || !json_as_str(json_item(pair, 0), &path) ||
		    !json_as_str(json_item(pair, 1), &blob))
			return err_at(r->e, v.at, "'source[%zu]' is not [path, blob id]", i);
		c->source[i].path = str_dup(r->a, path);
		c->source[i].blob = str_dup(r->a, blob);
		if (!record_want_hex(v, "source", c->source[i].blob, HASH_GIT_HEX, r->e))
			return false;
	}
	return true;
}

static bool read_build(struct reader *r, struct json v, struct run_build *b)
{
	struct json o;
	b->registers = b->shared_bytes = b->spill_bytes = RECORD_NONE;
	return json_want_obj(v, "build", &o, r->e) &&
	       json_want_str(o, "flags", r->a, &b->flags, r->e) &&
	       json_opt_i64(o, "registers", &b->registers, r->e) &&
	       json_opt_i64(o, "shared_bytes", &b->shared_bytes, r->e) &&
	       json_opt_i64(o, "spill_bytes", &b->spill_bytes, r->e) &&
	       json_opt_str(o, "code_sha256", r->a, &b->code_sha256, r->e) &&
	       json_opt_str(o, "library", r->a, &b->library, r->e) &&
	       (!b->code_sha256 ||
	        record_want_hex(o, "code_sha256", b->code_sha256, HASH_SHA256_HEX, r->e)) &&
	       (!json_get(o, "instructions").value ||
	        record_read_pairs(o, "instructions", r->a, &b->mix, &b->nmix, r->e));
}

static bool read_model(struct reader *r, struct json v, struct run_model *m)
{
	struct json o;
	if (!json_want_obj(v, "model", &o, r->e) || !json_want_i64(o, "flop", &m->flop, r->e) ||
	    !json_want_i64(o, "bytes_read", &m->bytes_read, r->e) ||
	    !json_want_i64(o, "bytes_written", &m->bytes_written, r->e) ||
	    !json_want_str(o, "formula", r->a, &m->formula, r->e) ||
	    !json_opt_str(o, "unit", r->a, &m->unit, r->e) ||
	    !json_want_str(o, "level", r->a, &m->level, r->e) ||
	    !json_opt_str(o, "op", r->a, &m->op, r->e))
		return false;
	if (m->flop < 0 || m->bytes_read < 0 || m->bytes_written < 0)
		return err_at(r->e, v.at, "'model' has a negative count");
	if (m->bytes_read > INT64_MAX - m->bytes_written)
		return err_at(r->e, v.at, "'model' has more bytes than can be counted");
	return true;
}

static bool read_names(struct reader *r, struct json v, struct run_case *c)
{
	return json_want_str(v, "id", r->a, &c->id, r->e) &&
	       json_want_str(v, "family", r->a, &c->family, r->e) &&
	       json_want_str(v, "variant", r->a, &c->variant, r->e) &&
	       json_want_str(v, "family_title", r->a, &c->family_title, r->e) &&
	       json_want_str(v, "variant_title", r->a, &c->variant_title, r->e) &&
	       json_want_str(v, "problem", r->a, &c->problem, r->e) &&
	       json_want_str(v, "idea", r->a, &c->idea, r->e) &&
	       json_want_str(v, "metric", r->a, &c->metric, r->e) &&
	       json_want_i64(v, "rank", &c->rank, r->e) &&
	       json_want_str(v, "role", r->a, &c->role, r->e) &&
	       json_want_str(v, "device", r->a, &c->device, r->e) &&
	       json_want_str(v, "dtype", r->a, &c->dtype, r->e) &&
	       json_want_str(v, "cache", r->a, &c->cache, r->e) &&
	       json_opt_str(v, "unavailable", r->a, &c->unavailable, r->e);
}

static bool read_input_check(struct reader *r, struct json v, struct run_case *c)
{
	struct json in, check;
	return json_want_obj(v, "input", &in, r->e) &&
	       json_want_str(in, "distribution", r->a, &c->input, r->e) &&
	       json_want_i64(in, "sets", &c->input_sets, r->e) &&
	       json_want_obj(v, "check", &check, r->e) &&
	       json_want_str(check, "reference", r->a, &c->check_reference, r->e) &&
	       json_want_f64(check, "tolerance", &c->tolerance, r->e) &&
	       json_want_str(check, "why", r->a, &c->check_why, r->e);
}

static bool check_words(struct reader *r, struct json v, const struct run_case *c)
{
	bool newer = r->run->head.newer;
	return record_words_want(v, "metric", RECORD_METRICS, c->metric, newer, r->e) &&
	       record_words_want(v, "role", RECORD_ROLES, c->role, newer, r->e) &&
	       record_words_want(v, "device", RECORD_DEVICES, c->device, newer, r->e) &&
	       record_words_want(v, "cache", RECORD_CACHES, c->cache, newer, r->e) &&
	       record_words_want(v, "level", RECORD_LEVELS, c->model.level, newer, r->e) &&
	       record_words_want(v, "unit", RECORD_UNITS, c->model.unit, newer, r->e);
}

/* Adds the case. False if there is one with this id. */
static bool keep_case(struct reader *r, struct json v, const struct run_case *c)
{
	struct run *run = r->run;
	bool null = strcmp(c->role, "null") == 0;
	make_room(r, &r->case_at);
	size_t *entry = find_case(r, c->id);
	if (*entry)
		return err_at(r->e, v.at, "case '%s' a second time", c->id);
	if ((null ? run->nnulls : run->ncases) == RECORD_MAX_CASES)
		return err_at(r->e, v.at, "more than %d cases", RECORD_MAX_CASES);
	r->case_at.n++;
	*entry = 1 + 2 * (null ? run->nnulls : run->ncases) + null;
	if (null) {
		run->nulls = arena_grow(r->a, run->nulls, run->nnulls, &r->cap_nulls, sizeof *c);
		run->nulls[run->nnulls++] = *c;
	} else {
		run->cases = arena_grow(r->a, run->cases, run->ncases, &r->cap_cases, sizeof *c);
		run->cases[run->ncases++] = *c;
	}
	return true;
}

static bool read_case(struct reader *r, struct json v)
{
	struct run *run = r->run;
	struct run_case one = {0}, *c = &one;
	if (run->nlaunches || run->nnull_launches || run->ncounters)
		return err_at(
		        r->e, v.at,
		        "a 'case' after the first 'launch' or 'counters', expected all before");
	if (!read_names(r, v, c) || !read_params(r, v, c) || !read_sources(r, v, c) ||
	    !read_build(r, v, &c->build) || !read_model(r, v, &c->model) ||
	    !read_input_check(r, v, c) || !check_words(r, v, c))
		return false;
	if (strcmp(record_case_id(c, r->a), c->id) != 0)
		return err_at(r->e, v.at, "case id '%s', expected '%s' from its fields", c->id,
		              record_case_id(c, r->a));
	return keep_case(r, v, c);
}

static bool read_check(struct reader *r, struct json v, const char *key, struct run_check *k)
{
	struct json o;
	k->norm = k->ulp = -1;
	return json_want_obj(v, key, &o, r->e) && json_want_f64(o, "error", &k->error, r->e) &&
	       (!json_get(o, "norm").value || json_want_f64(o, "norm", &k->norm, r->e)) &&
	       (!json_get(o, "ulp_p99").value || json_want_f64(o, "ulp_p99", &k->ulp, r->e)) &&
	       json_want_i64(o, "looked_at", &k->looked_at, r->e) &&
	       json_want_bool(o, "passed", &k->passed, r->e);
}

static bool read_warmup(struct reader *r, struct json v, struct run_launch *l)
{
	if (!r->cut.warmup.done)
		return json_want_i64s(v, "warmup_ns", r->a, &l->warmup_ns, &l->nwarmup, r->e);
	l->warmup_ns = r->cut.warmup.v;
	l->nwarmup = r->cut.warmup.n;
	return true;
}

static bool read_samples(struct reader *r, struct json v, struct run_launch *l)
{
	int64_t base;
	if (!json_want_i64(v, "base_ns", &base, r->e) ||
	    !json_want_i64s(v, "above_base_ns", r->a, &l->sample_ns, &l->nsamples, r->e))
		return false;
	if (r->cut.samples.done) {
		l->sample_ns = r->cut.samples.v;
		l->nsamples = r->cut.samples.n;
	}
	for (size_t i = 0; i < l->nsamples; i++) {
		if (l->sample_ns[i] < 0 ||
		    __builtin_add_overflow(l->sample_ns[i], base, &l->sample_ns[i]) ||
		    l->sample_ns[i] <= 0)
			return err_at(r->e, v.at, "sample %zu is not a positive time", i);
	}
	return true;
}

/* The time of each part; unknown members are ignored. */
static bool read_spent(struct reader *r, struct json v, struct run_launch *l)
{
	struct json spent = json_get(v, "spent_us");
	if (spent.value && !json_want_obj(v, "spent_us", &spent, r->e))
		return false;
	for (int p = 0; p < RUN_PARTS && spent.value; p++) {
		const char *name = record_part_name((enum run_part)p);
		if (!json_opt_i64(spent, name, &l->spent_us[p], r->e))
			return false;
		if (l->spent_us[p] < 0)
			return err_at(r->e, v.at, "'spent_us.%s' is negative", name);
	}
	return true;
}

static bool read_telemetry(struct reader *r, struct json v, struct run_launch *l)
{
	l->memory_clock_mhz = l->energy_mj = l->throttle_reasons = RECORD_NONE;
	l->sm_cycles = l->sm_cycles_ns = RECORD_NONE;
	return read_range(v, "sm_clock_mhz", l->sm_clock_mhz, 3, r->e) &&
	       json_opt_i64(v, "memory_clock_mhz", &l->memory_clock_mhz, r->e) &&
	       read_range(v, "power_mw", l->power_mw, 3, r->e) &&
	       read_range(v, "temperature_c", l->temperature_c, 2, r->e) &&
	       json_opt_i64(v, "energy_mj", &l->energy_mj, r->e) &&
	       json_opt_i64(v, "throttle_reasons", &l->throttle_reasons, r->e) &&
	       json_opt_i64(v, "gates_expired", &l->gates_expired, r->e) &&
	       json_opt_i64(v, "sm_cycles", &l->sm_cycles, r->e) &&
	       json_opt_i64(v, "sm_cycles_ns", &l->sm_cycles_ns, r->e) && read_spent(r, v, l);
}

/* Members that depend on each other: samples need a batch and both checks. */
static bool check_launch(struct reader *r, struct json v, const struct run_launch *l)
{
	bool newer = r->run->head.newer;
	if (!record_words_want(v, "timer", RECORD_TIMERS, l->timer, newer, r->e) ||
	    !record_words_want(v, "stop", RECORD_STOPS, l->stop, newer, r->e))
		return false;
	if (l->nsamples && l->batch < 1)
		return err_at(r->e, v.at, "'batch' is %lld, expected 1 or more",
		              (long long)l->batch);
	if (l->nsamples && (!l->before.passed || !l->after.passed))
		return err_at(r->e, v.at, "samples of a launch that failed its check");
	return true;
}

/* Adds the launch to its case. False if there is no such case, or it has this launch already. */
static bool keep_launch(struct reader *r, struct json v, struct run_launch *l)
{
	struct run *run = r->run;
	size_t of = r->case_at.n ? *find_case(r, l->case_id) : 0;
	if (!of)
		return err_at(r->e, v.at, "launch of unknown case '%s'", l->case_id);
	bool null = of % 2 == 0;
	l->of = case_of_entry(r, of);
	make_room(r, &r->launch_at);
	size_t *entry = find_launch(r, l);
	if (*entry)
		return err_at(r->e, v.at, "launch %lld of '%s' a second time", (long long)l->i,
		              l->case_id);
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
	struct run_launch one = {0}, *l = &one;
	if (!json_want_str(v, "case", r->a, &l->case_id, r->e) ||
	    !json_want_i64(v, "i", &l->i, r->e) || !json_want_i64(v, "at", &l->at, r->e) ||
	    !json_want_i64(v, "pid", &l->pid, r->e) || !json_want_i64(v, "t_ms", &l->t_ms, r->e) ||
	    !json_want_i64(v, "seed", &l->seed, r->e) ||
	    !json_opt_str(v, "node", r->a, &l->node, r->e) ||
	    !json_want_str(v, "status", r->a, &l->status, r->e) ||
	    !read_check(r, v, "before", &l->before) || !read_check(r, v, "after", &l->after) ||
	    !json_want_i64(v, "batch", &l->batch, r->e) ||
	    !json_opt_str(v, "timer", r->a, &l->timer, r->e) ||
	    !json_opt_str(v, "stop", r->a, &l->stop, r->e) ||
	    !json_opt_str(v, "library", r->a, &l->library, r->e) || !read_telemetry(r, v, l) ||
	    !read_warmup(r, v, l) || !read_samples(r, v, l) || !check_launch(r, v, l))
		return false;
	return keep_launch(r, v, l);
}

static bool read_counters(struct reader *r, struct json v)
{
	struct run *run = r->run;
	struct run_counters one, *c = &one;
	if (!record_read_counters(v, r->a, c, r->e))
		return false;
	if (!(c->of = record_case(run, c->case_id)))
		return err_at(r->e, v.at, "counters of unknown case '%s'", c->case_id);
	if (record_counters(run, c->of))
		return err_at(r->e, v.at, "counters of '%s' a second time", c->case_id);
	run->counters =
	        arena_grow(r->a, run->counters, run->ncounters, &r->cap_counters, sizeof *c);
	run->counters[run->ncounters++] = *c;
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
	else if (!end_line_holds(r, v))
		run->why_not_whole = "its end record is not as it was written";
	else
		run->whole = true;
	return true;
}

/* The reader of each record type; other types belong to later minor versions. */
static bool read_record(struct reader *r, struct json v, const char *type, struct str before)
{
	if (r->run->end)
		return err_at(r->e, v.at, "a record after 'end'");
	if (strcmp(type, "run") == 0)
		return read_head(r, v);
	if (!r->has_head)
		return err_at(r->e, v.at, "first record is '%s', expected 'run'", type);
	if (strcmp(type, "case") == 0)
		return read_case(r, v);
	if (strcmp(type, "launch") == 0)
		return read_launch(r, v);
	if (strcmp(type, "counters") == 0)
		return read_counters(r, v);
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
	bool cut = record_cut(line, r->a, &r->cut, &r->rest) &&
	           json_parse(sb_view(&r->rest), at, &doc, &v, &ignored);
	if (!cut)
		r->cut = (struct record_cuts){0};
	bool ok = cut || json_parse(line, at, &doc, &v, r->e);
	if (ok && !json_is_object(v))
		ok = err_at(r->e, at, "not an object, expected a record");
	ok = ok && json_want_str(v, "type", r->a, &type, r->e) && read_record(r, v, type, before);
	json_free(doc);
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
	if (!ok)
		return false;
	if (!r.has_head)
		return err_at(e, (struct loc){path, 1, 0}, "empty, expected a 'run' record");
	if (!out->whole && !out->why_not_whole)
		out->why_not_whole = "it has no end record";
	return true;
}
