/*
 * tests/emulate/main.cc - runs the cases that are for checks of some variants on
 * the emulated GPU, and compares every output with the family's reference.
 *
 *     emulate SEEDS FAMILY [VARIANT...]
 *     emulate SEEDS FAMILY VARIANT:KNOB
 *
 * Prints a line of TAP for each variant. Each case runs with SEEDS seeds: other
 * inputs, and another order of events, by turns on two SMs, where blocks go on
 * from tile to tile, and on eight. Without variants: all that were built. With a knob: the least
 * and the greatest value of its sweep.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include "kernels/bf16.h"
#include "kernels/cache.h"
#include "kernels/ceilings/ceilings.h"
#include "kernels/decode/scales.h"
#include "kernels/input.h"
#include "kernels/kernel.h"
#include "kernels/knob.h"
#include "kernels/made.h"
#include "kernels/mla/latent.h"
#include "kernels/query.h"

enum { ALIGN = 256, FEW_SMS = 2 };

/* The driver's function; only the forms that machine.h knows. */
static CUresult encode(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t, void *base,
                       const cuuint64_t *size, const cuuint64_t *pitch, const cuuint32_t *box,
                       const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                       CUtensorMapL2promotion, CUtensorMapFloatOOBfill)
{
	const uint32_t bytes = 1u << type;
	const emu::matrix m = {
	        (const unsigned char *)base, size[0], size[1], pitch[0], box[0], box[1], bytes};

	static_assert(sizeof m <= sizeof *map, "a tensor map has room for it");
	if (pitch[0] % 16 != 0 || (uintptr_t)base % 16 != 0 || box[1] > 256 || box[0] > 256)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy((void *)map, &m, sizeof m);
	return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *, void **fn, unsigned, int,
                                             cudaDriverEntryPointQueryResult *found)
{
	*fn = (void *)encode;
	*found = cudaDriverEntryPointSuccess;
	return cudaSuccess;
}

/* --- buffers of a case, and what is in them --- */

struct buffers {
	struct kernel_buffer is[KERNEL_MAX_BUFFERS];
	size_t n;
	int gpu;
	void *at[KERNEL_GPU_BUFFERS]; /* and scratch */
};

static void *room(size_t bytes)
{
	void *const p = aligned_alloc(ALIGN, (bytes + ALIGN) / ALIGN * ALIGN);

	if (!p)
		abort();
	return p;
}

/* Keys or values of sequences, or queries to them. */
static void fill_cache(const struct kernel_buffer &is, void *at, uint64_t seed, unsigned number)
{
	const struct cache_shape s = cache_shape_of(is.range);

	for (size_t j = 0; j < is.count; j++)
		if (is.draw == KERNEL_PROBES)
			((uint16_t *)at)[j] = bf16_round(cache_query(&s, seed, number, j));
		else if (is.dtype == KERNEL_BF16)
			((uint16_t *)at)[j] = (uint16_t)cache_bits_at(&s, seed, number, j);
		else
			((uint8_t *)at)[j] = (uint8_t)cache_bits_at(&s, seed, number, j);
}

static void fill(const buffers &b, uint64_t seed)
{
	for (unsigned i = 0; i < b.n; i++) {
		const size_t bytes = kernel_dtype_bytes(b.is[i].dtype);
		const unsigned input = kernel_gpu_input(b.gpu, i);

		if (!kernel_has(&b.is[i], b.gpu))
			continue;
		if (b.is[i].access == KERNEL_OUT) {
			memset(b.at[i], kernel_dtype_poison(b.is[i].dtype), b.is[i].count * bytes);
			continue;
		}
		if (kernel_made_is(&b.is[i])) {
			memcpy(b.at[i], kernel_made_is(&b.is[i]), b.is[i].count * bytes);
			continue;
		}
		for (size_t j = 0; latent_is(&b.is[i]) && j < b.is[i].count; j++)
			((uint16_t *)b.at[i])[j] = (uint16_t)latent_bits(&b.is[i], seed, i, j);
		for (size_t j = 0; scales_is(&b.is[i]) && j < b.is[i].count; j++)
			((uint32_t *)b.at[i])[j] = scales_bits(&b.is[i], seed, j);
		if (latent_is(&b.is[i]) || scales_is(&b.is[i]))
			continue;
		if (b.is[i].draw == KERNEL_CACHE || b.is[i].draw == KERNEL_PROBES) {
			fill_cache(b.is[i], b.at[i], seed, input);
			continue;
		}
		for (size_t j = 0; j < b.is[i].count; j++) {
			const float v = b.is[i].draw == KERNEL_QUERIES
			                        ? query_value(&b.is[i], seed, input, j)
			                        : input_real(b.is[i].dtype, seed, input, j);

			if (b.is[i].dtype == KERNEL_BF16)
				((uint16_t *)b.at[i])[j] = bf16_round(v);
			else if (b.is[i].dtype == KERNEL_E4M3)
				((uint8_t *)b.at[i])[j] =
				        (uint8_t)(b.is[i].draw == KERNEL_QUERIES
				                          ? e4m3_nearest((int64_t)(v * 512),
				                                         E4M3_LEAST)
				                          : input_e4m3(seed, input, j));
			else
				((float *)b.at[i])[j] = v;
		}
	}
}

