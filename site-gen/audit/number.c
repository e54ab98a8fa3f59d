#include "site-gen/audit/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "site-gen/records/launches.h"

/* --- cases ------------------------------------------------------------------------------- */

void audit_records_init(struct audit_records *r, const struct data *d, struct arena *a)
{
	*r = (struct audit_records){.data = d, .a = a};
	r->cases = ARENA_ARRAY(a, struct audit_case *, d->nruns + 1);
}

static bool is_wrong(const struct run_check *check, double tolerance)
{
	/* -1 is how NaN is stored */
	return !check->passed || !(check->error >= 0 && check->error <= tolerance);
}

static bool counts(const struct run_launch *l, const struct run_case *c)
{
	/* another harness checks nothing, and its numbers are marked for that */
	if (c->foreign)
		return record_launch_ok(l);
	return record_launch_ok(l) && !is_wrong(&l->before, c->tolerance) &&
	       !is_wrong(&l->after, c->tolerance);
}

static void no_number(struct audit_case *c, enum rule rule, const char *why)
{
	c->has = false;
	c->rule = rule;
	c->why = why;
}

/* Derives a case from the raw samples of the processes that passed their checks. */
static void derive(struct audit_case *c, const struct run_launch *all, size_t n, struct arena *a)
{
	size_t most = 0, ok = 0, wrong = 0;
	for (size_t i = 0; i < n; i++)
		most += all[i].of == c->d->c;
	double *m = ARENA_ARRAY(a, double, most + 1);
	int64_t *launch = ARENA_ARRAY(a, int64_t, most + 1);
	const struct run_launch **used = ARENA_ARRAY(a, const struct run_launch *, most + 1);
	struct run_reading *reading = ARENA_ARRAY(a, struct run_reading, most + 1);
	size_t *node = ARENA_ARRAY(a, size_t, most + 1);
	for (size_t i = 0; i < n; i++) {
		const struct run_launch *l = &all[i];
		if (l->of != c->d->c)
			continue;
		wrong += strcmp(l->status, "wrong") == 0 ||
		         (record_launch_ok(l) && !counts(l, c->d->c));
		if (!counts(l, c->d->c))
			continue;
		launch[ok] = l->i;
		used[ok] = l;
		reading[ok] = record_launch_reading(l);
		m[ok++] = record_launch_median(l);
	}
	if (wrong > 0)
		no_number(c, RULE_CORRECT, "its results were wrong");
	else if (ok == 0)
		no_number(c, RULE_TRACED, "no process of it succeeded");
	else {
		record_nodes(used, ok, node);
		c->time = stats_over_nodes(m, node, ok);
	}
	c->node = node;
	c->medians = m;
	c->launch = launch;
	c->reading = reading;
}

/* Does every case that could be measured, and every null control, have process i? */
static bool is_whole(const struct run *r, int64_t i)
{
	size_t lacks = 0;
	for (size_t k = 0; k < r->ncases; k++)
		lacks += !r->cases[k].unavailable;
	for (size_t k = 0; k < r->nnulls; k++)
		lacks += !r->nulls[k].unavailable;
	for (size_t k = 0; k < r->nlaunches; k++)
		lacks -= r->launches[k].i == i && !r->launches[k].of->unavailable;
	for (size_t k = 0; k < r->nnull_launches; k++)
		lacks -= r->null_launches[k].i == i && !r->null_launches[k].of->unavailable;
	return lacks == 0;
}

/* Why an interrupted run has no number of the case; NULL if it has one. */
static const char *cut_short(const struct run *r, const struct run_case *c)
{
	size_t n = 0;
	if (strcmp(r->status, "complete") == 0)
		return NULL;
	for (size_t i = 0; i < r->nlaunches; i++) {
		if (r->launches[i].of != c)
			continue;
		if (!is_whole(r, r->launches[i].i))
			return "a launch that not all cases have was counted";
		n++;
	}
	return n < DATA_LAUNCHES_LEAST || 2 * n < (size_t)r->head.launches || r->head.nshards
	               ? "its run was interrupted too early"
	               : NULL;
}

