/*
 * runner/plan/items.c - the items of a plan: selectors choose them from the families'
 * tables, and each gets its size in memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/child.h"
#include "runner/base/stamp.h"
#include "runner/machine/pretend.h"
#include "runner/plan/family.h"
#include "runner/plan/footprint.h"
#include "runner/plan/plan.h"

enum { ASK_TIMEOUT_S = 60, MAX_SETS = 1024 };

/* Number of sets that puts plan_flush_bytes() between two uses of the same bytes. */
static size_t sets_needed(const struct plan *p, const struct item *it, enum plan_use use)
{
	if (!it->way.cold || use == PLAN_CALL)
		return 1;
	size_t data = footprint_data(it);
	size_t sets = ((size_t)plan_flush_bytes(&p->facts) + data - 1) / data + 1;
	return sets < 2 ? 2 : sets;
}

/* Memory that a case may use, of each GPU: the one with the least decides. */
static size_t room_of(const struct plan *p, int gpus)
{
	int64_t least = p->facts.free_bytes;
	for (int g = 1; g < gpus; g++)
		least = p->facts.gpu[g].free_bytes < least ? p->facts.gpu[g].free_bytes : least;
	return (size_t)least / 10 * (p->where == KERNEL_CPU ? 5 : 9);
}

static int gpus_of(const struct plan *p)
{
	return p->facts.gpus > 1 ? p->facts.gpus : 1;
}

static void item_size(struct plan *p, struct item *it, enum plan_use use, struct arena *a)
{
	const int gpus = kernel_gpus(it->kcase);
	if (gpus > gpus_of(p)) {
		it->unavailable = arena_printf(a, "needs %d GPUs, the run may use %d (--gpus)",
		                               gpus, gpus_of(p));
		return;
	}
	size_t room = room_of(p, gpus);
	it->set_bytes = footprint_set(it);
	it->sets = sets_needed(p, it, use);
	size_t need = it->sets * it->set_bytes;
	if (it->sets > MAX_SETS)
		it->unavailable = arena_printf(a,
		                               "too little data to be cold: %zu copies of it would "
		                               "be needed, %d are the most",
		                               it->sets, MAX_SETS);
	else if (need > room)
		it->unavailable = arena_printf(a, "needs %.1f GiB of memory, %.1f GiB are free",
		                               (double)need / (1 << 30), (double)room / (1 << 30));
	else if (it->way.host && item_entries(it) > STREAM_ENTRIES)
		it->unavailable = "a call is more than a stream takes in at once: the host would "
		                  "wait for the device";
	else if (footprint_item(it) > p->memory)
		p->memory = footprint_item(it);
	if (!it->unavailable && gpus > p->gpus)
		p->gpus = gpus;
}

/* True if the suite measures the case in this way. */
static bool marked(const struct kernel_case *c, const struct way *w)
{
	for (int k = 0; k < WAYS_COUNT; k++) {
		unsigned mark = way_mark(w, (enum ways_index)k);
		if ((c->use & mark) != mark)
			return false;
	}
	return true;
}

/*
 * True if these are the inputs of a case for which nobody named any. A case's id names all its
 * parameters, so without `input` it means uniform ones.
 */
static bool usual_input(const struct item *it, const struct selector *s)
{
	bool full = (it->kcase->use & KERNEL_FULL) && !(s && select_is_id(s, it->kcase));
	return it->way.input == (full ? INPUT_FULL : INPUT_UNIFORM);
}

static bool names_input(const struct selector *s)
{
	return select_names(s, ways_keys[WAYS_INPUT].name);
}

static bool names_way(const struct selector *s, const struct way *w)
{
	for (int k = 0; k < WAYS_COUNT; k++)
		if (way_mark(w, (enum ways_index)k) && !select_names(s, ways_keys[k].name))
			return false;
	return true;
}

/* The cases of a sweep are measured if the selector names the knob, and checked always. */
static bool names_knob(const struct item *it, const struct selector *s, enum plan_use use)
{
	return !it->knob || use == PLAN_CHECK || use == PLAN_SMALL ||
	       (s && select_names(s, it->knob->name));
}

