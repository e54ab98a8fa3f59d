/*
 * kernels/splitk/swap.cuh - the kernel of splitk/swap, splitk/fitted and
 * splitk/overlap: weights are the rows of a product, tokens its columns. The
 * essays are there.
 */
#ifndef KERNELS_SPLITK_SWAP_CUH
#define KERNELS_SPLITK_SWAP_CUH

#include "kernels/splitk/gather.cuh"

enum {
    DEEP = 64,               /* of k at a time: a row of a TMA tile */
    NARROW_BYTES = 96 << 10, /* of slots: two blocks fit an SM */
    BROAD_BYTES = 192 << 10, /* one does, if a tile is large */
    BROAD = 64 * 256,        /* sums of a large tile */
    FEW_STEPS = 4,           /* of k, that a block is still worth */
};

/* Bytes of slots for tiles of so many outputs and tokens. */
static __host__ __device__ constexpr int slots_bytes(int high, int tokens)
{
    return high * tokens < BROAD ? NARROW_BYTES : BROAD_BYTES;
}

/* A tile of 64 GROUPS outputs, a warp group for each 64, and TOKENS tokens. */
template <int GROUPS, int TOKENS> struct form {
    enum {
        HIGH = GROUPS * WGMMA_HIGH,
        W_BYTES = HIGH * TENSOR_MAP_PANEL, /* weights in a slot */
        X_BYTES = TOKENS * TENSOR_MAP_PANEL,
        STAGES = slots_bytes(HIGH, TOKENS) / (W_BYTES + X_BYTES), /* slots */
        SLOTS_BYTES = STAGES * (W_BYTES + X_BYTES),
        SHARED = SLOTS_BYTES + TENSOR_MAP_ALIGN + 2 * STAGES * 8,
        WIDE = TOKENS,
        SUMS = TOKENS / 2, /* of a thread that multiplies */
        BLOCKS = HIGH * TOKENS < BROAD ? 2 : 1, /* that fit an SM */
        WARPS = GROUPS * WGMMA_GROUP / WARP,
        MULTIPLY = GROUPS * WGMMA_GROUP, /* threads */
        THREADS = MULTIPLY + WARP,
        /* Floats from a token's sums to the next one's. Lanes have eight
           outputs of four tokens, every other one: 32 banks. */
        PITCH = HIGH + 4,
    };
    static_assert(PITCH * TOKENS * (int)sizeof(float) <= SLOTS_BYTES,
                  "sums fit the slots");
};

/* Shared memory: the slots and their barriers. */
struct slots {
    char *w, *x;
    uint64_t *full, *empty;
};

template <class F> static __device__ __forceinline__ slots slots_in(char *raw)
{
    char *const w = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
    uint64_t *const full = (uint64_t *)(w + F::SLOTS_BYTES);
    uint64_t *const empty = full + F::STAGES;

    if (threadIdx.x == 0) {
        for (int s = 0; s < F::STAGES; s++) {
            ptx_mbar_init(&full[s], 1);
            ptx_mbar_init(&empty[s], F::WARPS);
        }
        ptx_mbar_init_fence();
    }
    __syncthreads(); /* the barriers are ready */
    return {w, w + F::STAGES * F::W_BYTES, full, empty};
}

/* What a block does: outputs from `left` on, tokens from `top` on, and steps
 * along k. */
struct piece {
    int left, top, begin, end;
};

/* This block's, when `splits` blocks in a row do a tile. Tiles of the same
 * weights have neighbouring numbers. */
template <class F>
static __device__ __forceinline__ piece piece_of(const product &p, int splits)
{
    const int tile = blockIdx.x / splits, part = blockIdx.x % splits;
    const int steps = ceil_div(p.k, DEEP), down = ceil_div(p.m, F::WIDE);

    return {tile / down * F::HIGH, tile % down * F::WIDE, steps * part / splits,
            steps * (part + 1) / splits};
}

/* The thread that asks: for all slots of the piece. With OVERLAP it asks for
 * weights while the kernel before may still run, whose outputs tokens may be.
 */
template <class F, bool OVERLAP>
static __device__ __forceinline__ void
fetch(const slots &r, const CUtensorMap *w_map, const CUtensorMap *x_map,
      const piece &b, bool shared)
{
    const uint64_t keep = ptx_evict_normal();
    const uint64_t once = shared ? ptx_evict_normal() : ptx_evict_first();
    const int steps = b.end - b.begin;

    // ANCHOR: fetch
    const auto weights = [&](int i) {
        const int s = i % F::STAGES;

        ptx_mbar_expect(&r.full[s], F::W_BYTES + F::X_BYTES);
        ptx_tile_load(r.w + s * F::W_BYTES, w_map, (b.begin + i) * DEEP, b.left,
                      &r.full[s], once);
    };
    const auto tokens = [&](int i) {
        const int s = i % F::STAGES;

        ptx_tile_load(r.x + s * F::X_BYTES, x_map, (b.begin + i) * DEEP, b.top,
                      &r.full[s], keep);
    };
    const int early = OVERLAP ? min(steps, (int)F::STAGES) : 0;

    for (int i = 0; i < early; i++)
        weights(i);
    if (OVERLAP)
        ptx_wait_for_last_kernel();
    for (int i = 0; i < early; i++)
        tokens(i);
    for (int i = early; i < steps; i++) {
        ptx_mbar_wait(&r.empty[i % F::STAGES], (i / F::STAGES & 1) ^ 1);
        weights(i);
        tokens(i);
    }
    // ANCHOR_END: fetch
}

