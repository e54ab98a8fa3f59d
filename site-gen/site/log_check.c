#include "site-gen/site/log_check.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "site-gen/site/published_now.h"
#include "site-gen/base/rules.h"
#include "site-gen/base/problems.h"
#include "site-gen/site/site.h"

/* --- in a build ---------------------------------------------------------------------------- */

bool log_check_load(struct site *s, struct err *e)
{
	struct log_check *n = ARENA_NEW(s->arena, struct log_check);
	const char *cache = s->options.write && !s->options.strict ? s->options.cache : NULL;
	s->log = n;
	if (s->reuse.log) {
		n->log = *s->reuse.log;
		return true;
	}
	return published_check_history(s->data, cache, s->arena, e) &&
	       published_load(s->repo.git, s->arena, &n->log, e);
}

void log_check_begin(struct site *s)
{
	s->log = ARENA_NEW(s->arena, struct log_check);
	s->log->anew = true;
}

static void find_differences(struct site *s)
{
	struct log_check *n = s->log;
	n->by_name = published_sorted(&n->log, s->arena);
	n->last = published_last(&n->log, s->arena, &n->nlast);
	n->now = published_now(s, s->arena, &n->nnow);
	n->diff = published_compare(n->last, n->nlast, n->now, n->nnow, s->arena, &n->ndiff);
}

void log_check_compare(struct site *s)
{
	if (s->log->log.exists && !s->log->compared)
		find_differences(s);
	s->log->compared = true;
}

static void say_broken(struct problems *p, const struct published_diff *d)
{
	problems_rule(
	        p, RULE_NOTED, d->now->at,
	        "'%s' was published as '%s' (%s:%d) from the same %s: %s; if that is right, run "
	        "'site-gen note --reason WHY' and commit " PUBLISHED_PATH,
	        d->now->text, d->before->text, d->before->at.path, d->before->at.line,
	        d->now->run ? "run and formatter" : "formatter", d->now->number);
}

/* The additional checks of --strict. It reports only one problem a page, which is enough. */
static void check_all_noted(const struct log_check *n, struct problems *p)
{
	const char *page = "";
	if (n->log.committed < n->log.n)
		problems_rule(p, RULE_NOTED, n->log.line[n->log.committed].at,
		              "%zu lines are not committed yet", n->log.n - n->log.committed);
	for (size_t i = 0; i < n->ndiff; i++) {
		const struct published_diff *d = &n->diff[i];
		const struct published *x = d->now ? d->now : d->before;
		if (d->change == PUBLISHED_BROKEN || strcmp(x->page, page) == 0)
			continue;
		page = x->page;
		problems_rule(
		        p, RULE_NOTED, x->at,
		        "%s shows other numbers than were noted, %s the first: run 'site-gen note' "
		        "and commit " PUBLISHED_PATH,
		        page, x->number);
	}
}

void log_check(struct site *s, struct problems *p)
{
	struct log_check *n = s->log;
	if (!n->log.exists)
		return;
	log_check_compare(s);
	for (size_t i = 0; i < n->ndiff; i++)
		if (n->diff[i].change == PUBLISHED_BROKEN)
			say_broken(p, &n->diff[i]);
	if (s->options.strict)
		check_all_noted(n, p);
}

/* --- the lines of a page ------------------------------------------------------------------- */

void log_check_lines_of(const struct log_check *n, const char *page, size_t *from, size_t *to)
{
	size_t low = 0, high = n->by_name ? n->log.n : 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(n->by_name[middle]->page, page) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*from = *to = low;
	while (n->by_name && *to < n->log.n && strcmp(n->by_name[*to]->page, page) == 0)
		(*to)++;
}

void log_check_now_of(const struct log_check *n, const char *page, size_t *from, size_t *to)
{
	size_t low = 0, high = n->nnow;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(n->now[middle].page, page) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*from = *to = low;
	while (*to < n->nnow && strcmp(n->now[*to].page, page) == 0)
		(*to)++;
}

