#include "site-gen/audit/markup.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* To allow more, add a word; after it, a template may use it. */
static const char elements[] =
        " a td span tr th div code g path text li p " /* the usual ones first */
        "abbr address article aside audio b bdi bdo blockquote body br button caption cite "
        "code col colgroup data datalist dd del details dfn dialog div dl dt em fieldset "
        "figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html i img input "
        "ins kbd label legend li link main mark menu meta meter nav noscript ol optgroup option "
        "output p picture pre progress q rp rt ruby s samp script search section select small "
        "source span strong sub summary sup table tbody td template textarea tfoot th thead time "
        "title tr track u ul var video wbr "
        /* drawings */
        "circle clipPath defs desc ellipse g line linearGradient marker mask metadata path "
        "pattern polygon polyline radialGradient rect stop svg switch symbol text textPath tspan "
        "use view "
        /* formulas */
        "annotation math menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded "
        "mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd "
        "mtext mtr munder munderover none semantics ";

static const char attributes[] =
        " class href id title d x y fill width height " /* the usual ones first */
        "abbr accept accesskey action allowfullscreen alt as async autocapitalize autocomplete "
        "autofocus cite charset checked class cols colspan content controls crossorigin datetime "
        "decoding default defer dir dirname disabled download draggable enctype enterkeyhint "
        "fetchpriority for form headers height hidden high href hreflang http-equiv id inert "
        "inputmode integrity itemid itemprop itemref itemscope itemtype kind label lang list "
        "loading loop low max maxlength media method min minlength multiple muted name "
        "nomodule nonce novalidate open optimum pattern placeholder playsinline popover poster "
        "preload property readonly referrerpolicy rel required reversed role rows rowspan scope "
        "selected shape size sizes span spellcheck src srclang srcset start step summary "
        "tabindex target title translate type value width wrap xmlns "
        /* drawings */
        "alignment-baseline baseline-shift clip-path clip-rule color cx cy d "
        "dominant-baseline dx dy fill fill-opacity fill-rule font-family font-size font-style "
        "font-weight fx fy gradientTransform gradientUnits letter-spacing marker-end marker-mid "
        "marker-start markerHeight markerUnits markerWidth mask maskUnits offset opacity orient "
        "paint-order pathLength patternUnits patternTransform points preserveAspectRatio r refX "
        "refY rotate rx ry shape-rendering spreadMethod stop-color stop-opacity stroke "
        "stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit "
        "stroke-opacity stroke-width text-anchor text-decoration textLength transform "
        "vector-effect version viewBox visibility word-spacing writing-mode x x1 x2 xlink:href "
        "xml:lang xml:space xmlns:xlink y y1 y2 "
        /* formulas */
        "accent accentunder align columnalign columnspacing columnlines depth display "
        "displaystyle encoding fence form linethickness lquote lspace mathbackground mathcolor "
        "mathsize mathvariant maxsize minsize movablelimits notation rowalign rowlines "
        "rowspacing rquote rspace scriptlevel separator stretchy symmetric voffset ";

static bool is_listed(const char *list, struct str word)
{
	for (const char *at = list; (at = memmem(at, strlen(at), word.p, word.n)); at++)
		if (at[-1] == ' ' && at[word.n] == ' ')
			return true;
	return false;
}

enum seen { ELEMENT, ATTRIBUTE };

/* As is_listed(). A page has each name hundreds of times, so the last ones found are kept. */
static bool is_known(struct audit *a, enum seen of, const char *list, struct str word)
{
	uint32_t h = 2166136261u;
	for (size_t i = 0; i < word.n; i++)
		h = (h ^ (unsigned char)word.p[i]) * 16777619u;
	struct audit_seen *s = &a->seen[of][(h ^ h >> 16) % AUDIT_SEEN];
	if (word.n && s->n == word.n && memcmp(s->name, word.p, word.n) == 0)
		return true;
	if (!is_listed(list, word))
		return false;
	if (word.n <= AUDIT_SEEN_BYTES) {
		memcpy(s->name, word.p, word.n);
		s->n = (unsigned char)word.n;
	}
	return true;
}

