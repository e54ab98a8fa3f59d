/*
 * kernels/step/feed.cuh - what a block of kernels/step/persistent.cuh has in
 * shared memory, who does what, and the feed: a walk through all stages of all
 * layers that asks for what a warp needs next.
 */
#ifndef KERNELS_STEP_FEED_CUH
#define KERNELS_STEP_FEED_CUH

#include "kernels/barrier.cuh"
#include "kernels/step/result.cuh"

enum {
    STAY_WARPS = 8,
    STAY_THREADS = STAY_WARPS * WARP,
    STAY_SLOTS = 3,                      /* of each warp */
    STAY_PIECE = 2048,                   /* elements of a row in a slot */
    STAY_SLOT = 2 * STAY_PIECE,          /* 8 KiB */
    STAY_KEYS = STAY_SLOT / STEP_DEEP,   /* in a slot */
    STAY_ROOM = 14336,                   /* elements of a vector, at most */
    STAY_TURN = STAY_THREADS * WIDTH,    /* elements that a block loads */
    STAY_GAINS = ONE_HIDDEN / STAY_TURN, /* times 16 bytes of a thread */
    STAY_VOCABULARY = STEP_STAGES,       /* the stage after the last layer */
};

/* A step: what is said of a layer is said of the first one. */
struct stay {
    product_rows rows[STEP_STAGES + 1]; /* of each stage; x is not used */
    size_t each;                        /* elements of a layer's weights */
    attend t;                           /* pieces: blocks with keys of a row */
    size_t cache, left;    /* elements of a layer's keys, of its results */
    uint16_t *y, *act, *x; /* results besides those of t */
    uint16_t *q, *k, *v;   /* t's, to be written */
    const uint16_t *input;
    uint16_t *logits;
    int layers, heads;
    unsigned *count; /* of kernels/barrier.cuh */
};

/* What a warp has of its row's keys. */
struct stay_piece {
    float value[STAY_WARPS][ATTEND_GROUP][STEP_DEEP];
    struct weight weight[STAY_WARPS][ATTEND_GROUP];
    bool last; /* the block that joins the row */
};

struct stay_shared {
    uint16_t slot[STAY_WARPS][STAY_SLOTS][STAY_SLOT];
    union {
        uint16_t vector[STAY_ROOM]; /* what a product multiplies */
        struct stay_piece piece;    /* during attention */
    };
    uint64_t full[STAY_WARPS][STAY_SLOTS];
    float part[STAY_WARPS]; /* of a sum over the block */
};

static __device__ __forceinline__ int stay_warp(void)
{
    return threadIdx.x / WARP;
}

static __device__ __forceinline__ int stay_lane(void)
{
    return threadIdx.x % WARP;
}

/* Does this thread's warp have slots? A block may have one warp more, which
 * only tells other blocks: see step/courier. */
static __device__ __forceinline__ bool stay_works(void)
{
    return threadIdx.x < STAY_THREADS;
}

/* The threads that tell other blocks, and look for them. */
static __device__ __forceinline__ bool stay_tells(void)
{
    const unsigned who = BARRIER_ADDER, more = STAY_THREADS;

    return threadIdx.x == (blockDim.x > more ? more : who);
}

static __device__ __forceinline__ bool stay_looks(void)
{
    const unsigned who = BARRIER_LOOKER, more = STAY_THREADS;

    return threadIdx.x == (blockDim.x > more ? more : who);
}

/* Who this warp is when pairs are dealt: neighbours are in other blocks. */
static __device__ __forceinline__ int stay_me(void)
{
    return stay_warp() * gridDim.x + blockIdx.x;
}

static __device__ __forceinline__ int stay_all(void)
{
    return STAY_WARPS * gridDim.x;
}

/* The warp's first pair of a stage whose pair 0 belongs to warp `base`. */
static __device__ __forceinline__ int stay_first(int base)
{
    const int at = stay_me() - base;

    return at < 0 ? at + stay_all() : at;
}

/* The row of keys that a block reads, if there is one for it. */
static __device__ __forceinline__ int stay_row(const stay &w)
{
    return blockIdx.x / w.t.pieces;
}

