#include "site-gen/records/what_changed.h"

#include <string.h>

static bool words_differ(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") != 0;
}

static const char *tool(const struct run_head *h, const char *name)
{
	for (size_t i = 0; i < h->ntoolchain; i++)
		if (strcmp(h->toolchain[i].name, name) == 0)
			return h->toolchain[i].word;
	return NULL;
}

const char *what_changed(const struct pick *now, const struct pick *before, struct arena *a)
{
	const struct run_head *h = &now->run->run.head, *b = &before->run->run.head;
	const struct run_case *c = now->d->c, *o = before->d->c;
	struct sb text = {0};
	if (words_differ(h->gpu.driver, b->gpu.driver))
		sb_printf(&text, "driver %s; ", h->gpu.driver ? h->gpu.driver : "none");
	if (words_differ(tool(h, "nvcc"), tool(b, "nvcc")))
		sb_printf(&text, "nvcc %s; ", tool(h, "nvcc") ? tool(h, "nvcc") : "none");
	if (words_differ(tool(h, "cc"), tool(b, "cc")) && strcmp(c->device, "cpu") == 0)
		sb_printf(&text, "cc %s; ", tool(h, "cc") ? tool(h, "cc") : "none");
	if (words_differ(c->build.flags, o->build.flags))
		sb_cstr(&text, "flags; ");
	bool source = c->nsource != o->nsource;
	for (size_t i = 0; !source && i < c->nsource; i++)
		source = strcmp(c->source[i].blob, o->source[i].blob) != 0;
	if (source)
		sb_cstr(&text, "source; ");
	const char *out = text.n ? arena_strndup(a, text.p, text.n - 2) : NULL;
	sb_free(&text);
	return out;
}
