/*
 * ceilings/width_shared - wgmma by its width, both operands in shared memory.
 *
 * An instruction m64nNk16 multiplies 64 rows of A by N columns of B, 32 bytes
 * along k of each. The tensor cores of an SM take N/2 cycles for it, in bf16
 * and in FP8, which has twice as many elements in 32 bytes. It reads 2048 bytes
 * of A and 32 N of B from shared memory, which delivers 128 a cycle:
 *
 *     16 + N/4 cycles of shared memory, N/2 of the tensor cores
 *
 * At N = 64 both are 32 cycles. Below, the tensor cores wait for shared memory.
 * They are busy for so many of all cycles:
 *
 *     N                     8     16     32     64    128    256
 *     share of all cycles  22 %   40 %   67 %  100 %  100 %  100 %
 *
 * Energy tells more, since a byte costs joules even where nothing waits for it.
 * In bf16 an instruction does 2048 N FLOP, so a FLOP takes 1/64 of a byte of B,
 * whatever N is. Of A it takes 1/N of a byte: an eighth of a byte at N = 8, as
 * much as of B at N = 64, and a quarter of that at N = 256. A wide instruction
 * saves only on A.
 *
 * Predicts: the shares of the table, compared with N = 256. At N = 64, where
 * both units have to be busy all the time, it is 90 % at least. Under load N =
 * 64 has 86 to 98 % of the throughput of N = 256 in bf16, for its bytes of A.
 */
#include "kernels/ceilings/width.cuh"

template <class FORMAT, int N>
static __global__ void __launch_bounds__(WGMMA_GROUP, WIDTH_PER_SM)
    both_shared(struct width p)
{
    extern __shared__ char raw[];
    char *const b = width_aligned(raw), *const a = b + N * WIDTH_ROW;
    uint64_t pieces[WIDTH_PIECES];
    float d[N / 2];

    width_place<WIDTH_HIGH>(a, width_tile(p.a, WIDTH_HIGH));
    width_place<N>(b, width_tile(p.b, N));
    ptx_fence_async();
    __syncthreads();
#pragma unroll
    for (int j = 0; j < WIDTH_PIECES; j++)
        pieces[j] = wgmma_along(wgmma_tile(a), j);
    width_multiply<FORMAT>(d, pieces, wgmma_tile(b), p);
    width_put(p.d, d);
}

template <class FORMAT, int N> struct width_from_shared {
    static int launch(const struct width &p, unsigned blocks, cudaStream_t s)
    {
        const size_t bytes = (WIDTH_HIGH + N) * WIDTH_ROW + WIDTH_ALIGN;

        both_shared<FORMAT, N><<<blocks, WGMMA_GROUP, bytes, s>>>(p);
        return cudaGetLastError();
    }
};

extern "C" int ceiling_width_shared(const struct kernel_case *c,
                                    const struct kernel_env *env,
                                    void *const *buf, void *)
{
    return width_launch<width_from_shared>(c, env, buf);
}
