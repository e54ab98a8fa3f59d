/*
 * To add a counter, add a row below and one in lib/ncu_metrics.c, and its title in the other
 * languages to templates/words.lua.
 */
#include "site-gen/numbers/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/ncu_metrics.h"
#include "lib/ways.h"
#include "site-gen/lua/words.h"
#include "site-gen/numbers/case.h"
#include "site-gen/base/html.h"

static const struct counter_info table[] = {
        {"dram_bytes", "DRAM traffic", COUNTER_BYTES, false}, /* of the next two */
        {"dram_read_bytes", "Read from DRAM", COUNTER_BYTES, false},
        {"dram_written_bytes", "Written to DRAM", COUNTER_BYTES, false},
        {"dram_over_model", "DRAM traffic over the model's bytes", COUNTER_RATIO, false},
        {"l2_hit_percent", "L2 hit rate", COUNTER_PERCENT, false},
        {"occupancy_percent", "Achieved occupancy", COUNTER_PERCENT, false},
        {"occupancy_limit_percent", "Occupancy that registers and shared memory allow",
         COUNTER_PERCENT, false},
        {"tensor_pipe_percent", "Tensor pipe, of the instructions it can take", COUNTER_PERCENT,
         false},
        {"shared_bank_conflicts", "Shared-memory bank conflicts", COUNTER_PLAIN, false},
        {"shared_pipe_percent", "Shared-memory pipe busy", COUNTER_PERCENT, false},
        {"dram_percent", "DRAM busy", COUNTER_PERCENT, false},
        {"l2_percent", "L2 sectors, of what L2 can serve", COUNTER_PERCENT, false},
        {"l2_atomic_percent", "L2 atomic unit busy", COUNTER_PERCENT, false},
        {"l2_atomic_max_percent", "Busiest L2 atomic unit busy", COUNTER_PERCENT, false},
        {"l2_tag_percent", "L2 tag lookups, of what L2 can do", COUNTER_PERCENT, false},
        {"to_l2_percent", "Way into L2 busy", COUNTER_PERCENT, false},
        {"from_l1_percent", "Way out of L1 busy", COUNTER_PERCENT, false},
        {"l2_atomic_sectors", "Sectors of atomics that return a value, in L2", COUNTER_PLAIN,
         false},
        {"l2_reduction_sectors", "Sectors of atomics that return none, in L2", COUNTER_PLAIN,
         false},
        {"load_sectors_per_request", "Sectors per load of a warp", COUNTER_PER, false},
        {"load_requests", "Loads of warps", COUNTER_PLAIN, false},
        {"load_sectors", "Sectors they asked for", COUNTER_PLAIN, false},
        {"store_sectors_per_request", "Sectors per store of a warp", COUNTER_PER, false},
        {"store_requests", "Stores of warps", COUNTER_PLAIN, false},
        {"store_sectors", "Sectors they wrote", COUNTER_PLAIN, false},
        {"instructions", "Instructions of warps", COUNTER_PLAIN, false},
        {"issue_percent", "Issue slots used", COUNTER_PERCENT, false},
        {"registers", "Registers per thread", COUNTER_PLAIN, false},
        {"local_loads", "Loads from local memory", COUNTER_PLAIN, false},
        {"local_stores", "Stores to local memory", COUNTER_PLAIN, false},
        {"stall_memory_warps", "Cycles waited for memory, per instruction", COUNTER_WARPS, true},
        {"stall_shared_warps", "Cycles waited for shared memory, per instruction", COUNTER_WARPS,
         true},
        {"stall_memory_queue_warps", "Cycles waited for the memory queue, per instruction",
         COUNTER_WARPS, true},
        {"stall_shared_queue_warps", "Cycles waited for the shared-memory queue, per instruction",
         COUNTER_WARPS, true},
        {"stall_math_warps", "Cycles waited for an arithmetic pipe, per instruction", COUNTER_WARPS,
         true},
        {"stall_barrier_warps", "Cycles waited at a barrier, per instruction", COUNTER_WARPS, true},
        {"stall_dependency_warps", "Cycles waited for an own result, per instruction",
         COUNTER_WARPS, true},
};
enum { NTABLE = ARRAY_LEN(table) };

const struct counter_info *counter_table(size_t *n)
{
	*n = NTABLE;
	return table;
}

const struct counter_info *counter_find(struct str name)
{
	for (size_t i = 0; i < NTABLE; i++)
		if (str_is(name, table[i].name))
			return &table[i];
	return NULL;
}

/* --- finding them ------------------------------------------------------------------- */

