/*
 * coop/hand - the rounds by hand: shuffles, shared memory, flags.
 *
 * The same groups in shuffles, shared memory and flags. This code knows two
 * things that a library cannot know. Rounds follow each other, so two places in
 * turn need only one barrier. Only the members wait, so a value may carry its
 * own flag.
 *
 *   tile, warp   shuffles
 *   coalesced    shuffles between lanes by their rank; who has which rank is
 *                found once, before the rounds
 *   block        the sums of the warps meet in shared memory, one barrier
 *   cluster      each warp sends its sum to all blocks of the cluster; the
 *                store itself counts at the receiver's mbarrier
 *   grid         a block's sum and the number of its round are one word in
 *                global memory
 *
 * Predicted before any run: up to the warp no different from the library; at
 * the block a fifth or more is saved, at cluster and grid more.
 */
#include "kernels/coop/coop.cuh"
#include "kernels/word.cuh"

#define ALL 0xffffffffu /* lanes of a full warp */

static __device__ unsigned lane_id(void)
{
    return threadIdx.x % WARP;
}

static __device__ unsigned warp_id(void)
{
    return threadIdx.x / WARP;
}

// ANCHOR: tile
/* Over LANES lanes in a row, a power of two. */
template <bool SCAN, int LANES> static __device__ float over(float v)
{
    if constexpr (SCAN)
        for (unsigned d = 1; d < LANES; d *= 2) {
            const float before = __shfl_up_sync(ALL, v, d, LANES);

            if (lane_id() % LANES >= d)
                v += before;
        }
    else
        for (unsigned d = LANES / 2; d > 0; d /= 2)
            v += __shfl_xor_sync(ALL, v, d);
    return v;
}
// ANCHOR_END: tile

template <bool SCAN, int LANES> struct tile : coop_everybody {
    __device__ tile(void *)
    {
    }
    __device__ float operator()(float v, int)
    {
        return over<SCAN, LANES>(v);
    }
};

// ANCHOR: coalesced
/* Step k takes from the member whose rank is 2^k higher, or lower in a scan;
 * a rank that does not exist is this lane itself, and counts for nothing. */
template <bool SCAN> struct coalesced : coop_everybody {
    unsigned mask, first;
    int from[5];
    float factor[5];

    static __device__ bool member()
    {
        return coop_picked();
    }

    __device__ coalesced(void *)
    {
        mask = __activemask();
        first = __ffs(mask) - 1;

        const int rank = __popc(mask & ((1u << lane_id()) - 1));
        const int members = __popc(mask);

#pragma unroll
        for (int k = 0; k < 5; k++) {
            const int want = SCAN ? rank - (1 << k) : rank + (1 << k);
            const bool there = want >= 0 && want < members;

            from[k] = there ? (int)__fns(mask, 0, want + 1) : (int)lane_id();
            factor[k] = there ? 1 : 0;
        }
    }

    __device__ float operator()(float v, int)
    {
#pragma unroll
        for (int k = 0; k < 5; k++) {
            const float other = __shfl_sync(mask, v, from[k]);

            if (factor[k] != 0)
                v += other;
        }
        return SCAN ? v : __shfl_sync(mask, v, first);
    }
};
// ANCHOR_END: coalesced

/* The sum of those of eight floats whose number is below `end`. */
static __device__ float sum_below(const float *part, unsigned end)
{
    const float4 a = *(const float4 *)part, b = *(const float4 *)(part + 4);
    const float p[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
    float pair[4];

#pragma unroll
    for (unsigned k = 0; k < 4; k++)
        pair[k] =
            (2 * k < end ? p[2 * k] : 0) + (2 * k + 1 < end ? p[2 * k + 1] : 0);
    return (pair[0] + pair[1]) + (pair[2] + pair[3]);
}

// ANCHOR: block
template <bool SCAN> struct block : coop_everybody {
    float *parts; /* of the warps, for two rounds in turn */

    __device__ block(void *)
    {
        __shared__ __align__(16) float room[2 * COOP_WARPS];

        parts = room;
    }

    __device__ float operator()(float v, int r)
    {
        float *here = parts + (r & 1) * COOP_WARPS;

        v = over<SCAN, WARP>(v);
        if (lane_id() == WARP - 1)
            here[warp_id()] = v;
        __syncthreads();
        return SCAN ? v + sum_below(here, warp_id())
                    : sum_below(here, COOP_WARPS);
    }
};
// ANCHOR_END: block

static __device__ unsigned block_rank(void)
{
    unsigned rank;

    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

static __device__ void cluster_sync(void)
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* The address that `p` has in the shared memory of block `rank`. */
static __device__ uint32_t there(const void *p, unsigned rank)
{
    uint32_t a;

    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(a)
        : "r"(ptx_smem(p)), "r"(rank));
    return a;
}

/* Writes a float into another block's shared memory; when it has landed, it
 * counts four bytes at that block's mbarrier. */
static __device__ void send(uint32_t to, float v, uint32_t bar)
{
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32"
                 " [%0], %1, [%2];" ::"r"(to),
                 "r"(__float_as_uint(v)), "r"(bar)
                 : "memory");
}

