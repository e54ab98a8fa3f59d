/*
 * kernels/prefill/seamless.cuh - the first scores of a piece beside the last
 * values of the one before.
 */
#ifndef KERNELS_PREFILL_SEAMLESS_CUH
#define KERNELS_PREFILL_SEAMLESS_CUH

#include "kernels/prefill/store.cuh"

/*
 * A turn across the seam: the scores of tile n + 1, the first of the piece
 * `next`, whose queries are at `place`; and the values of tile n, the last of
 * `w`. Then w's outputs are put away, and sums begin anew.
 */
template <class T, class PUT>
static __device__ __forceinline__ void
over_seam(state<T> &x, const space<T> &r, const attention &a, const piece &w,
          const piece &next, int n, int place, PUT put)
{
    ring &b = *r.b;
    const struct online old = x.of;
    float back[2];

    queries<T::KEPT>::take(x, r, place);
    // ANCHOR: seam
    ptx_mbar_wait(&b.k_full[(n + 1) % SLOTS], parity(n + 1));
    ptx_mbar_wait(&b.v_full[n % SLOTS], parity(n));
    turn_wait<T>(x.group);
    wgmma_begin();
    start_scores(x, r, n + 1, place);
    wgmma_commit();
    start_values(x, r, n);
    wgmma_commit();
    turn_pass<T>(x.group);
    wgmma_wait<1>();
    wgmma_landed(x.s);
    slot_free<T>(&b.k_empty[(n + 1) % SLOTS]);
    hide_of(x, a, next, 0);
    x.of = online_begin();
    soften(x.s, read_behind(&b.scale), x.of, back);
    wgmma_settled(x.of.sum[0], x.of.sum[1], &b.spare);
    wgmma_wait<0>();
    wgmma_landed(x.o);
    slot_free<T>(&b.v_empty[n % SLOTS]);
    put(x.o, old, w);
    // ANCHOR_END: seam
#pragma unroll
    for (int e = 0; e < T::D / 2; e++)
        x.o[e] = 0;
    wgmma_ready(x.o);
    pack(x);
}

/* A group: pieces until there are no more. */
struct seamless {
    template <class T, class WEIGH, class PUT>
    static __device__ __forceinline__ void
    multiply(state<T> &x, const space<T> &r, const attention &a, PUT put)
    {
        piece w = piece_number<T>(a, drawn<T>(*r.b, 0));
        int n = 0;

        begin(x, r, a, w, n, 0);
        for (int i = 0;; i++) {
            const int place = (i + 1) % T::PLACES;
            int number;

            n = uniform(n);
            others<T, WEIGH>(x, r, a, w, n, i % T::PLACES);
            done_with(&r.b->q_empty[i % T::PLACES]);
            number = drawn<T>(*r.b, i + 1);
            if (number >= pieces<T>(a))
                break;
            const piece next = piece_number<T>(a, number);

            over_seam(x, r, a, w, next, n++, place, put);
            w = next;
        }
        end(x, r, n);
        put(x.o, x.of, w);
    }
};

#endif
