/*
 * kernels/verify/tensor.cuh - the queries of a draft on tensor cores: a warp
 * multiplies 16 keys by up to 32 queries.
 *
 * Keys are the sixteen rows of mma.m16n8k16, and queries its columns, as in
 * decode/swap: eight more queries are one more instruction for the same
 * operands of keys. Each warp copies its own keys ahead, as in decode/stages.
 */
#ifndef KERNELS_VERIFY_TENSOR_CUH
#define KERNELS_VERIFY_TENSOR_CUH

#include "kernels/decode/swapped.cuh"
#include "kernels/verify/draft.cuh"

enum { SLOTS = 3 /* of a warp */ };

/* 16 keys and their values. Chunk c of a row lies at place c ^ (row mod 8), so
 * that eight rows of a chunk lie in different banks. */
struct slot {
    uint16_t of[2][MINE][DEEP];

    __device__ uint16_t *at(int values, int row, int e)
    {
        return &of[values][row][(e / WIDTH ^ row % 8) * WIDTH];
    }
};

enum { SLOTS_BYTES = WARPS * SLOTS * sizeof(slot) };

/* A warp: asks for 16 keys and values, of which `left` are there. The others
 * become zeros. */
static __device__ __forceinline__ void place(slot &to, const attention &a,
                                             size_t from, int left)
{
    const int chunk = threadIdx.x % (DEEP / WIDTH) * WIDTH;
    const int first = threadIdx.x % WARP / (DEEP / WIDTH);

#pragma unroll
    for (int i = 0; i < 2 * MINE; i += WARP / (DEEP / WIDTH)) {
        const int row = (first + i) % MINE, values = i / MINE;
        const uint16_t *const keys = (values ? a.v : a.k) + from;

        ptx_copy_16(to.at(values, row, chunk),
                    row < left ? keys + row * DEEP + chunk : keys, row < left);
    }
}

/* Queries as right operands: two words of each lane for 16 elements of eight
 * queries. 32 queries would take 64 registers of each lane. */
template <int ROWS> struct queries {
    uint2 of[DEEP / 16][ROWS / 8][WARP];
};

/* What a lane holds of ROWS queries, and what its own ones see: eight bits for
 * each, those of number 8 n + 2 t + i in byte 2 n + i. */
template <int ROWS> struct drafted {
    const queries<ROWS> *q;
    float o[DEEP / 16][ROWS / 8][4];
    struct weight all[ROWS / 8][2];
    uint32_t sees[(ROWS / 4 + 3) / 4];
};

static_assert(VERIFY_TOKENS == 8, "a byte has a bit for each new token");

/* The block: the queries of a row to shared memory. A warp has every fourth
 * piece of 16 elements. */
template <int ROWS>
static __device__ __forceinline__ void
bring_queries(queries<ROWS> &to, const attention &a, const struct row &r)
{
    const int lane = threadIdx.x % WARP, query = lane / 4;
    const uint16_t *const from =
        a.q + (size_t)(query_of(a, r, 0) + query) * DEEP + lane % 4 * 2;

    for (int e = threadIdx.x / WARP; e < DEEP / 16; e += WARPS)
#pragma unroll
        for (int n = 0; n < ROWS / 8; n++) {
            const uint16_t *const at = from + 8 * n * DEEP + e * 16;

            to.of[e][n][lane] =
                query + 8 * n < r.heads
                    ? make_uint2(*(const uint32_t *)at,
                                 *(const uint32_t *)(at + WIDTH))
                    : make_uint2(0, 0);
        }
}

/* A lane: nothing is summed up yet. */
template <int ROWS>
static __device__ __forceinline__ void
begin(drafted<ROWS> &x, const queries<ROWS> &q, const draft &d,
      const struct row &r)
{
    const int first = threadIdx.x % 4 * 2;

    x.q = &q;
#pragma unroll
    for (int i = 0; i < ROWS / 4; i++) {
        const uint32_t bits = sees(d, r, i / 2 * 8 + first + i % 2);

        x.sees[i / 4] = i % 4 ? x.sees[i / 4] | bits << i % 4 * 8 : bits;
        x.all[i / 2][i % 2] = {-INFINITY, 0};
    }
#pragma unroll
    for (int i = 0; i < DEEP / 16 * ROWS / 2; i++)
        x.o[i / 4 / (ROWS / 8)][i / 4 % (ROWS / 8)][i % 4] = 0;
}

// ANCHOR: hide
/* Takes scores away that a query may not see. The first of the 16 keys is key
 * number `key` from the first new token's on. */
template <int ROWS>
static __device__ __forceinline__ void
hide_unseen(float (&s)[1][ROWS / 8][4], const drafted<ROWS> &x, int key)
{
    const int mine = key + threadIdx.x % WARP / 4;

#pragma unroll
    for (int n = 0; n < ROWS / 8; n++)
#pragma unroll
        for (int i = 0; i < 4; i++)
            if (!is_seen(x.sees[n / 2] >> (2 * n + i % 2) % 4 * 8,
                         mine + i / 2 * 8))
                s[0][n][i] = -INFINITY;
}
// ANCHOR_END: hide

