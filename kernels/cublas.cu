/*
 * kernels/cublas.cu - the entry points of cuBLAS that the peers use.
 *
 * How to add one: a line in ENTRIES, and a wrapper that speaks row-major.
 */
#include "kernels/cublas_numbers.h"

#include <cublasLt.h>
#include <cublas_v2.h>
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

/* C++ sees two functions of this name; this is the type of the one in C. */
typedef cublasStatus_t (*gemm_ex_fn)(cublasHandle_t, cublasOperation_t,
                                     cublasOperation_t, int, int, int,
                                     const void *, const void *, cudaDataType,
                                     int, const void *, cudaDataType, int,
                                     const void *, void *, cudaDataType, int,
                                     cublasComputeType_t, cublasGemmAlgo_t);

#define ENTRIES(X)                          \
    X(cublasGetProperty)                    \
    X(cublasCreate_v2)                      \
    X(cublasDestroy_v2)                     \
    X(cublasSetStream_v2)                   \
    X(cublasSetWorkspace_v2)                \
    X(cublasSetMathMode)                    \
    X(cublasSgeam)                          \
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

/* What the library calls the numbers of a product. */
static const struct {
    cudaDataType type;
    cublasComputeType_t compute;
    size_t bytes;
} numbers_of[] = {
    {CUDA_R_16BF, CUBLAS_COMPUTE_32F, 2},
    {CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC, 4},
    {CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 4},
};

/* y = x Wᵀ of one shape and choice, wherever its operands are. */
struct shape {
    enum cublas_numbers numbers;
    int m, n, k;
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayout_t lw, lx, ly;
    cublasLtMatmulHeuristicResult_t proposal[PROPOSALS];
    int proposals;
    int chosen; /* index of a proposal, or -1: cublasGemmEx */
    bool given; /* it was chosen before, and not by trying here */
    char choice[CUBLAS_CHOICE];
    struct shape *next;
};

struct cublas {
    void *so;
    cublasHandle_t handle;
    bool kept; /* until the process ends */
    struct shape *shapes;
#define MEMBER(name) decltype(&::name) name;
    ENTRIES(MEMBER)
#undef MEMBER
    gemm_ex_fn cublasGemmEx;
};

/* Where a toolkit or a driver-only host with pip packages may have it. */
static const char *const names[] = {
    "libcublas.so.13",
    "libcublas.so.12",
    "/usr/local/cuda/lib64/libcublas.so.13",
    "/usr/local/cuda/lib64/libcublas.so.12",
    "libcublas.so",
};

/* Fills the members; dlsym() looks in libcublasLt too, on which libcublas
 * depends. */
static bool find_entries(struct cublas *lib)
{
    bool all = true;

#define FIND(name)                                          \
    lib->name = (decltype(lib->name))dlsym(lib->so, #name); \
    all = all && lib->name != NULL;
    ENTRIES(FIND)
    FIND(cublasGemmEx)
#undef FIND
    return all;
}

static void *open_library(int mode)
{
    void *so = NULL;

    for (size_t i = 0; i < sizeof names / sizeof names[0] && !so; i++)
        so = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | mode);
    return so;
}

/* "13.1.0". False: the library does not say it. */
static bool get_version(decltype(&::cublasGetProperty) get, char text[VERSION])
{
    int major, minor, patch;

    if (get(MAJOR_VERSION, &major) != CUBLAS_STATUS_SUCCESS ||
        get(MINOR_VERSION, &minor) != CUBLAS_STATUS_SUCCESS ||
        get(PATCH_LEVEL, &patch) != CUBLAS_STATUS_SUCCESS)
        return false;
    snprintf(text, VERSION, "%d.%d.%d", major, minor, patch);
    return true;
}

const char *cublas_library(void)
{
    void *so = open_library(RTLD_NOLOAD);
    decltype(&::cublasGetProperty) get =
        so ? (decltype(get))dlsym(so, "cublasGetProperty") : NULL;
    char *text = (char *)calloc(1, 32), version[VERSION];

    if (text == NULL)
        abort();
    if (get && get_version(get, version))
        snprintf(text, 32, "cuBLAS %s", version);
    return text;
}