/* A warp group: its 64 outputs of all tokens. */
template <class F>
static __device__ __forceinline__ void
multiply(float (&sum)[F::SUMS], const slots &r, int group, int steps)
{
    const bool first = threadIdx.x % WARP == 0; /* of each warp */

    // ANCHOR: inner
    for (int i = 0; i < steps; i++) {
        const int s = i % F::STAGES;

        ptx_mbar_wait(&r.full[s], i / F::STAGES & 1);
        const uint64_t wt = wgmma_tile(r.w + s * F::W_BYTES +
                                       group * WGMMA_HIGH * TENSOR_MAP_PANEL);
        const uint64_t xt = wgmma_tile(r.x + s * F::X_BYTES);

        wgmma_begin();
#pragma unroll
        for (int j = 0; j < DEEP / WGMMA_DEEP; j++)
            wgmma_bf16(sum, wgmma_along(wt, j), wgmma_along(xt, j),
                       i > 0 || j > 0);
        wgmma_commit();
        wgmma_wait<1>(); /* the products of the step before have ended */
        if (first && i > 0)
            ptx_mbar_arrive(&r.empty[(i - 1) % F::STAGES]);
    }
    wgmma_wait<0>();
    // ANCHOR_END: inner
}

/* A warp group: its sums to shared memory, PITCH floats for each token. */
template <class F>
static __device__ __forceinline__ void show(float *part, int group,
                                            const float (&sum)[F::SUMS])
{
    const int warp = threadIdx.x % WGMMA_GROUP / WARP;
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int j = 0; j < F::SUMS; j++) {
        const int out =
            group * WGMMA_HIGH + warp * 16 + lane / 4 + j / 2 % 2 * 8;
        const int token = j / 4 * 8 + lane % 4 * 2 + j % 2;

        part[token * F::PITCH + out] = sum[j];
    }
}

/* What all threads of a block do; `raw` is its shared memory. */
template <class F, bool OVERLAP>
static __device__ __forceinline__ void
swap_block(const product &p, const CUtensorMap *x_map, const CUtensorMap *w_map,
           int splits, char *raw)
{
    const piece b = piece_of<F>(p, splits);
    const field<F::WIDE, F::HIGH> at = {b.top, b.left};
    const int group = threadIdx.x / WGMMA_GROUP;

    if (OVERLAP)
        ptx_next_kernel_may_start();
    const slots r = slots_in<F>(raw);
    float *const part = (float *)r.w;

    if (threadIdx.x == F::MULTIPLY) {
        fetch<F, OVERLAP>(r, w_map, x_map, b, p.m > F::WIDE);
    } else if (threadIdx.x < F::MULTIPLY) {
        float sum[F::SUMS];

        multiply<F>(sum, r, group, b.end - b.begin);
        ptx_sync_some(1, F::MULTIPLY); /* nobody needs the slots any more */
        show<F>(part, group, sum);
    }
    if (OVERLAP)
        ptx_wait_for_last_kernel(); /* it may still read C, or write it */
    gather<F::PITCH>(p, part, at, splits);
}

/* ---- the host's side ---- */

/* How a product is cut. */
struct cut {
    int groups, tokens; /* of a tile */
    int splits;         /* blocks that share it: a cluster */
};

/* The state of launch(). */
struct swap_state {
    struct maps maps; /* for the tiles of `cut` */
    struct cut cut;
};

/* A kernel, and what its launch needs. */
struct swap_kernel {
    void (*run)(struct product, CUtensorMap, CUtensorMap, int);
    int threads, shared;
};

static inline int tiles_of(const product &p, const cut &c)
{
    return ceil_div(p.n, c.groups * WGMMA_HIGH) * ceil_div(p.m, c.tokens);
}

/* Into how many pieces a tile may be split. */
static inline int most_splits(const product &p)
{
    const int worth = ceil_div(p.k, DEEP) / FEW_STEPS;

    return worth < 1 ? 1 : worth < CLUSTER ? worth : CLUSTER;
}

/* The tokens of the narrowest tile that takes them all, or of the widest. */
static inline int tokens_for(int m)
{
    int tokens = 8;

    while (tokens < m && tokens < 256)
        tokens *= 2;
    return tokens;
}

static inline const char *swap_allow(const swap_kernel &kernel)
{
    return cudaFuncSetAttribute(kernel.run,
                                cudaFuncAttributeMaxDynamicSharedMemorySize,
                                kernel.shared) == cudaSuccess
               ? NULL
               : "the device has too little shared memory for the slots";
}

/* Makes the state; NULL if the TMA cannot move the case, as maps_open() has it.
 */
static inline const char *swap_open(const product &p, const cut &how,
                                    void **state)
{
    void *maps;
    const char *why =
        maps_open(&p, how.tokens, how.groups * WGMMA_HIGH, 0, &maps);

    *state = NULL;
    if (why != NULL || maps == NULL)
        return why;
    struct swap_state *const s = (struct swap_state *)aligned_alloc(
        alignof(struct swap_state), sizeof *s);
    if (s == NULL)
        abort();
    s->maps = *(struct maps *)maps;
    s->cut = how;
    free(maps);
    *state = s;
    return NULL;
}

/* Starts the kernel of the state's cut on the case's buffers. */
static inline int swap_launch(const product &p, const swap_state *s,
                              const swap_kernel &kernel, bool early,
                              void *stream)
{
    const cut &how = s->cut;

    return launch_in_clusters({tiles_of(p, how) * how.splits, how.splits,
                               kernel.threads, kernel.shared, early, stream},
                              kernel.run, p, s->maps.a, s->maps.b, how.splits);
}

#endif
