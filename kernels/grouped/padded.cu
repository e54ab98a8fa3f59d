/*
 * grouped/padded - a batch in which every expert has as many rows.
 *
 * C[i][j] = Σ_k A[i][k] B[g][j][k], where row i belongs to expert g.
 *
 * Libraries have done batches of equal products for long. To make one of this,
 * each expert gets as many rows as the largest has: a first kernel copies the
 * rows to their places in the batch and fills up with zeros, a second one does
 * all products in one launch, and a third one copies the outputs back.
 *
 * All SMs have work now. But some of it is worth nothing: zeros are multiplied
 * as thoroughly as tokens are. How many there are is a question of the routing.
 * If 4096 tokens choose 8 of 256 experts evenly, an expert has 128 rows and the
 * largest some 170. If they choose by Zipf's law, the most popular expert is
 * asked by nearly all tokens, and the batch has 20 times the rows.
 *
 * Predicts: more than 1.3 times the time of grouped/scheduler for 4096 tokens
 * of Qwen3 if the routing is uniform, and five times that by Zipf's law.
 */
#include "kernels/grouped/block.cuh"

enum { COPY_THREADS = 256, COPY_BLOCKS = 8 /* for each SM */ };

/* The batch: `most` rows for each expert, inputs and outputs. */
struct batch {
    uint16_t *a, *c;
    int most;
};

static size_t batch_rows(const struct routing *r)
{
    return (size_t)r->most * r->e;
}

/* Behind the inputs come the outputs. */
static batch batch_in(void *scratch, const struct experts &x,
                      const struct routing *r)
{
    uint16_t *const a = (uint16_t *)scratch;

    return {a, a + batch_rows(r) * x.k, r->most};
}

/* Eight elements of each thread from rows of A to the batch, which has zeros
 * where an expert has no row. */
static __global__ void pack(struct experts x, batch to)
{
    const size_t across = x.k / WIDTH, all = across * to.most * x.e;

    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < all;
         i += gridDim.x * blockDim.x) {
        const int row = (int)(i / across), g = row / to.most;
        const int from = x.begin[g] + row % to.most;

        ((uint4 *)to.a)[i] =
            from < x.begin[g + 1]
                ? ((const uint4 *)x.a)[from * across + i % across]
                : make_uint4(0, 0, 0, 0);
    }
}

/* An output of each thread back from the batch. */
static __global__ void unpack(struct experts x, batch from)
{
    const size_t across = (size_t)x.n * from.most, all = across * x.e;

    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < all;
         i += gridDim.x * blockDim.x) {
        const int g = (int)(i / across);
        const int row = x.begin[g] + (int)(i % across / x.n);

        if (row < x.begin[g + 1])
            x.c[(size_t)row * x.n + i % x.n] = from.c[i];
    }
}

// ANCHOR: inner
/* p: the batch as one product, of which expert blockIdx.z has `most` rows. */
static __global__ void __launch_bounds__(THREADS, 1)
    equal(struct product p, int most, const __grid_constant__ CUtensorMap a_map,
          const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    const int g = blockIdx.z, left = blockIdx.x * WIDE;
    const tile t = {g * most + (int)blockIdx.y * HIGH, left, g * p.n + left};

    p.m = (g + 1) * most; /* rows behind these are the next expert's */
    block_product(p, t, &a_map, &b_map, raw);
}
// ANCHOR_END: inner

extern "C" size_t grouped_padded_scratch(const struct kernel_case *c,
                                         const struct kernel_env *)
{
    const size_t wide = (size_t)(kernel_num(c, "k") + kernel_num(c, "n"));

    return batch_rows(routing_of(c)) * wide * sizeof(uint16_t);
}

extern "C" const char *grouped_padded_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    const struct experts x = experts_of(c, buf);
    const struct routing *const r = routing_of(c);
    const batch b = batch_in(buf[4], x, r);
    const char *const why = experts_allow(equal, SHARED);

    return why != NULL
               ? why
               : experts_open(x, b.a, (int)batch_rows(r), HIGH, WIDE, 0, state);
}

extern "C" int grouped_padded(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    const struct experts x = experts_of(c, buf);
    const struct expert_maps *m = (const struct expert_maps *)state;
    const batch b = batch_in(buf[4], x, routing_of(c));
    const struct product p = {b.c, b.a, x.b, 0, x.n, x.k};
    const int blocks = COPY_BLOCKS * env->sms;
    const dim3 grid(ceil_div(x.n, WIDE), ceil_div(b.most, HIGH), x.e);

    pack<<<blocks, COPY_THREADS, 0, (cudaStream_t)env->stream>>>(x, b);
    equal<<<grid, THREADS, SHARED, (cudaStream_t)env->stream>>>(p, b.most, m->a,
                                                                m->b);
    unpack<<<blocks, COPY_THREADS, 0, (cudaStream_t)env->stream>>>(x, b);
    return cudaGetLastError();
}
