#include "site-gen/records/digest.h"

#include <string.h>

#include "lib/array.h"
#include "lib/record_foreign.h"
#include "lib/record_trace.h"
#include "site-gen/records/need.h"

/* --- the tables, in the order of the structs --- */

static const struct pack_member pair_members[] = {
        PACK(struct run_pair, name, PACK_TEXT),
        PACK(struct run_pair, word, PACK_MAYBE),
        PACK(struct run_pair, num, PACK_INT),
};
static const struct pack_type pair = PACK_TYPE("run_pair", struct run_pair, pair_members);

static const struct pack_member source_members[] = {
        PACK(struct run_source, path, PACK_TEXT),
        PACK(struct run_source, blob, PACK_TEXT),
};
static const struct pack_type source = PACK_TYPE("run_source", struct run_source, source_members);

#define G struct run_gpu
static const struct pack_member gpu_members[] = {
        PACK(G, name, PACK_MAYBE),
        PACK(G, uuid, PACK_MAYBE),
        PACK(G, vbios, PACK_MAYBE),
        PACK(G, driver, PACK_MAYBE),
        PACK(G, compute_capability, PACK_MAYBE),
        PACK(G, cuda_driver, PACK_INT),
        PACK(G, cuda_runtime, PACK_INT),
        PACK(G, sms, PACK_INT),
        PACK(G, l2_bytes, PACK_INT),
        PACK(G, memory_bytes, PACK_INT),
        PACK(G, bus_bits, PACK_INT),
        PACK(G, sm_clock_max_mhz, PACK_INT),
        PACK(G, memory_clock_max_mhz, PACK_INT),
        PACK(G, power_limit_mw, PACK_INT),
        PACK(G, ecc, PACK_INT),
};
static const struct pack_type gpu = PACK_TYPE("run_gpu", G, gpu_members);

static const struct pack_member card_members[] = {
        PACK(struct run_card, uuid, PACK_MAYBE),
        PACK(struct run_card, vbios, PACK_MAYBE),
        PACK(struct run_card, pci, PACK_MAYBE),
};
static const struct pack_type card = PACK_TYPE("run_card", struct run_card, card_members);

#define L struct run_link
static const struct pack_member link_members[] = {
        PACK(L, from, PACK_INT),  PACK(L, to, PACK_INT),     PACK(L, nvlink_lanes, PACK_INT),
        PACK(L, read, PACK_BOOL), PACK(L, write, PACK_BOOL), PACK(L, atomics, PACK_BOOL),
};
static const struct pack_type between = PACK_TYPE("run_link", L, link_members);

#define M struct run_machine
static const struct pack_member machine_members[] = {
        PACK(M, key, PACK_TEXT),  PACK(M, cpu, PACK_TEXT),
        PACK(M, os, PACK_TEXT),   PACK(M, virtualisation, PACK_MAYBE),
        PACK(M, cores, PACK_INT), PACK(M, memory_bytes, PACK_INT),
};
static const struct pack_type machine = PACK_TYPE("run_machine", M, machine_members);

#define S struct run_shard
static const struct pack_member shard_members[] = {
        PACK(S, shard, PACK_INT),    PACK(S, of, PACK_INT),
        PACK(S, attempt, PACK_INT),  PACK(S, node, PACK_TEXT),
        PACK(S, nslurm, PACK_INT),   PACK_LIST_OF(S, slurm, nslurm, PACK_LIST, pair),
        PACK(S, id, PACK_MAYBE),     PACK(S, sha256, PACK_MAYBE),
        PACK(S, launches, PACK_INT),
};
static const struct pack_type shard = PACK_TYPE("run_shard", S, shard_members);

#define E struct run_foreign
static const struct pack_member foreign_members[] = {
        PACK(E, harness, PACK_TEXT), PACK(E, version, PACK_MAYBE), PACK(E, checked, PACK_MAYBE),
        PACK(E, source, PACK_MAYBE), PACK(E, commit, PACK_MAYBE),  PACK(E, command, PACK_MAYBE),
        PACK(E, file, PACK_TEXT),    PACK(E, sha256, PACK_TEXT),
};
static const struct pack_type foreign = PACK_TYPE("run_foreign", E, foreign_members);

