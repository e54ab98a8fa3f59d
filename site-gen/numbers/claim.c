/* Parses a claim; claim.h has the grammar. */
#include "site-gen/numbers/claim.h"

#include <string.h>

#include "lib/array.h"
#include "site-gen/base/rules.h"

struct parse {
	const struct placeholder *p;
	size_t i; /* the next word */
	struct claim *out;
	struct err *e;
};

static struct str peek(const struct parse *s)
{
	return s->i < s->p->nwords ? s->p->word[s->i] : (struct str){NULL, 0};
}

static bool expected(const struct parse *s, const char *what)
{
	struct str w = peek(s);
	if (!w.p)
		return err_at(s->e, s->p->at, STR_FMT " ends too early, expected %s",
		              STR_ARG(s->p->kind), what);
	return err_at(s->e, placeholder_loc(s->p, w), "'" STR_FMT "' in a " STR_FMT ", expected %s",
	              STR_ARG(w), STR_ARG(s->p->kind), what);
}

static bool take(struct parse *s, const char *word)
{
	bool is = str_is(peek(s), word);
	s->i += is;
	return is;
}

/* selector [ metric ] */
static bool selector(struct parse *s, bool keys, struct query *q, bool *has_metric, enum metric *m)
{
	struct str w = peek(s);
	if (!w.p)
		return expected(s, "a selector");
	s->i++;
	static const char *const own[] = {"over", NULL};
	if (!query_parse(s->p, w, own, keys, q, s->e))
		return false;
	const struct metric_info *info = metric_find(peek(s));
	*has_metric = info != NULL;
	if (info)
		*m = info->id;
	s->i += info != NULL;
	return true;
}

static bool op(struct parse *s)
{
	static const struct {
		const char *word;
		enum claim_relation relation;
	} ops[] = {{">=", CLAIM_AT_LEAST},
	           {"<=", CLAIM_AT_MOST},
	           {">", CLAIM_ABOVE},
	           {"<", CLAIM_BELOW}};
	for (size_t i = 0; i < ARRAY_LEN(ops); i++)
		if (take(s, ops[i].word)) {
			s->out->relation = ops[i].relation;
			return true;
		}
	return false;
}

/* Takes the leading number of a word; `rest` is the rest of the word. */
static bool number(struct parse *s, struct str *rest)
{
	struct str w = peek(s);
	size_t n = 0;
	if (!w.p)
		return false;
	while (n < w.n && ((w.p[n] >= '0' && w.p[n] <= '9') || w.p[n] == '.'))
		n++;
	*rest = str_sub(w, n, w.n);
	if (n == 0 || !str_f64(str_sub(w, 0, n), &s->out->number))
		return false;
	s->out->number_text = w;
	s->i++;
	return true;
}

/* The unit of a number: the rest of its word, or the next word. */
static struct str unit(struct parse *s, struct str rest)
{
	struct str next = peek(s);
	if (rest.n > 0)
		return rest;
	s->i += next.p != NULL;
	return next;
}

/* peak -> 'spec:' key | 'measured:' selector */
static bool peak(struct parse *s)
{
	struct str w = peek(s), kind, rest;
	if (!w.p || !str_cut(w, ':', &kind, &rest) || rest.n == 0 ||
	    (!str_is(kind, "spec") && !str_is(kind, "measured"))) {
		struct loc at = w.p ? placeholder_loc(s->p, w) : s->p->at;
		return rule_err(s->e, RULE_TYPED, at,
		                "a share names its peak, expected spec:KEY or measured:SELECTOR");
	}
	s->i++;
	if (str_is(kind, "spec")) {
		s->out->against = CLAIM_SPEC;
		s->out->spec = rest;
		return true;
	}
	s->out->against = CLAIM_MEASURED;
	return query_parse(s->p, rest, NULL, false, &s->out->object, s->e);
}

/*
 * A peak where a case is due, as in "< 0.45 * spec:hbm": no factor multiplies a peak. Says the
 * share that was meant, which the condition would write "< 45 % of spec:hbm".
 */
