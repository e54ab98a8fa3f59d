/*
 * lib/record_write.c - writes a run file's lines. The order of the calls fixes the
 * order of the keys, so equal records give equal bytes.
 */
#include "lib/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/hash.h"
#include "lib/json.h"
#include "lib/record_foreign.h"

static struct json_out begin(struct sb *to, const char *type)
{
	struct json_out w = json_to(to);
	json_open(&w, NULL, '{');
	json_put_str(&w, "type", type);
	return w;
}

static void finish(struct json_out *w)
{
	json_close(w, '}');
	sb_char(w->to, '\n');
}

static void opt_str(struct json_out *w, const char *key, const char *s)
{
	if (s)
		json_put_str(w, key, s);
}

static void opt_i64(struct json_out *w, const char *key, int64_t v)
{
	if (v != RECORD_NONE)
		json_put_i64(w, key, v);
}

static void not_0(struct json_out *w, const char *key, int64_t v)
{
	if (v != 0)
		json_put_i64(w, key, v);
}

void record_put_pairs(struct json_out *w, const char *key, const struct run_pair *p, size_t n)
{
	json_open(w, key, '{');
	for (size_t i = 0; i < n; i++) {
		if (p[i].word)
			json_put_str(w, p[i].name, p[i].word);
		else
			json_put_i64(w, p[i].name, p[i].num);
	}
	json_close(w, '}');
}

static void put_array(struct json_out *w, const char *key, const int64_t *v, size_t n)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < n; i++)
		json_put_i64(w, NULL, v[i]);
	json_close(w, ']');
}

static void put_provenance(struct json_out *w, const struct run_head *h)
{
	json_open(w, "provenance", '{');
	opt_str(w, "commit", h->commit);
	json_put_bool(w, "dirty", h->dirty);
	json_put_str(w, "runner_sha256", h->runner_sha256);
	record_put_pairs(w, "toolchain", h->toolchain, h->ntoolchain);
	json_close(w, '}');
}

static void put_machine(struct json_out *w, const struct run_machine *m)
{
	json_open(w, "machine", '{');
	json_put_str(w, "key", m->key);
	json_put_str(w, "cpu", m->cpu);
	json_put_i64(w, "cores", m->cores);
	json_put_i64(w, "memory_bytes", m->memory_bytes);
	json_put_str(w, "os", m->os);
	opt_str(w, "virtualisation", m->virtualisation);
	json_close(w, '}');
}

static void put_gpu(struct json_out *w, const struct run_gpu *g)
{
	if (!g->name)
		return;
	json_open(w, "gpu", '{');
	json_put_str(w, "name", g->name);
	opt_str(w, "uuid", g->uuid);
	opt_str(w, "vbios", g->vbios);
	opt_str(w, "driver", g->driver);
	opt_str(w, "compute_capability", g->compute_capability);
	opt_i64(w, "cuda_driver", g->cuda_driver);
	opt_i64(w, "cuda_runtime", g->cuda_runtime);
	opt_i64(w, "sms", g->sms);
	opt_i64(w, "l2_bytes", g->l2_bytes);
	opt_i64(w, "memory_bytes", g->memory_bytes);
	opt_i64(w, "bus_bits", g->bus_bits);
	opt_i64(w, "sm_clock_max_mhz", g->sm_clock_max_mhz);
	opt_i64(w, "memory_clock_max_mhz", g->memory_clock_max_mhz);
	opt_i64(w, "power_limit_mw", g->power_limit_mw);
	opt_i64(w, "ecc", g->ecc);
	json_close(w, '}');
}

static void put_calibration(struct json_out *w, const struct run_head *h)
{
	json_open(w, "calibration", '{');
	json_put_f64(w, "tick_ns", h->tick_ns);
	put_array(w, "empty_pair_ns", h->empty_pair_ns, h->nempty_pair);
	put_array(w, "empty_kernel_ns", h->empty_kernel_ns, h->nempty_kernel);
	put_array(w, "graph_node_ns", h->graph_node_ns, h->ngraph_node);
	put_array(w, "flush_ns", h->flush_ns, h->nflush);
	json_close(w, '}');
}

