/*
 * step/scaled - with several sequences norms are parts of products, too.
 *
 * step/staged has a kernel for each norm: 65 of its 226. It reads vectors, sums
 * up squares, reads again, writes, and ends. Meanwhile memory has what blocks
 * asked for before their wait, for 4 to 5 microseconds. The end of the product
 * before, the norm, and the way of the vectors take about as long.
 *
 * But a norm is a factor for a whole vector, and gains: W (g x / rms(x)) =
 * (W (g x)) / rms(x). So the product before leaves y, and g y beside it, which
 * the next one multiplies. A tile of 128 rows also leaves the sum of its
 * squares, for each vector. The next product adds up 32 such sums while its
 * slots are under way, and multiplies its own sums by the factor at the end.
 * The order of all sums is always the same, so results are, too.
 *
 * The first layer's norm stays a kernel, and so do those of stages by
 * themselves. One sequence goes the way of step/fused.
 *
 * Predicts: 1 to 4 % less time than step/staged with 8 sequences: one to three
 * microseconds for each of 64 norms. 0.5 to 2.5 % with 32.
 */
#include "kernels/step/staged.cuh"

struct scaled_way : staged_ways {
};
struct single_norms : staged_ways { /* what scaled_way does not change */
};

static __device__ inline float *scaled_factors(void)
{
    __shared__ float factors[STEP_MOST];

    return factors;
}

// ANCHOR: norm
/* Vectors were multiplied by gains, and their squares were left. */
struct scaled_norm {
    const float *squares; /* [vector][tile]; NULL: vectors are normalised */
    int tiles, hidden;
    float shrink;

    /* Those that multiply: eight lanes for each vector. */
    __device__ void begin(int b) const
    {
        const int lane = threadIdx.x % 8, token = threadIdx.x / 8;
        float sum = 0;

        if (!squares)
            return;
        ptx_wait_for_last_kernel(); /* which left them */
        for (int i = lane; i < tiles && token < b; i += 8)
            sum += squares[token * tiles + i];
#pragma unroll
        for (int step = 4; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, step);
        if (lane == 0 && token < b)
            scaled_factors()[token] = norm_factor(sum, hidden, shrink);
    }
    __device__ float factor(int token) const
    {
        return squares ? scaled_factors()[token] : 1;
    }
};

/* Sums are added to x: y; and y times the next gains, and squares, are left. */
struct end_next {
    uint16_t *y, *h;
    const uint16_t *x, *gain;
    float *squares;
    int n;
};

static __device__ __forceinline__ float
slots_call(const end_next &end, int token, int pair, float a, float b)
{
    const size_t at = (size_t)token * end.n + 2 * pair;
    const uint32_t old = *(const uint32_t *)(end.x + at);
    const uint32_t gain = *(const uint32_t *)(end.gain + 2 * pair);
    const uint32_t y = bf16_pair(bf16_first(old) + a, bf16_second(old) + b);

    *(uint32_t *)(end.y + at) = y;
    *(uint32_t *)(end.h + at) = normal_pair(y, gain, 1);
    return bf16_first(y) * bf16_first(y) + bf16_second(y) * bf16_second(y);
}

/* A half of a warp: the squares of a tile. */
static __device__ __forceinline__ void slots_leave(const end_next &end,
                                                   int token, int tile,
                                                   float squares, bool exists)
{
    static_assert(SLOTS_QUADS == WARP / 2, "half a warp has a vector");
#pragma unroll
    for (int step = SLOTS_QUADS / 2; step > 0; step /= 2)
        squares += __shfl_xor_sync(0xffffffffu, squares, step);
    if (threadIdx.x % SLOTS_QUADS == 0 && exists)
        end.squares[token * (end.n / SLOTS_HIGH) + tile] = squares;
}
// ANCHOR_END: norm

/* Asks the L2 for a tile's gains; other ENDs have none. */
template <class END> static __device__ void scaled_ask(const END &, int)
{
}

static __device__ void scaled_ask(const end_next &end, int tile)
{
    if (threadIdx.x == 0)
        ptx_bulk_prefetch(end.gain + tile * SLOTS_HIGH, SLOTS_HIGH * 2);
}

