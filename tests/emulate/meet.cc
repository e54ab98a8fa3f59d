/* tests/emulate/meet.cc - threads of a warp, a block or a cluster that wait for each other. */
#include "tests/emulate/machine.h"

#include <algorithm>
#include <cstring>

namespace emu
{

const unsigned char (*exchange(const void *mine, size_t bytes, uint32_t mask))[EXCHANGED]
{
	warp &w = now->block->warps[now->warp];
	const unsigned generation = w.generation;

	if (bytes > EXCHANGED)
		fault("a lane shows %zu bytes", bytes);
	memcpy(w.shown[generation & 1][now->lane], mine, bytes);
	w.arrived++;
	while (w.generation == generation) {
		if (w.arrived >= std::min(__builtin_popcount(mask), w.live)) {
			w.arrived = 0;
			w.generation++;
			wake(w.waiting);
			break;
		}
		wait_in(w.waiting, "the lanes of its warp");
	}
	return w.shown[generation & 1];
}

void barrier(int id, int threads)
{
	block *const b = now->block;
	named_barrier &n = b->barriers[id];
	const unsigned generation = n.generation;

	n.arrived++;
	while (n.generation == generation) {
		if (n.arrived >= (threads ? threads : b->live)) {
			n.arrived = 0;
			n.generation++;
			wake(n.waiting);
			break;
		}
		wait_in(n.waiting, "a barrier of its block");
	}
}

void barrier_arrive(int id, int threads)
{
	named_barrier &n = now->block->barriers[id];

	if (++n.arrived >= threads) {
		n.arrived = 0;
		n.generation++;
		wake(n.waiting);
	}
}

void cluster_barrier()
{
	cluster *const c = now->block->cluster;
	const unsigned generation = c->generation;

	c->arrived++;
	while (c->generation == generation) {
		if (c->arrived >= c->live) {
			c->arrived = 0;
			c->generation++;
			wake(c->waiting);
			break;
		}
		wait_in(c->waiting, "the threads of its cluster");
	}
}

} // namespace emu
