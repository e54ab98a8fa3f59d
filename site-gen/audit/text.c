#include "site-gen/audit/text.h"

#include <string.h>

#include "lib/array.h"
#include "site-gen/lint/lint.h"

/* A title or summary, which may repeat numbers without links. */
struct audit_plain {
	struct str text;
	struct loc at;
	struct audit_plain *next;
};

/* Inline elements: a paragraph continues across them. */
static const char *const in_line[] = {"a",    "abbr",   "b",   "br",   "cite", "del", "em",
                                      "i",    "img",    "kbd", "mark", "q",    "s",   "small",
                                      "span", "strong", "sub", "sup",  "time"};
/* Elements that contain no prose. */
static const char *const silent[] = {"code",   "math",  "pre", "samp",
                                     "script", "style", "svg", "template"};
static const char *const silent_classes[] = {"num",   "waived",  "claim",      "goal",
                                             "bench", "mark",    "ci",         "facts",
                                             "meta",  "verdict", "references", "cite"};
/* Attributes that readers see or hear. */
static const char *const shown[] = {"title", "alt", "aria-label", "content", "placeholder"};

static bool is_one_of(struct str name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n && name.n; i++)
		if (list[i][0] == name.p[0] && str_is(name, list[i]))
			return true;
	return false;
}

#define IS_ONE_OF(name, list) is_one_of((name), (list), ARRAY_LEN(list))

bool audit_text_wanted(const char *path)
{
	static const char *const made[] = {"changes/", "compared/",    "freshness/", "kernels/",
	                                   "numbers/", "predictions/", "rules/",     "runs/",
	                                   "waivers/", "changes.xml",  "sitemap.xml"};
	for (size_t i = 0; i < ARRAY_LEN(made); i++) {
		const char *at = strstr(path, made[i]);
		/* at the top level, or in the folder of a language */
		if (at && (at == path ||
		           (at[-1] == '/' && memchr(path, '/', (size_t)(at - path)) == at - 1)))
			return false;
	}
	return true;
}

/* --- findings -------------------------------------------------------------------------------- */

/* What records say where the site says this text; NULL: the same. */
static const char *recorded_as(const struct words *names, struct str text)
{
	const struct config *c = names->config;
	for (size_t i = 0; c && i < c->nwords; i++)
		if (strcmp(c->word[i].lang, names->lang) == 0 && str_is(text, c->word[i].text))
			return c->word[i].key;
	return NULL;
}

/* Does a record say the text, in its own words or in those that the site has for them? */
static bool is_said(struct str text, const char *other, const char *recorded)
{
	return str_is(text, recorded) || (other && recorded && strcmp(other, recorded) == 0);
}

/* Does the text come from a record? */
static bool is_of_record(const struct audit *a, struct str text)
{
	const struct data *d = a->data;
	text = str_trim(text);
	const char *other = recorded_as(&a->names, text);
	for (size_t i = 0; i < d->nruns; i++) {
		const char *reason = d->runs[i].run.head.reason;
		if (reason && str_is(text, reason))
			return true;
		for (size_t k = 0; k < d->runs[i].run.ncases; k++) {
			const struct run_case *c = &d->runs[i].run.cases[k];
			if (str_is(text, c->problem) || is_said(text, other, c->idea) ||
			    is_said(text, other, c->family_title) ||
			    is_said(text, other, c->variant_title))
				return true;
		}
	}
	return false;
}

/* Does an occurrence of `name` in the text cover [start, end)? */
static bool covers(struct str text, const char *name, size_t start, size_t end)
{
	size_t n = name ? strlen(name) : 0;
	for (size_t at = 0; n && at + n <= text.n; at++) {
		const char *hit = memmem(text.p + at, text.n - at, name, n);
		if (!hit)
			return false;
		at = (size_t)(hit - text.p);
		if (at <= start && end <= at + n)
			return true;
	}
	return false;
}

/* Some names of processors contain a clock: "… Processor @ 2.80GHz". */
static bool is_in_machine_name(const struct data *d, struct str text, struct lint_finding f)
{
	for (size_t i = 0; i < d->nruns; i++) {
		const struct run_head *h = &d->runs[i].run.head;
		if (covers(text, h->machine.cpu, f.start, f.end) ||
		    covers(text, h->gpu.name, f.start, f.end))
			return true;
	}
	return false;
}

static bool contains(struct str text, struct str part)
{
	return part.n && memmem(text.p, text.n, part.p, part.n);
}

/* The text as a record has it: pages keep a number beside its unit. The caller frees it. */
static struct sb spaced(struct str text)
{
	struct sb out = {0};
	for (size_t i = 0; i < text.n; i++)
		if (str_starts(str_sub(text, i, text.n), NBSP)) {
			sb_char(&out, ' ');
			i += strlen(NBSP) - 1;
		} else {
			sb_char(&out, text.p[i]);
		}
	return out;
}

