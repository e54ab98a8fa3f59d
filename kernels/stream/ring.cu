/*
 * stream/ring - a ring of bulk copies in one resident block per SM.
 *
 * So far, bytes in flight cost registers. The TMA moves 16 KiB per instruction
 * between global and shared memory, and no thread waits, so one block per SM,
 * resident from start to end, keeps a ring of slots busy: SLOTS loads of 16 KiB
 * in flight, 96 KiB for copy and read and 192 KiB for triad, which has two
 * streams per slot.
 *
 *   copy    a single thread: load a slot, store it again, never look at it
 *   triad   256 threads add in place, then the engine stores the slot
 *   read    256 threads sum the slot
 *
 * Predicted before any run: 89-92 % for copy, more than `unroll`: as many
 * bytes in flight, fewer instructions, and no start of new blocks.
 */
#include "kernels/knob.cuh"
#include "kernels/ptx.cuh"
#include "kernels/stream/direct.cuh"
#include "kernels/sum.cuh"

enum {
    THREADS = 256,
    SLOT = STREAM_PAGE,    /* elements per stream and slot */
    SLOT_BYTES = SLOT * 4, /* 16 KiB */
    SLOTS = KNOB(6),
    SHARED_BYTES = SLOTS * SLOT_BYTES, /* per stream */
};

/* The slots that block b of g works on: b, b + g, b + 2g, ... */
static __device__ unsigned turns_of_block(size_t n)
{
    const unsigned whole = (unsigned)(n / SLOT);

    return blockIdx.x < whole ? (whole - blockIdx.x - 1) / gridDim.x + 1 : 0;
}

static __device__ size_t start_of_turn(unsigned turn)
{
    return (blockIdx.x + (size_t)turn * gridDim.x) * SLOT;
}

/* The block whose turn would come next takes the partial slot at the end. */
static __device__ bool takes_rest(size_t n)
{
    return n % SLOT != 0 && n / SLOT % gridDim.x == blockIdx.x;
}

static __device__ void barriers_init(uint64_t *full)
{
    for (int s = 0; s < SLOTS; s++)
        ptx_mbar_init(&full[s], 1);
    ptx_mbar_init_fence();
}

static __global__ void copy(float *a, const float *b, size_t n)
{
    extern __shared__ __align__(128) float slot[][SLOT];
    __shared__ uint64_t full[SLOTS];
    const unsigned turns = turns_of_block(n);
    const uint64_t once = ptx_evict_first();

    if (takes_rest(n))
        direct_rest(a, b, NULL, n / SLOT * SLOT, n);
    if (threadIdx.x != 0)
        return;
    barriers_init(full);
    const auto load = [&](unsigned turn) {
        const unsigned s = turn % SLOTS;

        ptx_mbar_expect(&full[s], SLOT_BYTES);
        ptx_bulk_load(slot[s], b + start_of_turn(turn), SLOT_BYTES, &full[s],
                      once);
    };
    for (unsigned t = 0; t < SLOTS && t < turns; t++)
        load(t);
    // ANCHOR: inner
    for (unsigned t = 0; t < turns; t++) {
        ptx_mbar_wait(&full[t % SLOTS], t / SLOTS % 2);
        ptx_bulk_store(a + start_of_turn(t), slot[t % SLOTS], SLOT_BYTES, once);
        ptx_bulk_commit();
        /* The store before this one has read its slot: load that again. */
        ptx_bulk_wait_read<1>();
        if (t >= 1 && t - 1 + SLOTS < turns)
            load(t - 1 + SLOTS);
    }
    // ANCHOR_END: inner
    ptx_bulk_wait<0>();
}

