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
 *
 * With lengths= it is drawn to scale, from numbers (diagram_lengths.h). Then FROM and TO are
 * places,
 * '+' LENGTH begins where the last step of the role ended, and nothing is repeated. A table below
 * has the numbers, a row for each box.
 */
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/diagram/pipeline.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/diagram.h"
#include "site-gen/kinds/diagram_lengths.h"
#include "site-gen/kinds/tables.h"

enum { MOST_TIME = 10000 };

/* A pipeline while it is read. */
struct scheme {
	struct pipeline p;
	struct lengths l;
	/* with lengths, of each step: its places, and how it is written */
	struct length_sum from[PIPELINE_MOST_STEPS], to[PIPELINE_MOST_STEPS];
	struct str written[PIPELINE_MOST_STEPS];
};

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

/* Places in time without a unit: "0-10". */
static bool read_times(struct str times, struct pipeline_step *s)
{
	struct str from, to;
	int begin, end;
	if (!str_cut(times, '-', &from, &to) || !int_in(from, 0, MOST_TIME, &begin) ||
	    !int_in(to, begin + 1, MOST_TIME, &end))
		return false;
	s->from = begin;
	s->to = end;
	return true;
}

/* Where the last step of a role ended. */
static struct length_sum end_of(const struct scheme *s, int role)
{
	struct length_sum end = {{0}};
	for (int i = 0; i < s->p.nsteps; i++)
		if (s->p.step[i].role == role)
			end = s->to[i];
	return end;
}

/* Places of a drawing to scale: "0-x", "x-x+y" or "+y". */
static bool read_places(struct kind_call *k, struct scheme *s, struct str times,
                        struct pipeline_step *step, struct err *e)
{
	struct length_sum *from = &s->from[s->p.nsteps], *to = &s->to[s->p.nsteps];
	struct str first, last;
	if (str_starts(times, "+")) {
		*from = end_of(s, step->role);
		if (!lengths_place(&s->l, str_sub(times, 1, times.n), to, e))
			return false;
		for (int i = 0; i < s->l.n; i++)
			to->times[i] += from->times[i];
	} else if (!str_cut(times, '-', &first, &last)) {
		return err_at(e, placeholder_loc(k->p, times),
		              "'" STR_FMT "' in a step, expected FROM-TO or +LENGTH",
		              STR_ARG(times));
	} else if (!lengths_place(&s->l, first, from, e) || !lengths_place(&s->l, last, to, e)) {
		return false;
	}
	step->from = lengths_value(&s->l, from);
	step->to = lengths_value(&s->l, to);
	struct str unit = placeholder_key(k->p, "unit");
	return step->to > step->from ||
	       err_at(e, placeholder_loc(k->p, times),
	              "'" STR_FMT "' has no length: it begins at %.3g and ends at %.3g " STR_FMT,
	              STR_ARG(times), step->from, step->to, STR_ARG(unit));
}

static bool has_digit(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] >= '0' && s.p[i] <= '9')
			return true;
	return false;
}

/* Reads the rest of a step of a drawing to scale, and adds it. */
static bool add_box(struct kind_call *k, struct scheme *s, struct pipeline_step *step,
                    const struct str part[3], struct err *e)
{
	const int once[3] = {1, 1, 1};
	struct str times = part[0], label = part[1], repeat = part[2];
	if (s->p.nsteps == PIPELINE_MOST_STEPS)
		return err_at(e, k->p->at, "more than %d steps", PIPELINE_MOST_STEPS);
	if (repeat.n || has_digit(label))
		return err_at(e, placeholder_loc(k->p, repeat.n ? repeat : label),
		              "'" STR_FMT "' in a step beside lengths=, expected no *COUNT, and a "
		              "label without digits",
		              STR_ARG(repeat.n ? repeat : label));
	if (!read_places(k, s, times, step, e))
		return false;
	s->written[s->p.nsteps] = times;
	return add_steps(k, &s->p, step, label, once, e);
}

