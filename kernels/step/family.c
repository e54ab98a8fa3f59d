/*
 * kernels/step/family.c - one decode step of a whole model: every sequence of a
 * batch gets one more token. kernels/step/step.h says what is computed, and how
 * it is checked.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order. It leaves
 * its results in the trace of step.h, at the beginning of its scratch memory.
 */
#include "kernels/declare.h"
#include "kernels/step/reference.h"
#include "kernels/step/step.h"
#include "kernels/torch_step.h"

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const struct step_shape s = step_shape(c);
    const size_t x = s.part & STEP_APART ? step_trace_elements(&s)
                                         : (size_t)s.b * (size_t)s.hidden;

    b[STEP_WRONG] = kernel_out("wrong", KERNEL_I32, step_counts(&s));
    b[STEP_WEIGHTS] = kernel_in("weights", KERNEL_BF16, step_weights(&s));
    b[STEP_X] = kernel_in("x", KERNEL_BF16, x);
    b[STEP_K] = kernel_in("k", KERNEL_BF16, step_cache(&s));
    b[STEP_V] = kernel_in("v", KERNEL_BF16, step_cache(&s));
    if (!step_shows_logits(&s))
        return STEP_LOGITS;
    b[STEP_LOGITS] =
        kernel_out("logits", KERNEL_BF16, (size_t)s.b * (size_t)s.vocab);
    return STEP_LOGITS + 1;
}

/* ---- the model ---- */

/* Weights, old keys and elements of vectors that a part of a layer reads, and
 * what it writes. Vectors count once for each stage that is given them. */
struct traffic {
    int64_t weights, keys, read, written;
};

static struct traffic of_layer(const struct step_shape *s)
{
    const int64_t h = s->hidden, f = s->ffn, b = s->b, past = s->l - 1;
    const int64_t page = 2 * (int64_t)s->kv * STEP_DEEP;
    struct traffic t = {0, 0, 0, 0};

    if (s->part & STEP_QKV) {
        t.weights += h * s->qkv + h;
        t.read += b * h;
        t.written += b * s->qkv;
    }
    if (s->part & STEP_ATTEND) {
        t.keys += b * page * past;
        t.read += b * s->qkv;
        t.written += b * h;
    }
    if (s->part & STEP_O) {
        t.weights += h * h;
        t.read += 2 * b * h;
        t.written += b * h;
    }
    if (s->part & STEP_UP) {
        t.weights += 2 * f * h + h;
        t.read += b * h;
        t.written += b * f;
    }
    if (s->part & STEP_DOWN) {
        t.weights += f * h;
        t.read += b * (f + h);
        t.written += b * h;
    }
    return t;
}

/* In a whole step vectors stay in the L2 between stages: only the token that
 * comes in, the logits, and keys and values for the page cross the bus. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const struct step_shape s = step_shape(c);
    const struct traffic t = of_layer(&s);
    const int64_t layers = s.layers, b = s.b, h = s.hidden;
    const int64_t last = s.part & STEP_VOCAB ? h * s.vocab + h : 0;
    const int64_t page = 2 * (int64_t)s.kv * STEP_DEEP;
    const bool apart = s.part & STEP_APART;
    const int64_t logits = last ? b * s.vocab : 0;
    const int64_t read = apart ? layers * t.read + (last ? b * h : 0) : b * h;
    const int64_t written = apart ? layers * t.written : layers * b * page;

    m->flop = 2 * b * (layers * t.weights + last) +
              layers * 2 * t.keys * (s.heads / s.kv);
    m->bytes_read = 2 * (layers * (t.weights + t.keys) + last + read);
    m->bytes_written = 2 * (written + logits);
    m->formula = "2 FLOP for each weight and sequence and for each element of "
                 "a key or a value and head that uses it; 2 B read per weight, "
                 "per element of old keys and values and of the tokens, 2 B "
                 "written per element of new keys, new values and logits";
    if (apart)
        m->formula = "2 FLOP for each weight and sequence and for each element "
                     "of a key or a value and head that uses it; 2 B read per "
                     "weight, per element of old keys and values and of the "
                     "vectors that each stage is given, 2 B written per "
                     "element of those that it leaves";
    m->unit = "bf16";
    m->level = "hbm";
}

/* ---- the reference ---- */

