/*
 * The pretended GPU (runner/machine/pretend.h). Its memory is a range of addresses that
 * nobody may touch, with a description of their contents (runner/device/pretended_memory.h).
 * A call marks its outputs as the result of its inputs, and advances the device's clock by
 * the time that it would take: a model based on the roofs, with noise from the plan's seed.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "runner/base/rng.h"
#include "runner/device/element.h"
#include "runner/device/job.h"
#include "runner/device/pretended_memory.h"
#include "runner/device/pretended_trace.h"
#include "runner/machine/pretend.h"
#include "runner/plan/roof.h"

enum {
	KEPT = 16,      /* cached answers of references */
	CALL_NS = 2000, /* overhead of a call */
	HOST_NS = 2500, /* the host's time for each entry of the queue */
	SLOW_NS = 300000000,
	DEADLINE_S = 2,        /* of peer_spin_until() (kernels/peer.cuh) */
	ILLEGAL_ADDRESS = 700, /* cudaErrorIllegalAddress */
	/* The power limiter: what a heavy case may draw at the full clock, and what restores it. */
	BUDGET_NS = 40000000,
	RESTORE_NS = 90000000,
	AWAY_NS = 30000000,   /* how long an interrupted host is away */
	LAUNCH_FAILURE = 719, /* cudaErrorLaunchFailure */
};

/* The limiter's clock, and the clock under load of anything else, as a share of the full one. */
static const double LIMITED = 1 / 1.08;

/* A cached answer of expect(): a case's variants ask for the same. Families may share cases. */
struct answer {
	const struct kernel_family *family;
	const struct kernel_case *kcase;
	uint64_t seed;
	size_t n;
	size_t *idx;
	double *value;
};

struct late {
	char *at;
	size_t bytes;
	struct contents is;
};

struct pretended {
	struct pretended_memory memory;
	struct facts facts;
	struct pretence as;
	struct answer kept[KEPT];
	size_t next;
	int64_t now_ns;
	int64_t batch;
	size_t taken; /* groups of samples of the item, the warm-up's included */
	uint64_t noise, first_seed;
	bool seen;
	int64_t load_ns; /* of heavy cases since the device was idle for RESTORE_NS */
	char chosen[KERNEL_CHOICE];
	struct contents last; /* the result of the last call */
	/* what it wrote on other GPUs, if they do not meet: there from finish() on */
	struct late late[KERNEL_MAX_GPUS * KERNEL_MAX_BUFFERS];
	size_t nlate;
};

static struct pretended *own(struct device *d)
{
	return d->own;
}

static void facts(struct facts *f, int gpus)
{
	struct pretence as;
	struct err e = ERR_NONE;
	*f = (struct facts){.usable = false};
	if (pretend_read(getenv("RIDGEPOINT_PRETEND"), &as, &e))
		pretend_facts(&as, gpus, f);
	else
		snprintf(f->why, sizeof f->why, "%.190s", e.text);
}

