/* Collects, orders and names the changes. */
#include "site-gen/pages/changes.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/numbers/case.h"
#include "site-gen/numbers/counters.h"
#include "site-gen/site/site.h"

/* --- collecting ---------------------------------------------------------------------------- */

static enum published_change change_kind(const struct published *before,
                                         const struct published *now)
{
	if (!now->text)
		return PUBLISHED_GONE;
	if (!now->was || !before)
		return PUBLISHED_FIRST;
	return strcmp(now->was, now->text) == 0 ? PUBLISHED_AGAIN : PUBLISHED_CHANGED;
}

static bool same_number(const struct published *x, const struct published *y)
{
	return strcmp(x->page, y->page) == 0 && strcmp(x->number, y->number) == 0;
}

/* Order of kinds within a day. Changes with and without a reason are one kind to readers. */
static int rank_of(const struct change *c)
{
	static const int rank[] = {
	        [PUBLISHED_CHANGED] = 0, [PUBLISHED_BROKEN] = 0, [PUBLISHED_GONE] = 1,
	        [PUBLISHED_AGAIN] = 2,   [PUBLISHED_FIRST] = 3,
	};
	return rank[c->kind];
}

static int text_order(const char *x, const char *y)
{
	return strcmp(x ? x : "", y ? y : "");
}

static const char *day_of(const struct change *c)
{
	return *c->noted ? c->noted : "~"; /* after every date */
}

/* Orders by group, then by row, then by page. */
static int group_order(const struct change *x, const struct change *y)
{
	int d = strcmp(day_of(y), day_of(x));
	d = d ? d : rank_of(x) - rank_of(y);
	if (d || rank_of(x) != 0)
		return d;
	d = text_order(x->now->reason, y->now->reason);
	return d || x->now->reason ? d : text_order(y->now->run, x->now->run);
}

static int row_order(const struct change *x, const struct change *y)
{
	int d = group_order(x, y);
	d = d ? d : strcmp(x->now->number, y->now->number);
	d = d ? d
	      : text_order(x->before ? x->before->text : NULL, y->before ? y->before->text : NULL);
	return d ? d : text_order(x->now->text, y->now->text);
}

static int order(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	int d = row_order(x, y);
	d = d ? d : strcmp(x->now->page, y->now->page);
	return d ? d : x->now->line - y->now->line;
}

struct changes changes_of(const struct site *s, struct arena *a)
{
	const struct log_check *n = s->log;
	struct changes all = {0};
	if (!n || !n->log.exists)
		return all;
	all.c = ARENA_ARRAY(a, struct change, n->log.n + n->ndiff + 1);
	for (size_t i = 0; i < n->log.n; i++) {
		const struct published *now = n->by_name[i];
		bool known = i > 0 && same_number(n->by_name[i - 1], now);
		const struct published *before = known ? n->by_name[i - 1] : NULL;
		all.c[all.n++] = (struct change){change_kind(before, now), before, now, now->noted};
	}
	for (size_t i = 0; i < n->ndiff; i++) {
		const struct published_diff *d = &n->diff[i];
		struct published *gone = NULL;
		if (!d->now) {
			gone = ARENA_NEW(a, struct published);
			*gone = (struct published){.page = d->before->page,
			                           .number = d->before->number};
		}
		all.c[all.n++] = (struct change){d->change, d->before, d->now ? d->now : gone, ""};
	}
	if (all.n)
		qsort(all.c, all.n, sizeof *all.c, order);
	return all;
}

size_t changes_day_end(const struct changes *all, size_t i)
{
	size_t k = i + 1;
	while (k < all->n && strcmp(day_of(&all->c[k]), day_of(&all->c[i])) == 0)
		k++;
	return k;
}

size_t changes_group_end(const struct changes *all, size_t i)
{
	size_t k = i + 1;
	while (k < all->n && group_order(&all->c[k], &all->c[i]) == 0)
		k++;
	return k;
}

size_t changes_row_end(const struct changes *all, size_t i)
{
	size_t k = i + 1;
	while (k < all->n && row_order(&all->c[k], &all->c[i]) == 0)
		k++;
	return k;
}

/* --- words --------------------------------------------------------------------------------- */

const char *changes_verdict(const struct data *d, const struct change *c)
{
	if (*c->noted)
		return c->now->verdict;
	return c->before && c->now->text ? published_verdict(d, c->before, c->now) : NULL;
}

const char *changes_anchor(const struct change *c, struct arena *a)
{
	return c->now->line ? arena_printf(a, "c%d", c->now->line) : "";
}

/* "transpose/naive:rows=4096,…" -> "transpose/naive", "rows=4096,…" */
static void split_case(struct str id, struct str *variant, struct str *conditions)
{
	if (!str_cut(id, ':', variant, conditions))
		*conditions = (struct str){"", 0};
}

const char *changes_spaced(struct str conditions, struct arena *a)
{
	struct str one;
	const char *out = "";
	while (conditions.n > 0) {
		str_cut(conditions, ',', &one, &conditions);
		out = arena_printf(a, "%s%s" STR_FMT, out, *out ? ", " : "", STR_ARG(one));
	}
	return out;
}

