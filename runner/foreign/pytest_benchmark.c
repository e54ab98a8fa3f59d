/*
 * The file of pytest-benchmark's --benchmark-json. With --benchmark-save-data it has the time of
 * each round, else only their median. All rounds ran in one process.
 */
#include <string.h>

#include "runner/foreign/inner.h"

static bool read_rounds(struct foreign_in *in, struct json v, struct json data,
                        struct foreign_case *c)
{
	double seconds;
	struct foreign_process *p = foreign_process(in, c, json_len(data));
	c->idea = "Time of a call: each value is a round, and all rounds ran in one process.";
	for (size_t i = 0; i < json_len(data); i++) {
		if (!json_as_f64(json_item(data, i), &seconds))
			return err_at(in->e, v.at, "'stats.data[%zu]' is not a number", i);
		if (!foreign_value(in, v.at, p, seconds))
			return false;
	}
	return true;
}

static bool read_stats(struct foreign_in *in, struct json v, struct foreign_case *c)
{
	struct json stats, data;
	double median;
	if (!json_want_obj(v, "stats", &stats, in->e))
		return false;
	data = json_get(stats, "data");
	if (json_is_array(data) && json_len(data) > 0)
		return read_rounds(in, v, data, c);
	c->idea = "Time of a call: the median of all rounds, which ran in one process.";
	return json_want_f64(stats, "median", &median, in->e) &&
	       foreign_value(in, v.at, foreign_process(in, c, 1), median);
}

static bool read_params(struct foreign_in *in, struct json v, struct foreign_case *c)
{
	struct json params = json_get(v, "params"), value;
	const char *name;
	struct str text;
	int64_t number;
	double real;
	bool truth;
	for (size_t i = 0; json_is_object(params) && json_each(params, &i, &name, &value);) {
		if (json_as_i64(value, &number))
			text = str_of(arena_printf(in->a, "%lld", (long long)number));
		else if (json_as_f64(value, &real))
			text = str_of(arena_printf(in->a, "%g", real));
		else if (json_as_bool(value, &truth))
			text = str_of(truth ? "true" : "false");
		else if (!json_as_str(value, &text))
			return err_at(in->e, v.at, "'params.%s' is neither a number nor a word",
			              name);
		if (!foreign_param(in, v.at, c, str_of(name), text))
			return false;
	}
	return true;
}

static bool read_benchmark(struct foreign_in *in, struct json v, size_t at, void *ctx)
{
	const char *name, *title;
	struct foreign_case *c;
	struct str own, rest;
	(void)at;
	(void)ctx;
	if (!json_want_str(v, "name", in->a, &name, in->e))
		return false;
	title = name;
	if (!json_opt_str(v, "fullname", in->a, &title, in->e))
		return false;
	bool params = json_is_object(json_get(v, "params"));
	str_cut(str_of(name), '[', &own, &rest); /* the ids of the parameters */
	return foreign_case(in, v.at, title, params ? own : str_of(name), &c) &&
	       read_params(in, v, c) && read_stats(in, v, c);
}

static bool read_machine(struct foreign_in *in, struct json root)
{
	struct json machine = json_get(root, "machine_info"), cpu = json_get(machine, "cpu");
	const char *system = NULL, *release = NULL;
	struct foreign *f = in->out;
	if (!json_is_object(machine))
		return true;
	if (!json_opt_str(machine, "system", in->a, &system, in->e) ||
	    !json_opt_str(machine, "release", in->a, &release, in->e) ||
	    (json_is_object(cpu) && (!json_opt_str(cpu, "brand_raw", in->a, &f->cpu, in->e) ||
	                             !json_opt_i64(cpu, "count", &f->cores, in->e))))
		return false;
	if (system)
		f->os = arena_printf(in->a, "%s%s%s", system, release ? " " : "",
		                     release ? release : "");
	return true;
}

bool foreign_pytest(struct foreign_in *in, struct json root)
{
	struct json commit = json_get(root, "commit_info");
	const char *date = NULL;
	if (!json_opt_str(root, "version", in->a, &in->out->version, in->e) ||
	    !json_opt_str(root, "datetime", in->a, &date, in->e) ||
	    (json_is_object(commit) && !json_is_null(json_get(commit, "id")) &&
	     !json_opt_str(commit, "id", in->a, &in->out->commit, in->e)) ||
	    !read_machine(in, root))
		return false;
	in->out->start = date ? foreign_time(date, in->a) : NULL;
	return foreign_each(in, root, 0, "benchmarks", read_benchmark, NULL);
}
