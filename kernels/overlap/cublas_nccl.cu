/*
 * overlap/cublas_nccl - cuBLAS and NCCL, one after the other: what a program
 * does that calls libraries.
 *
 * down:    cuBLAS, then ncclReduceScatter
 * gate_up: ncclAllGather, then cuBLAS
 *
 * All GPUs are driven by this process. The product's algorithm is found by
 * trying, on GPU 0, and all GPUs use it. NCCL chooses for itself, and connects
 * the GPUs in a call that prepare() makes, with the same size.
 *
 * Our kernels trap if they wait too long for another GPU (kernels/peer.cuh).
 * NCCL has no deadline: if a GPU fails, the others wait until the runner ends
 * the process.
 */
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/cublas.h"
#include "kernels/overlap/overlap.h"

/* NCCL's interface, the same since 2.10. */
enum { SUM_OP = 0, BF16_TYPE = 9 };
typedef int (*init_fn)(void **comms, int count, const int *devices);
typedef int (*scatter_fn)(const void *from, void *to, size_t each, int type,
                          int op, void *comm, cudaStream_t stream);
typedef int (*gather_fn)(const void *from, void *to, size_t each, int type,
                         void *comm, cudaStream_t stream);
typedef int (*group_fn)(void);

/* What stays open in this process. */
struct libraries {
    void *cublas[OVERLAP_MOST];                 /* of each GPU */
    void *comm[OVERLAP_MOST + 1][OVERLAP_MOST]; /* of so many GPUs */
    init_fn init;
    scatter_fn reduce_scatter;
    gather_fn all_gather;
    group_fn begin, end;
};

struct job {
    struct libraries *l;
    struct cublas_linear *product[OVERLAP_MOST];
};

/* ---- NCCL ---- */

/* The library that pip installed beside PyTorch. */
static void *open_of_pip(void)
{
    const char *const python = getenv("RIDGEPOINT_PYTHON");
    char text[1024], path[768] = "";
    FILE *answer;

    snprintf(text, sizeof text,
             "%s -c 'import nvidia.nccl as n; print(list(n.__path__)[0] +"
             " \"/lib/libnccl.so.2\", end=\"\")' 2>/dev/null",
             python ? python : "python3");
    answer = popen(text, "r");
    if (answer == NULL)
        return NULL;
    if (fgets(path, sizeof path, answer) == NULL)
        path[0] = 0;
    pclose(answer);
    return path[0] ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

static const char *find_nccl(struct libraries *l)
{
    void *so = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);

    if (so == NULL)
        so = open_of_pip();
    if (so == NULL)
        return "libnccl.so.2 not found";
    l->init = (init_fn)dlsym(so, "ncclCommInitAll");
    l->reduce_scatter = (scatter_fn)dlsym(so, "ncclReduceScatter");
    l->all_gather = (gather_fn)dlsym(so, "ncclAllGather");
    l->begin = (group_fn)dlsym(so, "ncclGroupStart");
    l->end = (group_fn)dlsym(so, "ncclGroupEnd");
    return l->init && l->reduce_scatter && l->all_gather && l->begin && l->end
               ? NULL
               : "libnccl.so.2 lacks a function";
}

/* Opened once in a process. */
static const char *keep(void **kept, struct libraries **out)
{
    const char *why;

    if (kept == NULL)
        return "the runner keeps no place for the libraries";
    *out = (struct libraries *)*kept;
    if (*out)
        return NULL;
    *out = (struct libraries *)calloc(1, sizeof **out);
    if (*out == NULL)
        abort();
    why = find_nccl(*out);
    if (why)
        free(*out);
    else
        *kept = *out;
    return why;
}

/* ---- a call ---- */

/* Products of all rows, or rows of all GPUs: behind what cuBLAS needs. */
static void *between(const struct kernel_env *env, void *const *buf, int g)
{
    char *const scratch = (char *)kernel_of_gpu(buf, g)[OVERLAP_SCRATCH];

    return scratch + (cublas_linear_scratch(env->l2_bytes) + 255) / 256 * 256;
}

static int communicate(const struct kernel_case *c,
                       const struct kernel_env *env, void *const *buf,
                       const struct libraries *l)
{
    const int gpus = kernel_gpus(c);
    const bool down = overlap_is_down(c);
    const size_t each =
        (size_t)overlap_share(c) * kernel_num(c, down ? "n" : "k");
    int rc = l->begin(), ended;

    for (int g = 0; g < gpus && !rc; g++) {
        void *const *const of = kernel_of_gpu(buf, g);
        void *const comm = l->comm[gpus][g], *const rows = between(env, buf, g);
        const cudaStream_t stream = (cudaStream_t)env->streams[g];

        rc = down ? l->reduce_scatter(rows, of[OVERLAP_C], each, BF16_TYPE,
                                      SUM_OP, comm, stream)
                  : l->all_gather(of[OVERLAP_A], rows, each, BF16_TYPE, comm,
                                  stream);
    }
    ended = l->end();
    return rc || ended ? cudaErrorUnknown : cudaSuccess;
}

