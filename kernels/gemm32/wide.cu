/*
 * gemm32/wide - 8 x 16 outputs a thread, and nobody waits at a barrier.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * A thread of 8 x 8 outputs loads 16 chunks for 256 FMAs, one of 8 x 16 loads
 * 24 for 512: 95.5 % of all instructions are FMAs in place of 94 %, and shared
 * memory hands out a quarter less for each. 256 threads make 128 x 256 outputs,
 * and one block fills an SM: 128 sums a thread, and only two warps for each
 * scheduler. These must not wait. So a thread loads its next chunks itself,
 * well before it needs them, and that goes on across slots.
 *
 * A slot takes 8192 cycles. In the middle of it the first thread asks for the
 * tiles that replace those of the slot before. By then all warps have long said
 * that they are done with them, each for itself at a second mbarrier, `empty`.
 *
 * What remains: 24 loads and a few additions beside 512 FMAs, and the rounds of
 * tiles. 8192 x 8192 outputs are 2048 tiles, which 132 SMs do in 16 rounds
 * where 15.5 would do. That leaves 92 % of the peak.
 *
 * Predicts: 1.05 times gemm32/bulk, 80 to 92 % of the peak in cycles.
 */
#include "kernels/gemm32/along.cuh"
#include "kernels/gemm32/shared.cuh"

enum {
    HIGH = 128,                   /* outputs of a block: rows */
    WIDE = 256,                   /* and columns */
    STAGES = 4,                   /* slots */
    COLS = 16,                    /* columns of a thread */
    ACROSS = WIDE / COLS / APART, /* warps side by side */
    THREADS = HIGH / ROWS * WIDE / COLS,
    WARPS = THREADS / WARP,
    A_BYTES = HIGH * TENSOR_MAP_PANEL, /* of A in a slot */
    B_BYTES = WIDE * TENSOR_MAP_PANEL,
    SHARED = STAGES * (A_BYTES + B_BYTES) + TENSOR_MAP_ALIGN,
};

/* The chunks that a thread works on, and those that it needs next. */
struct chunks {
    float4 u[2][ROWS], v[2];
};

/* Row i of the chunks at shared address `at`. */
static __device__ __forceinline__ float4 row_at(uint32_t at, int i)
{
    return shared_four(at + i * APART * TENSOR_MAP_PANEL);
}

/* Four steps of k, from u[NOW] and the chunks of B at `right`; meanwhile the
 * next chunks are loaded. */
template <int NOW>
static __device__ __forceinline__ void
add_chunk(float (&sum)[ROWS][COLS], chunks &w, uint32_t right,
          uint32_t next_left, uint32_t next_right)
{
    // ANCHOR: inner
#pragma unroll
    for (int j = 0; j < COLS; j++) {
        w.v[(j + 1) % 2] =
            j + 1 < COLS ? row_at(right, j + 1) : row_at(next_right, 0);
        if (j % 2 == 0)
            w.u[1 - NOW][j / 2] = row_at(next_left, j / 2);
        add_column(sum, j, w.u[NOW], w.v[j % 2]);
    }
    // ANCHOR_END: inner
}

/* The slots, and where in A and B their rows are. */
struct slots {
    char *a, *b;
    uint64_t *full, *empty;
    int top, first, steps;
};

/* By one thread: asks for the tiles of a step, as soon as their slot is free.
 */
static __device__ __forceinline__ void ask(const slots &r,
                                           const CUtensorMap *a_map,
                                           const CUtensorMap *b_map, int step)
{
    const uint64_t keep = ptx_evict_normal();
    const int s = step % STAGES;

    ptx_mbar_wait(&r.empty[s], (step / STAGES & 1) ^ 1);
    ptx_mbar_expect(&r.full[s], A_BYTES + B_BYTES);
    ptx_tile_load(r.a + s * A_BYTES, a_map, step * DEEP, r.top, &r.full[s],
                  keep);
    ptx_tile_load(r.b + s * B_BYTES, b_map, step * DEEP, r.first, &r.full[s],
                  keep);
}

