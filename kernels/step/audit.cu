/*
 * kernels/step/audit.cu - is a step right? Not a variant: it runs outside of
 * samples, before each check. With variants it shares where things lie, which
 * includes the offsets of layers, and how a bf16 is read; nothing else.
 *
 * Every stage of every layer is computed anew in fp64, from what the variant
 * left of the stage before: stored numbers, exact as they are. So each stage
 * has roundings of its own only. Let u = 2^-8, half a unit in the last place of
 * bf16 in relation to its number, and let h be a product's normalised vector.
 * A variant may round h: each element is off by u at most, up as often as down,
 * with a standard deviation of u / sqrt(3) of it. Weights are 1 at most, so six
 * deviations of a product are 6 / sqrt(3) u |h| < 3.5 u |h|. That leaves
 *
 *   q, k     u (2 (|a| + |b|) + 3.5 |h|) for a pair (a, b): both may be rounded
 *            before they are turned, and the result; and 2^-10 (|a| + |b|),
 *            since angles are f32 and up to thousands of radians
 *   v        u (|v| + 3.5 |h|)
 *   a        u (2 |a| + 3.5 R) + 2^-15 S, R the root of the sum of (p v)^2 and
 *            S the sum of |p v|, as kernels/decode/family.c derives it: weights
 *            p and the output are rounded, and a part of it before parts join
 *   y, x     u (|y| + |product|) + 2^-16 |vector|: the product may be rounded
 *            before it is added; what is multiplied is exact, but tensor cores
 *            cut off sums of f32 in each step of 16 elements, always towards
 *            zero. A chain of 896 steps may cut off four times as much as one
 *            of 256: 2^-14 |vector| for products of k = 14336
 *   act      2 u |act| for itself and for silu, and what errors u (|g| + 3.5
 *            |h|) of gate and up make of it: silu's slope is 1.1 at most
 *   logits   u (|logit| + 3.5 |h|)
 *
 * One lost key of four thousand moves many elements of `a` by more than that.
 * So does a residual that is left out, or the angle of the position before.
 */
#include "kernels/step/audit.h"

#include "kernels/bf16.h"
#include "kernels/step/memory.cuh"
#include "kernels/warp.h"

#include <cuda_runtime.h>

enum {
    THREADS = 256,
    WARPS = THREADS / WARP,
    TOKENS = 8, /* vectors that share a row of weights */
    KEYS = STEP_DEEP,
    WEIGHTS = 1 << 15, /* for a block */
};

#define UNIT 0x1p-8

/* The vectors of a product in fp64, and their lengths. */
struct vectors {
    double *of, *length;
    int b, k;
};

/* Counts of one stage, for each vector. */
static __device__ void count_if_wrong(int32_t *wrong, int token, uint16_t got,
                                      double expected, double allowed)
{
    const double off = fabs((double)bf16_value(got) - expected);

    if (!(off <= allowed)) /* so is NaN */
        atomicAdd(&wrong[token], 1);
}

static __global__ void clear(int32_t *wrong, size_t n)
{
    for (size_t i = threadIdx.x + (size_t)blockIdx.x * THREADS; i < n;
         i += (size_t)gridDim.x * THREADS)
        wrong[i] = 0;
}

static __global__ void copy(uint16_t *to, const uint16_t *from, size_t n)
{
    for (size_t i = threadIdx.x + (size_t)blockIdx.x * THREADS; i < n;
         i += (size_t)gridDim.x * THREADS)
        to[i] = from[i];
}

/* The sum over a block, in all threads. */
static __device__ double sum_all(double v)
{
    __shared__ double part[THREADS];

    __syncthreads(); /* the sum before has been read */
    part[threadIdx.x] = v;
    __syncthreads(); /* all parts are there */
    v = 0;
    for (int i = 0; i < THREADS; i++)
        v += part[i];
    return v;
}