static bool wanted(const struct item *it, const struct selector *sel, size_t nsel, int gpus,
                   enum plan_use use, bool *hit)
{
	bool any = nsel == 0 && kernel_gpus(it->kcase) == gpus && marked(it->kcase, &it->way) &&
	           usual_input(it, NULL) && names_knob(it, NULL, use);
	for (size_t i = 0; i < nsel; i++) {
		bool asked = names_way(&sel[i], &it->way) ||
		             (marked(it->kcase, &it->way) && !select_is_id(&sel[i], it->kcase));
		asked = asked && (names_input(&sel[i]) || usual_input(it, &sel[i])) &&
		        names_knob(it, &sel[i], use);
		if (asked && select_matches(&sel[i], it->family, it->variant, it->kcase, &it->way))
			any = hit[i] = true;
	}
	return any;
}

/* True if the command may measure or check a case with these flags in this way. */
static bool in_use(enum kernel_where where, enum plan_use use, unsigned flags, const struct way *w)
{
	unsigned measure = where == KERNEL_CUDA ? KERNEL_MEASURE_CUDA : KERNEL_MEASURE_CPU;
	if (use == PLAN_CHECK || use == PLAN_SMALL)
		return !w->cold && !w->host && w->load == WAY_BURST &&
		       (flags & (KERNEL_CHECK | (use == PLAN_CHECK ? measure : 0u)));
	/* a call on a CPU is over when it returns, and no CPU is kept at its power limit */
	if (where == KERNEL_CPU && (w->host || w->load == WAY_STEADY))
		return false;
	if (w->host)
		return flags & measure;
	return (flags & measure) && (flags & (w->cold ? KERNEL_COLD : KERNEL_HOT));
}

struct collect {
	const struct kernel_family *const *family;
	size_t nfamilies;
	struct plan *p;
	enum plan_use use;
	const struct selector *sel;
	size_t nsel;
	bool *hit;
	struct arena *a;
	size_t room;
};

static size_t elements(const struct kernel_family *f, const struct kernel_case *c)
{
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	size_t n = f->buffers(c, b), sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += b[i].count;
	return sum;
}

/*
 * True if this case stands in for the small ones, because the variant supports none of
 * them (a library may handle only some shapes): it is the smallest of those measured.
 */
static bool stands_in(const struct collect *k, const struct item *it)
{
	const unsigned measure =
	        k->p->where == KERNEL_CUDA ? KERNEL_MEASURE_CUDA : KERNEL_MEASURE_CPU;
	const struct kernel_variant *v = it->variant;
	const struct kernel_case *least = NULL;
	for (size_t i = 0; i < it->family->ncases; i++) {
		const struct kernel_case *c = &it->family->cases[i];
		if (v->supports && !v->supports(c))
			continue;
		if (c->use & KERNEL_CHECK)
			return false;
		if ((c->use & measure) &&
		    (!least || elements(it->family, c) < elements(it->family, least)))
			least = c;
	}
	return it->kcase == least;
}

/*
 * True if the plan has the item already. Rows of a family may differ only in the way they
 * are timed (family_check()). They are one case if nothing is timed or a selector names the way.
 */
static bool is_there(const struct collect *k, const struct item *it)
{
	for (size_t i = k->p->n; i-- > 0 && k->p->item[i].family == it->family;)
		if (strcmp(k->p->item[i].id, it->id) == 0)
			return true;
	return false;
}

static void collect_item(struct collect *k, struct item it)
{
	unsigned use = it.kcase->use;
	if (k->use == PLAN_SMALL && stands_in(k, &it))
		use |= KERNEL_CHECK;
	if (it.way.input == INPUT_FULL)
		it.unavailable = it.family->grid_only;
	if (!in_use(k->p->where, k->use, use, &it.way) ||
	    !wanted(&it, k->sel, k->nsel, gpus_of(k->p), k->use, k->hit))
		return;
	it.id = item_id(&it, k->a);
	if (is_there(k, &it))
		return;
	if (k->p->n == k->room) {
		struct item *more = ARENA_ARRAY(k->a, struct item, k->room = 2 * k->room + 64);
		if (k->p->n)
			memcpy(more, k->p->item, k->p->n * sizeof *more);
		k->p->item = more;
	}
	k->p->item[k->p->n++] = it;
}

