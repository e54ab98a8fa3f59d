/*
 * lib/record_read_case.c - reads a `case` record. From schema 2.0 on, what cases share
 * stands in a `family` or `variant` record; the caller has filled it in.
 */
#include <string.h>

#include "lib/hash.h"
#include "lib/json.h"
#include "lib/record.h"
#include "lib/record_foreign.h"
#include "lib/record_words.h"

static bool read_params(struct json v, struct arena *a, struct run_case *c, struct err *e)
{
	struct run_pair *p;
	if (!record_read_pairs(v, "params", a, &p, &c->nparams, e))
		return false;
	if (c->nparams > RECORD_MAX_PARAMS)
		return err_at(e, v.at, "more than %d params", RECORD_MAX_PARAMS);
	memcpy(c->param, p, c->nparams * sizeof *p);
	return true;
}

/* A sweep's case has the value that was tried among its parameters. */
static bool read_knob(struct json v, struct arena *a, struct run_case *c, struct err *e)
{
	struct json o;
	if (!json_get(v, "knob").value)
		return true;
	if (!json_want_obj(v, "knob", &o, e) || !json_want_str(o, "name", a, &c->knob.name, e) ||
	    !json_want_str(o, "unit", a, &c->knob.unit, e) ||
	    !json_want_i64(o, "chosen", &c->knob.chosen, e))
		return false;
	const struct run_pair *p = record_param(c, c->knob.name);
	return (p && !p->word) ||
	       err_at(e, v.at, "'knob' is '%s', which is no number in 'params'", c->knob.name);
}

static bool read_sources(struct json v, struct arena *a, struct run_case *c, struct err *e)
{
	struct json arr;
	struct str path, blob;
	if (!json_want_arr(v, "source", &arr, e))
		return false;
	c->nsource = json_len(arr);
	c->source = ARENA_ARRAY(a, struct run_source, c->nsource);
	for (size_t i = 0; i < c->nsource; i++) {
		struct json pair = json_item(arr, i);
		if (json_len(pair) != 2 || !json_as_str(json_item(pair, 0), &path) ||
		    !json_as_str(json_item(pair, 1), &blob))
			return err_at(e, v.at, "'source[%zu]' is not [path, blob id]", i);
		c->source[i].path = str_dup(a, path);
		c->source[i].blob = str_dup(a, blob);
		if (!record_want_hex(v, "source", c->source[i].blob, HASH_GIT_HEX, e))
			return false;
	}
	return true;
}

static bool read_build(struct json v, struct arena *a, struct run_build *b, struct err *e)
{
	struct json o;
	b->registers = b->shared_bytes = b->spill_bytes = RECORD_NONE;
	return json_want_obj(v, "build", &o, e) && json_want_str(o, "flags", a, &b->flags, e) &&
	       json_opt_i64(o, "registers", &b->registers, e) &&
	       json_opt_i64(o, "shared_bytes", &b->shared_bytes, e) &&
	       json_opt_i64(o, "spill_bytes", &b->spill_bytes, e) &&
	       json_opt_str(o, "code_sha256", a, &b->code_sha256, e) &&
	       json_opt_str(o, "library", a, &b->library, e) &&
	       record_read_choice(o, a, &b->choice, e) &&
	       (!b->code_sha256 ||
	        record_want_hex(o, "code_sha256", b->code_sha256, HASH_SHA256_HEX, e)) &&
	       (!json_get(o, "instructions").value ||
	        record_read_pairs(o, "instructions", a, &b->mix, &b->nmix, e));
}

