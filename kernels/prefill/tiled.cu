/*
 * prefill/tiled - the scores never leave the SM.
 *
 * O = softmax(scale Q K') V.
 *
 * A weight is exp(score - maximum), and the maximum of a row is known only at
 * its end. But if it grows from m to m', old weights can be made right: all of
 * them, and sums of them, are too large by exp(m' - m). So a block takes 64
 * queries once through the keys, 64 at a time. It keeps for each query the
 * maximum so far, the sum of weights so far, and the sum of weighted values. At
 * the end it divides by the sum (Milakov and Gimelshein, arXiv 1805.02867;
 * Rabe and Staats, arXiv 2112.05682; FlashAttention, arXiv 2205.14135).
 *
 * Nothing but Q, K, V and O moves between SM and memory. The powers are of two:
 * log2(e) is part of the factor that scores have anyway.
 *
 * Sixteen lanes share a row, and agree on its maximum by four shuffles.
 *
 * Predicts: 1.1 times prefill/three. The products stay what they are, and are
 * most of the time.
 */
#include "kernels/prefill/scalar.cuh"

template <int D> struct tile {
    float q[D][PITCH];
    union {
        float k[D][PITCH], v[SIDE][D]; /* first the one, then the other */
    };
    float p[SIDE][PITCH];
};

/* The largest, or the sum, of the lanes that share a row. */
template <class F> static __device__ __forceinline__ float in_row(float v, F f)
{
#pragma unroll
    for (int step = ACROSS / 2; step > 0; step /= 2)
        v = f(v, __shfl_xor_sync(0xffffffffu, v, step));
    return v;
}

// ANCHOR: online
/* Scores of a row become weights. Returns what old sums are multiplied by. */
static __device__ __forceinline__ float soften(float (&s)[MINE], float scale,
                                               int seen, float &top, float &sum)
{
    float most = top, back, part = 0;

#pragma unroll
    for (int c = 0; c < MINE; c++) {
        s[c] = c < seen ? s[c] : -INFINITY;
        most = fmaxf(most, s[c]);
    }
    most = in_row(most, [](float x, float y) { return fmaxf(x, y); });
    back = ptx_exp2(scale * (top - most)); /* 0 at first: top is -infinity */
#pragma unroll
    for (int c = 0; c < MINE; c++)
        part += s[c] = ptx_exp2(scale * (s[c] - most));
    top = most;
    sum = sum * back + part;
    return back;
}
// ANCHOR_END: online

template <int D>
static __global__ void __launch_bounds__(THREADS, 2) tiled(struct attention a)
{
    extern __shared__ __align__(16) char shared[];
    tile<D> &t = *(tile<D> *)shared;
    const int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS;
    const int first = blockIdx.x * SIDE, h = blockIdx.y;
    const int end = seen_by(a, first + SIDE - 1);
    const float scale = a.scale * 1.44269504f; /* log2(e) */
    float o[MINE][D / ACROSS] = {}, top[MINE], sum[MINE] = {};

#pragma unroll
    for (int r = 0; r < MINE; r++)
        top[r] = -INFINITY;
    place_turned<D>(t.q, a.q + row_of<D>(a, first, h), row_of<D>(a, 1, 0),
                    a.l - first);
    // ANCHOR: inner
    for (int j = 0; j < end; j += SIDE) {
        float s[MINE][MINE];

        place_turned<D>(t.k, a.k + key_of<D>(a, j, h), key_of<D>(a, 1, 0),
                        a.l - j);
        __syncthreads(); /* the keys are there */
        scores<D>(s, t.q, t.k);
        __syncthreads(); /* nobody needs them any more */
#pragma unroll
        for (int r = 0; r < MINE; r++) {
            const int seen = seen_by(a, first + y * MINE + r) - j - x * MINE;
            const float back = soften(s[r], scale, seen, top[r], sum[r]);

#pragma unroll
            for (int c = 0; c < D / ACROSS; c++)
                o[r][c] *= back;
        }
#pragma unroll
        for (int c = 0; c < MINE; c++)
            *(float4 *)&t.p[x * MINE + c][y * MINE] =
                make_float4(s[0][c], s[1][c], s[2][c], s[3][c]);
        place<D>(t.v, a.v + key_of<D>(a, j, h), key_of<D>(a, 1, 0), a.l - j);
        __syncthreads(); /* weights and values are there */
        add_values<D>(o, t.p, t.v);
        __syncthreads(); /* nobody needs them any more */
    }
    // ANCHOR_END: inner
#pragma unroll
    for (int r = 0; r < MINE; r++)
        sum[r] = 1 / in_row(sum[r], [](float u, float w) { return u + w; });
    put_scalar<D>(a, first, h, o, sum);
}

template <int D> static int start(const struct attention &a, cudaStream_t to)
{
    const int bytes = sizeof(tile<D>);
    const int error = cudaFuncSetAttribute(
        tiled<D>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);

    if (error)
        return error;
    tiled<D><<<dim3(ceil_div(a.l, SIDE), a.heads), THREADS, bytes, to>>>(a);
    return cudaGetLastError();
}

extern "C" int prefill_tiled(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct attention a = attention_of(c, buf);

    return prefill_num(c, "d") == 64 ? start<64>(a, (cudaStream_t)env->stream)
                                     : start<128>(a, (cudaStream_t)env->stream);
}