/* --- adding to the log --------------------------------------------------------------------- */

static const char *head_date(struct git *g, struct arena *a)
{
	struct tm t;
	time_t seconds = (time_t)git_head_time(g);
	gmtime_r(&seconds, &t);
	return arena_printf(a, "%04d-%02d-%02d", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday);
}

static const struct data_run *run_called(const struct data_run *runs, size_t n, const char *id)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(runs[i].run.head.id, id) == 0)
			return &runs[i];
	return NULL;
}

/* Is a run, or a file of counters, traces or listings, committed? */
static bool has_committed(const struct data *d, const char *id)
{
	const struct data_run *r = id ? run_called(d->runs, d->nruns, id) : NULL;
	r = r || !id ? r : run_called(d->profiles, d->nprofiles, id);
	r = r || !id ? r : run_called(d->traces, d->ntraces, id);
	const struct data_sass *s = r || !id ? NULL : data_sass_called(d, str_of(id));
	r = s ? &s->file : r;
	return !r || r->committed;
}

/* The same for one or several, with spaces between; NULL: none. */
static bool is_committed(const struct data *d, const char *ids, struct arena *a)
{
	struct str id, rest = str_of(ids ? ids : "");
	for (bool more = rest.n; more;) {
		more = str_cut(rest, ' ', &id, &rest);
		if (!has_committed(d, str_dup(a, id)))
			return false;
	}
	return true;
}

static bool may_note(const struct site *s, const struct published_diff *d, const char *reason,
                     struct err *e)
{
	const struct published *x = d->now;
	if (!x)
		return true;
	if (!is_committed(s->data, x->run, s->shared) ||
	    !is_committed(s->data, x->over_run, s->shared))
		return rule_err(e, RULE_NOTED, x->at,
		                "'%s' comes from a run that is not committed; commit %s first",
		                x->text,
		                is_committed(s->data, x->run, s->shared) ? x->over_run : x->run);
	if (d->change == PUBLISHED_BROKEN && !reason)
		return rule_err(e, RULE_NOTED, x->at,
		                "'%s' was '%s' from the same run and formatter; a change without a "
		                "new run needs --reason WHY",
		                x->text, d->before->text);
	return true;
}

static struct published line_of(const struct site *s, const struct published_diff *d,
                                const char *reason, const char *date)
{
	struct published line = d->now ? *d->now : *d->before;
	line.text = d->now ? line.text : NULL;
	line.was = d->before ? d->before->text : NULL;
	line.verdict = d->before && d->now ? published_verdict(s->data, d->before, d->now) : NULL;
	line.reason = reason;
	line.noted = date;
	return line;
}

bool log_check_write(struct site *s, const char *reason, struct log_written *out, struct err *e)
{
	struct log_check *n = s->log;
	struct sb bytes = {0};
	bool ok = true;
	*out = (struct log_written){0};
	if (!s->repo.git || !git_head(s->repo.git))
		return err_set(e, "there is no commit whose date a note could carry");
	find_differences(s);
	if (!n->log.exists && n->ndiff > 0 && !n->anew)
		sb_str(&bytes, published_bytes(&n->log));
	const char *date = head_date(s->repo.git, s->arena);
	for (size_t i = 0; ok && i < n->ndiff; i++) {
		/* the given reason applies only to changes that need one */
		bool broken = n->diff[i].change == PUBLISHED_BROKEN;
		struct published line = line_of(s, &n->diff[i], broken ? reason : NULL, date);
		ok = may_note(s, &n->diff[i], reason, e);
		published_put(&bytes, &line);
	}
	ok = ok && git_sound(s->repo.git, e) &&
	     (n->anew ? published_parts_begin(sb_view(&bytes), git_head(s->repo.git), s->arena, e)
	              : published_parts_add(&n->log.parts, sb_view(&bytes), s->arena, &out->closed,
	                                    e));
	if (ok)
		out->added = n->ndiff;
	sb_free(&bytes);
	return ok;
}
