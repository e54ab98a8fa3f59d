/*
 * runner/base/rng.h - the runner's random numbers: SplitMix64 (Steele, Lea and
 * Flood, OOPSLA 2014, doi 10.1145/2660193.2660195). The plan gives the seed, so a
 * run's order and inputs can be drawn again from its record.
 */
#ifndef RUNNER_BASE_RNG_H
#define RUNNER_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t rng_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* A number in [0, n), n ≥ 1. The bias is below 2^-32 for every n used here. */
static inline size_t rng_below(uint64_t *state, size_t n)
{
	return (size_t)(((unsigned __int128)rng_next(state) * n) >> 64);
}

/* A factor around 1 with this standard deviation: a sum of four uniform numbers is nearly normal.
 */
static inline double rng_around_one(uint64_t *state, double sd)
{
	const double root3 = 1.7320508075688772;
	double sum = 0;
	for (int i = 0; i < 4; i++)
		sum += (double)(rng_next(state) >> 11) * 0x1p-53 - 0.5;
	return 1 + sd * sum * root3;
}

/* An independent seed for purpose `a`, number `b`. It has 53 bits, which JSON keeps exactly. */
static inline uint64_t rng_derive(uint64_t seed, uint64_t a, uint64_t b)
{
	uint64_t s = seed ^ (a * 0xd1b54a32d192ed03u) ^ (b * 0x8cb92ba72f3d8dd7u);
	rng_next(&s);
	return rng_next(&s) >> 11;
}

#endif
