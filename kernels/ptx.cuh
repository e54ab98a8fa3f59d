/*
 * kernels/ptx.cuh - the few PTX instructions that CUDA C++ has no name for,
 * explained once. Needs sm_90. Meaning of each: the PTX ISA manual,
 * https://docs.nvidia.com/cuda/parallel-thread-execution/, chapter in [].
 *
 * The TMA (tensor memory accelerator) copies kilobytes between global and
 * shared memory. No thread waits meanwhile, and no register holds the bytes.
 * One thread starts a copy; there are two ways to learn of its end:
 *
 *   global -> shared   by an mbarrier in shared memory, which counts bytes
 *   shared -> global   by a *bulk group* of the thread that started it
 *
 * An mbarrier goes through phases. A phase ends when the expected threads
 * have arrived and the expected bytes have landed; then the next begins. A
 * waiter names the phase it waits for by parity: 0 for the first phase, 1
 * for the second, 0 for the third, and so on. To wait on the parity of the
 * phase *before* the first returns at once, so "is this slot free?" can be
 * asked of a fresh barrier with parity 1.
 *
 * A ring of slots then needs, per slot, one barrier `full` (the copy has
 * landed) and, if threads other than the starter read it, a way to say
 * that they are done: a second barrier `empty`, or __syncthreads().
 *
 * Both threads (the generic proxy) and the TMA (the async proxy) access shared
 * memory. The TMA sees what threads wrote only after ptx_fence_async() in each
 * writing thread and then a barrier.
 *
 * A kernel may forget a wait and be right all the same, because the data always
 * happen to come in time. Tools that look for races do not see the TMA. So a
 * build with PTX_JITTER (make JITTER=1) delays a warp at every barrier and copy
 * of this file by a random number of clocks. Results must stay the same, bit
 * for bit. Nothing can be measured with such a build.
 */
#ifndef KERNELS_PTX_CUH
#define KERNELS_PTX_CUH

#include <stdint.h>

#define PTX_FN static __device__ __forceinline__

/* Address of a shared variable in the 32-bit shared window. */
PTX_FN uint32_t ptx_smem(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

#ifdef PTX_JITTER
/* Delays the warp by up to 4095 clocks, three times in four by none. The clock
 * itself is the seed, so no two runs are delayed alike. */
PTX_FN void ptx_jitter(void)
{
    const uint32_t start = clock(), warp = threadIdx.x / 32 + 64 * blockIdx.x;
    uint32_t z = (start ^ warp * 0x9e3779b9u) * 0x85ebca6bu;

    z = (z ^ z >> 15) * 0xc2b2ae35u;
    for (uint32_t most = z >> 30 ? 0 : z & 4095; clock() - start < most;)
        ;
}
#else
PTX_FN void ptx_jitter(void)
{
}
#endif

/* ---- mbarrier [parallel synchronization instructions: mbarrier] ---- */

/* Makes *bar ready; each phase waits for `count` arrivals. One thread. */
PTX_FN void ptx_mbar_init(uint64_t *bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(ptx_smem(bar)),
                 "r"(count)
                 : "memory");
}

/* After the inits, before the TMA may see the barriers. */
PTX_FN void ptx_mbar_init_fence(void)
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* Arrives, and adds `bytes` to what the phase waits for. */
PTX_FN void ptx_mbar_expect(uint64_t *bar, uint32_t bytes)
{
    ptx_jitter();
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     ptx_smem(bar)),
                 "r"(bytes)
                 : "memory");
}

/* Arrives; what this thread did before is visible to the threads that wait. */
PTX_FN void ptx_mbar_arrive(uint64_t *bar)
{
    ptx_jitter();
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(ptx_smem(bar))
                 : "memory");
}

/* Waits until the phase of parity `parity` has ended. */
PTX_FN void ptx_mbar_wait(uint64_t *bar, uint32_t parity)
{
    uint32_t done;

    ptx_jitter();
    do {
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}\n"
                     : "=r"(done)
                     : "r"(ptx_smem(bar)), "r"(parity)
                     : "memory");
    } while (!done);
    ptx_jitter();
}

/* ---- sums over the lanes of a warp [data movement: shfl.sync] ---- */

/*
 * Adds to v what the lane `step` below has in its v; the first `step` lanes
 * keep theirs. The shuffle says in a predicate whether there is such a lane,
 * which saves the comparison. All 32 lanes together.
 */