static int multiply(const struct kernel_env *env, const struct job *j)
{
    int rc = 0;

    for (int g = 0; g < env->gpus && !rc; g++) {
        rc = cudaSetDevice(g);
        if (!rc)
            rc = cublas_linear_run(j->product[g], env->streams[g]);
    }
    return rc;
}

/* ---- what the runner calls ---- */

static const char *connect_all(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               struct libraries *l)
{
    const int gpus = kernel_gpus(c), devices[OVERLAP_MOST] = {0, 1, 2, 3};
    int rc = 0;

    if (!l->comm[gpus][0] && l->init(l->comm[gpus], gpus, devices)) {
        l->comm[gpus][0] = NULL;
        return "ncclCommInitAll failed";
    }
    if (communicate(c, env, buf, l)) /* what is enqueued might never end */
        return "NCCL failed";
    for (int g = 0; g < gpus && !rc; g++) {
        rc = cudaSetDevice(g);
        if (!rc)
            rc = cudaStreamSynchronize((cudaStream_t)env->streams[g]);
    }
    return rc ? "NCCL failed" : NULL;
}

extern "C" void overlap_cublas_nccl_release(void *state)
{
    struct job *const j = (struct job *)state;

    for (int g = 0; g < OVERLAP_MOST; g++)
        if (j->product[g] && cudaSetDevice(g) == cudaSuccess)
            cublas_linear_close(j->product[g]);
    free(j);
}

/* The product of GPU g, with the algorithm of GPU 0. */
static const char *open_product(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                int g, struct job *j)
{
    void *const *const of = kernel_of_gpu(buf, g);
    void *const rows = between(env, buf, g);
    const bool down = overlap_is_down(c);
    const char *const choice =
        g == 0 ? env->choice : cublas_linear_choice(j->product[0]);

    if (cudaSetDevice(g))
        return "a GPU cannot be selected";
    return cublas_linear_open(&j->product[g], &j->l->cublas[g], env->streams[g],
                              (int)kernel_num(c, "m"), (int)kernel_num(c, "n"),
                              (int)kernel_num(c, "k"),
                              down ? of[OVERLAP_A] : rows, of[OVERLAP_B],
                              down ? rows : of[OVERLAP_C], of[OVERLAP_SCRATCH],
                              cublas_linear_scratch(env->l2_bytes), choice);
}

extern "C" const char *overlap_cublas_nccl_prepare(const struct kernel_case *c,
                                                   const struct kernel_env *env,
                                                   void *const *buf,
                                                   void **state)
{
    struct job *const j = (struct job *)calloc(1, sizeof *j);
    const char *why;

    if (j == NULL)
        abort();
    why = keep(env->kept, &j->l);
    if (why == NULL)
        why = connect_all(c, env, buf, j->l);
    for (int g = 0; g < env->gpus && why == NULL; g++) {
        why = open_product(c, env, buf, g, j);
        if (why)
            j->product[g] = NULL;
    }
    *state = j;
    if (why)
        overlap_cublas_nccl_release(j);
    return why;
}

extern "C" size_t overlap_cublas_nccl_scratch(const struct kernel_case *c,
                                              const struct kernel_env *env)
{
    const char *const wide = overlap_is_down(c) ? "n" : "k";

    return (cublas_linear_scratch(env->l2_bytes) + 255) / 256 * 256 +
           2 * (size_t)kernel_num(c, "m") * (size_t)kernel_num(c, wide);
}

extern "C" int overlap_cublas_nccl(const struct kernel_case *c,
                                   const struct kernel_env *env,
                                   void *const *buf, void *state)
{
    const struct job *const j = (const struct job *)state;
    int rc =
        overlap_is_down(c) ? multiply(env, j) : communicate(c, env, buf, j->l);

    if (rc)
        return rc;
    return overlap_is_down(c) ? communicate(c, env, buf, j->l)
                              : multiply(env, j);
}

extern "C" const char *overlap_cublas_nccl_chosen(void *state)
{
    return cublas_linear_choice(((struct job *)state)->product[0]);
}

/* "cuBLAS 13.1.0, NCCL 2.28.9"; the version of the latter is 22809. */
extern "C" const char *overlap_cublas_nccl_library(void)
{
    void *const so = dlopen("libnccl.so.2", RTLD_NOW | RTLD_NOLOAD);
    int (*const version)(int *) =
        so ? (int (*)(int *))dlsym(so, "ncclGetVersion") : NULL;
    static char text[128];
    int v = 0;

    if (version == NULL || version(&v))
        return cublas_library();
    snprintf(text, sizeof text, "%s, NCCL %d.%d.%d", cublas_library(),
             v / 10000, v / 100 % 100, v % 100);
    return text;
}
