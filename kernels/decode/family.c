/*
 * kernels/decode/family.c - attention of one new token for each sequence of a
 * batch, over a cache of keys and values. For each head of each sequence
 *
 *     o = softmax(scale q K') V
 *
 * where K and V have a row of 128 elements for each key, and K' is K
 * transposed. Everything is bf16, or K and V are e4m3, perhaps with scales for
 * each key or each page (kernels/decode/scales.h). A key is read for a few
 * multiply-adds, so this reads memory, and little else.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/decode/reference.h"
#include "kernels/made.h"
#include "kernels/torch_attention.h"

#include <pthread.h>

/* Lengths and pages of a shape, made once: buffers point to them. */
struct where {
    struct where *next;
    int64_t shape;
    int32_t is[];
};

static struct where *make(const struct cache_shape *s)
{
    const size_t n = decode_marks(s), b = (size_t)s->b;
    const size_t room = (size_t)cache_room(s);
    struct where *const w = malloc(sizeof *w + n * sizeof w->is[0]);

    if (w == NULL)
        abort();
    w->shape = cache_packed(s);
    for (size_t i = 0; i < b; i++)
        w->is[i] = cache_length(s, (int)i);
    for (size_t i = b; i < n; i++)
        w->is[i] = (int32_t)cache_page(s, (int)((i - b) / room),
                                       (int)((i - b) % room));
    return w;
}

static const int32_t *where_of(const struct cache_shape *s)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct where *all;
    struct where *w;

    pthread_mutex_lock(&lock);
    for (w = all; w && w->shape != cache_packed(s); w = w->next)
        ;
    if (!w) {
        w = make(s);
        w->next = all;
        all = w;
    }
    pthread_mutex_unlock(&lock);
    return w->is;
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const struct cache_shape s = decode_shape(c);

    b[DECODE_Q] = kernel_probes("q", &s);
    b[DECODE_K] = kernel_cache("k", &s);
    b[DECODE_V] = kernel_cache("v", &s);
    b[DECODE_O] = kernel_out("o", KERNEL_BF16, b[DECODE_Q].count);
    b[DECODE_WHERE] = kernel_made("where", where_of(&s), decode_marks(&s));
    if (scales_keys(c) == 0)
        return DECODE_WHERE + 1;
    b[DECODE_SCALES] = kernel_scales("scales", &s, scales_keys(c));
    return DECODE_SCALES + 1;
}

/* Are keys and values in e4m3? Tensor cores then multiply in f16, which they do
 * as fast as in bf16. */
static bool is_bytes(const struct kernel_case *c)
{
    return c->dtype == KERNEL_E4M3;
}

/* Two products for each head and each key: 128 multiplications and additions
 * each. Powers and sums of the softmax are not counted. Keys and values that
 * there are cross the bus once. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const struct cache_shape s = decode_shape(c);
    const int64_t element = (int64_t)kernel_dtype_bytes(c->dtype);
    const int64_t rows = (int64_t)s.b * s.heads;
    const int sharing = scales_keys(c);
    int64_t keys = 0, marks = 0, pairs = 0;

    for (int i = 0; i < s.b; i++) {
        const int length = cache_length(&s, i);

        keys += length;
        marks += 1 + (s.page ? (length + s.page - 1) / s.page : 0);
        pairs += sharing ? (length + sharing - 1) / sharing : 0;
    }
    m->flop = 4 * s.heads * CACHE_DEEP * keys;
    m->bytes_read = 2 * element * s.kv * CACHE_DEEP * keys +
                    2 * rows * CACHE_DEEP + 4 * marks + 8 * s.kv * pairs;
    m->bytes_written = 2 * rows * CACHE_DEEP;
    m->formula = "4 heads 128 FLOP for each key; 2 B read per element of the "
                 "keys and values that there are and of Q, 4 B per length and "
                 "per number of a page, 2 B written per element of O";
    if (is_bytes(c))
        m->formula = "4 heads 128 FLOP for each key; 1 B read per element of "
                     "the keys and values that there are, 2 B per element of "
                     "Q, 4 B per length, 2 B written per element of O";
    if (sharing > 0)
        m->formula = "4 heads 128 FLOP for each key; 1 B read per element of "
                     "the keys and values that there are, 4 B per scale, 2 B "
                     "per element of Q, 4 B per length, 2 B written per "
                     "element of O";
    m->unit = "bf16";
    m->level = "hbm";
}

/* ---- the reference ---- */

