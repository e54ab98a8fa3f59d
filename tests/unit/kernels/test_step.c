/*
 * Logits of a decode step find what they are made to find: a step that forgets a key, turns by
 * another position or leaves out a residual is off by several tolerances, and one that only rounds
 * is within one. tests/e2e/emulate.sh does the same with kernels, and with the check of each stage.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kernels/bf16.h"
#include "kernels/input.h"
#include "kernels/step/step.h"

extern const struct kernel_family step_family;

enum fault {
	HONEST,
	ANGLE_BEFORE,     /* turned by the position of the token before */
	KEY_LOST,         /* the newest key and value are not used */
	KEY_STALE,        /* the page has what the layer before left there */
	RESIDUAL_DROPPED, /* behind attention */
	RESIDUAL_OLD,     /* the layer's input is added behind the product down */
	GAIN_OTHER,       /* the gains of the layer's first norm in its second */
	CACHE_OTHER,      /* values of the next sequence */
	GATE_UP,          /* gate and up are mixed up */
	FAULTS,
};

struct problem {
	struct kernel_case c;
	struct step_shape s;
	uint64_t seed;
};

static struct problem problem_of(int64_t b, int64_t l, uint64_t seed)
{
	struct problem p = {.c = {{{"b", b, NULL},
	                           {"l", l, NULL},
	                           {"layers", 2, NULL},
	                           {"hidden", 256, NULL},
	                           {"vocab", 64, NULL},
	                           {"part", 0, "whole"}},
	                          6,
	                          KERNEL_BF16,
	                          0},
	                    .seed = seed};
	p.s = step_shape(&p.c);
	return p;
}

static float drawn(const struct problem *p, unsigned buffer, size_t i)
{
	return input_real(KERNEL_BF16, p->seed, buffer, i);
}

static float stored(float v)
{
	return bf16_value(bf16_round(v));
}

/* y = W x, rounded as it is stored. */
static void multiply(const struct problem *p, size_t w, const float *x, int n, int k, float *y)
{
	for (int row = 0; row < n; row++) {
		float sum = 0;
		for (int i = 0; i < k; i++)
			sum += drawn(p, STEP_WEIGHTS, w + (size_t)(row * k + i)) * x[i];
		y[row] = stored(sum);
	}
}

static void normalise(const struct problem *p, size_t gain, const float *x, float *h)
{
	const int n = p->s.hidden;
	float sum = 0;
	for (int i = 0; i < n; i++)
		sum += x[i] * x[i];
	const float by = p->s.shrink / sqrtf(sum / (float)n + 1e-5f);
	for (int i = 0; i < n; i++)
		h[i] = stored(x[i] * by * drawn(p, STEP_WEIGHTS, gain + (size_t)i));
}

/* Turns the heads at x. */
static void turn(const struct problem *p, enum fault fault, float *x, int heads)
{
	const int position = p->s.l - 1 - (fault == ANGLE_BEFORE);
	for (int i = 0; i < heads * STEP_DEEP; i += 2) {
		const double angle = position / pow(500000, i % STEP_DEEP / (double)STEP_DEEP);
		const float c = (float)cos(angle), s = (float)sin(angle), a = x[i], b = x[i + 1];
		x[i] = stored(a * c - b * s);
		x[i + 1] = stored(a * s + b * c);
	}
}

/* An element of a key or a value: the newest is in the page. */
static float element(const struct problem *p, enum fault fault, unsigned buffer, int layer,
                     int token, int head, int key, int e, const float *page)
{
	const struct step_shape *const s = &p->s;
	const int of = buffer == STEP_V && fault == CACHE_OTHER ? (token + 1) % s->b : token;
	const size_t row = (size_t)(of * s->kv + head);
	if (key == s->l - 1)
		return page[head * STEP_DEEP + e];
	return drawn(p, buffer,
	             step_cache_at(s, layer) + row * step_row(s) + (size_t)(key * STEP_DEEP + e));
}

static void attend(const struct problem *p, enum fault fault, int layer, int token, const float *q,
                   const float *page, float *a)
{
	const struct step_shape *const s = &p->s;
	const int keys = s->l - (fault == KEY_LOST);
	for (int h = 0; h < s->heads; h++) {
		const int head = h / (s->heads / s->kv);
		float o[STEP_DEEP] = {0}, sum = 0;
		for (int j = 0; j < keys; j++) {
			float score = 0;
			for (int e = 0; e < STEP_DEEP; e++)
				score += q[h * STEP_DEEP + e] *
				         element(p, fault, STEP_K, layer, token, head, j, e, page);
			const float w = expf(score / sqrtf(STEP_DEEP));
			sum += w;
			for (int e = 0; e < STEP_DEEP; e++)
				o[e] += w * element(p, fault, STEP_V, layer, token, head, j, e,
				                    page + s->kv * STEP_DEEP);
		}
		for (int e = 0; e < STEP_DEEP; e++)
			a[h * STEP_DEEP + e] = stored(o[e] / sum);
	}
}

enum { MOST = 2048 };

/* The page of a layer, k and v: what was appended to it. */
static void append(enum fault fault, int layer, const float *from, float *page, size_t n)
{
	if (fault != KEY_STALE || layer == 0)
		memcpy(page, from, n * sizeof *page);
}

