/*
 * tests/emulate/include/kernels/ptx.cuh - what the functions of kernels/ptx.cuh
 * do, for tests/emulate/machine.h. That header describes them.
 */
#ifndef KERNELS_PTX_CUH
#define KERNELS_PTX_CUH

#include <cuda_runtime.h>

#include "kernels/bf16.h"

#define PTX_FN static inline

PTX_FN uint32_t ptx_smem(const void *p)
{
	return emu::offset_of(p);
}
PTX_FN uint32_t bf16_pair(float first, float second)
{
	return (uint32_t)bf16_round(second) << 16 | bf16_round(first);
}

PTX_FN void ptx_mbar_init(uint64_t *bar, uint32_t count)
{
	emu::mbarrier_init(ptx_smem(bar), (int)count);
}
PTX_FN void ptx_mbar_init_fence(void)
{
}
PTX_FN void ptx_mbar_expect(uint64_t *bar, uint32_t bytes)
{
	emu::mbarrier_arrive(emu::now->block, ptx_smem(bar), bytes);
}
PTX_FN void ptx_mbar_arrive(uint64_t *bar)
{
	emu::mbarrier_arrive(emu::now->block, ptx_smem(bar), 0);
}
PTX_FN void ptx_mbar_wait(uint64_t *bar, uint32_t parity)
{
	emu::mbarrier_wait(ptx_smem(bar), parity);
}

PTX_FN void ptx_sync_some(int id, int threads)
{
	emu::barrier(id, threads);
}
PTX_FN void ptx_arrive_some(int id, int threads)
{
	emu::barrier_arrive(id, threads);
}

PTX_FN int ptx_thread_anew(void)
{
	return (int)threadIdx.x;
}

PTX_FN uint64_t ptx_evict_first(void)
{
	return 0;
}
PTX_FN uint64_t ptx_evict_normal(void)
{
	return 0;
}
PTX_FN uint64_t ptx_evict_last(void)
{
	return 0;
}

PTX_FN void ptx_bulk_load(void *dst, const void *src, uint32_t bytes, uint64_t *bar, uint64_t)
{
	emu::bulk_load(dst, src, bytes, ptx_smem(bar));
}
PTX_FN void ptx_bulk_store(void *dst, const void *src, uint32_t bytes, uint64_t)
{
	emu::bulk_store(dst, src, bytes);
}
PTX_FN void ptx_bulk_commit(void)
{
	emu::groups_close(emu::now->bulk, emu::now->bulk_groups);
}
template <int N> PTX_FN void ptx_bulk_wait_read(void)
{
	emu::groups_wait(emu::now->bulk_groups, N);
}
template <int N> PTX_FN void ptx_bulk_wait(void)
{
	emu::groups_wait(emu::now->bulk_groups, N);
}
PTX_FN void ptx_fence_async(void)
{
	emu::fence_async();
}

PTX_FN void ptx_tile_load(void *dst, const void *map, int col, int row, uint64_t *bar, uint64_t)
{
	emu::tile_load((const emu::matrix *)map, ptx_smem(dst), col, row, ptx_smem(bar),
	               1u << emu::now->block->rank);
}
PTX_FN void ptx_tile_store(const void *map, int col, int row, const void *src, uint64_t)
{
	emu::tile_store((const emu::matrix *)map, ptx_smem(src), col, row);
}

PTX_FN void ptx_bulk_prefetch(const void *, uint32_t)
{
}
PTX_FN void ptx_next_kernel_may_start(void)
{
}
PTX_FN void ptx_wait_for_last_kernel(void)
{
}

PTX_FN void ptx_wait_for_last_kernel_after(uint32_t)
{
}

PTX_FN float4 ptx_load_once(const float4 *p, uint64_t)
{
	return *p;
}

/* The instruction is off by 2^-22 of its result at most: here by half of that, either way. */
PTX_FN float ptx_exp2(float x)
{
	const float off = (__float_as_uint(x) & 1 ? 1 : -1) * 0x1p-23f;
	const float y = std::exp2(x) * (1 + off);

	return y < 0x1p-126f ? 0 : y;
}

PTX_FN void ptx_ldmatrix(uint32_t r[4], const void *row)
{
	emu::ldmatrix(r, row);
}
PTX_FN void ptx_mma_bf16(float d[4], const uint32_t a[4], uint32_t b0, uint32_t b1)
{
	emu::mma_bf16(d, a, b0, b1);
}

#endif
