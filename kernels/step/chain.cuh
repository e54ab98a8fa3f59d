/*
 * kernels/step/chain.cuh - a step as kernels of a stream. What variants choose
 * is a struct WAY of three constants:
 *
 *   OVERLAP  blocks come in before the kernel before has ended, and wait for
 *            it before they touch what it wrote
 *   AHEAD    and ask the L2 for their weights and keys while they wait
 *   FUSED    small steps are part of products: the norm in front of a product
 *            with one vector; RoPE and append, SiLU, and the residual behind
 *
 * Functions return 0 or a cudaError_t.
 */
#ifndef KERNELS_STEP_CHAIN_CUH
#define KERNELS_STEP_CHAIN_CUH

#include "kernels/step/attend.cuh"
#include "kernels/step/many.cuh"
#include "kernels/step/memory.cuh"

enum { SMALL_THREADS = 256 /* of a block of a small step */ };

/* Memory of variants: normalised vectors, products before a small step, and
 * what attention leaves. */
struct chain {
    struct step_memory m;
    uint16_t *h, *raw;
    float *values;
    struct weight *weights;
    uint32_t *done;
    int sms;
    cudaStream_t stream;
};

static inline size_t chain_raw(const struct step_shape *s)
{
    return (size_t)s->b * (s->qkv > 2 * s->ffn ? s->qkv : 2 * s->ffn);
}

static inline size_t chain_bytes(const struct step_shape *s, int sms)
{
    return step_own_at(s) + ((size_t)s->b * s->hidden + chain_raw(s)) * 2 +
           attend_bytes(s, sms) + 16; /* what follows the counters is aligned */
}

static inline struct chain chain_of(const struct kernel_case *c,
                                    const struct kernel_env *env,
                                    void *const *buf, cudaStream_t stream)
{
    struct chain x;

    x.m = step_memory(c, buf);
    x.sms = env->sms;
    x.stream = stream;

    const struct step_shape *const s = &x.m.s;
    const size_t parts =
        (size_t)s->b * s->kv * attend_pieces_of(s, x.sms) * ATTEND_GROUP;

    x.values = (float *)x.m.own;
    x.weights = (struct weight *)(x.values + parts * STEP_DEEP);
    x.done = (uint32_t *)(x.weights + parts);
    x.h = (uint16_t *)(x.done + ((size_t)s->b * s->kv + 3) / 4 * 4);
    x.raw = x.h + (size_t)s->b * s->hidden;
    return x;
}

template <class WAY, class KERNEL, class... ARGS>
static int chain_launch(const chain &x, KERNEL *kernel, dim3 grid, int threads,
                        const ARGS &...args)
{
    cudaLaunchAttribute early = {};
    cudaLaunchConfig_t config = {};

    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = grid;
    config.blockDim = dim3(threads);
    config.stream = x.stream;
    config.attrs = &early;
    config.numAttrs = WAY::OVERLAP ? 1 : 0;
    return cudaLaunchKernelEx(&config, kernel, args...);
}

/* ---- what becomes of the two sums of a pair of rows ---- */

// ANCHOR: ends
/* They are stored. */
struct end_store {
    uint16_t *y;
    int n;

    __device__ void operator()(int token, int pair, float a, float b) const
    {
        *(uint32_t *)(y + (size_t)token * n + 2 * pair) = bf16_pair(a, b);
    }
};

/* They are added to x. */
struct end_add {
    uint16_t *y;
    const uint16_t *x;
    int n;

    __device__ void operator()(int token, int pair, float a, float b) const
    {
        const size_t at = (size_t)token * n + 2 * pair;
        const uint32_t old = *(const uint32_t *)(x + at);

        *(uint32_t *)(y + at) =
            bf16_pair(bf16_first(old) + a, bf16_second(old) + b);
    }
};

/* They are gate and up. */
struct end_gate {
    uint16_t *act;
    int ffn;

    __device__ void operator()(int token, int pair, float gate, float up) const
    {
        const float by = 1.0f / (1.0f + ptx_exp2(-1.44269504f * gate));

        act[(size_t)token * ffn + pair] = bf16_round(gate * by * up);
    }
};

/* RoPE: turns elements 2e and 2e + 1 of a query or a key by the position. */
static __device__ __forceinline__ void turn_pair(int position, int e, float &a,
                                                 float &b)
{
    /* 500000^(-e / 64) = 2^(-e log2(500000) / 64) */
    const float turn = position * exp2f(e * (-18.9315686f / 64));
    const float first = a, second = b;
    float sine, cosine;

    sincosf(turn, &sine, &cosine);
    a = first * cosine - second * sine;
    b = first * sine + second * cosine;
}

/* They are neighbours of a query, a key or a value: RoPE, and append. */
struct end_turn {
    uint16_t *q, *k, *v;
    int heads, kv, position;

