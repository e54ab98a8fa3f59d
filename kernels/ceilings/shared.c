/*
 * kernels/ceilings/shared.c - bandwidth of shared memory: a tile is copied in
 * once and read `passes` times over. Each thread of a tile's 256 adds up the
 * same 16 elements each time.
 */
#include "kernels/declare.h"
#include "kernels/ceilings/ceilings.h"
#include "kernels/ceilings/tile.h"

#include <math.h>

#include "kernels/input.h"

enum { SUMS, X };

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t t = (size_t)kernel_num(c, "tiles");

    b[SUMS] = kernel_out("sums", KERNEL_F32, t * SHARED_THREADS);
    b[X] = kernel_in("x", KERNEL_F32, t * SHARED_FLOATS);
    return 2;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t t = kernel_num(c, "tiles");

    *m = (struct kernel_model){
        .bytes_read = 4 * t * SHARED_FLOATS * kernel_num(c, "passes"),
        .formula = "16 KiB of shared memory read per tile and pass",
        .level = "shared"};
}

/* Thread i of a tile has vectors i, i + 256, i + 512 and i + 768. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const double passes = (double)kernel_num(c, "passes");

    for (size_t k = 0; k < n; k++) {
        const size_t tile = idx[k] / SHARED_THREADS;
        const size_t thread = idx[k] % SHARED_THREADS;
        double sum = 0, size = 0;

        for (size_t i = 0; i < SHARED_FLOATS / SHARED_THREADS; i++) {
            const size_t vector = thread + i / 4 * SHARED_THREADS;
            const double x = (double)input_f32(
                seed, X, tile * SHARED_FLOATS + vector * 4 + i % 4);

            sum += x;
            size += fabs(x);
        }
        value[k] = passes * sum;
        magnitude[k] = passes * size;
    }
}

static size_t terms(const struct kernel_case *c)
{
    (void)c;
    return SHARED_FLOATS / SHARED_THREADS;
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = "2^-24 of the sum of |x| for each of 16 passes additions, the bound "
           "that always holds";
    return 16 * (double)kernel_num(c, "passes") * 0x1p-24;
}

#define CASE(tiles, passes, use)                                               \
    {                                                                          \
        {{"tiles", tiles, NULL}, {"passes", passes, NULL}}, 2, KERNEL_F32, use \
    }

static const struct kernel_case cases[] = {
    CASE(1, 1, KERNEL_CHECK),
    CASE(3, 7, KERNEL_CHECK),
    CASE(133, 2, KERNEL_CHECK),
    CASE(1 << 12, 1 << 9, KERNEL_MEASURE_CUDA | KERNEL_HOT),
};

LAUNCHER(ceiling_shared_read);

static const struct kernel_variant variants[] = {
    {
        .id = "read",
        .title = "16 bytes a lane, no conflict",
        .idea = "Neighbouring lanes read neighbouring vectors.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/shared.cu",
        .launch = ceiling_shared_read,
    },
};

const struct kernel_family ceiling_shared = {
    .id = "ceiling-shared",
    .title = "Ceiling: shared memory",
    .problem = "Read the same 16 KiB of shared memory over and over, without "
               "bank conflicts.",
    .metric = "bandwidth",
    .file = "kernels/ceilings/shared.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
};
