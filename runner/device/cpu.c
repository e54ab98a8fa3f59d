/*
 * The CPU as a device: its memory is host memory, a call is done when it returns, and the
 * stopwatch is clock_ns().
 */
#include <errno.h>
#include <fenv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernels/made.h"
#include "runner/base/clock.h"
#include "runner/device/device.h"
#include "runner/device/element.h"
#include "runner/device/job.h"

struct cpu {
	int64_t batch;
};

static void cpu_facts(struct facts *f, int gpus)
{
	(void)gpus;
	machine_cpu_facts(f);
}

static bool cpu_open(struct device *d, const struct facts *f, size_t bytes, struct err *e)
{
	d->backend = &backend_cpu;
	d->env = (struct kernel_env){.threads = f->threads, .gpus = 1};
	d->size = bytes;
	d->mem[0] = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (d->mem[0] == MAP_FAILED)
		return err_sys(e, "cannot map %zu bytes", bytes);
	madvise(d->mem[0], bytes, MADV_HUGEPAGE); /* only a hint: may fail */
	d->own = calloc(1, sizeof(struct cpu));
	if (!d->own)
		return err_set(e, "out of memory");
	return true;
}

static bool cpu_calibrate(struct device *d, struct calibration *c, struct err *e)
{
	(void)d, (void)e;
	*c = (struct calibration){.tick_ns = 1e9};
	for (size_t i = 0; i < CALIBRATION_SAMPLES; i++) {
		int64_t t0 = clock_ns(), t1 = clock_ns(), t2 = t1;
		c->empty_pair_ns[c->nempty_pair++] = t1 - t0;
		while (t2 == t1)
			t2 = clock_ns();
		if ((double)(t2 - t1) < c->tick_ns)
			c->tick_ns = (double)(t2 - t1);
	}
	return true;
}

enum { STRETCH = 1024 }; /* elements of an input that are drawn at a time */

/*
 * The bits of elements `from` to `to` of an input. Uniform floats have a loop of their own, because
 * element_input() asks of every element what it is, which took most of the time of a check.
 */
static void draw(const struct kernel_buffer *b, uint64_t seed, unsigned buffer, size_t from,
                 size_t to, uint32_t out[STRETCH])
{
	const int32_t *made = kernel_made_is(b);
	bool floats = !made && b->draw == KERNEL_REAL && b->dtype == KERNEL_F32 &&
	              input_kind(seed) == INPUT_UNIFORM;
	for (size_t i = from; floats && i < to; i++) {
		float v = input_f32(seed, buffer, i);
		memcpy(&out[i - from], &v, sizeof v);
	}
	for (size_t i = from; !floats && i < to; i++)
		out[i - from] = made ? (uint32_t)made[i] : element_input(b, seed, buffer, i);
}

static size_t stretch_end(const struct kernel_buffer *b, size_t from)
{
	return b->count - from < STRETCH ? b->count : from + STRETCH;
}

static int cpu_fill(struct device *d, void *p, const struct kernel_buffer *b, uint64_t seed,
                    unsigned buffer)
{
	const size_t bytes = kernel_dtype_bytes(b->dtype);
	uint32_t bits[STRETCH];
	(void)d;
	for (size_t from = 0; from < b->count; from = stretch_end(b, from)) {
		const size_t to = stretch_end(b, from);
		draw(b, seed, buffer, from, to, bits);
		for (size_t i = from; i < to; i++)
			element_put(bytes, p, i, bits[i - from]);
	}
	return 0;
}

static int cpu_set(struct device *d, void *p, int byte, size_t n)
{
	(void)d;
	memset(p, byte, n);
	return 0;
}

static int cpu_mark(struct device *d, const struct zone *guard, size_t n)
{
	(void)d;
	for (size_t z = 0; z < n; z++)
		memset(guard[z].p, guard[z].byte, guard[z].n);
	return 0;
}

static int cpu_copy(struct device *d, void *to, const void *from, size_t n)
{
	(void)d;
	memcpy(to, from, n);
	return 0;
}

/* Resets the floating-point environment: a variant may have set rounding or flush-to-zero. */
static int cpu_finish(struct device *d)
{
	(void)d;
	return fesetenv(FE_DFL_ENV);
}

static int cpu_gather(struct device *d, const void *p, enum kernel_dtype t, const size_t *idx,
                      size_t n, double *out)
{
	(void)d;
	for (size_t i = 0; i < n; i++)
		out[i] = element_get(t, p, idx[i]);
	return 0;
}

static int cpu_unwritten(struct device *d, const void *p, const struct kernel_buffer *b, size_t *n)
{
	const size_t bytes = kernel_dtype_bytes(b->dtype);
	const uint32_t poison = element_of_bytes(bytes, kernel_dtype_poison(b->dtype));
	(void)d;
	*n = 0;
	for (size_t i = 0; i < b->count; i++)
		*n += element_bits(bytes, p, i) == poison;
	return 0;
}

static int cpu_disturbed(struct device *d, const struct zone *guard, size_t n, size_t *bytes)
{
	(void)d;
	*bytes = 0;
	for (size_t z = 0; z < n; z++)
		for (size_t i = 0; i < guard[z].n; i++)
			*bytes += (unsigned char)guard[z].p[i] != guard[z].byte;
	return 0;
}

