/*
 * overlap/streams - the rows in pieces: one is multiplied while another moves.
 *
 * down:    C = rows of A B^T of GPU 0 + A B^T of GPU 1 + ...
 * gate_up: C = (rows of all GPUs) B^T
 *
 * The way without a new kernel. The product of overlap/sequential is called for
 * some rows at a time. In `down` the copy engine takes each piece to its owner
 * as soon as it is made, in a second stream, while the first goes on with the
 * next piece; the own rows come last. In `gate_up` the own rows come first, and
 * each piece waits for its copy. Events tie the two streams together. The
 * engine takes no SM away from the product.
 *
 * A piece is a product of its own: its last round of tiles leaves SMs idle, and
 * the next one starts with empty slots. So a piece has as few rows as fill the
 * SMs twice, and 95 % of them on the average.
 *
 * Predicts: copies hide, all but the last sum. But each piece costs its
 * beginning and its end, some 6 us: between two GPUs with 4096 rows about what
 * is gained, 0.97 to 1.04 times overlap/sequential. With 512 rows `down` has
 * two pieces that each fill half of the SMs: at most 0.7 times.
 */
#include "kernels/overlap/whole.cuh"

enum { MOST_PIECES = 64, ROWS = PAIR * HIGH, BUSY_PERCENT = 95, ROUNDS = 2 };

/* Rows of one GPU: `rows` of them from `top` on. */
struct piece {
    whole w;
    int of, top, rows;
};

/* What a GPU does. */
struct part {
    piece pieces[MOST_PIECES];
    int count;
    cudaStream_t side;
    cudaEvent_t begun, moved, at[MOST_PIECES];
};

struct parts {
    part of[OVERLAP_MOST];
};

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    streams_multiply(const __grid_constant__ whole w)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];

    multiply_whole(w, slots_in(raw, full, empty));
}

template <int GPUS>
static __global__ void __launch_bounds__(MOVERS, 1)
    streams_sum(const __grid_constant__ team t,
                const __grid_constant__ sum_of s)
{
    sum_meeting<GPUS>(t, s);
}

template <int GPUS>
static __global__ void meet_once(const __grid_constant__ team t)
{
    box *const mine = box_of(t, t.rank, (int)blockIdx.x);
    const uint32_t ticket = mine->ticket + 1;

    meet<GPUS>(t, ticket);
    if (threadIdx.x == 0)
        mine->ticket = ticket;
}

/* ---- pieces ---- */

/* Blocks of 256 rows in a piece, of the `most` that a GPU has. */
static int blocks_of_rows(int most, int across, int sms)
{
    const int together = sms < PAIR ? 1 : sms / PAIR; /* pairs of tiles */

    for (int rows = 1; rows < most; rows++) {
        const int pairs = rows * across, rounds = ceil_div(pairs, together);

        if (rounds >= ROUNDS && 100 * pairs >= BUSY_PERCENT * rounds * together)
            return rows;
    }
    return most;
}

static int rows_of_piece(const struct kernel_case *c, int sms)
{
    const int across = ceil_div((int)kernel_num(c, "n"), WIDE);

    return ROWS * blocks_of_rows(ceil_div(overlap_share(c), ROWS), across, sms);
}

/* Where GPU `at` has what `down` makes, or the rows that `gate_up` brings:
 * those of GPU `of`, from `top` on. */
static uint16_t *rows_at(const struct kernel_case *c, void *const *buf, int at,
                         int of, int top)
{
    const size_t wide = kernel_num(c, overlap_is_down(c) ? "n" : "k");
    const size_t row = (size_t)of * overlap_share(c) + top;

    return behind_boxes(buf, at, row * wide * sizeof(uint16_t));
}

/* `down`: where GPU `at` gets the terms of GPU `from`. */
static uint16_t *slot_of(const struct kernel_case *c, void *const *buf, int at,
                         int from, int top)
{
    return rows_at(c, buf, at, kernel_gpus(c) + from, top);
}