template <class F, class NORM, class END>
static __global__ void __launch_bounds__(SLOTS_THREADS, SLOTS_BLOCKS)
    scaled_vectors(const product_rows r, const int b, const int splits,
                   const __grid_constant__ CUtensorMap w_map,
                   const __grid_constant__ CUtensorMap x_map, const NORM norm,
                   const END end)
{
    extern __shared__ char raw[];

    scaled_ask(end, blockIdx.x / splits);
    slots_block<F>(r, b, splits, &w_map, &x_map, norm, end, raw);
}

template <int G>
static __global__ void __launch_bounds__(ATTEND_THREADS, KEYS_BLOCKS)
    scaled_keys(const attend t)
{
    extern __shared__ __align__(128) char raw[];

    keys_block<G>(t, raw);
}

struct scaled_kernels {
    template <class F, class NORM, class END> static auto product(void)
    {
        return scaled_vectors<F, NORM, END>;
    }
    template <int G> static auto keys(void)
    {
        return scaled_keys<G>;
    }
};

/* Squares lie behind the memory of step/staged. */
static float *scaled_squares(const chain &x)
{
    return (float *)(x.m.own + staged_own(&x.m.s, x.sms) + keys_bytes(&x.m.s));
}

/* A product of vectors that have to be normalised. */
template <class END>
static int scaled_product(const chain &x, product_rows r, const END &end)
{
    const bool first = step_is_apart(x.m) || r.x == x.m.input;
    const scaled_norm norm = {first ? NULL : scaled_squares(x),
                              r.k / SLOTS_HIGH, r.k, r.shrink};

    if (x.m.s.b == 1)
        return staged_single(x, r, end);
    const int rc = first ? staged_norm(x, r) : 0;

    r.x = x.h;
    return rc ? rc : staged_slots<scaled_kernels>(x, r, norm, end);
}

/* A product and the residual; it leaves what the next norm needs, whose gains
 * these are. */
static int scaled_add(const chain &x, const product_rows &r, uint16_t *y,
                      const uint16_t *to, const uint16_t *gain)
{
    return staged_slots<scaled_kernels>(
        x, r, slots_given{},
        end_next{y, x.h, to, gain, scaled_squares(x), x.m.s.hidden});
}

/* The chain of kernels/step/chain.cuh does stages in this way. */
template <>
int chain_product<single_norms>(const chain &x, product_rows r,
                                const end_turn &end)
{
    return scaled_product(x, r, end);
}

template <>
int chain_product<single_norms>(const chain &x, product_rows r,
                                const end_gate &end)
{
    return scaled_product(x, r, end);
}

template <>
int chain_product<single_norms>(const chain &x, product_rows r,
                                const end_store &end)
{
    return scaled_product(x, r, end);
}

template <>
int chain_product<single_norms>(const chain &x, product_rows r,
                                const end_add &end)
{
    if (x.m.s.b == 1)
        return staged_single(x, r, end);
    return staged_slots<scaled_kernels>(x, r, slots_given{}, end);
}

template <> int chain_attend<single_norms>(const chain &x, const step_layer &l)
{
    return staged_attend<scaled_kernels>(x, l);
}

// ANCHOR: inner
template <>
int chain_one<scaled_way>(const chain &x, const step_layer &l, unsigned part)
{
    const int hidden = x.m.s.hidden;
    const bool alone = step_is_apart(x.m) || x.m.s.b == 1;

    if (part == STEP_O && !alone)
        return scaled_add(x, rows_of(l.o, l.from.a, hidden, hidden), l.to.y,
                          l.x, l.gain[1]);
    if (part == STEP_DOWN && !alone)
        return scaled_add(x, rows_of(l.down, l.from.act, hidden, x.m.s.ffn),
                          l.to.x, l.from.y, l.gain[1] + hidden);
    return chain_one<single_norms>(x, l, part);
}
// ANCHOR_END: inner

template <> int chain_vocabulary<scaled_way>(const chain &x)
{
    return chain_vocabulary<single_norms>(x);
}

extern "C" size_t step_scaled_scratch(const struct kernel_case *c,
                                      const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return staged_bytes(&s, env->sms) +
           (size_t)s.b * s.heads * sizeof(float); /* squares */
}

extern "C" const char *step_scaled_prepare(const struct kernel_case *c,
                                           const struct kernel_env *env,
                                           void *const *buf, void **state)
{
    return result_graph<scaled_way>(c, env, buf, state);
}

extern "C" int step_scaled(const struct kernel_case *,
                           const struct kernel_env *env, void *const *,
                           void *state)
{
    return result_launch(env, state);
}

extern "C" void step_scaled_release(void *state)
{
    result_free(state);
}
