/*
 * kernels/epilogue/layer.cuh - what the kernels of this family share: the frame
 * of gemm16/late with a bias, and sums that become outputs.
 */
#ifndef KERNELS_EPILOGUE_LAYER_CUH
#define KERNELS_EPILOGUE_LAYER_CUH

#include "kernels/epilogue/act.cuh"
#include "kernels/gemm16/later.cuh"

/* A case's arguments: the product of n columns, and their biases. */
struct layer {
    struct product p;
    const uint16_t *bias;
};

static inline struct layer layer_of(const struct kernel_case *c,
                                    void *const *buf)
{
    const bool plain = epilogue_act_of(c) == EPILOGUE_NONE;

    return {product_of(c, buf), plain ? NULL : (const uint16_t *)buf[3]};
}

/* Makes tensor maps for a kernel whose outputs, of `cols` columns, go to `to`.
 */
static inline const char *layer_maps(const struct product *p, void *to,
                                     int64_t cols, void **state)
{
    const char *why = maps_open(p, HIGH, WIDE / PAIR, 0, state);
    struct maps *const m = (struct maps *)*state;

    if (why == NULL && m == NULL)
        why = "rows are no multiples of 16 bytes";
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&m->c, to, p->m, (int)cols, WGMMA_HIGH);
    if (why != NULL) {
        free(m);
        *state = NULL;
    }
    return why;
}

/* ---- biases ---- */

/* Shared memory beside the slots and the panels. A warp group has the biases of
 * its tile there, as words of two neighbours. */
struct fixed {
    alignas(16) uint32_t biases[GROUPS][WIDE / 2];
    uint64_t full[STAGES], empty[STAGES];
};

static_assert(LATER_SHARED + sizeof(fixed) <= 227 * 1024,
              "a block of an SM may have as much");

static __device__ __forceinline__ fixed &fixed_memory(void)
{
    __shared__ fixed f;

    return f;
}

/*
 * A warp group asks for the biases of the columns from `left` on. It has met
 * since it read those of the tile before: it has sent a panel.
 */
static __device__ __forceinline__ void bias_ask(const layer &l, int left,
                                                uint32_t *biases)
{
    const int thread = threadIdx.x % WGMMA_GROUP;
    const int col = left + WIDTH * thread;

    if (thread < WIDE / WIDTH)
        ptx_copy_16(biases + WIDTH / 2 * thread, l.bias + col, col < l.p.n);
    ptx_copies_commit();
}

/* They are there, and the whole group may read them. */
static __device__ __forceinline__ void bias_wait(int group)
{
    ptx_copies_wait<0>();
    ptx_sync_some(1 + group, WGMMA_GROUP);
}

/* ---- outputs ---- */

/* Words that a thread has of a tile's outputs, and panels of them. */
template <epilogue_act ACT> struct outputs {
    static constexpr int COLUMNS = ACT == EPILOGUE_SWIGLU ? WIDE / 2 : WIDE;
    static constexpr int WORDS = COLUMNS / 4;
    static constexpr int PANELS_EACH = WORDS / PANEL_PAIRS;
};

/*
 * The outputs of a panel, in the order of round_sums(), from sums `sum` on. The
 * thread has two neighbours of each eight columns, in two rows; `bias` are
 * those of the panel's columns, from the thread's first on.
 */
template <epilogue_act ACT, act_way WAY>
static __device__ __forceinline__ void
finish_panel(uint32_t *word, const float *sum, const uint32_t *bias)
{
    constexpr int EIGHTS = ACT == EPILOGUE_SWIGLU ? 2 : 1; /* for an output */

#pragma unroll
    for (int i = 0; i < PANEL_PAIRS / 2; i++)
#pragma unroll
        for (int below = 0; below < 2; below++) { /* by 8 rows */
            const float *const at = sum + i * EIGHTS * 4 + below * 2;

            if constexpr (ACT == EPILOGUE_SWIGLU)
                word[2 * i + below] = act_gated<WAY>(
                    at[0], at[1], bias[i * 8], at[4], at[5], bias[i * 8 + 4]);
            else
                word[2 * i + below] =
                    act_pair<ACT, WAY>(at[0], at[1], bias[i * 4]);
        }
}

/* Those of all panels; `biases` are the tile's. */
template <epilogue_act ACT>
static __device__ __forceinline__ void
finish(uint32_t (&word)[outputs<ACT>::WORDS], const float (&sum)[WIDE / 2],
       const uint32_t *biases)
{
    constexpr int EACH = WIDE / 2 / outputs<ACT>::PANELS_EACH;

#pragma unroll
    for (int i = 0; i < outputs<ACT>::PANELS_EACH; i++)
        finish_panel<ACT, ACT_SHORT>(word + i * PANEL_PAIRS, sum + i * EACH,
                                     biases + threadIdx.x % 4 + i * EACH);
}

/* The outputs of GELU, panel by panel, to (row, col) of C. */
template <epilogue_act ACT, act_way WAY>
static __device__ __forceinline__ void
finish_and_send(const float (&sum)[WIDE / 2], const uint32_t *biases,
                char *panels, const CUtensorMap *c_map, int group, int row,
                int col)
{
#pragma unroll
    for (int i = 0; i < LATER_PANELS; i++) {
        uint32_t word[PANEL_PAIRS];

        finish_panel<ACT, WAY>(word, sum + i * 32,
                               biases + threadIdx.x % 4 + i * 32);
        panel_send(word, panels, i, c_map, group, row, col + i * 64);
    }
}

/* ---- outputs that leave during the next products ---- */

/* What a warp group has still to send, from (row, col) on; nothing if `row` is
 * LATER_NONE. */
template <epilogue_act ACT> struct waiting {
    uint32_t word[outputs<ACT>::WORDS];
    int row, col;
};

/* Sends the panel of this step; or `rest`, all from `step` on. */
template <epilogue_act ACT>
static __device__ __forceinline__ void
waiting_send(const waiting<ACT> &w, int step, bool rest, char *panels,
             const CUtensorMap *c_map, int group)
{
#pragma unroll
    for (int i = 0; i < outputs<ACT>::PANELS_EACH; i++)
        if (w.row != LATER_NONE && (rest ? i >= step : i == step))
            panel_send(w.word + i * PANEL_PAIRS, panels, i, c_map, group, w.row,
                       w.col + i * 64);
}

/* Where the outputs of a tile belong. */
template <epilogue_act ACT>
static __device__ __forceinline__ void waiting_at(waiting<ACT> &w,
                                                  const place &at, int group)
{
    w.row = at.top + group * WGMMA_HIGH;
    w.col = at.left / (WIDE / outputs<ACT>::COLUMNS);
}

#endif
