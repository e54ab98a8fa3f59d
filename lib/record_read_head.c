/*
 * lib/record_read_head.c - reads the first record of a run file: program, machine,
 * calibration and plan.
 */
#include <string.h>

#include "lib/array.h"
#include "lib/hash.h"
#include "lib/json.h"
#include "lib/record.h"
#include "lib/record_foreign.h"

static bool read_provenance(struct json run, struct arena *a, struct run_head *h, struct err *e)
{
	struct json o;
	return json_want_obj(run, "provenance", &o, e) &&
	       json_opt_str(o, "commit", a, &h->commit, e) &&
	       (!h->commit || record_want_hex(o, "commit", h->commit, HASH_GIT_HEX, e)) &&
	       json_want_bool(o, "dirty", &h->dirty, e) &&
	       json_want_str(o, "runner_sha256", a, &h->runner_sha256, e) &&
	       record_want_hex(o, "runner_sha256", h->runner_sha256, HASH_SHA256_HEX, e) &&
	       record_read_pairs(o, "toolchain", a, &h->toolchain, &h->ntoolchain, e);
}

static bool read_machine(struct json run, struct arena *a, struct run_machine *m, struct err *e)
{
	struct json o;
	return json_want_obj(run, "machine", &o, e) && json_want_str(o, "key", a, &m->key, e) &&
	       json_want_str(o, "cpu", a, &m->cpu, e) && json_want_i64(o, "cores", &m->cores, e) &&
	       json_want_i64(o, "memory_bytes", &m->memory_bytes, e) &&
	       json_want_str(o, "os", a, &m->os, e) &&
	       json_opt_str(o, "virtualisation", a, &m->virtualisation, e);
}

static bool read_gpu(struct json run, struct arena *a, struct run_gpu *g, struct err *e)
{
	int64_t *const numbers[] = {&g->cuda_driver,
	                            &g->cuda_runtime,
	                            &g->sms,
	                            &g->l2_bytes,
	                            &g->memory_bytes,
	                            &g->bus_bits,
	                            &g->sm_clock_max_mhz,
	                            &g->memory_clock_max_mhz,
	                            &g->power_limit_mw,
	                            &g->ecc};
	static const char *const names[] = {"cuda_driver",
	                                    "cuda_runtime",
	                                    "sms",
	                                    "l2_bytes",
	                                    "memory_bytes",
	                                    "bus_bits",
	                                    "sm_clock_max_mhz",
	                                    "memory_clock_max_mhz",
	                                    "power_limit_mw",
	                                    "ecc"};
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		*numbers[i] = RECORD_NONE;
	struct json o = json_get(run, "gpu");
	if (!o.value)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (!json_opt_i64(o, names[i], numbers[i], e))
			return false;
	return json_want_str(o, "name", a, &g->name, e) &&
	       json_opt_str(o, "uuid", a, &g->uuid, e) &&
	       json_opt_str(o, "vbios", a, &g->vbios, e) &&
	       json_opt_str(o, "driver", a, &g->driver, e) &&
	       json_opt_str(o, "compute_capability", a, &g->compute_capability, e);
}

static bool read_calibration(struct json run, struct arena *a, struct run_head *h, struct err *e)
{
	struct json o;
	return json_want_obj(run, "calibration", &o, e) &&
	       json_want_f64(o, "tick_ns", &h->tick_ns, e) &&
	       json_want_i64s(o, "empty_pair_ns", a, &h->empty_pair_ns, &h->nempty_pair, e) &&
	       json_want_i64s(o, "empty_kernel_ns", a, &h->empty_kernel_ns, &h->nempty_kernel, e) &&
	       json_want_i64s(o, "graph_node_ns", a, &h->graph_node_ns, &h->ngraph_node, e) &&
	       json_want_i64s(o, "flush_ns", a, &h->flush_ns, &h->nflush, e);
}

static bool read_argv(struct json plan, struct arena *a, struct run_head *h, struct err *e)
{
	struct json arr;
	struct str s;
	if (!json_want_arr(plan, "argv", &arr, e))
		return false;
	h->nargv = json_len(arr);
	h->argv = ARENA_ARRAY(a, const char *, h->nargv);
	for (size_t i = 0; i < h->nargv; i++) {
		if (!json_as_str(json_item(arr, i), &s))
			return err_at(e, plan.at, "'argv[%zu]' is not a string", i);
		h->argv[i] = str_dup(a, s);
	}
	return true;
}

