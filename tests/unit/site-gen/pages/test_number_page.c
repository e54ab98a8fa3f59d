/*
 * A number's page, JSON and CSV, over the synthetic repository: digits against
 * a second reading of the record, addresses against what links to them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/json.h"
#include "site-gen/files/figure_csv.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/site/links.h"
#include "site-gen/files/dataset.h"
#include "site-gen/files/number_json.h"
#include "site-gen/pages/code_page.h"
#include "site-gen/pages/number_page.h"
#include "tests/unit/help/synthetic_repo.h"
#include "site-gen/site/site.h"
#include "site-gen/records/launches.h"

#define TILE "transpose/tile:rows=16384,cols=16384,dtype=f32,cache=cold"

static struct repo repo;
static struct config config;
static struct config_language english = {.code = "en", .tag = "en"};
static struct site site;

static int make(void **state)
{
	(void)state;
	repo_ready(&repo);
	site = (struct site){.data = &repo.data,
	                     .config = &config,
	                     .repo.head = repo.commit,
	                     .arena = &repo.arena,
	                     .shared = &repo.arena};
	code_page_find(&site);
	config = (struct config){.languages = &english,
	                         .nlanguages = 1,
	                         .base_url = "https://example.org/blog",
	                         .base = "/blog",
	                         .title = "Bench & mark",
	                         .licence = "CC <BY>",
	                         .licence_url = "",
	                         .author = "A <B>"};
	repo.ctx.base = "/blog";
	return 0;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%.3000s", part, text);
}

static void lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in:\n%.300s", part, strstr(text, part));
}

/* The quotes of a block, oldest first, as a page keeps them. */
static const struct quote *quotes_of(const char *block)
{
	struct quote *first = NULL;
	repo.ctx.quotes = NULL;
	repo.ctx.blocks = 0;
	repo_expand(&repo, block, true);
	for (struct quote *q = repo.ctx.quotes, *next; q; q = next) {
		next = q->next;
		q->next = first;
		first = q;
	}
	repo.ctx.quotes = NULL;
	return first;
}

static const struct data_number *number_tile(void)
{
	for (size_t i = 0; i < repo.data.nnumbers; i++)
		if (strcmp(repo.data.numbers[i].id, TILE) == 0)
			return &repo.data.numbers[i];
	fail_msg("the synthetic run has no %s", TILE);
	return NULL;
}

/* All of a list as site_quoted has it. */
static struct backlinks quoted_by(const struct quote *list, const struct page *page)
{
	struct backlinks q = {ARENA_ARRAY(&repo.arena, struct backlink, 64), 0};
	for (; list; list = list->next)
		if (list->n.pick.d->c->id && strcmp(list->n.pick.d->c->id, TILE) == 0)
			q.by[q.n++] = (struct backlink){list, page};
	assert_true(q.n > 0);
	return q;
}

/* --- CSV ---------------------------------------------------------------------------- */

/* Cuts a field off the front of a line; our own reading of RFC 4180. */
static const char *field(const char **at)
{
	struct sb out = {0};
	const char *p = *at;
	bool quoted = *p == '"';
	for (p += quoted; *p && (quoted || (*p != ',' && *p != '\r')); p++) {
		if (quoted && *p == '"' && p[1] != '"')
			break;
		p += quoted && *p == '"';
		sb_char(&out, *p);
	}
	p += quoted;
	*at = *p == ',' ? p + 1 : p;
	return sb_take(&repo.arena, &out);
}

/* Column `name` of the row whose case is `id`. */
static const char *cell(const char *csv, const char *id, const char *name)
{
	const char *head = csv;
	int column = 0;
	while (strcmp(field(&head), name) != 0) {
		column++;
		if (*head == '\r')
			fail_msg("no column '%s' in:\n%s", name, csv);
	}
	for (const char *line = strstr(csv, "\r\n") + 2; *line; line = strstr(line, "\r\n") + 2) {
		const char *at = line;
		field(&at);
		if (strcmp(field(&at), id) != 0)
			continue;
		at = line;
		for (int i = 0; i < column; i++)
			field(&at);
		return field(&at);
	}
	fail_msg("no row '%s' in:\n%s", id, csv);
	return NULL;
}

