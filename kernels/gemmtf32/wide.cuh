/*
 * kernels/gemmtf32/wide.cuh - kernels/gemm16/wide.cuh with the products of
 * tf32: a slot has half as many steps of k.
 */
#ifndef KERNELS_GEMMTF32_WIDE_CUH
#define KERNELS_GEMMTF32_WIDE_CUH

#include "kernels/gemmtf32/product.cuh"

#define WIDE_PRODUCT wgmma_tf32
#define WIDE_PRODUCT_DEEP WGMMA_TF32_DEEP
#include "kernels/gemm16/wide.cuh"

#endif