// ANCHOR: multiply
/*
 * Takes 16 keys in, of which `left` are there, one at least; values of the
 * others are zeros. Only where new tokens have keys is a score hidden. k(row,
 * e) and v(row, e) say where eight elements of a key and a value from e on lie
 * in shared memory.
 */
template <int ROWS, class K, class V>
static __device__ __forceinline__ void
multiply(drafted<ROWS> &x, const draft &d, int left, K k, V v)
{
    const int lane = threadIdx.x % WARP, N = ROWS / 8;
    float s[1][N][4] = {}, back[N][2];
    uint32_t p[N][2], b[4];

#pragma unroll
    for (int e = 0; e < DEEP / 16; e++) {
        ptx_ldmatrix(b, k(lane % 16, e * 16 + lane / 16 * WIDTH));
#pragma unroll
        for (int n = 0; n < N; n++) {
            const uint2 q = x.q->of[e][n][lane];

            ptx_mma_bf16(s[0][n], b, q.x, q.y);
        }
    }
    if (left < AT_ONCE + d.tokens)
        hide_unseen(s, x, d.tokens - left);
#pragma unroll
    for (int n = 0; n < N; n++) {
        weigh(s, n, d.a.scale, AT_ONCE, x.all[n], back[n]);
#pragma unroll
        for (int i = 0; i < 2; i++)
            p[n][i] = ptx_turn(bf16_pair(s[0][n][2 * i], s[0][n][2 * i + 1]));
    }
#pragma unroll
    for (int e = 0; e < DEEP / 16; e++) {
        ptx_ldmatrix_turned(
            b, v(lane / 16 * 8 + lane % 8, e * 16 + lane / 8 % 2 * WIDTH));
#pragma unroll
        for (int n = 0; n < N; n++) {
#pragma unroll
            for (int i = 0; i < 4; i++)
                x.o[e][n][i] *= back[n][i % 2];
            ptx_mma_bf16(x.o[e][n], b, p[n][0], p[n][1]);
        }
    }
}
// ANCHOR_END: multiply

/* A warp: its sums to shared memory. */
template <int ROWS>
static __device__ __forceinline__ void show(warp_parts<ROWS> &to,
                                            const drafted<ROWS> &x)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

#pragma unroll
    for (int i = 0; i < ROWS / 4; i++) {
        const int n = i / 2, h = i % 2, query = 8 * n + lane % 4 * 2 + h;
        const float sum = over_eight(x.all[n][h].sum, true);

#pragma unroll
        for (int e = 0; e < DEEP / 16; e++)
#pragma unroll
            for (int j = 0; j < 2; j++)
                to.value[warp][query][e * 16 + lane / 4 + 8 * j] =
                    x.o[e][n][h + 2 * j];
        if (lane / 4 == 0)
            to.weight[warp][query] = {x.all[n][h].top, sum};
    }
}

/* Shared memory of a block: slots, and behind them queries. */
template <int ROWS>
constexpr int shared_for = SLOTS_BYTES + (int)sizeof(queries<ROWS>);

/* A block's place in the work: keys `first` to `end` of a row of so many. */
struct stretch {
    int first, end, keys;
};

// ANCHOR: inner
/* The block: its stretch of a row. Then the sums of its warps lie at the
 * beginning of shared memory. ready() is called before a key of a new token is
 * asked for, and before queries are read. */
template <int ROWS, class READY>
static __device__ __forceinline__ warp_parts<ROWS> &
attend(char *raw, const draft &d, const struct row &r, const stretch &w,
       READY ready)
{
    const int warp = threadIdx.x / WARP, mine = w.first + warp * MINE;
    const int turns = max(0, ceil_div(w.end - mine, SIDE));
    const size_t from = keys_of(d.a, r) + (size_t)mine * DEEP;
    slot *const ring = (slot *)raw + warp * SLOTS;
    warp_parts<ROWS> &sums = *(warp_parts<ROWS> *)raw;
    queries<ROWS> &q = *(queries<ROWS> *)(raw + SLOTS_BYTES);
    drafted<ROWS> x;

    static_assert(sizeof sums <= SLOTS_BYTES, "sums fit the slots");
    const auto ask = [&](int i) {
        if (i < turns)
            place(ring[i % SLOTS], d.a, from + (size_t)i * SIDE * DEEP,
                  w.keys - mine - i * SIDE);
        ptx_copies_commit();
    };

    for (int i = 0; i < SLOTS - 1; i++) {
        if (mine + i * SIDE + MINE > w.keys - d.tokens)
            ready();
        ask(i);
    }
    ready();
    bring_queries(q, d.a, r);
    begin(x, q, d, r);
    __syncthreads(); /* the queries are there */
    for (int i = 0; i < turns; i++) {
        slot &now = ring[i % SLOTS];

        ptx_copies_wait<SLOTS - 2>();
        __syncwarp(); /* the copies of all lanes, and the last slot is free */
        ask(i + SLOTS - 1);
        multiply(
            x, d, w.keys - mine - i * SIDE,
            [&](int row, int e) { return now.at(0, row, e); },
            [&](int row, int e) { return now.at(1, row, e); });
    }
    ptx_copies_wait<0>();
    __syncthreads(); /* nobody needs the slots any more */
    show(sums, x);
    __syncthreads(); /* the sums of all warps are there */
    return sums;
}
// ANCHOR_END: inner

#endif
