/* Checks the numbers of a page. To add an element:
 *   1. add a row to `elements` with its class and the function to call at its end;
 *   2. write that function: it derives the expected text and compares;
 *   3. add a corruption of the element to tests/mutation/.
 */
#include <string.h>

#include "lib/array.h"
#include "site-gen/audit/fact.h"
#include "site-gen/audit/feed.h"
#include "site-gen/audit/listed.h"
#include "site-gen/audit/markup.h"
#include "site-gen/audit/page_inner.h"
#include "site-gen/audit/roof.h"
#include "site-gen/audit/said.h"
#include "site-gen/records/cited.h"

struct loc audit_place(const struct page *p, const char *at)
{
	return p->outer ? audit_html_loc(p->outer, p->outer_at) : audit_html_loc(&p->h, at);
}

/* Compares the text; if it differs, reports "says X, the record says Y". */
static bool same(struct page *p, const struct reading *r, enum rule rule, const struct sb *want)
{
	if (str_cmp(sb_view(&r->text), sb_view(want)) == 0) {
		audit_text_number(p->a, sb_view(want));
		return true;
	}
	problems_rule(p->a->found, rule, audit_place(p, r->at),
	              "says " STR_FMT ", the record says " STR_FMT, STR_ARG(sb_view(&r->text)),
	              STR_ARG(sb_view(want)));
	return false;
}

/* --- measured numbers ------------------------------------------------------------------------ */

/* What the link itself says of its number: its title, and the interval that is shown on demand. */
static void check_link(struct page *p, const struct reading *r, const struct audit_number *n)
{
	struct err e = ERR_NONE;
	if (!audit_link_says(n, r->title, r->ci, &e))
		problems_rule(p->a->found, RULE_TRACED, audit_place(p, r->at), "%s", e.text);
}

static void check_state(struct page *p, const struct reading *r, const struct audit_number *n)
{
	enum data_state state = n->worst->state;
	const char *name = data_state_name(state);
	if (!str_is(r->link.state, name) || r->marked != data_state_marked(state))
		problems_rule(p->a->found, state == DATA_FOREIGN ? RULE_NATIVE : RULE_FRESH,
		              audit_place(p, r->at),
		              "is shown as '" STR_FMT "'%s, but it is %s%s%s",
		              STR_ARG(r->link.state), r->marked ? " with a mark" : "", name,
		              n->worst->why_state ? ": " : "",
		              n->worst->why_state ? n->worst->why_state : "");
	if (state == DATA_PREVIEW && !p->a->preview)
		problems_rule(p->a->found, RULE_WHOLE, audit_place(p, r->at),
		              "is a preview: the run file of %s is not committed", n->worst->c->id);
}

/* The link must name the runs that a value over cards comes from. */
static void check_cards(struct page *p, const struct reading *r, const struct audit_number *n)
{
	if (!audit_cards_are(&n->cards, r->link.cards) ||
	    !audit_cards_are(&n->over_cards, r->link.over_cards))
		problems_rule(p->a->found, RULE_UNPICKED, audit_place(p, r->at),
		              "the number " STR_FMT " does not name the newest run of each of its "
		              "%zu cards",
		              STR_ARG(sb_view(&r->text)), n->cards.n);
	if (audit_number_lacks_cards(&p->a->records, n))
		problems_rule(p->a->found, RULE_UNPICKED, audit_place(p, r->at),
		              "the number " STR_FMT " is of one card each, but both devices have "
		              "enough cards",
		              STR_ARG(sb_view(&r->text)));
}

/* Rule `roofed`: the roof of a ladder or a staircase, and any roof that is a ceiling, must be the
 * highest. */
static void check_roof(struct page *p, const struct reading *r, const struct audit_number *n)
{
	struct err e = ERR_NONE;
	struct audit_number row = *n;
	bool share = n->kind == AUDIT_SHARE_MEASURED &&
	             (p->in_share || data_is_instrument(n->over->d->c->family));
	bool value = n->kind == AUDIT_VALUE && p->in_value && p->has_roof;
	if (value)
		row.over = p->roof.of;
	if (n->metric == METRIC_BANDWIDTH && (share || value) &&
	    !audit_roof_holds(&p->a->records, &row, &e))
		problems_rule(p->a->found, RULE_ROOFED, audit_place(p, r->at),
		              "the number " STR_FMT " %s", STR_ARG(sb_view(&r->text)), e.text);
}

