#include "site-gen/base/problems.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/base/excerpt.h"

static void add(struct problems *p, const char *text, bool is_warning)
{
	struct problem *new = ARENA_NEW(p->arena, struct problem);
	*new = (struct problem){p->first, arena_strdup(p->arena, text), is_warning};
	p->first = new;
}

void problems_add(struct problems *p, const struct err *e)
{
	if (e->set)
		add(p, e->text, false);
}

static void say(struct problems *p, struct loc at, bool warning, const char *fmt, va_list ap)
{
	struct err e = ERR_NONE;
	char text[sizeof e.text];
	vsnprintf(text, sizeof text, fmt, ap);
	err_at(&e, at, "%s%s", warning ? "warning: " : "", text);
	add(p, e.text, warning);
}

void problems_say(struct problems *p, struct loc at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	say(p, at, false, fmt, ap);
	va_end(ap);
}

void problems_rule(struct problems *p, enum rule r, struct loc at, const char *fmt, ...)
{
	struct err e = ERR_NONE;
	va_list ap;
	va_start(ap, fmt);
	rule_verr(&e, r, at, fmt, ap);
	va_end(ap);
	problems_add(p, &e);
}

void problems_warn(struct problems *p, struct loc at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	say(p, at, true, fmt, ap);
	va_end(ap);
}

static bool is_about(const struct problem *p, const char *path)
{
	struct str text = str_of(p->text);
	size_t n = strlen(path);
	return str_starts(text, path) && text.n > n && text.p[n] == ':';
}

void problems_keep(struct problems *p, const char *const *path, size_t n)
{
	struct problem **at = &p->first;
	while (*at) {
		bool keep = false;
		for (size_t i = 0; i < n && !keep; i++)
			keep = is_about(*at, path[i]);
		if (keep)
			at = &(*at)->next;
		else
			*at = (*at)->next;
	}
}

bool problems_any(const struct problems *p, bool warnings)
{
	const struct problem *one = p->first;
	while (one && one->is_warning && !warnings)
		one = one->next;
	return one;
}

/* strverscmp compares runs of digits as numbers: line 9 before line 10. */
static int by_place(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	int d = strverscmp(*x, *y);
	return d ? d : strcmp(*x, *y);
}

void problems_print_one(const char *text, bool excerpts, FILE *to)
{
	struct sb line = {0};
	if (excerpts)
		excerpt_text(&line, str_of(text));
	else
		sb_printf(&line, "%s\n", text);
	fprintf(to, "site-gen: %s", line.p);
	sb_free(&line);
}

size_t problems_print(const struct problems *const *lists, size_t n, bool excerpts, FILE *to)
{
	size_t total = 0, printed = 0;
	for (size_t i = 0; i < n; i++)
		for (const struct problem *p = lists[i]->first; p; p = p->next)
			total++;
	struct arena a = {0};
	const char **text = ARENA_ARRAY(&a, const char *, total + 1);
	size_t k = 0;
	for (size_t i = 0; i < n; i++)
		for (const struct problem *p = lists[i]->first; p; p = p->next)
			text[k++] = p->text;
	qsort(text, total, sizeof *text, by_place);
	for (size_t i = 0; i < total; i++) {
		if (i > 0 && strcmp(text[i], text[i - 1]) == 0)
			continue;
		problems_print_one(text[i], excerpts, to);
		printed++;
	}
	arena_free(&a);
	return printed;
}
