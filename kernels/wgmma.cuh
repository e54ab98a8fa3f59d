/*
 * kernels/wgmma.cuh - tensor cores as Hopper wants them, and blocks in
 * clusters. Needs sm_90a. Meaning of each instruction: the PTX ISA manual,
 * chapter in [].
 *
 * A *warp group* is four warps, 128 threads, of which the first is a multiple
 * of 128. Together they start a product of a 64 x 16 piece of A and a 16 x N
 * piece of B, both in shared memory, and go on; the tensor cores work
 * meanwhile. The sums lie in registers: N/2 floats a thread.
 *
 *   wgmma_begin()      what threads wrote to the registers counts
 *   wgmma_bf16(...)    starts a product, d = A B or d += A B
 *   wgmma_commit()     closes a group of products
 *   wgmma_wait<n>()    until at most n groups are unfinished
 *
 * Between begin and wait nobody may touch d. Nor may anybody change the shared
 * memory that a product reads before it has ended.
 *
 * Where an element lies. Both operands are *K-major*: a row of A or a column of
 * B has its 64 elements along k side by side, 128 bytes. That is one row of a
 * TMA tile (tensor_map.cuh), swizzled in 16-byte chunks: the tensor cores read
 * eight rows of a chunk at once, and the swizzle spreads these over all banks.
 * The instruction knows the swizzle; its operand is a *descriptor*, which says
 * where the piece starts and how far apart groups of eight rows are.
 */
#ifndef KERNELS_WGMMA_CUH
#define KERNELS_WGMMA_CUH

#include "kernels/peer.cuh"
#include "kernels/ptx.cuh"

enum {
    WGMMA_GROUP = 128, /* threads of a warp group */
    WGMMA_HIGH = 64,   /* rows of A in a product */
    WGMMA_DEEP = 16,   /* bf16 along k in a product, 32 bytes */
};

/*
 * The descriptor of a piece that begins at row `p` of a swizzled tile, a
 * multiple of 1024 bytes. Bits 0-13: the address; 32-45: the distance of groups
 * of eight rows, 8 x 128 bytes; both in units of 16 bytes. Bits 62-63: 1 is the
 * swizzle of 128 bytes. Bits 16-29 say nothing with a swizzle.
 * [asynchronous warpgroup level matrix instructions: matrix descriptor]
 */