static bool may_have(struct audit *a, struct str name)
{
	return str_starts(name, "data-") || str_starts(name, "aria-") ||
	       is_known(a, ATTRIBUTE, attributes, name);
}

/* An address as a browser reads it: no white space or control bytes, in any case. */
static bool has_scheme(struct str written, const char *scheme)
{
	struct sb plain = {0};
	size_t n = 0;
	char start[16] = "";
	audit_html_plain(&plain, written);
	for (size_t i = 0; i < plain.n && n < sizeof start - 1; i++)
		if ((unsigned char)plain.p[i] > ' ')
			start[n++] = plain.p[i];
	sb_free(&plain);
	return strncasecmp(start, scheme, strlen(scheme)) == 0;
}

static bool is_address(struct str name)
{
	return str_is(name, "href") || str_is(name, "src") || str_is(name, "action") ||
	       str_is(name, "xlink:href") || str_is(name, "poster") || str_is(name, "content");
}

static bool runs(struct str written)
{
	return has_scheme(written, "javascript:") || has_scheme(written, "vbscript:") ||
	       has_scheme(written, "data:text");
}

/* Does the address lead to another site? What runs or paints must come from this one. */
static bool is_elsewhere(struct str written)
{
	return written.n && (has_scheme(written, "//") || has_scheme(written, "http:") ||
	                     has_scheme(written, "https:") || has_scheme(written, "data:"));
}

/* A script is a file of the site, or data. */
static bool is_good_script(const struct audit_html *h)
{
	struct str src = audit_html_attribute(h, "src"), type = audit_html_attribute(h, "type");
	bool data = str_is(type, "application/ld+json") || str_is(type, "application/json");
	return src.n ? !is_elsewhere(src) : data;
}

static bool is_good_link(const struct audit_html *h)
{
	struct str rel = audit_html_attribute(h, "rel");
	bool paints = audit_html_is_among(rel, "stylesheet") ||
	              audit_html_is_among(rel, "preload") ||
	              audit_html_is_among(rel, "modulepreload");
	return !paints || !is_elsewhere(audit_html_attribute(h, "href"));
}

static bool is_good_meta(const struct audit_html *h)
{
	struct str what = audit_html_attribute(h, "http-equiv");
	return !what.n || str_is(what, "Content-Security-Policy") ||
	       (str_is(what, "refresh") &&
	        str_starts(audit_html_attribute(h, "content"), "0; url="));
}

/* What is wrong with the tag, "an address that runs", in `buf`; NULL: nothing. */
static const char *wrong(struct audit *a, const struct audit_html *h, char *buf, size_t n)
{
	bool known = false;
	if (!is_known(a, ELEMENT, elements, h->name))
		snprintf(buf, n, "<" STR_FMT ">", STR_ARG(h->name));
	else if (str_is(h->name, "script") && !is_good_script(h))
		snprintf(buf, n, "a script that is no file of the site");
	else if (str_is(h->name, "link") && !is_good_link(h))
		snprintf(buf, n, "a style from elsewhere");
	else if (str_is(h->name, "meta") && !is_good_meta(h))
		snprintf(buf, n, "another <meta http-equiv>");
	else
		known = true;
	for (size_t i = 0; known && i < h->nattributes; i++) {
		struct str name = h->attribute[i].name;
		if (!may_have(a, name)) {
			snprintf(buf, n, "the attribute '" STR_FMT "'", STR_ARG(name));
			return buf;
		}
		if (is_address(name) && runs(h->attribute[i].value)) {
			snprintf(buf, n, "an address that runs");
			return buf;
		}
	}
	return known ? NULL : buf;
}

void audit_markup(struct audit *a, const struct audit_html *h)
{
	char buf[96];
	if (!h->xml && wrong(a, h, buf, sizeof buf))
		problems_rule(a->found, RULE_WHOLE, audit_html_loc(h, h->at),
		              "has %s, which no page may have", buf);
}