#define H struct run_head
static const struct pack_member head_members[] = {
        PACK(H, schema, PACK_TEXT),
        PACK(H, id, PACK_TEXT),
        PACK(H, major, PACK_INT),
        PACK(H, newer, PACK_BOOL),
        PACK(H, device, PACK_TEXT),
        PACK(H, start, PACK_TEXT),
        PACK(H, reason, PACK_MAYBE),
        PACK(H, replicates, PACK_MAYBE),
        PACK_OF(H, foreign, PACK_ONE, foreign),
        PACK(H, commit, PACK_MAYBE),
        PACK(H, plan_sha256, PACK_MAYBE),
        PACK(H, nshards, PACK_INT),
        PACK_LIST_OF(H, shard, nshards, PACK_LIST, shard),
        PACK(H, dirty, PACK_BOOL),
        PACK(H, runner_sha256, PACK_TEXT),
        PACK(H, ntoolchain, PACK_INT),
        PACK_LIST_OF(H, toolchain, ntoolchain, PACK_LIST, pair),
        PACK_OF(H, machine, PACK_INSIDE, machine),
        PACK_OF(H, gpu, PACK_INSIDE, gpu),
        PACK(H, ngpus, PACK_INT),
        PACK_LIST_OF(H, gpus, ngpus, PACK_LIST, card),
        PACK(H, ntopology, PACK_INT),
        PACK_LIST_OF(H, topology, ntopology, PACK_LIST, between),
        PACK(H, nenv, PACK_INT),
        PACK_LIST_OF(H, env, nenv, PACK_LIST, pair),
        PACK(H, tick_ns, PACK_REAL),
        PACK(H, nempty_pair, PACK_INT),
        PACK_LIST_OF(H, empty_pair_ns, nempty_pair, PACK_LIST, pack_int),
        PACK(H, nempty_kernel, PACK_INT),
        PACK_LIST_OF(H, empty_kernel_ns, nempty_kernel, PACK_LIST, pack_int),
        PACK(H, ngraph_node, PACK_INT),
        PACK_LIST_OF(H, graph_node_ns, ngraph_node, PACK_LIST, pack_int),
        PACK(H, nflush, PACK_INT),
        PACK_LIST_OF(H, flush_ns, nflush, PACK_LIST, pack_int),
        PACK(H, nargv, PACK_INT),
        PACK_LIST_OF(H, argv, nargv, PACK_LIST, pack_text),
        PACK(H, rng_seed, PACK_INT),
        PACK(H, launches, PACK_INT),
        PACK(H, warmup_ms, PACK_INT),
        PACK(H, min_samples, PACK_INT),
        PACK(H, max_samples, PACK_INT),
        PACK(H, cap_ms, PACK_INT),
        PACK(H, flush_bytes, PACK_INT),
        PACK(H, idle_ms, PACK_INT),
        PACK(H, burst_ms, PACK_INT),
        PACK(H, load_ms, PACK_INT),
        PACK(H, settle_ms, PACK_INT),
        PACK(H, steady_ms, PACK_INT),
        PACK(H, stop_halfwidth, PACK_REAL),
        PACK(H, order, PACK_TEXT),
        PACK(H, nunavailable, PACK_INT),
        PACK_LIST_OF(H, unavailable, nunavailable, PACK_LIST, pair),
};
static const struct pack_type head = PACK_TYPE("run_head", H, head_members);

#define O struct run_model
static const struct pack_member model_members[] = {
        PACK(O, flop, PACK_INT),          PACK(O, bytes_read, PACK_INT),
        PACK(O, bytes_written, PACK_INT), PACK(O, formula, PACK_TEXT),
        PACK(O, unit, PACK_MAYBE),        PACK(O, level, PACK_TEXT),
        PACK(O, op, PACK_MAYBE),
};
static const struct pack_type model = PACK_TYPE("run_model", O, model_members);

static const struct pack_member choice_members[] = {
        PACK(struct run_choice, n, PACK_INT),
        PACK_LIST_OF(struct run_choice, pair, n, PACK_LIST, pair),
};
static const struct pack_type choice = PACK_TYPE("run_choice", struct run_choice, choice_members);

