/*
 * The conditions of a run in words: label and value pairs for the box at the
 * top of a post, the page of a run, and `explain`. A value that could not be
 * read says so; none is left out silently.
 */
#include <string.h>

#include "lib/array.h"
#include "lib/record_foreign.h"
#include "site-gen/records/data.h"
#include "site-gen/lua/words.h"

enum { MAX_FACTS = 26 };

struct facts {
	struct data_fact *f;
	size_t n;
	struct arena *a;
};

static void add(struct facts *l, const char *label, const char *value)
{
	if (value && *value && l->n < MAX_FACTS)
		l->f[l->n++] = (struct data_fact){.label = label, .value = value};
}

const char *data_fact_text(const struct words *w, const struct data_fact *f, struct arena *a)
{
	enum { PARTS = ARRAY_LEN(f->part) };
	const char *text = "";
	for (size_t i = 0; i < PARTS && f->part[i].word; i++) {
		const struct data_fact_part *p = &f->part[i];
		text = arena_printf(
		        a, "%s%s", text,
		        words_fill(w, a, p->word, words_label(w, p->one), words_label(w, p->two)));
	}
	return *text ? text : f->value;
}

/* Adds a value whose wording depends on the language. */
static void add_parts(struct facts *l, const char *label, struct data_fact_part first,
                      struct data_fact_part second)
{
	struct data_fact f = {.label = label, .part = {first, second}};
	f.value = data_fact_text(NULL, &f, l->a);
	if (l->n < MAX_FACTS)
		l->f[l->n++] = f;
}

static void add_limited(struct facts *l, const char *label, const char *bare, const char *limit)
{
	if (limit)
		add_parts(l, label, (struct data_fact_part){"fact_limit", bare, limit},
		          (struct data_fact_part){0});
	else
		add(l, label, bare);
}

static const char *digits(struct facts *l, int64_t n)
{
	return arena_printf(l->a, "%lld", (long long)n);
}

/* Records call a process of the runner a launch, as CUDA calls something else. */
static const char *order_of(const struct run_head *h, struct arena *a)
{
	static const char recorded[] = "random within each launch";
	const char *order = h->order ? h->order : "";
	return str_starts(str_of(order), recorded)
	               ? arena_printf(a, "random within each process%s", order + strlen(recorded))
	               : h->order;
}

/* The lowest and highest reading over all successful processes; false: it was never read. */
static bool range_of(const struct run *r, int64_t (*get)(const struct run_launch *, bool high),
                     int64_t *lo, int64_t *hi)
{
	bool any = false;
	for (size_t i = 0; i < r->nlaunches; i++) {
		const struct run_launch *l = &r->launches[i];
		if (!record_launch_ok(l) || get(l, false) == RECORD_NONE)
			continue;
		*lo = any && *lo < get(l, false) ? *lo : get(l, false);
		*hi = any && *hi > get(l, true) ? *hi : get(l, true);
		any = true;
	}
	return any;
}

static int64_t sm_clock(const struct run_launch *l, bool high)
{
	return l->sm_clock_mhz[high ? 2 : 0];
}

static int64_t temperature(const struct run_launch *l, bool high)
{
	return l->temperature_c[high ? 1 : 0];
}

static int64_t power(const struct run_launch *l, bool high)
{
	return l->power_mw[high ? 2 : 0] == RECORD_NONE ? RECORD_NONE
	                                                : l->power_mw[high ? 2 : 0] / 1000;
}

static void add_range(struct facts *l, const struct run *r, const char *label, const char *unit,
                      int64_t (*get)(const struct run_launch *, bool high), int64_t limit)
{
	int64_t lo = 0, hi = 0;
	if (!range_of(r, get, &lo, &hi))
		return;
	const char *most = limit == RECORD_NONE
	                           ? NULL
	                           : arena_printf(l->a, "%lld" NBSP "%s", (long long)limit, unit);
	const char *bare = lo == hi ? arena_printf(l->a, "%lld" NBSP "%s", (long long)lo, unit)
	                            : arena_printf(l->a, "%lld–%lld" NBSP "%s", (long long)lo,
	                                           (long long)hi, unit);
	add_limited(l, label, bare, most);
}

/* How many GPUs, what joins them, and which cards they are. */
static void add_several(struct facts *l, const struct run_head *h)
{
	const int64_t lanes = record_lanes(h);
	const char *count = digits(l, (int64_t)h->ngpus);
	if (lanes == RECORD_NONE)
		add(l, "GPUs", count);
	else
		add_parts(l, "GPUs", (struct data_fact_part){"fact_gpus", count, digits(l, lanes)},
		          (struct data_fact_part){0});
	add(l, "Cards", record_cards(h, h->ngpus, l->a));
}

