#include "runner/machine/ncu.h"

#include <stdio.h>
#include <string.h>

#include "lib/array.h"
#include "lib/ncu_metrics.h"
#include "runner/base/child.h"

enum { MAX_KERNELS = 4096, COLUMNS = 64 };

/* --- the program --- */

const char *ncu_find(struct arena *a)
{
	return child_find("ncu", a);
}

const char *ncu_version(const char *ncu, struct arena *a, const char **why)
{
	enum { TIMEOUT_S = 60 };
	char text[2048];
	const char *const argv[] = {ncu, "--version", NULL};
	if ((*why = child_run(argv, TIMEOUT_S, -1, text, sizeof text, a)))
		return NULL;
	const char *at = strstr(text, "Version ");
	*why = at ? NULL : "it does not tell its version";
	if (!at)
		return NULL;
	at += strlen("Version ");
	return arena_printf(a, "ncu %.*s", (int)strcspn(at, " \n"), at);
}

const char *ncu_run(const char *ncu, const char *const *target, bool cold, const char *log,
                    int timeout_s, int stop_fd, struct arena *a)
{
	enum { OWN = 16, MAX_TARGET = 16 };
	struct sb list = {0};
	char text[4096];
	for (size_t i = 0; i < NCU_METRICS; i++)
		sb_printf(&list, "%s%s", i ? "," : "", ncu_metrics[i].metric);
	const char *argv[OWN + MAX_TARGET] = {ncu,
	                                      "--csv",
	                                      "--page",
	                                      "details",
	                                      "--print-units",
	                                      "base",
	                                      "--clock-control",
	                                      "none",
	                                      "--cache-control",
	                                      cold ? "all" : "none",
	                                      "--profile-from-start",
	                                      "off",
	                                      "--metrics",
	                                      str_dup(a, sb_view(&list)),
	                                      "--log-file",
	                                      log};
	sb_free(&list);
	for (size_t i = 0; target[i] && i < MAX_TARGET - 1; i++)
		argv[OWN + i] = target[i];
	return child_run(argv, timeout_s, stop_fd, text, sizeof text, a);
}

/* --- its answer --- */

/* Indices of the columns that are read. */
struct columns {
	size_t id, name, unit, value, n;
};

/* Sums over the kernels of a call, by metric. */
struct sums {
	struct kernel_row {
		double value[NCU_METRICS];
		bool known[NCU_METRICS];
	} * row;
	size_t n;
	struct str id; /* id of the last kernel */
	const char *why[NCU_METRICS];
};

/* field -> '"' { any but '"' | '""' } '"' | { any but ',' }; *at moves past it and its comma */
static struct str next_field(struct str line, size_t *at, struct arena *a)
{
	struct sb b = {0};
	size_t i = *at;
	bool quoted = i < line.n && line.p[i] == '"';
	for (i += quoted; i < line.n; i++) {
		if (quoted && line.p[i] == '"') {
			if (i + 1 == line.n || line.p[i + 1] != '"')
				break;
			i++;
		} else if (!quoted && line.p[i] == ',') {
			break;
		}
		sb_char(&b, line.p[i]);
	}
	*at = str_find(line, ',', i) + 1;
	struct str field = str_keep(a, sb_view(&b));
	sb_free(&b);
	return field;
}

static size_t split(struct str line, struct arena *a, struct str field[COLUMNS])
{
	size_t n = 0;
	for (size_t at = 0; at < line.n && n < COLUMNS;)
		field[n++] = next_field(line, &at, a);
	return n;
}

static bool find_columns(const struct str *field, size_t n, struct loc at, struct columns *c,
                         struct err *e)
{
	static const char *const names[] = {"ID", "Metric Name", "Metric Unit", "Metric Value"};
	size_t *const where[] = {&c->id, &c->name, &c->unit, &c->value};
	c->n = n;
	for (size_t k = 0; k < ARRAY_LEN(names); k++) {
		for (*where[k] = 0; *where[k] < n; ++*where[k])
			if (str_is(field[*where[k]], names[k]))
				break;
		if (*where[k] == n)
			return err_at(e, at, "no column '%s', expected it in the first line",
			              names[k]);
	}
	return true;
}

