#include "site-gen/lua/restyle.h"

#include <math.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/lua/config.h"

bool restyle_find(struct str css, struct str name, struct restyle_value *out)
{
	struct sb start = {0};
	sb_printf(&start, "--" STR_FMT ":", STR_ARG(name));
	const char *at = css.n ? memmem(css.p, css.n, start.p, start.n) : NULL;
	size_t from = at ? (size_t)(at - css.p) + start.n : 0;
	struct str rest;
	sb_free(&start);
	if (!at)
		return false;
	str_cut(str_sub(css, from, css.n), ';', &out->whole, &rest);
	out->whole = str_trim(out->whole);
	out->light = out->dark = out->whole;
	if (str_starts(out->whole, "light-dark(") && str_ends(out->whole, ")")) {
		struct str both = str_sub(out->whole, strlen("light-dark("), out->whole.n - 1);
		str_cut(both, ',', &out->light, &out->dark);
		out->light = str_trim(out->light);
		out->dark = str_trim(out->dark);
	}
	return true;
}

static int digit(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	                              : -1;
}

bool restyle_rgb(struct str text, struct restyle_rgb *out)
{
	int part[3] = {0};
	size_t each = (text.n - 1) / 3;
	if ((text.n != 4 && text.n != 7) || text.p[0] != '#')
		return false;
	for (size_t i = 1; i < text.n; i++) {
		int d = digit(text.p[i]), *p = &part[(i - 1) / each];
		if (d < 0)
			return false;
		*p = each == 1 ? d * 17 : *p * 16 + d;
	}
	*out = (struct restyle_rgb){part[0], part[1], part[2]};
	return true;
}

unsigned restyle_number(struct restyle_rgb c)
{
	return (unsigned)c.r << 16 | (unsigned)c.g << 8 | (unsigned)c.b;
}

bool restyle_look(struct str css, const char *name, int theme, struct restyle_rgb *out)
{
	struct restyle_value v;
	return restyle_find(css, str_of(name), &v) && restyle_rgb(theme ? v.dark : v.light, out);
}

/* --- contrast --- */

static double linear(int part)
{
	double c = part / 255.0;
	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(struct restyle_rgb c)
{
	return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

double restyle_contrast(struct restyle_rgb a, struct restyle_rgb b)
{
	double x = luminance(a), y = luminance(b);
	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

/* --- the style sheet --- */

enum { NTHEMES = 2, HUNDRED = 100, SOFT_STEP = 5 };

static const double soft_contrast = 4.5;

/* Shades from the background (0 %) to the text (100 %), about as the default look has them. */
static const struct shade {
	const char *name;
	int percent;
	bool read; /* as text, so it needs contrast */
} shades[] = {{"raised", 4, false}, {"line", 12, false}, {"edge", 30, false}, {"soft", 70, true}};

static int between(int from, int to, int percent)
{
	return (from * (HUNDRED - percent) + to * percent + HUNDRED / 2) / HUNDRED;
}

static struct restyle_rgb mix(struct restyle_rgb from, struct restyle_rgb to, int percent)
{
	return (struct restyle_rgb){between(from.r, to.r, percent), between(from.g, to.g, percent),
	                            between(from.b, to.b, percent)};
}

static struct restyle_rgb shade_of(const struct shade *s, struct restyle_rgb ground,
                                   struct restyle_rgb ink)
{
	int percent = s->percent;
	while (s->read && percent < HUNDRED &&
	       restyle_contrast(mix(ground, ink, percent), ground) < soft_contrast)
		percent += SOFT_STEP;
	return mix(ground, ink, percent > HUNDRED ? HUNDRED : percent);
}

/* A property, and its colours by theme where the settings change it. */
struct change {
	const char *name;
	bool set[NTHEMES];
	struct restyle_rgb to[NTHEMES];
};

static void put_colour(struct sb *to, const struct change *c, int theme, struct str old)
{
	if (c->set[theme])
		sb_printf(to, "#%06x", restyle_number(c->to[theme]));
	else
		sb_str(to, old);
}

/* Appends the style sheet with one property changed. */
static void put_changed(struct str css, const struct change *c, struct sb *to)
{
	struct restyle_value v;
	if (!(c->set[0] || c->set[1]) || !restyle_find(css, str_of(c->name), &v)) {
		sb_str(to, css);
		return;
	}
	size_t from = (size_t)(v.whole.p - css.p);
	sb_str(to, str_sub(css, 0, from));
	sb_cstr(to, "light-dark(");
	put_colour(to, c, 0, v.light);
	sb_cstr(to, ", ");
	put_colour(to, c, 1, v.dark);
	sb_cstr(to, ")");
	sb_str(to, str_sub(css, from + v.whole.n, css.n));
}

static void set_colour(struct change *c, int theme, const char *text)
{
	c->set[theme] = text && restyle_rgb(str_of(text), &c->to[theme]);
}

/* The changes of all properties. Returns their number. */
static size_t changes_of(const struct config *c, struct str css, struct change *out)
{
	out[0].name = "accent";
	out[1].name = "ground";
	out[2].name = "ink";
	for (int t = 0; t < NTHEMES; t++) {
		const struct config_colours *set = &c->colours[t];
		struct restyle_rgb ground = {0}, ink = {0};
		set_colour(&out[0], t, set->accent);
		set_colour(&out[1], t, set->background);
		set_colour(&out[2], t, set->text);
		bool both = (out[1].set[t] || restyle_look(css, "ground", t, &ground)) &&
		            (out[2].set[t] || restyle_look(css, "ink", t, &ink));
		ground = out[1].set[t] ? out[1].to[t] : ground;
		ink = out[2].set[t] ? out[2].to[t] : ink;
		for (size_t i = 0; i < ARRAY_LEN(shades); i++) {
			struct change *shade = &out[3 + i];
			shade->name = shades[i].name;
			shade->set[t] = both && (out[1].set[t] || out[2].set[t]);
			if (shade->set[t])
				shade->to[t] = shade_of(&shades[i], ground, ink);
		}
	}
	return 3 + ARRAY_LEN(shades);
}

void restyle(const struct config *c, struct str css, struct sb *to)
{
	struct change change[3 + ARRAY_LEN(shades)] = {0};
	size_t n = changes_of(c, css, change);
	struct sb now = {0};
	sb_str(&now, css);
	for (size_t i = 0; i < n; i++) {
		struct sb next = {0};
		put_changed(sb_view(&now), &change[i], &next);
		sb_free(&now);
		now = next;
	}
	sb_str(to, sb_view(&now));
	sb_free(&now);
	if (*c->logo)
		sb_cstr(to, "img.logo { width: auto; max-width: 12rem; object-fit: contain; }\n");
}
