/*
 * kernels/cublas_algo.h - an algorithm of cublasLt as text, and back.
 *
 *     call=cuBLASLt version=13.1.0 algorithm=66 tile=128x256x64 stages=4
 *     split_k=1 cluster=2x1x1 data=42.1700000000.4
 *
 * Names and values are those of kernel_variant.chosen. `tile` is columns of
 * W by tokens by depth, as far as the library says them. What is 0 or
 * automatic is left out. `data` is the library's own description in hex,
 * which may be kept for the same version of the library.
 */
#ifndef KERNELS_CUBLAS_ALGO_H
#define KERNELS_CUBLAS_ALGO_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Describes `algo`, a cublasLtMatmulAlgo_t; `get` is the library's
 * cublasLtMatmulAlgoConfigGetAttribute(). */
void cublas_algo_text(const void *get, const void *algo, const char *version,
                      char *to, size_t size);

/* Restores `algo` from such a text. False: it is of another version, or none
 * of ours. */
bool cublas_algo_read(const char *text, const char *version, void *algo);

#ifdef __cplusplus
}
#endif
#endif