static void csv_of_a_ladder(void **state)
{
	(void)state;
	struct sb csv = {0};
	const struct quote *q = quotes_of("ladder transpose/* rows=16384 dtype=f32");
	figure_csv(q, 1, &repo.arena, &csv);
	for (; q; q = q->next) {
		if (strcmp(q->n.pick.d->c->id, TILE) != 0 || q->n.kind == NUMBER_RATIO)
			continue;
		const char *name = q->n.kind == NUMBER_VALUE        ? "bandwidth (B/s)"
		                   : q->n.kind == NUMBER_SHARE_SPEC ? "bandwidth of hbm (%)"
		                                                    : "bandwidth of measured (%)";
		assert_true(strtod(cell(csv.p, TILE, name), NULL) == q->n.value);
	}
	double v = strtod(cell(csv.p, TILE, "bandwidth (B/s)"), NULL);
	assert_true(strtod(cell(csv.p, TILE, "bandwidth low (B/s)"), NULL) < v);
	assert_true(strtod(cell(csv.p, TILE, "bandwidth high (B/s)"), NULL) > v);
	assert_string_equal(cell(csv.p, TILE, "rows"), "16384");
	assert_string_equal(cell(csv.p, TILE, "device"), "h200");
	assert_string_equal(cell(csv.p, TILE, "run"), RUN_A);
	contains(cell(csv.p, TILE, "bandwidth ratio: against"), "h200 transpose/naive:rows=16384");
	sb_clear(&csv);
	figure_csv(quotes_of("ladder transpose/* rows=16384 dtype=f32"), 2, &repo.arena, &csv);
	lacks(csv.p, TILE); /* there is no second figure */
	sb_free(&csv);
}

/* Against two others: two rows, so nothing is lost. */
static void csv_of_two_ratios(void **state)
{
	(void)state;
	struct number n = {.si = "×", .kind = NUMBER_RATIO, .value = 2, .lo = 2, .hi = 2};
	const struct data_run *r = &repo.data.runs[0];
	n.pick = (struct pick){r, &r->cases[0]};
	struct quote q[2] = {{.n = n, .figure = 1, .next = &q[1]}, {.n = n, .figure = 1}};
	q[0].n.over = (struct pick){r, &r->cases[1]};
	q[1].n.over = (struct pick){r, &r->cases[2]};
	struct sb csv = {0};
	figure_csv(q, 1, &repo.arena, &csv);
	contains(csv.p, r->cases[1].c->id);
	contains(csv.p, r->cases[2].c->id);
	sb_free(&csv);
}

/* --- JSON --------------------------------------------------------------------------- */

static struct json parsed(struct sb *text, struct json_doc **doc)
{
	struct err e = ERR_NONE;
	struct json root;
	if (!json_parse(sb_view(text), (struct loc){"number.json", 1, 0}, doc, &root, &e))
		fail_msg("%s\n%s", e.text, text->p);
	return root;
}

static void is_text(struct json v, const char *key, const char *want)
{
	struct str got;
	assert_true(json_as_str(json_get(v, key), &got));
	if (!str_is(got, want))
		fail_msg("%s: got '" STR_FMT "', expected '%s'", key, STR_ARG(got), want);
}

static double real(struct json v, const char *key)
{
	double x;
	assert_true(json_as_f64(json_get(v, key), &x));
	return x;
}

/* The samples are the record's; the value follows from them. */
static void check_launches(struct json list, double bandwidth)
{
	const struct run *r = launches_of(&repo.data.runs[0]);
	const struct run_case *c = record_case(r, TILE);
	size_t seen = 0;
	double sum = 0;
	for (size_t i = 0; i < r->nlaunches; i++) {
		const struct run_launch *l = &r->launches[i];
		if (l->of != c)
			continue;
		struct json samples = json_get(json_item(list, seen++), "sample_ns");
		assert_int_equal(json_len(samples), l->nsamples);
		for (size_t k = 0; k < l->nsamples; k++) {
			int64_t ns;
			assert_true(json_as_i64(json_item(samples, k), &ns));
			assert_true(ns == l->sample_ns[k]);
		}
		sum += log(record_launch_median(l));
	}
	assert_int_equal(json_len(list), seen);
	double bytes = (double)c->model.bytes_read + (double)c->model.bytes_written;
	double want = bytes / exp(sum / (double)seen);
	assert_true(fabs(bandwidth - want) <= 1e-12 * want);
}

