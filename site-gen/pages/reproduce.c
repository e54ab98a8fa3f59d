#include "site-gen/pages/reproduce.h"

#include <math.h>
#include <string.h>

#include "lib/record.h"
#include "site-gen/base/html.h"
#include "site-gen/lua/words.h"
#include "site-gen/numbers/case.h"
#include "site-gen/numbers/number.h"
#include "site-gen/records/data.h"
#include "site-gen/records/run.h"
#include "site-gen/site/page.h"

/* --- what it takes -------------------------------------------------------------------- */

/* The seconds of a whole run for each of its cases; 0 if the record does not say. */
static double mean_s(const struct run *r)
{
	int64_t from, to;
	if (!r->end || !r->ncases || !run_seconds_of(r->head.start, &from) ||
	    !run_seconds_of(r->end, &to) || to <= from)
		return 0;
	return (double)(to - from) / (double)r->ncases;
}

static double seconds_of(const struct data *d, const struct expand_use *u)
{
	for (size_t i = 0; i < d->nruns; i++) {
		const struct data_run *r = &d->runs[i];
		if (&r->run != u->run)
			continue;
		const struct data_case *k = &r->cases[u->c - r->run.cases];
		return k->spent_s > 0 ? k->spent_s : mean_s(&r->run);
	}
	return 0;
}

static bool has_commit(const char *const *all, size_t n, const char *commit)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(all[i], commit) == 0)
			return true;
	return false;
}

struct reproduce reproduce_cost(const struct page *p, const struct data *d, struct arena *a)
{
	struct reproduce out = {0};
	double seconds = 0;
	const char **commit = ARENA_ARRAY(a, const char *, d->nruns + 1);
	for (const struct expand_use *u = p->numbers.uses; u; u = u->next) {
		const char *at = record_commit(&u->run->head);
		if (u->c->foreign)
			continue; /* the runner cannot measure it again */
		seconds += seconds_of(d, u);
		if (!has_commit(commit, out.builds, at))
			commit[out.builds++] = at;
	}
	out.minutes = (int64_t)fmax(1, ceil(seconds / 60));
	return out;
}

/* --- what should come out ------------------------------------------------------------- */

/* "look-ahead, 2²⁸ elements, f32, bandwidth", or the two cases of a ratio. */
static const char *what(struct expand_ctx *ctx, const struct number *n)
{
	const struct words *w = ctx->words;
	const char *own = case_title(w, n->pick.d->c, ctx->arena);
	const char *metric = words_label(w, metric_info(n->metric)->name);
	if (n->kind == NUMBER_VALUE)
		return arena_printf(ctx->arena, "%s%s%s", own, words_get(w, "comma"), metric);
	if (n->kind == NUMBER_SHARE_SPEC)
		return arena_printf(ctx->arena, "%s%s%s%s%s", own, words_get(w, "comma"), metric,
		                    words_get(w, "comma"), words_get(w, "board_share"));
	return words_fill_all(
	        w, ctx->arena, "reproduce_ratio",
	        (const char *[]){own, case_title(w, n->over.d->c, ctx->arena), metric}, 3);
}

/* Does the key result show it? The page's text may, too. */
static bool is_in_key(const struct page *p, const struct quote *q)
{
	return p->front.key_line && !q->block && q->at.line == p->front.key_line &&
	       strcmp(q->at.path, p->path) == 0;
}

/* Has an earlier quote of the key result the same number? */
static bool is_said(const struct page *p, const struct quote *of, struct arena *a)
{
	const char *key = number_key(&of->n, a);
	for (const struct quote *q = p->numbers.quotes; q != of; q = q->next)
		if (is_in_key(p, q) && strcmp(number_key(&q->n, a), key) == 0)
			return true;
	return false;
}

static void put_quote(struct expand_ctx *ctx, const struct page *p, const struct quote *q,
                      struct sb *to)
{
	static const char *const classes[] = {[NUMBER_VALUE] = "",
	                                      [NUMBER_RATIO] = "ratio",
	                                      [NUMBER_SHARE_SPEC] = "percent",
	                                      [NUMBER_SHARE_MEASURED] = "percent"};
	if (!is_in_key(p, q) || is_said(p, q, ctx->arena))
		return;
	html_raw(to, "<li>");
	html_text(to, str_of(what(ctx, &q->n)));
	if (p->front.ndevices > 1) { /* the post has the same number of another device */
		html_raw(to, words_get(ctx->words, "comma"));
		html_text(to, str_of(data_device_name(ctx->data, q->n.pick.run->run.head.device)));
	}
	html_raw(to, words_get(ctx->words, "colon"));
	number_link(ctx, &q->n, classes[q->n.kind], NULL, to);
	number_interval(&q->n, to);
	html_raw(to, "</li>\n");
}

void reproduce_expected(struct expand_ctx *ctx, const struct page *p, struct sb *to)
{
	struct sb list = {0};
	for (const struct quote *q = p->numbers.quotes; q; q = q->next)
		put_quote(ctx, p, q, &list);
	if (list.n) {
		html_raw(to, "<ul class=\"expected\">\n");
		sb_str(to, sb_view(&list));
		html_raw(to, "</ul>\n");
	}
	sb_free(&list);
}
