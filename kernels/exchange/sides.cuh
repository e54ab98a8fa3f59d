/*
 * kernels/exchange/sides.cuh - what the steps share: where the buffers of all
 * GPUs lie, how their blocks meet, and which rows go where.
 *
 * Block b of one GPU meets block b of the others, as in an all-reduce
 * (kernels/allreduce/peers.cuh): by tickets in scratch memory, which grow from
 * call to call. All blocks of a grid must run at the same time, so no grid has
 * more blocks than there are SMs.
 *
 * Which rows go where, each block finds out for itself from the choices of its
 * GPU's tokens: 128 KiB at most, which the L2 has. So blocks of one GPU need
 * not wait for each other.
 */
#ifndef KERNELS_EXCHANGE_SIDES_CUH
#define KERNELS_EXCHANGE_SIDES_CUH

#include "kernels/allreduce/ptx.cuh"
#include "kernels/bf16.h"
#include "kernels/exchange/exchange.h"
#include "kernels/peer.cuh"
#include "kernels/warp.h"

enum {
    THREADS = 512,
    WARPS = THREADS / WARP,
    VECTOR = 8,            /* numbers of 16 bytes */
    ACROSS = 7,            /* vectors of a piece that a lane has under way */
    PIECE = ACROSS * WARP, /* vectors: a quarter of a row of 7168 */
    MARK = EXCHANGE_MARK / VECTOR, /* vectors behind a row */
    GROUPS = EXCHANGE_TOKENS / WARP,
    ALL = EXCHANGE_MOST,
};

/* What a block has in scratch memory: what others say, its own last ticket. */
struct box {
    packet counts[ALL];
    uint32_t flag[ALL], ticket, padding[11];
};

enum { MOST_BOXES = 132 };

/* All buffers that a kernel uses, as GPU `rank` sees them. */
struct sides {
    const uint16_t *x; /* of the own tokens */
    const int32_t *chosen;
    const float *weight;
    uint16_t *out;
    uint16_t *got[ALL];
    const uint16_t *y[ALL];
    const int32_t *begin; /* [at][from] */
    char *scratch[ALL];   /* boxes, then what a variant needs */
    int gpus, rank, t;
    unsigned vectors; /* of a row, without marks */
};

/* ---- meetings ---- */

PTX_FN box *box_of(const sides &p, int gpu)
{
    return (box *)p.scratch[gpu] + blockIdx.x;
}

/* Waits for a ticket, or a later one. */
PTX_FN void wait_for(const uint32_t *flag, uint32_t ticket)
{
    peer_spin_until([&] { return (int)(ptx_flag_load(flag) - ticket) >= 0; });
}

/* No block ends this before all others have begun it. Afterwards each may read
 * what the others wrote before. */
PTX_FN void meet(const sides &p, uint32_t ticket)
{
    const int other = (int)threadIdx.x;

    __syncthreads();
    if (other < p.gpus && other != p.rank) {
        ptx_flag_send(&box_of(p, other)->flag[p.rank], ticket);
        wait_for(&box_of(p, p.rank)->flag[other], ticket);
    }
    __syncthreads();
}

/* ---- which rows go where ---- */

/* The tokens of 32 that go to each GPU, as bits, and how many went before. */
struct going {
    unsigned bits[GROUPS][ALL];
    int before[GROUPS][ALL];
    int all[ALL];         /* rows for each GPU */
    int theirs[ALL][ALL]; /* [from][at] */
    int first[ALL];       /* of the own rows there */
};

/* The GPUs that have an expert of the token, as bits. */
PTX_FN unsigned gpus_of(const sides &p, int token)
{
    const int32_t *const chosen = p.chosen + token * EXCHANGE_TOP;
    unsigned all = 0;

#pragma unroll
    for (int k = 0; k < EXCHANGE_TOP; k++)
        all |= 1u << chosen[k] * p.gpus / EXCHANGE_EXPERTS;
    return all;
}

PTX_FN bool goes(const going *s, int token, int at)
{
    return s->bits[token / WARP][at] >> token % WARP & 1;
}

/* How many of the own tokens before this one go there. */
PTX_FN int before(const going *s, int token, int at)
{
    const unsigned below = (1u << token % WARP) - 1;

    return s->before[token / WARP][at] +
           __popc(s->bits[token / WARP][at] & below);
}

/* Adds up the groups for one GPU: a warp, 32 groups at a time. */
PTX_FN void add_groups(going *s, int groups, int at)
{
    const int lane = threadIdx.x % WARP;
    int sum = 0;

    for (int g = lane; g - lane < groups; g += WARP) {
        const int own = g < groups ? __popc(s->bits[g][at]) : 0;
        int upto = own;

        for (int step = 1; step < WARP; step *= 2) {
            const int below = __shfl_up_sync(~0u, upto, step);

            upto += lane >= step ? below : 0;
        }
        if (g < groups)
            s->before[g][at] = sum + upto - own;
        sum += __shfl_sync(~0u, upto, WARP - 1);
    }
    if (lane == 0)
        s->all[at] = sum;
}