static bool read_step(struct kind_call *k, struct scheme *s, struct str text, struct err *e)
{
	struct pipeline *p = &s->p;
	struct pipeline_step step = {.label = ""};
	int repeat[3] = {1, 1, 1};
	struct str rest = text, role = next_word(&rest), times = next_word(&rest);
	struct str tone = next_word(&rest), word = next_word(&rest), label = STR("");
	if (word.n && word.p[0] != '*') {
		label = word;
		word = next_word(&rest);
	}
	if (!int_in(role, 0, p->nroles - 1, &step.role) || !tone_of(tone, &step.tone) || rest.n ||
	    (word.n && !read_repeat(word, &repeat[0], &repeat[1], &repeat[2])))
		return wrong_step(k, text, e);
	if (s->l.n)
		return add_box(k, s, &step, (struct str[]){times, label, word}, e);
	return read_times(times, &step) ? add_steps(k, p, &step, label, repeat, e)
	                                : wrong_step(k, text, e);
}

static bool read_steps(struct kind_call *k, struct scheme *s, struct err *e)
{
	struct str list, one;
	if (!diagram_needs(k, "steps", &list, e))
		return false;
	for (bool more = true; more;) {
		more = str_cut(list, ';', &one, &list);
		if (!read_step(k, s, str_trim(one), e))
			return false;
	}
	return lengths_are_used(&s->l, e);
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

/* --- to scale ------------------------------------------------------------------------------ */

/* What the legend says of a step. */
static const char *meaning(const struct pipeline *p, const struct pipeline_step *s)
{
	for (int i = 0; i < p->nlegend; i++)
		if (p->legend_tone[i] == s->tone)
			return p->legend[i];
	return s->label;
}

/* "8 sequences, scaled" */
static const char *row_name(const struct kind_call *k, const struct pipeline *p, int role)
{
	const char *note = p->note[role];
	return note[0] ? arena_printf(k->ctx->arena, "%s%s%s", p->role[role],
	                              words_get(k->ctx->words, "comma"), note)
	               : p->role[role];
}

/* A cell with a number, or with 0, where a box begins at 0. */
static bool put_cell(struct scheme *s, const char *classes, const char *head,
                     const struct length_sum *of, struct str at, const char **text, struct err *e)
{
	struct kind_call *k = s->l.k;
	struct derived_made m;
	table_cell(k->to, classes, words_get(k->ctx->words, head));
	if (lengths_value(&s->l, of) > 0) {
		if (!lengths_number(&s->l, of, at, &m, e))
			return false;
		*text = derived_print(&m);
	} else {
		html_raw(k->to, "0");
	}
	html_raw(k->to, "</td>");
	return true;
}

static bool put_box(struct scheme *s, int i, struct err *e)
{
	struct pipeline_step *step = &s->p.step[i];
	struct sb *to = s->l.k->to;
	const struct words *w = s->l.k->ctx->words;
	const struct length_sum length = lengths_between(&s->from[i], &s->to[i]);
	const char *begins;
	html_raw(to, "<tr><th scope=\"row\">");
	html_text(to, str_of(row_name(s->l.k, &s->p, step->role)));
	html_raw(to, "</th>");
	table_cell(to, "left", words_get(w, "diagram_part"));
	html_text(to, str_of(meaning(&s->p, step)));
	html_raw(to, "</td>");
	if (!put_cell(s, "right box-from", "diagram_begins", &s->from[i], s->written[i], &begins,
	              e) ||
	    !put_cell(s, "right box-length", "diagram_length", &length, s->written[i],
	              &step->amount, e))
		return false;
	html_raw(to, "</tr>\n");
	return true;
}

static void put_head(struct sb *to, const struct words *w)
{
	static const char *const head[] = {"diagram_row_of", "diagram_part", "diagram_begins",
	                                   "diagram_length"};
	sb_printf(to, "<details class=\"lengths\"><summary>%s</summary>\n",
	          words_get(w, "diagram_lengths"));
	table_open(to, "labelled stack");
	html_raw(to, "<thead><tr>");
	for (size_t i = 0; i < ARRAY_LEN(head); i++)
		sb_printf(to, "<th scope=\"col\" class=\"%s\">%s</th>", i < 2 ? "left" : "right",
		          words_get(w, head[i]));
	html_raw(to, "</tr></thead><tbody>\n");
}

/* The table of the boxes, by roles; numbers the boxes in its order. */
static bool put_boxes(struct kind_call *k, struct scheme *s, struct sb *to, struct err *e)
{
	struct kind_call below = *k;
	int n = 0;
	below.to = to;
	s->l.k = &below;
	put_head(to, k->ctx->words);
	for (int role = 0; role < s->p.nroles; role++)
		for (int i = 0; i < s->p.nsteps; i++) {
			if (s->p.step[i].role != role)
				continue;
			s->p.step[i].box = n++;
			if (!put_box(s, i, e))
				return false;
		}
	s->l.k = k;
	html_raw(to, "</tbody>");
	table_close(to);
	html_raw(to, "</details>\n");
	return true;
}

/* "scaled: shared by all 4.23 ms, one part for each sequence 1.15 ms" */
static const char *say_boxes(struct kind_call *k, const struct pipeline *p)
{
	const struct words *w = k->ctx->words;
	struct sb text = {0};
	for (int role = 0; role < p->nroles; role++) {
		const char *before = words_get(w, "colon");
		sb_printf(&text, "%s%s", role ? words_get(w, "semicolon") : "",
		          row_name(k, p, role));
		for (int i = 0; i < p->nsteps; i++) {
			const struct pipeline_step *s = &p->step[i];
			if (s->role != role)
				continue;
			const char *is = meaning(p, s);
			sb_printf(&text, "%s%s%s%s", before, is, is[0] ? " " : "", s->amount);
			before = words_get(w, "comma");
		}
	}
	sb_cstr(&text, words_get(w, "stop"));
	return sb_take(k->ctx->arena, &text);
}

/* The keys that lengths= needs, and that need it. */
static bool check_scale(struct kind_call *k, const struct lengths *l, struct err *e)
{
	struct str scale = placeholder_key(k->p, "scale"), unit = placeholder_key(k->p, "unit");
	if (l->n && (!scale.n || k->p->nwords > 1))
		return err_at(
		        e, k->p->at,
		        "a pipeline with lengths= needs scale=, which says what they are, and "
		        "takes no selector");
	return l->n || !unit.p ||
	       err_at(e, placeholder_loc(k->p, unit),
	              "unit= is that of lengths=, which is not there");
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

/* Fills in what the page says of it: a table if it is to scale. */
static bool say(struct kind_call *k, struct scheme *s, const struct pick *of, struct diagram *d,
                struct err *e)
{
	struct sb about = {0};
	struct arena *a = k->ctx->arena;
	const struct lengths *l = &s->l;
	if (l->n && !put_boxes(k, s, &d->foot, e))
		return false;
	d->desc = l->n ? say_boxes(k, &s->p) : describe(k, &s->p);
	if (l->npicks) {
		d->about = block_caption(k, l->pick, l->npicks, s->p.scale);
		return true;
	}
	html_text(&about, str_of(about_schema(k, of)));
	d->about = sb_take(a, &about);
	return true;
}

bool diagram_pipeline(struct kind_call *k, struct diagram *d, struct err *e)
{
	struct scheme *s = ARENA_NEW(k->ctx->arena, struct scheme);
	struct pipeline *p = &s->p;
	struct pick of;
	bool has = k->p->nwords > 1;
	if (!placeholder_key(k->p, "steps").p && !placeholder_key(k->p, "lengths").p)
		return diagram_stamped_pipeline(k, d, e);
	if (k->p->nwords > 2)
		return err_at(e, placeholder_loc(k->p, k->p->word[2]), "one selector at most");
	if ((has &&
	     (!diagram_pick(k, k->p->word[1], &of, e) || !diagram_may_be_schema(k, &of, e))) ||
	    !read_names(k, p, e) || !read_legend(k, p, e) || !lengths_read(k, &s->l, e) ||
	    !check_scale(k, &s->l, e) || !read_steps(k, s, e) ||
	    !read_links(k, p, has ? &of : NULL, e))
		return false;
	if (has)
		number_use(k->ctx, &of);
	struct str scale = placeholder_key(k->p, "scale");
	p->scale = scale.n ? str_dup(k->ctx->arena, scale) : NULL;
	d->draw = draw;
	d->facts = p;
	return say(k, s, has ? &of : NULL, d, e);
}
