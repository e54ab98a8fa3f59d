/*
 * gemv/resident - the tokens stay in shared memory, and weights come in long
 * pieces.
 *
 * y[m][n] = Σ_k x[m][k] W[n][k], m ≤ 8, k ≤ 4096.
 *
 * gemv/tokens asks for 128 bytes of each of 16 rows, and for half as many bytes
 * of x, again in every block. So copy the tokens to shared memory once for an
 * SM, where they stay, and let the TMA fetch 2 KB of each of eight rows at a
 * time. One block for each SM goes on from rows to rows, so that memory never
 * waits for a block to start.
 *
 * The tokens are the 16×16 operand of mma.m16n8k16, of which they fill one
 * half, and eight rows of W the 16×8 one. A sum over k may be taken in any
 * order, if both operands have the same: lane 4g + t takes 16 bytes of row g
 * of W and the same 16 bytes of token g, and calls them elements 2t, 2t + 1,
 * 2t + 8, 2t + 9 of two instructions. No shuffle, no ldmatrix, no swizzle:
 * rows that begin 64 bytes after a multiple of 128 meet no bank twice.
 *
 * Two things that trials taught:
 * - Blocks take rows by ticket, in address order. With fixed shares, blocks
 * drift apart, the addresses that are read at a time lie further and further
 * apart, and the longest layer loses most. - A warp that no other warp waits
 * for writes the outputs, DEALT rows at a time, as whole sectors of 32 bytes.
 *
 * Roles: WARPS warps multiply and share a piece; one requests weights; one adds
 * up the partial sums of a row, and writes. Every lane arrives for itself: as
 * fast in a trial as one that arrives for its warp, and racecheck follows it.
 *
 * Predicts, after trials: level with cuBLAS on the layers with most rows,
 * where that was ahead of gemv/tokens; behind gemv/tokens on the small ones,
 * which end before a ring and tickets pay.
 */
#include "kernels/gemv/linear.cuh"
#include "kernels/knob.cuh"

enum {
    ROWS = 8,        /* of W at a time, and in the instruction */
    DEALT = 16,      /* rows for a ticket */
    TOKENS = 8,      /* half of the rows of the instruction */
    PIECE = 1024,    /* elements of a row in a slot of the ring */
    SLOTS = KNOB(6), /* of the ring */
    APART = 32,      /* elements between rows in shared memory */
    WARPS = 8,       /* that multiply */
    LONGEST = 4096,  /* k: what the tokens have room for */
    PITCH = PIECE + APART,
    X_PITCH = LONGEST + APART,
    RING = SLOTS * ROWS * PITCH,            /* elements; x comes next */
    SHARED = (RING + TOKENS * X_PITCH) * 2, /* bytes */
};

/* Counters in scratch memory, zero before and after each launch. */
struct tickets {
    unsigned drawn, ended;
};

/* Sums of the multiplying warps on their way to y; ROWS rows in each half. */
struct sums {
    float of[DEALT / ROWS][WARPS][TOKENS][ROWS];
    int row; /* the first of DEALT; n: there are no more */
    uint64_t full, empty;
};

struct ring {
    uint16_t *slots;
    uint64_t *full, *empty;
    int *row; /* the first of the rows in a slot */
};

/* Asks for rows, as slots come free; after the last there is a row n. */
static __device__ void fetch(ring r, linear l, tickets *t)
{
    uint64_t once = ptx_evict_first();
    int lane = threadIdx.x % WARP, i = 0, next = 0;

    for (int row = blockIdx.x * DEALT; row < l.n; row = next) {
        if (lane == 0) /* the answer is wanted DEALT rows later */
            next = (gridDim.x + atomicAdd(&t->drawn, 1)) * DEALT;
        for (int at = row; at < row + DEALT; at += ROWS) {
            int count = max(0, min(ROWS, l.n - at));

            for (int k = 0; k < l.k; k += PIECE, i++) {
                int s = i % SLOTS, bytes = min(PIECE, l.k - k) * 2;

                ptx_mbar_wait(&r.empty[s], (i / SLOTS & 1) ^ 1);
                if (lane == 0) {
                    r.row[s] = row;
                    ptx_mbar_expect(&r.full[s], count * bytes);
                }
                __syncwarp();
                if (lane < count)
                    ptx_bulk_load(r.slots + (s * ROWS + lane) * PITCH,
                                  l.w + (size_t)(at + lane) * l.k + k, bytes,
                                  &r.full[s], once);
            }
        }
        next = __shfl_sync(0xffffffffu, next, 0);
    }
    ptx_mbar_wait(&r.empty[i % SLOTS], (i / SLOTS & 1) ^ 1);
    if (lane == 0) {
        r.row[i % SLOTS] = l.n;
        ptx_mbar_arrive(&r.full[i % SLOTS]);
        if (atomicAdd(&t->ended, 1) == gridDim.x - 1)
            t->drawn = t->ended = 0; /* all blocks have drawn their last */
    }
}

/* Adds the warp's share of a piece of `vectors` vectors to sum[] in the layout
 * of mma: lane 4g + t has token g and rows 2t, 2t + 1; the other half belongs
 * to no token. All loads come before the first product, and there are two sums,
 * to hide the latency of the instruction. */
