/*
 * Flag and sum in one word.
 *
 * In `single` three trips to L2 follow one another: write the sum and wait
 * until it is visible, draw a ticket, read all sums. But what the last
 * block needs is only to know that a sum has arrived, and the sum can say
 * so itself: a 64-bit word holds the float and a flag, and 8 bytes are
 * written at once or not at all. No fence, no counter. The block with the
 * highest number, which is also the last to start, waits for each word in
 * turn and clears it for the next launch. The other blocks wait for nobody,
 * so there is no deadlock, however few blocks fit on the machine.
 *
 * Small inputs get tiles of 16 KiB, so that more multiprocessors share
 * them; large ones 64 KiB. Blocks of 512 threads, four per multiprocessor,
 * halve the number of words to wait for.
 *
 * The largest inputs are handed out by ticket: a block that is done with a
 * tile takes the next that nobody has. A fast multiprocessor does more of
 * them, so none is left working alone at the end; and all blocks read
 * within a narrow window that moves through memory in the order of
 * addresses, whereas blocks with fixed tiles drift apart. A counter gives
 * out the tickets, drawn while loads are under way so that none waits for
 * it. The sweep found two blocks per multiprocessor to be enough for this.
 *
 * Expected, after a sweep of block and tile sizes: about a microsecond less
 * than two launches for small n, and a percent or so from the tickets at
 * the largest, which then read as fast as a kernel that does nothing else.
 */
#include "kernels/reduce/reduce.h"
#include "kernels/ptx.cuh"
#include "kernels/sum.cuh"

enum {
    THREADS = 512,
    BLOCKS_PER_SM = 4,
    TICKET_BLOCKS_PER_SM = 2,
    WIDTH = 4,         /* elements per vector */
    SMALL = 1 << 22,   /* elements: up to here, a tile has SMALL_VECTORS */
    HUGE = 1 << 26,    /* elements: from here on, tiles go by ticket */
    SMALL_VECTORS = 2, /* 16-byte loads in flight per thread */
    LARGE_VECTORS = 8,
};

/* Leaves a sum in *word, flagged as there. */
static __device__ void word_put(uint64_t *word, float sum)
{
    const uint64_t v = (uint64_t)__float_as_uint(sum) << 32 | 1;

    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(v)
                 : "memory");
}

/* Waits for the sum in *word, and clears it for the next launch. */
static __device__ float word_take(uint64_t *word)
{
    uint64_t v;

    do {
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                     : "=l"(v)
                     : "l"(word)
                     : "memory");
    } while (!(v & 1));
    *word = 0;
    return __uint_as_float((unsigned)(v >> 32));
}

/* This thread's share of the sum of x[0 … n-1]: every gridDim.x-th tile. */
template <int VECTORS> static __device__ float share(const float *x, size_t n)
{
    constexpr int TILE = THREADS * VECTORS;
    const float4 *v = (const float4 *)x;
    const size_t nv = n / WIDTH, step = (size_t)gridDim.x * TILE;
    size_t i = blockIdx.x * (size_t)TILE + threadIdx.x;
    const uint64_t once = ptx_evict_first();
    float sum = 0;

    for (; i + (VECTORS - 1) * THREADS < nv; i += step) {
        float4 in[VECTORS];

        for (int k = 0; k < VECTORS; k++)
            in[k] = VECTORS == SMALL_VECTORS
                        ? v[i + k * THREADS]
                        : ptx_load_once(v + i + k * THREADS, once);
        for (int k = 0; k < VECTORS; k++)
            sum += sum_vector(in[k]);
    }
    for (int k = 0; k < VECTORS; k++) /* the partial tile at the end */
        if (i + k * THREADS < nv)
            sum += sum_vector(v[i + k * THREADS]);
    if (blockIdx.x == 0 && threadIdx.x < n % WIDTH)
        sum += x[nv * WIDTH + threadIdx.x];
    return sum;
}

/*
 * The same, but each block takes the next tile that nobody has taken yet;
 * its first is that of its own number. The next ticket is drawn while the
 * loads are under way. A barrier per tile hands it to all threads; they
 * read one place while the next ticket goes to the other.
 */
