#include "runner/device/exact.h"

#include "kernels/product.h"

bool exact_of(const struct kernel_family *f, const struct kernel_case *c, struct exact_product *x)
{
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	if (kernel_gpus(c) > 1 || !kernel_product(f, c, &x->p))
		return false;
	f->buffers(c, b);
	x->a = b[x->p.a.buffer].dtype;
	x->b = b[x->p.b.buffer].dtype;
	x->out = b[x->p.out.buffer].dtype;
	x->unit = product_unit(&x->p, b);
	return product_is_exact(&x->p, b);
}

const char *exact_inputs(enum kernel_dtype t)
{
	return t == KERNEL_E4M3 ? "1/4, 1/2 and 3/4 of either sign" : "multiples of 2^-7";
}
