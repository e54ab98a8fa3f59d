/*
 * kernels/cublas_numbers.h - products of cublas.h whose numbers are not bf16.
 */
#ifndef KERNELS_CUBLAS_NUMBERS_H
#define KERNELS_CUBLAS_NUMBERS_H

#include "kernels/cublas.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What operands are, and how they are multiplied; sums are f32. */
enum cublas_numbers {
    CUBLAS_BF16,
    CUBLAS_F32,  /* pedantic: on CUDA cores, in f32 throughout */
    CUBLAS_TF32, /* f32 in memory, which tensor cores read as tf32 */
};

/* cublas_linear_open() for x, W and y of such numbers. */
const char *cublas_linear_open_as(enum cublas_numbers numbers,
                                  struct cublas_linear **lin, void **kept,
                                  void *stream, int m, int n, int k,
                                  const void *x, const void *w, void *y,
                                  void *scratch, size_t scratch_bytes,
                                  const char *choice);

#ifdef __cplusplus
}
#endif
#endif
