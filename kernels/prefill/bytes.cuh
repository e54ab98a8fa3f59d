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
    WHOLE = 128,   /* elements of a head */
    ROW = 128,     /* bytes of a row in a tile */
    TURNERS = 3,   /* warps that turn values */
    BESIDE = 16,   /* keys that are turned at once */
    BRING = 40,    /* registers of a thread that brings or turns tiles */
    MULTIPLY = 232 /* and of one that multiplies */
};

/* Of pairs of elements; tiles of values have so many bytes when turned. Weights
 * are raised, close to the largest e4m3: by 2^8; or by 2^4, and a maximum is
 * good enough for weights of 2^4. */
template <int KEYS, bool LAZY_ = false>
struct byte_tiles : tiles<WHOLE / 2, 2, KEYS, 2> {
    enum {
        LAZY = LAZY_,
        RAISED = LAZY ? 4 : 8,
        T_PANEL = WHOLE * ROW, /* of 128 keys */
        TURNED = (KEYS + ROW - 1) / ROW * T_PANEL,
    };
};

/* Behind the ring: turned tiles, and what they are waited for. */
struct turned {
    uint64_t full[SLOTS], empty[SLOTS];
};

template <class T> struct bytes_space : space<T> {
    char *t;
    turned *of;

    __device__ bytes_space(char *raw) : space<T>(raw)
    {
        t = (char *)(this->b + 1);
        t += -ptx_smem(t) & (TENSOR_MAP_ALIGN - 1);
        of = (turned *)(t + SLOTS * T::TURNED);
    }
};

template <class T> struct more {
    enum { BYTES = TENSOR_MAP_ALIGN + SLOTS * T::TURNED + sizeof(turned) };
};

/* Turners look at a piece, and read values in place of groups. */
template <class T>
static __device__ __forceinline__ void bytes_init(const bytes_space<T> &r,
                                                  const attention &a)
{
    ring &b = *r.b;

    b.scale = a.scale * 1.44269504f;
    for (int i = 0; i < SLOTS; i++) {
        ptx_mbar_init(&b.q_full[i], 1);
        ptx_mbar_init(&b.q_empty[i], T::WARPS + TURNERS);
        ptx_mbar_init(&b.k_full[i], 1);
        ptx_mbar_init(&b.k_empty[i], T::WARPS);
        ptx_mbar_init(&b.v_full[i], 1);
        ptx_mbar_init(&b.v_empty[i], TURNERS);
        ptx_mbar_init(&r.of->full[i], TURNERS);
        ptx_mbar_init(&r.of->empty[i], T::WARPS);
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
 * Turns 16 keys by 32 elements, both numbered by these; the keys go to `chunk`
 * of each row. Lane 4g + t gets of
 * keys 2t, 2t + 1, 2t + 8 and 2t + 9 elements 2g and 2g + 1, and writes the
 * four keys side by side: place 4t to 4t + 3 of their element's row. That is
 * where a lane has its weights of these keys, so the sums of a product are the
 * next one's operand with no exchange.
 */
static __device__ __forceinline__ void turn_16(char *from, char *to, int keys,
                                               int chunk, int elements)
{
    const int lane = threadIdx.x % WARP, of = lane / 8;
    uint32_t v[4], w[4];

    ptx_ldmatrix_turned(
        v, chunk_of(from, keys * BESIDE + lane % 16, elements * 2 + lane / 16));
    w[0] = bytes_of(v[0], v[1], 0x6420);
    w[1] = bytes_of(v[0], v[1], 0x7531);
    w[2] = bytes_of(v[2], v[3], 0x6420);
    w[3] = bytes_of(v[2], v[3], 0x7531);
    ptx_stmatrix(chunk_of(to,
                          elements * 32 + of / 2 * 16 + lane % 8 * 2 + of % 2,
                          chunk),
                 w);
}
// ANCHOR_END: turn

/* A warp's share of all tiles of all pieces. */
template <class T>
static __device__ __forceinline__ void turn_all(const bytes_space<T> &r,
                                                const attention &a, int warp)
{
    const int units = T::KEYS / BESIDE * (WHOLE / 32);
    ring &b = *r.b;
    int number;

    for (int i = 0, n = 0; (number = drawn<T>(b, i)) < pieces<T>(a); i++) {
        const piece w = piece_number<T>(a, number);

        done_with(&b.q_empty[i % T::PLACES]);
        for (int end = n + w.tiles; n < end; n++) {
            const int s = n % SLOTS;

            ptx_mbar_wait(&b.v_full[s], parity(n));
            ptx_mbar_wait(&r.of->empty[s], !parity(n));
#pragma unroll 4
            for (int u = warp; u < units; u += TURNERS) {
                const int keys = u / 4,
                          panel = (int)T::KEYS > ROW ? keys / 8 : 0;

                turn_16(r.v + s * T::K,
                        r.t + s * T::TURNED + panel * T::T_PANEL, keys,
                        keys - 8 * panel, u % 4);
            }
            ptx_fence_async();
            __syncwarp(); /* the warp's share is there */
            done_with(&b.v_empty[s]);
            done_with(&r.of->full[s]);
        }
    }
}

/* ---- a group multiplies ---- */

template <class T> struct byte_state {
    uint32_t p[T::KEYS / FP8_DEEP][4];
    float s[T::KEYS / 2], o[WHOLE / 2];
    struct online of;
    int group;
};

template <class T>
static __device__ __forceinline__ void
start_byte_scores(byte_state<T> &x, const bytes_space<T> &r, int n, int place)
{
    const uint64_t q =
        wgmma_tile(r.q + place * T::Q + x.group * WGMMA_HIGH * ROW);
    const uint64_t k = wgmma_tile(r.k + n % SLOTS * T::K);

#pragma unroll
    for (int e = 0; e < WHOLE / FP8_DEEP; e++)
        wgmma_fp8(x.s, wgmma_along(q, e), wgmma_along(k, e), e > 0);
}

template <class T>
static __device__ __forceinline__ void
start_byte_values(byte_state<T> &x, const bytes_space<T> &r, int n)
{
    const uint64_t v = wgmma_tile(r.t + n % SLOTS * T::TURNED);

#pragma unroll
    for (int e = 0; e < T::KEYS / FP8_DEEP; e++)
        wgmma_fp8_held(x.o, x.p[e],
                       wgmma_along(v + (e / 4 * T::T_PANEL >> 4), e % 4));
}

/* Of soften(): weights are raised by 2^RAISED, and the sum of them with them.
 */
template <int RAISED, int S>
static __device__ __forceinline__ void
soften_raised(float (&s)[S], float scale, struct online &o, float (&back)[2])
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float most = o.top[h], by, part = 0;

#pragma unroll
        for (int i = 2 * h; i < S; i += 4)
            most = fmaxf(most, fmaxf(s[i], s[i + 1]));
        most = over_four(most, false);
        by = (most == -INFINITY ? 0 : most * scale) - RAISED;
        back[h] = ptx_exp2(o.top[h] * scale - (by + RAISED));
#pragma unroll
        for (int i = 2 * h; i < S; i += 4) {
            s[i] = ptx_exp2(s[i] * scale - by);
            s[i + 1] = ptx_exp2(s[i + 1] * scale - by);
            part += s[i] + s[i + 1];
        }
        o.top[h] = most;
        o.sum[h] = o.sum[h] * back[h] + part;
    }
}

