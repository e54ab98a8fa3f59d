/*
 * kernels/atomics/atomics.cuh - the walk that all kernels of the family share,
 * and how they are started. Atomics are written as assembly, so that the
 * compiler neither drops an unused result nor adds up the lanes first.
 */
#ifndef KERNELS_ATOMICS_ATOMICS_CUH
#define KERNELS_ATOMICS_ATOMICS_CUH

#include "kernels/atomics/atomics.h"
#include "kernels/warp.h"

#define ATOMICS_FN static __device__ __forceinline__

enum { ATOMICS_THREADS = 256 };

/* Element i of the input, as the type that is added. */
ATOMICS_FN void atomics_read(const void *x, size_t i, int *value)
{
    *value = ((const int *)x)[i];
}

ATOMICS_FN void atomics_read(const void *x, size_t i, float *value)
{
    *value = __uint_as_float((unsigned)((const uint16_t *)x)[i] << 16);
}

/*
 * Calls add(place, value) for each addition of this thread; all lanes of a
 * warp that have an element call it together.
 */
template <class T, class Add>
ATOMICS_FN void atomics_walk(const void *x, struct atomics_shape s, Add add)
{
    const size_t i = (size_t)blockIdx.x * ATOMICS_THREADS + threadIdx.x;

    if (i >= s.elements)
        return;
    T value;
    atomics_read(x, i, &value);
    const unsigned stride = (unsigned)(s.elements % s.places);
    unsigned place = (unsigned)(i % s.places);

#pragma unroll 8
    for (size_t j = i; j < s.n; j += s.elements) {
        add(place, value);
        place += stride;
        if (place >= s.places)
            place -= (unsigned)s.places;
    }
}

/* Clears the sums and starts `kernel` with a thread for each element. */
template <class T>
static int
atomics_start(void (*kernel)(T *, const void *, struct atomics_shape),
              const struct kernel_case *c, const struct kernel_env *env,
              void *const *buf, size_t shared_bytes)
{
    const struct atomics_shape s = atomics_shape(c);
    const size_t blocks = atomics_pieces(s.elements, ATOMICS_THREADS);
    const cudaStream_t stream = (cudaStream_t)env->stream;
    const cudaError_t err =
        cudaMemsetAsync(buf[0], 0, s.places * s.gap * sizeof(T), stream);

    if (err != cudaSuccess)
        return err;
    kernel<<<(unsigned)blocks, ATOMICS_THREADS, shared_bytes, stream>>>(
        (T *)buf[0], buf[1], s);
    return cudaGetLastError();
}

/* Adds to global memory, without asking for the old value. */
ATOMICS_FN void atomics_red(int *at, int value)
{
    asm volatile("red.relaxed.gpu.global.add.s32 [%0], %1;" ::"l"(
                     __cvta_generic_to_global(at)),
                 "r"(value)
                 : "memory");
}

ATOMICS_FN void atomics_red(float *at, float value)
{
    asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(
                     __cvta_generic_to_global(at)),
                 "f"(value)
                 : "memory");
}

#endif
