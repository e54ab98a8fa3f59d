/*
 * grouped/cublas - the library: a cublasGemmEx for each expert that has rows.
 *
 * Its heuristics choose the algorithm. The fastest of all proposals, as other
 * families have it, would have to be tried for each number of rows, and there
 * are up to 100 of them in a case.
 */
#include "kernels/cublas.h"
#include "kernels/grouped/routing.h"

#include <stdlib.h>

/* What the other families' choice of cublasGemmEx begins with. */
static const char as_it_comes[] = "call=cublasGemmEx ";

struct calls {
    int n;
    struct cublas_linear *of[ROUTING_EXPERTS];
};

extern "C" void grouped_cublas_release(void *state)
{
    struct calls *const s = (struct calls *)state;

    for (int i = 0; i < s->n; i++)
        cublas_linear_close(s->of[i]);
    free(s);
}

extern "C" size_t grouped_cublas_scratch(const struct kernel_case *,
                                         const struct kernel_env *)
{
    return cublas_linear_scratch(0);
}

extern "C" const char *grouped_cublas_prepare(const struct kernel_case *c,
                                              const struct kernel_env *env,
                                              void *const *buf, void **state)
{
    const int32_t *const begin = routing_of(c)->begin;
    const int e = (int)kernel_num(c, "e");
    const size_t n = (size_t)kernel_num(c, "n"), k = (size_t)kernel_num(c, "k");
    struct calls *const s = (struct calls *)calloc(1, sizeof *s);
    const char *why = NULL;

    if (s == NULL)
        abort();
    for (int g = 0; g < e && why == NULL; g++) {
        const size_t row = (size_t)begin[g];

        if (begin[g + 1] == begin[g])
            continue;
        why = cublas_linear_open(&s->of[s->n], env->kept, env->stream,
                                 begin[g + 1] - begin[g], (int)n, (int)k,
                                 (const uint16_t *)buf[0] + row * k,
                                 (const uint16_t *)buf[1] + (size_t)g * n * k,
                                 (uint16_t *)buf[2] + row * n, buf[4],
                                 cublas_linear_scratch(0), as_it_comes);
        s->n += why == NULL;
    }
    if (why != NULL) {
        grouped_cublas_release(s);
        return why;
    }
    *state = s;
    return NULL;
}

extern "C" int grouped_cublas(const struct kernel_case *,
                              const struct kernel_env *env, void *const *,
                              void *state)
{
    const struct calls *const s = (const struct calls *)state;
    int rc = 0;

    for (int i = 0; i < s->n && rc == 0; i++)
        rc = cublas_linear_run(s->of[i], env->stream);
    return rc;
}