/* A block for each vector: x as it is, or normalised if there is a gain. */
static __global__ void prepare_vectors(vectors v, const uint16_t *x,
                                       const uint16_t *gain, float shrink)
{
    const size_t first = (size_t)blockIdx.x * v.k;
    double sum = 0, by = 1, square = 0;

    for (int i = threadIdx.x; i < v.k; i += THREADS) {
        const double e = bf16_value(x[first + i]);

        sum += e * e;
    }
    sum = sum_all(sum);
    if (gain)
        by = shrink / sqrt(sum / v.k + 1e-5);
    for (int i = threadIdx.x; i < v.k; i += THREADS) {
        double e = bf16_value(x[first + i]) * by;

        if (gain)
            e *= bf16_value(gain[i]);
        v.of[first + i] = e;
        square += e * e;
    }
    square = sum_all(square);
    if (threadIdx.x == 0)
        v.length[blockIdx.x] = sqrt(square);
}

/* Warps go through the pairs of rows, each with T vectors: blockIdx.y. */
template <int T, class CHECK>
static __global__ void __launch_bounds__(THREADS)
    check_product(vectors v, const uint16_t *w, int pairs, int step, int apart,
                  int32_t *wrong, CHECK check)
{
    const int lane = threadIdx.x % WARP, first = blockIdx.y * T;

    for (int pair = blockIdx.x * WARPS + threadIdx.x / WARP; pair < pairs;
         pair += gridDim.x * WARPS) {
        const uint16_t *const one = w + (size_t)pair * step * v.k;
        const uint16_t *const two = one + (size_t)apart * v.k;
        double a[T] = {}, b[T] = {};

        for (int i = lane; i < v.k; i += WARP) {
            const double wa = bf16_value(one[i]), wb = bf16_value(two[i]);

#pragma unroll
            for (int t = 0; t < T; t++) {
                const int token = min(first + t, v.b - 1);
                const double x = v.of[(size_t)token * v.k + i];

                a[t] += wa * x;
                b[t] += wb * x;
            }
        }
#pragma unroll
        for (int t = 0; t < T && first + t < v.b; t++) {
            for (int by = WARP / 2; by > 0; by /= 2) {
                a[t] += __shfl_xor_sync(0xffffffffu, a[t], by);
                b[t] += __shfl_xor_sync(0xffffffffu, b[t], by);
            }
            if (lane == 0)
                check(wrong, first + t, pair, a[t], b[t], v.length[first + t]);
        }
    }
}

struct check_turn {
    const uint16_t *q, *k, *v;
    int heads, kv, position;

    __device__ void operator()(int32_t *wrong, int token, int pair, double a,
                               double b, double length) const
    {
        const int head = pair / (STEP_DEEP / 2), e = pair % (STEP_DEEP / 2);
        const int row = head < heads        ? token * heads + head
                        : head < heads + kv ? token * kv + head - heads
                                            : token * kv + head - heads - kv;
        const uint16_t *const of = head < heads ? q : head < heads + kv ? k : v;
        const uint16_t *const got = of + (size_t)row * STEP_DEEP + 2 * e;
        const double slack = 3.5 * UNIT * length, size = fabs(a) + fabs(b);

        if (head >= heads + kv) {
            count_if_wrong(wrong, token, got[0], a, UNIT * fabs(a) + slack);
            count_if_wrong(wrong, token, got[1], b, UNIT * fabs(b) + slack);
            return;
        }
        const double angle = position * pow(500000.0, -2.0 * e / STEP_DEEP);
        const double most = (2 * UNIT + 0x1p-10) * size + slack;

        count_if_wrong(wrong, token, got[0], a * cos(angle) - b * sin(angle),
                       most);
        count_if_wrong(wrong, token, got[1], a * sin(angle) + b * cos(angle),
                       most);
    }
};

struct check_add {
    const uint16_t *y, *x;
    int n;
    double cut; /* off a sum, in lengths of the vector */

    __device__ void one(int32_t *wrong, int token, size_t at, double product,
                        double length) const
    {
        const double sum = bf16_value(x[at]) + product;

        count_if_wrong(wrong, token, y[at], sum,
                       UNIT * (fabs(sum) + fabs(product)) + cut * length);
    }
    __device__ void operator()(int32_t *wrong, int token, int pair, double a,
                               double b, double length) const
    {
        one(wrong, token, (size_t)token * n + 2 * pair, a, length);
        one(wrong, token, (size_t)token * n + 2 * pair + 1, b, length);
    }
};

