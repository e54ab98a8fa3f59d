/*
 * ceilings/chain - chains of multiply-adds, and of powers of two.
 *
 * A thread has the four elements of one vector: four independent chains, and 64
 * warps on an SM, hide the few cycles each step takes. The length of the chain
 * is a number the compiler does not know, so it can neither shorten nor
 * precompute it; it unrolls by 32, so that counting costs one instruction in
 * forty.
 */
#include "kernels/kernel.h"

enum { THREADS = 256, VECTOR = 4 };

struct multiply_add {
    static __device__ float step(float v)
    {
        return fmaf(v, 0.5f, 0.25f);
    }
};

struct power {
    static __device__ float step(float v)
    {
        float y;
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(-v));
        return y;
    }
};

// ANCHOR: inner
template <class OP> static __device__ void chain(float (&v)[VECTOR], int k)
{
#pragma unroll 32
    for (int i = 0; i < k; i++)
        for (int j = 0; j < VECTOR; j++)
            v[j] = OP::step(v[j]);
}
// ANCHOR_END: inner

template <class OP>
static __global__ void __launch_bounds__(THREADS)
    chains(float *y, const float *x, size_t n, int k)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    float v[VECTOR] = {0};

    if ((i + 1) * VECTOR <= n) {
        const float4 in = ((const float4 *)x)[i];
        v[0] = in.x, v[1] = in.y, v[2] = in.z, v[3] = in.w;
        chain<OP>(v, k);
        ((float4 *)y)[i] = make_float4(v[0], v[1], v[2], v[3]);
        return;
    }
    for (size_t j = 0; i * VECTOR + j < n; j++)
        v[j] = x[i * VECTOR + j];
    chain<OP>(v, k);
    for (size_t j = 0; i * VECTOR + j < n; j++)
        y[i * VECTOR + j] = v[j];
}

template <class OP>
static int launch(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const size_t vectors = (n + VECTOR - 1) / VECTOR;
    const unsigned blocks = (unsigned)((vectors + THREADS - 1) / THREADS);

    chains<OP><<<blocks, THREADS, 0, (cudaStream_t)env->stream>>>(
        (float *)buf[0], (const float *)buf[1], n, (int)kernel_num(c, "k"));
    return cudaGetLastError();
}

extern "C" int ceiling_chain_fma(const struct kernel_case *c,
                                 const struct kernel_env *env, void *const *buf,
                                 void *)
{
    return launch<multiply_add>(c, env, buf);
}

extern "C" int ceiling_chain_special(const struct kernel_case *c,
                                     const struct kernel_env *env,
                                     void *const *buf, void *)
{
    return launch<power>(c, env, buf);
}
