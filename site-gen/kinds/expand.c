#include "site-gen/kinds/expand.h"

#include <string.h>

#include "lib/array.h"
#include "site-gen/records/data.h"
#include "site-gen/base/html.h"
#include "site-gen/lint/typeset.h"
#include "site-gen/kinds/device_part.h"
#include "site-gen/kinds/kinds.h"

bool expand_place_of(const struct placeholder *p, enum expand_place *out, struct err *e)
{
	const struct kind *k = kind_of(p, e);
	if (k)
		*out = k->place;
	return k != NULL;
}

enum expand_numbered expand_numbered(const struct placeholder *p)
{
	struct err ignored = ERR_NONE;
	const struct kind *k = kind_of(p, &ignored);
	return k ? k->numbered : EXPAND_UNNUMBERED;
}

/* How a placeholder is written. */
enum form { AS_MARKUP, AS_TEXT, IN_LINK };

/* --- for one device --- */

static bool print(struct expand_ctx *ctx, const struct placeholder *p, const struct kind *kind,
                  bool html, struct span *span, struct sb *to, struct err *e)
{
	struct kind_call call = {
	        .ctx = ctx, .p = p, .kind = kind, .to = to, .html = html, .span = span};
	struct expand_ctx outside = *ctx;
	ctx->placeholder = str_dup(ctx->arena, p->text);
	ctx->at = p->at;
	ctx->in_block = kind->place == EXPAND_BLOCK;
	if (ctx->in_block)
		ctx->figure = ctx->blocks + 1; /* block_open() will count it */
	bool titled = kind->numbered == EXPAND_FIGURE ||
	              (kind->numbered == EXPAND_TABLE && placeholder_key(p, "title").p);
	bool ok = (!titled || kind_finding(&call, e)) && kind->print(&call, e);
	ctx->placeholder = outside.placeholder;
	ctx->at = outside.at;
	ctx->in_block = outside.in_block;
	ctx->figure = outside.figure;
	return ok;
}

/* A number is itself a link, and links do not nest: inside of one it is text. */
static bool print_form(struct expand_ctx *ctx, const struct placeholder *p, const struct kind *kind,
                       enum form form, struct sb *to, struct err *e)
{
	struct sb text = {0};
	if (form != IN_LINK)
		return print(ctx, p, kind, form == AS_MARKUP, NULL, to, e);
	bool ok = print(ctx, p, kind, false, NULL, &text, e);
	html_text(to, sb_view(&text));
	sb_free(&text);
	return ok;
}

/* --- for each device of a post over several --- */

/* The text after the next "key=" at or after *from, which moves behind it; .p NULL: none. */
static struct str after_key(struct str text, const char *key, size_t *from)
{
	for (size_t at = *from ? *from : 1; at + strlen(key) <= text.n; at++)
		if (memchr(" :,", text.p[at - 1], 3) &&
		    str_starts(str_sub(text, at, text.n), key)) {
			*from = at + strlen(key);
			return str_sub(text, *from, text.n);
		}
	return (struct str){0};
}

/* Does it name a device or a run anywhere? Then it says the same on all devices. */
static bool names_device(struct str text)
{
	static const char *const keys[] = {"device=", "devices=", "run="};
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (after_key(text, keys[i], &(size_t){0}).p)
			return true;
	return false;
}

/* The measured device that it names; NULL: none, or several. */
static const char *named_device(const struct data *d, struct str text)
{
	const char *found = NULL;
	struct str rest;
	for (size_t from = 0; (rest = after_key(text, "device=", &from)).p;) {
		size_t n = 0;
		while (n < rest.n && !memchr(" ,>\"", rest.p[n], 4))
			n++;
		const char *slug = data_device_find(d, str_sub(rest, 0, n));
		if (!slug || (found && strcmp(found, slug) != 0))
			return NULL;
		found = slug;
	}
	return found;
}

/* Is it the same on all devices, whatever was measured? A diagram is if it selects no cases. */
static bool of_no_device(const struct placeholder *p, const struct kind *kind)
{
	enum kind_devices d = kind_devices(kind);
	return d == KIND_NO_DEVICE ||
	       (d == KIND_OF_CASES && p->nwords < 2 && !placeholder_key(p, "lengths").p);
}

