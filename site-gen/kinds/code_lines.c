/* code-lines: how many lines of code the sources of a case have, as they were measured. */
#include <string.h>

#include "lib/units.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/kinds/source.h"
#include "site-gen/numbers/code_lines.h"

static const char *const own_keys[] = {"file", "region", "part", "lines", NULL};

/* What is counted, and its name for the audit. */
struct counted {
	size_t n;
	const char *part;
	struct sb sources; /* of the key: " path@blob" for each */
	struct sb files;   /* for readers: "path, path" */
};

static bool names_part(const struct placeholder *p)
{
	return placeholder_key(p, "region").p || placeholder_key(p, "part").p ||
	       placeholder_key(p, "lines").p;
}

static bool add_source(struct kind_call *k, const struct pick *p, size_t i, struct counted *to,
                       struct err *e)
{
	const struct run_source *s = &p->d->c->source[i];
	const char *why = NULL;
	struct str text;
	struct part part = {0};
	bool partly = names_part(k->p);
	if (!source_text(k->ctx, p, i, &text, &why, e))
		return why ? err_at(e, k->p->at, "%s", why) : false;
	bool ok = !partly || part_cut(k->p, &(struct part_source){s->path, text}, &part, e);
	to->n += code_lines_count(s->path, text, partly ? &part : NULL);
	to->part = code_lines_part(partly ? &part : NULL, k->ctx->arena);
	sb_printf(&to->sources, " %s@%s", s->path, s->blob);
	sb_printf(&to->files, "%s%s", to->files.n ? ", " : "", s->path);
	part_free(&part);
	return ok;
}

/* Without file= it is the variant's own file. */
static bool add_sources(struct kind_call *k, const struct pick *p, struct counted *to,
                        struct err *e)
{
	struct str file = placeholder_key(k->p, "file");
	size_t n = p->d->c->nsource, chosen = 0;
	for (size_t i = 0; i < n; i++) {
		if (file.p ? !str_glob(file, str_of(p->d->c->source[i].path)) : i > 0)
			continue;
		if (chosen++ > 0 && names_part(k->p))
			return err_at(e, placeholder_loc(k->p, file),
			              "'" STR_FMT "' matches several files, expected one beside "
			              "region=, part= or lines=",
			              STR_ARG(file));
		if (!add_source(k, p, i, to, e))
			return false;
	}
	return chosen > 0 || source_no_file(k, p, file, e);
}

static void put(struct kind_call *k, const struct pick *p, const char *key, const char *text,
                const char *files)
{
	const struct words *w = k->ctx->words;
	bool preview = p->d->why[DATA_PREVIEW];
	if (k->html) {
		html_raw(k->to, "<a class=\"num code-lines\" href=\"");
		html_attr(k->to, str_of(k->ctx->base));
		html_attr(k->to, str_of(p->d->url));
		html_raw(k->to, "\" data-n=\"");
		html_attr(k->to, str_of(key));
		html_raw(k->to, "\" title=\"");
		html_attr(k->to, str_of(words_fill(w, k->ctx->arena, "code_lines", files, NULL)));
		html_raw(k->to, preview ? "\" data-state=\"preview\">" : "\">");
		unit_count(str_of(text), k->to);
		if (preview)
			number_mark(w, DATA_PREVIEW, k->to);
		html_raw(k->to, "</a>");
		return;
	}
	sb_cstr(k->to, text);
	if (preview)
		sb_printf(k->to, " (%s)", words_state(w, data_state_name(DATA_PREVIEW)));
}

bool kind_code_lines(struct kind_call *k, struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct counted c = {0};
	struct pick p;
	bool ok = source_variant(k, own_keys, &p, e) && add_sources(k, &p, &c, e);
	if (ok) {
		const struct run_head *h = &p.run->run.head;
		const char *key = arena_printf(a, "code %s %s %s%s", h->device, p.d->c->id, c.part,
		                               c.sources.p);
		const char *text = arena_printf(a, "%zu", c.n);
		number_use(k->ctx, &p);
		number_fact(k->ctx, (struct fact){.key = key,
		                                  .text = text,
		                                  .unit = "",
		                                  .value = (double)c.n,
		                                  .run = h->id});
		put(k, &p, key, text, c.files.p);
	}
	sb_free(&c.sources);
	sb_free(&c.files);
	return ok;
}
