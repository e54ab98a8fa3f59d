#include "kernels/grouped/routing.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/input.h"

/* A routing while it is made: one of the kinds, known by t, e and its word. */
struct made {
    struct routing is;
    const char *word;
    int32_t *begin, *token;
    struct made *next;
};

static void *room(size_t n, size_t size)
{
    void *const p = calloc(n + 1, size);

    if (!p)
        abort();
    return p;
}

static int top_of(const struct routing *r)
{
    return r->e < ROUTING_TOP ? r->e : ROUTING_TOP;
}

/* ---- experts drawn for each token ---- */

enum { ROUTING_SEED = 2412, WEIGHT = 1 << 24 };

/* Weights, added up; ranks go to experts by a multiplication, so that popular
 * ones are not neighbours. */
struct chances {
    int64_t *below; /* of the ranks before this one, e + 1 of them */
    int e, step;
};

static int divisor_of_both(int a, int b)
{
    return b == 0 ? a : divisor_of_both(b, a % b);
}

static struct chances chances_of(const struct made *m)
{
    const bool zipf = strcmp(m->word, "zipf") == 0;
    struct chances c = {room((size_t)m->is.e + 1, sizeof *c.below), m->is.e, 0};

    for (int r = 0; r < c.e; r++)
        c.below[r + 1] = c.below[r] + WEIGHT / (zipf ? r + 1 : 1);
    for (c.step = c.e * 5 / 8 + 1; divisor_of_both(c.step, c.e) != 1;)
        c.step++;
    return c;
}

/* The expert that random number n of the routing draws. */
static int draw(const struct chances *c, size_t n)
{
    const uint64_t z = input_bits(ROUTING_SEED, 0, n) >> 32;
    const int64_t at = (int64_t)(z * (uint64_t)c->below[c->e] >> 32);
    int low = 0, high = c->e;

    while (high - low > 1) {
        const int middle = (low + high) / 2;

        if (c->below[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low * c->step % c->e;
}

/* Sets goes[token][expert], and counts rows behind the begin of each expert. */
static void draw_all(struct made *m, bool *goes)
{
    const struct chances c = chances_of(m);
    size_t n = 0;

    for (int t = 0; t < m->is.t; t++)
        for (int left = top_of(&m->is); left > 0;) {
            const int e = draw(&c, n++);
            bool *const mine = &goes[(size_t)t * (size_t)m->is.e + (size_t)e];

            left -= !*mine;
            m->begin[e + 1] += !*mine;
            *mine = true;
        }
    free(c.below);
}

static void make_drawn(struct made *m)
{
    bool *const goes = room((size_t)m->is.t * (size_t)m->is.e, sizeof *goes);
    int32_t *next = m->token;

    draw_all(m, goes);
    for (int e = 0; e < m->is.e; e++)
        for (int t = 0; t < m->is.t; t++)
            if (goes[(size_t)t * (size_t)m->is.e + (size_t)e])
                *next++ = t;
    free(goes);
}

/* ---- sizes that are given ---- */

static int size_of(const struct made *m, int e, int left)
{
    static const int edges[] = {1, 0, 127, 128, 129, 0, 64, 65, 63, 8, 9, 17};
    const int n = sizeof edges / sizeof edges[0];
    int size = m->is.rows / m->is.e;

    if (strcmp(m->word, "one") == 0)
        size = e == m->is.e / 2 ? left : 0;
    else if (strcmp(m->word, "edges") == 0)
        size = edges[e % n];
    return e == m->is.e - 1 || size > left ? left : size;
}

/* Tokens come by turns: neighbouring rows have far tokens. */
static void make_given(struct made *m)
{
    for (int e = 0, left = m->is.rows; e < m->is.e; e++) {
        m->begin[e + 1] = size_of(m, e, left);
        left -= m->begin[e + 1];
    }
    for (int i = 0; i < m->is.rows; i++)
        m->token[i] = (int32_t)(((int64_t)i * 7 + i / m->is.t) % m->is.t);
}

/* ---- all of them ---- */

static struct made *make(int t, int e, const char *word)
{
    struct made *const m = room(1, sizeof *m);
    const bool drawn =
        strcmp(word, "uniform") == 0 || strcmp(word, "zipf") == 0;

    m->word = word;
    m->is.t = t;
    m->is.e = e;
    m->is.rows = t * top_of(&m->is);
    m->is.begin = m->begin = room((size_t)e + 1, sizeof *m->begin);
    m->is.token = m->token = room((size_t)m->is.rows, sizeof *m->token);
    if (drawn)
        make_drawn(m);
    else
        make_given(m);
    for (int i = 0; i < e; i++) {
        const int size = m->begin[i + 1];

        m->is.active += size > 0;
        m->is.most = size > m->is.most ? size : m->is.most;
        m->begin[i + 1] += m->begin[i];
    }
    return m;
}

const struct routing *routing_of(const struct kernel_case *c)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct made *all;
    const int t = (int)kernel_num(c, "t"), e = (int)kernel_num(c, "e");
    const char *const word = kernel_word(c, "routing");
    struct made *m;

    pthread_mutex_lock(&lock);
    for (m = all; m; m = m->next)
        if (m->is.t == t && m->is.e == e && strcmp(m->word, word) == 0)
            break;
    if (!m) {
        m = make(t, e, word);
        m->next = all;
        all = m;
    }
    pthread_mutex_unlock(&lock);
    return &m->is;
}