#define B struct run_build
static const struct pack_member build_members[] = {
        PACK(B, flags, PACK_TEXT),
        PACK(B, registers, PACK_INT),
        PACK(B, shared_bytes, PACK_INT),
        PACK(B, spill_bytes, PACK_INT),
        PACK(B, code_sha256, PACK_MAYBE),
        PACK(B, nmix, PACK_INT),
        PACK_LIST_OF(B, mix, nmix, PACK_LIST, pair),
        PACK(B, library, PACK_MAYBE),
        PACK_OF(B, choice, PACK_INSIDE, choice),
};
static const struct pack_type build = PACK_TYPE("run_build", B, build_members);

static const struct pack_member knob_members[] = {
        PACK(struct run_knob, name, PACK_MAYBE),
        PACK(struct run_knob, unit, PACK_MAYBE),
        PACK(struct run_knob, chosen, PACK_INT),
};
static const struct pack_type knob = PACK_TYPE("run_knob", struct run_knob, knob_members);

#define C struct run_case
static const struct pack_member case_members[] = {
        PACK(C, number, PACK_INT),
        PACK(C, id, PACK_TEXT),
        PACK(C, family, PACK_TEXT),
        PACK(C, variant, PACK_TEXT),
        PACK(C, family_title, PACK_TEXT),
        PACK(C, variant_title, PACK_TEXT),
        PACK(C, problem, PACK_TEXT),
        PACK(C, idea, PACK_TEXT),
        PACK(C, metric, PACK_TEXT),
        PACK(C, rank, PACK_INT),
        PACK(C, role, PACK_TEXT),
        PACK(C, device, PACK_TEXT),
        PACK(C, sms, PACK_INT),
        PACK(C, nparams, PACK_INT),
        PACK_LIST_OF(C, param, nparams, PACK_INSIDE, pair),
        PACK_OF(C, knob, PACK_INSIDE, knob),
        PACK(C, dtype, PACK_TEXT),
        PACK(C, cache, PACK_TEXT),
        PACK(C, unavailable, PACK_MAYBE),
        PACK(C, foreign, PACK_BOOL),
        PACK(C, heavy, PACK_BOOL),
        PACK(C, only_input, PACK_BOOL),
        PACK(C, nsource, PACK_INT),
        PACK_LIST_OF(C, source, nsource, PACK_LIST, source),
        PACK_OF(C, build, PACK_INSIDE, build),
        PACK_OF(C, model, PACK_INSIDE, model),
        PACK(C, input, PACK_TEXT),
        PACK(C, input_sets, PACK_INT),
        PACK(C, check_reference, PACK_TEXT),
        PACK(C, check_why, PACK_TEXT),
        PACK(C, check_exact, PACK_MAYBE),
        PACK(C, tolerance, PACK_REAL),
};
static const struct pack_type run_case = PACK_TYPE("run_case", C, case_members);

static const struct pack_member counter_members[] = {
        PACK(struct run_counter, name, PACK_TEXT),
        PACK(struct run_counter, value, PACK_REAL),
};
static const struct pack_type counter =
        PACK_TYPE("run_counter", struct run_counter, counter_members);

#define N struct run_counters
static const struct pack_member counters_members[] = {
        PACK(N, of, PACK_AMONG),
        PACK(N, unavailable, PACK_MAYBE),
        PACK(N, tool, PACK_MAYBE),
        PACK(N, library, PACK_MAYBE),
        PACK_OF(N, choice, PACK_INSIDE, choice),
        PACK(N, kernels, PACK_INT),
        PACK(N, n, PACK_INT),
        PACK_LIST_OF(N, value, n, PACK_LIST, counter),
        PACK(N, nmissing, PACK_INT),
        PACK_LIST_OF(N, missing, nmissing, PACK_LIST, pair),
};
static const struct pack_type counters = PACK_TYPE("run_counters", N, counters_members);

#define K struct run_trace_clock
static const struct pack_member clock_members[] = {
        PACK(K, sm, PACK_INT),
        PACK(K, before_ns, PACK_INT),
        PACK(K, after_ns, PACK_INT),
        PACK(K, cycles, PACK_INT),
};
static const struct pack_type trace_clock = PACK_TYPE("run_trace_clock", K, clock_members);