static void collect_ways(struct collect *k, struct item it)
{
	for (size_t w = 0; w < WAYS && pretend_calls(it.variant); w++) {
		const enum input_kind input = it.way.input;
		it.way = way_all[w];
		it.way.input = input;
		collect_item(k, it);
	}
}

/* The variant as its sweep computes it; the same copy for all cases of a plan. */
static const struct kernel_variant *swept(const struct collect *k, const struct item *it)
{
	for (size_t i = 0; i < k->p->n; i++)
		if (k->p->item[i].knob == it->knob)
			return k->p->item[i].variant;
	struct kernel_variant *v = ARENA_NEW(k->a, struct kernel_variant);
	*v = *it->variant;
	v->file = it->knob->file;
	v->scratch_bytes = it->knob->scratch_bytes;
	v->prepare = it->knob->prepare;
	v->launch = it->knob->launch;
	return v;
}

/*
 * The case with each value of the variant's knob, if it has one. Slow tools, which take the small
 * cases, get the least and the greatest value.
 */
static void collect_sweep(struct collect *k, struct item it)
{
	const struct kernel_case *base = it.kcase;
	it.knob = kernel_knob_of(it.family, it.variant);
	if (!it.knob)
		return;
	it.variant = swept(k, &it);
	const int last = kernel_knob_values(it.knob) - 1;
	for (int i = 0; i <= last; i += k->use == PLAN_SMALL && i < last ? last : 1) {
		struct kernel_case *c = ARENA_NEW(k->a, struct kernel_case);
		it.kcase = c;
		if (kernel_knob_case(it.knob, base, i, c))
			collect_ways(k, it);
	}
}

static void collect_case(struct collect *k, struct item it)
{
	if (it.variant->where != k->p->where ||
	    (it.variant->supports && !it.variant->supports(it.kcase)))
		return;
	collect_ways(k, it);
	collect_sweep(k, it);
}

/* The items of one case on one kind of inputs share what is expected. */
static void collect_inputs(struct collect *k, const struct kernel_family *f,
                           const struct kernel_case *c, enum input_kind input)
{
	size_t before = k->p->n;
	for (size_t v = 0; v < f->nvariants; v++)
		collect_case(k, (struct item){.family = f,
		                              .variant = &f->variants[v],
		                              .kcase = c,
		                              .way.input = input,
		                              .expected = k->p->ncases});
	k->p->ncases += k->p->n > before;
}

static void collect_all(struct collect *k)
{
	const struct kernel_family *const *f = k->family;
	for (size_t i = 0; i < k->nfamilies; i++)
		for (size_t c = 0; c < f[i]->ncases; c++)
			for (int input = 0; input < WAY_INPUTS; input++)
				collect_inputs(k, f[i], &f[i]->cases[c], (enum input_kind)input);
}

/* Runs in a child, because a library may start CUDA to answer. */
static void ask_scratch(void *out, const void *ctx)
{
	const struct plan *p = ctx;
	size_t *bytes = out;
	struct kernel_env env = p->env;
	for (size_t i = 0; i < p->n; i++) {
		env.gpus = kernel_gpus(p->item[i].kcase);
		if (p->item[i].variant->scratch_bytes)
			bytes[i] = p->item[i].variant->scratch_bytes(p->item[i].kcase, &env);
	}
}

/* Several GPUs must be of one kind, and nothing may multicast between them. */
static bool may_use_several(const struct plan *p, struct err *e)
{
	if (p->facts.unequal[0])
		return err_set(e, "%d GPUs: they must be of one kind, but %s", p->gpus,
		               p->facts.unequal);
	for (int g = 0; g < p->gpus; g++)
		for (int h = 0; h < p->gpus; h++)
			if (g != h && !p->facts.link[g][h].read)
				return err_set(e,
				               "%d GPUs: GPU %d cannot access the memory of GPU %d",
				               p->gpus, g, h);
	return machine_multicast_is_off(e);
}

static bool size_all(struct plan *p, enum plan_use use, struct arena *a, struct err *e)
{
	size_t *bytes = ARENA_ARRAY(a, size_t, p->n);
	if (use == PLAN_CALL) /* this process forks no other, so it may start CUDA */
		ask_scratch(bytes, p);
	else if (!child_ask(ask_scratch, p, bytes, p->n * sizeof *bytes, ASK_TIMEOUT_S, e))
		return false;
	for (size_t i = 0; i < p->n; i++) {
		p->item[i].scratch_bytes = bytes[i];
		item_size(p, &p->item[i], use, a);
	}
	return p->gpus < 2 || may_use_several(p, e);
}

