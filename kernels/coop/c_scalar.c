/*
 * coop/c_scalar - the rounds in C, on one thread.
 *
 * A loop over the members is the operation, and the next round begins when it
 * ends. No thread waits, and no thread helps.
 */
#include "kernels/coop/rounds.h"

struct rounds rounds_of(const struct kernel_case *c, void *const *buf)
{
    static const size_t spans[COOP_SCOPES] = {
        [COOP_SCOPE_TILE] = COOP_TILE,
        [COOP_SCOPE_WARP] = WARP,
        [COOP_SCOPE_COALESCED] = WARP,
        [COOP_SCOPE_BLOCK] = COOP_THREADS,
        [COOP_SCOPE_CLUSTER] = (size_t)COOP_CLUSTER * COOP_THREADS,
    };
    const enum coop_scope scope = coop_scope_of(c);
    const struct rounds w = {
        .out = buf[0],
        .x = buf[1],
        .f = coop_factor(c),
        .rounds = kernel_num(c, "rounds"),
        .span = scope == COOP_SCOPE_GRID
                    ? (size_t)kernel_num(c, "blocks") * COOP_THREADS
                    : spans[scope],
        .scan = coop_is_scan(c),
        .picked = scope == COOP_SCOPE_COALESCED,
    };

    return w;
}

// ANCHOR: inner
void rounds_do(const struct rounds *w, size_t g)
{
    float *v = w->out + g * w->span;
    const float *x = w->x + g * w->span;

    for (size_t k = 0; k < w->span; k++)
        v[k] = x[k];
    for (int64_t r = 0; r < w->rounds; r++) {
        float sum = 0;

        for (size_t k = 0; k < w->span; k++)
            if (!(w->picked && k % 3 == 1)) {
                sum += v[k];
                if (w->scan)
                    v[k] = w->f * sum + x[k];
            }
        for (size_t k = 0; k < w->span && !w->scan; k++)
            if (!(w->picked && k % 3 == 1))
                v[k] = w->f * sum + x[k];
    }
}
// ANCHOR_END: inner

int coop_c_scalar(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf, void *state)
{
    const struct rounds w = rounds_of(c, buf);
    const size_t n = (size_t)kernel_num(c, "blocks") * COOP_THREADS;

    (void)env;
    (void)state;
    for (size_t g = 0; g < n / w.span; g++)
        rounds_do(&w, g);
    return 0;
}
