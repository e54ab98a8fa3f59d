/* Readers of published pages and of a browser's requests: markup, addresses, requests, problems. */
#include <string.h>

#include "lib/arena.h"
#include "site-gen/audit/html.h"
#include "site-gen/base/excerpt.h"
#include "site-gen/build/follow.h"
#include "site-gen/base/html.h"
#include "site-gen/base/html_scan.h"
#include "site-gen/site/links.h"
#include "site-gen/preview/request.h"
#include "tests/fuzz/fuzz.h"

static void read_markup(struct str input, bool xml)
{
	static struct audit_html h; /* too large for the stack */
	struct err e = ERR_NONE;
	struct sb plain = {0};
	enum audit_token token = AUDIT_TEXT;
	audit_html_open(&h, "page", input);
	h.xml = xml;
	while (audit_html_next(&h, &token, &e) && token != AUDIT_EOF) {
		audit_html_plain(&plain, h.text);
		for (size_t i = 0; token == AUDIT_START && i < h.nattributes; i++)
			audit_html_plain(&plain, h.attribute[i].value);
		audit_html_class(&h, "num");
		audit_html_loc(&h, h.at);
		sb_clear(&plain);
	}
	sb_free(&plain);
}

/* The tokens together are the input, up to the first error. */
static void read_tokens(struct str input)
{
	struct html_scan h = html_scan(input);
	struct str name, value;
	size_t at = 0;
	for (enum html_token t; (t = html_scan_next(&h)) != HTML_NONE && t != HTML_BROKEN;) {
		fuzz_require(h.token.p == input.p + at && h.token.n > 0, "a gap between tokens");
		at += h.token.n;
		while (t == HTML_START && html_scan_attribute(&h, &name, &value))
			fuzz_require(value.p + value.n < h.token.p + h.token.n,
			             "an attribute beyond its tag");
	}
}

static bool link_found(void *ctx, enum links_attribute kind, struct str value)
{
	struct sb path = {0};
	struct str fragment;
	(void)ctx;
	(void)kind;
	if (links_resolve("/posts/x/", value, &path, &fragment))
		fuzz_require(path.n && path.p[0] == '/' && !strstr(path.p, "/../"),
		             "a path that leads out of the site");
	sb_free(&path);
	return true;
}

static void read_page(struct str input)
{
	struct str before, after;
	read_markup(input, false);
	read_markup(input, true);
	read_tokens(input);
	links_scan(input, link_found, NULL);
	str_cut(input, '\n', &before, &after);
	follow_section(before, after);
	follow_page(input, before);
}

/* Escaped text reads back as the same text. */
static void read_escapes(struct str input)
{
	struct sb out = {0}, again = {0};
	html_text(&out, input);
	audit_html_plain(&again, sb_view(&out));
	fuzz_require(str_eq(sb_view(&again), input), "text is not what it was");
	sb_clear(&out);
	sb_clear(&again);
	html_attr(&out, input);
	fuzz_require(!memchr(sb_view(&out).p, '"', out.n) && !memchr(sb_view(&out).p, '<', out.n),
	             "a value that ends early");
	audit_html_plain(&again, sb_view(&out));
	fuzz_require(str_eq(sb_view(&again), input), "a value is not what it was");
	sb_clear(&out);
	html_url(&out, input);
	fuzz_require(!memchr(sb_view(&out).p, '"', out.n), "an address that ends early");
	html_url_allowed(input);
	html_xml(&out, input);
	html_scan_strip(&out, input);
	if (str_utf8(input))
		html_slug(&out, input);
	sb_free(&out);
	sb_free(&again);
}

/* The second line of the input is a Host header. */
static void read_request(struct str input)
{
	struct arena a = {0};
	struct str url, host;
	str_cut(input, '\n', &url, &host);
	const char *path = request_inside("/blog", str_dup(&a, url));
	fuzz_require(!path || (*path == '/' && !strstr(path, "/..")), "a path that leads out");
	const char *name = str_dup(&a, host);
	fuzz_require(!request_is_own(name) || *name == '[' ||
	                     strspn(name, "0123456789.:") == strlen(name) ||
	                     strncasecmp(name, "localhost", 9) == 0,
	             "a name is taken for an address");
	arena_free(&a);
}

/* A message about a line of an existing file. */
static void read_problem(struct str input)
{
	struct arena a = {0};
	struct sb to = {0};
	struct str place, what;
	str_cut(input, '\n', &place, &what);
	excerpt_text(&to, str_of(arena_printf(&a, "site-gen: docs/rules.md:" STR_FMT ": " STR_FMT,
	                                      STR_ARG(place), STR_ARG(what))));
	excerpt_indent(&to, what, (int64_t)place.n);
	sb_free(&to);
	arena_free(&a);
}

static const char *const page_seeds[] = {"tests/golden/*/expected/posts/*/index.html",
                                         "tests/golden/*/expected/*.xml", NULL};
static const char *const page_tokens[] = {"<",
                                          ">",
                                          "</",
                                          "/>",
                                          "<!--",
                                          "-->",
                                          "<!doctype html>",
                                          "<a href=\"",
                                          "\"",
                                          "'",
                                          "=",
                                          "&amp;",
                                          "&#x41;",
                                          "&#",
                                          ";",
                                          "<script>",
                                          "</script>",
                                          "<style>",
                                          "<p>",
                                          "</p>",
                                          "<![CDATA[",
                                          "]]>",
                                          " class=\"num\"",
                                          " id=\"x\"",
                                          "<h2 id=\"",
                                          "<br>",
                                          "<div>",
                                          "../",
                                          "/..",
                                          "#",
                                          "?",
                                          "%2e%2e",
                                          "//",
                                          ":",
                                          NULL};
static const char *const request_seeds[] = {"tests/fixtures/search-terms.txt", NULL};
static const char *const request_tokens[] = {
        "/blog", "/",  "..",        ".",         "//",
        "%2e",   "\n", "localhost", "127.0.0.1", ":",
        "8000",  "[",  "::1",       "]",         "evil.example",
        "\\",    "?",  "#",         "0x7f",      "/blog/\nlocalhost",
        NULL};
static const char *const problem_tokens[] = {
        ":",         "1", "17", "99999999999999999999", "-1", ": ", "\n", "warning: ",
        " [traced]", "[", "]",  "\xe4\xb8\xad",         "\t", NULL};

const struct fuzz_target fuzz_pages[] = {
        {"page", read_page, 30000, page_seeds, page_tokens},
        {"escapes", read_escapes, 20000, page_seeds, page_tokens},
        {"request", read_request, 80000, request_seeds, request_tokens},
        {"problem", read_problem, 60000, request_seeds, problem_tokens},
        {0},
};
