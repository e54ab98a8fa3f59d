/*
 * kernels/cublas_algo.cu - names of what cublasLt can be configured to do. It
 * has numbers for tiles, stages and clusters; tables give their sizes.
 *
 * How to add one: an entry of a table, by its name in the header of cublasLt.
 */
#include "kernels/cublas_algo.h"

#include <cublasLt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef decltype(&cublasLtMatmulAlgoConfigGetAttribute) getter;

struct name {
    int id, a, b;
};

/* Tiles of at most 256 on a side, and some larger ones. */
#define T(m, n)                              \
    {                                        \
        CUBLASLT_MATMUL_TILE_##m##x##n, m, n \
    }
static const struct name tiles[] = {
    T(8, 8),     T(8, 16),    T(8, 32),    T(8, 64),    T(8, 128),
    T(8, 192),   T(8, 256),   T(16, 8),    T(16, 16),   T(16, 32),
    T(16, 64),   T(16, 128),  T(16, 192),  T(16, 256),  T(24, 64),
    T(24, 128),  T(24, 192),  T(24, 256),  T(32, 8),    T(32, 16),
    T(32, 32),   T(32, 64),   T(32, 128),  T(32, 192),  T(32, 256),
    T(40, 64),   T(40, 128),  T(40, 192),  T(40, 256),  T(48, 64),
    T(48, 128),  T(48, 192),  T(48, 256),  T(56, 64),   T(56, 128),
    T(56, 192),  T(56, 256),  T(64, 8),    T(64, 16),   T(64, 24),
    T(64, 32),   T(64, 40),   T(64, 48),   T(64, 56),   T(64, 64),
    T(64, 72),   T(64, 80),   T(64, 88),   T(64, 96),   T(64, 104),
    T(64, 112),  T(64, 120),  T(64, 128),  T(64, 136),  T(64, 144),
    T(64, 152),  T(64, 160),  T(64, 168),  T(64, 176),  T(64, 184),
    T(64, 192),  T(64, 200),  T(64, 208),  T(64, 216),  T(64, 224),
    T(64, 232),  T(64, 240),  T(64, 248),  T(64, 256),  T(72, 64),
    T(72, 128),  T(72, 192),  T(72, 256),  T(80, 64),   T(80, 128),
    T(80, 192),  T(80, 256),  T(88, 64),   T(88, 128),  T(88, 192),
    T(88, 256),  T(96, 64),   T(96, 128),  T(96, 192),  T(96, 256),
    T(104, 64),  T(104, 128), T(104, 192), T(104, 256), T(112, 64),
    T(112, 128), T(112, 192), T(112, 256), T(120, 64),  T(120, 128),
    T(120, 192), T(120, 256), T(128, 8),   T(128, 16),  T(128, 24),
    T(128, 32),  T(128, 40),  T(128, 48),  T(128, 56),  T(128, 64),
    T(128, 72),  T(128, 80),  T(128, 88),  T(128, 96),  T(128, 104),
    T(128, 112), T(128, 120), T(128, 128), T(128, 136), T(128, 144),
    T(128, 152), T(128, 160), T(128, 168), T(128, 176), T(128, 184),
    T(128, 192), T(128, 200), T(128, 208), T(128, 216), T(128, 224),
    T(128, 232), T(128, 240), T(128, 248), T(128, 256), T(136, 64),
    T(136, 128), T(136, 192), T(136, 256), T(144, 64),  T(144, 128),
    T(144, 192), T(144, 256), T(152, 64),  T(152, 128), T(152, 192),
    T(152, 256), T(160, 64),  T(160, 128), T(160, 192), T(160, 256),
    T(168, 64),  T(168, 128), T(168, 192), T(168, 256), T(176, 64),
    T(176, 128), T(176, 192), T(176, 256), T(184, 64),  T(184, 128),
    T(184, 192), T(184, 256), T(192, 8),   T(192, 16),  T(192, 24),
    T(192, 32),  T(192, 40),  T(192, 48),  T(192, 56),  T(192, 64),
    T(192, 72),  T(192, 80),  T(192, 88),  T(192, 96),  T(192, 104),
    T(192, 112), T(192, 120), T(192, 128), T(192, 136), T(192, 144),
    T(192, 152), T(192, 160), T(192, 168), T(192, 176), T(192, 184),
    T(192, 192), T(192, 200), T(192, 208), T(192, 216), T(192, 224),
    T(192, 232), T(192, 240), T(192, 248), T(192, 256), T(200, 64),
    T(200, 128), T(200, 192), T(208, 64),  T(208, 128), T(208, 192),
    T(216, 64),  T(216, 128), T(216, 192), T(224, 64),  T(224, 128),
    T(224, 192), T(232, 64),  T(232, 128), T(232, 192), T(240, 64),
    T(240, 128), T(240, 192), T(248, 64),  T(248, 128), T(248, 192),
    T(256, 8),   T(256, 16),  T(256, 24),  T(256, 32),  T(256, 40),
    T(256, 48),  T(256, 56),  T(256, 64),  T(256, 72),  T(256, 80),
    T(256, 88),  T(256, 96),  T(256, 104), T(256, 112), T(256, 120),
    T(256, 128), T(256, 136), T(256, 144), T(256, 152), T(256, 160),
    T(256, 168), T(256, 176), T(256, 184), T(256, 192), T(256, 200),
    T(256, 208), T(256, 216), T(256, 224), T(256, 232), T(256, 240),
    T(256, 248), T(256, 256), T(64, 512),  T(512, 64),  T(256, 512),
    T(512, 512),
};
#undef T

