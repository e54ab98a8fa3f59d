/*
 * grouped/pick - tokens are copied into the order of experts, then multiplied.
 *
 * C[i][j] = Σ_k A[row[i]][k] B[g][j][k], where row i belongs to expert g.
 *
 * In front of the first layer the tokens stand as they came, and row[i] says
 * which of them row i is. A first kernel copies them to their places: each is
 * read eight times, from the L2 mostly, and written eight times. The second
 * kernel is that of grouped/few.
 *
 * Predicts: grouped/few with sorted rows, and the time for a copy of the rows:
 * some 60 us for 4096 tokens of 2048 elements.
 */
#include "kernels/grouped/few_tiles.cuh"

enum { COPY_THREADS = 256, COPY_BLOCKS = 8 /* for each SM */ };

/* Eight elements a thread. */
static __global__ void __launch_bounds__(COPY_THREADS)
    copy_rows(uint4 *to, const uint4 *from, const int *row, int rows,
              int across)
{
    const size_t all = (size_t)rows * across;

    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < all;
         i += gridDim.x * blockDim.x)
        to[i] = from[(size_t)row[i / across] * across + i % across];
}

static __global__ void __launch_bounds__(MULTIPLY + WARP, 1)
    picked(struct experts x, const __grid_constant__ few_maps maps)
{
    extern __shared__ char raw[];

    few_block(x, maps, raw);
}

extern "C" size_t grouped_pick_scratch(const struct kernel_case *c,
                                       const struct kernel_env *)
{
    return (size_t)routing_of(c)->rows * kernel_num(c, "k") * sizeof(uint16_t);
}

extern "C" const char *grouped_pick_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    const char *const why = experts_allow(picked, SHARED);

    return why != NULL
               ? why
               : few_open(experts_of(c, buf), (const uint16_t *)buf[5], state);
}

extern "C" int grouped_pick(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct experts x = experts_of(c, buf);
    const int across = x.k / WIDTH;

    copy_rows<<<COPY_BLOCKS * env->sms, COPY_THREADS, 0,
                (cudaStream_t)env->stream>>>(
        (uint4 *)buf[5], (const uint4 *)x.a, (const int *)buf[4], x.rows,
        across);
    picked<<<env->sms, MULTIPLY + WARP, SHARED, (cudaStream_t)env->stream>>>(
        x, *(const struct few_maps *)state);
    return cudaGetLastError();
}