static __global__ void triad(float *a, const float *b, const float *c, size_t n)
{
    extern __shared__ __align__(128) float slot[][SLOT]; /* b, c, b, c, ... */
    __shared__ uint64_t full[SLOTS];
    const unsigned turns = turns_of_block(n);
    const uint64_t once = ptx_evict_first();
    const bool starter = threadIdx.x == 0;

    if (takes_rest(n))
        direct_rest(a, b, c, n / SLOT * SLOT, n);
    const auto load = [&](unsigned turn) {
        const unsigned s = turn % SLOTS;

        ptx_mbar_expect(&full[s], 2 * SLOT_BYTES);
        ptx_bulk_load(slot[2 * s], b + start_of_turn(turn), SLOT_BYTES,
                      &full[s], once);
        ptx_bulk_load(slot[2 * s + 1], c + start_of_turn(turn), SLOT_BYTES,
                      &full[s], once);
    };
    if (starter) {
        barriers_init(full);
        for (unsigned t = 0; t < SLOTS && t < turns; t++)
            load(t);
    }
    __syncthreads(); /* the barriers are ready */
    for (unsigned t = 0; t < turns; t++) {
        float4 *v = (float4 *)slot[2 * (t % SLOTS)];
        const float4 *w = (const float4 *)slot[2 * (t % SLOTS) + 1];

        ptx_mbar_wait(&full[t % SLOTS], t / SLOTS % 2);
        for (int i = threadIdx.x; i < SLOT / 4; i += THREADS)
            v[i] = direct_add_scaled(v[i], w[i]);
        ptx_fence_async();
        __syncthreads(); /* all sums are written, all of c is read */
        if (!starter)
            continue;
        ptx_bulk_store(a + start_of_turn(t), v, SLOT_BYTES, once);
        ptx_bulk_commit();
        ptx_bulk_wait_read<1>();
        if (t >= 1 && t - 1 + SLOTS < turns)
            load(t - 1 + SLOTS);
    }
    if (starter)
        ptx_bulk_wait<0>();
}

static __global__ void read(float *sums, const float *b, size_t n)
{
    extern __shared__ __align__(128) float slot[][SLOT];
    __shared__ uint64_t full[SLOTS];
    const unsigned turns = turns_of_block(n);
    const uint64_t once = ptx_evict_first();
    const bool starter = threadIdx.x == 0;

    const auto load = [&](unsigned turn) {
        const unsigned s = turn % SLOTS;

        ptx_mbar_expect(&full[s], SLOT_BYTES);
        ptx_bulk_load(slot[s], b + start_of_turn(turn), SLOT_BYTES, &full[s],
                      once);
    };
    if (starter) {
        barriers_init(full);
        for (unsigned t = 0; t < SLOTS && t < turns; t++)
            load(t);
    }
    __syncthreads(); /* the barriers are ready */
    for (unsigned t = 0; t < turns; t++) {
        const float4 *v = (const float4 *)slot[t % SLOTS];
        float sum = 0;

        ptx_mbar_wait(&full[t % SLOTS], t / SLOTS % 2);
        for (int i = threadIdx.x; i < SLOT / 4; i += THREADS)
            sum += sum_vector(v[i]);
        sum = sum_block<THREADS>(sum);
        if (starter)
            sums[start_of_turn(t) / SLOT] = sum;
        __syncthreads(); /* the slot and the partial sums are read */
        if (starter && t + SLOTS < turns)
            load(t + SLOTS);
    }
    if (takes_rest(n)) {
        const float sum =
            sum_block<THREADS>(direct_rest_sum(b, n / SLOT * SLOT, n));

        if (starter)
            sums[n / SLOT] = sum;
    }
}

/* More than 48 KB of shared memory per block must be asked for. */
extern "C" const char *stream_ring_prepare(const struct kernel_case *,
                                           const struct kernel_env *,
                                           void *const *, void **)
{
    const auto largest = cudaFuncAttributeMaxDynamicSharedMemorySize;

    if (cudaFuncSetAttribute(copy, largest, SHARED_BYTES) != cudaSuccess ||
        cudaFuncSetAttribute(triad, largest, 2 * SHARED_BYTES) != cudaSuccess ||
        cudaFuncSetAttribute(read, largest, SHARED_BYTES) != cudaSuccess)
        return "the device has too little shared memory for the ring";
    return NULL;
}

extern "C" int stream_ring(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const size_t slots = stream_pieces(n, SLOT);
    const unsigned grid =
        slots < (size_t)env->sms ? (unsigned)slots : (unsigned)env->sms;
    cudaStream_t stream = (cudaStream_t)env->stream;
    float *out = (float *)buf[0];
    const float *b = (const float *)buf[1];

    switch (stream_op_of(c)) {
    case STREAM_COPY:
        copy<<<grid, THREADS, SHARED_BYTES, stream>>>(out, b, n);
        break;
    case STREAM_TRIAD:
        triad<<<grid, THREADS, 2 * SHARED_BYTES, stream>>>(
            out, b, (const float *)buf[2], n);
        break;
    case STREAM_READ:
        read<<<grid, THREADS, SHARED_BYTES, stream>>>(out, b, n);
        break;
    }
    return cudaGetLastError();
}
