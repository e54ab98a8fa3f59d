/* tests/emulate/machine.cc - fibers, blocks, and who runs next. */
#include "tests/emulate/machine.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace emu
{

enum { STACK = 64 * 1024, TASK_EVERY = 8, LOOK_EVERY = 64, IN_VAIN = 10000 };

thread *now;
dim3 grid_size, block_size;

static ucontext_t scheduler;
static const kernel *running; /* whose thread runs, or ran last */
static section fixed_now;
static block *loaded; /* whose static variables lie in the section */
static uint64_t random_state = 1;
static queue ready, held;                /* held: threads of `slow` that could run */
static const cluster *slow;              /* of several clusters: it is behind all others */
static int slow_gpu = -1;                /* of several GPUs */
static queue looking;                    /* threads that paused */
static unsigned in_vain;                 /* pauses since something else happened */
static unsigned look_every = LOOK_EVERY; /* steps between two looks, or more */
static std::deque<task_ref> tasks, late; /* late: when nobody can run */
static std::vector<std::vector<char>> stacks;

uint64_t random_bits()
{
	uint64_t z = random_state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

void seed(uint64_t s)
{
	random_state = s;
}

void fault(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "emulate: %s", running ? running->name : "");
	if (now)
		fprintf(stderr, ", GPU %d, block (%u, %u), thread %d", now->block->gpu,
		        now->block->index.x, now->block->index.y, now->number);
	fprintf(stderr, ": ");
	vfprintf(stderr, format, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(2);
}

/* --- shared memory --- */

static uint32_t fixed_size()
{
	return (uint32_t)(fixed_now.end - fixed_now.begin);
}

static void load(block *b)
{
	if (b == loaded || fixed_size() == 0) {
		loaded = b;
		return;
	}
	if (loaded)
		memcpy(loaded->window, fixed_now.begin, fixed_size());
	memcpy(fixed_now.begin, b->window, fixed_size());
	loaded = b;
}

unsigned char *at(block *b, uint32_t offset)
{
	if (offset >= WINDOW)
		fault("address %u is beyond shared memory", offset);
	if (offset < b->fixed && b == loaded)
		return (unsigned char *)fixed_now.begin + offset;
	return b->window + offset;
}

uint32_t offset_of(const void *shared)
{
	const char *const p = (const char *)shared;
	const unsigned char *const window = now->block->window;

	if (p >= fixed_now.begin && p < fixed_now.end)
		return (uint32_t)(p - fixed_now.begin);
	if ((const unsigned char *)p >= window && (const unsigned char *)p <= window + WINDOW)
		return (uint32_t)((const unsigned char *)p - window);
	fault("an address of shared memory is none");
}

/* Behind the static variables, aligned to 16 bytes and no more. */
void *dynamic_shared()
{
	return now->block->window + (now->block->fixed + 15) / 16 * 16;
}

/* --- threads --- */

static void stop_in(queue &q, const char *what)
{
	thread *const me = now;

	q.push_back(me);
	me->waits_for = what;
	swapcontext(&me->context, &scheduler);
	me->waits_for = nullptr;
}

void wait_in(queue &q, const char *what)
{
	in_vain = 0;
	stop_in(q, what);
}

void pause()
{
	in_vain++;
	stop_in(looking, "a flag in memory");
}

void seen()
{
	in_vain = 0;
}

void wake(queue &q)
{
	ready.insert(ready.end(), q.begin(), q.end());
	q.clear();
}

static void leave(thread *t)
{
	block *const b = t->block;
	warp &w = b->warps[t->warp];

	t->done = true;
	in_vain = 0;
	b->live--;
	w.live--;
	if (b->cluster)
		b->cluster->live--;
	/* whoever counts on all that still run looks again */
	wake(b->barriers[0].waiting);
	wake(w.waiting);
	if (b->cluster)
		wake(b->cluster->waiting);
}

static void run_thread()
{
	running->body();
	leave(now);
	swapcontext(&now->context, &scheduler);
	abort(); /* a thread that is done never runs again */
}

static std::unique_ptr<thread> make_thread(block *b, int number)
{
	std::unique_ptr<thread> t(new thread());

	t->block = b;
	t->number = number;
	t->lane = number % WARP_LANES;
	t->warp = number / WARP_LANES;
	t->index = dim3(number % block_size.x, number / block_size.x % block_size.y,
	                number / block_size.x / block_size.y);
	if (stacks.empty()) {
		t->stack.resize(STACK);
	} else {
		t->stack = std::move(stacks.back());
		stacks.pop_back();
	}
	getcontext(&t->context);
	t->context.uc_stack.ss_sp = t->stack.data();
	t->context.uc_stack.ss_size = t->stack.size();
	t->context.uc_link = nullptr;
	makecontext(&t->context, run_thread, 0);
	return t;
}

/* --- tasks --- */

task_ref start(std::function<void()> what)
{
	task_ref t(new task{std::move(what), false});

	(random_bits() % 2 ? tasks : late).push_back(t);
	return t;
}

void finish(const task_ref &t)
{
	if (t->done)
		return;
	t->done = true;
	in_vain = 0;
	t->what();
}

/* A random task of those in q; false if there is none. */
static bool run_task(std::deque<task_ref> &q)
{
	while (!q.empty()) {
		std::swap(q[random_bits() % q.size()], q.back());
		const task_ref t = q.back();

		q.pop_back();
		if (!t->done) {
			finish(t);
			return true;
		}
	}
	return false;
}

/* --- blocks --- */

using group = std::vector<std::unique_ptr<block>>;
static std::vector<const group *> groups; /* the blocks that run: of the kernel, or of each GPU */

static bool all_done()
{
	for (const group *g : groups)
		for (const auto &b : *g)
			if (b->live)
				return false;
	return true;
}

[[noreturn]] static void deadlock()
{
	now = nullptr;
	for (const group *g : groups)
		for (const auto &b : *g)
			for (const auto &t : b->threads)
				if (!t->done && t->lane == 0)
					fprintf(stderr, "  GPU %d block %u warp %d waits for %s\n",
					        b->gpu, b->index.x, t->warp,
					        t->waits_for ? t->waits_for : "nothing");
	fault("all threads wait: a deadlock");
}

static thread *take(queue &q)
{
	std::swap(q[random_bits() % q.size()], q.back());
	thread *const t = q.back();

	q.pop_back();
	return t;
}

/* How often threads look in vain before nothing will ever come: each of them several times. */
static size_t patience()
{
	return IN_VAIN + 4 * looking.size();
}

/* A thread that goes on; slow ones if nobody else can. NULL: all have ended. */
static thread *next_thread()
{
	for (;;) {
		if ((ready.empty() || random_bits() % TASK_EVERY == 0) && run_task(tasks))
			continue;
		if (!looking.empty() && random_bits() % (look_every + looking.size()) == 0)
			wake(looking);
		if (!ready.empty()) {
			thread *const t = take(ready);

			if (t->block->cluster != slow && t->block->gpu != slow_gpu)
				return t;
			held.push_back(t);
		} else if (run_task(late)) {
			continue;
		} else if (!held.empty()) {
			return take(held);
		} else if (!looking.empty() && in_vain < patience()) {
			wake(looking);
		} else if (all_done()) {
			return nullptr;
		} else {
			deadlock();
		}
	}
}

static void use(const kernel *k)
{
	running = k;
	grid_size = k->grid;
	block_size = k->size;
	fixed_now = k->fixed;
}

/* Lets a thread go on until it waits. */
static void go_on(thread *t)
{
	now = t;
	use(t->block->kernel);
	load(t->block);
	swapcontext(&scheduler, &t->context);
	now = nullptr;
}

/* Block number i of the kernel in use. */
static std::unique_ptr<block> make_block(unsigned i, int gpu, cluster *c)
{
	std::unique_ptr<block> b(new block());
	const int threads = (int)(block_size.x * block_size.y * block_size.z);
	const dim3 grid = grid_size;

	b->kernel = running;
	b->gpu = gpu;
	b->index = dim3(i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y);
	b->fixed = fixed_size();
	b->window = (unsigned char *)aligned_alloc(1024, WINDOW);
	memset(b->window, 0xff, WINDOW); /* NaN */
	b->rows.resize(WINDOW / ROW);
	for (row &r : b->rows)
		memset(r.bytes, 0xff, ROW);
	b->live = threads;
	b->cluster = c;
	b->rank = (uint32_t)c->blocks.size();
	b->warps.resize((threads + WARP_LANES - 1) / WARP_LANES);
	b->groups.resize((threads + 127) / 128);
	c->blocks.push_back(b.get());
	c->live += threads;
	for (int i = 0; i < threads; i++) {
		b->threads.push_back(make_thread(b.get(), i));
		b->warps[i / WARP_LANES].live++;
		ready.push_back(b->threads.back().get());
	}
	return b;
}

static void give_back(block *b)
{
	free(b->window);
	for (const auto &t : b->threads)
		stacks.push_back(std::move(t->stack));
}

static void run_kernel(const kernel *k)
{
	const unsigned n = k->grid.x * k->grid.y * k->grid.z;

	use(k);
	for (unsigned first = 0; first < n;) {
		const unsigned end =
		        std::min(n, first + std::max(SMS / k->cluster, 1) * k->cluster);
		group blocks;
		std::deque<cluster> clusters;

		for (; first < end; first++) {
			if (first % k->cluster == 0)
				clusters.push_back({});
			blocks.push_back(make_block(first, 0, &clusters.back()));
		}
		loaded = nullptr;
		slow = clusters.size() > 1 ? &clusters[random_bits() % clusters.size()] : nullptr;
		groups = {&blocks};
		for (thread *t; (t = next_thread());)
			go_on(t);
		for (const auto &b : blocks)
			give_back(b.get());
	}
	groups.clear();
	slow = nullptr;
	running = nullptr;
}

/* --- several GPUs --- */

/* What a stream does next: a kernel, or something else, once `when` is true if there is one. */
struct work {
	std::unique_ptr<kernel> runs;
	std::function<void()> what;
	std::function<bool()> when;
};

/* A stream of a GPU; the first ones belong to a GPU each. */
struct gpu {
	int number;
	std::deque<work> stream;
	unsigned next; /* block of the kernel at the front */
	bool begun;    /* a thread of it has run */
	int enqueued, kernels_begun;
	group blocks;
	std::deque<cluster> clusters;
	std::deque<std::unique_ptr<kernel>> ended;
};
static std::deque<gpu> gpus;
static int selected;

void gpus_open(int n)
{
	gpus.resize((size_t)n);
	for (int g = 0; g < n; g++)
		gpus[(size_t)g].number = g;
}

void select_gpu(int g)
{
	selected = g;
}

void *another_stream()
{
	if (gpus.empty())
		return nullptr;
	gpus.emplace_back();
	gpus.back().number = selected;
	return &gpus.back();
}

void *gpu_stream(int g)
{
	return &gpus[(size_t)g];
}

int kernels_enqueued(int g)
{
	return gpus[(size_t)g].enqueued;
}

int kernels_begun(int g)
{
	return gpus[(size_t)g].kernels_begun;
}

void enqueue(void *stream, std::function<void()> what)
{
	((gpu *)stream)->stream.push_back({nullptr, std::move(what), nullptr});
}

void enqueue_wait(void *stream, std::function<bool()> when)
{
	((gpu *)stream)->stream.push_back({nullptr, [] {}, std::move(when)});
}

void launch(const char *name, int cluster_size, section fixed, const std::function<void()> &body,
            dim3 grid, dim3 size, size_t dynamic, void *stream)
{
	const kernel k = {name, cluster_size, fixed, body, grid, size, dynamic};

	running = &k; /* for fault() */
	if ((size_t)(fixed.end - fixed.begin) + 16 + dynamic > SHARED_MOST)
		fault("%zu bytes of shared memory", (size_t)(fixed.end - fixed.begin) + dynamic);
	if (gpus.empty()) {
		run_kernel(&k);
		return;
	}
	running = nullptr;
	gpu &g = *(gpu *)stream;

	g.stream.push_back({std::unique_ptr<kernel>(new kernel(k)), nullptr, nullptr});
	g.enqueued++;
}

/* Brings in blocks of the kernel at the front, as many as there are SMs. True: some run. */
static bool bring_in(gpu &g)
{
	const kernel *const k = g.stream.front().runs.get();
	const unsigned n = k->grid.x * k->grid.y * k->grid.z;
	int live = 0;

	for (const auto &b : g.blocks)
		live += b->live > 0;
	for (use(k); live + k->cluster <= SMS && g.next < n;) {
		g.clusters.push_back({});
		for (int i = 0; i < k->cluster; i++, live++) {
			g.blocks.push_back(make_block(g.next++, g.number, &g.clusters.back()));
			g.blocks.back()->stream = &g;
		}
	}
	return live > 0;
}

/* Does what a stream can do now; true if it did something. Blocks that have ended stay until all
 * have: copies that nobody waited for may still read them. */
static bool advance(gpu &g)
{
	bool did = false;

	for (; !g.stream.empty(); did = true) {
		work &w = g.stream.front();

		if ((w.runs && bring_in(g)) || (w.when && !w.when()))
			return did;
		if (w.runs)
			g.ended.push_back(std::move(w.runs));
		else
			w.what();
		g.stream.pop_front();
		g.next = 0;
		g.begun = false;
	}
	return did;
}

/* What one stream did may be what another waits for. */
static void advance_all()
{
	bool did = true;

	while (did) {
		did = false;
		for (gpu &g : gpus)
			did |= advance(g);
	}
}

void gpus_run(int slow_one)
{
	slow_gpu = slow_one;
	look_every = LOOK_EVERY << (random_bits() % 2 ? 0 : 8); /* or hardly ever */
	for (gpu &g : gpus)
		groups.push_back(&g.blocks);
	advance_all();
	for (thread *t; (t = next_thread());) {
		gpu &g = *t->block->stream;

		g.kernels_begun += !g.begun;
		g.begun = true;
		go_on(t);
		if (t->block->live == 0)
			advance_all();
	}
	for (gpu &g : gpus)
		for (const auto &b : g.blocks)
			give_back(b.get());
	groups.clear();
	gpus.clear();
	slow_gpu = -1;
	look_every = LOOK_EVERY;
	loaded = nullptr;
	running = nullptr;
}

} // namespace emu