/* Whatever is used is an entity; the record is the file that was read. */
static void check_provenance(struct json prov)
{
	size_t i = 0, n = 0;
	const char *key;
	struct json use;
	struct json entity = json_get(prov, "entity");
	while (json_each(json_get(prov, "used"), &i, &key, &use)) {
		struct str id;
		assert_true(json_as_str(json_get(use, "prov:entity"), &id));
		assert_true(json_is_object(json_get(entity, str_dup(&repo.arena, id))));
		n++;
	}
	assert_true(n > 0);
	is_text(json_get(entity, "rp:record"), "rp:git-blob", repo.data.runs[0].blob);
	is_text(json_get(entity, "rp:record"), "rp:sha256", repo.data.runs[0].run.sha256);
	is_text(json_get(json_get(prov, "activity"), "rp:run"), "rp:commit", repo.commit);
}

static void json_of_a_number(void **state)
{
	(void)state;
	struct page page = {.url = "/posts/x/", .path = "content/posts/x.md", .text.title = "X"};
	struct backlinks q = quoted_by(
	        quotes_of("ratio transpose/tile over=transpose/naive rows=16384 dtype=f32"), &page);
	struct sb text = {0};
	struct json_doc *doc;
	number_json(&site, number_tile(), &q, &repo.arena, &text);
	struct json root = parsed(&text, &doc), numbers = json_get(root, "numbers");
	is_text(root, "schema", NUMBER_JSON_SCHEMA);
	is_text(root, "headline", "bandwidth");
	is_text(json_get(root, "case"), "id", TILE);
	is_text(json_item(json_get(root, "quoted_by"), 0), "url",
	        "https://example.org/blog/posts/x/");
	struct json ratio = json_item(numbers, json_len(numbers) - 1);
	is_text(ratio, "kind", "ratio");
	assert_true(real(ratio, "value") == q.by[0].q->n.value);
	is_text(json_get(ratio, "against"), "run", RUN_A);
	assert_int_equal(json_len(json_get(root, "history")), number_tile()->nruns);
	for (size_t i = 0; i < json_len(numbers); i++) {
		struct str name;
		struct json n = json_item(numbers, i);
		assert_true(json_as_str(json_get(n, "name"), &name));
		if (str_is(name, "bandwidth"))
			check_launches(json_get(root, "launches"), real(n, "value"));
	}
	check_provenance(json_get(root, "provenance"));
	json_free(doc);
	sb_free(&text);
}

static void json_of_a_page(void **state)
{
	(void)state;
	struct page page = {.url = "/posts/x/",
	                    .path = "content/posts/x.md",
	                    .text.title = "X \"1\"",
	                    .text.lang = "en"};
	page.numbers.quotes = (struct quote *)quotes_of("ladder transpose/* rows=16384 dtype=f32");
	struct sb text = {0};
	struct json_doc *doc;
	size_t n = 0;
	number_json_page(&site, &page, &repo.arena, &text);
	struct json root = parsed(&text, &doc), list = json_get(root, "numbers");
	is_text(root, "title", "X \"1\"");
	is_text(json_item(list, 0), "figure", "b1");
	for (const struct quote *q = page.numbers.quotes; q; q = q->next, n++) {
		assert_true(real(json_item(list, n), "value") == q->n.value);
		is_text(json_item(list, n), "text", q->text);
	}
	assert_int_equal(json_len(list), n);
	contains(text.p, "\"url\":\"https://example.org/blog/numbers/h200/transpose-");
	lacks(text.p, "/blog/blog/");
	json_free(doc);
	sb_free(&text);
}