#define I struct run_trace_ring
static const struct pack_member ring_members[] = {
        PACK(I, clock, PACK_INT),  PACK(I, block, PACK_INT), PACK(I, role, PACK_INT),
        PACK(I, member, PACK_INT), PACK(I, begin, PACK_INT), PACK(I, end, PACK_INT),
        PACK(I, stamps, PACK_INT),
};
static const struct pack_type ring = PACK_TYPE("run_trace_ring", I, ring_members);

#define Q struct run_trace_stamps
static const struct pack_member stamps_members[] = {
        PACK(Q, ring, PACK_INT),
        PACK(Q, n, PACK_INT),
        PACK_LIST_OF(Q, cycles, n, PACK_LIST, pack_int),
        PACK_LIST_OF(Q, what, n, PACK_LIST, pack_int),
        PACK_LIST_OF(Q, step, n, PACK_LIST, pack_int),
};
static const struct pack_type stamps = PACK_TYPE("run_trace_stamps", Q, stamps_members);

#define V struct run_trace
static const struct pack_member trace_members[] = {
        PACK(V, of, PACK_AMONG),
        PACK(V, unavailable, PACK_MAYBE),
        PACK(V, code_sha256, PACK_MAYBE),
        PACK(V, error, PACK_REAL),
        PACK(V, looked_at, PACK_INT),
        PACK(V, nplain, PACK_INT),
        PACK_LIST_OF(V, plain_ns, nplain, PACK_LIST, pack_int),
        PACK(V, ntraced, PACK_INT),
        PACK_LIST_OF(V, traced_ns, ntraced, PACK_LIST, pack_int),
        PACK(V, room, PACK_INT),
        PACK(V, tick_ns, PACK_INT),
        PACK(V, nroles, PACK_INT),
        PACK_LIST_OF(V, role, nroles, PACK_LIST, pack_text),
        PACK(V, nevents, PACK_INT),
        PACK_LIST_OF(V, event, nevents, PACK_LIST, pack_text),
        PACK(V, nclocks, PACK_INT),
        PACK_LIST_OF(V, clock, nclocks, PACK_LIST, trace_clock),
        PACK(V, nrings, PACK_INT),
        PACK_LIST_OF(V, ring, nrings, PACK_LIST, ring),
        PACK(V, ncounts, PACK_INT),
        PACK_LIST_OF(V, count, ncounts, PACK_LIST, pack_int),
        PACK(V, nkept, PACK_INT),
        PACK_LIST_OF(V, kept, nkept, PACK_LIST, stamps),
};
static const struct pack_type trace = PACK_TYPE("run_trace", V, trace_members);

#define R struct run
static const struct pack_member run_members[] = {
        PACK_OF(R, head, PACK_INSIDE, head),
        PACK(R, ncases, PACK_INT),
        PACK_LIST_OF(R, cases, ncases, PACK_TARGET, run_case),
        PACK(R, launches, PACK_LATER),
        PACK(R, nlaunches, PACK_INT),
        PACK(R, nnulls, PACK_INT),
        PACK_LIST_OF(R, nulls, nnulls, PACK_LIST, run_case),
        PACK(R, null_launches, PACK_LATER),
        PACK(R, nnull_launches, PACK_INT),
        PACK(R, ncounters, PACK_INT),
        PACK_LIST_OF(R, counters, ncounters, PACK_LIST, counters),
        PACK(R, ntraces, PACK_INT),
        PACK_LIST_OF(R, traces, ntraces, PACK_LIST, trace),
        PACK(R, null_ratio, PACK_REAL),
        PACK(R, end, PACK_MAYBE),
        PACK(R, status, PACK_MAYBE),
        PACK(R, whole, PACK_BOOL),
        PACK(R, why_not_whole, PACK_MAYBE),
        PACK(R, sha256, PACK_CHARS),
};
static const struct pack_type run = PACK_TYPE("run", R, run_members);