    __device__ void operator()(int token, int pair, float a, float b) const
    {
        const int head = pair / (STEP_DEEP / 2), e = pair % (STEP_DEEP / 2);
        uint16_t *to;

        if (head < heads)
            to = q + ((size_t)token * heads + head) * STEP_DEEP;
        else if (head < heads + kv)
            to = k + ((size_t)token * kv + head - heads) * STEP_DEEP;
        else
            to = v + ((size_t)token * kv + head - heads - kv) * STEP_DEEP;
        if (head < heads + kv)
            turn_pair(position, e, a, b);
        *(uint32_t *)(to + 2 * e) = bf16_pair(a, b);
    }
};
// ANCHOR_END: ends

/* ---- small steps as kernels of their own ---- */

static __device__ inline float *small_shared(void)
{
    __shared__ float shared[SMALL_THREADS / WARP];

    return shared;
}

/* A block for each vector. */
template <bool OVERLAP>
static __global__ void __launch_bounds__(SMALL_THREADS)
    norm_vectors(uint16_t *h, const uint16_t *x, const uint16_t *gain,
                 int hidden, float shrink)
{
    float *const part = small_shared();
    float sum = 0;
    const size_t first = (size_t)blockIdx.x * hidden;

    if (OVERLAP) {
        ptx_next_kernel_may_start();
        ptx_wait_for_last_kernel();
    }
    for (int i = threadIdx.x * WIDTH; i < hidden; i += SMALL_THREADS * WIDTH)
        sum += squares(eight(x + first + i));
    sum = sum_warp(sum);
    if (threadIdx.x % WARP == 0)
        part[threadIdx.x / WARP] = sum;
    __syncthreads(); /* the sums of all warps are there */
    sum = 0;
    for (int w = 0; w < SMALL_THREADS / WARP; w++)
        sum += part[w];
    const float by = norm_factor(sum, hidden, shrink);

    for (int i = threadIdx.x * WIDTH; i < hidden; i += SMALL_THREADS * WIDTH)
        *(uint4 *)(h + first + i) =
            normal_eight(eight(x + first + i), eight(gain + i), by);
}

/* What END makes of pairs that were stored: a thread for each, blockIdx.y the
 * vector. The second of a pair lies `apart` behind the first. */
template <bool OVERLAP, class END>
static __global__ void __launch_bounds__(SMALL_THREADS)
    end_pairs(const uint16_t *raw, int pairs, int step, int apart, END end)
{
    const int pair = blockIdx.x * SMALL_THREADS + threadIdx.x;
    const size_t at = (size_t)blockIdx.y * 2 * pairs + (size_t)pair * step;

    if (OVERLAP) {
        ptx_next_kernel_may_start();
        ptx_wait_for_last_kernel();
    }
    if (pair < pairs)
        end(blockIdx.y, pair, bf16_value(raw[at]), bf16_value(raw[at + apart]));
}

/* ---- stages ---- */

/* A product, after a norm if r.gain is given, and `end`. */
template <class WAY, class END>
static int chain_product(const chain &x, product_rows r, const END &end)
{
    const int b = x.m.s.b, pairs = r.n / 2;
    const bool inside = WAY::FUSED && b == 1 && r.gain;
    const dim3 one((pairs + ONE_WARPS - 1) / ONE_WARPS);
    const dim3 many((pairs + MANY_PAIRS - 1) / MANY_PAIRS);
    int rc = 0;

    if (r.gain && !inside) {
        rc = chain_launch<WAY>(x, norm_vectors<WAY::OVERLAP>, dim3(b),
                               SMALL_THREADS, x.h, r.x, r.gain, r.k, r.shrink);
        r.x = x.h;
    }
    if (rc)
        return rc;
    if (inside)
        return chain_launch<WAY>(
            x, one_vector<WAY::OVERLAP, WAY::AHEAD, WAY::FUSED, END>, one,
            ONE_THREADS, r, end);
    if (b == 1)
        return chain_launch<WAY>(
            x, one_vector<WAY::OVERLAP, WAY::AHEAD, false, END>, one,
            ONE_THREADS, r, end);
    if (b <= MANY_WIDE)
        return chain_launch<WAY>(x,
                                 many_vectors<WAY::OVERLAP, WAY::AHEAD, 1, END>,
                                 many, MANY_THREADS, r, b, end);
    return chain_launch<WAY>(x, many_vectors<WAY::OVERLAP, WAY::AHEAD, 4, END>,
                             many, MANY_THREADS, r, b, end);
}