static void json_ld(void **state)
{
	(void)state;
	struct backlinks none = {0};
	struct number_view v = number_view(&site, number_tile(), &none, &repo.arena);
	struct sb text = {0};
	struct json_doc *doc;
	dataset_of_number(&v, &text);
	assert_null(strchr(text.p, '<')); /* the author's name has one */
	struct json root = parsed(&text, &doc);
	is_text(root, "@type", "Dataset");
	is_text(json_get(root, "creator"), "@type", "Person");
	is_text(json_get(root, "creator"), "name", "A <B>");
	is_text(json_get(root, "license"), "name", "CC <BY>");
	is_text(json_item(json_get(root, "distribution"), 0), "contentUrl",
	        arena_printf(&repo.arena, "https://example.org/blog%snumber.json",
	                     number_tile()->url));
	json_free(doc);
	sb_clear(&text);
	dataset_of_run(&site, &repo.data.runs[0], &repo.arena, &text);
	root = parsed(&text, &doc);
	is_text(root, "identifier", RUN_A);
	json_free(doc);
	/* nobody's name is invented; a licence is where it can be read */
	struct site other = site;
	struct config unnamed = config;
	unnamed.author = "";
	unnamed.licence_url = "https://example.org/licence";
	other.config = &unnamed;
	sb_clear(&text);
	dataset_of_run(&other, &repo.data.runs[0], &repo.arena, &text);
	root = parsed(&text, &doc);
	is_text(json_get(root, "creator"), "@type", "Organization");
	is_text(json_get(root, "creator"), "name", "Bench & mark");
	is_text(root, "license", "https://example.org/licence");
	json_free(doc);
	sb_free(&text);
}

/* --- the page --------------------------------------------------------------------------- */

struct ids {
	const char *list[256];
	size_t n;
};

static bool note_id(void *ctx, enum links_attribute kind, struct str value)
{
	struct ids *ids = ctx;
	if (kind == LINKS_ID && ids->n < 256)
		ids->list[ids->n++] = str_dup(&repo.arena, value);
	return true;
}

static size_t count_id(const struct ids *ids, const char *id)
{
	size_t n = 0;
	for (size_t i = 0; i < ids->n; i++)
		n += strcmp(ids->list[i], id) == 0;
	return n;
}

static const char *body_of(const struct data_number *n, const struct backlinks *q)
{
	struct err e = ERR_NONE;
	struct sb html = {0};
	struct number_view v = number_view(&site, n, q, &repo.arena);
	struct str part[NUMBER_PAGE_PARTS];
	if (!number_page_recorded(&repo.ctx, &v, part, &e))
		fail_msg("%s", e.text);
	number_page_body(&repo.ctx, &v, part, &html);
	return sb_take(&repo.arena, &html);
}

static void page_has_every_address(void **state)
{
	(void)state;
	struct page page = {
	        .url = "/posts/x/", .path = "content/posts/x.md", .text.title = "X & Y"};
	const struct quote *list = quotes_of("ladder transpose/* rows=16384 dtype=f32");
	struct backlinks q = quoted_by(list, &page);
	const struct data_number *n = number_tile();
	const char *html = body_of(n, &q);
	struct ids ids = {.n = 0};
	links_scan(str_of(html), note_id, &ids);
	for (size_t i = 0; i < q.n; i++)
		assert_int_equal(count_id(&ids, number_name(&q.by[i].q->n, &repo.arena)), 1);
	for (size_t i = 0; i < n->nruns; i++)
		assert_int_equal(count_id(&ids, arena_printf(&repo.arena, "run-%s",
		                                             n->runs[i]->run.head.id)),
		                 1);
	for (size_t i = 0; i < ids.n; i++)
		assert_int_equal(count_id(&ids, ids.list[i]), 1);
	contains(html, "<a href=\"/blog/posts/x/\">X &amp; Y</a>");
	contains(html, "<a href=\"/blog/posts/x/#b1\">");
	/* a comparison names the other case for people, not by its selector */
	const char *compared = strstr(html, "<td class=\"left\"><a href=\"/blog/numbers/");
	assert_non_null(compared);
	assert_memory_not_equal(strchr(compared + strlen("<td class=\"left\">"), '>'),
	                        ">transpose/", strlen(">transpose/"));
	contains(html, "&lt;&lt;bench:ladder transpose/* rows=16384 dtype=f32&gt;&gt;");
	contains(html, "title = {Matrix transpose");
	contains(html, "dtype=f32,cache=cold, run " RUN_A);
	lacks(html, "\"nan");
	lacks(html, "nan%");
	lacks(html, "inf%");
}

