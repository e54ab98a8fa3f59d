/*
 * source, diff, reproduce, env: the measured code, and how to measure it again.
 * Sources are the blobs that the run names, wherever they are in the repository
 * now.
 */
#include "site-gen/kinds/source.h"

#include <stdint.h>
#include <string.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "site-gen/records/again.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/diff.h"
#include "site-gen/base/highlight.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/kinds/listing.h"
#include "site-gen/records/part.h"

enum { SOURCE_MAX_BYTES = 1 << 20 };

static const char *const own_keys[] = {"file", "region", "part",  "lines",
                                       "lang", "mark",   "notes", NULL};

/* --- text of a source --- */

/* Reads a measured source that is not committed yet from the work tree. */
static bool from_work_tree(struct expand_ctx *ctx, const struct run_source *s, struct str *out,
                           bool *found, struct err *e)
{
	char id[HASH_GIT_HEX + 1];
	const char *path = arena_printf(ctx->arena, "%s/%s", ctx->data->root, s->path);
	*found = false;
	if (!file_exists(path))
		return true;
	if (!file_read(path, SOURCE_MAX_BYTES, ctx->arena, out, e))
		return false;
	hash_git_blob(*out, id);
	*found = strcmp(id, s->blob) == 0;
	return true;
}

bool source_text(struct expand_ctx *ctx, const struct pick *p, size_t i, struct str *out,
                 const char **why, struct err *e)
{
	const struct run_case *c = p->d->c;
	struct git *git = ctx->data->git;
	bool found = false;
	*why = NULL;
	if (i >= c->nsource) {
		*why = "the run names no source for it";
		return false;
	}
	if (git && !git_bytes(git, c->source[i].blob, ctx->arena, out, &found, e))
		return false;
	if (!found && !from_work_tree(ctx, &c->source[i], out, &found, e))
		return false;
	if (found)
		return true;
	*why = arena_printf(ctx->arena, "%s as measured (blob %.12s) is not in this repository",
	                    c->source[i].path, c->source[i].blob);
	return false;
}

bool source_no_file(const struct kind_call *k, const struct pick *p, struct str file, struct err *e)
{
	struct sb all = {0};
	for (size_t i = 0; i < p->d->c->nsource; i++)
		sb_printf(&all, "%s%s", i ? ", " : "", p->d->c->source[i].path);
	if (file.p)
		err_at(e, placeholder_loc(k->p, file),
		       "'" STR_FMT "' matches no source of %s, expected one of %s", STR_ARG(file),
		       p->d->c->id, all.n ? all.p : "(the run names none)");
	else
		err_at(e, k->p->at, "the run names no source of %s", p->d->c->id);
	sb_free(&all);
	return false;
}

bool source_changed(struct expand_ctx *ctx, const struct pick *p, size_t i)
{
	const struct run_source *s = &p->d->c->source[i];
	struct git *git = ctx->data->git;
	if (!git || i >= p->d->c->nsource)
		return false;
	const char *now = git_blob_at(git, NULL, s->path, ctx->arena);
	return now && strcmp(now, s->blob) != 0;
}

/* --- listings --- */

static void open_listing(struct kind_call *k, bool open, const char *words, const struct pick *p,
                         size_t source)
{
	const struct run_head *h = &p->run->run.head;
	html_raw(k->to, "<details class=\"listing\"");
	html_raw(k->to, open ? " open><summary>" : "><summary>");
	html_text(k->to, str_of(words));
	html_raw(k->to, " <code>");
	html_text(k->to, str_of(p->d->c->source[source].path));
	html_raw(k->to, "</code>");
	if (h->commit) {
		const char *commit = arena_printf(k->ctx->arena, "%.12s", h->commit);
		html_raw(k->to, " <span class=\"commit\">");
		html_text(k->to, str_of(words_fill(k->ctx->words, k->ctx->arena, "listing_commit",
		                                   commit, NULL)));
		html_raw(k->to, "</span>");
	}
	html_raw(k->to, "</summary>\n");
	if (source_changed(k->ctx, p, source)) {
		html_raw(k->to, "<p class=\"changed\">");
		html_text(k->to, str_of(words_get(k->ctx->words, "listing_changed")));
		html_raw(k->to, "</p>\n");
	}
}

static void missing(struct kind_call *k, const char *why)
{
	html_raw(k->to, "<p class=\"changed\">");
	html_text(k->to, str_of(why));
	html_raw(k->to, ".</p>\n");
}

void source_whole(struct kind_call *k, const char *path, struct str text)
{
	struct part all = {0};
	part_whole(text, &all);
	highlight_block(highlight_for_path(path), sb_view(&all.code), NULL, k->to);
	part_free(&all);
}