const char *cublas_open(struct cublas **out, void **kept)
{
    struct cublas *lib;
    const char *why = NULL;

    *out = kept ? (struct cublas *)*kept : NULL;
    if (*out != NULL)
        return NULL;
    lib = (struct cublas *)calloc(1, sizeof *lib);
    if (lib == NULL)
        abort();
    lib->so = open_library(0);
    if (lib->so == NULL)
        why = "libcublas.so not found";
    else if (!find_entries(lib))
        why = "libcublas.so lacks a function";
    else if (lib->cublasCreate_v2(&lib->handle) != CUBLAS_STATUS_SUCCESS)
        why = "cublasCreate failed";
    if (why != NULL) {
        cublas_close(lib);
        lib = NULL;
    }
    if (lib != NULL && kept != NULL) {
        lib->kept = true;
        *kept = lib;
    }
    *out = lib;
    return why;
}

static void forget(struct cublas *lib, struct shape *shape)
{
    if (shape->desc != NULL)
        lib->cublasLtMatmulDescDestroy(shape->desc);
    if (shape->lw != NULL)
        lib->cublasLtMatrixLayoutDestroy(shape->lw);
    if (shape->lx != NULL)
        lib->cublasLtMatrixLayoutDestroy(shape->lx);
    if (shape->ly != NULL)
        lib->cublasLtMatrixLayoutDestroy(shape->ly);
    free(shape);
}

void cublas_close(struct cublas *lib)
{
    if (lib == NULL || lib->kept)
        return;
    while (lib->shapes != NULL) {
        struct shape *first = lib->shapes;

        lib->shapes = first->next;
        forget(lib, first);
    }
    if (lib->handle != NULL)
        lib->cublasDestroy_v2(lib->handle);
    /* The library stays mapped: other variants may hold it open, and a library
     * that has used the device may not survive being unloaded. */
    free(lib);
}

int cublas_transpose(struct cublas *lib, void *stream, int rows, int cols,
                     const void *in, void *out)
{
    const float one = 1, zero = 0;
    float *c = (float *)out;

    /* in, row-major rows×cols, is column-major cols×rows. */
    if (lib->cublasSetStream_v2(lib->handle, (cudaStream_t)stream) !=
            CUBLAS_STATUS_SUCCESS ||
        lib->cublasSgeam(lib->handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols,
                         &one, (const float *)in, cols, &zero, c, rows, c,
                         rows) != CUBLAS_STATUS_SUCCESS)
        return cudaErrorUnknown;
    return 0;
}

/* ---- y = x Wᵀ ---- */

struct cublas_linear {
    struct cublas *lib;
    struct shape *shape;
    const void *x, *w;
    void *y, *workspace;
    size_t images_bytes; /* behind the workspace */
};

/* How the choice of cublasGemmEx begins. */
#define GEMM_EX "call=cublasGemmEx"

size_t cublas_linear_scratch(size_t l2_bytes)
{
    return WORKSPACE + 2 * l2_bytes;
}