/* All cases of a variant lead to one page of its file; a file that is not here has no page. */
static void cases_share_the_page_of_their_file(void **state)
{
	(void)state;
	struct backlinks none = {0};
	const struct data_number *tile = number_tile();
	struct pick p = {tile->runs[tile->newest], tile->in[tile->newest]};
	const struct code_file *own = code_page_file(&site, &p, 0);
	assert_string_equal(own->path, p.d->c->source[0].path);
	assert_string_equal(own->blob, p.d->c->source[0].blob);
	assert_string_equal(
	        own->url,
	        arena_printf(&repo.arena, "/code/kernels-transpose-tile-cu-%.12s/", own->blob));
	contains(body_of(tile, &none),
	         arena_printf(&repo.arena, "<a href=\"/blog%s\">Source <code>", own->url));
	for (size_t i = 0; i < repo.data.nnumbers; i++) {
		const struct data_number *n = &repo.data.numbers[i];
		p = (struct pick){n->runs[0], n->in[0]};
		if (strcmp(p.d->c->variant, "tile") == 0 && p.d->c->nsource > 0)
			assert_ptr_equal(code_page_file(&site, &p, 0), own);
	}
	struct code_files all = *site.code;
	struct run_source lost = {.path = "kernels/transpose/tile.cu",
	                          .blob = "0123456789012345678901234567890123456789"};
	struct run_case c = *tile->in[tile->newest]->c;
	struct data_case d = *tile->in[tile->newest];
	const struct data_case *in[] = {&d};
	const struct data_run *runs[] = {tile->runs[tile->newest]};
	struct data_number only = {.runs = runs, .in = in, .nruns = 1};
	c.source = &lost;
	c.nsource = 1;
	d.c = &c;
	struct data few = repo.data;
	few.numbers = &only;
	few.nnumbers = 1;
	site.data = &few;
	code_page_find(&site);
	assert_int_equal(site.code->n, 1);
	assert_null(site.code->all[0].url);
	site.data = &repo.data;
	*site.code = all;
}

/* A case that could not run has a page, too, which says why. */
static void page_without_a_number(void **state)
{
	(void)state;
	struct backlinks none = {0};
	for (size_t i = 0; i < repo.data.nnumbers; i++) {
		const struct data_number *n = &repo.data.numbers[i];
		if (n->newest < n->nruns)
			continue;
		const char *html = body_of(n, &none);
		contains(html, "No number is published: ");
		contains(html, n->in[0]->why_none);
		lacks(html, "id=\"number\"");
		return;
	}
	fail_msg("the synthetic run has no case without a number");
}

static void cycles_and_energy(void **state)
{
	(void)state;
	struct backlinks none = {0};
	struct number_view v = number_view(&site, number_tile(), &none, &repo.arena);
	double cycles, mhz, joules;
	size_t launches;
	bool counted;
	assert_true(number_view_cycles(&v, &cycles, &mhz, &counted));
	assert_true(mhz == 1980 && !counted);
	assert_true(fabs(cycles - v.p.d->time.typical * 1980e6) < 1);
	assert_false(number_view_energy(&v, &joules, &launches)); /* nobody read it */
	struct run_launch l = *v.launch[0];
	const struct run_launch *one[] = {&l};
	l.energy_mj = 3000;
	l.batch = 2; /* 5 samples of 2 calls took 3 J */
	v.launch = one;
	v.nlaunches = 1;
	assert_true(number_view_energy(&v, &joules, &launches));
	assert_true(fabs(joules - 0.3) < 1e-12 && launches == 1);
	l.sm_cycles = 3000000; /* its own counter is believed before the driver */
	l.sm_cycles_ns = 2000000;
	assert_true(number_view_cycles(&v, &cycles, &mhz, &counted));
	assert_true(fabs(mhz - 1500) < 1e-9 && counted);
	struct sb html = {0};
	number_page_launches(&v, &html);
	contains(html.p, ">SM clock (counted)</th>");
	contains(html.p, "<td class=\"right\">1500\xC2\xA0MHz</td>");
	l.sm_cycles = RECORD_NONE;
	sb_clear(&html);
	number_page_launches(&v, &html);
	contains(html.p, ">SM clock (median)</th>");
	contains(html.p, "1935–1980 (1980)\xC2\xA0MHz</td>");
	sb_free(&html);
}

