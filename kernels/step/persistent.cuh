/*
 * kernels/step/persistent.cuh - a step of one sequence in blocks that stay.
 *
 * Which weights and old keys a warp needs, and in which order, depends on no
 * result. So each warp has a ring of slots in shared memory, and a feed that
 * walks through all stages of all layers and asks for what comes next as soon
 * as a slot is free. A slot holds a piece of two rows of weights, or 32 keys,
 * or 32 values. The warp itself goes through the same stages behind its feed.
 * Between stages all blocks wait for each other, and meanwhile slots fill.
 *
 *     warp  ──takes──▶ slot slot slot ◀──asks── feed
 *           qkv 0 │ a 0 │ o 0 …                 up to three slots ahead,
 *                 ▲ all blocks meet             also in the next stage
 *
 * Pairs of rows are dealt to warps one after the other, and the next stage goes
 * on where the last one ended: over the whole step each has as many.
 */
#ifndef KERNELS_STEP_PERSISTENT_CUH
#define KERNELS_STEP_PERSISTENT_CUH

#include "kernels/step/feed.cuh"

/* ---- what all threads of a block carry along ---- */

struct stay_state {
    stay_feed feed; /* of the first lane */
    uint64_t once;
    uint32_t taken; /* slots so far */
    int base;       /* as the feed's, of the stage that is computed */
    unsigned turn;  /* of the barrier, in one thread */
};

/* The slot that comes `ahead` slots after the next, when it is full. */
static __device__ __forceinline__ const uint16_t *
stay_take(const stay_state &z, stay_shared *s, int ahead)
{
    const uint32_t at = z.taken + ahead;

    ptx_mbar_wait(&s->full[stay_warp()][at % STAY_SLOTS], at / STAY_SLOTS % 2);
    return s->slot[stay_warp()][at % STAY_SLOTS];
}

/* n slots may be filled again. */
static __device__ __forceinline__ void stay_free(stay_state &z, const stay &w,
                                                 stay_shared *s, int n)
{
    __syncwarp(); /* all lanes have read them */
    z.taken += n;
    if (stay_lane() == 0)
        for (int i = 0; i < n; i++)
            feed_ask(z.feed, w, s, z.once);
}

// ANCHOR: meet
/* All blocks have left their results, and see those of all others. Gains are
 * no result: a thread fetches its own of them before it waits. */
static __device__ inline void stay_meet(stay_state &z, const stay &w,
                                        uint4 (&own)[STAY_GAINS],
                                        const uint16_t *gain, int k)
{
    __syncthreads(); /* the block's results are written */
    if (stay_tells())
        barrier_add(w.count, barrier_share(blockIdx.x, gridDim.x));
    for (int j = 0; gain && j < STAY_GAINS; j++) {
        const int i = j * STAY_TURN + threadIdx.x * WIDTH;

        if (stay_works() && i < k)
            own[j] = eight(gain + i);
    }
    z.turn ^= BARRIER_TURN;
    if (stay_looks())
        barrier_wait(w.count, z.turn);
    __syncthreads(); /* all others have met */
}
// ANCHOR_END: meet

/* ---- vectors ---- */

static __device__ inline void stay_copy(stay_shared *s, const uint16_t *x,
                                        int k)
{
    for (int i = threadIdx.x * WIDTH; stay_works() && i < k; i += STAY_TURN)
        *(uint4 *)(s->vector + i) = eight(x + i);
    __syncthreads(); /* the vector is whole */
}

/* norm(x), with the gains that stay_meet() has fetched. */
static __device__ inline void stay_norm(stay_shared *s, const uint16_t *x,
                                        int k, float shrink,
                                        const uint4 (&own)[STAY_GAINS])
{
    uint4 v[STAY_GAINS];
    float sum = 0;

#pragma unroll
    for (int j = 0; j < STAY_GAINS; j++) {
        const int i = j * STAY_TURN + threadIdx.x * WIDTH;

        v[j] = make_uint4(0, 0, 0, 0);
        if (stay_works() && i < k)
            v[j] = eight(x + i);
        sum += squares(v[j]);
    }
    sum = sum_warp(sum);
    if (stay_works() && stay_lane() == 0)
        s->part[stay_warp()] = sum;
    __syncthreads(); /* the sums of all warps are there */
    sum = 0;
    for (int i = 0; i < STAY_WARPS; i++)
        sum += s->part[i];
    const float by = norm_factor(sum, k, shrink);

#pragma unroll
    for (int j = 0; j < STAY_GAINS; j++) {
        const int i = j * STAY_TURN + threadIdx.x * WIDTH;

        if (stay_works() && i < k)
            *(uint4 *)(s->vector + i) = normal_eight(v[j], own[j], by);
    }
    __syncthreads(); /* the vector is whole */
}

/* ---- stages ---- */