static void check_number(struct page *p, struct reading *r, bool loss)
{
	struct err e = ERR_NONE;
	enum rule rule;
	struct sb want = {0};
	p->has_last = audit_number_of(&p->a->records, &r->link, &p->last, &rule, &e);
	p->has_row = p->has_last;
	if (!p->has_last) {
		problems_rule(p->a->found, rule, audit_place(p, r->at), "the number " STR_FMT " %s",
		              STR_ARG(sb_view(&r->text)), e.text);
		return;
	}
	if (!loss || !audit_number_loss(&p->last, &want))
		audit_number_text(&p->last, &want);
	p->a->counted[p->last.kind] += same(p, r, RULE_TRACED, &want);
	check_link(p, r, &p->last);
	check_state(p, r, &p->last);
	check_cards(p, r, &p->last);
	check_roof(p, r, &p->last);
	sb_free(&want);
}

static void read_number(struct page *p, struct reading *r)
{
	check_number(p, r, false);
}

/* A ratio that is printed as a change: "−9.8 %". */
static void read_loss(struct page *p, struct reading *r)
{
	check_number(p, r, true);
}

/* The roof at the head of a ladder, which the values of its rows are held against. */
static void read_roof(struct page *p, struct reading *r)
{
	check_number(p, r, false);
	p->has_roof = p->has_last;
	p->roof = p->last;
}

/* span.ci: the half-width, or the interval, of the number beside it. */
static void read_interval(struct page *p, struct reading *r)
{
	struct sb want = {0};
	if (!p->has_last)
		return;
	if (str_starts(sb_view(&r->text), "±"))
		audit_number_interval(&p->last, &want);
	else
		audit_number_range(&p->last, &want);
	p->a->counted[AUDIT_N_INTERVAL] += same(p, r, RULE_TRACED, &want);
	sb_free(&want);
}

/* span.cards-between: the standard deviation between the cards of the number before it. */
static void read_between(struct page *p, struct reading *r)
{
	struct sb want = {0};
	if (p->has_last)
		sb_printf(&want, "%.2f" NBSP "%%", 100 * p->last.between);
	p->a->counted[AUDIT_N_INTERVAL] += same(p, r, RULE_TRACED, &want);
	sb_free(&want);
}

/* span.over-cards: each number in it counts the cards of the number before it. */
static void read_over_cards(struct page *p, struct reading *r)
{
	bool right = p->has_last && audit_number_counts_cards(&p->last, sb_view(&r->text));
	if (!right)
		problems_rule(p->a->found, RULE_TRACED, audit_place(p, r->at),
		              "says another number of cards than %zu", p->last.cards.n);
	p->a->counted[AUDIT_N_INTERVAL] += right;
}

/*
 * A row of exact values, which belong to the number at its head. The quantiles
 * over all samples come from the loader; everything else is derived here.
 */
static void read_exact(struct page *p, struct reading *r)
{
	struct sb want = {0};
	if (!p->has_row)
		return;
	const struct stats_summary *t = &p->last.of->time, *all = &p->last.of->d->time;
	const char *what = r->is->class + strlen("exact-");
	if (strcmp(what, "interval") == 0)
		audit_bounds_text(p->last.lo, p->last.hi, p->last.si, &want);
	else if (strcmp(what, "time") == 0)
		audit_bounds_text(t->lo, t->hi, "s", &want);
	else if (strcmp(what, "samples") == 0)
		audit_bounds_text(all->p5, all->p95, "s", &want);
	else if (strcmp(what, "between") == 0)
		sb_printf(&want, "%.2f" NBSP "%%", 100 * t->between_sd);
	else
		sb_printf(&want, "%zu × %zu", t->launches, all->samples / t->launches);
	p->a->counted[AUDIT_N_INTERVAL] += same(p, r, RULE_TRACED, &want);
	sb_free(&want);
}

/* div.listed: the lines of a listing. */
static void read_listed(struct page *p, struct reading *r)
{
	struct err e = ERR_NONE;
	if (!audit_listed_lines(p->a->data, r->link.metric, sb_view(&r->text), &e))
		problems_rule(p->a->found, RULE_LISTED, audit_place(p, r->at), "the listing %s",
		              e.text);
	p->a->counted[AUDIT_N_LISTED] += !e.set;
}

