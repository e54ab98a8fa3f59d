/*
 * allreduce/nccl - NCCL's all-reduce, all GPUs driven by this process.
 *
 * The library is opened with dlopen(), so that the same binary starts on a host
 * without it, and its interface is declared here: it has been the same since
 * NCCL 2.10. It chooses algorithm, protocol and number of blocks by itself.
 *
 * The call before the first measured one connects the GPUs, which allocates.
 * prepare() makes it, with the same size, since NCCL connects what a size
 * needs.
 *
 * Our kernels trap if they wait too long for another GPU (kernels/peer.cuh).
 * NCCL has no deadline: if a GPU fails, the others wait until the runner ends
 * the process.
 */
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/allreduce/allreduce.h"

enum { NCCL_SUM = 0, NCCL_BF16 = 9, ROOM = 1024 };

/* What has been opened in this process. */
struct nccl {
    void *so;
    void *comm[ALLREDUCE_MOST + 1][ALLREDUCE_MOST]; /* of so many GPUs */
    int (*init)(void **comms, int count, const int *devices);
    int (*all_reduce)(const void *from, void *to, size_t count, int type,
                      int op, void *comm, cudaStream_t stream);
    int (*group_start)(void);
    int (*group_end)(void);
};

/* The library of the pip package that PyTorch brings along, as Python names
 * it. */
static void *open_package(void)
{
    static const char question[] =
        " -c 'import importlib.util as u;"
        " print(list(u.find_spec(\"nvidia.nccl\")"
        ".submodule_search_locations)[0])' 2>/dev/null";
    const char *python = getenv("RIDGEPOINT_PYTHON");
    char command[ROOM], folder[ROOM / 2] = "", path[ROOM];
    FILE *f;

    snprintf(command, sizeof command, "%s%s", python ? python : "python3",
             question);
    f = popen(command, "r");
    if (!f)
        return NULL;
    if (fgets(folder, sizeof folder, f))
        folder[strcspn(folder, "\n")] = 0;
    pclose(f);
    snprintf(path, sizeof path, "%s/lib/libnccl.so.2", folder);
    return folder[0] ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

static const char *open_library(struct nccl *n)
{
    n->so = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!n->so)
        n->so = open_package();
    if (!n->so)
        return "libnccl.so.2 not found";
    *(void **)&n->init = dlsym(n->so, "ncclCommInitAll");
    *(void **)&n->all_reduce = dlsym(n->so, "ncclAllReduce");
    *(void **)&n->group_start = dlsym(n->so, "ncclGroupStart");
    *(void **)&n->group_end = dlsym(n->so, "ncclGroupEnd");
    return n->init && n->all_reduce && n->group_start && n->group_end
               ? NULL
               : "libnccl.so.2 lacks a function";
}

/* The library, opened once in a process. */
static const char *get(void **kept, struct nccl **out)
{
    const char *why;

    *out = NULL;
    if (!kept)
        return "the runner keeps no place for the library";
    *out = (struct nccl *)*kept;
    if (*out)
        return NULL;
    *out = (struct nccl *)calloc(1, sizeof **out);
    if (*out == NULL)
        abort();
    why = open_library(*out);
    if (why)
        free(*out);
    else
        *kept = *out;
    return why;
}

/* One call on all GPUs. Returns a cudaError_t. */
static int call(const struct kernel_case *c, const struct kernel_env *env,
                void *const *buf, const struct nccl *n)
{
    const int gpus = kernel_gpus(c);
    int rc = n->group_start(), end;

    for (int g = 0; g < gpus && !rc; g++) {
        void *const *const of = kernel_of_gpu(buf, g);

        rc = n->all_reduce(of[ALLREDUCE_X], of[ALLREDUCE_SUM],
                           allreduce_count(c), NCCL_BF16, NCCL_SUM,
                           n->comm[gpus][g], (cudaStream_t)env->streams[g]);
    }
    end = n->group_end();
    return rc || end ? cudaErrorUnknown : cudaSuccess;
}

static const char *connect(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           struct nccl *n)
{
    const int gpus = kernel_gpus(c), devices[ALLREDUCE_MOST] = {0, 1, 2, 3};
    int rc = 0;

    if (!n->comm[gpus][0] && n->init(n->comm[gpus], gpus, devices)) {
        n->comm[gpus][0] = NULL;
        return "ncclCommInitAll failed";
    }
    rc = call(c, env, buf, n);
    if (rc) /* what has been enqueued might wait for ever */
        return "ncclAllReduce failed";
    for (int g = gpus - 1; g >= 0; g--) {
        const int selected = cudaSetDevice(g);
        const int ended = cudaStreamSynchronize((cudaStream_t)env->streams[g]);

        rc = rc ? rc : selected ? selected : ended;
    }
    return rc ? "ncclAllReduce failed" : NULL;
}

extern "C" const char *allreduce_nccl_prepare(const struct kernel_case *c,
                                              const struct kernel_env *env,
                                              void *const *buf, void **state)
{
    struct nccl *n;
    const char *why = get(env->kept, &n);

    if (!why)
        why = connect(c, env, buf, n);
    *state = n;
    return why;
}

extern "C" int allreduce_nccl(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    return call(c, env, buf, (const struct nccl *)state);
}

/* "NCCL 2.28.9"; the version is 22809. */
extern "C" const char *allreduce_nccl_library(void)
{
    void *const so = dlopen("libnccl.so.2", RTLD_NOW | RTLD_NOLOAD);
    int (*version)(int *) = NULL;
    char *const text = (char *)calloc(1, 48);
    int v = 0;

    if (text == NULL)
        abort();
    if (so)
        *(void **)&version = dlsym(so, "ncclGetVersion");
    if (version && version(&v) == 0)
        snprintf(text, 48, "NCCL %d.%d.%d", v / 10000, v / 100 % 100, v % 100);
    return text;
}
