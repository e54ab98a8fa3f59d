/*
 * decode/bytes_token - decode/bytes_march with a scale for each key and each
 * value.
 *
 * o = softmax(scale q K') V for each head of each sequence; K and V are e4m3,
 * times a float for each of their rows.
 *
 * A key's scale is the same for all products of its score, so the score is
 * multiplied by it. A value's scale would have to be applied to 128 elements,
 * so its weight is multiplied by it, before it becomes f16; sums of weights
 * take the weight as it was. A lane has four keys that are neighbours, and
 * their eight floats in two reads of shared memory.
 *
 * A tile has 1 KB of scales for its 32 KB, and a copy more. A warp has sixteen
 * multiplications more for its 32 keys of eight heads, where it has over 500
 * instructions.
 *
 * Predicts: memory stays the limit, and time grows as bytes do: 1.01 to 1.05
 * times that of decode/bytes_march with 32 sequences of 8192 keys.
 */
#define DECODE_BYTES
#define DECODE_SCALED 1 /* keys that have a pair of scales in common */

#include "kernels/decode/scaled.cuh"

template <int ROWS>
static __global__ void __launch_bounds__(ALL, 1)
    bytes_token(struct scaled a, cut c, common to)
{
    extern __shared__ __align__(128) char raw[];

    ptx_next_kernel_may_start();
    draw_pieces<ROWS, true, true>(raw, a, c, to);
}

extern "C" size_t decode_bytes_token_scratch(const struct kernel_case *c,
                                             const struct kernel_env *env)
{
    return common_bytes(c, env);
}

extern "C" int decode_bytes_token(const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void *)
{
    const scaled a = scaled_of(c, buf);
    void *const scratch = buf[DECODE_SCALED_SCRATCH];

    return few_heads(a) ? start_scaled<8>(bytes_token<8>, a, env, scratch)
                        : start_scaled<16>(bytes_token<16>, a, env, scratch);
}