/* A product and what follows it, in one kernel or in two. */
template <class WAY, class END>
static int chain_stage(const chain &x, const product_rows &r, const END &end)
{
    const int pairs = r.n / 2;
    int rc;

    if (WAY::FUSED)
        return chain_product<WAY>(x, r, end);

    product_rows plain = r;

    plain.step = 2;
    plain.apart = 1;
    rc = chain_product<WAY>(x, plain, end_store{x.raw, r.n});
    if (rc)
        return rc;
    return chain_launch<WAY>(
        x, end_pairs<WAY::OVERLAP, END>,
        dim3((pairs + SMALL_THREADS - 1) / SMALL_THREADS, x.m.s.b),
        SMALL_THREADS, x.raw, pairs, r.step, r.apart, end);
}

template <class WAY>
static int chain_attend(const chain &x, const struct step_layer &l)
{
    const struct step_shape *const s = &x.m.s;
    const int group = s->heads / s->kv, pieces = attend_pieces_of(s, x.sms);
    const attend t = {l.to.a,   l.from.q,
                      l.from.k, l.from.v,
                      l.keys,   l.values,
                      x.values, x.weights,
                      x.done,   s->kv,
                      s->l - 1, attend_span(s, x.sms),
                      pieces,   1.44269504f / sqrtf(STEP_DEEP)};
    const dim3 grid(pieces, s->kv, s->b);

    if (group == 1)
        return chain_launch<WAY>(x, attend_pieces<WAY::OVERLAP, WAY::AHEAD, 1>,
                                 grid, ATTEND_THREADS, t);
    if (group == 2)
        return chain_launch<WAY>(x, attend_pieces<WAY::OVERLAP, WAY::AHEAD, 2>,
                                 grid, ATTEND_THREADS, t);
    return chain_launch<WAY>(x, attend_pieces<WAY::OVERLAP, WAY::AHEAD, 4>,
                             grid, ATTEND_THREADS, t);
}

// ANCHOR: layer
/* One stage of a layer. */
template <class WAY>
static int chain_one(const chain &x, const struct step_layer &l, unsigned part)
{
    const struct step_shape *const s = &x.m.s;
    product_rows qkv = rows_of(l.qkv, l.x, s->qkv, s->hidden);
    product_rows o = rows_of(l.o, l.from.a, s->hidden, s->hidden);
    product_rows up = rows_of(l.up, l.from.y, 2 * s->ffn, s->hidden);
    product_rows down = rows_of(l.down, l.from.act, s->hidden, s->ffn);

    qkv.gain = l.gain[0];
    up.gain = l.gain[1];
    qkv.shrink = up.shrink = s->shrink;
    up.step = 1;
    up.apart = s->ffn;
    switch (part) {
    case STEP_QKV:
        return chain_stage<WAY>(
            x, qkv,
            end_turn{l.to.q, l.to.k, l.to.v, s->heads, s->kv, s->l - 1});
    case STEP_ATTEND:
        return chain_attend<WAY>(x, l);
    case STEP_O:
        return chain_stage<WAY>(x, o, end_add{l.to.y, l.x, s->hidden});
    case STEP_UP:
        return chain_stage<WAY>(x, up, end_gate{l.to.act, s->ffn});
    default:
        return chain_stage<WAY>(x, down, end_add{l.to.x, l.from.y, s->hidden});
    }
}
// ANCHOR_END: layer

template <class WAY> static int chain_vocabulary(const chain &x)
{
    const struct step_shape *const s = &x.m.s;
    product_rows r = rows_of(x.m.weights + step_vocab_at(s), step_last_x(x.m),
                             s->vocab, s->hidden);

    r.gain = step_last_gain(x.m);
    r.shrink = s->shrink;
    return chain_product<WAY>(
        x, r, end_store{x.m.trace + step_logits_at(s), s->vocab});
}

/* Enqueues what the case's part asks for. */
template <class WAY> static int chain_enqueue(const chain &x)
{
    const unsigned part = x.m.s.part, stages[] = {STEP_QKV, STEP_ATTEND, STEP_O,
                                                  STEP_UP, STEP_DOWN};
    const int layers = x.m.s.layers;
    const bool apart = part & STEP_APART;
    int rc = 0;

    /* apart: all layers of a stage, then the next stage */
    for (int i = 0; i < layers * STEP_STAGES && rc == 0; i++) {
        const int layer = apart ? i % layers : i / STEP_STAGES;
        const unsigned stage = stages[apart ? i / layers : i % STEP_STAGES];

        if (part & stage)
            rc = chain_one<WAY>(x, step_layer_at(x.m, layer), stage);
    }
    if (rc == 0 && (part & STEP_VOCAB))
        rc = chain_vocabulary<WAY>(x);
    return rc;
}

/* Kernels of a step. */
template <class WAY> static inline int chain_kernels(const struct step_shape *s)
{
    const bool one = s->b == 1;
    const int layer = !WAY::FUSED ? 11 : one ? 5 : 7;

    return s->layers * layer + (WAY::FUSED && one ? 1 : 2);
}

#endif