static __device__ void multiply(float sum[2][4], const uint16_t *w,
                                const uint16_t *x, int vectors)
{
    const int LOADS = PIECE / WIDTH / (WARPS * 4);
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int g = lane / 4, t = lane % 4;
    uint4 a[LOADS], b[LOADS];

    // ANCHOR: inner
#pragma unroll
    for (int j = 0; j < LOADS; j++) {
        int v = (j * WARPS + warp) * 4 + t;

        a[j] = b[j] = {};
        if (v < vectors) {
            b[j] = eight(w + g * PITCH + v * WIDTH);
            a[j] = eight(x + g * X_PITCH + v * WIDTH);
        }
    }
#pragma unroll
    for (int j = 0; j < LOADS; j++) {
        const uint32_t first[4] = {a[j].x, 0, a[j].y, 0};
        const uint32_t second[4] = {a[j].z, 0, a[j].w, 0};

        ptx_mma_bf16(sum[0], first, b[j].x, b[j].y);
        ptx_mma_bf16(sum[1], second, b[j].z, b[j].w);
    }
    // ANCHOR_END: inner
}

/* What a multiplying warp does. */
static __device__ void consume(ring r, const uint16_t *x, sums *out, linear l)
{
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int g = lane / 4, t = lane % 4, row = 0;

    for (int i = 0, deal = 0; row < l.n; deal++) {
        float sum[DEALT / ROWS][2][4] = {};

#pragma unroll
        for (int half = 0; half < DEALT / ROWS; half++)
            for (int k = 0; k < l.k && row < l.n; k += PIECE, i++) {
                int s = i % SLOTS;

                ptx_mbar_wait(&r.full[s], i / SLOTS & 1);
                row = r.row[s];
                multiply(sum[half], r.slots + s * ROWS * PITCH, x + k,
                         min(PIECE, l.k - k) / WIDTH);
                ptx_mbar_arrive(&r.empty[s]);
            }
        ptx_mbar_wait(&out->empty, (deal & 1) ^ 1);
        for (int half = 0; half < DEALT / ROWS; half++)
            for (int j = 0; j < 2; j++)
                out->of[half][warp][g][2 * t + j] =
                    sum[half][0][j] + sum[half][1][j];
        if (threadIdx.x == 0)
            out->row = row;
        ptx_mbar_arrive(&out->full);
    }
}

static __device__ uint32_t pair(float first, float second)
{
    return (uint32_t)bf16_round(second) << 16 | bf16_round(first);
}

/* Adds up what the warps have, and writes y: a lane four rows of a token. */
static __device__ void write(sums *out, linear l)
{
    const int MINE = 4, LANES = DEALT / MINE; /* rows, and lanes for a token */
    int lane = threadIdx.x % WARP, first = lane % LANES * MINE;

    for (int deal = 0;; deal++) {
        ptx_mbar_wait(&out->full, deal & 1);
        int row = out->row + first;
        if (out->row == l.n)
            return;
        for (int token = lane / LANES; token < l.m; token += WARP / LANES) {
            float all[MINE] = {};
            uint16_t *y = l.y + (size_t)token * l.n + row;

            for (int warp = 0; warp < WARPS; warp++)
                for (int r = 0; r < MINE; r++)
                    all[r] +=
                        out->of[first / ROWS][warp][token][first % ROWS + r];
            if (l.n % MINE == 0 && row < l.n)
                *(uint2 *)y =
                    make_uint2(pair(all[0], all[1]), pair(all[2], all[3]));
            else
                for (int r = 0; r < MINE && row + r < l.n; r++)
                    y[r] = bf16_round(all[r]);
        }
        ptx_mbar_arrive(&out->empty);
    }
}

static __global__ void __launch_bounds__((WARPS + 2) * WARP, 1)
    resident(linear l, tickets *t)
{
    extern __shared__ __align__(128) uint16_t shared[];
    __shared__ uint64_t full[SLOTS], empty[SLOTS], tokens;
    __shared__ int row[SLOTS];
    __shared__ sums out;
    ring r = {shared, full, empty, row};
    uint16_t *x = shared + RING;

    if (threadIdx.x == 0) {
        for (int s = 0; s < SLOTS; s++) {
            ptx_mbar_init(&full[s], 1);
            ptx_mbar_init(&empty[s], WARPS * WARP);
        }
        ptx_mbar_init(&out.full, WARPS * WARP);
        ptx_mbar_init(&out.empty, WARP);
        ptx_mbar_init(&tokens, 1);
        ptx_mbar_init_fence();
    }
    __syncthreads(); /* the barriers are ready for all */
    if (threadIdx.x / WARP == WARPS)
        return fetch(r, l, t);
    if (threadIdx.x / WARP > WARPS)
        return write(&out, l);
    if (threadIdx.x < WARP) {
        if (threadIdx.x == 0)
            ptx_mbar_expect(&tokens, l.m * l.k * 2);
        __syncwarp();
        if (threadIdx.x < l.m)
            ptx_bulk_load(x + threadIdx.x * X_PITCH,
                          l.x + (size_t)threadIdx.x * l.k, l.k * 2, &tokens,
                          ptx_evict_last());
    }
    ptx_mbar_wait(&tokens, 0);
    consume(r, x, &out, l);
}

extern "C" size_t gemv_resident_scratch(const struct kernel_case *,
                                        const struct kernel_env *)
{
    return sizeof(struct tickets);
}

extern "C" int gemv_resident(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct linear l = linear_of(c, buf);
    const int deals = (l.n + DEALT - 1) / DEALT;
    const int blocks = deals < env->sms ? deals : env->sms;
    const int error = cudaFuncSetAttribute(
        resident, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);

    if (error)
        return error;
    resident<<<blocks, (WARPS + 2) * WARP, SHARED, (cudaStream_t)env->stream>>>(
        l, (struct tickets *)buf[3]);
    return cudaGetLastError();
}
