#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/nccl.cuh"

enum { ROOM = 1024 };

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

/* Finds a function; false if the library lacks it. */
template <class Function>
static bool find(void *so, const char *name, Function **out)
{
    *out = (Function *)dlsym(so, name);
    return *out != NULL;
}

static const char *open_library(struct nccl *n)
{
    void *so = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);

    if (!so)
        so = open_package();
    if (!so)
        return "libnccl.so.2 not found";
    return find(so, "ncclCommInitAll", &n->init) &&
                   find(so, "ncclGroupStart", &n->group_start) &&
                   find(so, "ncclGroupEnd", &n->group_end) &&
                   find(so, "ncclAllReduce", &n->all_reduce) &&
                   find(so, "ncclReduceScatter", &n->reduce_scatter) &&
                   find(so, "ncclAllGather", &n->all_gather) &&
                   find(so, "ncclSend", &n->send) &&
                   find(so, "ncclRecv", &n->receive)
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

const char *nccl_open(void **kept, int gpus, struct nccl **out)
{
    int devices[KERNEL_MAX_GPUS];
    const char *const why = get(kept, out);

    if (why)
        return why;
    for (int g = 0; g < gpus; g++)
        devices[g] = g;
    if (!(*out)->comm[gpus][0] &&
        (*out)->init((*out)->comm[gpus], gpus, devices)) {
        (*out)->comm[gpus][0] = NULL;
        return "ncclCommInitAll failed";
    }
    return NULL;
}

/* GPU 0 comes last, so that it is the selected one again. */
int nccl_wait(const struct kernel_env *env, int gpus)
{
    int rc = 0;

    for (int g = gpus - 1; g >= 0; g--) {
        const int selected = cudaSetDevice(g);
        const int ended = cudaStreamSynchronize((cudaStream_t)env->streams[g]);

        rc = rc ? rc : selected ? selected : ended;
    }
    return rc;
}

/* The version of 2.28.9 is 22809. */
const char *nccl_library(void)
{
    void *const so = dlopen("libnccl.so.2", RTLD_NOW | RTLD_NOLOAD);
    int (*version)(int *) = NULL;
    char *const text = (char *)calloc(1, 48);
    int v = 0;

    if (text == NULL)
        abort();
    if (so && find(so, "ncclGetVersion", &version) && version(&v) == 0)
        snprintf(text, 48, "NCCL %d.%d.%d", v / 10000, v / 100 % 100, v % 100);
    return text;
}