#define T struct stats_summary
static const struct pack_member summary_members[] = {
        PACK(T, typical, PACK_REAL),   PACK(T, lo, PACK_REAL),         PACK(T, hi, PACK_REAL),
        PACK(T, min, PACK_REAL),       PACK(T, p5, PACK_REAL),         PACK(T, p95, PACK_REAL),
        PACK(T, within_cv, PACK_REAL), PACK(T, between_sd, PACK_REAL), PACK(T, launches, PACK_INT),
        PACK(T, samples, PACK_INT),
};
static const struct pack_type summary = PACK_TYPE("stats_summary", T, summary_members);

static const struct pack_member reading_members[] = {
        PACK(struct run_reading, clock_hz, PACK_REAL),
        PACK(struct run_reading, cycles, PACK_REAL),
        PACK(struct run_reading, joules, PACK_REAL),
        PACK(struct run_reading, window_s, PACK_REAL),
        PACK(struct run_reading, step_s, PACK_REAL),
        PACK(struct run_reading, error, PACK_REAL),
};
static const struct pack_type reading =
        PACK_TYPE("run_reading", struct run_reading, reading_members);

/* A chain of reasons is as long as a state has reasons. */
#define W struct reason
static const struct pack_type reason;
static const struct pack_member reason_members[] = {
        PACK(W, word, PACK_MAYBE),
        PACK_OF(W, with, PACK_INSIDE, pack_maybe),
        PACK_OF(W, next, PACK_ONE, reason),
};
static const struct pack_type reason = PACK_TYPE("reason", W, reason_members);

/* An element of data_case.reasons. */
static const struct pack_member chain_members[] = {
        {.name = "", .kind = PACK_ONE, .size = sizeof(W *), .type = &reason}};
static const struct pack_type chain = PACK_TYPE("", W *, chain_members);

#define D struct data_case
static const struct pack_member derived_members[] = {
        PACK(D, c, PACK_LATER),
        PACK(D, why_none, PACK_MAYBE),
        PACK_OF(D, none, PACK_INSIDE, reason),
        PACK_BELOW(D, none_rule, RULE_COUNT + 1),
        PACK(D, failed, PACK_BOOL),
        PACK_OF(D, time, PACK_INSIDE, summary),
        PACK_LIST_OF(D, medians, time.launches, PACK_LIST, pack_real),
        PACK_LIST_OF(D, launch, time.launches, PACK_LIST, pack_int),
        PACK_LIST_OF(D, reading, time.launches, PACK_LIST, reading),
        PACK_LIST_OF(D, node, time.launches, PACK_LIST, pack_int),
        PACK_LIST_OF(D, slow, time.launches, PACK_LIST, pack_bool),
        PACK(D, power_limited, PACK_INT),
        PACK(D, measured, PACK_BOOL),
        PACK(D, timer, PACK_MAYBE),
        PACK(D, busy_s, PACK_REAL),
        PACK(D, spent_s, PACK_REAL),
        PACK(D, odd_word, PACK_MAYBE),
        PACK(D, odd_key, PACK_MAYBE),
        PACK_OF(D, why, PACK_INSIDE, pack_maybe),
        PACK_BELOW(D, state, DATA_STATE_COUNT),
        PACK(D, why_state, PACK_MAYBE),
        PACK_OF(D, reasons, PACK_INSIDE, chain),
        PACK(D, unclean, PACK_LATER),
        PACK(D, changed, PACK_LATER),
        PACK(D, anchor, PACK_TEXT),
        PACK(D, url, PACK_TEXT),
        PACK(D, newer, PACK_LATER),
        PACK(D, bandwidth, PACK_LATER),
        PACK(D, throughput, PACK_LATER),
        PACK(D, number, PACK_LATER),
};
static const struct pack_type derived = PACK_TYPE("data_case", D, derived_members);

#define P struct data_fact_part
static const struct pack_member part_members[] = {
        PACK(P, word, PACK_MAYBE),
        PACK(P, one, PACK_MAYBE),
        PACK(P, two, PACK_MAYBE),
};
static const struct pack_type part = PACK_TYPE("data_fact_part", P, part_members);