static void put_plan(struct json_out *w, const struct run_head *h)
{
	json_open(w, "plan", '{');
	json_open(w, "argv", '[');
	for (size_t i = 0; i < h->nargv; i++)
		json_put_str(w, NULL, h->argv[i]);
	json_close(w, ']');
	json_put_i64(w, "rng_seed", h->rng_seed);
	json_put_i64(w, "launches", h->launches);
	json_put_str(w, "order", h->order);
	json_put_i64(w, "warmup_ms", h->warmup_ms);
	json_put_f64(w, "stop_halfwidth", h->stop_halfwidth);
	json_put_i64(w, "min_samples", h->min_samples);
	json_put_i64(w, "max_samples", h->max_samples);
	json_put_i64(w, "cap_ms", h->cap_ms);
	json_put_i64(w, "flush_bytes", h->flush_bytes);
	not_0(w, "idle_ms", h->idle_ms);
	not_0(w, "burst_ms", h->burst_ms);
	not_0(w, "load_ms", h->load_ms);
	not_0(w, "settle_ms", h->settle_ms);
	not_0(w, "steady_ms", h->steady_ms);
	json_close(w, '}');
}

void record_put_head(struct sb *to, const struct run_head *h)
{
	struct json_out w = begin(to, "run");
	json_put_str(&w, "schema", h->schema);
	json_put_str(&w, "id", h->id);
	json_put_str(&w, "device", h->device);
	json_put_str(&w, "start", h->start);
	opt_str(&w, "reason", h->reason);
	opt_str(&w, "replicates", h->replicates);
	record_foreign_put(&w, h);
	record_put_shards(&w, h);
	put_provenance(&w, h);
	put_machine(&w, &h->machine);
	put_gpu(&w, &h->gpu);
	record_put_several(&w, h);
	put_calibration(&w, h);
	put_plan(&w, h);
	record_put_pairs(&w, "unavailable", h->unavailable, h->nunavailable);
	finish(&w);
}

/* v without what follows its first 4 digits, so that an error stays within its tolerance. */
static double four_digits(double v)
{
	char text[32];
	snprintf(text, sizeof text, "%.3e", v);
	double rounded = strtod(text, NULL);
	if (rounded <= v)
		return rounded;
	/* it was rounded up: v lies above the middle, so half a digit less is rounded down */
	snprintf(text, sizeof text, "%.3e", v - 0.5 * pow(10, floor(log10(v)) - 3));
	return strtod(text, NULL);
}

static void put_known(struct json_out *w, bool known, double v)
{
	if (known && v >= 0 && isfinite(v))
		json_put_f64(w, NULL, four_digits(v));
	else
		json_put_str(w, NULL, NULL);
}

/* JSON has no NaN: an error that is not a number is stored as -1. */
static void put_check(struct json_out *w, const char *key, const struct run_check *k)
{
	json_open(w, key, '[');
	json_put_f64(w, NULL,
	             !isfinite(k->error) ? -1
	             : k->error > 0      ? four_digits(k->error)
	                                 : k->error);
	put_known(w, k->looked_at > 0, k->norm);
	put_known(w, k->looked_at > 0, k->ulp);
	json_put_i64(w, NULL, k->looked_at);
	json_put_bool(w, NULL, k->passed);
	if (k->exact > 0)
		json_put_i64(w, NULL, k->exact);
	json_close(w, ']');
}

/* min, median, max, or one number if they are equal; left out if the first is not known. */
static void put_range(struct json_out *w, const char *key, const int64_t *v, size_t n)
{
	bool equal = true;
	for (size_t i = 1; i < n; i++)
		equal = equal && v[i] == v[0];
	if (v[0] == RECORD_NONE)
		return;
	if (equal)
		json_put_i64(w, key, v[0]);
	else
		put_array(w, key, v, n);
}

/* The time of each part; left out if none took any. */
static void put_spent(struct json_out *w, const struct run_launch *l)
{
	bool any = false;
	for (int p = 0; p < RUN_PARTS; p++)
		any = any || l->spent_us[p] != 0;
	if (any)
		put_array(w, "spent_us", l->spent_us, RUN_PARTS);
}

/* Three arrays of equal length; left out if there are no groups. */
static void put_groups(struct json_out *w, const struct run_launch *l)
{
	static const char *const keys[] = {"samples", "cycles", "ns"};
	if (!l->ngroups)
		return;
	json_open(w, "groups", '{');
	for (int k = 0; k < 3; k++) {
		json_open(w, keys[k], '[');
		for (size_t i = 0; i < l->ngroups; i++) {
			const struct run_group *g = &l->group[i];
			json_put_i64(w, NULL, k == 0 ? g->samples : k == 1 ? g->cycles : g->ns);
		}
		json_close(w, ']');
	}
	json_close(w, '}');
}

