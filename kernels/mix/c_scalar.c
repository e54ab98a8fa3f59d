/*
 * mix/c_scalar - the definition as a loop, on one thread.
 */
#include "kernels/mix/mix.h"

struct streams {
    float *out[3];
    const float *in[3];
    unsigned writes, reads;
};

// ANCHOR: inner
static float sum_at(const struct streams *s, size_t i)
{
    float sum = s->reads > 0 ? 0 : (float)(i % MIX_CYCLE);

    for (unsigned j = 0; j < s->reads; j++)
        sum += s->in[j][i];
    return sum;
}

static void write_all(const struct streams *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (unsigned j = 0; j < s->writes; j++)
            s->out[j][i] = sum_at(s, i) + (float)j;
}

static void add_pages(const struct streams *s, size_t n)
{
    for (size_t page = 0; page * MIX_PAGE < n; page++) {
        const size_t begin = page * MIX_PAGE;
        float sum = 0;

        for (size_t i = begin; i < n && i < begin + MIX_PAGE; i++)
            sum += sum_at(s, i);
        s->out[0][page] = sum;
    }
}
// ANCHOR_END: inner

int mix_c_scalar(const struct kernel_case *c, const struct kernel_env *env,
                 void *const *buf, void *state)
{
    const size_t n = (size_t)kernel_num(c, "n");
    struct streams s = {.writes = (unsigned)kernel_num(c, "writes"),
                        .reads = (unsigned)kernel_num(c, "reads")};
    const unsigned outputs = s.writes > 0 ? s.writes : 1;

    (void)env;
    (void)state;
    for (unsigned j = 0; j < outputs; j++)
        s.out[j] = buf[j];
    for (unsigned j = 0; j < s.reads; j++)
        s.in[j] = buf[outputs + j];
    if (s.writes > 0)
        write_all(&s, n);
    else
        add_pages(&s, n);
    return 0;
}
