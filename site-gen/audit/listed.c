#include "site-gen/audit/listed.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/audit/html.h"

/* A key in its parts. */
struct key {
	struct str device, id, record, function, part, opcode;
};

static bool cut_key(struct str rest, struct key *k)
{
	*k = (struct key){0};
	bool ok = str_cut(rest, ' ', &k->device, &rest) && str_cut(rest, ' ', &k->id, &rest) &&
	          str_cut(rest, ' ', &k->record, &rest) && str_cut(rest, ' ', &k->function, &rest);
	if (!str_cut(rest, ' ', &k->part, &k->opcode))
		k->opcode = STR("");
	return ok;
}

/* Did a run that publishes a number of the case measure this code, compiled from this file? */
static bool was_measured(const struct data *d, const struct key *k, const struct sass_unit *u)
{
	for (size_t i = 0; i < d->nruns; i++) {
		const struct data_run *r = &d->runs[i];
		const struct run_case *c;
		if (r->why_none || !str_is(k->device, r->run.head.device))
			continue;
		for (size_t n = 0; n < r->run.ncases; n++) {
			c = &r->run.cases[n];
			if (str_is(k->id, c->id) && c->nsource > 0 && c->build.code_sha256 &&
			    strcmp(c->build.code_sha256, u->code_sha256) == 0 &&
			    strcmp(c->source[0].path, u->file) == 0)
				return true;
		}
	}
	return false;
}

static const struct sass_function *function_of(const struct data *d, const struct key *k,
                                               const struct sass *s, bool *other)
{
	*other = false;
	for (size_t i = 0; i < s->nfunctions; i++) {
		const struct sass_function *f = &s->function[i];
		if (!str_is(k->function, f->name))
			continue;
		if (was_measured(d, k, &s->unit[f->unit]))
			return f;
		*other = true;
	}
	return NULL;
}

/* part -> word number '-' number */
static bool bounds(struct str part, const char *word, int base, int64_t *from, int64_t *to)
{
	char text[64], *end;
	if (!str_starts(part, word) || part.n >= sizeof text)
		return false;
	size_t n = part.n - strlen(word);
	memcpy(text, part.p + strlen(word), n);
	text[n] = 0;
	*from = strtoll(text, &end, base);
	if (end == text || *end != '-')
		return false;
	const char *second = end + 1;
	*to = strtoll(second, &end, base);
	return end != second && *end == 0;
}

/* The part of a function that a key means. */
struct range {
	enum { RANGE_ALL, RANGE_LINES, RANGE_AT } is;
	int64_t from, to;
	const char *file; /* whose lines */
};

static bool read_part(struct str part, struct range *out)
{
	if (bounds(part, "lines:", 10, &out->from, &out->to))
		out->is = RANGE_LINES;
	else if (bounds(part, "at:", 16, &out->from, &out->to))
		out->is = RANGE_AT;
	else
		out->is = RANGE_ALL;
	return out->is != RANGE_ALL || str_is(part, "all");
}

static bool belongs(const struct sass_function *f, size_t i, const struct range *r)
{
	const struct sass_instruction *c = &f->code[i];
	if (r->is == RANGE_AT)
		return c->offset >= r->from && c->offset <= r->to;
	for (size_t k = 0; r->is == RANGE_LINES && k < c->nplaces; k++)
		if (strcmp(c->place[k].file, r->file) == 0 && c->place[k].line >= r->from &&
		    c->place[k].line <= r->to)
			return true;
	if (r->is == RANGE_LINES)
		return false;
	for (; i < f->n; i++) /* the padding at the end is not shown */
		if (strcmp(f->code[i].text, "NOP") != 0)
			return true;
	return false;
}

static void put_lines(const struct sass_function *f, const struct range *r, struct sb *to)
{
	bool left_out = false;
	for (size_t i = 0; i < f->n; i++) {
		if (!belongs(f, i, r)) {
			left_out = true;
			continue;
		}
		if (left_out && to->n > 0)
			sb_cstr(to, "// …\n");
		left_out = false;
		for (size_t k = 0; k < f->nlabels; k++)
			if (f->label[k].offset == f->code[i].offset)
				sb_printf(to, "%s:\n", f->label[k].name);
		sb_printf(to, "%s\n", f->code[i].text);
	}
}

static size_t count(const struct sass_function *f, const struct range *r, struct str opcode)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		n += belongs(f, i, r) && str_glob(opcode, sass_opcode(f->code[i].text));
	return n;
}

bool audit_listed(const struct data *d, struct str rest, struct sb *to, double *value,
                  const struct data_sass **file, struct err *e)
{
	struct key k;
	struct range r = {0};
	bool other;
	if (!cut_key(rest, &k) || !read_part(k.part, &r))
		return err_set(e, "'" STR_FMT "' names no part of a listing", STR_ARG(rest));
	*file = data_sass_called(d, k.record);
	if (!*file)
		return err_set(e, "data/sass has no record '" STR_FMT "'", STR_ARG(k.record));
	const struct sass *s = &(*file)->sass;
	const struct sass_function *f = function_of(d, &k, s, &other);
	if (!f)
		return err_set(e,
		               other ? "the function '" STR_FMT "' of record " STR_FMT
		                       " is not of the machine code that '" STR_FMT "' measured"
		                     : "has no function '" STR_FMT "' in record " STR_FMT
		                       " of '" STR_FMT "'",
		               STR_ARG(k.function), STR_ARG(k.record), STR_ARG(k.id));
	r.file = s->unit[f->unit].file;
	if (k.opcode.n == 0) {
		put_lines(f, &r, to);
		return true;
	}
	*value = (double)count(f, &r, k.opcode);
	sb_printf(to, "%.0f", *value);
	return true;
}

/* The next line that is not empty, trimmed; false at the end. */
static bool next_line(struct str *text, struct str *line)
{
	bool more = text->n > 0;
	while (more) {
		more = str_cut(*text, '\n', line, text);
		*line = str_trim(*line);
		if (line->n > 0)
			return true;
	}
	return false;
}

static bool says(struct str said, struct str want)
{
	struct str x, y;
	for (;;) {
		bool a = next_line(&said, &x), b = next_line(&want, &y);
		if (!a || !b)
			return a == b;
		if (!str_eq(x, y))
			return false;
	}
}

bool audit_listed_lines(const struct data *d, struct str key, struct str said, struct err *e)
{
	struct sb want = {0}, plain = {0};
	struct str kind, rest;
	const struct data_sass *file;
	double ignored;
	audit_html_plain(&plain, key);
	str_cut(sb_view(&plain), ' ', &kind, &rest);
	bool ok = audit_listed(d, rest, &want, &ignored, &file, e);
	if (ok && !says(said, sb_view(&want)))
		ok = err_set(e, "says other instructions than the record %s", file->sass.id);
	sb_free(&want);
	sb_free(&plain);
	return ok;
}