/* Runs candidate i; legal inside stream capture. */
static bool run(struct cublas_linear *lin, int i, cudaStream_t stream)
{
    struct cublas *lib = lin->lib;
    struct shape *s = lin->shape;
    const float one = 1, zero = 0;
    const cudaDataType type = numbers_of[s->numbers].type;
    int m = s->m, n = s->n, k = s->k;

    /* Column-major, W is k×n and x is k×m: yᵀ (n×m) = Wᵀ x. */
    if (i < 0)
        return lib->cublasSetStream_v2(lib->handle, stream) ==
                   CUBLAS_STATUS_SUCCESS &&
               /* after the stream, which would put back the library's own */
               lib->cublasSetWorkspace_v2(lib->handle, lin->workspace,
                                          WORKSPACE) == CUBLAS_STATUS_SUCCESS &&
               lib->cublasGemmEx(lib->handle, CUBLAS_OP_T, CUBLAS_OP_N, n, m, k,
                                 &one, lin->w, type, k, lin->x, type, k, &zero,
                                 lin->y, type, n,
                                 numbers_of[s->numbers].compute,
                                 CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
    return lib->cublasLtMatmul((cublasLtHandle_t)lib->handle, s->desc, &one,
                               lin->w, s->lw, lin->x, s->lx, &zero, lin->y,
                               s->ly, lin->y, s->ly, &s->proposal[i].algo,
                               lin->workspace, WORKSPACE,
                               stream) == CUBLAS_STATUS_SUCCESS;
}

/* Describes the product to cublasLt. */
static bool describe(struct cublas *lib, struct shape *s)
{
    const cudaDataType type = numbers_of[s->numbers].type;
    cublasOperation_t t = CUBLAS_OP_T;

    return lib->cublasLtMatmulDescCreate(&s->desc,
                                         numbers_of[s->numbers].compute,
                                         CUDA_R_32F) == CUBLAS_STATUS_SUCCESS &&
           lib->cublasLtMatmulDescSetAttribute(
               s->desc, CUBLASLT_MATMUL_DESC_TRANSA, &t, sizeof t) ==
               CUBLAS_STATUS_SUCCESS &&
           lib->cublasLtMatrixLayoutCreate(&s->lw, type, s->k, s->n, s->k) ==
               CUBLAS_STATUS_SUCCESS &&
           lib->cublasLtMatrixLayoutCreate(&s->lx, type, s->k, s->m, s->k) ==
               CUBLAS_STATUS_SUCCESS &&
           lib->cublasLtMatrixLayoutCreate(&s->ly, type, s->n, s->m, s->n) ==
               CUBLAS_STATUS_SUCCESS;
}

/* Asks cublasLt for proposals. No proposal is not an error: cublasGemmEx
 * remains. */
static void ask(struct cublas *lib, struct shape *s)
{
    cublasLtMatmulPreference_t pref = NULL;
    size_t workspace = WORKSPACE;
    uint32_t sums =
        CUBLASLT_REDUCTION_SCHEME_NONE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;

    if (describe(lib, s) &&
        lib->cublasLtMatmulPreferenceCreate(&pref) == CUBLAS_STATUS_SUCCESS &&
        lib->cublasLtMatmulPreferenceSetAttribute(
            pref, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
            sizeof workspace) == CUBLAS_STATUS_SUCCESS &&
        lib->cublasLtMatmulPreferenceSetAttribute(
            pref, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &sums,
            sizeof sums) == CUBLAS_STATUS_SUCCESS &&
        lib->cublasLtMatmulAlgoGetHeuristic(
            (cublasLtHandle_t)lib->handle, s->desc, s->lw, s->lx, s->ly, s->ly,
            pref, PROPOSALS, s->proposal,
            &s->proposals) != CUBLAS_STATUS_SUCCESS)
        s->proposals = 0;
    if (pref != NULL)
        lib->cublasLtMatmulPreferenceDestroy(pref);
}

/*
 * The operands with image `turn` of W; image 0 is W itself, -1 the last. So
 * that W is cold in trials though it may fit into L2, calls take turns with
 * images of it, which lie in the scratch behind the workspace.
 */
static struct cublas_linear image(const struct cublas_linear *lin, int turn)
{
    size_t bytes = (size_t)lin->shape->n * lin->shape->k *
                   numbers_of[lin->shape->numbers].bytes;
    size_t apart = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t images = 1 + lin->images_bytes / apart;
    size_t i = turn < 0 ? images - 1 : turn % images;
    struct cublas_linear at = *lin;

    if (i != 0)
        at.w = (char *)lin->workspace + WORKSPACE + (i - 1) * apart;
    return at;
}

/* Calls candidate c - 1 on image `turn`, for trials_fastest(). */
static bool call(void *ctx, int c, int turn, void *stream)
{
    struct cublas_linear at = image((const struct cublas_linear *)ctx, turn);

    return run(&at, c - 1, (cudaStream_t)stream);
}

/* Finds the candidate that is to be used. False if none runs. */
static bool choose(struct cublas_linear *lin, cudaStream_t stream)
{
    int c = trials_fastest(call, lin, lin->shape->proposals + 1, stream);

    lin->shape->chosen = c - 1;
    return c >= 0;
}

/* ---- the choice, told and taken ---- */

/* Tries, and says what was chosen. */
static const char *choose_here(struct cublas_linear *lin, cudaStream_t stream)
{
    struct shape *s = lin->shape;
    char version[VERSION];

    ask(lin->lib, s);
    if (!choose(lin, stream))
        return "cuBLAS runs no algorithm for this shape";
    if (!get_version(lin->lib->cublasGetProperty, version))
        return "cuBLAS does not say its version";
    if (s->chosen < 0)
        snprintf(s->choice, sizeof s->choice, GEMM_EX " version=%s", version);
    else
        cublas_algo_text(
            (const void *)lin->lib->cublasLtMatmulAlgoConfigGetAttribute,
            &s->proposal[s->chosen].algo, version, s->choice, sizeof s->choice);
    return NULL;
}

/* Does what was chosen before. */
static const char *choose_as(struct cublas_linear *lin, const char *choice)
{
    struct cublas *lib = lin->lib;
    struct shape *s = lin->shape;
    cublasLtMatmulHeuristicResult_t found;
    char version[VERSION];

    s->given = true;
    snprintf(s->choice, sizeof s->choice, "%s", choice);
    s->chosen = strncmp(choice, GEMM_EX " ", sizeof GEMM_EX) == 0 ? -1 : 0;
    if (s->chosen < 0)
        return NULL;
    if (!get_version(lib->cublasGetProperty, version) ||
        !cublas_algo_read(choice, version, &s->proposal[0].algo))
        return "what was chosen is of another version of cuBLAS";
    s->proposals = 1;
    if (!describe(lib, s) ||
        lib->cublasLtMatmulAlgoCheck(
            (cublasLtHandle_t)lib->handle, s->desc, s->lw, s->lx, s->ly, s->ly,
            &s->proposal[0].algo, &found) != CUBLAS_STATUS_SUCCESS ||
        found.workspaceSize > WORKSPACE)
        return "cuBLAS does not run what was chosen";
    return NULL;
}

/* The shape among those that are known, with this choice or tried here. */
static struct shape *known(const struct cublas *lib,
                           enum cublas_numbers numbers, int m, int n, int k,
                           const char *choice)
{
    struct shape *s = lib->shapes;

    while (s != NULL && (s->numbers != numbers || s->m != m || s->n != n ||
                         s->k != k || s->given != (choice != NULL) ||
                         (choice && strcmp(s->choice, choice) != 0)))
        s = s->next;
    return s;
}

/* Describes a new shape; without a choice, tries it on the operands of lin. */
static const char *learn(struct cublas_linear *lin, void *stream,
                         enum cublas_numbers numbers, int m, int n, int k,
                         const char *choice)
{
    const cublasMath_t exact =
        (cublasMath_t)(CUBLAS_DEFAULT_MATH |
                       CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
    struct cublas *lib = lin->lib;
    struct shape *s = (struct shape *)calloc(1, sizeof *s);
    const char *why;

    if (s == NULL)
        abort();
    s->numbers = numbers;
    s->m = m, s->n = n, s->k = k;
    lin->shape = s;
    if (lib->cublasSetMathMode(lib->handle, exact) != CUBLAS_STATUS_SUCCESS)
        why = "cublasSetMathMode failed";
    else
        why = choice ? choose_as(lin, choice)
                     : choose_here(lin, (cudaStream_t)stream);
    if (why != NULL) {
        forget(lib, s);
        return why;
    }
    s->next = lib->shapes;
    lib->shapes = s;
    return NULL;
}

const char *cublas_linear_open_as(enum cublas_numbers numbers,
                                  struct cublas_linear **out, void **kept,
                                  void *stream, int m, int n, int k,
                                  const void *x, const void *w, void *y,
                                  void *scratch, size_t scratch_bytes,
                                  const char *choice)
{
    struct cublas_linear *lin = (struct cublas_linear *)calloc(1, sizeof *lin);
    const char *why;

    *out = NULL;
    if (lin == NULL)
        abort();
    lin->x = x, lin->w = w, lin->y = y;
    lin->workspace = scratch;
    lin->images_bytes = scratch_bytes - WORKSPACE;
    why = cublas_open(&lin->lib, kept);
    if (why == NULL)
        lin->shape = known(lin->lib, numbers, m, n, k, choice);
    if (why == NULL && lin->shape == NULL)
        why = learn(lin, stream, numbers, m, n, k, choice);
    if (why != NULL) {
        cublas_linear_close(lin);
        return why;
    }
    *out = lin;
    return NULL;
}

const char *cublas_linear_open(struct cublas_linear **out, void **kept,
                               void *stream, int m, int n, int k, const void *x,
                               const void *w, void *y, void *scratch,
                               size_t scratch_bytes, const char *choice)
{
    return cublas_linear_open_as(CUBLAS_BF16, out, kept, stream, m, n, k, x, w,
                                 y, scratch, scratch_bytes, choice);
}

const char *cublas_linear_choice(const struct cublas_linear *lin)
{
    return lin->shape->choice;
}

int cublas_linear_run(struct cublas_linear *lin, void *stream)
{
    return run(lin, lin->shape->chosen, (cudaStream_t)stream)
               ? 0
               : cudaErrorUnknown;
}

void cublas_linear_close(struct cublas_linear *lin)
{
    if (lin == NULL)
        return;
    cublas_close(lin->lib);
    free(lin);
}
