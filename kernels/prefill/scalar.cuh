/*
 * kernels/prefill/scalar.cuh - tiles of 64 queries and 64 keys on CUDA cores.
 *
 * 256 threads, 16 by 16. Thread (x, y) has the scores of queries 4y ... 4y+3
 * with keys 4x ... 4x+3, and of the same queries' outputs the columns 4x ...
 * 4x+3 of each 64. Operands lie in shared memory as f32 with what is summed
 * over outside, so that four numbers of a thread are one load.
 */
#ifndef KERNELS_PREFILL_SCALAR_CUH
#define KERNELS_PREFILL_SCALAR_CUH

#include "kernels/prefill/attention.cuh"

enum {
    SIDE = 64, /* queries of a tile, and keys */
    MINE = 4,  /* of a thread in each direction */
    ACROSS = SIDE / MINE,
    THREADS = ACROSS * ACROSS,
    PITCH = SIDE + 4, /* floats from row to row in shared memory */
};

/* SIDE rows of D elements, turned: element e of row i to to[e][i]. Rows from
 * `rows` on are zeros. `next` is the distance of rows. */
template <int D>
static __device__ __forceinline__ void
place_turned(float (*to)[PITCH], const uint16_t *from, size_t next, int rows)
{
    for (int v = threadIdx.x; v < SIDE * D / WIDTH; v += THREADS) {
        const int row = v % SIDE, e = v / SIDE * WIDTH;
        uint4 x = make_uint4(0, 0, 0, 0);

        if (row < rows)
            x = *(const uint4 *)(from + row * next + e);
        const uint32_t word[4] = {x.x, x.y, x.z, x.w};

#pragma unroll
        for (int i = 0; i < 4; i++) {
            to[e + 2 * i][row] = bf16_first(word[i]);
            to[e + 2 * i + 1][row] = bf16_second(word[i]);
        }
    }
}

/* SIDE rows of D elements as they lie. */
template <int D>
static __device__ __forceinline__ void
place(float (*to)[D], const uint16_t *from, size_t next, int rows)
{
    for (int v = threadIdx.x; v < SIDE * D / WIDTH; v += THREADS) {
        const int row = v / (D / WIDTH), e = v % (D / WIDTH) * WIDTH;
        uint4 x = make_uint4(0, 0, 0, 0);

        if (row < rows)
            x = *(const uint4 *)(from + row * next + e);
        *(float4 *)&to[row][e] = make_float4(bf16_first(x.x), bf16_second(x.x),
                                             bf16_first(x.y), bf16_second(x.y));
        *(float4 *)&to[row][e + 4] =
            make_float4(bf16_first(x.z), bf16_second(x.z), bf16_first(x.w),
                        bf16_second(x.w));
    }
}

/* The thread's 4 x 4 products of queries and keys, both turned. */
template <int D>
static __device__ __forceinline__ void
scores(float (&s)[MINE][MINE], const float (*q)[PITCH], const float (*k)[PITCH])
{
    const int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS;

#pragma unroll
    for (int r = 0; r < MINE; r++)
#pragma unroll
        for (int c = 0; c < MINE; c++)
            s[r][c] = 0;
#pragma unroll 8
    for (int e = 0; e < D; e++) {
        const float4 u = *(const float4 *)&q[e][y * MINE];
        const float4 w = *(const float4 *)&k[e][x * MINE];
        const float a[MINE] = {u.x, u.y, u.z, u.w};
        const float b[MINE] = {w.x, w.y, w.z, w.w};

#pragma unroll
        for (int r = 0; r < MINE; r++)
#pragma unroll
            for (int c = 0; c < MINE; c++)
                s[r][c] += a[r] * b[c];
    }
}

/* Adds weights times values: `p` are weights of 64 keys, turned. */
template <int D>
static __device__ __forceinline__ void add_values(float (&o)[MINE][D / ACROSS],
                                                  const float (*p)[PITCH],
                                                  const float (*v)[D])
{
    const int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS;

#pragma unroll 4
    for (int j = 0; j < SIDE; j++) {
        const float4 u = *(const float4 *)&p[j][y * MINE];
        const float a[MINE] = {u.x, u.y, u.z, u.w};

#pragma unroll
        for (int c = 0; c < D / SIDE; c++) {
            const float4 w = *(const float4 *)&v[j][c * SIDE + x * MINE];
            const float b[MINE] = {w.x, w.y, w.z, w.w};

#pragma unroll
            for (int r = 0; r < MINE; r++)
#pragma unroll
                for (int i = 0; i < MINE; i++)
                    o[r][c * MINE + i] += a[r] * b[i];
        }
    }
}

/* The thread's outputs, each row times by[r], to head h from query `top` on. */
template <int D>
static __device__ __forceinline__ void
put_scalar(const attention &a, int top, int h,
           const float (&o)[MINE][D / ACROSS], const float (&by)[MINE])
{
    const int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS;

#pragma unroll
    for (int r = 0; r < MINE; r++) {
        const int row = top + y * MINE + r;

        if (row >= a.l)
            continue;
#pragma unroll
        for (int c = 0; c < D / SIDE; c++) {
            const float *const from = &o[r][c * MINE];

            *(uint2 *)(a.o + row_of<D>(a, row, h) + c * SIDE + x * MINE) =
                make_uint2(bf16_pair(from[0] * by[r], from[1] * by[r]),
                           bf16_pair(from[2] * by[r], from[3] * by[r]));
        }
    }
}

#endif
