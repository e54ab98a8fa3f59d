/*
 * The file of google-benchmark's --benchmark_out_format=json. Each repetition is an entry of
 * `benchmarks`, with the mean time of its iterations; all ran in one process. Where only
 * aggregates were written, the median is taken, else the mean.
 */
#include <string.h>

#include "lib/array.h"
#include "runner/foreign/inner.h"

static bool is(const char *s, const char *word)
{
	return s && strcmp(s, word) == 0;
}

/* What an entry says. */
struct entry {
	const char *name, *run_name, *run_type, *aggregate, *unit, *message;
	double time;
	int64_t iterations;
	bool failed;
};

static bool read_entry(struct foreign_in *in, struct json v, struct entry *x)
{
	*x = (struct entry){.run_type = "iteration", .iterations = RECORD_NONE};
	struct json failed = json_get(v, "error_occurred"), skipped = json_get(v, "skipped");
	if (!json_want_str(v, "name", in->a, &x->name, in->e) ||
	    !json_opt_str(v, "run_name", in->a, &x->run_name, in->e) ||
	    !json_opt_str(v, "run_type", in->a, &x->run_type, in->e) ||
	    !json_opt_str(v, "aggregate_name", in->a, &x->aggregate, in->e) ||
	    !json_opt_str(v, "error_message", in->a, &x->message, in->e) ||
	    !json_opt_str(v, "skip_message", in->a, &x->message, in->e) ||
	    !json_opt_i64(v, "iterations", &x->iterations, in->e))
		return false;
	x->run_name = x->run_name ? x->run_name : x->name;
	json_as_bool(failed, &x->failed);
	if (!x->failed)
		json_as_bool(skipped, &x->failed);
	return x->failed || (json_want_f64(v, "real_time", &x->time, in->e) &&
	                     json_want_str(v, "time_unit", in->a, &x->unit, in->e));
}

static bool unit_of(const char *name, double *seconds)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if (is(name, units[i].name)) {
			*seconds = units[i].seconds;
			return true;
		}
	return false;
}

/* "BM_Copy/1024/threads:4": the name, then arguments, by number or by name. */
static bool name_case(struct foreign_in *in, struct json v, const char *run_name,
                      struct foreign_case **out)
{
	struct str name = {0}, rest = str_of(run_name), part, key, value;
	struct foreign_case *c;
	int64_t number;
	size_t args = 0;
	bool more = str_cut(rest, '/', &name, &rest);
	if (!foreign_case(in, v.at, str_dup(in->a, name), name, out))
		return false;
	c = *out;
	c->whole = run_name;
	while (more) {
		more = str_cut(rest, '/', &part, &rest);
		bool named = str_cut(part, ':', &key, &value);
		const char *arg = arena_printf(in->a, "arg%zu", args);
		if (!named && str_i64(part, &number)) {
			args++;
			if (!foreign_param(in, v.at, c, str_of(arg), part))
				return false;
		} else if (named) {
			if (!foreign_param(in, v.at, c, key, value))
				return false;
		} else if (foreign_name(part, in->a)) {
			c->variant =
			        arena_printf(in->a, "%s-%s", c->variant, foreign_name(part, in->a));
			c->title = arena_printf(in->a, "%s/" STR_FMT, c->title, STR_ARG(part));
		}
	}
	return true;
}

/* The case with this title; a new one if there is none. */
static bool case_of(struct foreign_in *in, struct json v, const char *run_name,
                    struct foreign_case **out)
{
	for (size_t i = 0; i < in->out->n; i++)
		if (strcmp(in->out->c[i].whole, run_name) == 0) {
			*out = &in->out->c[i];
			return true;
		}
	return name_case(in, v, run_name, out);
}

/* Adds the entry's time to the one process of its case. */
static bool add_time(struct foreign_in *in, struct json v, const struct entry *x,
                     struct foreign_case *c, const char *idea)
{
	double unit;
	struct foreign_process *old = c->process, *p;
	if (!unit_of(x->unit, &unit))
		return err_at(in->e, v.at, "'time_unit' is '%s', expected ns, us, ms or s",
		              x->unit);
	size_t n = old ? old->n : 0;
	c->nprocesses = 0;
	p = foreign_process(in, c, n + 1);
	for (size_t i = 0; i < n; i++)
		p->seconds[p->n++] = old->seconds[i];
	c->idea = idea;
	return foreign_value(in, v.at, p, x->time * unit);
}

static bool read_repetition(struct foreign_in *in, struct json v, size_t at, void *ctx)
{
	struct entry x;
	struct foreign_case *c;
	(void)at;
	(void)ctx;
	if (!read_entry(in, v, &x))
		return false;
	if (!is(x.run_type, "iteration"))
		return true;
	if (!case_of(in, v, x.run_name, &c))
		return false;
	if (x.failed) {
		c->idea = "It has no time.";
		c->unavailable = x.message ? x.message : "the harness reports an error";
		return true;
	}
	return add_time(in, v, &x, c,
	                "Real time of an iteration: each value is the mean of one repetition, and "
	                "all repetitions ran in one process.");
}

/* Takes an aggregate where no repetition was written, and no better aggregate before. */
static bool read_aggregate(struct foreign_in *in, struct json v, size_t at, void *ctx)
{
	struct entry x;
	struct foreign_case *c;
	const char *wanted = ctx;
	(void)at;
	if (!read_entry(in, v, &x))
		return false;
	if (!is(x.run_type, "aggregate") || !is(x.aggregate, wanted) || x.failed)
		return true;
	if (!case_of(in, v, x.run_name, &c) || c->nprocesses || c->unavailable)
		return !in->e->set;
	return add_time(in, v, &x, c,
	                arena_printf(in->a,
	                             "Real time of an iteration: the %s of all repetitions, "
	                             "which ran in one process.",
	                             wanted));
}

static bool read_context(struct foreign_in *in, struct json root)
{
	struct json context;
	const char *date = NULL, *program = NULL;
	if (!json_want_obj(root, "context", &context, in->e) ||
	    !json_opt_str(context, "date", in->a, &date, in->e) ||
	    !json_opt_str(context, "executable", in->a, &program, in->e) ||
	    !json_opt_str(context, "library_version", in->a, &in->out->version, in->e) ||
	    !json_opt_i64(context, "num_cpus", &in->out->cores, in->e))
		return false;
	in->out->start = date ? foreign_time(date, in->a) : NULL;
	in->out->command = program;
	return true;
}

bool foreign_google(struct foreign_in *in, struct json root)
{
	return read_context(in, root) &&
	       foreign_each(in, root, 0, "benchmarks", read_repetition, NULL) &&
	       foreign_each(in, root, 0, "benchmarks", read_aggregate, "median") &&
	       foreign_each(in, root, 0, "benchmarks", read_aggregate, "mean");
}
