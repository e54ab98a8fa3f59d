/*
 * The file of `hyperfine --export-json`: a list `results`, each with its command, its parameters
 * and the time of each run. A run is a process of its own.
 */
#include "runner/foreign/inner.h"

static bool read_params(struct foreign_in *in, struct json v, struct foreign_case *c)
{
	struct json params = json_get(v, "parameters"), value;
	const char *name;
	struct str text;
	for (size_t i = 0; json_is_object(params) && json_each(params, &i, &name, &value);)
		if (!json_as_str(value, &text))
			return err_at(in->e, v.at, "'parameters.%s' is not a string", name);
		else if (!foreign_param(in, v.at, c, str_of(name), text))
			return false;
	return true;
}

/* What failed was not measured. */
static bool succeeded(struct foreign_in *in, struct json v)
{
	struct json codes = json_get(v, "exit_codes");
	int64_t code;
	for (size_t i = 0; json_is_array(codes) && i < json_len(codes); i++)
		if (!json_as_i64(json_item(codes, i), &code) || code != 0)
			return err_at(in->e, v.at,
			              "run %zu of this command failed: a program that "
			              "fails has no time",
			              i + 1);
	return true;
}

static bool read_times(struct foreign_in *in, struct json v, struct foreign_case *c)
{
	struct json times;
	double seconds;
	if (!json_want_arr(v, "times", &times, in->e))
		return false;
	if (json_len(times) == 0)
		return err_at(in->e, v.at, "'times' is empty, expected the time of each run");
	c->process = ARENA_ARRAY(in->a, struct foreign_process, json_len(times));
	for (size_t i = 0; i < json_len(times); i++) {
		struct foreign_process *p = &c->process[c->nprocesses++];
		p->seconds = ARENA_ARRAY(in->a, double, 1);
		if (!json_as_f64(json_item(times, i), &seconds))
			return err_at(in->e, v.at, "'times[%zu]' is not a number", i);
		if (!foreign_value(in, v.at, p, seconds))
			return false;
	}
	return true;
}

static bool read_result(struct foreign_in *in, struct json v, size_t at, void *ctx)
{
	struct foreign_case *c;
	const char *command;
	(void)at;
	(void)ctx;
	if (!json_want_str(v, "command", in->a, &command, in->e) ||
	    !foreign_case(in, v.at, command, str_of(command), &c))
		return false;
	c->idea = "The whole program, from its start to its end; each run is a process.";
	return read_params(in, v, c) && succeeded(in, v) && read_times(in, v, c);
}

bool foreign_hyperfine(struct foreign_in *in, struct json root)
{
	return foreign_each(in, root, 0, "results", read_result, NULL);
}