bool source_listing(struct kind_call *k, const struct pick *p, bool open, struct err *e)
{
	const char *why;
	struct str text;
	if (!source_text(k->ctx, p, 0, &text, &why, e)) {
		if (why)
			missing(k, why);
		return why != NULL;
	}
	open_listing(k, open, words_get(k->ctx->words, "listing_source"), p, 0);
	source_whole(k, p->d->c->source[0].path, text);
	html_raw(k->to, "</details>\n");
	return true;
}

/* Cuts both parts out. They must match, since only matching parts are compared. */
static bool cut_both(struct kind_call *k, const struct part_source *before, struct part *was,
                     const struct part_source *after, struct part *is, struct err *e)
{
	return part_cut(k->p, before, was, e) && part_cut(k->p, after, is, e) &&
	       part_match(k->p, before, was, after, is, k->ctx->arena, e);
}

bool source_diff(struct kind_call *k, const struct pick *before, const struct pick *after,
                 bool open, struct err *e)
{
	const char *why = NULL;
	struct part_source a = {.path = before->d->c->source[0].path},
	                   b = {.path = after->d->c->source[0].path};
	struct part was = {0}, is = {0};
	if (!source_text(k->ctx, before, 0, &a.text, &why, e) ||
	    !source_text(k->ctx, after, 0, &b.text, &why, e)) {
		if (why)
			missing(k, why);
		return why != NULL;
	}
	bool ok = cut_both(k, &a, &was, &b, &is, e);
	if (ok) {
		open_listing(k, open,
		             words_fill(k->ctx->words, k->ctx->arena, "listing_against",
		                        before->d->c->variant, NULL),
		             after, 0);
		ok = diff_print(
		        highlight_for_path(b.path),
		        &(struct diff_side){sb_view(&was.code), (const int *)was.numbers.p, a.text},
		        &(struct diff_side){sb_view(&is.code), (const int *)is.numbers.p, b.text},
		        k->ctx->words, k->ctx->arena, k->to, e);
		html_raw(k->to, "</details>\n");
	}
	part_free(&was);
	part_free(&is);
	return ok;
}

/* The bytes that HEAD has at the path of source[i]. */
static bool text_now(struct expand_ctx *ctx, const struct run_source *s, struct str *out,
                     struct err *e)
{
	struct git *git = ctx->data->git;
	const char *blob = git_blob_at(git, NULL, s->path, ctx->arena);
	bool found = false;
	return blob && git_bytes(git, blob, ctx->arena, out, &found, e) && found;
}

bool source_since(struct kind_call *k, const struct pick *p, size_t i, struct err *e)
{
	const struct run_source *s = &p->d->c->source[i];
	const char *why = NULL;
	struct str was, now;
	if (!source_text(k->ctx, p, i, &was, &why, e)) {
		if (why)
			missing(k, why);
		return why != NULL;
	}
	if (!text_now(k->ctx, s, &now, e))
		return !e->set;
	return diff_print(highlight_for_path(s->path), &(struct diff_side){was, NULL, was},
	                  &(struct diff_side){now, NULL, now}, k->ctx->words, k->ctx->arena, k->to,
	                  e);
}

bool source_variant_before(const struct pick *p, struct pick *out)
{
	const struct run_case *c = p->d->c, *best = NULL;
	for (size_t i = 0; i < p->run->run.ncases; i++) {
		const struct run_case *o = &p->run->run.cases[i];
		if (strcmp(o->family, c->family) == 0 && strcmp(o->role, "kernel") == 0 &&
		    strcmp(o->device, c->device) == 0 && o->rank < c->rank && o->nsource > 0 &&
		    (!best || o->rank > best->rank))
			best = o;
	}
	if (best)
		*out = (struct pick){p->run, data_case_of(p->run, best)};
	return best != NULL;
}

/* --- a part --- */

/* Prints the part with the line numbers of the file. */
static bool put_part(struct kind_call *k, const struct part *x, const struct highlight_lang *lang,
                     struct err *e)
{
	struct str mark = placeholder_key(k->p, "mark"), notes = placeholder_key(k->p, "notes");
	struct arena *a = k->ctx->arena;
	size_t n = listing_lines(sb_view(&x->code));
	int *number = ARENA_ARRAY(a, int, n + 1);
	if (n)
		memcpy(number, x->numbers.p, n * sizeof *number);
	struct listing l = {
	        .lang = lang, .code = sb_view(&x->code), .number = number, .words = k->ctx->words};
	if (mark.p && !(l.lit = listing_marks(mark, n, placeholder_loc(k->p, mark), a, e)))
		return false;
	if (notes.p && !(l.note = listing_noted(notes, l.code, placeholder_loc(k->p, notes),
	                                        &k->ctx->code_notes, a, e)))
		return false;
	l.id = k->ctx->code_id;
	l.again = k->ctx->device_no > 1;
	listing_print(&l, a, k->to);
	return true;
}

