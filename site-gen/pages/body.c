/*
 * The body of a family's page. It is written as placeholders wherever a kind exists,
 * so that a post can show the same.
 */
#include "site-gen/pages/body.h"

#include <stdio.h>
#include <string.h>

#include "site-gen/pages/body_writer.h"
#include "site-gen/pages/family_group.h"
#include "site-gen/pages/family_lead.h"
#include "site-gen/numbers/case.h"
#include "site-gen/numbers/roof.h"
#include "site-gen/kinds/device_part.h"
#include "site-gen/kinds/source.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/numbers/counters.h"
#include "site-gen/base/html.h"

/* What one device has measured of the family. */
struct part {
	const char *device;
	struct pick *picks;
	size_t n;
	struct family_group *groups;
	size_t ngroups;
	bool begun; /* the page has a part of it already */
};

/* --- hardware counters --- */

static bool has_counters(const struct writer *w, const struct pick *p)
{
	struct counters c;
	return counters_of(w->ctx->data, p->run->run.head.device, p->d->c->id, &c);
}

static bool group_has_counters(const struct writer *w, const struct family_group *g)
{
	for (size_t k = 0; k < g->n; k++)
		if (has_counters(w, &g->picks[k]))
			return true;
	return false;
}

/* Writes a table for each group with counters; *any: there are some. */
static bool write_counters(struct writer *w, const struct data_family *f, const struct part *p,
                           bool *any)
{
	bool ok = true;
	*any = false;
	for (size_t i = 0; ok && i < p->ngroups; i++) {
		if (!group_has_counters(w, &p->groups[i]))
			continue;
		*any = true;
		ok = writer_place(w, arena_printf(w->ctx->arena,
		                                  "counters %s/*:%s only=recorded device=%s", f->id,
		                                  p->groups[i].conditions, p->device));
	}
	return ok;
}