/* Looks at the choices of all own tokens. All threads of a block. */
PTX_FN void count(const sides &p, going *s)
{
    const int groups = (p.t + WARP - 1) / WARP;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    for (int g = warp; g < groups; g += WARPS) {
        const int token = g * WARP + lane;
        const unsigned to = token < p.t ? gpus_of(p, token) : 0;

        for (int at = 0; at < p.gpus; at++) {
            const unsigned bits = __ballot_sync(~0u, to >> at & 1);

            if (lane == 0)
                s->bits[g][at] = bits;
        }
    }
    __syncthreads();
    if (warp < p.gpus)
        add_groups(s, groups, warp);
    __syncthreads();
}

/*
 * Tells the other GPUs how many rows go where, and learns it from them: then
 * the place of each row is known. It is a meeting, too: who has told has begun
 * the call, and others may write to its memory. The counts and the ticket are
 * one store, and nothing else is told, so it needs no release.
 */
PTX_FN void tell_counts(const sides &p, going *s, uint32_t ticket)
{
    const int other = (int)threadIdx.x;
    packet told = {{0, 0, 0}, ticket};

    for (int at = 0; at < p.gpus; at++)
        told.word[at / 2] |= (uint32_t)s->all[at] << at % 2 * 16;
    if (other < p.gpus) {
        if (other != p.rank) {
            packet *const here = &box_of(p, p.rank)->counts[other];

            ptx_packet_store(&box_of(p, other)->counts[p.rank], told);
            peer_spin_until([&] {
                told = ptx_packet_load(here);
                return told.ticket == ticket;
            });
        }
        for (int at = 0; at < p.gpus; at++)
            s->theirs[other][at] = told.word[at / 2] >> at % 2 * 16 & 0xffff;
    }
    __syncthreads();
    if (other < p.gpus) {
        int first = 0;

        for (int from = 0; from < p.rank; from++)
            first += s->theirs[from][other];
        s->first[other] = first;
    }
    __syncthreads();
}

/* ---- a row ---- */

/* Number i of the 16 behind the row of a token at GPU `at`. */
PTX_FN uint16_t mark_of(const sides &p, int token, int at, int i)
{
    const int each = EXCHANGE_EXPERTS / p.gpus;
    const int expert =
        i < EXCHANGE_TOP ? p.chosen[token * EXCHANGE_TOP + i] : 0;
    const int local = expert / each == at ? expert % each + 1 : 0;

    return bf16_round((float)(i < EXCHANGE_TOP        ? local
                              : i == EXCHANGE_TOP     ? p.rank
                              : i == EXCHANGE_TOP + 1 ? token % 256
                              : i == EXCHANGE_TOP + 2 ? token / 256
                                                      : 0));
}

/* A piece of a row, a warp's: up to 7 vectors of each lane. */
struct piece {
    unsigned row, from; /* its first vector */
};

PTX_FN unsigned pieces_of(const sides &p)
{
    return (p.vectors + PIECE - 1) / PIECE;
}

PTX_FN piece piece_of(const sides &p, unsigned i)
{
    return {i / pieces_of(p), i % pieces_of(p) * PIECE};
}

/* Calls work(piece) for this warp's pieces of so many rows. */
template <typename WORK>
PTX_FN void for_pieces(const sides &p, int rows, WORK work)
{
    const unsigned all = (unsigned)rows * pieces_of(p);
    const unsigned first = blockIdx.x + gridDim.x * (threadIdx.x / WARP);

    for (unsigned i = first; i < all; i += gridDim.x * WARPS)
        work(piece_of(p, i));
}

PTX_FN void load_piece(const sides &p, const uint4 *row, unsigned from,
                       uint4 v[ACROSS])
{
#pragma unroll
    for (int k = 0; k < ACROSS; k++) {
        const unsigned i = from + k * WARP + threadIdx.x % WARP;

        if (i < p.vectors)
            v[k] = row[i];
    }
}

PTX_FN void store_piece(const sides &p, uint4 *row, unsigned from,
                        const uint4 v[ACROSS])
{
#pragma unroll
    for (int k = 0; k < ACROSS; k++) {
        const unsigned i = from + k * WARP + threadIdx.x % WARP;

        if (i < p.vectors)
            row[i] = v[k];
    }
}

/* Row `row` of what GPU `at` gets. */
PTX_FN uint4 *got_row(const sides &p, int at, int row)
{
    return (uint4 *)p.got[at] + (size_t)row * (p.vectors + MARK);
}

/* The marks of a token at GPU `at`, behind its row at `row`: a warp. */
PTX_FN void store_marks(const sides &p, int token, int at, uint4 *row)
{
    const int lane = threadIdx.x % WARP;

    if (lane < EXCHANGE_MARK)
        ((uint16_t *)(row + p.vectors))[lane] = mark_of(p, token, at, lane);
}

/* ---- the way back ---- */

