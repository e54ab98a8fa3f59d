#include "site-gen/site/translation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "site-gen/git/git.h"
#include "site-gen/base/html.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/base/rules.h"
#include "site-gen/base/problems.h"
#include "site-gen/site/site.h"
#include "site-gen/site/maker.h"

enum { MAX_SOURCE_BYTES = 256 << 10 };

/* One of three texts: the translation, the original now, the original as translated. */
struct side {
	struct str src;
	const char *path;
	struct front front;
	struct md_outline outline;
};

static bool outline_side(struct side *s, struct arena *a, struct err *e)
{
	struct front *f = &s->front;
	for (size_t i = 0; i < FRONT_TAKES; i++)
		if (!markdown_outline_text(f->take[i].s, f->take[i].at, a, &s->outline, e))
			return false;
	return markdown_outline(f->body, s->path, f->body_line, a, &s->outline, e) &&
	       markdown_outline_text(f->title.s, f->title.at, a, &s->outline, e) &&
	       markdown_outline_text(f->description.s, f->description.at, a, &s->outline, e) &&
	       markdown_outline_text(f->key.s, f->key.at, a, &s->outline, e);
}

static bool read_side(struct side *s, enum front_kind kind, struct arena *a, struct err *e)
{
	return front_parse(s->src, s->path, kind, a, &s->front, e) && outline_side(s, a, e);
}

const struct page *translation_original(const struct page *p)
{
	struct page *first = p->language ? site_version(p, 0) : NULL;
	return first && first->path ? first : NULL;
}

/* --- the same numbers ---------------------------------------------------------------------- */

static int by_meaning(const void *a, const void *b)
{
	const struct md_outline_number *x = a, *y = b;
	int d = strcmp(x->same, y->same);
	d = d ? d : x->at.line - y->at.line;
	return d ? d : x->at.col - y->at.col;
}

static struct md_outline_number *sorted(const struct md_outline *o, struct arena *a)
{
	struct md_outline_number *all = ARENA_ARRAY(a, struct md_outline_number, o->nnumbers);
	if (o->nnumbers) {
		memcpy(all, o->numbers, o->nnumbers * sizeof *all);
		qsort(all, o->nnumbers, sizeof *all, by_meaning);
	}
	return all;
}

/* Reports each placeholder that only one of the texts has; returns their number. */
static size_t compare_numbers(const struct side *t, const struct side *o, struct problems *to,
                              struct arena *a)
{
	const struct md_outline_number *x = sorted(&t->outline, a), *y = sorted(&o->outline, a);
	size_t nx = t->outline.nnumbers, ny = o->outline.nnumbers, wrong = 0;
	for (size_t i = 0, k = 0; i < nx || k < ny;) {
		int d = i == nx ? 1 : k == ny ? -1 : strcmp(x[i].same, y[k].same);
		if (d < 0)
			problems_rule(to, RULE_BILINGUAL, x[i].at,
			              "'" STR_FMT
			              "' is not in the original, %s; a translation quotes the "
			              "same numbers",
			              STR_ARG(x[i].text), o->path);
		else if (d > 0)
			problems_rule(to, RULE_BILINGUAL, y[k].at,
			              "'" STR_FMT
			              "' is missing in the translation, %s; it quotes the "
			              "same numbers",
			              STR_ARG(y[k].text), t->path);
		wrong += d != 0;
		i += d <= 0;
		k += d >= 0;
	}
	return wrong;
}

/* --- the same structure -------------------------------------------------------------------- */

static bool same_kind(const struct md_outline_block *x, const struct md_outline_block *y)
{
	return strcmp(x->kind, y->kind) == 0 && x->level == y->level;
}

/* Index of the first block that differs; the number of blocks if none does. */
static size_t first_difference(const struct md_outline *x, const struct md_outline *y)
{
	size_t i = 0;
	while (i < x->nblocks && i < y->nblocks && same_kind(&x->blocks[i], &y->blocks[i]))
		i++;
	return i;
}

static bool same_structure(const struct md_outline *x, const struct md_outline *y)
{
	return x->nblocks == y->nblocks && first_difference(x, y) == x->nblocks;
}

static const char *block_name(const struct md_outline *o, size_t i, struct arena *a)
{
	return i < o->nblocks
	               ? arena_printf(a, "a %s (line %d)", o->blocks[i].kind, o->blocks[i].line)
	               : "its end";
}

