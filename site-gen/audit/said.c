#include "site-gen/audit/said.h"

#include <string.h>

#include "lib/record_file.h"
#include "site-gen/numbers/goal.h"
#include "site-gen/numbers/prediction.h"
#include "site-gen/records/launches.h"

/* Decides a published condition by the records; `kind`: "claim" or "goal". */
static bool decide(struct audit *a, const struct audit_said *s, const char *kind,
                   struct claim_result *r, struct err *e)
{
	bool goal = strcmp(kind, "goal") == 0;
	struct arena *arena = &a->records.scratch;
	struct placeholder p;
	struct claim c;
	struct expand_ctx ctx = {.data = a->data,
	                         .device = str_dup(arena, s->device),
	                         .arena = arena,
	                         .words = &a->names};
	const char *text = arena_printf(arena, "<<bench:%s " STR_FMT ">>", kind,
	                                STR_ARG(goal ? s->goal : s->claim));
	return placeholder_parse(str_of(text), (struct loc){0}, &p, e) && claim_parse(&p, &c, e) &&
	       (goal ? claim_decide_goal : claim_decide)(&ctx, &c, r, e);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The next figure in s from *i on: digits and decimal points. */
static struct str figure(struct str s, size_t *i)
{
	while (*i < s.n && !is_digit(s.p[*i]))
		++*i;
	size_t from = *i;
	while (*i < s.n && (is_digit(s.p[*i]) || s.p[*i] == '.'))
		++*i;
	return str_sub(s, from, *i);
}

/* Compares word for word in English; in other languages only the figures. */
static bool says(const struct audit_said *s, struct str want, struct err *e)
{
	bool same = !s->english || str_eq(s->text, want);
	for (size_t i = 0; same && i < want.n;) {
		struct str f = figure(want, &i);
		bool found = f.n == 0;
		for (size_t k = 0; !found && k < s->text.n;)
			found = str_eq(figure(s->text, &k), f);
		same = found;
	}
	return same || err_set(e, "says " STR_FMT ", the records say " STR_FMT, STR_ARG(s->text),
	                       STR_ARG(want));
}

/* The title says what decided: word for word in English, else by its figures. */
static bool same_reason(const struct audit_said *s, const struct claim_result *r, struct err *e)
{
	const struct audit_said title = {.text = s->title, .english = false};
	struct str want = str_of(r->said);
	struct err none = ERR_NONE;
	return (s->english ? str_ends(s->title, r->said) : says(&title, want, &none)) ||
	       err_set(e, "gives as its reason '" STR_FMT "', the records say '%s'",
	               STR_ARG(s->title), r->said);
}

bool audit_said_claim(struct audit *a, const struct audit_said *s, struct err *e)
{
	struct claim_result r;
	if (!decide(a, s, "claim", &r, e))
		return false;
	if (r.verdict != CLAIM_TRUE)
		return err_set(e, "is %s: %s", r.verdict == CLAIM_FALSE ? "false" : "undecided",
		               r.why);
	return same_reason(s, &r, e);
}

static bool same_verdict(const struct audit_said *s, const char *want, struct err *e)
{
	return str_is(s->verdict, want) ||
	       err_set(e, "is marked '" STR_FMT "', the records say '%s'", STR_ARG(s->verdict),
	               want);
}

bool audit_said_goal(struct audit *a, const struct audit_said *s, struct err *e)
{
	struct claim_result r;
	struct sb want = {0};
	if (!decide(a, s, "goal", &r, e) || !same_verdict(s, goal_verdict(&r), e) ||
	    !same_reason(s, &r, e))
		return false;
	goal_outcome(&r, &a->names, &want);
	bool ok = says(s, sb_view(&want), e);
	sb_free(&want);
	return ok;
}

/* The prediction that the element names; NULL and an error if there is none. */
static const struct prediction *prediction_of(struct audit *a, const struct audit_said *s,
                                              struct err *e)
{
	const struct prediction *p = prediction_find(a->data->predictions, s->prediction);
	if (!p)
		err_set(e, "names no prediction, '" STR_FMT "'", STR_ARG(s->prediction));
	return p;
}

bool audit_said_predicted(struct audit *a, const struct audit_said *s, struct err *e)
{
	const struct prediction *p = prediction_of(a, s, e);
	struct sb want = {0};
	struct err none = ERR_NONE;
	if (!p)
		return false;
	prediction_range(p, &a->names, &a->records.scratch, &want);
	bool ok = says(s, sb_view(&want), &none); /* in short */
	sb_clear(&want);
	prediction_says(p, &a->names, &a->records.scratch, &want);
	ok = ok || says(s, sb_view(&want), e);
	sb_free(&want);
	return ok;
}

/* Did a run measure the case `id`, whether or not it published a number? */
static bool measured(const struct data_run *r, const char *id)
{
	const struct run *of = launches_of(r);
	for (size_t i = 0; i < of->nlaunches; i++)
		if (strcmp(of->launches[i].of->id, id) == 0 && record_launch_ok(&of->launches[i]))
			return true;
	return false;
}

/*
 * Did the run give the answer to the prediction for this case? A ratio also needs its other case.
 * A run that publishes nothing counts, because whoever measured has seen it.
 */
static bool answers(struct audit *a, const struct data_run *r, const struct prediction *p,
                    const char *id)
{
	struct expand_ctx ctx = {
	        .data = a->data, .device = r->run.head.device, .arena = &a->records.scratch};
	const struct run_case *c = data_run_case(r, id);
	struct query q = p->over;
	struct err none = ERR_NONE;
	struct pick other;
	if (!c || !measured(r, id))
		return false;
	return p->kind != NUMBER_RATIO || r->why_none ||
	       query_beside(&ctx, &q, &(struct pick){r, data_case_of(r, c)}, &other, &none);
}

/* Did the commit that a run measured, or any commit before it, have the file? */
static bool had(const struct data *d, const struct run_head *h, const char *path)
{
	struct err ignored = ERR_NONE;
	bool known;
	for (size_t i = 0; i < d->history.n; i++) {
		const struct git_change *c = &d->history.change[i];
		if (c->after && record_file_same(c->path, path) &&
		    git_is_before(d->git, c->commit, h->commit, &known, &ignored))
			return true;
	}
	return false;
}

/*
 * Rule `foretold`: the commit of the deciding run must not have the record of a run that gave the
 * answer without knowing this prediction.
 */
static bool was_foretold(struct audit *a, const struct prediction *p, const struct data_run *by,
                         const char *id, struct err *e)
{
	const struct data *d = a->data;
	for (size_t i = 0; i < d->nruns && d->git && by->run.head.commit; i++) {
		const struct data_run *r = &d->runs[i];
		const char *commit = r->run.head.commit;
		if (strcmp(r->run.head.device, by->run.head.device) != 0 || !answers(a, r, p, id) ||
		    !had(d, &by->run.head, r->path))
			continue;
		const char *text =
		        commit ? git_blob_at(d->git, commit, p->path, &a->records.scratch) : NULL;
		if (!text || strcmp(text, p->blob) != 0)
			return err_set(e,
			               "is decided by run %s, but its commit has the record of %s, "
			               "which knew no such prediction",
			               by->run.head.id, r->run.head.id);
	}
	return true;
}

static bool was_scored(enum prediction_verdict v)
{
	return v == PREDICTION_HELD || v == PREDICTION_MISSED || v == PREDICTION_UNDECIDED;
}

bool audit_said_verdict(struct audit *a, const struct audit_said *s, struct err *e)
{
	const struct prediction *p = prediction_of(a, s, e);
	struct sb want = {0};
	if (!p)
		return false;
	for (size_t i = 0; i < p->ntests && was_scored(p->verdict); i++)
		if (p->tests[i].decides &&
		    !was_foretold(a, p, p->tests[i].pick.run, p->tests[i].pick.d->c->id, e))
			return false;
	if (!same_verdict(s, prediction_verdict_name(p->verdict), e))
		return false;
	prediction_outcome(p, &a->names, &want);
	bool ok = says(s, sb_view(&want), e);
	sb_free(&want);
	return ok;
}
