/*
 * kernels/quantize/pack.cuh - from bf16 to a byte, many at a time.
 *
 * The magnitude of a bf16, read as an integer, grows with its value. So the
 * maximum of magnitudes is one of integers, two in a word at once, and the
 * warp has an instruction that takes it over all lanes (redux.sync).
 */
#ifndef KERNELS_QUANTIZE_PACK_CUH
#define KERNELS_QUANTIZE_PACK_CUH

#include "kernels/bf16.h"
#include "kernels/quantize/quantize.h"
#include "kernels/warp.h"

#define PACK_FN static __device__ __forceinline__

enum { PACK_WIDTH = 8 /* bf16 in a vector of 16 bytes */ };

enum pack_format { PACK_E4M3, PACK_I8 };

template <pack_format F> constexpr float pack_top = F == PACK_E4M3 ? 448 : 127;

/* ---- magnitudes ---- */

/* Compares |x| with `so_far`, each a pair of bf16 in a word, as integers of 16
 * bits. Returns the larger magnitude of each half. */
PACK_FN uint32_t pack_larger(uint32_t so_far, uint32_t x)
{
    return __vmaxu2(so_far, x & 0x7fff7fffu);
}

/* The same for the eight elements of a vector. */
PACK_FN uint32_t pack_largest(uint32_t so_far, uint4 v)
{
    so_far = pack_larger(so_far, v.x);
    so_far = pack_larger(so_far, v.y);
    so_far = pack_larger(so_far, v.z);
    return pack_larger(so_far, v.w);
}

/* The larger of the two halves: the bits of a bf16. */
PACK_FN uint32_t pack_half(uint32_t both)
{
    return max(both & 0xffffu, both >> 16);
}

/* Returns the largest `bits` of the block's threads to each of them. Has one
 * barrier; a kernel calls it once. */
template <int THREADS> PACK_FN uint32_t pack_block_largest(uint32_t bits)
{
    constexpr int WARPS = THREADS / WARP;
    __shared__ uint32_t part[WARPS];

    bits = __reduce_max_sync(0xffffffff, bits);
    if (threadIdx.x % WARP == 0)
        part[threadIdx.x / WARP] = bits;
    __syncthreads();
    return __reduce_max_sync(0xffffffff, part[threadIdx.x % WARPS]);
}

/* ---- scales ---- */

/* The scale of a group whose largest magnitude has these bits. */
template <pack_format F> PACK_FN float pack_scale(uint32_t bits)
{
    return bits == 0 ? 1 : bf16_value((uint16_t)bits) / pack_top<F>;
}

/* The factor of the elements of such a group. */
template <pack_format F> PACK_FN float pack_factor(uint32_t bits)
{
    return bits == 0 ? 1 : pack_top<F> / bf16_value((uint16_t)bits);
}

/* ---- bytes ---- */

/* Two numbers as E4M3, to nearest, ties to even; the first is the low byte. */
PACK_FN uint32_t pack_e4m3(float first, float second)
{
    uint16_t pair;

    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
        : "=h"(pair)
        : "f"(second), "f"(first));
    return pair;
}

/*
 * Rounds v to an integer, to nearest, ties to even; its low byte is that of
 * the result. Around 1.5 2^23 the last bit of an f32 is worth 1, so adding v
 * to that number rounds v. |v| is at most 2^22.
 */
PACK_FN uint32_t pack_i8(float v)
{
    return __float_as_uint(v + 12582912.0f);
}

/* Four elements, two words of bf16, as four bytes. */
template <pack_format F>
PACK_FN uint32_t pack_four(uint32_t a, uint32_t b, float factor)
{
    const float x = bf16_first(a) * factor, y = bf16_second(a) * factor;
    const float z = bf16_first(b) * factor, w = bf16_second(b) * factor;

    if (F == PACK_E4M3)
        return pack_e4m3(x, y) | pack_e4m3(z, w) << 16;
    return __byte_perm(__byte_perm(pack_i8(x), pack_i8(y), 0x0040),
                       __byte_perm(pack_i8(z), pack_i8(w), 0x0040), 0x5410);
}

template <pack_format F> PACK_FN uint2 pack_eight(uint4 v, float factor)
{
    return make_uint2(pack_four<F>(v.x, v.y, factor),
                      pack_four<F>(v.z, v.w, factor));
}

/* One element. */
template <pack_format F> PACK_FN uint8_t pack_one(uint16_t x, float factor)
{
    const float v = bf16_value(x) * factor;

    return (uint8_t)(F == PACK_E4M3 ? pack_e4m3(v, v) : pack_i8(v));
}

/* ---- on the host ---- */

template <pack_format F> struct pack_constant {
    static constexpr pack_format format = F;
};

/* Calls f with the case's format as a constant. */
template <typename F>
static int pack_dispatch(const struct kernel_case *c, const F &f)
{
    return quantize_is_fp8(c) ? f(pack_constant<PACK_E4M3>())
                              : f(pack_constant<PACK_I8>());
}

struct pack_operands {
    const uint16_t *x;
    uint8_t *q;
    float *scales;
    size_t n, group; /* elements */
    cudaStream_t stream;
};

static inline struct pack_operands
pack_operands_of(const struct kernel_case *c, const struct kernel_env *env,
                 void *const *buf)
{
    struct pack_operands o;

    o.x = (const uint16_t *)buf[QUANTIZE_X];
    o.q = (uint8_t *)buf[QUANTIZE_Q];
    o.scales = (float *)buf[QUANTIZE_SCALES];
    o.n = quantize_elements(c);
    o.group = quantize_group(c);
    o.stream = (cudaStream_t)env->stream;
    return o;
}

#endif