/* Compares the blocks; `was` is the original as translated, `now` the present one. */
static bool check_structure(const struct side *t, const struct side *was, const struct side *now,
                            struct arena *a, struct err *e)
{
	const struct md_outline *x = &t->outline;
	if (same_structure(x, &was->outline))
		return true;
	size_t i = first_difference(x, &was->outline);
	struct loc at = {t->path, i < x->nblocks ? x->blocks[i].line : t->front.body_line, 0};
	if (same_structure(x, &now->outline))
		return rule_err(
		        e, RULE_BILINGUAL, t->front.source_at,
		        "the translation has followed the original, but names an older one; "
		        "expected 'site-gen translated %s'",
		        t->path);
	return rule_err(e, RULE_BILINGUAL, at,
	                "block %zu is %s, where %s has %s; expected a block for each block", i + 1,
	                block_name(x, i, a), was->path, block_name(&was->outline, i, a));
}

static bool same_levels(const struct md_outline *x, const struct md_outline *y)
{
	if (x->nheadings != y->nheadings)
		return false;
	for (size_t i = 0; i < x->nheadings; i++)
		if (x->headings[i].level != y->headings[i].level)
			return false;
	return true;
}

/* Gives headings the ids of the original, so that an address works in both. */
static bool take_ids(const struct side *t, const struct side *was, const struct side *now,
                     struct md_options *out, struct arena *a, struct err *e)
{
	const struct md_outline *x = &t->outline;
	const struct side *from = same_levels(x, &now->outline)   ? now
	                          : same_levels(x, &was->outline) ? was
	                                                          : NULL;
	const char **ids = ARENA_ARRAY(a, const char *, x->nheadings);
	for (size_t i = 0; from && i < x->nheadings; i++) {
		ids[i] = from->outline.headings[i].id;
		if (x->headings[i].given && strcmp(x->headings[i].id, ids[i]) != 0)
			return rule_err(e, RULE_BILINGUAL, x->headings[i].at,
			                "heading has the id '%s', its original in %s has '%s'",
			                x->headings[i].id, from->path, ids[i]);
	}
	out->ids = from ? ids : NULL;
	return true;
}

/* --- changes ------------------------------------------------------------------------------- */

static bool same_block(const struct md_outline_block *x, const struct md_outline_block *y)
{
	return same_kind(x, y) && str_eq(x->text, y->text);
}

enum { NONE = -1, MAX_CELLS = 4 << 20 };

/* The longest common subsequence of blocks x and y: at[i] is the partner of x[i], or NONE. */
static void align(const struct md_outline_block *x, int n, const struct md_outline_block *y, int m,
                  int *at, struct arena *a)
{
	int *length = ARENA_ARRAY(a, int, (size_t)(n + 1) * (size_t)(m + 1));
#define LENGTH(i, k) length[(size_t)(i) * (size_t)(m + 1) + (size_t)(k)]
	for (int i = n - 1; i >= 0; i--)
		for (int k = m - 1; k >= 0; k--) {
			int right = LENGTH(i, k + 1), down = LENGTH(i + 1, k);
			LENGTH(i, k) = same_block(&x[i], &y[k]) ? LENGTH(i + 1, k + 1) + 1
			               : right > down           ? right
			                                        : down;
		}
	for (int i = 0; i < n; i++)
		at[i] = NONE;
	for (int i = 0, k = 0; i < n && k < m;) {
		if (same_block(&x[i], &y[k]))
			at[i++] = k++;
		else if (LENGTH(i + 1, k) >= LENGTH(i, k + 1))
			i++;
		else
			k++;
	}
#undef LENGTH
}

/* Pairs the equal blocks at both ends first, and aligns only the rest. */
static int *partners(const struct md_outline *was, const struct md_outline *now, struct arena *a)
{
	int n = (int)was->nblocks, m = (int)now->nblocks, head = 0, tail = 0;
	int *at = ARENA_ARRAY(a, int, (size_t)n);
	while (head < n && head < m && same_block(&was->blocks[head], &now->blocks[head])) {
		at[head] = head;
		head++;
	}
	while (tail < n - head && tail < m - head &&
	       same_block(&was->blocks[n - 1 - tail], &now->blocks[m - 1 - tail])) {
		at[n - 1 - tail] = m - 1 - tail;
		tail++;
	}
	int rest = n - head - tail, other = m - head - tail;
	for (int i = head; i < head + rest; i++)
		at[i] = NONE;
	if (rest && other && (size_t)rest * (size_t)other < MAX_CELLS)
		align(was->blocks + head, rest, now->blocks + head, other, at + head, a);
	for (int i = head; i < head + rest; i++)
		at[i] += at[i] == NONE ? 0 : head;
	return at;
}

