/*
 * scan/chained - one pass; each block waits for the one before.
 *
 * Three movements of memory become two if a tile is still in registers when the
 * sum of all before it arrives. So a block loads its tile, scans it, and waits
 * for the prefix of the tile before. It publishes that prefix plus its own sum,
 * adds, and stores (StreamScan, Yan, Long and Zhang, PPoPP 2013, doi
 * 10.1145/2442516.2442539, is the idea).
 *
 * Loading and scanning overlap among blocks, but the sums go from block to
 * block in single file, and each hand-over is a write to L2 and a read from
 * there: the better part of a microsecond, in which the memory could have
 * moved several megabytes.
 *
 * Predicted before any run: under 5 %. 4096 elements per hop of 0.8 us are
 * 41 GB/s, however wide the machine is.
 */
#include "kernels/scan/chain.cuh"

// ANCHOR: inner
static __global__ void scan_chained(float *y, const float *x, size_t n,
                                    struct chain *c)
{
    __shared__ float shared_before;
    const struct chain_turn turn = chain_draw(c);
    chain_share s;

    chain_load(s, x, n, turn.tile);
    if (threadIdx.x == 0) {
        const float before =
            turn.tile ? chain_wait(&c->word[turn.tile - 1], turn.tag).sum : 0;

        scan_put(&c->word[turn.tile], turn.tag | CHAIN_PREFIX, before + s.all);
        shared_before = before;
    }
    __syncthreads();
    chain_store(y, s, shared_before);
}
// ANCHOR_END: inner

extern "C" size_t scan_chained_scratch(const struct kernel_case *c,
                                       const struct kernel_env *)
{
    return chain_scratch(c);
}

extern "C" int scan_chained(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    scan_chained<<<chain_blocks(c), CHAIN_THREADS, 0,
                   (cudaStream_t)env->stream>>>(
        (float *)buf[0], (const float *)buf[1], scan_length(c),
        (struct chain *)buf[2]);
    return cudaGetLastError();
}
