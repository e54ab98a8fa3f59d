/*
 * kernels/allnorm/rows.cuh - what the steps share: where the rows of all GPUs
 * lie, and the norm of a row that a block holds in registers.
 *
 * Blocks meet as those of kernels/allreduce/peers.cuh do. A block has the same
 * rows on every GPU, and no grid has more blocks than there are SMs: blocks
 * that wait for each other must run at the same time.
 */
#ifndef KERNELS_ALLNORM_ROWS_CUH
#define KERNELS_ALLNORM_ROWS_CUH

#include "kernels/allnorm/allnorm.h"
#include "kernels/allreduce/peers.cuh"
#include "kernels/rows.cuh"

enum {
    DEEP = ALLNORM_MOST / VECTOR / THREADS, /* vectors of a thread, of a row */
    WARPS = THREADS / WARP,
    MOST_BLOCKS = 128,
};

/* All rows, as GPU `rank` sees them. Vectors of `p` are the matrices: x, h. */
struct rows {
    peers p;
    uint16_t *y[ALLREDUCE_MOST];
    const uint16_t *r, *w; /* this GPU's */
    int tokens, hidden;
};

/* ---- a row in vectors: thread t has vectors t, t + THREADS, ... ---- */

PTX_FN int vectors_of(const rows &s)
{
    return s.hidden / VECTOR;
}

/* Vector i of a row of a matrix. */
template <typename T> PTX_FN T *at(T *matrix, const rows &s, int row, int i)
{
    return matrix + (size_t)row * s.hidden + i * VECTOR;
}

/* The thread's k-th vector of a row, and whether it lies in the row. */
PTX_FN int mine(int k)
{
    return (int)threadIdx.x + k * THREADS;
}

PTX_FN bool is_mine(const rows &s, int k)
{
    return mine(k) < vectors_of(s);
}

/* f(k, i) for each of these: i is mine(k). */
template <typename F> PTX_FN void for_mine(const rows &s, F f)
{
#pragma unroll
    for (int k = 0; k < DEEP; k++)
        if (is_mine(s, k))
            f(k, mine(k));
}

PTX_FN uint4 load(const uint16_t *from)
{
    return *(const uint4 *)from;
}

PTX_FN void store(uint16_t *to, uint4 v)
{
    *(uint4 *)to = v;
}

/* The thread's vectors of a row. */
PTX_FN void take(const rows &s, const uint16_t *row, uint4 *v)
{
    for_mine(s, [&](int k, int i) { v[k] = load(row + i * VECTOR); });
}

/* The new residual: x of all GPUs, in their order, and r. The rounded numbers
 * are in v, too. */
template <int GPUS> PTX_FN uint4 add_to(uint4 r, const uint4 *x, float *v)
{
    float old[VECTOR];

    for (int i = 0; i < VECTOR; i++)
        v[i] = 0;
#pragma unroll
    for (int h = 0; h < GPUS; h++) {
        add_pair(v, x[h].x);
        add_pair(v + 2, x[h].y);
        add_pair(v + 4, x[h].z);
        add_pair(v + 6, x[h].w);
    }
    rows_unpack<uint16_t>(r, old);
    for (int i = 0; i < VECTOR; i++)
        v[i] += old[i];
    r = rows_pack<uint16_t>(v);
    rows_unpack<uint16_t>(r, v);
    return r;
}

/* ---- the norm ---- */

/* The factor of a row, in every thread; `squares` are of the thread's own. Two
 * rows in a row have another `turn`, 0 and 1, so one barrier for each is
 * enough: who adds up the places of one has left those of the other. */
PTX_FN float factor_of(const rows &s, float squares, int turn)
{
    __shared__ float part[2][WARPS];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    for (int step = WARP / 2; step > 0; step /= 2)
        squares += __shfl_xor_sync(0xffffffff, squares, step);
    if (lane == 0)
        part[turn][warp] = squares;
    __syncthreads();
    squares = part[turn][lane % WARPS];
    for (int step = WARPS / 2; step > 0; step /= 2)
        squares += __shfl_xor_sync(0xffffffff, squares, step);
    return rsqrtf(fmaf(squares, 1.0f / s.hidden, ALLNORM_EPS));
}

template <int N> PTX_FN float squares_of(const float *v)
{
    float squares = 0;

#pragma unroll
    for (int i = 0; i < N; i++)
        squares = fmaf(v[i], v[i], squares);
    return squares;
}

/* Eight numbers of y. */
PTX_FN uint4 scale(const float *v, float factor, uint4 w)
{
    float gain[VECTOR];

    rows_unpack<uint16_t>(w, gain);
    for (int i = 0; i < VECTOR; i++)
        gain[i] *= v[i] * factor;
    return rows_pack<uint16_t>(gain);
}

/* ---- the host's side ---- */

static inline rows rows_of(const struct kernel_case *c, void *const *buf,
                           int rank)
{
    rows s = {};

    for (int h = 0; h < kernel_gpus(c); h++) {
        void *const *const of = kernel_of_gpu(buf, h);

        s.p.x[h] = (const uint16_t *)of[ALLNORM_X];
        s.p.sum[h] = (uint16_t *)of[ALLNORM_H];
        s.p.scratch[h] = (char *)of[ALLNORM_SCRATCH];
        s.y[h] = (uint16_t *)of[ALLNORM_Y];
    }
    s.p.n = allnorm_count(c);
    s.p.rank = rank;
    s.r = (const uint16_t *)kernel_of_gpu(buf, rank)[ALLNORM_R];
    s.w = (const uint16_t *)kernel_of_gpu(buf, rank)[ALLNORM_W];
    s.tokens = allnorm_tokens(c);
    s.hidden = allnorm_hidden(c);
    return s;
}

/* Calls start(rows, stream) with the device of each GPU selected, until it
 * fails. */
template <typename START>
static int on_each(const struct kernel_case *c, const struct kernel_env *env,
                   void *const *buf, START start)
{
    int rc = 0;

    for (int g = 0; g < env->gpus && !rc; g++) {
        rc = cudaSetDevice(g);
        if (!rc)
            rc = start(rows_of(c, buf, g), (cudaStream_t)env->streams[g]);
    }
    return rc;
}

/* Loads kernels on all GPUs: one that waits for another GPU must not keep
 * that one from its kernels. */
template <typename... KERNELS>
static int load_all(const struct kernel_env *env, KERNELS... kernels)
{
    cudaFuncAttributes found;
    int rc = 0;

    for (int g = 0; g < env->gpus && !rc; g++) {
        rc = cudaSetDevice(g);
        (void)((rc = rc ? rc : cudaFuncGetAttributes(&found, kernels)) || ...);
    }
    return rc;
}

#endif
