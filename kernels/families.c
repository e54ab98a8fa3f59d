/*
 * kernels/families.c - the table of families.
 *
 * How to add a family: kernels/kernel.h says it in four steps; the row is
 * the third.
 */
#include "kernels/kernel.h"

extern const struct kernel_family stream_family;
extern const struct kernel_family mix_family;
extern const struct kernel_family occupancy_family;
extern const struct kernel_family sectors_family;
extern const struct kernel_family transpose_family;
extern const struct kernel_family reduce_family;
extern const struct kernel_family scan_family;
extern const struct kernel_family gemv_family;
extern const struct kernel_family gemm32_family;
extern const struct kernel_family gemmtf32_family;
extern const struct kernel_family gemm16_family;
extern const struct kernel_family gemm8_family;
extern const struct kernel_family epilogue_family;
extern const struct kernel_family splitk_family;
extern const struct kernel_family grouped_family;
extern const struct kernel_family prefill_family;
extern const struct kernel_family decode_family;
extern const struct kernel_family mla_family;
extern const struct kernel_family verify_family;
extern const struct kernel_family step_family;
extern const struct kernel_family elementwise_family;
extern const struct kernel_family quantize_family;
extern const struct kernel_family softmax_family;
extern const struct kernel_family norm_family;
extern const struct kernel_family histogram_family;
extern const struct kernel_family atomics_family;
extern const struct kernel_family launch_family;
extern const struct kernel_family coop_family;
extern const struct kernel_family allreduce_family;
extern const struct kernel_family allnorm_family;
extern const struct kernel_family exchange_family;
extern const struct kernel_family overlap_family;

static const struct kernel_family *const families[] = {
    &stream_family,      &mix_family,      &occupancy_family, &sectors_family,
    &transpose_family,   &reduce_family,   &scan_family,      &gemv_family,
    &gemm32_family,      &gemmtf32_family, &gemm16_family,    &gemm8_family,
    &epilogue_family,    &splitk_family,   &grouped_family,   &prefill_family,
    &decode_family,      &mla_family,      &verify_family,    &step_family,
    &elementwise_family, &quantize_family, &softmax_family,   &norm_family,
    &histogram_family,   &atomics_family,  &launch_family,    &coop_family,
    &allreduce_family,   &allnorm_family,  &exchange_family,  &overlap_family,
};

const struct kernel_family *const *kernel_families(size_t *n)
{
    *n = sizeof families / sizeof families[0];
    return families;
}