/* Outputs of one row come together, so its weights are computed once. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t count, double *value,
                   double *magnitude)
{
    struct decode_row r = decode_row_open(c);
    size_t known = SIZE_MAX;

    for (size_t n = 0; n < count; n++) {
        const size_t row = idx[n] / CACHE_DEEP;

        if (row != known)
            decode_weigh(c, seed, row, &r);
        known = row;
        decode_output(c, seed, &r, idx[n] % CACHE_DEEP, &value[n],
                      &magnitude[n]);
    }
    decode_row_close(&r);
}

/* Keys of a row. The 128 products of each are computed once for 64 outputs. */
static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "l");
}

/*
 * Let p be the weights of a row, u = 2^-8 the rounding to bf16, and
 *
 *     R = root of the sum of (p v)^2,  S = sum of |p v|,  |o| <= S.
 *
 *   The output is rounded once: u |o|.
 *
 *   Tensor cores take weights in bf16: each is off by u p at most, up as often
 *   as down. A rounding error that is uniform in [-u, u] has a standard
 *   deviation of u / sqrt(3), so 3.5 u R is six deviations of their sum. It is
 *   never more than u S.
 *
 *   With keys and values of a byte weights are f16, with three bits more, but
 *   no more than 2^40 times apart: smaller ones are off by 2^-40 of the
 *   greatest, or by themselves. Scales make no difference here: v is then a
 *   value times its scale, and what is rounded is a weight times that scale,
 *   which is at most 1.
 *
 *   A score is off by what tensor cores cut off a sum of 128 products
 *   (product_cuts(), whose running sums are at most |q| |k|), and by four
 *   roundings of the exponent; five if keys have scales, which multiply it. A
 *   weight is then off by that share e of itself, as the sum of all is, in the
 *   other direction: 2 e S. Powers are part of e: that of the weight, and two
 *   that bring sums to a new maximum when parts of a row are joined, each off
 *   by 2^-22 with its factors. So are sums of weights, moved to a new maximum
 *   once for 16 keys.
 *
 *   Sums over the keys are cut off, too: product_cuts() of the smaller of S and
 *   5 R, as for any product (kernels/product.h).
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "2^-8 of |o| for its rounding to bf16 and of 3.5 R for that of the "
           "weights, where R is the root of the sum of (p v)^2; what rounding "
           "of scores and sums in f32 adds to weights";
    return DECODE_ROUNDING;
}

#define TYPED(b, heads, kv, l, layout, sharp, dtype, use)                 \
    {                                                                     \
        {{"b", b, NULL}, {"heads", heads, NULL}, {"kv", kv, NULL},        \
         {"l", l, NULL}, {"layout", 0, layout},  {"sharp", sharp, NULL}}, \
            6, dtype, use                                                 \
    }
#define ONE(b, heads, kv, l, layout, sharp, use) \
    TYPED(b, heads, kv, l, layout, sharp, KERNEL_BF16, use)
#define CHECK_BYTES(b, heads, kv, l, layout, sharp) \
    TYPED(b, heads, kv, l, layout, sharp, KERNEL_E4M3, KERNEL_CHECK)
#define CHECK_SCALES(flat, ragged)                                       \
    CHECK_BYTES(1, 1, 1, 1, flat, 4), CHECK_BYTES(2, 3, 1, 63, flat, 4), \
        CHECK_BYTES(3, 8, 2, 130, flat, 1),                              \
        CHECK_BYTES(5, 4, 2, 333, ragged, 4),                            \
        CHECK_BYTES(1, 32, 1, 1150, flat, 1),                            \
        CHECK_BYTES(40, 32, 8, 1111, ragged, 4),                         \
        CHECK_BYTES(5, 64, 8, 4097, flat, 2)
#define CHECK(b, heads, kv, l, layout, sharp) \
    ONE(b, heads, kv, l, layout, sharp, KERNEL_CHECK)
#define COLD (KERNEL_MEASURE_CUDA | KERNEL_COLD)

/* Heads of Llama-3.1-8B and of 70B; one key head for each, and one for all. */
#define OF_8B(b, l, layout) ONE(b, 32, 8, l, layout, 4, COLD)
#define OF_70B(b, l) ONE(b, 64, 8, l, "flat", 4, COLD)
#define IN_BYTES(b, l) TYPED(b, 32, 8, l, "flat", 4, KERNEL_E4M3, COLD)
#define SCALED(b, layout) TYPED(b, 32, 8, 8 * KI, layout, 4, KERNEL_E4M3, COLD)
#define EACH(b, l) ONE(b, 32, 32, l, "flat", 4, COLD)
#define SHARED(b, l) ONE(b, 32, 1, l, "flat", 4, COLD)

enum { KI = 1 << 10 };