/* A datasheet number, derivation, count or counter, identified by its key. */
static void read_fact(struct page *p, struct reading *r)
{
	struct err e = ERR_NONE;
	struct sb want = {0}, key = {0};
	struct audit_fact fact;
	audit_html_plain(&key, r->link.metric);
	bool ok = audit_fact_text(p->a, sb_view(&key), r->runs, &want, &fact, &e);
	if (ok && audit_fact_says(&fact, sb_view(&r->text), sb_view(&want), p->english)) {
		sb_clear(&want);
		sb_str(&want, sb_view(&r->text));
	}
	enum rule rule = strcmp(r->is->class, "opcodes") == 0 ? RULE_LISTED : RULE_TRACED;
	if (!ok)
		problems_rule(p->a->found, rule, audit_place(p, r->at),
		              "the number " STR_FMT ": %s", STR_ARG(sb_view(&r->text)), e.text);
	else
		p->a->counted[fact.what] += same(p, r, rule, &want);
	if (ok)
		audit_boxes_number(&p->boxes, fact.value,
		                   str_keep(&p->a->records.scratch, sb_view(&want)));
	const struct audit_shown shown = {.link = &r->link,
	                                  .title = r->title,
	                                  .ci = r->ci,
	                                  .tag = r->is->tag,
	                                  .marked = r->marked,
	                                  .at = audit_place(p, r->at)};
	if (ok)
		audit_fact_judge(p->a, &fact, &shown);
	sb_free(&key);
	sb_free(&want);
}

/* --- claims and predictions ------------------------------------------------------------------- */

static struct str plain(struct sb *to, struct str written)
{
	size_t from = to->n;
	audit_html_plain(to, written);
	return str_sub(sb_view(to), from, to->n);
}

/* Attributes with references resolved. They point into `to`, which must not move. */
static struct audit_said said(const struct page *p, const struct reading *r, struct sb *to)
{
	sb_room(to, r->claim.n + r->goal.n + r->said_of.n + r->prediction.n + r->verdict.n +
	                    r->title.n + 1);
	return (struct audit_said){.claim = plain(to, r->claim),
	                           .goal = plain(to, r->goal),
	                           .device = plain(to, r->said_of),
	                           .prediction = plain(to, r->prediction),
	                           .verdict = plain(to, r->verdict),
	                           .title = plain(to, r->title),
	                           .text = sb_view(&r->text),
	                           .english = p->english};
}

static void hold(struct page *p, struct reading *r, enum rule rule, enum audit_counted what,
                 bool (*check)(struct audit *a, const struct audit_said *s, struct err *e))
{
	struct sb words = {0};
	struct err e = ERR_NONE;
	struct audit_said s = said(p, r, &words);
	if (check(p->a, &s, &e))
		p->a->counted[what]++;
	else
		problems_rule(p->a->found, rule, audit_place(p, r->at), "'" STR_FMT "' %s",
		              STR_ARG(s.text), e.text);
	sb_free(&words);
}

static void read_claim(struct page *p, struct reading *r)
{
	hold(p, r, RULE_CLAIMED, AUDIT_N_CLAIM, audit_said_claim);
}

static void read_predicted(struct page *p, struct reading *r)
{
	hold(p, r, RULE_FORETOLD, AUDIT_N_PREDICTED, audit_said_predicted);
}

/* In a list of a prediction's tests, a verdict belongs to one test and names no prediction. */
static void read_verdict(struct page *p, struct reading *r)
{
	if (r->goal.n > 0)
		hold(p, r, RULE_CLAIMED, AUDIT_N_CLAIM, audit_said_goal);
	else if (r->prediction.n > 0)
		hold(p, r, RULE_FORETOLD, AUDIT_N_VERDICT, audit_said_verdict);
}

static void read_mark(struct page *p, struct reading *r)
{
	p->open[p->n > 0 ? p->n - 1 : 0].marked |= p->n > 0 && r->text.n > 0;
}

/* --- citations -------------------------------------------------------------------------------- */

/* A cited number must occur in the quote of its reference. */
static void read_cited(struct page *p, struct reading *r)
{
	const struct reference *source = reference_find(p->a->data->references, r->source);
	struct str text = sb_view(&r->text);
	size_t n = strspn(text.n ? text.p : "", "0123456789.-+");
	struct str unit = str_sub(text, n, text.n);
	if (str_starts(unit, NBSP))
		unit = str_sub(unit, 2, unit.n);
	if (!source || !cited_in_quote(source, str_sub(text, 0, n), unit))
		problems_rule(p->a->found, RULE_TRACED, audit_place(p, r->at),
		              "the cited number " STR_FMT
		              " does not stand in the quote of '" STR_FMT "'",
		              STR_ARG(text), STR_ARG(r->source));
}

/* --- the table -------------------------------------------------------------------------------- */

