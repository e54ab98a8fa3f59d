/*
 * document -> [ '<?xml' … '?>' ] blank element blank
 * element  -> '<' name { blank name '=' quote value quote } ( '/>' | '>' content '</' name '>' )
 * content  -> { element | text | '&' entity ';' }
 *
 * To allow an element or an attribute, add its name to one of the lists. It must not be able to
 * refer outside of the file.
 */
#include "site-gen/site/svg.h"

#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"

enum { MAX_DEPTH = 64, MAX_FOUND = 32 };

static const char elements[] =
        " svg g defs title desc text tspan style path rect circle ellipse line polyline polygon "
        "marker linearGradient radialGradient stop clipPath mask pattern symbol use ";

static const char attributes[] =
        " id class style type media lang xml:lang xml:space version role aria-label "
        "aria-labelledby aria-describedby aria-hidden focusable data-waive transform "
        "transform-origin d pathLength x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy rotate width "
        "height viewBox preserveAspectRatio points textLength lengthAdjust offset gradientUnits "
        "gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits patternUnits "
        "patternContentUnits patternTransform markerWidth markerHeight markerUnits refX refY "
        "orient href xlink:href fill fill-opacity fill-rule stroke stroke-width stroke-opacity "
        "stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset "
        "opacity color display visibility overflow font font-family font-size font-weight "
        "font-style font-variant font-stretch letter-spacing word-spacing text-anchor "
        "text-decoration dominant-baseline alignment-baseline baseline-shift writing-mode "
        "direction unicode-bidi clip-path clip-rule mask marker marker-start marker-mid "
        "marker-end paint-order shape-rendering text-rendering color-interpolation vector-effect "
        "pointer-events stop-color stop-opacity ";

const char svg_advice[] =
        "write it in the text, with a placeholder, or waive it: data-waive=\"why\" on its element";

struct open {
	struct str name;
	const char *why; /* its data-waive, or NULL */
	struct loc why_at;
	bool waives; /* it waived a finding */
};

struct reader {
	struct str s;
	const char *path;
	size_t i;
	struct open open[MAX_DEPTH];
	size_t depth;
	size_t text_depth; /* depth of the element whose text is read; 0: none */
	struct sb text;
	size_t *from, from_cap; /* position in the file of each byte of `text` */
	const struct lint *lint;
	const char *advice;
	struct arena *a;
	struct svg_said *out;
	struct err *e;
};

static struct loc place(const struct reader *r, size_t at)
{
	return str_loc(r->s, r->path, r->s.p + at);
}

static bool has_word(const char *list, struct str word)
{
	for (const char *p = list; word.n && (p = memmem(p, strlen(p), word.p, word.n)); p++)
		if (p[-1] == ' ' && p[word.n] == ' ')
			return true;
	return false;
}

bool svg_has_element(struct str name)
{
	return has_word(elements, name);
}

bool svg_has_attribute(struct str name)
{
	return has_word(attributes, name) || str_is(name, "xmlns") || str_is(name, "xmlns:xlink");
}

