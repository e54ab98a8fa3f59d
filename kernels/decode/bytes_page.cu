/*
 * decode/bytes_page - decode/bytes_march with a scale for the keys of each page
 * of 64, and one for their values.
 *
 * o = softmax(scale q K') V for each head of each sequence; K and V are e4m3,
 * times a float for each 64 of their rows.
 *
 * It multiplies scores and weights as decode/bytes_token does. But a tile has
 * two pairs of scales, so 16 bytes come with its 32 KB, and all keys of a lane
 * have the same pair.
 *
 * Predicts: memory stays the limit, and the copy of 16 bytes hides: 0.98 to
 * 1.02 times the time of decode/bytes_march with 32 sequences of 8192 keys.
 */
#define DECODE_BYTES
#define DECODE_SCALED 64 /* keys that have a pair of scales in common */

#include "kernels/decode/scaled.cuh"

template <int ROWS>
static __global__ void __launch_bounds__(ALL, 1)
    bytes_page(struct scaled a, cut c, common to)
{
    extern __shared__ __align__(128) char raw[];

    ptx_next_kernel_may_start();
    draw_pieces<ROWS, true, true>(raw, a, c, to);
}

extern "C" size_t decode_bytes_page_scratch(const struct kernel_case *c,
                                            const struct kernel_env *env)
{
    return common_bytes(c, env);
}

extern "C" int decode_bytes_page(const struct kernel_case *c,
                                 const struct kernel_env *env, void *const *buf,
                                 void *)
{
    const scaled a = scaled_of(c, buf);
    void *const scratch = buf[DECODE_SCALED_SCRATCH];

    return few_heads(a) ? start_scaled<8>(bytes_page<8>, a, env, scratch)
                        : start_scaled<16>(bytes_page<16>, a, env, scratch);
}
