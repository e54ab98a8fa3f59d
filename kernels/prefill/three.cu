/*
 * prefill/three - three kernels, as the formula says it.
 *
 * O = softmax(scale Q K') V.
 *
 * The first kernel multiplies queries by keys and leaves all scores in memory,
 * the second makes weights of each row of them, the third multiplies by the
 * values. With a causal mask tiles above the diagonal are left out.
 *
 * The scores are the trouble: heads x l x l of them, 4 bytes each. They are
 * written once, read twice and written again by the softmax, and read by the
 * last kernel: 20 bytes for each pair of a query and a key, which costs 512
 * FLOP. A GPU that does 14 FLOP on CUDA cores while it moves a byte should
 * hide that. But no two kernels overlap here, so their times add up.
 *
 * Predicts: 15 to 25 TFLOP/s. Products on CUDA cores from shared memory reach
 * half of their peak; the softmax takes a tenth of the time.
 */
#include "kernels/prefill/scalar.cuh"

/* Scores of a row, rounded up to whole tiles. */
static __host__ __device__ inline int pitch_of(int l)
{
    return ceil_div(l, SIDE) * SIDE;
}

/* Row i of head h among all scores. */
static __device__ __forceinline__ float *score_row(const attention &a,
                                                   float *all, int i, int h)
{
    return all + ((size_t)h * a.l + i) * pitch_of(a.l);
}

template <int D> struct operands {
    float q[D][PITCH], k[D][PITCH];
};

template <int D>
static __global__ void __launch_bounds__(THREADS)
    multiply_keys(struct attention a, float *all)
{
    extern __shared__ __align__(16) char shared[];
    operands<D> &to = *(operands<D> *)shared;
    const int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS;
    const int left = blockIdx.x * SIDE, top = blockIdx.y * SIDE;
    const int h = blockIdx.z;
    float s[MINE][MINE];

    if (a.causal && left > top)
        return;
    place_turned<D>(to.q, a.q + row_of<D>(a, top, h), row_of<D>(a, 1, 0),
                    a.l - top);
    place_turned<D>(to.k, a.k + key_of<D>(a, left, h), key_of<D>(a, 1, 0),
                    a.l - left);
    __syncthreads(); /* the tiles are whole */
    scores<D>(s, to.q, to.k);
    for (int r = 0; r < MINE && top + y * MINE + r < a.l; r++)
        *(float4 *)(score_row(a, all, top + y * MINE + r, h) + left +
                    x * MINE) = make_float4(s[r][0], s[r][1], s[r][2], s[r][3]);
}

/* A sum or a maximum over the block. */
template <class F>
static __device__ float over_block(float v, float *shared, F both)
{
    for (int step = WARP / 2; step > 0; step /= 2)
        v = both(v, __shfl_xor_sync(0xffffffffu, v, step));
    __syncthreads(); /* nobody reads the last results any more */
    if (threadIdx.x % WARP == 0)
        shared[threadIdx.x / WARP] = v;
    __syncthreads(); /* all warps have theirs */
    v = shared[0];
    for (int w = 1; w < THREADS / WARP; w++)
        v = both(v, shared[w]);
    return v;
}

/* A block for each row; what the row does not see gets a weight of zero, up to
 * the end of the last tile. */
static __global__ void __launch_bounds__(THREADS)
    weigh(struct attention a, float *all)
{
    __shared__ float parts[THREADS / WARP];
    float *const row = score_row(a, all, blockIdx.x, blockIdx.y);
    const int seen = seen_by(a, blockIdx.x), end = pitch_of(seen);
    float top = -INFINITY, sum = 0;

    // ANCHOR: softmax
    for (int j = threadIdx.x; j < seen; j += THREADS)
        top = fmaxf(top, row[j]);
    top = over_block(top, parts, [](float x, float y) { return fmaxf(x, y); });
    for (int j = threadIdx.x; j < seen; j += THREADS)
        sum += row[j] = expf(a.scale * (row[j] - top));
    sum = over_block(sum, parts, [](float x, float y) { return x + y; });
    for (int j = threadIdx.x; j < end; j += THREADS)
        row[j] = j < seen ? row[j] / sum : 0;
    // ANCHOR_END: softmax
}

template <int D> struct weights {
    float p[SIDE][PITCH], v[SIDE][D];
};

template <int D>
static __global__ void __launch_bounds__(THREADS, 2)
    multiply_values(struct attention a, float *all)
{
    extern __shared__ __align__(16) char shared[];
    weights<D> &to = *(weights<D> *)shared;
    const int top = blockIdx.x * SIDE, h = blockIdx.y;
    const int end = seen_by(a, top + SIDE - 1);
    const float by[MINE] = {1, 1, 1, 1};
    float o[MINE][D / ACROSS] = {};

    for (int j = 0; j < end; j += SIDE) {
        for (int i = threadIdx.x; i < SIDE * SIDE; i += THREADS) {
            const int row = i / SIDE, key = i % SIDE;

            to.p[key][row] = top + row < a.l && j < seen_by(a, top + row)
                                 ? score_row(a, all, top + row, h)[j + key]
                                 : 0;
        }
        place<D>(to.v, a.v + key_of<D>(a, j, h), key_of<D>(a, 1, 0), a.l - j);
        __syncthreads(); /* the tiles are whole */
        add_values<D>(o, to.p, to.v);
        __syncthreads(); /* nobody needs them any more */
    }
    put_scalar<D>(a, top, h, o, by);
}

extern "C" size_t prefill_three_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    const int l = prefill_num(c, "l");

    return (size_t)prefill_num(c, "heads") * l * pitch_of(l) * sizeof(float);
}

template <int D>
static int three(const struct attention &a, float *all, cudaStream_t stream)
{
    const int tiles = ceil_div(a.l, SIDE);
    const int first = sizeof(operands<D>), last = sizeof(weights<D>);
    int error = cudaFuncSetAttribute(
        multiply_keys<D>, cudaFuncAttributeMaxDynamicSharedMemorySize, first);

    if (!error)
        error = cudaFuncSetAttribute(
            multiply_values<D>, cudaFuncAttributeMaxDynamicSharedMemorySize,
            last);
    if (error)
        return error;
    multiply_keys<D>
        <<<dim3(tiles, tiles, a.heads), THREADS, first, stream>>>(a, all);
    weigh<<<dim3(a.l, a.heads), THREADS, 0, stream>>>(a, all);
    multiply_values<D><<<dim3(tiles, a.heads), THREADS, last, stream>>>(a, all);
    return cudaGetLastError();
}

extern "C" int prefill_three(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct attention a = attention_of(c, buf);
    float *const all = (float *)buf[PREFILL_O + 1];

    return prefill_num(c, "d") == 64
               ? three<64>(a, all, (cudaStream_t)env->stream)
               : three<128>(a, all, (cudaStream_t)env->stream);
}
