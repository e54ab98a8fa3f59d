/*
 * tests/emulate/include/cuda.h - tensor maps, for tests/emulate/machine.h: of two
 * dimensions, with a swizzle of 128 bytes.
 */
#ifndef TESTS_EMULATE_CUDA_H
#define TESTS_EMULATE_CUDA_H

#include <cstdint>

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

struct alignas(64) CUtensorMap {
	uint64_t opaque[16];
};

enum CUresult { CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE };
enum CUtensorMapDataType {
	CU_TENSOR_MAP_DATA_TYPE_UINT8,
	CU_TENSOR_MAP_DATA_TYPE_UINT16,
	CU_TENSOR_MAP_DATA_TYPE_UINT32,
};
enum CUtensorMapInterleave { CU_TENSOR_MAP_INTERLEAVE_NONE };
enum CUtensorMapSwizzle { CU_TENSOR_MAP_SWIZZLE_128B };
enum CUtensorMapL2promotion { CU_TENSOR_MAP_L2_PROMOTION_L2_256B };
enum CUtensorMapFloatOOBfill { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE };

#endif
