/*
 * kernels/splitk/ptx.cuh - instructions that kernels/ptx.cuh and
 * kernels/wgmma.cuh lack: products with few columns, and sums that several
 * blocks share.
 */
#ifndef KERNELS_SPLITK_PTX_CUH
#define KERNELS_SPLITK_PTX_CUH

#include "kernels/wgmma.cuh"

#define WGMMA_8(i) WGMMA_4(i), WGMMA_4(i + 4)

/* wgmma_bf16() with 8, 16 or 32 columns: a thread has 4, 8 or 16 sums. */
PTX_FN void wgmma_bf16(float (&d)[4], uint64_t a, uint64_t b, int keep)
{
    asm volatile(WGMMA_BF16("m64n8k16", "%0, %1, %2, %3", "4", "5", "6")
                 : WGMMA_4(0)
                 : "l"(a), "l"(b), "r"(keep));
}

PTX_FN void wgmma_bf16(float (&d)[8], uint64_t a, uint64_t b, int keep)
{
    asm volatile(WGMMA_BF16("m64n16k16", "%0, %1, %2, %3, %4, %5, %6, %7", "8",
                            "9", "10")
                 : WGMMA_8(0)
                 : "l"(a), "l"(b), "r"(keep));
}

PTX_FN void wgmma_bf16(float (&d)[16], uint64_t a, uint64_t b, int keep)
{
    asm volatile(WGMMA_BF16("m64n32k16",
                            "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "
                            "%12, %13, %14, %15",
                            "16", "17", "18")
                 : WGMMA_16(0)
                 : "l"(a), "l"(b), "r"(keep));
}

/* ---- sums in global memory [red.add, atom.add] ---- */

/* Adds two neighbours to memory. The L2 does it, and nothing comes back. */
PTX_FN void part_add(float2 *to, float first, float second)
{
    asm volatile("red.relaxed.gpu.global.add.v2.f32 [%0], {%1, %2};" ::"l"(
                     __cvta_generic_to_global(to)),
                 "f"(first), "f"(second)
                 : "memory");
}

/* Counts this block, and returns how many were counted before. Who counts sees
 * what those counted before had written, and what they had seen of others, such
 * as behind a barrier. */
PTX_FN uint32_t part_arrive(uint32_t *count)
{
    uint32_t before;

    ptx_jitter();
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;"
                 : "=r"(before)
                 : "l"(__cvta_generic_to_global(count))
                 : "memory");
    return before;
}

/* ---- shared memory of another block [mapa, ld.shared::cluster] ---- */

/* The 16 bytes that lie in block `rank` of the cluster where *p lies here. They
 * are there if a cluster_sync() lies between. */
PTX_FN float4 cluster_load(const float4 *p, uint32_t rank)
{
    float4 v;

    asm volatile("{\n"
                 ".reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %4, %5;\n"
                 "ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [there];\n"
                 "}"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"(ptx_smem(p)), "r"(rank)
                 : "memory");
    return v;
}

#endif
