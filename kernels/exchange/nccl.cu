/*
 * exchange/nccl - NCCL moves blocks of rows, all GPUs driven by this process.
 *
 * dispatch: got[at] = rows of the tokens that have an expert at GPU `at`.
 * combine:  out = sum over GPUs of weight y, in their order.
 *
 * What a program does without kernels between GPUs: as in exchange/engine a
 * kernel puts the rows for each GPU side by side. Then a group call sends a
 * block to each other GPU and receives one from it, which is NCCL's all-to-all.
 * A kernel adds up what has come back. The host must know the sizes, and here
 * does.
 *
 * The library is opened with dlopen(), as in kernels/allreduce/nccl.cu, which
 * says more. The call before the first measured one connects the GPUs; it is
 * made by prepare(), with the same sizes.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/exchange/pack.cuh"

enum { NCCL_BYTES = 0 /* ncclInt8 */, ROOM = 1024 };

/* What has been opened in this process. */
struct nccl {
    void *so;
    void *comm[ALL + 1][ALL]; /* of so many GPUs */
    int (*init)(void **comms, int count, const int *devices);
    int (*send)(const void *from, size_t count, int type, int peer, void *comm,
                cudaStream_t stream);
    int (*receive)(void *to, size_t count, int type, int peer, void *comm,
                   cudaStream_t stream);
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
    *(void **)&n->send = dlsym(n->so, "ncclSend");
    *(void **)&n->receive = dlsym(n->so, "ncclRecv");
    *(void **)&n->group_start = dlsym(n->so, "ncclGroupStart");
    *(void **)&n->group_end = dlsym(n->so, "ncclGroupEnd");
    return n->init && n->send && n->receive && n->group_start && n->group_end
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

/* All blocks of rows, sent and received. */
static int exchange_all(const struct kernel_case *c,
                        const struct kernel_env *env, void *const *buf,
                        const struct nccl *n)
{
    const int gpus = kernel_gpus(c);
    int rc = n->group_start(), end;

    for (int g = 0; g < gpus && !rc; g++)
        for (int h = 0; h < gpus && !rc; h++) {
            const transfer leaves = transfer_of(c, buf, g, h);
            const transfer comes = transfer_of(c, buf, h, g);
            const cudaStream_t stream = (cudaStream_t)env->streams[g];

            if (h == g)
                continue;
            rc = n->send(leaves.from, leaves.bytes, NCCL_BYTES, h,
                         n->comm[gpus][g], stream);
            if (!rc)
                rc = n->receive(comes.to, comes.bytes, NCCL_BYTES, h,
                                n->comm[gpus][g], stream);
        }
    end = n->group_end();
    return rc || end ? cudaErrorUnknown : cudaSuccess;
}

/* One call on all GPUs. Returns a cudaError_t. */
static int call(const struct kernel_case *c, const struct kernel_env *env,
                void *const *buf, const struct nccl *n)
{
    const unsigned blocks = blocks_of(c, env, PACK_BLOCKS);
    const struct exchange *const e = exchange_of(c);
    const bool out = exchange_is_dispatch(c);
    int rc = 0;

    if (out)
        rc = on_all(c, env, buf, [&](const sides &p, cudaStream_t stream) {
            const int begin = exchange_begin(e, p.rank, p.rank);

            pack<<<blocks, THREADS, 0, stream>>>(p, begin);
            return (int)cudaGetLastError();
        });
    if (!rc)
        rc = exchange_all(c, env, buf, n);
    if (!rc && !out)
        rc = on_all(c, env, buf, [&](const sides &p, cudaStream_t stream) {
            unpack<<<blocks, THREADS, 0, stream>>>(p);
            return (int)cudaGetLastError();
        });
    return rc;
}

static const char *connect(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           struct nccl *n)
{
    const int gpus = kernel_gpus(c), devices[ALL] = {0, 1, 2, 3};
    int rc = 0;

    if (!n->comm[gpus][0] && n->init(n->comm[gpus], gpus, devices)) {
        n->comm[gpus][0] = NULL;
        return "ncclCommInitAll failed";
    }
    rc = call(c, env, buf, n);
    if (rc) /* what has been enqueued might wait for ever */
        return "ncclSend or ncclRecv failed";
    for (int g = gpus - 1; g >= 0; g--) {
        const int selected = cudaSetDevice(g);
        const int ended = cudaStreamSynchronize((cudaStream_t)env->streams[g]);

        rc = rc ? rc : selected ? selected : ended;
    }
    return rc ? "ncclSend or ncclRecv failed" : NULL;
}

extern "C" const char *exchange_nccl_prepare(const struct kernel_case *c,
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

extern "C" size_t exchange_nccl_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    return pack_scratch(c);
}

extern "C" int exchange_nccl(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    return call(c, env, buf, (const struct nccl *)state);
}

/* "NCCL 2.28.9"; the version is 22809. */
extern "C" const char *exchange_nccl_library(void)
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