/* The source that file= names, else the variant's own file. */
static bool chosen(struct kind_call *k, const struct pick *p, size_t *i, struct err *e)
{
	struct str file = placeholder_key(k->p, "file");
	size_t n = p->d->c->nsource;
	*i = 0;
	while (file.p && *i < n && !str_glob(file, str_of(p->d->c->source[*i].path)))
		++*i;
	return *i < n || source_no_file(k, p, file, e);
}

/* details.listing with the part that the placeholder names; open up to so many lines. */
static bool source_part(struct kind_call *k, const struct pick *p, size_t most_open, struct err *e)
{
	struct str lang = placeholder_key(k->p, "lang"), text;
	const char *why;
	struct part part = {0};
	size_t i;
	if (!chosen(k, p, &i, e))
		return false;
	if (!source_text(k->ctx, p, i, &text, &why, e))
		return err_at(e, k->p->at, "%s", why ? why : "");
	const char *path = p->d->c->source[i].path;
	const struct highlight_lang *l = highlight_for_path(path);
	if (lang.p && !highlight_named(lang, placeholder_loc(k->p, lang), &l, e))
		return false;
	bool ok = part_cut(k->p, &(struct part_source){path, text}, &part, e);
	if (ok) {
		open_listing(k, listing_lines(sb_view(&part.code)) <= most_open,
		             words_get(k->ctx->words, "listing_measured"), p, i);
		ok = put_part(k, &part, l, e);
		html_raw(k->to, "</details>\n");
		number_use(k->ctx, p);
	}
	part_free(&part);
	return ok;
}

/* --- a step of a staircase --- */

struct kept {
	size_t kept, changed; /* lines with text */
};

static void count_line(void *ctx, char kind, struct str text)
{
	struct kept *n = ctx;
	n->kept += kind == ' ' && text.n > 0;
	n->changed += kind != ' ' && text.n > 0;
}

/*
 * Can the parts be compared, and is a fourth of all lines in both? Else a difference shows mostly
 * lines that were removed, and a reader takes for gone what stands elsewhere now.
 */
static bool worth_comparing(struct kind_call *k, const struct pick *before,
                            const struct pick *after, bool *out, struct err *e)
{
	enum { LEAST_KEPT = 4 };
	struct part_source a = {.path = before->d->c->source[0].path},
	                   b = {.path = after->d->c->source[0].path};
	struct part was = {0}, is = {0};
	struct kept lines = {0};
	struct err differ = ERR_NONE;
	const char *why = NULL;
	*out = false;
	if (!source_text(k->ctx, before, 0, &a.text, &why, e) ||
	    !source_text(k->ctx, after, 0, &b.text, &why, e))
		return why != NULL;
	bool ok = part_cut(k->p, &a, &was, e) && part_cut(k->p, &b, &is, e);
	if (ok && part_match(k->p, &a, &was, &b, &is, k->ctx->arena, &differ)) {
		ok = git_diff_lines(sb_view(&was.code), sb_view(&is.code), GIT_DIFF_ALL, count_line,
		                    &lines, e);
		*out = ok && lines.kept * LEAST_KEPT >= lines.kept + lines.changed;
	}
	part_free(&was);
	part_free(&is);
	return ok;
}

bool source_step(struct kind_call *k, const struct pick *before, const struct pick *after,
                 struct err *e)
{
	enum { MOST_OPEN = 40 }; /* lines; a longer step is folded */
	bool compare = false;
	if (before && !worth_comparing(k, before, after, &compare, e))
		return false;
	return compare ? source_diff(k, before, after, true, e)
	               : source_part(k, after, MOST_OPEN, e);
}

/* --- the kinds --- */