static const struct kernel_case cases[] = {
    /* one key; less than a tile; around the edges of tiles, pages and splits;
       groups of 1, 3, 4, 8 and 32 heads; flat and steep weights */
    CHECK(1, 1, 1, 1, "flat", 4),
    CHECK(1, 2, 1, 7, "flat", 1),
    CHECK(2, 3, 1, 63, "flat", 4),
    CHECK(1, 4, 1, 64, "flat", 16),
    CHECK(3, 4, 2, 65, "flat", 4),
    CHECK(5, 2, 2, 200, "ragged", 4),
    CHECK(2, 32, 1, 129, "flat", 4),
    CHECK(4, 8, 1, 515, "ragged", 4),
    CHECK(1, 8, 2, 1100, "flat", 4),
    CHECK(3, 4, 1, 70, "page16", 4),
    CHECK(1, 2, 1, 1500, "page16", 4),
    CHECK(6, 6, 2, 300, "ragged16", 4),
    CHECK(5, 8, 1, 333, "ragged64", 4),
    CHECK(2, 4, 1, 1025, "page64", 16),
    CHECK(40, 2, 1, 70, "ragged", 4),
    CHECK(70, 1, 1, 130, "ragged", 4),
    CHECK(17, 32, 8, 4097, "ragged64", 4),
    CHECK(17, 32, 8, 4097, "ragged16", 1),
    CHECK(128, 32, 8, 1000, "flat", 4),
    CHECK(5, 64, 8, 4097, "flat", 4),
    CHECK(12, 48, 48, 2100, "flat", 4),
    CHECK(2, 40, 8, 20000, "flat", 4),
    CHECK_BYTES(1, 1, 1, 1, "flat", 4),
    CHECK_BYTES(2, 3, 1, 63, "flat", 4),
    CHECK_BYTES(3, 8, 2, 130, "flat", 16),
    CHECK_BYTES(5, 4, 2, 333, "ragged", 4),
    CHECK_BYTES(1, 32, 1, 150, "flat", 1),
    CHECK_BYTES(40, 32, 8, 1111, "ragged", 4),
    CHECK_BYTES(5, 64, 8, 4097, "flat", 4),
    CHECK_SCALES("flat_token", "ragged_token"),
    CHECK_SCALES("flat_page", "ragged_page"),
    OF_8B(1, KI, "flat"),
    OF_8B(1, 8 * KI, "flat"),
    OF_8B(1, 32 * KI, "flat"),
    OF_8B(8, KI, "flat"),
    OF_8B(8, 8 * KI, "flat"),
    OF_8B(32, KI, "flat"),
    OF_8B(32, 8 * KI, "flat"),
    OF_8B(128, 4 * KI, "flat"),
    OF_70B(8, 8 * KI),
    OF_70B(32, 8 * KI),
    EACH(8, 8 * KI),
    SHARED(8, 8 * KI),
    OF_8B(8, 8 * KI, "page64"),
    OF_8B(8, 8 * KI, "page16"),
    OF_8B(32, 8 * KI, "page64"),
    OF_8B(32, 8 * KI, "page16"),
    OF_8B(32, 8 * KI, "ragged"),
    IN_BYTES(1, 8 * KI),
    IN_BYTES(8, 8 * KI),
    IN_BYTES(32, 8 * KI),
    IN_BYTES(128, 4 * KI),
    SCALED(8, "flat_token"),
    SCALED(32, "flat_token"),
    SCALED(8, "flat_page"),
    SCALED(32, "flat_page"),
};

/* ---- what a variant can do ---- */

static bool is_flat(const struct kernel_case *c)
{
    return !is_bytes(c) && decode_shape(c).page == 0;
}

static bool is_plain(const struct kernel_case *c)
{
    return is_bytes(c) && scales_keys(c) == 0;
}

static bool is_scaled_each(const struct kernel_case *c)
{
    return scales_keys(c) == 1;
}

static bool is_scaled_by_page(const struct kernel_case *c)
{
    return scales_keys(c) == SCALES_PAGE;
}

/* PyTorch's calls take no lengths, unless a mask is added to all scores. */
static bool is_even(const struct kernel_case *c)
{
    return is_flat(c) && !decode_shape(c).ragged;
}

/* FlexAttention is compiled for each shape, which takes a while. */
static bool is_typical(const struct kernel_case *c)
{
    return is_even(c) && kernel_num(c, "heads") == 32 &&
           kernel_num(c, "kv") == 8 && kernel_num(c, "l") == 1 << 13;
}

static bool is_paged(const struct kernel_case *c)
{
    return !is_bytes(c) && decode_shape(c).page != 0;
}

