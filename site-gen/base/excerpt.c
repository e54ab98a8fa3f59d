#include "site-gen/base/excerpt.h"

#include <stdio.h>
#include <string.h>

#include "lib/file.h"
#include "site-gen/base/unicode.h"

enum { MAX_SOURCE_BYTES = 4 << 20 };

/* place -> path [ ':' line [ ':' col ] ] ': ' */
static void read_place(struct excerpt *x)
{
	struct str path, rest, part;
	if (!str_cut(x->what, ':', &path, &rest) || memchr(path.p, ' ', path.n))
		return;
	x->path = path;
	x->what = rest;
	if (str_cut(rest, ':', &part, &rest) && str_i64(part, &x->line)) {
		x->what = rest;
		if (str_cut(rest, ':', &part, &rest) && str_i64(part, &x->col))
			x->what = rest;
	}
	x->what = str_trim(x->what);
}

/* what -> text ' [' rule ']' */
static const struct rule_info *rule_of(struct str what)
{
	for (enum rule r = 0; r < RULE_COUNT; r++) {
		char end[64];
		snprintf(end, sizeof end, " [%s]", rule_info(r)->id);
		if (str_ends(what, end))
			return rule_info(r);
	}
	return NULL;
}

struct excerpt excerpt_of(struct str problem, struct arena *a)
{
	static const char own[] = "site-gen: ", warning[] = "warning: ";
	struct excerpt x = {.what = problem};
	struct err ignored = ERR_NONE;
	if (str_starts(x.what, own))
		x.what = str_sub(x.what, sizeof own - 1, x.what.n);
	read_place(&x);
	x.is_warning = str_starts(x.what, warning);
	if (x.is_warning)
		x.what = str_sub(x.what, sizeof warning - 1, x.what.n);
	x.rule = rule_of(x.what);
	if (x.line > 0 && !file_read(str_dup(a, x.path), MAX_SOURCE_BYTES, a, &x.source, &ignored))
		x.source = (struct str){NULL, 0};
	return x;
}

void excerpt_lines(const struct excerpt *x, int context,
                   void (*line)(void *ctx, int64_t number, struct str text), void *ctx)
{
	struct str rest = x->source, text;
	for (int64_t n = 1; rest.n && n <= x->line + context; n++) {
		if (!str_cut(rest, '\n', &text, &rest))
			rest.n = 0;
		if (n >= x->line - context)
			line(ctx, n, text);
	}
}

void excerpt_indent(struct sb *to, struct str line, int64_t col)
{
	if (!str_utf8(line)) /* that may be the very problem */
		return;
	for (size_t i = 0, n; i < line.n && col > 1; i += n, col--) {
		uint32_t c = unicode_at(line, i, &n);
		sb_cstr(to, c == '\t' ? "\t" : unicode_is_wide(c) ? "\u3000" : " ");
	}
}

struct text_lines {
	struct sb *to;
	const struct excerpt *x;
	int width; /* columns of the line numbers */
};

static void put_line(void *ctx, int64_t number, struct str text)
{
	struct text_lines *t = ctx;
	sb_printf(t->to, "%*s |\n%*d | " STR_FMT "\n", t->width, "", t->width, (int)number,
	          STR_ARG(text));
	if (t->x->col <= 0)
		return;
	sb_printf(t->to, "%*s | ", t->width, "");
	excerpt_indent(t->to, text, t->x->col);
	sb_cstr(t->to, "^\n");
}

void excerpt_text(struct sb *to, struct str problem)
{
	struct arena a = {0};
	struct excerpt x = excerpt_of(problem, &a);
	struct text_lines t = {to, &x, snprintf(NULL, 0, "%d", (int)x.line)};
	sb_str(to, problem);
	sb_char(to, '\n');
	excerpt_lines(&x, 0, put_line, &t);
	if (x.rule)
		sb_printf(to, "%*s = %s: %s\n", t.width, "", x.rule->id, x.rule->says);
	arena_free(&a);
}