/* Checks the tables of every family that a selector may match. */
static bool check_families(const struct collect *k, struct err *e)
{
	for (size_t i = 0; i < k->nfamilies; i++) {
		bool meant = k->nsel == 0;
		for (size_t s = 0; s < k->nsel; s++)
			meant |= str_glob(k->sel[s].family, str_of(k->family[i]->id));
		if (meant && !family_check(k->family[i], e))
			return false;
	}
	return true;
}

/* Checks that the inputs which selectors name exist. */
static bool check_inputs(const struct selector *sel, size_t nsel, struct err *e)
{
	const struct ways_key *key = &ways_keys[WAYS_INPUT];
	for (size_t i = 0; i < nsel; i++) {
		struct str want;
		bool known = !select_value(&sel[i], key->name, &want);
		for (int k = 0; k < WAY_INPUTS && !known; k++)
			known = str_glob(want, str_of(key->word[k]));
		if (known)
			continue;
		struct sb words = {0};
		ways_list(key, &words);
		err_set(e, "input '" STR_FMT "': expected %s", STR_ARG(want), words.p);
		sb_free(&words);
		return false;
	}
	return true;
}

/* Collects the items, without their sizes. */
static bool list_items(const struct kernel_family *const *family, size_t nfamilies,
                       enum plan_use use, const struct selector *sel, size_t nsel, struct arena *a,
                       struct plan *out, struct err *e)
{
	bool *hit = ARENA_ARRAY(a, bool, nsel + 1);
	struct collect k = {family, nfamilies, out, use, sel, nsel, hit, a, 0};
	const char *device = out->where == KERNEL_CUDA ? "cuda" : "cpu";
	if (!check_families(&k, e) || !check_inputs(sel, nsel, e))
		return false;
	collect_all(&k);
	for (size_t i = 0; i < nsel; i++)
		if (!hit[i])
			return err_set(e,
			               "selector '" STR_FMT
			               "': nothing to %s on %s; 'runner list " STR_FMT
			               "' shows what there is, and where it runs",
			               STR_ARG(sel[i].text), use <= PLAN_CALL ? "measure" : "check",
			               device, STR_ARG(sel[i].family));
	return out->n || err_set(e, "nothing to do on %s", device);
}

bool plan_make_of(const struct kernel_family *const *family, size_t nfamilies,
                  enum kernel_where where, enum plan_use use, const struct facts *facts,
                  const struct selector *sel, size_t nsel, struct arena *a, struct plan *out,
                  struct err *e)
{
	*out = (struct plan){.where = where, .facts = *facts, .gpus = 1, .set = settings_default};
	out->env = (struct kernel_env){
	        .sms = where == KERNEL_CUDA ? (int)facts->sms : 0,
	        .l2_bytes = where == KERNEL_CUDA ? (size_t)facts->cache_bytes : 0,
	        .threads = facts->threads,
	        .gpus = 1,
	};
	if (stamp_jitters() && use <= PLAN_CALL)
		return err_set(e, "this program was made with JITTER=1, which delays kernels at "
		                  "random: it can check, not measure");
	return list_items(family, nfamilies, use, sel, nsel, a, out, e) && size_all(out, use, a, e);
}

bool plan_list(enum kernel_where where, const struct selector *sel, size_t nsel, struct arena *a,
               struct plan *out, struct err *e)
{
	size_t n;
	const struct kernel_family *const *f = kernel_families(&n);
	*out = (struct plan){.where = where, .set = settings_default};
	return list_items(f, n, PLAN_MEASURE, sel, nsel, a, out, e);
}

bool plan_make(enum kernel_where where, enum plan_use use, const struct facts *facts,
               const struct selector *sel, size_t nsel, struct arena *a, struct plan *out,
               struct err *e)
{
	size_t n;
	const struct kernel_family *const *f = kernel_families(&n);
	return plan_make_of(f, n, where, use, facts, sel, nsel, a, out, e);
}
