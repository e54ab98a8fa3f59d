/*
 * decode/abreast - the blocks of a row read one place, not sixteen.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * In decode/last each block has 512 keys that follow each other. So 264 blocks
 * read 264 places of the keys and as many of the values, 16 KB at each, and
 * every place is come back to eight times. A DRAM page is opened for a few
 * bursts, closed for those of another place, and opened again.
 *
 * Here the sixteen blocks of a row, which start together, deal its tiles out
 * among themselves. They read 256 KB that lie together, and move on together.
 * So memory sees 33 places in place of 528. stream/tile and gemv/resident walk
 * like this, too, and read at 4.5 TB/s and more. Nothing else changes: as many
 * blocks, copies and parts. A row that ends with a short piece is shared out
 * evenly, besides.
 *
 * Predicts: memory is the limit. 1.01 to 1.06 times the bandwidth of
 * decode/last with 32 sequences of 8192 keys. If it is no faster, DRAM pages
 * are not what keeps us from cuDNN.
 */
#include "kernels/decode/abreast.cuh"

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 2)
    abreast(struct attention a, pieces p)
{
    extern __shared__ __align__(128) char raw[];
    const struct row r = row_of(a, blockIdx.y, ROWS);
    const int keys = a.where[r.sequence], parts = splits_of(keys);

    if ((int)blockIdx.x >= parts)
        return;
    finish_piece(
        a, r, attend_abreast<ROWS>(raw, a, r, keys, blockIdx.x, parts, [] {}),
        p);
}

template <int ROWS>
static int start(const attention &a, void *scratch, cudaStream_t to)
{
    const dim3 grid(splits_of(a.l), a.b * a.kv * blocks_of_group(a, ROWS));
    const int error = with_room(abreast<ROWS>, SHARED);

    if (error)
        return error;
    abreast<ROWS>
        <<<grid, THREADS, SHARED, to>>>(a, pieces_at<ROWS>(a, scratch));
    return cudaGetLastError();
}

extern "C" size_t decode_abreast_scratch(const struct kernel_case *c,
                                         const struct kernel_env *)
{
    return pieces_scratch(c);
}

extern "C" int decode_abreast(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    const struct attention a = attention_of(c, buf);

    return few_heads(a)
               ? start<8>(a, buf[DECODE_SCRATCH], (cudaStream_t)env->stream)
               : start<16>(a, buf[DECODE_SCRATCH], (cudaStream_t)env->stream);
}
