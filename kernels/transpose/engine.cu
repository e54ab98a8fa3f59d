/*
 * transpose/engine - the TMA moves the tiles, the threads only turn them.
 *
 * in is rows×cols, out is cols×rows, both row-major: out[c][r] = in[r][c].
 *
 * In transpose/down every thread computes addresses, holds its bytes in
 * registers while they are in flight, and waits. Here one thread of the block
 * asks the TMA for the whole tile and, when all have turned it, hands the TMA
 * the result. In between no register holds a byte in flight and no thread
 * computes a global address.
 *
 * The TMA knows the matrices (a tensor map holds address, size and pitch), so a
 * tile at the ragged edge needs no code: what lies outside arrives as zeros and
 * is not written.
 *
 * A tile moves in panels 128 bytes wide, P elements: as wide as the TMA's own
 * swizzle allows, which puts the 16-byte chunk j of row i at place j ^ (i mod
 * 8), and takes it from there on the way out. A thread takes a block of V rows
 * by V columns (one chunk wide), turns it as transpose/wide does, and writes V
 * rows of the output panel. Which of the 8×8 blocks in a square of P×P
 * elements should eight neighbouring threads take, so that neither side has a
 * bank conflict? Not a row of blocks (in the output they share a bank group),
 * not a column (in the input they would), but a diagonal: thread j takes chunk
 * j and block row j ^ d, for d = 0 … 7 in turn. The places j ^ (V (j ^ d) +
 * k) mod 8 all differ, for V = 4 as for V = 8, and so do those of the output.
 *
 * A tensor map's pitch is a multiple of 16 bytes. Where the rows of in or out
 * are not, the TMA cannot help and transpose/down does the work.
 *
 * Predicts: no more than transpose/down. That one has enough bytes in flight
 * and enough instructions to spare, so what the TMA saves was not missing.
 */
#include "kernels/transpose/block.cuh"
#include "kernels/kernel.h"
#include "kernels/ptx.cuh"
#include "kernels/tensor_map.cuh"

#include <stdlib.h>

extern "C" int transpose_down(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state);

enum {
    PANEL = TENSOR_MAP_PANEL,
    THREADS = 256,
};

/* The tile for elements of type T: SIDE×SIDE of them, 16 or 32 KB. */
template <typename T> struct shape {
    static const int V = 16 / sizeof(T), P = PANEL / sizeof(T);
    static const int SIDE = 2 * P, BYTES = SIDE * SIDE * sizeof(T);
    static const int BLOCKS = SIDE * SIDE / (V * V); /* of V×V elements */
    static const int SMEM = 2 * BYTES + TENSOR_MAP_ALIGN;
    static_assert(BLOCKS % THREADS == 0, "the same work for all threads");
};

/* Turns the tile at `from` into the tile at `to`. */
template <typename T>
static __device__ __forceinline__ void turn(char *to, const char *from)
{
    // ANCHOR: inner
    constexpr int V = shape<T>::V, P = shape<T>::P, SIDE = shape<T>::SIDE;

#pragma unroll
    for (int n = threadIdx.x; n < shape<T>::BLOCKS; n += THREADS) {
        int square = n / 64, down = square / 2, across = square % 2;
        int j = n % 8, i = j ^ (n / 8 % 8); /* a diagonal of the square */
        const char *source = from + (across * SIDE + down * P) * PANEL;
        char *target = to + (down * SIDE + across * P) * PANEL;
        vec r[V];

#pragma unroll
        for (int k = 0; k < V; k++) {
            int row = V * i + k;

            r[k] = *(const vec *)(source + row * PANEL + (j ^ (row & 7)) * 16);
        }
#pragma unroll
        for (int k = 0; k < V; k++) {
            int row = V * j + k;

            *(vec *)(target + row * PANEL + (i ^ (row & 7)) * 16) =
                block_column<T>(r, k);
        }
    }
    // ANCHOR_END: inner
}

template <typename T>
static __global__ void __launch_bounds__(THREADS)
    engine(const __grid_constant__ CUtensorMap out,
           const __grid_constant__ CUtensorMap in)
{
    extern __shared__ char raw[];
    __shared__ uint64_t landed;
    const int P = shape<T>::P, SIDE = shape<T>::SIDE;
    char *from = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
    char *to = from + shape<T>::BYTES;
    int row = blockIdx.x * SIDE, col = blockIdx.y * SIDE; /* the corner */
    uint64_t once = ptx_evict_first();

    if (threadIdx.x == 0) {
        ptx_mbar_init(&landed, 1);
        ptx_mbar_init_fence();
        ptx_mbar_expect(&landed, shape<T>::BYTES);
        for (int p = 0; p < 2; p++)
            ptx_tile_load(from + p * SIDE * PANEL, &in, col + p * P, row,
                          &landed, once);
    }
    __syncthreads(); /* the barrier is ready for all */
    ptx_mbar_wait(&landed, 0);
    turn<T>(to, from);
    ptx_fence_async();
    __syncthreads(); /* all of `to` is written */
    if (threadIdx.x == 0) {
        for (int p = 0; p < 2; p++)
            ptx_tile_store(&out, row + p * P, col, to + p * SIDE * PANEL, once);
        ptx_bulk_commit();
        ptx_bulk_wait_read<0>(); /* shared memory must live until then */
    }
}

/* The state of launch(): the tensor maps of the two matrices. */
struct maps {
    CUtensorMap in, out;
};

template <typename T>
static const char *prepare(const struct kernel_case *c, void *const *buf,
                           void **state)
{
    int rows = (int)kernel_num(c, "rows"), cols = (int)kernel_num(c, "cols");
    struct maps *m;
    const char *why;

    *state = NULL;
    if (rows % shape<T>::V != 0 || cols % shape<T>::V != 0)
        return NULL; /* no tensor map has such a pitch: left to down */
    if (cudaFuncSetAttribute(engine<T>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             shape<T>::SMEM) != cudaSuccess)
        return "the device has too little shared memory for two tiles";
    m = (struct maps *)aligned_alloc(alignof(struct maps), sizeof *m);
    if (m == NULL)
        abort();
    why = tensor_map_make<T>(&m->in, buf[0], rows, cols, shape<T>::SIDE);
    if (why == NULL)
        why = tensor_map_make<T>(&m->out, buf[1], cols, rows, shape<T>::SIDE);
    if (why != NULL) {
        free(m);
        return why;
    }
    *state = m;
    return NULL;
}

template <typename T>
static int launch(const struct kernel_case *c, const struct kernel_env *env,
                  const struct maps *m)
{
    const int SIDE = shape<T>::SIDE;
    int rows = (int)kernel_num(c, "rows"), cols = (int)kernel_num(c, "cols");
    dim3 grid((rows + SIDE - 1) / SIDE, (cols + SIDE - 1) / SIDE);

    engine<T><<<grid, THREADS, shape<T>::SMEM, (cudaStream_t)env->stream>>>(
        m->out, m->in);
    return cudaGetLastError();
}

extern "C" const char *transpose_engine_prepare(const struct kernel_case *c,
                                                const struct kernel_env *,
                                                void *const *buf, void **state)
{
    return c->dtype == KERNEL_F32 ? prepare<float>(c, buf, state)
                                  : prepare<uint16_t>(c, buf, state);
}

extern "C" int transpose_engine(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *state)
{
    const struct maps *m = (const struct maps *)state;

    if (m == NULL)
        return transpose_down(c, env, buf, NULL);
    return c->dtype == KERNEL_F32 ? launch<float>(c, env, m)
                                  : launch<uint16_t>(c, env, m);
}

extern "C" void transpose_engine_release(void *state)
{
    free(state);
}
