/*
 * kernels/launch/family.c - a chain of small steps, each of which needs the
 * whole step before: what does it cost to begin the next?
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/launch/launch.h"

enum {
    V = 1, /* buffer numbers of the inputs */
    X = 2,
    SMS = 132,       /* blocks that are measured: one per multiprocessor of an
                      H200 */
    LADDER = 320,    /* steps that all variants are measured with: about the
                      kernels of one token of an 8B model */
    IN_STREAM = 320, /* steps that a stream's queue has room for */
};

static size_t nodes(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "nodes");
}

static size_t length(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "blocks") * LAUNCH_THREADS;
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[0] = kernel_out("out", KERNEL_F32, length(c));
    b[V] = kernel_in("v", KERNEL_F32, length(c));
    b[X] = kernel_in("x", KERNEL_F32, nodes(c));
    return 3;
}

/* The vector of each step is read and written, and stays in the L2. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = (int64_t)length(c), steps = (int64_t)nodes(c);

    *m = (struct kernel_model){
        .flop = steps,
        .op = "step",
        .bytes_read = 4 * (n + 1) * steps,
        .bytes_written = 4 * n * steps,
        .formula = "a step reads a vector, one float for each of 128 threads "
                   "of each block, and writes another: 4 B each",
        .level = "cache",
    };
}

/* After all steps, an element is the sum of x and of one element of v. That one
 * lies further on, by the shift of each step. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    void *const none[4] = {0};
    const struct launch_chain k = launch_chain(c, none);
    const size_t far = (size_t)k.shift * (size_t)k.nodes;
    double sum = 0, size = 0;

    for (size_t r = 0; r < nodes(c); r++) {
        const double x = (double)input_f32(seed, X, r);

        sum += x;
        size += fabs(x);
    }
    for (size_t i = 0; i < n; i++) {
        const double v = (double)input_f32(seed, V, (idx[i] + far) % k.n);

        value[i] = v + sum;
        magnitude[i] = fabs(v) + size;
    }
}

/* One sum of x serves many outputs. */
static size_t terms(const struct kernel_case *c)
{
    return 2 + nodes(c) / LAUNCH_THREADS;
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = "2^-24 of |v| and the sum of |x| for each addition, the bound that "
           "always holds";
    return (double)nodes(c) * 0x1p-24;
}

#define CASE(nodes, blocks, use)                                               \
    {                                                                          \
        {{"nodes", nodes, NULL}, {"blocks", blocks, NULL}}, 2, KERNEL_F32, use \
    }
#define DEVICE KERNEL_MEASURE_CUDA | KERNEL_HOT
#define HOST KERNEL_MEASURE_CUDA | KERNEL_HOST

static const struct kernel_case cases[] = {
    CASE(1, 1, KERNEL_CHECK),
    CASE(2, 1, KERNEL_CHECK),
    CASE(1, 4, KERNEL_CHECK),
    CASE(2, 8, KERNEL_CHECK),
    CASE(3, 5, KERNEL_CHECK),
    CASE(17, 31, KERNEL_CHECK),
    CASE(33, 64, KERNEL_CHECK),
    CASE(100, 131, KERNEL_CHECK),
    CASE(1001, 24, KERNEL_CHECK),
    CASE(16, SMS, DEVICE | KERNEL_MEASURE_CPU),
    CASE(LADDER, SMS, DEVICE | KERNEL_MEASURE_CPU),
    CASE(2048, SMS, DEVICE),
    CASE(LADDER, 4, DEVICE),
    CASE(LADDER, 33, DEVICE),
    CASE(16, SMS, HOST),
    CASE(LADDER, SMS, HOST),
};

/* --- which variant is measured where --- */

/* Is the case checked only? Then every variant takes it. */
static bool is_check(const struct kernel_case *c)
{
    return !(c->use & (KERNEL_MEASURE_CUDA | KERNEL_MEASURE_CPU));
}

static bool is_host(const struct kernel_case *c)
{
    return c->use & KERNEL_HOST;
}