/* Depth of a tile, and its stages. */
#define AUTO 0
#define S(k, n)                                \
    {                                          \
        CUBLASLT_MATMUL_STAGES_##k##x##n, k, n \
    }
static const struct name stages[] = {
    S(16, 1),     S(16, 2),    S(16, 3),    S(16, 4),     S(16, 5),
    S(16, 6),     S(32, 1),    S(32, 2),    S(32, 3),     S(32, 4),
    S(32, 5),     S(32, 6),    S(64, 1),    S(64, 2),     S(64, 3),
    S(64, 4),     S(64, 5),    S(64, 6),    S(128, 1),    S(128, 2),
    S(128, 3),    S(128, 4),   S(128, 5),   S(128, 6),    S(32, 10),
    S(8, 4),      S(16, 10),   S(8, 5),     S(8, 3),      S(8, AUTO),
    S(16, AUTO),  S(32, AUTO), S(64, AUTO), S(128, AUTO), S(256, AUTO),
    S(768, AUTO),
};
#undef S

#define C(p, q)                                    \
    {                                              \
        CUBLASLT_CLUSTER_SHAPE_##p##x##q##x1, p, q \
    }
static const struct name clusters[] = {
    C(1, 1),  C(2, 1),  C(4, 1),  C(1, 2),  C(2, 2),  C(4, 2),  C(1, 4),
    C(2, 4),  C(4, 4),  C(8, 1),  C(1, 8),  C(8, 2),  C(2, 8),  C(16, 1),
    C(1, 16), C(3, 1),  C(5, 1),  C(6, 1),  C(7, 1),  C(9, 1),  C(10, 1),
    C(11, 1), C(12, 1), C(13, 1), C(14, 1), C(15, 1), C(3, 2),  C(5, 2),
    C(6, 2),  C(7, 2),  C(1, 3),  C(2, 3),  C(3, 3),  C(4, 3),  C(5, 3),
    C(3, 4),  C(1, 5),  C(2, 5),  C(3, 5),  C(1, 6),  C(2, 6),  C(1, 7),
    C(2, 7),  C(1, 9),  C(1, 10), C(1, 11), C(1, 12), C(1, 13), C(1, 14),
    C(1, 15),
};
#undef C

#define NAMED(table, id) named(table, sizeof table / sizeof *table, id)

static const struct name *named(const struct name *table, size_t n, int id)
{
    for (size_t i = 0; i < n; i++)
        if (table[i].id == id)
            return &table[i];
    return NULL;
}

/* A text that grows; what does not fit is lost. */
struct text {
    char *to;
    size_t size, n;
};

static void say(struct text *t, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    if (t->n < t->size)
        t->n += (size_t)vsnprintf(t->to + t->n, t->size - t->n, format, values);
    va_end(values);
}