/* The greatest number that divides `step` and all n times. */
static int64_t common_step(int64_t step, const int64_t *ns, size_t n)
{
	for (size_t i = 0; i < n && step != 1; i++)
		for (int64_t rest = ns[i] < 0 ? -ns[i] : ns[i]; rest != 0;) {
			int64_t next = step % rest;
			step = rest;
			rest = next;
		}
	return step;
}

static void put_steps(struct json_out *w, const char *key, const int64_t *ns, size_t n,
                      int64_t base, int64_t step)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < n; i++)
		json_put_i64(w, NULL, (ns[i] - base) / step);
	json_close(w, ']');
}

/* Times in steps: the smallest sample, and what the warm-up and each sample are above it. */
static void put_times(struct json_out *w, const struct run_launch *l)
{
	int64_t base = l->nsamples ? l->sample_ns[0] : 0;
	for (size_t i = 1; i < l->nsamples; i++)
		if (l->sample_ns[i] < base)
			base = l->sample_ns[i];
	int64_t step = common_step(0, l->sample_ns, l->nsamples);
	step = common_step(step, l->warmup_ns, l->nwarmup);
	if (step > 1)
		json_put_i64(w, "step_ns", step);
	step = step ? step : 1;
	json_put_i64(w, "base", base / step);
	put_steps(w, "warmup", l->warmup_ns, l->nwarmup, base, step);
	put_steps(w, "above_base", l->sample_ns, l->nsamples, base, step);
}

void record_put_launch(struct sb *to, const struct run_launch *l)
{
	struct json_out w = begin(to, "launch");
	json_put_i64(&w, "case", (int64_t)l->of->number);
	json_put_i64(&w, "i", l->i);
	json_put_i64(&w, "at", l->at);
	json_put_i64(&w, "pid", l->pid);
	json_put_i64(&w, "t_ms", l->t_ms);
	json_put_i64(&w, "seed", l->seed);
	opt_str(&w, "node", l->node);
	json_put_str(&w, "status", l->status);
	put_check(&w, "before", &l->before);
	put_check(&w, "after", &l->after);
	json_put_i64(&w, "batch", l->batch);
	opt_str(&w, "timer", l->timer);
	opt_str(&w, "stop", l->stop);
	opt_str(&w, "library", l->library);
	record_put_choice(&w, &l->choice);
	put_range(&w, "sm_clock_mhz", l->sm_clock_mhz, 3);
	opt_i64(&w, "memory_clock_mhz", l->memory_clock_mhz);
	put_range(&w, "power_mw", l->power_mw, 3);
	put_range(&w, "temperature_c", l->temperature_c, 2);
	opt_i64(&w, "energy_mj", l->energy_mj);
	not_0(&w, "energy_ns", l->energy_ns);
	opt_i64(&w, "throttle_reasons", l->throttle_reasons);
	opt_i64(&w, "sm_cycles", l->sm_cycles);
	opt_i64(&w, "sm_cycles_ns", l->sm_cycles_ns);
	put_groups(&w, l);
	not_0(&w, "pause_ms", l->pause_ms);
	not_0(&w, "gates_expired", l->gates_expired);
	if (l->nskew)
		put_array(&w, "skew_ns", l->skew_ns, l->nskew);
	put_spent(&w, l);
	put_times(&w, l);
	finish(&w);
}

void record_put_resumed(struct sb *to, const char *time, int64_t pid, int64_t t_ms)
{
	struct json_out w = begin(to, "resumed");
	json_put_str(&w, "time", time);
	json_put_i64(&w, "pid", pid);
	json_put_i64(&w, "t_ms", t_ms);
	finish(&w);
}

void record_put_end(struct sb *to, const char *status, const char *end_time, double null_ratio,
                    struct str so_far)
{
	char sha[HASH_SHA256_HEX + 1];
	hash_sha256(so_far, sha);
	size_t from = to->n;
	int64_t lines = 1;
	for (size_t i = 0; i < so_far.n; i++)
		lines += so_far.p[i] == '\n';
	struct json_out w = begin(to, "end");
	json_put_str(&w, "end", end_time);
	json_put_str(&w, "status", status);
	if (null_ratio > 0)
		json_put_f64(&w, "null_ratio", null_ratio);
	json_put_i64(&w, "records", lines);
	json_put_str(&w, "sha256", sha);
	/* hash of this line so far; without it nothing would protect the end record itself */
	hash_sha256(str_sub(sb_view(to), from, to->n), sha);
	json_put_str(&w, "line_sha256", sha);
	finish(&w);
}
