/*
 * kernels/epilogue/passes.cuh - activations as kernels of their own, which read
 * a product and write C, 16 bytes per access.
 */
#ifndef KERNELS_EPILOGUE_PASSES_CUH
#define KERNELS_EPILOGUE_PASSES_CUH

#include <cuda_runtime.h>

#include "kernels/epilogue/act.cuh"
#include "kernels/epilogue/product.h"

enum {
    PASS_THREADS = 128,
    PASS_VECTORS = 2, /* for each thread, all asked for at first */
    PASS_TILE = PASS_THREADS * PASS_VECTORS,
    PASS_WIDTH = 8, /* elements of a vector */
};

/* The arguments of a pass: how many vectors it writes, and how many a row of
 * the product has. A product of less than 2^31 vectors. */
struct pass {
    uint4 *to;
    const uint4 *from, *bias;
    uint32_t vectors, across;
};

/* Eight outputs of GELU. */
template <epilogue_act ACT> ACT_FN uint4 pass_gelu(uint4 x, uint4 bias)
{
    const auto word = [](uint32_t v, uint32_t b) {
        return act_pair<ACT, ACT_SHORT>(bf16_first(v), bf16_second(v), b);
    };

    return make_uint4(word(x.x, bias.x), word(x.y, bias.y), word(x.z, bias.z),
                      word(x.w, bias.w));
}

/* Eight outputs of SwiGLU; g and u are the biases of gates and ups. */
ACT_FN uint4 pass_swiglu(uint4 gate, uint4 g, uint4 up, uint4 u)
{
    const auto word = [](uint32_t v, uint32_t b, uint32_t w, uint32_t d) {
        return act_gated<ACT_SHORT>(bf16_first(v), bf16_second(v), b,
                                    bf16_first(w), bf16_second(w), d);
    };

    return make_uint4(
        word(gate.x, g.x, up.x, u.x), word(gate.y, g.y, up.y, u.y),
        word(gate.z, g.z, up.z, u.z), word(gate.w, g.w, up.w, u.w));
}

/* The activation of a product, with its bias or without. */
template <epilogue_act ACT, bool BIAS>
static __global__ void activate(struct pass p)
{
    constexpr int EACH = ACT == EPILOGUE_SWIGLU ? 2 : 1; /* vectors to read */
    const uint32_t first = blockIdx.x * PASS_TILE + threadIdx.x;
    uint4 x[PASS_VECTORS][EACH], bias[PASS_VECTORS][EACH];

#pragma unroll
    for (int v = 0; v < PASS_VECTORS; v++)
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const uint32_t i = (first + v * PASS_THREADS) * EACH + e;
            const bool in = first + v * PASS_THREADS < p.vectors;

            x[v][e] = in ? p.from[i] : make_uint4(0, 0, 0, 0);
            bias[v][e] =
                BIAS && in ? p.bias[i % p.across] : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
    for (int v = 0; v < PASS_VECTORS; v++) {
        const uint32_t i = first + v * PASS_THREADS;

        if (i >= p.vectors)
            return;
        if constexpr (ACT == EPILOGUE_SWIGLU)
            p.to[i] = pass_swiglu(x[v][0], bias[v][0], x[v][1], bias[v][1]);
        else
            p.to[i] = pass_gelu<ACT>(x[v][0], bias[v][0]);
    }
}

/* The arguments for the product that lies at `product`, in scratch memory. */
static inline struct pass pass_of(const struct kernel_case *c, void *const *buf,
                                  const void *product)
{
    const size_t m = (size_t)kernel_num(c, "m"), n = (size_t)kernel_num(c, "n");
    const size_t outputs = m * (size_t)epilogue_columns(c);

    return {(uint4 *)buf[2], (const uint4 *)product, (const uint4 *)buf[3],
            (uint32_t)(outputs / PASS_WIDTH), (uint32_t)(n / PASS_WIDTH)};
}

static inline uint32_t pass_blocks(uint32_t vectors)
{
    return (vectors + PASS_TILE - 1) / PASS_TILE;
}

#endif
