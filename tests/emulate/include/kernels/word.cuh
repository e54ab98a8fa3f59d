/*
 * tests/emulate/include/kernels/word.cuh - the words of kernels/word.cuh, for
 * tests/emulate/machine.h. That header describes them.
 */
#ifndef KERNELS_WORD_CUH
#define KERNELS_WORD_CUH

#include "kernels/ptx.cuh"

#define WORD_FN static inline

WORD_FN uint64_t word_load(const uint64_t *word)
{
	return *(const volatile uint64_t *)word;
}
WORD_FN void word_store(uint64_t *word, uint64_t v)
{
	*(volatile uint64_t *)word = v;
}
WORD_FN void word_load_two(const uint64_t *words, uint64_t (&v)[2])
{
	v[0] = word_load(words);
	v[1] = word_load(words + 1);
}
WORD_FN void word_load_four(const uint32_t *words, uint32_t (&v)[4])
{
	for (int i = 0; i < 4; i++)
		v[i] = ((const volatile uint32_t *)words)[i];
}
WORD_FN void word_store_half(uint32_t *word, uint32_t v)
{
	*(volatile uint32_t *)word = v;
}

#endif
