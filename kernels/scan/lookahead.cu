/*
 * scan/lookahead - specialised warps load, add up, look back and scan at the
 * same time.
 *
 * In the variants before, a block that waits for its prefix keeps its registers
 * and requests nothing from memory. Here one block per SM stays from start to
 * end, and its warps divide the work:
 *
 *   the loader     one thread, draws tiles by ticket and starts bulk copies
 *                  of them into a ring of slots in shared memory
 *   adders         add up a tile as soon as it has landed, and tell its sum
 *                  to all blocks, long before anybody scans it
 *   the looker     finds out what comes before the block's next tile
 *   scanners       in groups that take turns: a tile goes from its slot into
 *                  registers, which frees the slot, is scanned, and stored
 *                  when what comes before it is known
 *
 * The look-back needs no chain. The prefix of a tile is the prefix of the
 * block's last tile, which the looker still has, plus the sums of all tiles
 * from that one on. These are about as many as there are blocks: a few words a
 * lane, all read at once. A word never holds more than the sum of one tile.
 *
 * Blocks take tickets, not fixed shares, because SMs are not alike. Where more
 * of them share one connection to the L2, each gets less, and with fixed shares
 * all others would wait for those at the end of every round. Only two tiles a
 * block are loaded at a time, so a tile that was drawn is soon there; the other
 * slots hold what has landed and waits for its turn. And only a block that runs
 * draws a ticket, so no block waits for one that has not begun.
 *
 * An input of at most one small tile per block needs none of this: a block
 * loads and scans its tile and reads the words of all blocks before. The tile
 * is that of the block's number, and the launch is cooperative, which promises
 * that all blocks run at the same time.
 *
 * Predicted before any run: at least 85 % of the datasheet bandwidth for
 * large n, which is 95 % of a copy.
 */
#include "kernels/knob.cuh"
#include "kernels/scan/scan.cuh"
#include "kernels/sum.cuh"
#include "kernels/trace.cuh"

enum {
    GROUPS = 2,      /* of scanners, */
    GROUP_WARPS = 8, /* each of so many warps, */
    GROUP_THREADS = GROUP_WARPS * WARP,
    ROWS = 8,               /* which take so many rows */
    SPAN = ROWS * SCAN_ROW, /* elements of a warp */
    TILE = GROUP_WARPS * SPAN,
    TILE_BYTES = TILE * 4,
    SLOTS = 6,
    NOTES = 2 * SLOTS,   /* turns for which notes are kept, see below */
    IN_FLIGHT = KNOB(2), /* tiles that are loaded at the same time */
    SHARED_BYTES = SLOTS * TILE_BYTES,
    ADDERS = 2, /* warps: each takes every second tile */
    FIRST_ADDER = 1,
    LAST_NOTES = 2, /* turns past the last: each adder and group sees one */
    LOOKER = FIRST_ADDER + ADDERS, /* one warp */
    FIRST_SCANNER = LOOKER + 1,
    THREADS = (FIRST_SCANNER + GROUPS * GROUP_WARPS) * WARP,
    SMALL_WARPS = 16,
    SMALL_THREADS = SMALL_WARPS * WARP,
    WORDS = 6, /* that a lane reads at once: 32 * 6 is 132 and some */
    MAX_BLOCKS = 1024,
};

/*
 * A waiter names a phase of a barrier by its parity alone, so no warp may be
 * two phases ahead of it, and notes must not be overwritten before they are
 * read. The notes of turn t are made when turn t - SLOTS is in registers. Then
 * its group is done with turn t - SLOTS - GROUPS, and so are all groups with
 * those before, whose prefixes were known: no warp needs the notes of turn t -
 * 2 * SLOTS any more.
 */
static_assert(ADDERS <= LAST_NOTES && GROUPS <= LAST_NOTES);
static_assert(SLOTS % ADDERS == 0 && SLOTS > GROUPS && NOTES >= 2 * SLOTS);

/* Memory that blocks share. A word's tag is the number of the launch. */
struct board {
    unsigned tickets;              /* drawn so far, in all launches */
    unsigned launches[MAX_BLOCKS]; /* each block's own count of them */
    uint64_t word[];               /* one per tile: scan_word */
};

/* Notes that the warps of a block share. */
template <class T> struct desk {
    uint64_t full[SLOTS], empty[SLOTS];  /* a slot holds a tile; may take one */
    uint64_t drawn[NOTES], ready[NOTES]; /* notes of a turn are there: */
    unsigned tile[NOTES];                /* which tile it is */
    T before[NOTES];                     /* the sum of all tiles before it */
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

    for (unsigned i = from + threadIdx.x % WARP; i < to; i += WORDS * WARP) {
        scan_word<T> w[WORDS] = {};
        bool all;

        do {
            all = true;
            for (int k = 0; k < WORDS; k++)
                if (i + k * WARP < to && w[k].tag != launch)
                    w[k] = scan_get<T>(&word[i + k * WARP]);
            for (int k = 0; k < WORDS; k++)
                all &= i + k * WARP >= to || w[k].tag == launch;
        } while (!all);
        for (int k = 0; k < WORDS; k++)
            sum += w[k].sum;
    }
    __syncwarp();
    return __shfl_sync(0xffffffff, scan_warp(sum), WARP - 1);
}