static void recompute(struct audit_records *r, struct audit_case *c, const struct data_run *run,
                      const struct data_case *d)
{
	struct arena *a = r->a;
	bool null = strcmp(d->c->role, "null") == 0;
	const struct run *of = launches_of(run);
	const char *why;
	*c = (struct audit_case){.run = run, .d = d, .has = true};
	if (!of->whole)
		no_number(c, RULE_WHOLE, of->why_not_whole);
	else if (!null && (why = cut_short(of, d->c)))
		no_number(c, RULE_WHOLE, why);
	else if (null)
		derive(c, of->null_launches, of->nnull_launches, a);
	else
		derive(c, of->launches, of->nlaunches, a);
	if (c->has && d->why_none && !r->refused)
		no_number(c, d->failed ? RULE_CORRECT : RULE_POSSIBLE, d->why_none);
}

const struct audit_case *audit_case_of(struct audit_records *r, const struct data_run *run,
                                       const struct data_case *d)
{
	size_t i = (size_t)(run - r->data->runs), k = (size_t)(d - run->cases);
	if (!r->cases[i])
		r->cases[i] = ARENA_ARRAY(r->a, struct audit_case, run->run.ncases);
	if (!r->cases[i][k].d)
		recompute(r, &r->cases[i][k], run, d);
	return &r->cases[i][k];
}

/* --- addresses ----------------------------------------------------------------------------- */

const struct data_number *audit_address(const struct data *d, struct str href, struct str *fragment)
{
	static const char folder[] = "/numbers/";
	const char *at = href.n ? memmem(href.p, href.n, folder, strlen(folder)) : NULL;
	struct str url;
	if (!at)
		return NULL;
	str_cut(str_sub(href, (size_t)(at - href.p), href.n), '#', &url, fragment);
	return data_number_at(d, url);
}

/* The case in the named run. */
static const struct audit_case *in_run(struct audit_records *r, const struct data_number *n,
                                       struct str run)
{
	for (size_t i = 0; i < n->nruns; i++)
		if (str_is(run, n->runs[i]->run.head.id))
			return audit_case_of(r, n->runs[i], n->in[i]);
	return NULL;
}

/* The case in the newest run that has a number of it (rule `unpicked`). */
static const struct audit_case *newest(struct audit_records *r, const struct data_number *n)
{
	for (size_t i = 0; i < n->nruns; i++) {
		const struct audit_case *c = audit_case_of(r, n->runs[i], n->in[i]);
		if (c->has && !n->in[i]->why[DATA_WITHDRAWN])
			return c;
	}
	return NULL;
}

const struct audit_case *audit_measured(struct audit_records *r, struct str href)
{
	struct str fragment;
	const struct data_number *n = audit_address(r->data, href, &fragment);
	const struct audit_case *c = n ? newest(r, n) : NULL;
	return c || !n ? c : audit_case_of(r, n->runs[0], n->in[0]);
}

static bool has_source(const struct run_case *c, const struct run_source *s)
{
	for (size_t i = 0; i < c->nsource; i++)
		if (strcmp(c->source[i].path, s->path) == 0)
			return strcmp(c->source[i].blob, s->blob) == 0;
	return false;
}

bool audit_same_code(const struct run_case *a, const struct run_case *b)
{
	size_t found = 0;
	if (a->build.code_sha256 && b->build.code_sha256)
		return strcmp(a->build.code_sha256, b->build.code_sha256) == 0;
	for (size_t i = 0; i < a->nsource; i++)
		found += has_source(b, &a->source[i]);
	return found == a->nsource && found == b->nsource &&
	       strcmp(a->build.flags, b->build.flags) == 0;
}

