/*
 * histogram/tensor - a histogram is a matrix product.
 *
 * Write a key as two digits of four bits, and let H be the matrix with a row
 * for each upper digit and a column for each key, 1 where the key has that
 * digit; L the same for lower digits. Then H times L transposed has in row h,
 * column l the number of keys 16 h + l: all 256 bins, in registers, with
 * no address in it that depends on a key. Tensor cores multiply matrices of
 * bits: the product of two is an AND, the sum a count of bits, 256 keys
 * and 16 × 8 bins in an instruction.
 *
 * The work is in the matrices. A lane takes 32 keys, turns their bits into
 * eight *planes* (plane p holds bit p of all 32), and makes of three planes
 * the eight words that say which keys have which value in these bits. The lane
 * of the product that needs a word finds it in shared memory; the fourth bit
 * of the digit decides between two rows, and is applied there.
 *
 * By count: about three integer operations a key, of which an SM does 64 a
 * cycle, are more than memory asks for, but not by much; and it is the same
 * count for all keys.
 */
#include "kernels/histogram/histogram.cuh"

enum {
    THREADS = 256,
    WARPS = THREADS / WARP,
    BLOCKS_PER_SM = 8,
    BINS = HISTOGRAM_BYTE_BINS,
    DIGITS = 16,
    PLANES = 8,              /* bits of a key, and words of 32 keys of a lane */
    WARP_VECTORS = 2 * WARP, /* of a tile of 1024 keys */
    STEPS = 4,               /* products of a tile, 8 lanes' keys each */
};

/* What the lanes of a warp write for each other about their keys. */
struct words {
    unsigned upper[WARP][8]; /* by bits 4 to 6, see place() */
    unsigned lower[WARP][8]; /* by bits 0 to 2 */
    uint2 top[WARP];         /* bit 7, bit 3 */
};

/* Swaps bits b + S of `a` with bits b of `b`, where MASK has bits b. */
template <int S, unsigned MASK>
HISTOGRAM_FN void swap_bits(unsigned *a, unsigned *b)
{
    const unsigned low = (*a & MASK) | (*b << S & ~MASK);

    *b = (*a >> S & MASK) | (*b & ~MASK);
    *a = low;
}

/* Turns eight words of four keys each into eight planes: bit p of each of the
 * 32 keys goes to word p. */
HISTOGRAM_FN void make_planes(unsigned w[PLANES])
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        swap_bits<4, 0x0f0f0f0f>(&w[i], &w[i + 4]);
#pragma unroll
    for (int i = 0; i < 8; i += i % 4 == 0 ? 1 : 3) /* 0, 1, 4, 5 */
        swap_bits<2, 0x33333333>(&w[i], &w[i + 2]);
#pragma unroll
    for (int i = 0; i < 8; i += 2)
        swap_bits<1, 0x55555555>(&w[i], &w[i + 1]);
}

/* Where row `of` holds the word of value v. Every second group of four rows has
   its halves swapped, so that a warp's accesses use all banks alike. */
HISTOGRAM_FN unsigned place(unsigned of, unsigned v)
{
    return v ^ (of & 4);
}

/* Three planes give each key a value from 0 to 7. Writes to row `of`, for each
 * value, the word that says which keys have it. */
HISTOGRAM_FN void tell(unsigned row[8], unsigned of, unsigned p0, unsigned p1,
                       unsigned p2)
{
    unsigned has[8];

#pragma unroll
    for (int v = 0; v < 8; v++)
        has[v] = (v & 1 ? p0 : ~p0) & (v & 2 ? p1 : ~p1) & (v & 4 ? p2 : ~p2);
    *(uint4 *)&row[place(of, 0)] = make_uint4(has[0], has[1], has[2], has[3]);
    *(uint4 *)&row[place(of, 4)] = make_uint4(has[4], has[5], has[6], has[7]);
}

/*
 * d += a b for a 16×256 of a and a 256×8 of b, single bits [PTX ISA, warp
 * level matrix instructions, m16n8k256]. Lane 4g + t holds, 32 bits a word:
 *   a[0] row g,   word t of k    a[1] row g+8, word t
 *   a[2] row g, word t+4         a[3] row g+8, word t+4
 *   b0   column g, word t        b1   column g, word t+4
 *   d[0], d[1] row g, columns 2t and 2t+1;  d[2], d[3] the same in row g+8
 */
