/*
 * scan/blelloch - Blelloch's scan (Prefix sums and their applications, Carnegie
 * Mellon University, CMU-CS-90-190, 1990).
 *
 * One addition per element is enough; `hillis` does ten. A tree needs two: on
 * the way up each node becomes the sum of its two children, which leaves the
 * sum of the block at the root; on the way down each node hands its left child
 * the sum of all before the node, and its right child that plus the left
 * child's sum. The numbers of additions go from n log n to 2n.
 *
 * The price: twice as many steps, each with a barrier, and in most of them
 * most threads have nothing to do. Neighbours in a high level of the tree
 * lie a power of two apart, in the same bank of shared memory; one word of
 * padding after each 32 pulls them apart.
 *
 * Predicted before any run: within 15 % of Hillis and Steele's, to either
 * side. What limits is not the additions but the bytes and the barriers.
 */
#include "kernels/scan/levels.cuh"

enum { THREADS = LEVELS_BLOCK / 2, BANKS = 32 };

/* Where element i lies in shared memory. */
static __device__ int place(int i)
{
    return i + i / BANKS;
}

static __global__ void scan_blocks(float *y, const float *x, size_t n,
                                   float *sums)
{
    __shared__ float tree[LEVELS_BLOCK + LEVELS_BLOCK / BANKS];
    const int me = threadIdx.x;
    const size_t begin = blockIdx.x * (size_t)LEVELS_BLOCK;

    for (int i = me; i < LEVELS_BLOCK; i += THREADS)
        tree[place(i)] = begin + i < n ? x[begin + i] : 0;
    // ANCHOR: inner
    for (int width = 1; width < LEVELS_BLOCK; width *= 2) { /* up */
        const int right = (2 * me + 2) * width - 1;

        __syncthreads();
        if (right < LEVELS_BLOCK)
            tree[place(right)] += tree[place(right - width)];
    }
    if (me == 0) { /* who also made the root */
        sums[blockIdx.x] = tree[place(LEVELS_BLOCK - 1)];
        tree[place(LEVELS_BLOCK - 1)] = 0;
    }
    for (int width = LEVELS_BLOCK / 2; width > 0; width /= 2) { /* down */
        const int right = (2 * me + 2) * width - 1;

        __syncthreads();
        if (right < LEVELS_BLOCK) {
            const float left = tree[place(right - width)];

            tree[place(right - width)] = tree[place(right)];
            tree[place(right)] += left;
        }
    }
    // ANCHOR_END: inner
    __syncthreads();
    for (int i = me; i < LEVELS_BLOCK; i += THREADS)
        if (begin + i < n)
            y[begin + i] = tree[place(i)];
}

extern "C" size_t scan_blelloch_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    return levels_scratch(scan_length(c));
}

extern "C" int scan_blelloch(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    return levels_launch(scan_blocks, THREADS, (float *)buf[0],
                         (const float *)buf[1], scan_length(c), (float *)buf[2],
                         (cudaStream_t)env->stream);
}
