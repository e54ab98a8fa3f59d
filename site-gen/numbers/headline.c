#include "site-gen/numbers/headline.h"

#include <string.h>

#include "lib/file.h"
#include "site-gen/base/front.h"
#include "site-gen/lua/config.h"
#include "site-gen/numbers/roof.h"

enum { MAX_SOURCE_BYTES = 256 << 10 };

/* --- reading the front matter --- */

static const char *const own_keys[] = {"metric", NULL};

/* Reads `headline` like the words of a placeholder, so that errors have a place. */
static bool read_query(struct headline *h, const struct front_text *t, struct arena *a,
                       struct err *e)
{
	const char *head = arena_printf(a, "<<bench:ladder %s/* ", h->family);
	const char *all = arena_printf(a, "%s" STR_FMT ">>", head, STR_ARG(t->s));
	struct loc at = t->at;
	at.col -= (int)strlen(head);
	if (!placeholder_parse(str_of(all), at, &h->p, e))
		return false;
	if (h->p.nwords > 1)
		return err_at(e, placeholder_loc(&h->p, h->p.word[1]),
		              "'" STR_FMT "' is no condition of a headline, expected key=value",
		              STR_ARG(h->p.word[1]));
	if (!query_parse(&h->p, h->p.word[0], own_keys, true, &h->q, e))
		return false;
	if (h->q.device.p || h->q.run.p)
		return err_at(e, placeholder_loc(&h->p, h->q.run.p ? h->q.run : h->q.device),
		              "a headline is the newest number of each device, expected neither "
		              "device= nor run=");
	struct str metric = placeholder_key(&h->p, "metric");
	const struct metric_info *m = metric.p ? metric_find(metric) : NULL;
	if (metric.p && !m)
		return err_at(e, placeholder_loc(&h->p, metric),
		              "unknown metric '" STR_FMT "', expected bandwidth, time or another "
		              "of docs/placeholders.md",
		              STR_ARG(metric));
	h->has_metric = m != NULL;
	h->metric = m ? m->id : METRIC_TIME;
	return true;
}

/* The front matter of a family's text in a language. False: no such file, or a wrong one. */
static bool front_of(const struct data *d, const char *family, const char *code, bool own,
                     struct arena *a, struct front *f)
{
	const char *name = own ? family : arena_printf(a, "%s.%s", family, code);
	const char *path = arena_printf(a, "content/kernels/%s.md", name);
	const char *file = arena_printf(a, "%s/%s", d->root, path);
	struct err ignored = ERR_NONE;
	struct str src;
	return file_exists(file) && file_read(file, MAX_SOURCE_BYTES, a, &src, &ignored) &&
	       front_parse(src, path, own ? FRONT_FAMILY : FRONT_TRANSLATION, a, f, &ignored);
}

static const char *title_of(const struct front *f, struct arena *a)
{
	return f->title.s.p ? str_dup(a, f->title.s) : NULL;
}

/* Reads the texts in the other languages of the site. */
static void read_texts(const struct data *d, const struct config *c, struct headline *h,
                       struct arena *a)
{
	const struct headline_text *own = &h->text[0];
	for (size_t i = 1; i < c->nlanguages; i++) {
		struct headline_text *t = &h->text[i];
		struct front f = {0};
		*t = *own;
		t->has_page = false;
		if (!front_of(d, h->family, c->languages[i].code, false, a, &f))
			continue;
		t->has_page = true;
		t->title = f.title.s.p ? title_of(&f, a) : own->title;
		t->name = f.headline_case ? f.headline_case : own->name;
		t->post = f.post ? f.post : own->post;
		t->read = f.read ? f.read : own->read;
	}
}

/* --- the cases --- */

static bool is_variant_twice(const struct pick *p, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(p[i].d->c->variant, p[k].d->c->variant) == 0)
				return true;
	return false;
}

/* Checks a headline on all devices: each variant has one case, and some device has cases. */
static bool check_cases(const struct data *d, const struct headline *h, struct arena *a,
                        struct err *e)
{
	struct expand_ctx ctx = {.data = d, .arena = a};
	struct pick *p;
	size_t n, found = 0;
	for (size_t i = 0; i < d->ndevices; i++) {
		struct err none = ERR_NONE;
		ctx.device = d->devices[i];
		if (!query_all(&ctx, &h->q, &p, &n, &none))
			continue;
		found += n;
		if (is_variant_twice(p, n))
			return err_at(e, placeholder_loc(&h->p, h->p.key[0].name),
			              "a headline has one case of each variant, on %s it has "
			              "several; say %s",
			              ctx.device, query_differs(&ctx, p, n));
	}
	ctx.device = d->default_device;
	return found > 0 || query_all(&ctx, &h->q, &p, &n, e);
}

