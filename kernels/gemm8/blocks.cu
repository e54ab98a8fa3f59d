/*
 * gemm8/blocks - a scale for each 128 of k: of a row of A, of 128 rows of B.
 *
 * C[i][j] = Σ_q a[q][i] b[j / 128][q] Σ_k A[i][k] B[j][k], k in block q.
 *
 * This is how DeepSeek-V3 stores its weights, in blocks of 128 x 128, and its
 * activations, in strips of 1 x 128. Scales depend on k now, so a part of 128
 * of k must leave the tensor cores before the next one begins. It does that in
 * gemm8/three already: the addition there becomes a multiply-add.
 *
 * So a thread needs three numbers a slot: for two rows of A, and for the
 * columns of the tile, which are one block of B. They come from the L2, in some
 * 600 cycles. Whoever asks for them when they are needed has the tensor cores
 * wait. So a thread asks one slot ahead, over the end of a tile, too.
 *
 * Predicts: 1.00 to 1.05 times gemm8/three in cycles.
 */
#include "kernels/gemm8/three.cuh"

// ANCHOR: take
/* Parts count times the scales of their rows and columns. */
struct scaled {
    const product &p;
    const float *a_scales, *b_scales;
    int mine;           /* the thread's first row of a tile */
    int pair, step;     /* the slot that comes next */
    const float *a, *b; /* its scales, of the first row and of the columns */
    int rows;           /* that A has from there on */
    float now[2], upper, lower, block; /* `now`: of both rows; the next ones */

    /* The scales of the slot that comes next are asked for. */
    __device__ void ask()
    {
        upper = rows > 0 ? a[0] : 0;
        lower = rows > 8 ? a[8] : 0;
        block = b[0];
    }
    /* Goes to the first slot of tile `to`. */
    __device__ void go_to(int to)
    {
        pair = to;
        step = 0;
        if (pair >= trio_pairs(p))
            return;
        const place at = trio_place(p, pair);
        /* of the columns behind the last, nothing is stored */
        const int last = ceil_div(p.n, TRIO_WIDE) - 1;

        a = a_scales + at.top + mine;
        rows = p.m - at.top - mine;
        b = b_scales + (size_t)min(at.left / TRIO_WIDE, last) * block_pitch(p);
        ask();
    }
    __device__ void begin()
    {
        now[0] = upper * block;
        now[1] = lower * block;
        a += p.m;
        b++;
        if (++step < ceil_div(p.k, DEEP))
            ask();
        else
            go_to(pair + gridDim.x / PAIR);
    }
    __device__ float add(float sum, float part, int r) const
    {
        return fmaf(part, now[r / 2 % 2], sum);
    }
};
// ANCHOR_END: take

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(TRIO_THREADS, 1)
    blocks(struct product p, const float *a_scales, const float *b_scales,
           const __grid_constant__ CUtensorMap a_map,
           const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[TRIO_SLOTS], empty[TRIO_SLOTS];
    const slots r = trio_slots(raw, full, empty);
    const int group = threadIdx.x / WGMMA_GROUP;
    const int thread = threadIdx.x % WGMMA_GROUP;

    if (threadIdx.x == 0)
        trio_init(r);
    cluster_sync(); /* the barriers are ready, in both blocks */
    if (group == TRIO) {
        wgmma_give_registers<TRIO_FEW>();
        if (thread == 0)
            trio_fetch(r, &a_map, &b_map, p);
    } else {
        scaled take = {p, a_scales, b_scales,
                       group * WGMMA_HIGH + thread / WARP * 16 +
                           thread % WARP / 4};

        wgmma_take_registers<TRIO_MANY>();
        take.go_to(blockIdx.x / PAIR);
        trio_compute(p, r, group, take, 1);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemm8_blocks_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);

    if (cudaFuncSetAttribute(blocks,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             TRIO_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, TRIO_HIGH / PAIR, TRIO_WIDE, WGMMA_HIGH, state);
}

extern "C" int gemm8_blocks(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    blocks<<<trio_blocks(p, env->sms), TRIO_THREADS, TRIO_SHARED,
             (cudaStream_t)env->stream>>>(p, (const float *)buf[3],
                                          (const float *)buf[4], m->a, m->b);
    return cudaGetLastError();
}
