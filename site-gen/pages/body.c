/*
 * The body of a family's page. It is written as placeholders wherever a kind exists,
 * so that a post can show the same.
 */
#include "site-gen/pages/body.h"

#include <stdio.h>
#include <string.h>

#include "lib/ways.h"
#include "site-gen/pages/body_writer.h"
#include "site-gen/numbers/roof.h"
#include "site-gen/kinds/chart.h"
#include "site-gen/kinds/source.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/numbers/counters.h"
#include "site-gen/base/html.h"

/* --- groups of cases: equal words, dtype and cache; sizes vary --- */

struct group {
	struct pick *picks;
	size_t n;
	const char *conditions; /* ":op=copy,dtype=f32,cache=cold" */
	const char *title;      /* "copy, f32, cold" */
};

/* True for a parameter that names an unusual way of measuring. */
static bool is_way(const struct run_pair *p)
{
	return ways_find(str_of(p->name)) != NULL;
}

/* The conditions of a case's group. `ways`: include parameters that name an unusual way. */
static const char *group_conditions(const struct run_case *c, bool ways, struct arena *a)
{
	struct sb s = {0};
	for (size_t i = 0; i < c->nparams; i++)
		if (c->param[i].word && (ways || !is_way(&c->param[i])))
			sb_printf(&s, "%s=%s,", c->param[i].name, c->param[i].word);
	sb_printf(&s, "dtype=%s,cache=%s", c->dtype, c->cache);
	return sb_take(a, &s);
}

static const char *group_title(const struct run_case *c, bool ways, struct arena *a)
{
	struct sb s = {0};
	for (size_t i = 0; i < c->nparams; i++)
		if (c->param[i].word && (ways || !is_way(&c->param[i])))
			sb_printf(&s, "%s, ", c->param[i].word);
	sb_printf(&s, "%s, %s", c->dtype, c->cache);
	return sb_take(a, &s);
}

/* Numeric parameters: ",rows=4096,cols=4096" */
static const char *size_conditions(const struct run_case *c, struct arena *a)
{
	struct sb s = {0};
	for (size_t i = 0; i < c->nparams; i++)
		if (!c->param[i].word)
			sb_printf(&s, ",%s=%lld", c->param[i].name, (long long)c->param[i].num);
	return sb_take(a, &s);
}

/* Groups the cases; groups have the order of their first case, and keep the order of cases. */
static struct group *find_groups(const struct pick *picks, size_t n, struct arena *a, size_t *count)
{
	struct group *g = ARENA_ARRAY(a, struct group, n + 1);
	size_t *of = ARENA_ARRAY(a, size_t, n + 1);
	*count = 0;
	for (size_t i = 0; i < n; i++) {
		const char *key = group_conditions(picks[i].d->c, true, a);
		size_t k = 0;
		while (k < *count && strcmp(g[k].conditions, key) != 0)
			k++;
		if (k == *count)
			g[(*count)++] = (struct group){
			        .conditions = key, .title = group_title(picks[i].d->c, true, a)};
		g[k].n++;
		of[i] = k;
	}
	for (size_t k = 0; k < *count; k++) {
		g[k].picks = ARENA_ARRAY(a, struct pick, g[k].n);
		g[k].n = 0;
	}
	for (size_t i = 0; i < n; i++)
		g[of[i]].picks[g[of[i]].n++] = picks[i];
	return g;
}

/* True if two cases of a group have equal numeric parameters. */
static bool same_sizes(const struct run_case *a, const struct run_case *b)
{
	for (size_t i = 0; i < a->nparams && i < b->nparams; i++)
		if (a->param[i].num != b->param[i].num ||
		    strcmp(a->param[i].name, b->param[i].name) != 0)
			return false;
	return a->nparams == b->nparams;
}

/* Compares sizes: by bytes moved, then by operations. */
static bool is_larger(const struct run_case *a, const struct run_case *b)
{
	double x = (double)a->model.bytes_read + (double)a->model.bytes_written;
	double y = (double)b->model.bytes_read + (double)b->model.bytes_written;
	return x > y || (x == y && a->model.flop > b->model.flop);
}

/* The number of cases of the group that have these sizes and a number. */
static size_t coverage(const struct group *g, const struct run_case *c)
{
	size_t n = 0;
	for (size_t i = 0; i < g->n; i++)
		n += !g->picks[i].d->why_none && same_sizes(g->picks[i].d->c, c);
	return n;
}

