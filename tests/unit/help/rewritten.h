/*
 * tests/unit/help/rewritten.h - a run that was read, written again in the schema of today,
 * and the comparison of two runs over all members.
 */
#ifndef TESTS_UNIT_HELP_REWRITTEN_H
#define TESTS_UNIT_HELP_REWRITTEN_H

#include <string.h>

#include "lib/record.h"
#include "lib/record_trace.h"

/* Appends the run. Its cases keep their numbers, its launches the order among their like. */
static inline void rewritten(struct sb *to, const struct run *r, struct arena *a)
{
	struct run_head h = r->head;
	size_t n = r->ncases + r->nnulls;
	struct run_case *c = ARENA_ARRAY(a, struct run_case, n);
	h.schema = record_is_pretended(&h) ? RECORD_PRETENDED_SCHEMA : RECORD_SCHEMA;
	for (size_t i = 0; i < r->ncases; i++)
		c[r->cases[i].number] = r->cases[i];
	for (size_t i = 0; i < r->nnulls; i++)
		c[r->nulls[i].number] = r->nulls[i];
	record_put_head(to, &h);
	record_put_cases(to, c, n);
	for (size_t i = 0; i < r->nlaunches; i++)
		record_put_launch(to, &r->launches[i]);
	for (size_t i = 0; i < r->nnull_launches; i++)
		record_put_launch(to, &r->null_launches[i]);
	for (size_t i = 0; i < r->ncounters; i++)
		record_put_counters(to, &r->counters[i]);
	for (size_t i = 0; i < r->ntraces; i++)
		record_trace_put(to, &r->traces[i]);
	if (r->end)
		record_put_end(to, r->status, r->end, r->null_ratio, sb_view(to));
}

