/*
 * mla/three - three kernels: scores, softmax, sums.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * This is what three calls of a library do, and what einsum makes of the
 * formula: a batched product of 64 heads by 64 keys a block, a softmax of each
 * row, and a batched product of the weights with 64 of the 512 columns of the
 * values. Tensor cores multiply, one tile after the other, without copies
 * ahead.
 *
 * Scores go through memory as f32, and weights as bf16: each is written once,
 * scores are read three times (maximum, sum, weights) and weights once: 20
 * bytes for a head and a key. That is 2560 bytes a key with 128 heads, where
 * the key itself has 1152, and it is read for each half of the heads and again
 * for its values.
 *
 * Predicts: memory is the limit. 60 to 160 TFLOP/s with 32 sequences of 8192
 * keys and 128 heads.
 */
#include "kernels/mla/tensor.cuh"

enum { WARPS = 4, THREADS = WARPS * WARP };

/* Scores of all rows, of which each has room for a.l; weights behind them. */
struct rows {
    float *score;
    uint16_t *weight;
    int pitch;
};

/* Weights of a tile are read 16 bytes at a time, behind the last key, too. */
static inline int pitch_of(int l)
{
    return ceil_div(l, SIDE) * SIDE;
}

/* What two products of a block have in common: a tile of each operand. */
struct pair {
    char *left, *right;
};

/* s += A B for the block's 64 x 64, where `right` is called for four columns of
 * 16: each warp has 16 rows. */
template <class RIGHT>
static __device__ __forceinline__ void multiply(float (&s)[SIDE / 2],
                                                const pair &t, RIGHT right)
{
    ptx_copies_commit();
    ptx_copies_wait<0>();
    __syncthreads(); /* both tiles are there */
#pragma unroll
    for (int step = 0; step < SIDE / ACROSS; step++) {
        uint32_t x[4];

        take_left(x, t.left, threadIdx.x / WARP * ACROSS, step);
#pragma unroll
        for (int n = 0; n < SIDE / ACROSS; n++)
            right(&s[8 * n], x, step, n);
    }
    __syncthreads(); /* nobody needs them any more */
}

/* Calls put(row, column, two sums that stand side by side). */
template <class PUT>
static __device__ __forceinline__ void each_pair(const float (&s)[SIDE / 2],
                                                 PUT put)
{
    const int lane = threadIdx.x % WARP;
    const int row = threadIdx.x / WARP * ACROSS + lane / 4;

#pragma unroll
    for (int i = 0; i < SIDE / 2; i += 2)
        put(row + i / 2 % 2 * 8, i / 4 * 8 + lane % 4 * 2, s[i], s[i + 1]);
}

static __global__ void __launch_bounds__(THREADS)
    multiply_keys(struct absorbed a, rows to)
{
    extern __shared__ __align__(128) char raw[];
    const pair t = {raw, raw + TILE_BYTES};
    const struct share w = share_of(a, blockIdx.z, blockIdx.y);
    const int first = blockIdx.x * SIDE, keys = a.where[w.sequence] - first;
    const uint16_t *const k =
        a.keys + ((size_t)w.sequence * a.l + first) * DEEP;
    float s[SIDE / 2] = {};

    if (keys <= 0)
        return;
    for (int e = 0; e < DEEP; e += SIDE) {
        bring(t.left, a.q + (size_t)w.query * DEEP + e, DEEP, w.heads, THREADS);
        bring(t.right, k + e, DEEP, keys, THREADS);
        multiply(s, t, [&](float *sum, const uint32_t(&x)[4], int step, int n) {
            add_scores(sum, x, t.right, n * ACROSS, step);
        });
    }
    each_pair(s, [&](int row, int col, float x, float y) {
        if (row < w.heads)
            *(float2 *)(to.score + (size_t)(w.query + row) * to.pitch + first +
                        col) = make_float2(x * a.scale, y * a.scale);
    });
}

/* A sum or a maximum over the lanes of a warp. */
template <class F> static __device__ __forceinline__ float over(float v, F both)
{
#pragma unroll
    for (int step = WARP / 2; step > 0; step /= 2)
        v = both(v, __shfl_xor_sync(0xffffffffu, v, step));
    return v;
}

/* A warp for each row. Weights of keys that there are not are zeros. */
static __global__ void __launch_bounds__(THREADS)
    weigh(struct absorbed a, rows to)
{
    const int query = blockIdx.x * WARPS + threadIdx.x / WARP;
    const int lane = threadIdx.x % WARP;
    const float *const s = to.score + (size_t)query * to.pitch;
    float top = -INFINITY, sum = 0;

    if (query >= a.b * a.heads)
        return;
    const int keys = a.where[query / a.heads];

    for (int j = lane; j < keys; j += WARP)
        top = fmaxf(top, s[j]);
    top = over(top, [](float x, float y) { return fmaxf(x, y); });
    for (int j = lane; j < keys; j += WARP)
        sum += ptx_exp2(s[j] - top);
    sum = over(sum, [](float x, float y) { return x + y; });
    for (int j = lane; j < ceil_div(keys, SIDE) * SIDE; j += WARP)
        to.weight[(size_t)query * to.pitch + j] =
            bf16_round(j < keys ? ptx_exp2(s[j] - top) / sum : 0);
}

static __global__ void __launch_bounds__(THREADS)
    multiply_values(struct absorbed a, rows to)
{
    extern __shared__ __align__(128) char raw[];
    const pair t = {raw, raw + TILE_BYTES};
    const struct share w = share_of(a, blockIdx.z, blockIdx.y);
    const int left = blockIdx.x * SIDE, keys = a.where[w.sequence];
    const uint16_t *const v = a.keys + (size_t)w.sequence * a.l * DEEP + left;
    float o[SIDE / 2] = {};

    for (int j = 0; j < keys; j += SIDE) {
        bring(t.left, to.weight + (size_t)w.query * to.pitch + j, to.pitch,
              w.heads, THREADS);
        bring(t.right, v + (size_t)j * DEEP, DEEP, keys - j, THREADS);
        multiply(o, t, [&](float *sum, const uint32_t(&x)[4], int step, int n) {
            add_values(sum, x, t.right, step, n);
        });
    }
    each_pair(o, [&](int row, int col, float x, float y) {
        if (row < w.heads)
            *(uint32_t *)(a.o + (size_t)(w.query + row) * VALUE + left + col) =
                bf16_pair(x, y);
    });
}

extern "C" size_t mla_three_scratch(const struct kernel_case *c,
                                    const struct kernel_env *)
{
    return (size_t)mla_num(c, "b") * mla_num(c, "heads") *
           pitch_of(mla_num(c, "l")) * (sizeof(float) + sizeof(uint16_t));
}

extern "C" int mla_three(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf, void *)
{
    const struct absorbed a = absorbed_of(c, buf);
    const cudaStream_t to = (cudaStream_t)env->stream;
    const int pitch = pitch_of(a.l), shared = 2 * TILE_BYTES;
    float *const score = (float *)buf[MLA_SCRATCH];
    const rows r = {score, (uint16_t *)(score + (size_t)a.b * a.heads * pitch),
                    pitch};
    const dim3 keys(pitch / SIDE, shares_of(a), a.b);
    const dim3 values(VALUE / SIDE, shares_of(a), a.b);

    multiply_keys<<<keys, THREADS, shared, to>>>(a, r);
    weigh<<<ceil_div(a.b * a.heads, WARPS), THREADS, 0, to>>>(a, r);
    multiply_values<<<values, THREADS, shared, to>>>(a, r);
    return cudaGetLastError();
}
