#include "site-gen/kinds/figure.h"

#include <string.h>

enum { MOST_BYTES = 96 };

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Appends the letters and digits of a word; '-' parts them. */
static void put_word(struct sb *to, struct str word)
{
	bool part = to->n > 0;
	for (size_t i = 0; i < word.n; i++) {
		char c = word.p[i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (is_plain(c)) {
			if (part && to->n > 0)
				sb_char(to, '-');
			sb_char(to, c);
		}
		part = !is_plain(c);
	}
}

/* A text, a formula, the colours, and that readers can sort it: none of them is in the name. */
static bool is_left_out(const struct placeholder_key *k, const char *device)
{
	return str_is(k->name, "title") || str_is(k->name, "focus") || str_is(k->name, "sort") ||
	       (device && str_is(k->name, "device")) ||
	       memchr(k->value.p ? k->value.p : "", ' ', k->value.n);
}

/* Cuts a long name before a word. */
static void shorten(struct sb *name)
{
	if (name->n <= MOST_BYTES)
		return;
	size_t n = MOST_BYTES;
	while (n > 1 && name->p[n] != '-')
		n--;
	name->n = n;
}

const char *figure_name(const struct placeholder *p, const char *device, struct arena *a)
{
	struct str label = placeholder_key(p, "id");
	struct sb name = {0};
	if (label.n) {
		sb_str(&name, label);
	} else {
		put_word(&name, p->kind);
		for (size_t i = 0; i < p->nwords; i++)
			put_word(&name, p->word[i]);
		for (size_t i = 0; i < p->nkeys; i++) {
			if (is_left_out(&p->key[i], device))
				continue;
			put_word(&name, p->key[i].name);
			put_word(&name, p->key[i].value);
		}
		shorten(&name);
	}
	if (device)
		put_word(&name, str_of(device));
	const char *out = str_dup(a, sb_view(&name));
	sb_free(&name);
	return out;
}

static bool is_taken(const struct expand_figure *all, const char *name)
{
	for (; all; all = all->next)
		if (strcmp(all->name, name) == 0)
			return true;
	return false;
}

struct expand_figure *figure_begin(struct expand_ctx *ctx, const char *name)
{
	struct expand_figure *f = ARENA_NEW(ctx->arena, struct expand_figure);
	const char *own = name;
	for (int n = 2; is_taken(ctx->figures, own); n++)
		own = arena_printf(ctx->arena, "%s-%d", name, n);
	*f = (struct expand_figure){.number = ++ctx->blocks, .name = own, .next = ctx->figures};
	return ctx->figures = f;
}

const struct expand_figure *figure_find(const struct expand_figure *all, int number)
{
	while (all && all->number != number)
		all = all->next;
	return all;
}
