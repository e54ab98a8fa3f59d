/*
 * occupancy/bulk - bytes in flight without registers.
 *
 * The TMA brings rows of a piece into shared memory. A warp starts copies and
 * waits for the oldest. Bytes in flight occupy neither registers nor threads.
 * Four slots a warp, and a slot is filled again as soon as its rows have been
 * added, so unlike a batch of loads this one never runs empty between two
 * batches.
 *
 * Predicted before any run: four warps are enough for all the bandwidth there
 * is, from 32 KiB on.
 */
#include "kernels/occupancy/read.cuh"
#include "kernels/trace.cuh"

enum { SLOTS = 4 }; /* copies that a warp has in flight */

/* A warp's share of the pieces, counted in slots of `rows` rows. */
struct share {
    const float4 *x;
    size_t first, step; /* pieces of this warp */
    int rows;
};

static __device__ inline const float4 *slot_source(const struct share &s,
                                                   size_t t)
{
    const unsigned per_piece = OCCUPANCY_ROWS / s.rows;
    const size_t piece = s.first + t / per_piece * s.step;

    return s.x + (piece * OCCUPANCY_ROWS + t % per_piece * s.rows) * WARP;
}

/* Pieces of this warp, of so many. */
static __device__ inline size_t pieces_of(const struct share &s, size_t whole)
{
    return s.first < whole ? (whole - s.first - 1) / s.step + 1 : 0;
}

/* ROWS: of a slot, 512 bytes each. */
template <int ROWS>
static __global__ void __launch_bounds__(OCCUPANCY_THREADS)
    read(float *sums, const float *x, size_t n)
{
    constexpr unsigned BYTES = ROWS * WARP * sizeof(float4);
    constexpr unsigned PER_PIECE = OCCUPANCY_ROWS / ROWS;
    extern __shared__ __align__(128) float4 shared[];
    __shared__ uint64_t full[OCCUPANCY_WARPS][SLOTS];
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const size_t whole = n / OCCUPANCY_PIECE;
    const uint64_t once = ptx_evict_first();
    const struct share mine = {(const float4 *)x,
                               blockIdx.x * (size_t)OCCUPANCY_WARPS + warp,
                               (size_t)gridDim.x * OCCUPANCY_WARPS, ROWS};
    float4 *ring = shared + warp * SLOTS * ROWS * WARP;
    const size_t slots = pieces_of(mine, whole) * PER_PIECE;
    float sum = 0;

    TRACE_OPEN(ADDER, warp, lane == 0);
    if (lane == 0) {
        for (int s = 0; s < SLOTS; s++)
            ptx_mbar_init(&full[warp][s], 1);
        ptx_mbar_init_fence();
        for (size_t t = 0; t < SLOTS && t < slots; t++) {
            TRACE_BEGIN(LOAD, t);
            ptx_mbar_expect(&full[warp][t], BYTES);
            ptx_bulk_load(ring + t * ROWS * WARP, slot_source(mine, t), BYTES,
                          &full[warp][t], once);
        }
    }
    __syncwarp();
    // ANCHOR: inner
    for (size_t t = 0; t < slots; t++) {
        const unsigned s = t % SLOTS;
        float4 *slot = ring + s * ROWS * WARP;

        ptx_mbar_wait(&full[warp][s], t / SLOTS & 1);
        TRACE_END(LOAD, t);
        TRACE_BEGIN(ADD, t);
        for (int r = 0; r < ROWS; r++)
            sum += sum_vector(slot[r * WARP + lane]);
        __syncwarp(); /* all lanes have read the slot */
        TRACE_END(ADD, t);
        if (lane == 0 && t + SLOTS < slots) {
            TRACE_BEGIN(LOAD, t + SLOTS);
            ptx_mbar_expect(&full[warp][s], BYTES);
            ptx_bulk_load(slot, slot_source(mine, t + SLOTS), BYTES,
                          &full[warp][s], once);
        }
        if (t % PER_PIECE == PER_PIECE - 1) {
            const size_t piece = mine.first + t / PER_PIECE * mine.step;

            sums[piece * WARP + lane] = sum;
            sum = 0;
        }
    }
    // ANCHOR_END: inner
    if (n % OCCUPANCY_PIECE && whole % mine.step == mine.first)
        sums[whole * WARP + lane] = read_rest(x, whole, n);
    TRACE_CLOSE();
}

template <int ROWS>
static int launch(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf)
{
    const int bytes =
        OCCUPANCY_WARPS * SLOTS * ROWS * WARP * (int)sizeof(float4);
    const int rc = cudaFuncSetAttribute(
        read<ROWS>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);

    if (rc)
        return rc;
    read<ROWS>
        <<<env->sms, OCCUPANCY_THREADS, bytes, (cudaStream_t)env->stream>>>(
            (float *)buf[0], (const float *)buf[1], (size_t)kernel_num(c, "n"));
    return cudaGetLastError();
}

extern "C" int occupancy_bulk(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    switch (kernel_num(c, "unroll")) {
    case 4:
        return launch<1>(c, env, buf);
    case 8:
        return launch<2>(c, env, buf);
    case 16:
        return launch<4>(c, env, buf);
    case 32:
        return launch<8>(c, env, buf);
    case 64:
        return launch<16>(c, env, buf);
    default:
        return cudaErrorInvalidValue;
    }
}
