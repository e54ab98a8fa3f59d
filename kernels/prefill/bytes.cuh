/*
 * kernels/prefill/bytes.cuh - attention in FP8: 128 elements a head, 128
 * queries of two groups by 128 keys.
 *
 * Whoever moves bytes need not know what they are. Two neighbours are one
 * element to the TMA, so its part is that of tiles.cuh with half as many
 * elements. Values then go through another tile, which has them turned
 * (fp8.cuh): three warps of the group that asks do this.
 */
#ifndef KERNELS_PREFILL_BYTES_CUH
#define KERNELS_PREFILL_BYTES_CUH

#include "kernels/prefill/drawn.cuh"
#include "kernels/prefill/fp8.cuh"

enum {
    WHOLE = 128, /* elements of a head */
    KEYS = 128,  /* of a tile */
    ROW = 128,   /* bytes of a row in a tile */
    TURNERS = 3, /* warps that turn values */
    BESIDE = 16, /* keys that are turned at once */
    RAISED = 8,  /* weights are raised by 2^8, close to the largest e4m3 */
};

typedef tiles<WHOLE / 2, 2, KEYS, 2> moved; /* pairs of elements */

/* Behind the ring: turned tiles, and what they are waited for. */
struct turned {
    uint64_t full[SLOTS], empty[SLOTS];
};

struct bytes_space : space<moved> {
    char *t;
    turned *of;

    __device__ bytes_space(char *raw) : space<moved>(raw)
    {
        t = (char *)(b + 1);
        t += -ptx_smem(t) & (TENSOR_MAP_ALIGN - 1);
        of = (turned *)(t + SLOTS * moved::K);
    }
};

enum { MORE = TENSOR_MAP_ALIGN + SLOTS * moved::K + sizeof(turned) };

/* Turners look at a piece, and read values in place of groups. */
static __device__ __forceinline__ void bytes_init(const bytes_space &r,
                                                  const attention &a)
{
    ring &b = *r.b;

    b.scale = a.scale * 1.44269504f;
    for (int i = 0; i < SLOTS; i++) {
        ptx_mbar_init(&b.q_full[i], 1);
        ptx_mbar_init(&b.q_empty[i], moved::WARPS + TURNERS);
        ptx_mbar_init(&b.k_full[i], 1);
        ptx_mbar_init(&b.k_empty[i], moved::WARPS);
        ptx_mbar_init(&b.v_full[i], 1);
        ptx_mbar_init(&b.v_empty[i], TURNERS);
        ptx_mbar_init(&r.of->full[i], TURNERS);
        ptx_mbar_init(&r.of->empty[i], moved::WARPS);
    }
    ptx_mbar_init_fence();
}

/* ---- a warp turns values ---- */

/* Where 16 bytes of a swizzled row lie. */
static __device__ __forceinline__ char *chunk_of(char *tile, int row, int chunk)
{
    return tile + row * ROW + (chunk ^ row % 8) * 16;
}

// ANCHOR: turn
/*
 * Turns 16 keys by 32 elements, both numbered by these. Lane 4g + t gets of
 * keys 2t, 2t + 1, 2t + 8 and 2t + 9 elements 2g and 2g + 1, and writes the
 * four keys side by side: place 4t to 4t + 3 of their element's row. That is
 * where a lane has its weights of these keys, so the sums of a product are the
 * next one's operand with no exchange.
 */
static __device__ __forceinline__ void turn_16(char *from, char *to, int keys,
                                               int elements)
{
    const int lane = threadIdx.x % WARP, of = lane / 8;
    uint32_t v[4], w[4];

    ptx_ldmatrix_turned(
        v, chunk_of(from, keys * BESIDE + lane % 16, elements * 2 + lane / 16));
    w[0] = bytes_of(v[0], v[1], 0x6420);
    w[1] = bytes_of(v[0], v[1], 0x7531);
    w[2] = bytes_of(v[2], v[3], 0x6420);
    w[3] = bytes_of(v[2], v[3], 0x7531);
    ptx_stmatrix(
        chunk_of(to, elements * 32 + of / 2 * 16 + lane % 8 * 2 + of % 2, keys),
        w);
}
// ANCHOR_END: turn

