/*
 * References, and the units of numbers cited from them.
 *
 * To add a unit, add a row to `units`.
 * To add a key of a reference, add a member to struct reference, a name and a
 * line to read_one(), and a row to data/references/README.md.
 */
#include "site-gen/records/cited.h"

#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/base/unicode.h"
#include "site-gen/base/front.h"
#include "site-gen/base/front_check.h"

#define FOLDER "data/references"

enum { REFERENCE_MAX_BYTES = 64 << 10 };

static const struct cited_unit units[] = {
        {"s", "a time", false},          {"ms", "a time", false},
        {"µs", "a time", false},         {"us", "a time", false},
        {"ns", "a time", false},         {"cycles", "a time", false},
        {"B/s", "a bandwidth", false},   {"kB/s", "a bandwidth", false},
        {"MB/s", "a bandwidth", false},  {"GB/s", "a bandwidth", false},
        {"TB/s", "a bandwidth", false},  {"GiB/s", "a bandwidth", false},
        {"TiB/s", "a bandwidth", false}, {"B/cycle", "a bandwidth", false},
        {"FLOP/s", "a rate", false},     {"MFLOP/s", "a rate", false},
        {"GFLOP/s", "a rate", false},    {"TFLOP/s", "a rate", false},
        {"PFLOP/s", "a rate", false},    {"OP/s", "a rate", false},
        {"GOP/s", "a rate", false},      {"TOP/s", "a rate", false},
        {"POP/s", "a rate", false},      {"tokens/s", "a rate", false},
        {"Hz", "a rate", false},         {"MHz", "a rate", false},
        {"GHz", "a rate", false},        {"FLOP/B", "an intensity", false},
        {"W", "a power", false},         {"kW", "a power", false},
        {"J", "an energy", false},       {"pJ", "an energy", false},
        {"nJ", "an energy", false},      {"pJ/B", "an energy", false},
        {"pJ/bit", "an energy", false},  {"pJ/FLOP", "an energy", false},
        {"×", "a factor", true},         {"x", "a factor", true},
        {"%", "a share", true},
};
enum { NUNITS = ARRAY_LEN(units) };

const struct cited_unit *cited_unit(struct str name)
{
	for (size_t i = 0; i < NUNITS; i++)
		if (str_is(name, units[i].name))
			return &units[i];
	return NULL;
}

/* --- a number in a quote --- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The end of the number at s[at]: digits with ',' as thousands separator, then '.' and digits. */
static size_t number_end(struct str s, size_t at, struct sb *plain)
{
	bool point = false;
	sb_clear(plain);
	for (; at < s.n; at++) {
		bool more = at + 1 < s.n && is_digit(s.p[at + 1]);
		bool three = at + 3 < s.n && is_digit(s.p[at + 2]) && is_digit(s.p[at + 3]) &&
		             (at + 4 >= s.n || !is_digit(s.p[at + 4]));
		if (is_digit(s.p[at]) || (s.p[at] == '.' && more && !point))
			sb_char(plain, s.p[at]);
		else if (s.p[at] != ',' || !more || !three || point)
			break;
		point = point || s.p[at] == '.';
	}
	return at;
}

/* Are the units equal? "x" and "us" stand for "×" and "µs". */
static bool is_same_unit(struct str a, struct str b)
{
	static const char *const alike[][2] = {{"x", "×"}, {"us", "µs"}};
	bool same = str_eq(a, b);
	for (size_t i = 0; !same && i < ARRAY_LEN(alike); i++)
		same = (str_is(a, alike[i][0]) && str_is(b, alike[i][1])) ||
		       (str_is(a, alike[i][1]) && str_is(b, alike[i][0]));
	return same;
}

