/*
 * kernels/jitter/kernels/wgmma.cuh - more places where a build with JITTER=1
 * delays warps.
 *
 * kernels/ptx.cuh delays a warp at mbarriers and at copies of the TMA. Copies
 * of threads (cp.async), barriers of some warps, barriers of clusters and the
 * fence before the async proxy reads want delays as much. kernels/wgmma.cuh
 * stays as it is, since records name it. The compiler finds this file in its
 * place, and only if JITTER is set: it puts a function of the same use, with a
 * delay, in place of each.
 *
 * A delay stands where somebody else is given time to be wrong: before a thread
 * says that it is done, and behind its wait for others.
 */
#ifndef KERNELS_JITTER_WGMMA_CUH
#define KERNELS_JITTER_WGMMA_CUH

#include_next "kernels/wgmma.cuh"

#ifndef PTX_JITTER
#error "kernels/jitter is for builds with JITTER=1"
#endif

PTX_FN void jitter_sync_some(int id, int threads)
{
    ptx_jitter();
    ptx_sync_some(id, threads);
    ptx_jitter();
}

PTX_FN void jitter_arrive_some(int id, int threads)
{
    ptx_jitter();
    ptx_arrive_some(id, threads);
}

PTX_FN void jitter_cluster_sync(void)
{
    ptx_jitter();
    cluster_sync();
    ptx_jitter();
}

PTX_FN void jitter_fence_async(void)
{
    ptx_fence_async();
    ptx_jitter();
}

/* The copy itself cannot be held back; but it may be asked for late. */
PTX_FN void jitter_copy_16(void *dst, const void *src, bool inside)
{
    ptx_jitter();
    ptx_copy_16(dst, src, inside);
}

template <int N> PTX_FN void jitter_copies_wait(void)
{
    ptx_copies_wait<N>();
    ptx_jitter();
}

template <int N> PTX_FN void jitter_products_wait(void)
{
    wgmma_wait<N>();
    ptx_jitter();
}

#define ptx_sync_some jitter_sync_some
#define ptx_arrive_some jitter_arrive_some
#define cluster_sync jitter_cluster_sync
#define ptx_fence_async jitter_fence_async
#define ptx_copy_16 jitter_copy_16
#define ptx_copies_wait jitter_copies_wait
#define wgmma_wait jitter_products_wait

#endif
