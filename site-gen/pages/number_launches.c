/*
 * The launches of a number: one row each, with the machine's state meanwhile, and
 * conclusions from clocks and energy. Markup: table.numbers.launches >
 * tr[data-launch] (.bad: it does not count, or its clock was slowed down);
 * dl.facts.
 */
#include <math.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/pages/number_page.h"

/* Reasons for a lower clock: nvmlClocksEventReasons in nvml.h of the CUDA toolkit. */
static const struct {
	int64_t bit;
	const char *words;
} reasons[] = {
        {0x1, "idle"},
        {0x2, "clocks set by an application"},
        {0x4, "power cap"},
        {0x8, "hardware slowdown"},
        {0x10, "sync boost"},
        {0x20, "too hot (software)"},
        {0x40, "too hot (hardware)"},
        {0x80, "power brake"},
        {0x100, "display clock"},
};

static void put_reasons(const struct run_launch *l, struct sb *to)
{
	int64_t left = l->throttle_reasons;
	const char *sep = "";
	if (left == RECORD_NONE) {
		html_raw(to, "not read");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(reasons); i++) {
		if (!(left & reasons[i].bit))
			continue;
		html_raw(to, sep);
		html_text(to, str_of(reasons[i].words));
		left &= ~reasons[i].bit;
		sep = ", ";
	}
	if (left)
		sb_printf(to, "%sreason 0x%llx", sep, (unsigned long long)left);
}

/* --- cells -------------------------------------------------------------------------- */

static void open_cell(struct sb *to)
{
	html_raw(to, "<td class=\"right\">");
}

/* "1965–1980 (1980) MHz": the smallest, the largest and, of three, the median. */
static void cell_range(struct sb *to, const int64_t *v, size_t n, double scale, const char *unit)
{
	open_cell(to);
	if (v[0] == RECORD_NONE) {
		number_none("not read", to);
	} else {
		double lo = (double)v[0] / scale, hi = (double)v[n - 1] / scale;
		sb_printf(to, "%.0f", lo);
		if (hi - lo >= 0.5)
			sb_printf(to, "–%.0f", hi);
		if (hi - lo >= 0.5 && n == 3)
			sb_printf(to, " (%.0f)", (double)v[1] / scale);
		html_raw(to, NBSP);
		html_raw(to, unit);
	}
	html_raw(to, "</td>");
}

static void cell_amount(struct sb *to, double v, const char *si)
{
	struct unit_text u;
	unit_format(v, 0, si, &u);
	open_cell(to);
	html_text(to, str_of(u.number));
	html_raw(to, NBSP);
	html_text(to, str_of(u.unit));
	html_raw(to, "</td>");
}

/* The clock that the SMs counted; if they did not, the driver's reading, which lags. */
static void cell_clock(const struct run_launch *l, struct sb *to)
{
	double hz;
	if (l->sm_cycles <= 0 || !record_launch_clock(l, &hz)) {
		cell_range(to, l->sm_clock_mhz, 3, 1, "MHz");
		return;
	}
	open_cell(to);
	sb_printf(to, "%.0f" NBSP "MHz</td>", hz / 1e6);
}

static bool is_slow(const struct data_case *d, const struct run_launch *l)
{
	for (size_t i = 0; i < d->time.launches; i++)
		if (d->launch[i] == l->i)
			return d->slow[i];
	return false;
}

/* Four digits, because the medians of launches are close together. */
static void cell_time(struct sb *to, double seconds)
{
	struct unit_text u, v;
	unit_format(seconds, 0, "s", &u);
	unit_format_as(seconds, u.scale, u.decimals + 1, u.unit, &v);
	open_cell(to);
	html_text(to, str_of(v.number));
	html_raw(to, NBSP);
	html_text(to, str_of(v.unit));
	html_raw(to, "</td>");
}

static void cell_node(const struct run_launch *l, struct sb *to)
{
	html_raw(to, "<td class=\"left\"><code>");
	html_text(to, str_of(l->node ? l->node : "–"));
	html_raw(to, "</code></td>");
}

/* Columns that only some records have. */
struct columns {
	bool energy, nodes, counted;
};

static void row_ok(const struct run_launch *l, struct columns has, struct sb *to)
{
	if (has.nodes)
		cell_node(l, to);

	cell_time(to, record_launch_median(l));
	sb_printf(to, "<td class=\"right\">%zu × %lld</td>", l->nsamples, (long long)l->batch);
	cell_clock(l, to);
	cell_range(to, l->power_mw, 3, 1000, "W");
	cell_range(to, l->temperature_c, 2, 1, "°C");
	double joules; /* of a call */
	if (has.energy && record_launch_energy(l, &joules))
		cell_amount(to, joules * (double)l->nsamples * (double)l->batch, "J");
	else if (has.energy)
		html_raw(to, "<td class=\"right\"></td>");
	html_raw(to, "<td class=\"left\">");
	put_reasons(l, to);
	html_raw(to, "</td>");
}

