/* Changes as template variables and as a feed. */
#include <string.h>

#include "site-gen/pages/changes.h"
#include "site-gen/files/feed.h"
#include "site-gen/base/html.h"
#include "site-gen/site/outputs.h"
#include "site-gen/numbers/number.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"

/* Limits; the log itself has the rest. */
enum { PAGE_ROWS = 400, FEED_ENTRIES = 50, FEED_ROWS = 100 };

/* --- markup -------------------------------------------------------------------------------- */

static void put_noted(struct sb *to, const struct published *p, bool range)
{
	struct sb text = {0};
	if (range)
		published_interval(p, &text);
	else
		sb_cstr(&text, p->text);
	if (text.n) {
		sb_printf(to, "<span class=\"num noted\" data-n=\"noted %d%s\">", p->line,
		          range ? " range" : "");
		html_text(to, sb_view(&text));
		html_raw(to, "</span>");
	}
	sb_free(&text);
}

/* Writes a number from a line of the log, or as a page shows it now. */
static void put_number(struct maker *m, struct sb *to, const struct published *p)
{
	struct expand_ctx ctx = site_context(m, NULL);
	if (p->line)
		put_noted(to, p, false);
	else if (p->quote)
		number_link(&ctx, &p->quote->n, "", NULL, to);
	else
		html_text(to, str_of(p->text));
}

static void put_range(struct sb *to, const struct published *p)
{
	if (p->line)
		put_noted(to, p, true);
	else
		published_interval(p, to);
}

static struct str kept(struct maker *m, struct sb *html)
{
	struct str out = str_keep(&m->scratch, sb_view(html));
	sb_free(html);
	return out;
}

static void set_number(struct maker *m, struct script *s, const char *key, const char *range_key,
                       const struct published *p)
{
	struct sb html = {0}, range = {0};
	if (p && p->text) {
		put_number(m, &html, p);
		put_range(&range, p);
	}
	script_markup(s, key, kept(m, &html));
	script_markup(s, range_key, kept(m, &range));
}

/* --- variables ----------------------------------------------------------------------------- */

static const char *with_base(struct maker *m, const char *url)
{
	return arena_printf(&m->scratch, "%s%s", m->site->config->base, url);
}

/* A page that no longer exists has its address as title, and no link. */
static void set_page(struct maker *m, struct script *s, const char *url)
{
	const struct page *p = outputs_find(m->site, str_of(url));
	script_cstr(s, "title", p ? p->text.title : url);
	script_cstr(s, "url", p ? with_base(m, url) : "");
}

static void set_name(struct maker *m, struct script *s, const char *number)
{
	const struct words words = {m->site->config, site_language(m->site, m->page)->code};
	struct change_name n = changes_name(m->site->data, &words, number, &m->scratch);
	/* such a name begins with its variant, which is code: "halves" is not a claim there */
	size_t code = n.url ? strcspn(n.name, " :") : 0;
	script_text(s, "variant", (struct str){n.name, code});
	script_cstr(s, "said", n.name + code);
	script_cstr(s, "name", n.name);
	script_cstr(s, "detail", n.detail);
	script_cstr(s, "url", n.url ? with_base(m, n.url) : "");
}

/* True if the page at `url` also exists in this page's language, which its readers see instead. */
static bool is_read_elsewhere(const struct maker *m, const char *url)
{
	const struct page *p = outputs_find(m->site, str_of(url));
	const struct page *own = p ? site_version(p, (size_t)m->page->language) : NULL;
	return own && own != p;
}

static void set_row(struct maker *m, struct script *s, const struct changes *all, size_t from,
                    size_t to)
{
	const struct change *c = &all->c[from];
	script_begin(s, NULL, 10);
	script_cstr(s, "id", changes_anchor(c, &m->scratch));
	set_name(m, s, c->now->number);
	set_number(m, s, "old", "old_range", c->before);
	set_number(m, s, "new", "new_range", c->now);
	const char *verdict = changes_verdict(m->site->data, c);
	script_cstr(s, "verdict", verdict ? verdict : "");
	script_begin(s, "pages", 0);
	for (size_t i = from; i < to; i++) {
		if (is_read_elsewhere(m, all->c[i].now->page))
			continue;
		script_begin(s, NULL, 2);
		set_page(m, s, all->c[i].now->page);
		script_end(s);
	}
	script_end(s);
	script_end(s);
}

/* True if all pages of a row exist in this page's language, whose own rows show the numbers. */
static bool is_row_elsewhere(const struct maker *m, const struct changes *all, size_t from,
                             size_t to)
{
	while (from < to && is_read_elsewhere(m, all->c[from].now->page))
		from++;
	return from == to;
}

/* Sets the rows of [from, to), or only their number. */
static size_t set_rows(struct maker *m, struct script *s, const struct changes *all, size_t from,
                       size_t to, bool told)
{
	size_t n = 0;
	script_begin(s, "rows", 0);
	for (size_t i = from, k; i < to; i = k) {
		k = changes_row_end(all, i);
		if (is_row_elsewhere(m, all, i, k))
			continue;
		n++;
		if (told)
			set_row(m, s, all, i, k);
	}
	script_end(s);
	script_int(s, "untold", told ? 0 : (int64_t)n);
	return n;
}

