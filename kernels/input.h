/*
 * kernels/input.h - the inputs of every case: a pure function of (seed, buffer,
 * index), so host reference and device fill agree without a copy. The top bits
 * of the seed are the kind of input: enum input_kind.
 *
 * Finite values lie in [-1, 1) on a grid that the element type holds exactly:
 * multiples of 2^-23 for f32, of 2^-7 for bf16, of 2^-3 for e4m3. So sums of
 * bf16 products are exact in f32, in any order. But few bits of the mantissas
 * are set, which draws less power; full inputs have them all (INPUT_FULL). Zero
 * has no special weight. The hash is the finaliser of SplitMix64 (Steele, Lea
 * and Flood, OOPSLA 2014, doi 10.1145/2660193.2660195).
 */
#ifndef KERNELS_INPUT_H
#define KERNELS_INPUT_H

#include <math.h>
#include <string.h>

#include "kernels/e4m3.h"
#include "kernels/kernel.h"

#ifdef __CUDACC__
#define INPUT_FN static __host__ __device__ inline
#else
#define INPUT_FN static inline
#endif

/* 64 random bits of element `i` of buffer number `buffer`. */
INPUT_FN uint64_t input_bits(uint64_t seed, unsigned buffer, size_t i)
{
    uint64_t z = seed + 0x9e3779b97f4a7c15ull * (i + 1) +
                 0xd1b54a32d192ed03ull * (buffer + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/* How the elements are drawn. Measurements use the first four kinds; the next
   two test whether a variant passes NaN and infinities on, and the last has
   products whose sums are exact. */
enum input_kind {
    INPUT_UNIFORM, /* uniform in [-1, 1) */
    INPUT_ZEROS,   /* all +0 */
    INPUT_NORMAL,  /* sum of eight uniforms (Irwin-Hall) in [-1, 1): mean 0,
                      standard deviation sqrt(8/12)/4 = 0.204 */
    INPUT_FULL,    /* uniform in [-1, 1], a multiple of 2^-31 rounded to the
                      element type, to nearest and ties to even. For e4m3 in
                      [-448, 448]: such data, scaled to the type's range, are
                      what a quantiser makes */
    INPUT_NAN,     /* uniform, but about one in INPUT_PERIOD is NaN */
    INPUT_INF,     /* uniform, but about one in INPUT_PERIOD is infinite; NaN
                      in e4m3, which has no infinities */
    INPUT_GRID,    /* integers times a power of two: input_unit() */
    INPUT_KINDS,
};

enum { INPUT_KIND_SHIFT = 61, INPUT_PERIOD = 4099, INPUT_FIRST = 3 };

/* The seed with its kind replaced. */
INPUT_FN uint64_t input_seed(enum input_kind kind, uint64_t seed)
{
    return ((uint64_t)kind << INPUT_KIND_SHIFT) |
           (seed & ((1ull << INPUT_KIND_SHIFT) - 1));
}

INPUT_FN enum input_kind input_kind(uint64_t seed)
{
    return (enum input_kind)(seed >> INPUT_KIND_SHIFT);
}

/* Sum of the 16-bit quarters of z. */
INPUT_FN int32_t input_quarters(uint64_t z)
{
    return (int32_t)((z & 0xffff) + (z >> 16 & 0xffff) + (z >> 32 & 0xffff) +
                     (z >> 48));
}

/* 2^18 times a normal element: in [-2^18, 2^18). */
INPUT_FN int32_t input_normal(uint64_t seed, unsigned buffer, size_t i)
{
    return input_quarters(input_bits(seed, buffer, 2 * i)) +
           input_quarters(input_bits(seed, buffer, 2 * i + 1)) - (1 << 18);
}

/*
 * Is element `i` of a seed with NaN or infinities one of them? One in every
 * INPUT_PERIOD, the first of them among the first INPUT_FIRST elements.
 */
INPUT_FN bool input_is_special(uint64_t seed, unsigned buffer, size_t i)
{
    return i % INPUT_PERIOD == (seed + buffer) % INPUT_FIRST;
}

INPUT_FN float input_special(uint64_t seed, unsigned buffer, size_t i)
{
    if (input_kind(seed) == INPUT_NAN)
        return NAN;
    return input_bits(seed, buffer, i) >> 63 ? -INFINITY : INFINITY;
}

/* Full element `i`, as f32 or rounded to bf16. All in integers but for the
   conversion, so that host and device agree. */
INPUT_FN float input_full(bool bf16, uint64_t z)
{
    const float x = (float)(int32_t)(uint32_t)(z >> 32) * (1.0f / (1u << 31));
    uint32_t bits;
    float rounded;

    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x7fffu + (bits >> 16 & 1)) & 0xffff0000u;
    memcpy(&rounded, &bits, sizeof rounded);
    return bf16 ? rounded : x;
}

/*
 * Element `i` of a kind other than uniform, as f32, or exact in bf16: the
 * grid is 2^-23 (2^-18 for normal elements), or 2^-7. Full elements have none.
 */
INPUT_FN float input_other(bool bf16, uint64_t seed, unsigned buffer, size_t i)
{
    const enum input_kind kind = input_kind(seed);
    const uint64_t z = input_bits(seed, buffer, i);

    if (kind == INPUT_ZEROS)
        return 0;
    if (kind == INPUT_FULL)
        return input_full(bf16, z);
    if (kind == INPUT_NORMAL) {
        const int32_t units = input_normal(seed, buffer, i);

        return bf16 ? (float)((units + (1 << 18)) / (1 << 11) - 128) / 128
                    : (float)units / (1 << 18);
    }
    if (kind != INPUT_UNIFORM && input_is_special(seed, buffer, i))
        return input_special(seed, buffer, i);
    return bf16 ? (float)((int32_t)(z >> 56) - 128) / 128
                : (float)((int32_t)(z >> 40) - (1 << 23)) / (1 << 23);
}

/* Element `i` as f32. Uniform: a multiple of 2^-23 in [-1, 1). */
INPUT_FN float input_f32(uint64_t seed, unsigned buffer, size_t i)
{
    if (input_kind(seed) != INPUT_UNIFORM)
        return input_other(false, seed, buffer, i);
    return (float)((int32_t)(input_bits(seed, buffer, i) >> 40) - (1 << 23)) *
           (1.0f / (1 << 23));
}

/* Element `i` as the f32 value of a bf16. Uniform: a multiple of 2^-7. */
INPUT_FN float input_bf16(uint64_t seed, unsigned buffer, size_t i)
{
    if (input_kind(seed) != INPUT_UNIFORM)
        return input_other(true, seed, buffer, i);
    return (float)((int32_t)(input_bits(seed, buffer, i) >> 56) - 128) *
           (1.0f / 128);
}

/* Octaves of keys that range over [0, range): see input_key(). */
INPUT_FN uint64_t input_octaves(int64_t range)
{
    uint64_t octaves = 1;

    while ((1ll << octaves) - 1 < range)
        octaves++;
    return octaves;
}

/* The key that random bits z draw of so many octaves. */
INPUT_FN int64_t input_zipf(uint64_t z, uint64_t octaves, int64_t range)
{
    const uint64_t drawn = (z >> 32) * octaves >> 32;
    const int64_t key =
        (1ll << drawn) - 1 + (int64_t)((z & 0xffffffff) << drawn >> 32);

    return key < range ? key : key - range;
}

/*
 * A key in [0, range) (KERNEL_KEYS, KERNEL_ZIPF, KERNEL_ONEKEY). A seed of
 * zeros gives key 0 alone; to keys the other kinds of seed are the same.
 *
 * Uniform: 32 random bits times range, shifted down (Lemire, ACM TOMACS 29,
 * 2019, doi 10.1145/3230636), uneven by range / 2^32 at most. Zipf, with
 * exponent 1, in steps of an octave: all octaves [2^o - 1, 2^(o+1) - 1) of
 * keys are as likely as each other, and the keys within one too; what lies
 * beyond the range starts again at 0. All in integers, so that host and
 * device agree.
 */
INPUT_FN int64_t input_key(enum kernel_draw draw, int64_t range, uint64_t seed,
                           unsigned buffer, size_t i)
{
    const uint64_t z = input_bits(seed, buffer, draw == KERNEL_ONEKEY ? 0 : i);

    if (input_kind(seed) == INPUT_ZEROS)
        return 0;
    if (draw != KERNEL_ZIPF)
        return (int64_t)((z >> 32) * (uint64_t)range >> 32);
    return input_zipf(z, input_octaves(range), range);
}

/* Element `i` of a buffer of f32 or bf16. */
INPUT_FN float input_value(enum kernel_dtype t, uint64_t seed, unsigned buffer,
                           size_t i)
{
    return t == KERNEL_BF16 ? input_bf16(seed, buffer, i)
                            : input_f32(seed, buffer, i);
}

/* Element `i` of input number `buffer`, which is like *b, exactly. */
INPUT_FN double input_number(const struct kernel_buffer *b, uint64_t seed,
                             unsigned buffer, size_t i)
{
    if (b->draw != KERNEL_REAL)
        return (double)input_key(b->draw, b->range, seed, buffer, i);
    return (double)input_value(b->dtype, seed, buffer, i);
}

/*
 * Elements of the grid are integers times 2 to this power: -128 to 127 for f32
 * and bf16. For e4m3 they are 1, 2 and 3, of either sign. Sums of 2^14 products
 * must fit into the 14 bits with which tensor cores add up FP8, and have more
 * than the 8 bits of a bf16, or nobody would see how it was rounded. No term
 * may be zero, or a sum without it would be right.
 */
INPUT_FN int input_unit(enum kernel_dtype t)
{
    return t == KERNEL_E4M3 ? -2 : -7;
}

/* The integer of element `i` of the grid. */
INPUT_FN int input_grid(enum kernel_dtype t, uint64_t seed, unsigned buffer,
                        size_t i)
{
    const int z = (int)(input_bits(seed, buffer, i) >> 56);

    if (t == KERNEL_E4M3)
        return (z & 0x80 ? -1 : 1) * (1 + (z & 0x7f) * 3 / 128);
    return z - 128;
}

/* The bits of element `i` of e4m3. Uniform: a multiple of 2^-3. */
INPUT_FN unsigned input_e4m3(uint64_t seed, unsigned buffer, size_t i)
{
    const enum input_kind kind = input_kind(seed);
    const uint64_t z = input_bits(seed, buffer, i);

    if (kind == INPUT_ZEROS)
        return 0;
    if (kind == INPUT_FULL)
        return e4m3_nearest((int64_t)(int32_t)(uint32_t)(z >> 32) * E4M3_MOST,
                            -31);
    if (kind == INPUT_NORMAL)
        return e4m3_nearest(input_normal(seed, buffer, i), -18);
    if (kind == INPUT_GRID)
        return e4m3_nearest(input_grid(KERNEL_E4M3, seed, buffer, i) * 128, -9);
    if (kind != INPUT_UNIFORM && input_is_special(seed, buffer, i))
        return E4M3_NAN;
    return e4m3_nearest(((int64_t)(z >> 60) - 8) * 64, -9);
}

/*
 * Element `i` of a buffer of f32, bf16 or e4m3, of any kind; the other
 * functions know neither e4m3 nor the grid. They are part of references whose
 * machine code records name, so they stay as they are.
 */
INPUT_FN float input_real(enum kernel_dtype t, uint64_t seed, unsigned buffer,
                          size_t i)
{
    if (t == KERNEL_E4M3)
        return (float)e4m3_value(input_e4m3(seed, buffer, i));
    if (input_kind(seed) == INPUT_GRID)
        return (float)input_grid(t, seed, buffer, i) / 128;
    return input_value(t, seed, buffer, i);
}

#endif
