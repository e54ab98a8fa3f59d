/*
 * tests/emulate/machine.h - a GPU that runs on the CPU: kernels as they stand in
 * kernels/, thread by thread, for tests on machines without a GPU.
 *
 * A kernel file is compiled as C++. The folder include/ stands before the
 * repository's: its cuda_runtime.h, kernels/ptx.cuh and kernels/wgmma.cuh have
 * the names that a kernel uses, and describe what the instructions do. Every
 * thread of a block is a fiber. A thread runs until it waits for another one,
 * and who runs next is drawn at random. So each seed is another order of events.
 * Of the blocks that run at the same time, those of one cluster are the last in
 * everything.
 *
 * What the hardware does by itself is a *task*: a copy of the TMA, a product of
 * wgmma. Tasks run at random times, half of them when nobody else can run. From
 * the moment a copy is asked for until it is done, its destination holds NaN;
 * so do the sums of a product. Whoever reads too early, or hands over a slot too
 * early, computes NaN. If all threads wait and no task is left, the program
 * says so and ends: a deadlock. So do threads that look at a flag in vain.
 *
 * Shared memory that threads write is not seen by the TMA and by wgmma before a
 * fence. What stmatrix and cp.async write is known thread by thread. Of plain
 * stores only their result is seen: the TMA or wgmma finds a row other than it
 * was, and no thread of the block has executed a fence since.
 *
 * Several GPUs have a stream each (gpus_open()). What is launched waits in it
 * until gpus_run(), and then all of them run together, threads of all GPUs in
 * random order; those of one GPU are the last in everything.
 *
 * What it does not show: times, races between plain accesses, other missing
 * fences. It has no warp schedulers and no caches.
 */
#ifndef TESTS_EMULATE_MACHINE_H
#define TESTS_EMULATE_MACHINE_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <ucontext.h>
#include <vector>

struct dim3 {
	unsigned x, y, z;
	dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z)
	{
	}
};

