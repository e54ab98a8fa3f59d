/* Pictures: their alternative text, size, and smaller versions. */
#include <string.h>

#include "lib/file.h"
#include "site-gen/base/html.h"
#include "site-gen/markdown/inner.h"

/*
 * The file for an address: beside the page's source, if that is the index of a folder, or in
 * static/. NULL if there is none; site/links.c reports missing files.
 */
static const char *file_of(const struct md_render *r, struct str url)
{
	const struct words *w = r->ctx->words;
	struct str path = str_of(r->source.path);
	size_t slash = path.n;
	const char *file = NULL;
	while (slash > 0 && path.p[slash - 1] != '/')
		slash--;
	if (str_starts(url, "./"))
		url = str_sub(url, 2, url.n);
	if (memmem(url.p, url.n, "..", 2))
		return NULL;
	if (str_starts(url, "/static/") && w && w->config && w->config->look.own)
		file = layers_file(&w->config->look, str_dup(r->arena, str_sub(url, 1, url.n)),
		                   r->arena);
	else if (!str_starts(url, "/") && str_starts(str_sub(path, slash, path.n), "index."))
		file = arena_printf(r->arena, STR_FMT STR_FMT, STR_ARG(str_sub(path, 0, slash)),
		                    STR_ARG(url));
	return file && file_exists(file) ? file : NULL;
}

static void add(struct md_render *r, const struct md_picture *p)
{
	struct md_doc *d = r->out;
	struct md_picture *more = ARENA_ARRAY(r->arena, struct md_picture, d->npictures + 1);
	if (d->npictures)
		memcpy(more, d->pictures, d->npictures * sizeof *more);
	more[d->npictures++] = *p;
	d->pictures = more;
}

/* Finds the picture of an address; *out is NULL if its file is unknown. */
static bool find(struct md_render *r, cmark_node *n, struct str url, struct md_picture **out)
{
	const char *file = file_of(r, url);
	struct arena bytes_arena = {0};
	struct md_picture p = {.file = file};
	struct err why = ERR_NONE;
	struct str bytes;
	*out = NULL;
	if (!file)
		return true;
	bool ok = file_read(file, IMAGE_MAX_BYTES, &bytes_arena, &bytes, &why) &&
	          image_read(bytes, &p.image, &why);
	arena_free(&bytes_arena);
	if (!ok)
		return err_at(r->e, md_node_loc(&r->source, n), "image '" STR_FMT "': %s",
		              STR_ARG(url), why.text);
	p.url = str_dup(r->arena, url);
	add(r, &p);
	*out = &r->out->pictures[r->out->npictures - 1];
	return true;
}

/* The width of a picture on the page; a figure is wider than the text (static/site.css). */
static const char *sizes_of(const struct md_render *r)
{
	return r->in_figure ? "(min-width: 60rem) 57.5rem, 100vw"
	                    : "(min-width: 44rem) 39rem, 100vw";
}

/* Prints <picture><source …>. False: there are no other sizes. */
static bool print_sizes(struct md_render *r, const struct md_picture *p)
{
	int width[IMAGE_MOST_WIDTHS];
	size_t n = p ? image_widths(&p->image, width) : 0;
	if (n == 0)
		return false;
	html_raw(&r->html, "<picture><source type=\"image/webp\" srcset=\"");
	for (size_t i = 0; i < n; i++) {
		sb_clear(&r->scratch);
		image_address(str_of(p->url), width[i], &r->scratch);
		html_raw(&r->html, i ? ", " : "");
		if (p->url[0] == '/' && r->ctx->base)
			html_url(&r->html, str_of(r->ctx->base));
		html_url(&r->html, sb_view(&r->scratch));
		sb_printf(&r->html, " %dw", width[i]);
	}
	sb_printf(&r->html, "\" sizes=\"%s\">", sizes_of(r));
	return true;
}

static bool print(struct md_render *r, cmark_node *n, struct str url, struct str alt)
{
	struct str title = str_of(cmark_node_get_title(n));
	struct md_picture *p;
	if (!find(r, n, url, &p))
		return false;
	bool sizes = print_sizes(r, p);
	html_raw(&r->html, "<img");
	md_print_address(r, "src", url);
	html_raw(&r->html, " alt=\"");
	html_attr(&r->html, alt);
	html_raw(&r->html, "\"");
	if (p)
		sb_printf(&r->html, " width=\"%d\" height=\"%d\"", p->image.width, p->image.height);
	if (title.n && !r->in_figure && !md_print_attribute(r, "title", title))
		return false;
	html_raw(&r->html, " loading=\"lazy\" decoding=\"async\">");
	html_raw(&r->html, sizes ? "</picture>" : "");
	return true;
}

bool md_print_image(struct md_render *r, cmark_node *n)
{
	struct str url;
	struct sb alt = {0};
	bool ok = md_address(r, n, true, &url) && md_plain_node(r, n, MD_PLAIN, &alt);
	if (ok && str_trim(sb_view(&alt)).n == 0)
		ok = err_at(r->e, md_node_loc(&r->source, n),
		            "image '" STR_FMT
		            "' has no text for those who cannot see it, expected ![text](address)",
		            STR_ARG(url));
	ok = ok && print(r, n, url, sb_view(&alt));
	sb_free(&alt);
	return ok;
}
