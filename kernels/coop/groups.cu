/*
 * coop/groups - the rounds with cooperative groups.
 *
 * A group is an object: a tile of a warp, the lanes that are active, a block, a
 * cluster, the grid. reduce() and inclusive_scan() work on tiles and on
 * coalesced groups, and a block can be made into a tile if it is given shared
 * memory for it. Beyond the block there are only sync() and the address of a
 * neighbour's shared memory; the code here does the rest. Members exchange
 * values through two places in turn, so that one sync() a round is enough:
 * before a place is used again, all members have passed the sync() of the round
 * between.
 *
 * Predicted before any run: for tiles and warps the same as by hand; for a
 * coalesced group and for a block dearer.
 */
#include "kernels/coop/coop.cuh"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

template <bool SCAN, class GROUP>
static __device__ float over(const GROUP &group, float v)
{
    if (SCAN)
        return cg::inclusive_scan(group, v, cg::plus<float>());
    return cg::reduce(group, v, cg::plus<float>());
}

// ANCHOR: tile
template <bool SCAN, int LANES> struct tile : coop_everybody {
    cg::thread_block_tile<LANES> group =
        cg::tiled_partition<LANES>(cg::this_thread_block());

    __device__ tile(void *)
    {
    }
    __device__ float operator()(float v, int)
    {
        return over<SCAN>(group, v);
    }
};
// ANCHOR_END: tile

// ANCHOR: coalesced
template <bool SCAN> struct coalesced : coop_everybody {
    cg::coalesced_group group = cg::coalesced_threads();

    static __device__ bool member()
    {
        return coop_picked();
    }
    __device__ coalesced(void *)
    {
    }
    __device__ float operator()(float v, int)
    {
        return over<SCAN>(group, v);
    }
};
// ANCHOR_END: coalesced

/* The shared memory that makes a block a tile. */
static __device__ cg::thread_block whole_block(void)
{
    __shared__ cg::block_tile_memory<COOP_THREADS> memory;

    return cg::this_thread_block(memory);
}

// ANCHOR: block
template <bool SCAN> struct block : coop_everybody {
    cg::thread_block threads = whole_block();
    cg::thread_block_tile<COOP_THREADS> group =
        cg::tiled_partition<COOP_THREADS>(threads);

    __device__ block(void *)
    {
    }
    __device__ float operator()(float v, int)
    {
        return over<SCAN>(group, v);
    }
};
// ANCHOR_END: block

// ANCHOR: cluster
/*
 * Warp by warp: 32 of them, so each lane of a warp has the sum of one. A
 * block made into a tile would be simpler, but it keeps its notes in shared
 * memory that the system reserves, and in a kernel that was launched in
 * clusters this ended in a launch failure (CUDA 13.0, driver 580).
 */
template <bool SCAN> struct cluster : coop_everybody {
    cg::thread_block_tile<WARP> warp =
        cg::tiled_partition<WARP>(cg::this_thread_block());
    cg::cluster_group all = cg::this_cluster();
    float *parts;  /* of this block's warps, for two rounds in turn */
    unsigned self; /* this warp's number in the cluster */

    __device__ cluster(void *)
    {
        __shared__ float room[2 * COOP_WARPS];

        static_assert(COOP_CLUSTER * COOP_WARPS == WARP);
        parts = room;
        self = all.block_rank() * COOP_WARPS + warp.meta_group_rank();
        all.sync(); /* all blocks are there */
    }

    __device__ float operator()(float v, int r)
    {
        float *here = parts + (r & 1) * COOP_WARPS;
        const unsigned lane = warp.thread_rank();
        float part;

        v = over<SCAN>(warp, v);
        if (lane == WARP - 1)
            here[warp.meta_group_rank()] = v; /* the last has the sum */
        all.sync();
        part =
            *all.map_shared_rank(here + lane % COOP_WARPS, lane / COOP_WARPS);
        if (SCAN && lane >= self)
            part = 0;
        part = over<false>(warp, part);
        return SCAN ? v + part : part;
    }

    __device__ void end(int)
    {
        all.sync(); /* nobody leaves while read from */
    }
};
// ANCHOR_END: cluster

// ANCHOR: grid
/* The block warp by warp, too; its sum goes through global memory. */
template <bool SCAN> struct grid : coop_everybody {
    cg::thread_block threads = cg::this_thread_block();
    cg::thread_block_tile<WARP> warp = cg::tiled_partition<WARP>(threads);
    cg::grid_group all = cg::this_grid();
    float *parts;  /* of this block's warps, … */
    float *totals; /* … and of all blocks, for two rounds in turn */

    __device__ grid(void *scratch) : totals((float *)scratch)
    {
        __shared__ float room[2 * COOP_WARPS];

        parts = room;
    }

    __device__ float inner(float v, int r)
    {
        float *here = parts + (r & 1) * COOP_WARPS;
        float before = 0, sum = 0;

        v = over<SCAN>(warp, v);
        if (warp.thread_rank() == WARP - 1)
            here[warp.meta_group_rank()] = v;
        threads.sync();
        for (unsigned w = 0; w < COOP_WARPS; w++) {
            if (w < warp.meta_group_rank())
                before += here[w];
            sum += here[w];
        }
        return SCAN ? before + v : sum;
    }

    __device__ float operator()(float v, int r)
    {
        float *here = totals + (r & 1) * gridDim.x;
        float outer = 0;

        v = inner(v, r);
        if (threadIdx.x == COOP_THREADS - 1)
            here[blockIdx.x] = v;
        all.sync();
        for (unsigned b = warp.thread_rank(); b < gridDim.x; b += WARP)
            if (SCAN ? b < blockIdx.x : b != blockIdx.x)
                outer += __ldcg(here + b);
        return v + over<false>(warp, outer);
    }
};
// ANCHOR_END: grid

extern "C" int coop_groups(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *)
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
