/* Numbers in the parts of a page that stand for one device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/audit/part.h"

/* The first finding of a page; "" if there is none. */
static const char *found(const char *html)
{
	static const char *const sheet[] = {"h1", "h1-sxm", NULL};
	static struct data_spec spec = {.device = "h1", .devices = sheet};
	const struct data data = {.specs = &spec, .nspecs = 1};
	static struct err e;
	struct audit_part part = {.depth = 0};
	struct audit_html h;
	enum audit_token t;
	e = ERR_NONE;
	audit_html_open(&h, "x.html", str_of(html));
	do {
		if (!audit_html_next(&h, &t, &e))
			break;
		if (t == AUDIT_START && !audit_part_start(&part, &h, &data, &e))
			break;
		if (t == AUDIT_END)
			audit_part_end(&part, &h);
	} while (t != AUDIT_EOF);
	return e.text;
}

#define A(device) "<a class=\"num\" href=\"/b/numbers/" device "/x/#time\">7</a>"
#define FACT(key) "<span class=\"num\" data-n=\"" key "\">7</span>"
#define ROW(device, inside) "<tr class=\"elsewhere\" data-device=\"" device "\">" inside "</tr>"
#define PART(tag, device, inside) \
	"<" tag " class=\"dev dev-1\" data-device=\"" device "\">" inside "</" tag ">"

static void numbers_belong_to_their_part(void **state)
{
	static const struct {
		const char *html, *found;
	} row[] = {
	        {A("h1") A("h2"), ""},
	        {PART("span", "h1", A("h1")) PART("span", "h2", A("h2")) A("h1"), ""},
	        {PART("div", "h1", "<p>" A("h1") "</p>") A("h2"), ""},
	        {PART("span", "h1", "<a href=\"/devices/h2/\">h2</a>"), ""},
	        {PART("span", "h1", A("h2")), "is a number of h2 in the part of the page for h1"},
	        {PART("div", "h2", "<p><span>" A("h2") "</span>" A("h1") "</p>"),
	         "is a number of h1 in the part of the page for h2"},
	        {PART("span", "h1-sxm", FACT("spec h1 hbm") FACT("derived h1-sxm 1 + 1 s")), ""},
	        {PART("span", "h2", FACT("spec h1 hbm")),
	         "is a number of h1 in the part of the page for h2"},
	        {PART("span", "h2", FACT("derived h1 1 + 1 s")),
	         "is a number of h1 in the part of the page for h2"},
	        {PART("span", "h2", FACT("count variants scan/* on h2")), ""},
	        {PART("span", "h1", FACT("count variants scan/* on h2")),
	         "is a number of h2 in the part of the page for h1"},
	        /* a row may name another device, and ends with it */
	        {PART("div", "h1", ROW("h2", A("h2")) A("h1")), ""},
	        {PART("div", "h1", ROW("h2", A("h1"))),
	         "is a number of h1 in the part of the page for h2"},
	        {PART("div", "h1", ROW("h2", A("h2")) A("h2")),
	         "is a number of h2 in the part of the page for h1"},
	        {PART("div", "h1", "<tr data-device=\"h2\">" A("h2") "</tr>"),
	         "is a number of h2 in the part of the page for h1"},
	        /* a claim has a device, too, but is no part */
	        {"<span class=\"claim\" data-device=\"h1\">" A("h2") "</span>", ""},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(row); i++)
		assert_string_equal(found(row[i].html), row[i].found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_belong_to_their_part)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