static bool any_counters(const struct writer *w, const struct part *p, size_t nparts)
{
	for (size_t k = 0; k < nparts; k++)
		for (size_t i = 0; i < p[k].ngroups; i++)
			if (group_has_counters(w, &p[k].groups[i]))
				return true;
	return false;
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
	                 words_fill(w->ctx->words, a, "family_choice",
	                            case_words(w->ctx->words, c, a),
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
	size_t shown = 0;
	for (size_t i = 0; i < n; i++)
		shown += shows_variant(picks, n, i);
	writer_fold(w, "the-variants", words_get(w->ctx->words, "family_variants"),
	            words_fill(w->ctx->words, w->ctx->arena, "family_sources",
	                       arena_printf(w->ctx->arena, "%zu", shown), NULL));
	for (size_t i = 0; i < n; i++)
		if (shows_variant(picks, n, i) && !write_variant(w, &picks[i]))
			return false;
	body_fold_close(&w->to);
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

/* --- the devices, of which a switch shows one --- */

/* Has the device a number of an own kernel for the headline case? */
static bool has_headline(const struct data *d, const struct headline *h, const char *device)
{
	struct arena a = {0};
	struct expand_ctx ctx = {.data = d, .arena = &a, .device = device};
	struct headline_result r;
	bool has = headline_result(&ctx, h, &r);
	arena_free(&a);
	return has;
}

/* Does the family's text speak of the device? */
static bool is_told(const struct data *d, const struct headline *h, const char *device)
{
	const char *sheet = data_device_sheet(d, device);
	return h->device &&
	       (strcmp(h->device, device) == 0 || (sheet && strcmp(h->device, sheet) == 0));
}

/* To the front comes the device that the text speaks of, else the first with the headline case. */
static void open_with(const struct data *d, const struct headline *h, const char **device, size_t n)
{
	size_t first = n;
	for (size_t k = n; k-- > 0;)
		if (has_headline(d, h, device[k]) &&
		    (first == n || !is_told(d, h, device[first]) || is_told(d, h, device[k])))
			first = k;
	if (first == 0 || first == n)
		return;
	const char *name = device[first];
	memmove(device + 1, device, first * sizeof *device);
	device[0] = name;
}

size_t body_family_devices(const struct data *d, const struct data_family *f,
                           const struct headline *h, const char **out)
{
	size_t n = 0;
	out[n++] = f->newest->run.head.device;
	for (size_t i = 0; i < d->nnumbers && n < EXPAND_DEVICES; i++) {
		const struct data_number *x = &d->numbers[i];
		bool known = x->newest == x->nruns || strcmp(x->in[0]->c->family, f->id) != 0;
		for (size_t k = 0; k < n && !known; k++)
			known = strcmp(out[k], x->device) == 0;
		if (!known)
			out[n++] = x->device;
	}
	if (h)
		open_with(d, h, out, n);
	return n;
}

/* Opens the part of device k; the first part of a device has the id that links to it name. */
static void open_part(struct writer *w, struct part *p, size_t nparts, size_t k)
{
	if (nparts < 2)
		return;
	device_part_enter(w->ctx, k);
	device_part_open(w->ctx, true, &w->to);
	if (!p[k].begun) {
		html_raw(&w->to, "<span id=\"on-");
		html_attr(&w->to, str_of(p[k].device));
		html_raw(&w->to, "\"></span>\n");
	}
	p[k].begun = true;
}

static void close_part(struct writer *w, size_t nparts)
{
	if (nparts > 1)
		device_part_close(w->ctx, true, &w->to);
	w->ctx->device_no = 0;
}

static void open_parts(struct writer *w, size_t nparts, bool open)
{
	if (nparts > 1)
		html_raw(&w->to, open ? "<div class=\"devs\">\n" : "</div>\n");
}

/* "Not measured on H100." */
static void write_missing(struct writer *w, const char *key, const struct part *p)
{
	writer_paragraph(w, "fine",
	                 words_fill(w->ctx->words, w->ctx->arena, key,
	                            data_device_name(w->ctx->data, p->device), NULL));
}

static bool write_all_counters(struct writer *w, const struct data_family *f, struct part *p,
                               size_t nparts)
{
	bool ok = true, any;
	if (!any_counters(w, p, nparts))
		return true;
	writer_fold(w, "counters", words_get(w->ctx->words, "family_counters"),
	            words_get(w->ctx->words, "family_profiled"));
	open_parts(w, nparts, true);
	for (size_t k = 0; ok && k < nparts; k++) {
		open_part(w, p, nparts, k);
		ok = write_counters(w, f, &p[k], &any);
		if (!any)
			write_missing(w, "family_no_counters", &p[k]);
		close_part(w, nparts);
	}
	open_parts(w, nparts, false);
	body_fold_close(&w->to);
	return ok;
}

/* The index of the group with these conditions; p->ngroups: the device has none. */
static size_t group_like(const struct part *p, const char *conditions)
{
	size_t i = 0;
	while (i < p->ngroups && strcmp(p->groups[i].conditions, conditions) != 0)
		i++;
	return i;
}

/* Writes group i of device `owner`, as every device has measured it. */
static bool write_group(struct writer *w, const struct data_family *f, struct part *p,
                        size_t nparts, size_t owner, size_t i)
{
	bool ok = true;
	if (!family_group_head(w, p[owner].groups, p[owner].ngroups, i))
		return true;
	open_parts(w, nparts, true);
	for (size_t k = 0; ok && k < nparts; k++) {
		size_t own = group_like(&p[k], p[owner].groups[i].conditions);
		open_part(w, p, nparts, k);
		if (own < p[k].ngroups)
			ok = family_group_write(w, f, p[k].device, p[k].groups, p[k].ngroups, own);
		else
			write_missing(w, "family_not_on", &p[k]);
		close_part(w, nparts);
	}
	open_parts(w, nparts, false);
	body_fold_close(&w->to);
	return ok;
}

/*
 * Writes all groups: those of the first device, then what only others have measured. The lead has
 * shown the group with the conditions `led` (NULL: none).
 */
static bool write_groups(struct writer *w, const struct data_family *f, struct part *p,
                         size_t nparts, const char *led)
{
	bool ok = true;
	for (size_t k = 0; k < nparts; k++)
		for (size_t i = 0; ok && i < p[k].ngroups; i++) {
			bool seen = led && strcmp(p[k].groups[i].conditions, led) == 0;
			for (size_t before = 0; before < k && !seen; before++)
				seen = group_like(&p[before], p[k].groups[i].conditions) <
				       p[before].ngroups;
			ok = seen || write_group(w, f, p, nparts, k, i);
		}
	return ok;
}

/* --- side by side: the best kernel of each device --- */

/* Writes the best of a group on one device, at the size that stands for the group. */
static void best_cell(struct writer *w, const struct part *p, const struct family_group *like,
                      const struct pick *size, enum metric m)
{
	size_t i = group_like(p, like->conditions);
	const struct pick *best = i < p->ngroups ? family_group_best(&p->groups[i], size, m) : NULL;
	struct number n;
	table_cell(&w->to, "right", data_device_name(w->ctx->data, p->device));
	if (best && number_of(best, m, &n)) {
		number_link(w->ctx, &n, "", best->d->c->id, &w->to);
		html_raw(&w->to, " <code>");
		html_text(&w->to, str_of(best->d->c->variant));
		html_raw(&w->to, "</code>");
	} else {
		number_none(words_fill(w->ctx->words, w->ctx->arena, "family_not_on",
		                       data_device_name(w->ctx->data, p->device), NULL),
		            &w->to);
	}
	html_raw(&w->to, "</td>");
}

static void write_best(struct writer *w, const struct part *p, size_t nparts)
{
	if (nparts < 2)
		return;
	writer_heading(w, 2, "on-each-device", words_get(w->ctx->words, "family_best"));
	table_open(&w->to, "labelled stack best");
	html_raw(&w->to, "<thead><tr><th scope=\"col\">");
	html_text(&w->to, str_of(words_get(w->ctx->words, "head_case")));
	html_raw(&w->to, "</th>");
	for (size_t k = 0; k < nparts; k++) {
		html_raw(&w->to, "<th scope=\"col\" class=\"right\">");
		html_text(&w->to, str_of(data_device_name(w->ctx->data, p[k].device)));
		html_raw(&w->to, "</th>");
	}
	html_raw(&w->to, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < p[0].ngroups; i++) {
		const struct family_group *g = &p[0].groups[i];
		const struct pick *size = family_group_size(g);
		if (!size)
			continue;
		enum metric m = roof_metric(w->ctx->data, size);
		html_raw(&w->to, "<tr><th scope=\"row\">");
		html_text(&w->to, str_of(case_words(w->ctx->words, size->d->c, w->ctx->arena)));
		html_raw(&w->to, "</th>");
		for (size_t k = 0; k < nparts; k++)
			best_cell(w, &p[k], g, size, m);
		html_raw(&w->to, "</tr>\n");
	}
	html_raw(&w->to, "</tbody>");
	table_close(&w->to);
}

/* Writes links to the pages of the devices. */
static void write_devices(struct writer *w, const struct part *p, size_t nparts)
{
	if (nparts < 2)
		return;
	html_raw(&w->to, "<p class=\"devices\">");
	html_text(&w->to, str_of(words_get(w->ctx->words, "family_devices")));
	for (size_t k = 0; k < nparts; k++) {
		html_text(&w->to, str_of(k ? words_get(w->ctx->words, "comma") : " "));
		kind_link(w->ctx, arena_printf(w->ctx->arena, "/devices/%s/", p[k].device),
		          data_device_name(w->ctx->data, p[k].device), &w->to);
	}
	html_raw(&w->to, "</p>\n");
}

/* Finds the cases of each device. The first device must have some. */
static bool find_parts(struct writer *w, const struct data_family *f, const struct headline *h,
                       struct part *p, size_t *nparts, struct err *e)
{
	const char *device[EXPAND_DEVICES];
	size_t n = body_family_devices(w->ctx->data, f, h, device);
	*nparts = 0;
	for (size_t k = 0; k < n; k++) {
		struct part *one = &p[*nparts];
		struct err none = ERR_NONE; /* measured there, but none may be published */
		*one = (struct part){.device = device[k]};
		if (!writer_picks(w, f->id, device[k], &one->picks, &one->n, k ? &none : e)) {
			if (k == 0)
				return false;
			continue;
		}
		one->groups = family_group_find(one->picks, one->n, w->ctx->arena, &one->ngroups);
		++*nparts;
	}
	return true;
}

/* The placeholders of the page name their devices; the context has the list for their parts. */
static void set_devices(struct expand_ctx *ctx, const struct part *p, size_t nparts)
{
	const char **device = ARENA_ARRAY(ctx->arena, const char *, nparts);
	for (size_t k = 0; k < nparts; k++)
		device[k] = p[k].device;
	ctx->devices = nparts > 1 ? device : NULL;
	ctx->ndevices = nparts > 1 ? nparts : 0;
}

/* --- the lead: the headline case --- */

/* The group of the device that has a case; p->ngroups: none. */
static size_t group_of(const struct part *p, const struct pick *best)
{
	for (size_t i = 0; i < p->ngroups; i++)
		for (size_t k = 0; k < p->groups[i].n; k++)
			if (p->groups[i].picks[k].d == best->d)
				return i;
	return p->ngroups;
}

/* Writes the result, the ladder and the charts of the headline case, as device k measured it. */
static bool write_lead_of(struct writer *w, const struct data_family *f, const struct headline *h,
                          struct part *p, const char **led)
{
	struct headline_result r;
	struct expand_ctx *ctx = w->ctx;
	const char *before = ctx->device;
	ctx->device = p->device;
	bool has = headline_result(ctx, h, &r);
	if (has)
		family_lead_write(w, h, &r);
	ctx->device = before;
	if (!has) {
		write_missing(w, "family_not_on", p);
		return true;
	}
	size_t i = group_of(p, &r.best.pick);
	if (i == p->ngroups)
		return true;
	*led = p->groups[i].conditions;
	return family_group_lead(w, f, p->device, &p->groups[i], &r.best.pick);
}

/* *led: the conditions of the group that is shown. */
static bool write_lead(struct writer *w, const struct data_family *f, const struct headline *h,
                       struct part *p, size_t nparts, const char **led)
{
	bool ok = true;
	*led = NULL;
	if (!h)
		return true;
	open_parts(w, nparts, true);
	for (size_t k = 0; ok && k < nparts; k++) {
		open_part(w, p, nparts, k);
		ok = write_lead_of(w, f, h, &p[k], led);
		close_part(w, nparts);
	}
	open_parts(w, nparts, false);
	return ok;
}

/* Moves what was written so far to *lead. */
static void cut_lead(struct writer *w, struct str *lead)
{
	*lead = str_keep(w->ctx->arena, sb_view(&w->to));
	sb_clear(&w->to);
}

bool body_family(struct expand_ctx *ctx, const struct data_family *f, const struct headline *h,
                 struct str *lead, struct body *out, struct err *e)
{
	const char *path = arena_printf(ctx->arena, "kernels/%s (family page)", f->id), *led;
	struct writer w = writer_over(ctx, out, path, e);
	struct part p[EXPAND_DEVICES];
	size_t nparts;
	if (!find_parts(&w, f, h, p, &nparts, e))
		return writer_finish(&w, false);
	set_devices(ctx, p, nparts);
	bool ok = write_lead(&w, f, h, p, nparts, &led);
	cut_lead(&w, lead);
	write_devices(&w, p, nparts);
	write_best(&w, p, nparts);
	ok = ok && write_groups(&w, f, p, nparts, led) && write_all_counters(&w, f, p, nparts) &&
	     write_variants(&w, p[0].picks, p[0].n);
	set_devices(ctx, p, 1);
	ctx->device = p[0].device;
	write_model(&w, p[0].picks[0].d->c);
	writer_heading(&w, 2, "measure-it-again", words_get(ctx->words, "family_again"));
	ok = ok && writer_place(&w, arena_printf(ctx->arena, "reproduce %s/* device=%s", f->id,
	                                         p[0].device));
	return writer_finish(&w, ok);
}
