/*
 * scan/shuffle - warp shuffles, sixteen elements to a thread.
 *
 * The same three kernels, but within a tile the work is split otherwise. A
 * thread takes four vectors of 16 bytes, four neighbours each, and adds up its
 * own; the lanes of a warp scan their sums in registers by shuffles
 * (kernels/scan/scan.cuh); only the sums of the eight warps go through shared
 * memory, with one barrier. Per element that leaves a few instructions and a
 * sixteenth of the barriers, and 16 bytes times four are in flight per thread
 * instead of 4.
 *
 * Predicted before any run: 60-65 %. Two thirds of the bandwidth is what is
 * possible with three movements where two are the problem's, and now little
 * stands in the way of that.
 */
#include "kernels/scan/scan.cuh"

enum {
    THREADS = 256,
    WARPS = THREADS / WARP,
    ROWS = 4,
    SPAN = ROWS * SCAN_ROW, /* elements of a warp */
    TILE = WARPS * SPAN,
    BLOCKS_PER_SM = 4,
    SUMS_THREADS = 1024,       /* the block that scans the sums */
    MAX_BLOCKS = SUMS_THREADS, /* sums it can scan */
};

static __device__ size_t share_of(size_t n, unsigned blocks)
{
    const size_t tiles = (n + TILE - 1) / TILE;

    return (tiles + blocks - 1) / blocks * TILE;
}

static __global__ void sum_shares(float *sums, const float *x, size_t n)
{
    const size_t share = share_of(n, gridDim.x), begin = blockIdx.x * share;
    const size_t end = begin + share < n ? begin + share : n;
    const size_t mine = threadIdx.x / WARP * SPAN;
    float sum = 0, all;

    for (size_t tile = begin + mine; tile < end; tile += TILE) {
        scan_vector<float> v[ROWS];

        scan_load(v, x + tile, scan_left(end, tile));
        for (int r = 0; r < ROWS; r++)
            sum += (v[r].v[0] + v[r].v[1]) + (v[r].v[2] + v[r].v[3]);
    }
    sum = __shfl_sync(0xffffffff, scan_warp(sum), WARP - 1);
    scan_warps<float, WARPS>(sum, &all);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = all;
}

static __global__ void scan_sums(float *sums, unsigned count)
{
    const unsigned i = threadIdx.x;
    const float upto = scan_warp(i < count ? sums[i] : 0.0f);
    const float sum = __shfl_sync(0xffffffff, upto, WARP - 1);
    float all;
    const float before = scan_warps<float, SUMS_THREADS / WARP>(sum, &all);
    const float mine = scan_shift(upto);

    if (i < count)
        sums[i] = before + mine;
}

// ANCHOR: inner
static __global__ void scan_shares(float *y, const float *x, size_t n,
                                   const float *sums)
{
    const size_t share = share_of(n, gridDim.x), begin = blockIdx.x * share;
    const size_t end = begin + share < n ? begin + share : n;
    const size_t mine = threadIdx.x / WARP * SPAN;
    float before = sums[blockIdx.x], all;

    for (size_t tile = begin; tile < end; tile += TILE) {
        const size_t left = scan_left(end, tile + mine);
        scan_vector<float> v[ROWS];

        scan_load(v, x + tile + mine, left);
        const float sum = scan_rows(v);
        const float warps = scan_warps<float, WARPS>(sum, &all);

        scan_add(v, before + warps);
        scan_store(y + tile + mine, v, left);
        before += all;
        __syncthreads(); /* scan_warps() uses its shared memory again */
    }
}
// ANCHOR_END: inner

static unsigned blocks_for(const struct kernel_case *c,
                           const struct kernel_env *env)
{
    const size_t tiles = scan_pieces(scan_length(c), TILE);
    const size_t fit = scan_min((size_t)env->sms * BLOCKS_PER_SM, MAX_BLOCKS);

    return (unsigned)scan_min(tiles, fit);
}

extern "C" size_t scan_shuffle_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    return blocks_for(c, env) * sizeof(float);
}

extern "C" int scan_shuffle(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const unsigned blocks = blocks_for(c, env);
    cudaStream_t stream = (cudaStream_t)env->stream;
    const float *x = (const float *)buf[1];
    float *sums = (float *)buf[2];
    const size_t n = scan_length(c);

    sum_shares<<<blocks, THREADS, 0, stream>>>(sums, x, n);
    scan_sums<<<1, SUMS_THREADS, 0, stream>>>(sums, blocks);
    scan_shares<<<blocks, THREADS, 0, stream>>>((float *)buf[0], x, n, sums);
    return cudaGetLastError();
}