static int cpu_changed(struct device *d, const void *p, const struct kernel_buffer *b,
                       uint64_t seed, unsigned buffer, size_t *n)
{
	const size_t bytes = kernel_dtype_bytes(b->dtype);
	uint32_t bits[STRETCH];
	(void)d;
	*n = 0;
	for (size_t from = 0; from < b->count; from = stretch_end(b, from)) {
		const size_t to = stretch_end(b, from);
		draw(b, seed, buffer, from, to, bits);
		for (size_t i = from; i < to; i++)
			*n += element_bits(bytes, p, i) != bits[i - from];
	}
	return 0;
}

static int cpu_digest(struct device *d, const void *p, const struct kernel_buffer *b, uint64_t *sum)
{
	(void)d;
	for (size_t i = 0; i < b->count; i++)
		*sum += element_hash(kernel_dtype_bytes(b->dtype), p, i);
	return 0;
}

/* The integers of rows `begin` to `end` of matrix t of b or, if `of_a`, of a. */
static int8_t *integers(const struct exact_product *x, bool of_a, const void *p, size_t t,
                        size_t begin, size_t end)
{
	const struct kernel_matrix *m = of_a ? &x->p.a : &x->p.b;
	const enum kernel_dtype type = of_a ? x->a : x->b;
	const size_t depth = x->p.depth, bytes = kernel_dtype_bytes(type);
	int8_t *out = malloc((end - begin) * depth + 1);
	for (size_t i = begin; out && i < end; i++)
		for (size_t k = 0; k < depth; k++) {
			const size_t row = of_a ? exact_row_of_a(x, i) : i;
			out[(i - begin) * depth + k] = (int8_t)exact_integer(
			        type, element_bits(bytes, p, exact_at(m, t, row, k)));
		}
	return out;
}

/* Products of -128 to 127: int32 holds a sum of 2^17. */
static int32_t dot(const int8_t *a, const int8_t *b, size_t n)
{
	int32_t sum = 0;
	for (size_t k = 0; k < n; k++)
		sum += a[k] * b[k];
	return sum;
}

static void compare_product(const struct exact_product *x, size_t t, const int8_t *a,
                            const int8_t *b, const void *out, struct exact_found *found)
{
	size_t end, begin = exact_rows(x, t, &end);
	for (size_t i = begin; i < end; i++)
		for (size_t j = 0; j < x->p.cols; j++) {
			const size_t at = exact_at(&x->p.out, t, i, j), n = x->p.depth;
			const int64_t sum = x->p.times * dot(a + (i - begin) * n, b + j * n, n);
			if (exact_right(x->out, element_bits(kernel_dtype_bytes(x->out), out, at),
			                sum, x->unit))
				continue;
			found->wrong++;
			found->first = at < found->first ? at : found->first;
		}
}

static int cpu_product(struct device *d, const struct exact_product *x, void *const *buf,
                       struct exact_found *found)
{
	const struct kernel_product *p = &x->p;
	int rc = 0;
	(void)d;
	*found = (struct exact_found){0, ~0ull};
	for (size_t t = 0; t < p->count && !rc; t++) {
		size_t end, begin = exact_rows(x, t, &end);
		int8_t *a = integers(x, true, buf[p->a.buffer], t, begin, end),
		       *b = integers(x, false, buf[p->b.buffer], t, 0, p->cols);
		rc = a && b ? 0 : ENOMEM;
		if (!rc)
			compare_product(x, t, a, b, buf[p->out.buffer], found);
		free(a);
		free(b);
	}
	return rc;
}

static int cpu_begin(struct device *d, struct job *j, enum timer t, int64_t batch)
{
	(void)j, (void)t;
	((struct cpu *)d->own)->batch = batch;
	return 0;
}

static int cpu_sample(struct device *d, struct job *j, int64_t *ns, size_t n, int64_t *wall_ns)
{
	int64_t batch = ((struct cpu *)d->own)->batch, start = clock_ns();
	int rc = 0;
	for (size_t i = 0; i < n && !rc; i++) {
		int64_t t0 = clock_ns();
		for (int64_t b = 0; b < batch && !rc; b++)
			rc = job_call(j);
		ns[i] = clock_ns() - t0;
	}
	*wall_ns = clock_ns() - start;
	return rc;
}

static int cpu_rest(struct device *d)
{
	(void)d;
	return 0;
}

static void cpu_end(struct device *d)
{
	(void)d;
}

const struct backend backend_cpu = {
        .name = "cpu",
        .where = KERNEL_CPU,
        .facts = cpu_facts,
        .open = cpu_open,
        .calibrate = cpu_calibrate,
        .fill = cpu_fill,
        .set = cpu_set,
        .mark = cpu_mark,
        .copy = cpu_copy,
        .finish = cpu_finish,
        .gather = cpu_gather,
        .unwritten = cpu_unwritten,
        .disturbed = cpu_disturbed,
        .changed = cpu_changed,
        .digest = cpu_digest,
        .product = cpu_product,
        .begin = cpu_begin,
        .sample = cpu_sample,
        .rest = cpu_rest,
        .end = cpu_end,
};