static const char *run_url(const struct data *d, const char *id)
{
	for (size_t i = 0; id && i < d->nruns; i++)
		if (strcmp(d->runs[i].run.head.id, id) == 0)
			return d->runs[i].url;
	return NULL;
}

/* Sets a group: changes of one run and reason, or of one kind. Returns their number. */
static size_t set_group(struct maker *m, struct script *s, const struct changes *all, size_t from,
                        size_t to, bool told)
{
	const struct published *now = all->c[from].now;
	const char *url = run_url(m->site->data, now->run);
	script_begin(s, NULL, 6);
	script_flag(s, "gone", all->c[from].kind == PUBLISHED_GONE);
	script_cstr(s, "run", now->run ? now->run : "");
	script_cstr(s, "run_url", url ? with_base(m, url) : "");
	script_cstr(s, "reason", now->reason ? now->reason : "");
	size_t n = set_rows(m, s, all, from, to, told);
	script_end(s);
	return n;
}

/* Sets the pages of [from, to), each with its number of changes. */
static void set_counts(struct maker *m, struct script *s, const struct changes *all, size_t from,
                       size_t to)
{
	for (size_t i = from; i < to; i++) {
		const char *page = all->c[i].now->page;
		size_t count = 0, k = from;
		while (strcmp(all->c[k].now->page, page) != 0)
			k++;
		if (k < i || is_read_elsewhere(m, page))
			continue; /* counted at its first change */
		for (; k < to; k++)
			count += strcmp(all->c[k].now->page, page) == 0;
		script_begin(s, NULL, 3);
		set_page(m, s, page);
		script_int(s, "count", (int64_t)count);
		script_end(s);
	}
}

/* *rows: rows on the page so far. When the page is full, a run gets one line with their number. */
static void set_day(struct maker *m, struct script *s, const struct changes *all, size_t from,
                    size_t to, size_t *rows)
{
	size_t k = from, again, first;
	script_begin(s, NULL, 4);
	script_cstr(s, "date", all->c[from].noted);
	script_begin(s, "groups", 0);
	while (k < to && (all->c[k].kind == PUBLISHED_CHANGED ||
	                  all->c[k].kind == PUBLISHED_BROKEN || all->c[k].kind == PUBLISHED_GONE)) {
		size_t end = changes_group_end(all, k);
		*rows += set_group(m, s, all, k, end, *rows < PAGE_ROWS);
		k = end;
	}
	script_end(s);
	for (again = k; k < to && all->c[k].kind == PUBLISHED_AGAIN;)
		k++;
	first = k;
	script_begin(s, "again", 0);
	set_counts(m, s, all, again, first);
	script_end(s);
	script_begin(s, "first", 0);
	set_counts(m, s, all, first, to);
	script_end(s);
	script_end(s);
}

/* End of the page. It ends with a whole day. */
static size_t end_of_page(const struct changes *all)
{
	size_t rows = 0, i = 0;
	while (i < all->n && rows < PAGE_ROWS)
		for (size_t end = changes_day_end(all, i); i < end; i = changes_row_end(all, i))
			rows += all->c[i].kind != PUBLISHED_FIRST &&
			        all->c[i].kind != PUBLISHED_AGAIN;
	return i;
}

void changes_days(struct maker *m, struct script *s, const struct page *p)
{
	struct changes all = changes_of(m->site, &m->scratch);
	size_t end = end_of_page(&all), rows = 0;
	(void)p;
	script_begin(s, "days", 0);
	for (size_t i = 0, k; i < end; i = k) {
		k = changes_day_end(&all, i);
		set_day(m, s, &all, i, k, &rows);
	}
	script_end(s);
	script_flag(s, "more", end < all.n);
}

bool changes_log(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	(void)p;
	(void)e;
	sb_str(to, published_bytes(&m->site->log->log));
	return true;
}

/* --- on a post ----------------------------------------------------------------------------- */

/* first, last: the log's first and last line of one number on the page; now: its present text. */
static void set_since(struct maker *m, struct script *s, const struct published *first,
                      const struct published *last, const struct published *now)
{
	const struct change c = {
	        .kind = PUBLISHED_CHANGED, .before = first, .now = now, .noted = ""};
	const char *verdict = changes_verdict(m->site->data, &c);
	bool noted = strcmp(last->text, now->text) == 0;
	script_begin(s, NULL, 10);
	set_name(m, s, now->number);
	script_cstr(s, "old_date", first->noted);
	script_cstr(s, "date", noted ? last->noted : "");
	script_cstr(s, "reason", noted && last->reason ? last->reason : "");
	set_number(m, s, "old", "old_range", first);
	/* a number without a placeholder's link is quoted from the log */
	set_number(m, s, "new", "new_range", noted && !now->quote ? last : now);
	script_cstr(s, "verdict", verdict ? verdict : "");
	script_end(s);
}

