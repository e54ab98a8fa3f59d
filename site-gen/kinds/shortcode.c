/*
 * shortcode: a template of the author's own, templates/shortcodes/NAME.html, with the words and
 * keys of the placeholder. What it prints is checked: it can neither run nor load anything, nor
 * print a performance number, nor markup that stands for a measured one.
 */
#include "site-gen/kinds/shortcode.h"

#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/base/html_scan.h"
#include "site-gen/base/rules.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/lint/lint.h"
#include "site-gen/lua/template.h"

enum { MOST_DEPTH = 32 };

static bool is_among(struct str name, const char *const *list, size_t n)
{
	size_t i = 0;
	while (i < n && !str_is(name, list[i]))
		i++;
	return i < n;
}
#define IS_AMONG(name, list) is_among((name), (list), ARRAY_LEN(list))

/* --- the check of what it printed --- */

static const char *const tags[] = {
        "a",       "abbr",  "aside", "b",      "blockquote", "br",     "cite",  "code",  "dd",
        "del",     "div",   "dl",    "dt",     "em",         "h3",     "h4",    "hr",    "i",
        "kbd",     "li",    "mark",  "ol",     "p",          "pre",    "q",     "s",     "samp",
        "section", "small", "span",  "strong", "sub",        "sup",    "table", "tbody", "td",
        "th",      "thead", "tr",    "ul",     "details",    "summary"};
static const char *const empty_tags[] = {"br", "hr"};
static const char *const attributes[] = {"class", "href", "lang",    "title",
                                         "scope", "open", "colspan", "rowspan"};
/* Classes by which readers and the audit know numbers that were measured, or excused. */
static const char *const reserved[] = {"num",  "waived",   "claim",     "goal", "bench",
                                       "mark", "ci",       "facts",     "meta", "verdict",
                                       "cite", "imported", "references"};

static bool check_classes(struct str all, struct err *e)
{
	struct str one;
	for (bool more = true; more;) {
		more = str_cut(all, ' ', &one, &all);
		if (IS_AMONG(one, reserved))
			return err_set(e,
			               "it prints the class '" STR_FMT
			               "', which stands for a measured number",
			               STR_ARG(one));
	}
	return true;
}

static bool is_address(struct str written)
{
	struct sb plain = {0};
	html_scan_plain(&plain, written);
	/* browsers know more entities than we write: "javascript&colon;" */
	size_t entity = str_find(sb_view(&plain), '&', 0);
	bool ok = html_url_allowed(sb_view(&plain)) &&
	          str_find(sb_view(&plain), ';', entity) >= plain.n;
	sb_free(&plain);
	return ok;
}

/* Also appends the words of its title. */
static bool check_tag(struct html_scan *h, struct sb *text, struct err *e)
{
	struct str name, value;
	if (!IS_AMONG(h->name, tags))
		return err_set(e, "it prints <" STR_FMT ">, which is not allowed there",
		               STR_ARG(h->name));
	while (html_scan_attribute(h, &name, &value)) {
		if (!IS_AMONG(name, attributes))
			return err_set(e,
			               "it prints the attribute '" STR_FMT
			               "', which is not allowed there",
			               STR_ARG(name));
		if (str_is(name, "title")) {
			html_scan_plain(text, value);
			sb_cstr(text, "; ");
		}
		if (str_is(name, "href") && !is_address(value))
			return err_set(e,
			               "it prints the address '" STR_FMT
			               "', expected http:, https:, mailto:, a path or '#…'",
			               STR_ARG(value));
		if (str_is(name, "class") && !check_classes(value, e))
			return false;
	}
	return true;
}

/* Also appends the text, an element's end as a space. */
static bool check_markup(struct str html, struct sb *text, struct err *e)
{
	struct html_scan h = html_scan(html);
	struct str open[MOST_DEPTH];
	size_t depth = 0;
	enum html_token t;
	while ((t = html_scan_next(&h)) != HTML_NONE) {
		if (t == HTML_BROKEN || t == HTML_COMMENT)
			return err_set(e, "its markup is broken or has a comment");
		if (t == HTML_TEXT) {
			html_scan_plain(text, h.token);
			continue;
		}
		sb_char(text, ' ');
		if (t == HTML_END && (depth == 0 || !str_eq(open[--depth], h.name)))
			return err_set(e, "</" STR_FMT "> closes no open element", STR_ARG(h.name));
		if (t != HTML_START)
			continue;
		struct str name = h.name;
		if (!check_tag(&h, text, e))
			return false;
		if (IS_AMONG(name, empty_tags))
			continue;
		if (depth == MOST_DEPTH)
			return err_set(e, "more than %d elements inside each other", MOST_DEPTH);
		open[depth++] = name;
	}
	return depth == 0 || err_set(e, "<" STR_FMT "> is not closed", STR_ARG(open[depth - 1]));
}