/* The first steps read keys once for each head, or leave most SMs idle: larger
 * cases take them a millisecond and more. */
static bool is_small(const struct kernel_case *c)
{
    return is_flat(c) &&
           kernel_num(c, "b") * kernel_num(c, "heads") * kernel_num(c, "l") <=
               (int64_t)2 << 20;
}

/* Eight blocks have a row: with many rows that is nothing but more blocks. */
static bool has_few_rows(const struct kernel_case *c)
{
    return is_flat(c) && kernel_num(c, "b") * kernel_num(c, "kv") <= 64;
}

LAUNCHER(decode_naive);
LAUNCHER(decode_warp);
LAUNCHER(decode_packed);
LAUNCHER(decode_vector);
LAUNCHER(decode_split);
LAUNCHER(decode_mma);
LAUNCHER(decode_stages);
LAUNCHER(decode_last);
LAUNCHER(decode_ring);
LAUNCHER(decode_cluster);
LAUNCHER(decode_waves);
LAUNCHER(decode_swap);
LAUNCHER(decode_early);
LAUNCHER(decode_drawn);
LAUNCHER(decode_paged);
LAUNCHER(decode_bytes);
SCRATCH(decode_naive_scratch);
SCRATCH(decode_split_scratch);
SCRATCH(decode_mma_scratch);
SCRATCH(decode_stages_scratch);
SCRATCH(decode_last_scratch);
SCRATCH(decode_ring_scratch);
SCRATCH(decode_waves_scratch);
SCRATCH(decode_swap_scratch);
SCRATCH(decode_early_scratch);
SCRATCH(decode_drawn_scratch);
SCRATCH(decode_paged_scratch);
SCRATCH(decode_bytes_scratch);
PREPARE(decode_ring_prepare);
PREPARE(decode_cluster_prepare);
PREPARE(decode_waves_prepare);
PREPARE(decode_swap_prepare);
PREPARE(decode_early_prepare);
PREPARE(decode_drawn_prepare);
PREPARE(decode_paged_prepare);
PREPARE(decode_bytes_prepare);
RELEASE(decode_release);

/* Both functions of a variant with scratch memory. */
#define DECLARE(name)        \
    LAUNCHER(decode_##name); \
    SCRATCH(decode_##name##_scratch)

DECLARE(tall);
DECLARE(abreast);
DECLARE(eager);
DECLARE(whole);
DECLARE(handed);
DECLARE(march);
DECLARE(bytes_march);
DECLARE(bytes_token);
DECLARE(bytes_page);
DECLARE(heads);
PREPARE(decode_heads_prepare);
DECLARE(wgmma);
PREPARE(decode_wgmma_prepare);

/* A step of the ladder; one with scratch memory; one with tensor maps as well.
 */
#define STEP(name, can, words, what)                                     \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/decode/" #name ".cu", .supports = can,          \
        .launch = decode_##name                                          \
    }
#define LEAVING(name, can, words, what)                                   \
    {                                                                     \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA,  \
        .file = "kernels/decode/" #name ".cu", .supports = can,           \
        .scratch_bytes = decode_##name##_scratch, .launch = decode_##name \
    }
#define MAPPED(name, can, words, what)                                   \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/decode/" #name ".cu", .supports = can,          \
        .scratch_bytes = decode_##name##_scratch,                        \
        .prepare = decode_##name##_prepare, .launch = decode_##name,     \
        .release = decode_release                                        \
    }

TORCH_ATTENTION(decode, "decode bhld")

