/*
 * Look-ahead: warps that load, warps that scan, a warp that looks back.
 *
 * In the variants before, a block that waits for its prefix holds on to its
 * registers and asks memory for nothing. Here one block per multiprocessor
 * stays from start to end, and its warps divide the work:
 *
 *   one thread      starts bulk copies of tiles into a ring of slots in
 *                   shared memory, as far ahead as there are slots
 *   GROUPS groups   of warps take turns: the group takes a tile from its
 *                   slot into registers, which frees the slot, scans it,
 *                   tells its sum to all blocks, waits for what comes
 *                   before, adds, stores
 *   one warp        finds out what comes before
 *
 * While a group waits, the other groups have later tiles in hand, whose sums
 * are told long before anybody asks, and the ring goes on loading.
 *
 * The look-back needs no chain at all. Tiles go round robin: of G blocks,
 * block b has tiles b, b + G, b + 2G, ... So what comes before a tile is what
 * came before the block's last tile, which the warp still has, and the G
 * tiles from that one on: five words a lane, all read at once, always added
 * in the same order. No word ever says more than the sum of one tile, and a
 * float result is the same in every launch, to the last bit.
 *
 * That rests on all G blocks being there at the same time, so the launch is
 * a cooperative one, which promises it. It also keeps the blocks together:
 * none gets further ahead than its slots and groups reach, and all accesses
 * under way lie in one narrow window of memory, which a plain ring of copies
 * loses (see `tile` of the family `stream`).
 *
 * An input of at most one small tile per block needs none of this: the tile
 * is loaded, scanned, the words of all blocks before are read, done.
 *
 * Predicted before any run: at least 85 % of the datasheet bandwidth for
 * large n, which is 95 % of a copy.
 */
#include "kernels/scan/scan.cuh"
#include "kernels/sum.cuh"

enum {
    GROUPS = 4,
    GROUP_WARPS = 4,
    GROUP_THREADS = GROUP_WARPS * SCAN_WARP,
    ROWS = 8,
    SPAN = ROWS * SCAN_ROW, /* elements of a warp */
    TILE = GROUP_WARPS * SPAN,
    TILE_BYTES = TILE * 4,
    SLOTS = 6,
    SHARED_BYTES = SLOTS * TILE_BYTES,
    LOADER = 0,   /* warp */
    LOOKER = 1,   /* warp */
    SCANNERS = 2, /* first warp */
    THREADS = (SCANNERS + GROUPS * GROUP_WARPS) * SCAN_WARP,
    SMALL_WARPS = 16,
    SMALL_THREADS = SMALL_WARPS * SCAN_WARP,
    WORDS = 5, /* that a lane reads at once: 32 * 5 >= 132 blocks */
    MAX_BLOCKS = 1024,
};

/* What blocks tell each other. A word's tag is the number of the launch. */
struct board {
    unsigned launches[MAX_BLOCKS]; /* each block's own count of them */
    uint64_t word[];               /* one per tile: scan_word */
};

/* What the warps of a block tell each other. */
template <class T> struct desk {
    uint64_t full[SLOTS], empty[SLOTS]; /* a slot holds a tile; may take one */
    uint64_t ready[GROUPS];             /* the group's `before` is there */
    T before[GROUPS];
    T part[2][GROUPS][GROUP_WARPS]; /* sums of warps, in alternating turns */
    unsigned launch;
};

/* This launch's number, 1 the first time. One thread; no two calls. */
static __device__ unsigned launch_number(struct board *b)
{
    return ++b->launches[blockIdx.x];
}

/* The sum of tiles `from` to `to` - 1, by a warp, in each lane. Waits for
 * those that are not told yet. */
template <class T>
static __device__ T sum_of_tiles(const uint64_t *word, unsigned from,
                                 unsigned to, unsigned launch)
{
    T sum = 0;

    for (unsigned i = from + threadIdx.x % SCAN_WARP; i < to;
         i += WORDS * SCAN_WARP) {
        scan_word<T> w[WORDS] = {};

        for (int k = 0; k < WORDS; k++)
            if (i + k * SCAN_WARP < to)
                w[k] = scan_get<T>(&word[i + k * SCAN_WARP]);
        for (int k = 0; k < WORDS; k++) {
            while (i + k * SCAN_WARP < to && w[k].tag != launch)
                w[k] = scan_get<T>(&word[i + k * SCAN_WARP]);
            sum += w[k].sum;
        }
    }
    __syncwarp();
    return __shfl_sync(0xffffffff, scan_warp(sum), SCAN_WARP - 1);
}

