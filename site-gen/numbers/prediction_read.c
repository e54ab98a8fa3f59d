/*
 * Reads the front matter of a prediction.
 *
 *   metric    -> 'time' | 'bandwidth' | 'throughput'
 *              | 'percent' 'of' 'spec:' key
 *              | 'ratio' ['of' name] 'over' selector { key '=' value }
 *   selector  -> as in a placeholder, with its keys
 *
 * To add a key, add a name to `known`, a member to struct prediction, a line to
 * prediction_read(), and a row to data/predictions/README.md.
 */
#include <math.h>
#include <string.h>

#include "site-gen/base/front.h"
#include "site-gen/numbers/prediction.h"
#include "site-gen/base/rules.h"

static const char *const known[] = {"title",   "selector",   "metric", "low",  "high",
                                    "limiter", "confidence", "series", "step", NULL};

struct reader {
	const struct data *d;
	struct arena *a;
	const struct front_fields *f;
	struct prediction *p;
	struct err *e;
};

static const char *text_of(const struct reader *r, const char *name)
{
	const struct front_field *f = front_field(r->f, name);
	return f ? f->value : NULL;
}

static bool only_known(const struct reader *r)
{
	for (size_t i = 0; i < r->f->n; i++) {
		size_t k = 0;
		while (known[k] && strcmp(known[k], r->f->field[i].name) != 0)
			k++;
		if (!known[k])
			return err_at(r->e, r->f->field[i].name_at,
			              "unknown key '%s' of a prediction, expected one of title, "
			              "selector, metric, low, high, limiter, confidence, series, "
			              "step",
			              r->f->field[i].name);
	}
	return true;
}

static bool needs(const struct reader *r, const char *name)
{
	return front_field(r->f, name) ||
	       err_at(r->e, (struct loc){r->p->path, 1, 1},
	              "prediction has no '%s', which every prediction needs", name);
}

static bool number_field(const struct reader *r, const char *name, double *out, bool *given)
{
	const struct front_field *f = front_field(r->f, name);
	*given = f != NULL;
	return !f || str_f64(str_of(f->value), out) ||
	       err_at(r->e, f->at, "%s is '%s', expected a number in the SI unit of the metric",
	              name, f->value);
}

/* Parses a selector with its keys like the words of a placeholder, so that errors have a place. */
static bool selector(const struct reader *r, struct loc at, struct str text, struct query *q)
{
	static const char head[] = "<<bench:value ";
	at.col -= (int)strlen(head);
	char *all = arena_printf(r->a, "%s" STR_FMT ">>", head, STR_ARG(text));
	struct placeholder *own = ARENA_NEW(r->a, struct placeholder);
	if (!placeholder_parse(str_of(all), at, own, r->e))
		return false;
	if (own->nwords != 1)
		return err_at(r->e, own->nwords ? placeholder_loc(own, own->word[1]) : own->at,
		              "expected one selector and key=value");
	if (!query_parse(own, own->word[0], NULL, true, q, r->e))
		return false;
	return !q->run.p || err_at(r->e, placeholder_loc(own, q->run),
	                           "a prediction names no run: the first one to come tests it");
}

static bool share(const struct reader *r, const struct front_field *f, struct str key)
{
	struct prediction *p = r->p;
	struct str device = p->query.device.p ? p->query.device : str_of(r->d->default_device);
	struct loc at = f->at;
	at.col += (int)strlen("percent of spec:");
	p->kind = NUMBER_SHARE_SPEC;
	p->si = "%";
	p->peak = data_spec_find(r->d, device, key);
	if (!p->peak)
		return err_at(r->e, at, "device '" STR_FMT "' has no spec '" STR_FMT "'",
		              STR_ARG(device), STR_ARG(key));
	const struct metric_info *m = metric_of_unit(p->peak->si);
	if (m) {
		p->metric = m->id;
		return true;
	}
	return rule_err(r->e, RULE_TYPED, at, "spec '%s' is in %s, which is no peak of a metric",
	                p->peak->key, p->peak->si);
}