bool audit_counted_code(const struct run *counters, const struct run_case *of,
                        const struct run_case *measured)
{
	const struct run_counters *k = record_counters(counters, of);
	const char *own = k && k->library ? k->library : of->build.library;
	const char *other = measured->build.library;
	const struct run_choice *chosen = k && k->choice.n ? &k->choice : &of->build.choice;
	return audit_same_code(of, measured) && (!own || !other || strcmp(own, other) == 0) &&
	       (chosen->n == 0 || measured->build.choice.n == 0 ||
	        record_choice_same(chosen, &measured->build.choice));
}

/* The other case of a ratio: "<anchor>", or "<device>--<anchor>" if it is of another device. */
static const struct audit_case *other_case(struct audit_records *r, struct str name,
                                           const char *device, struct str run)
{
	struct sb url = {0};
	const char *dashes = memmem(name.p, name.n, "--", 2);
	const struct data_number *n;
	sb_printf(&url, "/numbers/%s/" STR_FMT "/", device, STR_ARG(name));
	n = data_number_at(r->data, sb_view(&url));
	if (!n && dashes) {
		size_t cut = (size_t)(dashes - name.p);
		sb_clear(&url);
		sb_printf(&url, "/numbers/" STR_FMT "/" STR_FMT "/", STR_ARG(str_sub(name, 0, cut)),
		          STR_ARG(str_sub(name, cut + 2, name.n)));
		n = data_number_at(r->data, sb_view(&url));
	}
	sb_free(&url);
	return n ? in_run(r, n, run) : NULL;
}

/* --- arithmetic ------------------------------------------------------------------------------ */

/* Each process's reading of the GPU's counter; NULL if a process did not read it. */
static const double *read_values(struct audit_records *r, const struct audit_case *c, enum metric m)
{
	double *v = ARENA_ARRAY(&r->scratch, double, c->time.launches + 1);
	for (size_t i = 0; i < c->time.launches; i++)
		if (!metric_of_launch(m, c->d->c, &c->reading[i], c->medians[i], &v[i]))
			return NULL;
	return v;
}

/* The counter's resolution step, relative to the reading; the largest over all processes. */
static double counter_step(const struct audit_records *r, const struct audit_case *c, enum metric m)
{
	double step = 0, one;
	for (size_t i = 0; i < c->time.launches && !r->stepless; i++)
		if ((one = metric_step(m, &c->reading[i])) > step)
			step = one;
	return step;
}

static void at_least(struct stats_summary *s, double step)
{
	double lo = s->typical / exp(step), hi = s->typical * exp(step);
	s->lo = s->lo < lo ? s->lo : lo;
	s->hi = s->hi > hi ? s->hi : hi;
}

/* The case's two speeds in the metric, if it has two. */
static bool at_speeds(const struct audit_records *r, struct audit_number *n)
{
	const struct stats_summary *t = &n->of->time;
	double took[2], lo, hi;
	size_t fast = stats_two_modes(n->of->medians, t->launches, took);
	if (!fast || r->one_speed || n->metric == METRIC_INTENSITY)
		return true;
	n->at_speed[0] = fast;
	n->at_speed[1] = t->launches - fast;
	for (int i = 0; i < 2; i++)
		metric_of(n->metric, n->of->d->c,
		          &(struct stats_summary){.typical = took[i], .lo = took[i], .hi = took[i]},
		          &n->speed[i], &lo, &hi);
	return true;
}

bool audit_number_metric(struct audit_records *r, const struct audit_case *c, enum metric m,
                         struct audit_number *out)
{
	*out = (struct audit_number){
	        .kind = AUDIT_VALUE, .metric = m, .si = metric_info(m)->si, .of = c, .worst = c->d};
	if (!c->has || !metric_is_read(m))
		return c->has && metric_of(m, c->d->c, &c->time, &out->value, &out->lo, &out->hi) &&
		       at_speeds(r, out);
	const double *v = read_values(r, c, m);
	if (!v)
		return false;
	struct stats_summary s = stats_over_nodes(v, c->node, c->time.launches);
	at_least(&s, counter_step(r, c, m));
	out->value = s.typical;
	out->lo = s.lo;
	out->hi = s.hi;
	return true;
}