static bool check(const struct lint *l, struct str html, struct err *e)
{
	struct sb text = {0};
	struct lint_finding f;
	bool ok = check_markup(html, &text, e);
	if (ok && l && lint_text(l, sb_view(&text), &f, 1) > 0) {
		err_set(e, "'" STR_FMT "' is %s typed by hand, expected words or a placeholder",
		        STR_ARG(str_sub(sb_view(&text), f.start, f.end)), f.what);
		ok = rule_mark(e, RULE_TRACED);
	}
	sb_free(&text);
	return ok;
}

/* --- running it --- */

/* arg("name", "otherwise") */
static bool call_arg(void *ctx, const struct str *arg, struct sb *to, struct err *e)
{
	const struct shortcodes *s = ctx;
	(void)e;
	for (size_t i = 0; i < s->now->nkeys; i++)
		if (str_eq(s->now->key[i].name, arg[0])) {
			sb_str(to, s->now->key[i].value);
			return true;
		}
	sb_str(to, arg[1]);
	return true;
}

/* url("/about/") */
static bool call_url(void *ctx, const struct str *arg, struct sb *to, struct err *e)
{
	const struct shortcodes *s = ctx;
	(void)e;
	sb_cstr(to, str_starts(arg[0], "/") ? s->base : "");
	sb_str(to, arg[0]);
	return true;
}

static const struct script_function functions[] = {
        {"arg", 2, false, call_arg},
        {"url", 1, false, call_url},
};

static void set_variables(struct script *s, void *ctx)
{
	const struct kind_call *k = ctx;
	const struct placeholder *p = k->p;
	script_begin(s, "args", (int)p->nkeys);
	for (size_t i = 0; i < p->nkeys; i++)
		script_text(s, str_dup(k->ctx->arena, p->key[i].name), p->key[i].value);
	script_end(s);
	script_begin(s, "words", 0);
	for (size_t i = 1; i < p->nwords; i++)
		script_text(s, NULL, p->word[i]);
	script_end(s);
}

/* All templates of shortcodes, compiled once in each process. */
static bool compile(struct shortcodes *s, struct err *e)
{
	struct script *all = script_new();
	for (size_t i = 0; i < s->n; i++)
		if (strncmp(s->all[i].name, SHORTCODE_FOLDER, strlen(SHORTCODE_FOLDER)) == 0 &&
		    !template_add(all, &s->all[i], e)) {
			script_free(all);
			return false;
		}
	for (size_t i = 0; i < ARRAY_LEN(functions); i++)
		script_define(all, &functions[i], s);
	s->script = all;
	return true;
}

/* "shortcodes/NAME.html"; NULL, with the error: there is none. */
static const char *template_of(const struct kind_call *k, struct err *e)
{
	const struct shortcodes *s = k->ctx->shortcodes;
	struct str name = k->p->word[0];
	const char *file =
	        arena_printf(k->ctx->arena, SHORTCODE_FOLDER STR_FMT ".html", STR_ARG(name));
	struct sb all = {0};
	for (size_t i = 0; s && i < s->n; i++) {
		struct str own = str_of(s->all[i].name);
		if (strcmp(s->all[i].name, file) == 0)
			return s->all[i].name;
		if (str_starts(own, SHORTCODE_FOLDER) && str_ends(own, ".html"))
			sb_printf(&all, "%s" STR_FMT, all.n ? ", " : "",
			          STR_ARG(str_sub(own, strlen(SHORTCODE_FOLDER), own.n - 5)));
	}
	err_at(e, placeholder_loc(k->p, name), "no shortcode '" STR_FMT "', expected %s%s",
	       STR_ARG(name), all.n ? "one of " : "templates/", all.n ? all.p : file);
	sb_free(&all);
	return NULL;
}

bool kind_shortcode(struct kind_call *k, struct err *e)
{
	struct shortcodes *s = k->ctx->shortcodes;
	struct err why = ERR_NONE;
	struct sb html = {0};
	const char *name = template_of(k, e);
	if (!name || (!s->script && !compile(s, e)))
		return false;
	s->now = k->p;
	s->base = k->ctx->base;
	bool ok = script_render(s->script, name, set_variables, k, &html, &why) &&
	          check(k->ctx->lint, sb_view(&html), &why);
	if (ok)
		sb_str(k->to, sb_view(&html));
	else
		err_at(e, k->p->at, "shortcode '" STR_FMT "': %s", STR_ARG(k->p->word[0]),
		       why.text);
	sb_free(&html);
	return ok;
}
