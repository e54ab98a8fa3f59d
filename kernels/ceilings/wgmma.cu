/*
 * ceilings/wgmma - wgmma on operands in shared memory.
 *
 * A warp group of 128 threads multiplies a 64 x (32 bytes) tile of A with a (32
 * bytes) x 128 tile of B, both in shared memory, into 64 registers each. One
 * instruction takes 64 cycles and 6 KB of shared memory, three quarters of what
 * that delivers; several warp groups share an SM, so that the tensor cores
 * never wait for the issue of the next one.
 *
 * All warp groups of an SM begin and end a tile together, so the tensor cores
 * idle while the groups load and store. In the first form of this kernel that
 * was much of the time: it had eight times as many tiles with an eighth of the
 * products each, and loaded and converted their elements one after the other. A
 * matrix product of the library, counted in cycles, came closer to the bound
 * than this roof did. Now a warp group has one tile, and its loads are in
 * flight together.
 *
 * Shared memory holds an operand as *core matrices* of 8 rows x 16 bytes, each
 * 128 bytes in a row: two beside each other for the depth, then the next 8
 * rows. The descriptor says where the first is and how far apart neighbours
 * are in either direction (the PTX manual, "Asynchronous Warpgroup Level
 * Matrix Multiply": no swizzling, K-major).
 */
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "kernels/ceilings/wgmma.h"
#include "kernels/ptx.cuh"

enum {
    THREADS = 128,
    SUMS = WGMMA_ROWS * WGMMA_COLS / THREADS, /* per thread */
    CORE = 128,                               /* bytes of a core matrix */
    PER_SM = 4,
    AHEAD = WGMMA_BATCH, /* instructions between two waits */
};

#define FOUR(c, i) c(d[i]), c(d[i + 1]), c(d[i + 2]), c(d[i + 3])
#define SIXTEEN(c, i) \
    FOUR(c, i), FOUR(c, i + 4), FOUR(c, i + 8), FOUR(c, i + 12)
#define ALL(c) SIXTEEN(c, 0), SIXTEEN(c, 16), SIXTEEN(c, 32), SIXTEEN(c, 48)
#define REGISTERS                                                  \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "          \
    "%12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
    "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, " \
    "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, " \
    "%60, %61, %62, %63}"
/* d = A B, or += if `add`; `tail`: the operands of the format behind the
   predicate.
    */
#define WGMMA(format, tail, c, a, b, add)                                \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"            \
                 "wgmma.mma_async.sync.aligned.m64n128" format REGISTERS \
                 ", %64, %65, p" tail ";\n}"                             \
                 : ALL(c)                                                \
                 : "l"(a), "l"(b), "r"(add))

/* --- the input formats: how a bf16 becomes one, and its instruction --- */

static __device__ float value(uint16_t bf16)
{
    return __uint_as_float((uint32_t)bf16 << 16);
}

struct bf16 {
    static const int keep = 1; /* 0: a batch starts a new sum */
    using element = uint16_t;
    using sum = float;
    static __device__ element make(uint16_t x)
    {
        return x;
    }
    static __device__ void multiply(float (&d)[SUMS], uint64_t a, uint64_t b,
                                    int add)
    {
        WGMMA("k16.f32.bf16.bf16 ", ", 1, 1, 0, 0", "+f", a, b, add);
    }
};

struct fp16 {
    static const int keep = 1;
    using element = __half;
    using sum = float;
    static __device__ element make(uint16_t x)
    {
        return __float2half(value(x));
    }
    static __device__ void multiply(float (&d)[SUMS], uint64_t a, uint64_t b,
                                    int add)
    {
        WGMMA("k16.f32.f16.f16 ", ", 1, 1, 0, 0", "+f", a, b, add);
    }
};

struct tf32 {
    static const int keep = 1;
    using element = float;
    using sum = float;
    static __device__ element make(uint16_t x)
    {
        return value(x);
    }
    static __device__ void multiply(float (&d)[SUMS], uint64_t a, uint64_t b,
                                    int add)
    {
        WGMMA("k8.f32.tf32.tf32 ", ", 1, 1", "+f", a, b, add);
    }
};

struct fp8 {
    static const int keep = 0; /* a long sum swallows what is added */
    using element = __nv_fp8_e4m3;
    using sum = float;
    static __device__ element make(uint16_t x)
    {
        return __nv_fp8_e4m3(floorf(value(x) * WGMMA_FP8_STEPS) /
                             WGMMA_FP8_STEPS);
    }
    static __device__ void multiply(float (&d)[SUMS], uint64_t a, uint64_t b,
                                    int add)
    {
        WGMMA("k32.f32.e4m3.e4m3 ", ", 1, 1", "+f", a, b, add);
    }
};