static double work(const struct run_case *c, enum metric m)
{
	switch (m) {
	case METRIC_THROUGHPUT:
	case METRIC_RATE:
		return (double)c->model.flop;
	case METRIC_LATENCY:
		return 1 / (double)c->model.flop;
	case METRIC_BANDWIDTH:
		return (double)c->model.bytes_read + (double)c->model.bytes_written;
	default:
		return 1;
	}
}

/* Pairs the medians, or the readings, of processes that both cases have. */
static size_t pairs(const struct audit_case *a, const struct audit_case *b, const double *va,
                    const double *vb, double *x, double *y, size_t *node)
{
	size_t n = 0;
	for (size_t i = 0; i < a->time.launches; i++)
		for (size_t k = 0; k < b->time.launches; k++)
			if (a->launch[i] == b->launch[k]) {
				x[n] = va[i];
				node[n] = a->node[i];
				y[n++] = vb[k];
				break;
			}
	return n;
}

/* Ratio between two runs: the half-widths of the logarithms add in quadrature. */
static struct stats_summary apart(const struct stats_summary *a, const struct stats_summary *b)
{
	struct stats_summary s = {.typical = a->typical / b->typical};
	double h = hypot(log(a->hi / a->lo) / 2, log(b->hi / b->lo) / 2);
	s.lo = s.typical * exp(-h);
	s.hi = s.typical * exp(h);
	return s;
}

/* Turns `out`, the value of the case, into its ratio over `b`. */
static void over(struct audit_records *r, const struct audit_case *b, enum metric m,
                 struct audit_number *out)
{
	const struct audit_case *a = out->of;
	bool read = metric_is_read(m), time = m == METRIC_TIME || m == METRIC_LATENCY || read;
	const struct audit_case *top = time ? a : b, *bottom = time ? b : a;
	const double *vt = read ? read_values(r, top, m) : top->medians;
	const double *vb = read ? read_values(r, bottom, m) : bottom->medians;
	double *x = ARENA_ARRAY(&r->scratch, double, top->time.launches + 1);
	double *y = ARENA_ARRAY(&r->scratch, double, top->time.launches + 1);
	size_t *node = ARENA_ARRAY(&r->scratch, size_t, top->time.launches + 1);
	size_t n = a->run == b->run && vt && vb ? pairs(top, bottom, vt, vb, x, y, node) : 0;
	struct stats_summary st =
	        read && vt ? stats_over_nodes(vt, top->node, top->time.launches) : top->time;
	struct stats_summary sb =
	        read && vb ? stats_over_nodes(vb, bottom->node, bottom->time.launches)
	                   : bottom->time;
	struct stats_summary s = n >= 2 ? stats_paired_over_nodes(x, y, node, n) : apart(&st, &sb);
	if (n < 2 && read && vt && vb) { /* unpaired: each side has a counter step of its own */
		at_least(&st, counter_step(r, top, m));
		at_least(&sb, counter_step(r, bottom, m));
		s = apart(&st, &sb);
	}
	if (read)
		at_least(&s, hypot(counter_step(r, a, m), counter_step(r, b, m)));
	double w = work(a->d->c, m) / work(b->d->c, m);
	out->over = b;
	out->value = w * s.typical;
	out->lo = w * s.lo;
	out->hi = w * s.hi;
	out->worst = b->d->state > a->d->state ? b->d : a->d;
}

/* A ratio of cost models, without times. */
static void over_models(struct audit_records *r, const struct audit_case *b,
                        struct audit_number *out)
{
	struct audit_number v;
	bool has = audit_number_metric(r, b, METRIC_INTENSITY, &v);
	out->over = b;
	out->value = out->lo = out->hi = has ? out->value / v.value : 0;
	out->worst = b->d->state > out->of->d->state ? b->d : out->of->d;
}

