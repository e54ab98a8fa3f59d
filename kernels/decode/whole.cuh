/*
 * kernels/decode/whole.cuh - tiles of 64 keys and values that the TMA copies as
 * they lie in memory, in pieces of 2 and 8 KB, and that lanes read 16 bytes at
 * a time: no tensor map, no panels, no swizzle, no ldmatrix.
 *
 * Keys are 256 bytes apart, so lanes that read different keys would meet in the
 * same banks. But each piece may lie where it likes. Keys come in two halves,
 * the second 64 bytes further; values in eight pieces of eight, each 32 bytes
 * further than the one before. A quarter of a warp then reads
 *
 *   of keys     four chunks of 16 bytes of two keys, one of each half
 *   of values   two chunks of four values, of pieces t = 0 to 3 or t + 4
 *
 * and that is each bank once. A warp has two keys of each piece of eight: of
 * piece c these are 8 c + 2 w and the next, where w is its number. Row g of its
 * product is key g/2 of half g mod 2, and row g + 8 the key behind it. The sums
 * over keys and over elements may be taken in any order, so nothing is moved:
 * elements of a product are the 16 bytes that a lane has, and keys are those
 * whose values a lane has. Only pairs of keys are put together (prmt).
 */
#ifndef KERNELS_DECODE_WHOLE_CUH
#define KERNELS_DECODE_WHOLE_CUH

#include "kernels/decode/pairs.cuh"
#include "kernels/decode/swapped.cuh"

enum {
    KEY = DEEP * ELEMENT, /* bytes of a key */
    HALF = SIDE / 2,      /* keys that come together, */
    EIGHT = 8,            /* and values */
    EIGHTS = SIDE / EIGHT,
    K_PITCH = HALF * KEY + 64,
    V_PITCH = EIGHT * KEY + 32,
    VALUES = 2 * K_PITCH,                   /* where values begin */
    WHOLE_TILE = VALUES + EIGHTS * V_PITCH, /* bytes of a slot */
};

static_assert(VALUES % 128 == 0 && WHOLE_TILE % 128 == 0,
              "all tiles have the same banks");

/* As struct room of kernels/decode/ring.cuh: slots, their barriers, and sums of
 * warps behind the slots, or in their place if OVER. */
template <int SLOTS, int ROWS, bool OVER = false> struct slots {
    enum {
        SUMS = OVER ? 0 : SLOTS * WHOLE_TILE,
        BARRIERS = SLOTS * WHOLE_TILE + (OVER ? 0 : sizeof(warp_parts<ROWS>)),
        SHARED = BARRIERS + 2 * SLOTS * sizeof(uint64_t),
    };

    char *tile;
    warp_parts<ROWS> *sums;
    uint64_t *full, *empty;

    __device__ slots(char *raw)
        : tile(raw), sums((warp_parts<ROWS> *)(raw + SUMS)),
          full((uint64_t *)(raw + BARRIERS)), empty(full + SLOTS)
    {
        if (threadIdx.x == 0) {
            for (int s = 0; s < SLOTS; s++) {
                ptx_mbar_init(&full[s], 1);
                ptx_mbar_init(&empty[s], WARPS);
            }
            ptx_mbar_init_fence();
        }
        __syncthreads(); /* the barriers are ready */
    }
};

// ANCHOR: ask
/* A warp: asks for tile number i to come, of which there are `keys` keys, that
 * begin at element `from` of the cache. Lanes 0 and 1 ask for keys, eight more
 * for values. */
template <int SLOTS, int ROWS, bool OVER>
static __device__ __forceinline__ void
ask_whole(const slots<SLOTS, ROWS, OVER> &now, const attention &a, int i,
          size_t from, int keys)
{
    const int s = i % SLOTS, lane = threadIdx.x % WARP, eighth = lane - 2;
    const bool of_keys = lane < 2;
    const int first = of_keys ? lane * HALF : eighth * EIGHT;
    const int n = min(of_keys ? HALF : EIGHT, keys - first);
    char *const to = now.tile + s * WHOLE_TILE +
                     (of_keys ? lane * K_PITCH : VALUES + eighth * V_PITCH);

    ptx_mbar_wait(&now.empty[s], (i / SLOTS & 1) ^ 1);
    if (lane == 0)
        ptx_mbar_expect(&now.full[s], 2 * KEY * min(keys, (int)SIDE));
    __syncwarp(); /* bytes are expected before they come */
    if (lane < 2 + EIGHTS && n > 0)
        ptx_bulk_load(to, (of_keys ? a.k : a.v) + from + first * DEEP, n * KEY,
                      &now.full[s], ptx_evict_first());
}
// ANCHOR_END: ask

