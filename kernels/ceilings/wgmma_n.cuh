/*
 * kernels/ceilings/wgmma_n.cuh - wgmma of many widths, with A in shared memory
 * or in registers.
 *
 * A format is a struct with functions multiply(d, a, b, keep), one for each
 * width: it starts d = A B, or d += A B if `keep`, for 64 rows of A and N
 * columns of B, 32 bytes along k. N is twice the length of d. kernels/wgmma.cuh
 * says where the sums lie.
 *
 * Both operands are K-major. `b` is a descriptor of kernels/wgmma.cuh, and so
 * is `a`, or it is four registers: lane 4g + t of warp w holds 4 bytes each,
 *   a[0] row 16w + g, byte 4t         a[1] row 16w + g + 8, byte 4t
 *   a[2] row 16w + g, byte 4t + 16    a[3] row 16w + g + 8, byte 4t + 16
 * Nobody may touch them before wgmma_wait().
 */
#ifndef KERNELS_CEILINGS_WGMMA_N_CUH
#define KERNELS_CEILINGS_WGMMA_N_CUH

#include "kernels/wgmma.cuh"

#define WGMMA_N_TO_4 "%0, %1, %2, %3"
#define WGMMA_N_TO_8 WGMMA_N_TO_4 ", %4, %5, %6, %7"
#define WGMMA_N_TO_16 WGMMA_N_TO_8 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define WGMMA_N_TO_96                                               \
    WGMMA_TO_32 WGMMA_TO_64                                         \
        ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, " \
        "%75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "   \
        "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95"

#define WGMMA_N_START(shape, sums, keep)               \
    "{\n.reg .pred p;\nsetp.ne.b32 p, %" keep ", 0;\n" \
    "wgmma.mma_async.sync.aligned.m64" shape " {" sums "}, "

/*
 * Both functions of a width. n0 to n5 are the numbers of the operands behind
 * the sums: a, b and keep, or four of a, b and keep. `of_two` and `of_b` are
 * the operands of the format behind the predicate, which say that nothing is
 * turned: for a and b, or for b alone.
 */
#define WGMMA_N(count, shape, of_two, of_b, sums, n0, n1, n2, n3, n4, n5, ...) \
    PTX_FN void multiply(float(&d)[count], uint64_t a, uint64_t b, int keep)   \
    {                                                                          \
        asm volatile(WGMMA_N_START(shape, sums, n2) "%" n0 ", %" n1            \
                                                    ", p, 1, 1" of_two ";\n}"  \
                     : __VA_ARGS__                                             \
                     : "l"(a), "l"(b), "r"(keep));                             \
    }                                                                          \
    PTX_FN void multiply(float(&d)[count], const uint32_t(&a)[4], uint64_t b,  \
                         int keep)                                             \
    {                                                                          \
        asm volatile(                                                          \
            WGMMA_N_START(shape, sums, n5) "{%" n0 ", %" n1 ", %" n2 ", %" n3  \
                                           "}, %" n4 ", p, 1, 1" of_b ";\n}"   \
            : __VA_ARGS__                                                      \
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(keep));  \
    }

/* All widths; `format` is the shape behind the width, and the types. */
#define WGMMA_N_ALL(format, of_two, of_b)                                      \
    WGMMA_N(4, "n8" format, of_two, of_b, WGMMA_N_TO_4, "4", "5", "6", "7",    \
            "8", "9", WGMMA_4(0))                                              \
    WGMMA_N(8, "n16" format, of_two, of_b, WGMMA_N_TO_8, "8", "9", "10", "11", \
            "12", "13", WGMMA_4(0), WGMMA_4(4))                                \
    WGMMA_N(16, "n32" format, of_two, of_b, WGMMA_N_TO_16, "16", "17", "18",   \
            "19", "20", "21", WGMMA_16(0))                                     \
    WGMMA_N(32, "n64" format, of_two, of_b, WGMMA_TO_32, "32", "33", "34",     \
            "35", "36", "37", WGMMA_32(0))                                     \
    WGMMA_N(64, "n128" format, of_two, of_b, WGMMA_TO_32 WGMMA_TO_64, "64",    \
            "65", "66", "67", "68", "69", WGMMA_32(0), WGMMA_32(32))           \
    WGMMA_N(96, "n192" format, of_two, of_b, WGMMA_N_TO_96, "96", "97", "98",  \
            "99", "100", "101", WGMMA_32(0), WGMMA_32(32), WGMMA_32(64))       \
    WGMMA_N(128, "n256" format, of_two, of_b,                                  \
            WGMMA_TO_32 WGMMA_TO_64 WGMMA_TO_128, "128", "129", "130", "131",  \
            "132", "133", WGMMA_32(0), WGMMA_32(32), WGMMA_32(64),             \
            WGMMA_32(96))

struct wgmma_n_bf16 {
    WGMMA_N_ALL("k16.f32.bf16.bf16", ", 0, 0", ", 0")
};

struct wgmma_n_e4m3 {
    WGMMA_N_ALL("k32.f32.e4m3.e4m3", "", "")
};

#endif