static void row(const struct number_view *v, const struct run_launch *l, struct columns has,
                struct sb *to)
{
	bool ok = record_launch_ok(l);
	sb_printf(to, "<tr data-launch=\"%lld\"%s><th scope=\"row\">%lld</th>", (long long)l->i,
	          !ok || is_slow(v->p.d, l) ? " class=\"bad\"" : "", (long long)l->i);
	if (ok) {
		row_ok(l, has, to);
		html_raw(to, "<td class=\"left\">ok</td></tr>\n");
		return;
	}
	sb_printf(to, "<td class=\"left\" colspan=\"%d\">no samples</td><td class=\"left\">",
	          6 + has.energy + has.nodes);
	html_text(to, str_of(l->status));
	html_raw(to, "</td></tr>\n");
}

/* --- clocks and energy ------------------------------------------------------------------ */

static void fact(struct sb *to, const char *label, const char *value)
{
	html_raw(to, "<div><dt>");
	html_text(to, str_of(label));
	html_raw(to, "</dt><dd>");
	html_text(to, str_of(value));
	html_raw(to, "</dd></div>\n");
}

static const char *amount(double v, const char *si, struct arena *a)
{
	struct unit_text u;
	unit_format(v, 0, si, &u);
	return arena_printf(a, "%s" NBSP "%s", u.number, u.unit);
}

static void put_cycles(const struct number_view *v, struct sb *to)
{
	double cycles, mhz;
	bool counted;
	/* cycles that the SMs counted are a metric of the case, with an interval */
	if (!number_view_cycles(v, &cycles, &mhz, &counted) || counted)
		return;
	double place = pow(10, floor(log10(cycles)) - 3); /* four digits are enough */
	cycles = place > 1 ? round(cycles / place) * place : cycles;
	fact(to, "Cycles of one call",
	     arena_printf(v->a, "%s (typical time × %.0f" NBSP "MHz, the median SM clock)",
	                  amount(cycles, "cycles", v->a), mhz));
}

/* Writes the nodes of the launches; with several, a node is the unit of replication. */
static void put_nodes(const struct number_view *v, struct sb *to)
{
	size_t nodes = 0;
	for (size_t i = 0; i < v->p.d->time.launches; i++)
		nodes = v->p.d->node[i] + 1 > nodes ? v->p.d->node[i] + 1 : nodes;
	fact(to, "Nodes",
	     arena_printf(v->a,
	                  nodes > 1 ? "%zu; a node is the unit of replication: the interval is "
	                              "Student's t over their means"
	                            : "%zu",
	                  nodes));
}

static void put_energy(const struct number_view *v, struct sb *to)
{
	struct number n;
	double joules;
	size_t launches;
	if (number_of(&v->p, METRIC_ENERGY, &n)) /* a metric of the case, with its interval */
		return;
	if (!number_view_energy(v, &joules, &launches)) {
		fact(to, "Energy",
		     "not recorded: the counter moves too rarely for windows this short");
		return;
	}
	fact(to, "Energy of one call",
	     arena_printf(v->a, "%s (%zu of %zu windows, including the time between calls)",
	                  amount(joules, "J", v->a), launches, v->nlaunches));
}

void number_page_launches(const struct number_view *v, struct sb *to)
{
	struct columns has = {false, false, false};
	for (size_t i = 0; i < v->nlaunches; i++) {
		has.energy = has.energy || v->launch[i]->energy_mj != RECORD_NONE;
		has.nodes = has.nodes || v->launch[i]->node;
		has.counted = has.counted || v->launch[i]->sm_cycles > 0;
	}
	number_page_section(to, "launches", "The processes");
	if (v->nlaunches == 0) {
		html_raw(to, "<p>There are none.</p>\n");
		return;
	}
	table_open(to, "launches stack");
	html_raw(to, "<thead><tr><th scope=\"col\">Process</th>");
	if (has.nodes)
		html_raw(to, "<th scope=\"col\">Node</th>");
	html_raw(to, "<th scope=\"col\" class=\"right\">Median time</th>"
	             "<th scope=\"col\" class=\"right\">Samples × calls</th>"
	             "<th scope=\"col\" class=\"right\">");
	html_raw(to, has.counted ? "SM clock (counted)" : "SM clock (median)");
	html_raw(to, "</th>"
	             "<th scope=\"col\" class=\"right\">Power (median)</th>"
	             "<th scope=\"col\" class=\"right\">Temperature</th>");
	if (has.energy)
		html_raw(to, "<th scope=\"col\" class=\"right\">Energy</th>");
	html_raw(to, "<th scope=\"col\">Slowed by (driver)</th><th "
	             "scope=\"col\">Status</th></tr></thead>"
	             "<tbody>\n");
	for (size_t i = 0; i < v->nlaunches; i++)
		row(v, v->launch[i], has, to);
	html_raw(to, "</tbody>");
	table_close(to);
	html_raw(to, "<dl class=\"facts wide\">\n");
	if (has.nodes && v->has)
		put_nodes(v, to);
	put_cycles(v, to);
	if (v->has)
		put_energy(v, to);
	html_raw(to, "</dl>\n");
}
