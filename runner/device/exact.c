#include "runner/device/exact.h"

/* A product of groups: the matrices that all groups have in common, and the largest group. */
static void deal_out(struct exact_product *x)
{
	x->p.a.next = x->p.out.next = 0;
	for (size_t t = 0; t < x->p.count; t++) {
		size_t end, begin = exact_rows(x, t, &end);
		x->most = end - begin > x->most ? end - begin : x->most;
	}
}

bool exact_of(const struct kernel_family *f, const struct kernel_case *c, struct exact_product *x)
{
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	*x = (struct exact_product){.grouped = false};
	if (kernel_gpus(c) > 1 || !kernel_product(f, c, &x->p))
		return false;
	f->buffers(c, b);
	x->a = b[x->p.a.buffer].dtype;
	x->b = b[x->p.b.buffer].dtype;
	x->out = b[x->p.out.buffer].dtype;
	x->unit = product_unit(&x->p, b);
	x->most = x->p.rows;
	x->grouped = kernel_groups(f, c, &x->g);
	if (x->grouped) {
		x->most = 0;
		deal_out(x);
	}
	return product_is_exact(&x->p, b);
}

size_t exact_outputs(const struct exact_product *x)
{
	return (x->grouped ? (size_t)x->g.begin[x->p.count] : x->p.count * x->p.rows) * x->p.cols;
}

double exact_value(const struct exact_product *x, const struct kernel_buffer *b, uint64_t seed,
                   size_t at)
{
	const struct product_error none = {0};
	double value, magnitude;
	if (x->grouped)
		groups_expect(&x->p, &x->g, b, seed, none, &at, 1, &value, &magnitude);
	else
		product_expect(&x->p, b, seed, none, &at, 1, &value, &magnitude);
	return value;
}

const char *exact_inputs(enum kernel_dtype t)
{
	return t == KERNEL_E4M3 ? "1/4, 1/2 and 3/4 of either sign" : "multiples of 2^-7";
}