/* The size at which most variants were measured; the largest of several. */
static const struct pick *common_size(const struct group *g)
{
	const struct pick *best = NULL;
	size_t most = 0;
	for (size_t i = 0; i < g->n; i++) {
		size_t n = coverage(g, g->picks[i].d->c);
		if (n > most || (n > 0 && n == most && is_larger(g->picks[i].d->c, best->d->c))) {
			best = &g->picks[i];
			most = n;
		}
	}
	return best;
}

enum { LEAST_VALUES = 3 }; /* points of a curve */

/* True if case i is on the curve over parameter k. `fixed`: its other sizes must equal c's. */
static bool in_sweep(const struct group *g, size_t i, size_t k, const struct run_case *c,
                     bool fixed)
{
	const struct run_case *o = g->picks[i].d->c;
	if (o->nparams != c->nparams)
		return false;
	for (size_t m = 0; fixed && m < c->nparams; m++)
		if (m != k && o->param[m].num != c->param[m].num)
			return false;
	return true;
}

/*
 * True if a plot over parameter k has one curve for each variant, with three points or
 * more. Considers all cases of the group, or only those whose other sizes are c's (`fixed`).
 */
static bool is_sweep(const struct group *g, size_t k, const struct run_case *c, bool fixed)
{
	size_t most = 0;
	for (size_t i = 0; i < g->n; i++) {
		const struct run_case *o = g->picks[i].d->c;
		size_t values = 1;
		if (!in_sweep(g, i, k, c, fixed))
			continue;
		for (size_t m = 0; m < i; m++) {
			const struct run_case *p = g->picks[m].d->c;
			if (!in_sweep(g, m, k, c, fixed) || strcmp(p->variant, o->variant) != 0)
				continue;
			if (p->param[k].num == o->param[k].num)
				return false;
			values += !g->picks[m].d->why_none;
		}
		most = values > most ? values : most;
	}
	return most >= LEAST_VALUES;
}

/* c's numeric parameters except one: ",rows=4096" */
static const char *other_sizes(const struct run_case *c, size_t but, struct arena *a)
{
	struct sb s = {0};
	for (size_t i = 0; i < c->nparams; i++)
		if (!c->param[i].word && i != but)
			sb_printf(&s, ",%s=%lld", c->param[i].name, (long long)c->param[i].num);
	return sb_take(a, &s);
}

/*
 * True if a plot over parameter k has one curve for each variant and value of parameter j, and the
 * longest has three points or more. *points: the number of points of the longest.
 */
static bool is_fan(const struct group *g, size_t k, size_t j, size_t *points)
{
	*points = 0;
	for (size_t i = 0; i < g->n; i++) {
		const struct run_case *o = g->picks[i].d->c;
		size_t n = 0;
		if (o->nparams <= k || o->nparams <= j)
			return false;
		for (size_t m = 0; m < g->n; m++) {
			const struct run_case *p = g->picks[m].d->c;
			if (p->nparams != o->nparams || p->param[j].num != o->param[j].num ||
			    strcmp(p->variant, o->variant) != 0)
				continue;
			if (m != i && p->param[k].num == o->param[k].num)
				return false;
			n += !g->picks[m].d->why_none;
		}
		*points = n > *points ? n : *points;
	}
	return *points >= LEAST_VALUES;
}

/* For sizes that were swept together, writes the fan with the longest curves. */
static bool write_fan(struct writer *w, const struct group *g, const char *sel,
                      const struct run_case *c, const char *device)
{
	size_t most = 0, x = 0, series = 0;
	for (size_t k = c->nparams; k-- > 0;)
		for (size_t j = 0; j < c->nparams; j++) {
			size_t points;
			if (k == j || c->param[k].word || c->param[j].word ||
			    !is_fan(g, k, j, &points) || points <= most)
				continue;
			most = points;
			x = k;
			series = j;
		}
	return most > 0 &&
	       writer_try(w, arena_printf(w->ctx->arena, "plot %s x=%s series=%s device=%s", sel,
	                                  c->param[x].name, c->param[series].name, device));
}

/*
 * Writes the plots of a group, if it has any: one that shows the whole group, else one for each
 * swept size, else a fan of curves. If several parameters are possible, uses the last, because the
 * earlier ones often depend on it.
 */