/* The tile of a turn, when it is drawn; past the last one at the end. */
template <class T>
static __device__ unsigned tile_of_turn(struct desk<T> *d, unsigned turn)
{
    ptx_mbar_wait(&d->drawn[turn % NOTES], turn / NOTES % 2);
    return d->tile[turn % NOTES];
}

template <class T>
static __device__ void tile_note(struct desk<T> *d, unsigned turn,
                                 unsigned tile)
{
    d->tile[turn % NOTES] = tile;
    ptx_mbar_arrive(&d->drawn[turn % NOTES]);
}

/* Waits until a tile is in its slot. False: it is the partial one at the end,
 * which has none and is read where it always was. */
template <class T>
static __device__ bool tile_wait(struct desk<T> *d, size_t n, unsigned turn,
                                 unsigned tile)
{
    if ((tile + 1) * (size_t)TILE > n)
        return false;
    ptx_mbar_wait(&d->full[turn % SLOTS], turn / SLOTS % 2);
    return true;
}

/*
 * The loader. A launch of T tiles and G blocks draws T + G tickets, since each
 * block draws one too many, and so the first ticket of this launch is known.
 * The next ticket is drawn while the loads before it are in flight.
 */
template <class T>
static __device__ void load_tiles(struct desk<T> *d, T (*slot)[TILE],
                                  const T *x, size_t n, unsigned *tickets)
{
    const unsigned tiles = (unsigned)((n + TILE - 1) / TILE);
    const unsigned first = (d->launch - 1) * (tiles + gridDim.x);
    const uint64_t policy = ptx_evict_normal();
    unsigned t = 0, tile = atomicAdd(tickets, 1) - first;

    TRACE_OPEN(LOADER, 0, true);
    for (; tile < tiles; t++) {
        const unsigned s = t % SLOTS, done = t - IN_FLIGHT;
        const bool whole = (tile + 1) * (size_t)TILE <= n;

        ptx_mbar_wait(&d->empty[s], t / SLOTS % 2 ^ 1);
        if (t >= IN_FLIGHT) {
            ptx_mbar_wait(&d->full[done % SLOTS], done / SLOTS % 2);
            TRACE_END(LOAD, done);
        }
        TRACE_MARK(TICKET, tile);
        TRACE_BEGIN(LOAD, t);
        tile_note(d, t, tile);
        if (whole) {
            ptx_mbar_expect(&d->full[s], TILE_BYTES);
            ptx_bulk_load(slot[s], x + tile * (size_t)TILE, TILE_BYTES,
                          &d->full[s], policy);
        }
        tile = atomicAdd(tickets, 1) - first;
    }
    for (int k = 0; k < SLOTS; k++, t++) {
        ptx_mbar_wait(&d->empty[t % SLOTS], t / SLOTS % 2 ^ 1);
        if (k < LAST_NOTES) /* for all who wait for one more */
            tile_note(d, t, tiles);
    }
    TRACE_CLOSE();
}

// ANCHOR: inner
/* An adder: tells the sums of the tiles of turn `adder` and so on. */
template <class T>
static __device__ void add_tiles(struct desk<T> *d, T (*slot)[TILE], const T *x,
                                 size_t n, uint64_t *word, unsigned adder)
{
    TRACE_OPEN(ADDER, adder, threadIdx.x % WARP == 0);
    for (unsigned t = adder, tile;
         (tile = tile_of_turn(d, t)) * (size_t)TILE < n; t += ADDERS) {
        const size_t begin = tile * (size_t)TILE;
        const bool here = tile_wait(d, n, t, tile);
        T sum = 0;

        TRACE_BEGIN(ADD, t);
        for (int r = 0; r < TILE; r += SPAN) {
            scan_vector<T> v[ROWS];

            if (here)
                scan_load(v, slot[t % SLOTS] + r, SPAN);
            else
                scan_load(v, x + begin + r, scan_left(n, begin + r));
            for (int k = 0; k < ROWS; k++)
                sum += (v[k].v[0] + v[k].v[1]) + (v[k].v[2] + v[k].v[3]);
        }
        sum = scan_warp(sum);
        if (threadIdx.x % WARP == WARP - 1) {
            scan_put(&word[tile], d->launch, sum);
            ptx_mbar_arrive(&d->empty[t % SLOTS]);
        }
        __syncwarp();
        TRACE_END(ADD, t);
    }
    TRACE_CLOSE();
}

/* The looker: what comes before a tile is what came before the block's last
 * one, and all tiles from that one on. */
template <class T>
static __device__ void look_back(struct desk<T> *d, size_t n,
                                 const uint64_t *word)
{
    unsigned last = 0;
    T before = 0;

    TRACE_OPEN(LOOKER, 0, threadIdx.x % WARP == 0);
    for (unsigned t = 0, tile; (tile = tile_of_turn(d, t)) * (size_t)TILE < n;
         t++) {
        TRACE_BEGIN(LOOK, t);
        before += sum_of_tiles<T>(word, last, tile, d->launch);
        last = tile;
        if (threadIdx.x % WARP == 0) {
            d->before[t % NOTES] = before;
            ptx_mbar_arrive(&d->ready[t % NOTES]);
        }
        TRACE_END(LOOK, t);
    }
    TRACE_CLOSE();
}