static double number(enum kernel_dtype t, const void *p, size_t i)
{
	if (t == KERNEL_E4M3)
		return e4m3_value(((const uint8_t *)p)[i]);
	return t == KERNEL_BF16  ? (double)bf16_value(((const uint16_t *)p)[i])
	       : t == KERNEL_I32 ? (double)((const int32_t *)p)[i]
	                         : (double)((const float *)p)[i];
}

static bool is_output(const buffers &b, size_t i)
{
	return b.is[i].access == KERNEL_OUT && kernel_has(&b.is[i], b.gpu);
}

static double output(const buffers &b, size_t index)
{
	for (size_t i = 0; i < b.n; i++) {
		if (!is_output(b, i))
			continue;
		if (index < b.is[i].count)
			return number(b.is[i].dtype, b.at[i], index);
		index -= b.is[i].count;
	}
	abort();
}

static size_t outputs(const buffers &b)
{
	size_t n = 0;

	for (size_t i = 0; i < b.n; i++)
		n += is_output(b, i) ? b.is[i].count : 0;
	return n;
}

/* What outputs must be, and what their errors are measured against. */
struct expected {
	std::vector<double> value, magnitude;
};

/* The reference takes longer than a kernel, and is the same for all variants. */
static const expected &expect(const struct kernel_family *f, const struct kernel_case *c, size_t n,
                              uint64_t seed)
{
	static std::map<std::pair<const struct kernel_case *, uint64_t>, expected> known;
	expected &e = known[{c, seed}];
	std::vector<size_t> index(n);

	if (!e.value.empty())
		return e;
	for (size_t i = 0; i < n; i++)
		index[i] = i;
	e.value.resize(n);
	e.magnitude.resize(n);
	f->expect(c, seed, index.data(), n, e.value.data(), e.magnitude.data());
	return e;
}

/* How many outputs are wrong; the first is reported. */
static size_t compare(const struct kernel_family *f, const struct kernel_case *c,
                      const std::vector<double> &got, uint64_t seed)
{
	const expected &e = expect(f, c, got.size(), seed);
	const char *why;
	const double tolerance = f->tolerance(c, &why);
	size_t wrong = 0;

	for (size_t i = 0; i < got.size(); i++)
		if (!(fabs(got[i] - e.value[i]) <= tolerance * e.magnitude[i]) && wrong++ == 0)
			printf("#   output %zu is %g, expected %g\n", i, got[i], e.value[i]);
	return wrong;
}

static std::vector<double> all_outputs(const buffers &b)
{
	std::vector<double> all(outputs(b));

	for (size_t i = 0; i < all.size(); i++)
		all[i] = output(b, i);
	return all;
}

static void print_case(const struct kernel_case *c, uint64_t seed)
{
	printf("#   seed %llu", (unsigned long long)seed);
	for (int i = 0; i < c->nparams; i++)
		if (c->param[i].word)
			printf(" %s=%s", c->param[i].name, c->param[i].word);
		else
			printf(" %s=%lld", c->param[i].name, (long long)c->param[i].num);
	printf("\n");
}

