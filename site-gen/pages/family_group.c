#include "site-gen/pages/family_group.h"

#include <string.h>

#include "lib/ways.h"
#include "site-gen/kinds/chart.h"
#include "site-gen/numbers/case.h"
#include "site-gen/numbers/roof.h"

/* --- groups of cases --- */

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

/* The same as an anchor: "copy, f32, cold". */
static const char *group_title(const struct run_case *c, struct arena *a)
{
	struct sb s = {0};
	for (size_t i = 0; i < c->nparams; i++)
		if (c->param[i].word)
			sb_printf(&s, "%s, ", c->param[i].word);
	sb_printf(&s, "%s, %s", c->dtype, c->cache);
	return sb_take(a, &s);
}

/*
 * The words of a case's group for readers: "plain copy, f32, cold cache". `ways`: and the unusual
 * ways in which it was measured, which tell it from a group with the same words. `sizes`: and the
 * numeric parameters that it is true for; NULL: none.
 */
static const char *group_words(const struct words *w, const struct run_case *c, bool ways,
                               const bool *sizes, struct arena *a)
{
	const char *key[RECORD_MAX_PARAMS + 2];
	size_t n = 0;
	for (size_t i = 0; i < c->nparams; i++)
		if (!c->param[i].word ? sizes && sizes[i]
		                      : !is_way(&c->param[i]) || (ways && ways_unusual(c, i)))
			key[n++] = c->param[i].name;
	key[n++] = "dtype";
	key[n++] = "cache";
	return case_parts(w, c, key, n, a);
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

struct family_group *family_group_find(const struct pick *picks, size_t n, struct arena *a,
                                       size_t *count)
{
	struct family_group *g = ARENA_ARRAY(a, struct family_group, n + 1);
	size_t *of = ARENA_ARRAY(a, size_t, n + 1);
	*count = 0;
	for (size_t i = 0; i < n; i++) {
		const char *key = group_conditions(picks[i].d->c, true, a);
		size_t k = 0;
		while (k < *count && strcmp(g[k].conditions, key) != 0)
			k++;
		if (k == *count)
			g[(*count)++] = (struct family_group){
			        .conditions = key, .title = group_title(picks[i].d->c, a)};
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
static size_t coverage(const struct family_group *g, const struct run_case *c)
{
	size_t n = 0;
	for (size_t i = 0; i < g->n; i++)
		n += !g->picks[i].d->why_none && same_sizes(g->picks[i].d->c, c);
	return n;
}

/* The size at which most variants were measured; the largest of several. */
static const struct pick *common_size(const struct family_group *g)
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
static bool in_sweep(const struct family_group *g, size_t i, size_t k, const struct run_case *c,
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
static bool is_sweep(const struct family_group *g, size_t k, const struct run_case *c, bool fixed)
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
static bool is_fan(const struct family_group *g, size_t k, size_t j, size_t *points)
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
static bool write_fan(struct writer *w, const struct family_group *g, const char *sel,
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
static bool write_plots(struct writer *w, const struct family_group *g, const char *sel,
                        const struct run_case *c, const char *device)
{
	bool any = false;
	struct arena *a = w->ctx->arena;
	for (int fixed = 0; fixed < 2 && !any; fixed++)
		for (size_t k = c->nparams; k-- > 0 && !(any && !fixed);)
			if (!c->param[k].word && is_sweep(g, k, c, fixed) &&
			    writer_try(w, arena_printf(a, "plot %s%s x=%s device=%s focus=best",
			                               sel, fixed ? other_sizes(c, k, a) : "",
			                               c->param[k].name, device)))
				any = true;
	return any || write_fan(w, g, sel, c, device);
}

bool family_group_lead(struct writer *w, const struct data_family *f, const char *device,
                       const struct family_group *g, const struct pick *base)
{
	struct arena *a = w->ctx->arena;
	const struct run_case *c = base->d->c;
	const char *sel = arena_printf(a, "%s/*:%s", f->id, g->conditions);
	const char *size = size_conditions(c, a);
	struct number bandwidth;
	if (!writer_place(w, arena_printf(a, "ladder %s%s device=%s", sel, size, device)))
		return false;
	/* the most telling chart: a true roofline, curves, or a row for each variant */
	enum metric m = roof_metric(w->ctx->data, base);
	bool roofs = m == METRIC_BANDWIDTH || m == METRIC_THROUGHPUT, any = false;
	if (roofs && roofline_has_slope(g->picks, g->n)) {
		any = true;
		if (!writer_place(w,
		                  arena_printf(a, "roofline %s device=%s focus=best", sel, device)))
			return false;
	}
	bool drawn = write_plots(w, g, sel, c, device);
	/* for a single variant, the ladder has shown everything */
	bool alone = coverage(g, c) < 2;
	return any || drawn || alone || !roofs || !number_of(base, METRIC_BANDWIDTH, &bandwidth) ||
	       writer_place(w, arena_printf(a, "roofline %s%s device=%s", sel, size, device));
}

/* --- single cases measured in unusual ways, beside the usual case --- */

static bool is_lone(const struct family_group *g)
{
	bool way = false;
	for (size_t i = 0; i < g->picks[0].d->c->nparams; i++)
		way = way || is_way(&g->picks[0].d->c->param[i]);
	return way && g->n == 1;
}

/* The variant, and the conditions that it shares with the case measured in the usual way. */
static const char *lone_conditions(const struct family_group *g, struct arena *a)
{
	const struct run_case *c = g->picks[0].d->c;
	return arena_printf(a, "%s:%s%s", c->variant, group_conditions(c, false, a),
	                    size_conditions(c, a));
}

/* ",input=*,load=*": the unusual ways of all lone cases with these conditions. */
static const char *lone_ways(const struct family_group *g, size_t n, const char *conditions,
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

/* Does an earlier group show this lone case beside its own? */
static bool is_shown_before(const struct family_group *all, size_t i, struct arena *a)
{
	const char *conditions = lone_conditions(&all[i], a);
	for (size_t k = 0; k < i; k++)
		if (is_lone(&all[k]) && strcmp(lone_conditions(&all[k], a), conditions) == 0)
			return true;
	return false;
}

/* A lone case's words, with the sizes that tell it from others with the same words. */
static const char *lone_words(const struct words *w, const struct family_group *all, size_t n,
                              size_t i, struct arena *a)
{
	const struct run_case *c = all[i].picks[0].d->c;
	const char *said = group_words(w, c, false, NULL, a);
	bool sizes[RECORD_MAX_PARAMS] = {false};
	for (size_t k = 0; k < n; k++) {
		const struct run_case *o = all[k].picks[0].d->c;
		if (!is_lone(&all[k]) || o->nparams != c->nparams ||
		    strcmp(group_words(w, o, false, NULL, a), said) != 0)
			continue;
		for (size_t m = 0; m < c->nparams; m++)
			sizes[m] = sizes[m] || o->param[m].num != c->param[m].num;
	}
	return group_words(w, c, false, sizes, a);
}

bool family_group_head(struct writer *w, const struct family_group *all, size_t n, size_t i)
{
	struct arena *a = w->ctx->arena;
	const struct words *words = w->ctx->words;
	bool lone = is_lone(&all[i]);
	if (lone ? is_shown_before(all, i, a) : !common_size(&all[i]))
		return false;
	const char *said =
	        lone ? words_fill(words, a, "family_ways", lone_words(words, all, n, i, a), NULL)
	             : group_words(words, all[i].picks[0].d->c, true, NULL, a);
	writer_fold(w, all[i].title, said,
	            all[i].n == 1 ? words_get(words, "family_case_one")
	                          : words_fill(words, a, "family_cases",
	                                       arena_printf(a, "%zu", all[i].n), NULL));
	return true;
}

bool family_group_write(struct writer *w, const struct data_family *f, const char *device,
                        const struct family_group *all, size_t n, size_t i)
{
	struct arena *a = w->ctx->arena;
	if (!is_lone(&all[i])) {
		const struct pick *base = common_size(&all[i]);
		return !base || family_group_lead(w, f, device, &all[i], base);
	}
	const char *conditions = lone_conditions(&all[i], a);
	return writer_place(w, arena_printf(a, "samples %s/%s%s device=%s", f->id, conditions,
	                                    lone_ways(all, n, conditions, a), device));
}

/* --- the best of a group --- */

const struct pick *family_group_best(const struct family_group *g, const struct pick *like,
                                     enum metric m)
{
	const struct pick *best = NULL;
	struct number most, n;
	for (size_t i = 0; i < g->n; i++) {
		const struct pick *p = &g->picks[i];
		if (strcmp(p->d->c->role, "kernel") != 0 || !same_sizes(p->d->c, like->d->c) ||
		    !number_of(p, m, &n))
			continue;
		if (best && (n.value > most.value) != metric_info(m)->higher_is_better)
			continue;
		best = p;
		most = n;
	}
	return best;
}

const struct pick *family_group_size(const struct family_group *g)
{
	return is_lone(g) ? NULL : common_size(g);
}