static void in_percent(struct audit_number *n, double of, enum audit_kind kind)
{
	n->kind = kind;
	n->si = "%";
	n->value *= 100 / of;
	n->lo *= 100 / of;
	n->hi *= 100 / of;
	n->speed[0] *= 100 / of;
	n->speed[1] *= 100 / of;
}

/* A ratio over another case, or a share of it. */
static bool against(struct audit_records *r, const struct audit_case *b, enum metric m, bool ratio,
                    struct audit_number *n, struct err *e)
{
	bool apart = strcmp(b->run->run.head.device, n->of->run->run.head.device) != 0;
	n->at_speed[0] = n->at_speed[1] = 0;
	if (n->cards.n && !apart)
		return err_set(e, "is over cards, and the cases of its ratio are of one device");
	if (m == METRIC_INTENSITY)
		over_models(r, b, n);
	else if (apart && !audit_number_apart(r, b, n, e))
		return false;
	else if (!apart)
		over(r, b, m, n);
	n->kind = AUDIT_RATIO;
	n->si = "×";
	if (!ratio)
		in_percent(n, 1, AUDIT_SHARE_MEASURED);
	return true;
}

/* --- links ------------------------------------------------------------------------------------ */

/* Cuts an ending off; returns false if it is not there. */
static bool cut_end(struct str *s, const char *end)
{
	size_t n = strlen(end);
	bool is = s->n > n && str_is(str_sub(*s, s->n - n, s->n), end);
	s->n -= is ? n : 0;
	return is;
}

/* name -> metric [ ( '-over-' | '-of-' ) rest ] */
static bool split_name(struct str name, enum metric *m, struct str *how, struct str *rest)
{
	struct str word, tail;
	bool more = str_cut(name, '-', &word, &tail);
	const struct metric_info *info = metric_find(word);
	*how = *rest = (struct str){0};
	if (!info)
		return false;
	*m = info->id;
	return !more || str_cut(tail, '-', how, rest);
}

/* Rule `native`: a number of another harness stands in no ratio with another record. */
static bool mixed(const struct audit_case *a, const struct audit_case *b, struct err *e)
{
	if (a->run == b->run || !(a->d->c->foreign || b->d->c->foreign))
		return false;
	err_set(e, "holds %s against %s: one is of another harness, and they are of two records",
	        a->d->c->id, b->d->c->id);
	return true;
}

static bool compare(struct audit_records *r, const struct audit_link *link, enum metric m,
                    struct str how, struct str rest, struct audit_number *n, enum rule *rule,
                    struct err *e)
{
	const char *device = n->of->run->run.head.device;
	struct str run = link->over_run.n ? link->over_run : link->run;
	bool ratio = str_is(how, "over");
	n->peak = ratio ? NULL : data_spec_find(r->data, str_of(device), rest);
	if (n->peak && strcmp(n->peak->si, n->si) == 0) {
		in_percent(n, n->peak->value, AUDIT_SHARE_SPEC);
		return true;
	}
	const struct audit_case *b = other_case(r, rest, device, run);
	if ((!ratio && !str_is(how, "of")) || !b || !b->has)
		return err_set(e, "'" STR_FMT "' names no peak and no case of run " STR_FMT,
		               STR_ARG(rest), STR_ARG(run));
	if (mixed(n->of, b, e)) {
		*rule = RULE_NATIVE;
		return false;
	}
	return against(r, b, m, ratio, n, e);
}

/* The run that the link names must be the newest, unless the link marks it as older. */
static bool check_run(struct audit_records *r, const struct data_number *number,
                      const struct audit_link *link, struct str fragment,
                      const struct audit_case *c, struct err *e)
{
	const struct audit_case *now = newest(r, number);
	bool pinned = link->metric.n > 0;
	if (!pinned && c != now)
		return err_set(e, "is of run " STR_FMT ", but run %s is the newest of %s",
		               STR_ARG(link->run), now ? now->run->run.head.id : "none",
		               number->id);
	if (pinned && (c == now || !str_starts(fragment, "run-") ||
	               str_cmp(str_sub(fragment, 4, fragment.n), link->run) != 0))
		return err_set(e, "says that it is of an older run, '" STR_FMT "', of %s",
		               STR_ARG(link->run), number->id);
	return true;
}

