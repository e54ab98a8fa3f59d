/*
 * kernels/gemm16/eights.cuh - sums that go from registers to memory, because a
 * thread has eight columns side by side.
 *
 * wgmma leaves a thread two columns of every eight: columns 8 q + 2 t and
 * 8 q + 2 t + 1, where t is its lane mod 4. As bf16 they are 4 bytes, and a
 * store of 4 bytes here and there costs more than it brings. But which row of B
 * is column c is up to whoever loads it. Here row 8 q + 2 t + e of 32 rows in
 * shared memory is row 8 t + 2 q + e of B, where q and t are less than 4 and e
 * is less than 2. So q = 0 to 3 are together the columns 8 t to 8 t + 7: 16
 * bytes of a row of C. The four threads of a row write 64 bytes side by side.
 *
 * The TMA loads rows in that order by itself. It only has to be told that B has
 * four dimensions: k; e, a row further; t, eight rows; q, two rows. It counts t
 * up to the end of B, and beyond it fills in zeros.
 */
#ifndef KERNELS_GEMM16_EIGHTS_CUH
#define KERNELS_GEMM16_EIGHTS_CUH

#include "kernels/gemm16/pair.cuh"
#include "kernels/gemm16/panels.cuh"

enum {
    PIECE = 32, /* rows of B that are loaded at once, columns of C */
    PIECE_BYTES = PIECE * TENSOR_MAP_PANEL,
    EIGHT = 8, /* columns that a thread has side by side */
    EIGHTS_SHARED = SLOTS_BYTES + TENSOR_MAP_ALIGN,
    EIGHTS_STEP = 2, /* stores of 16 bytes in a step */
    EIGHTS_NONE = -1,
};

/* Describes B, n rows of k, for such pieces. n is a multiple of EIGHT. */
static inline const char *eights_map(CUtensorMap *map, const struct product *p)
{
    const cuuint64_t row = (cuuint64_t)p->k * sizeof *p->b;
    cuuint64_t size[4] = {(cuuint64_t)p->k, 2, (cuuint64_t)p->n / EIGHT, 4};
    cuuint64_t pitch[3] = {row, EIGHT * row, 2 * row};
    cuuint32_t box[4] = {TENSOR_MAP_PANEL / sizeof *p->b, 2, 4, 4};
    cuuint32_t step[4] = {1, 1, 1, 1};
    tensor_map_encode_fn encode = tensor_map_encode();

    if (encode == NULL)
        return "the driver has no cuTensorMapEncodeTiled";
    if (encode(map, CU_TENSOR_MAP_DATA_TYPE_UINT16, 4, (void *)p->b, size,
               pitch, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        return "the driver refused the tensor map of four dimensions";
    return NULL;
}

/* maps_open() for tiles of `a` rows of A and pieces of B. */
static inline const char *eights_open(const struct product *p, int a,
                                      void **state)
{
    const char *why = maps_open(p, a, EIGHT, EIGHT, state);

    if (why == NULL && *state != NULL)
        why = eights_map(&((struct maps *)*state)->b, p);
    if (why != NULL && *state != NULL) {
        free(*state);
        *state = NULL;
    }
    return why;
}

/* fetch_pairs(), with B in pieces. */
static __device__ void fetch_eights(const slots &r, const CUtensorMap *a_map,
                                    const CUtensorMap *b_map, const product &p)
{
    const uint64_t keep = ptx_evict_normal();
    const int half = (int)cluster_rank();
    int i = 0; /* slots filled, over all outputs */

    // ANCHOR: fetch
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        const place at = place_of(p, pair);
        const int first = (at.left + half * WIDE / PAIR) / EIGHT;

        for (int k = 0; k < p.k; k += DEEP, i++) {
            const int s = i % STAGES;
            char *const b = r.b + s * B_BYTES + half * B_BYTES / PAIR;

            cluster_wait(&r.empty[s], (i / STAGES & 1) ^ 1);
            ptx_mbar_expect(&r.full[s], A_BYTES + B_BYTES);
            ptx_tile_load(r.a + s * A_BYTES, a_map, k, at.top, &r.full[s],
                          keep);
#pragma unroll
            for (int j = 0; j < WIDE / PAIR / PIECE; j++)
                cluster_piece_load(b + j * PIECE_BYTES, b_map, k,
                                   first + j * PIECE / EIGHT, &r.full[s],
                                   (1 << PAIR) - 1, keep);
        }
    }
    // ANCHOR_END: fetch
}

/* Eight outputs of a row. C has all or none of these columns. */
static __device__ __forceinline__ void put_eight(const product &p, int row,
                                                 int col, uint4 eight)
{
    if (row < p.m && col < p.n)
        __stcs((uint4 *)(p.c + (size_t)row * p.n + col), eight);
}

/* What a warp group has still to store: rounded outputs, from (row, col) on. */
struct eights {
    uint32_t rounded[WIDE / 4];
    int row, col;
};

/* Stores the outputs of this step; or `rest`, all from `step` on. */
static __device__ __forceinline__ void
eights_put(const eights &l, int step, bool rest, const product &p)
{
    const int thread = threadIdx.x % WGMMA_GROUP, lane = thread % WARP;
    const int row = l.row + thread / WARP * 16 + lane / 4;
    const int col = l.col + lane % 4 * EIGHT;

    if (l.row == EIGHTS_NONE)
        return;
    // ANCHOR: put
#pragma unroll
    for (int i = 0; i < WIDE / PIECE * 2; i++) {
        const uint32_t *const pair = l.rounded + i / 2 * 8 + i % 2;

        if (rest ? i / EIGHTS_STEP >= step : i / EIGHTS_STEP == step)
            put_eight(p, row + i % 2 * 8, col + i / 2 * PIECE,
                      make_uint4(pair[0], pair[2], pair[4], pair[6]));
    }
    // ANCHOR_END: put
}

/* Takes the sums of a tile at `at`. */
static __device__ __forceinline__ void
eights_take(eights &l, const float (&sum)[WIDE / 2], const place &at, int group)
{
    round_sums(l.rounded, sum);
    l.row = at.top + group * WGMMA_HIGH;
    l.col = at.left;
}

#endif
