/*
 * To add a counter, add a row to `metrics` and one to data/FORMAT.md.
 */
#include "runner/machine/ncu.h"

#include <stdio.h>
#include <string.h>

#include "lib/array.h"
#include "runner/base/child.h"

/* How to join the values of several kernels. */
enum join { JOIN_SUM, JOIN_MEAN, JOIN_MAX };

static const struct {
	const char *name;   /* in records */
	const char *metric; /* Nsight Compute's name */
	const char *unit;   /* as printed with --print-units base; "": a plain number */
	enum join join;
} metrics[] = {
        {"time_ns", "gpu__time_duration.sum", "ns", JOIN_SUM}, /* must be first: weighs means */
        {"dram_read_bytes", "dram__bytes_read.sum", "byte", JOIN_SUM},
        {"dram_written_bytes", "dram__bytes_write.sum", "byte", JOIN_SUM},
        {"l2_hit_percent", "lts__t_sector_hit_rate.pct", "%", JOIN_MEAN},
        {"occupancy_percent", "sm__warps_active.avg.pct_of_peak_sustained_active", "%", JOIN_MEAN},
        {"occupancy_limit_percent", "sm__maximum_warps_per_active_cycle_pct", "%", JOIN_MEAN},
        {"tensor_pipe_percent", "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active",
         "%", JOIN_MEAN},
        {"shared_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "",
         JOIN_SUM},
        {"shared_pipe_percent",
         "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed", "%",
         JOIN_MEAN},
        {"dram_percent", "dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", JOIN_MEAN},
        {"l2_percent", "lts__t_sectors.avg.pct_of_peak_sustained_elapsed", "%", JOIN_MEAN},
        {"l2_atomic_percent", "lts__d_atomic_input_cycles_active.avg.pct_of_peak_sustained_elapsed",
         "%", JOIN_MEAN},
        {"l2_atomic_max_percent",
         "lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed", "%", JOIN_MEAN},
        {"l2_tag_percent", "lts__t_tag_requests.avg.pct_of_peak_sustained_elapsed", "%", JOIN_MEAN},
        {"to_l2_percent", "lts__xbar2lts_cycles_active.avg.pct_of_peak_sustained_elapsed", "%",
         JOIN_MEAN},
        {"from_l1_percent", "l1tex__m_l1tex2xbar_throughput.avg.pct_of_peak_sustained_elapsed", "%",
         JOIN_MEAN},
        {"l2_atomic_sectors", "lts__t_sectors_op_atom.sum", "sector", JOIN_SUM},
        {"l2_reduction_sectors", "lts__t_sectors_op_red.sum", "sector", JOIN_SUM},
        {"load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "", JOIN_SUM},
        {"load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", JOIN_SUM},
        {"store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "", JOIN_SUM},
        {"store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector", JOIN_SUM},
        {"instructions", "smsp__inst_executed.sum", "inst", JOIN_SUM},
        {"issue_percent", "smsp__issue_active.avg.pct_of_peak_sustained_active", "%", JOIN_MEAN},
        {"registers", "launch__registers_per_thread", "register/thread", JOIN_MAX},
        /* local memory holds spills and little else */
        {"local_loads", "smsp__inst_executed_op_local_ld.sum", "inst", JOIN_SUM},
        {"local_stores", "smsp__inst_executed_op_local_st.sum", "inst", JOIN_SUM},
#define STALL(what) \
	"smsp__average_warps_issue_stalled_" what "_per_issue_active.ratio", "inst", JOIN_MEAN
        {"stall_memory_warps", STALL("long_scoreboard")},
        {"stall_shared_warps", STALL("short_scoreboard")},
        {"stall_memory_queue_warps", STALL("lg_throttle")},
        {"stall_shared_queue_warps", STALL("mio_throttle")},
        {"stall_math_warps", STALL("math_pipe_throttle")},
        {"stall_barrier_warps", STALL("barrier")},
        {"stall_dependency_warps", STALL("wait")},
#undef STALL
};

enum { METRICS = ARRAY_LEN(metrics), MAX_KERNELS = 4096, COLUMNS = 64 };

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
	for (size_t i = 0; i < METRICS; i++)
		sb_printf(&list, "%s%s", i ? "," : "", metrics[i].metric);
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
		double value[METRICS];
		bool known[METRICS];
	} * row;
	size_t n;
	struct str id; /* id of the last kernel */
	const char *why[METRICS];
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
	while (m < METRICS && !str_is(name, metrics[m].metric))
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
	if (m == METRICS)
		return true; /* ncu expands some metrics into more than was asked */
	struct kernel_row *row = &s->row[s->n - 1];
	if (!read_number(field[c->value], a, &row->value[m])) {
		s->why[m] = field[c->value].n ? field[c->value].p : "no value";
		return true;
	}
	if (!str_is(field[c->unit], metrics[m].unit) && metrics[m].join == JOIN_SUM &&
	    metrics[m].unit[0])
		return err_at(e, at, "%s is in '" STR_FMT "', expected '%s'", metrics[m].metric,
		              STR_ARG(field[c->unit]), metrics[m].unit);
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
		double w = metrics[m].join == JOIN_MEAN ? r->value[0] : 1;
		if (!r->known[m] || (metrics[m].join == JOIN_MEAN && !(r->known[0] && w > 0)))
			return false;
		if (metrics[m].join != JOIN_MAX)
			*out += w * r->value[m];
		else if (r->value[m] > *out)
			*out = r->value[m];
		weight += w;
	}
	if (metrics[m].join == JOIN_MEAN)
		*out /= weight;
	return true;
}

static void conclude(const struct sums *s, struct arena *a, struct run_counters *out)
{
	out->kernels = (int64_t)s->n;
	out->value = ARENA_ARRAY(a, struct run_counter, METRICS);
	out->missing = ARENA_ARRAY(a, struct run_pair, METRICS);
	for (size_t m = 0; m < METRICS; m++) {
		double v;
		if (join(s, m, &v))
			out->value[out->n++] = (struct run_counter){metrics[m].name, v};
		else
			out->missing[out->nmissing++] =
			        (struct run_pair){.name = metrics[m].name,
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
