/*
 * kernels/step/keys.cuh - attention of the newest token for several sequences:
 * tensor cores multiply, and each warp copies its own keys ahead with cp.async,
 * as in decode/eager. Blocks of a row walk side by side: block i of n has tiles
 * i, i + n and so on. Pieces are joined as in kernels/step/attend.cuh.
 *
 * The product mma.m16n8k16 has queries as rows, four of them at most; the other
 * rows are zeros. Old keys are no kernel's output, so the first of them are
 * asked for before the kernel before has ended. The newest key is a tile of its
 * own: the last one of the last warp of a row's last block.
 */
#ifndef KERNELS_STEP_KEYS_CUH
#define KERNELS_STEP_KEYS_CUH

#include "kernels/prefill/ptx.cuh"
#include "kernels/step/attend.cuh"
#include "kernels/wgmma.cuh"

enum {
    KEYS_MINE = 16, /* of a warp at a time */
    KEYS_SIDE = ATTEND_WARPS * KEYS_MINE,
    KEYS_SPAN = 512, /* of a block, about */
    KEYS_SLOTS = 3,  /* of a warp */
    KEYS_BLOCKS = 2, /* on an SM */
};

/* 16 keys or values. Chunk c of row r lies at place c ^ (r mod 8) of the row:
 * eight rows of a chunk lie in eight different groups of four banks. */
struct keys_rows {
    uint16_t of[KEYS_MINE][STEP_DEEP];

    __device__ uint16_t *at(int row, int e)
    {
        return &of[row][(e / WIDTH ^ row % 8) * WIDTH];
    }
};

struct keys_slot {
    keys_rows k, v;
};

enum { KEYS_SHARED = ATTEND_WARPS * KEYS_SLOTS * sizeof(keys_slot) };

/* What a lane holds: elements of the queries, and sums of head lane / 4: of
 * values, o[4 c] and o[4 c + 1] are elements 8 c + 2 (lane mod 4) and the
 * next. */
struct keys_lane {
    uint32_t q[STEP_DEEP / 16][2];
    float o[STEP_DEEP / 2];
    struct weight all;
};

/* Starts the copies of a lane; rows from `left` on are zeros. */
static __device__ __forceinline__ void
keys_place(keys_rows &to, const uint16_t *from, int left)
{
#pragma unroll
    for (int i = 0; i < KEYS_MINE / 2; i++) { /* two rows at a time */
        const int row = 2 * i + threadIdx.x % WARP / 16;
        const int e = threadIdx.x % 16 * WIDTH;

        ptx_copy_16(to.at(row, e),
                    row < left ? from + row * STEP_DEEP + e : from, row < left);
    }
}

template <int G>
static __device__ __forceinline__ void keys_begin(keys_lane &x, const attend &t,
                                                  size_t row)
{
    const int head = threadIdx.x % WARP / 4, col = threadIdx.x % 4 * 2;
    const uint16_t *const q = t.q + (row * G + head % G) * STEP_DEEP + col;

#pragma unroll
    for (int e = 0; e < STEP_DEEP / 16; e++)
#pragma unroll
        for (int i = 0; i < 2; i++)
            x.q[e][i] = head < G ? *(const uint32_t *)(q + e * 16 + i * 8) : 0;
#pragma unroll
    for (int i = 0; i < STEP_DEEP / 2; i++)
        x.o[i] = 0;
    x.all = {-INFINITY, 0};
}

static __device__ __forceinline__ float keys_four(float v, bool sum)
{
#pragma unroll
    for (int step = 1; step <= 2; step *= 2) {
        const float w = __shfl_xor_sync(0xffffffffu, v, step);

        v = sum ? v + w : fmaxf(v, w);
    }
    return v;
}

