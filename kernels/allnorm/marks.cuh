/*
 * kernels/allnorm/marks.cuh - vectors of sixteen bytes that show that they have
 * come, without a ticket.
 *
 * An empty place has a word of zeros in the end. The last word of a vector is
 * sent with all bits turned over, so it is never zero but for one word: two
 * NaN with all bits set. That word is sent as two other NaN, which a sum takes
 * for the same. As in a packet, all sixteen bytes are one store.
 *
 * Whoever has read a vector empties its place. Places of even and odd calls
 * differ: a GPU sends those of call t + 2 when it has ended call t + 1, which
 * the others had begun by then. So they had ended call t and emptied its
 * places.
 */
#ifndef KERNELS_ALLNORM_MARKS_CUH
#define KERNELS_ALLNORM_MARKS_CUH

#include "kernels/allnorm/rows.cuh"

static const uint32_t TWO_NAN = 0x7fff7fff;

PTX_FN void send_marked(packet *to, uint4 v)
{
    ptx_packet_store(to, {{v.x, v.y, v.z}, ~(v.w == ~0u ? TWO_NAN : v.w)});
}

/* True if a vector has come. */
PTX_FN bool look(const packet *from, uint4 *v)
{
    const packet p = ptx_packet_load(from);

    *v = make_uint4(p.word[0], p.word[1], p.word[2], ~p.ticket);
    return p.ticket != 0;
}

PTX_FN void empty(packet *place)
{
    ptx_packet_store(place, {{0, 0, 0}, 0});
}

/*
 * Waits for the thread's vectors of a row of FROM GPUs but `me`, and empties
 * their places. They are looked at together until all have come. Those of GPU g
 * begin at place_of(g).
 */
template <int FROM, typename PLACE>
PTX_FN void receive(const rows &s, int me, PLACE place_of, uint4 (*v)[FROM])
{
    peer_spin_until([&] {
        bool all = true;

#pragma unroll
        for (int k = 0; k < DEEP; k++)
#pragma unroll
            for (int g = 0; g < FROM; g++)
                if (g != me && is_mine(s, k))
                    all &= look(place_of(g) + mine(k), &v[k][g]);
        return all;
    });
#pragma unroll
    for (int k = 0; k < DEEP; k++)
#pragma unroll
        for (int g = 0; g < FROM; g++)
            if (g != me && is_mine(s, k))
                empty(place_of(g) + mine(k));
}

#endif
