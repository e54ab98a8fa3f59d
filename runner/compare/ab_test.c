#include "runner/compare/ab_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"

static const double FALSE_DISCOVERIES = 0.05;

/* Widest band that measured noise may give: otherwise a noisy machine would pass everything. */
static const double WIDEST = 0.01;

static bool is_tested(const struct ab_test_row *r)
{
	return !r->broken && !r->same_code && r->cmp.ratio.launches > 1;
}

static void mark_alarms(struct ab_test *v)
{
	double *p = calloc(v->n + 1, sizeof *p);
	bool *found = calloc(v->n + 1, sizeof *found);
	size_t n = 0;
	if (!p || !found)
		arena_die("out of memory");
	for (size_t i = 0; i < v->n; i++)
		if (is_tested(&v->row[i]))
			p[n++] = v->row[i].cmp.p;
	stats_discoveries(p, n, FALSE_DISCOVERIES, found);
	for (size_t i = n = 0; i < v->n; i++)
		if (is_tested(&v->row[i]))
			v->row[i].alarm = found[n++] && v->row[i].cmp.verdict == STATS_SLOWER;
	free(found);
	free(p);
}

void ab_test_judge(struct ab_test *v, double band)
{
	v->band = band > 0 ? band : fmax(stats_band(v->null_ratio, v->nnull), v->least_band);
	v->wide = band <= 0 && v->band > WIDEST;
	for (size_t i = 0; i < v->n; i++) {
		struct ab_test_row *r = &v->row[i];
		if (r->na < 2 || r->nb < 2)
			continue;
		r->cmp = r->paired ? stats_compare(r->mb, r->ma, r->na, v->band)
		                   : stats_compare_unpaired(r->mb, r->nb, r->ma, r->na, v->band);
	}
	mark_alarms(v);
}

const char *ab_test_word(const struct ab_test_row *r)
{
	if (r->broken)
		return stats_verdict_name(STATS_UNDECIDED);
	return r->same_code ? "same code" : stats_verdict_name(r->cmp.verdict);
}

int ab_test_status(const struct ab_test *v)
{
	bool open = v->n == 0;
	for (size_t i = 0; i < v->n; i++) {
		const struct ab_test_row *r = &v->row[i];
		if (r->alarm)
			return 1;
		bool decided = r->same_code || r->cmp.verdict == STATS_FASTER ||
		               (r->cmp.verdict == STATS_EQUIVALENT && !v->wide);
		open |= r->broken || !decided;
	}
	return open ? 2 : 0;
}

/* --- output --- */

static const char *note_of(const struct ab_test_row *r)
{
	return r->broken ? r->broken : r->note;
}

static void print_row(const struct ab_test_row *r)
{
	const char *name = r->b;
	int width = (int)strlen(name);
	printf("%s%*s", name, width < 64 ? 64 - width : 1, "");
	if (r->cmp.ratio.launches > 1)
		printf("  %6.4f [%6.4f, %6.4f]", r->cmp.ratio.typical, r->cmp.ratio.lo,
		       r->cmp.ratio.hi);
	else
		printf("  %24s", "-");
	printf("  %s", ab_test_word(r));
	if (is_tested(r) && r->cmp.verdict == STATS_UNDECIDED && r->cmp.more)
		printf(" (%zu more launches)", r->cmp.more);
	if (is_tested(r) && r->cmp.verdict == STATS_SLOWER && !r->alarm)
		printf(" (no alarm among so many cases)");
	const char *note = note_of(r);
	printf("%s%s\n", note ? ": " : "", note ? note : "");
}

void ab_test_print(const struct ab_test *v)
{
	printf("A %s\nB %s\n", v->a, v->b);
	printf("A against A:%s", v->nnull ? "" : " no control");
	for (size_t i = 0; i < v->nnull; i++)
		printf(" %.4f", v->null_ratio[i]);
	if (v->remark)
		printf("\n%s", v->remark);
	printf("\nB / A by time, 95 %% interval; equivalent within ±%.2g %%\n\n", 100 * v->band);
	for (size_t i = 0; i < v->n; i++)
		print_row(&v->row[i]);
	if (v->wide)
		printf("equal code lies more than 1 %% apart here: equivalence within that is no "
		       "success, unless --band asks for it\n");
	if (v->only_a || v->only_b)
		printf("not compared: cases that only A has, %zu; that only B has, %zu\n",
		       v->only_a, v->only_b);
}

static void put_row(struct json_out *w, const struct ab_test_row *r)
{
	json_open(w, NULL, '{');
	json_put_str(w, "a", r->a);
	json_put_str(w, "b", r->b);
	json_put_str(w, "verdict", ab_test_word(r));
	json_put_bool(w, "alarm", r->alarm);
	if (r->cmp.ratio.launches > 1) {
		json_put_f64(w, "ratio", r->cmp.ratio.typical);
		json_put_f64(w, "lo", r->cmp.ratio.lo);
		json_put_f64(w, "hi", r->cmp.ratio.hi);
		json_put_f64(w, "p", r->cmp.p);
		json_put_i64(w, "launches", (int64_t)r->na);
		json_put_i64(w, "more_launches", (int64_t)r->cmp.more);
	}
	if (note_of(r))
		json_put_str(w, "note", note_of(r));
	json_close(w, '}');
}

void ab_test_print_json(const struct ab_test *v)
{
	struct sb text = {0};
	struct json_out w = json_to(&text);
	json_open(&w, NULL, '{');
	json_put_str(&w, "a", v->a);
	json_put_str(&w, "b", v->b);
	json_put_f64(&w, "band", v->band);
	json_put_bool(&w, "wide", v->wide);
	json_open(&w, "null_ratios", '[');
	for (size_t i = 0; i < v->nnull; i++)
		json_put_f64(&w, NULL, v->null_ratio[i]);
	json_close(&w, ']');
	json_open(&w, "cases", '[');
	for (size_t i = 0; i < v->n; i++)
		put_row(&w, &v->row[i]);
	json_close(&w, ']');
	json_put_i64(&w, "only_a", (int64_t)v->only_a);
	json_put_i64(&w, "only_b", (int64_t)v->only_b);
	if (v->remark)
		json_put_str(&w, "remark", v->remark);
	json_put_i64(&w, "status", ab_test_status(v));
	json_close(&w, '}');
	puts(text.p);
	sb_free(&text);
}
