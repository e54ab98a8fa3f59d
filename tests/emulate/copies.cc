/* tests/emulate/copies.cc - mbarriers, and copies that somebody else does. */
#include "tests/emulate/machine.h"

#include <cstring>

namespace emu
{

/* --- mbarriers --- */

static mbarrier &barrier_at(block *b, uint32_t offset)
{
	const auto found = b->mbarriers.find(offset);

	if (found == b->mbarriers.end())
		fault("there is no mbarrier at %u", offset);
	return found->second;
}

void mbarrier_init(uint32_t offset, int count)
{
	if (offset % 8 != 0)
		fault("an mbarrier at %u", offset);
	now->block->mbarriers[offset] = {count, count, 0, 0, {}};
}

static void end_of_phase(mbarrier &m)
{
	if (m.pending < 0)
		fault("more arrivals at an mbarrier than it counts");
	if (m.pending > 0 || m.bytes != 0)
		return;
	m.pending = m.count;
	m.phase++;
	wake(m.waiting);
}

void mbarrier_arrive(block *b, uint32_t offset, int64_t expected)
{
	mbarrier &m = barrier_at(b, offset);

	m.bytes += expected;
	m.pending--;
	end_of_phase(m);
}

void mbarrier_landed(block *b, uint32_t offset, int64_t bytes)
{
	mbarrier &m = barrier_at(b, offset);

	m.bytes -= bytes;
	end_of_phase(m);
}

void mbarrier_wait(uint32_t offset, unsigned parity)
{
	mbarrier &m = barrier_at(now->block, offset);

	while ((unsigned)(m.phase & 1) == parity)
		wait_in(m.waiting, "an mbarrier");
}

/* --- tiles of a matrix, 128 bytes wide and swizzled --- */

enum { TILE_WIDE = 128, TILE_ALIGN = 1024, SPOILED = 0xff };

/* The 16-byte chunk of an address moves by what row of 128 bytes it is in. */
static uint32_t swizzled(uint32_t address)
{
	return address ^ (address >> 7 & 7) << 4;
}

static void check_tile(const matrix *m, uint32_t offset)
{
	if (m->wide * m->bytes != TILE_WIDE || offset % TILE_ALIGN != 0)
		fault("a tile of %u bytes at %u", m->wide * m->bytes, offset);
}

/* --- what the TMA and wgmma know of shared memory --- */

/* A copy of the TMA has changed these bytes: it sees them as they are. */
static void learn(block *b, uint32_t from, uint32_t bytes)
{
	for (uint32_t i = from / ROW; i * ROW < from + bytes; i++) {
		memcpy(b->rows[i].bytes, at(b, i * ROW), ROW);
		b->rows[i].fences = b->fences;
	}
}

/* A copy to there is under way. */
static void spoil(block *b, uint32_t to, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		*at(b, to + i) = SPOILED;
	learn(b, to, bytes);
}

void check_row(block *b, uint32_t offset)
{
	row &r = b->rows[offset / ROW];

	if (memcmp(r.bytes, at(b, offset / ROW * ROW), ROW) == 0)
		return;
	if (r.fences == b->fences)
		fault("the TMA or wgmma reads a row that was written without a fence");
	learn(b, offset, 1);
}

void check_fenced(block *b, uint32_t from, uint32_t bytes)
{
	const unsigned char *const begin = at(b, from);

	for (const auto &t : b->threads) {
		const auto first = t->unfenced.lower_bound(begin);

		if (first != t->unfenced.end() && *first < begin + bytes)
			fault("the TMA or wgmma reads what thread %d wrote without a fence",
			      t->number);
	}
}

/* Byte `b` of row `r` of the tile at (col, row); NULL if it lies outside. */
static unsigned char *byte_of(const matrix *m, int64_t col, int64_t row, uint32_t r, uint32_t b)
{
	const int64_t i = row + r, j = col + b / m->bytes;

	if (i < 0 || j < 0 || i >= (int64_t)m->rows || j >= (int64_t)m->cols)
		return nullptr;
	return (unsigned char *)m->base + (uint64_t)i * m->pitch + (uint64_t)j * m->bytes +
	       b % m->bytes;
}

void tile_load(const matrix *map, uint32_t to, int col, int row, uint32_t bar, uint32_t blocks)
{
	const cluster *const c = now->block->cluster;
	const matrix m = *map;
	std::vector<block *> targets;

	check_tile(&m, to);
	for (size_t i = 0; i < c->blocks.size(); i++)
		if (blocks >> i & 1)
			targets.push_back(c->blocks[i]);
	for (block *b : targets)
		spoil(b, to, m.high * TILE_WIDE);
	start([=] {
		for (block *b : targets) {
			for (uint32_t r = 0; r < m.high; r++)
				for (uint32_t i = 0; i < TILE_WIDE; i++) {
					const unsigned char *const p = byte_of(&m, col, row, r, i);

					*at(b, swizzled(to + r * TILE_WIDE + i)) = p ? *p : 0;
				}
			learn(b, to, m.high * TILE_WIDE);
			mbarrier_landed(b, bar, (int64_t)m.high * TILE_WIDE);
		}
	});
}

void tile_store(const matrix *map, uint32_t from, int col, int row)
{
	const matrix m = *map;
	block *const b = now->block;

	check_tile(&m, from);
	check_fenced(b, from, m.high * TILE_WIDE);
	for (uint32_t r = 0; r < m.high; r++)
		check_row(b, from + r * TILE_WIDE);
	now->bulk.push_back(start([=] {
		for (uint32_t r = 0; r < m.high; r++)
			for (uint32_t i = 0; i < TILE_WIDE; i++) {
				unsigned char *const p = byte_of(&m, col, row, r, i);

				if (p)
					*p = *at(b, swizzled(from + r * TILE_WIDE + i));
			}
	}));
}

/* --- copies of bytes in a row --- */

static void check_bulk(const void *a, const void *b, uint32_t bytes)
{
	if (((uintptr_t)a | (uintptr_t)b | bytes) % 16 != 0)
		fault("a bulk copy of %u bytes that is not aligned", bytes);
}

void bulk_load(void *to, const void *from, uint32_t bytes, uint32_t bar)
{
	block *const b = now->block;
	const uint32_t offset = offset_of(to);

	check_bulk(nullptr, from, bytes | offset);
	spoil(b, offset, bytes);
	start([=] {
		for (uint32_t i = 0; i < bytes; i++)
			*at(b, offset + i) = ((const unsigned char *)from)[i];
		learn(b, offset, bytes);
		mbarrier_landed(b, bar, bytes);
	});
}

void bulk_store(void *to, const void *from, uint32_t bytes)
{
	block *const b = now->block;
	const uint32_t offset = offset_of(from);

	check_bulk(to, nullptr, bytes | offset);
	check_fenced(b, offset, bytes);
	for (uint32_t i = offset / ROW; i * ROW < offset + bytes; i++)
		check_row(b, i * ROW);
	now->bulk.push_back(start([=] {
		for (uint32_t i = 0; i < bytes; i++)
			((unsigned char *)to)[i] = *at(b, offset + i);
	}));
}

/* cp.async: as late as possible, when the thread waits for it. The thread writes, as
 * with a store: not the TMA. */
void copy_16(void *to, const void *from, bool inside)
{
	if (((uintptr_t)to | (inside ? (uintptr_t)from : 0)) % 16 != 0)
		fault("cp.async that is not aligned");
	memset(to, SPOILED, 16);
	now->copies.push_back(task_ref(new task{[=] {
		                                        if (inside)
			                                        memcpy(to, from, 16);
		                                        else
			                                        memset(to, 0, 16);
	                                        },
	                                        false}));
}

void groups_close(std::vector<task_ref> &open, std::deque<std::vector<task_ref>> &closed)
{
	closed.push_back(std::move(open));
	open.clear();
}

void groups_wait(std::deque<std::vector<task_ref>> &closed, size_t most)
{
	for (; closed.size() > most; closed.pop_front())
		for (const task_ref &t : closed.front())
			finish(t);
}

} // namespace emu