static __device__ __forceinline__ uint4 sixteen(const char *p)
{
    return *(const uint4 *)p;
}

/* The queries of a row as right operands, in the order in which lanes have
 * elements of keys. */
template <int ROWS>
static __device__ __forceinline__ void
begin_whole(swapped<ROWS> &x, const attention &a, const struct row &r)
{
    const int head = threadIdx.x % WARP / 4, chunk = threadIdx.x % 4;

#pragma unroll
    for (int n = 0; n < ROWS / 8; n++) {
        const char *const from =
            (const char *)(a.q +
                           (size_t)(query_of(a, r, 0) + head + 8 * n) * DEEP) +
            chunk * 16;

#pragma unroll
        for (int i = 0; i < DEEP / 32; i++) {
            const uint4 v = head + 8 * n < r.heads ? sixteen(from + i * 64)
                                                   : make_uint4(0, 0, 0, 0);

            x.q[2 * i][n][0] = v.x;
            x.q[2 * i][n][1] = v.y;
            x.q[2 * i + 1][n][0] = v.z;
            x.q[2 * i + 1][n][1] = v.w;
        }
#pragma unroll
        for (int e = 0; e < DEEP / 16; e++)
#pragma unroll
            for (int i = 0; i < 4; i++)
                x.o[e][n][i] = 0;
        x.all[n][0] = x.all[n][1] = {-INFINITY, 0};
    }
}

/* Which key of a tile row g + 8 h of a warp's product is. */
static __device__ __forceinline__ int key_of(int warp, int g, int h)
{
    return g % 2 * HALF + g / 2 * EIGHT + 2 * warp + h;
}

// ANCHOR: score
/* Scores of a warp's 16 keys. Eight heads have two sums, so that a product
 * waits for the last but one. Keys that there are not get no score. */
template <int ROWS>
static __device__ __forceinline__ void
score(float (&s)[1][ROWS / 8][4], const swapped<ROWS> &x, const char *tile,
      int warp, int left)
{
    const int N = ROWS / 8, g = threadIdx.x % WARP / 4, t = threadIdx.x % 4;
    const char *const k =
        tile + g % 2 * K_PITCH + (g / 2 * EIGHT + 2 * warp) * KEY + t * 16;
    float odd[4] = {};

#pragma unroll
    for (int i = 0; i < DEEP / 32; i++) {
        const uint4 u = sixteen(k + i * 64), v = sixteen(k + KEY + i * 64);
        const uint32_t one[4] = {u.x, v.x, u.y, v.y};
        const uint32_t two[4] = {u.z, v.z, u.w, v.w};

#pragma unroll
        for (int n = 0; n < N; n++) {
            ptx_mma_bf16(s[0][n], one, x.q[2 * i][n][0], x.q[2 * i][n][1]);
            ptx_mma_bf16(N == 1 ? odd : s[0][n], two, x.q[2 * i + 1][n][0],
                         x.q[2 * i + 1][n][1]);
        }
    }
#pragma unroll
    for (int n = 0; n < N; n++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            s[0][n][i] += N == 1 ? odd[i] : 0;
            if (left < SIDE && key_of(warp, g, i / 2) >= left)
                s[0][n][i] = -INFINITY;
        }
}
// ANCHOR_END: score

/* Word m of 16 bytes. */
static __device__ __forceinline__ uint32_t word_of(const uint4 &v, int m)
{
    return m == 0 ? v.x : m == 1 ? v.y : m == 2 ? v.z : v.w;
}

// ANCHOR: values
/* Adds weights times values, 64 elements at a time: product m of these has
 * element 8 g + 2 m as row g, and the next one as row g + 8. */