static __device__ unsigned tile_of_turn(unsigned turn)
{
    return blockIdx.x + turn * gridDim.x;
}

template <class T>
static __device__ void load_tiles(struct desk<T> *d, T (*slot)[TILE],
                                  const T *x, size_t n)
{
    const unsigned whole = (unsigned)(n / TILE);
    const uint64_t once = ptx_evict_first();

    for (unsigned t = 0; tile_of_turn(t) < whole; t++) {
        const unsigned s = t % SLOTS;

        ptx_mbar_wait(&d->empty[s], t / SLOTS % 2 ^ 1);
        ptx_mbar_expect(&d->full[s], TILE_BYTES);
        ptx_bulk_load(slot[s], x + tile_of_turn(t) * (size_t)TILE, TILE_BYTES,
                      &d->full[s], once);
    }
}

// ANCHOR: inner
/* The warp that looks back, a turn ahead of the groups if it can. */
template <class T>
static __device__ void look_back(struct desk<T> *d, const uint64_t *word,
                                 unsigned tiles, unsigned launch)
{
    unsigned last = 0;
    T before = 0;

    for (unsigned t = 0; tile_of_turn(t) < tiles; t++) {
        const unsigned tile = tile_of_turn(t), g = t % GROUPS;

        before += sum_of_tiles<T>(word, last, tile, launch);
        last = tile;
        if (threadIdx.x % SCAN_WARP == 0) {
            d->before[g] = before;
            ptx_mbar_arrive(&d->ready[g]);
        }
    }
}

/* One group of warps that scan: every GROUPS-th tile of the block. */
template <class T>
static __device__ void scan_tiles(struct desk<T> *d, const T (*slot)[TILE],
                                  T *y, const T *x, size_t n, uint64_t *word,
                                  unsigned launch, unsigned group)
{
    const unsigned me = threadIdx.x % GROUP_THREADS;
    const unsigned warp = me / SCAN_WARP, lane = me % SCAN_WARP;
    const unsigned tiles = (unsigned)((n + TILE - 1) / TILE);

    for (unsigned t = group; tile_of_turn(t) < tiles; t += GROUPS) {
        const size_t begin = tile_of_turn(t) * (size_t)TILE + warp * SPAN;
        const size_t left = scan_left(n, begin);
        const unsigned s = t % SLOTS, turn = t / GROUPS % 2;
        const bool whole = (tile_of_turn(t) + 1) * (size_t)TILE <= n;
        scan_vector<T> v[ROWS];

        if (whole)
            ptx_mbar_wait(&d->full[s], t / SLOTS % 2);
        scan_load(v, whole ? slot[s] + warp * SPAN : x + begin, left);
        const T sum = scan_rows(v);

        if (lane == 0)
            d->part[turn][group][warp] = sum;
        ptx_sync_some(1 + group, GROUP_THREADS);
        if (me == 0)
            ptx_mbar_arrive(&d->empty[s]); /* all have it in registers */
        const T upto =
            scan_warp(lane < GROUP_WARPS ? d->part[turn][group][lane] : T(0));
        if (warp == 0 && lane == GROUP_WARPS - 1)
            scan_put(&word[tile_of_turn(t)], launch, upto);
        const T warps = __shfl_sync(0xffffffff, scan_shift(upto), warp);

        ptx_mbar_wait(&d->ready[group], turn);
        scan_add(v, d->before[group] + warps);
        scan_store(y + begin, v, left);
    }
}
// ANCHOR_END: inner

template <class T> static __device__ void desk_init(struct desk<T> *d)
{
    for (int s = 0; s < SLOTS; s++) {
        ptx_mbar_init(&d->full[s], 1);
        ptx_mbar_init(&d->empty[s], 1);
    }
    for (int g = 0; g < GROUPS; g++)
        ptx_mbar_init(&d->ready[g], 1);
    ptx_mbar_init_fence();
}

template <class T>
static __global__ void __launch_bounds__(THREADS, 1)
    scan_ahead(T *y, const T *x, size_t n, struct board *b)
{
    extern __shared__ __align__(128) unsigned char ring[];
    __shared__ struct desk<T> d;
    T(*slot)[TILE] = (T(*)[TILE])ring;
    const unsigned warp = threadIdx.x / SCAN_WARP;

    if (threadIdx.x == 0) {
        desk_init(&d);
        d.launch = launch_number(b);
    }
    __syncthreads();
    if (warp == LOADER) {
        if (threadIdx.x == 0)
            load_tiles(&d, slot, x, n);
    } else if (warp == LOOKER) {
        look_back(&d, b->word, (unsigned)((n + TILE - 1) / TILE), d.launch);
    } else {
        scan_tiles(&d, slot, y, x, n, b->word, d.launch,
                   (warp - SCANNERS) / GROUP_WARPS);
    }
}