static struct translation_block *add_block(struct translation_block ***last, struct arena *a,
                                           const char *anchor, const char *original)
{
	struct translation_block *b = ARENA_NEW(a, struct translation_block);
	b->anchor = anchor ? arena_strdup(a, anchor) : NULL;
	b->original = original ? arena_strdup(a, original) : NULL;
	**last = b;
	*last = &b->next;
	return b;
}

struct changes {
	const struct side *t, *was, *now;
	int *at;                    /* for each old block, its present block or NONE */
	struct md_block_mark *mark; /* for each block of the translation */
	struct translation *state;
	struct translation_block **older, **added;
	struct arena *scratch, *kept; /* kept: for the lists */
};

/* Blocks [i, i_end) became [k, k_end). Pairs them in order if they have the same kind. */
static void note_gap(struct changes *c, int i, int i_end, int k, int k_end)
{
	const struct md_outline_block *was = c->was->outline.blocks, *now = c->now->outline.blocks;
	for (; i < i_end; i++) {
		bool pair = k < k_end && same_kind(&was[i], &now[k]);
		const struct md_outline_block *b = &c->t->outline.blocks[i];
		int number = pair ? k + 1 : (int)c->now->outline.nblocks + i + 1;
		c->mark[i] = (struct md_block_mark){number, pair ? now[k].anchor : ""};
		add_block(&c->older, c->kept,
		          str_starts(str_of(b->anchor), "para-")
		                  ? arena_printf(c->scratch, "para-%d", number)
		                  : b->anchor,
		          pair ? now[k].anchor : NULL);
		c->state->nolder++;
		k += pair;
	}
	for (; k < k_end; k++) {
		add_block(&c->added, c->kept, NULL, now[k].anchor);
		c->state->nadded++;
	}
}

static void note_changes(struct changes *c)
{
	int n = (int)c->was->outline.nblocks, m = (int)c->now->outline.nblocks, k = 0;
	for (int i = 0, from = 0; i <= n; i++) {
		if (i < n && c->at[i] == NONE)
			continue;
		note_gap(c, from, i, k, i < n ? c->at[i] : m);
		if (i == n)
			break;
		c->mark[i] = (struct md_block_mark){c->at[i] + 1, NULL};
		k = c->at[i] + 1;
		from = i + 1;
	}
}

static bool same_head(const struct front *x, const struct front *y)
{
	for (size_t i = 0; i < FRONT_TAKES; i++)
		if (!str_eq(x->take[i].s, y->take[i].s))
			return false;
	return str_eq(x->title.s, y->title.s) && str_eq(x->description.s, y->description.s) &&
	       str_eq(x->key.s, y->key.s);
}

/* --- the original as translated ------------------------------------------------------------ */

/*
 * Was the blob ever committed? One that is only among the repository's loose objects is on no other
 * machine. A shallow clone cannot tell, and believes it.
 */
static bool committed(struct git *git, const char *blob, struct arena *a, bool *was, struct err *e)
{
	struct git_history h;
	if (!git_history(git, "", a, &h, e))
		return false;
	*was = h.shallow;
	for (size_t i = 0; i < h.n && !*was; i++)
		*was = h.change[i].after && strcmp(h.change[i].after, blob) == 0;
	return true;
}

