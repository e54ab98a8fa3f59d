/*
 * epilogue/cublas - the library: the fastest of up to 32 proposals of cublasLt
 * for a product with an epilogue, found by trying before anything is timed.
 *
 * Its epilogue GELU_BIAS adds a bias to each column of C and applies the tanh
 * form of GELU to sums in f32. It has no GELU with erf and no SwiGLU. Without
 * an activation the product is asked for alone.
 *
 * Column-major, as the library sees it, our B is its first operand and our A
 * its second, and a bias for each column is one for each of its rows.
 */
#include "kernels/cublas_algo.h"
#include "kernels/epilogue/epilogue.h"
#include "kernels/trials.h"

#include <cublasLt.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORKSPACE = 64 << 20, /* bytes; what NVIDIA advises for Hopper is 32 MiB */
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
    const void *a, *b, *bias; /* NULL: no bias, no activation */
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

static bool describe_epilogue(struct product *p)
{
    return p->bias == NULL ||
           (set(p, CUBLASLT_MATMUL_DESC_EPILOGUE,
                (int32_t)CUBLASLT_EPILOGUE_GELU_BIAS) &&
            set(p, CUBLASLT_MATMUL_DESC_BIAS_POINTER, p->bias) &&
            set(p, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, (int32_t)CUDA_R_16BF));
}

/* Column-major, B is k x n and A is k x m: Cᵀ (n x m) = Bᵀ A. */
static bool describe(struct product *p)
{
    struct library *const lib = p->lib;

    return lib->cublasLtMatmulDescCreate(&p->desc, CUBLAS_COMPUTE_32F,
                                         CUDA_R_32F) == CUBLAS_STATUS_SUCCESS &&
           set(p, CUBLASLT_MATMUL_DESC_TRANSA, (int32_t)CUBLAS_OP_T) &&
           describe_epilogue(p) &&
           lib->cublasLtMatrixLayoutCreate(&p->lb, CUDA_R_16BF, p->k, p->n,
                                           p->k) == CUBLAS_STATUS_SUCCESS &&
           lib->cublasLtMatrixLayoutCreate(&p->la, CUDA_R_16BF, p->k, p->m,
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

/* Sums split over k are to be kept in f32, like ours. */
static void ask(struct product *p)
{
    struct library *const lib = p->lib;
    cublasLtMatmulPreference_t pref = NULL;
    size_t workspace = WORKSPACE;
    uint32_t sums =
        CUBLASLT_REDUCTION_SCHEME_NONE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;

    if (lib->cublasLtMatmulPreferenceCreate(&pref) != CUBLAS_STATUS_SUCCESS)
        return;
    if (lib->cublasLtMatmulPreferenceSetAttribute(
            pref, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
            sizeof workspace) != CUBLAS_STATUS_SUCCESS ||
        lib->cublasLtMatmulPreferenceSetAttribute(
            pref, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &sums,
            sizeof sums) != CUBLAS_STATUS_SUCCESS ||
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
    const size_t bytes = (size_t)p->n * p->k * 2;
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
        return "cuBLASLt proposes nothing for this shape and epilogue";
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

/* ---- the variant ---- */

extern "C" size_t epilogue_cublas_scratch(const struct kernel_case *,
                                          const struct kernel_env *env)
{
    return WORKSPACE + 2 * env->l2_bytes;
}

extern "C" void epilogue_cublas_release(void *state)
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

/* Where operands and workspace are. */
static void place(struct product *p, const struct kernel_case *c,
                  const struct kernel_env *env, void *const *buf)
{
    const bool plain = epilogue_act_of(c) == EPILOGUE_NONE;

    p->m = (int)kernel_num(c, "m");
    p->n = (int)kernel_num(c, "n");
    p->k = (int)kernel_num(c, "k");
    p->a = buf[0], p->b = buf[1], p->c = buf[2];
    p->bias = plain ? NULL : buf[3];
    p->workspace = (char *)buf[plain ? 3 : 4];
    p->images_bytes = epilogue_cublas_scratch(c, env) - WORKSPACE;
}

extern "C" const char *epilogue_cublas_prepare(const struct kernel_case *c,
                                               const struct kernel_env *env,
                                               void *const *buf, void **state)
{
    struct product *const p = (struct product *)calloc(1, sizeof *p);
    const char *why;

    if (p == NULL)
        abort();
    why = library_open(&p->lib, env->kept);
    if (why != NULL) {
        free(p);
        return why;
    }
    place(p, c, env, buf);
    why =
        describe(p) ? choose(p, c, env) : "cuBLASLt does not know this product";
    if (why != NULL) {
        epilogue_cublas_release(p);
        return why;
    }
    *state = p;
    return NULL;
}

extern "C" const char *epilogue_cublas_chosen(void *state)
{
    return ((struct product *)state)->known->choice;
}

extern "C" int epilogue_cublas(const struct kernel_case *,
                               const struct kernel_env *env, void *const *,
                               void *state)
{
    struct product *const p = (struct product *)state;

    return run(p, p->b, &p->known->algo, env->stream) ? 0 : cudaErrorUnknown;
}
