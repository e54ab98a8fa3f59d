/*
 * softmax/ring - a cluster holds the row, and its warps share the work.
 *
 * A block of `cluster` does one thing at a time: it loads, meets the others,
 * writes and ends, and its successor waits until there is room for all of its
 * cluster. Here the blocks stay, one on each SM, and each keeps a ring of
 * chunks of 16 KiB in shared memory, of this row and those to come. Three kinds
 * of warps follow each other round the ring:
 *
 *   eight warps join    maximum and sum of the chunks as they land
 *   eight warps finish  quotients, in place, once the row is known
 *   one thread orders   stores of finished chunks, and loads in their place
 *
 * No warp waits at a barrier of the block or of the cluster. A warp that has
 * seen its part of a row sends maximum and sum to all blocks of the cluster
 * with st.async, which tells a barrier in their shared memory as well; behind
 * that barrier the row is known. Rows are handed out by ticket: a dealer in the
 * first block of each cluster draws them and tells the others, a few turns
 * ahead.
 *
 * Predicted before any run: 84 % at 131072 columns. That was of clusters of
 * four with 64 KiB of the row in each block, and of rows handed out in fixed
 * order. Trials of that form were no faster than `cluster`. With a block a row,
 * in trials at 8192 and 32768 columns, tickets gained about a tenth: in fixed
 * order blocks drift apart, and memory has to follow each of them. Larger
 * clusters gained a little. So here are both; of the two together there was no
 * trial before the first record.
 */
#include "kernels/knob.cuh"
#include "kernels/ptx.cuh"
#include "kernels/softmax/packed.cuh"
#include "kernels/tickets.cuh"
#include "kernels/trace.cuh"

enum {
    WARPS = 8, /* that join, and as many that finish */
    GROUP = WARPS * WARP,
    ORDERS = 2 * GROUP,    /* the thread that gives the orders */
    DEALS = ORDERS + WARP, /* the one that deals rows */
    THREADS = DEALS + WARP,
    SLOT = 1024, /* vectors */
    SLOT_BYTES = SLOT * (int)ROWS_VECTOR,
    SLOTS = KNOB(12),
    SHARED = SLOTS * SLOT_BYTES, /* bytes */
    PIECE = SLOT / GROUP,        /* vectors of a thread */
    /*
     * Rows whose parts and tickets there is room for. A block joins a row
     * when its chunks have landed in free slots, so at most SLOTS rows ahead
     * of what it finishes; another block of the cluster may be as far ahead
     * again, and tickets are dealt two turns before they can be of use.
     */
    KNOWN = 2 * SLOTS + 4,
    SHARE = SLOT, /* vectors of a row that are worth a block */
    LARGEST = 8,  /* blocks of a cluster */
};

/* Where in the ring a warp is. */
struct place {
    int slot;
    uint32_t parity;
};

static __device__ void place_next(place &p)
{
    if (++p.slot == SLOTS) {
        p.slot = 0;
        p.parity ^= 1;
    }
}

/* Beside the ring; barriers, but for the tickets. */
struct shared {
    uint64_t full[SLOTS];   /* the chunk has landed */
    uint64_t done[SLOTS];   /* it is finished */
    uint64_t known[KNOWN];  /* the parts of a row are here */
    uint64_t ticket[KNOWN]; /* high word: a turn; low: the row it has */
    __align__(8) softmax_part part[KNOWN][LARGEST * WARPS];
};

/* This block's share of each row, in vectors and in chunks. */
struct share {
    int begin, length, chunks;
    unsigned rank, size; /* of the block, and of its cluster */
};

static __device__ share share_of(int vectors)
{
    share s;

    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(s.rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(s.size));
    const int each = (vectors + s.size - 1) / s.size;

    s.begin = s.rank * each;
    s.length = max(0, min(each, vectors - s.begin));
    s.chunks = (each + SLOT - 1) / SLOT;
    return s;
}

/* Vectors of chunk q; of the last block's last ones perhaps none. */
static __device__ int share_chunk(const share &s, int q)
{
    return max(0, min(s.length - q * SLOT, (int)SLOT));
}

/* A barrier of all threads of the cluster. */
static __device__ void cluster_sync(void)
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