/* Sums of k products on tensor cores: see above. */
static double cut_off(int k)
{
    return k > 4096 ? 0x1p-14 : 0x1p-16;
}

struct check_gate {
    const uint16_t *act;
    int ffn;

    __device__ void operator()(int32_t *wrong, int token, int pair, double gate,
                               double up, double length) const
    {
        const double silu = gate / (1 + exp(-gate));
        const double of_gate = UNIT * (fabs(gate) + 3.5 * length) * 1.1;
        const double of_up = UNIT * (fabs(up) + 3.5 * length);

        count_if_wrong(wrong, token, act[(size_t)token * ffn + pair], silu * up,
                       2 * UNIT * fabs(silu * up) + fabs(up) * of_gate +
                           fabs(silu) * of_up + of_gate * of_up);
    }
};

struct check_logits {
    const uint16_t *logits;
    int n;

    __device__ void operator()(int32_t *wrong, int token, int pair, double a,
                               double b, double length) const
    {
        const uint16_t *const got = logits + (size_t)token * n + 2 * pair;
        const double slack = 3.5 * UNIT * length;

        count_if_wrong(wrong, token, got[0], a, UNIT * fabs(a) + slack);
        count_if_wrong(wrong, token, got[1], b, UNIT * fabs(b) + slack);
    }
};

/* Where the parts of a head lie. */
struct attention {
    const uint16_t *a, *q, *k, *v, *keys, *values;
    int heads, kv, past;
};

/* A block for each head of a sequence (blockIdx.y), a thread for each element
 * of its output, and for each of so many keys at a time. Scores are of the size
 * of one, so powers need no maximum. */
static __global__ void __launch_bounds__(KEYS)
    check_attention(attention t, int32_t *wrong)
{
    __shared__ double p[KEYS];
    const int head = blockIdx.x, token = blockIdx.y, e = threadIdx.x;
    const size_t query = (size_t)token * t.heads + head;
    const size_t row = (size_t)token * t.kv + head / (t.heads / t.kv);
    double all = 0, o = 0, size = 0, square = 0;

    for (int first = 0; first <= t.past; first += KEYS) {
        const int mine = first + e;
        const int there = min((int)KEYS, t.past + 1 - first);
        const uint16_t *const key =
            mine < t.past ? t.keys + (row * t.past + mine) * STEP_DEEP
                          : t.k + row * STEP_DEEP;
        double score = 0;

        for (int i = 0; i < STEP_DEEP && e < there; i++)
            score += (double)bf16_value(t.q[query * STEP_DEEP + i]) *
                     bf16_value(key[i]);
        __syncthreads(); /* the weights before have been read */
        p[e] = e < there ? exp(score / sqrt((double)STEP_DEEP)) : 0;
        __syncthreads(); /* all weights are there */
        for (int j = 0; j < there; j++) {
            const uint16_t *const value =
                first + j < t.past
                    ? t.values + (row * t.past + first + j) * STEP_DEEP
                    : t.v + row * STEP_DEEP;
            const double term = p[j] * bf16_value(value[e]);

            all += p[j];
            o += term;
            size += fabs(term);
            square += term * term;
        }
    }
    o /= all;
    count_if_wrong(wrong, token, t.a[query * STEP_DEEP + e], o,
                   UNIT * (2 * fabs(o) + 3.5 * sqrt(square) / all) +
                       0x1p-15 * size / all);
}

/* ---- all of it ---- */

struct checking {
    struct step_memory m;
    cudaStream_t stream;
    vectors v;
};

