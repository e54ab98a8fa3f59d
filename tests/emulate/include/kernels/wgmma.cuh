/*
 * tests/emulate/include/kernels/wgmma.cuh - what the functions of
 * kernels/wgmma.cuh do, for tests/emulate/machine.h. That header describes them.
 */
#ifndef KERNELS_WGMMA_CUH
#define KERNELS_WGMMA_CUH

#include "kernels/peer.cuh"
#include "kernels/ptx.cuh"

enum { WGMMA_GROUP = 128, WGMMA_HIGH = 64, WGMMA_DEEP = 16 };

PTX_FN uint64_t wgmma_tile(const void *p)
{
	return (uint64_t)(ptx_smem(p) >> 4 & 0x3fff) | (uint64_t)1 << 16 |
	       (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}
PTX_FN uint64_t wgmma_along(uint64_t tile, int step)
{
	return tile + (uint64_t)(step * WGMMA_DEEP * 2 >> 4);
}

PTX_FN void wgmma_begin(void)
{
}
PTX_FN void wgmma_commit(void)
{
	emu::wgmma_commit();
}
template <int N> PTX_FN void wgmma_wait(void)
{
	emu::wgmma_wait(N);
}
template <int S> PTX_FN void wgmma_bf16(float (&d)[S], uint64_t a, uint64_t b, int keep)
{
	emu::wgmma(d, 2 * S, a, b, keep);
}

template <int N> PTX_FN void wgmma_give_registers(void)
{
}
template <int N> PTX_FN void wgmma_take_registers(void)
{
}

PTX_FN uint32_t cluster_rank(void)
{
	return emu::now->block->rank;
}
PTX_FN void cluster_sync(void)
{
	emu::cluster_barrier();
}
PTX_FN void cluster_arrive(uint64_t *bar, uint32_t rank)
{
	emu::mbarrier_arrive(emu::now->block->cluster->blocks.at(rank), ptx_smem(bar), 0);
}
PTX_FN void cluster_wait(uint64_t *bar, uint32_t parity)
{
	emu::mbarrier_wait(ptx_smem(bar), parity);
}
PTX_FN void cluster_tile_load(void *dst, const void *map, int col, int row, uint64_t *bar,
                              uint16_t blocks, uint64_t)
{
	emu::tile_load((const emu::matrix *)map, ptx_smem(dst), col, row, ptx_smem(bar), blocks);
}

PTX_FN void block_tell(uint32_t *flag)
{
	*(volatile uint32_t *)flag = 1;
}
PTX_FN void block_wait(const uint32_t *flag)
{
	peer_spin_until([&] { return *(const volatile uint32_t *)flag != 0; });
}

PTX_FN void ptx_copy_16(void *dst, const void *src, bool inside)
{
	emu::copy_16(dst, src, inside);
}
PTX_FN void ptx_copies_commit(void)
{
	emu::groups_close(emu::now->copies, emu::now->copy_groups);
}
template <int N> PTX_FN void ptx_copies_wait(void)
{
	emu::groups_wait(emu::now->copy_groups, N);
}

PTX_FN void ptx_stmatrix(void *row, const uint32_t r[4])
{
	emu::stmatrix(row, r);
}

#endif