static bool read_plan(struct json run, struct arena *a, struct run_head *h, struct err *e)
{
	struct json o;
	return json_want_obj(run, "plan", &o, e) && read_argv(o, a, h, e) &&
	       json_want_i64(o, "rng_seed", &h->rng_seed, e) &&
	       json_want_i64(o, "launches", &h->launches, e) &&
	       json_want_str(o, "order", a, &h->order, e) &&
	       json_want_i64(o, "warmup_ms", &h->warmup_ms, e) &&
	       json_want_f64(o, "stop_halfwidth", &h->stop_halfwidth, e) &&
	       json_want_i64(o, "min_samples", &h->min_samples, e) &&
	       json_want_i64(o, "max_samples", &h->max_samples, e) &&
	       json_want_i64(o, "cap_ms", &h->cap_ms, e) &&
	       json_want_i64(o, "flush_bytes", &h->flush_bytes, e) &&
	       json_opt_i64(o, "idle_ms", &h->idle_ms, e) &&
	       json_opt_i64(o, "burst_ms", &h->burst_ms, e) &&
	       json_opt_i64(o, "load_ms", &h->load_ms, e) &&
	       json_opt_i64(o, "settle_ms", &h->settle_ms, e) &&
	       json_opt_i64(o, "steady_ms", &h->steady_ms, e);
}

static const char pretended[] = "ridgepoint-pretended/";

bool record_is_pretended(const struct run_head *h)
{
	return str_starts(str_of(h->schema), pretended);
}

/* The latest minor version that we know of a major one of `known`; -1: none. */
static int64_t latest_minor(const char *known, int64_t major)
{
	enum { LAST_OF_1 = 5 };
	int64_t our_major = 0, our_minor = 0;
	struct str name, version, before, after;
	str_cut(str_of(known), '/', &name, &version);
	str_cut(version, '.', &before, &after);
	bool ours = str_i64(before, &our_major) && str_i64(after, &our_minor) && major == our_major;
	return ours ? our_minor : major == 1 ? LAST_OF_1 : -1;
}

/* "ridgepoint-run/1.0": a major version that we know, any minor. */
static bool check_schema(struct json v, struct run_head *h, struct err *e)
{
	int64_t theirs;
	const char *schema = h->schema;
	struct str name, version, major, minor, ours, rest;
	bool cut = str_cut(str_of(schema), '/', &name, &version) &&
	           str_cut(version, '.', &major, &minor);
	str_cut(str_of(RECORD_SCHEMA), '/', &ours, &rest);
	bool foreign = str_is(name, "ridgepoint-foreign");
	const char *known = foreign ? RECORD_FOREIGN_SCHEMA : RECORD_SCHEMA;
	if (!cut || !(str_eq(name, ours) || foreign || str_starts(str_of(schema), pretended)))
		return err_at(e, v.at, "schema '%s', expected '%s'", schema, RECORD_SCHEMA);
	if (!str_i64(major, &h->major) || latest_minor(known, h->major) < 0)
		return err_at(e, v.at,
		              "schema '%s' is of another major version than '%s'; "
		              "a newer build of this program reads it",
		              schema, RECORD_SCHEMA);
	if (!str_i64(minor, &theirs) || theirs < 0)
		return err_at(e, v.at, "schema '%s' has no minor version, expected one as in '%s'",
		              schema, RECORD_SCHEMA);
	h->newer = theirs > latest_minor(known, h->major);
	return true;
}

/* Checks a name that folders and files are called by. */
static bool want_name(struct json v, const char *key, const char *s, struct err *e)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                              "0123456789-_.";
	return (*s && *s != '.' && s[strspn(s, allowed)] == 0) ||
	       err_at(e, v.at, "'%s' is '%s', expected letters, digits, '-', '_' and '.'", key, s);
}

bool record_read_head(struct json v, struct arena *a, struct run_head *h, struct err *e)
{
	return json_want_str(v, "schema", a, &h->schema, e) && check_schema(v, h, e) &&
	       json_want_str(v, "id", a, &h->id, e) && want_name(v, "id", h->id, e) &&
	       json_want_str(v, "device", a, &h->device, e) &&
	       want_name(v, "device", h->device, e) && json_want_str(v, "start", a, &h->start, e) &&
	       json_opt_str(v, "reason", a, &h->reason, e) &&
	       json_opt_str(v, "replicates", a, &h->replicates, e) &&
	       record_foreign_read(v, a, h, e) && record_read_shards(v, a, h, e) &&
	       read_provenance(v, a, h, e) && read_machine(v, a, &h->machine, e) &&
	       read_gpu(v, a, &h->gpu, e) && record_read_several(v, a, h, e) &&
	       read_calibration(v, a, h, e) && read_plan(v, a, h, e) &&
	       record_read_pairs(v, "unavailable", a, &h->unavailable, &h->nunavailable, e);
}
