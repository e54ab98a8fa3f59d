/* Keys of the look: theme, version, colours, logo, favicon. */
#include "site-gen/lua/config_inner.h"

#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/base/front_check.h"
#include "site-gen/base/image.h"
#include "site-gen/lua/restyle.h"

enum { MAX_STYLE_BYTES = 1 << 20, LOGO_MOST_WIDTH = 192 };

/* Contrast of text, WCAG 2.2, level AA. */
static const double least_contrast = 4.5;

bool config_read_theme(struct config_reader *r, const struct script_value *v)
{
	const char *name = v->text.p;
	const char *look = arena_printf(r->arena, "themes/%s/", name);
	if (front_check_slug(name))
		return err_at(
		        r->err, config_place_of_text(r, v->text),
		        "theme '%s' is no name of a folder of themes/, expected [a-z0-9-]{1,64}",
		        name);
	if (!file_exists(arena_printf(r->arena, "%stemplates/base.html", look)) &&
	    !file_exists(arena_printf(r->arena, "%stemplates/page.html", look)))
		return err_at(
		        r->err, config_place_of_text(r, v->text),
		        "there is no theme '%s', expected themes/%s/templates/ with a template "
		        "for each kind of page",
		        name, name);
	r->out->look.own = look;
	return true;
}

bool config_read_version(struct config_reader *r, const struct script_value *v)
{
	struct err why = ERR_NONE;
	return config_version(v->text.p, &r->out->look, r->arena, &why) ||
	       err_at(r->err, config_place_of_text(r, v->text), "%s", why.text);
}

/* --- colours --- */

static const struct {
	const char *name, *property;
	size_t field;
} colour_keys[] = {{"accent", "accent", offsetof(struct config_colours, accent)},
                   {"background", "ground", offsetof(struct config_colours, background)},
                   {"text", "ink", offsetof(struct config_colours, text)}};
enum { ACCENT, BACKGROUND, TEXT, NCOLOURS = ARRAY_LEN(colour_keys) };

static const char *const theme_names[] = {"light", "dark"};

/* Colours of the look that stand on the background as text. */
static const char *const on_ground[] = {"warn", "bad", "s0", "s1", "s2", "s3",  "s4",
                                        "s5",   "s6",  "s7", "s8", "s9", "s10", "s11"};

/* A theme whose colours are read and compared. */
struct theme {
	int number; /* of theme_names */
	struct config_colours *set;
	struct str css; /* of the look */
};

static struct loc place_of_colour(const struct config_reader *r, const struct theme *t,
                                  const char *name)
{
	const char *const path[] = {"colours", theme_names[t->number], name};
	return config_place_in(r, path, ARRAY_LEN(path));
}

static const char **colour_field(struct config_colours *c, size_t i)
{
	return (const char **)(void *)((char *)c + colour_keys[i].field);
}

static bool read_colour(struct config_reader *r, struct theme *t, const struct script_member *m)
{
	const char *key = m->key ? m->key : "";
	struct restyle_value old;
	struct restyle_rgb rgb;
	for (size_t i = 0; i < NCOLOURS; i++) {
		if (strcmp(key, colour_keys[i].name) != 0)
			continue;
		struct loc at = place_of_colour(r, t, key);
		if (m->value->kind != SCRIPT_TEXT)
			return err_at(r->err, at, "'%s' is %s, expected \"#rrggbb\"", key,
			              script_kind_name(m->value->kind));
		if (m->value->text.n != strlen("#rrggbb") || !restyle_rgb(m->value->text, &rgb))
			return err_at(r->err, at, "%s '%s' is no colour, expected \"#rrggbb\"", key,
			              m->value->text.p);
		*colour_field(t->set, i) = m->value->text.p;
		return restyle_find(t->css, str_of(colour_keys[i].property), &old) ||
		       err_at(r->err, at, "static/site.css of the look has no --%s",
		              colour_keys[i].property);
	}
	return err_at(r->err, place_of_colour(r, t, key),
	              "unknown key '%s' in '%s', expected accent, background or text", key,
	              theme_names[t->number]);
}

/* A colour of the settings, else of the look. False if neither has one as digits. */
static bool colour_of(const struct theme *t, size_t i, struct restyle_rgb *out)
{
	const char *set = *colour_field(t->set, i);
	return set ? restyle_rgb(str_of(set), out)
	           : restyle_look(t->css, colour_keys[i].property, t->number, out);
}

/* Text and links on the background; only what the settings changed. */
static bool check_text(struct config_reader *r, const struct theme *t, size_t i,
                       struct restyle_rgb ground)
{
	struct restyle_rgb ink;
	const bool own = *colour_field(t->set, i) != NULL;
	if (!(own || t->set->background) || !colour_of(t, i, &ink))
		return true;
	double contrast = restyle_contrast(ink, ground);
	return contrast >= least_contrast ||
	       err_at(r->err, place_of_colour(r, t, own ? colour_keys[i].name : "background"),
	              "%s #%06x on background #%06x has a contrast of %.2f in the %s theme, "
	              "expected %.1f or more (WCAG AA)",
	              colour_keys[i].name, restyle_number(ink), restyle_number(ground), contrast,
	              theme_names[t->number], least_contrast);
}

