/*
 * grouped/batched - the library: one call for all experts that have rows,
 * cublasGemmGroupedBatchedEx of cuBLAS 12.5 and later.
 *
 * It takes the number of rows of each group from the host, and addresses from
 * the device. So an expert is a group with one product.
 */
#include "kernels/cublas.h"
#include "kernels/grouped/routing.h"

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdlib.h>

enum { WORKSPACE = 64 << 20 /* bytes */ };

/* C++ sees two functions of this name; this is the type of the one in C. */
typedef cublasStatus_t (*grouped_fn)(cublasHandle_t, const cublasOperation_t *,
                                     const cublasOperation_t *, const int *,
                                     const int *, const int *, const void *,
                                     const void *const *, cudaDataType_t,
                                     const int *, const void *const *,
                                     cudaDataType_t, const int *, const void *,
                                     void *const *, cudaDataType_t, const int *,
                                     int, const int *, cublasComputeType_t);

struct library {
    cublasHandle_t handle;
    decltype(&::cublasSetStream_v2) set_stream;
    decltype(&::cublasSetWorkspace_v2) set_workspace;
    grouped_fn run;
};

static const char *const names[] = {
    "libcublas.so.13",
    "libcublas.so.12",
    "/usr/local/cuda/lib64/libcublas.so.13",
    "/usr/local/cuda/lib64/libcublas.so.12",
    "libcublas.so",
};

/* Sums are to be kept in f32, as for the other products of the library. */
static const cublasMath_t exact =
    (cublasMath_t)(CUBLAS_DEFAULT_MATH |
                   CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);

static const char *open_library(struct library *lib)
{
    void *so = NULL;

    for (size_t i = 0; i < sizeof names / sizeof names[0] && so == NULL; i++)
        so = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (so == NULL)
        return "libcublas.so not found";
    const auto create =
        (decltype(&::cublasCreate_v2))dlsym(so, "cublasCreate_v2");
    const auto math =
        (decltype(&::cublasSetMathMode))dlsym(so, "cublasSetMathMode");
    lib->set_stream =
        (decltype(lib->set_stream))dlsym(so, "cublasSetStream_v2");
    lib->set_workspace =
        (decltype(lib->set_workspace))dlsym(so, "cublasSetWorkspace_v2");
    lib->run = (grouped_fn)dlsym(so, "cublasGemmGroupedBatchedEx");
    if (lib->run == NULL)
        return "this cuBLAS has no cublasGemmGroupedBatchedEx";
    if (create == NULL || math == NULL || lib->set_stream == NULL ||
        lib->set_workspace == NULL)
        return "libcublas.so lacks a function";
    return create(&lib->handle) == CUBLAS_STATUS_SUCCESS &&
                   math(lib->handle, exact) == CUBLAS_STATUS_SUCCESS
               ? NULL
               : "cublasCreate failed";
}

/* The library, opened once in a process. */
static const char *kept_library(struct library **lib, void **kept)
{
    const char *why = NULL;

    *lib = (struct library *)*kept;
    if (*lib != NULL)
        return NULL;
    *lib = (struct library *)calloc(1, sizeof **lib);
    if (*lib == NULL)
        abort();
    why = open_library(*lib);
    if (why != NULL) {
        free(*lib);
        return why;
    }
    *kept = *lib;
    return NULL;
}

/* What the library reads on the device: where each group's matrices are. */
struct addresses {
    const void *w[ROUTING_EXPERTS], *x[ROUTING_EXPERTS];
    void *y[ROUTING_EXPERTS];
};

/* And on the host, at each call. Column-major, W is k x n and x is k x m, and
 * yᵀ = Wᵀ x. */
struct groups {
    struct library *lib;
    int count;
    cublasOperation_t turned[ROUTING_EXPERTS], straight[ROUTING_EXPERTS];
    int m[ROUTING_EXPERTS], n[ROUTING_EXPERTS], k[ROUTING_EXPERTS];
    int one[ROUTING_EXPERTS];
    float alpha[ROUTING_EXPERTS], beta[ROUTING_EXPERTS];
    struct addresses at; /* copied to the scratch */
};

static void add_group(struct groups *s, const struct kernel_case *c,
                      void *const *buf, int g, int row, int rows)
{
    const int i = s->count++;
    const size_t n = (size_t)kernel_num(c, "n"), k = (size_t)kernel_num(c, "k");

    s->turned[i] = CUBLAS_OP_T;
    s->straight[i] = CUBLAS_OP_N;
    s->m[i] = rows;
    s->n[i] = (int)n;
    s->k[i] = (int)k;
    s->one[i] = 1;
    s->alpha[i] = 1;
    s->at.w[i] = (const uint16_t *)buf[1] + (size_t)g * n * k;
    s->at.x[i] = (const uint16_t *)buf[0] + (size_t)row * k;
    s->at.y[i] = (uint16_t *)buf[2] + (size_t)row * n;
}

extern "C" size_t grouped_batched_scratch(const struct kernel_case *,
                                          const struct kernel_env *)
{
    return WORKSPACE + sizeof(struct addresses);
}

extern "C" const char *grouped_batched_prepare(const struct kernel_case *c,
                                               const struct kernel_env *env,
                                               void *const *buf, void **state)
{
    const struct routing *const r = routing_of(c);
    struct groups *const s = (struct groups *)calloc(1, sizeof *s);
    const char *why;

    if (s == NULL)
        abort();
    why = kept_library(&s->lib, env->kept);
    for (int g = 0; g < r->e; g++)
        if (r->begin[g + 1] > r->begin[g])
            add_group(s, c, buf, g, r->begin[g], r->begin[g + 1] - r->begin[g]);
    if (why == NULL &&
        cudaMemcpyAsync((char *)buf[4] + WORKSPACE, &s->at, sizeof s->at,
                        cudaMemcpyHostToDevice,
                        (cudaStream_t)env->stream) != cudaSuccess)
        why = "addresses of groups cannot be copied to the device";
    if (why != NULL) {
        free(s);
        return why;
    }
    *state = s;
    return NULL;
}

extern "C" int grouped_batched(const struct kernel_case *,
                               const struct kernel_env *env, void *const *buf,
                               void *state)
{
    const struct groups *const s = (const struct groups *)state;
    const struct library *const lib = s->lib;
    const struct addresses *const at =
        (const struct addresses *)((char *)buf[4] + WORKSPACE);
    const cudaDataType type = CUDA_R_16BF;

    /* the workspace after the stream, which would put back the library's own */
    if (lib->set_stream(lib->handle, (cudaStream_t)env->stream) !=
            CUBLAS_STATUS_SUCCESS ||
        lib->set_workspace(lib->handle, buf[4], WORKSPACE) !=
            CUBLAS_STATUS_SUCCESS ||
        lib->run(lib->handle, s->turned, s->straight, s->n, s->m, s->k,
                 s->alpha, at->w, type, s->k, at->x, type, s->k, s->beta, at->y,
                 type, s->n, s->count, s->one,
                 CUBLAS_COMPUTE_32F) != CUBLAS_STATUS_SUCCESS)
        return cudaErrorUnknown;
    return 0;
}

extern "C" void grouped_batched_release(void *state)
{
    free(state);
}
