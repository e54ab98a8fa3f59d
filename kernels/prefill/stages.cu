/*
 * prefill/stages - the next keys arrive while these are multiplied.
 *
 * O = softmax(scale Q K') V.
 *
 * prefill/mma loads, waits, multiplies, waits. cp.async copies 16 bytes from
 * global to shared memory and lets the thread go on. So there are two slots:
 * while a block multiplies one tile of keys and values, the next is on its way.
 * One barrier a step says both that the tile has come for all threads and that
 * the other slot is free.
 *
 * Two slots with padded rows would leave room for two blocks. Here chunk c of
 * row r lies at place c ^ (r mod 8): no gaps, and still eight rows of a chunk
 * lie in eight different groups of four banks.
 *
 * Predicts: 1.4 times prefill/mma, 200 to 300 TFLOP/s.
 */
#include "kernels/prefill/mma.cuh"

enum {
    HIGH = 64, /* queries of a block: a warp has 16 */
    THREADS = HIGH / 16 * WARP,
    SLOTS = 2,
};

/* SIDE rows of D elements, swizzled. */
template <int D> struct rows {
    uint16_t of[SIDE][D];

    __device__ uint16_t *at(int row, int e)
    {
        return &of[row][(e / WIDTH ^ row % 8) * WIDTH];
    }
};

template <int D> struct slot {
    rows<D> k, v;
};

/* Starts the copies of a thread; rows from `last` on are zeros. */
template <int D>
static __device__ __forceinline__ void place(rows<D> &to, const uint16_t *from,
                                             size_t next, int last)
{
#pragma unroll
    for (int i = 0; i < SIDE * D / WIDTH / THREADS; i++) {
        const int v = threadIdx.x + i * THREADS;
        const int row = v / (D / WIDTH), e = v % (D / WIDTH) * WIDTH;

        ptx_copy_16(to.at(row, e), row < last ? from + row * next + e : from,
                    row < last);
    }
}

template <int D>
static __global__ void __launch_bounds__(THREADS, D == 64 ? 3 : 2)
    stages(struct attention a)
{
    extern __shared__ __align__(128) char shared[];
    slot<D> *const ring = (slot<D> *)shared;
    const int h = blockIdx.y, first = blockIdx.x * HIGH;
    const int mine = threadIdx.x / WARP * 16; /* the warp's queries */
    const int row = first + mine + threadIdx.x % WARP / 4;
    const int end = seen_by(a, first + HIGH - 1), whole = seen_by(a, first);
    const float scale = a.scale * 1.44269504f; /* log2(e) */
    const auto ask = [&](int j) {
        slot<D> &to = ring[j / SIDE % SLOTS];

        if (j < end) {
            place(to.k, a.k + key_of<D>(a, j, h), key_of<D>(a, 1, 0), a.l - j);
            place(to.v, a.v + key_of<D>(a, j, h), key_of<D>(a, 1, 0), a.l - j);
        }
        ptx_copies_commit();
    };
    uint32_t q[D / 16][1][4];
    float o[1][D / 2] = {};
    struct online of = online_begin();

    place(ring[1].k, a.q + row_of<D>(a, first, h), row_of<D>(a, 1, 0),
          a.l - first);
    ptx_copies_commit();
    ask(0);
    ptx_copies_wait<1>();
    __syncthreads(); /* the queries are there */
#pragma unroll
    for (int e = 0; e < D / 16; e++)
        queries(
            q[e][0], [&](int r, int i) { return ring[1].k.at(r, i); }, mine,
            e * 16);
    // ANCHOR: inner
    for (int j = 0; j < end; j += SIDE) {
        slot<D> &now = ring[j / SIDE % SLOTS];
        const auto k_at = [&](int r, int e) { return now.k.at(r, e); };
        const auto v_at = [&](int r, int e) { return now.v.at(r, e); };
        float s[1][SIDE / 2] = {}, back[2];

        ptx_copies_wait<0>();
        __syncthreads(); /* the tile has come, and the other slot is free */
        ask(j + SIDE);
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
    const int bytes = SLOTS * sizeof(slot<D>);
    const int error = cudaFuncSetAttribute(
        stages<D>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);

    if (error)
        return error;
    stages<D><<<dim3(ceil_div(a.l, HIGH), a.heads), THREADS, bytes, to>>>(a);
    return cudaGetLastError();
}

extern "C" int prefill_stages(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    const struct attention a = attention_of(c, buf);

    return prefill_num(c, "d") == 64 ? start<64>(a, (cudaStream_t)env->stream)
                                     : start<128>(a, (cudaStream_t)env->stream);
}
