#include "site-gen/look/style.h"

#include <string.h>

#include "lib/file.h"
#include "site-gen/site/assets.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"
#include "site-gen/lua/config.h"
#include "site-gen/lua/restyle.h"

enum { MAX_STYLE_BYTES = 1 << 20 };

bool style_load(struct maker *m, struct err *e)
{
	if (m->style.p)
		return true;
	struct arena *a = m->site->arena;
	const struct layers *look = &m->site->config->look;
	const char *mine = layers_file(look, "static/" ASSETS_OWN_STYLE, a);
	const char *more = layers_file(look, "static/diagram.css", a);
	struct str own = {0}, all, diagrams = {0};
	if (!file_read(layers_file(look, "static/site.css", a), MAX_STYLE_BYTES, a, &all, e) ||
	    (file_exists(mine) && !file_read(mine, MAX_STYLE_BYTES, a, &own, e)) ||
	    (file_exists(more) && !file_read(more, MAX_STYLE_BYTES, a, &diagrams, e)))
		return false;
	struct sb restyled = {0};
	restyle(m->site->config, all, &restyled);
	/* the first value of a property counts */
	m->style = str_of(arena_printf(a, STR_FMT "\n" STR_FMT "\n" STR_FMT, STR_ARG(own),
	                               STR_ARG(sb_view(&restyled)), STR_ARG(diagrams)));
	sb_free(&restyled);
	return true;
}

/* The value of a property in the light theme. */
static bool property(struct str style, struct str name, struct str *out)
{
	struct restyle_value v;
	bool ok = restyle_find(style, name, &v);
	*out = ok ? v.light : (struct str){0};
	return ok;
}

bool style_colour(void *maker, const struct str *arg, struct sb *to, struct err *e)
{
	struct maker *m = maker;
	struct str value;
	if (!style_load(m, e))
		return false;
	if (!property(m->style, arg[0], &value))
		return err_set(e, "colour('" STR_FMT "'): no such property in static/site.css",
		               STR_ARG(arg[0]));
	sb_str(to, value);
	return true;
}

/* series -> '.s-' n ' { --c: var(--' name ')'; the dashed ones are listed before '{ --dash:' */
bool style_series(struct str style, int n, struct arena *a, struct style_series *out)
{
	const char *start = arena_printf(a, ".s-%d { --c: var(--", n);
	const char *at = style.n ? memmem(style.p, style.n, start, strlen(start)) : NULL;
	const char *dashed = style.n ? memmem(style.p, style.n, "{ --dash:", 9) : NULL;
	struct str name, rest;
	*out = (struct style_series){.dash = {"", 0}};
	if (!at)
		return false;
	str_cut(str_sub(style, (size_t)(at - style.p) + strlen(start), style.n), ')', &name, &rest);
	if (!property(style, name, &out->colour))
		return false;
	const char *line = dashed;
	while (line && line > style.p && line[-1] != '}' && line[-1] != '\n')
		line--;
	struct str list = {line, (size_t)(dashed - line)};
	while (list.n && str_cut(list, '.', &rest, &list)) {
		int64_t number;
		size_t end = 2;
		while (end < list.n && list.p[end] >= '0' && list.p[end] <= '9')
			end++;
		if (str_starts(list, "s-") && str_i64(str_sub(list, 2, end), &number) &&
		    number == n)
			return property(style, STR("dash"), &out->dash);
	}
	return true;
}