/* The inputs of a seed: uniform; in FP8 by turns full, whose sums are not exact. */
static uint64_t drawn_of(const struct kernel_case *c, uint64_t seed)
{
	const bool full = c->dtype == KERNEL_E4M3 && seed % 2 == 0;

	return input_seed(full ? INPUT_FULL : INPUT_UNIFORM, seed);
}

/* A call. A result that the variant owns is spoilt before and collected after it. */
static int call(const struct kernel_variant *v, const struct kernel_case *c,
                const struct kernel_env &env, const buffers &b, void *state)
{
	const struct kernel_result *const own =
	        v->owns_result ? (const struct kernel_result *)state : nullptr;
	int rc = own ? own->spoil(state, &env) : 0;

	if (rc == 0)
		rc = v->launch(c, &env, b.at, state);
	return rc || !own ? rc : own->collect(state, &env, b.at);
}

static bool run_case(const struct kernel_family *f, const struct kernel_variant *v,
                     const struct kernel_case *c, uint64_t seed)
{
	buffers b = {};
	struct kernel_env env = {};
	void *state = nullptr;
	const char *why = nullptr;
	size_t wrong = 1;

	env.sms = seed % 2 ? (int)FEW_SMS : (int)emu::SMS;
	env.l2_bytes = 1 << 20;
	env.gpus = 1;
	b.n = f->buffers(c, b.is);
	for (size_t i = 0; i < b.n; i++)
		b.at[i] = room(b.is[i].count * kernel_dtype_bytes(b.is[i].dtype));
	const size_t scratch = v->scratch_bytes ? v->scratch_bytes(c, &env) : 0;

	b.at[b.n] = room(scratch);
	memset(b.at[b.n], 0, scratch);
	emu::seed(seed);
	if (v->prepare)
		why = v->prepare(c, &env, b.at, &state);
	if (why)
		printf("#   %s\n", why);
	/* twice if a launch leaves something to the next */
	for (int i = 0; !why && i < (scratch ? 2 : 1) && (i == 0 || wrong == 0); i++) {
		const uint64_t drawn = drawn_of(c, seed + (uint64_t)i);

		fill(b, drawn);
		wrong = call(v, c, env, b, state) == 0 ? compare(f, c, all_outputs(b), drawn) : 1;
	}
	if (v->release && !why)
		v->release(state);
	for (size_t i = 0; i <= b.n; i++)
		free(b.at[i]);
	if (wrong)
		print_case(c, seed);
	return wrong == 0;
}

/* --- several GPUs --- */

enum { GPU_CALLS = 3 };

/* A case of several GPUs: its buffers, and what each call left. */
struct several {
	const struct kernel_family *f;
	const struct kernel_case *c;
	int gpus, early; /* early: calls that ended before all had begun them */
	uint64_t seed;
	std::vector<buffers> of;
	std::vector<void *> flat; /* as launch() gets them */
	std::vector<double> got[GPU_CALLS][KERNEL_MAX_GPUS];
	int before[GPU_CALLS][KERNEL_MAX_GPUS]; /* kernels that were enqueued earlier */
};

static uint64_t seed_of(const several &s, int call)
{
	return drawn_of(s.c, s.seed + (uint64_t)call);
}

/* What a GPU's stream does behind a call: its sums are whole, and its inputs belong to nobody else.
 */
static void end_call(several &s, int call, int gpu)
{
	const buffers &b = s.of[(size_t)gpu];

	for (int h = 0; h < s.gpus && (s.c->use & KERNEL_MEETS); h++)
		s.early += emu::kernels_begun(h) <= s.before[call][h];
	s.got[call][gpu] = all_outputs(b);
	for (size_t i = 0; i < b.n; i++)
		if (kernel_has(&b.is[i], gpu))
			memset(b.at[i], 0xff, b.is[i].count * kernel_dtype_bytes(b.is[i].dtype));
}

/* Enqueues a call: inputs and poison right before it on each GPU, and the same again behind it. */
static int enqueue_call(several &s, const struct kernel_variant *v, const struct kernel_env *env,
                        void *state, int call)
{
	for (int g = 0; g < s.gpus; g++) {
		s.before[call][g] = emu::kernels_enqueued(g);
		emu::enqueue(env->streams[g],
		             [&s, call, g] { fill(s.of[(size_t)g], seed_of(s, call)); });
	}
	const int rc = v->launch(s.c, env, s.flat.data(), state);

	for (int g = 0; g < s.gpus; g++)
		emu::enqueue(env->streams[g], [&s, call, g] { end_call(s, call, g); });
	return rc;
}

