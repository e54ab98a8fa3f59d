/*
 * gemv/cublas - the library: the fastest of cublasGemmEx and of up to 32
 * proposals of cublasLt, found by trying before anything is timed.
 */
#include "kernels/cublas.h"
#include "kernels/kernel.h"

extern "C" size_t gemv_cublas_scratch(const struct kernel_case *,
                                      const struct kernel_env *env)
{
    return cublas_linear_scratch(env->l2_bytes);
}

extern "C" const char *gemv_cublas_prepare(const struct kernel_case *c,
                                           const struct kernel_env *env,
                                           void *const *buf, void **state)
{
    return cublas_linear_open((struct cublas_linear **)state, env->kept,
                              env->stream, (int)kernel_num(c, "m"),
                              (int)kernel_num(c, "n"), (int)kernel_num(c, "k"),
                              buf[0], buf[1], buf[2], buf[3],
                              gemv_cublas_scratch(c, env), env->choice);
}

extern "C" const char *gemv_cublas_chosen(void *state)
{
    return cublas_linear_choice((struct cublas_linear *)state);
}

extern "C" int gemv_cublas(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    (void)c, (void)buf;
    return cublas_linear_run((struct cublas_linear *)state, env->stream);
}

extern "C" void gemv_cublas_release(void *state)
{
    cublas_linear_close((struct cublas_linear *)state);
}