void changes_since(struct maker *m, struct script *s, const struct page *p)
{
	const struct log_check *n = m->site->log;
	size_t i = 0, end = 0, k = 0, now_end = 0;
	if (n && n->log.exists) {
		log_check_lines_of(n, p->url, &i, &end);
		log_check_now_of(n, p->url, &k, &now_end);
	}
	script_begin(s, "changes", 0);
	for (; k < now_end; k++) {
		const struct published *now = &n->now[k];
		while (i < end && strcmp(n->by_name[i]->number, now->number) < 0)
			i++;
		size_t first = i;
		while (i < end && strcmp(n->by_name[i]->number, now->number) == 0)
			i++;
		if (i > first && n->by_name[i - 1]->text &&
		    strcmp(n->by_name[first]->text, now->text) != 0)
			set_since(m, s, n->by_name[first], n->by_name[i - 1], now);
	}
	script_end(s);
}

/* --- the feed ------------------------------------------------------------------------------ */

/* Counts the rows of [from, to) that are on pages in the feed's language. */
static size_t count_rows(const struct maker *m, const struct changes *all, size_t from, size_t to)
{
	size_t rows = 0;
	for (size_t i = from, k; i < to; i = k) {
		k = changes_row_end(all, i);
		rows += !is_row_elsewhere(m, all, i, k);
	}
	return rows;
}

static const char *title_of(struct maker *m, const struct changes *all, size_t from, size_t to)
{
	const struct published *now = all->c[from].now;
	size_t rows = count_rows(m, all, from, to);
	const char *count =
	        arena_printf(&m->scratch, "%zu number%s changed", rows, rows == 1 ? "" : "s");
	if (now->reason)
		return arena_printf(&m->scratch, "%s: %s", count, now->reason);
	return now->run ? arena_printf(&m->scratch, "%s with run %s", count, now->run) : count;
}

static void put_item(struct maker *m, struct sb *to, const struct changes *all, size_t i)
{
	const struct change *c = &all->c[i];
	const struct words words = {m->site->config, m->site->config->language};
	struct change_name n = changes_name(m->site->data, &words, c->now->number, &m->scratch);
	const char *verdict = changes_verdict(m->site->data, c);
	html_raw(to, "<li>");
	html_text(to, str_of(n.name));
	if (*n.detail) {
		html_raw(to, " (");
		html_text(to, str_of(n.detail));
		html_raw(to, ")");
	}
	html_raw(to, ": ");
	put_noted(to, c->before, false);
	html_raw(to, " → ");
	put_noted(to, c->now, false);
	if (verdict) {
		html_raw(to, ", ");
		html_text(to, str_of(verdict));
	}
	const char *sep = "; ";
	for (size_t k = i; k < changes_row_end(all, i); k++) {
		const struct page *p = outputs_find(m->site, str_of(all->c[k].now->page));
		if (is_read_elsewhere(m, all->c[k].now->page))
			continue;
		html_raw(to, sep);
		sep = ", ";
		html_text(to, str_of(p ? p->text.title : all->c[k].now->page));
	}
	html_raw(to, "</li>\n");
}

static void put_entry(struct maker *m, struct sb *to, const struct changes *all, size_t from,
                      size_t end)
{
	struct sb body = {0};
	size_t rows = 0;
	const char *url = arena_printf(&m->scratch, "/changes/#%s",
	                               changes_anchor(&all->c[from], &m->scratch));
	feed_entry_begin(to, m->site->config, url, title_of(m, all, from, end), all->c[from].noted);
	html_raw(&body, "<ul>\n");
	for (size_t i = from, k; i < end && rows < FEED_ROWS; i = k) {
		k = changes_row_end(all, i);
		if (is_row_elsewhere(m, all, i, k))
			continue;
		put_item(m, &body, all, i);
		rows++;
	}
	html_raw(&body, "</ul>\n");
	sb_cstr(to, "<content type=\"html\">");
	html_xml(to, sb_view(&body));
	sb_cstr(to, "</content>\n</entry>\n");
	sb_free(&body);
}

bool changes_feed(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct config *c = m->site->config;
	struct changes all = changes_of(m->site, &m->scratch);
	size_t from = 0, entries = 0;
	(void)e;
	while (from < all.n && !*all.c[from].noted) /* only numbers in the log are published */
		from++;
	const struct feed_head head = {
	        .lang = c->languages[0].tag,
	        .title = arena_printf(&m->scratch, "%s: what changed", c->title),
	        .subtitle = "",
	        .self = p->url,
	        .page = "/changes/",
	        .updated = from < all.n ? all.c[from].noted : feed_oldest,
	};
	feed_begin(to, c, &head);
	for (size_t i = from, k; i < all.n && entries < FEED_ENTRIES; i = k) {
		k = changes_group_end(&all, i);
		if (all.c[i].kind != PUBLISHED_CHANGED || !count_rows(m, &all, i, k))
			continue;
		put_entry(m, to, &all, i, k);
		entries++;
	}
	sb_cstr(to, "</feed>\n");
	return true;
}