static bool is_whole(const struct kernel_case *c)
{
    return is_check(c) || kernel_num(c, "blocks") == SMS;
}

/* For the host, one kernel is one launch, whatever its steps. On the device,
 * chains of each length are measured. The difference of two lengths is the time
 * of steps alone, without that of starting and ending a kernel. */
static bool one_kernel(const struct kernel_case *c)
{
    return is_check(c) || (is_whole(c) && !is_host(c));
}

static bool in_stream(const struct kernel_case *c)
{
    return is_check(c) || (is_whole(c) && nodes(c) <= IN_STREAM);
}

/* A new call is new work for the host only; the device runs the same graph. */
static bool on_host(const struct kernel_case *c)
{
    return is_check(c) || is_host(c);
}

static bool fewer_blocks(const struct kernel_case *c)
{
    return is_check(c) || !is_whole(c);
}

static int entries(const struct kernel_case *c)
{
    return (int)nodes(c);
}

LAUNCHER(launch_stream);
LAUNCHER(launch_graph);
PREPARE(launch_graph_prepare);
RELEASE(launch_graph_release);
LAUNCHER(launch_pdl);
PREPARE(launch_pdl_prepare);
RELEASE(launch_pdl_release);
LAUNCHER(launch_capture);
PREPARE(launch_capture_prepare);
RELEASE(launch_capture_release);
LAUNCHER(launch_update);
PREPARE(launch_update_prepare);
RELEASE(launch_update_release);
LAUNCHER(launch_cached);
PREPARE(launch_cached_prepare);
RELEASE(launch_cached_release);
LAUNCHER(launch_grid_sync);
LAUNCHER(launch_atomic);
SCRATCH(launch_atomic_scratch);
LAUNCHER(launch_hierarchical);
SCRATCH(launch_hierarchical_scratch);
LAUNCHER(launch_inband);
SCRATCH(launch_inband_scratch);
C_LAUNCHER(launch_c_scalar);
C_LAUNCHER(launch_c_simd);

/* Two vectors that take turns. */
static size_t halves(const struct kernel_case *c, const struct kernel_env *env)
{
    (void)env;
    return 2 * length(c) * sizeof(float);
}

/* Clusters of four. */
static bool clusters(const struct kernel_case *c)
{
    return one_kernel(c) && kernel_num(c, "blocks") % 4 == 0;
}