/* *to = p in block `rank` of the cluster, whose *bar is told of 8 bytes. */
static __device__ void cluster_send(softmax_part *to, uint64_t *bar,
                                    unsigned rank, softmax_part p)
{
    asm volatile("{\n"
                 ".reg .b32 there, told;\n"
                 "mapa.shared::cluster.u32 there, %0, %2;\n"
                 "mapa.shared::cluster.u32 told, %1, %2;\n"
                 "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32"
                 " [there], {%3, %4}, [told];\n"
                 "}\n" ::"r"(ptx_smem(to)),
                 "r"(ptx_smem(bar)), "r"(rank), "f"(p.top), "f"(p.sum)
                 : "memory");
}

/* ptx_mbar_wait() for what other blocks of the cluster sent. */
static __device__ void cluster_wait(uint64_t *bar, uint32_t parity)
{
    uint32_t done;

    do {
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64"
                     " p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}\n"
                     : "=r"(done)
                     : "r"(ptx_smem(bar)), "r"(parity)
                     : "memory");
    } while (!done);
}

/* The greatest of a thread's vectors, and of `top`. */
static __device__ float top_of(const uint4 *in, float top, uint16_t)
{
    uint32_t both = rows_minus_infinity<uint16_t>();

#pragma unroll
    for (int k = 0; k < PIECE; k++) {
        both = packed_max(packed_max(both, in[k].x), in[k].y);
        both = packed_max(packed_max(both, in[k].z), in[k].w);
    }
    return fmaxf(top, fmaxf(bf16_first(both), bf16_second(both)));
}

static __device__ float top_of(const uint4 *in, float top, float)
{
#pragma unroll
    for (int k = 0; k < PIECE; k++) {
        float v[4];

        rows_unpack<float>(in[k], v);
        top = fmaxf(fmaxf(top, v[0]), fmaxf(fmaxf(v[1], v[2]), v[3]));
    }
    return top;
}

/* The part p with the n vectors of a chunk, in four sums side by side. */
template <typename T>
static __device__ softmax_part with_chunk(softmax_part p, const uint4 *chunk,
                                          int n, float steep)
{
    constexpr int WIDTH = rows_width<T>;
    const uint32_t fill = rows_minus_infinity<T>();
    uint4 in[PIECE];
    float sum[4] = {};

#pragma unroll
    for (int k = 0; k < PIECE; k++) {
        const int i = threadIdx.x % GROUP + k * GROUP;

        in[k] = i < n ? chunk[i] : make_uint4(fill, fill, fill, fill);
    }
    const float top = top_of(in, p.top, T()), zero = softmax_base(top);

    sum[0] = p.sum * softmax_exp2((p.top - zero) * steep);
#pragma unroll
    for (int k = 0; k < PIECE; k++) {
        float v[WIDTH];

        rows_unpack<T>(in[k], v);
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            sum[i % 4] += softmax_exp2(fmaf(v[i], steep, -zero * steep));
    }
    return {top, (sum[0] + sum[1]) + (sum[2] + sum[3])};
}

/* The n vectors of a chunk become quotients. For bf16 the sum goes into the
 * exponent as a logarithm, which saves a multiplication. */
template <typename T>
static __device__ void finish_chunk(uint4 *chunk, int n, softmax_part row,
                                    float steep)
{
    constexpr int WIDTH = rows_width<T>;
    const float base = softmax_base(row.top) * steep;
    const float less = sizeof(T) == 2 ? base + __log2f(row.sum) : base;
    const float factor = sizeof(T) == 2 ? 1 : __fdividef(1.0f, row.sum);
    uint4 in[PIECE];

#pragma unroll
    for (int k = 0; k < PIECE; k++) {
        const int i = threadIdx.x % GROUP + k * GROUP;

        in[k] = i < n ? chunk[i] : make_uint4(0, 0, 0, 0);
    }
#pragma unroll
    for (int k = 0; k < PIECE; k++) {
        const int i = threadIdx.x % GROUP + k * GROUP;
        float v[WIDTH];

        rows_unpack<T>(in[k], v);
#pragma unroll
        for (int j = 0; j < WIDTH; j++)
            v[j] = softmax_exp2(fmaf(v[j], steep, -less)) * factor;
        if (i < n)
            chunk[i] = rows_pack<T>(v);
    }
}

/* The row of a turn; a number behind the last row ends the work. */
static __device__ int row_of(shared &sh, int turn)
{
    uint64_t v;

    do
        asm volatile("ld.volatile.shared.u64 %0, [%1];"
                     : "=l"(v)
                     : "r"(ptx_smem(&sh.ticket[turn % KNOWN])));
    while ((int)(v >> 32) != turn);
    return (int)v;
}

