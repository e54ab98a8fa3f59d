/*
 * kernels/input_many.h - the inputs of kernels/input.h, many at once. A
 * reference adds up or counts a billion of them; one at a time they would take
 * longer than all measurements. The integers are the same, from the same
 * functions, compiled for the widest vectors of the processor.
 */
#ifndef KERNELS_INPUT_MANY_H
#define KERNELS_INPUT_MANY_H

#include "kernels/kernel.h"

/* A sum in units of 2^-23, and that of the magnitudes. */
struct input_sum {
    int64_t sum, size;
};

/*
 * Elements begin … end - 1 of input number `buffer`, which is like *b: f32 or
 * keys. Returns false and does nothing if they are not drawn uniformly or not
 * all finite; the caller then goes through them one by one. The sum must fit:
 * 2^30 elements of f32 do, or as many keys of 0 and 1.
 */
bool input_many_sum(const struct kernel_buffer *b, uint64_t seed,
                    unsigned buffer, size_t begin, size_t end,
                    struct input_sum *out);

/* Keys begin … begin + n - 1 of that input, however they are drawn. */
void input_many_keys(const struct kernel_buffer *b, uint64_t seed,
                     unsigned buffer, size_t begin, size_t n, uint32_t *key);

#endif
