/*
 * ceilings/width_registers - wgmma by its width, with A in registers.
 *
 * It is ceilings/width_shared with threads that hold A: four registers each for
 * an instruction, sixteen for the four pieces. They load them once.
 *
 * From shared memory comes B alone, 32 N bytes in N/4 cycles. The tensor cores
 * take twice as long, whatever N is, so no width is too small for shared
 * memory. But a narrow instruction leaves little time to start the next one: N
 * = 8 takes the tensor cores 4 cycles. In these they need 512 bytes of each
 * warp's registers, and the warp needs the descriptor of the next piece of B.
 *
 * The 2 KB of A now come from registers, at every instruction. These are nearer
 * to the tensor cores than shared memory is. If a byte costs less energy from
 * there, so does a FLOP, and a narrow instruction gains most.
 *
 * Predicts: from N = 32 on 95 % of the FLOP a cycle of N = 256; A from shared
 * memory allows two thirds at N = 32. Under load N = 128 in bf16 has 1.005 to
 * 1.06 times the throughput that it has with A from shared memory.
 */
#include "kernels/ceilings/width.cuh"

template <class FORMAT, int N>
static __global__ void __launch_bounds__(WGMMA_GROUP, WIDTH_PER_SM)
    left_held(struct width p)
{
    extern __shared__ char raw[];
    char *const b = width_aligned(raw);
    uint32_t pieces[WIDTH_PIECES][4];
    float d[N / 2];

    width_place<N>(b, width_tile(p.b, N));
    ptx_fence_async();
    __syncthreads();
    width_hold(pieces, width_tile(p.a, WIDTH_HIGH));
    width_multiply<FORMAT>(d, pieces, wgmma_tile(b), p);
    width_put(p.d, d);
}

template <class FORMAT, int N> struct width_from_registers {
    static int launch(const struct width &p, unsigned blocks, cudaStream_t s)
    {
        const size_t bytes = N * WIDTH_ROW + WIDTH_ALIGN;

        left_held<FORMAT, N><<<blocks, WGMMA_GROUP, bytes, s>>>(p);
        return cudaGetLastError();
    }
};

extern "C" int ceiling_width_registers(const struct kernel_case *c,
                                       const struct kernel_env *env,
                                       void *const *buf, void *)
{
    return width_launch<width_from_registers>(c, env, buf);
}
