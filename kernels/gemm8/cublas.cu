/*
 * gemm8/cublas - the library: the fastest of up to 32 proposals of cublasLt for
 * FP8, found by trying before anything is timed.
 *
 * Scales go to the library as they lie in memory: one for a tensor, one for a
 * row (OUTER_VEC), or one for 128 elements of a row of A and for 128 x 128 of
 * B (VEC128, BLK128x128). Column-major, as the library sees it, our B is its
 * first operand and our A its second.
 *
 * With fast accumulation sums stay in the tensor cores all along k; without it
 * they move to f32 now and then. With scales of blocks there is no choice.
 */
#include "kernels/cublas_algo.h"
#include "kernels/kernel.h"
#include "kernels/trials.h"

#include <cublasLt.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORKSPACE = 64 << 20, /* bytes; what NVIDIA advises for Hopper is 32 MiB */
    SCALES = 256,         /* bytes before it: the scales of tensors */
    PROPOSALS = 32,       /* of the heuristics */
    VERSION = 24,         /* bytes of "13.1.0" */
    ALIGNMENT = 256,      /* bytes; no algorithm wants more */
};

#define ENTRIES(X)                          \
    X(cublasLtGetProperty)                  \
    X(cublasLtCreate)                       \
    X(cublasLtMatmul)                       \
    X(cublasLtMatmulAlgoGetHeuristic)       \
    X(cublasLtMatmulAlgoCheck)              \
    X(cublasLtMatmulAlgoConfigGetAttribute) \
    X(cublasLtMatmulDescCreate)             \
    X(cublasLtMatmulDescDestroy)            \
    X(cublasLtMatmulDescSetAttribute)       \
    X(cublasLtMatrixLayoutCreate)           \
    X(cublasLtMatrixLayoutDestroy)          \
    X(cublasLtMatmulPreferenceCreate)       \
    X(cublasLtMatmulPreferenceDestroy)      \
    X(cublasLtMatmulPreferenceSetAttribute)

/* What was chosen for a case, by all its buffer sets. */
struct known {
    const struct kernel_case *of;
    bool given; /* and not tried here */
    cublasLtMatmulAlgo_t algo;
    char choice[KERNEL_CHOICE];
    struct known *next;
};

/* The open library; it stays until the process ends. */
struct library {
    cublasLtHandle_t handle;
    struct known *known;
    char version[VERSION];
#define MEMBER(name) decltype(&::name) name;
    ENTRIES(MEMBER)
#undef MEMBER
};

/* A product and where its operands are. */
struct product {
    struct library *lib;
    int m, n, k;
    const void *a, *b, *a_scales, *b_scales;
    void *c;
    char *workspace;
    size_t images_bytes; /* behind the workspace */
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayout_t lb, la, lc;
    struct known *known;
    cublasLtMatmulHeuristicResult_t proposal[PROPOSALS];
    int proposals;
};

/* cublas_library() asks libcublas, which brings libcublasLt with it. */
static void *open_library(void)
{
    static const char *const names[] = {
        "libcublas.so.13",
        "libcublas.so.12",
        "/usr/local/cuda/lib64/libcublas.so.13",
        "/usr/local/cuda/lib64/libcublas.so.12",
        "libcublas.so",
    };
    void *so = NULL;

    for (size_t i = 0; i < sizeof names / sizeof names[0] && !so; i++)
        so = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return so;
}

static bool find_version(struct library *lib)
{
    int major, minor, patch;

    if (lib->cublasLtGetProperty(MAJOR_VERSION, &major) !=
            CUBLAS_STATUS_SUCCESS ||
        lib->cublasLtGetProperty(MINOR_VERSION, &minor) !=
            CUBLAS_STATUS_SUCCESS ||
        lib->cublasLtGetProperty(PATCH_LEVEL, &patch) != CUBLAS_STATUS_SUCCESS)
        return false;
    snprintf(lib->version, VERSION, "%d.%d.%d", major, minor, patch);
    return true;
}