static void add_gpu(struct facts *l, const struct run *r)
{
	const struct run_gpu *g = &r->head.gpu;
	add(l, "GPU", g->name);
	if (r->head.ngpus > 1)
		add_several(l, &r->head);
	add(l, "Driver", g->driver);
	if (g->cuda_runtime != RECORD_NONE && g->cuda_runtime > 0)
		add(l, "CUDA runtime",
		    arena_printf(l->a, "%lld.%lld", (long long)(g->cuda_runtime / 1000),
		                 (long long)(g->cuda_runtime % 1000 / 10)));
	add_range(l, r, "SM clock", "MHz", sm_clock, g->sm_clock_max_mhz);
	add_range(l, r, "Power", "W", power,
	          g->power_limit_mw == RECORD_NONE ? RECORD_NONE : g->power_limit_mw / 1000);
	add_range(l, r, "Temperature", "°C", temperature, RECORD_NONE);
	if (g->ecc != RECORD_NONE)
		add(l, "ECC", g->ecc ? "on" : "off");
}

static void add_toolchain(struct facts *l, const struct run_head *h)
{
	for (size_t i = 0; i < h->ntoolchain; i++) {
		const char *name = h->toolchain[i].name;
		if (h->toolchain[i].word && strncmp(name, "flags", 5) != 0)
			add(l, name, h->toolchain[i].word);
	}
}

static void add_unavailable(struct facts *l, const struct run_head *h)
{
	struct sb text = {0};
	for (size_t i = 0; i < h->nunavailable; i++)
		sb_printf(&text, "%s%s (%s)", i ? "; " : "", h->unavailable[i].name,
		          h->unavailable[i].word ? h->unavailable[i].word : "no reason given");
	if (text.n)
		add(l, "Could not be read", str_dup(l->a, sb_view(&text)));
	sb_free(&text);
}

/* "2026-01-31 12:00 UTC" */
static const char *when(const char *start, struct arena *a)
{
	if (strlen(start) < 16)
		return start;
	return arena_printf(a, "%.10s %.5s UTC", start, start + 11);
}

const struct data_fact *data_conditions(const struct data_run *r, size_t *n)
{
	*n = r->nfacts;
	return r->facts;
}

/* What is known of the measurement of another harness, instead of a plan and a commit. */
static void add_foreign(struct facts *l, const struct run_foreign *f)
{
	add(l, "Harness",
	    f->version ? arena_printf(l->a, "%s %s", f->harness, f->version) : f->harness);
	add(l, "Checked by its author", f->checked ? f->checked : "nothing");
	add(l, "Source", f->source);
	add(l, "Commit of the source", f->commit);
	add(l, "Command", f->command);
	add(l, "Original file", f->file);
	add(l, "SHA-256 of the original", f->sha256);
}

/* The plan of this project's runner, and the commit that it was built from. */
static void add_plan(struct facts *l, const struct data_run *r)
{
	const struct run_head *h = &r->run.head;
	add_parts(l, "Plan",
	          (struct data_fact_part){"fact_plan", digits(l, h->launches),
	                                  digits(l, (int64_t)r->run.ncases)},
	          (struct data_fact_part){"fact_order", order_of(h, l->a), digits(l, h->rng_seed)});
	add(l, "Commit",
	    h->commit ? arena_printf(l->a, "%.12s%s", h->commit,
	                             h->dirty ? ", with changes that were not committed" : "")
	              : arena_printf(l->a, "%s: built outside a git checkout", record_commit(h)));
}

/* What is known of programs that the runner started: its own plan, and what checked them. */
static void add_program(struct facts *l, const struct data_run *r)
{
	const struct run_foreign *f = r->run.head.foreign;
	add_plan(l, r);
	add(l, "Program", f->command);
	add(l, "Check of each process", f->checked ? f->checked : "nothing");
	add(l, "Source", f->source);
	add(l, "Commit of the source", f->commit);
	add(l, "SHA-256 of the transcript", f->sha256);
}

/* A text that the record has as unknown is none. */
static const char *known(const char *s)
{
	return strcmp(s, RECORD_UNKNOWN) == 0 ? NULL : s;
}

static void add_cpu(struct facts *l, const struct run_machine *m)
{
	if (m->cores > 0)
		add_parts(l, "CPU",
		          (struct data_fact_part){"fact_cores", m->cpu, digits(l, m->cores)},
		          (struct data_fact_part){0});
	else
		add(l, "CPU", known(m->cpu));
}

void data_conditions_make(struct data_run *r, struct arena *a)
{
	const struct run_head *h = &r->run.head;
	struct facts l = {ARENA_ARRAY(a, struct data_fact, MAX_FACTS), 0, a};
	if (h->gpu.name)
		add_gpu(&l, &r->run);
	add_cpu(&l, &h->machine);
	add(&l, "System", known(h->machine.os));
	add(&l, "Virtualisation", h->machine.virtualisation);
	add_toolchain(&l, h);
	add(&l, "Date", when(h->start, a));
	if (record_foreign_is_exec(h))
		add_program(&l, r);
	else if (h->foreign)
		add_foreign(&l, h->foreign);
	else
		add_plan(&l, r);
	add(&l, "Reason", h->reason);
	add(&l, "Format",
	    h->newer ? arena_printf(a,
	                            "%s, of a later minor version than this program knows: "
	                            "what is new in it is not shown",
	                            h->schema)
	             : NULL);
	add_unavailable(&l, h);
	r->facts = l.f;
	r->nfacts = l.n;
}
