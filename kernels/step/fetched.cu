/*
 * step/fetched - weights come by bulk copies, asked for before the wait.
 *
 * step/held keeps loads in front of the wait for the kernel before by an
 * operand, and a lane then waits for its weights before it waits for the
 * kernel. A bulk copy needs no such trick: it is no load whose result somebody
 * waits for, so the assembler leaves it where it stands, and no register has to
 * hold what it brings.
 *
 * So each warp has two slots of 8 KB for its two rows. It asks for both as soon
 * as it comes in, whatever the kernel before does. Three blocks of 64 KB fit an
 * SM: as many bytes as the memory delivers in five microseconds. All kernels of
 * the step ask for as much shared memory as there is, so that an SM never
 * divides its memory anew.
 *
 * Predicts: 5 to 12 % less time than step/early: 3.6 to 3.85 ms.
 */
#include "kernels/step/early.cuh"

enum {
    FETCHED_PIECE = 2048, /* elements of a row in a slot */
    FETCHED_SLOTS = 2,    /* of a warp: rows of 4096 elements fit */
    FETCHED_BLOCKS = 3,   /* on an SM */
    FETCHED_EIGHTS = FETCHED_PIECE / ONE_STEP, /* of a lane and a row */
    FETCHED_CARVEOUT = 100                     /* percent: 228 KB */
};

template <int G>
static __global__ void __launch_bounds__(STAY_THREADS, 1)
    fetched_pieces(const attend t)
{
    extern __shared__ __align__(128) char raw[];

    early_block<G>(t, (early_shared *)raw);
}

struct fetched_way : late_ways {
    template <int G> static auto pieces()
    {
        return fetched_pieces<G>;
    }
};

struct fetched_shared {
    uint16_t slot[ONE_WARPS][FETCHED_SLOTS][2][FETCHED_PIECE];
    uint64_t full[ONE_WARPS][FETCHED_SLOTS];
};

// ANCHOR: ask
/* Asks for a piece of a warp's two rows. One lane. */
static __device__ inline void fetched_ask(fetched_shared *s,
                                          const product_rows &r,
                                          const uint16_t *first, int piece,
                                          uint64_t once)
{
    const int warp = threadIdx.x / WARP, at = piece % FETCHED_SLOTS;
    const int from = piece * FETCHED_PIECE;
    const int bytes = 2 * min(r.k - from, (int)FETCHED_PIECE);
    uint64_t *const full = &s->full[warp][at];

    ptx_mbar_expect(full, 2 * bytes);
    ptx_bulk_load(s->slot[warp][at][0], first + from, bytes, full, once);
    ptx_bulk_load(s->slot[warp][at][1], first + (size_t)r.apart * r.k + from,
                  bytes, full, once);
}
// ANCHOR_END: ask

/* A lane's elements of the vector, and of gains, for a piece. */
template <bool NORM> struct fetched_eights {
    uint4 x[FETCHED_EIGHTS], gain[FETCHED_EIGHTS];
};

template <bool NORM>
static __device__ __forceinline__ void
fetched_load(fetched_eights<NORM> &v, const product_rows &r, int from)
{
#pragma unroll
    for (int j = 0; j < FETCHED_EIGHTS; j++) {
        const int i = from + j * ONE_STEP + threadIdx.x % WARP * WIDTH;

        v.x[j] = v.gain[j] = make_uint4(0, 0, 0, 0);
        if (i < r.k)
            v.x[j] = eight(r.x + i);
        if (NORM && i < r.k)
            v.gain[j] = eight(r.gain + i);
    }
}

/* Each warp: the sums of its pair in all lanes, and end(0, pair, sums). */
template <bool NORM, class END>
static __global__ void __launch_bounds__(ONE_THREADS, FETCHED_BLOCKS)
    fetched_vector(const product_rows r, const END end)
{
    extern __shared__ __align__(128) char raw[];
    fetched_shared *const s = (fetched_shared *)raw;
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int pair = blockIdx.x * ONE_WARPS + warp;
    const int pieces = (r.k + FETCHED_PIECE - 1) / FETCHED_PIECE;
    const uint16_t *const first =
        r.w + (size_t)(min(pair, r.n / 2 - 1) * r.step) * r.k;
    const uint64_t once = ptx_evict_first();
    late_sums sum = {};

    ptx_next_kernel_may_start();
    if (NORM && blockIdx.x == 0 && threadIdx.x == 0)
        ptx_bulk_prefetch(r.gain, r.k * 2);
    if (lane == 0) {
        for (int i = 0; i < FETCHED_SLOTS; i++)
            ptx_mbar_init(&s->full[warp][i], 1);
        ptx_mbar_init_fence();
        for (int i = 0; i < min(pieces, (int)FETCHED_SLOTS); i++)
            fetched_ask(s, r, first, i, once);
    }
    __syncwarp();               /* the warp's barriers are ready */
    ptx_wait_for_last_kernel(); /* x is its output */
    for (int piece = 0; piece < pieces; piece++) {
        const int at = piece % FETCHED_SLOTS, from = piece * FETCHED_PIECE;
        fetched_eights<NORM> v;

        fetched_load(v, r, from);
        ptx_mbar_wait(&s->full[warp][at], piece / FETCHED_SLOTS % 2);
#pragma unroll
        for (int j = 0; j < FETCHED_EIGHTS; j++) {
            const int i = j * ONE_STEP + lane * WIDTH;

            if (from + i < r.k)
                late_eight<NORM>(sum, eight(s->slot[warp][at][0] + i),
                                 eight(s->slot[warp][at][1] + i), v.x[j],
                                 v.gain[j]);
        }
        __syncwarp(); /* all lanes have read the slot */
        if (lane == 0 && piece + FETCHED_SLOTS < pieces)
            fetched_ask(s, r, first, piece + FETCHED_SLOTS, once);
    }
    late_end<NORM>(sum, r, pair, end);
}

template <class END>
static int fetched_product(const chain &x, const product_rows &r,
                           const END &end)
{
    const auto kernel =
        r.gain ? fetched_vector<true, END> : fetched_vector<false, END>;

    return early_launch(x, kernel, (r.n / 2 + ONE_WARPS - 1) / ONE_WARPS,
                        ONE_THREADS, sizeof(struct fetched_shared),
                        FETCHED_CARVEOUT, r, end);
}

template <> int chain_attend<fetched_way>(const chain &x, const step_layer &l)
{
    return early_attend<fetched_way>(x, l, FETCHED_CARVEOUT);
}

template <>
int chain_product<fetched_way>(const chain &x, product_rows r,
                               const end_turn &end)
{
    return fetched_product(x, r, end);
}

template <>
int chain_product<fetched_way>(const chain &x, product_rows r,
                               const end_add &end)
{
    return fetched_product(x, r, end);
}

template <>
int chain_product<fetched_way>(const chain &x, product_rows r,
                               const end_gate &end)
{
    return fetched_product(x, r, end);
}

template <>
int chain_product<fetched_way>(const chain &x, product_rows r,
                               const end_store &end)
{
    return fetched_product(x, r, end);
}

extern "C" size_t step_fetched_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return early_bytes(&s, env->sms);
}

extern "C" const char *step_fetched_prepare(const struct kernel_case *c,
                                            const struct kernel_env *env,
                                            void *const *buf, void **state)
{
    return result_graph<fetched_way>(c, env, buf, state);
}

extern "C" int step_fetched(const struct kernel_case *,
                            const struct kernel_env *env, void *const *,
                            void *state)
{
    return result_launch(env, state);
}

extern "C" void step_fetched_release(void *state)
{
    result_free(state);
}