/* Enqueues the check of a product of vectors x. */
template <class CHECK>
static void product(checking &y, const uint16_t *x, const uint16_t *gain,
                    const uint16_t *w, int n, int k, bool apart, int32_t *wrong,
                    const CHECK &check)
{
    const int pairs = n / 2, step = apart ? 1 : 2, next = apart ? pairs : 1;
    const unsigned most = (pairs + WARPS - 1) / WARPS;
    const unsigned want = 1 + (unsigned)((size_t)n * k / WEIGHTS);
    const unsigned blocks = want < most ? want : most;
    const dim3 grid(blocks, (y.m.s.b + TOKENS - 1) / TOKENS);

    y.v.k = k;
    prepare_vectors<<<y.m.s.b, THREADS, 0, y.stream>>>(y.v, x, gain,
                                                       y.m.s.shrink);
    if (y.m.s.b == 1)
        check_product<1, CHECK><<<blocks, THREADS, 0, y.stream>>>(
            y.v, w, pairs, step, next, wrong, check);
    else
        check_product<TOKENS, CHECK><<<grid, THREADS, 0, y.stream>>>(
            y.v, w, pairs, step, next, wrong, check);
}

static void check_layer(checking &y, int layer)
{
    const struct step_layer l = step_layer_at(y.m, layer);
    const struct step_shape *const s = &y.m.s;
    int32_t *const wrong = y.m.wrong + (size_t)layer * STEP_STAGES * s->b;

    if (s->part & STEP_QKV)
        product(y, l.x, l.gain[0], l.qkv, s->qkv, s->hidden, false,
                wrong + STEP_IS_QKV * s->b,
                check_turn{l.to.q, l.to.k, l.to.v, s->heads, s->kv, s->l - 1});
    if (s->part & STEP_ATTEND) {
        const attention t = {l.to.a,   l.from.q, l.from.k, l.from.v, l.keys,
                             l.values, s->heads, s->kv,    s->l - 1};

        check_attention<<<dim3(s->heads, s->b), KEYS, 0, y.stream>>>(
            t, wrong + STEP_IS_A * s->b);
    }
    if (s->part & STEP_O)
        product(y, l.from.a, nullptr, l.o, s->hidden, s->hidden, false,
                wrong + STEP_IS_Y * s->b,
                check_add{l.to.y, l.x, s->hidden, cut_off(s->hidden)});
    if (s->part & STEP_UP)
        product(y, l.from.y, l.gain[1], l.up, 2 * s->ffn, s->hidden, true,
                wrong + STEP_IS_ACT * s->b, check_gate{l.to.act, s->ffn});
    if (s->part & STEP_DOWN)
        product(y, l.from.act, nullptr, l.down, s->hidden, s->ffn, false,
                wrong + STEP_IS_X * s->b,
                check_add{l.to.x, l.from.y, s->hidden, cut_off(s->ffn)});
}

extern "C" int step_spoil(const struct kernel_case *c, void *const *buf,
                          void *stream)
{
    const struct step_memory m = step_memory(c, buf);

    return cudaMemsetAsync(m.trace, 0xff, step_trace_bytes(&m.s),
                           (cudaStream_t)stream);
}

extern "C" int step_collect(const struct kernel_case *c, void *const *buf,
                            void *stream)
{
    checking y;

    y.m = step_memory(c, buf);
    y.stream = (cudaStream_t)stream;

    const struct step_shape *const s = &y.m.s;
    const uint16_t *const logits = y.m.trace + step_logits_at(s);
    const size_t shown = (size_t)s->b * s->vocab;

    y.v = {y.m.audit, y.m.audit + (size_t)s->b * s->ffn, s->b, 0};
    clear<<<1, THREADS, 0, y.stream>>>(y.m.wrong, step_counts(s));
    for (int layer = 0; layer < s->layers; layer++)
        check_layer(y, layer);
    if (s->part & STEP_VOCAB)
        product(y, step_last_x(y.m), step_last_gain(y.m),
                y.m.weights + step_vocab_at(s), s->vocab, s->hidden, false,
                y.m.wrong + (size_t)s->layers * STEP_STAGES * s->b,
                check_logits{logits, s->vocab});
    if (y.m.logits)
        copy<<<1, THREADS, 0, y.stream>>>(y.m.logits, logits, shown);
    return cudaGetLastError();
}