static bool for_each_device(const struct expand_ctx *ctx, const struct placeholder *p,
                            const struct kind *kind)
{
	return ctx->ndevices > 1 && !ctx->one_device && !ctx->device_no && !of_no_device(p, kind) &&
	       !names_device(p->text);
}

static bool say_device(const struct expand_ctx *ctx, struct err *e)
{
	return rule_add(e,
	                "; this is about %s, one of the page's 'devices': 'device=NAME' in the "
	                "placeholder limits it to one of them",
	                ctx->device);
}

/* A span's text stands once. What the kind writes around it stands once for each device. */
static bool span_each(struct expand_ctx *ctx, const struct placeholder *p, const struct kind *kind,
                      struct span *span, struct sb *to, struct err *e)
{
	bool ok = true;
	if (span->step == SPAN_SEEN)
		span->states = ARENA_ARRAY(ctx->arena, void *, ctx->ndevices);
	for (size_t k = 0; ok && k < ctx->ndevices; k++) {
		/* elements nest: the first device closes first, so it opens last */
		size_t i = span->step == SPAN_OPEN ? ctx->ndevices - 1 - k : k;
		device_part_enter(ctx, i);
		span->state = span->states[i];
		ok = print(ctx, p, kind, true, span, to, e) || say_device(ctx, e);
		span->states[i] = span->state;
	}
	return ok;
}

/*
 * What a listing or a count says of the code: its text, after the summary, which names the run.
 * Tags name the device.
 */
static struct str code_of(const struct sb *listing, struct arena *a)
{
	static const char end[] = "</summary>";
	struct str s = sb_view(listing);
	const char *at = s.n ? memmem(s.p, s.n, end, strlen(end)) : NULL;
	size_t from = at ? (size_t)(at - s.p) : 0, n = 0;
	char *out = ARENA_ARRAY(a, char, s.n - from + 1);
	bool tag = false;
	for (size_t i = from; i < s.n; i++) {
		if (!tag && s.p[i] != '<')
			out[n++] = s.p[i];
		tag = tag ? s.p[i] != '>' : s.p[i] == '<';
	}
	return (struct str){out, n};
}

/* Do all devices say the same? Listings do if their code is the same. */
static bool say_same(const struct expand_ctx *ctx, const struct kind *kind, const struct sb *part)
{
	bool same = true, code = kind_devices(kind) == KIND_SAME_CODE;
	for (size_t i = 1; same && i < ctx->ndevices; i++)
		same = code ? str_eq(code_of(&part[i], ctx->arena), code_of(&part[0], ctx->arena))
		            : str_eq(sb_view(&part[i]), sb_view(&part[0]));
	return same;
}

static void put_part(struct expand_ctx *ctx, const struct kind *kind, enum form form,
                     struct str part, struct sb *to)
{
	bool block = kind->place == EXPAND_BLOCK;
	if (form == AS_TEXT) {
		sb_cstr(to, ctx->device_no > 1 ? words_get(ctx->words, "comma") : "");
		sb_str(to, part);
		device_part_name(ctx, ctx->device, to);
		return;
	}
	if (ctx->device_no > 1 && !block)
		device_part_between(ctx, to);
	device_part_open(ctx, block, to);
	sb_str(to, part);
	device_part_close(ctx, block, to);
}

/* Opens the element around a block's parts. It has the label, so that links to it find it. */
static void open_block(const char *label, struct sb *to)
{
	html_raw(to, "<div class=\"devs\"");
	if (label) {
		html_raw(to, " id=\"");
		html_attr(to, str_of(label));
		html_raw(to, "\"");
	}
	html_raw(to, ">\n");
}

