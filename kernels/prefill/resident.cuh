/*
 * kernels/prefill/resident.cuh - a block for each SM, which goes on from one
 * piece of work to the next, and which pieces are whose.
 */
#ifndef KERNELS_PREFILL_RESIDENT_CUH
#define KERNELS_PREFILL_RESIDENT_CUH

#include "kernels/prefill/turns.cuh"

/* Barriers behind those of the block: the queries may be overwritten. */
struct more_barriers {
    barriers of;
    uint64_t q_empty;
};

enum { MORE = sizeof(more_barriers) - sizeof(barriers) };

// ANCHOR: deal
/*
 * Work is numbered from the longest to the shortest, head by head; PER blocks
 * of a cluster have neighbouring heads. Rounds of it are dealt out forwards and
 * backwards by turns: who got the longest of one round gets the shortest of the
 * next. `mine(w, i)` is called for each piece, where i counts those of this
 * block.
 */
template <int PER, class MINE>
static __device__ __forceinline__ void deal(const attention &a, MINE mine)
{
    const int rows = ceil_div(a.l, HIGH), across = a.heads / PER;
    const int hands = gridDim.x / PER, hand = blockIdx.x / PER;
    const int head = PER > 1 ? (int)cluster_rank() : 0;
    int i = 0;

    for (int round = 0; round * hands < rows * across; round++) {
        const int number =
            round * hands + (round % 2 ? hands - 1 - hand : hand);

        if (number < rows * across)
            mine(work_of(a, rows - 1 - number / across,
                         number % across * PER + head),
                 i++);
    }
}
// ANCHOR_END: deal

/*
 * The part of a warp group: all pieces of the block, as in prefill/overlap; n
 * counts tiles over all of them. done(empty) says that the products of a slot
 * have ended.
 */
template <int D, int PER, class DONE>
static __device__ __forceinline__ void
multiply_all(const attention &a, const room<D> &r, uint64_t *q_empty, DONE done)
{
    barriers &b = *r.b;
    const float scale = a.scale * 1.44269504f; /* log2(e) */
    int n = 0;

    turns_begin();
    // ANCHOR: inner
    deal<PER>(a, [&](const work &w, int piece) {
        uint32_t p[KEYS / WGMMA_DEEP][4];
        float s[KEYS / 2], o[D / 2] = {}, back[2];
        struct online of = online_begin();

        ptx_mbar_wait(&b.q, piece & 1);
        ptx_mbar_wait(&b.k_full[n % SLOTS], parity(n));
        turn_wait();
        wgmma_begin();
        start_scores<D>(s, r.q, r.keys(n));
        wgmma_commit();
        turn_pass();
        wgmma_wait<0>();
        wgmma_landed(s);
        done(&b.k_empty[n % SLOTS]);
        hide_first(s, a, w);
        soften(s, scale, of, back);
        pack(p, s);
        for (int i = 0; i < w.tiles - 1; i++, n++) {
            const int slot = n % SLOTS, next = (n + 1) % SLOTS;

            ptx_mbar_wait(&b.k_full[next], parity(n + 1));
            ptx_mbar_wait(&b.v_full[slot], parity(n));
            turn_wait();
            wgmma_begin();
            start_scores<D>(s, r.q, r.keys(n + 1));
            wgmma_commit();
            start_values<D>(o, p, r.values(n));
            wgmma_commit();
            turn_pass();
            wgmma_wait<1>();
            wgmma_landed(s);
            done(&b.k_empty[next]);
            soften(s, scale, of, back);
            wgmma_wait<0>();
            wgmma_landed(o);
            done(&b.v_empty[slot]);
            scale_rows(o, back);
            pack(p, s);
        }
        done_with(q_empty); /* all products with these queries have ended */
        ptx_mbar_wait(&b.v_full[n % SLOTS], parity(n));
        turn_wait();
        wgmma_begin();
        start_values<D>(o, p, r.values(n));
        wgmma_commit();
        turn_pass();
        wgmma_wait<0>();
        wgmma_landed(o);
        done(&b.v_empty[n % SLOTS]);
        n++;
        put_rows<D>(a, w.first + threadIdx.x / WARP * 16, w.h, o, of);
    });
    // ANCHOR_END: inner
}

#endif
