/*
 * kernels/cublas.h - cuBLAS as a peer, found when the program runs.
 *
 * The library is opened with dlopen(), so that the same binary starts on a host
 * that has a driver and nothing else; there the peer reports that it is not
 * available. All matrices are row-major, as everywhere in kernels/. Functions
 * that return int return 0 or a cudaError_t.
 */
#ifndef KERNELS_CUBLAS_H
#define KERNELS_CUBLAS_H

#include <stddef.h>

#include "kernels/cublas_algo.h"
#include "kernels/trials.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cublas;        /* the open library and a handle */
struct cublas_linear; /* y = x Wᵀ of one shape and its operands, with its
                         algorithm chosen */

/*
 * Opens the library and makes a handle, or takes the one at *kept
 * (kernel_env.kept) and leaves a new one there, which cublas_close() then
 * does not end. Returns NULL, or a static sentence why there is none.
 */
const char *cublas_open(struct cublas **lib, void **kept);
void cublas_close(struct cublas *lib);

/* "cuBLAS 13.1.0": the kernel_variant.library of variants that have opened
 * it. */
const char *cublas_library(void);

/* out[c][r] = in[r][c] for f32, by cublasSgeam: enqueued on `stream`. */
int cublas_transpose(struct cublas *lib, void *stream, int rows, int cols,
                     const void *in, void *out);

/* Bytes of scratch that cublas_linear_open() needs: the library's workspace,
 * and twice an L2 of l2_bytes, so that its trials are cold. */
size_t cublas_linear_scratch(size_t l2_bytes);

/*
 * Prepares y[m][n] = Σ_k x[m][k] W[n][k], all bf16, sums in f32. `choice` says
 * which algorithm to use, as cublas_linear_choice() told it. Without one (NULL)
 * it is found by trials_fastest(): cublasGemmEx as it comes, and every proposal
 * of cublasLt's heuristics (at most 32), each with W cold; once for each shape
 * and library, so that all buffer sets of a process have the same. Sums split
 * over k are to be kept in f32 like ours.
 * Returns NULL, or a static sentence why not. `kept` as in cublas_open().
 */
const char *cublas_linear_open(struct cublas_linear **lin, void **kept,
                               void *stream, int m, int n, int k, const void *x,
                               const void *w, void *y, void *scratch,
                               size_t scratch_bytes, const char *choice);

/* What is used: the kernel_variant.chosen of these products. */
enum { CUBLAS_CHOICE = 512 }; /* bytes, at most */
const char *cublas_linear_choice(const struct cublas_linear *lin);

int cublas_linear_run(struct cublas_linear *lin, void *stream);
void cublas_linear_close(struct cublas_linear *lin);

#ifdef __cplusplus
}
#endif
#endif