/* Reads the original as translated; *known is false without a repository. */
static bool read_source(struct git *git, const struct side *t, const struct side *now,
                        struct side *was, bool *known, struct arena *a, struct err *e)
{
	char id[HASH_GIT_HEX + 1];
	const char *source = t->front.source;
	bool found = false;
	hash_git_blob(now->src, id);
	*was = *now;
	*known = true;
	if (!source)
		return rule_err(e, RULE_BILINGUAL, (struct loc){t->path, 1, 1},
		                "front matter has no 'source', which every translation needs: the "
		                "blob id of the original as translated; of %s as it is now: "
		                "'source: %s'",
		                now->path, id);
	if (strcmp(id, source) == 0)
		return true;
	*known = git != NULL;
	if (!git)
		return true;
	if (!git_bytes(git, source, a, &was->src, &found, e) ||
	    (found && !committed(git, source, a, &found, e)))
		return false;
	if (!found)
		return rule_err(
		        e, RULE_BILINGUAL, t->front.source_at,
		        "blob %s is in no commit of this repository, expected a committed version "
		        "of %s (a shallow clone lacks old ones); as it is now it is %s",
		        source, now->path, id);
	was->path = arena_printf(a, "%s at %.12s", now->path, source);
	return read_side(was, FRONT_TRANSLATION, a, e);
}

/* --- both together ------------------------------------------------------------------------- */

static bool same_devices(const struct front *a, const struct front *b)
{
	bool same = a->ndevices == b->ndevices;
	for (size_t i = 0; same && i < a->ndevices; i++)
		same = strcmp(a->devices[i], b->devices[i]) == 0;
	return same;
}

/* Fills missing keys of `f` from the original. */
static bool inherit(struct front *f, const struct front *o, const char *path, struct err *e)
{
	if (f->device && (!o->device || strcmp(f->device, o->device) != 0))
		return rule_err(e, RULE_BILINGUAL, (struct loc){path, 1, 1},
		                "device is '%s', the original has '%s'; leave it out", f->device,
		                o->device ? o->device : "the site's");
	if (f->ndevices && !same_devices(f, o))
		return rule_err(e, RULE_BILINGUAL, f->devices_at,
		                "devices are others than those of the original; leave them out");
	if (f->headline.s.p || f->task)
		return rule_err(e, RULE_BILINGUAL, (struct loc){path, 1, 1},
		                "'%s' is the original's; leave it out",
		                f->headline.s.p ? "headline" : "task");
	f->device = o->device;
	f->devices = o->devices;
	f->ndevices = o->ndevices;
	f->slug = f->slug ? f->slug : o->slug;
	f->date = f->date ? f->date : o->date;
	f->updated = f->updated ? f->updated : o->updated;
	f->category = f->category ? f->category : o->category;
	f->author = f->author ? f->author : o->author;
	f->difficulty = f->difficulty ? f->difficulty : o->difficulty;
	f->series = f->series ? f->series : o->series;
	f->part = f->part ? f->part : o->part;
	f->order = f->order ? f->order : o->order;
	f->draft = f->draft || o->draft;
	f->featured = o->featured;
	f->status = o->status;
	f->needs = o->needs;
	f->nneeds = o->nneeds;
	f->families = o->families;
	f->nfamilies = o->nfamilies;
	f->sections = o->sections;
	f->nsections = o->nsections;
	if (!f->tags) {
		f->tags = o->tags;
		f->ntags = o->ntags;
	}
	return true;
}

static bool describe_changes(struct maker *m, const struct side *t, const struct side *was,
                             const struct side *now, struct translation_pair *out, struct err *e)
{
	struct arena *a = &m->scratch;
	size_t n = t->outline.nblocks;
	struct translation *state = out->state;
	struct changes c = {.t = t, .was = was, .now = now, .state = state};
	if (!check_structure(t, was, now, a, e) || !take_ids(t, was, now, &out->options, a, e))
		return false;
	c.scratch = a;
	c.kept = m->shared;
	c.older = &state->older;
	c.added = &state->added;
	c.mark = ARENA_ARRAY(a, struct md_block_mark, n);
	c.at = partners(&was->outline, &now->outline, a);
	note_changes(&c);
	state->head_older = !same_head(&was->front, &now->front);
	out->options.blocks = c.mark;
	out->options.nblocks = n;
	return true;
}