HISTOGRAM_FN void multiply(int d[4], const unsigned a[4], unsigned b0,
                           unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc"
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9},"
                 " {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0),
                   "r"(b1));
}

// ANCHOR: inner
/* Counts a tile of 1024 keys, 32 of them in this lane's `w`. */
static __device__ void count_tile(struct words *s, unsigned w[PLANES],
                                  int d[2][4])
{
    const unsigned lane = threadIdx.x % WARP;
    const unsigned g = lane / 4, t = lane % 4;

    make_planes(w);
    __syncwarp(); /* the tile before has been read */
    tell(s->lower[lane], lane, w[0], w[1], w[2]);
    tell(s->upper[lane], lane, w[4], w[5], w[6]);
    s->top[lane] = make_uint2(w[7], w[3]);
    __syncwarp();
#pragma unroll
    for (int step = 0; step < STEPS; step++) {
        const unsigned k0 = step * 8 + t, k1 = k0 + 4; /* whose keys */
        const unsigned h0 = s->upper[k0][place(0, g)];
        const unsigned h1 = s->upper[k1][place(4, g)];
        const unsigned l0 = s->lower[k0][place(0, g)];
        const unsigned l1 = s->lower[k1][place(4, g)];
        const uint2 top0 = s->top[k0], top1 = s->top[k1];
        const unsigned a[4] = {h0 & ~top0.x, h0 & top0.x, h1 & ~top1.x,
                               h1 & top1.x};

        multiply(d[0], a, l0 & ~top0.y, l1 & ~top1.y); /* lower digit < 8 */
        multiply(d[1], a, l0 & top0.y, l1 & top1.y);
    }
}
// ANCHOR_END: inner

/* This lane's part of the product, to the block's bins. */
static __device__ void add_product(unsigned *bin, const int d[2][4])
{
    const unsigned lane = threadIdx.x % WARP;

    for (int i = 0; i < 8; i++) {
        const unsigned upper = lane / 4 + i % 4 / 2 * 8;
        const unsigned lower = lane % 4 * 2 + i % 2 + i / 4 * 8;

        atomicAdd(&bin[upper * DIGITS + lower], (unsigned)d[i / 4][i % 4]);
    }
}

static __global__ void __launch_bounds__(THREADS)
    count(unsigned *counts, const uint8_t *keys, size_t n)
{
    __shared__ struct words words[WARPS];
    __shared__ unsigned bin[BINS];
    const unsigned warp = threadIdx.x / WARP;
    const uint4 *v = (const uint4 *)keys + threadIdx.x % WARP;
    const size_t tiles = n / (WARP_VECTORS * 16);
    const size_t step = (size_t)gridDim.x * WARPS;
    const uint64_t once = ptx_evict_first();
    int d[2][4] = {};

    histogram_clear<THREADS>(bin, BINS);
    __syncthreads();
    for (size_t at = (size_t)blockIdx.x * WARPS + warp; at < tiles;
         at += step) {
        const uint4 *from = v + at * WARP_VECTORS;
        const uint4 x = histogram_load(from, once);
        const uint4 y = histogram_load(from + WARP, once);
        unsigned w[PLANES] = {x.x, x.y, x.z, x.w, y.x, y.y, y.z, y.w};

        count_tile(&words[warp], w, d);
    }
    add_product(bin, d);
    if (blockIdx.x == 0) /* what is less than a tile */
        for (size_t i = tiles * WARP_VECTORS * 16 + threadIdx.x; i < n;
             i += THREADS)
            atomicAdd(&bin[keys[i]], 1u);
    __syncthreads();
    histogram_flush<THREADS>(counts, bin, BINS);
}

extern "C" int histogram_tensor(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    const unsigned grid = histogram_grid(c, env, THREADS, BLOCKS_PER_SM, 2);
    const cudaError_t err = histogram_zero(c, env, buf[0]);

    if (err != cudaSuccess)
        return err;
    count<<<grid, THREADS, 0, (cudaStream_t)env->stream>>>(
        (unsigned *)buf[0], (const uint8_t *)buf[1],
        (size_t)kernel_num(c, "n"));
    return cudaGetLastError();
}