/* What becomes of a pair where results are seen by all after stay_meet(). */
template <class END> struct stay_plain {
    END end;

    __device__ uint32_t before(int) const
    {
        return 0;
    }
    __device__ void operator()(int pair, float a, float b, uint32_t) const
    {
        end(0, pair, a, b);
    }
};

// ANCHOR: product
/* The warp's pairs of a stage: their products with the block's vector. What
 * end(pair, first, second, old) adds to them is fetched by before(pair). */
template <class END>
static __device__ inline void stay_product(stay_state &z, const stay &w,
                                           stay_shared *s, int stage,
                                           const END &end)
{
    const product_rows &r = w.rows[stage];
    const int pairs = r.n / 2;

    for (int pair = stay_works() ? stay_first(z.base) : pairs; pair < pairs;
         pair += stay_all()) {
        const uint32_t old = stay_lane() == 0 ? end.before(pair) : 0;
        float sum[2] = {};

        for (int from = 0; from < r.k; from += STAY_PIECE) {
            const int n = min(r.k - from, (int)STAY_PIECE);
            const uint16_t *const slot = stay_take(z, s, 0);

#pragma unroll 4
            for (int i = stay_lane() * WIDTH; i < n; i += ONE_STEP) {
                const uint4 b = eight(s->vector + from + i);

                sum[0] = dot_eight(eight(slot + i), b, sum[0]);
                sum[1] = dot_eight(eight(slot + STAY_PIECE + i), b, sum[1]);
            }
            stay_free(z, w, s, 1);
        }
        sum[0] = sum_warp(sum[0]);
        sum[1] = sum_warp(sum[1]);
        if (stay_lane() == 0)
            end(pair, sum[0], sum[1], old);
    }
    z.base = (z.base + pairs) % stay_all();
}
// ANCHOR_END: product

/* Takes in n keys and values that lie in shared memory, n at least 1. */
template <int G>
static __device__ inline void stay_chunk(attend_lane<G> &x, float scale,
                                         const uint16_t *keys,
                                         const uint16_t *values, int n)
{
    const int half = stay_lane() / ATTEND_LANES;
    const int mine = stay_lane() % ATTEND_LANES * WIDTH;

    for (int at = 0; at < n; at += ATTEND_TURN) {
        uint4 k[ATTEND_KEYS], v[ATTEND_KEYS];
        bool exists[ATTEND_KEYS];

#pragma unroll
        for (int j = 0; j < ATTEND_KEYS; j++) {
            const int key = at + 2 * j + half;
            const int there = min(key, n - 1) * STEP_DEEP + mine;

            exists[j] = key < n;
            k[j] = eight(keys + there);
            v[j] = eight(values + there);
        }
        attend_take<G, ATTEND_KEYS>(x, scale, k, v, exists);
    }
}

/* The warp's old keys. */
template <int G>
static __device__ inline void stay_old(attend_lane<G> &x, stay_state &z,
                                       const stay &w, stay_shared *s)
{
    const stay_range keys = stay_keys(w);

    for (int from = keys.first; from < keys.last; from += STAY_KEYS) {
        const int n = min(keys.last - from, (int)STAY_KEYS);
        const uint16_t *const k_slot = stay_take(z, s, 0);
        const uint16_t *const v_slot = stay_take(z, s, 1);

        stay_chunk<G>(x, w.t.scale, k_slot, v_slot, n);
        stay_free(z, w, s, 2);
    }
}

/* Joins what the warps of a block have of a row, and the block that is last
 * joins the row: a warp for each head, and leave(two pairs) in each lane. */
template <int G, class LEAVE>
static __device__ inline void stay_join(attend_lane<G> &x, const attend &t,
                                        stay_piece &own, int row,
                                        const LEAVE &leave)
{
    const size_t mine = (size_t)row * t.pieces + blockIdx.x % t.pieces;
    const int lane = stay_lane();

    attend_halves<G>(x);
    if (stay_works() && lane < ATTEND_LANES)
#pragma unroll
        for (int g = 0; g < G; g++) {
#pragma unroll
            for (int i = 0; i < WIDTH; i++)
                own.value[stay_warp()][g][lane * WIDTH + i] = x.o[g][i];
            if (lane == 0)
                own.weight[stay_warp()][g] = x.all[g];
        }
    __syncthreads(); /* the sums of all warps are there */
    for (int at = threadIdx.x; stay_works() && at < G * STEP_DEEP;
         at += STAY_THREADS) {
        const int g = at / STEP_DEEP, e = at % STEP_DEEP;
        struct weight all;

        t.values_of_pieces[mine * G * STEP_DEEP + at] = attend_join(
            STAY_WARPS, [&](int i) { return own.weight[i][g]; },
            [&](int i) { return own.value[i][g][e]; }, all);
        if (e == 0)
            t.weight_of_pieces[mine * G + g] = all;
    }
    __syncthreads(); /* the block has left its sums */
    if (stay_tells()) {
        own.last = part_arrive(&t.done[row]) == t.pieces - 1u;
        if (own.last)
            t.done[row] = 0; /* for the next layer */
    }
    __syncthreads(); /* all know who is last */
    if (own.last && stay_warp() < G)
        leave(attend_sum<G>(t, row));
}