static bool look_in(const struct data_run *r, const char *device, const char *id,
                    struct counters *out)
{
	const struct run_case *c;
	const struct run_counters *k;
	if (r->why_none || r->run.ncounters == 0 || strcmp(r->run.head.device, device) != 0 ||
	    !(c = data_run_case(r, id)) || !(k = record_counters(&r->run, c)))
		return false;
	*out = (struct counters){.file = r, .c = k, .of = c};
	return true;
}

/* Finds the newest run with values, or else the newest that gives a reason for having none. */
static bool newest_in(const struct data_run *r, size_t n, const char *device, const char *id,
                      struct counters *out)
{
	struct counters k;
	bool any = false;
	for (size_t i = 0; i < n; i++) {
		if (!look_in(&r[i], device, id, &k) || (any && k.c->unavailable))
			continue;
		*out = k;
		any = true;
		if (!k.c->unavailable)
			return true;
	}
	return any;
}

bool counters_of(const struct data *d, const char *device, const char *case_id,
                 struct counters *out)
{
	struct counters other;
	bool has = newest_in(d->profiles, d->nprofiles, device, case_id, out);
	if (has && !out->c->unavailable)
		return true;
	if (!newest_in(d->runs, d->nruns, device, case_id, &other) || (has && other.c->unavailable))
		return has;
	*out = other;
	return true;
}

static bool same_sources(const struct run_case *a, const struct run_case *b)
{
	for (size_t i = 0; i < a->nsource; i++) {
		bool found = false;
		for (size_t k = 0; k < b->nsource && !found; k++)
			found = strcmp(a->source[i].path, b->source[k].path) == 0 &&
			        strcmp(a->source[i].blob, b->source[k].blob) == 0;
		if (!found)
			return false;
	}
	return a->nsource == b->nsource;
}

bool counters_same_code(const struct counters *k, const struct run_case *measured)
{
	const char *a = k->c ? record_counters_library(k->c) : NULL;
	const char *b = measured->build.library;
	const struct run_choice *chosen =
	        k->c ? record_counters_choice(k->c) : &k->of->build.choice;
	if ((a && b && strcmp(a, b) != 0) || !record_choice_agrees(chosen, &measured->build.choice))
		return false;
	a = k->of->build.code_sha256;
	b = measured->build.code_sha256;
	if (a && b)
		return strcmp(a, b) == 0;
	return same_sources(k->of, measured) &&
	       strcmp(k->of->build.flags, measured->build.flags) == 0;
}

void counters_hold(struct counters *k, const struct data *d)
{
	const struct data_number *n = data_number_at(d, str_of(data_case_of(k->file, k->of)->url));
	size_t at = n && n->newest < n->nruns ? n->newest : 0;
	if (n && !counters_same_code(k, n->in[at]->c))
		k->not_of = (struct pick){n->runs[at], n->in[at]};
}

/* Given not_of: were the counters taken before that case was measured? */
static bool are_earlier(const struct counters *k)
{
	return strcmp(k->file->run.head.start, k->not_of.run->run.head.start) < 0;
}

/* --- values ------------------------------------------------------------------------- */

static bool raw(const struct run_counters *c, const char *name, double *value)
{
	const struct run_counter *v = record_counter(c, name);
	if (v)
		*value = v->value;
	return v != NULL;
}

/*
 * No share can be above 100 %. The profiler divides counters that it took in different replays of
 * the call, and these differ where almost no traffic passes through L2. 1 % is tolerated.
 */
bool counter_is_refused(const struct counters *k, const struct counter_info *i)
{
	static const double MOST = 101;
	double v;
	return i->unit == COUNTER_PERCENT && !k->c->unavailable && raw(k->c, i->name, &v) &&
	       v > MOST;
}

static double model_bytes(const struct run_case *c)
{
	return (double)c->model.bytes_read + (double)c->model.bytes_written;
}

/* Counters derived from two others: their sum, their sum over the model's bytes, or a / b. */
static const struct {
	const char *name, *a, *b;
	enum { BY_NOTHING, BY_MODEL, BY_B } by;
} derived[] = {
        {"dram_bytes", "dram_read_bytes", "dram_written_bytes", BY_NOTHING},
        {"dram_over_model", "dram_read_bytes", "dram_written_bytes", BY_MODEL},
        {"load_sectors_per_request", "load_sectors", "load_requests", BY_B},
        {"store_sectors_per_request", "store_sectors", "store_requests", BY_B},
};
enum { NDERIVED = ARRAY_LEN(derived) };

size_t counter_metrics(const struct counter_info *i, const char *out[2])
{
	for (size_t d = 0; d < NDERIVED; d++) {
		if (strcmp(derived[d].name, i->name) != 0)
			continue;
		out[0] = ncu_metrics_name(str_of(derived[d].a));
		out[1] = ncu_metrics_name(str_of(derived[d].b));
		return 2;
	}
	out[0] = ncu_metrics_name(str_of(i->name));
	return out[0] != NULL;
}