/* The look's other colours on a background of the settings. */
static bool check_others(struct config_reader *r, const struct theme *t, struct restyle_rgb ground)
{
	struct restyle_rgb ink;
	for (size_t i = 0; t->set->background && i < ARRAY_LEN(on_ground); i++) {
		if (!restyle_look(t->css, on_ground[i], t->number, &ink))
			continue;
		double contrast = restyle_contrast(ink, ground);
		if (contrast < least_contrast)
			return err_at(r->err, place_of_colour(r, t, "background"),
			              "background #%06x gives --%s of the look, #%06x, a contrast "
			              "of %.2f in the %s theme, expected %.1f or more (WCAG AA)",
			              restyle_number(ground), on_ground[i], restyle_number(ink),
			              contrast, theme_names[t->number], least_contrast);
	}
	return true;
}

static bool read_theme_colours(struct config_reader *r, struct theme *t,
                               const struct script_value *v)
{
	struct restyle_rgb ground;
	if (v->kind != SCRIPT_TABLE)
		return err_at(r->err, place_of_colour(r, t, theme_names[t->number]),
		              "'%s' in 'colours' is %s, expected { accent = \"#rrggbb\", … }",
		              theme_names[t->number], script_kind_name(v->kind));
	for (size_t i = 0; i < v->n; i++)
		if (!read_colour(r, t, &v->member[i]))
			return false;
	return !colour_of(t, BACKGROUND, &ground) ||
	       (check_text(r, t, TEXT, ground) && check_text(r, t, ACCENT, ground) &&
	        check_others(r, t, ground));
}

bool config_read_colours(struct config_reader *r, const struct script_value *v)
{
	const char *path = layers_file(&r->out->look, "static/site.css", r->arena);
	struct str css;
	if (!file_read(path, MAX_STYLE_BYTES, r->arena, &css, r->err))
		return false;
	for (size_t i = 0; i < v->n; i++) {
		const char *key = v->member[i].key ? v->member[i].key : "";
		int number = strcmp(key, "dark") == 0;
		struct theme t = {number, &r->out->colours[number], css};
		if (strcmp(key, theme_names[number]) != 0)
			return err_at(r->err,
			              config_place_in(r, (const char *[]){"colours", key}, 2),
			              "unknown key '%s' in 'colours', expected light or dark", key);
		if (!read_theme_colours(r, &t, v->member[i].value))
			return false;
	}
	return true;
}

/* --- pictures --- */

/* The file of the look at "static/NAME"; its path, or NULL with an error. */
static const char *picture_path(struct config_reader *r, const char *key,
                                const struct script_value *v, const char *const *ends, size_t n,
                                const char *formats)
{
	struct str name = v->text;
	bool known = false;
	for (size_t i = 0; i < n; i++)
		known = known || str_ends(name, ends[i]);
	if (!str_starts(name, "static/") || strstr(name.p, "..") || !known) {
		err_at(r->err, config_place(r, key),
		       "%s '%s' is no picture of the look, expected \"static/NAME\" in %s", key,
		       name.p, formats);
		return NULL;
	}
	const char *path = layers_file(&r->out->look, name.p, r->arena);
	if (file_exists(path))
		return path;
	err_at(r->err, config_place(r, key), "%s: there is no file '%s'", key, name.p);
	return NULL;
}

static int logo_width(const struct image *i)
{
	int width = (i->width * CONFIG_LOGO_HEIGHT + i->height / 2) / (i->height ? i->height : 1);
	return width < 1 ? 1 : width > LOGO_MOST_WIDTH ? LOGO_MOST_WIDTH : width;
}

bool config_read_logo(struct config_reader *r, const struct script_value *v)
{
	static const char *const ends[] = {".svg", ".png", ".webp", ".jpg"};
	const char *path =
	        picture_path(r, "logo", v, ends, ARRAY_LEN(ends), "SVG, PNG, WebP or JPEG");
	struct err why = ERR_NONE;
	struct image image;
	struct str bytes;
	if (!path)
		return false;
	if (!file_read(path, IMAGE_MAX_BYTES, r->arena, &bytes, &why) ||
	    !image_read(bytes, &image, &why))
		return err_at(r->err, config_place(r, "logo"), "logo '%s': %s", v->text.p,
		              why.text);
	r->out->logo = v->text.p + strlen("static/");
	r->out->logo_width = logo_width(&image);
	return true;
}

bool config_read_favicon(struct config_reader *r, const struct script_value *v)
{
	static const char *const ends[] = {".svg", ".png", ".ico"};
	if (!picture_path(r, "favicon", v, ends, ARRAY_LEN(ends), "SVG, PNG or ICO"))
		return false;
	r->out->favicon = v->text.p + strlen("static/");
	return true;
}
