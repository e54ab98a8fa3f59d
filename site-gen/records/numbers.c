/* Collects each case over all its runs: the subject of a number's page. */
#include <stdlib.h>
#include <string.h>

#include "site-gen/records/run.h"

/* A case of a run, with the run's position (newest first). */
struct entry {
	size_t run;
	struct data_case *k;
};

/* The cases with one URL. */
struct group {
	const char *url;
	size_t n, at; /* their number, and where they begin in the list */
};

/*
 * All cases, grouped. Most URLs come again in every run, so they are looked up in a hash table,
 * and only the groups are sorted.
 */
struct grouped {
	struct arena a; /* all of it, until the numbers are made */
	struct group *group;
	size_t n;
	struct entry *entry; /* group by group, each by run */
	uint32_t *table;     /* open addressing: 1 + group, or 0 */
	size_t cap;          /* of the table: a power of two */
};

static uint64_t hash_of(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h ^ h >> 32;
}

static struct group *group_of(struct grouped *g, const char *url)
{
	size_t i = hash_of(url) & (g->cap - 1);
	while (g->table[i] && strcmp(g->group[g->table[i] - 1].url, url) != 0)
		i = (i + 1) & (g->cap - 1);
	if (!g->table[i]) {
		g->group[g->n] = (struct group){.url = url};
		g->table[i] = (uint32_t)++g->n;
	}
	return &g->group[g->table[i] - 1];
}

static void place(struct grouped *g, const struct data *d)
{
	size_t at = 0;
	for (size_t i = 0; i < g->n; i++) {
		g->group[i].at = at;
		at += g->group[i].n;
		g->group[i].n = 0;
	}
	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].run.ncases; k++) {
			struct group *of = group_of(g, d->runs[i].cases[k].url);
			g->entry[of->at + of->n++] = (struct entry){i, &d->runs[i].cases[k]};
		}
}

static int by_url(const void *a, const void *b)
{
	return strcmp(((const struct group *)a)->url, ((const struct group *)b)->url);
}

/* The caller frees g->a. */
static void group_cases(const struct data *d, struct grouped *g)
{
	size_t total = 0;
	for (size_t i = 0; i < d->nruns; i++)
		total += d->runs[i].run.ncases;
	*g = (struct grouped){.cap = 64};
	while (g->cap < 2 * total)
		g->cap *= 2;
	g->table = ARENA_ARRAY(&g->a, uint32_t, g->cap);
	g->group = ARENA_ARRAY(&g->a, struct group, total + 1);
	g->entry = ARENA_ARRAY(&g->a, struct entry, total + 1);
	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].run.ncases; k++)
			group_of(g, d->runs[i].cases[k].url)->n++;
	place(g, d);
	if (g->n)
		qsort(g->group, g->n, sizeof *g->group, by_url);
}

/* Rule `unpicked`: marks a number that a newer run measured again. */
static void supersede(struct data *d, struct data_case *k, const struct data_run *newer)
{
	k->newer = newer;
	if (!k->why_none)
		data_case_add(
		        k, DATA_SUPERSEDED,
		        (struct reason){.word = "why_superseded", .with = {newer->run.head.id}},
		        d->arena);
}

/* The GPU's uuid, if the case ran on one card alone; else NULL. */
static const char *card_of(const struct data_run *r, const struct data_case *k)
{
	for (size_t i = 0; i < k->time.launches; i++)
		if (k->node[i] != k->node[0])
			return NULL;
	return r->run.head.gpu.uuid;
}

static bool same_build(const struct run_build *a, const struct run_build *b)
{
	bool library = a->library && b->library ? strcmp(a->library, b->library) == 0
	                                        : a->library == b->library;
	return a->code_sha256 && b->code_sha256 && strcmp(a->code_sha256, b->code_sha256) == 0 &&
	       library && record_choice_same(&a->choice, &b->choice);
}

static bool has_card(const struct data_number *n, const char *uuid)
{
	for (size_t i = 0; i < n->ncards; i++)
		if (strcmp(n->runs[n->card[i]]->run.head.gpu.uuid, uuid) == 0)
			return true;
	return false;
}

static void list_cards(struct data_number *n, struct arena *a)
{
	n->card = ARENA_ARRAY(a, size_t, n->nruns);
	for (size_t i = n->newest; i < n->nruns; i++) {
		const struct data_case *k = n->in[i];
		const char *uuid = data_case_offered(k) ? card_of(n->runs[i], k) : NULL;
		if (uuid && same_build(&n->in[n->newest]->c->build, &k->c->build) &&
		    !has_card(n, uuid))
			n->card[n->ncards++] = i;
	}
}

static void fill(struct data *d, struct data_number *out, const struct entry *e, size_t n)
{
	const struct data_run *first = &d->runs[e[0].run];
	*out = (struct data_number){.device = first->run.head.device,
	                            .id = e[0].k->c->id,
	                            .url = e[0].k->url,
	                            .runs = ARENA_ARRAY(d->arena, const struct data_run *, n),
	                            .in = ARENA_ARRAY(d->arena, const struct data_case *, n),
	                            .nruns = n,
	                            .newest = n};
	for (size_t i = 0; i < n; i++) {
		out->runs[i] = &d->runs[e[i].run];
		out->in[i] = e[i].k;
		e[i].k->number = (size_t)(out - d->numbers);
		e[i].k->url = out->url;
		if (out->newest < i)
			supersede(d, e[i].k, out->runs[out->newest]);
		else if (data_case_offered(e[i].k))
			out->newest = i;
	}
	list_cards(out, d->arena);
}