/* Blocks that read from each other in pairs. */
static bool pairs(const struct kernel_case *c)
{
    return one_kernel(c) && kernel_num(c, "blocks") % 2 == 0;
}

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loops",
        .idea = "One loop after the other on one CPU thread: nothing is "
                "launched.",
        .where = KERNEL_CPU,
        .file = "kernels/launch/c_scalar.c",
        .scratch_bytes = halves,
        .launch = launch_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, fork and join",
        .idea = "Threads are started for each step, and joined: the CPU's "
                "launch.",
        .where = KERNEL_CPU,
        .file = "kernels/launch/c_simd.c",
        .scratch_bytes = halves,
        .launch = launch_c_simd,
    },
    {
        .id = "stream",
        .title = "kernels in a stream",
        .idea = "A kernel for each step; the stream's order is the "
                "synchronisation.",
        .where = KERNEL_CUDA,
        .file = "kernels/launch/stream.cu",
        .supports = in_stream,
        .scratch_bytes = halves,
        .launch = launch_stream,
        .queued = entries,
    },
    {
        .id = "graph",
        .title = "a graph",
        .idea = "The same kernels as one graph that was made beforehand.",
        .where = KERNEL_CUDA,
        .file = "kernels/launch/graph.cu",
        .supports = is_whole,
        .scratch_bytes = halves,
        .prepare = launch_graph_prepare,
        .launch = launch_graph,
        .release = launch_graph_release,
        .queued = entries,
    },
    {
        .id = "pdl",
        .title = "a graph, starts overlapped",
        .idea = "With programmatic dependent launch the blocks of the next "
                "step come in before the last has ended.",
        .where = KERNEL_CUDA,
        .file = "kernels/launch/pdl.cu",
        .supports = is_whole,
        .scratch_bytes = halves,
        .prepare = launch_pdl_prepare,
        .launch = launch_pdl,
        .release = launch_pdl_release,
        .queued = entries,
    },
    {
        .id = "capture",
        .title = "a new graph for each call",
        .idea = "Shapes change: the graph is recorded and instantiated anew "
                "every time.",
        .where = KERNEL_CUDA,
        .file = "kernels/launch/capture.cu",
        .supports = on_host,
        .scratch_bytes = halves,
        .prepare = launch_capture_prepare,
        .launch = launch_capture,
        .release = launch_capture_release,
        .queued = entries,
    },
    {
        .id = "update",
        .title = "one graph, updated",
        .idea = "Shapes change: the graph is recorded anew, and the one that "
                "was instantiated takes its arguments.",
        .where = KERNEL_CUDA,
        .file = "kernels/launch/update.cu",
        .supports = on_host,
        .scratch_bytes = halves,
        .prepare = launch_update_prepare,
        .launch = launch_update,
        .release = launch_update_release,
        .queued = entries,
    },
    {
        .id = "cached",
        .title = "a graph for each shape",
        .idea = "Shapes change: each that can occur has a graph of its own, "
                "made at the start.",
        .where = KERNEL_CUDA,
        .file = "kernels/launch/cached.cu",
        .supports = on_host,
        .scratch_bytes = halves,
        .prepare = launch_cached_prepare,
        .launch = launch_cached,
        .release = launch_cached_release,
        .queued = entries,
    },
    {
        .id = "grid-sync",
        .title = "one kernel, grid.sync()",
        .idea = "All blocks stay and wait for each other after each step, by "
                "cooperative groups.",
        .where = KERNEL_CUDA,
        .file = "kernels/launch/grid_sync.cu",
        .supports = one_kernel,
        .scratch_bytes = halves,
        .launch = launch_grid_sync,
    },
    {
        .id = "atomic",
        .title = "one kernel, one counter",
        .idea = "A barrier by hand: one addition for each block that asks for "
                "no answer, and another warp looks at the same word.",
        .where = KERNEL_CUDA,
        .file = "kernels/launch/atomic.cu",
        .supports = one_kernel,
        .scratch_bytes = launch_atomic_scratch,
        .launch = launch_atomic,
    },
    {
        .id = "few",
        .title = "one counter, fewer blocks",
        .idea = "The same kernel for a part of the device: what of the time "
                "depends on how many add.",
        .where = KERNEL_CUDA,
        .file = "kernels/launch/atomic.cu",
        .supports = fewer_blocks,
        .scratch_bytes = launch_atomic_scratch,
        .launch = launch_atomic,
    },
    {
        .id = "hierarchical",
        .title = "one kernel, two levels",
        .idea = "The blocks of a cluster meet in hardware, and one of them "
                "adds for all.",
        .where = KERNEL_CUDA,
        .file = "kernels/launch/hierarchical.cu",
        .supports = clusters,
        .scratch_bytes = launch_hierarchical_scratch,
        .launch = launch_hierarchical,
    },
    {
        .id = "inband",
        .title = "one kernel, no barrier",
        .idea = "Each value carries the number of its step, so that who needs "
                "it waits for it alone.",
        .where = KERNEL_CUDA,
        .file = "kernels/launch/inband.cu",
        .supports = pairs,
        .scratch_bytes = launch_inband_scratch,
        .launch = launch_inband,
    },
};

const struct kernel_family launch_family = {
    .id = "launch",
    .title = "A chain of small steps",
    .problem = "Each step makes a vector from that of the step before, a "
               "float for each of 128 threads on every multiprocessor, and "
               "needs what a far multiprocessor did. The work is next to "
               "nothing; what is measured is how soon the next step can "
               "begin, and what that costs the host.",
    .metric = "latency",
    .file = "kernels/launch/family.c",
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
