/*
 * prefill/tall - 32 queries a warp, so that keys are read half as often.
 *
 * O = softmax(scale Q K') V.
 *
 * In prefill/stages a warp reads 512 bytes of keys or values with one ldmatrix
 * and has work for two mma with them. Shared memory gives 128 bytes in a cycle,
 * so that is four cycles for what tensor cores could do in three: their rate
 * for mma on this GPU is 62 % of that for wgmma (Luo et al., arXiv 2402.13499).
 * All four warps read the same keys.
 *
 * With 32 queries a warp has work for four mma. Sums then take 128 registers a
 * thread, and scores 64. So queries stay in shared memory, and are read
 * anew for each tile: two ldmatrix for four of keys.
 *
 * Predicts: 1.2 times prefill/stages, 300 to 380 TFLOP/s. This is where
 * mma.sync ends.
 */
#include "kernels/prefill/mma.cuh"

enum {
    N = 2,      /* times 16 queries of a warp */
    HIGH = 128, /* queries of a block */
    THREADS = HIGH / (N * 16) * WARP,
    SLOTS = 2,
};

/* R rows of D elements, swizzled. */
template <int R, int D> struct rows {
    uint16_t of[R][D];

    __device__ uint16_t *at(int row, int e)
    {
        return &of[row][(e / WIDTH ^ row % 8) * WIDTH];
    }
};

template <int D> struct shared_tiles {
    rows<HIGH, D> q;
    struct {
        rows<SIDE, D> k, v;
    } slot[SLOTS];
};

/* Starts the copies of a thread; rows from `last` on are zeros. */
template <int R, int D>
static __device__ __forceinline__ void
place(rows<R, D> &to, const uint16_t *from, size_t next, int last)
{
#pragma unroll
    for (int i = 0; i < R * D / WIDTH / THREADS; i++) {
        const int v = threadIdx.x + i * THREADS;
        const int row = v / (D / WIDTH), e = v % (D / WIDTH) * WIDTH;

        ptx_copy_16(to.at(row, e), row < last ? from + row * next + e : from,
                    row < last);
    }
}

/* s += Q K' for the warp's queries, from `mine` on. */
template <int D, class Q, class K>
static __device__ __forceinline__ void multiply_rows(float (&s)[N][SIDE / 2],
                                                     Q q_at, K k_at, int mine)
{
#pragma unroll 1
    for (int e = 0; e < D; e += 16) {
        uint32_t q[N][4];

#pragma unroll
        for (int n = 0; n < N; n++)
            queries(q[n], q_at, mine + n * 16, e);
        multiply_keys(s, q, k_at, e);
    }
}

template <int D>
static __global__ void __launch_bounds__(THREADS, 2) tall(struct attention a)
{
    extern __shared__ __align__(128) char shared[];
    shared_tiles<D> &t = *(shared_tiles<D> *)shared;
    const int h = blockIdx.y, first = blockIdx.x * HIGH;
    const int mine = threadIdx.x / WARP * N * 16; /* the warp's queries */
    const int row = first + mine + threadIdx.x % WARP / 4;
    const int end = seen_by(a, first + HIGH - 1), whole = seen_by(a, first);
    const float scale = a.scale * 1.44269504f; /* log2(e) */
    const auto q_at = [&](int r, int e) { return t.q.at(r, e); };
    const auto ask = [&](int j) {
        auto &to = t.slot[j / SIDE % SLOTS];

        if (j < end) {
            place(to.k, a.k + key_of<D>(a, j, h), key_of<D>(a, 1, 0), a.l - j);
            place(to.v, a.v + key_of<D>(a, j, h), key_of<D>(a, 1, 0), a.l - j);
        }
        ptx_copies_commit();
    };
    float o[N][D / 2] = {};
    struct online of[N];

#pragma unroll
    for (int n = 0; n < N; n++)
        of[n] = online_begin();
    place(t.q, a.q + row_of<D>(a, first, h), row_of<D>(a, 1, 0), a.l - first);
    ask(0);
    // ANCHOR: inner
    for (int j = 0; j < end; j += SIDE) {
        auto &now = t.slot[j / SIDE % SLOTS];
        const auto k_at = [&](int r, int e) { return now.k.at(r, e); };
        const auto v_at = [&](int r, int e) { return now.v.at(r, e); };
        float s[N][SIDE / 2] = {};

        ptx_copies_wait<0>();
        __syncthreads(); /* the tile has come, and the other slot is free */
        ask(j + SIDE);
        multiply_rows<D>(s, q_at, k_at, mine);
#pragma unroll
        for (int n = 0; n < N; n++) {
            const int i = row + n * 16;
            float back[2];

            if (j + SIDE > whole) /* some query does not see all of it */
                hide(s[n], seen_by(a, i) - j, seen_by(a, i + 8) - j);
            soften(s[n], scale, of[n], back);
            scale_rows(o[n], back);
        }
        multiply_values<D>(o, s, v_at);
    }
    // ANCHOR_END: inner
#pragma unroll
    for (int n = 0; n < N; n++)
        put_rows<D>(a, first + mine + n * 16, h, o[n], of[n]);
}

template <int D> static int start(const struct attention &a, cudaStream_t to)
{
    const int bytes = sizeof(shared_tiles<D>);
    const int error = cudaFuncSetAttribute(
        tall<D>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);

    if (error)
        return error;
    tall<D><<<dim3(ceil_div(a.l, HIGH), a.heads), THREADS, bytes, to>>>(a);
    return cudaGetLastError();
}

extern "C" int prefill_tall(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const struct attention a = attention_of(c, buf);

    return prefill_num(c, "d") == 64 ? start<64>(a, (cudaStream_t)env->stream)
                                     : start<128>(a, (cudaStream_t)env->stream);
}