static bool write_plots(struct writer *w, const struct group *g, const char *sel,
                        const struct run_case *c, const char *device)
{
	bool any = false;
	struct arena *a = w->ctx->arena;
	for (int fixed = 0; fixed < 2 && !any; fixed++)
		for (size_t k = c->nparams; k-- > 0 && !(any && !fixed);)
			if (!c->param[k].word && is_sweep(g, k, c, fixed) &&
			    writer_try(w, arena_printf(a, "plot %s%s x=%s device=%s", sel,
			                               fixed ? other_sizes(c, k, a) : "",
			                               c->param[k].name, device)))
				any = true;
	return any || write_fan(w, g, sel, c, device);
}

static bool write_group(struct writer *w, const struct data_family *f, const char *device,
                        const struct group *g)
{
	struct arena *a = w->ctx->arena;
	const struct pick *base = common_size(g);
	if (!base)
		return true; /* no case of it has a number */
	const struct run_case *c = base->d->c;
	const char *sel = arena_printf(a, "%s/*:%s", f->id, g->conditions);
	const char *size = size_conditions(c, a);
	struct number bandwidth;
	w->lang = words_record_lang(w->ctx->words);
	writer_heading(w, 2, NULL, g->title);
	w->lang = NULL;
	if (!writer_place(w, arena_printf(a, "ladder %s%s device=%s", sel, size, device)))
		return false;
	/* the most telling chart: a true roofline, curves, or a row for each variant */
	enum metric m = roof_metric(w->ctx->data, base);
	bool roofs = m == METRIC_BANDWIDTH || m == METRIC_THROUGHPUT, any = false;
	if (roofs && roofline_has_slope(g->picks, g->n)) {
		any = true;
		if (!writer_place(w, arena_printf(a, "roofline %s device=%s", sel, device)))
			return false;
	}
	bool drawn = write_plots(w, g, sel, c, device);
	/* for a single variant, the ladder has shown everything */
	bool alone = coverage(g, c) < 2;
	return any || drawn || alone || !roofs || !number_of(base, METRIC_BANDWIDTH, &bandwidth) ||
	       writer_place(w, arena_printf(a, "roofline %s%s device=%s", sel, size, device));
}

/* --- single cases measured in unusual ways, beside the usual case --- */

static bool is_lone(const struct group *g)
{
	bool way = false;
	for (size_t i = 0; i < g->picks[0].d->c->nparams; i++)
		way = way || is_way(&g->picks[0].d->c->param[i]);
	return way && g->n == 1;
}

/* The variant, and the conditions that it shares with the case measured in the usual way. */
static const char *lone_conditions(const struct group *g, struct arena *a)
{
	const struct run_case *c = g->picks[0].d->c;
	return arena_printf(a, "%s:%s%s", c->variant, group_conditions(c, false, a),
	                    size_conditions(c, a));
}

/* ",input=*,load=*": the unusual ways of all lone cases with these conditions. */
static const char *lone_ways(const struct group *g, size_t n, const char *conditions,
                             struct arena *a)
{
	const char *ways = "";
	for (size_t i = 0; i < n; i++) {
		const struct run_case *c = g[i].picks[0].d->c;
		if (!is_lone(&g[i]) || strcmp(lone_conditions(&g[i], a), conditions) != 0)
			continue;
		for (size_t k = 0; k < c->nparams; k++) {
			const char *way = arena_printf(a, ",%s=*", c->param[k].name);
			if (is_way(&c->param[k]) && !strstr(ways, way))
				ways = arena_printf(a, "%s%s", ways, way);
		}
	}
	return ways;
}

/* If group i is the first of them, writes all lone cases that differ from it only in their ways. */
static bool write_lone(struct writer *w, const struct data_family *f, const char *device,
                       const struct group *g, size_t n, size_t i)
{
	struct arena *a = w->ctx->arena;
	const char *conditions = lone_conditions(&g[i], a);
	for (size_t k = 0; k < i; k++)
		if (is_lone(&g[k]) && strcmp(lone_conditions(&g[k], a), conditions) == 0)
			return true;
	writer_heading(w, 2, NULL,
	               words_fill(w->ctx->words, a, "family_ways",
	                          group_title(g[i].picks[0].d->c, false, a), NULL));
	return writer_place(w, arena_printf(a, "samples %s/%s%s device=%s", f->id, conditions,
	                                    lone_ways(g, n, conditions, a), device));
}