/* Is it said where the text gives a record's reason why a case was not measured? */
static bool is_in_reason(const struct data *d, struct str text, struct str what)
{
	struct sb all = spaced(text), part = spaced(what);
	bool found = false;
	for (size_t i = 0; i < d->nruns && !found; i++)
		for (size_t k = 0; k < d->runs[i].run.ncases && !found; k++) {
			const char *why = d->runs[i].run.cases[k].unavailable;
			found = why && contains(str_of(why), sb_view(&part)) &&
			        contains(sb_view(&all), str_of(why));
		}
	sb_free(&all);
	sb_free(&part);
	return found;
}

enum { MOST_FINDINGS = 16 };

/* A number that may be that of an imported post, which says so at its end. */
struct audit_typed {
	struct str what;
	const char *kind;
	struct loc at;
	struct audit_typed *next;
};

static void say(struct audit *a, struct loc at, struct str what, const char *kind)
{
	problems_rule(a->found, RULE_TRACED, at,
	              "'" STR_FMT "' is %s without a source: it is neither looked up nor waived",
	              STR_ARG(what), kind);
}

static void keep_typed(struct audit_text *t, struct loc at, struct str what, const char *kind)
{
	struct audit_typed *f = ARENA_NEW(t->a->records.a, struct audit_typed);
	*f = (struct audit_typed){str_keep(t->a->records.a, what), kind, at, t->typed};
	f->at.path = arena_strdup(t->a->records.a, at.path);
	t->typed = f;
}

/*
 * Finds numbers only: comparisons without one are held where they are written, and the
 * pages repeat the titles that waive them. Returns how many are in `f`.
 */
static size_t numbers_in(const struct audit *a, struct str text, struct lint_finding *f)
{
	size_t all = lint_text(a->lint, text, f, MOST_FINDINGS), n = 0;
	for (size_t i = 0; i < all && i < MOST_FINDINGS; i++)
		if (f[i].what != lint_comparison)
			f[n++] = f[i];
	return n;
}

static void flush(struct audit_text *t, const struct audit_html *h)
{
	struct lint_finding f[MOST_FINDINGS];
	struct str text = sb_view(&t->text);
	size_t n = t->from ? numbers_in(t->a, text, f) : 0;
	if (n && is_of_record(t->a, text))
		n = 0;
	for (size_t i = 0; i < n; i++) {
		if (is_in_machine_name(t->a->data, text, f[i]))
			continue;
		struct str what = str_sub(text, f[i].start, f[i].end);
		size_t rest = (size_t)(h->src.p + h->src.n - t->from);
		const char *at = memmem(t->from, rest, what.p, what.n);
		keep_typed(t, audit_html_loc(h, at ? at : t->from), what, f[i].what);
	}
	sb_clear(&t->text);
	t->from = NULL;
}

/* --- titles and summaries: a number of the site becomes one word ------------------------------ */

void audit_text_number(struct audit *a, struct str text)
{
	if (!a->lint)
		return;
	sb_str(&a->numbers, text);
	sb_char(&a->numbers, '\n');
}

static bool is_figure(char c)
{
	return (c >= '0' && c <= '9') || c == '.';
}

/* Is what stands from `from` to `to` a part of a longer figure, as "4" is of "14.64"? */
static bool is_within(const struct sb *text, size_t from, size_t to)
{
	return (from > 0 && is_figure(text->p[from]) && is_figure(text->p[from - 1])) ||
	       (to < text->n && is_figure(text->p[to - 1]) && is_figure(text->p[to]) &&
	        (text->p[to] != '.' || (to + 1 < text->n && is_figure(text->p[to + 1]))));
}

static void take_out(struct sb *text, struct str number)
{
	const char *at;
	size_t from = 0;
	while (number.n && text->n - from >= number.n &&
	       (at = memmem(text->p + from, text->n - from, number.p, number.n))) {
		from = (size_t)(at - text->p);
		size_t to = from + number.n;
		if (is_within(text, from, to)) {
			from++;
			continue;
		}
		struct sb out = {0};
		sb_put(&out, text->p, from);
		sb_cstr(&out, LINT_OPAQUE);
		sb_put(&out, text->p + to, text->n - to);
		sb_free(text);
		*text = out;
		from += strlen(LINT_OPAQUE);
	}
}

/* Is it a number of an imported post, whose title and description other pages repeat? */
static bool is_imported(const struct audit *a, struct str what)
{
	struct str all = sb_view(&a->imported), one;
	bool found = false;
	while (all.n && !found) {
		str_cut(all, '\n', &one, &all);
		found = str_eq(one, what);
	}
	return found;
}

static void check_plain(struct audit *a, const struct audit_plain *p)
{
	struct lint_finding f[MOST_FINDINGS];
	struct sb text = {0};
	struct str all = sb_view(&a->numbers), one;
	sb_str(&text, p->text);
	for (bool more = true; more;) {
		more = str_cut(all, '\n', &one, &all);
		take_out(&text, one);
	}
	size_t n = numbers_in(a, sb_view(&text), f);
	for (size_t i = 0; i < n; i++) {
		struct str what = str_sub(sb_view(&text), f[i].start, f[i].end);
		if (!is_in_machine_name(a->data, sb_view(&text), f[i]) &&
		    !is_in_reason(a->data, p->text, what) && !is_imported(a, what))
			say(a, p->at, what, f[i].what);
	}
	sb_free(&text);
}