static bool print_each(struct expand_ctx *ctx, const struct placeholder *p, const struct kind *kind,
                       enum form form, struct sb *to, struct err *e)
{
	struct sb part[EXPAND_DEVICES] = {0};
	bool ok = true, block = kind->place == EXPAND_BLOCK;
	const char *label = ctx->caption_id, *no = ctx->caption_no;
	ctx->caption_id = NULL;
	for (size_t i = 0; ok && i < ctx->ndevices; i++) {
		device_part_enter(ctx, i);
		ctx->caption_no = no; /* block_open() uses it up */
		ok = print_form(ctx, p, kind, form, &part[i], e) || say_device(ctx, e);
	}
	bool same = ok && say_same(ctx, kind, part);
	if (ok && block && !same)
		open_block(label, to);
	for (size_t i = 0; ok && i < (same ? 1 : ctx->ndevices); i++) {
		device_part_enter(ctx, i);
		if (same)
			sb_str(to, sb_view(&part[i]));
		else
			put_part(ctx, kind, form, sb_view(&part[i]), to);
	}
	if (ok && block && !same)
		html_raw(to, "</div>\n");
	for (size_t i = 0; i < ctx->ndevices; i++)
		sb_free(&part[i]);
	return ok;
}

/* The device to say beside a number in a sentence; NULL: none. */
static const char *device_to_say(const struct expand_ctx *ctx, const struct placeholder *p,
                                 const struct kind *kind)
{
	if (ctx->ndevices < 2 || ctx->device_no || kind->place != EXPAND_INLINE ||
	    of_no_device(p, kind))
		return NULL;
	return names_device(p->text) ? named_device(ctx->data, p->text) : ctx->device;
}

/* A number of one device says so wherever the reader has chosen another. */
static bool print_named(struct expand_ctx *ctx, const struct placeholder *p,
                        const struct kind *kind, enum form form, struct sb *to, struct err *e)
{
	const char *device = device_to_say(ctx, p, kind);
	bool said = device && names_device(p->text);
	if (device && form != AS_TEXT)
		device_part_only(ctx, device, said, to);
	bool ok = print_form(ctx, p, kind, form, to, e);
	if (device && form != AS_TEXT)
		device_part_only_end(ctx, device, said, to);
	else if (said)
		device_part_name(ctx, device, to);
	return ok;
}

/* --- entry points --- */

static bool expand(struct expand_ctx *ctx, const struct placeholder *p, enum form form,
                   struct span *span, struct sb *to, struct err *e)
{
	const struct kind *kind = kind_of(p, e);
	struct expand_ctx outside = *ctx;
	if (!kind)
		return false;
	if (form != AS_MARKUP && kind->place == EXPAND_BLOCK)
		return err_at(e, p->at, "'%s' is a block; it stands alone in a paragraph",
		              kind->name);
	if (!span && kind->place == EXPAND_SPAN)
		return err_at(e, p->at, "'%s' goes around text, not here", kind->name);
	bool each = for_each_device(ctx, p, kind);
	bool ok = span   ? (each ? span_each(ctx, p, kind, span, to, e)
	                         : print(ctx, p, kind, true, span, to, e))
	          : each ? print_each(ctx, p, kind, form, to, e)
	                 : print_named(ctx, p, kind, form, to, e);
	ctx->device = outside.device;
	ctx->device_no = outside.device_no;
	ctx->caption_id = outside.caption_id;
	return ok;
}

bool expand_html(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e)
{
	return expand(ctx, p, AS_MARKUP, NULL, to, e);
}

bool expand_text(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e)
{
	return expand(ctx, p, AS_TEXT, NULL, to, e);
}

bool expand_in_link(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to,
                    struct err *e)
{
	return expand(ctx, p, IN_LINK, NULL, to, e);
}

bool expand_span(struct expand_ctx *ctx, const struct placeholder *p, struct span *s, struct sb *to,
                 struct err *e)
{
	return expand(ctx, p, AS_MARKUP, s, to, e);
}

static struct loc loc_in(struct str text, struct loc at, size_t i)
{
	struct loc here = str_loc(text, at.path, text.p + i);
	if (here.line == 1)
		here.col += at.col - 1;
	here.line += at.line - 1;
	return here;
}

