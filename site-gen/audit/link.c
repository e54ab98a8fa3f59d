#include "site-gen/audit/link.h"

#include <string.h>

#include "site-gen/audit/html.h"

/* The text after the last `part` in s; .p == NULL if there is none. */
static struct str after(struct str s, struct str part)
{
	const char *at = part.n && s.n >= part.n ? memmem(s.p, s.n, part.p, part.n) : NULL;
	return at ? str_sub(s, (size_t)(at - s.p) + part.n, s.n) : (struct str){0};
}

static bool part_is(struct str *rest, const char *want)
{
	struct str part;
	str_cut(*rest, ';', &part, rest);
	return str_is(str_trim(part), want);
}

/* The next number in a part like " 10 and 12 launches", in any language; 0: none is left. */
static size_t next_count(struct str *part)
{
	size_t n = 0, from = 0;
	while (from < part->n && (part->p[from] < '0' || part->p[from] > '9'))
		from++;
	for (; from < part->n && part->p[from] >= '0' && part->p[from] <= '9'; from++)
		n = 10 * n + (size_t)(part->p[from] - '0');
	*part = str_sub(*part, from, part->n);
	return n;
}

/* Does the part count the processes, or the cards, of one device or of both? */
static bool part_counts(struct str *rest, const struct audit_number *n)
{
	struct str part;
	bool both =
	        n->over && strcmp(n->over->run->run.head.device, n->of->run->run.head.device) != 0;
	str_cut(*rest, ';', &part, rest);
	if (n->cards.n)
		return next_count(&part) == n->cards.n && next_count(&part) == n->over_cards.n;
	return next_count(&part) == n->of->time.launches &&
	       next_count(&part) == (both ? n->over->time.launches : 0);
}

/*
 * title -> what ": " number [ ", 95 % interval " range ] "; " launches "; " device "; " date …
 * The words depend on the language. Returns what is missing, or NULL.
 */
static const char *missing(const struct audit_number *n, struct str title, struct sb *text,
                           char date[11])
{
	const struct run_head *head = &n->of->run->run.head;
	struct str rest, none;
	sb_cstr(text, ": ");
	audit_number_text(n, text);
	rest = after(title, sb_view(text));
	if (n->hi > n->lo && !n->at_speed[0]) {
		sb_clear(text);
		audit_number_range(n, text);
		rest = after(rest, sb_view(text));
	}
	if (!rest.p)
		return text->p;
	if (rest.n && *rest.p != ';')
		return "the end of the interval";
	str_cut(rest, ';', &none, &rest);
	if (!part_counts(&rest, n))
		return n->cards.n ? "how many cards there were" : "how many launches there were";
	if (!part_is(&rest, head->gpu.name ? head->gpu.name : head->machine.cpu))
		return "the device";
	memcpy(date, head->start, strnlen(head->start, 10));
	return part_is(&rest, date) ? NULL : date;
}

static bool title_says(const struct audit_number *n, struct str title, struct err *e)
{
	struct sb plain = {0}, text = {0};
	char date[11] = {0};
	audit_html_plain(&plain, title);
	const char *what = missing(n, sb_view(&plain), &text, date);
	if (what)
		err_set(e, "its title does not say %s, as the record does", what);
	sb_free(&text);
	sb_free(&plain);
	return !what;
}

static bool ci_says(const struct audit_number *n, struct str ci, struct err *e)
{
	struct sb says = {0}, want = {0};
	audit_html_plain(&says, ci);
	audit_number_interval(n, &want);
	bool ok = str_eq(sb_view(&says), sb_view(&want));
	if (!ok)
		err_set(e, "its data-ci says " STR_FMT ", the record says " STR_FMT,
		        STR_ARG(sb_view(&says)), STR_ARG(sb_view(&want)));
	sb_free(&want);
	sb_free(&says);
	return ok;
}

bool audit_link_says(const struct audit_number *n, struct str title, struct str ci, struct err *e)
{
	return (!title.p || title_says(n, title, e)) && (!ci.p || ci_says(n, ci, e));
}
