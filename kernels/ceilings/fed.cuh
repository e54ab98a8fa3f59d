/*
 * kernels/ceilings/fed.cuh - the products of a tile, with operands from
 * somewhere: ceilings/fed_held, fed_own and fed_pair.
 *
 * The frame is that of the fastest products here (kernels/gemm16/wide.cuh): two
 * warp groups multiply 64 x 256 outputs each, from four slots, and a thread
 * asks the TMA for what comes next. A panel is 128 bytes along k of 128 rows of
 * A and 256 of B, 48 KB. Its products take 1024 cycles in either format: in FP8
 * they are twice as many. So an SM takes 48 bytes a cycle.
 *
 * All steps run the same loop with the same waits, whatever feeds it. What
 * differs is who fills a slot, and from where.
 */
#ifndef KERNELS_CEILINGS_FED_CUH
#define KERNELS_CEILINGS_FED_CUH

#include "kernels/ceilings/panels.h"
#include "kernels/gemm16/wide.cuh"
#include "kernels/gemm8/wgmma.cuh"

#include <string.h>

static_assert((int)FED_HIGH == HIGH && (int)FED_WIDE == WIDE &&
                  (int)FED_SLOTS == STAGES &&
                  (int)FED_PANEL == TENSOR_MAP_PANEL,
              "family and kernel agree on a tile");

enum { FED_SHARED = SLOTS_BYTES + TENSOR_MAP_ALIGN };

/* A case's arguments. `again` is 0, whether a pass goes on with the sums of the
 * one before; the compiler must not know it, or it could drop sums that the
 * next pass discards. */
struct fed {
    float *d;
    int tiles, panels, steps, again;
    bool once; /* does nobody come back to a panel of A while the L2 has it? */
};

/* ---- formats: the instruction for 32 bytes along k ---- */

struct fed_bf16 {
    static __device__ __forceinline__ void
    multiply(float (&sum)[WIDE / 2], uint64_t a, uint64_t b, int keep)
    {
        wgmma_bf16(sum, a, b, keep);
    }
};

struct fed_fp8 {
    static __device__ __forceinline__ void
    multiply(float (&sum)[WIDE / 2], uint64_t a, uint64_t b, int keep)
    {
        wgmma_e4m3(sum, a, b, keep);
    }
};

/* ---- the thread that asks ---- */

/* Panel number `panel` to slot s: the block's rows of A, and its share of those
 * of B, which all blocks of the cluster get. */
template <int BLOCKS>
static __device__ __forceinline__ void
fed_ask(const slots &r, const CUtensorMap *a_map, const CUtensorMap *b_map,
        const struct fed &p, int panel, int s)
{
    const int col = panel * (TENSOR_MAP_PANEL / 2), top = blockIdx.x * HIGH;
    const int left = (int)blockIdx.x / p.tiles * WIDE;
    const uint64_t of_b = ptx_evict_normal();
    const uint64_t of_a = p.once ? ptx_evict_first() : of_b;

    ptx_mbar_expect(&r.full[s], A_BYTES + B_BYTES);
    ptx_tile_load(r.a + s * A_BYTES, a_map, col, top, &r.full[s], of_a);
    if (BLOCKS == 1) {
        ptx_tile_load(r.b + s * B_BYTES, b_map, col, left, &r.full[s], of_b);
        return;
    }
    const int share = (int)cluster_rank();

    cluster_tile_load(r.b + s * B_BYTES + share * B_BYTES / BLOCKS, b_map, col,
                      left + share * WIDE / BLOCKS, &r.full[s],
                      (1 << BLOCKS) - 1, of_b);
}

/* All panels of all passes, as slots come free; or the slots once. */
template <int BLOCKS, bool HELD>
static __device__ void fed_fetch(const slots &r, const CUtensorMap *a_map,
                                 const CUtensorMap *b_map, const struct fed &p)
{
    const int steps = HELD ? STAGES : p.steps;

    for (int i = 0, panel = 0; i < steps; i++) {
        const int s = i % STAGES;

        cluster_wait(&r.empty[s], (i / STAGES & 1) ^ 1);
        fed_ask<BLOCKS>(r, a_map, b_map, p, panel, s);
        panel = panel + 1 == p.panels ? 0 : panel + 1;
    }
}

/* ---- a warp group ---- */

/* Says of a slot that its products have ended: a lane of each warp tells each
 * block that fills it. */
template <int BLOCKS>
static __device__ __forceinline__ void fed_done(const slots &r, int s)
{
    const uint32_t block = threadIdx.x % WARP;

    if (BLOCKS == 1 && block == 0)
        ptx_mbar_arrive(&r.empty[s]);
    if (BLOCKS > 1 && block < BLOCKS)
        cluster_arrive(&r.empty[s], block);
}