/* A warp's share of all tiles of all pieces. */
static __device__ __forceinline__ void turn_all(const bytes_space &r,
                                                const attention &a, int warp)
{
    const int units = KEYS / BESIDE * (WHOLE / 32);
    ring &b = *r.b;
    int number;

    for (int i = 0, n = 0; (number = drawn<moved>(b, i)) < pieces<moved>(a);
         i++) {
        const piece w = piece_number<moved>(a, number);

        done_with(&b.q_empty[i % moved::PLACES]);
        for (int end = n + w.tiles; n < end; n++) {
            const int s = n % SLOTS;

            ptx_mbar_wait(&b.v_full[s], parity(n));
            ptx_mbar_wait(&r.of->empty[s], !parity(n));
#pragma unroll 4
            for (int u = warp; u < units; u += TURNERS)
                turn_16(r.v + s * moved::K, r.t + s * moved::K, u / 4, u % 4);
            ptx_fence_async();
            __syncwarp(); /* the warp's share is there */
            done_with(&b.v_empty[s]);
            done_with(&r.of->full[s]);
        }
    }
}

/* ---- a group multiplies ---- */

struct byte_state {
    uint32_t p[KEYS / FP8_DEEP][4];
    float s[KEYS / 2], o[WHOLE / 2];
    struct online of;
    int group;
};

static __device__ __forceinline__ void
start_byte_scores(byte_state &x, const bytes_space &r, int n, int place)
{
    const uint64_t q =
        wgmma_tile(r.q + place * moved::Q + x.group * WGMMA_HIGH * ROW);
    const uint64_t k = wgmma_tile(r.k + n % SLOTS * moved::K);

#pragma unroll
    for (int e = 0; e < WHOLE / FP8_DEEP; e++)
        wgmma_fp8(x.s, wgmma_along(q, e), wgmma_along(k, e), e > 0);
}

static __device__ __forceinline__ void
start_byte_values(byte_state &x, const bytes_space &r, int n)
{
    const uint64_t v = wgmma_tile(r.t + n % SLOTS * moved::K);

#pragma unroll
    for (int e = 0; e < KEYS / FP8_DEEP; e++)
        wgmma_fp8_held(x.o, x.p[e], wgmma_along(v, e));
}

/* Of soften(): weights are raised by 2^RAISED, and the sum of them with them.
 */
static __device__ __forceinline__ void soften_raised(float (&s)[KEYS / 2],
                                                     float scale,
                                                     struct online &o,
                                                     float (&back)[2])
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float most = o.top[h], by, part = 0;

#pragma unroll
        for (int i = 2 * h; i < KEYS / 2; i += 4)
            most = fmaxf(most, fmaxf(s[i], s[i + 1]));
        most = over_four(most, false);
        by = (most == -INFINITY ? 0 : most * scale) - RAISED;
        back[h] = ptx_exp2(o.top[h] * scale - (by + RAISED));
#pragma unroll
        for (int i = 2 * h; i < KEYS / 2; i += 4) {
            s[i] = ptx_exp2(s[i] * scale - by);
            s[i + 1] = ptx_exp2(s[i + 1] * scale - by);
            part += s[i] + s[i + 1];
        }
        o.top[h] = most;
        o.sum[h] = o.sum[h] * back[h] + part;
    }
}

/* Weights of 16 keys and both rows: as turn_16() has the keys. */
static __device__ __forceinline__ void
pack_bytes(uint32_t (&p)[KEYS / FP8_DEEP][4], const float (&s)[KEYS / 2])
{
#pragma unroll
    for (int j = 0; j < KEYS / BESIDE; j++)
#pragma unroll
        for (int h = 0; h < 2; h++)
            p[j / 2][j % 2 * 2 + h] =
                e4m3_four(s[8 * j + 2 * h], s[8 * j + 2 * h + 1],
                          s[8 * j + 2 * h + 4], s[8 * j + 2 * h + 5]);
}