/* --- hardware counters --- */

static bool has_counters(const struct writer *w, const struct pick *p)
{
	struct counters c;
	return counters_of(w->ctx->data, p->run->run.head.device, p->d->c->id, &c);
}

/* Writes a table for each group with counters. */
static bool write_counters(struct writer *w, const struct data_family *f, const char *device,
                           const struct group *g, size_t n)
{
	struct arena *a = w->ctx->arena;
	bool any = false;
	for (size_t i = 0; i < n; i++) {
		bool has = false;
		for (size_t k = 0; k < g[i].n && !has; k++)
			has = has_counters(w, &g[i].picks[k]);
		if (!has)
			continue;
		if (!any)
			writer_heading(w, 2, "counters",
			               words_get(w->ctx->words, "family_counters"));
		any = true;
		if (!writer_place(w, arena_printf(a, "counters %s/*:%s only=recorded device=%s",
		                                  f->id, g[i].conditions, device)))
			return false;
	}
	return true;
}

/* --- the variants, one after the other --- */

static const char *count_text(int64_t n, struct arena *a)
{
	return arena_printf(a, "%lld", (long long)(n == RECORD_NONE ? 0 : n));
}

/* Writes the compiler's statistics: registers, shared memory, spills. */
static void write_build(struct writer *w, const struct run_build *b)
{
	struct arena *a = w->ctx->arena;
	const char *memory =
	        words_fill(w->ctx->words, a, "family_shared", count_text(b->shared_bytes, a),
	                   count_text(b->spill_bytes, a));
	writer_paragraph(
	        w, "build",
	        words_fill(w->ctx->words, a, "family_build", count_text(b->registers, a), memory));
}

/* Writes what the library chose by trying, for the case that stands for its variant. */
static void write_choice(struct writer *w, const struct run_case *c)
{
	struct arena *a = w->ctx->arena;
	writer_paragraph(w, "build",
	                 words_fill(w->ctx->words, a, "family_choice", case_words(c, a),
	                            record_choice_words(&c->build.choice, a)));
}

static bool write_variant(struct writer *w, const struct pick *p)
{
	struct kind_call k = {.ctx = w->ctx, .to = &w->to, .html = true};
	const struct run_case *c = p->d->c;
	struct pick before;
	writer_variant(w, 3, c->variant_title);
	writer_said(w, "idea", c->idea);
	if (c->unavailable)
		writer_said(w, "changed", p->d->why_none);
	if (c->build.registers != RECORD_NONE)
		write_build(w, &c->build);
	if (c->build.choice.n)
		write_choice(w, c);
	if (c->nsource == 0)
		return true;
	if (!source_listing(&k, p, false, w->e))
		return false;
	if (strcmp(c->role, "kernel") != 0 || !source_variant_before(p, &before) ||
	    strcmp(before.d->c->source[0].blob, c->source[0].blob) == 0)
		return true;
	return source_diff(&k, &before, p, false, w->e);
}

/* True for the pick that represents its variant: the first from the newest run. */
static bool shows_variant(const struct pick *picks, size_t n, size_t i)
{
	for (size_t k = 0; k < n; k++) {
		if (k == i || strcmp(picks[k].d->c->variant, picks[i].d->c->variant) != 0)
			continue;
		int newer = strcmp(picks[k].run->run.head.start, picks[i].run->run.head.start);
		if (newer > 0 || (newer == 0 && k < i))
			return false;
	}
	return true;
}

/* Writes each variant once. Its rank is not used: it is valid only within its commit's runs. */
static bool write_variants(struct writer *w, const struct pick *picks, size_t n)
{
	writer_heading(w, 2, "the-variants", words_get(w->ctx->words, "family_variants"));
	for (size_t i = 0; i < n; i++)
		if (shows_variant(picks, n, i) && !write_variant(w, &picks[i]))
			return false;
	return true;
}

/* Writes one text of the record. */
static void write_fact(struct writer *w, const char *key, const char *value)
{
	html_raw(&w->to, "<div><dt>");
	html_text(&w->to, str_of(words_get(w->ctx->words, key)));
	html_raw(&w->to, "</dt><dd");
	html_raw(&w->to, words_record_lang(w->ctx->words));
	html_raw(&w->to, ">");
	html_text(&w->to, str_of(value));
	html_raw(&w->to, "</dd></div>\n");
}

