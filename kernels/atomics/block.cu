/*
 * atomics/block - each block adds in shared memory first.
 *
 * A block keeps all places in its own shared memory, adds there, and sends each
 * sum to the L2 once. Shared memory has an integer addition. For floats it has
 * only compare-and-swap, so the compiler emits a loop that tries again when
 * another lane came first.
 *
 * Predicted before any run: the fastest for integers wherever the places fit;
 * for floats on one place the slowest of all.
 */
#include "kernels/atomics/atomics.cuh"

template <class T>
static __global__ void __launch_bounds__(ATOMICS_THREADS)
    add(T *sums, const void *x, struct atomics_shape s)
{
    extern __shared__ unsigned char bytes[];
    T *mine = (T *)bytes;

    for (unsigned p = threadIdx.x; p < s.places; p += ATOMICS_THREADS)
        mine[p] = 0;
    __syncthreads();
    // ANCHOR: inner
    atomics_walk<T>(x, s, [&](unsigned place, T value) {
        atomicAdd_block(&mine[place], value);
    });
    __syncthreads();
    for (unsigned p = threadIdx.x; p < s.places; p += ATOMICS_THREADS)
        if (mine[p] != 0)
            atomics_red(&sums[p * s.gap], mine[p]);
    // ANCHOR_END: inner
}

extern "C" int atomics_block(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const size_t bytes = (size_t)kernel_num(c, "m") * sizeof(int);

    return c->dtype == KERNEL_I32
               ? atomics_start(add<int>, c, env, buf, bytes)
               : atomics_start(add<float>, c, env, buf, bytes);
}
