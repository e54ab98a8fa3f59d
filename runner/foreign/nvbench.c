/*
 * The file of nvbench's --json: benchmarks with states, each with its axes and with summaries.
 * The time is the mean of the GPU's time with a cold L2 cache; without it that of a batch (hot),
 * or that of the CPU. The file has no single samples.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "runner/foreign/inner.h"

/* What is looked for, the best first. */
static const struct {
	const char *time, *samples, *cache, *idea;
} kinds[] = {
        {"nv/cold/time/gpu/mean", "nv/cold/sample_size", "cold",
         "Time of a call on the GPU, with a cold L2 cache:"},
        {"nv/batch/time/gpu/mean", "nv/batch/sample_size", "hot",
         "Time of a call on the GPU, calls in a row:"},
        {"nv/cpu_only/time/cpu/mean", "nv/cpu_only/sample_size", NULL,
         "Time of a call on the CPU:"},
};

/* A benchmark and the device that all states share. */
struct benchmark {
	const char *name;
	int64_t *device;
};

/* A number, which the file writes as a string; newer ones may write it as a number. */
static bool number_in(struct json v, double *out)
{
	struct str text;
	char copy[64], *end;
	if (json_as_f64(v, out))
		return true;
	if (!json_as_str(v, &text) || text.n == 0 || text.n >= sizeof copy)
		return false;
	memcpy(copy, text.p, text.n);
	copy[text.n] = 0;
	*out = strtod(copy, &end);
	return *end == 0 && isfinite(*out);
}

/* The value of the summary with this tag; false: there is none. */
static bool summary(struct json state, const char *tag, double *out)
{
	struct json list = json_get(state, "summaries");
	struct str is;
	for (size_t i = 0; json_is_array(list) && i < json_len(list); i++) {
		struct json s = json_item(list, i), data = json_get(s, "data");
		if (!json_as_str(json_get(s, "tag"), &is) || !str_is(is, tag))
			continue;
		for (size_t k = 0; json_is_array(data) && k < json_len(data); k++)
			if (json_as_str(json_get(json_item(data, k), "name"), &is) &&
			    str_is(is, "value"))
				return number_in(json_get(json_item(data, k), "value"), out);
	}
	return false;
}

static bool read_time(struct foreign_in *in, struct json v, struct foreign_case *c)
{
	double seconds, samples;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (!summary(v, kinds[i].time, &seconds))
			continue;
		const char *n = summary(v, kinds[i].samples, &samples)
		                        ? arena_printf(in->a, "%.0f samples", samples)
		                        : "its samples";
		c->cache = kinds[i].cache;
		c->idea =
		        arena_printf(in->a, "%s the mean of %s, in one process.", kinds[i].idea, n);
		return foreign_value(in, v.at, foreign_process(in, c, 1), seconds);
	}
	return err_at(in->e, v.at, "no summary '%s', '%s' or '%s', expected a mean time",
	              kinds[0].time, kinds[1].time, kinds[2].time);
}

static bool read_axes(struct foreign_in *in, struct json v, struct foreign_case *c)
{
	struct json axes = json_get(v, "axis_values"), value;
	struct str name, text;
	double real;
	for (size_t i = 0; json_is_array(axes) && i < json_len(axes); i++) {
		struct json axis = json_item(axes, i);
		value = json_get(axis, "value");
		if (!json_as_str(json_get(axis, "name"), &name))
			return err_at(in->e, v.at, "'axis_values[%zu]' has no name", i);
		if (!json_as_str(value, &text)) {
			if (!json_as_f64(value, &real))
				return err_at(in->e, v.at, "'axis_values[%zu]' has no value", i);
			text = str_of(arena_printf(in->a, "%.15g", real));
		}
		if (!foreign_param(in, v.at, c, name, text))
			return false;
	}
	return true;
}

/* All states of a record are of one device; -1: none was seen yet. */
static bool one_device(struct foreign_in *in, struct json v, int64_t *device)
{
	int64_t own;
	if (!json_as_i64(json_get(v, "device"), &own))
		return true; /* on the CPU */
	if (*device >= 0 && *device != own)
		return err_at(in->e, v.at,
		              "device %lld, and the states before are of device %lld: "
		              "a record is of one; run the benchmark with --devices",
		              (long long)own, (long long)*device);
	*device = own;
	return true;
}

static bool read_state(struct foreign_in *in, struct json v, size_t at, void *ctx)
{
	const struct benchmark *b = ctx;
	struct foreign_case *c;
	const char *why = "skipped by its benchmark";
	bool skipped = false;
	(void)at;
	if (!foreign_case(in, v.at, b->name, str_of(b->name), &c) ||
	    !one_device(in, v, b->device) || !read_axes(in, v, c))
		return false;
	json_as_bool(json_get(v, "is_skipped"), &skipped);
	if (!skipped)
		return read_time(in, v, c);
	if (!json_opt_str(v, "skip_reason", in->a, &why, in->e))
		return false;
	c->idea = "It has no time.";
	c->unavailable = why;
	return true;
}

static bool read_benchmark(struct foreign_in *in, struct json v, size_t at, void *ctx)
{
	struct benchmark b = {.device = ctx};
	return json_want_str(v, "name", in->a, &b.name, in->e) &&
	       foreign_each(in, v, at, "states", read_state, &b);
}

/* The device of the states; in its numbers an absent one stays unknown. */
static bool read_device(struct foreign_in *in, struct json v, size_t at, void *ctx)
{
	const int64_t *wanted = ctx;
	struct run_gpu *g = &in->out->gpu;
	int64_t id = 0, sm = 0, clock = 0;
	bool ecc;
	(void)at;
	if (!json_want_i64(v, "id", &id, in->e) || id != *wanted)
		return !in->e->set;
	if (!json_want_str(v, "name", in->a, &g->name, in->e) ||
	    !json_opt_i64(v, "sm_version", &sm, in->e) ||
	    !json_opt_i64(v, "sm_default_clock_rate", &clock, in->e) ||
	    !json_opt_i64(v, "number_of_sms", &g->sms, in->e) ||
	    !json_opt_i64(v, "global_memory_size", &g->memory_bytes, in->e) ||
	    !json_opt_i64(v, "global_memory_bus_width", &g->bus_bits, in->e) ||
	    !json_opt_i64(v, "l2_cache_size", &g->l2_bytes, in->e))
		return false;
	if (sm > 0)
		g->compute_capability = arena_printf(in->a, "%lld.%lld", (long long)(sm / 100),
		                                     (long long)(sm % 100 / 10));
	if (json_as_bool(json_get(v, "ecc_state"), &ecc))
		g->ecc = ecc;
	if (clock > 0)
		g->sm_clock_max_mhz = clock / 1000000;
	return true;
}

bool foreign_nvbench(struct foreign_in *in, struct json root)
{
	struct json meta = json_get(root, "meta");
	struct json version = json_get(json_get(json_get(meta, "version"), "nvbench"), "string");
	struct str text;
	int64_t device = -1;
	if (json_as_str(version, &text))
		in->out->version = str_dup(in->a, text);
	in->out->command = foreign_words(in, json_get(meta, "argv"));
	return foreign_each(in, root, 0, "benchmarks", read_benchmark, &device) &&
	       (device < 0 || foreign_each(in, root, 0, "devices", read_device, &device));
}