bool counter_value(const struct counters *k, const struct counter_info *i, double *value)
{
	double a, b;
	if (k->c->unavailable)
		return false;
	for (size_t d = 0; d < NDERIVED; d++) {
		if (strcmp(derived[d].name, i->name) != 0)
			continue;
		if (!raw(k->c, derived[d].a, &a) || !raw(k->c, derived[d].b, &b))
			return false;
		double under = derived[d].by == BY_MODEL ? model_bytes(k->of)
		               : derived[d].by == BY_B   ? b
		                                         : 1;
		*value = (derived[d].by == BY_B ? a : a + b) / under;
		return under > 0;
	}
	return raw(k->c, i->name, value) && !counter_is_refused(k, i);
}

const char *counter_missing(const struct counters *k, const struct counter_info *i,
                            const struct words *w, struct arena *a)
{
	if (k->c->unavailable)
		return k->c->unavailable;
	if (counter_is_refused(k, i))
		return words_get(w, "counter_refused");
	for (size_t m = 0; m < k->c->nmissing; m++)
		if (strcmp(k->c->missing[m].name, i->name) == 0 && k->c->missing[m].word)
			return words_fill(w, a, "counter_said", k->c->tool, k->c->missing[m].word);
	return words_fill(w, a, "counter_gave_none", k->c->tool, i->name);
}

const struct counter_info *counter_top_stall(const struct counters *k)
{
	const struct counter_info *top = NULL;
	double most = 0, v;
	for (size_t i = 0; i < NTABLE; i++)
		if (table[i].stall && counter_value(k, &table[i], &v) && v > most) {
			most = v;
			top = &table[i];
		}
	return top;
}

/* --- print -------------------------------------------------------------------------- */

/* Three digits and the largest fitting number word of the language: "19.1 million". */
static void put_large(double exact, const struct words *w, struct sb *to)
{
	double step = pow(10, floor(log10(exact)) - 2), value = round(exact / step) * step;
	struct str rest = str_of(words_get(w, "large_counts")), each, word, name = {"", 0};
	double in = 1;
	int64_t n;
	while (str_cut(rest, ' ', &each, &rest)) {
		str_cut(rest, ' ', &word, &rest);
		if (!str_i64(each, &n) || (double)n > value)
			break;
		in = (double)n;
		name = word;
	}
	/* from 1000 on, %.3g would print an exponent */
	sb_printf(to, value / in < 1000 ? "%.3g" : "%.0f", value / in);
	sb_printf(to, NBSP STR_FMT, STR_ARG(name));
}

void counter_text(const struct counter_info *i, double value, const struct words *w, struct sb *to)
{
	enum { EXACT_BELOW = 1000000 };
	struct unit_text u;
	switch (i->unit) {
	case COUNTER_BYTES:
		unit_format(value, 0, "B", &u);
		sb_printf(to, "%s" NBSP "%s", u.number, u.unit);
		break;
	case COUNTER_PERCENT:
		unit_format(value, 0, "%", &u);
		sb_printf(to, "%s" NBSP "%%", u.number);
		break;
	case COUNTER_RATIO:
		unit_format(value, 0, "×", &u);
		sb_printf(to, "%s×", u.number);
		break;
	case COUNTER_WARPS:
	case COUNTER_PER:
		sb_printf(to, value < 10 ? "%.2f" : "%.1f", value);
		break;
	case COUNTER_PLAIN:
		if (value < EXACT_BELOW)
			sb_printf(to, "%.0f", value);
		else
			put_large(value, w, to);
		break;
	}
}

/* "counter h200 <case id> <name>": the key of the fact (number.h). */
static const char *key_of(const char *device, const char *case_id, const struct counter_info *i,
                          struct arena *a)
{
	return arena_printf(a, "counter %s %s %s", device, case_id, i->name);
}

static const char *unit_of(const struct counter_info *i)
{
	return i->unit == COUNTER_BYTES     ? "B"
	       : i->unit == COUNTER_PERCENT ? "%"
	       : i->unit == COUNTER_RATIO   ? "×"
	                                    : "";
}

/* Records the value as a fact of the page; returns its text. */
static const char *remember(struct expand_ctx *ctx, const struct counters *k,
                            const struct counter_info *i, double value, const char *key)
{
	struct sb text = {0};
	counter_text(i, value, ctx->words, &text);
	const char *own = str_dup(ctx->arena, sb_view(&text));
	number_fact(ctx,
	            (struct fact){.key = key,
	                          .text = own,
	                          .unit = unit_of(i),
	                          .value = value,
	                          .run = k->file->run.head.id,
	                          .source = arena_printf(ctx->arena, "%s, one call", k->c->tool),
	                          .not_of = k->not_of});
	sb_free(&text);
	return own;
}