/* By one thread: the barriers are ready, and all slots but one are asked for.
 */
static __device__ __forceinline__ void
begin(const slots &r, const CUtensorMap *a_map, const CUtensorMap *b_map)
{
    for (int s = 0; s < STAGES; s++) {
        ptx_mbar_init(&r.full[s], 1);
        ptx_mbar_init(&r.empty[s], WARPS);
    }
    ptx_mbar_init_fence();
    for (int step = 0; step < STAGES - 1 && step < r.steps; step++)
        ask(r, a_map, b_map, step);
}

/* Multiplies slot after slot; one thread asks for the next ones. */
static __device__ __forceinline__ void compute(float (&sum)[ROWS][COLS],
                                               const slots &r, const mine &at,
                                               const CUtensorMap *a_map,
                                               const CUtensorMap *b_map)
{
    chunks w;
    /* The thread's chunks 0 in the slot. Rows begin at multiples of 8 chunks,
       so its chunk q is there, but for an exclusive or with q. */
    uint32_t left = ptx_smem(chunk((const float *)r.a, at.row, 0));
    uint32_t right = ptx_smem(chunk((const float *)r.b, at.col, 0));
    uint32_t now = right;
    int s = 0;

    ptx_mbar_wait(&r.full[0], 0);
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        w.u[0][i] = row_at(left, i);
    w.v[0] = row_at(right, 0);
    // ANCHOR: steps
    for (int step = 0; step < r.steps; step++) {
        const int old = s;

#pragma unroll 1
        for (int q = 0; q < CHUNKS * 16; q += 2 * 16) {
            const uint32_t half = right ^ (q + 16);

            add_chunk<0>(sum, w, now, left ^ (q + 16), half);
            uint32_t next = left ^ (q + 32);
            now = right ^ (q + 32);
            if (q + 32 == CHUNKS * 16) { /* next comes another slot */
                const bool wrap = ++s == STAGES;

                left += A_BYTES - (wrap ? STAGES * A_BYTES : 0);
                right += B_BYTES - (wrap ? STAGES * B_BYTES : 0);
                s = wrap ? 0 : s;
                next = left;
                now = right;
                if (threadIdx.x == 0 && step + STAGES - 1 < r.steps)
                    ask(r, a_map, b_map, step + STAGES - 1);
                if (step + 1 < r.steps)
                    ptx_mbar_wait(&r.full[s], (step + 1) / STAGES & 1);
            }
            add_chunk<1>(sum, w, half, next, now);
        }
        __syncwarp(); /* all lanes have read the slot */
        if (threadIdx.x % WARP == 0)
            ptx_mbar_arrive(&r.empty[old]);
    }
    // ANCHOR_END: steps
}

static __global__ void __launch_bounds__(THREADS, 1)
    wide(struct product p, const __grid_constant__ CUtensorMap a_map,
         const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    char *const a = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
    const slots r = {a,
                     a + STAGES * A_BYTES,
                     full,
                     empty,
                     (int)blockIdx.y * HIGH,
                     (int)blockIdx.x * WIDE,
                     ceil_div(p.k, DEEP)};
    const int warp = threadIdx.x / WARP;
    const mine at = mine_of(warp / ACROSS, warp % ACROSS, COLS * APART);
    float sum[ROWS][COLS] = {};

    if (threadIdx.x == 0)
        begin(r, &a_map, &b_map);
    __syncthreads(); /* the barriers are ready */

    compute(sum, r, at, &a_map, &b_map);
    put_all(p, r.top, r.first, at, sum);
}

extern "C" const char *gemm32_wide_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE, state);
}

extern "C" int gemm32_wide(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    if (m == NULL)
        return gemm32_warps(c, env, buf, NULL);
    wide<<<dim3(ceil_div(p.n, WIDE), ceil_div(p.m, HIGH)), THREADS, SHARED,
           (cudaStream_t)env->stream>>>(p, m->a, m->b);
    return cudaGetLastError();
}
