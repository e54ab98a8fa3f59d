/*
 * stream/tile - one bulk tile per block, blocks in address order.
 *
 * In `ring` each block walks through memory at its own pace, and after a while
 * 132 blocks read and write at places that have drifted megabytes apart. A DRAM
 * page is opened for a few bursts and closed again, and where reads and writes
 * mix that costs twice. The block scheduler offers the remedy for free: blocks
 * start in order of their number, so if each does one small tile and ends, all
 * the accesses in flight at any moment lie in one narrow window that slides
 * through memory.
 *
 * So: bulk copies as before, but one tile per block and no ring; several blocks
 * share an SM, and while one computes, the others load. A wider window than
 * needed is a loss too: copy and triad hold the number of blocks down to ten
 * and six per SM, 40 and 48 KiB in flight, by asking for more shared memory
 * than they use.
 *
 * Expected, after a sweep of tile sizes and block counts chose the ones
 * below: better than `ring` for every op, and level with the peers.
 */
#include "kernels/ptx.cuh"
#include "kernels/stream/direct.cuh"
#include "kernels/sum.cuh"

enum {
    COPY_THREADS = 32,
    COPY_TILE = 1024,        /* elements: 4 KiB */
    COPY_SHARED = 21 * 1024, /* bytes: so that ten blocks fit */
    TRIAD_THREADS = 256,
    TRIAD_TILE = 1024,        /* elements per stream: a vector per thread */
    TRIAD_SHARED = 36 * 1024, /* bytes: so that six blocks fit */
    READ_THREADS = 128,
    READ_TILE = STREAM_PAGE,
};

// ANCHOR: inner
static __global__ void copy(float *a, const float *b, size_t n)
{
    extern __shared__ __align__(128) float4 tile[];
    __shared__ uint64_t full;
    const uint32_t bytes = COPY_TILE * sizeof *b;
    const size_t begin = blockIdx.x * (size_t)COPY_TILE;
    const uint64_t once = ptx_evict_first();

    if (begin + COPY_TILE > n)
        return direct_rest(a, b, NULL, begin, n);
    if (threadIdx.x != 0)
        return;
    ptx_mbar_init(&full, 1);
    ptx_mbar_init_fence();
    ptx_mbar_expect(&full, bytes);
    ptx_bulk_load(tile, b + begin, bytes, &full, once);
    ptx_mbar_wait(&full, 0);
    ptx_bulk_store(a + begin, tile, bytes, once);
    ptx_bulk_commit();
    ptx_bulk_wait_read<0>(); /* shared memory must outlive the store */
}
// ANCHOR_END: inner

static __global__ void triad(float *a, const float *b, const float *c, size_t n)
{
    extern __shared__ __align__(128) float4 tile[];
    float4 *v = tile;                 /* of b, then the sums */
    float4 *w = tile + TRIAD_THREADS; /* of c */
    __shared__ uint64_t full;
    const uint32_t bytes = TRIAD_TILE * sizeof *b;
    const size_t begin = blockIdx.x * (size_t)TRIAD_TILE;
    const uint64_t normal = ptx_evict_normal();
    const int i = threadIdx.x;

    static_assert(TRIAD_TILE == 4 * (int)TRIAD_THREADS);
    if (begin + TRIAD_TILE > n)
        return direct_rest(a, b, c, begin, n);
    if (i == 0) {
        ptx_mbar_init(&full, 1);
        ptx_mbar_init_fence();
        ptx_mbar_expect(&full, 2 * bytes);
        ptx_bulk_load(v, b + begin, bytes, &full, normal);
        ptx_bulk_load(w, c + begin, bytes, &full, normal);
    }
    __syncthreads(); /* the barrier is ready */
    ptx_mbar_wait(&full, 0);
    v[i] = direct_add_scaled(v[i], w[i]);
    ptx_fence_async();
    __syncthreads(); /* all sums are written */
    if (i == 0) {
        ptx_bulk_store(a + begin, v, bytes, normal);
        ptx_bulk_commit();
        ptx_bulk_wait_read<0>();
    }
}

static __global__ void read(float *sums, const float *b, size_t n)
{
    __shared__ __align__(128) float4 tile[READ_TILE / 4];
    __shared__ uint64_t full;
    const size_t begin = blockIdx.x * (size_t)READ_TILE;
    float sum = 0;

    if (begin + READ_TILE <= n) {
        if (threadIdx.x == 0) {
            ptx_mbar_init(&full, 1);
            ptx_mbar_init_fence();
            ptx_mbar_expect(&full, sizeof tile);
            ptx_bulk_load(tile, b + begin, sizeof tile, &full,
                          ptx_evict_first());
        }
        __syncthreads(); /* the barrier is ready */
        ptx_mbar_wait(&full, 0);
        for (int i = threadIdx.x; i < READ_TILE / 4; i += READ_THREADS)
            sum += sum_vector(tile[i]);
    } else {
        sum = direct_rest_sum(b, begin, n);
    }
    sum = sum_block<READ_THREADS>(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

extern "C" int stream_tile(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *)
{
    const size_t n = (size_t)kernel_num(c, "n");
    cudaStream_t stream = (cudaStream_t)env->stream;
    float *out = (float *)buf[0];
    const float *b = (const float *)buf[1];

    switch (stream_op_of(c)) {
    case STREAM_COPY:
        copy<<<(unsigned)stream_pieces(n, COPY_TILE), COPY_THREADS, COPY_SHARED,
               stream>>>(out, b, n);
        break;
    case STREAM_TRIAD:
        triad<<<(unsigned)stream_pieces(n, TRIAD_TILE), TRIAD_THREADS,
                TRIAD_SHARED, stream>>>(out, b, (const float *)buf[2], n);
        break;
    case STREAM_READ:
        read<<<(unsigned)stream_pieces(n, READ_TILE), READ_THREADS, 0,
               stream>>>(out, b, n);
        break;
    }
    return cudaGetLastError();
}