static const struct data_number *number_at(const struct data *d, struct str device, struct str id)
{
	for (size_t i = 0; i < d->nnumbers; i++)
		if (str_is(id, d->numbers[i].id) && str_is(device, d->numbers[i].device))
			return &d->numbers[i];
	return NULL;
}

/* "bandwidth over naive", "bandwidth, share of the theoretical HBM3e bandwidth". */
static const char *against_name(const struct data *d, const struct words *w, const char *name,
                                const char *key, struct str device, struct str other,
                                struct arena *a)
{
	static const char spec[] = "spec:";
	struct str variant, ignored;
	if (!str_starts(other, spec)) {
		split_case(other, &variant, &ignored);
		return words_fill(w, a, key, name, str_dup(a, variant));
	}
	struct str peak = str_sub(other, strlen(spec), other.n);
	const struct data_spec *s = data_spec_find(d, device, peak);
	return words_fill(w, a, "share_spec", name,
	                  s ? words_label(w, s->title) : str_dup(a, peak));
}

/* "4096 rows, f32, cold cache, H200" */
static const char *detail_of(const struct data *d, const struct words *w,
                             const struct data_number *n, struct str conditions, struct arena *a)
{
	size_t last = n->newest < n->nruns ? n->newest : 0;
	const char *which =
	        n->nruns ? case_words(w, n->in[last]->c, a) : changes_spaced(conditions, a);
	return arena_printf(a, "%s%s%s", which, words_get(w, "comma"),
	                    data_device_name(d, n->device));
}

/* rest -> device case counter */
static struct change_name counter_name(const struct data *d, const struct words *w,
                                       const char *number, struct str rest, struct arena *a)
{
	struct str device, id, counter, variant, conditions;
	str_cut(rest, ' ', &device, &rest);
	str_cut(rest, ' ', &id, &counter);
	const struct counter_info *i = counter_find(counter);
	const struct data_number *page = number_at(d, device, id);
	if (!i || !page)
		return (struct change_name){number, "", NULL};
	split_case(id, &variant, &conditions);
	return (struct change_name){
	        .name = arena_printf(a, STR_FMT ": %s", STR_ARG(variant), words_label(w, i->title)),
	        .detail = detail_of(d, w, page, conditions, a),
	        .url = page->url};
}

/* rest -> device expression, whose measured numbers stand in [device case metric]; the first one is
 * named. The expression itself would read like typed numbers. */
static struct change_name derived_name(const struct data *d, const struct words *w,
                                       const char *number, struct str rest, struct arena *a)
{
	struct str before, device, id, variant, conditions;
	if (!str_cut(rest, '[', &before, &rest))
		return (struct change_name){number, "", NULL};
	str_cut(rest, ' ', &device, &rest);
	str_cut(rest, ' ', &id, &rest);
	const struct data_number *page = number_at(d, device, id);
	split_case(id, &variant, &conditions);
	return (struct change_name){.name = arena_printf(a, STR_FMT ": %s", STR_ARG(variant),
	                                                 words_get(w, "change_derived")),
	                            .detail = data_device_name(d, str_dup(a, device)),
	                            .url = page ? page->url : NULL};
}

/*
 * number -> device case metric [ ('over' | 'of') ( device case | 'spec:' key ) ] [ 'in' run … ]
 *         | 'counter' device case name
 *         | 'derived' device expression
 * or that of no case (changes_fact.c).
 */
struct change_name changes_name(const struct data *d, const struct words *w, const char *number,
                                struct arena *a)
{
	enum { DEVICE, CASE, METRIC, JOIN, OTHER_DEVICE, OTHER, MOST = 10 };
	struct str word[MOST], rest = str_of(number), variant, conditions;
	size_t n = 0;
	while (rest.n > 0 && n < MOST)
		str_cut(rest, ' ', &word[n++], &rest);
	if (n > METRIC && str_is(word[0], "counter"))
		return counter_name(d, w, number, str_of(number + strlen("counter ")), a);
	if (n > METRIC && str_is(word[0], "derived"))
		return derived_name(d, w, number, str_of(number + strlen("derived ")), a);
	const struct data_number *page = n > METRIC ? number_at(d, word[DEVICE], word[CASE]) : NULL;
	if (!page)
		return changes_fact(d, w, number, a);
	split_case(word[CASE], &variant, &conditions);
	struct change_name out = {.url = page->url, .detail = detail_of(d, w, page, conditions, a)};
	out.name = arena_printf(a, STR_FMT " %s", STR_ARG(variant),
	                        words_label(w, str_dup(a, word[METRIC])));
	bool over = n > JOIN && str_is(word[JOIN], "over"),
	     of = n > JOIN && str_is(word[JOIN], "of");
	size_t other =
	        n > OTHER_DEVICE && str_starts(word[OTHER_DEVICE], "spec:") ? OTHER_DEVICE : OTHER;
	if ((over || of) && n > other)
		out.name = against_name(d, w, out.name, over ? "change_over" : "share_measured",
		                        word[DEVICE], word[other], a);
	return out;
}