PTX_FN float ptx_add_from_below(float v, int step)
{
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 ".reg .f32 below;\n"
                 "shfl.sync.up.b32 below|p, %0, %1, 0, 0xffffffff;\n"
                 "@p add.f32 %0, %0, below;\n"
                 "}\n"
                 : "+f"(v)
                 : "r"(step));
    return v;
}

PTX_FN int ptx_add_from_below(int v, int step)
{
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 ".reg .s32 below;\n"
                 "shfl.sync.up.b32 below|p, %0, %1, 0, 0xffffffff;\n"
                 "@p add.s32 %0, %0, below;\n"
                 "}\n"
                 : "+r"(v)
                 : "r"(step));
    return v;
}

/* ---- barriers of some warps [parallel synchronization: barrier] ---- */

/* __syncthreads() for the `threads` threads, whole warps, that meet at
 * barrier `id`, 1 to 15; __syncthreads() itself is barrier 0. */
PTX_FN void ptx_sync_some(int id, int threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/* Counts as one of the `threads` of ptx_sync_some(), and goes on. */
PTX_FN void ptx_arrive_some(int id, int threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/* threadIdx.x, read anew: what is computed from it is not kept in registers
 * from one use to the next. */
PTX_FN int ptx_thread_anew(void)
{
    int thread;

    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
    return thread;
}

/* ---- L2 hints [cache eviction priority hints] ---- */

/* The policy for data that is used once: first to be evicted from the L2. */
PTX_FN uint64_t ptx_evict_first(void)
{
    uint64_t policy;

    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

/* The policy of an access without a hint. */
PTX_FN uint64_t ptx_evict_normal(void)
{
    uint64_t policy;

    asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

/* The policy for data that all blocks come back to: last to be evicted. */
PTX_FN uint64_t ptx_evict_last(void)
{
    uint64_t policy;

    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

/* ---- bulk copies [data movement: cp.async.bulk] ---- */

/*
 * Starts a copy of `bytes` from global `src` to shared `dst`; `bar` is told
 * as the bytes land. All three are multiples of 16. `policy` as above.
 */
PTX_FN void ptx_bulk_load(void *dst, const void *src, uint32_t bytes,
                          uint64_t *bar, uint64_t policy)
{
    ptx_jitter();
    asm volatile("cp.async.bulk.shared::cluster.global"
                 ".mbarrier::complete_tx::bytes.L2::cache_hint"
                 " [%0], [%1], %2, [%3], %4;" ::"r"(ptx_smem(dst)),
                 "l"(__cvta_generic_to_global(src)), "r"(bytes),
                 "r"(ptx_smem(bar)), "l"(policy)
                 : "memory");
}

/* Starts a copy of `bytes` from shared `src` to global `dst`; multiples of
 * 16. It belongs to the bulk group that the thread commits next. */
PTX_FN void ptx_bulk_store(void *dst, const void *src, uint32_t bytes,
                           uint64_t policy)
{
    ptx_jitter();
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint"
                 " [%0], [%1], %2, %3;" ::"l"(__cvta_generic_to_global(dst)),
                 "r"(ptx_smem(src)), "r"(bytes), "l"(policy)
                 : "memory");
}

/* Closes the thread's bulk group: its stores so far, since the last one. */
PTX_FN void ptx_bulk_commit(void)
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/* Waits until at most N of the thread's groups still *read* their shared
 * memory: the rest of the slots may be written again. */
template <int N> PTX_FN void ptx_bulk_wait_read(void)
{
    ptx_jitter();
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

/* Waits until at most N of the thread's groups are unfinished; their
 * writes are then visible to the thread. */
template <int N> PTX_FN void ptx_bulk_wait(void)
{
    ptx_jitter();
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
}

/* Asks the L2 for `bytes` from global `src`; multiples of 16. No thread
 * waits. */
PTX_FN void ptx_bulk_prefetch(const void *src, uint32_t bytes)
{
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(
                     __cvta_generic_to_global(src)),
                 "r"(bytes)
                 : "memory");
}

/* Shared memory written by this thread becomes visible to the TMA. */
PTX_FN void ptx_fence_async(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* ---- tiles of a matrix [cp.async.bulk.tensor] ---- */

/*
 * Starts the load of the 2-D tile whose corner is (col, row) of the matrix
 * that tensor map `map` describes (a `const __grid_constant__ CUtensorMap`
 * parameter of the kernel). What lies outside the matrix arrives as zeros;
 * the barrier counts the bytes of the whole tile all the same.
 */
PTX_FN void ptx_tile_load(void *dst, const void *map, int col, int row,
                          uint64_t *bar, uint64_t policy)
{
    ptx_jitter();
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes.L2::cache_hint"
                 " [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(ptx_smem(dst)),
                 "l"(map), "r"(col), "r"(row), "r"(ptx_smem(bar)), "l"(policy)
                 : "memory");
}

/* The way back; what lies outside the matrix is not written. Belongs to
 * the bulk group that the thread commits next. */
PTX_FN void ptx_tile_store(const void *map, int col, int row, const void *src,
                           uint64_t policy)
{
    ptx_jitter();
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"
                 ".L2::cache_hint [%0, {%1, %2}], [%3], %4;" ::"l"(map),
                 "r"(col), "r"(row), "r"(ptx_smem(src)), "l"(policy)
                 : "memory");
}

/* ---- programmatic dependent launch [griddepcontrol] ---- */

/* Once every block has said this or ended, the next kernel of the stream
 * may bring in its blocks, if it was launched with the attribute. */
PTX_FN void ptx_next_kernel_may_start(void)
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

/* Waits until the kernel before has ended and its writes are visible. */
PTX_FN void ptx_wait_for_last_kernel(void)
{
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

/* The same, when what `loaded` was made of has come. The assembler may move
 * loads behind a plain wait, but not those that this one needs. */
PTX_FN void ptx_wait_for_last_kernel_after(uint32_t loaded)
{
    asm volatile("{\n"
                 ".reg .pred any;\n"
                 "setp.ne.u32 any, %0, 0x12345678;\n"
                 "@any griddepcontrol.wait;\n"
                 "@!any griddepcontrol.wait;\n"
                 "}" ::"r"(loaded)
                 : "memory");
}

/* ---- streaming 16-byte accesses [ld, st] ---- */

/* Reads 16 bytes that no thread writes during the kernel and that are used
 * once: not kept in L1, in L2 as `policy` says. */
PTX_FN float4 ptx_load_once(const float4 *p, uint64_t policy)
{
    float4 v;

    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.f32"
                 " {%0, %1, %2, %3}, [%4], %5;"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(__cvta_generic_to_global(p)), "l"(policy));
    return v;
}

/* Writes 16 bytes that are not read soon. */
PTX_FN void ptx_store_once(float4 *p, float4 v, uint64_t policy)
{
    asm volatile(
        "st.global.L1::no_allocate.L2::cache_hint.v4.f32"
        " [%0], {%1, %2, %3, %4}, %5;" ::"l"(__cvta_generic_to_global(p)),
        "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w), "l"(policy)
        : "memory");
}

/* ---- the special function unit [floating point: ex2, rcp] ---- */

/* 2^x, to 2^-22 of itself; what would be subnormal is 0. */
PTX_FN float ptx_exp2(float x)
{
    float y;

    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* 1/x, to one unit in the last place; 0 for an x beyond 2^126. */
PTX_FN float ptx_reciprocal(float x)
{
    float y;

    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* ---- tensor cores [warp level matrix instructions] ---- */

/*
 * Loads four 8×8 matrices of 16-bit elements. Lane 8i + j names row j of
 * matrix i, 16 bytes in shared memory; lane 4g + t gets in r[i] the elements
 * 2t and 2t+1 of row g of matrix i. All 32 lanes together.
 */
PTX_FN void ptx_ldmatrix(uint32_t r[4], const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16"
                 " {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(ptx_smem(row))
                 : "memory");
}

/*
 * d += a b for a 16×16 of a and a 16×8 of b, bf16, sums in f32; all 32
 * lanes together. Lane 4g + t holds, as pairs of neighbours in k:
 *   a[0] row g,   k 2t    a[1] row g+8, k 2t    a[2] row g,   k 2t+8
 *   a[3] row g+8, k 2t+8
 *   b0   k 2t, column g   b1   k 2t+8, column g
 *   d[0], d[1] row g, columns 2t and 2t+1;  d[2], d[3] the same in row g+8
 * k is summed over, so any order of k will do that is the same for a and b.
 */
PTX_FN void ptx_mma_bf16(float d[4], const uint32_t a[4], uint32_t b0,
                         uint32_t b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9},"
                 " {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0),
                   "r"(b1));
}

#endif
