#include "site-gen/lint/typeset.h"

#include "lib/array.h"
#include "site-gen/base/unicode.h"

/* To keep another unit beside its number, add a row. One after a "/" needs none. */
static const char *const units[] = {
        "%",     "‰",     "°C",    "B",      "KiB",    "MiB",    "GiB",    "TiB",   "kB",
        "MB",    "GB",    "TB",    "PB",     "bit",    "Mbit",   "Gbit",   "s",     "ms",
        "µs",    "μs",    "us",    "ns",     "ps",     "min",    "h",      "Hz",    "kHz",
        "MHz",   "GHz",   "W",     "mW",     "kW",     "J",      "mJ",     "µJ",    "μJ",
        "nJ",    "pJ",    "kJ",    "V",      "mV",     "FLOP",   "kFLOP",  "MFLOP", "GFLOP",
        "TFLOP", "PFLOP", "FLOPS", "MFLOPS", "GFLOPS", "TFLOPS", "PFLOPS",
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The digits at the end are no number in "H100" and "e4m3". */
bool typeset_is_amount(struct str before)
{
	size_t i = before.n;
	while (i > 0 && (is_digit(before.p[i - 1]) || before.p[i - 1] == '.'))
		i--;
	return before.n > 0 && is_digit(before.p[before.n - 1]) &&
	       (i == 0 || !is_letter(before.p[i - 1]));
}

bool typeset_is_unit(struct str after)
{
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		size_t n = strlen(units[i]);
		if (str_starts(after, units[i]) &&
		    (n == after.n || !(is_letter(after.p[n]) || is_digit(after.p[n]))))
			return true;
	}
	return false;
}

void typeset(struct sb *to, struct str s)
{
	size_t done = 0;
	for (size_t i = str_find(s, ' ', 0); i < s.n; i = str_find(s, ' ', i + 1)) {
		if (!typeset_is_amount(str_sub(s, 0, i)) ||
		    !typeset_is_unit(str_sub(s, i + 1, s.n)))
			continue;
		unicode_powers(to, str_sub(s, done, i));
		sb_cstr(to, NBSP);
		done = i + 1;
	}
	unicode_powers(to, str_sub(s, done, s.n));
}

/* The exponent of the power of two that the digits say; 0: they say another number. */
static int exponent_of(struct str digits)
{
	enum { FROM = 10, TO = 62 };
	int64_t v;
	for (int k = FROM; str_i64(digits, &v) && k <= TO; k++)
		if (v == (int64_t)1 << k)
			return k;
	return 0;
}

/* Is there a letter, a decimal point or a sign of a power, so that the digits are not the number?
 */
static bool is_joined(struct str s, size_t from, size_t to)
{
	bool before = from > 0 && (is_letter(s.p[from - 1]) || strchr(".^-", s.p[from - 1]));
	bool fraction = to + 1 < s.n && s.p[to] == '.' && is_digit(s.p[to + 1]);
	return before || fraction || (to < s.n && (is_letter(s.p[to]) || s.p[to] == '^'));
}

const char *typeset_sizes(const char *text, struct arena *a)
{
	struct sb to = {0};
	struct str s = str_of(text);
	for (size_t i = 0, n; i < s.n; i += n) {
		n = 1;
		while (is_digit(s.p[i]) && i + n < s.n && is_digit(s.p[i + n]))
			n++;
		int k = is_digit(s.p[i]) && !is_joined(s, i, i + n)
		                ? exponent_of(str_sub(s, i, i + n))
		                : 0;
		if (k)
			unicode_powers(&to, str_of(arena_printf(a, "2^%d", k)));
		else
			sb_str(&to, str_sub(s, i, i + n));
	}
	return sb_take(a, &to);
}