/* Reads one family's headline; *has: it has one. */
static bool read_one(const struct data *d, const struct config *c, const char *family,
                     struct arena *a, struct headline *h, bool *has, struct err *e)
{
	struct front f = {0};
	*has = front_of(d, family, "", true, a, &f) && f.headline.s.p;
	if (!*has)
		return true;
	*h = (struct headline){
	        .family = family, .task = f.task, .device = f.ndevices ? f.devices[0] : f.device};
	if (!f.headline_case)
		return err_at(e, f.headline.at,
		              "headline without a name for readers, expected the "
		              "key 'case', too");
	h->text = ARENA_ARRAY(a, struct headline_text, c->nlanguages);
	h->text[0] = (struct headline_text){title_of(&f, a), f.headline_case, f.post, f.read, true};
	read_texts(d, c, h, a);
	return read_query(h, &f.headline, a, e) && check_cases(d, h, a, e);
}

bool headlines_load(const struct data *d, const struct config *c, struct arena *a,
                    struct headlines *out, struct err *e)
{
	const struct data_families *f = &d->families;
	*out = (struct headlines){.all = ARENA_ARRAY(a, struct headline, f->n + 1)};
	for (size_t i = 0; i < f->n; i++) {
		bool has;
		if (!read_one(d, c, f->all[i].id, a, &out->all[out->n], &has, e))
			return false;
		out->n += has;
	}
	return true;
}

const struct headline *headline_find(const struct headlines *all, const char *family)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->all[i].family, family) == 0)
			return &all->all[i];
	return NULL;
}

const struct headline_text *headline_words(const struct headline *h, const struct words *w)
{
	size_t i = w && w->config && w->lang ? config_language(w->config, str_of(w->lang)) : 0;
	return &h->text[w && w->config && i < w->config->nlanguages ? i : 0];
}

/* --- what a device has measured --- */

static bool is_own(const struct run_case *c)
{
	return strcmp(c->role, "kernel") == 0;
}

static bool is_better(const struct number *a, const struct number *b, enum metric m)
{
	return (a->value > b->value) == metric_info(m)->higher_is_better && a->value != b->value;
}

/* Collects the variants with a number: own kernels, then libraries. */
static void find_steps(const struct pick *p, size_t n, struct headline_result *r)
{
	for (int own = 1; own >= 0; own--) {
		for (size_t i = 0; i < n; i++) {
			struct headline_step s = {.pick = p[i]};
			bool wanted =
			        own ? is_own(p[i].d->c) : strcmp(p[i].d->c->role, "peer") == 0;
			if (wanted && number_of(&p[i], r->metric, &s.n))
				r->steps[r->nsteps++] = s;
		}
		if (own)
			r->nown = r->nsteps;
	}
}

static const struct headline_step *best_of(const struct headline_result *r, size_t from, size_t to)
{
	const struct headline_step *best = NULL;
	for (size_t i = from; i < to; i++)
		if (!best || is_better(&r->steps[i].n, &best->n, r->metric))
			best = &r->steps[i];
	return best;
}

/* PyTorch without a compiler, which every family that has it calls the same. */
static const struct headline_step *eager_of(const struct headline_result *r)
{
	for (size_t i = r->nown; i < r->nsteps; i++)
		if (strcmp(r->steps[i].pick.d->c->variant, "torch_eager") == 0)
			return &r->steps[i];
	return NULL;
}

/* The case with this id in a run, if it has a number there. */
static bool in_run(const struct data_run *r, const char *id, struct pick *out)
{
	for (size_t k = 0; k < r->run.ncases; k++)
		if (data_case_offered(&r->cases[k]) && strcmp(r->run.cases[k].id, id) == 0) {
			*out = (struct pick){r, &r->cases[k]};
			return true;
		}
	return false;
}