/* Where launches ran on several nodes the page says which, and that nodes count. */
static void launches_on_nodes(void **state)
{
	(void)state;
	struct backlinks none = {0};
	struct number_view v = number_view(&site, number_tile(), &none, &repo.arena);
	struct sb html = {0};
	number_page_launches(&v, &html);
	lacks(html.p, ">Node</th>");
	sb_clear(&html);
	struct run_launch *on = ARENA_ARRAY(&repo.arena, struct run_launch, v.nlaunches);
	struct data_case d = *v.p.d;
	size_t *node = ARENA_ARRAY(&repo.arena, size_t, d.time.launches);
	for (size_t i = 0; i < v.nlaunches; i++) {
		on[i] = *v.launch[i];
		on[i].node = i % 2 ? "n02/GPU-1" : "n01/GPU-0";
		node[i] = i % 2;
		v.launch[i] = &on[i];
	}
	d.node = node;
	v.p.d = &d;
	number_page_launches(&v, &html);
	contains(html.p, ">Node</th>");
	contains(html.p, "<code>n02/GPU-1</code>");
	contains(html.p, "2; a node is the unit of replication");
	sb_free(&html);
}

/* The page says where a process did not choose what the survey had. */
static void processes_that_chose_differently(void **state)
{
	(void)state;
	struct err e = ERR_NONE;
	struct backlinks none = {0};
	struct number_view v = number_view(&site, number_tile(), &none, &repo.arena);
	struct run_launch *l = (struct run_launch *)v.launch[1];
	struct str part[NUMBER_PAGE_PARTS];
	assert_true(number_page_recorded(&repo.ctx, &v, part, &e));
	assert_null(memmem(part[1].p, part[1].n, "In its processes", 16));
	assert_null(memmem(part[1].p, part[1].n, "Chosen by trying", 16));
	struct run_pair pair[] = {{"call", "<Lt>", 0}, {"algorithm", NULL, 66}, {"data", "1f", 0}};
	struct run_case *c = (struct run_case *)v.p.d->c;
	c->build.choice = (struct run_choice){pair, 3};
	assert_true(number_page_recorded(&repo.ctx, &v, part, &e));
	contains(str_dup(&repo.arena, part[1]),
	         "<dt>Chosen by trying</dt><dd>&lt;Lt&gt; algorithm 66</dd>");
	c->build.choice.n = 0;
	l->library = "Triton 3.6.0; <8> warps";
	assert_true(number_page_recorded(&repo.ctx, &v, part, &e));
	l->library = NULL;
	contains(str_dup(&repo.arena, part[1]),
	         arena_printf(
	                 &repo.arena,
	                 "<dt>In its processes</dt><dd>chosen differently in 1 of %zu processes: "
	                 "Triton 3.6.0; &lt;8&gt; warps (1)</dd>",
	                 v.nlaunches));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(csv_of_a_ladder),
	        cmocka_unit_test(csv_of_two_ratios),
	        cmocka_unit_test(json_of_a_number),
	        cmocka_unit_test(json_of_a_page),
	        cmocka_unit_test(json_ld),
	        cmocka_unit_test(page_has_every_address),
	        cmocka_unit_test(cases_share_the_page_of_their_file),
	        cmocka_unit_test(page_without_a_number),
	        cmocka_unit_test(cycles_and_energy),
	        cmocka_unit_test(launches_on_nodes),
	        cmocka_unit_test(processes_that_chose_differently),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
