/*
 * kernels/tensor_map.cuh - describes a matrix to the TMA.
 *
 * A tensor map holds address, size, pitch and the shape of a tile. The host
 * makes it, once per buffer; a kernel takes it as a parameter declared
 * `const __grid_constant__ CUtensorMap` and names it to ptx_tile_load() and
 * ptx_tile_store(). The tiles here are TENSOR_MAP_PANEL bytes wide and are
 * swizzled in shared memory: the 16-byte chunk j of row i lies at place
 * j ^ (i mod 8) of its row, so that neither a row nor a column of chunks
 * meets a bank twice. Such a tile starts at a multiple of 1024 bytes.
 */
#ifndef KERNELS_TENSOR_MAP_CUH
#define KERNELS_TENSOR_MAP_CUH

#include <cuda.h>
#include <cuda_runtime.h>

enum {
    TENSOR_MAP_PANEL = 128,  /* bytes of a row in a tile */
    TENSOR_MAP_ALIGN = 1024, /* of a tile in shared memory */
};

/* The driver's cuTensorMapEncodeTiled, found without linking libcuda. */
typedef CUresult (*tensor_map_encode_fn)(
    CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
    const cuuint64_t *, const cuuint32_t *, const cuuint32_t *,
    CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
    CUtensorMapFloatOOBfill);

static inline tensor_map_encode_fn tensor_map_encode(void)
{
    void *fn = NULL;
    cudaDriverEntryPointQueryResult found;

    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &fn, 12000,
                                         cudaEnableDefault,
                                         &found) != cudaSuccess ||
        found != cudaDriverEntryPointSuccess)
        return NULL;
    return (tensor_map_encode_fn)fn;
}

/*
 * Describes the rows×cols matrix of type T (4 or 2 bytes, moved as they
 * are) at `base`, a multiple of 16 bytes as is the length of a row, for
 * tiles `high` rows high. Returns NULL, or a static sentence why not.
 */
template <typename T>
static const char *tensor_map_make(CUtensorMap *map, const void *base, int rows,
                                   int cols, int high)
{
    cuuint64_t size[2] = {(cuuint64_t)cols, (cuuint64_t)rows};
    cuuint64_t pitch[1] = {(cuuint64_t)cols * sizeof(T)};
    cuuint32_t box[2] = {TENSOR_MAP_PANEL / sizeof(T), (cuuint32_t)high};
    cuuint32_t step[2] = {1, 1};
    tensor_map_encode_fn encode = tensor_map_encode();

    if (encode == NULL)
        return "the driver has no cuTensorMapEncodeTiled";
    if (encode(map,
               sizeof(T) == 4 ? CU_TENSOR_MAP_DATA_TYPE_UINT32
                              : CU_TENSOR_MAP_DATA_TYPE_UINT16,
               2, (void *)base, size, pitch, box, step,
               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
               CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        return "the driver refused the tensor map";
    return NULL;
}

#endif