/* One group of scanners: every GROUPS-th tile of the block. */
template <class T>
static __device__ void scan_tiles(struct desk<T> *d, T (*slot)[TILE], T *y,
                                  const T *x, size_t n, unsigned group)
{
    const unsigned me = (threadIdx.x - FIRST_SCANNER * WARP) % GROUP_THREADS;
    const unsigned warp = me / WARP, lane = me % WARP;

    TRACE_OPEN(SCANNER, group, me == 0);
    for (unsigned t = group, tile;
         (tile = tile_of_turn(d, t)) * (size_t)TILE < n; t += GROUPS) {
        const size_t begin = tile * (size_t)TILE + warp * SPAN;
        const size_t left = scan_left(n, begin);
        const unsigned turn = t / GROUPS % 2;
        const bool here = tile_wait(d, n, t, tile);
        scan_vector<T> v[ROWS];

        TRACE_BEGIN(SCAN, t);
        if (here)
            scan_load(v, slot[t % SLOTS] + warp * SPAN, SPAN);
        else
            scan_load(v, x + begin, left);
        const T sum = scan_rows(v);

        if (lane == 0)
            d->part[turn][group][warp] = sum;
        ptx_sync_some(1 + group, GROUP_THREADS);
        if (me == 0)
            ptx_mbar_arrive(&d->empty[t % SLOTS]); /* it is in registers */
        const T upto =
            scan_warp(lane < GROUP_WARPS ? d->part[turn][group][lane] : T(0));
        const T warps = __shfl_sync(0xffffffff, scan_shift(upto), warp);

        TRACE_END(SCAN, t);
        TRACE_BEGIN(WAIT, t);
        ptx_mbar_wait(&d->ready[t % NOTES], t / NOTES % 2);
        TRACE_END(WAIT, t);
        TRACE_BEGIN(STORE, t);
        scan_add(v, d->before[t % NOTES] + warps);
        scan_store(y + begin, v, left);
        TRACE_END(STORE, t);
    }
    TRACE_CLOSE();
}
// ANCHOR_END: inner

template <class T> static __device__ void desk_init(struct desk<T> *d)
{
    for (int s = 0; s < SLOTS; s++) {
        ptx_mbar_init(&d->full[s], 1);
        ptx_mbar_init(&d->empty[s], 2); /* added up, and in registers */
    }
    for (int i = 0; i < NOTES; i++) {
        ptx_mbar_init(&d->drawn[i], 1);
        ptx_mbar_init(&d->ready[i], 1);
    }
    ptx_mbar_init_fence();
}

template <class T>
static __global__ void __launch_bounds__(THREADS, 1)
    scan_ahead(T *y, const T *x, size_t n, struct board *b)
{
    extern __shared__ __align__(128) unsigned char ring[];
    __shared__ struct desk<T> d;
    T(*slot)[TILE] = (T(*)[TILE])ring;
    const unsigned warp = threadIdx.x / WARP;

    if (threadIdx.x == 0) {
        desk_init(&d);
        d.launch = launch_number(b);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        load_tiles(&d, slot, x, n, &b->tickets);
    else if (warp >= FIRST_SCANNER)
        scan_tiles(&d, slot, y, x, n, (warp - FIRST_SCANNER) / GROUP_WARPS);
    else if (warp == LOOKER)
        look_back(&d, n, b->word);
    else if (warp >= FIRST_ADDER)
        add_tiles(&d, slot, x, n, b->word, warp - FIRST_ADDER);
}

/* One tile of SMALL_ROWS rows a warp for each block, and all are there. */
template <class T, int SMALL_ROWS>
static __global__ void __launch_bounds__(SMALL_THREADS, 1)
    scan_small(T *y, const T *x, size_t n, struct board *b)
{
    constexpr int WARP_SPAN = SMALL_ROWS * SCAN_ROW;
    const unsigned warp = threadIdx.x / WARP;
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
    bool together; /* the blocks rely on each other's being there */
};

enum { SMALL_TILE = SMALL_WARPS * SCAN_ROW, SMALL_ROWS = 4 };

template <class T> static struct plan plan_for(size_t n, size_t sms)
{
    if (n <= sms * SMALL_TILE)
        return {(const void *)scan_small<T, 1>, SMALL_THREADS, SMALL_TILE, 0,
                true};
    if (n <= sms * SMALL_TILE * SMALL_ROWS)
        return {(const void *)scan_small<T, SMALL_ROWS>, SMALL_THREADS,
                SMALL_TILE * SMALL_ROWS, 0, true};
    return {(const void *)scan_ahead<T>, THREADS, TILE, SHARED_BYTES, false};
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
    config.numAttrs = p.together;
    return cudaLaunchKernelExC(&config, p.kernel, args);
}
