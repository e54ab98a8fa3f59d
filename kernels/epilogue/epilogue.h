/*
 * kernels/epilogue/epilogue.h - what all variants of `epilogue` agree on: the
 * activations, the buffers, and which columns belong together.
 *
 * V = A Bᵀ + bias, with A m x k, B n x k and one bias for each of n columns.
 * C is the activation of V. All are row-major and bf16. Buffers:
 *   act=none                0: a  1: b  2: c (out)           C = A Bᵀ
 *   act=gelu_tanh, gelu_erf,
 *       swiglu              0: a  1: b  2: c (out)  3: bias
 *
 * With SwiGLU half of the columns are gates, the others are what they let
 * through ("up"), and C has n/2 columns. Gates and ups take turns, eight
 * columns each: column 16 q + e is the gate of column 8 q + e of C, for e < 8,
 * and column 16 q + 8 + e its up. Weights are brought into this order once,
 * when a model is loaded. Then whoever has the sums of a gate has those of its
 * up.
 */
#ifndef KERNELS_EPILOGUE_EPILOGUE_H
#define KERNELS_EPILOGUE_EPILOGUE_H

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum epilogue_act {
    EPILOGUE_NONE,
    EPILOGUE_TANH,   /* v/2 (1 + tanh(EPILOGUE_SLOPE (v + ..CUBE v^3))) */
    EPILOGUE_ERF,    /* v Φ(v) = v/2 (1 + erf(v / √2)) */
    EPILOGUE_SWIGLU, /* gate / (1 + exp(-gate)) * up */
};

enum { EPILOGUE_RUN = 8 /* columns of gates in a row, and of ups */ };

/* The tanh form of GELU (Hendrycks and Gimpel, arXiv 1606.08415). */
#define EPILOGUE_SLOPE 0.7978845608028654 /* sqrt(2/π) */
#define EPILOGUE_CUBE 0.044715

/* The activation of a case, and the columns of its C. */
enum epilogue_act epilogue_act_of(const struct kernel_case *c);
int64_t epilogue_columns(const struct kernel_case *c);

#ifdef __cplusplus
}
#endif
#endif
