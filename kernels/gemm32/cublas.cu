/*
 * gemm32/cublas - the library: the fastest of cublasGemmEx and of up to 32
 * proposals of cublasLt, found by trying before anything is timed.
 *
 * In pedantic f32 it keeps to what f32 says. In tf32 its tensor cores read the
 * same f32 numbers with 11 bits of precision. What launches, tells the choice
 * and releases is that of kernels/gemv/cublas.cu.
 */
#include "kernels/cublas_numbers.h"
#include "kernels/kernel.h"

static const char *open(const struct kernel_case *c,
                        const struct kernel_env *env, void *const *buf,
                        void **state, enum cublas_numbers numbers)
{
    return cublas_linear_open_as(
        numbers, (struct cublas_linear **)state, env->kept, env->stream,
        (int)kernel_num(c, "m"), (int)kernel_num(c, "n"),
        (int)kernel_num(c, "k"), buf[0], buf[1], buf[2], buf[3],
        cublas_linear_scratch(env->l2_bytes), env->choice);
}

extern "C" const char *gemm32_cublas_prepare(const struct kernel_case *c,
                                             const struct kernel_env *env,
                                             void *const *buf, void **state)
{
    return open(c, env, buf, state, CUBLAS_F32);
}

extern "C" const char *gemmtf32_cublas_prepare(const struct kernel_case *c,
                                               const struct kernel_env *env,
                                               void *const *buf, void **state)
{
    return open(c, env, buf, state, CUBLAS_TF32);
}
