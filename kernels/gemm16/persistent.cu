/*
 * gemm16/persistent - a block for each SM goes on from tile to tile.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * In gemm16/wide a block ends with its tile. The next one starts with empty
 * slots, and the tensor cores wait for a first tile to come from the L2; before
 * that they waited for the last sums to be written. Now there are as many
 * blocks as SMs, and block b takes tiles b, b + 132, ... While its warp groups
 * write sums, the slots fill with what the next tile needs.
 *
 * Predicts: 1.04 times gemm16/wide where k = 4096, more where k is short.
 */
#include "kernels/gemm16/resident.cuh"

enum { SHARED = SLOTS_BYTES + TENSOR_MAP_ALIGN };

/* Tiles go along the rows of C. */
struct by_rows {
    __device__ place operator()(const product &p, int tile) const
    {
        const int across = ceil_div(p.n, WIDE);

        return {tile / across * HIGH, tile % across * WIDE};
    }
};

static __global__ void __launch_bounds__(THREADS, 1)
    persistent(struct product p, const __grid_constant__ CUtensorMap a_map,
               const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];

    go_through_tiles(p, &a_map, &b_map, slots_in(raw, full, empty), by_rows());
}

extern "C" const char *gemm16_persistent_prepare(const struct kernel_case *c,
                                                 const struct kernel_env *,
                                                 void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(persistent,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE, 0, state);
}

extern "C" int gemm16_persistent(const struct kernel_case *c,
                                 const struct kernel_env *env, void *const *buf,
                                 void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int tiles = tiles_of(p);
    const int blocks = tiles < env->sms ? tiles : env->sms;

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    persistent<<<blocks, THREADS, SHARED, (cudaStream_t)env->stream>>>(p, m->a,
                                                                       m->b);
    return cudaGetLastError();
}