/* Wrong outputs of a call, and outputs whose bits differ between GPUs that should have the same. */
static size_t judge(const several &s, int call)
{
	std::vector<double> all;
	size_t wrong, differ = 0;
	bool alike = s.c->use & KERNEL_MEETS;

	for (int g = 0; g < s.gpus; g++)
		all.insert(all.end(), s.got[call][g].begin(), s.got[call][g].end());
	wrong = compare(s.f, s.c, all, seed_of(s, call));
	const size_t each = all.size() / (size_t)s.gpus;
	const expected &e = expect(s.f, s.c, all.size(), seed_of(s, call));

	for (const buffers &b : s.of) /* of GPUs that have other outputs nothing is the same */
		for (size_t i = 0; i < b.n; i++)
			alike = alike && !b.is[i].absent;
	for (size_t i = each; i < all.size() && alike; i++)
		differ += e.value[i] == e.value[i % each] && all[i] != all[i % each];
	if (differ)
		printf("#   %zu outputs are not the same on all GPUs\n", differ);
	if (wrong || differ)
		printf("#   call %d\n", call);
	return wrong + differ;
}

static void place(several &s, size_t scratch)
{
	for (int g = 0; g < s.gpus; g++) {
		buffers b = {};

		b.gpu = g;
		b.n = s.f->buffers(s.c, b.is);
		for (size_t i = 0; i < b.n; i++)
			if (kernel_has(&b.is[i], g))
				b.at[i] = room(b.is[i].count * kernel_dtype_bytes(b.is[i].dtype));
		b.at[b.n] = room(scratch);
		memset(b.at[b.n], 0, scratch);
		s.of.push_back(b);
		s.flat.insert(s.flat.end(), b.at, b.at + KERNEL_GPU_BUFFERS);
	}
}

/*
 * Calls follow each other without a pause, each on inputs of its own; one GPU is behind the others.
 * Whoever writes to a GPU before it begins a call finds its words poisoned; whoever reads its
 * inputs after it has ended one finds NaN.
 */
static bool run_gpus(const struct kernel_family *f, const struct kernel_variant *v,
                     const struct kernel_case *c, uint64_t seed)
{
	several s = {};
	void *streams[KERNEL_MAX_GPUS], *state = nullptr;
	struct kernel_env env = {};
	size_t wrong = 0;
	int rc = 0;

	s.f = f, s.c = c, s.gpus = kernel_gpus(c), s.seed = seed;
	env.sms = seed % 2 ? 1 : 3;
	env.gpus = s.gpus;
	env.streams = streams;
	place(s, v->scratch_bytes ? v->scratch_bytes(c, &env) : 0);
	emu::seed(seed);
	emu::gpus_open(s.gpus);
	for (int g = 0; g < s.gpus; g++)
		streams[g] = emu::gpu_stream(g);
	env.stream = streams[0];
	if (v->prepare && v->prepare(c, &env, s.flat.data(), &state))
		rc = 1;
	for (int call = 0; call < GPU_CALLS && !rc; call++)
		rc = enqueue_call(s, v, &env, state, call);
	emu::gpus_run((int)(seed % (unsigned)(s.gpus + 1)) - 1);
	for (int call = 0; call < GPU_CALLS && !rc && !wrong; call++)
		wrong = judge(s, call);
	if (s.early)
		printf("#   a GPU ended a call that another had not begun\n");
	if (v->release && !rc)
		v->release(state);
	for (void *p : s.flat)
		free(p);
	if (rc || wrong || s.early)
		print_case(c, seed);
	return !rc && !wrong && !s.early;
}

/* Threads one by one are slow: cases of more multiplications are left out. */
static const double MOST_TERMS = 1.5e8;

/* Elements of inputs, where a variant's own check reads them all. */
static const size_t MOST_READ = 300000;