PTX_FN const uint4 *y_row(const sides &p, int at, int row)
{
    return (const uint4 *)p.y[at] + (size_t)row * p.vectors;
}

/* Where the rows of GPU `from` begin at GPU `at`. */
PTX_FN int begins(const sides &p, int at, int from)
{
    return p.begin[at * (p.gpus + 1) + from];
}

/* The GPU that row `row` of the own ones goes back to. */
PTX_FN int sender_of(const sides &p, int row)
{
    int from = 0;

    for (int next = 1; next < p.gpus; next++)
        from += row >= begins(p, p.rank, next);
    return from;
}

PTX_FN void add_vector(float sum[VECTOR], float weight, uint4 v)
{
    const uint32_t word[4] = {v.x, v.y, v.z, v.w};

#pragma unroll
    for (int i = 0; i < 4; i++) {
        sum[2 * i] = fmaf(weight, bf16_first(word[i]), sum[2 * i]);
        sum[2 * i + 1] = fmaf(weight, bf16_second(word[i]), sum[2 * i + 1]);
    }
}

PTX_FN uint4 rounded(const float s[VECTOR])
{
    return make_uint4(bf16_pair(s[0], s[1]), bf16_pair(s[2], s[3]),
                      bf16_pair(s[4], s[5]), bf16_pair(s[6], s[7]));
}

/* Adds up a piece of a token's rows in the order of the GPUs; row(at, n) is
 * where GPU `at` left the n-th of its rows for this GPU. A warp. */
template <typename ROW>
PTX_FN void add_piece(const sides &p, const going *s, const piece &at, ROW row)
{
    const int token = (int)at.row;
    float sum[ACROSS][VECTOR] = {};
    uint4 v[ACROSS];

    for (int h = 0; h < p.gpus; h++) {
        if (!goes(s, token, h))
            continue;
        load_piece(p, row(h, before(s, token, h)), at.from, v);
        for (int k = 0; k < ACROSS; k++)
            if (at.from + k * WARP + threadIdx.x % WARP < p.vectors)
                add_vector(sum[k], p.weight[token * p.gpus + h], v[k]);
    }
    for (int k = 0; k < ACROSS; k++)
        v[k] = rounded(sum[k]);
    store_piece(p, (uint4 *)p.out + (size_t)token * p.vectors, at.from, v);
}

/* ---- the host's side ---- */

static inline sides sides_of(const struct kernel_case *c, void *const *buf,
                             int rank)
{
    const bool out = exchange_is_dispatch(c);
    const int gpus = kernel_gpus(c);
    void *const *const own = kernel_of_gpu(buf, rank);
    const size_t t = (size_t)kernel_num(c, "t");
    sides p = {};

    p.gpus = gpus;
    p.rank = rank;
    p.t = (int)t;
    p.vectors = (unsigned)kernel_num(c, "hidden") / VECTOR;
    p.chosen = (const int32_t *)own[EXCHANGE_CHOSEN] + rank * t * EXCHANGE_TOP;
    for (int h = 0; h < gpus; h++) {
        void *const *const of = kernel_of_gpu(buf, h);

        p.scratch[h] = (char *)of[out ? EXCHANGE_GOT + gpus : EXCHANGE_BUFFERS];
        if (out)
            p.got[h] = (uint16_t *)of[EXCHANGE_GOT + h];
        else
            p.y[h] = (const uint16_t *)of[EXCHANGE_Y];
    }
    if (out) {
        p.x = (const uint16_t *)own[EXCHANGE_X];
    } else {
        p.weight = (const float *)own[EXCHANGE_WEIGHT];
        p.begin = (const int32_t *)own[EXCHANGE_BEGIN];
        p.out = (uint16_t *)own[EXCHANGE_OUT];
    }
    return p;
}

/* Blocks for so many pieces of work: one for `each` of them, but no more than
 * `most` or than there are SMs. */
static inline unsigned blocks_for(const struct kernel_env *env, size_t work,
                                  size_t each, size_t most)
{
    const size_t sms = (size_t)env->sms, need = (work + each - 1) / each;

    most = most < sms ? most : sms;
    return (unsigned)(need < 1 ? 1 : need < most ? need : most);
}

/* Blocks for a piece of each own token: a block has four, until there are
 * enough to fill NVLink. */
static inline unsigned blocks_of(const struct kernel_case *c,
                                 const struct kernel_env *env, size_t most)
{
    const size_t vectors = (size_t)kernel_num(c, "hidden") / VECTOR;

    return blocks_for(
        env, (size_t)kernel_num(c, "t") * ((vectors + PIECE - 1) / PIECE), 4,
        most);
}

/* Calls start(p, stream) with the device of each GPU selected, until it fails.
 */
template <typename START>
static int on_all(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf, START start)
{
    int rc = 0;

    for (int g = 0; g < env->gpus && !rc; g++) {
        rc = cudaSetDevice(g);
        if (!rc)
            rc = start(sides_of(c, buf, g), (cudaStream_t)env->streams[g]);
    }
    return rc;
}

#endif
