/*
 * What a program printed that the runner started (`runner exec`): lines that a pattern finds, or
 * lines that name their result.
 */
#include <regex.h>
#include <string.h>

#include "lib/array.h"
#include "runner/foreign/inner.h"

static const char HEAD[] = "ridgepoint:";

static const struct {
	const char *name;
	double seconds;
} units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"µs", 1e-6}, {"μs", 1e-6}, {"ns", 1e-9}};

/* A line that is being read. */
struct line {
	struct foreign_in *in;
	struct str text;
};

static struct loc at(const struct line *l, struct str part)
{
	return str_loc(l->in->text, l->in->path, part.p);
}

static bool unit_of(const struct line *l, struct str name, double *seconds)
{
	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if (str_is(name, units[i].name)) {
			*seconds = units[i].seconds;
			return true;
		}
	return err_at(l->in->e, at(l, name), "'" STR_FMT "' is no unit, expected ns, us, ms or s",
	              STR_ARG(name));
}

/* Adds a time to the only process of a case. */
static bool add(struct line *l, struct foreign_case *c, struct str number, double unit)
{
	double value;
	if (!str_f64(number, &value))
		return err_at(l->in->e, at(l, number),
		              "'" STR_FMT "' is no number, expected a time", STR_ARG(number));
	if (!c->nprocesses)
		foreign_process(l->in, c, 0); /* it has room for one value more */
	struct foreign_process *p = c->process;
	if (p->n && (p->n & (p->n - 1)) == 0) { /* a power of two: there is no room left */
		double *wider = ARENA_ARRAY(l->in->a, double, 2 * p->n);
		memcpy(wider, p->seconds, p->n * sizeof *wider);
		p->seconds = wider;
	}
	return foreign_value(l->in, at(l, number), p, value * unit);
}

/* --- lines that name their result: "ridgepoint: copy n=1024 12.5 us" --- */

/* The next word of *rest; empty at the end. */
static struct str word_of(struct str *rest)
{
	struct str word;
	*rest = str_trim(*rest);
	str_cut(*rest, ' ', &word, rest);
	return word;
}

/* The case of that name, with the parameters before the time: an earlier one, or a new one. */
static bool named_case(struct line *l, struct str name, struct str params,
                       struct foreign_case **out)
{
	struct foreign *f = l->in->out;
	struct foreign_case *c;
	if (!foreign_case(l->in, at(l, name), str_dup(l->in->a, name), name, &c))
		return false;
	c->idea = "The time that the program printed; each process is a run of it.";
	for (struct str word; (word = word_of(&params)).n;) {
		struct str key, value;
		if (!str_cut(word, '=', &key, &value))
			return err_at(l->in->e, at(l, word), "'" STR_FMT "', expected NAME=VALUE",
			              STR_ARG(word));
		if (!foreign_param(l->in, at(l, word), c, key, value))
			return false;
	}
	*out = c;
	for (size_t i = 0; i + 1 < f->n; i++)
		if (foreign_same(&f->c[i], c)) {
			f->n--;
			*out = &f->c[i];
			break;
		}
	return true;
}

static bool read_named(struct line *l)
{
	struct foreign_case *c = NULL;
	double unit;
	struct str rest = str_trim(l->text);
	if (!str_starts(rest, HEAD))
		return true;
	if (!str_utf8(rest))
		return err_at(l->in->e, at(l, l->text), "not valid UTF-8 text");
	rest = str_trim(str_sub(rest, sizeof HEAD - 1, rest.n));
	struct str name = word_of(&rest);
	size_t n = rest.n;
	while (n && rest.p[n - 1] != ' ')
		n--;
	struct str last = str_sub(rest, n, rest.n), before = str_trim(str_sub(rest, 0, n));
	for (n = before.n; n && before.p[n - 1] != ' ';)
		n--;
	struct str number = str_sub(before, n, before.n);
	if (!number.n)
		return err_at(l->in->e, at(l, l->text),
		              "expected '%s NAME [PARAMETER=VALUE...] NUMBER UNIT'", HEAD);
	return unit_of(l, last, &unit) && named_case(l, name, str_sub(before, 0, n), &c) &&
	       add(l, c, number, unit);
}

/* --- lines that a pattern finds --- */

static bool read_found(struct line *l, const struct foreign_rule *rule, const regex_t *pattern)
{
	regmatch_t m[3];
	double unit;
	const char *line = str_dup(l->in->a, l->text);
	if (regexec(pattern, line, 3, m, 0) != 0 || m[1].rm_so < 0)
		return true;
	struct str number = str_sub(l->text, (size_t)m[1].rm_so, (size_t)m[1].rm_eo);
	bool has = m[2].rm_so >= 0;
	struct str name =
	        has ? str_sub(l->text, (size_t)m[2].rm_so, (size_t)m[2].rm_eo) : str_of(rule->unit);
	if (!has && !rule->unit)
		return err_at(l->in->e, at(l, number),
		              "a time without a unit: say it with --unit, or find it with the "
		              "pattern's second group");
	return unit_of(l, name, &unit) && add(l, l->in->out->c, number, unit);
}

static bool start(struct foreign_in *in, const struct foreign_rule *rule, regex_t *pattern)
{
	char why[160];
	struct foreign_case *c;
	int code = regcomp(pattern, rule->pattern, REG_EXTENDED);
	if (code != 0) {
		regerror(code, pattern, why, sizeof why);
		return err_set(in->e, "--time '%s': %s, expected an extended regular expression",
		               rule->pattern, why);
	}
	if (pattern->re_nsub < 1) {
		regfree(pattern);
		return err_set(in->e,
		               "--time '%s': expected a group around the number, as in "
		               "'time: ([0-9.]+) (ms)'",
		               rule->pattern);
	}
	if (!foreign_case(in, (struct loc){in->path, 1, 1}, rule->title, str_of(rule->title), &c)) {
		regfree(pattern);
		return false;
	}
	c->idea = "The times that the program printed; each process is a run of it.";
	return true;
}

bool foreign_printed(const struct foreign_rule *rule, struct str text, const char *path,
                     struct arena *a, struct foreign *out, struct err *e)
{
	struct foreign_in in = {.text = text, .path = path, .a = a, .e = e, .out = out};
	struct line l = {.in = &in};
	regex_t pattern;
	size_t found = 0;
	*out = (struct foreign){.cores = RECORD_NONE};
	if (rule->title && !start(&in, rule, &pattern))
		return false;
	bool ok = true, more = text.n > 0;
	for (struct str rest = text; ok && more;) {
		more = str_cut(rest, '\n', &l.text, &rest);
		ok = rule->title ? read_found(&l, rule, &pattern) : read_named(&l);
	}
	if (rule->title)
		regfree(&pattern);
	for (size_t i = 0; i < out->n; i++)
		found += out->c[i].nprocesses;
	if (ok && !found && rule->title)
		return err_at(e, (struct loc){path, 1, 1},
		              "no line with a time that '%s' finds, expected one or more",
		              rule->pattern);
	return ok && (found || err_at(e, (struct loc){path, 1, 1},
	                              "no line '%s NAME [PARAMETER=VALUE...] NUMBER UNIT', "
	                              "expected one or more",
	                              HEAD));
}
