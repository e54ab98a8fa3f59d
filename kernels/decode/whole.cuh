/*
 * kernels/decode/whole.cuh - tiles of 32 KB that the TMA copies as they lie in
 * memory, in pieces of 2 and 8 KB, and that lanes read 16 bytes at a time: no
 * tensor map, no panels, no swizzle, no ldmatrix.
 *
 * Keys are 256 bytes apart, or 128, so lanes that read different keys would
 * meet in the same banks. But each piece may lie where it likes. Keys come in
 * two halves, the second 64 bytes further; values in eight pieces, each 32
 * bytes further than the one before. A quarter of a warp then reads
 *
 *   of keys     four chunks of 16 bytes of two keys, one of each half
 *   of values   two chunks of four values, of pieces t = 0 to 3 or t + 4
 *
 * and that is each bank once. A warp has some keys of each piece, and takes two
 * of each in a turn: row g of its product is a key of half g mod 2, piece g/2
 * of that half, and row g + 8 the key behind it. The sums over keys and over
 * elements may be taken in any order, so nothing is moved: elements of a
 * product are those that a lane has, and keys are those whose values it has.
 * Only pairs of keys are put together (prmt).
 */
#ifndef KERNELS_DECODE_WHOLE_CUH
#define KERNELS_DECODE_WHOLE_CUH

#include "kernels/decode/pairs.cuh"
#include "kernels/decode/scales.cuh"
#include "kernels/decode/swapped.cuh"