void audit_text_finish(struct audit *a)
{
	for (const struct audit_plain *p = a->plain; p; p = p->next)
		check_plain(a, p);
	sb_free(&a->numbers);
	sb_free(&a->imported);
}

/* Keeps a text for audit_text_finish() if the lint finds a number in it, which is rare. */
/* Not prose: in the percent signs of an address there is no share of anything. */
static bool is_address(struct str text)
{
	return str_starts(text, "0; url=") || (text.n && memmem(text.p, text.n, "://", 3));
}

static void keep_plain(struct audit_text *t, const struct audit_html *h, struct str written)
{
	struct arena *a = t->a->records.a;
	struct lint_finding first[MOST_FINDINGS];
	struct sb text = {0};
	audit_html_plain(&text, written);
	if (!is_address(sb_view(&text)) && numbers_in(t->a, sb_view(&text), first) > 0 &&
	    !is_of_record(t->a, sb_view(&text))) {
		struct audit_plain *p = ARENA_NEW(a, struct audit_plain);
		p->text = str_keep(a, sb_view(&text));
		p->at = audit_html_loc(h, written.p);
		p->at.path = arena_strdup(a, p->at.path);
		p->next = t->a->plain;
		t->a->plain = p;
	}
	sb_free(&text);
}

/* --- a page ----------------------------------------------------------------------------------- */

static bool is_silent(const struct audit_html *h)
{
	if (IS_ONE_OF(h->name, silent))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(silent_classes); i++)
		if (audit_html_class(h, silent_classes[i]))
			return true;
	return false;
}

/* A text that repeats a title or description, or a link's text: its numbers cannot be links. */
static bool repeats(const struct audit_html *h)
{
	return str_is(h->name, "a") || str_is(h->name, "nav") || str_is(h->name, "title") ||
	       str_is(h->name, "subtitle") || str_is(h->name, "summary") ||
	       (h->xml && str_is(h->name, "description")) || audit_html_class(h, "dek");
}

static void keep_attributes(struct audit_text *t, const struct audit_html *h)
{
	for (size_t i = 0; !h->xml && i < h->nattributes; i++) {
		struct str value = h->attribute[i].value;
		if (IS_ONE_OF(h->attribute[i].name, shown) && value.n)
			keep_plain(t, h, value);
	}
}

void audit_text_start(struct audit_text *t, const struct audit_html *h)
{
	if (!t->wanted || t->skip)
		return;
	if (!IS_ONE_OF(h->name, in_line) && !IS_ONE_OF(h->name, silent))
		flush(t, h);
	if (is_silent(h)) {
		t->numbers |= audit_html_class(h, "num") && !audit_html_class(h, "cited");
		sb_cstr(&t->text, LINT_OPAQUE);
		t->skip = h->empty ? 0 : h->depth;
		return;
	}
	if (!t->repeats && !h->empty && repeats(h)) {
		sb_cstr(&t->text, LINT_OPAQUE);
		t->repeats = h->depth;
	}
	if (audit_html_class(h, "imported"))
		t->imported = true;
	keep_attributes(t, h);
}

void audit_text_end(struct audit_text *t, const struct audit_html *h)
{
	if (!t->wanted)
		return;
	if (t->skip && h->depth < t->skip) {
		t->skip = 0;
	} else if (!t->skip && !IS_ONE_OF(h->name, in_line)) {
		flush(t, h);
	}
	if (h->depth < t->repeats)
		t->repeats = 0;
}

void audit_text_add(struct audit_text *t, const struct audit_html *h)
{
	/* addresses: their % escapes look like percentages */
	static const char *const addresses[] = {"id", "link", "guid"};
	bool address = h->xml && h->depth && IS_ONE_OF(h->open[h->depth - 1], addresses);
	if (!t->wanted || t->skip || address)
		return;
	if (t->repeats) {
		keep_plain(t, h, h->text);
		return;
	}
	if (!t->from)
		t->from = h->text.p;
	audit_html_plain(&t->text, h->text);
}

/* The words of an imported post, and of its titles, links and pictures, may be repeated. */
static void keep_imported(struct audit_text *t)
{
	for (const struct audit_typed *f = t->typed; f; f = f->next)
		sb_printf(&t->a->imported, STR_FMT "\n", STR_ARG(f->what));
	for (const struct audit_plain *p = t->a->plain; p != t->before; p = p->next) {
		struct lint_finding f[MOST_FINDINGS];
		size_t n = numbers_in(t->a, p->text, f);
		for (size_t i = 0; i < n; i++)
			sb_printf(&t->a->imported, STR_FMT "\n",
			          STR_ARG(str_sub(p->text, f[i].start, f[i].end)));
	}
}

void audit_text_done(struct audit_text *t, const struct audit_html *h)
{
	if (t->wanted)
		flush(t, h);
	const bool excused = t->imported && !t->numbers;
	if (excused)
		keep_imported(t);
	for (const struct audit_typed *f = t->typed; f && !excused; f = f->next)
		say(t->a, f->at, f->what, f->kind);
	sb_free(&t->text);
}
