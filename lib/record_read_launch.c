/*
 * lib/record_read_launch.c - reads a `launch` record, except which case it is of. Schemas
 * before 2.0 have objects where later ones have arrays, and times in nanoseconds.
 */
#include "lib/json.h"
#include "lib/record.h"
#include "lib/record_cut.h"
#include "lib/record_words.h"

/* What the parts of a reader share. */
struct launch {
	struct json v;
	const struct record_cuts *cut;
	const struct run_head *h;
	struct arena *a;
	struct run_launch *l;
	struct err *e;
};

static bool is_old(const struct launch *x)
{
	return x->h->major < 2;
}

/* n numbers in an array; from 2.0 on, one number may stand for n equal ones. */
static bool read_range(struct launch *x, const char *key, int64_t *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = RECORD_NONE;
	struct json arr = json_get(x->v, key);
	bool all = !is_old(x) && json_is_number(arr);
	if (!arr.value)
		return true;
	for (size_t i = 0; i < n; i++)
		if (!(all ? json_as_i64(arr, &out[i])
		          : json_is_array(arr) && json_len(arr) == n &&
		                      json_as_i64(json_item(arr, i), &out[i])))
			return err_at(x->e, x->v.at, "'%s' is not an array of %zu integers", key,
			              n);
	return true;
}

static bool read_old_check(struct launch *x, const char *key, struct run_check *k)
{
	struct json o;
	return json_want_obj(x->v, key, &o, x->e) && json_want_f64(o, "error", &k->error, x->e) &&
	       json_opt_f64(o, "norm", &k->norm, x->e) &&
	       json_opt_f64(o, "ulp_p99", &k->ulp, x->e) &&
	       json_want_i64(o, "looked_at", &k->looked_at, x->e) &&
	       json_want_bool(o, "passed", &k->passed, x->e);
}

/* An array of n values, or of up to `most`; a later minor version may append some. */
static bool want_array(struct launch *x, const char *key, size_t n, size_t most, struct json *arr)
{
	if (!json_want_arr(x->v, key, arr, x->e))
		return false;
	return (json_len(*arr) >= n && (x->h->newer || json_len(*arr) <= most)) ||
	       err_at(x->e, x->v.at, "'%s' has %zu values, expected %zu", key, json_len(*arr), n);
}

static bool number_or_null(struct json v, double *out)
{
	return json_is_null(v) || json_as_f64(v, out);
}

/* [error, norm, ulp_p99, looked_at, passed, exact]; null: not known. The last may be absent. */
static bool read_check(struct launch *x, const char *key, struct run_check *k)
{
	struct json arr;
	k->norm = k->ulp = -1;
	if (is_old(x))
		return read_old_check(x, key, k);
	if (!want_array(x, key, 5, 6, &arr))
		return false;
	return (json_as_f64(json_item(arr, 0), &k->error) &&
	        number_or_null(json_item(arr, 1), &k->norm) &&
	        number_or_null(json_item(arr, 2), &k->ulp) &&
	        json_as_i64(json_item(arr, 3), &k->looked_at) &&
	        json_as_bool(json_item(arr, 4), &k->passed) &&
	        (json_len(arr) < 6 ||
	         (json_as_i64(json_item(arr, 5), &k->exact) && k->exact > 0))) ||
	       err_at(x->e, x->v.at, "'%s' is not [error, norm, ulp_p99, looked_at, passed, exact]",
	              key);
}

/* The time of each part: by name before 2.0, then in the order of enum run_part. */
static bool read_spent(struct launch *x)
{
	struct json spent = json_get(x->v, "spent_us");
	if (!spent.value)
		return true;
	if (is_old(x) ? !json_want_obj(x->v, "spent_us", &spent, x->e)
	              : !want_array(x, "spent_us", RUN_PARTS, RUN_PARTS, &spent))
		return false;
	for (int p = 0; p < RUN_PARTS; p++) {
		const char *name = record_part_name((enum run_part)p);
		int64_t *us = &x->l->spent_us[p];
		if (is_old(x) && !json_opt_i64(spent, name, us, x->e))
			return false;
		if (!is_old(x) && !json_as_i64(json_item(spent, (size_t)p), us))
			return err_at(x->e, x->v.at, "'spent_us[%d]' is not an integer", p);
		if (*us < 0)
			return err_at(x->e, x->v.at, "'spent_us.%s' is negative", name);
	}
	return true;
}

