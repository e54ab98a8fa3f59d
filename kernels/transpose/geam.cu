/*
 * transpose/geam - the library's transpose: cublasSgeam, which computes
 * C = 1·Aᵀ + 0·C. It exists for f32 only.
 */
#include "kernels/cublas.h"
#include "kernels/kernel.h"

extern "C" const char *transpose_geam_prepare(const struct kernel_case *c,
                                              const struct kernel_env *env,
                                              void *const *buf, void **state)
{
    (void)c, (void)buf;
    return cublas_open((struct cublas **)state, env->kept);
}

extern "C" int transpose_geam(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    return cublas_transpose((struct cublas *)state, env->stream,
                            (int)kernel_num(c, "rows"),
                            (int)kernel_num(c, "cols"), buf[0], buf[1]);
}

extern "C" void transpose_geam_release(void *state)
{
    cublas_close((struct cublas *)state);
}