static void layer_of(const struct problem *p, enum fault fault, int layer, int token, float *x,
                     float *page)
{
	const struct step_shape *const s = &p->s;
	const struct step_places at = step_places(s, layer);
	float h[MOST], qkv[MOST], a[MOST], y[MOST], raw[MOST];
	normalise(p, at.gain[0], x, h);
	multiply(p, at.qkv, h, s->qkv, s->hidden, qkv);
	turn(p, fault, qkv, s->heads + s->kv);
	append(fault, layer, qkv + s->hidden, page, (size_t)(2 * s->kv * STEP_DEEP));
	attend(p, fault, layer, token, qkv, page, a);
	multiply(p, at.o, a, s->hidden, s->hidden, raw);
	for (int i = 0; i < s->hidden; i++)
		y[i] = stored(raw[i] + (fault == RESIDUAL_DROPPED ? 0 : x[i]));
	normalise(p, at.gain[fault != GAIN_OTHER], y, h);
	multiply(p, at.up, h, 2 * s->ffn, s->hidden, raw);
	for (int i = 0; i < s->ffn; i++) {
		const float gate = raw[fault == GATE_UP ? i + s->ffn : i];
		const float up = raw[fault == GATE_UP ? i : i + s->ffn];
		a[i] = stored(gate / (1 + expf(-gate)) * up);
	}
	multiply(p, at.down, a, s->hidden, s->ffn, raw);
	for (int i = 0; i < s->hidden; i++)
		x[i] = stored(raw[i] + (fault == RESIDUAL_OLD ? x[i] : y[i]));
}

/* The worst error of a sequence's logits, in tolerances. */
static double worst(const struct problem *p, enum fault fault, int token)
{
	const struct step_shape *const s = &p->s;
	const char *why;
	const double tolerance = step_family.tolerance(&p->c, &why);
	float x[MOST], h[MOST], logits[MOST], page[MOST];
	double most = 0;
	for (int i = 0; i < s->hidden; i++)
		x[i] = drawn(p, STEP_X, (size_t)(token * s->hidden + i));
	for (int layer = 0; layer < s->layers; layer++)
		layer_of(p, fault, layer, token, x, page);
	normalise(p, step_places(s, s->layers).gain[0], x, h);
	multiply(p, step_vocab_at(s), h, s->vocab, s->hidden, logits);
	for (int i = 0; i < s->vocab; i++) {
		const size_t idx = step_counts(s) + (size_t)(token * s->vocab + i);
		double value, magnitude;
		step_family.expect(&p->c, p->seed, &idx, 1, &value, &magnitude);
		most = fmax(most, fabs((double)logits[i] - value) / (tolerance * magnitude));
	}
	return most;
}

static void honest_is_within_one_tolerance(void **state)
{
	(void)state;
	static const enum input_kind kinds[] = {INPUT_UNIFORM, INPUT_FULL, INPUT_NORMAL};
	for (int k = 0; k < 3; k++) {
		const struct problem p = problem_of(2, 9, input_seed(kinds[k], 5));
		for (int token = 0; token < 2; token++) {
			const double by = worst(&p, HONEST, token);
			print_message("# kind %d: %.3f tolerances\n", k, by);
			assert_true(by <= 1);
			assert_true(by > 1.0 / 16); /* nor is it idle */
		}
	}
}

static void faults_are_off_by_tolerances(void **state)
{
	(void)state;
	const struct problem p = problem_of(2, 9, input_seed(INPUT_UNIFORM, 9));
	for (enum fault f = HONEST + 1; f < FAULTS; f++) {
		const double by = worst(&p, f, 0);
		print_message("# fault %d: %.1f tolerances\n", (int)f, by);
		assert_true(by >= 2);
	}
}

/* Weights, cache and trace of all layers lie one behind the other, without a gap. */
static void places_meet(void **state)
{
	(void)state;
	const struct problem p = problem_of(3, 9, 1);
	const struct step_shape *const s = &p.s;
	const size_t h = (size_t)s->hidden, f = (size_t)s->ffn;
	for (int i = 0; i < s->layers; i++) {
		const struct step_places a = step_places(s, i), b = step_places(s, i + 1);
		const struct step_trace t = step_trace(s, i), u = step_trace(s, i + 1);
		assert_int_equal(a.down + h * f, b.qkv);
		assert_int_equal(a.gain[1] + h, b.gain[0]);
		assert_int_equal(t.x + 3 * h, u.q);
		assert_int_equal(t.act + 3 * f, t.x);
	}
	assert_int_equal(step_places(s, 0).qkv, step_places(s, s->layers).gain[0] + h);
	assert_int_equal(step_weights(s), step_vocab_at(s) + (size_t)s->vocab * h);
	assert_int_equal(step_cache_at(s, s->layers), step_cache(s));
}

/* The cases that are timed: buffers are what the model counts. */
static void cases_are_sound(void **state)
{
	(void)state;
	for (size_t i = 0; i < step_family.ncases; i++) {
		const struct kernel_case *const c = &step_family.cases[i];
		const struct step_shape s = step_shape(c);
		struct kernel_buffer b[KERNEL_MAX_BUFFERS];
		struct kernel_model m;
		assert_int_equal(step_family.buffers(c, b), STEP_LOGITS + step_shows_logits(&s));
		step_family.model(c, &m);
		assert_int_equal(s.hidden % STEP_DEEP, 0);
		assert_true(s.hidden <= 4096); /* ONE_HIDDEN of one.cuh */
		assert_int_equal(s.heads % s.kv, 0);
		const int group = s.heads / s.kv; /* those of chain_attend() */
		assert_true(group == 1 || group == 2 || group == 4);
		assert_true(s.part != 0 && s.b <= STEP_MOST && s.l > 1 && s.vocab % 2 == 0);
		assert_true(s.shrink * s.shrink * (float)s.hidden > 1);
		if (s.part == STEP_EVERY)
			assert_int_equal(m.bytes_read,
			                 2 * (b[STEP_WEIGHTS].count + b[STEP_X].count +
			                      b[STEP_K].count + b[STEP_V].count));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(honest_is_within_one_tolerance),
	        cmocka_unit_test(faults_are_off_by_tolerances),
	        cmocka_unit_test(places_meet),
	        cmocka_unit_test(cases_are_sound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