/* Opens it, or takes the one at *kept. */
static const char *library_open(struct library **out, void **kept)
{
    struct library *lib = kept ? (struct library *)*kept : NULL;
    bool all = true;
    void *so;

    *out = lib;
    if (lib != NULL)
        return NULL;
    if ((so = open_library()) == NULL)
        return "libcublas.so not found";
    if ((lib = (struct library *)calloc(1, sizeof *lib)) == NULL)
        abort();
#define FIND(name)                                     \
    lib->name = (decltype(lib->name))dlsym(so, #name); \
    all = all && lib->name != NULL;
    ENTRIES(FIND)
#undef FIND
    if (!all || !find_version(lib) ||
        lib->cublasLtCreate(&lib->handle) != CUBLAS_STATUS_SUCCESS) {
        free(lib);
        return "libcublasLt.so lacks a function, or does not start";
    }
    if (kept != NULL)
        *kept = lib;
    *out = lib;
    return NULL;
}

/* ---- the product ---- */

template <class T>
static bool set(struct product *p, cublasLtMatmulDescAttributes_t which,
                T value)
{
    return p->lib->cublasLtMatmulDescSetAttribute(
               p->desc, which, &value, sizeof value) == CUBLAS_STATUS_SUCCESS;
}

static bool set_scales(struct product *p, cublasLtMatmulMatrixScale_t b,
                       cublasLtMatmulMatrixScale_t a)
{
    return set(p, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, (int32_t)b) &&
           set(p, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, (int32_t)a) &&
           set(p, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, p->b_scales) &&
           set(p, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, p->a_scales);
}

/* Scales as the case has them. */
static bool describe_scales(struct product *p, const char *scales)
{
    if (scales[0] == 't')
        return set_scales(p, CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F,
                          CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F);
    if (scales[0] == 'r')
        return set_scales(p, CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F,
                          CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F);
    return set_scales(p, CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F,
                      CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F);
}

/* Column-major, B is k x n and A is k x m: Cᵀ (n x m) = Bᵀ A. */
static bool describe(struct product *p, const char *scales, bool fast)
{
    struct library *const lib = p->lib;

    return lib->cublasLtMatmulDescCreate(&p->desc, CUBLAS_COMPUTE_32F,
                                         CUDA_R_32F) == CUBLAS_STATUS_SUCCESS &&
           set(p, CUBLASLT_MATMUL_DESC_TRANSA, (int32_t)CUBLAS_OP_T) &&
           set(p, CUBLASLT_MATMUL_DESC_FAST_ACCUM, (int8_t)fast) &&
           describe_scales(p, scales) &&
           lib->cublasLtMatrixLayoutCreate(&p->lb, CUDA_R_8F_E4M3, p->k, p->n,
                                           p->k) == CUBLAS_STATUS_SUCCESS &&
           lib->cublasLtMatrixLayoutCreate(&p->la, CUDA_R_8F_E4M3, p->k, p->m,
                                           p->k) == CUBLAS_STATUS_SUCCESS &&
           lib->cublasLtMatrixLayoutCreate(&p->lc, CUDA_R_16BF, p->n, p->m,
                                           p->n) == CUBLAS_STATUS_SUCCESS;
}

/* Legal inside stream capture. */
static bool run(struct product *p, const void *b,
                const cublasLtMatmulAlgo_t *algo, void *stream)
{
    const float one = 1, zero = 0;

    return p->lib->cublasLtMatmul(
               p->lib->handle, p->desc, &one, b, p->lb, p->a, p->la, &zero,
               p->c, p->lc, p->c, p->lc, algo, p->workspace, WORKSPACE,
               (cudaStream_t)stream) == CUBLAS_STATUS_SUCCESS;
}

/* ---- the choice ---- */

static void ask(struct product *p)
{
    struct library *const lib = p->lib;
    cublasLtMatmulPreference_t pref = NULL;
    size_t workspace = WORKSPACE;

    if (lib->cublasLtMatmulPreferenceCreate(&pref) != CUBLAS_STATUS_SUCCESS)
        return;
    if (lib->cublasLtMatmulPreferenceSetAttribute(
            pref, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
            sizeof workspace) != CUBLAS_STATUS_SUCCESS ||
        lib->cublasLtMatmulAlgoGetHeuristic(
            lib->handle, p->desc, p->lb, p->la, p->lc, p->lc, pref, PROPOSALS,
            p->proposal, &p->proposals) != CUBLAS_STATUS_SUCCESS)
        p->proposals = 0;
    lib->cublasLtMatmulPreferenceDestroy(pref);
}

/*
 * Runs a proposal, for trials_fastest(). So that B is cold in trials though it
 * may fit into L2, calls take turns with images of it, which lie in the scratch
 * behind the workspace.
 */
static bool call(void *ctx, int candidate, int turn, void *stream)
{
    struct product *const p = (struct product *)ctx;
    const size_t bytes = (size_t)p->n * p->k;
    const size_t apart = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const size_t images = 1 + p->images_bytes / apart;
    const size_t i = turn < 0 ? images - 1 : (size_t)turn % images;
    const void *b =
        i ? p->workspace + WORKSPACE + (i - 1) * apart : (const char *)p->b;

    return run(p, b, &p->proposal[candidate].algo, stream);
}

static const char *choose_here(struct product *p, struct known *to,
                               void *stream)
{
    int best;

    ask(p);
    if (p->proposals == 0)
        return "cuBLASLt proposes nothing for this shape and these scales";
    best = trials_fastest(call, p, p->proposals, stream);
    if (best < 0)
        return "cuBLASLt runs none of its proposals";
    to->algo = p->proposal[best].algo;
    cublas_algo_text((const void *)p->lib->cublasLtMatmulAlgoConfigGetAttribute,
                     &to->algo, p->lib->version, to->choice, sizeof to->choice);
    return NULL;
}

/* Does what was chosen before. */
static const char *choose_as(struct product *p, struct known *to,
                             const char *choice)
{
    cublasLtMatmulHeuristicResult_t found;

    to->given = true;
    snprintf(to->choice, sizeof to->choice, "%s", choice);
    if (!cublas_algo_read(choice, p->lib->version, &to->algo))
        return "what was chosen is of another version of cuBLAS";
    if (p->lib->cublasLtMatmulAlgoCheck(p->lib->handle, p->desc, p->lb, p->la,
                                        p->lc, p->lc, &to->algo,
                                        &found) != CUBLAS_STATUS_SUCCESS ||
        found.workspaceSize > WORKSPACE)
        return "cuBLAS does not run what was chosen";
    return NULL;
}

/* Takes what is known of the case, or finds it. */
static const char *choose(struct product *p, const struct kernel_case *c,
                          const struct kernel_env *env)
{
    struct known *known = p->lib->known;
    const char *why;

    while (known != NULL &&
           (known->of != c || known->given != (env->choice != NULL) ||
            (env->choice && strcmp(known->choice, env->choice) != 0)))
        known = known->next;
    p->known = known;
    if (known != NULL)
        return NULL;
    if ((known = (struct known *)calloc(1, sizeof *known)) == NULL)
        abort();
    known->of = c;
    why = env->choice ? choose_as(p, known, env->choice)
                      : choose_here(p, known, env->stream);
    if (why != NULL) {
        free(known);
        return why;
    }
    known->next = p->lib->known;
    p->lib->known = p->known = known;
    return NULL;
}

/* ---- the variants ---- */

extern "C" size_t gemm8_cublas_scratch(const struct kernel_case *,
                                       const struct kernel_env *env)
{
    return SCALES + WORKSPACE + 2 * env->l2_bytes;
}

extern "C" void gemm8_cublas_release(void *state)
{
    struct product *const p = (struct product *)state;

    if (p->desc != NULL)
        p->lib->cublasLtMatmulDescDestroy(p->desc);
    if (p->lb != NULL)
        p->lib->cublasLtMatrixLayoutDestroy(p->lb);
    if (p->la != NULL)
        p->lib->cublasLtMatrixLayoutDestroy(p->la);
    if (p->lc != NULL)
        p->lib->cublasLtMatrixLayoutDestroy(p->lc);
    free(p);
}

/* Where operands, scales and workspace are. The scales of a tensor stand before
 * the workspace: those of kernels/gemm8/product.cuh. */
static const char *place(struct product *p, const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf)
{
    const bool tensor = kernel_word(c, "scales")[0] == 't';
    const float both[2][SCALES / 8] = {{2.0f}, {0.5f}};
    char *const scratch = (char *)buf[tensor ? 3 : 5];

    static_assert(sizeof both == SCALES, "each of them aligned");
    p->m = (int)kernel_num(c, "m");
    p->n = (int)kernel_num(c, "n");
    p->k = (int)kernel_num(c, "k");
    p->a = buf[0], p->b = buf[1], p->c = buf[2];
    p->a_scales = tensor ? scratch : buf[3];
    p->b_scales = tensor ? scratch + SCALES / 2 : buf[4];
    p->workspace = scratch + SCALES;
    p->images_bytes = gemm8_cublas_scratch(c, env) - SCALES - WORKSPACE;
    if (tensor &&
        cudaMemcpyAsync(scratch, both, sizeof both, cudaMemcpyHostToDevice,
                        (cudaStream_t)env->stream) != cudaSuccess)
        return "the scales cannot be written";
    return NULL;
}

static const char *open(const struct kernel_case *c,
                        const struct kernel_env *env, void *const *buf,
                        void **state, bool fast)
{
    struct product *const p = (struct product *)calloc(1, sizeof *p);
    const char *const scales = kernel_word(c, "scales");
    const char *why;

    if (p == NULL)
        abort();
    why = library_open(&p->lib, env->kept);
    if (why != NULL) {
        free(p);
        return why;
    }
    why = place(p, c, env, buf);
    if (why == NULL && !describe(p, scales, fast && scales[0] != 'b'))
        why = "cuBLASLt does not know these scales";
    if (why == NULL)
        why = choose(p, c, env);
    if (why != NULL) {
        gemm8_cublas_release(p);
        return why;
    }
    *state = p;
    return NULL;
}

extern "C" const char *gemm8_cublas_prepare(const struct kernel_case *c,
                                            const struct kernel_env *env,
                                            void *const *buf, void **state)
{
    return open(c, env, buf, state, true);
}

extern "C" const char *
gemm8_cublas_promoted_prepare(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void **state)
{
    return open(c, env, buf, state, false);
}

extern "C" const char *gemm8_cublas_chosen(void *state)
{
    return ((struct product *)state)->known->choice;
}

extern "C" int gemm8_cublas(const struct kernel_case *,
                            const struct kernel_env *env, void *const *,
                            void *state)
{
    struct product *const p = (struct product *)state;

    return run(p, p->b, &p->known->algo, env->stream) ? 0 : cudaErrorUnknown;
}
