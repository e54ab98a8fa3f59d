/*
 * kernels/overlap/meet.cuh - how blocks of several GPUs meet, and how the host
 * goes from GPU to GPU.
 *
 * Block b of one GPU meets block b of the others. A meeting has a ticket, one
 * more than the last. Each block leaves it in the scratch memory of the others,
 * and waits until it finds theirs, or a later one, in its own: who has met may
 * go on to the next meeting before this one has looked. Tickets go on from call
 * to call, so nothing has to be cleared.
 *
 * All blocks that meet must run at the same time, so there are no more than
 * SMs.
 */
#ifndef KERNELS_OVERLAP_MEET_CUH
#define KERNELS_OVERLAP_MEET_CUH

#include "kernels/overlap/overlap.h"
#include "kernels/overlap/ptx.cuh"
#include "kernels/peer.cuh"

/* What a block has in scratch memory: tickets of others, and its own last. */
struct box {
    uint32_t flag[OVERLAP_MOST], ticket, padding[3];
};

enum { BOXES = 256, BOXES_BYTES = BOXES * sizeof(struct box) };

/* The scratch memory of all GPUs, as GPU `rank` sees it: boxes, then what a
 * variant needs. */
struct team {
    char *scratch[OVERLAP_MOST];
    int rank;
};

PTX_FN box *box_of(const team &t, int gpu, int block)
{
    return (box *)t.scratch[gpu] + block;
}

/* Waits for a ticket, or a later one. */
PTX_FN void wait_for(const uint32_t *flag, uint32_t ticket)
{
    peer_spin_until([&] { return (int)(ptx_flag_load(flag) - ticket) >= 0; });
}

/* All threads of the block. What others wrote before may be read behind it. */
template <int GPUS> PTX_FN void meet(const team &t, uint32_t ticket)
{
    const int other = (int)threadIdx.x, block = (int)blockIdx.x;

    __syncthreads();
    if (other < GPUS && other != t.rank) {
        ptx_flag_send(&box_of(t, other, block)->flag[t.rank], ticket);
        wait_for(&box_of(t, t.rank, block)->flag[other], ticket);
    }
    __syncthreads();
}

/* ---- the host's side ---- */

static inline team team_of(const struct kernel_case *c, void *const *buf,
                           int rank)
{
    team t = {};

    for (int h = 0; h < kernel_gpus(c); h++)
        t.scratch[h] = (char *)kernel_of_gpu(buf, h)[OVERLAP_SCRATCH];
    t.rank = rank;
    return t;
}

/* What lies behind the boxes of GPU g, from byte `at` on. */
static inline uint16_t *behind_boxes(void *const *buf, int g, size_t at)
{
    char *const scratch = (char *)kernel_of_gpu(buf, g)[OVERLAP_SCRATCH];

    return (uint16_t *)(scratch + BOXES_BYTES + at);
}

/* Calls start(g, stream) with the device of each GPU selected, until it fails.
 */
template <typename START>
static int on_all(const struct kernel_env *env, START start)
{
    int rc = 0;

    for (int g = 0; g < env->gpus && !rc; g++) {
        rc = cudaSetDevice(g);
        if (!rc)
            rc = start(g, (cudaStream_t)env->streams[g]);
    }
    return rc;
}

/* Loads a kernel on the selected device: a GPU that waits for another must not
 * keep that one from its kernels. */
template <typename KERNEL> static int load_kernel(KERNEL *kernel)
{
    cudaFuncAttributes found;

    return cudaFuncGetAttributes(&found, kernel);
}

/* The same for one that takes so much shared memory. */
template <typename KERNEL> static int load_large(KERNEL *kernel, int bytes)
{
    const int rc = load_kernel(kernel);

    return rc ? rc
              : cudaFuncSetAttribute(
                    kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

/* f<GPUS>(...) for as many GPUs as the case has. */
#define FOR_GPUS(c, f, ...)                    \
    (kernel_gpus(c) == 2   ? f<2>(__VA_ARGS__) \
     : kernel_gpus(c) == 3 ? f<3>(__VA_ARGS__) \
                           : f<4>(__VA_ARGS__))

#endif