// ANCHOR: inner
template <class FORMAT, int BLOCKS, bool HELD>
static __device__ __forceinline__ void fed_multiply(float (&sum)[WIDE / 2],
                                                    const slots &r, int group,
                                                    const struct fed &p)
{
    for (int i = 0, panel = 0; i < p.steps; i++) {
        const int s = i % STAGES, keep = panel > 0 ? 1 : p.again;

        /* a slot that is filled once has come for good */
        ptx_mbar_wait(&r.full[s], HELD ? 0 : i / STAGES & 1);
        const uint64_t at = wgmma_tile(r.a + s * A_BYTES +
                                       group * WGMMA_HIGH * TENSOR_MAP_PANEL);
        const uint64_t bt = wgmma_tile(r.b + s * B_BYTES);

        wgmma_begin();
#pragma unroll
        for (int j = 0; j < TENSOR_MAP_PANEL / 32; j++)
            FORMAT::multiply(sum, wgmma_along(at, j), wgmma_along(bt, j),
                             j > 0 ? 1 : keep);
        wgmma_commit();
        wgmma_wait<1>(); /* the products of the panel before have ended */
        if (i > 0 && !HELD)
            fed_done<BLOCKS>(r, (i - 1) % STAGES);
        panel = panel + 1 == p.panels ? 0 : panel + 1;
    }
    wgmma_wait<0>();
}
// ANCHOR_END: inner

/* Sums of 64 rows from `row` on. */
static __device__ __forceinline__ void fed_put(float *d, int row,
                                               const float (&sum)[WIDE / 2])
{
    const int warp = threadIdx.x % WGMMA_GROUP / WARP;
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int j = 0; j < WIDE / 2; j += 2) {
        const int i = row + warp * 16 + lane / 4 + j / 2 % 2 * 8;
        const int col = j / 4 * 8 + lane % 4 * 2;

        *(float2 *)(d + (size_t)i * WIDE + col) =
            make_float2(sum[j], sum[j + 1]);
    }
}

/* The barriers of the slots: one place for both formats. */
struct fed_barriers {
    uint64_t full[STAGES], empty[STAGES];
};

static __device__ __forceinline__ fed_barriers &fed_barriers_of(void)
{
    __shared__ fed_barriers b;

    return b;
}

/* All threads of a block; `raw` is its shared memory. */
template <class FORMAT, int BLOCKS, bool HELD>
static __device__ __forceinline__ void
fed_block(const struct fed &p, const CUtensorMap *a_map,
          const CUtensorMap *b_map, char *raw)
{
    fed_barriers &b = fed_barriers_of();
    const slots r = slots_in(raw, b.full, b.empty);
    const int group = threadIdx.x / WGMMA_GROUP;

    if (threadIdx.x == 0)
        slots_init(r, BLOCKS * WARPS);
    cluster_sync(); /* the barriers are ready, in all blocks of the cluster */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fed_fetch<BLOCKS, HELD>(r, a_map, b_map, p);
    } else {
        float sum[WIDE / 2];

        wgmma_take_registers<MANY>();
        fed_multiply<FORMAT, BLOCKS, HELD>(sum, r, group, p);
        fed_put(p.d, blockIdx.x * HIGH + group * WGMMA_HIGH, sum);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

/* ---- the host's side ---- */

static inline struct fed fed_of(const struct kernel_case *c, void *const *buf)
{
    const int panels = fed_panels(c);
    const struct fed p = {
        (float *)buf[0],
        (int)kernel_num(c, "tiles"),
        panels,
        panels * (int)kernel_num(c, "times"),
        0,
        strcmp(kernel_word(c, "from"), "hbm") == 0,
    };

    return p;
}

static inline unsigned fed_blocks(const struct kernel_case *c)
{
    return (unsigned)(kernel_num(c, "groups") * kernel_num(c, "tiles"));
}

/* The state of launch(). */
struct fed_maps {
    CUtensorMap a, b;
};

/* Makes it, for clusters of so many blocks. Whoever moves bytes need not know
 * what they are: two neighbours of e4m3 are one element here. */
template <class KERNEL>
static inline const char *fed_open(const struct kernel_case *c,
                                   void *const *buf, int blocks, KERNEL *kernel,
                                   void **state)
{
    const int cols = fed_panels(c) * (TENSOR_MAP_PANEL / 2);
    const int groups = (int)kernel_num(c, "groups");
    struct fed_maps *const m =
        (struct fed_maps *)aligned_alloc(alignof(struct fed_maps), sizeof *m);
    const char *why = NULL;

    if (m == NULL)
        abort();
    if (cudaFuncSetAttribute(kernel,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             FED_SHARED) != cudaSuccess)
        why = "the device has too little shared memory for the slots";
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&m->a, buf[1],
                                        (int)fed_blocks(c) * HIGH, cols, HIGH);
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&m->b, buf[2], groups * WIDE, cols,
                                        WIDE / blocks);
    if (why != NULL) {
        free(m);
        return why;
    }
    *state = m;
    return NULL;
}

#endif