static bool small(const struct kernel_family *f, const struct kernel_variant *v,
                  const struct kernel_case *c)
{
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	const size_t n = f->buffers(c, b);
	double terms = 0;
	size_t read = 0;

	for (size_t i = 0; i < n; i++)
		if (b[i].access == KERNEL_OUT)
			terms += (double)b[i].count * (double)f->terms(c);
		else
			read += b[i].count;
	return terms <= MOST_TERMS && (!v->owns_result || read <= MOST_READ);
}

static bool run_variant(const struct kernel_family *f, const struct kernel_variant *v, int seeds)
{
	int cases = 0;
	bool good = true;

	for (size_t i = 0; i < f->ncases && good; i++) {
		const struct kernel_case *const c = &f->cases[i];

		if (!(c->use & KERNEL_CHECK) || !small(f, v, c) || (v->supports && !v->supports(c)))
			continue;
		for (int s = 1; s <= seeds && good; s++, cases++)
			good = (kernel_gpus(c) > 1 ? run_gpus : run_case)(f, v, c, (uint64_t)s);
	}
	printf("%s - %s/%s, %d cases on the emulated GPU\n", good ? "ok" : "not ok", f->id, v->id,
	       cases);
	fflush(stdout);
	return good;
}

/* The least and the greatest value of a sweep at each case; a line of TAP for each of the two. */
static bool run_sweep(const struct kernel_family *f, const struct kernel_variant *of, int seeds)
{
	const struct kernel_knob *const knob = kernel_knob_of(f, of);
	struct kernel_variant v = *of;
	std::vector<struct kernel_case> cases(f->ncases);
	struct kernel_family swept = *f;
	char id[64];
	bool good = true;

	v.scratch_bytes = knob->scratch_bytes;
	v.prepare = knob->prepare;
	v.launch = knob->launch;
	const int last = kernel_knob_values(knob) - 1;

	for (int i = 0; i <= last; i += last) {
		for (size_t k = 0; k < f->ncases; k++)
			if (!kernel_knob_case(knob, &f->cases[k], i, &cases[k]))
				return false;
		snprintf(id, sizeof id, "%s:%s=%lld", of->id, knob->name,
		         (long long)knob->value[i]);
		v.id = id;
		swept.cases = cases.data();
		good &= run_variant(&swept, &v, seeds);
	}
	return good;
}

/* The variant of "resident:slots", if it was built with that knob. */
static const struct kernel_variant *swept(const struct kernel_family *f, const char *name)
{
	const char *const colon = strchr(name, ':');

	for (size_t i = 0; colon && i < f->nvariants; i++) {
		const struct kernel_variant *const v = &f->variants[i];
		const struct kernel_knob *const k = kernel_knob_of(f, v);

		if (strncmp(v->id, name, (size_t)(colon - name)) == 0 && !v->id[colon - name] &&
		    k && k->launch && strcmp(k->name, colon + 1) == 0)
			return v;
	}
	return nullptr;
}

static bool wanted(const char *id, char **names, int n)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], id) == 0)
			return true;
	return n == 0;
}

static const struct kernel_family *family_of(const char *id)
{
	size_t n;
	const struct kernel_family *const *const f = kernel_ceilings(&n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(f[i]->id, id) == 0)
			return f[i];
	return kernel_family_find(id);
}

int main(int argc, char **argv)
{
	bool good = true;

	if (argc < 3) {
		fprintf(stderr, "usage: emulate SEEDS FAMILY [VARIANT...]\n");
		return 2;
	}
	const struct kernel_family *const f = family_of(argv[2]);

	if (!f) {
		fprintf(stderr, "emulate: no family '%s'\n", argv[2]);
		return 2;
	}
	if (argc == 4 && strchr(argv[3], ':')) {
		const struct kernel_variant *const v = swept(f, argv[3]);

		return v && run_sweep(f, v, atoi(argv[1])) ? 0 : 1;
	}
	for (size_t i = 0; i < f->nvariants; i++)
		if (f->variants[i].where == KERNEL_CUDA && f->variants[i].launch &&
		    wanted(f->variants[i].id, argv + 3, argc - 3))
			good &= run_variant(f, &f->variants[i], atoi(argv[1]));
	return good ? 0 : 1;
}
