#include "site-gen/numbers/listed.h"

#include <stdio.h>
#include <string.h>

#include "site-gen/records/part.h"

const char *const listed_keys[] = {"function", "region", "lines", "loop", "from", "to", NULL};

/* --- the listing --- */

static bool no_listing(const struct data *d, const struct placeholder *p, const struct run_case *c,
                       struct err *e)
{
	const char *file = c->source[0].path, *other = NULL;
	for (size_t i = 0; i < d->nsass; i++)
		for (size_t k = 0; k < d->sass[i].sass.nunits; k++)
			if (strcmp(d->sass[i].sass.unit[k].file, file) == 0)
				other = d->sass[i].sass.unit[k].code_sha256;
	if (other)
		return rule_err(e, RULE_LISTED, p->at,
		                "data/sass lists other machine code of %s (%.12s) than was "
		                "measured (%.12s); 'runner sass %s/%s' of a build of that code "
		                "lists it",
		                file, other, c->build.code_sha256, c->family, c->variant);
	return rule_err(e, RULE_LISTED, p->at,
	                "data/sass has no listing of %s (machine code %.12s); 'runner sass %s/%s' "
	                "makes one",
	                file, c->build.code_sha256, c->family, c->variant);
}

static bool find_unit(const struct data *d, const struct placeholder *p, const struct run_case *c,
                      struct listed *out, struct err *e)
{
	if (c->nsource == 0 || !c->build.code_sha256)
		return rule_err(e, RULE_LISTED, p->at,
		                "the record of %s does not say which machine code was measured",
		                c->id);
	for (size_t i = 0; i < d->nsass; i++) {
		const struct sass *s = &d->sass[i].sass;
		for (size_t k = 0; k < s->nunits; k++) {
			if (strcmp(s->unit[k].code_sha256, c->build.code_sha256) != 0 ||
			    strcmp(s->unit[k].file, c->source[0].path) != 0)
				continue;
			out->file = &d->sass[i];
			out->unit = &s->unit[k];
			return true;
		}
	}
	return no_listing(d, p, c, e);
}

/* --- the function --- */

static bool is_named(const struct sass_function *f, struct str name)
{
	return str_is(name, f->name) || memmem(f->title, strlen(f->title), name.p, name.n);
}

static bool find_function(const struct data *d, const struct placeholder *p, struct listed *out,
                          struct err *e)
{
	struct str name = placeholder_key(p, "function");
	const struct sass *s = data_sass_code(d, out->file);
	size_t unit = (size_t)(out->unit - s->unit), found = 0;
	struct sb all = {0};
	for (size_t i = 0; i < s->nfunctions; i++) {
		const struct sass_function *f = &s->function[i];
		if (f->unit != unit)
			continue;
		sb_printf(&all, "%s%s", all.n ? "; " : "", f->title);
		if (name.p && !is_named(f, name))
			continue;
		out->function = f;
		found++;
	}
	if (found != 1)
		err_at(e, name.p ? placeholder_loc(p, name) : p->at,
		       "%zu functions of %s %s '" STR_FMT
		       "', expected function=\"…\" with a part of one name: %s",
		       found, out->unit->file, name.p ? "have" : "match", STR_ARG(name), all.p);
	sb_free(&all);
	return found == 1;
}

/* --- parts --- */

static bool is_at(const struct sass_instruction *c, const char *file, int64_t from, int64_t to)
{
	for (size_t i = 0; i < c->nplaces; i++)
		if (strcmp(c->place[i].file, file) == 0 && c->place[i].line >= from &&
		    c->place[i].line <= to)
			return true;
	return false;
}

/* The instructions that lines of the unit's file compiled to. */
static bool take_lines(const struct placeholder *p, struct str source, struct arena *a, bool *in,
                       struct listed *out, struct err *e)
{
	const struct sass_function *f = out->function;
	struct part part = {0};
	int from = 0, to = 0;
	bool ok = part_cut(p, &(struct part_source){out->unit->file, source}, &part, e);
	size_t n = part.numbers.n / sizeof from;
	if (ok && n > 0) {
		memcpy(&from, part.numbers.p, sizeof from);
		memcpy(&to, part.numbers.p + (n - 1) * sizeof to, sizeof to);
	}
	part_free(&part);
	for (size_t i = 0; i < f->n; i++)
		in[i] = is_at(&f->code[i], out->unit->file, from, to);
	out->part = arena_printf(a, "lines:%d-%d", from, to);
	return ok;
}

static void take_range(size_t from, size_t to, struct arena *a, bool *in, struct listed *out)
{
	const struct sass_instruction *c = out->function->code;
	for (size_t i = from; i <= to; i++)
		in[i] = true;
	out->part = arena_printf(a, "at:0x%llx-0x%llx", (long long)c[from].offset,
	                         (long long)c[to].offset);
}

static size_t at_offset(const struct sass_function *f, int64_t offset)
{
	size_t i = 0;
	while (i < f->n && f->code[i].offset != offset)
		i++;
	return i;
}

/* The last branch back to a label: the end of its loop; f->n: there is none. */
static size_t loop_end(const struct sass_function *f, const struct sass_label *l)
{
	for (size_t i = f->n; i-- > 0 && f->code[i].offset > l->offset;)
		if (str_is(sass_target(f->code[i].text), l->name))
			return i;
	return f->n;
}

