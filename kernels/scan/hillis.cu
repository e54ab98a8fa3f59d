/*
 * scan/hillis - Hillis and Steele's scan (Communications of the ACM 29, 1986,
 * doi 10.1145/7902.7903).
 *
 * In step s every element adds the one 2^s places before it: after ten steps,
 * the last of a block of 1024 has taken in all the others. That is 10 additions
 * per element where a loop does one, but the loop is one thread and this is
 * 1024. All threads must have read before any of them writes, so the elements
 * alternate between two rows of shared memory, with one barrier a step.
 *
 * A block cannot see beyond itself, so the sums of the blocks are scanned
 * the same way and added to them afterwards (kernels/scan/levels.cuh). The
 * whole result is read and written a second time for that: of the bytes that
 * move, half are the problem's.
 *
 * Predicted before any run: at most 45 % of the datasheet bandwidth for
 * large n. Half the bytes are of no use, and eleven barriers a block leave
 * the memory idle.
 */
#include "kernels/scan/levels.cuh"

enum { THREADS = LEVELS_BLOCK };

static __global__ void scan_blocks(float *y, const float *x, size_t n,
                                   float *sums)
{
    __shared__ float row[2][THREADS];
    const int me = threadIdx.x;
    const size_t i = blockIdx.x * (size_t)THREADS + me;
    int in = 0;

    row[in][me] = i < n ? x[i] : 0;
    __syncthreads();
    // ANCHOR: inner
    for (int before = 1; before < THREADS; before *= 2, in ^= 1) {
        row[in ^ 1][me] =
            row[in][me] + (me >= before ? row[in][me - before] : 0.0f);
        __syncthreads();
    }
    if (i < n) /* what is summed up to the left neighbour */
        y[i] = me > 0 ? row[in][me - 1] : 0.0f;
    // ANCHOR_END: inner
    if (me == THREADS - 1)
        sums[blockIdx.x] = row[in][me];
}

extern "C" size_t scan_hillis_scratch(const struct kernel_case *c,
                                      const struct kernel_env *)
{
    return levels_scratch(scan_length(c));
}

extern "C" int scan_hillis(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *)
{
    return levels_launch(scan_blocks, THREADS, (float *)buf[0],
                         (const float *)buf[1], scan_length(c), (float *)buf[2],
                         (cudaStream_t)env->stream);
}