/* Tells all blocks of the cluster. */
static __device__ void tell_row(shared &sh, const share &s, int turn, int row)
{
    const uint64_t v = (uint64_t)turn << 32 | (unsigned)row;

    for (unsigned rank = 0; rank < s.size; rank++)
        asm volatile("{\n"
                     ".reg .b32 there;\n"
                     "mapa.shared::cluster.u32 there, %0, %1;\n"
                     "st.relaxed.cluster.shared::cluster.u64 [there], %2;\n"
                     "}\n" ::"r"(ptx_smem(&sh.ticket[turn % KNOWN])),
                     "r"(rank), "l"(v)
                     : "memory");
}

/* By one thread of a cluster: two turns more than rings have room for. The
 * last dealer puts the counters back. */
static __device__ void deal_rows(int rows, const share &s, shared &sh,
                                 tickets *tickets)
{
    const int clusters = gridDim.x / s.size, more = SLOTS / s.chunks + 2;
    int row = blockIdx.x / s.size;

    for (int turn = 0;; turn++) {
        if (turn >= more)
            cluster_wait(&sh.known[(turn - more) % KNOWN],
                         (turn - more) / KNOWN % 2);
        tell_row(sh, s, turn, row);
        if (row >= rows)
            break;
        row = tickets_draw(tickets, clusters);
    }
    tickets_end(tickets, clusters);
}

/* For each row of the cluster; `turn` counts them. */
#define FOR_EACH_ROW(row, turn) \
    for (int turn = 0, row; (row = row_of(sh, turn)) < task.rows; turn++)

/* Sends a warp's part of each row as soon as its chunks have landed. */
// ANCHOR: inner
template <typename T>
static __device__ void join_rows(const softmax_task<T> &task, const share &s,
                                 shared &sh, const uint4 *ring)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    place at = {0, 0};

    TRACE_OPEN(REDUCER, 0, threadIdx.x == 0);
    FOR_EACH_ROW(row, turn)
    {
        const int e = turn % KNOWN;
        softmax_part p = {-CUDART_INF_F, 0};

        for (int q = 0; q < s.chunks; q++, place_next(at)) {
            ptx_mbar_wait(&sh.full[at.slot], at.parity);
            TRACE_BEGIN(REDUCE, turn * s.chunks + q);
            p = with_chunk<T>(p, ring + at.slot * SLOT, share_chunk(s, q),
                              task.steep);
            TRACE_END(REDUCE, turn * s.chunks + q);
        }
        p = softmax_join_warp(p, task.steep);
        if (threadIdx.x == 0)
            ptx_mbar_expect(&sh.known[e], s.size * WARPS * sizeof p);
        if (lane < s.size)
            cluster_send(&sh.part[e][s.rank * WARPS + warp], &sh.known[e], lane,
                         p);
    }
    TRACE_CLOSE();
}

/* Writes quotients over the chunks of each row that is known. */
template <typename T>
static __device__ void finish_rows(const softmax_task<T> &task, const share &s,
                                   shared &sh, uint4 *ring)
{
    place at = {0, 0};

    TRACE_OPEN(WRITER, 0, threadIdx.x == WARPS * WARP);
    FOR_EACH_ROW(row, turn)
    {
        const int e = turn % KNOWN;

        cluster_wait(&sh.known[e], turn / KNOWN % 2);
        const softmax_part all =
            softmax_join<2>(sh.part[e], s.size * WARPS, task.steep);

        for (int q = 0; q < s.chunks; q++, place_next(at)) {
            ptx_mbar_wait(&sh.full[at.slot], at.parity);
            TRACE_BEGIN(STORE, turn * s.chunks + q);
            finish_chunk<T>(ring + at.slot * SLOT, share_chunk(s, q), all,
                            task.steep);
            ptx_fence_async();
            __syncwarp();
            if (threadIdx.x % WARP == 0)
                ptx_mbar_arrive(&sh.done[at.slot]);
            TRACE_END(STORE, turn * s.chunks + q);
        }
    }
    TRACE_CLOSE();
}
// ANCHOR_END: inner

/* The chunk that the TMA is asked for next, and the slot it gets. */
struct order {
    int turn, row, q, slot;
};

