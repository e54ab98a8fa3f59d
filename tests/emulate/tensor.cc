/* tests/emulate/tensor.cc - tensor cores: wgmma, and mma with its way in and out. */
#include "tests/emulate/machine.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/e4m3.h"

namespace emu
{

static float bf16_at(const unsigned char *p)
{
	uint16_t half;
	uint32_t bits;
	float f;

	memcpy(&half, p, 2);
	bits = (uint32_t)half << 16;
	memcpy(&f, &bits, 4);
	return f;
}

static float bf16_of(uint32_t pair, int which)
{
	const uint32_t bits = which ? pair & 0xffff0000u : pair << 16;
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

/* An f32 as tensor cores read it: without its 13 low bits. */
static float tf32_of(uint32_t bits)
{
	float f;

	bits &= 0xffffe000u;
	memcpy(&f, &bits, 4);
	return f;
}

static float tf32_at(const unsigned char *p)
{
	uint32_t bits;

	memcpy(&bits, p, 4);
	return tf32_of(bits);
}

/* --- wgmma --- */

enum { GROUP = 128, HIGH = 64, BYTES = 32, DEEPEST = 32, WIDEST = 256 };

/* A product: its operands, of 1, 2 or 4 bytes an element, where each thread wants
 * its sums, and where it has what it holds of A, if that is in registers. B is
 * turned if its columns, and not the steps of k, follow each other in memory. */
struct product {
	uint64_t a, b;
	int n, keep, size, turned, arrived;
	float *d[GROUP];
	const uint32_t *registers[GROUP];
	bool done;
};

struct warp_group {
	std::deque<product> products;
	std::vector<thread *> threads = std::vector<thread *>(GROUP);
	size_t next;   /* the first that is not done: they go in their order */
	queue waiting; /* for other warps to start a product */
};

static float e4m3_at(const unsigned char *p)
{
	static float known[256];

	if (known[1] == 0)
		for (unsigned i = 0; i < 256; i++)
			known[i] = (float)e4m3_value(i);
	return known[*p];
}

/* Element k of row r of the operand that a descriptor names. */
static float element(block *b, uint64_t descriptor, int r, int k, int size)
{
	const uint32_t begin = (uint32_t)(descriptor & 0x3fff) << 4;
	const uint32_t eight_rows = (uint32_t)(descriptor >> 32 & 0x3fff) << 4;
	const uint32_t plain = begin + (uint32_t)(r / 8) * eight_rows + (uint32_t)(r % 8) * 128 +
	                       (uint32_t)(k * size);
	const unsigned char *const p = at(b, plain ^ (plain >> 7 & 7) << 4);

	return size == 1 ? e4m3_at(p) : size == 2 ? bf16_at(p) : tf32_at(p);
}

/* Element k of column j of a turned operand, of bf16: panels of 64 columns, a row for each k. */
static float element_turned(block *b, uint64_t descriptor, int j, int k)
{
	const uint32_t begin = (uint32_t)(descriptor & 0x3fff) << 4;
	const uint32_t panel = (uint32_t)(descriptor >> 16 & 0x3fff) << 4;
	const uint32_t eight_rows = (uint32_t)(descriptor >> 32 & 0x3fff) << 4;
	const uint32_t plain = begin + (uint32_t)(j / 64) * panel + (uint32_t)(k / 8) * eight_rows +
	                       (uint32_t)(k % 8) * 128 + (uint32_t)(j % 64 * 2);

	return bf16_at(at(b, plain ^ (plain >> 7 & 7) << 4));
}

/* The same of A in registers: tf32, two bf16 or four e4m3. */
static float element_held(const product &p, int r, int k)
{
	const int packed = 4 / p.size, word = k / packed;
	const int thread = r / 16 * WARP_LANES + r % 8 * 4 + word % 4;
	const uint32_t bits = p.registers[thread][word / 4 * 2 + r % 16 / 8];

	if (p.size == 1)
		return (float)e4m3_value(bits >> k % 4 * 8 & 0xff);
	return p.size == 2 ? bf16_of(bits, k % 2) : tf32_of(bits);
}

/* Which sum is element r of a thread. */
static void place_of(int thread, int r, int *row, int *col)
{
	const int warp = thread / WARP_LANES, lane = thread % WARP_LANES;

	*row = 16 * warp + lane / 4 + 8 * (r / 2 % 2);
	*col = 8 * (r / 4) + 2 * (lane % 4) + r % 2;
}

/* A sum in FP8: its terms are aligned to the largest, and what lies below 2^-13
 * of that is dropped (kernels/product.h). */
static float add_fp8(float sum, const float *x, const float *y)
{
	float term[DEEPEST], most = fabsf(sum), all = sum;
	int exponent, left;

	for (int k = 0; k < DEEPEST; k++) {
		const float size = fabsf(term[k] = x[k] * y[k]);

		most = size > most ? size : most;
		all += term[k];
	}
	if (std::isnan(all) || most == 0)
		return all;
	frexpf(most, &exponent);
	const float up = ldexpf(1, 14 - exponent);

	left = (int)(sum * up); /* towards 0, and so are the terms */
	for (int k = 0; k < DEEPEST; k++)
		left += (int)(term[k] * up);
	return (float)left / up;
}

/* An operand of so many rows: what threads wrote of it must have been shown. */
static void check_operand(block *b, uint64_t descriptor, int rows)
{
	const uint32_t begin = (uint32_t)(descriptor & 0x3fff) << 4 & ~(uint32_t)(ROW - 1);
	const uint32_t eight_rows = (uint32_t)(descriptor >> 32 & 0x3fff) << 4;

	for (int r = 0; r < rows; r += 8) {
		const uint32_t at = begin + (uint32_t)(r / 8) * eight_rows;

		check_fenced(b, at, 8 * ROW);
		for (uint32_t i = 0; i < 8; i++)
			check_row(b, at + i * ROW);
	}
}

static void multiply(block *b, warp_group *g, product *p)
{
	static float a[HIGH][DEEPEST], w[WIDEST][DEEPEST];
	const int deep = BYTES / p->size;

	if (!p->registers[0])
		check_operand(b, p->a, HIGH);
	for (int left = 0; p->turned && left < p->n; left += 64) /* a panel has `deep` rows */
		check_operand(b, p->b + (uint64_t)(left / 64) * (p->b >> 16 & 0x3fff), deep);
	if (!p->turned)
		check_operand(b, p->b, p->n);
	for (int k = 0; k < deep; k++) {
		for (int i = 0; i < HIGH; i++)
			a[i][k] = p->registers[0] ? element_held(*p, i, k)
			                          : element(b, p->a, i, k, p->size);
		for (int j = 0; j < p->n; j++)
			w[j][k] = p->turned ? element_turned(b, p->b, j, k)
			                    : element(b, p->b, j, k, p->size);
	}
	for (int t = 0; t < GROUP; t++) {
		std::vector<float> &sums = g->threads[t]->shadows.at(p->d[t]).sums;

		for (int r = 0; r < p->n / 2; r++) {
			int row, col;
			float sum;

			place_of(t, r, &row, &col);
			sum = p->keep ? sums[r] : 0;
			if (p->size == 1)
				sum = add_fp8(sum, a[row], w[col]);
			else
				for (int k = 0; k < deep; k++)
					sum += a[row][k] * w[col][k];
			sums[r] = sum;
		}
	}
	p->done = true;
}

static void check(const product &p)
{
	if ((!p.registers[now->number % GROUP] && p.a >> 62 != 1) || p.b >> 62 != 1)
		fault("a descriptor without the swizzle of 128 bytes");
	if (p.n % 8 != 0 || p.n > WIDEST)
		fault("a product of %d columns", p.n);
}

static void run_next(block *b, warp_group *g)
{
	if (g->next < g->products.size() && g->products[g->next].arrived == GROUP)
		multiply(b, g, &g->products[g->next++]);
}

static warp_group *group_now()
{
	std::shared_ptr<warp_group> &g = now->block->groups[now->number / GROUP];

	if (!g)
		g.reset(new warp_group());
	return g.get();
}

static void start_product(float *d, int n, const uint32_t *registers, uint64_t a, uint64_t b,
                          int keep, int size, int turned = 0)
{
	block *const mine = now->block;
	warp_group *const g = group_now();
	const size_t i = now->products++;

	if (g->products.size() == i)
		g->products.push_back({a, b, n, keep, size, turned, 0, {}, {}, false});
	product &p = g->products[i];

	p.registers[now->number % GROUP] = registers;
	check(p);
	if (p.a != a || p.b != b || p.n != n || p.keep != keep || p.size != size ||
	    p.turned != turned)
		fault("the threads of a warp group start different products");
	g->threads[now->number % GROUP] = now;
	p.d[now->number % GROUP] = d;
	const auto known = now->shadows.find(d);

	if (known == now->shadows.end())
		now->shadows[d] = {std::vector<float>(d, d + n / 2), 1};
	else
		known->second.products++;
	for (int r = 0; r < n / 2; r++)
		d[r] = NAN;
	now->open.push_back(i);
	if (++p.arrived == GROUP) {
		start([=] { run_next(mine, g); });
		wake(g->waiting);
	}
}

void wgmma(float *d, int n, uint64_t a, uint64_t b, int keep)
{
	start_product(d, n, nullptr, a, b, keep, 2);
}

void wgmma_e4m3(float *d, int n, uint64_t a, uint64_t b, int keep)
{
	start_product(d, n, nullptr, a, b, keep, 1);
}

void wgmma_e4m3_kept(float *d, int n, const uint32_t *registers, uint64_t b, int keep)
{
	start_product(d, n, registers, 0, b, keep, 1);
}

void wgmma_tf32(float *d, int n, const uint32_t *registers, uint64_t a, uint64_t b, int keep)
{
	start_product(d, n, registers, a, b, keep, 4);
}

void wgmma_held(float *d, int n, const uint32_t *registers, uint64_t b)
{
	start_product(d, n, registers, 0, b, 1, 2, 1);
}

void wgmma_kept(float *d, int n, const uint32_t *registers, uint64_t b, int keep)
{
	start_product(d, n, registers, 0, b, keep, 2);
}

void wgmma_commit()
{
	now->groups.push_back(std::move(now->open));
	now->open.clear();
}

/* The sums are the thread's own again when no product on them is under way. */
static void return_sums(float *d)
{
	const auto s = now->shadows.find(d);

	if (--s->second.products > 0)
		return;
	std::copy(s->second.sums.begin(), s->second.sums.end(), d);
	now->shadows.erase(s);
}

void wgmma_wait(size_t most)
{
	warp_group *const g = group_now();

	for (; now->groups.size() > most; now->groups.pop_front())
		for (const size_t i : now->groups.front()) {
			while (!g->products[i].done)
				if (g->products[g->next].arrived == GROUP)
					run_next(now->block, g);
				else
					wait_in(g->waiting, "the other warps of its group");
			return_sums(g->products[i].d[now->number % GROUP]);
		}
}

/* --- mma, ldmatrix, stmatrix: 32 lanes together --- */

enum { ALL = -1 };

void ldmatrix(uint32_t r[4], const void *row)
{
	const auto rows = exchange(&row, sizeof row, (uint32_t)ALL);
	const int g = now->lane / 4, t = now->lane % 4;

	if ((uintptr_t)row % 16 != 0)
		fault("ldmatrix of a row that is not aligned");
	for (int i = 0; i < 4; i++) {
		const unsigned char *p;

		memcpy(&p, rows[8 * i + g], sizeof p);
		memcpy(&r[i], p + 4 * t, 4);
	}
}

void ldmatrix_turned(uint32_t r[4], const void *row)
{
	const auto rows = exchange(&row, sizeof row, (uint32_t)ALL);
	const int g = now->lane / 4, t = now->lane % 4;

	if ((uintptr_t)row % 16 != 0)
		fault("ldmatrix of a row that is not aligned");
	for (int i = 0; i < 4; i++) {
		uint16_t half[2];

		for (int j = 0; j < 2; j++) {
			const unsigned char *p;

			memcpy(&p, rows[8 * i + 2 * t + j], sizeof p);
			memcpy(&half[j], p + 2 * g, 2);
		}
		r[i] = (uint32_t)half[1] << 16 | half[0];
	}
}

void stmatrix(void *row, const uint32_t r[4])
{
	const auto rows = exchange(&row, sizeof row, (uint32_t)ALL);
	const int g = now->lane / 4, t = now->lane % 4;

	if ((uintptr_t)row % 16 != 0)
		fault("stmatrix to a row that is not aligned");
	for (int i = 0; i < 4; i++) {
		unsigned char *p;

		memcpy(&p, rows[8 * i + g], sizeof p);
		memcpy(p + 4 * t, &r[i], 4);
		now->unfenced.insert(p);
	}
}

void fence_async()
{
	now->unfenced.clear();
	now->block->fences++;
}

void mma_bf16(float d[4], const uint32_t a[4], uint32_t b0, uint32_t b1)
{
	const uint32_t mine[6] = {a[0], a[1], a[2], a[3], b0, b1};
	const auto all = exchange(mine, sizeof mine, (uint32_t)ALL);
	const int g = now->lane / 4, t = now->lane % 4;

	for (int i = 0; i < 4; i++) {
		const int below = i / 2, col = 2 * t + i % 2;

		for (int k = 0; k < 16; k++) {
			uint32_t of_a[6], of_b[6];

			memcpy(of_a, all[4 * g + k % 8 / 2], sizeof of_a);
			memcpy(of_b, all[4 * col + k % 8 / 2], sizeof of_b);
			d[i] += bf16_of(of_a[k / 8 * 2 + below], k % 2) *
			        bf16_of(of_b[4 + k / 8], k % 2);
		}
	}
}

void mma_tf32(float d[4], const uint32_t a[4], uint32_t b0, uint32_t b1)
{
	const uint32_t mine[6] = {a[0], a[1], a[2], a[3], b0, b1};
	const auto all = exchange(mine, sizeof mine, (uint32_t)ALL);
	const int g = now->lane / 4, t = now->lane % 4;

	for (int i = 0; i < 4; i++) {
		const int below = i / 2, col = 2 * t + i % 2;

		for (int k = 0; k < 8; k++) {
			uint32_t of_a[6], of_b[6];

			memcpy(of_a, all[4 * g + k % 4], sizeof of_a);
			memcpy(of_b, all[4 * col + k % 4], sizeof of_b);
			d[i] += tf32_of(of_a[k / 4 * 2 + below]) * tf32_of(of_b[4 + k / 4]);
		}
	}
}

} // namespace emu