static bool open_device(struct device *d, const struct facts *f, size_t bytes, struct err *e)
{
	struct pretended *p = calloc(1, sizeof *p);
	if (!p)
		return err_set(e, "out of memory");
	*d = (struct device){.backend = &backend_pretended,
	                     .size = bytes,
	                     .own = p,
	                     .seed = d->seed,
	                     .gpus = d->gpus < 1 ? 1 : d->gpus};
	p->facts = *f;
	p->noise = d->seed;
	if (!pretend_read(getenv("RIDGEPOINT_PRETEND"), &p->as, e))
		return false;
	/* PROT_NONE: code that reads or writes this memory dies of a signal */
	const size_t all = bytes * (size_t)d->gpus;
	d->mem[0] =
	        mmap(NULL, all + 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (d->mem[0] == MAP_FAILED)
		return err_sys(e, "cannot reserve %zu addresses", all);
	for (int g = 1; g < d->gpus; g++)
		d->mem[g] = d->mem[g - 1] + bytes;
	pretended_memory_open(&p->memory, (uintptr_t)d->mem[0], all);
	d->env = (struct kernel_env){
	        .sms = (int)f->sms, .l2_bytes = (size_t)f->cache_bytes, .streams = d->stream};
	return true;
}

/* --- memory --- */

static int fill(struct device *d, void *p, const struct kernel_buffer *b, uint64_t seed,
                unsigned buffer)
{
	pretended_memory_hold(&own(d)->memory, p, b->count * kernel_dtype_bytes(b->dtype),
	                      (struct contents){.kind = CONTENTS_INPUT,
	                                        .seed = seed,
	                                        .base = (uintptr_t)p,
	                                        .dtype = b->dtype,
	                                        .draw = b->draw,
	                                        .range = b->range,
	                                        .buffer = buffer});
	return 0;
}

static int set(struct device *d, void *p, int byte, size_t n)
{
	pretended_memory_hold(&own(d)->memory, p, n,
	                      (struct contents){.kind = CONTENTS_BYTE, .byte = byte});
	return 0;
}

static int mark(struct device *d, const struct zone *guard, size_t n)
{
	pretended_memory_lay_out(&own(d)->memory, guard, n);
	return 0;
}

static int copy(struct device *d, void *to, const void *from, size_t n)
{
	pretended_memory_copy(&own(d)->memory, to, from, n);
	return 0;
}

static int finish(struct device *d)
{
	struct pretended *p = own(d);
	for (size_t i = 0; i < p->nlate; i++)
		pretended_memory_hold(&p->memory, p->late[i].at, p->late[i].bytes, p->late[i].is);
	p->nlate = 0;
	return 0;
}

static int unwritten(struct device *d, const void *p, const struct kernel_buffer *b, size_t *n)
{
	const size_t size = kernel_dtype_bytes(b->dtype);
	const struct contents poison = {.byte = kernel_dtype_poison(b->dtype)};
	*n = b->count - (pretended_memory_other(&own(d)->memory, p, b->count * size,
	                                        pretended_memory_is_byte, &poison) +
	                 size - 1) /
	                        size;
	return 0;
}

static int disturbed(struct device *d, const struct zone *guard, size_t n, size_t *bytes)
{
	*bytes = 0;
	for (size_t z = 0; z < n; z++)
		*bytes += pretended_memory_other(&own(d)->memory, guard[z].p, guard[z].n,
		                                 pretended_memory_is_byte,
		                                 &(struct contents){.byte = guard[z].byte});
	return 0;
}

static int changed(struct device *d, const void *p, const struct kernel_buffer *b, uint64_t seed,
                   unsigned buffer, size_t *n)
{
	const size_t size = kernel_dtype_bytes(b->dtype);
	const struct contents want = {.seed = seed,
	                              .base = (uintptr_t)p,
	                              .dtype = b->dtype,
	                              .draw = b->draw,
	                              .range = b->range,
	                              .buffer = buffer};
	*n = (pretended_memory_other(&own(d)->memory, p, b->count * size, pretended_memory_is_input,
	                             &want) +
	      size - 1) /
	     size;
	return 0;
}

/* --- results --- */

/* The answer of expect() for these outputs, from the cache if possible. */
static const double *reference(struct pretended *p, const struct contents *h, const size_t *idx,
                               size_t n)
{
	for (size_t i = 0; i < KEPT; i++) {
		const struct answer *k = &p->kept[i];
		if (k->family == h->family && k->kcase == h->kcase && k->seed == h->seed &&
		    k->n == n && memcmp(k->idx, idx, n * sizeof *idx) == 0)
			return k->value;
	}
	struct answer *k = &p->kept[p->next++ % KEPT];
	k->idx = realloc(k->idx, (n + 1) * sizeof *idx);
	k->value = realloc(k->value, (2 * n + 1) * sizeof(double));
	if (!k->idx || !k->value)
		arena_die("out of memory");
	*k = (struct answer){h->family, h->kcase, h->seed, n, k->idx, k->value};
	memcpy(k->idx, idx, n * sizeof *idx);
	pretend_expect(h->family, h->kcase, h->seed, idx, n, k->value, k->value + n);
	return k->value;
}

/* Reads n elements idx[] of the buffer at `base`, all in one stretch; `number` is work space. */
static void read_stretch(struct pretended *p, const struct contents *h, uintptr_t base, size_t size,
                         const size_t *idx, size_t n, size_t *number, double *out)
{
	if (h->kind != CONTENTS_RESULT || h->of == CONTENTS_OF_GARBAGE) {
		for (size_t i = 0; i < n; i++)
			out[i] = NAN;
		return;
	}
	for (size_t i = 0; i < n; i++)
		number[i] = h->number + idx[i] - (h->base - base) / size;
	if (h->of == CONTENTS_OF_SEED)
		memcpy(out, reference(p, h, number, n), n * sizeof *out);
	for (size_t i = 0; i < n && h->of == CONTENTS_OF_MIX; i++)
		out[i] = pretend_value(h->seed, number[i]);
	for (size_t i = 0; i < n && h->wrong; i++)
		out[i] = number[i] == h->number ? 2 * out[i] + 1000 : out[i];
}

static int gather(struct device *d, const void *at, enum kernel_dtype t, const size_t *idx,
                  size_t n, double *out)
{
	struct pretended *p = own(d);
	const uintptr_t base = (uintptr_t)at;
	const size_t size = kernel_dtype_bytes(t);
	size_t *number = malloc((n + 1) * sizeof *number);
	if (!number)
		arena_die("out of memory");
	for (size_t i = 0, k; i < n; i += k) {
		const struct stretch *s =
		        &p->memory.s[pretended_memory_find(&p->memory, base + idx[i] * size)];
		for (k = 1; i + k < n && base + idx[i + k] * size < s[1].from; k++)
			;
		read_stretch(p, &s->is, base, size, idx + i, k, number, out + i);
	}
	free(number);
	return 0;
}

static int digest(struct device *d, const void *at, const struct kernel_buffer *b, uint64_t *sum)
{
	(void)b;
	*sum += pretended_memory_digest(&own(d)->memory, at);
	return 0;
}

static int product(struct device *d, const struct exact_product *x, void *const *buf,
                   struct exact_found *found)
{
	*found = pretended_memory_product(&own(d)->memory, x, buf);
	return 0;
}

/* --- calls --- */

static uint64_t hash_of(const char *s, uint64_t key)
{
	for (; *s; s++)
		key = rng_derive(key, 13, (unsigned char)*s);
	return key;
}

/* What was seen of a set's inputs so far. */
struct seen {
	bool any;
	struct contents *is;
};

/* Finds the seeds of one input. */
static void look_at_input(struct pretended *p, const struct kernel_buffer *buf, const void *base,
                          unsigned number, struct seen *seen)
{
	struct contents *out = seen->is;
	const uintptr_t end = (uintptr_t)base + buf->count * kernel_dtype_bytes(buf->dtype);
	for (uintptr_t at = (uintptr_t)base; at < end;) {
		const struct stretch *s = &p->memory.s[pretended_memory_find(&p->memory, at)];
		const struct contents want = {.seed = s->is.seed,
		                              .base = (uintptr_t)base,
		                              .dtype = buf->dtype,
		                              .draw = buf->draw,
		                              .range = buf->range,
		                              .buffer = number};
		if (!pretended_memory_is_input(&s->is, &want))
			out->of = CONTENTS_OF_GARBAGE;
		else if (seen->any && out->of == CONTENTS_OF_SEED && s->is.seed != out->seed)
			out->of = CONTENTS_OF_MIX;
		out->seed = seen->any && out->of == CONTENTS_OF_MIX
		                    ? rng_derive(out->seed, number + 1, s->is.seed)
		                    : s->is.seed;
		seen->any = true;
		at = s[1].from;
	}
}

/* Finds the seeds of a set's inputs, on all GPUs. */
static void look_at_inputs(struct pretended *p, struct job *j, size_t of_set, struct contents *out)
{
	struct seen seen = {.is = out};
	out->of = CONTENTS_OF_SEED;
	for (int g = 0; g < j->gpus; g++)
		for (size_t b = 0; b < j->nbuf; b++)
			if (j->buf[b].access == KERNEL_IN && kernel_has(&j->buf[b], g))
				look_at_input(p, &j->buf[b], job_buffer(j, of_set, g, b),
				              kernel_gpu_input(g, (unsigned)b), &seen);
}

/* Writes one output, or spoils one input. `late`: an output that waits for finish(). */
static void write_output(struct pretended *p, const struct kernel_buffer *buf, char *at,
                         struct contents *is, enum pretend_fault fault, bool late)
{
	const size_t size = kernel_dtype_bytes(buf->dtype), bytes = buf->count * size;
	const struct contents zero = {.kind = CONTENTS_BYTE};
	if (buf->access == KERNEL_IN && fault == PRETEND_INPUT)
		pretended_memory_hold(&p->memory, at, 1, zero);
	if (buf->access != KERNEL_OUT)
		return;
	is->base = (uintptr_t)at;
	const struct late write = {at, bytes - (fault == PRETEND_UNWRITTEN ? size : 0), *is};
	if (late)
		p->late[p->nlate++] = write;
	else
		pretended_memory_hold(&p->memory, write.at, write.bytes, write.is);
	if (fault == PRETEND_OUTSIDE)
		pretended_memory_hold(&p->memory, at + bytes, 1, zero);
	is->number += buf->count;
}

static void write_outputs(struct pretended *p, struct job *j, size_t of_set, struct contents is,
                          enum pretend_fault fault)
{
	is.kind = CONTENTS_RESULT;
	is.family = j->it->family;
	is.kcase = j->it->kcase;
	is.wrong = fault == PRETEND_WRONG;
	const struct contents before = p->last;
	p->last = is;
	for (int g = 0; g < j->gpus; g++) {
		/* what a peer sends late is not there yet: the last call's data are */
		bool stale = fault == PRETEND_LATE && g > 0 && before.kcase == is.kcase;
		is.apart = fault == PRETEND_APART && g > 0;
		is.of = stale ? before.of : p->last.of;
		is.seed = stale ? before.seed : p->last.seed;
		for (size_t b = 0; b < j->nbuf; b++)
			if (kernel_has(&j->buf[b], g))
				write_output(p, &j->buf[b], job_buffer(j, of_set, g, b), &is, fault,
				             g > 0 && !(j->it->kcase->use & KERNEL_MEETS));
	}
}

static enum pretend_fault fault_of(const struct pretended *p, const struct item *it)
{
	char name[128];
	snprintf(name, sizeof name, "%s/%s", it->family->id, it->variant->id);
	bool between = p->as.fault >= PRETEND_LATE;
	if (between && kernel_gpus(it->kcase) == 1)
		return PRETEND_RIGHT; /* it has no peers */
	return str_glob(p->as.whose, str_of(name)) ? p->as.fault : PRETEND_RIGHT;
}

/* A call of a sweep takes a tenth more for each factor of 2 to the chosen value. */
static double off_knob(const struct kernel_knob *k, const struct kernel_case *c)
{
	return k ? 1 + fabs(log2((double)kernel_num(c, k->name) / (double)k->chosen)) / 10 : 1;
}

/* Seconds of a good variant's call, at fixed shares of the roofs. */
static double work_seconds(const struct pretended *p, const struct item *it)
{
	const struct facts *f = &p->facts;
	struct kernel_model m = {0};
	it->family->model(it->kcase, &m);
	double bytes = (double)m.bytes_read + (double)m.bytes_written;
	double kept = it->way.cold ? 0 : (double)f->cache_bytes;
	double memory = (bytes - kept) / (0.9 * roof_memory(f)),
	       caches = bytes / (0.5 * roof_caches(f));
	double most = (double)(m.bytes_read > m.bytes_written ? m.bytes_read : m.bytes_written);
	if (roof_is_link(&m) && roof_link(f) > 0)
		memory = most / (0.8 * roof_link(f));
	double roof = roof_operations(f, &m);
	double operations = (double)m.flop / (roof > 0 ? 0.8 * roof : roof_caches(f));
	double s = fmax(fmax(memory, caches), operations);
	for (int i = 0; i < it->kcase->nparams;
	     i++) /* a known difference in time (runner/selftest_chain.h) */
		if (strcmp(it->kcase->param[i].name, "pad") == 0)
			s *= 1 + (double)it->kcase->param[i].num / 1000;
	return s * off_knob(it->knob, it->kcase);
}

/* A choice that depends on the case and the process, or the one that was made before. */
static const char *chosen(struct device *d, const struct item *it)
{
	struct pretended *p = own(d);
	if (d->env.choice)
		return d->env.choice;
	pretend_choose(hash_of(it->id, d->seed + 2), p->chosen);
	return p->chosen;
}

static double call_ns(const struct pretended *p, const struct item *it)
{
	const double spread = (double)(hash_of(it->variant->id, 17) % 100) / 100;
	const bool roof = it->variant->role == KERNEL_CEILING;
	if (it->way.host)
		return HOST_NS * (double)item_entries(it) * (1 + spread);
	double ns = work_seconds(p, it) * 1e9 * (roof ? 1 : 1.05 + spread);
	if (fault_of(p, it) == PRETEND_IMPOSSIBLE)
		return ns / 1000;
	return CALL_NS + ns;
}

static int call(struct device *d, struct job *j, size_t of_set)
{
	struct pretended *p = own(d);
	const enum pretend_fault fault = fault_of(p, j->it);
	struct contents is = {0};
	finish(d); /* of the call before */
	look_at_inputs(p, j, of_set, &is);
	if (!p->seen)
		p->first_seed = is.seed;
	p->seen = true;
	if (fault == PRETEND_STALE)
		is = (struct contents){.seed = p->first_seed, .of = CONTENTS_OF_SEED};
	if (fault == PRETEND_ERROR)
		return ILLEGAL_ADDRESS;
	if (fault == PRETEND_CRASH)
		raise(SIGABRT);
	while (fault == PRETEND_HANG)
		pause();
	if (fault == PRETEND_SILENT) {
		sleep(DEADLINE_S);
		return LAUNCH_FAILURE;
	}
	if (fault == PRETEND_SLOW)
		nanosleep(&(struct timespec){.tv_nsec = SLOW_NS}, NULL);
	write_outputs(p, j, of_set, is, fault);
	p->now_ns += (int64_t)call_ns(p, j->it);
	return 0;
}

/* A variant whose peers' data may be late does not wait for them. */
static int hold(struct device *d, struct job *j, int held, bool *early)
{
	(void)held;
	*early = fault_of(own(d), j->it) == PRETEND_LATE;
	return job_call(j);
}

/* --- the stopwatch --- */

static int64_t now(struct device *d)
{
	return own(d)->now_ns;
}

static bool calibrate(struct device *d, struct calibration *c, struct err *e)
{
	struct pretended *p = own(d);
	const double flush =
	        1e9 * (double)plan_flush_bytes(&p->facts) / (0.8 * roof_memory(&p->facts));
	uint64_t state = p->noise;
	(void)e;
	*c = (struct calibration){.tick_ns = 32};
	for (size_t i = 0; i < CALIBRATION_SAMPLES; i++) {
		c->empty_pair_ns[c->nempty_pair++] = (int64_t)(1500 * rng_around_one(&state, 0.02));
		c->empty_kernel_ns[c->nempty_kernel++] =
		        (int64_t)(3500 * rng_around_one(&state, 0.02));
		c->graph_node_ns[c->ngraph_node++] = (int64_t)(1100 * rng_around_one(&state, 0.02));
		c->flush_ns[c->nflush++] = (int64_t)(flush * rng_around_one(&state, 0.02));
	}
	return true;
}

static int begin(struct device *d, struct job *j, enum timer t, int64_t batch)
{
	struct pretended *p = own(d);
	(void)t;
	p->batch = batch;
	p->noise = hash_of(j->it->id, d->seed + 1);
	p->taken = 0;
	return 0;
}

/* Share of the full clock at which the item runs now. */
static double clock_share(const struct pretended *p, const struct item *it)
{
	bool limited = it->heavy ? p->load_ns > BUDGET_NS : it->way.load != WAY_BURST;
	return limited && !it->way.host ? LIMITED : 1;
}

static void idle(struct device *d, int64_t ns)
{
	struct pretended *p = own(d);
	p->now_ns += ns;
	if (ns >= RESTORE_NS)
		p->load_ns = 0;
}

/* Only the samples' last calls are made, one on each set; no earlier call leaves a trace. */
static int sample(struct device *d, struct job *j, int64_t *ns, size_t n, int64_t *wall_ns)
{
	struct pretended *p = own(d);
	uint64_t process = d->seed, here = hash_of(j->it->id, d->seed);
	const double each = call_ns(p, j->it) * rng_around_one(&process, 0.003) *
	                    rng_around_one(&here, 0.001),
	             ghz = 1e-3 * (double)p->facts.sm_clock_max_mhz;
	double cycles = 0;
	size_t calls = n * (size_t)p->batch, made = calls < j->sets ? calls : j->sets;
	int rc = 0;
	*wall_ns = 0;
	for (size_t i = 0; i < n; i++) {
		const double share = clock_share(p, j->it);
		ns[i] = (int64_t)(each * (double)p->batch * rng_around_one(&p->noise, 0.004) /
		                  share);
		*wall_ns += ns[i];
		cycles += (double)ns[i] * ghz * share;
		p->load_ns += j->it->heavy ? ns[i] : 0;
		/* GPU 0 is the slowest, and each next one is done a thousandth earlier */
		for (int g = 0; d->skew_ns && g < j->gpus; g++)
			d->skew_ns[d->nskew++] = ns[i] / 1000 * g;
	}
	const int64_t over_ns = p->now_ns + *wall_ns;
	j->calls += calls - made;
	for (size_t i = 0; i < made && !rc; i++)
		rc = job_call(j);
	p->now_ns = over_ns; /* their time is in the samples */
	p->taken++;
	if (!j->it->way.host)
		device_clocked(d, (struct clocked){n, (int64_t)cycles, *wall_ns});
	if (fault_of(p, j->it) == PRETEND_HIDDEN)
		*wall_ns *= 2;
	if (fault_of(p, j->it) == PRETEND_INTERRUPTED && p->taken == 3)
		*wall_ns += AWAY_NS;
	return rc;
}

static int rest(struct device *d)
{
	d->late_ns = 0;
	return 0;
}

static void end(struct device *d)
{
	(void)d;
}

const struct backend backend_pretended = {
        .name = "cuda",
        .where = KERNEL_CUDA,
        .facts = facts,
        .open = open_device,
        .calibrate = calibrate,
        .fill = fill,
        .set = set,
        .mark = mark,
        .copy = copy,
        .finish = finish,
        .gather = gather,
        .unwritten = unwritten,
        .disturbed = disturbed,
        .changed = changed,
        .digest = digest,
        .product = product,
        .hold = hold,
        .call = call,
        .chosen = chosen,
        .now = now,
        .begin = begin,
        .sample = sample,
        .rest = rest,
        .end = end,
        .idle = idle,
        .trace_begin = pretended_trace_begin,
        .trace_call = pretended_trace_call,
        .trace_end = pretended_trace_end,
};