/* What is compared, for the message of a difference. */
#define SAME(x, y)                                  \
	do {                                        \
		if ((x) != (y))                     \
			fail_msg("%s differs", #x); \
	} while (0)
#define SAME_WORD(x, y)                                                                       \
	do {                                                                                  \
		if (!(x) != !(y) || ((x) && strcmp((x), (y)) != 0))                           \
			fail_msg("%s is '%s', was '%s'", #x, (y) ? (y) : "", (x) ? (x) : ""); \
	} while (0)

static inline void same_numbers(const int64_t *x, size_t nx, const int64_t *y, size_t ny)
{
	SAME(nx, ny);
	for (size_t i = 0; i < nx; i++)
		SAME(x[i], y[i]);
}

static inline void same_pairs(const struct run_pair *x, size_t nx, const struct run_pair *y,
                              size_t ny)
{
	SAME(nx, ny);
	for (size_t i = 0; i < nx; i++) {
		SAME_WORD(x[i].name, y[i].name);
		SAME_WORD(x[i].word, y[i].word);
		SAME(x[i].num, y[i].num);
	}
}

static inline void same_machine(const struct run_head *x, const struct run_head *y)
{
	SAME_WORD(x->machine.key, y->machine.key);
	SAME_WORD(x->machine.cpu, y->machine.cpu);
	SAME_WORD(x->machine.os, y->machine.os);
	SAME_WORD(x->machine.virtualisation, y->machine.virtualisation);
	SAME(x->machine.cores, y->machine.cores);
	SAME(x->machine.memory_bytes, y->machine.memory_bytes);
	SAME_WORD(x->gpu.name, y->gpu.name);
	SAME_WORD(x->gpu.uuid, y->gpu.uuid);
	SAME_WORD(x->gpu.vbios, y->gpu.vbios);
	SAME_WORD(x->gpu.driver, y->gpu.driver);
	SAME_WORD(x->gpu.compute_capability, y->gpu.compute_capability);
	SAME(x->gpu.cuda_driver, y->gpu.cuda_driver);
	SAME(x->gpu.cuda_runtime, y->gpu.cuda_runtime);
	SAME(x->gpu.sms, y->gpu.sms);
	SAME(x->gpu.l2_bytes, y->gpu.l2_bytes);
	SAME(x->gpu.memory_bytes, y->gpu.memory_bytes);
	SAME(x->gpu.bus_bits, y->gpu.bus_bits);
	SAME(x->gpu.sm_clock_max_mhz, y->gpu.sm_clock_max_mhz);
	SAME(x->gpu.memory_clock_max_mhz, y->gpu.memory_clock_max_mhz);
	SAME(x->gpu.power_limit_mw, y->gpu.power_limit_mw);
	SAME(x->gpu.ecc, y->gpu.ecc);
}

static inline void same_several(const struct run_head *x, const struct run_head *y)
{
	SAME(x->ngpus, y->ngpus);
	SAME(x->ntopology, y->ntopology);
	same_pairs(x->env, x->nenv, y->env, y->nenv);
	for (size_t i = 0; i < x->ngpus; i++) {
		SAME_WORD(x->gpus[i].uuid, y->gpus[i].uuid);
		SAME_WORD(x->gpus[i].vbios, y->gpus[i].vbios);
		SAME_WORD(x->gpus[i].pci, y->gpus[i].pci);
	}
	for (size_t i = 0; i < x->ntopology; i++) {
		const struct run_link *l = &x->topology[i], *m = &y->topology[i];
		SAME(l->from, m->from);
		SAME(l->to, m->to);
		SAME(l->nvlink_lanes, m->nvlink_lanes);
		SAME(l->read, m->read);
		SAME(l->write, m->write);
		SAME(l->atomics, m->atomics);
	}
}

static inline void same_shards(const struct run_head *x, const struct run_head *y)
{
	SAME_WORD(x->plan_sha256, y->plan_sha256);
	SAME(x->nshards, y->nshards);
	for (size_t i = 0; i < x->nshards; i++) {
		const struct run_shard *s = &x->shard[i], *t = &y->shard[i];
		SAME(s->shard, t->shard);
		SAME(s->of, t->of);
		SAME(s->attempt, t->attempt);
		SAME_WORD(s->node, t->node);
		same_pairs(s->slurm, s->nslurm, t->slurm, t->nslurm);
		SAME_WORD(s->id, t->id);
		SAME_WORD(s->sha256, t->sha256);
		SAME(s->launches, t->launches);
	}
}

/* All but schema and major. */
static inline void same_head(const struct run_head *x, const struct run_head *y)
{
	SAME_WORD(x->id, y->id);
	SAME_WORD(x->device, y->device);
	SAME_WORD(x->start, y->start);
	SAME_WORD(x->reason, y->reason);
	SAME_WORD(x->replicates, y->replicates);
	SAME_WORD(x->commit, y->commit);
	same_shards(x, y);
	SAME(x->dirty, y->dirty);
	SAME_WORD(x->runner_sha256, y->runner_sha256);
	same_pairs(x->toolchain, x->ntoolchain, y->toolchain, y->ntoolchain);
	same_machine(x, y);
	same_several(x, y);
	SAME(x->tick_ns, y->tick_ns);
	same_numbers(x->empty_pair_ns, x->nempty_pair, y->empty_pair_ns, y->nempty_pair);
	same_numbers(x->empty_kernel_ns, x->nempty_kernel, y->empty_kernel_ns, y->nempty_kernel);
	same_numbers(x->graph_node_ns, x->ngraph_node, y->graph_node_ns, y->ngraph_node);
	same_numbers(x->flush_ns, x->nflush, y->flush_ns, y->nflush);
	SAME(x->nargv, y->nargv);
	for (size_t i = 0; i < x->nargv; i++)
		SAME_WORD(x->argv[i], y->argv[i]);
	SAME(x->rng_seed, y->rng_seed);
	SAME(x->launches, y->launches);
	SAME(x->warmup_ms, y->warmup_ms);
	SAME(x->min_samples, y->min_samples);
	SAME(x->max_samples, y->max_samples);
	SAME(x->cap_ms, y->cap_ms);
	SAME(x->flush_bytes, y->flush_bytes);
	SAME(x->idle_ms, y->idle_ms);
	SAME(x->burst_ms, y->burst_ms);
	SAME(x->load_ms, y->load_ms);
	SAME(x->settle_ms, y->settle_ms);
	SAME(x->steady_ms, y->steady_ms);
	SAME(x->stop_halfwidth, y->stop_halfwidth);
	SAME_WORD(x->order, y->order);
	same_pairs(x->unavailable, x->nunavailable, y->unavailable, y->nunavailable);
}

static inline void same_build(const struct run_build *x, const struct run_build *y)
{
	SAME_WORD(x->flags, y->flags);
	SAME(x->registers, y->registers);
	SAME(x->shared_bytes, y->shared_bytes);
	SAME(x->spill_bytes, y->spill_bytes);
	SAME_WORD(x->code_sha256, y->code_sha256);
	same_pairs(x->mix, x->nmix, y->mix, y->nmix);
	SAME_WORD(x->library, y->library);
	same_pairs(x->choice.pair, x->choice.n, y->choice.pair, y->choice.n);
}

static inline void same_model(const struct run_model *x, const struct run_model *y)
{
	SAME(x->flop, y->flop);
	SAME(x->bytes_read, y->bytes_read);
	SAME(x->bytes_written, y->bytes_written);
	SAME_WORD(x->formula, y->formula);
	SAME_WORD(x->unit, y->unit);
	SAME_WORD(x->level, y->level);
	SAME_WORD(x->op, y->op);
}

static inline void same_case(const struct run_case *x, const struct run_case *y)
{
	SAME(x->number, y->number);
	SAME(x->heavy, y->heavy);
	SAME_WORD(x->id, y->id);
	SAME_WORD(x->family, y->family);
	SAME_WORD(x->variant, y->variant);
	SAME_WORD(x->family_title, y->family_title);
	SAME_WORD(x->variant_title, y->variant_title);
	SAME_WORD(x->problem, y->problem);
	SAME_WORD(x->idea, y->idea);
	SAME_WORD(x->metric, y->metric);
	SAME(x->rank, y->rank);
	SAME_WORD(x->role, y->role);
	SAME_WORD(x->device, y->device);
	same_pairs(x->param, x->nparams, y->param, y->nparams);
	SAME_WORD(x->knob.name, y->knob.name);
	SAME_WORD(x->knob.unit, y->knob.unit);
	SAME(x->knob.chosen, y->knob.chosen);
	SAME_WORD(x->dtype, y->dtype);
	SAME_WORD(x->cache, y->cache);
	SAME_WORD(x->unavailable, y->unavailable);
	SAME(x->nsource, y->nsource);
	for (size_t i = 0; i < x->nsource; i++) {
		SAME_WORD(x->source[i].path, y->source[i].path);
		SAME_WORD(x->source[i].blob, y->source[i].blob);
	}
	same_build(&x->build, &y->build);
	same_model(&x->model, &y->model);
	SAME_WORD(x->input, y->input);
	SAME(x->input_sets, y->input_sets);
	SAME_WORD(x->check_reference, y->check_reference);
	SAME_WORD(x->check_why, y->check_why);
	SAME_WORD(x->check_exact, y->check_exact);
	SAME(x->tolerance, y->tolerance);
}

/* The new value lacks what follows the first 4 digits of the old one. */
static inline void same_but_cut(double was, double is)
{
	if (!(was > 0 ? is <= was && is > was * (1 - 1.0001e-3) : is == was))
		fail_msg("%.17g became %.17g", was, is);
}

static inline void same_check(const struct run_check *x, const struct run_check *y)
{
	same_but_cut(x->error, y->error);
	same_but_cut(x->norm, y->norm);
	same_but_cut(x->ulp, y->ulp);
	SAME(x->looked_at, y->looked_at);
	SAME(x->exact, y->exact);
	SAME(x->passed, y->passed);
}

static inline void same_launch(const struct run_launch *x, const struct run_launch *y)
{
	SAME_WORD(x->of->id, y->of->id);
	SAME(x->i, y->i);
	SAME(x->at, y->at);
	SAME(x->pid, y->pid);
	SAME(x->t_ms, y->t_ms);
	SAME(x->seed, y->seed);
	SAME_WORD(x->node, y->node);
	SAME_WORD(x->status, y->status);
	same_check(&x->before, &y->before);
	same_check(&x->after, &y->after);
	SAME(x->batch, y->batch);
	SAME_WORD(x->timer, y->timer);
	SAME_WORD(x->stop, y->stop);
	SAME_WORD(x->library, y->library);
	same_pairs(x->choice.pair, x->choice.n, y->choice.pair, y->choice.n);
	same_numbers(x->warmup_ns, x->nwarmup, y->warmup_ns, y->nwarmup);
	same_numbers(x->sample_ns, x->nsamples, y->sample_ns, y->nsamples);
	same_numbers(x->sm_clock_mhz, 3, y->sm_clock_mhz, 3);
	SAME(x->memory_clock_mhz, y->memory_clock_mhz);
	same_numbers(x->power_mw, 3, y->power_mw, 3);
	same_numbers(x->temperature_c, 2, y->temperature_c, 2);
	SAME(x->energy_mj, y->energy_mj);
	SAME(x->energy_ns, y->energy_ns);
	SAME(x->pause_ms, y->pause_ms);
	SAME(x->throttle_reasons, y->throttle_reasons);
	same_numbers(x->skew_ns, x->nskew, y->skew_ns, y->nskew);
	SAME(x->gates_expired, y->gates_expired);
	SAME(x->sm_cycles, y->sm_cycles);
	SAME(x->sm_cycles_ns, y->sm_cycles_ns);
	SAME(x->ngroups, y->ngroups);
	for (size_t i = 0; i < x->ngroups; i++) {
		SAME(x->group[i].samples, y->group[i].samples);
		SAME(x->group[i].cycles, y->group[i].cycles);
		SAME(x->group[i].ns, y->group[i].ns);
	}
	same_numbers(x->spent_us, RUN_PARTS, y->spent_us, RUN_PARTS);
}

static inline void same_stamps(const struct run_trace_stamps *x, const struct run_trace_stamps *y)
{
	SAME(x->ring, y->ring);
	same_numbers(x->cycles, x->n, y->cycles, y->n);
	same_numbers(x->what, x->n, y->what, y->n);
	same_numbers(x->step, x->n, y->step, y->n);
}

static inline void same_names(const char **x, size_t nx, const char **y, size_t ny)
{
	SAME(nx, ny);
	for (size_t i = 0; i < nx; i++)
		SAME_WORD(x[i], y[i]);
}

static inline void same_trace(const struct run_trace *x, const struct run_trace *y)
{
	SAME_WORD(x->of->id, y->of->id);
	SAME_WORD(x->unavailable, y->unavailable);
	SAME_WORD(x->code_sha256, y->code_sha256);
	SAME(x->error, y->error);
	SAME(x->looked_at, y->looked_at);
	same_numbers(x->plain_ns, x->nplain, y->plain_ns, y->nplain);
	same_numbers(x->traced_ns, x->ntraced, y->traced_ns, y->ntraced);
	SAME(x->room, y->room);
	SAME(x->tick_ns, y->tick_ns);
	same_names(x->role, x->nroles, y->role, y->nroles);
	same_names(x->event, x->nevents, y->event, y->nevents);
	SAME(x->nclocks, y->nclocks);
	assert_memory_equal(x->clock, y->clock, x->nclocks * sizeof *x->clock);
	SAME(x->nrings, y->nrings);
	assert_memory_equal(x->ring, y->ring, x->nrings * sizeof *x->ring);
	same_numbers(x->count, x->ncounts, y->count, y->ncounts);
	SAME(x->nkept, y->nkept);
	for (size_t i = 0; i < x->nkept; i++)
		same_stamps(&x->kept[i], &y->kept[i]);
}

static inline void same_counters(const struct run_counters *x, const struct run_counters *y)
{
	SAME_WORD(x->of->id, y->of->id);
	SAME_WORD(x->unavailable, y->unavailable);
	SAME_WORD(x->tool, y->tool);
	SAME_WORD(x->library, y->library);
	same_pairs(x->choice.pair, x->choice.n, y->choice.pair, y->choice.n);
	SAME(x->kernels, y->kernels);
	SAME(x->n, y->n);
	for (size_t i = 0; i < x->n; i++) {
		SAME_WORD(x->value[i].name, y->value[i].name);
		SAME(x->value[i].value, y->value[i].value);
	}
	same_pairs(x->missing, x->nmissing, y->missing, y->nmissing);
}

/* All but the schema, the hash, and digits of checks. */
static inline void same_run(const struct run *x, const struct run *y)
{
	same_head(&x->head, &y->head);
	SAME(x->ncases, y->ncases);
	for (size_t i = 0; i < x->ncases; i++)
		same_case(&x->cases[i], &y->cases[i]);
	SAME(x->nnulls, y->nnulls);
	for (size_t i = 0; i < x->nnulls; i++)
		same_case(&x->nulls[i], &y->nulls[i]);
	SAME(x->nlaunches, y->nlaunches);
	for (size_t i = 0; i < x->nlaunches; i++)
		same_launch(&x->launches[i], &y->launches[i]);
	SAME(x->nnull_launches, y->nnull_launches);
	for (size_t i = 0; i < x->nnull_launches; i++)
		same_launch(&x->null_launches[i], &y->null_launches[i]);
	SAME(x->ncounters, y->ncounters);
	for (size_t i = 0; i < x->ncounters; i++)
		same_counters(&x->counters[i], &y->counters[i]);
	SAME(x->ntraces, y->ntraces);
	for (size_t i = 0; i < x->ntraces; i++)
		same_trace(&x->traces[i], &y->traces[i]);
	SAME(x->null_ratio, y->null_ratio);
	SAME_WORD(x->end, y->end);
	SAME_WORD(x->status, y->status);
	SAME(x->whole, y->whole);
}

#endif