/* Hides what the thread's queries do not see of the first tile to come. */
static __device__ __forceinline__ void
hide_bytes(byte_state &x, const attention &a, const piece &w)
{
    const int row =
        w.first + threadIdx.x / WARP * PART + threadIdx.x % WARP / 4;
    const int key = (w.tiles - 1) * KEYS;

    hide(x.s, seen_by(a, row) - key, seen_by(a, row + 8) - key);
}

/* The weights of a piece's first tile. */
static __device__ __forceinline__ void
begin_bytes(byte_state &x, const bytes_space &r, const attention &a,
            const piece &w, int n, int place)
{
    ring &b = *r.b;
    float back[2];

    x.of = online_begin();
#pragma unroll
    for (int e = 0; e < WHOLE / 2; e++)
        x.o[e] = 0;
    ptx_mbar_wait(&b.k_full[n % SLOTS], parity(n));
    turn_wait<moved>(x.group);
    wgmma_begin();
    start_byte_scores(x, r, n, place);
    wgmma_commit();
    turn_pass<moved>(x.group);
    wgmma_wait<0>();
    wgmma_landed(x.s);
    done_with(&b.k_empty[n % SLOTS]);
    hide_bytes(x, a, w);
    soften_raised(x.s, b.scale, x.of, back);
    pack_bytes(x.p, x.s);
    wgmma_ready(x.p);
    wgmma_ready(x.o);
}

/* The tile behind tile n. */
static __device__ __forceinline__ void
go_on_bytes(byte_state &x, const bytes_space &r, int n, int place)
{
    ring &b = *r.b;
    float back[2];

    // ANCHOR: inner
    ptx_mbar_wait(&b.k_full[(n + 1) % SLOTS], parity(n + 1));
    ptx_mbar_wait(&r.of->full[n % SLOTS], parity(n));
    turn_wait<moved>(x.group);
    wgmma_begin();
    start_byte_scores(x, r, n + 1, place);
    wgmma_commit();
    start_byte_values(x, r, n);
    wgmma_commit();
    turn_pass<moved>(x.group);
    wgmma_wait<1>(); /* the scores are there */
    wgmma_landed(x.s);
    done_with(&b.k_empty[(n + 1) % SLOTS]);
    soften_raised(x.s, read_behind(&b.scale), x.of, back);
    wgmma_settled(x.of.sum[0], x.of.sum[1], &b.spare);
    wgmma_wait<0>();
    wgmma_landed(x.o);
    done_with(&r.of->empty[n % SLOTS]);
    scale_rows(x.o, back);
    pack_bytes(x.p, x.s);
    // ANCHOR_END: inner
    wgmma_ready(x.o);
    wgmma_ready(x.p);
}

/* The product of the last tile's weights, and the outputs. */
static __device__ __forceinline__ void
end_bytes(byte_state &x, const bytes_space &r, const attention &a,
          const piece &w, int &n, float scale)
{
    ptx_mbar_wait(&r.of->full[n % SLOTS], parity(n));
    turn_wait<moved>(x.group);
    wgmma_begin();
    start_byte_values(x, r, n);
    wgmma_commit();
    turn_pass<moved>(x.group);
    wgmma_wait<0>();
    wgmma_landed(x.o);
    done_with(&r.of->empty[n % SLOTS]);
    n++;
#pragma unroll
    for (int e = 0; e < WHOLE / 2; e++)
        x.o[e] *= scale;
    put_rows<WHOLE>(a, w.first + threadIdx.x / WARP * PART, w.h, x.o, x.of);
}

/* A group: all pieces. */
static __device__ __forceinline__ void multiply_bytes(byte_state &x,
                                                      const bytes_space &r,
                                                      const attention &a,
                                                      const float *scales)
{
    int number;

    for (int i = 0, n = 0; (number = drawn<moved>(*r.b, i)) < pieces<moved>(a);
         i++) {
        const piece w = piece_number<moved>(a, number);
        const int place = i % moved::PLACES;
        const float scale = scales[w.h / a.group];

        n = uniform(n);
        begin_bytes(x, r, a, w, n, place);
        for (int j = 1; j < w.tiles; j++, n++)
            go_on_bytes(x, r, n, place);
        done_with(&r.b->q_empty[place]);
        end_bytes(x, r, a, w, n, scale);
    }
}

#endif
