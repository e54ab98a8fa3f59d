/*
 * Titles of predictions in other languages. A prediction is registered in one language and never
 * edited. Its translated title is in a separate file, which proves nothing and may be improved at
 * any time, but its figures must be those of the registered title.
 */
#include <ctype.h>
#include <string.h>

#include "site-gen/base/front.h"
#include "site-gen/lint/typeset.h"
#include "site-gen/numbers/prediction.h"
#include "site-gen/lua/words.h"

/* The next figure, with its decimal points: "1.3", "16384". Empty at the end. */
static struct str next_figure(struct str *rest)
{
	size_t i = 0, n = 0;
	while (i < rest->n && !isdigit((unsigned char)rest->p[i]))
		i++;
	while (i + n < rest->n && (isdigit((unsigned char)rest->p[i + n]) ||
	                           (rest->p[i + n] == '.' && i + n + 1 < rest->n &&
	                            isdigit((unsigned char)rest->p[i + n + 1]))))
		n++;
	struct str out = str_sub(*rest, i, i + n);
	*rest = str_sub(*rest, i + n, rest->n);
	return out;
}

static size_t times(struct str text, struct str figure)
{
	size_t n = 0;
	for (struct str f = next_figure(&text); f.n; f = next_figure(&text))
		n += str_cmp(f, figure) == 0;
	return n;
}

/* Does each figure occur equally often in both texts? `differs`: one that does not. */
static bool same_figures(struct str one, struct str other, struct str *differs)
{
	struct str rest = one;
	for (struct str f = next_figure(&rest); f.n; f = next_figure(&rest)) {
		*differs = f;
		if (times(one, f) != times(other, f))
			return false;
	}
	return true;
}

static struct prediction *find(struct predictions *all, const char *id)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->all[i].id, id) == 0)
			return &all->all[i];
	return NULL;
}

static bool add_title(const struct front_field *f, const char *lang, struct arena *a,
                      struct predictions *all, struct err *e)
{
	struct str differs;
	struct prediction *p = find(all, f->name);
	if (!p && all->some)
		return true;
	if (!p)
		return err_at(e, f->name_at, "no prediction is called '%s'", f->name);
	if (!same_figures(str_of(p->title), str_of(f->value), &differs) ||
	    !same_figures(str_of(f->value), str_of(p->title), &differs))
		return err_at(e, f->at,
		              "the figure " STR_FMT " is not as often in \"%s\", expected the "
		              "figures of the registered title",
		              STR_ARG(differs), p->title);
	struct prediction_said *said = ARENA_ARRAY(a, struct prediction_said, p->nsaid + 1);
	if (p->nsaid)
		memcpy(said, p->said, p->nsaid * sizeof *said);
	said[p->nsaid++] = (struct prediction_said){lang, f->value};
	p->said = said;
	return true;
}

bool prediction_titles_read(struct str src, const char *path, struct arena *a,
                            struct predictions *all, struct err *e)
{
	struct front_fields f;
	const char *dot = strchr(strrchr(path, '/') ? strrchr(path, '/') : path, '.');
	const char *lang = arena_strndup(a, dot + 1, strcspn(dot + 1, "."));
	if (!front_fields(src, path, a, &f, e))
		return false;
	for (size_t i = 0; i < f.n; i++)
		if (!add_title(&f.field[i], lang, a, all, e))
			return false;
	return true;
}

static const char *as_set(const char *title, struct arena *a)
{
	struct sb text = {0};
	typeset(&text, str_of(title));
	return sb_take(a, &text);
}

void prediction_titles_set(struct predictions *all, struct arena *a)
{
	for (size_t i = 0; i < all->n; i++) {
		struct prediction *p = &all->all[i];
		p->title = as_set(p->title, a);
		for (size_t n = 0; n < p->nsaid; n++)
			p->said[n].title = as_set(p->said[n].title, a);
	}
}

static const char *said_in(const struct prediction *p, const struct words *w)
{
	for (size_t i = 0; w && w->lang && i < p->nsaid; i++)
		if (strcmp(p->said[i].lang, w->lang) == 0)
			return p->said[i].title;
	return NULL;
}

const char *prediction_title(const struct prediction *p, const struct words *w)
{
	const char *title = said_in(p, w);
	return title ? title : p->title;
}

const char *prediction_title_lang(const struct prediction *p, const struct words *w)
{
	return said_in(p, w) ? "" : words_record_lang(w);
}
