#include "runner/records/head.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "runner/base/clock.h"
#include "runner/base/rng.h"
#include "runner/base/stamp.h"
#include "runner/device/exact.h"
#include "runner/plan/order.h"

static void utc_at(int64_t at, const char *format, char *text, size_t n)
{
	time_t t = (time_t)at;
	struct tm tm;
	strftime(text, n, format, gmtime_r(&t, &tm));
}

static const char *utc(const char *format, struct arena *a)
{
	char text[40];
	utc_at(time(NULL), format, text, sizeof text);
	return arena_strdup(a, text);
}

bool head_clock(int64_t now, int64_t committed, struct err *e)
{
	char is[40], was[40];
	utc_at(now, "%Y-%m-%dT%H:%M:%SZ", is, sizeof is);
	utc_at(committed, "%Y-%m-%dT%H:%M:%SZ", was, sizeof was);
	return now >= committed ||
	       err_set(e,
	               "the clock says %s, and the commit that this runner was built from is of "
	               "%s: set the clock; a run that begins before its sources is no record",
	               is, was);
}

const char *head_time(struct arena *a)
{
	return utc("%Y-%m-%dT%H:%M:%SZ", a);
}

const char *head_fresh_id(const char *slug, uint64_t seed, struct arena *a)
{
	return arena_printf(a, "%s-%s-%08x", utc("%Y%m%dT%H%M%SZ", a), slug,
	                    (unsigned)(rng_derive(seed, 7, (uint64_t)clock_ns()) & 0xffffffff));
}

const char *head_own_hash(struct arena *a)
{
	char hex[HASH_SHA256_HEX + 1] = "";
	/* /proc/self/exe, because a newer build may have taken the file's name */
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p = fd >= 0 && fstat(fd, &st) == 0
	                  ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
	                  : MAP_FAILED;
	if (p != MAP_FAILED) {
		hash_sha256((struct str){p, (size_t)st.st_size}, hex);
		munmap(p, (size_t)st.st_size);
	}
	if (fd >= 0)
		close(fd);
	return arena_strdup(a, hex);
}

bool head_knows_runner(const char *runner_sha256, struct err *e)
{
	return *runner_sha256 || err_set(e, "this program cannot read its own file to tell its "
	                                    "hash: out of memory or of descriptors?");
}

static int64_t *copy_samples(struct arena *a, const int64_t *from, size_t n)
{
	int64_t *out = ARENA_ARRAY(a, int64_t, n);
	if (n)
		memcpy(out, from, n * sizeof *out);
	return out;
}

static void head_calibration(const struct calibration *c, struct arena *a, struct run_head *h)
{
	h->tick_ns = c->tick_ns;
	h->empty_pair_ns = copy_samples(a, c->empty_pair_ns, h->nempty_pair = c->nempty_pair);
	h->empty_kernel_ns =
	        copy_samples(a, c->empty_kernel_ns, h->nempty_kernel = c->nempty_kernel);
	h->graph_node_ns = copy_samples(a, c->graph_node_ns, h->ngraph_node = c->ngraph_node);
	h->flush_ns = copy_samples(a, c->flush_ns, h->nflush = c->nflush);
}

static void head_plan(const struct plan *p, const struct invocation *inv, struct arena *a,
                      struct run_head *h)
{
	h->argv = ARENA_ARRAY(a, const char *, (size_t)inv->argc + 1);
	for (int i = 1; i < inv->argc; i++)
		h->argv[h->nargv++] = inv->argv[i];
	h->rng_seed = (int64_t)p->set.seed;
	h->launches = p->set.launches;
	h->warmup_ms = p->set.warmup_ms;
	h->min_samples = p->set.min_samples;
	h->max_samples = p->set.max_samples;
	h->cap_ms = p->set.cap_ms;
	h->flush_bytes = plan_flush_bytes(&p->facts);
	h->stop_halfwidth = p->set.halfwidth;
	if (p->where == KERNEL_CUDA) {
		h->idle_ms = p->set.idle_ms;
		h->burst_ms = p->set.burst_ms;
	}
	for (size_t i = 0; i < p->n; i++)
		if (p->item[i].way.load == WAY_STEADY) {
			h->load_ms = p->set.load_ms;
			h->settle_ms = p->set.settle_ms;
			h->steady_ms = p->set.steady_ms;
		}
	h->order = order_text(p);
}