bool translation_compare(struct maker *m, struct page *p, struct front *f, enum front_kind kind,
                         struct translation_pair *out, struct err *e)
{
	struct arena *a = &m->scratch;
	const struct page *original = translation_original(p);
	struct side t = {.path = p->path, .front = *f}, now = {.path = original->path}, was;
	bool known;
	*out = (struct translation_pair){.state = ARENA_NEW(m->shared, struct translation)};
	out->state->original = original;
	if (!file_read(now.path, MAX_SOURCE_BYTES, a, &now.src, e) ||
	    !read_side(&now, kind, a, e) || !outline_side(&t, a, e) ||
	    !inherit(f, &now.front, p->path, e))
		return false;
	out->original = now.front;
	bool same = compare_numbers(&t, &now, m->problems, a) == 0;
	if (f->imported && !f->source) /* nobody knows which original its author translated */
		return same;
	if (!read_source(m->site->repo.git, &t, &now, &was, &known, a, e))
		return false;
	out->state->unknown = !known;
	if (!known)
		return same;
	return describe_changes(m, &t, &was, &now, out, e) && same;
}

/* --- site-gen translated ------------------------------------------------------------------- */

/* "content/posts/x.zh.md" -> "content/posts/x.md"; NULL: not the name of a translation. */
static const char *original_path(const char *path, struct arena *a)
{
	struct str s = str_of(path);
	size_t dot = s.n > 3 ? s.n - 3 : 0;
	while (dot > 0 && s.p[dot - 1] != '.' && s.p[dot - 1] != '/')
		dot--;
	return str_ends(s, ".md") && dot > 1 && s.p[dot - 1] == '.'
	               ? arena_printf(a, "%.*smd", (int)dot, path)
	               : NULL;
}

/* The file with its line `source: …` added or replaced. */
static struct str with_source(const struct side *t, const char *id, struct arena *a)
{
	struct str src = t->src;
	size_t from = 0, to;
	int line = t->front.source_at.line ? t->front.source_at.line : t->front.body_line - 1;
	for (int i = 1; i < line; i++)
		from = str_find(src, '\n', from) + 1;
	to = t->front.source_at.line ? str_find(src, '\n', from) + 1 : from;
	const char *text =
	        arena_printf(a, STR_FMT "source: %s\n" STR_FMT, STR_ARG(str_sub(src, 0, from)), id,
	                     STR_ARG(str_sub(src, to, src.n)));
	return str_of(text);
}

static void say_changes(const struct side *was, const struct side *now, const char *path,
                        const char *id, struct arena *a)
{
	int *at = partners(&was->outline, &now->outline, a);
	bool *kept = ARENA_ARRAY(a, bool, now->outline.nblocks);
	for (size_t i = 0; i < was->outline.nblocks; i++)
		if (at[i] != NONE)
			kept[at[i]] = true;
	printf("site-gen: %s: translated from %.12s\n", path, id);
	for (size_t k = 0; k < now->outline.nblocks; k++)
		if (!kept[k])
			printf("  %s:%d: changed since the last time\n", now->path,
			       now->outline.blocks[k].line);
}

static bool mark(const char *path, struct git *git, struct arena *a, struct err *e)
{
	struct side t = {.path = path}, now = {.path = original_path(path, a)}, was;
	struct problems wrong = {.arena = a};
	const struct problems *list = &wrong;
	char id[HASH_GIT_HEX + 1];
	bool known = false;
	if (!now.path)
		return err_set(e, "%s: is no translation, expected NAME.LANGUAGE.md", path);
	if (!file_read(path, MAX_SOURCE_BYTES, a, &t.src, e) ||
	    !file_read(now.path, MAX_SOURCE_BYTES, a, &now.src, e) ||
	    !read_side(&t, FRONT_TRANSLATION, a, e) || !read_side(&now, FRONT_TRANSLATION, a, e))
		return false;
	if (compare_numbers(&t, &now, &wrong, a) > 0) {
		problems_print(&list, 1, false, stderr);
		return false;
	}
	if (!check_structure(&t, &now, &now, a, e))
		return false;
	hash_git_blob(now.src, id);
	struct err ignored = ERR_NONE; /* without an earlier id, or if its blob is lost */
	bool read = t.front.source && read_source(git, &t, &now, &was, &known, a, &ignored);
	if (!file_write(path, with_source(&t, id, a), e))
		return false;
	say_changes(read && known ? &was : &now, &now, path, id, a);
	return true;
}

int translation_mark(const char *path)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct git *git = NULL;
	bool ok = git_open(".", &git, &e) && mark(path, git, &a, &e);
	if (e.set)
		fprintf(stderr, "site-gen: %s\n", e.text);
	git_close(git);
	arena_free(&a);
	return ok ? 0 : 1;
}
