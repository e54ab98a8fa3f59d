/*
 * lib/record_counters.c - `counters` records: a profiler's hardware counters for
 * a case, or why there are none.
 */
#include <string.h>

#include "lib/json.h"
#include "lib/record.h"

static void put_values(struct json_out *w, const struct run_counters *c)
{
	json_open(w, "values", '{');
	for (size_t i = 0; i < c->n; i++)
		json_put_f64(w, c->value[i].name, c->value[i].value);
	json_close(w, '}');
}

void record_put_counters(struct sb *to, const struct run_counters *c)
{
	struct json_out w = json_to(to);
	json_open(&w, NULL, '{');
	json_put_str(&w, "type", "counters");
	json_put_i64(&w, "case", (int64_t)c->of->number);
	if (c->unavailable) {
		json_put_str(&w, "unavailable", c->unavailable);
	} else {
		json_put_str(&w, "tool", c->tool);
		if (c->library)
			json_put_str(&w, "library", c->library);
		record_put_choice(&w, &c->choice);
		json_put_i64(&w, "kernels", c->kernels);
		put_values(&w, c);
		record_put_pairs(&w, "missing", c->missing, c->nmissing);
	}
	json_close(&w, '}');
	sb_char(to, '\n');
}

static bool read_values(struct json v, struct arena *a, struct run_counters *c, struct err *e)
{
	struct json o, one;
	const char *name;
	if (!json_want_obj(v, "values", &o, e))
		return false;
	for (size_t at = 0; json_each(o, &at, &name, &one);)
		c->n++;
	c->value = ARENA_ARRAY(a, struct run_counter, c->n);
	for (size_t i = 0; json_each(o, &i, &name, &one);) {
		c->value[i - 1].name = arena_strdup(a, name);
		if (!json_as_f64(one, &c->value[i - 1].value))
			return err_at(e, v.at, "'values.%s' is not a number", name);
	}
	return true;
}

bool record_read_counters(struct json v, struct arena *a, struct run_counters *c, struct err *e)
{
	*c = (struct run_counters){0};
	if (!json_opt_str(v, "unavailable", a, &c->unavailable, e))
		return false;
	if (c->unavailable)
		return true;
	return json_want_str(v, "tool", a, &c->tool, e) &&
	       json_opt_str(v, "library", a, &c->library, e) &&
	       record_read_choice(v, a, &c->choice, e) &&
	       json_want_i64(v, "kernels", &c->kernels, e) && read_values(v, a, c, e) &&
	       record_read_pairs(v, "missing", a, &c->missing, &c->nmissing, e);
}

const struct run_counters *record_counters(const struct run *r, const struct run_case *c)
{
	for (size_t i = 0; i < r->ncounters; i++)
		if (r->counters[i].of == c)
			return &r->counters[i];
	return NULL;
}

const struct run_counter *record_counter(const struct run_counters *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->value[i].name, name) == 0)
			return &c->value[i];
	return NULL;
}
