#include "site-gen/audit/chart.h"

#include <string.h>

/* The case in the run that the fragment names, else in the newest run with a number. */
static const struct audit_case *case_of(struct audit *a, const struct data_number *n,
                                        struct str fragment)
{
	struct str run = str_starts(fragment, "run-") ? str_sub(fragment, 4, fragment.n) : STR("");
	for (size_t i = 0; i < n->nruns; i++) {
		const struct audit_case *c = audit_case_of(&a->records, n->runs[i], n->in[i]);
		bool this = run.n ? str_is(run, n->runs[i]->run.head.id) : c->has && i == n->newest;
		if (this)
			return c;
	}
	return NULL;
}

/* Does the title end in this number, with or without its state? */
static bool says(struct str title, const struct audit_number *n)
{
	struct sb want = {0};
	sb_cstr(&want, ": ");
	audit_number_text(n, &want);
	const char *at = title.n >= want.n ? memmem(title.p, title.n, want.p, want.n) : NULL;
	const char *end = at ? at + want.n : NULL, *last = title.p + title.n;
	bool ok = at && (end == last || (last - end > 2 && end[0] == ' ' && end[1] == '('));
	sb_free(&want);
	return ok;
}

bool audit_chart_point(struct audit *a, struct audit_chart *c, struct str href, struct str title,
                       struct err *e)
{
	struct str fragment;
	const struct data_number *number = audit_address(a->data, href, &fragment);
	const struct audit_case *of = number ? case_of(a, number, fragment) : NULL;
	const struct metric_info *named = metric_find(fragment);
	struct audit_number n;
	if (!of)
		return err_set(e, "'" STR_FMT "' is no number of any record", STR_ARG(href));
	for (int m = 0; m < METRIC_COUNT; m++) {
		if ((named && (int)named->id != m) ||
		    !audit_number_metric(&a->records, of, (enum metric)m, &n) || !says(title, &n))
			continue;
		audit_number_amount(&n, &c->amounts);
		sb_char(&c->amounts, '\n');
		a->counted[AUDIT_N_CHART]++;
		return true;
	}
	return err_set(e, "the point '" STR_FMT "' is not what the record of %s says",
	               STR_ARG(title), number->id);
}

bool audit_chart_label(const struct audit_chart *c, struct str plain)
{
	struct str all = sb_view(&c->amounts), one;
	for (bool more = true; more;) {
		more = str_cut(all, '\n', &one, &all);
		if (str_eq(one, plain))
			return true;
	}
	return false;
}
