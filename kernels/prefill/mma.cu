/*
 * prefill/mma - tensor cores, and weights that never leave a warp.
 *
 * O = softmax(scale Q K') V.
 *
 * The instruction mma.m16n8k16 does 2048 multiply-adds at once, in bf16 with
 * sums in f32. A warp has 16 queries and goes through all keys with them, 64 at
 * a time: no other warp has a part of its rows. So maxima and sums are agreed
 * on by two shuffles among four lanes, and the weights of one product are the
 * left operand of the next where they are, in registers. That is what
 * FlashAttention-2 changed (arXiv 2307.08691, section 3.3).
 *
 * Rows in shared memory have 16 bytes more than they need, so that eight rows
 * of a chunk begin in eight different groups of four banks.
 *
 * Nobody multiplies while a tile is loaded, and the powers of a tile wait for
 * its first product. Only other blocks on the SM fill these gaps: two of them
 * fit, three with heads of 64.
 *
 * Predicts: 8 times prefill/tiled, 130 to 220 TFLOP/s.
 */
#include "kernels/prefill/mma.cuh"

enum {
    HIGH = 64, /* queries of a block: a warp has 16 */
    THREADS = HIGH / 16 * WARP,
};

template <int D> struct tiles {
    uint16_t k[SIDE][D + WIDTH], v[SIDE][D + WIDTH];
};

/* SIDE rows of D elements; those from `rows` on are zeros. */
template <int D>
static __device__ __forceinline__ void
place(uint16_t (*to)[D + WIDTH], const uint16_t *from, size_t next, int rows)
{
#pragma unroll
    for (int i = 0; i < SIDE * D / WIDTH / THREADS; i++) {
        const int v = threadIdx.x + i * THREADS;
        const int row = v / (D / WIDTH), e = v % (D / WIDTH) * WIDTH;

        *(uint4 *)&to[row][e] = row < rows
                                    ? *(const uint4 *)(from + row * next + e)
                                    : make_uint4(0, 0, 0, 0);
    }
}

template <int D>
static __global__ void __launch_bounds__(THREADS, D == 64 ? 3 : 2)
    mma(struct attention a)
{
    extern __shared__ __align__(16) char shared[];
    tiles<D> &t = *(tiles<D> *)shared;
    const int h = blockIdx.y, first = blockIdx.x * HIGH;
    const int mine = threadIdx.x / WARP * 16; /* the warp's queries */
    const int row = first + mine + threadIdx.x % WARP / 4;
    const int end = seen_by(a, first + HIGH - 1), whole = seen_by(a, first);
    const float scale = a.scale * 1.44269504f; /* log2(e) */
    const auto k_at = [&](int r, int e) { return &t.k[r][e]; };
    const auto v_at = [&](int r, int e) { return &t.v[r][e]; };
    uint32_t q[D / 16][1][4];
    float o[1][D / 2] = {};
    struct online of = online_begin();

    place<D>(t.k, a.q + row_of<D>(a, first, h), row_of<D>(a, 1, 0),
             a.l - first);
    __syncthreads(); /* the queries are there */
#pragma unroll
    for (int e = 0; e < D / 16; e++)
        queries(q[e][0], k_at, mine, e * 16);
    // ANCHOR: inner
    for (int j = 0; j < end; j += SIDE) {
        float s[1][SIDE / 2] = {}, back[2];

        __syncthreads(); /* nobody needs the last tiles any more */
        place<D>(t.k, a.k + key_of<D>(a, j, h), key_of<D>(a, 1, 0), a.l - j);
        place<D>(t.v, a.v + key_of<D>(a, j, h), key_of<D>(a, 1, 0), a.l - j);
        __syncthreads(); /* the tiles are whole */
#pragma unroll
        for (int e = 0; e < D / 16; e++)
            multiply_keys(s, q[e], k_at, e * 16);
        if (j + SIDE > whole) /* some query does not see all of this tile */
            hide(s[0], seen_by(a, row) - j, seen_by(a, row + 8) - j);
        soften(s[0], scale, of, back);
        scale_rows(o[0], back);
        multiply_values<D>(o, s, v_at);
    }
    // ANCHOR_END: inner
    put_rows<D>(a, first + mine, h, o[0], of);
}

template <int D> static int start(const struct attention &a, cudaStream_t to)
{
    const int bytes = sizeof(tiles<D>);
    const int error = cudaFuncSetAttribute(
        mma<D>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);

    if (error)
        return error;
    mma<D><<<dim3(ceil_div(a.l, HIGH), a.heads), THREADS, bytes, to>>>(a);
    return cudaGetLastError();
}

extern "C" int prefill_mma(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *)
{
    const struct attention a = attention_of(c, buf);

    return prefill_num(c, "d") == 64 ? start<64>(a, (cudaStream_t)env->stream)
                                     : start<128>(a, (cudaStream_t)env->stream);
}