bool audit_number_of(struct audit_records *r, const struct audit_link *link,
                     struct audit_number *out, enum rule *rule, struct err *e)
{
	struct str fragment, how, rest;
	const struct data_number *number = audit_address(r->data, link->href, &fragment);
	enum metric m;
	*rule = RULE_TRACED;
	if (!number)
		return err_set(e, "'" STR_FMT "' is no case of any record", STR_ARG(link->href));
	const struct audit_case *c = in_run(r, number, link->run);
	if (!c)
		return err_set(e, "run '" STR_FMT "' did not measure %s", STR_ARG(link->run),
		               number->id);
	*rule = c->rule;
	if (!c->has)
		return err_set(e, "run " STR_FMT " has no number for %s: %s", STR_ARG(link->run),
		               number->id, c->why);
	*rule = RULE_UNPICKED;
	if (!check_run(r, number, link, fragment, c, e))
		return false;
	*rule = RULE_TRACED;
	struct str name = link->metric.n ? link->metric : fragment;
	bool cards = cut_end(&name, "-over-cards");
	if (!split_name(name, &m, &how, &rest) || !audit_number_metric(r, c, m, out))
		return err_set(e, "%s has no '" STR_FMT "'", number->id, STR_ARG(name));
	if (cards && !audit_number_over_cards(r, out, e))
		return false;
	return !how.n || compare(r, link, m, how, rest, out, rule, e);
}

/* --- keys ------------------------------------------------------------------------------------- */

static const struct audit_case *case_in(struct audit_records *r, struct str run, struct str id)
{
	for (size_t i = 0; i < r->data->nruns; i++) {
		const struct data_run *d = &r->data->runs[i];
		if (!str_is(run, d->run.head.id))
			continue;
		for (size_t k = 0; k < d->run.ncases; k++)
			if (str_is(id, d->run.cases[k].id))
				return audit_case_of(r, d, &d->cases[k]);
	}
	return NULL;
}

bool audit_number_keyed(struct audit_records *r, struct str key, struct str run,
                        struct str over_run, struct audit_number *out, struct err *e)
{
	struct str word[6] = {0}, rest = key;
	size_t n = 0;
	bool cards = cut_end(&rest, " over cards");
	for (bool more = true; more && n < 6;)
		more = str_cut(rest, ' ', &word[n++], &rest);
	const struct audit_case *c = n >= 3 ? case_in(r, run, word[1]) : NULL;
	const struct metric_info *m = metric_find(word[2]);
	if (!c || !m || !audit_number_metric(r, c, m->id, out))
		return err_set(e, "'" STR_FMT "' is no number of run " STR_FMT, STR_ARG(key),
		               STR_ARG(run));
	if (cards && !audit_number_over_cards(r, out, e))
		return false;
	if (n == 3)
		return true;
	const char *device = c->run->run.head.device;
	bool spec = n == 5 && str_starts(word[4], "spec:");
	const struct data_spec *peak =
	        spec ? data_spec_find(r->data, str_of(device), str_sub(word[4], 5, word[4].n))
	             : NULL;
	const struct audit_case *b =
	        n == 6 ? case_in(r, over_run.n ? over_run : run, word[5]) : NULL;
	out->peak = peak;
	if (peak)
		in_percent(out, peak->value, AUDIT_SHARE_SPEC);
	else if (b && b->has)
		return !mixed(c, b, e) && against(r, b, m->id, str_is(word[3], "over"), out, e);
	else
		return err_set(e, "'" STR_FMT "' is held against nothing in data/", STR_ARG(key));
	return true;
}