/* Samples of each group, its cycles and its nanoseconds: three lists of one length. */
static bool read_groups(struct launch *x)
{
	static const char *const keys[] = {"samples", "cycles", "ns"};
	struct json o;
	int64_t *v[3];
	size_t n[3];
	if (!json_get(x->v, "groups").value)
		return true;
	if (!json_want_obj(x->v, "groups", &o, x->e))
		return false;
	for (int k = 0; k < 3; k++)
		if (!json_want_i64s(o, keys[k], x->a, &v[k], &n[k], x->e))
			return false;
	if (n[0] == 0 || n[1] != n[0] || n[2] != n[0])
		return err_at(x->e, x->v.at,
		              "'groups' has %zu, %zu and %zu values, expected equally many", n[0],
		              n[1], n[2]);
	x->l->group = ARENA_ARRAY(x->a, struct run_group, n[0]);
	x->l->ngroups = n[0];
	for (size_t i = 0; i < n[0]; i++) {
		x->l->group[i] = (struct run_group){v[0][i], v[1][i], v[2][i]};
		if (v[0][i] < 1 || v[1][i] < 1 || v[2][i] < 1)
			return err_at(x->e, x->v.at, "group %zu has a number below 1", i);
	}
	return true;
}

/* The groups must hold all samples and no more. */
static bool check_groups(struct launch *x)
{
	const struct run_launch *l = x->l;
	uint64_t left = l->nsamples;
	for (size_t i = 0; i < l->ngroups; i++) {
		if ((uint64_t)l->group[i].samples > left)
			return err_at(x->e, x->v.at, "'groups' has more samples than %zu",
			              l->nsamples);
		left -= (uint64_t)l->group[i].samples;
	}
	return l->ngroups == 0 || left == 0 ||
	       err_at(x->e, x->v.at, "'groups' lacks %zu of %zu samples", (size_t)left,
	              l->nsamples);
}

/* One number for each GPU of the case; absent if there is one GPU. */
static bool read_skew(struct launch *x)
{
	struct run_launch *l = x->l;
	if (!json_get(x->v, "skew_ns").value)
		return true;
	if (!json_want_i64s(x->v, "skew_ns", x->a, &l->skew_ns, &l->nskew, x->e))
		return false;
	for (size_t i = 0; i < l->nskew; i++)
		if (l->skew_ns[i] < 0)
			return err_at(x->e, x->v.at, "'skew_ns[%zu]' is negative", i);
	return (l->nskew >= 2 && l->nskew <= x->h->ngpus) ||
	       err_at(x->e, x->v.at, "'skew_ns' has %zu values, expected one for each GPU",
	              l->nskew);
}

static bool read_telemetry(struct launch *x)
{
	struct run_launch *l = x->l;
	l->memory_clock_mhz = l->energy_mj = l->throttle_reasons = RECORD_NONE;
	l->sm_cycles = l->sm_cycles_ns = RECORD_NONE;
	return read_range(x, "sm_clock_mhz", l->sm_clock_mhz, 3) &&
	       json_opt_i64(x->v, "memory_clock_mhz", &l->memory_clock_mhz, x->e) &&
	       read_range(x, "power_mw", l->power_mw, 3) &&
	       read_range(x, "temperature_c", l->temperature_c, 2) &&
	       json_opt_i64(x->v, "energy_mj", &l->energy_mj, x->e) &&
	       json_opt_i64(x->v, "energy_ns", &l->energy_ns, x->e) &&
	       json_opt_i64(x->v, "pause_ms", &l->pause_ms, x->e) &&
	       json_opt_i64(x->v, "throttle_reasons", &l->throttle_reasons, x->e) &&
	       json_opt_i64(x->v, "gates_expired", &l->gates_expired, x->e) &&
	       json_opt_i64(x->v, "sm_cycles", &l->sm_cycles, x->e) &&
	       json_opt_i64(x->v, "sm_cycles_ns", &l->sm_cycles_ns, x->e) && read_groups(x) &&
	       read_skew(x) && read_spent(x);
}