/* Weights of 16 keys and both rows: as turn_16() has the keys. */
template <int N>
static __device__ __forceinline__ void pack_bytes(uint32_t (&p)[N][4],
                                                  const float (&s)[N * 16])
{
#pragma unroll
    for (int j = 0; j < 2 * N; j++)
#pragma unroll
        for (int h = 0; h < 2; h++)
            p[j / 2][j % 2 * 2 + h] =
                e4m3_four(s[8 * j + 2 * h], s[8 * j + 2 * h + 1],
                          s[8 * j + 2 * h + 4], s[8 * j + 2 * h + 5]);
}

/* Hides what the thread's queries do not see of tile i to come. */
template <class T>
static __device__ __forceinline__ void
hide_bytes(byte_state<T> &x, const attention &a, const piece &w, int i)
{
    const int row =
        w.first + threadIdx.x / WARP * PART + threadIdx.x % WARP / 4;
    const int key = (w.tiles - 1 - i) * T::KEYS;

    hide(x.s, seen_by(a, row) - key, seen_by(a, row + 8) - key);
}

/* The weights of a piece's first tile. */
template <class T>
static __device__ __forceinline__ void
begin_bytes(byte_state<T> &x, const bytes_space<T> &r, const attention &a,
            const piece &w, int n, int place)
{
    ring &b = *r.b;
    float back[2];

    x.of = online_begin();
#pragma unroll
    for (int e = 0; e < WHOLE / 2; e++)
        x.o[e] = 0;
    ptx_mbar_wait(&b.k_full[n % SLOTS], parity(n));
    turn_wait<T>(x.group);
    wgmma_begin();
    start_byte_scores(x, r, n, place);
    wgmma_commit();
    turn_pass<T>(x.group);
    wgmma_wait<0>();
    wgmma_landed(x.s);
    done_with(&b.k_empty[n % SLOTS]);
    hide_bytes(x, a, w, 0);
    soften_raised<T::RAISED>(x.s, b.scale, x.of, back);
    pack_bytes(x.p, x.s);
    wgmma_ready(x.p);
    wgmma_ready(x.o);
}