static const struct element elements[] = {
        {"a", "spec", "num", read_fact},
        {"a", "counter", "num", read_fact},
        {"a", "opcodes", "num", read_fact},
        {"a", "code-lines", "num", read_fact},
        {"div", "listed", NULL, read_listed},
        {"a", "note", NULL, NULL},
        {"label", "unfold", NULL, NULL},
        {"a", "derived", "num", read_fact},
        {"span", "derived", "num", read_fact},
        {"span", "count", "num", read_fact},
        {"span", "noted", "num", read_fact},
        {"span", "drawn", "num", read_fact},
        {"a", "cited", "num", read_cited},
        {"a", "predicted", "num", read_predicted},
        {"span", "predicted", "num", read_predicted},
        {"span", "verdict", NULL, read_verdict},
        {"span", "claim", NULL, read_claim},
        {"a", "loss", "num", read_loss},
        {"a", "roof", "num", read_roof},
        {"a", "num", NULL, read_number},
        {"span", "ci", NULL, read_interval},
        {"sup", "mark", NULL, read_mark},
        {"td", "exact-interval", NULL, read_exact},
        {"td", "exact-time", NULL, read_exact},
        {"td", "exact-samples", NULL, read_exact},
        {"td", "exact-between", NULL, read_exact},
        {"td", "exact-launches", NULL, read_exact},
        {"span", "cards-between", NULL, read_between},
        {"span", "over-cards", NULL, read_over_cards},
        {"text", "value", NULL, audit_read_label},
        {"g", "box", NULL, audit_read_box},
};
/* The title of a point; it has no class. */
static const struct element point_title = {"title", "", NULL, audit_read_point};

enum { NELEMENTS = ARRAY_LEN(elements) };

static const struct element *element_of(const struct audit_html *h)
{
	struct str classes = audit_html_attribute(h, "class");
	for (int i = 0; i < NELEMENTS && classes.n; i++) {
		const struct element *e = &elements[i];
		if (*h->name.p == *e->tag && audit_html_is_among(classes, e->class) &&
		    (!e->also || audit_html_is_among(classes, e->also)) && str_is(h->name, e->tag))
			return e;
	}
	return NULL;
}

/* --- a document ------------------------------------------------------------------------------- */

/* A cell of a table, or what stands beside a name in a list of facts. */
static bool is_cell(const struct page *p)
{
	return str_is(p->h.name, "td") || str_is(p->h.name, "dd");
}

static void begin(struct page *p)
{
	const struct element *is = element_of(&p->h);
	struct str classes = audit_html_attribute(&p->h, "class");
	p->has_roof = p->has_roof && !str_is(p->h.name, "table");
	if (is_cell(p)) {
		p->in_share = audit_html_is_among(classes, "share");
		p->in_value = audit_html_is_among(classes, "value");
		audit_boxes_cell(&p->boxes, classes);
	}
	if (p->n && p->open[p->n - 1].box.p)
		audit_in_box(p, &p->open[p->n - 1]);
	if (str_is(p->h.name, "a"))
		p->point = is ? (struct str){0} : audit_html_attribute(&p->h, "href");
	if (!is && p->point.n && p->h.depth > 1 && str_is(p->h.name, "title") &&
	    str_is(p->h.open[p->h.depth - 2], "a"))
		is = &point_title;
	if (!is || p->h.empty || p->n == MAX_READING)
		return;
	struct reading *r = &p->open[p->n++];
	struct sb text = r->text;
	sb_clear(&text);
	*r = (struct reading){.is = is, .depth = p->h.depth - 1, .at = p->h.at, .text = text};
	r->title = audit_html_attribute(&p->h, "title");
	r->ci = audit_html_attribute(&p->h, "data-ci");
	r->box = audit_html_attribute(&p->h, "data-box");
	r->transform = audit_html_attribute(&p->h, "transform");
	r->claim = audit_html_attribute(&p->h, "data-claim");
	r->goal = audit_html_attribute(&p->h, "data-goal");
	r->said_of = audit_html_attribute(&p->h, "data-device");
	r->prediction = audit_html_attribute(&p->h, "data-prediction");
	r->verdict = audit_html_attribute(&p->h, "data-verdict");
	r->source = audit_html_attribute(&p->h, "data-source");
	r->runs = audit_html_attribute(&p->h, "data-runs");
	r->link = (struct audit_link){.href = audit_html_attribute(&p->h, "href"),
	                              .state = audit_html_attribute(&p->h, "data-state"),
	                              .run = audit_html_attribute(&p->h, "data-run"),
	                              .over_run = audit_html_attribute(&p->h, "data-over-run"),
	                              .metric = audit_html_attribute(&p->h, "data-n"),
	                              .cards = audit_html_attribute(&p->h, "data-cards"),
	                              .over_cards = audit_html_attribute(&p->h, "data-over-cards")};
}

