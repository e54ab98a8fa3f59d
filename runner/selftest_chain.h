/*
 * runner/selftest_chain.h - a kernel of which it is known how much slower it
 * is: a chain of dependent additions, and `pad` per mille more of them. What
 * `runner selftest` measures.
 *
 * All cases are a family like those of kernels/, but are in no suite.
 */
#ifndef RUNNER_SELFTEST_CHAIN_H
#define RUNNER_SELFTEST_CHAIN_H

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
	SELFTEST_COPIES = 5, /* null controls beside the case with pad=0 */
	SELFTEST_PLANTED = 3,
};

/* The planted differences, per mille: 5, 10, 20. */
extern const int64_t selftest_pad[SELFTEST_PLANTED];

extern const struct kernel_family selftest_family;

/* The variant on the GPU; absent from a build without nvcc. */
int selftest_chain_cuda(const struct kernel_case *c, const struct kernel_env *env, void *const *buf,
                        void *state) __attribute__((weak));

#ifdef __cplusplus
}
#endif
#endif
