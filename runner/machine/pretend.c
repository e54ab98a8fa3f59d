#include "runner/machine/pretend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "runner/base/rng.h"

/* With more input elements in total than this, pretend_value() replaces the family's reference. */
enum { MOST_ELEMENTS = 1 << 20 };

static const char *const faults[PRETEND_FAULTS] = {
        "",     "wrong", "unwritten",  "outside", "input",       "stale", "error",  "crash",
        "hang", "slow",  "impossible", "hidden",  "interrupted", "late",  "silent", "apart",
};

static const struct shape {
	const char *name, *capability;
	int64_t sms, cache_bytes, memory_bytes, bus_bits, sm_mhz, memory_mhz;
} shapes[] = {
        {"132", "9.0", 132, 60 << 20, 150000000000, 6144, 1980, 3201},
        {"84", "8.9", 84, 48 << 20, 4000000000, 384, 2520, 10501},
};

enum { SHAPES = ARRAY_LEN(shapes) };

bool pretend_wanted(void)
{
	const char *text = getenv("RIDGEPOINT_PRETEND");
	return text && *text;
}

bool pretend_calls(const struct kernel_variant *v)
{
	return v->launch || (v->where == KERNEL_CUDA && pretend_wanted());
}

/* Cuts "x2" or "+84" off a shape. False if it is no number of GPUs, or no other shape. */
static bool read_count(struct str *shape, struct pretence *out)
{
	struct str count, other;
	int64_t n = 1;
	if (str_cut(*shape, '+', shape, &other)) {
		out->gpus = 2;
		out->other = !str_eq(*shape, other);
		return out->other &&
		       (str_is(other, shapes[0].name) || str_is(other, shapes[1].name));
	}
	if (str_cut(*shape, 'x', shape, &count) &&
	    !(str_i64(count, &n) && n >= 2 && n <= KERNEL_MAX_GPUS))
		return false;
	out->gpus = (int)n;
	return true;
}

bool pretend_read(const char *text, struct pretence *out, struct err *e)
{
	struct str shape = str_of(text), rest = {0}, fault = {0};
	bool faulty = str_cut(shape, ':', &shape, &rest);
	bool named = faulty && str_cut(rest, '@', &fault, &rest);
	*out = (struct pretence){.shape = SHAPES, .gpus = 1, .whose = named ? rest : STR("*")};
	bool counted = read_count(&shape, out);
	for (size_t i = 0; i < SHAPES; i++)
		if (str_is(shape, shapes[i].name))
			out->shape = i;
	for (int i = 0; i < PRETEND_FAULTS; i++)
		if (str_is(fault, faults[i]))
			out->fault = (enum pretend_fault)i;
	return (counted && out->shape < SHAPES && faulty == (out->fault != PRETEND_RIGHT)) ||
	       err_set(e,
	               "RIDGEPOINT_PRETEND '%s': expected 132 or 84, for several GPUs 132x2 or "
	               "132+84, then nothing or ':' and a fault of runner/machine/pretend.h",
	               text);
}

/* As many GPUs as were asked for, all joined by as many lanes as an H200 has. */
static void several(const struct pretence *as, int gpus, struct facts *f)
{
	enum { LANES = 18 };
	f->gpus = gpus < as->gpus ? gpus : as->gpus;
	for (int g = 0; g < f->gpus; g++) {
		struct facts_gpu *one = &f->gpu[g];
		*one = (struct facts_gpu){.free_bytes = f->free_bytes, .nvlink_lanes = LANES};
		snprintf(one->uuid, sizeof one->uuid, "GPU-pretended-%d", g);
		for (int h = 0; h < f->gpus; h++)
			f->link[g][h] =
			        (struct facts_link){h != g, h != g, h != g, h != g ? LANES : 0};
	}
	if (as->other && f->gpus > 1)
		snprintf(f->unequal, sizeof f->unequal, "GPU 1 is %s, GPU 0 is %s",
		         "another pretended GPU", f->name);
}

void pretend_facts(const struct pretence *as, int gpus, struct facts *f)
{
	const struct shape *s = &shapes[as->shape];
	*f = (struct facts){
	        .usable = true,
	        .pretended = true,
	        .driver = "pretended",
	        .cuda_driver = RECORD_NONE,
	        .cuda_runtime = RECORD_NONE,
	        .sms = s->sms,
	        .cache_bytes = s->cache_bytes,
	        .memory_bytes = s->memory_bytes,
	        .free_bytes = s->memory_bytes,
	        .bus_bits = s->bus_bits,
	        .sm_clock_max_mhz = s->sm_mhz,
	        .memory_clock_max_mhz = s->memory_mhz,
	        .power_limit_mw = RECORD_NONE,
	        .ecc = RECORD_NONE,
	};
	snprintf(f->slug, sizeof f->slug, "pretended-%s", s->name);
	snprintf(f->name, sizeof f->name, "a pretended GPU with %s multiprocessors", s->name);
	snprintf(f->capability, sizeof f->capability, "%s", s->capability);
	facts_miss(f, "nvml", "pretended");
	several(as, gpus, f);
}

double pretend_value(uint64_t key, size_t i)
{
	return (double)rng_derive(key, 11, i) * 0x1p-52 - 1;
}

static size_t input_elements(const struct kernel_family *f, const struct kernel_case *c)
{
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	size_t nbuf = f->buffers(c, b), n = 0;
	for (size_t i = 0; i < nbuf; i++)
		n += b[i].access == KERNEL_IN ? b[i].count : 0;
	return n;
}

void pretend_expect(const struct kernel_family *f, const struct kernel_case *c, uint64_t seed,
                    const size_t *idx, size_t n, double *value, double *magnitude)
{
	if (input_elements(f, c) <= MOST_ELEMENTS && f->terms(c) <= PRETEND_TERMS) {
		f->expect(c, seed, idx, n, value, magnitude);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		value[i] = pretend_value(seed, idx[i]);
		magnitude[i] = 1;
	}
}

void pretend_choose(uint64_t key, char choice[KERNEL_CHOICE])
{
	static const char *const tiles[] = {"64x128x64", "128x128x64", "128x256x64"};
	uint64_t state = key;
	snprintf(choice, KERNEL_CHOICE,
	         "call=pretended algorithm=%d tile=%s stages=%d split_k=1 data=%x",
	         (int)(rng_next(&state) % 70), tiles[rng_next(&state) % ARRAY_LEN(tiles)],
	         (int)(rng_next(&state) % 4) + 2, (unsigned)(rng_next(&state) & 0xffff));
}