static bool refuse_peak(struct parse *s, struct str w)
{
	bool share = s->out->relation != CLAIM_WITHIN && s->out->relation != CLAIM_FASTEST;
	if (!share)
		return err_at(s->e, placeholder_loc(s->p, w),
		              "'" STR_FMT "' is a peak, expected another case: family/variant",
		              STR_ARG(w));
	return err_at(s->e, placeholder_loc(s->p, w),
	              "'" STR_FMT "' is a peak, and a factor multiplies another case, expected "
	              "family/variant; a share of the peak is written '%.6g %% of " STR_FMT "'",
	              STR_ARG(w), 100 * s->out->number, STR_ARG(w));
}

static bool other_case(struct parse *s)
{
	struct str w = peek(s);
	if (str_starts(w, "spec:") || str_starts(w, "measured:"))
		return refuse_peak(s, w);
	s->out->against = CLAIM_CASE;
	return selector(s, false, &s->out->object, &s->out->has_object_metric,
	                &s->out->object_metric);
}

static bool value(struct parse *s)
{
	struct str rest;
	s->out->number = 1;
	if (!number(s, &rest)) {
		struct str w = peek(s);
		return w.p ? other_case(s) : expected(s, "a number with its unit, or a selector");
	}
	if (rest.n == 0 && take(s, "*"))
		return other_case(s);
	struct str u = unit(s, rest);
	if (!u.p)
		return expected(s, "the unit of the number, or '*' and a selector");
	if (str_is(u, "%"))
		return take(s, "of") ? peak(s)
		                     : rule_err(s->e, RULE_TYPED, placeholder_loc(s->p, u),
		                                "a share names its peak, expected '%% of spec:KEY' "
		                                "or '%% of measured:SELECTOR'");
	s->out->against = CLAIM_NUMBER;
	s->out->unit = u;
	return true;
}

static bool within(struct parse *s)
{
	struct str rest;
	if (!number(s, &rest) || !str_is(unit(s, rest), "%") || !take(s, "of"))
		return expected(s, "'within 2 % of SELECTOR'");
	if (!(s->out->number < 100))
		return err_at(s->e, placeholder_loc(s->p, s->out->number_text),
		              "'" STR_FMT "' includes everything, expected less than 100 %%",
		              STR_ARG(s->out->number_text));
	return other_case(s);
}

static bool relation(struct parse *s)
{
	struct claim *c = s->out;
	if (op(s))
		return value(s);
	if (take(s, "within")) {
		c->relation = CLAIM_WITHIN;
		return within(s);
	}
	if (take(s, "fastest")) {
		c->relation = CLAIM_FASTEST;
		if (!take(s, "of"))
			return expected(s, "'fastest of SELECTOR'");
		bool ok = other_case(s);
		c->against = CLAIM_ALL;
		return ok;
	}
	if (take(s, "saturates")) {
		c->relation = CLAIM_SATURATES_PEAK;
		c->number = CLAIM_SATURATES;
		return peak(s);
	}
	return expected(s, "a metric, then >=, <=, >, <, within, fastest or saturates");
}

/* over=cards: of the subject; where that is divided by another case, the card cancels. */
static bool over_cards(struct parse *s)
{
	struct str over = placeholder_key(s->p, "over");
	s->out->cards = over.p != NULL;
	if (!number_check_cards(s->p, s->e))
		return false;
	return !over.p || s->out->against == CLAIM_NUMBER || s->out->against == CLAIM_SPEC ||
	       err_at(s->e, placeholder_loc(s->p, over),
	              "over=cards is for a number or a share of spec:KEY; two cases are compared "
	              "within a run, where the card cancels");
}

bool claim_parse(const struct placeholder *p, struct claim *out, struct err *e)
{
	struct parse s = {.p = p, .out = out, .e = e};
	*out = (struct claim){.p = p};
	if (!selector(&s, true, &out->subject, &out->has_metric, &out->metric) || !relation(&s))
		return false;
	return (!peek(&s).p || expected(&s, "the end of the claim")) && over_cards(&s);
}

const char *claim_condition(const struct placeholder *p, struct arena *a)
{
	struct str s = str_sub(p->text, 0, p->text.n - 2);
	s = str_trim(str_sub(s, (size_t)(p->kind.p + p->kind.n - p->text.p), s.n));
	return str_dup(a, s);
}