static __device__ float share_by_ticket(const float *x, size_t n,
                                        unsigned *tickets)
{
    constexpr int TILE = THREADS * LARGE_VECTORS;
    const float4 *v = (const float4 *)x;
    const size_t nv = n / WIDTH;
    const uint64_t once = ptx_evict_first();
    __shared__ unsigned next[2];
    float sum = 0;

    if (blockIdx.x == 0 && threadIdx.x < n % WIDTH)
        sum = x[nv * WIDTH + threadIdx.x];
    for (unsigned tile = blockIdx.x, turn = 0; tile * (size_t)TILE < nv;
         tile = next[turn], turn ^= 1) {
        const size_t i = tile * (size_t)TILE + threadIdx.x;
        unsigned ticket = 0;
        float4 in[LARGE_VECTORS];

        if (threadIdx.x == 0)
            ticket = atomicAdd(tickets, 1);
        if (i + (LARGE_VECTORS - 1) * THREADS < nv) {
            for (int k = 0; k < LARGE_VECTORS; k++)
                in[k] = ptx_load_once(v + i + k * THREADS, once);
            for (int k = 0; k < LARGE_VECTORS; k++)
                sum += sum_vector(in[k]);
        } else { /* the partial tile at the end */
            for (int k = 0; k < LARGE_VECTORS; k++)
                if (i + k * THREADS < nv)
                    sum += sum_vector(v[i + k * THREADS]);
        }
        if (threadIdx.x == 0)
            next[turn] = gridDim.x + ticket;
        __syncthreads();
    }
    return sum;
}

template <int VECTORS, bool BY_TICKET>
static __global__ void sum_all(float *out, const float *x, size_t n,
                               uint64_t *words)
{
    /* The last block leaves no sum: its word counts the tickets. */
    uint64_t *tickets = &words[gridDim.x - 1];
    float sum = BY_TICKET ? share_by_ticket(x, n, (unsigned *)tickets)
                          : share<VECTORS>(x, n);

    sum = sum_block<THREADS>(sum);

    // ANCHOR: inner
    if (blockIdx.x != gridDim.x - 1) {
        if (threadIdx.x == 0)
            word_put(&words[blockIdx.x], sum);
        return;
    }
    if (threadIdx.x != 0)
        sum = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x - 1; b += THREADS)
        sum += word_take(&words[b]);
    __syncthreads(); /* sum_block() uses its shared memory again */
    sum = sum_block<THREADS>(sum);
    if (threadIdx.x == 0) {
        *out = sum;
        if (BY_TICKET)
            *tickets = 0; /* all have drawn their last */
    }
    // ANCHOR_END: inner
}

static size_t length(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n");
}

/* One block per tile, but no more than fit, or than tickets are best with. */
static unsigned blocks_for(const struct kernel_case *c,
                           const struct kernel_env *env)
{
    const size_t n = length(c);
    const size_t vectors = n <= SMALL ? SMALL_VECTORS : LARGE_VECTORS;
    const size_t tiles = reduce_pieces(n, vectors * THREADS * WIDTH);
    const int per_sm = n < HUGE ? BLOCKS_PER_SM : TICKET_BLOCKS_PER_SM;

    return (unsigned)reduce_min(tiles, (size_t)env->sms * per_sm);
}

extern "C" size_t reduce_inband_scratch(const struct kernel_case *c,
                                        const struct kernel_env *env)
{
    return blocks_for(c, env) * sizeof(uint64_t);
}

extern "C" int reduce_inband(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const size_t n = length(c);
    const auto kernel = n <= SMALL ? sum_all<SMALL_VECTORS, false>
                        : n < HUGE ? sum_all<LARGE_VECTORS, false>
                                   : sum_all<LARGE_VECTORS, true>;

    kernel<<<blocks_for(c, env), THREADS, 0, (cudaStream_t)env->stream>>>(
        (float *)buf[0], (const float *)buf[1], n, (uint64_t *)buf[2]);
    return cudaGetLastError();
}
