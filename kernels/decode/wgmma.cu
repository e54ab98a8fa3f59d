/*
 * decode/wgmma - the tensor cores' own instruction, for 64 queries of which
 * there are four.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * wgmma is the only way to the full rate of Hopper's tensor cores. A product
 * has 64 rows; here they are heads, and sixty of them are zeros. Keys and
 * values are read where the TMA has put them, with no ldmatrix, and a tile of
 * 64 keys takes eight products and four. All four warps start them together and
 * wait for them together. The first warp has all heads that there are, so it
 * alone makes weights, and the others have weights of zero.
 *
 * It is a red herring, put down beforehand: an intensity of four FLOP a byte is
 * far below the ridge, and decode/swap, with half of the products, gained
 * nothing. The rest is decode/waves.
 *
 * Predicts: memory is the limit. 0.90 to 1.03 times the bandwidth of
 * decode/waves with 32 sequences of 8192 keys. It may be less, since products
 * and weights now stand one after the other for the whole block.
 */
#include "kernels/decode/share.cuh"
#include "kernels/prefill/wgmma.cuh"

enum {
    Q_PANEL = WGMMA_HIGH * TENSOR_MAP_PANEL, /* 64 elements of 64 queries */
    Q_BYTES = ACROSS * Q_PANEL,
};

/* What a thread holds: sums and weights of two rows, as struct held. */
struct padded {
    float o[DEEP / 2];
    struct weight all[2];
};

/* Those that multiply: the queries of a row to shared memory, as the TMA would
 * leave them, with zeros behind; nobody needs those of the row before. */
static __device__ __forceinline__ void
begin(padded &x, char *q, const attention &a, const struct row &r)
{
    for (int i = threadIdx.x; i < Q_BYTES / 16; i += BESIDE) {
        const int head = i / (DEEP / WIDTH), chunk = i % (DEEP / WIDTH);
        char *const to = q + chunk / CHUNKS * Q_PANEL +
                         head * TENSOR_MAP_PANEL +
                         (chunk % CHUNKS ^ head % 8) * 16;

        *(uint4 *)to =
            head < r.heads
                ? *(const uint4 *)(a.q + (size_t)query_of(a, r, head) * DEEP +
                                   chunk * WIDTH)
                : make_uint4(0, 0, 0, 0);
    }
    ptx_fence_async();
#pragma unroll
    for (int i = 0; i < DEEP / 2; i++)
        x.o[i] = 0;
    x.all[0] = x.all[1] = {-INFINITY, 0};
    ptx_sync_some(ALL_MULTIPLY, BESIDE); /* the queries are there */
}

/* Zeros in place of values that there are not: NaN times zero is NaN. Those
 * that multiply. */
static __device__ __forceinline__ void clear_behind(char *v, int keys)
{
    const int from = keys * TENSOR_MAP_PANEL;

    for (int panel = 0; panel < ACROSS; panel++)
        for (int at = from + threadIdx.x * 16; at < PANEL_BYTES;
             at += BESIDE * 16)
            *(uint4 *)(v + panel * PANEL_BYTES + at) = make_uint4(0, 0, 0, 0);
    ptx_fence_async();
    ptx_sync_some(ALL_MULTIPLY, BESIDE); /* the zeros are there */
}

// ANCHOR: weights
/* The warp with the heads: scores of 64 keys, of which `left` are there, become
 * weights. s[4c + 2h + i] is of row g + 8 h and key 8 c + 2 t + i. */
static __device__ __forceinline__ void weigh(float (&s)[SIDE / 2], float scale,
                                             int left, struct weight (&all)[2],
                                             float (&back)[2])
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float most = -INFINITY, sum = 0;

#pragma unroll
        for (int i = 0; i < SIDE / 4; i++) {
            const int key = i / 2 * 8 + threadIdx.x % 4 * 2 + i % 2;
            float &w = s[i / 2 * 4 + 2 * h + i % 2];

            w = key < left ? w * scale : -INFINITY;
            most = fmaxf(most, w);
        }
        most = fmaxf(all[h].top, over_four(most, false));
        const float base = base_of(most);

        back[h] = ptx_exp2(all[h].top - base);
#pragma unroll
        for (int i = 0; i < SIDE / 4; i++) {
            float &w = s[i / 2 * 4 + 2 * h + i % 2];

            w = ptx_exp2(w - base);
            sum += w;
        }
        all[h] = {most, all[h].sum * back[h] + sum};
    }
}
// ANCHOR_END: weights

