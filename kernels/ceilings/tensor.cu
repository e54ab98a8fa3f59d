/*
 * ceilings/tensor - mma.sync on operands in registers.
 *
 * A warp holds the operands and the sums of four tiles: the tensor core of its
 * quarter always has an instruction whose sum is not in flight. Which lane
 * holds which element is in the PTX manual, "Matrix Fragments for mma.m16n8k16"
 * and ".m16n8k8 with .tf32": with group = lane / 4 and pair = lane % 4, rows
 * are group and group + 8, columns of D are 2 pair and 2 pair + 1.
 */
#include "kernels/kernel.h"
#include "kernels/warp.h"

enum { ROWS = 16, COLS = 8, DEPTH = 16, TILES = 4, WARPS = 8 };

/* Two bf16 side by side in memory, as two fp16; inputs are exact in both. */
static __device__ uint32_t as_fp16(uint32_t two)
{
    const float first = __uint_as_float(two << 16);
    const float second = __uint_as_float(two & 0xffff0000);
    uint32_t word;

    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
    return word;
}

/* 16-bit inputs: four registers of A, two of B, one instruction. */
template <bool FP16> struct half_tile {
    uint32_t a[4], b[2];

    __device__ void load(const uint16_t *A, const uint16_t *B, int group,
                         int pair)
    {
        for (int r = 0; r < 4; r++) {
            const int row = group + r % 2 * 8, k = pair * 2 + r / 2 * 8;
            a[r] = *(const uint32_t *)(A + row * DEPTH + k);
            a[r] = FP16 ? as_fp16(a[r]) : a[r];
        }
        for (int r = 0; r < 2; r++) {
            b[r] = *(const uint32_t *)(B + group * DEPTH + pair * 2 + r * 8);
            b[r] = FP16 ? as_fp16(b[r]) : b[r];
        }
    }

    __device__ void multiply(float (&d)[4]) const
    {
        if (FP16)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                         "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                         : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]),
                           "r"(b[0]), "r"(b[1]));
        else
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                         "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                         : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]),
                           "r"(b[0]), "r"(b[1]));
    }
};

/* tf32 has half the depth: two instructions a tile. A bf16 is a tf32. */
struct tf32_tile {
    uint32_t a[2][4], b[2][2];

    __device__ void load(const uint16_t *A, const uint16_t *B, int group,
                         int pair)
    {
        for (int h = 0; h < 2; h++) {
            for (int r = 0; r < 4; r++)
                a[h][r] = (uint32_t)A[(group + r % 2 * 8) * DEPTH + h * 8 +
                                      pair + r / 2 * 4]
                          << 16;
            for (int r = 0; r < 2; r++)
                b[h][r] = (uint32_t)B[group * DEPTH + h * 8 + pair + r * 4]
                          << 16;
        }
    }

    __device__ void multiply(float (&d)[4]) const
    {
        for (int h = 0; h < 2; h++)
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                         "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                         : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                         : "r"(a[h][0]), "r"(a[h][1]), "r"(a[h][2]),
                           "r"(a[h][3]), "r"(b[h][0]), "r"(b[h][1]));
    }
};

static __device__ void store(float *D, const float (&d)[4], int group, int pair)
{
    for (int r = 0; r < 4; r++)
        D[(group + r / 2 * 8) * COLS + pair * 2 + r % 2] = d[r];
}

/* A tile behind the last is computed as the last, and not stored. */
template <class TILE>
static __global__ void __launch_bounds__(WARPS *WARP)
    multiply(float *D, const uint16_t *A, const uint16_t *B, size_t tiles,
             int k)
{
    const int lane = threadIdx.x % WARP, group = lane / 4, pair = lane % 4;
    const size_t warp = (size_t)blockIdx.x * WARPS + threadIdx.x / WARP;
    const size_t first = warp * TILES;
    TILE tile[TILES];
    float d[TILES][4] = {};

    for (int t = 0; t < TILES; t++) {
        const size_t at = first + t < tiles ? first + t : tiles - 1;
        tile[t].load(A + at * ROWS * DEPTH, B + at * COLS * DEPTH, group, pair);
    }
    // ANCHOR: inner
    for (int i = 0; i < k; i++)
        for (int t = 0; t < TILES; t++)
            tile[t].multiply(d[t]);
    // ANCHOR_END: inner
    for (int t = 0; t < TILES; t++)
        if (first + t < tiles)
            store(D + (first + t) * ROWS * COLS, d[t], group, pair);
}

extern "C" int ceiling_tensor_mma(const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void *)
{
    const size_t tiles = (size_t)kernel_num(c, "tiles");
    const size_t each = TILES * WARPS;
    const unsigned blocks = (unsigned)((tiles + each - 1) / each);
    const cudaStream_t s = (cudaStream_t)env->stream;
    const int k = (int)kernel_num(c, "k");
    const char unit = kernel_word(c, "unit")[0];
    float *d = (float *)buf[0];
    const uint16_t *a = (const uint16_t *)buf[1];
    const uint16_t *b = (const uint16_t *)buf[2];

    if (unit == 'b')
        multiply<half_tile<false>>
            <<<blocks, WARPS * WARP, 0, s>>>(d, a, b, tiles, k);
    else if (unit == 'f')
        multiply<half_tile<true>>
            <<<blocks, WARPS * WARP, 0, s>>>(d, a, b, tiles, k);
    else
        multiply<tf32_tile><<<blocks, WARPS * WARP, 0, s>>>(d, a, b, tiles, k);
    return cudaGetLastError();
}
