#include "runner/plan/footprint.h"

static size_t align_up(size_t n)
{
	return (n + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
}

size_t footprint_buffer(const struct kernel_buffer *b)
{
	return b->count * kernel_dtype_bytes(b->dtype);
}

size_t footprint_zone(size_t n)
{
	return GUARD_BYTES + align_up(n) + GUARD_BYTES;
}

size_t footprint_data(const struct item *it)
{
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	size_t n = it->family->buffers(it->kcase, b), sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += footprint_buffer(&b[i]);
	return sum;
}

size_t footprint_set(const struct item *it)
{
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	size_t n = it->family->buffers(it->kcase, b), sum = footprint_zone(it->scratch_bytes);
	for (size_t i = 0; i < n; i++)
		sum += footprint_zone(footprint_buffer(&b[i]));
	return sum;
}

size_t footprint_item(const struct item *it)
{
	return it->sets * it->set_bytes + FAR_BYTES;
}