/* Lists the publishable ceilings, each from its newest run. */
static void list_ceilings(struct data *d)
{
	d->ceilings = ARENA_ARRAY(d->arena, struct data_ceiling, d->nnumbers + 1);
	for (size_t i = 0; i < d->nnumbers; i++) {
		const struct data_number *n = &d->numbers[i];
		if (n->newest < n->nruns &&
		    str_starts(str_of(n->in[n->newest]->c->family), "ceiling-"))
			d->ceilings[d->nceilings++] =
			        (struct data_ceiling){n->runs[n->newest], n->in[n->newest]};
	}
}

/* Once for all: each page of a number asks every other number for it. */
static void set_reached(struct data_case *k)
{
	double lo, hi;
	if (k->why_none || !metric_of(METRIC_BANDWIDTH, k->c, &k->time, &k->bandwidth, &lo, &hi))
		k->bandwidth = 0;
	if (k->why_none || !metric_of(METRIC_THROUGHPUT, k->c, &k->time, &k->throughput, &lo, &hi))
		k->throughput = 0;
}

/* Element i is of this family: lengthens the last span, or begins another. */
static void add_to_spans(struct data_span *all, size_t *n, const char *family, size_t i)
{
	if (*n == 0 || strcmp(all[*n - 1].family, family) != 0)
		all[(*n)++] = (struct data_span){family, i, i};
	all[*n - 1].to = i + 1;
}

static void cut_spans(struct data_run *r, struct arena *a)
{
	struct data_span *all = ARENA_ARRAY(a, struct data_span, r->run.ncases + 1);
	for (size_t i = 0; i < r->run.ncases; i++)
		add_to_spans(all, &r->nspans, r->run.cases[i].family, i);
	r->spans = all;
}

static void cut_numbers(struct data *d)
{
	d->number_spans = ARENA_ARRAY(d->arena, struct data_span, d->nnumbers + 1);
	for (size_t i = 0; i < d->nnumbers; i++)
		add_to_spans(d->number_spans, &d->nnumber_spans, d->numbers[i].in[0]->c->family, i);
}

void data_index_runs(struct data_run *r, size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++) {
		size_t cap = 8;
		while (cap < 2 * r[i].run.ncases)
			cap *= 2;
		uint32_t *table = ARENA_ARRAY(a, uint32_t, cap);
		for (size_t k = 0; k < r[i].run.ncases; k++) {
			size_t at = hash_of(r[i].run.cases[k].id) & (cap - 1);
			while (table[at])
				at = (at + 1) & (cap - 1);
			table[at] = (uint32_t)k + 1;
		}
		cut_spans(&r[i], a);
		r[i].by_id = table;
		r[i].nby_id = cap;
	}
}

const struct run_case *data_run_case(const struct data_run *r, const char *id)
{
	if (!r->nby_id)
		return record_case(&r->run, id);
	for (size_t at = hash_of(id) & (r->nby_id - 1); r->by_id[at];
	     at = (at + 1) & (r->nby_id - 1))
		if (strcmp(r->run.cases[r->by_id[at] - 1].id, id) == 0)
			return &r->run.cases[r->by_id[at] - 1];
	return NULL;
}

void data_number_runs(struct data *d)
{
	struct grouped g;
	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].run.ncases; k++)
			set_reached(&d->runs[i].cases[k]);
	group_cases(d, &g);
	d->numbers = ARENA_ARRAY(d->arena, struct data_number, g.n + 1);
	for (size_t i = 0; i < g.n; i++)
		fill(d, &d->numbers[d->nnumbers++], &g.entry[g.group[i].at], g.group[i].n);
	arena_free(&g.a);
	cut_numbers(d);
	list_ceilings(d);
}

static int find_url(const void *key, const void *member)
{
	const struct str *url = key;
	const struct data_number *n = member;
	size_t len = strlen(n->url), least = url->n < len ? url->n : len;
	int d = memcmp(url->p, n->url, least);
	return d ? d : url->n < len ? -1 : url->n > len;
}

const struct data_number *data_number_at(const struct data *d, struct str url)
{
	if (d->nnumbers == 0)
		return NULL;
	return bsearch(&url, d->numbers, d->nnumbers, sizeof *d->numbers, find_url);
}

const struct data_number *data_number_of(const struct data *d, const struct data_case *k)
{
	const struct data_number *n = k->number < d->nnumbers ? &d->numbers[k->number] : NULL;
	return n && n->url == k->url ? n : data_number_at(d, str_of(k->url));
}

const struct data_number *data_number_on(const struct data *d, const char *device,
                                         const struct data_case *k, struct arena *a)
{
	const struct data_number *n =
	        data_number_at(d, str_of(arena_printf(a, "/numbers/%s/%s/", device, k->anchor)));
	return n && n->newest < n->nruns ? n : NULL;
}