static product product_of_piece(const struct kernel_case *c, void *const *buf,
                                int g, const piece &q)
{
    void *const *const of = kernel_of_gpu(buf, g);
    const size_t n = kernel_num(c, "n"), k = kernel_num(c, "k");
    const size_t row = (size_t)q.of * overlap_share(c) + q.top;
    const uint16_t *const a = (const uint16_t *)of[OVERLAP_A];
    product p = {NULL,   NULL,   (const uint16_t *)of[OVERLAP_B],
                 q.rows, (int)n, (int)k};

    if (overlap_is_down(c)) {
        p.c = rows_at(c, buf, g, q.of, q.top);
        p.a = a + row * k;
    } else {
        p.c = (uint16_t *)of[OVERLAP_C] + row * n;
        p.a = q.of == g ? a + q.top * k : rows_at(c, buf, g, q.of, q.top);
    }
    return p;
}

/* The own rows come last in `down`, and first in `gate_up`. */
static const char *cut(const struct kernel_case *c, void *const *buf, int g,
                       int sms, part *s)
{
    const int gpus = kernel_gpus(c), share = overlap_share(c);
    const int high = rows_of_piece(c, sms), first = overlap_is_down(c) ? 1 : 0;
    const char *why = NULL;

    for (int i = 0; i < gpus; i++)
        for (int top = 0; top < share && why == NULL; top += high) {
            piece *const q = &s->pieces[s->count++];

            if (s->count > MOST_PIECES)
                return "there are too many pieces";
            q->of = (g + first + i) % gpus;
            q->top = top;
            q->rows = share - top < high ? share - top : high;
            why = whole_open(&q->w, product_of_piece(c, buf, g, *q));
        }
    return why;
}

/* ---- the host's side ---- */

template <int GPUS> static int load(const struct kernel_env *env)
{
    return on_all(env, [&](int, cudaStream_t) {
        int rc = load_large(streams_multiply, LATER_SHARED);

        if (!rc)
            rc = load_kernel(streams_sum<GPUS>);
        return rc ? rc : load_kernel(meet_once<GPUS>);
    });
}

static int make_side(part *s)
{
    int rc = cudaStreamCreateWithFlags(&s->side, cudaStreamNonBlocking);

    if (!rc)
        rc = cudaEventCreateWithFlags(&s->begun, cudaEventDisableTiming);
    if (!rc)
        rc = cudaEventCreateWithFlags(&s->moved, cudaEventDisableTiming);
    for (int i = 0; i < s->count && !rc; i++)
        rc = cudaEventCreateWithFlags(&s->at[i], cudaEventDisableTiming);
    return rc;
}

extern "C" void overlap_streams_release(void *state)
{
    parts *const p = (parts *)state;

    for (int g = 0; g < OVERLAP_MOST; g++) {
        const part &s = p->of[g];

        for (int i = 0; i < s.count; i++)
            if (s.at[i])
                cudaEventDestroy(s.at[i]);
        if (s.begun)
            cudaEventDestroy(s.begun);
        if (s.moved)
            cudaEventDestroy(s.moved);
        if (s.side)
            cudaStreamDestroy(s.side);
    }
    free(p);
}

extern "C" const char *overlap_streams_prepare(const struct kernel_case *c,
                                               const struct kernel_env *env,
                                               void *const *buf, void **state)
{
    parts *p;
    const char *why = NULL;

    if (FOR_GPUS(c, load, env))
        return "its kernels cannot be loaded";
    p = state_make<parts>();
    for (int g = 0; g < env->gpus && why == NULL; g++) {
        why = cut(c, buf, g, env->sms, &p->of[g]);
        if (why == NULL && (cudaSetDevice(g) || make_side(&p->of[g])))
            why = "there is no second stream";
    }
    *state = p;
    if (why)
        overlap_streams_release(p);
    return why;
}

extern "C" size_t overlap_streams_scratch(const struct kernel_case *c,
                                          const struct kernel_env *)
{
    const bool down = overlap_is_down(c);

    return BOXES_BYTES + sizeof(uint16_t) * (down ? 2 : 1) *
                             (size_t)kernel_num(c, "m") *
                             (size_t)kernel_num(c, down ? "n" : "k");
}

