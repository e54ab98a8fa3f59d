#include "runner/compare/replication.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/json.h"
#include "lib/units.h"

static const char *name_of(enum replication_answer a)
{
	static const char *const names[REPLICATION_ANSWERS] = {"EQUIVALENT", "DIFFERENT",
	                                                       "INCONCLUSIVE", "NOT COMPARABLE"};
	return names[a];
}

double replication_band(const struct run *then, const struct run *now, struct arena *a)
{
	double *ratio = ARENA_ARRAY(a, double, then->nnulls + now->nnulls + 1);
	size_t n = record_null_ratios(then, a, ratio);
	n += record_null_ratios(now, a, ratio + n);
	return fmax(REPLICATION_BAND_PERCENT / 100.0, stats_band(ratio, n));
}

static bool equal_code(const struct run_case *x, const struct run_case *y)
{
	return x->build.code_sha256 && y->build.code_sha256 &&
	       strcmp(x->build.code_sha256, y->build.code_sha256) == 0;
}

size_t replication_moved(const struct run *then, const struct run *now, struct arena *a,
                         double *moved)
{
	double *by = ARENA_ARRAY(a, double, then->ncases + 1);
	size_t n = 0;
	for (size_t i = 0; i < then->ncases; i++) {
		const struct run_case *x = &then->cases[i], *y = record_case(now, x->id);
		struct stats_summary tx, ty;
		if (y && equal_code(x, y) && record_summary(then, x, a, &tx, NULL) &&
		    record_summary(now, y, a, &ty, NULL) && tx.launches > 1 && ty.launches > 1)
			by[n++] = expm1(fabs(log(ty.typical / tx.typical)));
	}
	if (n)
		stats_median(by, n); /* sorts */
	*moved = n ? stats_quantile_sorted(by, n, 0.95) : 0;
	return n;
}

/* --- whether two cases are comparable --- */

static const char *blob_of(const struct run_case *c, const char *path)
{
	for (size_t i = 0; i < c->nsource; i++)
		if (strcmp(c->source[i].path, path) == 0)
			return c->source[i].blob;
	return NULL;
}

/* The first source that differs, or NULL. A file that only one list has is no difference
 * if it is a header's companion, because older records do not list those. */
static const char *changed_source(const struct run_case *then, const struct run_case *now)
{
	for (size_t i = 0; i < then->nsource; i++) {
		const char *blob = blob_of(now, then->source[i].path);
		if (!blob || strcmp(blob, then->source[i].blob) != 0)
			return then->source[i].path;
	}
	return NULL;
}

static const char *compiler(const struct run_head *h, const struct run_case *c)
{
	const char *word = record_compiler(h, c);
	return word ? word : "unknown";
}

/* Why the two cannot be compared, or NULL. */
static const char *incomparable(const struct run *then, const struct run *now,
                                const struct replication_row *r, struct arena *a)
{
	const struct run_head *h = &then->head, *g = &now->head;
	if (strcmp(h->device, g->device) != 0)
		return arena_printf(a, "other device: %s then, %s now", h->device, g->device);
	if (!r->now)
		return "not in the new run: its build has no such variant or case";
	if (r->now->unavailable)
		return arena_printf(a, "not available: %s", r->now->unavailable);
	const char *path = r->same_code ? NULL : changed_source(r->then, r->now);
	return path ? arena_printf(a, "other source: %s", path) : NULL;
}

/* What was chosen then and now, if that is known and not the same; else NULL. */
static const char *chosen(const struct replication_row *r, struct arena *a)
{
	const struct run_choice *x = &r->then->build.choice, *y = &r->now->build.choice;
	if (record_choice_agrees(x, y))
		return NULL;
	return arena_printf(a, "other choice: %s then, %s now", record_choice_words(x, a),
	                    record_choice_words(y, a));
}

/* A difference worth noting between comparable cases, or NULL. */
static const char *noted(const struct run *then, const struct run *now,
                         const struct replication_row *r, struct arena *a)
{
	const char *x = compiler(&then->head, r->then), *y = compiler(&now->head, r->now);
	const char *f = record_flags(&then->head, r->then), *g = record_flags(&now->head, r->now);
	const char *choice = chosen(r, a);
	if (choice)
		return choice;
	if (r->same_code)
		return "same code";
	if (strcmp(x, y) != 0)
		return arena_printf(a, "other compiler: %s then, %s now", x, y);
	return strcmp(f, g) != 0 ? "other compiler flags" : NULL;
}

/* --- comparing --- */

static enum replication_answer answer_of(enum stats_verdict v)
{
	return v == STATS_EQUIVALENT  ? REPLICATION_EQUIVALENT
	       : v == STATS_UNDECIDED ? REPLICATION_INCONCLUSIVE
	                              : REPLICATION_DIFFERENT;
}