/* Preview if their file is not committed; stale if they belong to another build. */
static enum data_state state_of(const struct counters *k)
{
	return !k->file->committed ? DATA_PREVIEW : k->not_of.d ? DATA_STALE : DATA_OK;
}

void counter_plain(struct expand_ctx *ctx, const struct counters *k, const struct counter_info *i,
                   double value, struct sb *to)
{
	const char *key = key_of(k->file->run.head.device, k->of->id, i, ctx->arena);
	enum data_state state = state_of(k);
	sb_cstr(to, remember(ctx, k, i, value, key));
	if (state != DATA_OK)
		sb_printf(to, " (%s)", words_state(ctx->words, data_state_name(state)));
}

/* Tooltip: the counter with the profiler's names for it, the profiled call, and a note if it ran
 * another build than was measured. */
static const char *title_of(struct expand_ctx *ctx, const struct counters *k,
                            const struct counter_info *i)
{
	const struct words *w = ctx->words;
	const char *metric[2];
	size_t n = counter_metrics(i, metric);
	const char *what = arena_printf(
	        ctx->arena, "%s: %s (%s%s%s); %s, %s; %s", k->of->id, words_label(w, i->title),
	        n > 0 ? metric[0] : i->name, n > 1 ? ", " : "", n > 1 ? metric[1] : "", k->c->tool,
	        words_get(w, "counter_one_call"), case_date(&k->file->run, ctx->arena));
	if (!k->not_of.d)
		return what;
	return arena_printf(
	        ctx->arena, "%s; %s: %s", what, words_state(w, data_state_name(DATA_STALE)),
	        words_get(w, are_earlier(k) ? "counters_earlier_build" : "counters_later_build"));
}

void counter_link(struct expand_ctx *ctx, const struct counters *k, const struct counter_info *i,
                  double value, struct sb *to)
{
	const char *key = key_of(k->file->run.head.device, k->of->id, i, ctx->arena);
	const struct data_case *d = data_case_of(k->file, k->of);
	enum data_state state = state_of(k);
	struct sb text = {0};
	html_raw(to, "<a class=\"num counter\" href=\"");
	html_attr(to, str_of(ctx->base));
	html_attr(to, str_of(d->url));
	html_raw(to, "#counters\" data-n=\"");
	html_attr(to, str_of(key));
	html_raw(to, "\" title=\"");
	html_attr(to, str_of(title_of(ctx, k, i)));
	if (state != DATA_OK) {
		html_raw(to, "\" data-state=\"");
		html_raw(to, data_state_name(state));
	}
	html_raw(to, "\">");
	unit_count(str_of(remember(ctx, k, i, value, key)), &text);
	html_text(to, sb_view(&text));
	sb_free(&text);
	number_mark(ctx->words, state, to);
	html_raw(to, "</a>");
}

/* --- bytes -------------------------------------------------------------------------- */

bool counters_bytes(const struct data *d, const struct pick *p, double *bytes)
{
	struct counters k;
	return counters_of(d, p->run->run.head.device, p->d->c->id, &k) &&
	       counters_same_code(&k, p->d->c) && counter_value(&k, &table[0], bytes);
}

static int by_distance(const void *a, const void *b)
{
	const struct counted_case *x = a, *y = b;
	double dx = fabs(log(x->ratio)), dy = fabs(log(y->ratio));
	return dx > dy ? -1 : dx < dy ? 1 : strcmp(x->pick.d->c->id, y->pick.d->c->id);
}

static bool counted(const struct data *d, const struct data_number *n, struct counted_case *out)
{
	const struct counter_info *over = counter_find(STR("dram_over_model"));
	if (n->newest == n->nruns)
		return false;
	*out = (struct counted_case){.pick = {n->runs[n->newest], n->in[n->newest]}};
	const struct run_case *c = out->pick.d->c;
	return strcmp(c->cache, "cold") == 0 && c->model.level &&
	       strcmp(c->model.level, "hbm") == 0 && !ways_other_work(c) &&
	       counters_of(d, n->device, c->id, &out->counters) &&
	       counters_same_code(&out->counters, c) &&
	       counter_value(&out->counters, over, &out->ratio) && out->ratio > 0;
}

size_t counters_differing(const struct data *d, const char *device, struct arena *a,
                          struct counted_case **out)
{
	size_t n = 0;
	struct counted_case *all = ARENA_ARRAY(a, struct counted_case, d->nnumbers + 1);
	for (size_t i = 0; i < d->nnumbers; i++)
		if (strcmp(d->numbers[i].device, device) == 0 &&
		    counted(d, &d->numbers[i], &all[n]))
			n++;
	if (n)
		qsort(all, n, sizeof *all, by_distance);
	*out = all;
	return n;
}
