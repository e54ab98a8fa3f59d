/*
 * gemm8/blocks - a scale for each 128 of k: of a row of A, of 128 rows of B.
 *
 * C[i][j] = Σ_q a[q][i] b[j / 128][q] Σ_k A[i][k] B[j][k], k in block q.
 *
 * This is how DeepSeek-V3 stores its weights, in blocks of 128 x 128, and its
 * activations, in strips of 1 x 128. Scales depend on k now, so a part of 128
 * of k must leave the tensor cores before the next one begins. It does that in
 * gemm8/halves already: the addition there becomes a multiply-add.
 *
 * So a thread needs four numbers a slot: for two rows of A, and for the two
 * halves of the columns, each of which is a block of B. They come from the L2,
 * in some 600 cycles. Whoever asks for them when they are needed has the tensor
 * cores wait. So a thread asks one slot ahead, over the end of a tile, too.
 *
 * Predicts: 1.00 to 1.02 times gemm8/halves in cycles.
 */
#include "kernels/gemm16/later.cuh"
#include "kernels/gemm8/turns.cuh"

// ANCHOR: take
/* The four scales of a thread in a slot: of its rows, and of the halves. */
struct scales {
    float row[2], half[2];
};

/* Parts count times the scales of their rows and columns. */
struct scaled {
    const product &p;
    const float *a_scales, *b_scales;
    int mine;           /* the thread's first row of a tile */
    int pair, step;     /* the slot that comes next */
    const float *a, *b; /* of the thread's first row, of the first half */
    int rows, pitch;    /* that A has from there on; to the next block of B */
    scales now, next;

    /* The scales of slot `step` of the tile are asked for. */
    __device__ void ask()
    {
        const float *const at = a + (size_t)step * p.m;

        next.row[0] = rows > 0 ? at[0] : 0;
        next.row[1] = rows > 8 ? at[8] : 0;
        next.half[0] = b[step];
        next.half[1] = b[step + pitch];
    }
    /* Goes to the first slot of tile `pair`. */
    __device__ void go_to(int to)
    {
        const int columns = block_pitch(p), blocks = ceil_div(p.n, HALF_WIDE);

        pair = to;
        step = 0;
        if (pair >= pairs_of(p))
            return;
        const place at = place_of(p, pair);
        const int block = at.left / HALF_WIDE;

        a = a_scales + at.top + mine;
        rows = p.m - at.top - mine;
        b = b_scales + (size_t)block * columns;
        /* of the columns behind the last, nothing is stored */
        pitch = block + 1 < blocks ? columns : 0;
        ask();
    }
    __device__ void begin()
    {
        now = next;
        if (++step < ceil_div(p.k, DEEP))
            ask();
        else
            go_to(pair + gridDim.x / PAIR);
    }
    __device__ float add(float sum, float part, int half, int r) const
    {
        return fmaf(part, now.row[r / 2 % 2] * now.half[half], sum);
    }
};
// ANCHOR_END: take

/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void
compute(const product &p, const slots &r, int group, const CUtensorMap *c_map,
        const float *a_scales, const float *b_scales)
{
    const int steps = ceil_div(p.k, DEEP);
    const int thread = threadIdx.x % WGMMA_GROUP;
    const int mine =
        group * WGMMA_HIGH + thread / WARP * 16 + thread % WARP / 4;
    halves before = {r.behind + group * PANELS * PANEL, c_map, group,
                     LATER_NONE, 0};
    scaled take = {p, a_scales, b_scales, mine};
    float sum[WIDE / 2];
    int i = 0;

    take.go_to(blockIdx.x / PAIR);
    turns_open(group);
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        multiply_in_turns(sum, r, group, steps, i, tell_both{r}, take,
                          [&](int half) { halves_send(before, sum, half, 1); });
        const place at = place_of(p, pair);

        before.row = at.top + group * WGMMA_HIGH;
        before.col = at.left;
    }
    turns_close(group);
    halves_send(before, sum, 0, 1);
    halves_send(before, sum, 1, 1);
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
}

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    blocks(struct product p, const float *a_scales, const float *b_scales,
           const __grid_constant__ CUtensorMap a_map,
           const __grid_constant__ CUtensorMap b_map,
           const __grid_constant__ CUtensorMap c_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const slots r = slots_in(raw, full, empty);
    const int group = threadIdx.x / WGMMA_GROUP;

    if (threadIdx.x == 0)
        slots_init(r, PAIR * WARPS);
    cluster_sync(); /* the barriers are ready, in both blocks */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_pairs(r, &a_map, &b_map, p);
    } else {
        wgmma_take_registers<MANY>();
        compute(p, r, group, &c_map, a_scales, b_scales);
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
                             LATER_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm8_blocks(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    blocks<<<pair_blocks(p, env->sms), THREADS, LATER_SHARED,
             (cudaStream_t)env->stream>>>(
        p, (const float *)buf[3], (const float *)buf[4], m->a, m->b, m->c);
    return cudaGetLastError();
}