static bool at(const struct reader *r, const char *what)
{
	return str_starts(str_sub(r->s, r->i, r->s.n), what);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool skip_blank(struct reader *r)
{
	size_t from = r->i;
	while (r->i < r->s.n && is_blank(r->s.p[r->i]))
		r->i++;
	return r->i > from;
}

static struct str take_name(struct reader *r)
{
	size_t from = r->i;
	while (r->i < r->s.n && !is_blank(r->s.p[r->i]) && !strchr("<>/='\"&", r->s.p[r->i]))
		r->i++;
	return str_sub(r->s, from, r->i);
}

/* --- characters ---------------------------------------------------------------- */

/* Appends the entity at the '&' at `i` as UTF-8. Returns its length in bytes, or 0 and an error. */
static size_t entity(struct reader *r, size_t i, struct sb *to)
{
	static const struct {
		const char *name;
		char c;
	} named[] = {
	        {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
	struct str rest = str_sub(r->s, i, r->s.n);
	for (size_t k = 0; k < ARRAY_LEN(named); k++)
		if (str_starts(rest, named[k].name)) {
			sb_char(to, named[k].c);
			return strlen(named[k].name);
		}
	bool hex = str_starts(rest, "&#x");
	uint32_t v = 0;
	size_t k = hex ? 3 : 2;
	for (; str_starts(rest, "&#") && k < rest.n && k < 10; k++) {
		char c = rest.p[k], l = c | 0x20;
		if (c >= '0' && c <= '9')
			v = v * (hex ? 16 : 10) + (uint32_t)(c - '0');
		else if (hex && l >= 'a' && l <= 'f')
			v = v * 16 + (uint32_t)(l - 'a' + 10);
		else
			break;
	}
	if (k < rest.n && rest.p[k] == ';' && v && html_char_allowed(v)) {
		sb_utf8(to, v);
		return k + 1;
	}
	err_at(r->e, place(r, i),
	       "'&' is no character of XML here, expected &amp;, &lt;, &gt;, &quot;, &apos; or "
	       "&#…;");
	return 0;
}

/* --- external references ------------------------------------------------------- */

static bool contains(struct str s, const char *word)
{
	size_t n = strlen(word);
	for (size_t i = 0; i + n <= s.n; i++) {
		size_t k = 0;
		while (k < n &&
		       (s.p[i + k] | (word[k] >= 'a' && word[k] <= 'z' ? 0x20 : 0)) == word[k])
			k++;
		if (k == n)
			return true;
	}
	return false;
}

/* Does each "url(" refer to an id of the same file? */
static bool urls_stay(struct str s)
{
	for (size_t i = 0; i + 4 <= s.n; i++) {
		if (!contains(str_sub(s, i, i + 4), "url("))
			continue;
		size_t k = i + 4;
		while (k < s.n && (is_blank(s.p[k]) || s.p[k] == '"' || s.p[k] == '\''))
			k++;
		if (k == s.n || s.p[k] != '#')
			return false;
	}
	return true;
}

/* Checks a value or a style sheet at position `i` for external references. */
static bool stays_inside(struct reader *r, struct str value, size_t i)
{
	static const char *const ways[] = {"javascript:",  "data:", "@import",
	                                   "image-set",    "src(",  "expression(",
	                                   "-moz-binding", "\\"};
	for (size_t k = 0; k < ARRAY_LEN(ways); k++)
		if (contains(value, ways[k]))
			return err_at(r->e, place(r, i),
			              "'%s' may lead out of the drawing, expected shapes and text "
			              "only",
			              ways[k]);
	return urls_stay(value) ||
	       err_at(r->e, place(r, i), "'url(' leads out of the drawing, expected 'url(#id)'");
}

/* --- texts --------------------------------------------------------------------- */

static void put_text(struct reader *r, struct str s, size_t where)
{
	for (size_t k = 0; k < s.n; k++) {
		r->from = arena_grow(r->a, r->from, r->text.n, &r->from_cap, sizeof *r->from);
		r->from[r->text.n] = where;
		sb_char(&r->text, s.p[k]);
	}
}

/* The innermost open element with a waiver, or NULL. */
static struct open *waiving(struct reader *r)
{
	for (size_t k = r->depth; k > 0; k--)
		if (r->open[k - 1].why)
			return &r->open[k - 1];
	return NULL;
}

static void keep_waiver(struct reader *r, struct open *o, struct str text)
{
	struct waiver *w = ARENA_NEW(r->a, struct waiver);
	*w = (struct waiver){.rule = RULE_TRACED,
	                     .in = "picture",
	                     .why = o->why,
	                     .text = str_dup(r->a, text),
	                     .at = o->why_at,
	                     .next = r->out->waivers};
	r->out->waivers = w;
	o->waives = true;
}

/* Checks one text of the drawing; its bytes are at from[0], from[1], … in the file. */
static void lint(struct reader *r, struct str text, const size_t *from)
{
	struct lint_finding found[MAX_FOUND];
	size_t n = r->lint && text.n ? lint_text(r->lint, text, found, MAX_FOUND) : 0;
	struct open *waives = n ? waiving(r) : NULL;
	if (waives) {
		keep_waiver(r, waives, str_trim(text));
		return;
	}
	for (size_t k = 0; k < n && k < MAX_FOUND; k++) {
		struct str what = str_sub(text, found[k].start, found[k].end);
		what = str_keep(r->a, what);
		traced_add(&r->out->found, r->a, place(r, from[found[k].start]), what,
		           found[k].what, r->advice);
	}
}

static void lint_label(struct reader *r, struct str value, size_t i)
{
	size_t *from = ARENA_ARRAY(r->a, size_t, value.n + 1);
	for (size_t k = 0; k < value.n; k++)
		from[k] = i;
	lint(r, value, from);
}

/* Reads text up to the next tag. */
static bool read_text(struct reader *r)
{
	const struct open *o = r->depth ? &r->open[r->depth - 1] : NULL;
	size_t from = r->i;
	if (o && str_is(o->name, "style")) {
		r->i = str_find(r->s, '<', from);
		struct str sheet = str_sub(r->s, from, r->i);
		if (memchr(sheet.p, '&', sheet.n))
			return err_at(r->e, place(r, from + str_find(sheet, '&', 0)),
			              "'&' in a style sheet, expected it without entities");
		return stays_inside(r, sheet, from);
	}
	struct sb decoded = {0};
	while (r->i < r->s.n && r->s.p[r->i] != '<') {
		size_t i = r->i, n = 1;
		sb_clear(&decoded);
		if (r->s.p[i] != '&')
			sb_char(&decoded, r->s.p[i]);
		else if (!(n = entity(r, i, &decoded)))
			break;
		if (!r->text_depth && !is_blank(r->s.p[i])) {
			err_at(r->e, place(r, i), "text outside of <text>, <title> and <desc>");
			break;
		}
		if (r->text_depth)
			put_text(r, sb_view(&decoded), i);
		r->i += n;
	}
	sb_free(&decoded);
	return !r->e->set;
}

/* --- tags ---------------------------------------------------------------------- */

static bool is_reference(struct str name)
{
	return str_is(name, "href") || str_is(name, "xlink:href");
}

static bool check_namespace(struct reader *r, struct str name, struct str value, size_t i)
{
	const char *want = str_is(name, "xmlns") ? "http://www.w3.org/2000/svg"
	                                         : "http://www.w3.org/1999/xlink";
	return str_is(value, want) ||
	       err_at(r->e, place(r, i), "the namespace '" STR_FMT "' is no drawing's, expected %s",
	              STR_ARG(value), want);
}

static bool check_attribute(struct reader *r, struct open *o, struct str name, struct str value,
                            size_t i)
{
	if (str_is(name, "xmlns") || str_is(name, "xmlns:xlink"))
		return check_namespace(r, name, value, i);
	if (!has_word(attributes, name))
		return err_at(r->e, place(r, i),
		              "the attribute '" STR_FMT
		              "' may do more than draw, expected those of "
		              "shapes and text only",
		              STR_ARG(name));
	if (is_reference(name) && !str_starts(value, "#"))
		return err_at(r->e, place(r, i),
		              "'" STR_FMT "' leads out of the drawing, expected '#id'",
		              STR_ARG(name));
	if (str_is(name, "data-waive")) {
		o->why = str_dup(r->a, str_trim(value));
		o->why_at = place(r, i);
		return *o->why || err_at(r->e, place(r, i), "data-waive without a reason");
	}
	return str_is(name, "aria-label") || stays_inside(r, value, i);
}

/* name '=' '"' value '"' */
static bool read_attribute(struct reader *r, struct open *o, struct str *label)
{
	size_t start = r->i;
	struct str name = take_name(r);
	skip_blank(r);
	bool ok = name.n && at(r, "=");
	r->i += ok;
	skip_blank(r);
	char quote = ok && r->i < r->s.n ? r->s.p[r->i] : 0;
	size_t end = quote == '"' || quote == '\'' ? str_find(r->s, quote, r->i + 1) : r->s.n;
	if (end == r->s.n || memchr(r->s.p + r->i, '<', end - r->i))
		return err_at(r->e, place(r, start), "expected an attribute: name=\"value\"");
	struct sb value = {0};
	for (size_t i = r->i + 1, n; i < end && !r->e->set; i += n) {
		n = 1;
		if (r->s.p[i] != '&')
			sb_char(&value, r->s.p[i]);
		else if (!(n = entity(r, i, &value)))
			break;
	}
	struct str copy = str_keep(r->a, sb_view(&value));
	sb_free(&value);
	r->i = end + 1;
	if (str_is(name, "aria-label"))
		*label = copy;
	return !r->e->set && check_attribute(r, o, name, copy, start);
}

static bool holds_text(struct str name)
{
	return str_is(name, "text") || str_is(name, "title") || str_is(name, "desc");
}

static void close_element(struct reader *r)
{
	struct open *o = &r->open[r->depth - 1];
	if (r->text_depth == r->depth) {
		lint(r, sb_view(&r->text), r->from);
		sb_clear(&r->text);
		r->text_depth = 0;
	}
	if (o->why && !o->waives && r->lint)
		traced_add_message(&r->out->found, r->a, o->why_at,
		                   "the waiver waives nothing, expected a number typed by hand "
		                   "inside");
	r->depth--;
}

static bool open_element(struct reader *r)
{
	size_t start = r->i++;
	struct str name = take_name(r), label = {0};
	if (!has_word(elements, name))
		return err_at(r->e, place(r, start),
		              "'<" STR_FMT ">' may do more than draw, expected one of " STR_FMT,
		              STR_ARG(name), STR_ARG(str_trim(str_of(elements))));
	if (r->depth && str_is(r->open[r->depth - 1].name, "style"))
		return err_at(r->e, place(r, start), "an element inside of <style>");
	if (r->depth == MAX_DEPTH)
		return err_at(r->e, place(r, start), "elements are nested more than %d deep",
		              MAX_DEPTH);
	if (!r->depth && !str_is(name, "svg"))
		return err_at(r->e, place(r, start), "expected <svg> first");
	struct open *o = &r->open[r->depth++];
	*o = (struct open){.name = name};
	while (skip_blank(r) && !at(r, ">") && !at(r, "/>"))
		if (!read_attribute(r, o, &label))
			return false;
	if (label.n)
		lint_label(r, label, start);
	if (!r->text_depth && holds_text(name))
		r->text_depth = r->depth;
	else if (r->text_depth) /* a tspan is often a line of its own */
		put_text(r, STR(" "), start);
	if (at(r, "/>")) {
		r->i += 2;
		close_element(r);
		return true;
	}
	if (!at(r, ">"))
		return err_at(r->e, place(r, start), "the tag <" STR_FMT "> does not end",
		              STR_ARG(name));
	r->i++;
	return true;
}

static bool read_close(struct reader *r)
{
	size_t start = r->i;
	r->i += 2;
	struct str name = take_name(r);
	skip_blank(r);
	if (!r->depth || !str_eq(name, r->open[r->depth - 1].name) || !at(r, ">"))
		return err_at(r->e, place(r, start), "</" STR_FMT "> closes nothing that is open",
		              STR_ARG(name));
	r->i++;
	close_element(r);
	return true;
}

static bool read_tag(struct reader *r)
{
	if (at(r, "<!--"))
		return err_at(r->e, place(r, r->i),
		              "a comment is published with the drawing; remove it");
	if (at(r, "<!"))
		return err_at(r->e, place(r, r->i),
		              "'<!' of a document type or CDATA may hold anything; remove it");
	if (at(r, "<?"))
		return err_at(r->e, place(r, r->i), "'<?' may load a style sheet; remove it");
	return at(r, "</") ? read_close(r) : open_element(r);
}

/* '<?xml' … '?>'. Only UTF-8: in another encoding the same bytes could be other tags. */
static bool read_declaration(struct reader *r)
{
	const char *end = memmem(r->s.p, r->s.n, "?>", 2);
	struct str all = str_sub(r->s, r->i, end ? (size_t)(end - r->s.p) + 2 : r->s.n);
	if (contains(all, "encoding") && !contains(all, "\"utf-8\"") && !contains(all, "'utf-8'"))
		return err_at(r->e, place(r, r->i), "expected encoding=\"UTF-8\"");
	r->i += all.n;
	return true;
}

static bool read_all(struct reader *r)
{
	static const char bom[] = "\xef\xbb\xbf";
	bool root = false;
	uint32_t c;
	if (!str_utf8(r->s))
		return err_at(r->e, (struct loc){.path = r->path}, "not valid UTF-8 text");
	const char *bad = html_bad_char(r->s, &c);
	if (bad)
		return err_at(r->e, place(r, (size_t)(bad - r->s.p)),
		              "character U+%04X is a control character, or reverses the order of "
		              "the text",
		              (unsigned)c);
	r->i = at(r, bom) ? sizeof bom - 1 : 0;
	if (at(r, "<?xml ") && !read_declaration(r))
		return false;
	while (r->i < r->s.n) {
		bool tag = r->s.p[r->i] == '<';
		if (tag && root && !r->depth)
			return err_at(r->e, place(r, r->i), "something stands behind </svg>");
		if (!(tag ? read_tag(r) : read_text(r)))
			return false;
		root = root || r->depth || tag;
	}
	if (r->depth)
		return err_at(r->e, place(r, r->s.n), "<" STR_FMT "> is not closed",
		              STR_ARG(r->open[r->depth - 1].name));
	return root || err_at(r->e, (struct loc){.path = r->path}, "expected <svg>");
}

bool svg_check(struct str bytes, const char *path, const struct lint *l, const char *advice,
               struct arena *a, struct svg_said *out, struct err *e)
{
	struct reader r = {
	        .s = bytes, .path = path, .lint = l, .advice = advice, .a = a, .out = out, .e = e};
	*out = (struct svg_said){0};
	bool ok = read_all(&r);
	sb_free(&r.text);
	return ok;
}