/* A lane's eight elements of head g's query. */
template <int G>
static __device__ __forceinline__ void stay_query(attend_lane<G> &x, int g,
                                                  const uint4 &q)
{
#pragma unroll
    for (int i = 0; i < WIDTH; i++) {
        x.q[g][i] = of_eight(q, i);
        x.o[g][i] = 0;
    }
    x.all[g] = {-INFINITY, 0};
}

/* Attention of the block's row, when x has the queries. newest(x) takes the
 * newest key in. */
template <int G, class NEWEST, class LEAVE>
static __device__ inline void
stay_attend(attend_lane<G> &x, stay_state &z, const stay &w, stay_shared *s,
            const NEWEST &newest, const LEAVE &leave)
{
    if (stay_works())
        stay_old<G>(x, z, w, s);
    if (blockIdx.x % w.t.pieces == 0 && stay_warp() == 0)
        newest(x);
    stay_join<G>(x, w.t, s->piece, stay_row(w), leave);
}

/* Lets the lane's slots be filled from the beginning. */
static __device__ inline void stay_begin(stay_state &z, const stay &w,
                                         stay_shared *s)
{
    z.once = ptx_evict_first();
    if (stay_works() && stay_lane() == 0) {
        for (int i = 0; i < STAY_SLOTS; i++)
            ptx_mbar_init(&s->full[stay_warp()][i], 1);
        ptx_mbar_init_fence();
        feed_enter(z.feed, w);
        for (int i = 0; i < STAY_SLOTS; i++)
            feed_ask(z.feed, w, s, z.once);
    }
    __syncwarp(); /* the warp's slots have their barriers */
}

/* Attention of a layer, whose results begin at `left`. */
template <int G>
static __device__ inline void stay_layer(stay_state &z, const stay &w,
                                         stay_shared *s, size_t left)
{
    const size_t row = stay_row(w);
    attend t = w.t;
    attend_lane<G> x;

    if ((int)row >= t.kv)
        return;
    t.k += left;
    t.v += left;
#pragma unroll
    for (int g = 0; g < G; g++)
        stay_query<G>(x, g,
                      eight(t.q + left + (row * G + g) * STEP_DEEP +
                            stay_lane() % ATTEND_LANES * WIDTH));
    stay_attend<G>(
        x, z, w, s, [&](attend_lane<G> &lane) { attend_page<G>(lane, t, row); },
        [&](uint2 two) {
            *(uint2 *)(t.a + left + (row * G + stay_warp()) * STEP_DEEP +
                       stay_lane() * 4) = two;
        });
}

// ANCHOR: step
/* The whole step. raw: the block's shared memory. */
template <int G>
static __device__ __forceinline__ void stay_block(const stay &w, char *raw)
{
    stay_shared *const s = (stay_shared *)raw;
    const int hidden = w.rows[0].k, ffn = w.rows[STEP_IS_X].k;
    const float shrink = w.rows[0].shrink;
    uint4 own[STAY_GAINS] = {};
    stay_state z = {};

    stay_begin(z, w, s);
    if (stay_looks())
        z.turn = barrier_begin(w.count);
    stay_meet(z, w, own, w.rows[0].gain, hidden);
    for (int layer = 0; layer < w.layers; layer++) {
        const size_t left = layer * w.left;
        const uint16_t *const x = layer ? w.x + left - w.left : w.input;
        const uint16_t *const gain = w.rows[0].gain + 2 * layer * hidden;
        const end_turn turn = {w.q + left, w.k + left, w.v + left,
                               w.heads,    w.t.kv,     w.t.past};
        const end_add o = {w.y + left, x, hidden};
        const end_gate up = {w.act + left, ffn};
        const end_add down = {w.x + left, w.y + left, hidden};

        stay_norm(s, x, hidden, shrink, own);
        stay_product(z, w, s, STEP_IS_QKV, stay_plain<end_turn>{turn});
        stay_meet(z, w, own, nullptr, 0);
        stay_layer<G>(z, w, s, left);
        stay_meet(z, w, own, gain + hidden, hidden);
        stay_copy(s, w.t.a + left, hidden);
        stay_product(z, w, s, STEP_IS_Y, stay_plain<end_add>{o});
        stay_meet(z, w, own, nullptr, 0);
        stay_norm(s, w.y + left, hidden, shrink, own);
        stay_product(z, w, s, STEP_IS_ACT, stay_plain<end_gate>{up});
        stay_meet(z, w, own, gain + 2 * hidden, hidden);
        stay_copy(s, w.act + left, ffn);
        stay_product(z, w, s, STEP_IS_X, stay_plain<end_add>{down});
        stay_meet(z, w, own, nullptr, 0);
    }
    stay_norm(s, w.x + (w.layers - 1) * w.left, hidden, shrink, own);
    stay_product(z, w, s, STAY_VOCABULARY,
                 stay_plain<end_store>{{w.logits, w.rows[STAY_VOCABULARY].n}});
}
// ANCHOR_END: step