bool head_make(const struct plan *p, const struct calibration *c, const char *reason,
               const struct invocation *inv, struct arena *a, struct run_head *h, struct err *e)
{
	*h = (struct run_head){
	        .schema = p->facts.pretended ? RECORD_PRETENDED_SCHEMA : RECORD_SCHEMA,
	        .id = head_fresh_id(p->facts.slug, p->set.seed, a),
	        .device = p->facts.slug,
	        .start = head_time(a),
	        .reason = reason,
	        .commit = stamp.commit,
	        .dirty = stamp.dirty,
	        .runner_sha256 = head_own_hash(a),
	        .ntoolchain = stamp.ntoolchain,
	};
	h->toolchain = ARENA_ARRAY(a, struct run_pair, stamp.ntoolchain + 1);
	memcpy(h->toolchain, stamp.toolchain, stamp.ntoolchain * sizeof *h->toolchain);
	head_calibration(c, a, h);
	head_plan(p, inv, a, h);
	return head_knows_runner(h->runner_sha256, e) &&
	       machine_describe(&p->facts, p->where == KERNEL_CUDA ? p->gpus : 0, a, h, e);
}

bool head_may_lie_in(const struct run_head *h, const char *out, struct err *e)
{
	char real[PATH_MAX], data[PATH_MAX];
	bool known = realpath(out, real) && realpath("data", data);
	size_t n = known ? strlen(data) : 0;
	bool below = known ? strncmp(real, data, n) == 0 && (!real[n] || real[n] == '/')
	                   : str_starts(str_of(out), "data/");
	return !record_is_pretended(h) || !below ||
	       err_set(e,
	               "%s: a pretended device records nothing under data/, where the site's "
	               "records lie: name another folder with --out",
	               out);
}

/* --- cases --- */

/* Splits "FFMA 16, all 214" into names and numbers. */
static void build_mix(const char *text, struct arena *a, struct run_build *b)
{
	struct str rest = str_of(text), part, name, count;
	b->mix = ARENA_ARRAY(a, struct run_pair, rest.n / 2 + 1);
	for (bool more = rest.n > 0; more;) {
		more = str_cut(rest, ',', &part, &rest);
		struct run_pair *p = &b->mix[b->nmix++];
		str_cut(str_trim(part), ' ', &name, &count);
		*p = (struct run_pair){.name = str_dup(a, name)};
		str_i64(count, &p->num);
	}
}

static void case_build(const struct item *it, struct arena *a, struct run_case *c)
{
	const struct stamp_unit *u = stamp_unit_find(it->variant->file);
	c->build = (struct run_build){
	        .flags = stamp_flags(it->variant->file),
	        .registers = RECORD_NONE,
	        .shared_bytes = RECORD_NONE,
	        .spill_bytes = RECORD_NONE,
	        .library = it->library,
	};
	if (it->choice && !record_choice_parse(str_of(it->choice), a, &c->build.choice))
		c->build.choice.n = 0;
	if (it->source) {
		c->build.flags = it->flags;
		c->nsource = 1;
		c->source = ARENA_NEW(a, struct run_source);
		*c->source = *it->source;
	}
	if (!u)
		return;
	c->nsource = u->nsources;
	c->source = ARENA_ARRAY(a, struct run_source, u->nsources);
	memcpy(c->source, u->sources, u->nsources * sizeof *c->source);
	c->build.code_sha256 = u->code_sha256;
	/* a library's file contains many kernels, and it is unknown which of them ran */
	if (it->variant->role == KERNEL_PEER || u->registers < 0)
		return;
	c->build.registers = u->registers;
	c->build.shared_bytes = u->shared_bytes;
	c->build.spill_bytes = u->spill_bytes;
	build_mix(u->mix ? u->mix : "", a, &c->build);
}