void replication_case(const struct run *then, const struct run_case *c, const struct run *now,
                      double band, struct arena *a, struct replication_row *out)
{
	double *x, *y;
	*out = (struct replication_row){.then = c, .now = record_case(now, c->id)};
	out->answer = REPLICATION_NOT_COMPARABLE;
	bool had = record_summary(then, c, a, &out->time_then, &x);
	bool has = out->now && record_summary(now, out->now, a, &out->time_now, &y);
	out->measured = had && has;
	out->same_code = out->now && equal_code(c, out->now);
	if (out->measured && out->time_then.launches > 1 && out->time_now.launches > 1)
		out->cmp = stats_compare_unpaired(y, out->time_now.launches, x,
		                                  out->time_then.launches, band);
	out->why = incomparable(then, now, out, a);
	if (out->why)
		return;
	if (!out->measured) {
		out->why = had ? "no launch passed now" : "no launch passed then";
		return;
	}
	out->answer =
	        out->cmp.ratio.launches ? answer_of(out->cmp.verdict) : REPLICATION_INCONCLUSIVE;
	out->why = out->cmp.ratio.launches ? noted(then, now, out, a)
	                                   : "an interval needs two launches on either side";
}

int replication_status(const struct replication_row *row, size_t n)
{
	size_t count[REPLICATION_ANSWERS] = {0};
	for (size_t i = 0; i < n; i++)
		count[row[i].answer]++;
	if (count[REPLICATION_DIFFERENT])
		return 1;
	return count[REPLICATION_EQUIVALENT] && !count[REPLICATION_INCONCLUSIVE] ? 0 : 2;
}

/* --- output --- */

static void print_time(const struct stats_summary *t)
{
	struct unit_text text;
	char cell[64];
	double half = t->launches > 1 ? (t->hi - t->lo) / 2 : 0;
	unit_format(t->typical, half, "s", &text);
	snprintf(cell, sizeof cell, "%s %s", text.number, text.unit);
	printf("  %10s", cell);
}

static void print_row(const struct replication_row *r)
{
	int width = (int)strlen(r->then->id);
	printf("%s%*s", r->then->id, width < 64 ? 64 - width : 1, "");
	if (r->measured) {
		print_time(&r->time_then);
		print_time(&r->time_now);
	} else {
		printf("  %10s  %10s", "-", "-");
	}
	if (r->cmp.ratio.launches)
		printf("  %6.4f [%6.4f, %6.4f]", r->cmp.ratio.typical, r->cmp.ratio.lo,
		       r->cmp.ratio.hi);
	else
		printf("  %24s", "-");
	printf("  %s", name_of(r->answer));
	if (r->answer == REPLICATION_INCONCLUSIVE && r->cmp.more)
		printf(" (%zu more launches)", r->cmp.more);
	printf("%s%s\n", r->why ? ": " : "", r->why ? r->why : "");
}

void replication_print(const struct run *then, const struct run *now,
                       const struct replication_row *row, size_t n, double band)
{
	size_t count[REPLICATION_ANSWERS] = {0};
	printf("then %s (commit %s)\nnow  %s (commit %s)\n", then->head.id,
	       record_commit(&then->head), now->head.id, record_commit(&now->head));
	printf("now / then by time, 95 %% interval; equivalent within ±%.2g %%\n\n", 100 * band);
	for (size_t i = 0; i < n; i++) {
		print_row(&row[i]);
		count[row[i].answer]++;
	}
	putchar('\n');
	for (int k = 0; k < REPLICATION_ANSWERS; k++)
		printf("%s%zu %s", k ? ", " : "", count[k], name_of((enum replication_answer)k));
	putchar('\n');
}

static void put_side(struct json_out *w, const char *key, const struct run *r)
{
	json_open(w, key, '{');
	json_put_str(w, "run", r->head.id);
	json_put_str(w, "device", r->head.device);
	json_put_str(w, "machine", r->head.machine.key);
	if (r->head.commit)
		json_put_str(w, "commit", r->head.commit);
	json_put_str(w, "sha256", r->sha256);
	json_close(w, '}');
}

static void put_row(struct json_out *w, const struct replication_row *r)
{
	json_open(w, NULL, '{');
	json_put_str(w, "case", r->then->id);
	json_put_str(w, "answer", name_of(r->answer));
	if (r->why)
		json_put_str(w, "why", r->why);
	json_put_bool(w, "same_code", r->same_code);
	if (r->measured) {
		json_put_f64(w, "then_s", r->time_then.typical);
		json_put_f64(w, "now_s", r->time_now.typical);
	}
	if (r->cmp.ratio.launches) {
		json_put_f64(w, "ratio", r->cmp.ratio.typical);
		json_put_f64(w, "lo", r->cmp.ratio.lo);
		json_put_f64(w, "hi", r->cmp.ratio.hi);
		json_put_i64(w, "more_launches", (int64_t)r->cmp.more);
	}
	json_close(w, '}');
}

void replication_print_json(const struct run *then, const struct run *now,
                            const struct replication_row *row, size_t n, double band)
{
	struct sb text = {0};
	struct json_out w = json_to(&text);
	json_open(&w, NULL, '{');
	put_side(&w, "then", then);
	put_side(&w, "now", now);
	json_put_f64(&w, "band", band);
	json_open(&w, "cases", '[');
	for (size_t i = 0; i < n; i++)
		put_row(&w, &row[i]);
	json_close(&w, ']');
	json_close(&w, '}');
	puts(text.p);
	sb_free(&text);
}
