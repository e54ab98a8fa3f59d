/* Checks of a diagram: against the measured source, and against what a profiler counted. */
#include <math.h>

#include "lib/array.h"
#include "site-gen/kinds/diagram.h"
#include "site-gen/numbers/counters.h"

/* --- the source ----------------------------------------------------------------------- */

/* Does a let= give a template parameter the number that another key says? */
static bool is_said(struct str binding)
{
	struct str name, value;
	return str_cut(binding, '=', &name, &value) &&
	       (str_is(str_trim(value), "threads") || str_is(str_trim(value), "vector"));
}

bool diagram_constants_hold(struct kind_call *k, const struct pick *p, struct str let,
                            struct err *e)
{
	struct str one;
	for (bool more = let.n > 0; more;) {
		more = str_cut(let, ',', &one, &let);
		one = str_trim(one);
		if (one.n && one.p[0] >= 'A' && one.p[0] <= 'Z' && !is_said(one) &&
		    !diagram_in_source(k, p, one, e))
			return false;
	}
	return true;
}

/* --- counters ------------------------------------------------------------------------- */

/* Finds a counter of the case that is named by a key. */
static bool counter_of(struct kind_call *k, const struct pick *p, struct str name,
                       struct counters *of, const struct counter_info **info, double *value,
                       struct err *e)
{
	struct loc at = placeholder_loc(k->p, name);
	if (!p)
		return err_at(e, at, "check= needs a selector after '" STR_FMT "'",
		              STR_ARG(k->p->word[0]));
	*info = counter_find(name);
	if (!*info)
		return err_at(e, at, "no counter '" STR_FMT "'", STR_ARG(name));
	if (!counters_of(k->ctx->data, p->run->run.head.device, p->d->c->id, of) ||
	    !counter_value(of, *info, value))
		return err_at(e, at, "no counter %s of %s", (*info)->name, p->d->c->id);
	counters_hold(of, k->ctx->data);
	return true;
}

static const char *linked(struct kind_call *k, const struct counters *of,
                          const struct counter_info *i, double value)
{
	struct sb html = {0};
	counter_link(k->ctx, of, i, value, &html);
	return sb_take(k->ctx->arena, &html);
}

bool diagram_check_sectors(struct kind_call *k, const struct pick *p, double touched,
                           const char **said, struct err *e)
{
	static const double MOST = 0.01;
	struct str name = placeholder_key(k->p, "check");
	struct counters of;
	const struct counter_info *i;
	double value;
	if (!str_is(name, "load_sectors_per_request") && !str_is(name, "store_sectors_per_request"))
		return err_at(e, placeholder_loc(k->p, name),
		              "check='" STR_FMT "' counts no sectors of an access, expected "
		              "load_sectors_per_request or store_sectors_per_request",
		              STR_ARG(name));
	if (!counter_of(k, p, name, &of, &i, &value, e))
		return false;
	if (!(fabs(value - touched) <= MOST))
		return rule_err(e, RULE_DRAWN, placeholder_loc(k->p, name),
		                "the drawing says %.0f sectors, but %s of %s is %.2f", touched,
		                i->name, p->d->c->id, value);
	*said = words_fill(k->ctx->words, k->ctx->arena, "diagram_counted_sectors",
	                   linked(k, &of, i, value), of.c->tool);
	return true;
}

bool diagram_check_banks(struct kind_call *k, const struct pick *p, double conflicts,
                         const char **said, struct err *e)
{
	static const double MOST = 1;
	struct str name = placeholder_key(k->p, "check"), per;
	struct counters of;
	const struct counter_info *i, *j;
	double all, accesses;
	if (!str_is(name, "shared_bank_conflicts"))
		return err_at(e, placeholder_loc(k->p, name),
		              "check='" STR_FMT "' counts no banks, expected shared_bank_conflicts",
		              STR_ARG(name));
	if (!diagram_needs(k, "per", &per, e) || !counter_of(k, p, name, &of, &i, &all, e) ||
	    !counter_of(k, p, per, &of, &j, &accesses, e))
		return false;
	if (!(accesses > 0) || !(fabs(all / accesses - conflicts) < MOST))
		return rule_err(
		        e, RULE_DRAWN, placeholder_loc(k->p, name),
		        "the drawing says %.0f conflicts an access, but %s over %s of %s is "
		        "%.2f",
		        conflicts, i->name, j->name, p->d->c->id, all / accesses);
	const char *with[] = {linked(k, &of, i, all), linked(k, &of, j, accesses), of.c->tool};
	*said = words_fill_all(k->ctx->words, k->ctx->arena, "diagram_counted_conflicts", with,
	                       ARRAY_LEN(with));
	return true;
}
