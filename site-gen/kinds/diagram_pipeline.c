/*
 * diagram pipeline: roles that work at the same time. Without steps= it is drawn from time stamps
 * (diagram_stamps.c), else it is a schema from a short description. Steps and links are
 * the same in every language; names and legend are the page's words.
 *
 *   steps -> step { ';' step }
 *   step  -> ROLE ' ' FROM '-' TO ' ' TONE [ ' ' LABEL ] [ ' *' COUNT '+' PERIOD [ '+' BY ] ]
 *   links -> NAME ' ' ROLE '.' LABEL '>' ROLE '.' LABEL { ';' … }
 *
 * A role is its place among the names, from 0; a tone is a, b or c. With *COUNT the step is
 * repeated every PERIOD, and a LABEL that is a number grows BY (1). mark=LABEL makes the steps of
 * that label the ones that the diagram is about. scale="bytes of an element" says what the widths
 * are, if they are not times of a sketch.
 */
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/diagram/pipeline.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/diagram.h"

enum { MOST_TIME = 10000 };

static struct str next_word(struct str *rest)
{
	struct str word;
	*rest = str_trim(*rest);
	if (!str_cut(*rest, ' ', &word, rest))
		*rest = STR("");
	return word;
}

static bool int_in(struct str s, int64_t least, int64_t most, int *out)
{
	int64_t v;
	if (!str_i64(s, &v) || v < least || v > most)
		return false;
	*out = (int)v;
	return true;
}

/* --- names and legend ---------------------------------------------------------------------- */

/* names="loader: 1 thread; adders: 2 warps" */
static bool read_names(struct kind_call *k, struct pipeline *p, struct err *e)
{
	struct str list, one, name, note;
	if (!diagram_needs(k, "names", &list, e))
		return false;
	for (bool more = true; more; p->nroles++) {
		more = str_cut(list, ';', &one, &list);
		if (p->nroles == PIPELINE_MOST_ROLES)
			return err_at(e, placeholder_loc(k->p, one), "more than %d roles",
			              PIPELINE_MOST_ROLES);
		if (!str_cut(one, ':', &name, &note))
			note = STR("");
		p->role[p->nroles] = str_dup(k->ctx->arena, str_trim(name));
		p->note[p->nroles] = str_dup(k->ctx->arena, str_trim(note));
	}
	return true;
}

static bool tone_of(struct str s, int *out)
{
	*out = s.n == 1 && s.p[0] >= 'a' && s.p[0] < 'a' + PIPELINE_TONES ? s.p[0] - 'a'
	       : str_is(s, "mark")                                        ? PIPELINE_MARKED
	                                                                  : -1;
	return *out >= 0;
}

/* legend="a: a copy under way; mark: tile 3" */
static bool read_legend(struct kind_call *k, struct pipeline *p, struct err *e)
{
	struct str list = placeholder_key(k->p, "legend"), one, tone, words;
	for (bool more = list.n > 0; more; p->nlegend++) {
		more = str_cut(list, ';', &one, &list);
		if (p->nlegend > PIPELINE_TONES || !str_cut(one, ':', &tone, &words) ||
		    !tone_of(str_trim(tone), &p->legend_tone[p->nlegend]))
			return err_at(
			        e, placeholder_loc(k->p, one),
			        "expected 'TONE: words', a tone being a, b, c or mark, each once");
		p->legend[p->nlegend] = str_dup(k->ctx->arena, str_trim(words));
	}
	return true;
}

/* --- steps --------------------------------------------------------------------------------- */

static bool wrong_step(struct kind_call *k, struct str step, struct err *e)
{
	return err_at(e, placeholder_loc(k->p, step),
	              "'" STR_FMT "' is no step, expected ROLE FROM-TO TONE [LABEL] "
	              "[*COUNT+PERIOD[+BY]], as in 0 0-10 a 0 *8+10",
	              STR_ARG(step));
}

/* "*8+10+2" */
static bool read_repeat(struct str s, int *count, int *period, int *by)
{
	struct str n, every, step;
	if (!str_starts(s, "*") || !str_cut(str_sub(s, 1, s.n), '+', &n, &every))
		return false;
	if (str_cut(every, '+', &every, &step) && !int_in(step, 0, MOST_TIME, by))
		return false;
	return int_in(n, 1, PIPELINE_MOST_STEPS, count) && int_in(every, 1, MOST_TIME, period);
}

static bool add_steps(struct kind_call *k, struct pipeline *p, const struct pipeline_step *s,
                      struct str label, const int repeat[3], struct err *e)
{
	int number = 0;
	bool counts = int_in(label, 0, MOST_TIME, &number);
	for (int i = 0; i < repeat[0]; i++) {
		struct pipeline_step *own = &p->step[p->nsteps];
		if (p->nsteps == PIPELINE_MOST_STEPS)
			return err_at(e, k->p->at, "more than %d steps", PIPELINE_MOST_STEPS);
		*own = *s;
		own->from += i * repeat[1];
		own->to += i * repeat[1];
		own->label = counts ? arena_printf(k->ctx->arena, "%d", number + i * repeat[2])
		                    : str_dup(k->ctx->arena, label);
		struct str mark = placeholder_key(k->p, "mark");
		if (mark.n && str_is(mark, own->label))
			own->tone = PIPELINE_MARKED;
		p->nsteps++;
	}
	return true;
}