/* The known unit at the start of s, after a space; empty if there is none. */
static struct str unit_after(struct str s)
{
	static const char *const spaces[] = {" ", "-", NBSP, "\xE2\x80\xAF"};
	struct str longest = {s.p, 0};
	for (size_t i = 0; i < ARRAY_LEN(spaces); i++)
		if (str_starts(s, spaces[i])) {
			s = str_sub(s, strlen(spaces[i]), s.n);
			break;
		}
	for (size_t i = 0; i < NUNITS; i++) {
		size_t n = strlen(units[i].name);
		char next = n < s.n ? s.p[n] : ' ';
		bool word =
		        (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '/';
		if (str_starts(s, units[i].name) && !word && n > longest.n)
			longest = str_sub(s, 0, n);
	}
	return longest;
}

bool cited_in_quote(const struct reference *r, struct str value, struct str unit)
{
	struct str quote = str_of(r->quote);
	struct sb plain = {0};
	double want, has;
	bool found = false;
	if (!str_f64(value, &want))
		return false;
	for (size_t at = 0, end; !found && at < quote.n; at = end) {
		end = at + 1;
		if (!is_digit(quote.p[at]))
			continue;
		end = number_end(quote, at, &plain);
		struct str says = unit_after(str_sub(quote, end, quote.n));
		bool minus = at > 0 && quote.p[at - 1] == '-';
		found = str_f64(sb_view(&plain), &has) && has == (want < 0 ? -want : want) &&
		        (want >= 0 || minus) && (says.n == 0 || is_same_unit(says, unit));
	}
	sb_free(&plain);
	return found;
}

const struct reference *reference_find(const struct references *all, struct str key)
{
	for (size_t i = 0; all && i < all->n; i++)
		if (str_is(key, all->all[i].key))
			return &all->all[i];
	return NULL;
}

/* date -> YYYY [ '-' MM [ '-' DD ] ] */
static bool is_date(const char *s)
{
	static const char shape[] = "dddd-dd-dd";
	size_t n = strlen(s);
	for (size_t i = 0; i < n && i < sizeof shape - 1; i++)
		if (shape[i] == 'd' ? s[i] < '0' || s[i] > '9' : s[i] != '-')
			return false;
	return n == 4 || n == 7 || n == 10;
}

/* The text on one line, for use in a title. */
static const char *one_line(struct str s, struct arena *a)
{
	struct sb out = {0};
	bool space = false;
	s = str_trim(s);
	for (size_t i = 0; i < s.n; i++) {
		bool blank = s.p[i] == ' ' || s.p[i] == '\n' || s.p[i] == '\r' || s.p[i] == '\t';
		if (!blank && space)
			sb_char(&out, ' ');
		if (!blank)
			sb_char(&out, s.p[i]);
		space = blank;
	}
	return sb_take(a, &out);
}

static bool field(const struct front_fields *f, const char *path, const char *name,
                  const char **out, struct err *e)
{
	const struct front_field *x = front_field(f, name);
	*out = x ? x->value : NULL;
	return x || err_at(e, (struct loc){path, 1, 1},
	                   "reference has no '%s', which every reference needs", name);
}

static bool read_one(struct str src, struct arena *a, struct reference *r, struct err *e)
{
	static const char *const names[] = {"title", "authors", "url", "date"};
	const char **to[] = {&r->title, &r->authors, &r->url, &r->date};
	enum { NNAMES = ARRAY_LEN(names) };
	struct front_fields f;
	if (!front_fields(src, r->path, a, &f, e))
		return false;
	for (size_t i = 0; i < f.n; i++) {
		size_t k = 0;
		while (k < NNAMES && strcmp(names[k], f.field[i].name) != 0)
			k++;
		if (k == NNAMES)
			return err_at(e, f.field[i].name_at,
			              "unknown key '%s' of a reference, expected one of title, "
			              "authors, url, date",
			              f.field[i].name);
	}
	for (size_t i = 0; i < NNAMES; i++)
		if (!field(&f, r->path, names[i], to[i], e))
			return false;
	if (strncmp(r->url, "https://", 8) != 0)
		return err_at(e, front_field(&f, "url")->at,
		              "url is '%s', expected one that begins with https://", r->url);
	if (!is_date(r->date))
		return err_at(e, front_field(&f, "date")->at,
		              "date is '%s', expected YYYY, YYYY-MM or YYYY-MM-DD", r->date);
	r->quote = one_line(f.body, a);
	return unicode_is_visible(str_of(r->quote)) ||
	       err_at(e, (struct loc){r->path, f.body_line, 1},
	              "reference without a quote, expected the words that are relied "
	              "on below the front matter");
}

bool references_load(const char *root, struct arena *a, struct references *out, struct err *e)
{
	const char *full = arena_printf(a, "%s/" FOLDER, root);
	struct file_entry *entry;
	size_t n;
	*out = (struct references){0};
	if (!file_exists(full))
		return true;
	if (!file_list(full, a, &entry, &n, e))
		return false;
	out->all = ARENA_ARRAY(a, struct reference, n + 1);
	for (size_t i = 0; i < n; i++) {
		struct str name = str_of(entry[i].name), src;
		struct reference *r = &out->all[out->n];
		if (entry[i].is_dir || !str_ends(name, ".md") || str_is(name, "README.md"))
			continue;
		r->key = arena_strndup(a, name.p, name.n - strlen(".md"));
		r->path = arena_printf(a, FOLDER "/%s", entry[i].name);
		const char *want = front_check_slug(r->key);
		if (want)
			return err_set(e, "%s: the file's name is the key, expected %s", r->path,
			               want);
		if (!file_read(arena_printf(a, "%s/%s", full, entry[i].name), REFERENCE_MAX_BYTES,
		               a, &src, e) ||
		    !read_one(src, a, r, e))
			return false;
		out->n++;
	}
	return true;
}
