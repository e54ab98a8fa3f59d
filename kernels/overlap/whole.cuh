/*
 * kernels/overlap/whole.cuh - a product as in gemm16/late: a block for each SM,
 * pairs of blocks that share B, and sums that leave while the next products
 * run. And what a kernel of its own does before or after it.
 */
#ifndef KERNELS_OVERLAP_WHOLE_CUH
#define KERNELS_OVERLAP_WHOLE_CUH

#include "kernels/gemm16/later.cuh"
#include "kernels/overlap/meet.cuh"
#include "kernels/overlap/sums.cuh"

/* A product, and its matrices as the TMA sees them. */
struct whole {
    CUtensorMap a, b, c;
    product p;
};

static __device__ __forceinline__ void multiply_whole(const whole &w,
                                                      const slots &r)
{
    const int group = threadIdx.x / WGMMA_GROUP;

    if (threadIdx.x == 0)
        slots_init(r, PAIR * WARPS);
    cluster_sync(); /* the barriers are ready, in both blocks */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_pairs(r, &w.a, &w.b, w.p);
    } else {
        wgmma_take_registers<MANY>();
        later_all(w.p, r, group, &w.c);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

/* ---- kernels that meet ---- */

enum { MOVERS = 512 /* threads of a block that only moves */ };

/* Adds up terms that lie here or on other GPUs, between two meetings. */
template <int GPUS> PTX_FN void sum_meeting(const team &t, const sum_of &s)
{
    box *const mine = box_of(t, t.rank, (int)blockIdx.x);
    const uint32_t ticket = mine->ticket;

    meet<GPUS>(t, ticket + 1); /* their terms are there */
    sum_all<GPUS>(s, blockIdx.x * MOVERS + threadIdx.x, gridDim.x * MOVERS);
    meet<GPUS>(t, ticket + 2); /* nobody reads mine any more */
    if (threadIdx.x == 0)
        mine->ticket = ticket + 2;
}

/* ---- the host's side ---- */

/* Blocks for a GPU of `sms` SMs: pairs, and at least one. */
static inline int whole_blocks(const product &p, int sms)
{
    const int blocks = pair_blocks(p, sms);

    return blocks < PAIR ? PAIR : blocks;
}

/* Returns NULL, or why there is no such product. */
static inline const char *whole_open(whole *w, const product &p)
{
    const char *why;

    w->p = p;
    why = tensor_map_make<uint16_t>(&w->a, p.a, p.m, p.k, HIGH);
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&w->b, p.b, p.n, p.k, WIDE / PAIR);
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&w->c, p.c, p.m, p.n, WGMMA_HIGH);
    return why;
}

/* Memory for a state that holds tensor maps. */
template <typename STATE> static STATE *state_make(void)
{
    STATE *const s = (STATE *)aligned_alloc(alignof(STATE), sizeof(STATE));

    if (s == NULL)
        abort();
    memset((void *)s, 0, sizeof *s);
    return s;
}

/* A state with a part for each GPU, of[gpu], which make(gpu, part) fills.
 * Returns NULL, or what make() says. */
template <typename STATE, class MAKE>
static const char *state_open(const struct kernel_env *env, void **state,
                              MAKE make)
{
    STATE *const s = state_make<STATE>();
    const char *why = NULL;

    for (int g = 0; g < env->gpus && why == NULL; g++)
        why = make(g, &s->of[g]);
    *state = s;
    if (why)
        free(s);
    return why;
}

/* Blocks that move so many vectors of 16 bytes, four for each thread. */
static inline unsigned mover_blocks(size_t vectors, int sms)
{
    const size_t each = 4 * MOVERS, need = (vectors + each - 1) / each;

    return (unsigned)(need < (size_t)sms ? need : (size_t)sms);
}

/* The sum of GPU g's rows; term h begins at term[h]. */
static inline sum_of sum_for(const struct kernel_case *c, void *const *buf,
                             int g)
{
    sum_of s = {};

    s.to = (uint16_t *)kernel_of_gpu(buf, g)[OVERLAP_C];
    s.vectors = (unsigned)((size_t)overlap_share(c) *
                           (size_t)kernel_num(c, "n") / VECTOR);
    return s;
}

#endif