/* Asks for it, if there are rows left; its slot is free. */
template <typename T>
static __device__ void fetch(const softmax_task<T> &task, const share &s,
                             shared &sh, uint4 *ring, order &next,
                             uint64_t policy)
{
    const size_t vectors = task.cols / rows_width<T>;
    const int n = share_chunk(s, next.q), bytes = n * ROWS_VECTOR;
    uint64_t *full = &sh.full[next.slot];

    if (next.q == 0 && next.row < task.rows)
        next.row = row_of(sh, next.turn++);
    if (next.row >= task.rows)
        return;
    if (n) {
        ptx_mbar_expect(full, bytes);
        ptx_bulk_load(ring + next.slot * SLOT,
                      (const uint4 *)task.x + next.row * vectors + s.begin +
                          next.q * SLOT,
                      bytes, full, policy);
    } else {
        ptx_mbar_arrive(full);
    }
    if (++next.slot == SLOTS)
        next.slot = 0;
    if (++next.q == s.chunks)
        next.q = 0;
}

/* By one thread. While a store is being read from its slot, the slot of the
 * store before is free for the next load. */
template <typename T>
static __device__ void order_copies(const softmax_task<T> &task, const share &s,
                                    shared &sh, uint4 *ring)
{
    const size_t vectors = task.cols / rows_width<T>;
    const uint64_t once = ptx_evict_first();
    order next = {0, 0, 0, 0};
    place at = {0, 0};

    for (int i = 0; i < SLOTS; i++)
        fetch(task, s, sh, ring, next, once);
    FOR_EACH_ROW(row, turn)
    {
        for (int q = 0; q < s.chunks; q++, place_next(at)) {
            const int n = share_chunk(s, q);

            ptx_mbar_wait(&sh.done[at.slot], at.parity);
            if (n)
                ptx_bulk_store((uint4 *)task.y + row * vectors + s.begin +
                                   q * SLOT,
                               ring + at.slot * SLOT, n * ROWS_VECTOR, once);
            ptx_bulk_commit();
            ptx_bulk_wait_read<1>();
            if (turn > 0 || q > 0)
                fetch(task, s, sh, ring, next, once);
        }
    }
    ptx_bulk_wait_read<0>(); /* shared memory must outlive the stores */
}

template <typename T>
static __global__ void __launch_bounds__(THREADS, 1)
    rows_in_rings(softmax_task<T> task, tickets *tickets)
{
    extern __shared__ __align__(128) uint4 ring[];
    __shared__ shared sh;
    const int warp = threadIdx.x / WARP;
    const share s = share_of(task.cols / rows_width<T>);

    if (threadIdx.x == 0) {
        for (int i = 0; i < SLOTS; i++) {
            ptx_mbar_init(&sh.full[i], 1);
            ptx_mbar_init(&sh.done[i], WARPS);
        }
        for (int i = 0; i < KNOWN; i++) {
            ptx_mbar_init(&sh.known[i], 1);
            sh.ticket[i] = ~0ull;
        }
        ptx_mbar_init_fence();
    }
    cluster_sync(); /* barriers are ready, in all blocks */
    if (warp < WARPS)
        join_rows(task, s, sh, ring);
    else if (warp < 2 * WARPS)
        finish_rows(task, s, sh, ring);
    else if (threadIdx.x == ORDERS)
        order_copies(task, s, sh, ring);
    else if (threadIdx.x == DEALS && s.rank == 0)
        deal_rows(task.rows, s, sh, tickets);
    __syncwarp();
    cluster_sync(); /* nobody sends to a block that has ended */
}

/* As many blocks as give each a share of SHARE vectors at most. */
template <typename T> static unsigned cluster_of(const struct kernel_case *c)
{
    unsigned blocks = 1;

    while (blocks < LARGEST &&
           blocks * SHARE * rows_width<T> < (unsigned)softmax_cols(c))
        blocks *= 2;
    return blocks;
}

template <typename T>
static int launch(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf)
{
    const softmax_task<T> task = softmax_task_of<T>(c, buf);
    const auto kernel = rows_in_rings<T>;
    const unsigned blocks = cluster_of<T>(c);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cluster = {};
    int fit, error;

    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {blocks, 1, 1};
    config.gridDim = dim3(env->sms / blocks * blocks);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = SHARED;
    config.stream = (cudaStream_t)env->stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    error = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    if (!error)
        error = cudaOccupancyMaxActiveClusters(&fit, kernel, &config);
    if (error)
        return error;
    config.gridDim = dim3((task.rows < fit ? task.rows : fit) * blocks);
    return cudaLaunchKernelEx(&config, kernel, task,
                              (tickets *)buf[SOFTMAX_SCRATCH]);
}

extern "C" size_t softmax_ring_scratch(const struct kernel_case *,
                                       const struct kernel_env *)
{
    return sizeof(struct tickets);
}

extern "C" int softmax_ring(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    return c->dtype == KERNEL_BF16 ? launch<uint16_t>(c, env, buf)
                                   : launch<float>(c, env, buf);
}