#define F struct data_fact
static const struct pack_member fact_members[] = {
        PACK(F, label, PACK_TEXT),
        PACK(F, value, PACK_MAYBE),
        PACK_OF(F, part, PACK_INSIDE, part),
};
static const struct pack_type fact = PACK_TYPE("data_fact", F, fact_members);

#define X struct data_run
static const struct pack_member root_members[] = {
        PACK_OF(X, run, PACK_INSIDE, run),
        PACK(X, path, PACK_TEXT),
        PACK(X, url, PACK_TEXT),
        PACK(X, committed, PACK_LATER),
        PACK(X, blob, PACK_LATER),
        PACK(X, lines_blob, PACK_TEXT),
        PACK(X, recorded, PACK_LATER),
        PACK(X, why_none, PACK_MAYBE),
        PACK_OF(X, none, PACK_INSIDE, reason),
        PACK(X, kept, PACK_INT),
        PACK_LIST_OF(X, cases, run.ncases, PACK_SIZED, derived),
        PACK(X, nfacts, PACK_INT),
        PACK_LIST_OF(X, facts, nfacts, PACK_LIST, fact),
        PACK(X, launches, PACK_LATER),
        PACK(X, by_id, PACK_LATER),
        PACK(X, nby_id, PACK_LATER),
        PACK(X, spans, PACK_LATER),
        PACK(X, nspans, PACK_LATER),
};
static const struct pack_type root = PACK_TYPE("data_run", X, root_members);

const struct pack_type *const digest_types[] = {
        &pair,    &source, &gpu,     &card,     &between, &machine,  &shard, &head,
        &model,   &choice, &build,   &run_case, &counter, &counters, &run,   &summary,
        &reading, &reason, &derived, &part,     &fact,    &root,     &trace, &trace_clock,
        &ring,    &stamps, &foreign, &knob,     NULL,
};

/* --- a digest --- */

void digest_put(const struct data_run *r, struct sb *to)
{
	pack_put(&root, r, to);
}

/* What the tables cannot say: a node is one of the case's launches, numbered from 0. */
static bool nodes_are_sound(const struct data_case *k)
{
	for (size_t i = 0; i < k->time.launches; i++)
		if (k->node[i] >= k->time.launches)
			return false;
	return true;
}

/* The run and the families whose derived facts the caller wants. */
struct some {
	const struct data_run *run;
	struct need_memo *memo;
	const char *root;
	int whole; /* 1: all of this run; 0: not; -1: not known yet */
};

static bool is_wanted(void *ctx, size_t i)
{
	struct some *s = ctx;
	if (s->whole < 0)
		s->whole = need_whole(s->root, s->run->run.head.id);
	return s->whole || need_memo_family(s->memo, s->run->run.cases[i].family);
}

static bool take(struct str bytes, const struct digest_need *need, struct arena *a,
                 struct data_run *got)
{
	struct some s = {.run = got, .whole = -1};
	if (!need)
		return pack_take(&root, bytes, a, got);
	s.memo = need->memo;
	s.root = need->root;
	return pack_take_some(&root, bytes, a, got, is_wanted, &s);
}

bool digest_take(struct str bytes, const struct digest_need *need, struct arena *a,
                 struct data_run *r)
{
	struct data_run got = {0};
	if (!take(bytes, need, a, &got) || strcmp(got.path, r->path) != 0)
		return false;
	for (size_t i = 0; i < got.run.ncases; i++) {
		got.cases[i].c = &got.run.cases[i];
		if (!nodes_are_sound(&got.cases[i]))
			return false;
	}
	got.path = r->path;
	got.committed = r->committed;
	got.blob = r->blob;
	got.launches = r->launches;
	*r = got;
	return true;
}

/* --- the cache --- */

bool digest_cached(const struct kept_by *kept, const char *blob, const struct digest_need *need,
                   struct arena *a, struct data_run *r)
{
	struct arena scratch = {0};
	struct str digest;
	bool ok = kept_take(kept, blob, "", DIGEST_MAX_BYTES, &scratch, &digest) &&
	          digest_take(digest, need, a, r);
	arena_free(&scratch);
	return ok;
}

void digest_cache(const struct kept_by *kept, const char *blob, struct str digest)
{
	kept_leave(kept, blob, "", digest);
}
