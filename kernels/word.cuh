/*
 * kernels/word.cuh - 64-bit words by which blocks tell each other results.
 *
 * A word is written at once or not at all. If it holds a value and a tag, a
 * block that reads the expected tag has the value too: no fence and no
 * separate flag are needed. The accesses are relaxed, so they order nothing
 * else; they are of scope gpu, so every SM sees them through the L2.
 */
#ifndef KERNELS_WORD_CUH
#define KERNELS_WORD_CUH

#include <stdint.h>

#define WORD_FN static __device__ __forceinline__

WORD_FN uint64_t word_load(const uint64_t *word)
{
    uint64_t v;

    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                 : "=l"(v)
                 : "l"(word)
                 : "memory");
    return v;
}

WORD_FN void word_store(uint64_t *word, uint64_t v)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(v)
                 : "memory");
}

/* Two words in a row, each of them whole. */
WORD_FN void word_load_two(const uint64_t *words, uint64_t (&v)[2])
{
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(v[0]), "=l"(v[1])
                 : "l"(words)
                 : "memory");
}

/* The same with words of 32 bits. */
WORD_FN void word_load_four(const uint32_t *words, uint32_t (&v)[4])
{
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "l"(words)
                 : "memory");
}

WORD_FN void word_store_half(uint32_t *word, uint32_t v)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(v)
                 : "memory");
}

/* The word of a float, in the high half, and a tag, in the low half. */
WORD_FN uint64_t word_of(float value, unsigned tag)
{
    return (uint64_t)__float_as_uint(value) << 32 | tag;
}

WORD_FN float word_value(uint64_t v)
{
    return __uint_as_float((unsigned)(v >> 32));
}

#endif