namespace emu
{

struct block;
struct thread;
using queue = std::vector<thread *>; /* threads that wait for one thing */

/* Something that the hardware does by itself, once. */
struct task {
	std::function<void()> what;
	bool done;
};
using task_ref = std::shared_ptr<task>;

/* The products of a warp group, in their order (tensor.cc). */
struct warp_group;

/* The sums of products under way: what d will be. d itself holds NaN. */
struct shadow {
	std::vector<float> sums;
	int products;
};

struct thread {
	ucontext_t context;
	std::vector<char> stack;
	struct block *block;
	dim3 index;
	int number, lane, warp; /* in the block, in the warp; of the warp */
	bool done;
	const char *waits_for;
	/* copies of cp.async, and bulk stores: open group, closed groups */
	std::vector<task_ref> copies, bulk;
	std::deque<std::vector<task_ref>> copy_groups, bulk_groups;
	/* wgmma: products started so far; those of the open and the closed groups */
	size_t products;
	std::vector<size_t> open;
	std::deque<std::vector<size_t>> groups;
	std::map<float *, shadow> shadows;
	/* 16 bytes each that stmatrix or cp.async wrote and no fence has shown to the TMA yet */
	std::set<const unsigned char *> unfenced;
};

/* An mbarrier: arrivals and bytes that its phase waits for; phases so far. */
struct mbarrier {
	int count, pending, phase;
	int64_t bytes;
	queue waiting;
};

enum { WARP_LANES = 32, EXCHANGED = 64 /* bytes that a lane can show */ };

struct warp {
	int arrived, live;
	unsigned generation;
	unsigned char shown[2][WARP_LANES][EXCHANGED];
	queue waiting;
};

struct named_barrier {
	int arrived;
	unsigned generation;
	queue waiting;
};

struct cluster {
	std::vector<block *> blocks;
	int arrived, live;
	unsigned generation;
	queue waiting;
};

/* SMs: as many blocks as these run at the same time, one on each. */
enum { SMS = 8 };

/* Shared memory has addresses from 0: static variables, then the rest. */
enum { SHARED_MOST = 227 * 1024, WINDOW = 256 * 1024, ROW = 128 };

/* A kernel that runs: `body` once in each thread. */
struct section {
	char *begin, *end; /* static shared variables of its file: one place for all blocks,
	                      which holds those of the block that runs */
};
struct kernel {
	const char *name;
	int cluster;
	section fixed;
	std::function<void()> body;
	dim3 grid, size;
	size_t dynamic;
};

/* A row of shared memory as the TMA and wgmma know it, and the block's fences
 * when they learnt it. */
struct row {
	unsigned char bytes[ROW];
	unsigned fences;
};

struct block {
	const struct kernel *kernel;
	int gpu;
	struct gpu *stream; /* of several GPUs */
	dim3 index;
	int live;
	uint32_t fixed; /* bytes of static variables */
	unsigned char *window;
	std::vector<row> rows;
	unsigned fences; /* of all threads so far */
	std::vector<std::unique_ptr<thread>> threads;
	std::vector<warp> warps;
	std::vector<std::shared_ptr<warp_group>> groups;
	std::map<uint32_t, mbarrier> mbarriers;
	named_barrier barriers[16];
	struct cluster *cluster;
	uint32_t rank;
};

extern thread *now; /* the thread that runs */
extern dim3 grid_size, block_size;

/* Runs a kernel, or enqueues it on a stream of gpus_open(). */
void launch(const char *name, int cluster, section fixed, const std::function<void()> &body,
            dim3 grid, dim3 block, size_t dynamic = 0, void *stream = nullptr);

/* Streams of so many GPUs, numbered from 0. */
void gpus_open(int n);
void *gpu_stream(int gpu);
void enqueue(void *stream,
             std::function<void()> what); /* something that the host or a DMA engine does */
/* One more stream of the GPU that was selected last; NULL if there is only one GPU. */
void select_gpu(int gpu);
void *another_stream();
void enqueue_wait(void *stream, std::function<bool()> when); /* nothing before it is true */
/* Kernels that were enqueued, and those of which a thread has run. */
int kernels_enqueued(int gpu);
int kernels_begun(int gpu);
/* Runs all that was enqueued; then there are no streams. `slow`: the GPU that is behind all others.
 */
void gpus_run(int slow);

/* The beginning of dynamic shared memory. */
void *dynamic_shared();

/* An address in shared memory as a number, and back. */
uint32_t offset_of(const void *shared);
unsigned char *at(block *b, uint32_t offset);

/* Lets this thread wait in q; the caller looks again when it wakes. */
void wait_in(queue &q, const char *what);
void wake(queue &q);

/* This thread looks at memory again later; it waits for what others write. seen(): it has come. */
void pause();
void seen();

task_ref start(std::function<void()> what);
void finish(const task_ref &t); /* now, if it has not been done */

uint64_t random_bits();
void seed(uint64_t s);

/* Ends the program: the kernel did what no kernel may do. */
[[noreturn]] void fault(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Shows `bytes` of this lane to the lanes of `mask`; returns what lane i showed
 * in the rows of the result, EXCHANGED bytes each. All lanes of the mask. */
const unsigned char (*exchange(const void *mine, size_t bytes, uint32_t mask))[EXCHANGED];

/* barrier.sync id, threads; 0 threads: all that still run. */
void barrier(int id, int threads);
void barrier_arrive(int id, int threads); /* counts, and goes on */

void cluster_barrier();

/* mbarriers (copies.cc): `b` is whose, `offset` where. */
void mbarrier_init(uint32_t offset, int count);
void mbarrier_arrive(block *b, uint32_t offset, int64_t expected);
void mbarrier_landed(block *b, uint32_t offset, int64_t bytes);
void mbarrier_wait(uint32_t offset, unsigned parity);

/* A matrix as cuTensorMapEncodeTiled() gets it. */
struct matrix {
	const unsigned char *base;
	uint64_t cols, rows, pitch;
	uint32_t wide, high, bytes;
};

/* Faults if somebody in the block wrote these bytes without a fence behind it. */
void check_fenced(block *b, uint32_t from, uint32_t bytes);
/* The same by what lies there: the TMA or wgmma is about to read the row at `offset`. */
void check_row(block *b, uint32_t offset);

void tile_load(const matrix *m, uint32_t to, int col, int row, uint32_t bar, uint32_t blocks);
void tile_store(const matrix *m, uint32_t from, int col, int row);
void bulk_load(void *to, const void *from, uint32_t bytes, uint32_t bar);
void bulk_store(void *to, const void *from, uint32_t bytes);
void copy_16(void *to, const void *from, bool inside);
void groups_close(std::vector<task_ref> &open, std::deque<std::vector<task_ref>> &closed);
void groups_wait(std::deque<std::vector<task_ref>> &closed, size_t most);

/* wgmma (tensor.cc). */
void wgmma(float *d, int n, uint64_t a, uint64_t b, int keep);
void wgmma_e4m3(float *d, int n, uint64_t a, uint64_t b, int keep);
/* A in registers. */
void wgmma_e4m3_kept(float *d, int n, const uint32_t *registers, uint64_t b, int keep);
/* A in registers, unless these are NULL; they are read when the product runs. */
void wgmma_tf32(float *d, int n, const uint32_t *registers, uint64_t a, uint64_t b, int keep);
/* d += A B, A in registers, B turned: its columns follow each other in memory. */
void wgmma_held(float *d, int n, const uint32_t *registers, uint64_t b);
/* The same, or d = A B, not turned. */
void wgmma_kept(float *d, int n, const uint32_t *registers, uint64_t b, int keep);
void wgmma_commit();
void wgmma_wait(size_t most);

/* mma, ldmatrix, stmatrix (tensor.cc). */
void ldmatrix(uint32_t r[4], const void *row);
void ldmatrix_turned(uint32_t r[4], const void *row);
void stmatrix(void *row, const uint32_t r[4]);
void fence_async();
void mma_bf16(float d[4], const uint32_t a[4], uint32_t b0, uint32_t b1);
void mma_tf32(float d[4], const uint32_t a[4], uint32_t b0, uint32_t b1);

} // namespace emu

#endif
