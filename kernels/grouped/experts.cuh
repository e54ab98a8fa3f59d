/*
 * kernels/grouped/experts.cuh - what the kernels of this family share: the
 * buffers, their tensor maps, and how a block finds its tiles.
 *
 * Row i of A belongs to expert g, and C[i][j] = Σ_k A[i][k] B[g][j][k]. Rows
 * are sorted by expert: those of g are begin[g] to begin[g + 1]. All matrices
 * are row-major and bf16, sums are f32.
 *
 * No expert has a tensor map of its own. The weights of all of them are one
 * matrix of e n rows, in which tile rows of expert g start at g n. A tile may
 * reach into the rows of the next expert; products of those are not stored.
 */
#ifndef KERNELS_GROUPED_EXPERTS_CUH
#define KERNELS_GROUPED_EXPERTS_CUH

#include "kernels/gemm16/product.cuh"
#include "kernels/grouped/routing.h"

#include <stdlib.h>

/* A case's arguments. */
struct experts {
    uint16_t *c;
    const uint16_t *a, *b;
    const int *begin; /* of each expert's rows; e + 1 of them */
    int rows, e, n, k;
};

static inline struct experts experts_of(const struct kernel_case *c,
                                        void *const *buf)
{
    struct experts x = {(uint16_t *)buf[2],       (const uint16_t *)buf[0],
                        (const uint16_t *)buf[1], (const int *)buf[3],
                        routing_of(c)->rows,      (int)kernel_num(c, "e"),
                        (int)kernel_num(c, "n"),  (int)kernel_num(c, "k")};
    return x;
}

/* One expert's product, as far as put_sums() wants to know: rows end at `end`.
 */
static __host__ __device__ inline struct product
product_until(const struct experts &x, int end)
{
    return {x.c, x.a, x.b, end, x.n, x.k};
}

// ANCHOR: find
/* The first tile of each expert, and how many there are: shared memory of a
 * block. */
struct tiles {
    int first[ROUTING_EXPERTS + 1];
};

/*
 * The first warp numbers the tiles of all experts in a row, of which an expert
 * with so many rows has tiles_of(rows). A lane adds up those of some
 * neighbours, and the warp adds up lanes.
 */
template <class TILES_OF>
static __device__ __forceinline__ void
tiles_number(tiles &t, const struct experts &x, TILES_OF tiles_of)
{
    const int lane = threadIdx.x, each = ceil_div(x.e, WARP);
    int sum = 0;

    if (lane >= WARP)
        return;
    const int from = min(x.e, lane * each), to = min(x.e, from + each);

    for (int g = from; g < to; g++)
        sum += tiles_of(x.begin[g + 1] - x.begin[g]);
    int before = sum;
#pragma unroll
    for (int step = 1; step < WARP; step *= 2) {
        const int v = __shfl_up_sync(0xffffffffu, before, step);

        before += lane >= step ? v : 0;
    }
    before -= sum;
    for (int g = from; g < to; g++) {
        t.first[g] = before;
        before += tiles_of(x.begin[g + 1] - x.begin[g]);
    }
    if (to == x.e)
        t.first[x.e] = before; /* several lanes may say the same */
}

/* The same for tiles of `high` rows, of which so many stand side by side. */
static __device__ __forceinline__ void
tiles_number(tiles &t, const struct experts &x, int high, int across)
{
    tiles_number(t, x, [=](int rows) { return ceil_div(rows, high) * across; });
}

/* The expert of a tile, which is not before expert g. */
static __device__ __forceinline__ int tiles_expert(const tiles &t, int g,
                                                   int tile)
{
    while (t.first[g + 1] <= tile)
        g++;
    return g;
}
// ANCHOR_END: find

/* ---- the host's side ---- */

/* The state of launch(). */
struct expert_maps {
    CUtensorMap a, b, c;
};

/* Tensor maps for tiles of `a` rows of the matrix at `from`, which has `rows`
 * of them, `b` of weights and `c` of outputs (0: none), 64 elements wide. */
static inline const char *experts_open(const struct experts &x,
                                       const uint16_t *from, int rows, int a,
                                       int b, int c, void **state)
{
    struct expert_maps *const m = (struct expert_maps *)aligned_alloc(
        alignof(struct expert_maps), sizeof *m);
    const char *why;

    if (m == NULL)
        abort();
    why = tensor_map_make<uint16_t>(&m->a, from, rows, x.k, a);
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&m->b, x.b, x.e * x.n, x.k, b);
    if (why == NULL && c != 0)
        why = tensor_map_make<uint16_t>(&m->c, x.c, x.rows, x.n, c);
    if (why != NULL) {
        free(m);
        return why;
    }
    *state = m;
    return NULL;
}

/* Lets a kernel have so much shared memory. */
template <class KERNEL>
static inline const char *experts_allow(KERNEL *kernel, int shared)
{
    return cudaFuncSetAttribute(kernel,
                                cudaFuncAttributeMaxDynamicSharedMemorySize,
                                shared) == cudaSuccess
               ? NULL
               : "the device has too little shared memory for the slots";
}

#endif
