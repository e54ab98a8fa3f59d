/*
 * A chain of additions.
 *
 * Each addition waits for the one before. So the time is the number of
 * additions times the latency of one, whatever memory, caches and compiler do.
 * `pad` per mille more additions take `pad` per mille more time. The chain adds
 * zeros, which the compiler cannot know, so the result stays exact.
 */
#include "runner/selftest_chain.h"

#include <math.h>

#include "kernels/input.h"

const int64_t selftest_pad[SELFTEST_PLANTED] = {5, 10, 20};

/* The end of an element's chain, times zero, begins the next one: all are one chain. */
static int chain(const struct kernel_case *c, const struct kernel_env *env, void *const *buf,
                 void *state)
{
	const int64_t n = kernel_num(c, "n"), steps = kernel_num(c, "steps");
	/* beside its steps, an element adds `carry` and multiplies once: as slow as two steps */
	const int64_t more = n * (steps + 2) * kernel_num(c, "pad") / 1000;
	const float *x = buf[0];
	float *y = buf[1], carry = 0;
	volatile float hidden = 0;
	const float zero = hidden;

	(void)env, (void)state;
	for (int64_t i = 0; i < n; i++) {
		float v = x[i] + carry;
		for (int64_t k = 0; k < steps; k++)
			v += zero;
		y[i] = 2 * v;
		carry = v * zero;
	}
	for (int64_t k = 0; k < more; k++)
		carry += zero;
	hidden = carry;
	return 0;
}

static size_t buffers(const struct kernel_case *c, struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
	const size_t n = (size_t)kernel_num(c, "n");
	b[0] = kernel_in("x", c->dtype, n);
	b[1] = kernel_out("y", c->dtype, n);
	return 2;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
	const int64_t n = kernel_num(c, "n");
	*m = (struct kernel_model){.flop = n * kernel_num(c, "steps"),
	                           .bytes_read = 4 * n,
	                           .bytes_written = 4 * n,
	                           .formula = "n · steps additions, without the padding",
	                           .unit = "fp32",
	                           .level = "hbm"};
}

static void expect(const struct kernel_case *c, uint64_t seed, const size_t *idx, size_t n,
                   double *value, double *magnitude)
{
	for (size_t i = 0; i < n; i++) {
		value[i] = 2 * (double)input_value(c->dtype, seed, 0, idx[i]);
		magnitude[i] = fabs(value[i]);
	}
}

static size_t terms(const struct kernel_case *c)
{
	(void)c;
	return 1;
}

static double tolerance(const struct kernel_case *c, const char **why)
{
	(void)c;
	*why = "adding zero and doubling are exact";
	return 0;
}

static const struct kernel_variant variants[] = {
        {.id = "chain",
         .title = "chain of additions, on the GPU",
         .idea = "Every thread adds one number after the other.",
         .where = KERNEL_CUDA,
         .role = KERNEL_OWN,
         .file = "runner/selftest_chain_cuda.cu",
         .launch = selftest_chain_cuda},
        {.id = "c_chain",
         .title = "chain of additions, in C",
         .idea = "One core adds one number after the other.",
         .where = KERNEL_CPU,
         .role = KERNEL_OWN,
         .file = "runner/selftest_chain.c",
         .launch = chain},
};

#define CASE(n_, steps_, pad_, use_)                                                           \
	{                                                                                      \
		.param = {{"n", n_, 0}, {"steps", steps_, 0}, {"pad", pad_, 0}}, .nparams = 3, \
		.dtype = KERNEL_F32, .use = KERNEL_HOT | (use_)                                \
	}
#define CASES(n, steps, use)                                                     \
	CASE(n, steps, 0, use), CASE(n, steps, 5, use), CASE(n, steps, 10, use), \
	        CASE(n, steps, 20, use)

/*
 * A call takes some 50 microseconds on either device. Elements are few and
 * chains are long, so that nearly all of the time is additions. On the GPU each
 * scheduler has at most one warp, or chains would take turns. The loop there
 * adds 16 times a turn, and half a percent of the steps is a multiple of 16. So
 * each padding is exactly what its name says.
 */
static const struct kernel_case cases[] = {
        CASES(4, 8192, KERNEL_MEASURE_CPU),
        CASES(1 << 14, 32000, KERNEL_MEASURE_CUDA),
};

const struct kernel_family selftest_family = {
        .id = "selftest",
        .title = "Known differences",
        .problem = "Doubles n numbers after adding zero many times, and a known share more: what "
                   "the instrument is tested with.",
        .metric = "throughput",
        .file = "runner/selftest_chain.c",
        .cases = cases,
        .ncases = sizeof cases / sizeof cases[0],
        .variants = variants,
        .nvariants = sizeof variants / sizeof variants[0],
        .buffers = buffers,
        .model = model,
        .expect = expect,
        .terms = terms,
        .tolerance = tolerance,
};
