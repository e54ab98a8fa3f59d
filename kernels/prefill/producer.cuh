/*
 * kernels/prefill/producer.cuh - two warp groups multiply, and a third brings
 * tiles. Slots are handed over by mbarriers.
 */
#ifndef KERNELS_PREFILL_PRODUCER_CUH
#define KERNELS_PREFILL_PRODUCER_CUH

#include "kernels/prefill/groups.cuh"
#include "kernels/trace.cuh"

enum {
    THREADS = (GROUPS + 1) * WGMMA_GROUP,
    FEW = 40,   /* registers of a thread that brings tiles */
    MANY = 232, /* and of one that multiplies: 168 each on average */
};

/* The thread that asks: for the queries, and for all tiles as slots come free.
 * Keys of a tile are wanted first. */
template <int D>
static __device__ __forceinline__ void
fetch(const room<D> &r, const CUtensorMap *q_map, const CUtensorMap *k_map,
      const CUtensorMap *v_map, const attention &a, const work &w)
{
    barriers &b = *r.b;

    TRACE_OPEN(LOADER, 0, true);
    ask_queries(r, q_map, w);
    for (int i = 0; i < w.tiles; i++) {
        const int s = i % SLOTS;

        ptx_mbar_wait(&b.k_empty[s], !parity(i));
        TRACE_END(SLOT, 2 * (i - SLOTS));
        TRACE_BEGIN(SLOT, 2 * i);
        ask_tile<D>(r.keys(i), k_map, a, w, i, &b.k_full[s]);
        ptx_mbar_wait(&b.v_empty[s], !parity(i));
        TRACE_END(SLOT, 2 * (i - SLOTS) + 1);
        TRACE_BEGIN(SLOT, 2 * i + 1);
        ask_tile<D>(r.values(i), v_map, a, w, i, &b.v_full[s]);
    }
    TRACE_CLOSE();
}

/* What all threads do: `multiply(r)` is the part of a group. */
template <int D, class MULTIPLY>
static __device__ __forceinline__ void
go(const attention &a, const work &w, const CUtensorMap *q_map,
   const CUtensorMap *k_map, const CUtensorMap *v_map, char *raw,
   MULTIPLY multiply)
{
    const room<D> r(raw);

    if (threadIdx.x == 0)
        barriers_init(*r.b);
    __syncthreads(); /* the barriers are ready */
    if (threadIdx.x / WGMMA_GROUP == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch(r, q_map, k_map, v_map, a, w);
        return;
    }
    wgmma_take_registers<MANY>();
    ptx_mbar_wait(&r.b->q, 0);
    multiply(r);
}

#endif