/* The warp's keys [first, last) of that row. */
struct stay_range {
    int first, last;
};

static __device__ __forceinline__ stay_range stay_keys(const stay &w)
{
    const int piece = blockIdx.x % w.t.pieces * STAY_WARPS + stay_warp();
    const int first = min(piece * w.t.span, w.t.past);
    const int last = min(first + w.t.span, w.t.past);

    return {first, stay_row(w) < w.t.kv ? last : first};
}

/* Where it stands: what the first lane of a warp asks for next. */
struct stay_feed {
    int layer, stage;
    int left; /* slots that the stage still needs */
    int base; /* the warp that gets the next pair to be dealt */
    int pair, piece;
    uint32_t asked; /* slots so far */
};

static __device__ __forceinline__ int stay_pieces(int k)
{
    return (k + STAY_PIECE - 1) / STAY_PIECE;
}

static __device__ inline void feed_enter(stay_feed &f, const stay &w)
{
    f.piece = 0;
    if (f.stage == STEP_IS_A) {
        const stay_range keys = stay_keys(w);

        f.left = 2 * ((keys.last - keys.first + STAY_KEYS - 1) / STAY_KEYS);
        return;
    }
    const product_rows &r = w.rows[f.stage];
    const int pairs = r.n / 2;

    f.pair = stay_first(f.base);
    f.base = (f.base + pairs) % stay_all();
    f.left = f.pair < pairs
                 ? ((pairs - 1 - f.pair) / stay_all() + 1) * stay_pieces(r.k)
                 : 0;
}

/* Asks for a piece of two rows. */
static __device__ inline void feed_rows(stay_feed &f, const stay &w,
                                        uint16_t *slot, uint64_t *full,
                                        uint64_t once)
{
    const product_rows &r = w.rows[f.stage];
    const int from = f.piece * STAY_PIECE, n = min(r.k - from, (int)STAY_PIECE);
    const uint16_t *const first =
        r.w + f.layer * w.each + (size_t)(f.pair * r.step) * r.k + from;

    ptx_mbar_expect(full, 4 * n);
    ptx_bulk_load(slot, first, 2 * n, full, once);
    ptx_bulk_load(slot + STAY_PIECE, first + (size_t)r.apart * r.k, 2 * n, full,
                  once);
    if (++f.piece == stay_pieces(r.k)) {
        f.piece = 0;
        f.pair += stay_all();
    }
}

/* Asks for keys, and the next time for their values. */
static __device__ inline void feed_keys(stay_feed &f, const stay &w,
                                        uint16_t *slot, uint64_t *full,
                                        uint64_t once)
{
    const stay_range keys = stay_keys(w);
    const int from = keys.first + f.piece / 2 * STAY_KEYS;
    const int n = min(keys.last - from, (int)STAY_KEYS);
    const uint16_t *const cache = f.piece % 2 ? w.t.values : w.t.keys;

    ptx_mbar_expect(full, n * STEP_DEEP * 2);
    ptx_bulk_load(slot,
                  cache + f.layer * w.cache +
                      ((size_t)stay_row(w) * w.t.past + from) * STEP_DEEP,
                  n * STEP_DEEP * 2, full, once);
    f.piece++;
}

// ANCHOR: ask
/* Fills the next slot. The warp has read what was in it. */
static __device__ inline void feed_ask(stay_feed &f, const stay &w,
                                       stay_shared *s, uint64_t once)
{
    const int at = f.asked % STAY_SLOTS;
    uint16_t *const slot = s->slot[stay_warp()][at];
    uint64_t *const full = &s->full[stay_warp()][at];

    while (f.left == 0) {
        if (f.layer == w.layers)
            return; /* the logits were the last */
        if (++f.stage == STEP_STAGES && ++f.layer < w.layers)
            f.stage = 0;
        feed_enter(f, w);
    }
    f.left--;
    f.asked++;
    if (f.stage == STEP_IS_A)
        feed_keys(f, w, slot, full, once);
    else
        feed_rows(f, w, slot, full, once);
}
// ANCHOR_END: ask

#endif
