/*
 * occupancy/c_simd - vectors and threads in C.
 *
 * A row of a piece is added to 32 vectors at once, and every core takes a
 * share of the pieces.
 */
#include "kernels/occupancy/occupancy.h"
#include "kernels/parallel.h"

#include <string.h>

typedef float vec
    __attribute__((vector_size(OCCUPANCY_VECTOR * sizeof(float))));

struct work {
    float *sums;
    const float *x;
    size_t n;
};

// ANCHOR: inner
static void whole_piece(float *sums, const float *x)
{
    vec sum[WARP] = {{0}}, v;

    for (int r = 0; r < OCCUPANCY_ROWS; r++)
        for (int l = 0; l < WARP; l++) {
            memcpy(&v, x, sizeof v);
            sum[l] += v;
            x += OCCUPANCY_VECTOR;
        }
    for (int l = 0; l < WARP; l++)
        sums[l] = (sum[l][0] + sum[l][1]) + (sum[l][2] + sum[l][3]);
}
// ANCHOR_END: inner

static void short_piece(float *sums, const float *x, size_t n)
{
    memset(sums, 0, WARP * sizeof *sums);
    for (size_t i = 0; i < n; i++)
        sums[i / OCCUPANCY_VECTOR % WARP] += x[i];
}

static void do_part(void *arg, int part, size_t begin, size_t end)
{
    const struct work *w = arg;

    (void)part;
    for (size_t p = begin; p < end; p++) {
        const float *x = w->x + p * OCCUPANCY_PIECE;
        const size_t left = w->n - p * OCCUPANCY_PIECE;

        if (left >= OCCUPANCY_PIECE)
            whole_piece(w->sums + p * WARP, x);
        else
            short_piece(w->sums + p * WARP, x, left);
    }
}

int occupancy_c_simd(const struct kernel_case *c, const struct kernel_env *env,
                     void *const *buf, void *state)
{
    struct work w = {
        .sums = buf[0], .x = buf[1], .n = (size_t)kernel_num(c, "n")};

    (void)state;
    parallel_for(env->threads, occupancy_pieces(w.n), 1, do_part, &w);
    return 0;
}
