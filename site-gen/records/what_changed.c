#include "site-gen/records/what_changed.h"

#include <string.h>

static bool words_differ(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") != 0;
}

static const char *or_none(const char *word)
{
	return word ? word : "none";
}

const char *what_changed(const struct pick *now, const struct pick *before, struct arena *a)
{
	const struct run_head *h = &now->run->run.head, *b = &before->run->run.head;
	const struct run_case *c = now->d->c, *o = before->d->c;
	struct sb text = {0};
	if (words_differ(h->gpu.driver, b->gpu.driver))
		sb_printf(&text, "driver %s; ", or_none(h->gpu.driver));
	if (words_differ(record_tool(h, "nvcc"), record_tool(b, "nvcc")))
		sb_printf(&text, "nvcc %s; ", or_none(record_tool(h, "nvcc")));
	if (words_differ(record_tool(h, "cc"), record_tool(b, "cc")) &&
	    strcmp(c->device, "cpu") == 0)
		sb_printf(&text, "cc %s; ", or_none(record_tool(h, "cc")));
	if (words_differ(record_flags(h, c), record_flags(b, o)))
		sb_cstr(&text, "flags; ");
	if (!record_choice_agrees(&c->build.choice, &o->build.choice))
		sb_printf(&text, "choice %s; ", record_choice_words(&c->build.choice, a));
	bool source = c->nsource != o->nsource;
	for (size_t i = 0; !source && i < c->nsource; i++)
		source = strcmp(c->source[i].blob, o->source[i].blob) != 0;
	if (source)
		sb_cstr(&text, "source; ");
	const char *out = text.n ? arena_strndup(a, text.p, text.n - 2) : NULL;
	sb_free(&text);
	return out;
}