PTX_FN uint64_t wgmma_tile(const void *p)
{
    return (uint64_t)(ptx_smem(p) >> 4 & 0x3fff) | (uint64_t)1 << 16 |
           (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

/* The same rows, `step` products further along k. The hardware swizzles the
 * sum of addresses, so 32 bytes more are right inside a row, too. */
PTX_FN uint64_t wgmma_along(uint64_t tile, int step)
{
    return tile + (uint64_t)(step * WGMMA_DEEP * 2 >> 4);
}

/* ---- products [wgmma.mma_async, wgmma.fence, .commit_group, .wait_group] */

PTX_FN void wgmma_begin(void)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

PTX_FN void wgmma_commit(void)
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int N> PTX_FN void wgmma_wait(void)
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

#define WGMMA_4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define WGMMA_16(i) WGMMA_4(i), WGMMA_4(i + 4), WGMMA_4(i + 8), WGMMA_4(i + 12)
#define WGMMA_32(i) WGMMA_16(i), WGMMA_16(i + 16)
#define WGMMA_TO_32                                           \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, " \
    "%13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
    "%24, %25, %26, %27, %28, %29, %30, %31"
#define WGMMA_TO_64                                             \
    ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, " \
    "%43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, "   \
    "%54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define WGMMA_TO_128                                            \
    ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, " \
    "%75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "   \
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, "   \
    "%97, %98, %99, %100, %101, %102, %103, %104, %105, "       \
    "%106, %107, %108, %109, %110, %111, %112, %113, %114, "    \
    "%115, %116, %117, %118, %119, %120, %121, %122, %123, "    \
    "%124, %125, %126, %127"
/* `a`, `b`, `keep` are the numbers of these operands, behind the sums. */
#define WGMMA_BF16(shape, sums, a, b, keep)                                \
    "{\n.reg .pred p;\nsetp.ne.b32 p, %" keep ", 0;\n"                     \
    "wgmma.mma_async.sync.aligned." shape ".f32.bf16.bf16 {" sums "}, %" a \
    ", %" b ", p, 1, 1, 0, 0;\n}"

/*
 * Starts d = A B, or d += A B if `keep`, for 64 x 16 of A and 16 x N of B; N is
 * twice the length of d. Thread t of the group, lane l of warp w, has in d[r]
 *   row 16 w + l/4 + 8 (r/2 mod 2), column 8 (r/4) + 2 (l mod 4) + r mod 2.
 */
PTX_FN void wgmma_bf16(float (&d)[32], uint64_t a, uint64_t b, int keep)
{
    asm volatile(WGMMA_BF16("m64n64k16", WGMMA_TO_32, "32", "33", "34")
                 : WGMMA_32(0)
                 : "l"(a), "l"(b), "r"(keep));
}

PTX_FN void wgmma_bf16(float (&d)[64], uint64_t a, uint64_t b, int keep)
{
    asm volatile(
        WGMMA_BF16("m64n128k16", WGMMA_TO_32 WGMMA_TO_64, "64", "65", "66")
        : WGMMA_32(0), WGMMA_32(32)
        : "l"(a), "l"(b), "r"(keep));
}

PTX_FN void wgmma_bf16(float (&d)[128], uint64_t a, uint64_t b, int keep)
{
    asm volatile(WGMMA_BF16("m64n256k16", WGMMA_TO_32 WGMMA_TO_64 WGMMA_TO_128,
                            "128", "129", "130")
                 : WGMMA_32(0), WGMMA_32(32), WGMMA_32(64), WGMMA_32(96)
                 : "l"(a), "l"(b), "r"(keep));
}

/* ---- registers for those who need them [setmaxnreg] ---- */

/*
 * A kernel starts with as many registers for each thread. A warp group that
 * only moves data gives most of its own back, and then those that compute take
 * more. All warps of the group; N is a multiple of 8.
 */
template <int N> PTX_FN void wgmma_give_registers(void)
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

template <int N> PTX_FN void wgmma_take_registers(void)
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

/* ---- clusters [cluster barriers, mapa, mbarrier, multicast] ---- */

/*
 * Blocks of a cluster run at the same time on SMs of one GPC, and reach each
 * other's shared memory. The number of this block in its cluster.
 */
PTX_FN uint32_t cluster_rank(void)
{
    uint32_t rank;

    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* __syncthreads() for all threads of all blocks of the cluster. A block whose
 * shared memory another one may still reach must not end: call it last, too. */
PTX_FN void cluster_sync(void)
{
    asm volatile("barrier.cluster.arrive.release;\n"
                 "barrier.cluster.wait.acquire;" ::
                     : "memory");
}

/*
 * Arrives at the barrier of block `rank` that lies where *bar lies here. This
 * says that products have ended which read shared memory (wgmma_wait). It does
 * not make the thread's own writes visible to the other block: that would take
 * .release.cluster, and with it ptxas puts a fence over the whole GPU
 * (MEMBAR.ALL.GPU) before each arrival.
 */
PTX_FN void cluster_arrive(uint64_t *bar, uint32_t rank)
{
    ptx_jitter();
    asm volatile("{\n"
                 ".reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
                 "}" ::"r"(ptx_smem(bar)),
                 "r"(rank)
                 : "memory");
}

/* ptx_mbar_wait() for a barrier of cluster_arrive(). Nor does this make writes
 * visible: .acquire.cluster would empty the L1 (CCTL.IVALL) at each wait. */
PTX_FN void cluster_wait(uint64_t *bar, uint32_t parity)
{
    ptx_mbar_wait(bar, parity);
}

/*
 * ptx_tile_load() for all blocks whose bit is set in `blocks`. The tile lands
 * in each where `dst` lies here, and each one's barrier where *bar lies here is
 * told of its bytes.
 */
PTX_FN void cluster_tile_load(void *dst, const void *map, int col, int row,
                              uint64_t *bar, uint16_t blocks, uint64_t policy)
{
    ptx_jitter();
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes.multicast::cluster"
                 ".L2::cache_hint [%0], [%1, {%2, %3}], [%4], %5, %6;" ::"r"(
                     ptx_smem(dst)),
                 "l"(map), "r"(col), "r"(row), "r"(ptx_smem(bar)), "h"(blocks),
                 "l"(policy)
                 : "memory");
}

/* ---- word from block to block [ld.acquire, st.release] ---- */

/* Raises a flag in global memory. Who sees it also sees what this thread wrote
 * before, and what it had seen of others, such as behind a barrier. */
PTX_FN void block_tell(uint32_t *flag)
{
    ptx_jitter();
    asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(
                     __cvta_generic_to_global(flag))
                 : "memory");
}

/* Waits for the flag of another block; traps after two seconds. */
PTX_FN void block_wait(const uint32_t *flag)
{
    ptx_jitter();
    peer_spin_until([&] {
        uint32_t up;

        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                     : "=r"(up)
                     : "l"(__cvta_generic_to_global(flag))
                     : "memory");
        return up != 0;
    });
}

/* ---- copies of a thread [data movement: cp.async] ---- */

/* Starts a copy of 16 bytes from global `src` to shared `dst`, both at
 * multiples of 16. If not `inside`, nothing is read and zeros arrive. */
PTX_FN void ptx_copy_16(void *dst, const void *src, bool inside)
{
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(ptx_smem(dst)),
        "l"(__cvta_generic_to_global(src)), "r"(inside ? 16 : 0)
        : "memory");
}

/* Closes the thread's group of copies: those since the last one. */
PTX_FN void ptx_copies_commit(void)
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits until at most N of the thread's groups are unfinished. */
template <int N> PTX_FN void ptx_copies_wait(void)
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

/* ---- the way back to shared memory [stmatrix] ---- */

/*
 * Stores four 8x8 matrices of 16-bit elements: the inverse of ptx_ldmatrix().
 * Lane 8i + j names the place of row j of matrix i, 16 bytes; r[i] of lane
 * 4g + t is elements 2t and 2t+1 of row g of matrix i. All 32 lanes together.
 */
PTX_FN void ptx_stmatrix(void *row, const uint32_t r[4])
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0],"
                 " {%1, %2, %3, %4};" ::"r"(ptx_smem(row)),
                 "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
                 : "memory");
}

#endif