static bool ratio(const struct reader *r, const struct front_field *f, struct str rest)
{
	struct str word, after;
	const struct metric_info *m = NULL;
	r->p->kind = NUMBER_RATIO;
	r->p->si = "×";
	r->p->metric = METRIC_COUNT; /* the case's headline metric */
	if (str_starts(rest, "of ")) {
		str_cut(str_sub(rest, 3, rest.n), ' ', &word, &rest);
		m = metric_find(word);
		if (!m)
			return err_at(r->e, f->at, "no metric '" STR_FMT "' in '%s'", STR_ARG(word),
			              f->value);
		r->p->metric = m->id;
	}
	if (!str_cut(rest, ' ', &word, &after) || !str_is(word, "over"))
		return err_at(r->e, f->at, "metric is '%s', expected 'ratio over SELECTOR'",
		              f->value);
	struct loc at = f->at;
	at.col += (int)(after.p - f->value);
	return selector(r, at, after, &r->p->over);
}

static bool metric(const struct reader *r)
{
	const struct front_field *f = front_field(r->f, "metric");
	struct str s = str_of(f->value);
	const struct metric_info *m = metric_find(s);
	r->p->metric_text = f->value;
	if (m && m->id != METRIC_INTENSITY) {
		r->p->kind = NUMBER_VALUE;
		r->p->metric = m->id;
		r->p->si = m->si;
		return true;
	}
	if (str_starts(s, "percent of spec:"))
		return share(r, f, str_sub(s, strlen("percent of spec:"), s.n));
	if (str_starts(s, "ratio "))
		return ratio(r, f, str_sub(s, strlen("ratio "), s.n));
	if (str_starts(s, "percent"))
		return rule_err(r->e, RULE_TYPED, f->at,
		                "metric is '%s': a percentage names its peak, expected 'percent of "
		                "spec:KEY'",
		                f->value);
	return err_at(r->e, f->at,
	              "metric is '%s', expected time, bandwidth, throughput, 'percent of spec:KEY' "
	              "or 'ratio over SELECTOR'",
	              f->value);
}

static bool interval(const struct reader *r)
{
	struct prediction *p = r->p;
	bool low, high;
	p->low = -INFINITY;
	p->high = INFINITY;
	if (!number_field(r, "low", &p->low, &low) || !number_field(r, "high", &p->high, &high))
		return false;
	p->has_interval = low || high;
	if (low && high && !(p->low < p->high))
		return err_at(r->e, front_field(r->f, "high")->at,
		              "high is %s, expected more than low, %s", text_of(r, "high"),
		              text_of(r, "low"));
	if (p->has_interval && !front_field(r->f, "metric"))
		return needs(r, "metric");
	if (!p->has_interval && front_field(r->f, "metric"))
		return err_at(r->e, front_field(r->f, "metric")->at,
		              "a metric without low or high predicts nothing");
	return true;
}

static bool limiter(const struct reader *r)
{
	const struct front_field *f = front_field(r->f, "limiter");
	r->p->limiter = f ? limiter_find(str_of(f->value)) : LIMITER_NONE;
	if (f && r->p->limiter == LIMITER_NONE)
		return err_at(r->e, f->at,
		              "limiter is '%s', expected memory, compute, latency or launch",
		              f->value);
	return f || r->p->has_interval ||
	       err_at(r->e, (struct loc){r->p->path, 1, 1},
	              "prediction has no 'low', 'high' or 'limiter': it predicts nothing");
}

static bool confidence(const struct reader *r)
{
	const struct front_field *f = front_field(r->f, "confidence");
	double c = -1;
	if (!str_f64(str_of(f->value), &c) || !(c > 0) || c > 1)
		return err_at(r->e, f->at, "confidence is '%s', expected a number from 0 to 1",
		              f->value);
	r->p->confidence = c;
	return true;
}

bool prediction_read(const struct data *d, struct str src, struct arena *a, struct prediction *p,
                     struct err *e)
{
	struct front_fields f;
	struct reader r = {d, a, &f, p, e};
	if (!front_fields(src, p->path, a, &f, e) || !only_known(&r) || !needs(&r, "title") ||
	    !needs(&r, "selector") || !needs(&r, "confidence"))
		return false;
	p->title = text_of(&r, "title");
	p->series = text_of(&r, "series");
	p->step = text_of(&r, "step");
	p->body = f.body;
	p->body_line = f.body_line;
	const struct front_field *s = front_field(&f, "selector");
	p->selector = s->value;
	if (!selector(&r, s->at, str_of(s->value), &p->query) || !interval(&r))
		return false;
	if (front_field(&f, "metric") && !metric(&r))
		return false;
	if (!limiter(&r) || !confidence(&r))
		return false;
	return str_trim(p->body).n > 0 ||
	       err_at(e, (struct loc){p->path, p->body_line, 1},
	              "prediction without reasoning, expected a text below the front matter");
}
