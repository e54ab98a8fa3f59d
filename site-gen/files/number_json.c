#include "site-gen/files/number_json.h"

#include "lib/json.h"
#include "site-gen/numbers/case.h"
#include "site-gen/site/address.h"
#include "site-gen/numbers/counters.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/files/number_said.h"
#include "site-gen/site/site.h"

/* --- small pieces ---------------------------------------------------------------- */

static void put_known(struct json_out *w, const char *key, int64_t v)
{
	if (v != RECORD_NONE)
		json_put_i64(w, key, v);
}

static void put_words(struct json_out *w, const char *key, const char *v)
{
	if (v)
		json_put_str(w, key, v);
}

static void put_list(struct json_out *w, const char *key, const int64_t *v, size_t n)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < n; i++)
		json_put_i64(w, NULL, v[i]);
	json_close(w, ']');
}

static void put_triple(struct json_out *w, const char *key, const int64_t *v, size_t n)
{
	if (v[0] != RECORD_NONE)
		put_list(w, key, v, n);
}

static void put_value(struct json_out *w, const struct number *n)
{
	json_put_f64(w, "value", n->value);
	json_put_f64(w, "low", n->lo);
	json_put_f64(w, "high", n->hi);
	json_put_str(w, "unit", n->si);
}

static const char *kind_name(enum number_kind k)
{
	static const char *const names[] = {[NUMBER_VALUE] = "value",
	                                    [NUMBER_RATIO] = "ratio",
	                                    [NUMBER_SHARE_SPEC] = "share of spec",
	                                    [NUMBER_SHARE_MEASURED] = "share of measured"};
	return names[k];
}

/* Writes the other side of a comparison. */
static void put_against(struct json_out *w, const struct site *s, const struct number *n,
                        struct arena *a)
{
	if (n->peak) {
		json_open(w, "against", '{');
		json_put_str(w, "spec", n->peak->key);
		json_put_f64(w, "value", n->peak->value);
		json_put_str(w, "unit", n->peak->si);
		json_put_str(w, "source", n->peak->source_url);
		json_close(w, '}');
	}
	if (n->over.d) {
		json_open(w, "against", '{');
		json_put_str(w, "device", n->over.run->run.head.device);
		json_put_str(w, "case", n->over.d->c->id);
		json_put_str(w, "run", n->over.run->run.head.id);
		json_put_str(w, "url", address_absolute(s, n->over.d->url, a));
		json_close(w, '}');
	}
}

/* Writes a list of two speeds, the faster first; nothing for one. */
static void put_speeds(struct json_out *w, const struct number *n)
{
	if (!n->at_speed[0])
		return;
	json_open(w, "speeds", '[');
	for (int i = 0; i < 2; i++) {
		json_open(w, NULL, '{');
		json_put_i64(w, "processes", (int64_t)n->at_speed[i]);
		json_put_f64(w, "value", n->speed[i]);
		json_close(w, '}');
	}
	json_close(w, ']');
}

