/*
 * runner/selftest_chain.h - the kernel that `runner selftest` measures: a chain
 * of dependent additions. A case with pad=P has P per mille more additions, so
 * it must take P per mille more time.
 *
 * Its cases form a family like those of kernels/, but belong to no suite.
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