/* ---- the host's side ---- */

/* Blocks that share a row of keys. */
static inline int stay_blocks_of(const struct step_shape *s, int sms)
{
    const int blocks = sms / s->kv;

    return blocks > ATTEND_MOST ? (int)ATTEND_MOST : blocks;
}

static inline size_t stay_parts(const struct step_shape *s, int sms)
{
    return (size_t)s->kv * stay_blocks_of(s, sms) * ATTEND_GROUP;
}

static inline size_t stay_bytes(const struct step_shape *s, int sms)
{
    return step_own_at(s) +
           stay_parts(s, sms) *
               (STEP_DEEP * sizeof(float) + sizeof(struct weight)) +
           s->kv * sizeof(uint32_t) + sizeof(unsigned);
}

/* Attention of a layer, whose pieces lie in `own`. */
static inline struct attend stay_attention(const struct step_shape *s,
                                           const struct step_layer &l,
                                           void *own, int sms)
{
    const size_t parts = stay_parts(s, sms);
    float *const values = (float *)own;
    struct weight *const weights =
        (struct weight *)(values + parts * STEP_DEEP);
    const int past = s->l - 1, blocks = stay_blocks_of(s, sms);
    const int warps = blocks * STAY_WARPS;

    return {l.to.a,
            l.from.q,
            l.from.k,
            l.from.v,
            l.keys,
            l.values,
            values,
            weights,
            (uint32_t *)(weights + parts),
            s->kv,
            past,
            (past + warps - 1) / warps,
            blocks,
            1.44269504f / sqrtf(STEP_DEEP)};
}

static inline struct stay stay_of(const struct kernel_case *c, int sms,
                                  void *const *buf)
{
    const struct step_memory m = step_memory(c, buf);
    const struct step_layer l = step_layer_at(m, 0);
    const struct step_shape *const s = &m.s;
    struct stay w = {};

    w.rows[STEP_IS_QKV] = rows_of(l.qkv, nullptr, s->qkv, s->hidden);
    w.rows[STEP_IS_Y] = rows_of(l.o, nullptr, s->hidden, s->hidden);
    w.rows[STEP_IS_ACT] = rows_of(l.up, nullptr, 2 * s->ffn, s->hidden);
    w.rows[STEP_IS_X] = rows_of(l.down, nullptr, s->hidden, s->ffn);
    /* W_vocab stands where a layer behind the last would begin */
    w.rows[STAY_VOCABULARY] = rows_of(l.qkv, nullptr, s->vocab, s->hidden);
    w.rows[STEP_IS_ACT].step = 1;
    w.rows[STEP_IS_ACT].apart = s->ffn;
    w.rows[STEP_IS_QKV].gain = l.gain[0];
    w.rows[STEP_IS_QKV].shrink = s->shrink;
    w.each = step_layer_weights(s);
    w.t = stay_attention(s, l, m.own, sms);
    w.cache = step_cache_at(s, 1);
    w.left = step_trace_layer(s);
    w.q = l.to.q;
    w.k = l.to.k;
    w.v = l.to.v;
    w.y = l.to.y;
    w.act = l.to.act;
    w.x = l.to.x;
    w.input = m.input;
    w.logits = m.trace + step_logits_at(s);
    w.layers = s->layers;
    w.heads = s->heads;
    w.count = (unsigned *)(w.t.done + s->kv);
    return w;
}

/* All blocks on the device at once, one on each SM. */
template <class WORK>
static inline int stay_launch(void (*kernel)(const WORK), const WORK &w,
                              int threads, int sms, cudaStream_t stream)
{
    cudaLaunchAttribute together = {};
    cudaLaunchConfig_t config = {};

    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    config.gridDim = dim3(sms);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = sizeof(struct stay_shared);
    config.stream = stream;
    config.attrs = &together;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, w);
}

/* What a variant prepares: room for the slots, and the state for its result. */
template <class KERNEL>
static const char *stay_prepare(KERNEL *kernel, const struct kernel_case *c,
                                void *const *buf, void **state)
{
    if (cudaFuncSetAttribute(kernel,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             sizeof(struct stay_shared)))
        return "no room for the slots in shared memory";
    *state = result_new(c, buf);
    return NULL;
}

#endif