static void end(struct page *p)
{
	if (p->n == 0 || p->open[p->n - 1].depth != p->h.depth)
		return;
	struct reading *r = &p->open[--p->n];
	if (r->is->read)
		r->is->read(p, r);
}

static void read_document(struct page *p, const char *path, struct str bytes);

/*
 * An entry of a feed: <content type="html"> in Atom, <content:encoded> in RSS; escaped markup. The
 * text of a post must stand on its page (feed.h).
 */
static void read_entry(struct page *p)
{
	struct page entry = {.a = p->a, .outer = &p->h, .outer_at = p->h.text.p};
	struct sb html = {0};
	audit_html_plain(&html, p->h.text);
	read_document(&entry, "entry.html", sb_view(&html));
	if (p->wanted)
		audit_feed_entry(p->a, audit_place(p, p->h.text.p), p->entry_url, sb_view(&html));
	sb_free(&html);
}

static void take_text(struct page *p)
{
	struct str in = p->h.xml && p->h.depth ? p->h.open[p->h.depth - 1] : (struct str){0};
	if (str_is(in, "content") || str_is(in, "content:encoded")) {
		read_entry(p);
		return;
	}
	if (str_is(in, "link"))
		p->entry_url = p->h.text;
	if (str_is(in, "id") || str_is(in, "guid") || str_is(in, "link"))
		return; /* an address: its % escapes are not percentages */
	if (p->h.depth && str_is(p->h.open[p->h.depth - 1], "desc"))
		p->boxes.desc = p->h.text;
	if (p->n > 0)
		audit_html_plain(&p->open[p->n - 1].text, p->h.text);
	audit_text_add(&p->text, &p->h);
}

static void take_token(struct page *p, enum audit_token t)
{
	struct err e = ERR_NONE;
	if (t == AUDIT_START) {
		audit_markup(p->a, &p->h);
		/* an interval belongs to a number in the same cell (td, tr, th) */
		p->has_last = p->has_last && *p->h.name.p != 't';
		p->has_row = p->has_row && !str_is(p->h.name, "tr");
		audit_text_start(&p->text, &p->h);
		if (p->h.xml && str_is(p->h.name, "link") &&
		    str_is(audit_html_attribute(&p->h, "rel"), "alternate"))
			p->entry_url = audit_html_attribute(&p->h, "href");
		if (str_is(p->h.name, "html"))
			p->english = str_starts(audit_html_attribute(&p->h, "lang"), "en");
		if (!audit_part_start(&p->part, &p->h, p->a->records.data, &e))
			problems_rule(p->a->found, RULE_TRACED, audit_place(p, p->h.at), "%s",
			              e.text);
		begin(p);
	} else if (t == AUDIT_END) {
		end(p);
		audit_part_end(&p->part, &p->h);
		p->in_share = p->in_share && !is_cell(p);
		p->in_value = p->in_value && !is_cell(p);
		if (str_is(p->h.name, "svg"))
			audit_end_drawing(p);
		if (str_is(p->h.name, "figure"))
			audit_end_figure(p);
		audit_text_end(&p->text, &p->h);
	} else if (t == AUDIT_TEXT) {
		take_text(p);
	}
}

static void read_document(struct page *p, const char *path, struct str bytes)
{
	enum audit_token t;
	struct err e = ERR_NONE;
	audit_html_open(&p->h, path, bytes);
	p->text.a = p->a;
	p->text.before = p->a->plain;
	p->text.wanted = p->a->lint && p->wanted;
	do {
		if (!audit_html_next(&p->h, &t, &e)) {
			struct loc of = p->outer ? audit_place(p, NULL) : (struct loc){0};
			problems_rule(p->a->found, RULE_TRACED, of, "%s", e.text);
			break;
		}
		take_token(p, t);
	} while (t != AUDIT_EOF);
	audit_text_done(&p->text, &p->h);
	sb_free(&p->chart.amounts);
	for (int i = 0; i < MAX_READING; i++)
		sb_free(&p->open[i].text);
}

void audit_page(struct audit *a, const char *path, struct str bytes)
{
	struct page p = {.a = a, .wanted = audit_text_wanted(path)};
	arena_reset(&a->records.scratch);
	read_document(&p, path, bytes);
	audit_feed_page(a, path, bytes);
}