/* Counts of wrong elements are zero; logits, where they are shown, come from
 * the chain on the host (reference.h). */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const struct step_shape s = step_shape(c);
    const size_t counts = step_counts(&s);
    const struct step_logits *logits = NULL;

    for (size_t i = 0; i < n; i++) {
        value[i] = 0;
        magnitude[i] = 0.5;
        if (idx[i] < counts)
            continue;
        if (!logits)
            logits = step_logits_of(&s, seed);
        value[i] = logits[idx[i] - counts].value;
        magnitude[i] = 8 * logits[idx[i] - counts].deviation;
    }
}

/* The chain is computed once for all logits. */
static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "hidden");
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "no element of a stage is off by more than rounding allows, from "
           "what the stage before left (kernels/step/audit.cu); logits of "
           "small cases: 8 deviations of what roundings of all stages add up "
           "to";
    return 1;
}

#define ONE(b, l, layers, hidden, vocab, part, use)          \
    {                                                        \
        {{"b", b, NULL},           {"l", l, NULL},           \
         {"layers", layers, NULL}, {"hidden", hidden, NULL}, \
         {"vocab", vocab, NULL},   {"part", 0, part}},       \
            6, KERNEL_BF16, use                              \
    }
#define CHECK(b, l, layers, hidden, vocab, part) \
    ONE(b, l, layers, hidden, vocab, part, KERNEL_CHECK)
#define COLD (KERNEL_MEASURE_CUDA | KERNEL_COLD)

/* Llama-3.1-8B with 4 Ki tokens of context. */
#define OF_8B(b, part, use) ONE(b, 4096, 32, 4096, 128256, part, use)

static const struct kernel_case cases[] = {
    /* one key and more; lengths around pieces of 32 keys; one head, groups of
       two and of four; one vector, and more than one operand of tensor cores
       has; stages by themselves */
    CHECK(1, 2, 1, 256, 64, "whole"),
    CHECK(1, 33, 2, 128, 64, "whole"),
    CHECK(1, 200, 1, 128, 66, "whole"),
    CHECK(3, 65, 1, 128, 34, "whole"),
    CHECK(9, 34, 1, 128, 64, "whole"),
    CHECK(1, 70, 1, 256, 64, "whole"),
    CHECK(2, 33, 1, 256, 64, "stages"),
    CHECK(1, 129, 2, 512, 1000, "whole"),
    CHECK(5, 300, 2, 512, 130, "whole"),
    CHECK(23, 65, 1, 128, 66, "whole"),
    CHECK(1, 129, 2, 256, 128, "attention"),
    CHECK(1, 1000, 3, 1024, 4000, "whole"),
    CHECK(8, 300, 2, 1024, 2000, "whole"),
    CHECK(32, 515, 2, 2048, 1000, "whole"),
    CHECK(1, 4096, 2, 4096, 128256, "whole"),
    CHECK(32, 4096, 1, 4096, 4096, "whole"),
    OF_8B(1, "whole", COLD | KERNEL_HOST),
    OF_8B(8, "whole", COLD),
    OF_8B(32, "whole", COLD),
    OF_8B(2, "whole", COLD),
    OF_8B(4, "whole", COLD),
    OF_8B(16, "whole", COLD),
    OF_8B(24, "whole", COLD),
    OF_8B(1, "stages", COLD),
    OF_8B(1, "qkv", COLD),
    OF_8B(1, "attention", COLD),
    OF_8B(1, "o", COLD),
    OF_8B(1, "up", COLD),
    OF_8B(1, "down", COLD),
    OF_8B(1, "vocabulary", COLD),
};

/* ---- what a variant does ---- */

static bool is_whole(const struct kernel_case *c)
{
    return step_shape(c).part == STEP_EVERY;
}

/* A step of one sequence, whose vectors fit into shared memory. */
static bool is_single(const struct kernel_case *c)
{
    return is_whole(c) && kernel_num(c, "b") == 1;
}

/* Stages alone are measured in step/ahead, and checked where they can be. */
static bool is_step(const struct kernel_case *c)
{
    return is_whole(c) || (c->use & KERNEL_CHECK);
}

static bool is_large(const struct kernel_case *c)
{
    return is_whole(c) && kernel_num(c, "layers") == 32;
}

/* Batches between those of all variants: a sweep, for the steps that differ in
 * how they take a batch. */