enum {
    KEY = DEEP * ELEMENT,    /* bytes of a key */
    HALF = SIDE / 2,         /* keys that come together, */
    EIGHTHS = 8,             /* and pieces of values, */
    EIGHTH = SIDE / EIGHTHS, /* so many in each, */
    SHARE = EIGHTH / WARPS,  /* of which a warp has so many */
    TURNS = MINE / AT_ONCE,  /* products of a warp */
    K_PITCH = HALF * KEY + 64,
    V_PITCH = EIGHTH * KEY + 32,
    VALUES = 2 * K_PITCH,                /* where values begin, */
    SCALES = VALUES + EIGHTHS * V_PITCH, /* and pairs of scales */
    WHOLE_TILE = SCALES + PAIRS_ROOM,    /* bytes of a slot */
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
 * begin at element `from` of the cache, and their scales at `pairs`. Lanes 0
 * and 1 ask for keys, eight more for values, and one for scales. */
template <int SLOTS, int ROWS, bool OVER>
static __device__ __forceinline__ void
ask_whole(const slots<SLOTS, ROWS, OVER> &now, const attention &a, int i,
          size_t from, int keys, const float2 *pairs = nullptr)
{
    const int s = i % SLOTS, lane = threadIdx.x % WARP, eighth = lane - 2;
    const bool of_keys = lane < 2;
    const int first = of_keys ? lane * HALF : eighth * EIGHTH;
    const int n = min(of_keys ? HALF : EIGHTH, keys - first);
    char *const to = now.tile + s * WHOLE_TILE +
                     (of_keys ? lane * K_PITCH : VALUES + eighth * V_PITCH);

    ptx_mbar_wait(&now.empty[s], (i / SLOTS & 1) ^ 1);
    if (lane == 0)
        ptx_mbar_expect(&now.full[s],
                        2 * KEY * min(keys, (int)SIDE) + pairs_bytes(keys));
    __syncwarp(); /* bytes are expected before they come */
    if (lane < 2 + EIGHTHS && n > 0)
        ptx_bulk_load(to,
                      (const char *)(of_keys ? a.k : a.v) + from * ELEMENT +
                          first * KEY,
                      n * KEY, &now.full[s], ptx_evict_first());
    if (PAIRS > 0 && lane == 2 + EIGHTHS)
        ptx_bulk_load(now.tile + s * WHOLE_TILE + SCALES, pairs,
                      pairs_bytes(keys), &now.full[s], ptx_evict_first());
}
// ANCHOR_END: ask

static __device__ __forceinline__ uint4 sixteen(const void *p)
{
    return *(const uint4 *)p;
}

/* Word m of 16 bytes. */
static __device__ __forceinline__ uint32_t word_of(const uint4 &v, int m)
{
    return m == 0 ? v.x : m == 1 ? v.y : m == 2 ? v.z : v.w;
}

/* Two weights as a word of operands: bf16, or f16 as in decode/bytes, where the
 * greatest is 2 to the power of LIFT. */
#ifdef DECODE_BYTES
enum { LIFT = 15 };
#else
enum { LIFT = 0 };
#endif

static __device__ __forceinline__ uint32_t weights(float one, float two)
{
    return LIFT ? ptx_f16_pair(one, two) : bf16_pair(one, two);
}

/* Which key of a tile row g + 8 h of a warp's product is, in its turn i. */
static __device__ __forceinline__ int key_of(int warp, int i, int g, int h)
{
    return g % 2 * HALF + g / 2 * EIGHTH + warp * SHARE + 2 * i + h;
}

/* Nothing is summed up yet. */
template <int ROWS>
static __device__ __forceinline__ void clear(swapped<ROWS> &x)
{
#pragma unroll
    for (int n = 0; n < ROWS / 8; n++) {
#pragma unroll
        for (int e = 0; e < DEEP / 16; e++)
#pragma unroll
            for (int i = 0; i < 4; i++)
                x.o[e][n][i] = 0;
        x.all[n][0] = x.all[n][1] = {-INFINITY, 0};
    }
}

/* Keys that there are not get no score: `left` keys of the tile are there. */
template <int ROWS>
static __device__ __forceinline__ void
hide_scores(float (&s)[TURNS][ROWS / 8][4], int warp, int left)
{
    const int g = threadIdx.x % WARP / 4;

#pragma unroll
    for (int i = 0; i < TURNS; i++)
#pragma unroll
        for (int n = 0; n < ROWS / 8; n++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                if (key_of(warp, i, g, j / 2) >= left)
                    s[i][n][j] = -INFINITY;
}

/* Values of a lane in turn i, 16 bytes of each: of[key][half]. Those that there
 * are not are zeros, not even NaN. */
struct of_lane {
    uint4 of[2][2];
};

static __device__ __forceinline__ of_lane values_of(const char *tile, int warp,
                                                    int i, int chunk, int left)
{
    const int t = threadIdx.x % 4, first = warp * SHARE + 2 * i;
    of_lane v;

#pragma unroll
    for (int j = 0; j < 4; j++) {
        const int piece = t + j / 2 * 4, key = first + j % 2;

        v.of[j % 2][j / 2] =
            sixteen(tile + VALUES + piece * V_PITCH + key * KEY + chunk * 16);
        if (left < SIDE && piece * EIGHTH + key >= left)
            v.of[j % 2][j / 2] = make_uint4(0, 0, 0, 0);
    }
    return v;
}

// ANCHOR: take
/*
 * A warp that multiplies: its keys of tile number i to come, of which there are
 * `keys`. score(), weights() and add() are those of kernels/decode/operands.cuh
 * or operands_bytes.cuh.
 */
template <int SLOTS, int ROWS, bool OVER>
static __device__ __forceinline__ void
take_whole(const slots<SLOTS, ROWS, OVER> &now, swapped<ROWS> &x, float scale,
           int i, int keys)
{
    const int s = i % SLOTS, warp = threadIdx.x / WARP % WARPS, N = ROWS / 8;
    const char *const tile = now.tile + s * WHOLE_TILE;

    ptx_mbar_wait(&now.full[s], i / SLOTS & 1);
    if (keys > warp * SHARE) {
        float w[TURNS][N][4] = {}, back[N][2];
        uint32_t p[TURNS][N][2];
        const lane_scales by = scales_of(
            tile + SCALES, key_of(warp, 0, threadIdx.x % WARP / 4, 0), keys);

        score(w, x, tile, warp);
        scale_scores(w, by);
        if (keys < SIDE)
            hide_scores<ROWS>(w, warp, keys);
#pragma unroll
        for (int n = 0; n < N; n++) {
            weigh<LIFT>(w, n, scale, SIDE, x.all[n], back[n]);
#pragma unroll
            for (int j = 0; j < 2 * TURNS; j++)
                p[j / 2][n][j % 2] =
                    ptx_turn(weights(w[j / 2][n][j % 2 * 2] * by.value[j],
                                     w[j / 2][n][j % 2 * 2 + 1] * by.value[j]));
#pragma unroll
            for (int e = 0; e < DEEP / 16; e++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    x.o[e][n][j] *= back[n][j % 2];
        }
#pragma unroll
        for (int j = 0; j < TURNS; j++)
            add(x, p[j], tile, warp, j, keys);
    }
    __syncwarp(); /* no lane reads the slot any more */
    if (threadIdx.x % WARP == 0)
        ptx_mbar_arrive(&now.empty[s]);
}
// ANCHOR_END: take

#endif