static const struct kernel_variant variants[] = {
    LEAVING(naive, is_small, "a thread for each number",
            "Three kernels make scores, weights and outputs, each number by a "
            "thread of its own."),
    STEP(warp, is_small, "a warp for each key",
         "Lanes share a key and add up by shuffles, and scores never leave the "
         "SM."),
    STEP(packed, is_small, "heads that share keys read them together",
         "A block has all heads of a group, and reads each key once for them."),
    STEP(vector, is_small, "16 bytes a lane, eight keys under way",
         "A warp asks for eight keys and their values before it multiplies."),
    LEAVING(split, is_flat, "rows cut into pieces",
            "Each block has 512 keys of a row, and a second kernel joins what "
            "they leave."),
    LEAVING(mma, is_flat, "tensor cores",
            "A group of heads is a part of the 16 rows of mma, and the rest of "
            "them are zeros."),
    LEAVING(stages, is_flat, "copies ahead",
            "Each warp has three slots that cp.async fills, and waits for no "
            "other warp."),
    LEAVING(last, is_flat, "the last block joins",
            "Blocks of a row count themselves, and no second kernel is "
            "needed."),
    MAPPED(ring, is_flat, "the TMA brings tiles",
           "A warp of its own asks for tiles of 32 KB, and mbarriers hand them "
           "over."),
    {
        .id = "cluster",
        .title = "rows joined on chip",
        .idea = "Eight blocks of a cluster share a row, and read each other's "
                "sums from shared memory.",
        .where = KERNEL_CUDA,
        .file = "kernels/decode/cluster.cu",
        .supports = has_few_rows,
        .prepare = decode_cluster_prepare,
        .launch = decode_cluster,
        .release = decode_release,
    },
    MAPPED(waves, is_flat, "the same number of tiles for every SM",
           "A block for each SM goes through an even share of all tiles, "
           "whatever rows they belong to."),
    MAPPED(swap, is_flat, "keys take the sixteen rows",
           "A product has 16 keys by 8 heads in place of 16 heads by 8 keys, "
           "so that half as many will do."),
    MAPPED(early, is_flat, "the launch overlaps with the kernel before",
           "A block asks for older keys while the kernel before ends, and "
           "waits for it before it reads queries."),
    MAPPED(drawn, is_flat, "pieces go to whoever is free",
           "A block for each SM draws pieces of rows from a counter, a piece "
           "ahead."),
    LEAVING(tall, is_flat, "32 keys at a time",
            "A warp takes the keys of two products before it looks for a "
            "maximum."),
    LEAVING(abreast, is_flat, "blocks of a row walk abreast",
            "Sixteen blocks deal out the tiles of a row, and read a place of "
            "memory that moves through it."),
    LEAVING(eager, is_flat, "small blocks start early",
            "Blocks ask for older keys where those of the kernel before have "
            "left room."),
    LEAVING(whole, is_flat, "the TMA copies keys whole",
            "Long pieces in place of panels, laid out so that lanes read "
            "operands without conflicts or ldmatrix."),
    LEAVING(handed, is_flat, "other warps end a piece",
            "Warps that multiply hand their sums over and go on, and four "
            "others write, count and join."),
    LEAVING(march, is_flat, "drawn pieces, abreast and early",
            "What should gain, together: pieces that others end, that walk "
            "abreast, and that start before the kernel before has ended."),
    MAPPED(wgmma, is_flat, "wgmma, with queries padded to 64",
           "The warp group's instruction reads keys and values where the TMA "
           "has put them, and most of its rows are zeros."),
    MAPPED(heads, is_flat, "up to 32 heads a warp",
           "Queries stay in shared memory, so that a warp has registers for "
           "the sums of 32 heads."),
    MAPPED(paged, is_paged, "pages, wherever they lie",
           "The warp that asks looks up where pages are, 32 entries of the "
           "table ahead."),
    MAPPED(bytes, is_plain, "keys and values in FP8",
           "Bytes become f16 between shared memory and tensor cores, which "
           "take queries and weights in f16, too."),
    LEAVING(bytes_march, is_plain, "drawn pieces in FP8",
            "Lanes read 16 elements of e4m3 at once, and SMs draw pieces in "
            "place of an even share."),
    LEAVING(bytes_page, is_scaled_by_page, "a scale for each page in FP8",
            "Scores are multiplied by the scale of 64 keys, and weights by "
            "that of their values."),
    LEAVING(bytes_token, is_scaled_each, "a scale for each key in FP8",
            "Each score is multiplied by its key's scale, and each weight by "
            "its value's, which come with their tile."),
    TORCH_ATTENTION_CUDNN(decode, is_even),
    TORCH_ATTENTION_FA2(decode, is_even),
    TORCH_ATTENTION_FLEX(decode, is_typical,
                         "PyTorch's flex_attention as torch.compile makes it: "
                         "for one query its kernel that splits keys, in "
                         "Triton."),
};

const struct kernel_family decode_family = {
    .id = "decode",
    .title = "Attention of one new token",
    .problem = "Let the newest token of each sequence of a batch look at all "
               "tokens before it: o = softmax(scale q K') V for each head, "
               "with sums in f32. Keys and values come from a cache, flat or "
               "in pages of 64 or 16 keys, in bf16 or FP8, and neighbouring "
               "heads of queries share them. The shapes are those of "
               "Llama-3.1-8B (32 heads, 8 of keys) and 70B (64, 8). Three of "
               "four queries are the mean of two keys, so that a lost or "
               "doubled key shows, and where the cache has no key it is NaN.",
    .metric = "bandwidth",
    .file = "kernels/decode/family.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
    .finite_only = "an infinite value times a weight of zero is NaN, and keys "
                   "far from the query have a weight of zero",
};
