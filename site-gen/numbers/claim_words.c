/*
 * Decides which words of a sentence a claim's condition backs. To add an amount,
 * add a row to `amounts`. A condition backs it if it names the amount, its
 * inverse, or either in per cent.
 */
#include <math.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/numbers/claim.h"

static const struct {
	const char *word; /* in lower case */
	double amount;
} amounts[] = {
        {"twice", 2},  {"double", 2},   {"doubles", 2}, {"doubled", 2}, {"doubling", 2},
        {"half", 2},   {"halves", 2},   {"halved", 2},  {"halving", 2}, {"two", 2},
        {"thrice", 3}, {"three", 3},    {"triple", 3},  {"tripled", 3}, {"triples", 3},
        {"third", 3},  {"thirds", 1.5}, {"four", 4},    {"quarter", 4}, {"quarters", 4. / 3},
        {"five", 5},   {"fifth", 5},    {"ten", 10},    {"tenth", 10},  {"magnitude", 10},
        {"一半", 2},   {"减半", 2},     {"翻倍", 2},    {"翻番", 2},    {"一倍", 2},
        {"两倍", 2},   {"三倍", 3},     {"四倍", 4},    {"五倍", 5},    {"十倍", 10},
};

/* Words that say that a peak is reached. */
static const char *const reached[] = {"saturat", "peak", "饱和", "打满", "峰值"};

/* Tolerance, as a natural logarithm: "twice" fits conditions from 1.81 to 2.21. */
static const double NEAR = 0.1;

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static bool is_letter(char c)
{
	return lower(c) >= 'a' && lower(c) <= 'z';
}

/* Does s contain `part`, as a word of its own if `whole`? */
static bool holds(struct str s, const char *part, bool whole)
{
	size_t n = strlen(part);
	for (size_t i = 0; i + n <= s.n; i++) {
		size_t k = 0;
		while (k < n && lower(s.p[i + k]) == part[k])
			k++;
		bool alone = (i == 0 || !is_letter(s.p[i - 1]) || !is_letter(*part)) &&
		             (i + n == s.n || !is_letter(s.p[i + n]));
		if (k == n && (alone || !whole))
			return true;
	}
	return false;
}

static bool same(double x, double y)
{
	return fabs(x - y) <= 1e-9 * fabs(y);
}

/* The factor that the condition compares with; 0: it has no factor. */
static double factor_of(const struct claim *c)
{
	if (c->relation == CLAIM_WITHIN || c->against == CLAIM_NUMBER || c->against == CLAIM_ALL)
		return 0;
	return c->against == CLAIM_CASE ? c->number : c->number / 100;
}

static bool names_amount(const struct claim *c, double amount)
{
	double x = factor_of(c);
	return x > 0 && (fabs(log(x / amount)) <= NEAR || fabs(log(x * amount)) <= NEAR);
}

/* Do the finding and the condition speak of the same kind of quantity? A time is not a factor. */
static bool same_kind(const struct claim *c, const char *what)
{
	bool rate = strcmp(what, "a rate") == 0 || strcmp(what, "a bandwidth") == 0;
	bool time = strcmp(what, "a time") == 0;
	if (c->against == CLAIM_NUMBER)
		return str_is(c->unit, "s") || (c->unit.n <= 3 && str_ends(c->unit, "s")) ? time
		                                                                          : rate;
	return !rate && !time;
}

/* Does the condition name each figure of the text? `any`: the text has figures. */
static bool names_figures(const struct claim *c, struct str text, bool *any)
{
	double v;
	*any = false;
	for (size_t i = 0; i < text.n;) {
		size_t k = i;
		while (k < text.n &&
		       ((text.p[k] >= '0' && text.p[k] <= '9') || (k > i && text.p[k] == '.')))
			k++;
		if (k > i &&
		    (!str_f64(str_sub(text, i, k), &v) ||
		     !(same(v, c->number) || same(v, 100 * c->number) || same(100 * v, c->number))))
			return false;
		*any = *any || k > i;
		i = k > i ? k : i + 1;
	}
	return true;
}

bool claim_answers(const struct claim *c, const char *what, struct str text)
{
	bool figures;
	if (!names_figures(c, text, &figures) || (figures && !same_kind(c, what)))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(amounts) && !figures; i++)
		if (holds(text, amounts[i].word, true) && !names_amount(c, amounts[i].amount))
			return false;
	for (size_t i = 0; i < ARRAY_LEN(reached); i++)
		if (holds(text, reached[i], false) && c->against != CLAIM_SPEC &&
		    c->against != CLAIM_MEASURED)
			return false;
	return true;
}
