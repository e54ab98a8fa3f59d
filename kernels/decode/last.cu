/*
 * decode/last - the block that is done last joins the pieces.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * decode/stages ends with a second kernel. It waits until all blocks of the
 * first have ended, and takes 2 to 3 microseconds, in which memory is idle.
 * Here each row has a counter. A block that has left its sums counts itself,
 * and who counts last joins all pieces of the row, while other rows go on.
 *
 * Predicts: memory is the limit for long rows, and latency for short ones. A
 * fifth less time than decode/stages for one sequence of 8192 keys, and no
 * difference that shows with 32.
 */
#include "kernels/decode/pieces.cuh"
#include "kernels/decode/stages.cuh"

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 2)
    last(struct attention a, pieces p)
{
    extern __shared__ __align__(128) char raw[];
    const struct row r = row_of(a, blockIdx.y, ROWS);
    const int first = blockIdx.x * SPAN, keys = a.where[r.sequence];

    if (first >= keys)
        return;
    finish_piece(a, r, attend<ROWS>(raw, a, r, first, min(first + SPAN, keys)),
                 p);
}

template <int ROWS>
static int start(const attention &a, void *scratch, cudaStream_t to)
{
    const dim3 grid(splits_of(a.l), a.b * a.kv * blocks_of_group(a, ROWS));
    const int error = with_room(last<ROWS>, SHARED);

    if (error)
        return error;
    last<ROWS><<<grid, THREADS, SHARED, to>>>(a, pieces_at<ROWS>(a, scratch));
    return cudaGetLastError();
}

extern "C" size_t decode_last_scratch(const struct kernel_case *c,
                                      const struct kernel_env *)
{
    return pieces_scratch(c);
}

extern "C" int decode_last(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *)
{
    const struct attention a = attention_of(c, buf);

    return few_heads(a)
               ? start<8>(a, buf[DECODE_SCRATCH], (cudaStream_t)env->stream)
               : start<16>(a, buf[DECODE_SCRATCH], (cudaStream_t)env->stream);
}