static const char *role_name(enum kernel_role r)
{
	static const char *const names[] = {"kernel", "peer", "ceiling"};
	return names[r];
}

/* Describes the contents of the inputs; integer keys and real numbers have different texts. */
static const char *input_text(const struct item *it, struct arena *a)
{
	static const char *const draws[] = {
	        [KERNEL_KEYS] = "keys, uniform below %lld",
	        [KERNEL_ZIPF] = "keys, Zipf in octaves, below %lld",
	        [KERNEL_ONEKEY] = "keys, all the same, below %lld",
	};
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	size_t n = it->family->buffers(it->kcase, b);
	for (size_t i = 0; i < n; i++)
		if (b[i].access == KERNEL_IN && b[i].draw == KERNEL_QUERIES)
			return arena_printf(a, "%s; every other query is the mean of two keys",
			                    way_input_text(it->way.input));
		else if (b[i].access == KERNEL_IN && b[i].draw == KERNEL_PROBES)
			return arena_printf(
			        a,
			        "%s; three of four queries are the mean of two keys; NaN "
			        "where the cache has no key",
			        way_input_text(it->way.input));
		else if (b[i].access == KERNEL_IN && b[i].draw != KERNEL_REAL &&
		         b[i].draw != KERNEL_MADE)
			return arena_printf(a, draws[b[i].draw], (long long)b[i].range);
	return way_input_text(it->way.input);
}

/* What is compared bit for bit, and on which inputs; NULL: nothing. */
static const char *exact_text(const struct item *it, struct arena *a)
{
	struct exact_product x;
	if (!exact_of(it->family, it->kcase, &x))
		return NULL;
	return arena_printf(
	        a, "all outputs, with an integer product on the device; inputs are %s%s%s",
	        exact_inputs(x.a), x.a == x.b ? "" : " and ", x.a == x.b ? "" : exact_inputs(x.b));
}

/* A sweep has the name of its variant. Variants that are not in the family's table come after it.
 */
static int64_t rank_of(const struct kernel_family *f, const struct kernel_variant *v)
{
	const struct kernel_variant *own = kernel_variant_find(f, v->id);
	return own ? own - f->variants : (int64_t)f->nvariants;
}

void head_case(const struct item *it, struct arena *a, struct run_case *c)
{
	const struct kernel_family *f = it->family;
	const struct kernel_variant *v = it->variant;
	struct kernel_model m = {0};
	f->model(it->kcase, &m);
	*c = (struct run_case){
	        .id = it->id,
	        .family = f->id,
	        .variant = v->id,
	        .family_title = f->title,
	        .variant_title = v->title,
	        .problem = f->problem,
	        .idea = v->idea,
	        .metric = f->metric,
	        .rank = rank_of(f, v),
	        .role = it->null ? "null" : role_name(v->role),
	        .device = v->where == KERNEL_CUDA ? "cuda" : "cpu",
	        .dtype = kernel_dtype_name(it->kcase->dtype),
	        .cache = way_word(&it->way, STR("cache")),
	        .unavailable = it->unavailable,
	        .heavy = it->heavy,
	        .model = {m.flop, m.bytes_read, m.bytes_written, m.formula, m.unit, m.level, m.op},
	        .input = input_text(it, a),
	        .input_sets = (int64_t)it->sets,
	        .check_reference = arena_printf(
	                a, "%s() in %s, on the host",
	                str_ends(str_of(f->file), ".py") ? "reference" : "expect", f->file),
	};
	c->tolerance = f->tolerance(it->kcase, &c->check_why);
	c->check_exact = exact_text(it, a);
	item_params(it, c);
	if (it->knob)
		c->knob = (struct run_knob){it->knob->name, it->knob->unit, it->knob->chosen};
	case_build(it, a, c);
}