/* An array of integers that was cut from the line, or that is still in it. */
static bool take_array(struct launch *x, const char *key, const struct record_cut *cut,
                       int64_t **out, size_t *n)
{
	if (!json_want_i64s(x->v, key, x->a, out, n, x->e))
		return false;
	if (cut->done) {
		*out = cut->v;
		*n = cut->n;
	}
	return true;
}

/* (base + excess) × step; false if that is no number. */
static bool time_of(int64_t base, int64_t step, int64_t *excess)
{
	return !__builtin_add_overflow(*excess, base, excess) &&
	       !__builtin_mul_overflow(*excess, step, excess);
}

/* Samples, and warm-up, which from 2.0 on is relative to the base, too, in steps. */
static bool read_times(struct launch *x)
{
	struct run_launch *l = x->l;
	struct record_keys keys = record_cut_keys(x->h->major);
	int64_t base, step = 1;
	if (!take_array(x, keys.warmup, &x->cut->warmup, &l->warmup_ns, &l->nwarmup) ||
	    !json_want_i64(x->v, is_old(x) ? "base_ns" : "base", &base, x->e) ||
	    (!is_old(x) && !json_opt_i64(x->v, "step_ns", &step, x->e)) ||
	    !take_array(x, keys.samples, &x->cut->samples, &l->sample_ns, &l->nsamples))
		return false;
	if (step < 1)
		return err_at(x->e, x->v.at, "'step_ns' is %lld, expected 1 or more",
		              (long long)step);
	for (size_t i = 0; i < l->nsamples; i++)
		if (l->sample_ns[i] < 0 || !time_of(base, step, &l->sample_ns[i]) ||
		    l->sample_ns[i] <= 0)
			return err_at(x->e, x->v.at, "sample %zu is not a positive time", i);
	for (size_t i = 0; i < l->nwarmup && !is_old(x); i++)
		if (!time_of(base, step, &l->warmup_ns[i]))
			return err_at(x->e, x->v.at, "sample %zu of the warm-up is no time", i);
	return true;
}

/* Members that depend on each other: samples need a batch and both checks. */
static bool check_launch(struct launch *x)
{
	const struct run_launch *l = x->l;
	bool newer = x->h->newer;
	if (l->energy_ns < 0 || l->pause_ms < 0)
		return err_at(x->e, x->v.at, "'%s' is negative",
		              l->energy_ns < 0 ? "energy_ns" : "pause_ms");
	if (!record_words_want(x->v, "timer", RECORD_TIMERS, l->timer, newer, x->e) ||
	    !record_words_want(x->v, "stop", RECORD_STOPS, l->stop, newer, x->e))
		return false;
	if (l->nsamples && l->batch < 1)
		return err_at(x->e, x->v.at, "'batch' is %lld, expected 1 or more",
		              (long long)l->batch);
	if (l->nsamples && !x->h->foreign && (!l->before.passed || !l->after.passed))
		return err_at(x->e, x->v.at, "samples of a launch that failed its check");
	return check_groups(x);
}

bool record_read_launch(struct json v, const struct record_cuts *cut, const struct run_head *h,
                        struct arena *a, struct run_launch *l, struct err *e)
{
	struct launch x = {v, cut, h, a, l, e};
	return json_want_i64(v, "i", &l->i, e) && json_want_i64(v, "at", &l->at, e) &&
	       json_want_i64(v, "pid", &l->pid, e) && json_want_i64(v, "t_ms", &l->t_ms, e) &&
	       json_want_i64(v, "seed", &l->seed, e) && json_opt_str(v, "node", a, &l->node, e) &&
	       json_want_str(v, "status", a, &l->status, e) &&
	       read_check(&x, "before", &l->before) && read_check(&x, "after", &l->after) &&
	       json_want_i64(v, "batch", &l->batch, e) &&
	       json_opt_str(v, "timer", a, &l->timer, e) &&
	       json_opt_str(v, "stop", a, &l->stop, e) &&
	       json_opt_str(v, "library", a, &l->library, e) &&
	       record_read_choice(v, a, &l->choice, e) && read_telemetry(&x) && read_times(&x) &&
	       check_launch(&x);
}