// ANCHOR: inner
/* Takes a slot in, whose first `left` keys are there. */
static __device__ __forceinline__ void keys_take(keys_lane &x, keys_slot &slot,
                                                 float scale, int left)
{
    const int lane = threadIdx.x % WARP;
    float s[2][4] = {}, most = -INFINITY;

#pragma unroll
    for (int e = 0; e < STEP_DEEP; e += 16) {
        const uint32_t q[4] = {x.q[e / 16][0], 0, x.q[e / 16][1], 0};
        uint32_t k[4];

        ptx_ldmatrix(
            k, slot.k.at(lane / 16 * 8 + lane % 8, e + lane / 8 % 2 * WIDTH));
        ptx_mma_bf16(s[0], q, k[0], k[1]);
        ptx_mma_bf16(s[1], q, k[2], k[3]);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float &score = s[i / 2][i % 2];
        const int key = i / 2 * 8 + lane % 4 * 2 + i % 2;

        score = key < left ? score * scale : -INFINITY;
        most = fmaxf(most, score);
    }
    most = fmaxf(x.all.top, keys_four(most, false));

    const float base = attend_base(most);
    const float back = ptx_exp2(x.all.top - base);

#pragma unroll
    for (int i = 0; i < 4; i++)
        s[i / 2][i % 2] = ptx_exp2(s[i / 2][i % 2] - base);
    x.all.top = most;
    x.all.sum = x.all.sum * back + ((s[0][0] + s[0][1]) + (s[1][0] + s[1][1]));

    const uint32_t p[4] = {bf16_pair(s[0][0], s[0][1]), 0,
                           bf16_pair(s[1][0], s[1][1]), 0};

#pragma unroll
    for (int e = 0; e < STEP_DEEP; e += 16) {
        float *const o = &x.o[e / 2];
        uint32_t v[4];

        ptx_ldmatrix_turned(v, slot.v.at(lane % 16, e + lane / 16 * WIDTH));
        o[0] *= back;
        o[1] *= back;
        o[4] *= back;
        o[5] *= back;
        ptx_mma_bf16(o, p, v[0], v[1]);
        ptx_mma_bf16(o + 4, p, v[2], v[3]);
    }
}
// ANCHOR_END: inner

/* A warp: its tiles of the row, which begin at key `first`, and the page. */
template <int G>
static __device__ __forceinline__ void keys_walk(keys_lane &x, keys_slot *ring,
                                                 const attend &t, size_t row)
{
    const int warp = threadIdx.x / WARP, step = t.pieces * KEYS_SIDE;
    const int first = blockIdx.x * KEYS_SIDE + warp * KEYS_MINE;
    const int old = max(0, (t.past - first + step - 1) / step);
    const bool page = blockIdx.x == t.pieces - 1 && warp == ATTEND_WARPS - 1;
    const size_t from = row * t.past * STEP_DEEP;
    const auto ask = [&](int i) {
        const int key = first + i * step;
        const size_t at = from + (size_t)key * STEP_DEEP;
        keys_slot &to = ring[i % KEYS_SLOTS];

        if (i < old) {
            keys_place(to.k, t.keys + at, t.past - key);
            keys_place(to.v, t.values + at, t.past - key);
        } else if (page && i == old) {
            keys_place(to.k, t.k + row * STEP_DEEP, 1);
            keys_place(to.v, t.v + row * STEP_DEEP, 1);
        }
        ptx_copies_commit();
    };

    for (int i = 0; i < KEYS_SLOTS - 1; i++) {
        if (i >= old)
            ptx_wait_for_last_kernel(); /* the page is its output */
        ask(i);
    }
    ptx_wait_for_last_kernel(); /* so are queries */
    keys_begin<G>(x, t, row);
    for (int i = 0; i < old + page; i++) {
        const int left = i < old ? t.past - first - i * step : 1;

        ptx_copies_wait<KEYS_SLOTS - 2>();
        __syncwarp(); /* the copies of all lanes, and the last slot is free */
        ask(i + KEYS_SLOTS - 1);
        keys_take(x, ring[i % KEYS_SLOTS], t.scale, left);
    }
}

/* A block: its piece, blockIdx.x, of the keys that a row has. blockIdx.y is the
 * head of keys, and blockIdx.z the sequence; `raw` is its shared memory. */
template <int G>
static __device__ __forceinline__ void keys_block(const attend &t, char *raw)
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const size_t row = (size_t)blockIdx.z * t.kv + blockIdx.y;
    struct attend_shared *const shared = attend_shared_of_block();
    keys_lane x;

    ptx_next_kernel_may_start();
    keys_walk<G>(x, (keys_slot *)raw + warp * KEYS_SLOTS, t, row);

    const float sum = keys_four(x.all.sum, true);
    const int head = lane / 4;

    if (head < G) {
#pragma unroll
        for (int c = 0; c < STEP_DEEP / 8; c++)
            *(float2 *)&shared->value[warp][head][c * 8 + lane % 4 * 2] =
                make_float2(x.o[4 * c], x.o[4 * c + 1]);
        if (lane % 4 == 0)
            shared->weight[warp][head] = {x.all.top, sum};
    }
    __syncthreads(); /* the sums of all warps are there */
    attend_finish<G>(t, shared, row, blockIdx.x);
}

static inline int keys_pieces_of(const struct step_shape *s)
{
    const int pieces = (s->l - 1 + KEYS_SPAN - 1) / KEYS_SPAN;

    return pieces < ATTEND_MOST ? pieces : (int)ATTEND_MOST;
}

/* Bytes of what all pieces leave. */
static inline size_t keys_bytes(const struct step_shape *s)
{
    return (size_t)s->b * s->kv * keys_pieces_of(s) * ATTEND_GROUP *
           (STEP_DEEP * sizeof(float) + sizeof(struct weight));
}

#endif
