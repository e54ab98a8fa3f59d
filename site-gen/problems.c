#include "site-gen/problems.h"

#include <stdlib.h>
#include <string.h>

void problems_add(struct problems *p, const struct err *e)
{
	if (!e->set)
		return;
	struct problem *new = ARENA_NEW(p->arena, struct problem);
	new->text = arena_strdup(p->arena, e->text);
	new->next = p->first;
	p->first = new;
}

void problems_say(struct problems *p, struct loc at, const char *fmt, ...)
{
	struct err e = ERR_NONE;
	char text[sizeof e.text];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	err_at(&e, at, "%s", text);
	problems_add(p, &e);
}

/* strverscmp compares runs of digits as numbers: line 9 before line 10. */
static int by_place(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	int d = strverscmp(*x, *y);
	return d ? d : strcmp(*x, *y);
}

size_t problems_print(const struct problems *const *lists, size_t n, FILE *to)
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
		fprintf(to, "site-gen: %s\n", text[i]);
		printed++;
	}
	arena_free(&a);
	return printed;
}