/* A number of the configuration, of 2 or 4 bytes. 0: it is not set. */
static int number_of(getter get, const cublasLtMatmulAlgo_t *algo,
                     cublasLtMatmulAlgoConfigAttributes_t which, size_t bytes)
{
    uint32_t wide = 0; /* the machine is little-endian */
    size_t written;

    return get(algo, which, &wide, bytes, &written) == CUBLAS_STATUS_SUCCESS
               ? (int)wide
               : 0;
}

static void say_tile(struct text *t, int tile, int stage)
{
    const struct name *size = NAMED(tiles, tile);
    const struct name *depth = NAMED(stages, stage);

    if (size && depth)
        say(t, " tile=%dx%dx%d", size->a, size->b, depth->a);
    else if (size)
        say(t, " tile=%dx%d", size->a, size->b);
    else if (tile)
        say(t, " tile_id=%d", tile);
    if (depth && depth->b)
        say(t, " stages=%d", depth->b);
    else if (stage && !depth)
        say(t, " stages_id=%d", stage);
}

static void say_cluster(struct text *t, int id)
{
    const struct name *size = NAMED(clusters, id);

    if (size)
        say(t, " cluster=%dx%d", size->a, size->b);
    else if (id)
        say(t, " cluster_id=%d", id);
}

static void say_number(struct text *t, const char *name, int value)
{
    if (value)
        say(t, " %s=%d", name, value);
}

enum { WORDS = sizeof(cublasLtMatmulAlgo_t::data) / sizeof(uint64_t) };

/* The words in hex up to the last that is not 0, with points between them. */
static void say_data(struct text *t, const cublasLtMatmulAlgo_t *algo)
{
    int n = WORDS;

    while (n > 1 && algo->data[n - 1] == 0)
        n--;
    for (int i = 0; i < n; i++)
        say(t, i ? ".%llx" : " data=%llx", (unsigned long long)algo->data[i]);
}

void cublas_algo_text(const void *from, const void *of, const char *version,
                      char *to, size_t size)
{
    const cublasLtMatmulAlgo_t *algo = (const cublasLtMatmulAlgo_t *)of;
    const getter get = (getter)from;
    struct text t = {to, size, 0};

    say(&t, "call=cuBLASLt version=%s algorithm=%d", version,
        number_of(get, algo, CUBLASLT_ALGO_CONFIG_ID, 4));
    say_tile(&t, number_of(get, algo, CUBLASLT_ALGO_CONFIG_TILE_ID, 4),
             number_of(get, algo, CUBLASLT_ALGO_CONFIG_STAGES_ID, 4));
    say_number(&t, "split_k",
               number_of(get, algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 4));
    say_number(&t, "reduction",
               number_of(get, algo, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, 4));
    say_cluster(&t,
                number_of(get, algo, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, 2));
    say_number(&t, "swizzle",
               number_of(get, algo, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, 4));
    say_number(&t, "custom",
               number_of(get, algo, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, 4));
    say_number(&t, "inner",
               number_of(get, algo, CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, 2));
    say_data(&t, algo);
}

/* The value of `name`, which a blank or the text's end follows. */
static const char *value_of(const char *text, const char *name)
{
    const size_t n = strlen(name);

    for (; text; text = strchr(text, ' '), text += text != NULL)
        if (strncmp(text, name, n) == 0 && text[n] == '=')
            return text + n + 1;
    return NULL;
}

bool cublas_algo_read(const char *text, const char *version, void *to)
{
    cublasLtMatmulAlgo_t *algo = (cublasLtMatmulAlgo_t *)to;
    const char *own = value_of(text, "version"), *p = value_of(text, "data");
    const size_t n = strlen(version);

    if (!own || !p || strncmp(own, version, n) != 0 || own[n] != ' ')
        return false;
    memset(algo, 0, sizeof *algo);
    for (int i = 0; i < WORDS; i++) {
        char *end;

        algo->data[i] = strtoull(p, &end, 16);
        if (end == p)
            return false;
        if (*end != '.')
            return *end == 0 || *end == ' ';
        p = end + 1;
    }
    return false;
}
