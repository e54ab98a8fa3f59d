/*
 * kernels/nccl.cuh - NCCL, with all GPUs driven by this process.
 *
 * The library is opened with dlopen(), so that the same binary starts on a host
 * without it, and its interface is declared here: it has been the same since
 * NCCL 2.10. It chooses algorithm, protocol and number of blocks by itself.
 *
 * The first call of a size connects the GPUs, which allocates. So a variant's
 * prepare() makes that call, and waits for it.
 *
 * Our kernels trap if they wait too long for another GPU (kernels/peer.cuh).
 * NCCL has no deadline: if a GPU fails, the others wait until the runner ends
 * the process.
 */
#ifndef KERNELS_NCCL_CUH
#define KERNELS_NCCL_CUH

#include <cuda_runtime.h>

#include "kernels/kernel.h"

/* ncclInt8, ncclBfloat16, ncclSum */
enum { NCCL_BYTES = 0, NCCL_BF16 = 9, NCCL_SUM = 0 };

/* Its functions; each returns 0 or an error of NCCL. Counts are of elements. */
struct nccl {
    void *comm[KERNEL_MAX_GPUS + 1][KERNEL_MAX_GPUS]; /* of so many GPUs */
    int (*init)(void **comms, int count, const int *devices);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*all_reduce)(const void *from, void *to, size_t count, int type,
                      int op, void *comm, cudaStream_t stream);
    int (*reduce_scatter)(const void *from, void *to, size_t each, int type,
                          int op, void *comm, cudaStream_t stream);
    int (*all_gather)(const void *from, void *to, size_t each, int type,
                      void *comm, cudaStream_t stream);
    int (*send)(const void *from, size_t count, int type, int peer, void *comm,
                cudaStream_t stream);
    int (*receive)(void *to, size_t count, int type, int peer, void *comm,
                   cudaStream_t stream);
};

/*
 * The library with communicators of the first `gpus` GPUs. *kept has it until
 * the process ends. Returns NULL, or why there is none.
 */
const char *nccl_open(void **kept, int gpus, struct nccl **out);

/* Waits for the streams of the first `gpus` GPUs. Returns a cudaError_t. */
int nccl_wait(const struct kernel_env *env, int gpus);

/* "NCCL 2.28.9": the kernel_variant.library of variants that have opened it. */
const char *nccl_library(void);

/* One call on all GPUs: each(gpu, comm, stream) enqueues the part of a GPU.
 * Returns a cudaError_t. */
template <class Each>
static int nccl_group(const struct nccl *n, const struct kernel_env *env,
                      int gpus, Each each)
{
    int rc = n->group_start(), end;

    for (int g = 0; g < gpus && !rc; g++)
        rc = each(g, n->comm[gpus][g], (cudaStream_t)env->streams[g]);
    end = n->group_end();
    return rc || end ? cudaErrorUnknown : cudaSuccess;
}

#endif