static bool read_model(struct json v, struct arena *a, struct run_model *m, struct err *e)
{
	struct json o;
	if (!json_want_obj(v, "model", &o, e) || !json_want_i64(o, "flop", &m->flop, e) ||
	    !json_want_i64(o, "bytes_read", &m->bytes_read, e) ||
	    !json_want_i64(o, "bytes_written", &m->bytes_written, e) ||
	    !json_want_str(o, "formula", a, &m->formula, e) ||
	    !json_opt_str(o, "unit", a, &m->unit, e) ||
	    !json_want_str(o, "level", a, &m->level, e) || !json_opt_str(o, "op", a, &m->op, e))
		return false;
	if (m->flop < 0 || m->bytes_read < 0 || m->bytes_written < 0)
		return err_at(e, v.at, "'model' has a negative count");
	if (m->bytes_read > INT64_MAX - m->bytes_written)
		return err_at(e, v.at, "'model' has more bytes than can be counted");
	return true;
}

static bool read_names(struct json v, struct arena *a, struct run_case *c, struct err *e)
{
	return json_want_str(v, "id", a, &c->id, e) &&
	       json_want_str(v, "family", a, &c->family, e) &&
	       json_want_str(v, "variant", a, &c->variant, e) &&
	       json_want_str(v, "family_title", a, &c->family_title, e) &&
	       json_want_str(v, "variant_title", a, &c->variant_title, e) &&
	       json_want_str(v, "problem", a, &c->problem, e) &&
	       json_want_str(v, "idea", a, &c->idea, e) &&
	       json_want_str(v, "metric", a, &c->metric, e) &&
	       json_want_i64(v, "rank", &c->rank, e) && json_want_str(v, "role", a, &c->role, e) &&
	       json_want_str(v, "device", a, &c->device, e) &&
	       json_want_str(v, "dtype", a, &c->dtype, e) &&
	       json_want_str(v, "cache", a, &c->cache, e) &&
	       json_opt_str(v, "unavailable", a, &c->unavailable, e) &&
	       (!json_get(v, "heavy").value || json_want_bool(v, "heavy", &c->heavy, e));
}

static bool read_input_check(struct json v, struct arena *a, struct run_case *c, struct err *e)
{
	struct json in, check;
	return json_want_obj(v, "input", &in, e) &&
	       json_want_str(in, "distribution", a, &c->input, e) &&
	       json_want_i64(in, "sets", &c->input_sets, e) &&
	       json_want_obj(v, "check", &check, e) &&
	       json_want_str(check, "reference", a, &c->check_reference, e) &&
	       json_want_f64(check, "tolerance", &c->tolerance, e) &&
	       json_want_str(check, "why", a, &c->check_why, e) &&
	       json_opt_str(check, "exact", a, &c->check_exact, e);
}

static bool check_words(struct json v, bool newer, const struct run_case *c, struct err *e)
{
	return record_words_want(v, "metric", RECORD_METRICS, c->metric, newer, e) &&
	       record_words_want(v, "role", RECORD_ROLES, c->role, newer, e) &&
	       record_words_want(v, "device", RECORD_DEVICES, c->device, newer, e) &&
	       record_words_want(v, "cache", RECORD_CACHES, c->cache, newer, e) &&
	       record_words_want(v, "level", RECORD_LEVELS, c->model.level, newer, e) &&
	       record_words_want(v, "unit", RECORD_UNITS, c->model.unit, newer, e);
}

bool record_read_case(struct json v, const struct run_head *h, struct arena *a, struct run_case *c,
                      struct err *e)
{
	if (!read_names(v, a, c, e) || !read_params(v, a, c, e) || !read_knob(v, a, c, e) ||
	    !read_sources(v, a, c, e) || !read_build(v, a, &c->build, e) ||
	    !read_model(v, a, &c->model, e) || !read_input_check(v, a, c, e) ||
	    !check_words(v, h->newer, c, e))
		return false;
	c->sms = h->gpu.name ? h->gpu.sms : RECORD_NONE;
	c->foreign = h->foreign;
	if (!record_foreign_check(v, h, c, e))
		return false;
	return strcmp(record_case_id(c, a), c->id) == 0 ||
	       err_at(e, v.at, "case id '%s', expected '%s' from its fields", c->id,
	              record_case_id(c, a));
}