static bool is_swept(const struct kernel_case *c)
{
    const int64_t b = kernel_num(c, "b");

    return !(c->use & KERNEL_CHECK) && b != 1 && b != 8 && b != 32;
}

static bool is_usual(const struct kernel_case *c)
{
    return !is_swept(c);
}

static bool is_usual_step(const struct kernel_case *c)
{
    return is_step(c) && is_usual(c);
}

static bool is_usual_large(const struct kernel_case *c)
{
    return is_large(c) && is_usual(c);
}

/* Each call makes or changes a graph: measured where the host's part is. */
static bool on_host(const struct kernel_case *c)
{
    return is_whole(c) && (c->use & (KERNEL_CHECK | KERNEL_HOST));
}

LAUNCHER(step_stream);
LAUNCHER(step_graph);
LAUNCHER(step_pdl);
LAUNCHER(step_fused);
LAUNCHER(step_ahead);
LAUNCHER(step_persistent);
LAUNCHER(step_words);
LAUNCHER(step_courier);
LAUNCHER(step_late);
LAUNCHER(step_early);
LAUNCHER(step_held);
LAUNCHER(step_branch);
LAUNCHER(step_meanwhile);
LAUNCHER(step_beyond);
LAUNCHER(step_fetched);
LAUNCHER(step_staged);
LAUNCHER(step_scaled);
LAUNCHER(step_capture);
LAUNCHER(step_update);
SCRATCH(step_stream_scratch);
SCRATCH(step_graph_scratch);
SCRATCH(step_pdl_scratch);
SCRATCH(step_fused_scratch);
SCRATCH(step_ahead_scratch);
SCRATCH(step_persistent_scratch);
SCRATCH(step_words_scratch);
SCRATCH(step_courier_scratch);
SCRATCH(step_late_scratch);
SCRATCH(step_early_scratch);
SCRATCH(step_held_scratch);
SCRATCH(step_branch_scratch);
SCRATCH(step_meanwhile_scratch);
SCRATCH(step_beyond_scratch);
SCRATCH(step_fetched_scratch);
SCRATCH(step_staged_scratch);
SCRATCH(step_scaled_scratch);
SCRATCH(step_capture_scratch);
SCRATCH(step_update_scratch);
PREPARE(step_stream_prepare);
PREPARE(step_graph_prepare);
PREPARE(step_pdl_prepare);
PREPARE(step_fused_prepare);
PREPARE(step_ahead_prepare);
PREPARE(step_persistent_prepare);
PREPARE(step_words_prepare);
PREPARE(step_courier_prepare);
PREPARE(step_late_prepare);
PREPARE(step_early_prepare);
PREPARE(step_held_prepare);
PREPARE(step_branch_prepare);
PREPARE(step_meanwhile_prepare);
PREPARE(step_beyond_prepare);
PREPARE(step_fetched_prepare);
PREPARE(step_staged_prepare);
PREPARE(step_scaled_prepare);
PREPARE(step_capture_prepare);
PREPARE(step_update_prepare);
RELEASE(step_stream_release);
RELEASE(step_graph_release);
RELEASE(step_pdl_release);
RELEASE(step_fused_release);
RELEASE(step_ahead_release);
RELEASE(step_persistent_release);
RELEASE(step_words_release);
RELEASE(step_courier_release);
RELEASE(step_late_release);
RELEASE(step_early_release);
RELEASE(step_held_release);
RELEASE(step_branch_release);
RELEASE(step_meanwhile_release);
RELEASE(step_beyond_release);
RELEASE(step_fetched_release);
RELEASE(step_staged_release);
RELEASE(step_scaled_release);
RELEASE(step_capture_release);
RELEASE(step_update_release);

/* Kernels of step/stream, and of stages alone. A graph that a call makes or
 * changes counts as much: one at a time is under way. */
static int kernels(const struct kernel_case *c)
{
    const struct step_shape s = step_shape(c);
    int layer = 0;

    layer += s.part & STEP_QKV ? 3 : 0;
    layer += s.part & STEP_ATTEND ? 1 : 0;
    layer += s.part & STEP_O ? 2 : 0;
    layer += s.part & STEP_UP ? 3 : 0;
    layer += s.part & STEP_DOWN ? 2 : 0;
    return s.layers * layer + (s.part & STEP_VOCAB ? 2 : 0);
}

/* A graph that the variant has made itself. */
static int one_entry(const struct kernel_case *c)
{
    (void)c;
    return 1;
}

