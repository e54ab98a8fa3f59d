/*
 * overlap/sequential - a product, then communication; or the other way round.
 *
 * down:    C = rows of A B^T of GPU 0 + A B^T of GPU 1 + ...
 * gate_up: C = (rows of all GPUs) B^T
 *
 * The baseline: two kernels that have nothing to do with each other. The
 * product is that of gemm16/late. What moves between GPUs is read by the one
 * that needs it, 16 bytes a thread and eight loads under way, as in
 * ceilings/peer. In `down` it adds up what it reads; in `gate_up` it puts the
 * rows of all GPUs one below the other.
 *
 * Predicts: the time of both, one after the other. With 4096 rows between two
 * GPUs `down` makes 962 GFLOP, some 1.4 ms, and receives 33.6 MB, some 0.1 ms.
 * So communication is a fifteenth of the time, and no overlap can gain more.
 * Four GPUs halve the product and receive half as much again: a sixth.
 */
#include "kernels/overlap/whole.cuh"

enum { LOADS = 8 };

/* The product of each GPU. */
struct products {
    whole of[OVERLAP_MOST];
};

/* The rows of A of all GPUs, and where they are gathered: one below the other.
 */
struct rows {
    const uint16_t *from[OVERLAP_MOST];
    uint16_t *to;
    unsigned vectors; /* of each GPU */
};

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    sequential_multiply(const __grid_constant__ whole w)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];

    multiply_whole(w, slots_in(raw, full, empty));
}

template <int GPUS>
static __global__ void __launch_bounds__(MOVERS, 1)
    scatter(const __grid_constant__ team t, const __grid_constant__ sum_of s)
{
    sum_meeting<GPUS>(t, s);
}

// ANCHOR: inner
/* Rows of GPU h; all threads of the grid. */
static __device__ void bring(const rows &r, int h)
{
    const unsigned step = gridDim.x * MOVERS;
    const uint4 *const from = (const uint4 *)r.from[h];
    uint4 *const to = (uint4 *)r.to + (size_t)h * r.vectors;

    for (unsigned i = blockIdx.x * MOVERS + threadIdx.x; i < r.vectors;
         i += LOADS * step) {
        uint4 v[LOADS];

#pragma unroll
        for (int l = 0; l < LOADS; l++)
            if (i + l * step < r.vectors)
                v[l] = from[i + l * step];
#pragma unroll
        for (int l = 0; l < LOADS; l++)
            if (i + l * step < r.vectors)
                to[i + l * step] = v[l];
    }
}

template <int GPUS>
static __global__ void __launch_bounds__(MOVERS, 1)
    collect(const __grid_constant__ team t, const __grid_constant__ rows r)
{
    box *const mine = box_of(t, t.rank, (int)blockIdx.x);
    const uint32_t ticket = mine->ticket;

    meet<GPUS>(t, ticket + 1); /* their rows are there */
    for (int i = 0; i < GPUS; i++)
        bring(r, (t.rank + i) % GPUS);
    meet<GPUS>(t, ticket + 2); /* nobody reads mine any more */
    if (threadIdx.x == 0)
        mine->ticket = ticket + 2;
}
// ANCHOR_END: inner

/* ---- the host's side ---- */

static product product_for(const struct kernel_case *c, void *const *buf, int g)
{
    void *const *const of = kernel_of_gpu(buf, g);
    uint16_t *const made = behind_boxes(buf, g, 0);
    const bool down = overlap_is_down(c);

    return {down ? made : (uint16_t *)of[OVERLAP_C],
            down ? (const uint16_t *)of[OVERLAP_A] : made,
            (const uint16_t *)of[OVERLAP_B],
            (int)kernel_num(c, "m"),
            (int)kernel_num(c, "n"),
            (int)kernel_num(c, "k")};
}

template <int GPUS> static int load(const struct kernel_env *env)
{
    return on_all(env, [&](int, cudaStream_t) {
        int rc = load_large(sequential_multiply, LATER_SHARED);

        if (!rc)
            rc = load_kernel(scatter<GPUS>);
        return rc ? rc : load_kernel(collect<GPUS>);
    });
}

extern "C" const char *overlap_sequential_prepare(const struct kernel_case *c,
                                                  const struct kernel_env *env,
                                                  void *const *buf,
                                                  void **state)
{
    if (FOR_GPUS(c, load, env))
        return "its kernels cannot be loaded";
    return state_open<products>(env, state, [&](int g, whole *part) {
        return whole_open(part, product_for(c, buf, g));
    });
}

/* Products of all rows, or rows of all GPUs. */
extern "C" size_t overlap_sequential_scratch(const struct kernel_case *c,
                                             const struct kernel_env *)
{
    const char *const wide = overlap_is_down(c) ? "n" : "k";

    return BOXES_BYTES + sizeof(uint16_t) * (size_t)kernel_num(c, "m") *
                             (size_t)kernel_num(c, wide);
}

static int multiply(const whole &w, int sms, cudaStream_t stream)
{
    const int blocks = whole_blocks(w.p, sms);

    sequential_multiply<<<blocks, THREADS, LATER_SHARED, stream>>>(w);
    return cudaGetLastError();
}

template <int GPUS>
static int add(const struct kernel_case *c, void *const *buf, int g, int sms,
               cudaStream_t stream)
{
    const size_t mine = (size_t)g * overlap_share(c) * kernel_num(c, "n");
    const team t = team_of(c, buf, g);
    sum_of s = sum_for(c, buf, g);
    const unsigned blocks = mover_blocks(s.vectors, sms);

    for (int h = 0; h < GPUS; h++)
        s.term[h] = behind_boxes(buf, h, 0) + mine;
    scatter<GPUS><<<blocks, MOVERS, 0, stream>>>(t, s);
    return cudaGetLastError();
}

template <int GPUS>
static int gather(const struct kernel_case *c, void *const *buf, int g, int sms,
                  cudaStream_t stream)
{
    const team t = team_of(c, buf, g);
    rows r = {};

    for (int h = 0; h < GPUS; h++)
        r.from[h] = (const uint16_t *)kernel_of_gpu(buf, h)[OVERLAP_A];
    r.to = behind_boxes(buf, g, 0);
    r.vectors =
        (unsigned)((size_t)overlap_share(c) * kernel_num(c, "k") / VECTOR);
    collect<GPUS><<<mover_blocks(r.vectors, sms), MOVERS, 0, stream>>>(t, r);
    return cudaGetLastError();
}

/* In turns, so that no GPU waits for what has not been enqueued yet. */
extern "C" int overlap_sequential(const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void *state)
{
    const products *const s = (const products *)state;
    const int sms = env->sms;
    const auto product = [&](int g, cudaStream_t stream) {
        return multiply(s->of[g], sms, stream);
    };
    int rc;

    if (overlap_is_down(c)) {
        rc = on_all(env, product);
        return rc ? rc : on_all(env, [&](int g, cudaStream_t stream) {
            return FOR_GPUS(c, add, c, buf, g, sms, stream);
        });
    }
    rc = on_all(env, [&](int g, cudaStream_t stream) {
        return FOR_GPUS(c, gather, c, buf, g, sms, stream);
    });
    return rc ? rc : on_all(env, product);
}