// ANCHOR: cluster
/*
 * Thirty-two warps, so each lane of a warp has the sum of one of them. For
 * two rounds in turn there is room for the sums and an mbarrier, which waits
 * for their bytes and for one arrival: thread 0's, which renews the count of
 * bytes once it has seen the round complete.
 */
template <bool SCAN> struct cluster : coop_everybody {
    enum { SENDERS = COOP_CLUSTER * COOP_WARPS, BYTES = 4 * SENDERS };
    float *parts;
    uint64_t *bar;
    uint32_t to, to_bar; /* where this lane sends to, in round 0 */
    unsigned self;       /* this warp's number in the cluster */

    __device__ cluster(void *)
    {
        __shared__ float room[2 * SENDERS];
        __shared__ uint64_t bars[2];
        const unsigned target = lane_id() % COOP_CLUSTER;

        static_assert(SENDERS == WARP, "a lane for each sender");
        parts = room;
        bar = bars;
        self = block_rank() * COOP_WARPS + warp_id();
        to = there(&parts[self], target);
        to_bar = there(bar, target);
        if (threadIdx.x == 0) {
            for (int k = 0; k < 2; k++)
                ptx_mbar_init(&bar[k], 1);
            ptx_mbar_init_fence();
            for (int k = 0; k < 2; k++)
                ptx_mbar_expect(&bar[k], BYTES);
        }
        cluster_sync();
    }

    __device__ float operator()(float v, int r)
    {
        const unsigned turn = r & 1;
        float part;

        v = over<SCAN, WARP>(v);
        part = __shfl_sync(ALL, v, WARP - 1);
        if (lane_id() < COOP_CLUSTER)
            send(to + turn * BYTES, part, to_bar + turn * 8);
        ptx_mbar_wait(&bar[turn], r >> 1 & 1);
        part = parts[turn * SENDERS + lane_id()];
        if (threadIdx.x == 0)
            ptx_mbar_expect(&bar[turn], BYTES);
        if (SCAN && lane_id() >= self)
            part = 0;
        part = over<false, WARP>(part);
        return SCAN ? v + part : part;
    }

    __device__ void end(int)
    {
        cluster_sync(); /* others may still send */
    }
};
// ANCHOR_END: cluster

// ANCHOR: grid
/*
 * The first four warps each look at the words of 32 blocks until all have
 * the number of this round. Numbers go on from launch to launch: each block
 * keeps where it is behind the words.
 */
template <bool SCAN> struct grid : coop_everybody {
    enum { LOOKERS = COOP_BLOCKS / WARP };
    block<SCAN> mine{NULL};
    uint64_t *words;
    unsigned *steps, base;
    float *parts; /* of the lookers, for two rounds in turn */

    __device__ grid(void *scratch)
    {
        __shared__ __align__(16) float room[2 * LOOKERS];

        words = (uint64_t *)scratch;
        steps = (unsigned *)(words + 2 * COOP_BLOCKS);
        base = steps[blockIdx.x];
        parts = room;
        __syncthreads(); /* all have read it before one changes it */
    }

    __device__ static float take(const uint64_t *word, unsigned step)
    {
        uint64_t w;

        do
            w = word_load(word);
        while ((unsigned)w != step);
        return word_value(w);
    }

    __device__ float operator()(float v, int r)
    {
        uint64_t *here = words + (r & 1) * COOP_BLOCKS;
        float4 *room = (float4 *)parts + (r & 1);
        const unsigned step = base + r + 1, b = threadIdx.x;
        const float inner = mine(v, r);

        if (threadIdx.x == COOP_THREADS - 1)
            word_store(here + blockIdx.x, word_of(inner, step));
        if (warp_id() < LOOKERS) {
            float part = b < gridDim.x ? take(here + b, step) : 0;

            if (SCAN ? b >= blockIdx.x : b == blockIdx.x)
                part = 0;
            part = over<false, WARP>(part);
            if (lane_id() == 0)
                ((float *)room)[warp_id()] = part;
        }
        __syncthreads();
        return inner + ((room->x + room->y) + (room->z + room->w));
    }

    __device__ void end(int rounds)
    {
        if (threadIdx.x == 0)
            steps[blockIdx.x] = base + rounds;
    }
};
// ANCHOR_END: grid

extern "C" int coop_hand(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf, void *)
{
    static const struct coop_table table = {{
        {coop_launch<tile<false, COOP_TILE>>,
         coop_launch<tile<true, COOP_TILE>>},
        {coop_launch<tile<false, WARP>>, coop_launch<tile<true, WARP>>},
        {coop_launch<coalesced<false>>, coop_launch<coalesced<true>>},
        {coop_launch<block<false>>, coop_launch<block<true>>},
        {coop_launch<cluster<false>>, coop_launch<cluster<true>>},
        {coop_launch<grid<false>>, coop_launch<grid<true>>},
    }};

    return coop_launch_case(table, c, env, buf);
}