/* How many times as fast the best is as `other`, in the newest run that measured both. */
static bool times_as_fast(const struct expand_ctx *ctx, const struct headline_result *r,
                          const struct headline_step *other, struct number *out)
{
	const struct data *d = ctx->data;
	const struct data_run *newest = r->best.pick.run;
	bool higher = metric_info(r->metric)->higher_is_better;
	struct pick own, theirs;
	for (size_t i = other ? 0 : d->nruns; i < d->nruns; i++) {
		const struct data_run *run = &d->runs[i];
		if (run->why_none || strcmp(run->run.head.device, newest->run.head.device) != 0 ||
		    !in_run(run, r->best.pick.d->c->id, &own) ||
		    !in_run(run, other->pick.d->c->id, &theirs))
			continue;
		*out = number_ratio(d, higher ? &own : &theirs, higher ? &theirs : &own, r->metric,
		                    ctx->arena);
		return true;
	}
	return false;
}

/* --- the best over all runs --- */

/* Takes the newer number of a variant, or, if that has none, forgets the older one. */
static void learn(struct headline_step *known, size_t *n, struct pick p, enum metric m)
{
	struct number x;
	size_t i = 0;
	while (i < *n && strcmp(known[i].pick.d->c->variant, p.d->c->variant) != 0)
		i++;
	if (number_of(&p, m, &x)) {
		known[i] = (struct headline_step){p, x};
		*n += i == *n;
	} else if (i < *n) {
		known[i] = known[--*n];
	}
}

/* Learns from one run. False: it measured no own variant of the case. */
static bool learn_run(const struct headline *h, const struct data_run *r, enum metric m,
                      struct headline_step *known, size_t *n)
{
	bool any = false;
	for (size_t k = 0; k < r->run.ncases; k++) {
		const struct data_case *d = &r->cases[k];
		if (!is_own(d->c) || d->c->unavailable || d->why[DATA_WITHDRAWN] ||
		    !query_matches(&h->q, d->c))
			continue;
		learn(known, n, (struct pick){r, d}, m);
		any = true;
	}
	return any && *n > 0;
}

/* `room`: the most variants that any run has. */
static void find_past(const struct expand_ctx *ctx, const struct headline *h, size_t room,
                      struct headline_result *r)
{
	const struct data *d = ctx->data;
	const char *device = r->best.pick.run->run.head.device;
	size_t n = 0;
	struct headline_step *known = ARENA_ARRAY(ctx->arena, struct headline_step, room);
	r->past = ARENA_ARRAY(ctx->arena, struct headline_past, d->nruns + 1);
	for (size_t i = d->nruns; i-- > 0;) { /* oldest first */
		const struct data_run *run = &d->runs[i];
		if (run->why_none || strcmp(run->run.head.device, device) != 0 ||
		    !learn_run(h, run, r->metric, known, &n))
			continue;
		const struct headline_step *best = &known[0];
		for (size_t k = 1; k < n; k++)
			if (is_better(&known[k].n, &best->n, r->metric))
				best = &known[k];
		r->past[r->npast++] = (struct headline_past){run, best->n};
	}
}

bool headline_result(const struct expand_ctx *ctx, const struct headline *h,
                     struct headline_result *r)
{
	struct err none = ERR_NONE;
	struct pick *p;
	size_t n;
	*r = (struct headline_result){0};
	if (!query_all(ctx, &h->q, &p, &n, &none))
		return false;
	r->metric = h->has_metric ? h->metric : roof_metric(ctx->data, &p[0]);
	r->steps = ARENA_ARRAY(ctx->arena, struct headline_step, n + 1);
	find_steps(p, n, r);
	const struct headline_step *best = best_of(r, 0, r->nown);
	if (!best)
		return false;
	const struct run_model *model = &best->pick.d->c->model;
	r->best = *best;
	r->library = best_of(r, r->nown, r->nsteps);
	r->eager = eager_of(r);
	r->has_over_library = times_as_fast(ctx, r, r->library, &r->over_library);
	r->has_over_eager = times_as_fast(ctx, r, r->eager, &r->over_eager);
	r->peak = roof_spec(ctx->data, &best->pick, r->metric);
	if (r->peak)
		r->share = number_percent(&best->n, r->peak);
	r->limiter = limiter_of(ctx->data, &best->pick);
	r->flop = model->op || model->flop == RECORD_NONE ? 0 : model->flop;
	r->bytes = model->bytes_read + model->bytes_written;
	find_past(ctx, h, n, r);
	return true;
}