bool source_variant(struct kind_call *k, const char *const *own, struct pick *out, struct err *e)
{
	struct pick *picks;
	size_t n;
	if (!kind_picks(k, own, &picks, &n, e))
		return false;
	for (size_t i = 1; i < n; i++)
		if (strcmp(picks[i].d->c->variant, picks[0].d->c->variant) != 0 ||
		    strcmp(picks[i].d->c->family, picks[0].d->c->family) != 0)
			return err_at(e, placeholder_loc(k->p, k->p->word[0]),
			              "'" STR_FMT
			              "' matches several variants (%s, %s), expected one",
			              STR_ARG(k->p->word[0]), picks[0].d->c->variant,
			              picks[i].d->c->variant);
	*out = picks[0];
	/* of several runs, the newest counts, as everywhere */
	for (size_t i = 1; i < n; i++)
		if (strcmp(picks[i].run->run.head.start, out->run->run.head.start) > 0)
			*out = picks[i];
	return true;
}

bool kind_source(struct kind_call *k, struct err *e)
{
	struct pick p;
	if (!source_variant(k, own_keys, &p, e))
		return false;
	block_open(k, NULL);
	bool ok = source_part(k, &p, SIZE_MAX, e);
	block_close(k);
	return ok;
}

bool kind_diff(struct kind_call *k, struct err *e)
{
	struct pick p, before;
	if (!source_variant(k, own_keys, &p, e))
		return false;
	if (!source_variant_before(&p, &before))
		return err_at(e, k->p->at, "%s/%s has no variant before it to compare with",
		              p.d->c->family, p.d->c->variant);
	block_open(k, NULL);
	bool ok = source_diff(k, &before, &p, true, e);
	block_close(k);
	return ok;
}

bool kind_env(struct kind_call *k, struct err *e)
{
	struct pick *picks;
	size_t n, nfacts;
	const struct data_run *r;
	if (k->p->nwords > 0) {
		if (!kind_picks(k, NULL, &picks, &n, e))
			return false;
		r = picks[0].run;
	} else if (!(r = query_run(k->ctx, k->p, placeholder_key(k->p, "run"),
	                           placeholder_key(k->p, "device"), e))) {
		return false;
	}
	const struct data_fact *f = data_conditions(r, &nfacts);
	block_open(k, NULL);
	html_raw(k->to, "<dl class=\"facts\">\n<div><dt>");
	html_text(k->to, str_of(words_get(k->ctx->words, "fact_run")));
	html_raw(k->to, "</dt><dd><a href=\"");
	html_url(k->to, str_of(k->ctx->base));
	html_url(k->to, str_of(r->url));
	html_raw(k->to, "\">");
	html_text(k->to, str_of(r->run.head.id));
	html_raw(k->to, "</a></dd></div>\n");
	for (size_t i = 0; i < nfacts; i++) {
		html_raw(k->to, "<div><dt>");
		html_text(k->to, str_of(words_label(k->ctx->words, f[i].label)));
		html_raw(k->to, "</dt><dd>");
		html_text(k->to, str_of(data_fact_text(k->ctx->words, &f[i], k->ctx->arena)));
		html_raw(k->to, "</dd></div>\n");
	}
	html_raw(k->to, "</dl>\n");
	block_close(k);
	return true;
}

/* Writes the author's selector and conditions in the runner's syntax. */
static void runner_selector(const struct query *q, struct sb *to)
{
	const struct {
		const char *name;
		struct str value;
	} words[] = {{"dtype", q->dtype}, {"cache", q->cache}};
	const char *sep = ":";
	sb_printf(to, STR_FMT "/" STR_FMT, STR_ARG(q->family), STR_ARG(q->variant));
	for (size_t i = 0; i < q->nparams; i++) {
		sb_printf(to, "%s" STR_FMT "=" STR_FMT, sep, STR_ARG(q->param[i].name),
		          STR_ARG(q->param[i].value));
		sep = ",";
	}
	for (size_t i = 0; i < 2; i++) {
		if (!words[i].value.p)
			continue;
		sb_printf(to, "%s%s=" STR_FMT, sep, words[i].name, STR_ARG(words[i].value));
		sep = ",";
	}
}

bool kind_reproduce(struct kind_call *k, struct err *e)
{
	struct query q;
	struct pick *picks;
	size_t n;
	if (!query_parse(k->p, k->p->word[0], NULL, true, &q, e) ||
	    !query_all(k->ctx, &q, &picks, &n, e))
		return false;
	const struct data_run *r = picks[0].run;
	struct sb run = {0};
	sb_cstr(&run, "run '");
	runner_selector(&q, &run);
	sb_char(&run, '\'');
	block_open(k, NULL);
	const char *caption = words_get(k->ctx->words, "family_again");
	if (r->run.head.foreign)
		again_put_foreign(k->ctx->words, r, caption, k->to);
	else
		again_put(k->ctx->words, k->ctx->data, r, picks[0].d->c, run.p, "", caption, k->to);
	block_close(k);
	sb_free(&run);
	return true;
}
