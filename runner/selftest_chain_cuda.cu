/*
 * The chain of additions on the GPU: every thread has its own, of equal
 * length. runner/selftest_chain.c says why it adds zeros.
 */
#include <cuda_runtime.h>

#include "runner/selftest_chain.h"

static const unsigned THREADS = 128;

static __global__ void chain(float *y, const float *x, int64_t n, int64_t steps, float zero)
{
	const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
	if (i >= n)
		return;
	float v = x[i];
#pragma unroll 16
	for (int64_t k = 0; k < steps; k++)
		v += zero;
	y[i] = 2 * v;
}

extern "C" int selftest_chain_cuda(const struct kernel_case *c, const struct kernel_env *env,
                                   void *const *buf, void *)
{
	const int64_t n = kernel_num(c, "n"), steps = kernel_num(c, "steps");
	const int64_t all = steps + steps * kernel_num(c, "pad") / 1000;
	chain<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, (cudaStream_t)env->stream>>>(
	        (float *)buf[1], (const float *)buf[0], n, all, 0.0f);
	return cudaGetLastError();
}