static int multiply(const whole &w, int sms, cudaStream_t stream)
{
    const int blocks = whole_blocks(w.p, sms);

    streams_multiply<<<blocks, THREADS, LATER_SHARED, stream>>>(w);
    return cudaGetLastError();
}

/* `then` waits for what `first` has been given so far. */
static int tie(cudaStream_t first, cudaEvent_t event, cudaStream_t then)
{
    const int rc = cudaEventRecord(event, first);

    return rc ? rc : cudaStreamWaitEvent(then, event, 0);
}

// ANCHOR: inner
/* Makes the pieces, and sends all but the own rows to their owners. */
static int make_and_send(const struct kernel_case *c, void *const *buf, int g,
                         int sms, const part &s, cudaStream_t stream)
{
    const size_t n = kernel_num(c, "n");
    int rc = 0;

    for (int i = 0; i < s.count && !rc; i++) {
        const piece &q = s.pieces[i];

        rc = multiply(q.w, sms, stream);
        if (rc || q.of == g)
            continue;
        rc = tie(stream, s.at[i], s.side);
        if (!rc)
            rc = cudaMemcpyPeerAsync(slot_of(c, buf, q.of, g, q.top), q.of,
                                     q.w.p.c, g, q.rows * n * sizeof(uint16_t),
                                     s.side);
    }
    return rc ? rc : tie(s.side, s.moved, stream);
}

/* Brings rows of the others, and multiplies each piece when it is there. */
static int bring_and_make(const struct kernel_case *c, void *const *buf, int g,
                          int sms, const part &s, cudaStream_t stream)
{
    const size_t k = kernel_num(c, "k");
    int rc = tie(stream, s.begun, s.side);

    for (int i = 0; i < s.count && !rc; i++) {
        const piece &q = s.pieces[i];
        const uint16_t *const from =
            (const uint16_t *)kernel_of_gpu(buf, q.of)[OVERLAP_A] + q.top * k;

        if (q.of != g) {
            rc = cudaMemcpyPeerAsync((void *)q.w.p.a, g, from, q.of,
                                     q.rows * k * sizeof(uint16_t), s.side);
            if (!rc)
                rc = tie(s.side, s.at[i], stream);
        }
        if (!rc)
            rc = multiply(q.w, sms, stream);
    }
    return rc;
}
// ANCHOR_END: inner

template <int GPUS>
static int add(const struct kernel_case *c, void *const *buf, int g, int sms,
               cudaStream_t stream)
{
    const team t = team_of(c, buf, g);
    sum_of s = sum_for(c, buf, g);
    const unsigned blocks = mover_blocks(s.vectors, sms);

    for (int h = 0; h < GPUS; h++)
        s.term[h] =
            h == g ? rows_at(c, buf, g, g, 0) : slot_of(c, buf, g, h, 0);
    streams_sum<GPUS><<<blocks, MOVERS, 0, stream>>>(t, s);
    return cudaGetLastError();
}

template <int GPUS>
static int meet_all(const struct kernel_case *c, void *const *buf, int g,
                    cudaStream_t stream)
{
    const team t = team_of(c, buf, g);

    meet_once<GPUS><<<1, WARP, 0, stream>>>(t);
    return cudaGetLastError();
}

/* In turns, so that no GPU waits for what has not been enqueued yet. */
extern "C" int overlap_streams(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *state)
{
    const parts *const p = (const parts *)state;
    const bool down = overlap_is_down(c);
    const int sms = env->sms;
    const auto meeting = [&](int g, cudaStream_t stream) {
        return FOR_GPUS(c, meet_all, c, buf, g, stream);
    };
    const auto work = [&](int g, cudaStream_t stream) {
        return (down ? make_and_send : bring_and_make)(c, buf, g, sms, p->of[g],
                                                       stream);
    };
    int rc = down ? 0 : on_all(env, meeting);

    if (!rc)
        rc = on_all(env, work);
    if (rc || !down)
        return rc ? rc : on_all(env, meeting);
    return on_all(env, [&](int g, cudaStream_t stream) {
        return FOR_GPUS(c, add, c, buf, g, sms, stream);
    });
}
