/*
 * Checks numbers for programs: number.json, numbers.json and the CSV of figures,
 * as docs/published-data.md describes them.
 */
#include <math.h>
#include <string.h>

#include "lib/json.h"
#include "site-gen/audit/audit.h"
#include "site-gen/audit/feed.h"
#include "site-gen/audit/fact.h"
#include "site-gen/records/launches.h"

static void differs(struct audit *a, struct loc at, struct str what, const char *member)
{
	problems_rule(a->found, RULE_TRACED, at, "'%s' of " STR_FMT " is not that of the record",
	              member, STR_ARG(what));
}

/* Generator and audit round on their own. A difference of two times of a trace cancels digits. */
static bool same(double said, double derived)
{
	static const double ROUNDING = 1e-12;
	return fabs(said - derived) <= ROUNDING * fabs(derived);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static struct str text_of(struct json obj, const char *key)
{
	struct str s = {0};
	json_as_str(json_get(obj, key), &s);
	return s;
}

static bool amount_is(struct json obj, const char *key, double derived)
{
	double said;
	return json_as_f64(json_get(obj, key), &said) && same(said, derived);
}

static void check_text(struct audit *a, struct json v, struct str key, const char *member,
                       const struct audit_number *n,
                       void (*print)(const struct audit_number *n, struct sb *to))
{
	struct sb want = {0};
	print(n, &want);
	if (str_cmp(text_of(v, member), sb_view(&want)) != 0)
		differs(a, v.at, key, member);
	sb_free(&want);
}

/* Checks an item of `numbers`. */
static void check_number(struct audit *a, struct json v, struct str run)
{
	struct audit_number n;
	struct err e = ERR_NONE;
	struct str key = text_of(v, "key"), own = text_of(v, "run");
	struct str over = text_of(json_get(v, "against"), "run");
	if (!audit_number_keyed(&a->records, key, own.n ? own : run, over, &n, &e)) {
		problems_rule(a->found, RULE_TRACED, v.at, "%s", e.text);
		return;
	}
	a->counted[AUDIT_N_TABLE]++;
	if (!amount_is(v, "value", n.value))
		differs(a, v.at, key, "value");
	if (!amount_is(v, "low", n.lo))
		differs(a, v.at, key, "low");
	if (!amount_is(v, "high", n.hi))
		differs(a, v.at, key, "high");
	if (!str_is(text_of(v, "state"), data_state_name(n.worst->state)))
		differs(a, v.at, key, "state");
	if (n.peak && !amount_is(json_get(v, "against"), "value", n.peak->value))
		differs(a, v.at, key, "against");
	check_text(a, v, key, "text", &n, audit_number_text);
	if (n.hi > n.lo && !n.at_speed[0])
		check_text(a, v, key, "interval", &n, audit_number_range);
}

/* Checks an item of `others`: a datasheet number, derivation, count or counter. */
static void check_other(struct audit *a, struct json v, bool english)
{
	struct err e = ERR_NONE;
	struct sb want = {0};
	struct audit_fact fact;
	struct str key = text_of(v, "key");
	if (!audit_fact_text(a, key, text_of(v, "run"), &want, &fact, &e))
		problems_rule(a->found, RULE_TRACED, v.at, "%s", e.text);
	else if (!audit_fact_says(&fact, text_of(v, "text"), sb_view(&want), english))
		differs(a, v.at, key, "text");
	else if (!amount_is(v, "value", fact.value))
		differs(a, v.at, key, "value");
	else if (fact.si && !str_is(text_of(v, "unit"), fact.si))
		differs(a, v.at, key, "unit");
	else if (fact.worst && !str_is(text_of(v, "state"), data_state_name(fact.worst->state)))
		differs(a, v.at, key, "state");
	else
		a->counted[AUDIT_N_TABLE]++;
	sb_free(&want);
}

static const struct run_launch *launch_of(const struct run *r, const struct run_case *c, int64_t i)
{
	bool null = strcmp(c->role, "null") == 0;
	const struct run_launch *all = null ? r->null_launches : r->launches;
	for (size_t k = 0; k < (null ? r->nnull_launches : r->nlaunches); k++)
		if (all[k].of == c && all[k].i == i)
			return &all[k];
	return NULL;
}

/* Is the list of readings right? Without readings there must be no list. */
static bool readings_are(struct json v, const char *key, const int64_t *want, size_t n)
{
	struct json list = json_get(v, key);
	for (size_t i = 0; i < json_len(list); i++) {
		int64_t said;
		if (i >= n || !json_as_i64(json_item(list, i), &said) || said != want[i])
			return false;
	}
	return true;
}

/* Compares the raw samples of a process one by one. */
static bool samples_are(struct json v, const struct run_launch *l)
{
	struct json list = json_get(v, "sample_ns");
	if (json_len(list) != l->nsamples)
		return false;
	for (size_t i = 0; i < l->nsamples; i++) {
		int64_t ns;
		if (!json_as_i64(json_item(list, i), &ns) || ns != l->sample_ns[i])
			return false;
	}
	return !record_launch_ok(l) || amount_is(v, "median_s", record_launch_median(l));
}

static void check_launches(struct audit *a, struct json root, struct str run)
{
	struct str id = text_of(json_get(root, "case"), "id");
	struct json list = json_get(root, "launches");
	for (size_t i = 0; i < a->data->nruns && json_len(list); i++) {
		const struct data_run *of = &a->data->runs[i];
		if (!str_is(run, of->run.head.id))
			continue;
		const struct run *r = launches_of(of);
		const struct run_case *c = record_case(r, str_dup(&a->records.scratch, id));
		for (size_t k = 0; c && k < json_len(list); k++) {
			struct json v = json_item(list, k);
			int64_t number = -1;
			json_as_i64(json_get(v, "i"), &number);
			const struct run_launch *l = launch_of(r, c, number);
			if (!l || !samples_are(v, l) ||
			    !readings_are(v, "sm_clock_mhz", l->sm_clock_mhz, 3) ||
			    !readings_are(v, "power_mw", l->power_mw, 3) ||
			    !readings_are(v, "temperature_c", l->temperature_c, 2))
				differs(a, v.at, id, "launches");
		}
	}
}

/* Checks the headline number in each run. */
static void check_history(struct audit *a, struct json root)
{
	struct arena *m = &a->records.scratch;
	struct str id = text_of(json_get(root, "case"), "id");
	struct json list = json_get(root, "history");
	const char *key =
	        arena_printf(m, STR_FMT " " STR_FMT " " STR_FMT, STR_ARG(text_of(root, "device")),
	                     STR_ARG(id), STR_ARG(text_of(root, "headline")));
	for (size_t i = 0; i < json_len(list); i++) {
		struct json v = json_item(list, i);
		struct audit_number n;
		struct err e = ERR_NONE;
		if (!json_is_number(json_get(v, "value")))
			continue;
		if (!audit_number_keyed(&a->records, str_of(key), text_of(v, "run"), STR(""), &n,
		                        &e))
			problems_rule(a->found, RULE_TRACED, v.at, "%s", e.text);
		else if (!amount_is(v, "value", n.value) || !amount_is(v, "low", n.lo) ||
		         !amount_is(v, "high", n.hi))
			differs(a, v.at, str_of(key), "history");
	}
}

/* Checks the texts that other pages print, according to the file. */
static void check_quoted(struct audit *a, struct json root)
{
	struct json list = json_get(root, "quoted_by");
	struct str url = text_of(root, "url"), now = text_of(root, "run");
	for (size_t i = 0; i < json_len(list); i++) {
		struct json v = json_item(list, i);
		struct str name = text_of(v, "name"), run = text_of(v, "run");
		bool old = run.n && str_cmp(run, now) != 0;
		const char *href =
		        arena_printf(&a->records.scratch, STR_FMT "#%s" STR_FMT, STR_ARG(url),
		                     old ? "run-" : "", STR_ARG(old ? run : name));
		struct audit_link link = {.href = str_of(href),
		                          .run = run.n ? run : now,
		                          .over_run = text_of(v, "over_run"),
		                          .metric = old ? name : STR("")};
		struct audit_number n;
		enum rule rule;
		struct err e = ERR_NONE;
		if (!audit_number_of(&a->records, &link, &n, &rule, &e))
			problems_rule(a->found, rule, v.at, "%s", e.text);
		else
			check_text(a, v, name, "text", &n, audit_number_text);
	}
}

static void check_json(struct audit *a, struct json root)
{
	struct str run = text_of(root, "run"), language = text_of(root, "language");
	bool english = language.n == 0 || str_starts(language, "en");
	struct json numbers = json_get(root, "numbers"), others = json_get(root, "others");
	for (size_t i = 0; i < json_len(numbers); i++)
		check_number(a, json_item(numbers, i), run);
	for (size_t i = 0; i < json_len(others); i++)
		check_other(a, json_item(others, i), english);
	check_launches(a, root, run);
	check_history(a, root);
	check_quoted(a, root);
}

/* --- CSV -------------------------------------------------------------------------------------- */

enum { MOST_FIELDS = 128 };

/* Splits one line into fields without their quotes; false at the end of the file. */
static bool next_line(struct str *rest, struct arena *a, struct str field[MOST_FIELDS], size_t *n)
{
	size_t i = 0;
	*n = 0;
	if (rest->n == 0)
		return false;
	while (i < rest->n && *n < MOST_FIELDS) {
		struct sb text = {0};
		bool quoted = rest->p[i] == '"';
		i += quoted;
		for (; i < rest->n; i++) {
			char c = rest->p[i];
			if (quoted && c == '"' && i + 1 < rest->n && rest->p[i + 1] == '"')
				i++;
			else if (quoted ? c == '"' : c == ',' || c == '\r' || c == '\n')
				break;
			sb_char(&text, rest->p[i]);
		}
		i += quoted;
		field[(*n)++] = str_keep(a, sb_view(&text));
		sb_free(&text);
		if (i >= rest->n || rest->p[i] != ',')
			break;
		i++;
	}
	while (i < rest->n && (rest->p[i] == '\r' || rest->p[i] == '\n'))
		i++;
	*rest = str_sub(*rest, i, rest->n);
	return true;
}

static struct str column(const struct str *head, const struct str *row, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (str_is(head[i], name))
			return row[i];
	return (struct str){0};
}

/* The number's key for a column "metric", "metric ratio", "metric of key", "metric of measured". */
static const char *key_of(struct str name, struct str device, struct str id, struct str against,
                          struct arena *a)
{
	struct str metric, how;
	const char *own, *cards = " over cards";
	if (str_ends(name, cards)) {
		name.n -= strlen(cards);
		return arena_printf(a, "%s%s", key_of(name, device, id, against, a), cards);
	}
	bool plain = !str_cut(name, ' ', &metric, &how);
	own = arena_printf(a, STR_FMT " " STR_FMT " " STR_FMT, STR_ARG(device), STR_ARG(id),
	                   STR_ARG(metric));
	if (plain)
		return own;
	if (str_is(how, "ratio") || str_is(how, "of measured"))
		return arena_printf(a, "%s %s " STR_FMT, own, str_is(how, "ratio") ? "over" : "of",
		                    STR_ARG(against));
	return arena_printf(a, "%s of spec:" STR_FMT, own, STR_ARG(str_sub(how, 3, how.n)));
}

/* against -> device ' ' case " (run " id ')' */
static void split_against(struct str s, struct str *what, struct str *run)
{
	struct str device, rest, id;
	*what = *run = (struct str){0};
	if (!str_cut(s, ' ', &device, &rest) || !str_cut(rest, ' ', &id, &rest))
		return;
	*what = str_sub(s, 0, (size_t)(id.p + id.n - s.p));
	*run = str_sub(rest, strlen("(run "), rest.n - 1);
}

/* Checks the three columns of a quantity, which begin at i. */
static void check_quantity(struct audit *a, struct loc at, const struct str *head,
                           const struct str *row, size_t n, size_t i, struct str name)
{
	struct arena *m = &a->records.scratch;
	struct str device = column(head, row, n, "device"), id = column(head, row, n, "case");
	struct str run = column(head, row, n, "run"), what, over;
	struct audit_number v;
	struct err e = ERR_NONE;
	double said[3];
	split_against(column(head, row, n, arena_printf(m, STR_FMT ": against", STR_ARG(name))),
	              &what, &over);
	const char *key = key_of(name, device, id, what, m);
	if (!audit_number_keyed(&a->records, str_of(key), run, over, &v, &e)) {
		problems_rule(a->found, RULE_TRACED, at, "%s", e.text);
		return;
	}
	double derived[3] = {v.value, v.lo, v.hi};
	for (size_t k = 0; k < 3; k++)
		if (!str_f64(row[i + k], &said[k]) || !same(said[k], derived[k]))
			differs(a, at, str_of(key), k == 0 ? "value" : k == 1 ? "low" : "high");
	a->counted[AUDIT_N_TABLE]++;
}

/* Checks the quantities of a row; each has three columns. */
static void check_row(struct audit *a, struct loc at, const struct str *head, const struct str *row,
                      size_t n)
{
	struct str name, unit;
	for (size_t i = 0; i + 2 < n; i++) {
		const char *low;
		if (!str_cut(head[i], '(', &name, &unit) || !row[i].n)
			continue;
		name = str_trim(name);
		low = arena_printf(&a->records.scratch, STR_FMT " low (" STR_FMT, STR_ARG(name),
		                   STR_ARG(unit));
		if (str_is(head[i + 1], low))
			check_quantity(a, at, head, row, n, i, name);
	}
}

static void check_csv(struct audit *a, const char *path, struct str bytes)
{
	struct str head[MOST_FIELDS], row[MOST_FIELDS];
	size_t n, m;
	struct loc at = {.path = path, .line = 1};
	if (!next_line(&bytes, &a->records.scratch, head, &n))
		return;
	while (next_line(&bytes, &a->records.scratch, row, &m)) {
		at.line++;
		if (m != n) {
			problems_rule(a->found, RULE_TRACED, at, "has %zu fields, its head has %zu",
			              m, n);
			continue;
		}
		check_row(a, at, head, row, n);
	}
}

/* A cell of a table by columns, as text; of a number one that reads back as the same. */
static struct str cell_of(struct audit *a, struct json list, size_t i)
{
	struct json v = json_item(list, i);
	struct str text = {0};
	double number;
	if (!json_as_str(v, &text) && json_as_f64(v, &number))
		text = str_of(arena_printf(&a->records.scratch, "%.17g", number));
	return text;
}

/* The same table by columns (files/figure_csv.h). */
static void check_columns(struct audit *a, const char *path, struct json root)
{
	struct str head[MOST_FIELDS], row[MOST_FIELDS];
	struct json list[MOST_FIELDS], columns = json_get(root, "columns");
	struct loc at = {.path = path};
	size_t n = 0, rows = 0;
	const char *name;
	for (size_t i = 0; n < MOST_FIELDS && json_each(columns, &i, &name, &list[n]); n++) {
		head[n] = str_of(arena_strdup(&a->records.scratch, name));
		rows = json_len(list[n]) > rows ? json_len(list[n]) : rows;
	}
	for (size_t c = 0; c < n; c++)
		if (json_len(list[c]) != rows)
			problems_rule(a->found, RULE_TRACED, at,
			              "column '" STR_FMT "' has %zu values, another has %zu",
			              STR_ARG(head[c]), json_len(list[c]), rows);
	for (size_t r = 0; r < rows; r++) {
		for (size_t c = 0; c < n; c++)
			row[c] = cell_of(a, list[c], r);
		check_row(a, at, head, row, n);
	}
}

/* --- kinds of files --------------------------------------------------------------------------- */

/* Checks the items of a JSON feed, which contain markup as text. */
static void check_feed(struct audit *a, const char *path, struct json root)
{
	struct json items = json_get(root, "items");
	for (size_t i = 0; i < json_len(items); i++)
		audit_feed_entry(a, (struct loc){.path = path}, text_of(json_item(items, i), "url"),
		                 text_of(json_item(items, i), "content_html"));
}

void audit_table(struct audit *a, const char *path, struct str bytes)
{
	struct str name = str_of(path);
	struct json_doc *doc;
	struct json root;
	struct err e = ERR_NONE;
	arena_reset(&a->records.scratch);
	if (str_ends(name, ".csv"))
		check_csv(a, path, bytes);
	bool feed = str_is(name, "feed.json") || str_ends(name, "/feed.json");
	bool columns = str_ends(name, ".columns.json") &&
	               str_starts(bytes, "{\"schema\":\"ridgepoint-table/");
	if (!feed && !columns && !str_ends(name, "/number.json") &&
	    !str_ends(name, "/numbers.json"))
		return;
	if (!json_parse(bytes, (struct loc){.path = path}, &doc, &root, &e)) {
		problems_rule(a->found, RULE_TRACED, (struct loc){0}, "%s", e.text);
		return;
	}
	if (columns)
		check_columns(a, path, root);
	else if (feed)
		check_feed(a, path, root);
	else
		check_json(a, root);
	json_free(doc);
}