static bool take_loop(const struct placeholder *p, struct str name, struct arena *a, bool *in,
                      struct listed *out, struct err *e)
{
	const struct sass_function *f = out->function;
	struct sb all = {0};
	bool found = false;
	for (size_t i = 0; i < f->nlabels; i++) {
		size_t from = at_offset(f, f->label[i].offset), to = loop_end(f, &f->label[i]);
		if (to == f->n)
			continue;
		sb_printf(&all, "%s%s (%zu instructions)", all.n ? ", " : "", f->label[i].name,
		          to - from + 1);
		if (!str_is(name, f->label[i].name))
			continue;
		take_range(from, to, a, in, out);
		found = true;
	}
	if (!found)
		err_at(e, placeholder_loc(p, name),
		       "'" STR_FMT "' begins no loop of %s, expected one of %s", STR_ARG(name),
		       f->title, all.n ? all.p : "(it has none)");
	sb_free(&all);
	return found;
}

/* The only instruction at an offset, "0x100", or with a text. */
static bool find_instruction(const struct placeholder *p, const struct sass_function *f,
                             struct str what, size_t *out, struct err *e)
{
	struct sb at = {0};
	size_t found = 0;
	bool offset = str_starts(what, "0x");
	for (size_t i = 0; i < f->n; i++) {
		char hex[24];
		snprintf(hex, sizeof hex, "0x%llx", (long long)f->code[i].offset);
		if (offset ? !str_is(what, hex)
		           : !memmem(f->code[i].text, strlen(f->code[i].text), what.p, what.n))
			continue;
		if (found++ < 8)
			sb_printf(&at, "%s%s %s", at.n ? "; " : "", hex, f->code[i].text);
		*out = i;
	}
	if (found != 1)
		err_at(e, placeholder_loc(p, what),
		       "'" STR_FMT "' is in %zu instructions of %s, expected one%s%s",
		       STR_ARG(what), found, f->title, at.n ? ": " : "", at.n ? at.p : "");
	sb_free(&at);
	return found == 1;
}

static bool take_between(const struct placeholder *p, struct str from, struct str to,
                         struct arena *a, bool *in, struct listed *out, struct err *e)
{
	size_t i = 0, k = 0;
	if (!from.p || !to.p)
		return err_at(e, p->at, "from= and to= go together");
	if (!find_instruction(p, out->function, from, &i, e) ||
	    !find_instruction(p, out->function, to, &k, e))
		return false;
	if (k < i)
		return err_at(e, placeholder_loc(p, to), "to= stands before from=");
	take_range(i, k, a, in, out);
	return true;
}

/* The whole function, without the padding behind it. */
static void take_all(bool *in, struct listed *out)
{
	const struct sass_function *f = out->function;
	size_t n = f->n;
	while (n > 1 && strcmp(f->code[n - 1].text, "NOP") == 0)
		n--;
	for (size_t i = 0; i < n; i++)
		in[i] = true;
	out->part = "all";
}

static bool take_part(const struct placeholder *p, struct str source, struct arena *a,
                      struct listed *out, struct err *e)
{
	struct str lines = placeholder_key(p, "lines"), region = placeholder_key(p, "region");
	struct str loop = placeholder_key(p, "loop");
	struct str from = placeholder_key(p, "from"), to = placeholder_key(p, "to");
	bool *in = ARENA_ARRAY(a, bool, out->function->n + 1), ok = true;
	if ((lines.p || region.p) + (loop.p != NULL) + (from.p || to.p) > 1)
		return err_at(e, p->at,
		              "region= or lines=, loop=, and from= to= exclude each "
		              "other");
	if (lines.p || region.p)
		ok = take_lines(p, source, a, in, out, e);
	else if (loop.p)
		ok = take_loop(p, loop, a, in, out, e);
	else if (from.p || to.p)
		ok = take_between(p, from, to, a, in, out, e);
	else
		take_all(in, out);
	for (size_t i = 0; i < out->function->n; i++)
		out->n += in[i];
	out->in = in;
	return ok &&
	       (out->n > 0 || err_at(e, p->at, "no instruction of %s comes from these lines of %s",
	                             out->function->title, out->unit->file));
}

bool listed_find(const struct data *d, const struct placeholder *p, const struct pick *pick,
                 struct str source, struct arena *a, struct listed *out, struct err *e)
{
	*out = (struct listed){0};
	return find_unit(d, p, pick->d->c, out, e) && find_function(d, p, out, e) &&
	       take_part(p, source, a, out, e);
}

const char *listed_key(const struct listed *l, const struct pick *pick, struct arena *a)
{
	return arena_printf(a, "sass %s %s %s %s %s", pick->run->run.head.device, pick->d->c->id,
	                    l->file->sass.id, l->function->name, l->part);
}

size_t listed_count(const struct listed *l, struct str opcode)
{
	size_t n = 0;
	for (size_t i = 0; i < l->function->n; i++)
		n += l->in[i] && str_glob(opcode, sass_opcode(l->function->code[i].text));
	return n;
}