template <int ROWS>
static __device__ __forceinline__ void add(swapped<ROWS> &x,
                                           const uint32_t (&p)[ROWS / 8][2],
                                           const char *tile, int warp, int left)
{
    const int g = threadIdx.x % WARP / 4, t = threadIdx.x % 4;
    const int key = t * EIGHT + 2 * warp; /* and the next, in both halves */
    const char *const v = tile + VALUES + t * V_PITCH + 2 * warp * KEY + g * 16;

#pragma unroll
    for (int c = 0; c < 2; c++) {
        uint4 one[2], two[2]; /* of pieces t and t + 4 */

#pragma unroll
        for (int i = 0; i < 2; i++) {
            one[i] = sixteen(v + i * KEY + c * KEY / 2);
            two[i] = sixteen(v + 4 * V_PITCH + i * KEY + c * KEY / 2);
            if (left < SIDE && key + i >= left) /* not even NaN */
                one[i] = make_uint4(0, 0, 0, 0);
            if (left < SIDE && key + i + HALF >= left)
                two[i] = make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int m = 0; m < 4; m++) {
            uint32_t b[4];

#pragma unroll
            for (int i = 0; i < 4; i++)
                b[i] = ptx_pair_up(word_of(one[i / 2], m),
                                   word_of(two[i / 2], m), i % 2);
#pragma unroll
            for (int n = 0; n < ROWS / 8; n++)
                ptx_mma_bf16(x.o[4 * c + m][n], b, p[n][0], p[n][1]);
        }
    }
}
// ANCHOR_END: values

/* A warp that multiplies: its 16 keys of tile number i to come, of which there
 * are `keys`. */
template <int SLOTS, int ROWS, bool OVER>
static __device__ __forceinline__ void
take_whole(const slots<SLOTS, ROWS, OVER> &now, swapped<ROWS> &x, float scale,
           int i, int keys)
{
    const int s = i % SLOTS, warp = threadIdx.x / WARP % WARPS, N = ROWS / 8;
    const char *const tile = now.tile + s * WHOLE_TILE;

    ptx_mbar_wait(&now.full[s], i / SLOTS & 1);
    if (keys > 2 * warp) {
        float w[1][N][4] = {}, back[N][2];
        uint32_t p[N][2];

        score(w, x, tile, warp, keys);
#pragma unroll
        for (int n = 0; n < N; n++) {
            weigh(w, n, scale, AT_ONCE, x.all[n], back[n]);
#pragma unroll
            for (int j = 0; j < 2; j++)
                p[n][j] =
                    ptx_turn(bf16_pair(w[0][n][2 * j], w[0][n][2 * j + 1]));
#pragma unroll
            for (int e = 0; e < DEEP / 16; e++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    x.o[e][n][j] *= back[n][j % 2];
        }
        add(x, p, tile, warp, keys);
    }
    __syncwarp(); /* no lane reads the slot any more */
    if (threadIdx.x % WARP == 0)
        ptx_mbar_arrive(&now.empty[s]);
}

/* A warp: its sums to shared memory, eight neighbours of a head at a time. */
template <int ROWS>
static __device__ __forceinline__ void show_whole(warp_parts<ROWS> &to,
                                                  const swapped<ROWS> &x)
{
    const int warp = threadIdx.x / WARP % WARPS;
    const int g = threadIdx.x % WARP / 4, t = threadIdx.x % 4;

#pragma unroll
    for (int i = 0; i < ROWS / 2; i++) { /* heads, and halves of each */
        const int n = i / 4, h = i % 2, c = i / 2 % 2, head = 8 * n + 2 * t + h;
        float4 *const at =
            (float4 *)&to.value[warp][head][c * DEEP / 2 + g * EIGHT];
        const float sum = over_eight(x.all[n][h].sum, true);
        const auto of = [&](int e) {
            return x.o[4 * c + e / 2][n][h + e % 2 * 2];
        };

        at[0] = make_float4(of(0), of(1), of(2), of(3));
        at[1] = make_float4(of(4), of(5), of(6), of(7));
        if (g == 0)
            to.weight[warp][head] = {x.all[n][h].top, sum};
    }
}

#endif
