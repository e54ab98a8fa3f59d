/*
 * kernels/exchange/exchange.h - the two exchanges of a mixture-of-experts layer
 * whose experts are spread over GPUs. The shape is DeepSeek-V3's: 256 experts,
 * of which each token has eight.
 *
 *   gpus      that take part, 2 or 4; each has 256 / gpus neighbouring experts
 *   part      dispatch: tokens go to their experts; combine: results come back
 *   t         tokens of each GPU, at most 4096
 *   hidden    numbers of a row, a multiple of 8
 *   routing   uniform: all experts are as likely
 *             pair:    those of two of eight groups of 32, drawn for each token
 *             one:     those of the last GPU
 *             home:    those of the token's own GPU
 *
 * A token goes once to every GPU that has at least one of its experts. There
 * its row has a place: rows are sorted by the GPU that they come from, then by
 * token. Behind the numbers of a row lie EXCHANGE_MARK more, as bf16:
 *
 *   8    for each expert of the token its number at the receiver, from 1; 0 if
 *        it is elsewhere
 *   3    the GPU it comes from; the token modulo 256; the token / 256
 *   5    zeros
 *
 * On the way back the receiver has one row for each that it got, in the same
 * order: it has added up the results of its own experts. The token's GPU
 * multiplies the row of each GPU by that GPU's weight, and adds in the order of
 * the GPUs, in f32.
 *
 * The routing belongs to the case. All GPUs have the choices of all tokens in
 * memory, but a kernel may read only those of its own. `begin` is what the
 * dispatch has found out, so a combine may know it.
 */
#ifndef KERNELS_EXCHANGE_EXCHANGE_H
#define KERNELS_EXCHANGE_EXCHANGE_H

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    EXCHANGE_MOST = 4, /* GPUs */
    EXCHANGE_EXPERTS = 256,
    EXCHANGE_TOP = 8,       /* experts of a token */
    EXCHANGE_TOKENS = 4096, /* of a GPU, at most */
    EXCHANGE_MARK = 16,     /* numbers behind a row */
};

/* Buffers of a GPU. EXCHANGE_GOT + g is what GPU g gets, and only GPU g has it:
 * numbers of rows differ. */
enum {
    EXCHANGE_X = 0, /* rows of the own tokens */
    EXCHANGE_CHOSEN = 1,
    EXCHANGE_GOT = 2,
    EXCHANGE_Y = 0, /* a result for each row that it got */
    EXCHANGE_WEIGHT = 2,
    EXCHANGE_BEGIN,
    EXCHANGE_OUT,
    EXCHANGE_BUFFERS,
};

struct exchange {
    int gpus, t;
    const int32_t *chosen; /* [GPU][token][8], in no order */
    const int32_t *begin;  /* [at][from]: where rows of GPU `from` begin at GPU
                              `at`; [at][gpus]: where they end */
    const int32_t *row[EXCHANGE_MOST]; /* [at]: from * t + token of each row */
    int most;                          /* rows of the GPU that gets most */
};

/* The routing of a case of the family; it lasts as long as the process. Any
 * thread may call it. */
const struct exchange *exchange_of(const struct kernel_case *c);

static inline int exchange_begin(const struct exchange *e, int at, int from)
{
    return e->begin[at * (e->gpus + 1) + from];
}

/* How many rows GPU `from` sends to GPU `at`. */
static inline int exchange_rows(const struct exchange *e, int from, int at)
{
    return exchange_begin(e, at, from + 1) - exchange_begin(e, at, from);
}

bool exchange_is_dispatch(const struct kernel_case *c);

#ifdef __cplusplus
}
#endif
#endif
