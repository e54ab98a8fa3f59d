/*
 * grouped/swiglu_after - a second kernel makes outputs of gates and ups.
 *
 * C[i][j] = silu(gate) up, where gate and up are products of row i with two
 * rows of the weights of its expert.
 *
 * grouped/halves writes all gates and ups to scratch memory in bf16, and a
 * kernel behind it reads them and writes half as many outputs. That is what a
 * library of grouped products and a kernel of one's own make of the layer.
 *
 * With 4096 tokens of Qwen3 the second kernel moves 151 MB: 36 us at the speed
 * of a copy, beside some 330 us of products. The L2 may still have a third.
 */
#include <cuda_runtime.h>

#include "kernels/epilogue/act.cuh"
#include "kernels/grouped/gated.h"
#include "kernels/grouped/routing.h"

extern "C" const char *grouped_halves_prepare(const struct kernel_case *c,
                                              const struct kernel_env *env,
                                              void *const *buf, void **state);
extern "C" int grouped_halves(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state);

enum { A, B, C, BEGIN, SCRATCH_IS }; /* buffers */

enum { PASS_THREADS = 128, PASS_WIDTH = 8 /* outputs of a thread */ };

static_assert((int)PASS_WIDTH == GATED_RUN, "a thread has one run");

// ANCHOR: inner
/* All outputs, eight by eight: a run of gates and one of ups. */
static __global__ void gate_all(uint4 *to, const uint4 *from, uint32_t vectors)
{
    const uint32_t i = blockIdx.x * PASS_THREADS + threadIdx.x;

    if (i >= vectors)
        return;
    const uint4 gate = from[2 * i], up = from[2 * i + 1];
    const auto word = [](uint32_t g, uint32_t u) {
        return bf16_pair(act_swiglu<ACT_SHORT>(bf16_first(g), bf16_first(u)),
                         act_swiglu<ACT_SHORT>(bf16_second(g), bf16_second(u)));
    };

    to[i] = make_uint4(word(gate.x, up.x), word(gate.y, up.y),
                       word(gate.z, up.z), word(gate.w, up.w));
}
// ANCHOR_END: inner

extern "C" size_t grouped_swiglu_after_scratch(const struct kernel_case *c,
                                               const struct kernel_env *)
{
    return (size_t)routing_of(c)->rows * (size_t)kernel_num(c, "n") * 2;
}

extern "C" const char *
grouped_swiglu_after_prepare(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void **state)
{
    void *const to[] = {buf[A], buf[B], buf[SCRATCH_IS], buf[BEGIN]};

    return grouped_halves_prepare(c, env, to, state);
}

extern "C" int grouped_swiglu_after(const struct kernel_case *c,
                                    const struct kernel_env *env,
                                    void *const *buf, void *state)
{
    void *const to[] = {buf[A], buf[B], buf[SCRATCH_IS], buf[BEGIN]};
    const uint32_t vectors =
        (uint32_t)(routing_of(c)->rows * kernel_num(c, "n") / 2 / PASS_WIDTH);
    const int failed = grouped_halves(c, env, to, state);

    if (failed)
        return failed;
    gate_all<<<(vectors + PASS_THREADS - 1) / PASS_THREADS, PASS_THREADS, 0,
               (cudaStream_t)env->stream>>>(
        (uint4 *)buf[C], (const uint4 *)buf[SCRATCH_IS], vectors);
    return cudaGetLastError();
}