/* Reads a number with commas between thousands: "1,234,567.5". */
static bool read_number(struct str s, struct arena *a, double *out)
{
	struct sb b = {0};
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != ',')
			sb_char(&b, s.p[i]);
	bool ok = b.n && str_f64(str_keep(a, sb_view(&b)), out);
	sb_free(&b);
	return ok;
}

static size_t metric_of(struct str name)
{
	size_t m = 0;
	while (m < NCU_METRICS && !str_is(name, ncu_metrics[m].metric))
		m++;
	return m;
}

/* Adds one line: a metric of a kernel. */
static bool take(struct sums *s, const struct columns *c, const struct str *field, struct loc at,
                 struct arena *a, struct err *e)
{
	size_t m = metric_of(field[c->name]);
	if (s->n == 0 || !str_eq(field[c->id], s->id)) {
		if (s->n == MAX_KERNELS)
			return err_at(e, at, "more than %d kernels", MAX_KERNELS);
		s->row[s->n++] = (struct kernel_row){0};
		s->id = field[c->id];
	}
	if (m == NCU_METRICS)
		return true; /* ncu expands some metrics into more than was asked */
	struct kernel_row *row = &s->row[s->n - 1];
	if (!read_number(field[c->value], a, &row->value[m])) {
		s->why[m] = field[c->value].n ? field[c->value].p : "no value";
		return true;
	}
	if (!str_is(field[c->unit], ncu_metrics[m].unit) && ncu_metrics[m].join == NCU_SUM &&
	    ncu_metrics[m].unit[0])
		return err_at(e, at, "%s is in '" STR_FMT "', expected '%s'", ncu_metrics[m].metric,
		              STR_ARG(field[c->unit]), ncu_metrics[m].unit);
	row->known[m] = true;
	return true;
}

/* Joins metric m over all kernels. False if some kernel has no value for it. */
static bool join(const struct sums *s, size_t m, double *out)
{
	double weight = 0;
	*out = 0;
	for (size_t k = 0; k < s->n; k++) {
		const struct kernel_row *r = &s->row[k];
		double w = ncu_metrics[m].join == NCU_MEAN ? r->value[0] : 1;
		if (!r->known[m] || (ncu_metrics[m].join == NCU_MEAN && !(r->known[0] && w > 0)))
			return false;
		if (ncu_metrics[m].join != NCU_MAX)
			*out += w * r->value[m];
		else if (r->value[m] > *out)
			*out = r->value[m];
		weight += w;
	}
	if (ncu_metrics[m].join == NCU_MEAN)
		*out /= weight;
	return true;
}

static void conclude(const struct sums *s, struct arena *a, struct run_counters *out)
{
	out->kernels = (int64_t)s->n;
	out->value = ARENA_ARRAY(a, struct run_counter, NCU_METRICS);
	out->missing = ARENA_ARRAY(a, struct run_pair, NCU_METRICS);
	for (size_t m = 0; m < NCU_METRICS; m++) {
		double v;
		if (join(s, m, &v))
			out->value[out->n++] = (struct run_counter){ncu_metrics[m].name, v};
		else
			out->missing[out->nmissing++] =
			        (struct run_pair){.name = ncu_metrics[m].name,
			                          .word = s->why[m] ? s->why[m] : "not told"};
	}
}

bool ncu_parse(struct str text, const char *path, struct arena *a, struct run_counters *out,
               struct err *e)
{
	struct str field[COLUMNS], line, rest = text;
	struct columns c = {0};
	struct sums s = {.row = arena_array(a, MAX_KERNELS, sizeof *s.row)};
	struct loc at = {path, 0, 0};
	for (bool more = true; more;) {
		more = str_cut(rest, '\n', &line, &rest);
		line = str_trim(line);
		at.line++;
		if (line.n == 0 || str_starts(line, "==")) /* ncu's own messages */
			continue;
		size_t n = split(line, a, field);
		if (!c.n && !find_columns(field, n, at, &c, e))
			return false;
		else if (c.n && at.line > 0 && str_is(field[c.id], "ID"))
			continue;
		if (n != c.n)
			return err_at(e, at, "%zu columns, expected %zu as in the first line", n,
			              c.n);
		if (!take(&s, &c, field, at, a, e))
			return false;
	}
	if (s.n == 0)
		return err_at(e, at, "no kernel was profiled");
	conclude(&s, a, out);
	return true;
}