/* Refuses bytes that cannot be published as text. */
static bool check_text(struct str text, struct loc at, struct err *e)
{
	size_t start, end;
	const char *comment = memmem(text.p, text.n, "<!--", 4);
	if (comment)
		return err_at(e, loc_in(text, at, (size_t)(comment - text.p)),
		              "comment '<!--' is raw HTML, expected text only; remove it");
	return !placeholder_mistyped(text, 0, &start, &end) ||
	       placeholder_mistyped_fail(str_sub(text, start, end), loc_in(text, at, start), e);
}

/* Finds the mark that closes a span at or after `from`. */
static bool find_close(struct str text, const struct placeholder *p, size_t from, size_t *start,
                       size_t *end)
{
	for (; placeholder_next(text, from, start, end) && *end > *start; from = *end) {
		struct str name = str_sub(text, *start, *end);
		if (str_starts(name, "<</bench:") &&
		    str_eq(str_sub(name, strlen("<</bench:"), name.n - 2), p->kind))
			return true;
	}
	return false;
}

/* Expands the text of a span, after its kind has read it; *end moves behind the mark that closes.
 */
static bool expand_around(struct expand_ctx *ctx, const struct placeholder *p, struct str text,
                          struct loc at, size_t *end, bool html, struct sb *to, struct err *e)
{
	struct expand_ctx before = *ctx;
	struct sb plain = {0}, nothing = {0};
	struct span span = {.step = SPAN_SEEN};
	size_t from = *end, close;
	if (!find_close(text, p, from, &close, end))
		return err_at(e, p->at,
		              "'" STR_FMT "' is not closed, expected '<</bench:" STR_FMT ">>'",
		              STR_ARG(p->text), STR_ARG(p->kind));
	struct str inner = str_sub(text, from, close);
	struct loc here = loc_in(text, at, from);
	bool ok = expand_all(ctx, inner, here, false, &plain, e);
	span.text = str_keep(ctx->arena, sb_view(&plain));
	if (html) { /* its numbers count once */
		ctx->quotes = before.quotes;
		ctx->facts = before.facts;
	}
	ok = ok && expand_span(ctx, p, &span, &nothing, e);
	span.step = SPAN_OPEN;
	ok = ok && (!html || expand_span(ctx, p, &span, to, e));
	if (html)
		ok = ok && expand_all(ctx, inner, here, true, to, e);
	else
		sb_str(to, span.text);
	span.step = SPAN_CLOSE;
	ok = ok && (!html || expand_span(ctx, p, &span, to, e));
	sb_free(&plain);
	sb_free(&nothing);
	return ok;
}

/* Expands the placeholder at [start, *end) of a text; *end moves behind a span's end. */
static bool expand_one(struct expand_ctx *ctx, struct str text, struct loc at, size_t start,
                       size_t *end, bool html, struct sb *to, struct err *e)
{
	struct placeholder p;
	enum expand_place place;
	struct loc here = loc_in(text, at, start);
	if (*end == start)
		return err_at(e, here, "placeholder is not closed, expected '>>' on the same line");
	if (!placeholder_parse(str_sub(text, start, *end), here, &p, e) ||
	    !expand_place_of(&p, &place, e))
		return false;
	if (place == EXPAND_SPAN)
		return expand_around(ctx, &p, text, at, end, html, to, e);
	return expand(ctx, &p, html ? AS_MARKUP : AS_TEXT, NULL, to, e);
}

static void put_words(struct str text, bool html, struct sb *to)
{
	struct sb set = {0};
	typeset(&set, text);
	if (html)
		html_text(to, sb_view(&set));
	else
		sb_str(to, sb_view(&set));
	sb_free(&set);
}

bool expand_all(struct expand_ctx *ctx, struct str text, struct loc at, bool html, struct sb *to,
                struct err *e)
{
	size_t done = 0, start, end;
	if (text.n && !check_text(text, at, e))
		return false;
	while (placeholder_next(text, done, &start, &end)) {
		put_words(str_sub(text, done, start), html, to);
		if (!expand_one(ctx, text, at, start, &end, html, to, e))
			return false;
		done = end;
	}
	put_words(str_sub(text, done, text.n), html, to);
	return true;
}