/* One tile of SMALL_ROWS rows a warp for each block, and all are there. */
template <class T, int SMALL_ROWS>
static __global__ void __launch_bounds__(SMALL_THREADS, 1)
    scan_small(T *y, const T *x, size_t n, struct board *b)
{
    constexpr int WARP_SPAN = SMALL_ROWS * SCAN_ROW;
    const unsigned warp = threadIdx.x / SCAN_WARP;
    const size_t begin = (blockIdx.x * SMALL_WARPS + warp) * (size_t)WARP_SPAN;
    const size_t left = scan_left(n, begin);
    __shared__ unsigned launch;
    __shared__ T before;
    scan_vector<T> v[SMALL_ROWS];
    T all;

    scan_load(v, x + begin, left);
    if (threadIdx.x == 0)
        launch = launch_number(b);
    const T sum = scan_rows(v);
    const T warps = scan_warps<T, SMALL_WARPS>(sum, &all);

    if (warp == 0) {
        if (threadIdx.x == 0)
            scan_put(&b->word[blockIdx.x], launch, all);
        const T tiles = sum_of_tiles<T>(b->word, 0, blockIdx.x, launch);

        if (threadIdx.x == 0)
            before = tiles;
    }
    __syncthreads();
    scan_add(v, before + warps);
    scan_store(y + begin, v, left);
}

/* The kernel for a case, and how to launch it. */
struct plan {
    const void *kernel;
    unsigned threads;
    size_t tile, shared_bytes;
};

enum { SMALL_TILE = SMALL_WARPS * SCAN_ROW, SMALL_ROWS = 4 };

template <class T> static struct plan plan_for(size_t n, size_t sms)
{
    if (n <= sms * SMALL_TILE)
        return {(const void *)scan_small<T, 1>, SMALL_THREADS, SMALL_TILE, 0};
    if (n <= sms * SMALL_TILE * SMALL_ROWS)
        return {(const void *)scan_small<T, SMALL_ROWS>, SMALL_THREADS,
                SMALL_TILE * SMALL_ROWS, 0};
    return {(const void *)scan_ahead<T>, THREADS, TILE, SHARED_BYTES};
}

static struct plan plan_of(const struct kernel_case *c,
                           const struct kernel_env *env)
{
    const size_t n = scan_length(c), sms = (size_t)env->sms;

    return c->dtype == KERNEL_I32 ? plan_for<int>(n, sms)
                                  : plan_for<float>(n, sms);
}

extern "C" size_t scan_lookahead_scratch(const struct kernel_case *c,
                                         const struct kernel_env *env)
{
    const struct plan p = plan_of(c, env);

    return sizeof(struct board) +
           scan_pieces(scan_length(c), p.tile) * sizeof(uint64_t);
}

/* More than 48 KB of shared memory per block must be asked for. */
extern "C" const char *scan_lookahead_prepare(const struct kernel_case *c,
                                              const struct kernel_env *env,
                                              void *const *, void **)
{
    const struct plan p = plan_of(c, env);

    if (env->sms > MAX_BLOCKS)
        return "the device has more multiprocessors than there is room for";
    if (cudaFuncSetAttribute(p.kernel,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)p.shared_bytes) != cudaSuccess)
        return "the device has too little shared memory for the ring";
    return NULL;
}

extern "C" int scan_lookahead(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    const struct plan p = plan_of(c, env);
    size_t n = scan_length(c);
    void *y = buf[0], *x = buf[1], *board = buf[2];
    void *args[] = {&y, &x, &n, &board};
    cudaLaunchAttribute together = {};
    cudaLaunchConfig_t config = {};

    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    config.gridDim =
        (unsigned)scan_min(scan_pieces(n, p.tile), (size_t)env->sms);
    config.blockDim = p.threads;
    config.dynamicSmemBytes = p.shared_bytes;
    config.stream = (cudaStream_t)env->stream;
    config.attrs = &together;
    config.numAttrs = 1;
    return cudaLaunchKernelExC(&config, p.kernel, args);
}