/* Tile i to come, which is not the first; n is the tile before. */
template <class T>
static __device__ __forceinline__ void
go_on_bytes(byte_state<T> &x, const bytes_space<T> &r, const attention &a,
            const piece &w, int n, int i, bool hides, int place)
{
    ring &b = *r.b;
    float back[2];

    // ANCHOR: inner
    ptx_mbar_wait(&b.k_full[(n + 1) % SLOTS], parity(n + 1));
    ptx_mbar_wait(&r.of->full[n % SLOTS], parity(n));
    turn_wait<T>(x.group);
    wgmma_begin();
    start_byte_scores(x, r, n + 1, place);
    wgmma_commit();
    start_byte_values(x, r, n);
    wgmma_commit();
    turn_pass<T>(x.group);
    wgmma_wait<1>(); /* the scores are there */
    wgmma_landed(x.s);
    done_with(&b.k_empty[(n + 1) % SLOTS]);
    if (hides)
        hide_bytes(x, a, w, i);
    if (T::LAZY) {
        if (__any_sync(0xffffffffu,
                       soften_lazily<T::RAISED, T::RAISED>(
                           x.s, read_behind(&b.scale), x.of, back,
                           [](float e, int) { return ptx_exp2(e); }))) {
            wgmma_wait<0>();
            wgmma_landed(x.o);
            scale_rows(x.o, back);
        }
    } else {
        soften_raised<T::RAISED>(x.s, read_behind(&b.scale), x.of, back);
        wgmma_settled(x.of.sum[0], x.of.sum[1], &b.spare);
    }
    wgmma_wait<0>();
    wgmma_landed(x.o);
    done_with(&r.of->empty[n % SLOTS]);
    if (!T::LAZY)
        scale_rows(x.o, back);
    pack_bytes(x.p, x.s);
    // ANCHOR_END: inner
    wgmma_ready(x.o);
    wgmma_ready(x.p);
}

/* The product of the last tile's weights, and the outputs. */
template <class T>
static __device__ __forceinline__ void
end_bytes(byte_state<T> &x, const bytes_space<T> &r, const attention &a,
          const piece &w, int &n, float scale)
{
    ptx_mbar_wait(&r.of->full[n % SLOTS], parity(n));
    turn_wait<T>(x.group);
    wgmma_begin();
    start_byte_values(x, r, n);
    wgmma_commit();
    turn_pass<T>(x.group);
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
template <class T>
static __device__ __forceinline__ void
multiply_bytes(byte_state<T> &x, const bytes_space<T> &r, const attention &a,
               const float *scales)
{
    int number;

    for (int i = 0, n = 0; (number = drawn<T>(*r.b, i)) < pieces<T>(a); i++) {
        const piece w = piece_number<T>(a, number);
        const int place = i % T::PLACES;
        const float scale = scales[w.h / a.group];

        int j = 1;

        n = uniform(n);
        begin_bytes(x, r, a, w, n, place);
        if (T::HIGH % T::KEYS != 0) /* the diagonal runs through two tiles */
            for (; j < w.hidden; j++, n++)
                go_on_bytes(x, r, a, w, n, j, true, place);
        for (; j < w.tiles; j++, n++)
            go_on_bytes(x, r, a, w, n, j, false, place);
        done_with(&r.b->q_empty[place]);
        end_bytes(x, r, a, w, n, scale);
    }
}

/* What the threads of a block do. */
template <class T>
static __device__ __forceinline__ void
byte_pieces(const attention &a, const bytes_space<T> &r, const float *scales,
            const CUtensorMap *q_map, const CUtensorMap *k_map,
            const CUtensorMap *v_map, struct tickets *t)
{
    const int group = uniform(threadIdx.x / WGMMA_GROUP);
    const int warp = uniform(threadIdx.x % WGMMA_GROUP / WARP);

    if (threadIdx.x == 0)
        bytes_init(r, a);
    __syncthreads(); /* the barriers are ready */
    if (group < T::GROUPS) {
        byte_state<T> x;

        wgmma_take_registers<MULTIPLY>();
        x.group = group;
        turns_begin<T>(group);
        multiply_bytes(x, r, a, scales);
        return;
    }
    wgmma_give_registers<BRING>();
    if (warp > 0)
        turn_all(r, a, warp - 1);
    else if (threadIdx.x % WARP == 0)
        fetch_drawn<T>(r, q_map, k_map, v_map, a, t);
}

/* ---- the host's part ---- */

/* Two neighbours are one element. */
static inline struct kernel_case pairs_of(const struct kernel_case *c)
{
    struct kernel_case half = *c;

    for (int i = 0; i < half.nparams; i++)
        if (strcmp(half.param[i].name, "d") == 0)
            half.param[i].num /= 2;
    return half;
}

#endif