struct int8 {
    static const int keep = 1;
    using element = int8_t;
    using sum = int;
    static __device__ element make(uint16_t x)
    {
        return (int8_t)(value(x) * WGMMA_INT8_STEPS);
    }
    static __device__ void multiply(int (&d)[SUMS], uint64_t a, uint64_t b,
                                    int add)
    {
        WGMMA("k32.s32.s8.s8 ", "", "+r", a, b, add);
    }
};

static __device__ float scaled(float sum)
{
    return sum;
}

static __device__ float scaled(int sum)
{
    return (float)sum * (1.0f / (WGMMA_INT8_STEPS * WGMMA_INT8_STEPS));
}

/* --- operands --- */

/* ROWS rows of 32 bytes, converted, as core matrices. */
template <class FORMAT, int ROWS>
static __device__ void place(char *shared, const uint16_t *x)
{
    using element = typename FORMAT::element;
    constexpr int depth = WGMMA_BYTES / (int)sizeof(element);

    static_assert(ROWS * depth % THREADS == 0);
#pragma unroll 16
    for (int k = 0; k < ROWS * depth / THREADS; k++) {
        const int i = threadIdx.x + k * THREADS;
        const int row = i / depth, byte = i % depth * (int)sizeof(element);
        const int at =
            row / 8 * 2 * CORE + byte / 16 * CORE + row % 8 * 16 + byte % 16;
        *(element *)(shared + at) = FORMAT::make(x[i]);
    }
}

/* Neighbours in depth are a core matrix apart, those in rows two. */
static __device__ uint64_t descriptor(const char *shared)
{
    return (uint64_t)(ptx_smem(shared) >> 4 & 0x3fff) |
           (uint64_t)(CORE >> 4) << 16 | (uint64_t)(2 * CORE >> 4) << 32;
}

template <class SUM>
static __device__ void store(float *D, const SUM (&d)[SUMS])
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    for (int r = 0; r < SUMS; r++) {
        const int row = warp * 16 + lane / 4 + r / 2 % 2 * 8;
        D[row * WGMMA_COLS + r / 4 * 8 + lane % 4 * 2 + r % 2] = scaled(d[r]);
    }
}

/*
 * N instructions one behind the other; other warp groups fill the wait. The
 * compiler must not know `keep`, or it would drop sums that the next batch
 * discards.
 */
template <class FORMAT, int N>
static __device__ void batch(typename FORMAT::sum (&d)[SUMS], uint64_t a,
                             uint64_t b, int keep)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int i = 0; i < N; i++)
        FORMAT::multiply(d, a, b, i > 0 ? 1 : keep);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

template <class FORMAT>
static __global__ void __launch_bounds__(THREADS, PER_SM)
    multiply(float *D, const uint16_t *A, const uint16_t *B, int k, int keep)
{
    __shared__ __align__(CORE) char a[WGMMA_ROWS * WGMMA_BYTES],
        b[WGMMA_COLS * WGMMA_BYTES];
    const size_t depth = WGMMA_BYTES / sizeof(typename FORMAT::element);
    typename FORMAT::sum d[SUMS] = {};

    place<FORMAT, WGMMA_ROWS>(a, A + blockIdx.x * WGMMA_ROWS * depth);
    place<FORMAT, WGMMA_COLS>(b, B + blockIdx.x * WGMMA_COLS * depth);
    ptx_fence_async();
    __syncthreads();
    const uint64_t da = descriptor(a), db = descriptor(b);
    // ANCHOR: inner
    int i = 0;
    for (; i + AHEAD <= k; i += AHEAD)
        batch<FORMAT, AHEAD>(d, da, db, keep);
    for (; i < k; i++)
        batch<FORMAT, 1>(d, da, db, keep);
    // ANCHOR_END: inner
    store(D + (size_t)blockIdx.x * WGMMA_ROWS * WGMMA_COLS, d);
}

template <class FORMAT>
static int launch(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf)
{
    multiply<FORMAT><<<(unsigned)kernel_num(c, "tiles"), THREADS, 0,
                       (cudaStream_t)env->stream>>>(
        (float *)buf[0], (const uint16_t *)buf[1], (const uint16_t *)buf[2],
        (int)kernel_num(c, "k"), FORMAT::keep);
    return cudaGetLastError();
}

extern "C" int ceiling_tensor_wgmma(const struct kernel_case *c,
                                    const struct kernel_env *env,
                                    void *const *buf, void *)
{
    switch (wgmma_unit_of(c)) {
    case WGMMA_BF16:
        return launch<bf16>(c, env, buf);
    case WGMMA_FP16:
        return launch<fp16>(c, env, buf);
    case WGMMA_TF32:
        return launch<tf32>(c, env, buf);
    case WGMMA_FP8:
        return launch<fp8>(c, env, buf);
    case WGMMA_INT8:
        return launch<int8>(c, env, buf);
    }
    return cudaErrorInvalidValue;
}