/* Writes the runs behind a value over cards; nothing for a value of one run. */
static void put_cards(struct json_out *w, const char *key, const struct data_number *n)
{
	if (!n)
		return;
	json_open(w, key, '[');
	for (size_t i = 0; i < n->ncards; i++) {
		const struct run_head *h = &number_card(n, i).run->run.head;
		json_open(w, NULL, '{');
		json_put_str(w, "card", h->gpu.uuid);
		json_put_str(w, "run", h->id);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void put_number(struct json_out *w, const struct site *s, const struct number *n,
                       struct arena *a)
{
	const struct data_case *d = number_case(n);
	json_put_str(w, "name", number_name(n, a));
	json_put_str(w, "key", number_key(n, a));
	json_put_str(w, "kind", kind_name(n->kind));
	json_put_str(w, "metric", metric_info(n->metric)->name);
	put_value(w, n);
	json_put_str(w, "text", number_view_plain(n, a));
	put_words(w, "interval", number_view_range(n, a));
	json_put_str(w, "words", number_view_words(n, a));
	json_put_str(w, "state", data_state_name(d->state));
	put_words(w, "why", d->why_state);
	put_against(w, s, n, a);
	put_speeds(w, n);
	put_cards(w, "cards", n->cards);
	put_cards(w, "over_cards", n->over_cards);
}

/* --- parts of one number ------------------------------------------------------------ */

static void put_params(struct json_out *w, const struct run_case *c)
{
	json_open(w, "params", '{');
	for (size_t i = 0; i < c->nparams; i++) {
		if (c->param[i].word)
			json_put_str(w, c->param[i].name, c->param[i].word);
		else
			json_put_i64(w, c->param[i].name, c->param[i].num);
	}
	json_close(w, '}');
}

static void put_case(struct json_out *w, const struct run_case *c)
{
	json_open(w, "case", '{');
	json_put_str(w, "id", c->id);
	json_put_str(w, "family", c->family);
	json_put_str(w, "variant", c->variant);
	json_put_str(w, "role", c->role);
	put_params(w, c);
	json_put_str(w, "dtype", c->dtype);
	json_put_str(w, "cache", c->cache);
	json_put_str(w, "input", c->input);
	json_close(w, '}');
	json_open(w, "model", '{');
	json_put_i64(w, "flop", c->model.flop);
	json_put_i64(w, "bytes_read", c->model.bytes_read);
	json_put_i64(w, "bytes_written", c->model.bytes_written);
	put_words(w, "formula", c->model.formula);
	put_words(w, "level", c->model.level);
	put_words(w, "unit", c->model.unit);
	put_words(w, "op", c->model.op);
	json_close(w, '}');
	json_open(w, "check", '{');
	put_words(w, "reference", c->check_reference);
	json_put_f64(w, "tolerance", c->tolerance);
	put_words(w, "why", c->check_why);
	json_close(w, '}');
	json_open(w, "build", '{');
	put_words(w, "flags", c->build.flags);
	put_known(w, "registers", c->build.registers);
	put_known(w, "shared_bytes", c->build.shared_bytes);
	put_known(w, "spill_bytes", c->build.spill_bytes);
	put_words(w, "code_sha256", c->build.code_sha256);
	put_words(w, "library", c->build.library);
	record_put_choice(w, &c->build.choice);
	json_close(w, '}');
}

/* Writes the profiler's counters for one call; nothing if none are recorded. */
static void put_counters(struct json_out *w, const struct number_view *v)
{
	struct counters c;
	if (!counters_of(v->site->data, v->n->device, v->n->id, &c))
		return;
	json_open(w, "counters", '{');
	put_words(w, "unavailable", c.c->unavailable);
	put_words(w, "tool", c.c->tool);
	json_put_str(w, "file", c.file->path);
	json_put_bool(w, "same_code", counters_same_code(&c, v->p.d->c));
	if (!c.c->unavailable) {
		json_open(w, "values", '{');
		for (size_t i = 0; i < c.c->n; i++)
			json_put_f64(w, c.c->value[i].name, c.c->value[i].value);
		json_close(w, '}');
	}
	json_close(w, '}');
}

static void put_conditions(struct json_out *w, const struct number_view *v)
{
	size_t n;
	const struct data_fact *f = data_conditions(v->p.run, &n);
	json_open(w, "conditions", '[');
	for (size_t i = 0; i < n; i++) {
		json_open(w, NULL, '{');
		json_put_str(w, "name", f[i].label);
		json_put_str(w, "value", f[i].value);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void put_launch(struct json_out *w, const struct run_launch *l)
{
	json_open(w, NULL, '{');
	json_put_i64(w, "i", l->i);
	json_put_i64(w, "at", l->at);
	json_put_str(w, "status", l->status);
	if (record_launch_ok(l))
		json_put_f64(w, "median_s", record_launch_median(l));
	json_put_i64(w, "calls_per_sample", l->batch);
	put_list(w, "sample_ns", l->sample_ns, l->nsamples);
	put_triple(w, "sm_clock_mhz", l->sm_clock_mhz, 3);
	put_triple(w, "power_mw", l->power_mw, 3);
	put_triple(w, "temperature_c", l->temperature_c, 2);
	put_known(w, "energy_mj", l->energy_mj);
	if (l->energy_ns > 0)
		json_put_i64(w, "energy_ns", l->energy_ns);
	put_known(w, "throttle_reasons", l->throttle_reasons);
	json_close(w, '}');
}

static void put_history(struct json_out *w, const struct number_view *v)
{
	json_open(w, "history", '[');
	for (size_t i = 0; i < v->n->nruns; i++) {
		struct pick p = {v->n->runs[i], v->n->in[i]};
		struct number n;
		json_open(w, NULL, '{');
		json_put_str(w, "run", p.run->run.head.id);
		json_put_str(w, "url", address_absolute(v->site, p.run->url, v->a));
		json_put_str(w, "start", p.run->run.head.start);
		json_put_str(w, "state", data_state_name(p.d->state));
		put_words(w, "why_none", p.d->why_none);
		if (v->has && number_of(&p, v->main.metric, &n))
			put_value(w, &n);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void put_place(struct json_out *w, const struct quote *q)
{
	put_words(w, "placeholder", q->placeholder);
	if (q->placeholder && q->at.path && q->at.line > 0) {
		json_put_str(w, "file", q->at.path);
		json_put_i64(w, "line", q->at.line);
	}
}

static void put_quoted(struct json_out *w, const struct number_view *v)
{
	json_open(w, "quoted_by", '[');
	for (size_t i = 0; i < v->quoted->n; i++) {
		const struct backlink *by = &v->quoted->by[i];
		if (!by->page->path) /* generated pages show everything, so they do not count */
			continue;
		json_open(w, NULL, '{');
		json_put_str(w, "url", address_absolute(v->site, by->page->url, v->a));
		json_put_str(w, "name", number_name(&by->q->n, v->a));
		json_put_str(w, "text", by->q->text);
		const struct data_run *of = by->q->n.pick.run, *over = by->q->n.over.run;
		json_put_str(w, "run", of->run.head.id);
		if (over && over != of)
			json_put_str(w, "over_run", over->run.head.id);
		put_place(w, by->q);
		json_close(w, '}');
	}
	json_close(w, ']');
}

/* --- provenance: PROV-JSON -------------------------------------------------------------- */

static void open_thing(struct json_out *w, const char *id, const char *type)
{
	json_open(w, id, '{');
	json_put_str(w, "prov:type", type);
}

static void relate(struct json_out *w, const char *id, const char *a_key, const char *a,
                   const char *b_key, const char *b)
{
	json_open(w, id, '{');
	json_put_str(w, a_key, a);
	json_put_str(w, b_key, b);
	json_close(w, '}');
}

static const char *source_id(const struct run_source *s, struct arena *a)
{
	return arena_printf(a, "blob:%s", s->blob);
}

static void put_entities(struct json_out *w, const struct number_view *v, const char *number)
{
	const struct run_case *c = v->p.d->c;
	json_open(w, "entity", '{');
	open_thing(w, number, "rp:number");
	json_put_str(w, "prov:label", v->title);
	json_close(w, '}');
	open_thing(w, "rp:record", "rp:run-file");
	json_put_str(w, "rp:path", v->p.run->path);
	json_put_str(w, "rp:git-blob", v->p.run->blob);
	json_put_str(w, "rp:sha256", v->p.run->run.sha256);
	json_close(w, '}');
	for (size_t i = 0; i < c->nsource; i++) {
		open_thing(w, source_id(&c->source[i], v->a), "rp:source");
		json_put_str(w, "rp:path", c->source[i].path);
		json_close(w, '}');
	}
	json_close(w, '}');
}

static void put_activity(struct json_out *w, const struct run_head *h)
{
	json_open(w, "activity", '{');
	open_thing(w, "rp:run", "rp:measurement");
	json_put_str(w, "prov:startTime", h->start);
	json_put_str(w, "rp:id", h->id);
	put_words(w, "rp:commit", h->commit);
	json_put_bool(w, "rp:dirty", h->dirty);
	json_put_str(w, "rp:machine", h->machine.key);
	json_close(w, '}');
	json_close(w, '}');
	json_open(w, "agent", '{');
	open_thing(w, "rp:runner", "prov:SoftwareAgent");
	json_put_str(w, "rp:sha256", h->runner_sha256);
	json_close(w, '}');
	json_close(w, '}');
}

static void put_relations(struct json_out *w, const struct number_view *v, const char *number)
{
	const struct run_case *c = v->p.d->c;
	json_open(w, "used", '{');
	for (size_t i = 0; i < c->nsource; i++)
		relate(w, arena_printf(v->a, "_:u%zu", i), "prov:activity", "rp:run", "prov:entity",
		       source_id(&c->source[i], v->a));
	json_close(w, '}');
	json_open(w, "wasGeneratedBy", '{');
	relate(w, "_:g0", "prov:entity", "rp:record", "prov:activity", "rp:run");
	json_close(w, '}');
	json_open(w, "wasAssociatedWith", '{');
	relate(w, "_:a0", "prov:activity", "rp:run", "prov:agent", "rp:runner");
	json_close(w, '}');
	json_open(w, "wasDerivedFrom", '{');
	relate(w, "_:d0", "prov:generatedEntity", number, "prov:usedEntity", "rp:record");
	json_close(w, '}');
}

static void put_provenance(struct json_out *w, const struct number_view *v)
{
	json_open(w, "provenance", '{');
	json_open(w, "prefix", '{');
	json_put_str(w, "prov", "http://www.w3.org/ns/prov#");
	json_put_str(w, "rp", address_absolute(v->site, "/ns#", v->a));
	json_put_str(w, "blob", "urn:git-blob:");
	json_close(w, '}');
	put_entities(w, v, "rp:this");
	put_activity(w, &v->p.run->run.head);
	put_relations(w, v, "rp:this");
	json_close(w, '}');
}

/* --- one number ---------------------------------------------------------------------- */

static void put_head(struct json_out *w, const struct number_view *v)
{
	const struct run_head *h = &v->p.run->run.head;
	json_put_str(w, "schema", NUMBER_JSON_SCHEMA);
	json_put_str(w, "url", address_absolute(v->site, v->n->url, v->a));
	json_put_str(w, "title", v->title);
	json_put_str(w, "device", h->device);
	json_put_str(w, "hardware", number_view_hardware(&v->p.run->run));
	json_put_str(w, "run", h->id);
	json_put_str(w, "run_url", address_absolute(v->site, v->p.run->url, v->a));
	json_put_str(w, "record", address_absolute(v->site, address_record(v->p.run, v->a), v->a));
	json_put_str(w, "date", case_date(&v->p.run->run, v->a));
	json_put_str(w, "state", data_state_name(v->p.d->state));
	put_words(w, "why", v->p.d->why_state);
	put_words(w, "why_none", v->p.d->why_none);
}

static void put_shown(struct json_out *w, const struct number_view *v)
{
	number_said_page(w, v);
	if (v->has)
		json_put_str(w, "headline", number_name(&v->main, v->a));
	json_put_f64(w, "confidence", 0.95);
	json_open(w, "numbers", '[');
	for (size_t i = 0; i < v->nshown; i++) {
		json_open(w, NULL, '{');
		put_number(w, v->site, &v->shown[i], v->a);
		number_said(w, v->site, &v->shown[i], v->a);
		json_close(w, '}');
	}
	json_close(w, ']');
}

void number_json(const struct site *s, const struct data_number *n, const struct backlinks *quoted,
                 struct arena *a, struct sb *to)
{
	struct number_view v = number_view(s, n, quoted, a);
	struct json_out w = json_to(to);
	json_open(&w, NULL, '{');
	put_head(&w, &v);
	put_shown(&w, &v);
	put_case(&w, v.p.d->c);
	put_conditions(&w, &v);
	put_counters(&w, &v);
	json_open(&w, "launches", '[');
	for (size_t i = 0; i < v.nlaunches; i++)
		put_launch(&w, v.launch[i]);
	json_close(&w, ']');
	put_history(&w, &v);
	put_quoted(&w, &v);
	put_provenance(&w, &v);
	json_close(&w, '}');
	sb_char(to, '\n');
}

/* --- a page -------------------------------------------------------------------------- */

static void put_quote(struct json_out *w, const struct site *s, const struct expand_ctx *ctx,
                      const struct quote *q)
{
	const char *base = s->config->base;
	json_open(w, NULL, '{');
	put_number(w, s, &q->n, ctx->arena);
	put_place(w, q);
	if (q->figure)
		json_put_str(w, "figure", arena_printf(ctx->arena, "b%d", q->figure));
	json_put_str(w, "run", q->n.pick.run->run.head.id);
	/* both number_url and the site's address contain the site's prefix */
	json_put_str(w, "url",
	             address_absolute(s, number_url(ctx, &q->n) + str_of(base).n, ctx->arena));
	json_close(w, '}');
}

/* Writes a datasheet number, a derivation, a counter or a count. */
static void put_fact(struct json_out *w, const struct fact *f)
{
	json_open(w, NULL, '{');
	json_put_str(w, "key", f->key);
	json_put_f64(w, "value", f->value);
	put_words(w, "unit", f->unit);
	json_put_str(w, "text", f->text);
	put_words(w, "source", f->source);
	put_words(w, "run", f->run);
	put_words(w, "state", number_fact_state(f));
	if (f->at.path && f->at.line > 0) {
		json_put_str(w, "file", f->at.path);
		json_put_i64(w, "line", f->at.line);
	}
	json_close(w, '}');
}

void number_json_page(const struct site *s, const struct page *p, struct arena *a, struct sb *to)
{
	const struct expand_ctx ctx = {.data = s->data, .base = s->config->base, .arena = a};
	struct json_out w = json_to(to);
	json_open(&w, NULL, '{');
	json_put_str(&w, "schema", NUMBER_JSON_PAGE_SCHEMA);
	json_put_str(&w, "url", address_absolute(s, p->url, a));
	json_put_str(&w, "title", p->text.title);
	json_put_str(&w, "language", site_lang(s, p));
	put_words(&w, "source", p->path);
	put_words(&w, "commit", *s->repo.head ? s->repo.head : NULL);
	json_open(&w, "numbers", '[');
	for (const struct quote *q = p->numbers.quotes; q; q = q->next)
		put_quote(&w, s, &ctx, q);
	json_close(&w, ']');
	json_open(&w, "others", '[');
	for (const struct fact *f = p->numbers.facts; f; f = f->next)
		put_fact(&w, f);
	json_close(&w, ']');
	json_close(&w, '}');
	sb_char(to, '\n');
}
