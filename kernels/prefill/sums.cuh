/*
 * kernels/prefill/sums.cuh - products of kernels/prefill/wgmma.cuh for tiles of
 * other widths, and an order to the assembler.
 */
#ifndef KERNELS_PREFILL_SUMS_CUH
#define KERNELS_PREFILL_SUMS_CUH

#include "kernels/prefill/wgmma.cuh"

#define WGMMA_8(i) WGMMA_4(i), WGMMA_4(i + 4)
#define WGMMA_TO_40 WGMMA_TO_32 ", %32, %33, %34, %35, %36, %37, %38, %39"
#define WGMMA_TO_88                                                        \
    WGMMA_TO_32 WGMMA_TO_64 ", %64, %65, %66, %67, %68, %69, %70, %71, "   \
                            "%72, %73, %74, %75, %76, %77, %78, %79, %80," \
                            " %81, %82, %83, %84, %85, %86, %87"
#define WGMMA_TO_96 WGMMA_TO_88 ", %88, %89, %90, %91, %92, %93, %94, %95"

/* wgmma_bf16() for 80, 176 and 192 columns. */
PTX_FN void wgmma_bf16(float (&d)[40], uint64_t a, uint64_t b, int keep)
{
    asm volatile(WGMMA_BF16("m64n80k16", WGMMA_TO_40, "40", "41", "42")
                 : WGMMA_32(0), WGMMA_8(32)
                 : "l"(a), "l"(b), "r"(keep));
}

PTX_FN void wgmma_bf16(float (&d)[88], uint64_t a, uint64_t b, int keep)
{
    asm volatile(WGMMA_BF16("m64n176k16", WGMMA_TO_88, "88", "89", "90")
                 : WGMMA_32(0), WGMMA_32(32), WGMMA_16(64), WGMMA_8(80)
                 : "l"(a), "l"(b), "r"(keep));
}

PTX_FN void wgmma_bf16(float (&d)[96], uint64_t a, uint64_t b, int keep)
{
    asm volatile(WGMMA_BF16("m64n192k16", WGMMA_TO_96, "96", "97", "98")
                 : WGMMA_32(0), WGMMA_32(32), WGMMA_32(64)
                 : "l"(a), "l"(b), "r"(keep));
}

PTX_FN void wgmma_landed(float (&d)[40])
{
    asm volatile("" : WGMMA_32(0), WGMMA_8(32)::"memory");
}

PTX_FN void wgmma_landed(float (&d)[88])
{
    asm volatile(""
                 : WGMMA_32(0), WGMMA_32(32), WGMMA_16(64),
                   WGMMA_8(80)::"memory");
}

PTX_FN void wgmma_landed(float (&d)[96])
{
    asm volatile("" : WGMMA_32(0), WGMMA_32(32), WGMMA_32(64)::"memory");
}

/* Starts d = A B, or d += A B if `keep`, as wgmma_bf16() does, with 64 x 16 of
 * A in registers, as wgmma_held() has it. */
PTX_FN void wgmma_kept(float (&d)[64], const uint32_t (&a)[4], uint64_t b,
                       int keep)
{
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %69, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" WGMMA_TO_32
            WGMMA_TO_64 "}, {%64, %65, %66, %67}, %68, p, 1, 1, 0;\n}"
        : WGMMA_32(0), WGMMA_32(32)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(keep));
}

/*
 * All that a and b are computed from comes before what follows. ptxas moves
 * wgmma_wait() up to where it has nothing to do with any more: without this,
 * in front of the powers that should run meanwhile. But it does not move the
 * wait over a store, and this store needs both sums. It never happens unless
 * one is NaN, and then it tells `spare`, which nobody reads.
 */
PTX_FN void wgmma_settled(float a, float b, void *spare)
{
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.nan.f32 p, %0, %1;\n"
                 "@p st.volatile.shared.f32 [%2], %0;\n"
                 "}" ::"f"(a),
                 "f"(b), "r"(ptx_smem(spare))
                 : "memory");
}

/* Reads a number that stays the same. What needs it comes behind what is said
 * before, such as that a slot is free. Otherwise ptxas leaves that for last. */
PTX_FN float read_behind(const float *shared)
{
    float v;

    asm volatile("ld.volatile.shared.f32 %0, [%1];"
                 : "=f"(v)
                 : "r"(ptx_smem(shared))
                 : "memory");
    return v;
}

/* The same value in all lanes, and the compiler knows it: what is computed from
 * it goes to uniform registers. */
PTX_FN int uniform(int v)
{
    return __shfl_sync(0xffffffffu, v, 0);
}

#endif
