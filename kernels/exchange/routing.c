#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/exchange/exchange.h"
#include "kernels/input.h"

/* A routing while it is made, known by GPUs, tokens and its word. */
struct made {
    struct exchange is;
    const char *word;
    int32_t *chosen, *begin, *row[EXCHANGE_MOST];
    struct made *next;
};

static void *room(size_t n, size_t size)
{
    void *const p = calloc(n + 1, size);

    if (!p)
        abort();
    return p;
}

bool exchange_is_dispatch(const struct kernel_case *c)
{
    return strcmp(kernel_word(c, "part"), "dispatch") == 0;
}

/* ---- experts drawn for each token ---- */

enum { ROUTING_SEED = 2412, GROUP = 32, GROUPS = EXCHANGE_EXPERTS / GROUP };

/* Random number n of the routing, below `range`. */
static int draw(size_t *n, int range)
{
    const uint64_t z = input_bits(ROUTING_SEED, 1, (*n)++) >> 32;

    return (int)(z * (uint64_t)range >> 32);
}

/* The experts that a token may have: runs of neighbours. */
struct choice {
    int first[2], runs, size;
};

static struct choice choice_of(const struct made *m, int gpu, size_t *n)
{
    const int each = EXCHANGE_EXPERTS / m->is.gpus;
    struct choice c = {{0, 0}, 1, EXCHANGE_EXPERTS};

    if (strcmp(m->word, "pair") == 0) {
        const int one = draw(n, GROUPS), other = draw(n, GROUPS - 1);

        c = (struct choice){
            {one * GROUP, (other + (other >= one)) * GROUP}, 2, GROUP};
    } else if (strcmp(m->word, "one") == 0) {
        c = (struct choice){{(m->is.gpus - 1) * each, 0}, 1, each};
    } else if (strcmp(m->word, "home") == 0) {
        c = (struct choice){{gpu * each, 0}, 1, each};
    }
    return c;
}

static void draw_token(const struct choice *c, int32_t *chosen, size_t *n)
{
    bool taken[EXCHANGE_EXPERTS] = {false};

    for (int k = 0; k < EXCHANGE_TOP;) {
        const int z = draw(n, c->runs * c->size);
        const int expert = c->first[z / c->size] + z % c->size;

        if (!taken[expert])
            chosen[k++] = expert;
        taken[expert] = true;
    }
}

/* ---- rows ---- */

static bool goes(const struct made *m, int token, int at)
{
    for (int k = 0; k < EXCHANGE_TOP; k++)
        if (m->chosen[token * EXCHANGE_TOP + k] * m->is.gpus /
                EXCHANGE_EXPERTS ==
            at)
            return true;
    return false;
}

static void place_rows(struct made *m)
{
    const int gpus = m->is.gpus, t = m->is.t;

    for (int at = 0; at < gpus; at++) {
        int n = 0;

        m->is.row[at] = m->row[at] =
            room((size_t)gpus * (size_t)t, sizeof *m->row[at]);
        for (int i = 0; i < gpus * t; i++) {
            if (i % t == 0)
                m->begin[at * (gpus + 1) + i / t] = n;
            if (goes(m, i, at))
                m->row[at][n++] = i;
        }
        m->begin[at * (gpus + 1) + gpus] = n;
        m->is.most = n > m->is.most ? n : m->is.most;
    }
}

/* ---- all of them ---- */

static struct made *make(int gpus, int t, const char *word)
{
    struct made *const m = room(1, sizeof *m);
    const size_t tokens = (size_t)gpus * (size_t)t;
    size_t n = 0;

    m->word = word;
    m->is.gpus = gpus;
    m->is.t = t;
    m->is.chosen = m->chosen = room(tokens * EXCHANGE_TOP, sizeof *m->chosen);
    m->is.begin = m->begin =
        room((size_t)gpus * ((size_t)gpus + 1), sizeof *m->begin);
    for (int i = 0; i < gpus * t; i++) {
        const struct choice c = choice_of(m, i / t, &n);

        draw_token(&c, m->chosen + (size_t)i * EXCHANGE_TOP, &n);
    }
    place_rows(m);
    return m;
}

const struct exchange *exchange_of(const struct kernel_case *c)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct made *all;
    const int gpus = kernel_gpus(c), t = (int)kernel_num(c, "t");
    const char *const word = kernel_word(c, "routing");
    struct made *m;

    pthread_mutex_lock(&lock);
    for (m = all; m; m = m->next)
        if (m->is.gpus == gpus && m->is.t == t && strcmp(m->word, word) == 0)
            break;
    if (!m) {
        m = make(gpus, t, word);
        m->next = all;
        all = m;
    }
    pthread_mutex_unlock(&lock);
    return &m->is;
}