static void write_model(struct writer *w, const struct run_case *c)
{
	writer_heading(w, 2, "what-is-counted", words_get(w->ctx->words, "family_counted"));
	html_raw(&w->to, "<dl class=\"facts\">\n");
	write_fact(w, "family_model", c->model.formula);
	write_fact(w, "family_input", c->input);
	write_fact(w, "family_checked",
	           arena_printf(w->ctx->arena, "%s; %s", c->check_reference, c->check_why));
	html_raw(&w->to, "</dl>\n");
}

/* Writes only the ladders of another device; the page's charts show its own device. */
static bool write_elsewhere(struct writer *w, const struct data_family *f, const char *device)
{
	struct arena *a = w->ctx->arena;
	struct err nothing = ERR_NONE; /* measured there, but none may be published */
	struct pick *picks;
	size_t n, ngroups;
	if (!writer_picks(w, f->id, device, &picks, &n, &nothing))
		return true;
	struct group *g = find_groups(picks, n, a, &ngroups);
	writer_heading(w, 2, arena_printf(a, "on-%s", device),
	               words_fill(w->ctx->words, a, "family_on", device, NULL));
	for (size_t i = 0; i < ngroups; i++) {
		const struct pick *base = common_size(&g[i]);
		if (base && !writer_place(w, arena_printf(a, "ladder %s/*:%s%s device=%s", f->id,
		                                          g[i].conditions,
		                                          size_conditions(base->d->c, a), device)))
			return false;
	}
	return true;
}

/* Writes the devices that measured it: the page's own, and links to the others' parts. */
static void write_devices(struct writer *w, const struct data_family *f, const char *device)
{
	const struct data *d = w->ctx->data;
	size_t shown = 0;
	for (size_t i = 0; i < d->ndevices; i++) {
		struct err nothing = ERR_NONE;
		struct pick *picks;
		size_t n;
		if (strcmp(d->devices[i], device) == 0 ||
		    !writer_picks(w, f->id, d->devices[i], &picks, &n, &nothing))
			continue;
		if (!shown++) {
			html_raw(&w->to, "<p class=\"devices\">");
			html_text(&w->to, str_of(words_get(w->ctx->words, "family_devices")));
			html_raw(&w->to, " ");
			kind_link(w->ctx, arena_printf(w->ctx->arena, "/devices/%s/", device),
			          device, &w->to);
		}
		html_raw(&w->to, ", ");
		kind_link(w->ctx, data_family_part(d, f->id, d->devices[i], w->ctx->arena),
		          d->devices[i], &w->to);
	}
	if (shown)
		html_raw(&w->to, ".</p>\n");
}

bool body_family(struct expand_ctx *ctx, const struct data_family *f, struct body *out,
                 struct err *e)
{
	const struct data *d = ctx->data;
	const char *device = f->newest->run.head.device;
	const char *path = arena_printf(ctx->arena, "kernels/%s (family page)", f->id);
	struct writer w = writer_over(ctx, out, path, e);
	struct pick *picks;
	size_t n, ngroups;
	if (!writer_picks(&w, f->id, device, &picks, &n, e))
		return writer_finish(&w, false);
	struct group *g = find_groups(picks, n, ctx->arena, &ngroups);
	bool ok = true;
	write_devices(&w, f, device);
	for (size_t i = 0; ok && i < ngroups; i++)
		ok = is_lone(&g[i]) ? write_lone(&w, f, device, g, ngroups, i)
		                    : write_group(&w, f, device, &g[i]);
	for (size_t i = 0; ok && i < d->ndevices; i++)
		if (strcmp(d->devices[i], device) != 0)
			ok = write_elsewhere(&w, f, d->devices[i]);
	ok = ok && write_counters(&w, f, device, g, ngroups);
	ok = ok && write_variants(&w, picks, n);
	write_model(&w, picks[0].d->c);
	writer_heading(&w, 2, "measure-it-again", words_get(ctx->words, "family_again"));
	ok = ok &&
	     writer_place(&w, arena_printf(ctx->arena, "reproduce %s/* device=%s", f->id, device));
	return writer_finish(&w, ok);
}
