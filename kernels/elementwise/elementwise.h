/*
 * kernels/elementwise/elementwise.h - what all variants of `elementwise`
 * agree on. y, x, gate and up are rows × cols of bf16; a bias has one value
 * for each column. Buffers:
 *   op=bias_gelu, bias_gelu_tanh,
 *      bias_gelu_dropout               0: y (out)  1: x     2: bias
 *   op=swiglu                          0: y (out)  1: gate  2: up
 */
#ifndef KERNELS_ELEMENTWISE_ELEMENTWISE_H
#define KERNELS_ELEMENTWISE_ELEMENTWISE_H

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __CUDACC__
#define ELEMENTWISE_FN static __host__ __device__ inline
#else
#define ELEMENTWISE_FN static inline
#endif

enum elementwise_op {
    ELEMENTWISE_GELU,      /* gelu(x + bias), gelu(v) = v Φ(v), with erf */
    ELEMENTWISE_GELU_TANH, /* the same with tanh for erf: tanh form of GELU */
    ELEMENTWISE_SWIGLU,    /* gate / (1 + exp(-gate)) * up */
    ELEMENTWISE_DROPOUT,   /* gelu(x + bias), a tenth of it thrown away */
};

/* The op of a case. */
enum elementwise_op elementwise_op_of(const struct kernel_case *c);

/* The factors of the tanh form (Hendrycks and Gimpel, arXiv 1606.08415):
 * gelu(v) ≈ v/2 (1 + tanh(ELEMENTWISE_TANH (v + ELEMENTWISE_CUBE v^3))). */
#define ELEMENTWISE_TANH 0.7978845608028654 /* sqrt(2/π) */
#define ELEMENTWISE_CUBE 0.044715

/* Dropout throws away one element in ten, and scales up what it keeps. */
#define ELEMENTWISE_DROP 6554u /* of 2^16 */
#define ELEMENTWISE_KEPT (10.0f / 9)

/*
 * 32 random bits for elements 2 pair and 2 pair + 1. The mask is a function of
 * the index and a seed, so it is never stored: the backward pass computes it
 * again. The hash is the finaliser of MurmurHash3 (Appleby, public domain) over
 * a Weyl step.
 */
ELEMENTWISE_FN uint32_t elementwise_bits(uint32_t pair)
{
    uint32_t h = pair * 0x9e3779b9u + 0x7f4a7c15u;

    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    return h ^ (h >> 16);
}

/* Is element i kept? Sixteen bits of its pair's decide. */
ELEMENTWISE_FN bool elementwise_keeps(uint32_t i)
{
    const uint32_t bits = elementwise_bits(i / 2);

    return (i % 2 ? bits >> 16 : bits & 0xffff) >= ELEMENTWISE_DROP;
}

#ifdef __cplusplus
}
#endif
#endif