#define STEP(name, can, entries, words, what)                            \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/step/" #name ".cu", .supports = can,            \
        .scratch_bytes = step_##name##_scratch,                          \
        .prepare = step_##name##_prepare, .launch = step_##name,         \
        .release = step_##name##_release, .owns_result = true,           \
        .queued = entries                                                \
    }

TORCH_STEP(step)

static const struct kernel_variant variants[] = {
    STEP(stream, is_usual_step, kernels, "kernels in a stream",
         "Eleven kernels a layer; the stream's order is the synchronisation."),
    STEP(graph, is_step, one_entry, "a graph",
         "The same kernels as one graph that was made beforehand."),
    STEP(pdl, is_step, one_entry, "a graph, starts overlapped",
         "Blocks of the next kernel come in while the last blocks of this one "
         "still run."),
    STEP(fused, is_step, one_entry, "small steps inside products",
         "The norm in front of a product, and RoPE, append, SiLU and the "
         "residual behind it, need no kernel of their own."),
    STEP(ahead, is_usual, one_entry, "weights asked for ahead",
         "Blocks ask the L2 for their weights and keys before they wait for "
         "the kernel before."),
    STEP(persistent, is_single, one_entry, "one kernel that stays",
         "Blocks stay for the whole step, and slots in shared memory fill with "
         "the next stage's weights while blocks wait for each other."),
    STEP(words, is_single, one_entry, "results with a flag of their own",
         "No barrier: two neighbours and the number of their layer are one "
         "word, and who needs them looks at the word until it is there."),
    STEP(courier, is_single, one_entry, "a warp that only tells",
         "The thread that tells other blocks has no copies under way that its "
         "fence could wait for."),
    STEP(late, is_single, one_entry, "the norm's factor comes last",
         "Kernels again: each lane adds up the squares of what it multiplies, "
         "and no product waits for a norm."),
    STEP(early, is_single, one_entry, "old keys before the query",
         "Attention asks for all its keys before it waits, and a row has 16 "
         "pieces in place of 43."),
    STEP(held, is_single, one_entry, "weights before the wait",
         "The wait for the kernel before has an operand from the first and the "
         "last load, so the assembler cannot move the loads behind it."),
    STEP(branch, is_single, one_entry, "a branch before the wait",
         "Both sides of a branch wait for the kernel before: loads stay in "
         "front of it, and the wait does not need what they bring."),
    STEP(meanwhile, is_single, one_entry, "weights while attention computes",
         "While attention computes, the first blocks of the product behind it "
         "ask the L2 for the second half of all its rows."),
    STEP(beyond, is_single, one_entry, "the second round asked for, too",
         "Each block of the first wave loads its first round of weights before "
         "it waits, and asks the L2 for the second."),
    STEP(fetched, is_single, one_entry, "weights by bulk copies",
         "Each warp asks the TMA for its rows before it waits, and no register "
         "holds what is under way."),
    STEP(staged, is_step, one_entry, "slots for several sequences",
         "Weights, vectors and keys of several sequences come through slots in "
         "shared memory; the first are asked for before the wait."),
    STEP(scaled, is_step, one_entry, "a norm is a factor of sums",
         "The product before leaves squares and vectors times gains, so norms "
         "of several sequences need no kernel either."),
    STEP(capture, on_host, kernels, "a new graph for each token",
         "Shapes change: the kernels of the whole step are recorded and "
         "instantiated anew for every token."),
    STEP(update, on_host, kernels, "one graph, updated",
         "Shapes change: the step is recorded anew, and the graph that was "
         "instantiated takes its arguments."),
    TORCH_STEP_EAGER(step, is_usual_large),
    TORCH_STEP_COMPILED(step, is_large),
};

const struct kernel_family step_family = {
    .id = "step",
    .title = "One token of a whole model",
    .problem = "Let every sequence of a batch go through all layers of a model "
               "once: the decode step of Llama-3.1-8B, with random weights in "
               "bf16 and 4096 tokens of context. Weights are read once, "
               "whatever the batch, so memory sets the time of a token; what "
               "is lost on top lies between kernels. Each stage of each layer "
               "is compared with fp64 on the device, element by element.",
    .metric = "bandwidth",
    .file = "kernels/step/family.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
    .finite_only = "a NaN in one element of a token makes all of its logits "
                   "NaN, so the result would say nothing",
};
