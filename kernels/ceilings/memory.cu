/*
 * ceilings/memory - the memory sweep on the GPU.
 *
 * The array is cut into tiles of a kilobyte, dealt out to the blocks in turn. A
 * block walks through its own tiles again and again. Few tiles stay in the L1
 * that they were read into. If there are many, all blocks read neighbouring
 * tiles at a time, which is the order that DRAM likes. A thread counts on over
 * the end of a pass, so that it always has several loads in flight, however
 * small its share.
 */
#include "kernels/ceilings/memory.cuh"

enum { THREADS = 1024, PER_SM = 2, TILE = 64, LOADS = 8 };

/*
 * The vectors of a block, counted from 0 through all its passes: those that a
 * thread visits are `THREADS` apart. Numbers of 32 bits, so that finding the
 * next place costs no more than an L1 needs for the load.
 */
struct walk {
    unsigned left;    /* visits that this thread still has to make */
    unsigned at, own; /* of the block's `own` vectors: the next one */

    __device__ walk(size_t n, int passes)
    {
        const unsigned round = gridDim.x * TILE, mine = blockIdx.x * TILE;
        const unsigned rest = (unsigned)(n % round);

        own = (unsigned)(n / round) * TILE + (rest <= mine         ? 0
                                              : rest - mine < TILE ? rest - mine
                                                                   : TILE);
        const unsigned visits = own * (unsigned)passes;
        left = visits <= threadIdx.x
                   ? 0
                   : (visits - threadIdx.x + THREADS - 1) / THREADS;
        at = own ? threadIdx.x % own : 0;
        step = own ? THREADS % own : 0;
    }

    /* The next vector's place in the array: tile t of a block lies at
       t gridDim + blockIdx. */
    __device__ unsigned next()
    {
        const unsigned place =
            at + (at & ~(TILE - 1u)) * (gridDim.x - 1) + blockIdx.x * TILE;

        at += step;
        at -= at >= own ? own : 0;
        return place;
    }

  private:
    unsigned step;
};

// ANCHOR: inner
template <int FLIGHT>
static __global__ void __launch_bounds__(THREADS)
    read(float *out, const float *b, size_t n, int passes,
         struct memory_scratch *s)
{
    const float4 *v = (const float4 *)b;
    walk w(n / VECTOR, passes);
    float sum = read_rest(b, n, passes);

    for (; w.left >= FLIGHT; w.left -= FLIGHT) {
        float4 x[FLIGHT];
        for (int k = 0; k < FLIGHT; k++)
            x[k] = load(v + w.next());
        for (int k = 0; k < FLIGHT; k++)
            sum += sum_vector(x[k]);
    }
    for (; w.left; w.left--)
        sum += sum_vector(load(v + w.next()));
    add_up<THREADS>(sum, s, out);
}
// ANCHOR_END: inner

static __device__ float4 add_scaled(float4 x, float4 y)
{
    return make_float4(x.x + MEMORY_SCALE * y.x, x.y + MEMORY_SCALE * y.y,
                       x.z + MEMORY_SCALE * y.z, x.w + MEMORY_SCALE * y.w);
}

template <enum memory_op OP, int FLIGHT>
static __device__ void update_some(float4 *a, const float4 *b, const float4 *c,
                                   walk &w, float value)
{
    float4 x[FLIGHT], y[FLIGHT];
    unsigned at[FLIGHT];

    for (int k = 0; k < FLIGHT; k++) {
        at[k] = w.next();
        x[k] = OP == MEMORY_WRITE ? make_float4(value, value, value, value)
                                  : load(b + at[k]);
        y[k] = OP == MEMORY_TRIAD ? load(c + at[k]) : x[k];
    }
    for (int k = 0; k < FLIGHT; k++)
        store(a + at[k], OP == MEMORY_TRIAD ? add_scaled(x[k], y[k]) : x[k]);
    w.left -= FLIGHT;
}

template <enum memory_op OP>
static __global__ void __launch_bounds__(THREADS)
    update(float *a, const float *b, const float *c, size_t n, int passes)
{
    enum { FLIGHT = OP == MEMORY_TRIAD ? LOADS / 4 : LOADS / 2 };
    const float4 *vb = (const float4 *)b, *vc = (const float4 *)c;
    const size_t rest = n / VECTOR * VECTOR + threadIdx.x;
    walk w(n / VECTOR, passes);

    while (w.left >= FLIGHT)
        update_some<OP, FLIGHT>((float4 *)a, vb, vc, w, (float)passes);
    while (w.left)
        update_some<OP, 1>((float4 *)a, vb, vc, w, (float)passes);
    if (blockIdx.x == 0 && rest < n)
        a[rest] = OP == MEMORY_WRITE  ? (float)passes
                  : OP == MEMORY_COPY ? b[rest]
                                      : b[rest] + MEMORY_SCALE * c[rest];
}

extern "C" int ceiling_memory_sweep(const struct kernel_case *c,
                                    const struct kernel_env *env,
                                    void *const *buf, void *)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const int passes = (int)kernel_num(c, "passes");
    const unsigned blocks = (unsigned)(env->sms * PER_SM);
    const cudaStream_t s = (cudaStream_t)env->stream;
    float *a = (float *)buf[0];
    const float *b = (const float *)buf[1], *other = (const float *)buf[2];

    switch (memory_op_of(c)) {
    case MEMORY_READ:
        read<LOADS><<<blocks, THREADS, 0, s>>>(a, b, n, passes,
                                               (struct memory_scratch *)buf[2]);
        break;
    case MEMORY_WRITE:
        update<MEMORY_WRITE>
            <<<blocks, THREADS, 0, s>>>(a, nullptr, nullptr, n, passes);
        break;
    case MEMORY_COPY:
        update<MEMORY_COPY>
            <<<blocks, THREADS, 0, s>>>(a, b, nullptr, n, passes);
        break;
    case MEMORY_TRIAD:
        update<MEMORY_TRIAD><<<blocks, THREADS, 0, s>>>(a, b, other, n, passes);
        break;
    }
    return cudaGetLastError();
}
