/*
 * kernels/prefill/attention.cuh - what the kernels of this family share: a
 * case's arguments, where rows begin, and which keys a query sees.
 *
 * O = softmax(scale Q K') V for each head. Row i of head h of Q and O begins at
 * (i heads + h) D; those of K and V at (i kv + h / group) D.
 */
#ifndef KERNELS_PREFILL_ATTENTION_CUH
#define KERNELS_PREFILL_ATTENTION_CUH

#include "kernels/bf16.h"
#include "kernels/prefill/prefill.h"
#include "kernels/warp.h"
#include "kernels/wgmma.cuh"

enum { WIDTH = 8 /* elements in 16 bytes */ };

/* A case's arguments. */
struct attention {
    uint16_t *o;
    const uint16_t *q, *k, *v;
    int heads, group, l; /* group: heads that share keys */
    bool causal;
    float scale;
};

static inline struct attention attention_of(const struct kernel_case *c,
                                            void *const *buf)
{
    const int heads = prefill_num(c, "heads");
    const struct attention a = {(uint16_t *)buf[PREFILL_O],
                                (const uint16_t *)buf[PREFILL_Q],
                                (const uint16_t *)buf[PREFILL_K],
                                (const uint16_t *)buf[PREFILL_V],
                                heads,
                                heads / prefill_num(c, "kv"),
                                prefill_num(c, "l"),
                                prefill_causal(c),
                                prefill_scale(c)};

    return a;
}

static __host__ __device__ inline int ceil_div(int a, int b)
{
    return (a + b - 1) / b;
}

/* Where row i of head h begins, and how far the next row is: of Q and O, and
 * of K and V. */
template <int D>
static __device__ __forceinline__ size_t row_of(const attention &a, int i,
                                                int h)
{
    return ((size_t)i * a.heads + h) * D;
}

template <int D>
static __device__ __forceinline__ size_t key_of(const attention &a, int j,
                                                int h)
{
    return ((size_t)j * (a.heads / a.group) + h / a.group) * D;
}

/* How many keys query i sees. */
static __device__ __forceinline__ int seen_by(const attention &a, int i)
{
    return a.causal ? min(i + 1, a.l) : a.l;
}

#endif
