/*
 * runner/device/element.h - reading and writing single elements of buffers, in host and
 * device code: values, bits, inputs and byte patterns.
 */
#ifndef RUNNER_DEVICE_ELEMENT_H
#define RUNNER_DEVICE_ELEMENT_H

#include <string.h>

#include "kernels/cache.h"
#include "kernels/decode/scales.h"
#include "kernels/mla/latent.h"
#include "kernels/query.h"

INPUT_FN double element_float(uint32_t bits)
{
	float v;
	memcpy(&v, &bits, sizeof v);
	return (double)v;
}

/* The value of element i of the buffer at p. */
INPUT_FN double element_get(enum kernel_dtype t, const void *p, size_t i)
{
	switch (t) {
	case KERNEL_F32:
		return element_float(((const uint32_t *)p)[i]);
	case KERNEL_BF16:
		return element_float((uint32_t)((const uint16_t *)p)[i] << 16);
	case KERNEL_I32:
		return ((const int32_t *)p)[i];
	case KERNEL_U8:
		return ((const uint8_t *)p)[i];
	case KERNEL_I8:
		return ((const int8_t *)p)[i];
	case KERNEL_E4M3:
		return e4m3_value(((const uint8_t *)p)[i]);
	case KERNEL_DTYPE_COUNT:
		break;
	}
	return (double)NAN;
}

/* The bits of element i of the buffer at p, as an integer. */
INPUT_FN uint32_t element_bits(size_t bytes, const void *p, size_t i)
{
	return bytes == 4   ? ((const uint32_t *)p)[i]
	       : bytes == 2 ? ((const uint16_t *)p)[i]
	                    : ((const uint8_t *)p)[i];
}

/* The bits of element i of input number `buffer`, which *b describes. */
INPUT_FN uint32_t element_input(const struct kernel_buffer *b, uint64_t seed, unsigned buffer,
                                size_t i)
{
	const struct cache_shape cache = cache_shape_of(b->range);
	uint32_t bits;
	float v;
	if (latent_is(b))
		return latent_bits(b, seed, buffer, i);
	if (scales_is(b))
		return scales_bits(b, seed, i);
	if (b->draw == KERNEL_CACHE)
		return cache_bits_at(&cache, seed, buffer, i);
	if (b->draw != KERNEL_REAL && b->draw != KERNEL_QUERIES && b->draw != KERNEL_PROBES)
		return (uint32_t)input_key(b->draw, b->range, seed, buffer, i);
	if (b->dtype == KERNEL_E4M3 && b->draw == KERNEL_REAL)
		return input_e4m3(seed, buffer, i);
	v = b->draw == KERNEL_QUERIES  ? query_value(b, seed, buffer, i)
	    : b->draw == KERNEL_PROBES ? cache_query(&cache, seed, buffer, i)
	                               : input_real(b->dtype, seed, buffer, i);
	if (b->dtype == KERNEL_E4M3)
		return e4m3_nearest((int64_t)(v * 512), E4M3_LEAST); /* exact in e4m3 */
	memcpy(&bits, &v, sizeof bits);
	return b->dtype == KERNEL_BF16 ? bits >> 16 : bits; /* exact in bf16 */
}

INPUT_FN void element_put(size_t bytes, void *p, size_t i, uint32_t bits)
{
	if (bytes == 4)
		((uint32_t *)p)[i] = bits;
	else if (bytes == 2)
		((uint16_t *)p)[i] = (uint16_t)bits;
	else
		((uint8_t *)p)[i] = (uint8_t)bits;
}

/* A hash of the bits of element i. */
INPUT_FN uint64_t element_hash(size_t bytes, const void *p, size_t i)
{
	return input_bits(element_bits(bytes, p, i), 0, i);
}

/* An element whose every byte is `byte`. */
INPUT_FN uint32_t element_of_bytes(size_t bytes, int byte)
{
	return (uint32_t)byte * 0x01010101u >> (32 - 8 * bytes);
}

#endif