static bool read_step(struct kind_call *k, struct pipeline *p, struct str text, struct err *e)
{
	struct pipeline_step s = {.label = ""};
	int repeat[3] = {1, 1, 1};
	struct str rest = text, from, to, role = next_word(&rest), times = next_word(&rest);
	struct str tone = next_word(&rest), word = next_word(&rest), label = STR("");
	if (word.n && word.p[0] != '*') {
		label = word;
		word = next_word(&rest);
	}
	if (!int_in(role, 0, p->nroles - 1, &s.role) || !str_cut(times, '-', &from, &to) ||
	    !int_in(from, 0, MOST_TIME, &s.from) || !int_in(to, s.from + 1, MOST_TIME, &s.to) ||
	    !tone_of(tone, &s.tone) || rest.n ||
	    (word.n && !read_repeat(word, &repeat[0], &repeat[1], &repeat[2])))
		return wrong_step(k, text, e);
	return add_steps(k, p, &s, label, repeat, e);
}

static bool read_steps(struct kind_call *k, struct pipeline *p, struct err *e)
{
	struct str list, one;
	if (!diagram_needs(k, "steps", &list, e))
		return false;
	for (bool more = true; more;) {
		more = str_cut(list, ';', &one, &list);
		if (!read_step(k, p, str_trim(one), e))
			return false;
	}
	return true;
}

/* --- links --------------------------------------------------------------------------------- */

/* "1.3": the step of role 1 that is labelled 3 */
static bool find_step(const struct pipeline *p, struct str s, int *out)
{
	struct str role, label;
	int r;
	if (!str_cut(s, '.', &role, &label) || !int_in(role, 0, p->nroles - 1, &r))
		return false;
	for (*out = 0; *out < p->nsteps; ++*out)
		if (p->step[*out].role == r && str_is(label, p->step[*out].label))
			return true;
	return false;
}

static bool read_links(struct kind_call *k, struct pipeline *p, const struct pick *of,
                       struct err *e)
{
	struct str list = placeholder_key(k->p, "links"), one, from, to;
	for (bool more = list.n > 0; more; p->nlinks++) {
		struct pipeline_link *l = &p->link[p->nlinks];
		more = str_cut(list, ';', &one, &list);
		struct str rest = str_trim(one), name = next_word(&rest);
		if (p->nlinks == PIPELINE_MOST_LINKS || !str_cut(rest, '>', &from, &to) ||
		    !find_step(p, str_trim(from), &l->from) || !find_step(p, str_trim(to), &l->to))
			return err_at(e, placeholder_loc(k->p, one),
			              "'" STR_FMT
			              "' is no link, expected NAME ROLE.LABEL>ROLE.LABEL "
			              "of two steps, as in full 0.3>1.3",
			              STR_ARG(one));
		if (of && !diagram_in_source(k, of, name, e))
			return false;
		l->name = str_dup(k->ctx->arena, name);
	}
	return true;
}

/* --- the kind ------------------------------------------------------------------------------ */

static void draw(struct canvas *c, const struct canvas_said *said, const void *facts)
{
	pipeline_draw(c, facts, said);
}

/* "Roles: loader (1 thread), adders (2 warps). Barriers: full from loader to adders." */
static const char *describe(struct kind_call *k, const struct pipeline *p)
{
	struct sb roles = {0}, links = {0};
	struct arena *a = k->ctx->arena;
	const struct words *w = k->ctx->words;
	for (int i = 0; i < p->nroles; i++)
		sb_printf(&roles, "%s%s%s%s", i ? words_get(w, "semicolon") : "", p->role[i],
		          p->note[i][0] ? words_get(w, "comma") : "", p->note[i]);
	for (int i = 0; i < p->nlinks; i++) {
		const char *with[] = {p->role[p->step[p->link[i].from].role],
		                      p->role[p->step[p->link[i].to].role], p->link[i].name};
		sb_printf(&links, "%s%s", i ? words_get(w, "semicolon") : "",
		          words_fill_all(w, a, "diagram_from_to", with, ARRAY_LEN(with)));
	}
	const char *with[] = {sb_take(a, &roles), p->nlinks ? sb_take(a, &links) : ""};
	return words_fill_all(w, a, p->nlinks ? "diagram_roles_and_links" : "diagram_roles", with,
	                      ARRAY_LEN(with));
}

/* What the drawing is: a sketch, of a variant or not, or widths to scale. */
static const char *about_schema(const struct kind_call *k, const struct pick *of)
{
	struct arena *a = k->ctx->arena;
	const struct words *w = k->ctx->words;
	struct str scale = placeholder_key(k->p, "scale");
	if (scale.n)
		return words_fill(w, a, "diagram_scale", str_dup(a, scale), NULL);
	return of ? words_fill(w, a, "diagram_schema_of",
	                       words_said(w, of->d->c->variant_title).text, NULL)
	          : words_get(w, "diagram_schema");
}

bool diagram_pipeline(struct kind_call *k, struct diagram *d, struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct pipeline *p = ARENA_NEW(a, struct pipeline);
	struct pick of;
	bool has = k->p->nwords > 1;
	if (!placeholder_key(k->p, "steps").p)
		return diagram_stamped_pipeline(k, d, e);
	if (k->p->nwords > 2)
		return err_at(e, placeholder_loc(k->p, k->p->word[2]), "one selector at most");
	if ((has &&
	     (!diagram_pick(k, k->p->word[1], &of, e) || !diagram_may_be_schema(k, &of, e))) ||
	    !read_names(k, p, e) || !read_legend(k, p, e) || !read_steps(k, p, e) ||
	    !read_links(k, p, has ? &of : NULL, e))
		return false;
	if (has)
		number_use(k->ctx, &of);
	if (placeholder_key(k->p, "scale").n)
		p->scale = str_dup(a, placeholder_key(k->p, "scale"));
	struct sb about = {0};
	html_text(&about, str_of(about_schema(k, has ? &of : NULL)));
	d->about = sb_take(a, &about);
	d->desc = describe(k, p);
	d->draw = draw;
	d->facts = p;
	return true;
}