// ANCHOR: multiply
/* Those that multiply: tile number i to come, of which `keys` are there. */
template <int SLOTS, int ROWS>
static __device__ __forceinline__ void take(const room<SLOTS, ROWS> &now,
                                            padded &x, const char *q,
                                            float scale, int i, int keys)
{
    char *const k = now.tile + i % SLOTS * TILE;
    char *const v = k + ACROSS * PANEL_BYTES;
    float s[SIDE / 2], back[2] = {1, 1};
    uint32_t p[SIDE / WGMMA_DEEP][4] = {};

    ptx_mbar_wait(&now.full[i % SLOTS], i / SLOTS & 1);
    wgmma_begin();
#pragma unroll
    for (int e = 0; e < DEEP / WGMMA_DEEP; e++)
        wgmma_bf16(s, wgmma_along(wgmma_tile(q + e / 4 * Q_PANEL), e % 4),
                   wgmma_along(wgmma_tile(k + e / 4 * PANEL_BYTES), e % 4),
                   e > 0);
    wgmma_commit();
    if (keys < SIDE)
        clear_behind(v, keys);
    wgmma_wait<0>();
    wgmma_landed(s);
    if (threadIdx.x < WARP) {
        weigh(s, scale, keys, x.all, back);
#pragma unroll
        for (int j = 0; j < SIDE / WGMMA_DEEP; j++)
#pragma unroll
            for (int n = 0; n < 4; n++)
                p[j][n] = bf16_pair(s[8 * j + 2 * n], s[8 * j + 2 * n + 1]);
    }
#pragma unroll
    for (int n = 0; n < DEEP / 2; n++)
        x.o[n] *= back[n / 2 % 2];
    wgmma_ready(x.o);
    wgmma_ready(p);
    wgmma_begin();
#pragma unroll
    for (int j = 0; j < SIDE / WGMMA_DEEP; j++)
        wgmma_held(x.o, p[j],
                   wgmma_values_along(wgmma_values(v, PANEL_BYTES), j));
    wgmma_commit();
    wgmma_wait<0>();
    wgmma_landed(x.o);
    __syncwarp();
    if (threadIdx.x % WARP == 0)
        ptx_mbar_arrive(&now.empty[i % SLOTS]);
}
// ANCHOR_END: multiply

/* A warp: its sums to shared memory. Those of all but the first are zeros. */
template <int ROWS>
static __device__ __forceinline__ void show(warp_parts<ROWS> &to,
                                            const padded &x)
{
    held all;

#pragma unroll
    for (int i = 0; i < DEEP / 2; i++)
        all.o[i] = x.o[i];
    all.all[0] = x.all[0];
    all.all[1] = x.all[1];
    show(to, all);
}

/* Those that multiply: a row of the share, as multiply_row(). */
template <int SLOTS, int ROWS>
static __device__ __forceinline__ void
multiply_padded(const attention &a, const room<SLOTS, ROWS> &now, char *q,
                const struct share &s, const left &to, const struct place &p,
                int n, int count)
{
    const int number = p.sequence * rows_of<ROWS>(a) + p.row;
    const struct row r = row_of(a, number, ROWS);
    const int begins = s.begin + count - p.tile;
    const int first = block_of(s, begins);
    const int parts = block_of(s, begins + p.tiles - 1) - first + 1;
    padded x;

    begin(x, q, a, r);
    for (int i = 0; i < n; i++)
        take(now, x, q, a.scale, count + i, p.keys - (p.tile + i) * SIDE);
    ptx_sync_some(ALL_MULTIPLY, BESIDE); /* nobody reads the sums before */
    show(*now.sums, x);
    ptx_sync_some(ALL_MULTIPLY, BESIDE); /* the sums of all warps are there */
    finish<ROWS>(
        a, r, *now.sums, to.places, parts, (int)blockIdx.x - first,
        [&](int i) { return 2 * (first + i) + (i == 0); }, to.count + number);
}

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 1)
    wgmma(struct attention a, const __grid_constant__ maps m, left to)
{
    extern __shared__ char raw[];
    const int SLOTS = slots_beside<ROWS>;
    char *const q = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
    const room<SLOTS, ROWS> now(q + Q_BYTES);
    const struct share s = share_of<ROWS>(a);

    each_row<ROWS>(a, s, [&](const struct place &p, int n, int count) {
        if (fetches())
            fetch_row(a, now, m, p, n, count);
        else
            multiply_padded(a, now, q, s, to, p, n, count);
    });
}

template <int ROWS>
static int start(const attention &a, const maps &m,
                 const struct kernel_env *env, void *scratch)
{
    const int shared = Q_BYTES + room<slots_beside<ROWS>, ROWS>::SHARED;
    const int error = with_room(wgmma<ROWS>, shared);

    if (error)
        return error;
    wgmma<ROWS><<<env->sms, THREADS, shared, (cudaStream_t)env->stream>>>(
        a, m, left_at<ROWS>(env->sms, scratch));
    return cudaGetLastError();
}

extern "C" size_t decode_wgmma_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    return left_scratch(c, env);
}

extern "C" const char *decode_wgmma_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    return maps_open(c, buf, state);
}

extern "C" int decode_wgmma(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct attention a = attention_of(c, buf);
    const maps &m = *(const maps *)state;
    void *const scratch = buf[DECODE_SCRATCH];

    return few_heads(a) ? start<8>(a, m, env, scratch)
                        : start<16>(a, m, env, scratch);
}
