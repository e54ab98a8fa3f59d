/* What a preview keeps from the build before, and what a change makes again. */
#include "site-gen/build/reuse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/array.h"
#include "site-gen/build/noted.h"
#include "site-gen/markdown/traced.h"
#include "site-gen/numbers/number.h"
#include "site-gen/output/publish.h"
#include "site-gen/site/backlinks.h"
#include "site-gen/site/handbook.h"
#include "site-gen/site/translation.h"
#include "tests/unit/help/bare_site.h"
#include "tests/unit/help/folder.h"

#define A "content/posts/a.md"
#define A_ZH "content/posts/a.zh.md"
#define B "content/posts/b.md"
#define PICTURE "content/posts/f/drawing.svg"
#define STYLE "static/site.css"
#define TEMPLATE "templates/post.html"

enum { FILES = 6 };

/* A site, what a builder keeps of it, and a folder to publish to. */
struct again {
	struct bare *b;
	struct folder *f;
	struct publish publish;
	struct reuse_base base;
};

static int setup(void **state)
{
	static const char *const path[] = {A, A_ZH, B, PICTURE, STYLE, TEMPLATE};
	struct again *g = calloc(1, sizeof *g);
	void *bare, *folder;
	struct err e = ERR_NONE;
	if (!g || bare_setup(&bare) != 0 || folder_setup(&folder) != 0)
		return -1;
	g->b = bare;
	g->f = folder;
	bare_files(g->b, path, ARRAY_LEN(path));
	g->base.digest = "the records";
	g->base.inputs = g->b->site.repo.files;
	g->base.inputs.file = ARENA_ARRAY(&g->b->arena, struct input, FILES);
	memcpy(g->base.inputs.file, g->b->site.repo.files.file,
	       FILES * sizeof *g->base.inputs.file);
	g->b->site.reuse.texts = &g->base;
	g->b->site.reuse.digest = g->base.digest;
	g->b->site.options.cache = folder_path(g->f, "cache");
	g->b->site.options.out = folder_path(g->f, "site");
	if (!file_mkdirs(g->b->site.options.cache, &e))
		return -1;
	*state = g;
	return 0;
}

static int teardown(void **state)
{
	struct again *g = *state;
	void *bare = g->b, *folder = g->f;
	if (g->publish.old > 0)
		close(g->publish.old);
	folder_teardown(&folder);
	bare_teardown(&bare);
	free(g);
	return 0;
}

static struct input *file_of(struct again *g, const char *path)
{
	struct inputs *in = &g->b->site.repo.files;
	for (size_t i = 0; i < in->n; i++)
		if (strcmp(in->file[i].path, path) == 0)
			return &in->file[i];
	fail_msg("no file %s", path);
	return NULL;
}

/* --- pages --- */

/* The page that the base has of a source, and the page of this build, not loaded yet. */
struct both {
	struct page *kept, *now;
};

static struct both both(struct again *g, const char *kind, const char *path)
{
	struct page_list *l = &g->base.pages;
	struct both x = {bare_page(g->b, kind, NULL, path), NULL};
	g->b->site.pages.n--; /* it belongs to the base */
	x.kept->url = "/posts/a/";
	x.kept->text.title = "as it was read";
	l->all = arena_grow(&g->b->arena, l->all, l->n, &l->cap, sizeof *l->all);
	l->all[l->n++] = x.kept;
	x.now = bare_page(g->b, kind, NULL, path);
	x.now->loaded = false;
	return x;
}

static bool is_taken(struct again *g, const struct both *x)
{
	reuse_pages(&g->b->site);
	assert_int_equal(x->now->loaded, strcmp(x->now->text.title, "as it was read") == 0);
	return x->now->loaded;
}

static void an_unchanged_source_is_not_read_again(void **state)
{
	struct again *g = *state;
	struct both x = both(g, "post", A);
	assert_true(is_taken(g, &x));
	assert_string_equal(x.now->url, "/posts/a/");
	assert_ptr_not_equal(x.now, x.kept);
}

/* The settings may have another own language than before. */
static void a_page_of_another_language_is_read_again(void **state)
{
	struct again *g = *state;
	struct both x = both(g, "post", A);
	x.kept->language = ZH;
	assert_false(is_taken(g, &x));
}

static void a_page_that_failed_is_read_again(void **state)
{
	struct again *g = *state;
	struct both x = both(g, "post", A);
	g->base.pages.n = 0;
	assert_false(is_taken(g, &x));
}

static void each_change_of_a_source_counts(void **state)
{
	struct again *g = *state;
	struct input *a = file_of(g, A), was = *a;
	for (int i = 0; i < 4; i++) {
		struct both x = both(g, "post", A);
		*a = was;
		assert_true(is_taken(g, &x));
		x = both(g, "post", A);
		a->size += i == 0;
		a->mtime_ns += i == 1;
		a->ctime_ns += i == 2;
		a->inode += i == 3;
		assert_false(is_taken(g, &x));
	}
}

/* It may have changed again after the base read it, and have the same times. */
static void a_source_that_was_too_young_is_read_again(void **state)
{
	struct again *g = *state;
	struct both x = both(g, "post", A);
	assert_true(is_taken(g, &x));
	x = both(g, "post", A);
	((struct input *)inputs_find(&g->base.inputs, A))->young = true;
	assert_false(is_taken(g, &x));
}

/* A text may show it; which text does is not known before it is read. */
static void a_changed_picture_has_all_texts_read(void **state)
{
	struct again *g = *state;
	struct both x = both(g, "post", A);
	file_of(g, PICTURE)->mtime_ns++;
	assert_false(is_taken(g, &x));
}

static void a_new_picture_has_all_texts_read(void **state)
{
	struct again *g = *state;
	struct both x = both(g, "post", A);
	file_of(g, PICTURE)->path = "content/posts/f/other.svg";
	assert_false(is_taken(g, &x));
}

static void the_look_and_other_texts_do_not_count(void **state)
{
	struct again *g = *state;
	struct both x = both(g, "post", A);
	file_of(g, STYLE)->mtime_ns++;
	file_of(g, TEMPLATE)->mtime_ns++;
	file_of(g, B)->mtime_ns++;
	assert_true(is_taken(g, &x));
}

/* A translation is compared with its original. */
static void a_changed_version_counts(void **state)
{
	struct again *g = *state;
	struct both en = both(g, "post", A), zh = both(g, "post", A_ZH);
	bare_version(g->b, en.kept, zh.kept, ZH);
	bare_version(g->b, en.now, zh.now, ZH);
	file_of(g, A)->mtime_ns++;
	reuse_pages(&g->b->site);
	assert_false(en.now->loaded);
	assert_false(zh.now->loaded);
}

static void a_version_that_is_new_counts(void **state)
{
	struct again *g = *state;
	struct both en = both(g, "post", A), zh = both(g, "post", A_ZH);
	bare_version(g->b, en.now, zh.now, ZH);
	zh.kept->language = ZH;
	reuse_pages(&g->b->site);
	assert_false(en.now->loaded);
	assert_false(zh.now->loaded);
}

/* What a build writes into while it links its pages must not be the base's. */
static void a_page_has_state_of_its_own(void **state)
{
	struct again *g = *state;
	struct waiver more = {.text = "more"}, first = {.text = "first", .next = &more};
	struct both en = both(g, "section", A), zh = both(g, "section", A_ZH);
	const struct translation translation = {.original = en.kept};
	struct section section = {.id = "a"};
	bare_version(g->b, en.kept, zh.kept, ZH);
	bare_version(g->b, en.now, zh.now, ZH);
	en.kept->source.waivers = &first;
	en.kept->section = &section;
	zh.kept->source.translation = &translation;
	reuse_pages(&g->b->site);
	const struct waiver *w = en.now->source.waivers;
	assert_ptr_not_equal(w, &first);
	assert_string_equal(w->text, "first");
	assert_ptr_not_equal(w->next, &more);
	assert_string_equal(w->next->text, "more");
	assert_null(w->next->next);
	assert_ptr_not_equal(en.now->section, &section);
	assert_string_equal(en.now->section->id, "a");
	assert_ptr_equal(zh.now->source.translation->original, en.now);
	assert_ptr_equal(site_version(zh.now, EN), en.now);
}

static void a_published_build_reads_everything(void **state)
{
	struct again *g = *state;
	struct both x = both(g, "post", A);
	g->b->site.reuse.texts = NULL;
	assert_false(is_taken(g, &x));
}

/* --- outputs --- */

/* One page of each kind of dependency, and the post b. */
struct shown {
	struct page *a, *b, *list, *feed, *copy, *waivers;
	struct page *posts[1];
	struct site_list list_of[BARE_LANGUAGES];
	struct data_number number;
	struct page *lines;
	struct backlinks quoted;
	struct backlink by;
	struct quote quote;
};

static void show(struct again *g, struct shown *x)
{
	struct bare *b = g->b;
	*x = (struct shown){.a = bare_page(b, "post", "/posts/a/", A),
	                    .b = bare_page(b, "post", "/posts/b/", B),
	                    .list = bare_page(b, "posts", "/posts/", NULL),
	                    .feed = bare_page(b, "feed", "/feed.xml", NULL),
	                    .copy = bare_page(b, "twin", "/posts/b/index.md", NULL),
	                    .waivers = bare_page(b, "waivers", "/waivers/", NULL),
	                    .lines = bare_page(b, "number data", "/numbers/n.json", NULL)};
	x->posts[0] = x->a;
	x->list_of[EN].posts = (struct page_list){.all = x->posts, .n = 1};
	x->copy->subject = x->b;
	x->quote.at.line = 3;
	x->by = (struct backlink){&x->quote, x->a};
	x->quoted = (struct backlinks){&x->by, 1};
	x->lines->subject = &x->number;
	b->data.numbers = &x->number;
	b->data.nnumbers = 1;
	b->site.index.lists = x->list_of;
	b->site.backlinks = &x->quoted;
	b->site.publish = &g->publish;
	g->publish.old = -1;
}

static void forget_outputs(struct again *g)
{
	for (size_t i = 0; i < g->b->site.pages.n; i++)
		g->b->site.pages.all[i]->output = (struct page_output){0};
	g->b->site.reuse.noted = NULL;
}

/* Writes the files of all pages, and notes them for the next build. */
static const char *notes_name(struct again *g)
{
	char hex[HASH_SHA256_HEX + 1];
	hash_sha256(str_of(g->b->site.options.out), hex);
	return arena_printf(&g->f->arena, "cache/outputs-%.12s", hex);
}

static const char *notes_of(struct again *g)
{
	return folder_path(g->f, notes_name(g));
}

static void put_notes(struct again *g, const char *text)
{
	folder_put(g->f, notes_name(g), text);
}

static void publish(struct again *g)
{
	struct site *s = &g->b->site;
	s->reuse.noted = NULL;
	reuse_outputs(s);
	for (size_t i = 0; i < s->pages.n; i++) {
		struct page *p = s->pages.all[i];
		struct stat st;
		const char *path =
		        folder_put(g->f, arena_printf(&g->f->arena, "site/%s", p->out), p->out);
		assert_int_equal(stat(path, &st), 0);
		struct output_file *f = &p->output.file;
		*f = (struct output_file){.path = p->out,
		                          .size = st.st_size,
		                          .mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 +
		                                      st.st_mtim.tv_nsec,
		                          .inode = st.st_ino};
		hash_sha256(str_of(p->out), f->sha256);
	}
	if (g->publish.old >= 0)
		close(g->publish.old);
	g->publish.old = open(folder_path(g->f, "site"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(g->publish.old >= 0);
	for (size_t i = 0; i < s->pages.n; i++) /* young again: to sync all of them takes a while */
		assert_int_equal(fchmodat(g->publish.old, s->pages.all[i]->out, 0644, 0), 0);
	noted_write(s);
	forget_outputs(g);
}

/* The addresses of the pages that a new build makes again, in their order. */
static const char *made_again(struct again *g)
{
	struct site *s = &g->b->site;
	const char *all = "";
	forget_outputs(g);
	reuse_outputs(s);
	for (size_t i = 0; i < s->pages.n; i++)
		if (!s->pages.all[i]->output.reused)
			all = arena_printf(&g->b->arena, "%s%s ", all, s->pages.all[i]->url);
	return all;
}

#define EVERYTHING \
	"/posts/a/ /posts/b/ /posts/ /feed.xml /posts/b/index.md /waivers/ /numbers/n.json "

static void nothing_changed(void **state)
{
	struct again *g = *state;
	struct shown x;
	show(g, &x);
	assert_string_equal(made_again(g), EVERYTHING); /* nothing is published yet */
	publish(g);
	assert_string_equal(made_again(g), "");
	char hex[HASH_SHA256_HEX + 1];
	hash_sha256(str_of(x.a->out), hex);
	assert_string_equal(x.a->output.file.sha256, hex);
	assert_string_equal(x.a->output.file.path, x.a->out);
}

/* A page by itself, its feeds and copies, and what may depend on anything. */
static void a_changed_text_has_its_readers_made_again(void **state)
{
	struct again *g = *state;
	struct shown x;
	show(g, &x);
	publish(g);
	file_of(g, A)->mtime_ns++;
	assert_string_equal(made_again(g), "/posts/a/ /feed.xml /waivers/ ");
	publish(g);
	file_of(g, B)->mtime_ns++;
	assert_string_equal(made_again(g), "/posts/b/ /posts/b/index.md /waivers/ ");
	publish(g);
	x.quote.at.line++; /* a file of a number lists where it is quoted */
	assert_string_equal(made_again(g), "/numbers/n.json ");
}

static void a_changed_original_has_its_translation_made_again(void **state)
{
	struct again *g = *state;
	struct shown x;
	show(g, &x);
	struct page *zh = bare_page(g->b, "post", "/zh/posts/a/", A_ZH);
	bare_version(g->b, x.a, zh, ZH);
	publish(g);
	file_of(g, A)->mtime_ns++;
	assert_string_equal(made_again(g), "/posts/a/ /feed.xml /waivers/ /zh/posts/a/ ");
}

static void a_changed_face_has_everything_made_again(void **state)
{
	struct again *g = *state;
	struct shown x;
	struct quote quote = {.text = "4.31 TB/s"};
	struct fact fact = {.text = "4.8 TB/s", .value = 4.8e12};
	const char *tags[] = {"gpu"};
	show(g, &x);
	x.b->numbers.facts = &fact;
	publish(g);
	for (int i = 0; i < 6; i++) {
		const struct page was = *x.b;
		x.b->text.title = i == 0 ? "another title" : x.b->text.title;
		x.b->front.date = i == 1 ? "2026-01-02" : x.b->front.date;
		x.b->numbers.quotes = i == 2 ? &quote : NULL;
		fact.text = i == 3 ? "4.9 TB/s" : "4.8 TB/s";
		x.b->front.tags = tags;
		x.b->front.ntags = i == 4;
		x.b->numbers.state = i == 5 ? DATA_STALE : x.b->numbers.state;
		assert_string_equal(made_again(g), EVERYTHING);
		*x.b = was;
		fact.text = "4.8 TB/s";
		assert_string_equal(made_again(g), "");
	}
}

static void what_any_page_depends_on(void **state)
{
	struct again *g = *state;
	struct shown x;
	show(g, &x);
	publish(g);
	file_of(g, TEMPLATE)->mtime_ns++;
	assert_string_equal(made_again(g), EVERYTHING);
	publish(g);
	file_of(g, PICTURE)->size++;
	assert_string_equal(made_again(g), EVERYTHING);
	publish(g);
	g->b->site.reuse.digest = "other records";
	assert_string_equal(made_again(g), EVERYTHING);
	publish(g);
	g->b->site.options.drafts = true;
	assert_string_equal(made_again(g), EVERYTHING);
	publish(g);
	bare_page(g->b, "page", "/new/", "content/pages/new.md");
	assert_string_equal(made_again(g), EVERYTHING "/new/ ");
}

/* Another file with the same size and time; its inode tells them apart. */
static void replace_with_equal(const char *path)
{
	char aside[256];
	struct stat st;
	snprintf(aside, sizeof aside, "%s.aside", path);
	assert_int_equal(stat(path, &st), 0);
	int fd = open(aside, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_true(fd >= 0 && ftruncate(fd, st.st_size) == 0);
	const struct timespec times[] = {st.st_atim, st.st_mtim};
	assert_int_equal(futimens(fd, times), 0);
	close(fd);
	assert_int_equal(rename(aside, path), 0);
}

/* Somebody else has changed the folder. */
static void only_what_is_still_published_stays(void **state)
{
	struct again *g = *state;
	struct shown x;
	show(g, &x);
	publish(g);
	folder_put(g->f, "site/posts/b/index.html", "typed by hand");
	replace_with_equal(folder_path(g->f, "site/posts/index.html"));
	assert_int_equal(unlink(folder_path(g->f, "site/feed.xml")), 0);
	assert_string_equal(made_again(g), "/posts/b/ /posts/ /feed.xml ");
	g->publish.old = -1;
	assert_string_equal(made_again(g), EVERYTHING);
}

static void old_enough(void)
{
	const struct timespec more_than_a_tick = {.tv_nsec = 30 * 1000 * 1000};
	nanosleep(&more_than_a_tick, NULL);
}

/* Is the file of the page proved, so that a build need not read it? */
static bool is_proved(struct again *g, const struct page *p)
{
	made_again(g);
	return p->output.reused && p->output.proved;
}

static void what_nobody_has_touched_is_not_read(void **state)
{
	struct again *g = *state;
	struct shown x;
	show(g, &x);
	publish(g);
	old_enough();
	assert_false(is_proved(g, x.a)); /* it was noted in the tick in which it was written */
	for (size_t i = 0; i < g->b->site.pages.n; i++)
		g->b->site.pages.all[i]->output.proved = true; /* by reading it */
	noted_write(&g->b->site);
	assert_true(is_proved(g, x.a));
	assert_int_equal(chmod(folder_path(g->f, "site/posts/a/index.html"), 0600), 0);
	assert_false(is_proved(g, x.a)); /* as after bytes that were changed back in time */
	assert_true(x.a->output.reused);
	assert_true(is_proved(g, x.b));
}

static bool holds(struct again *g)
{
	g->b->site.reuse.noted = NULL;
	return reuse_is_as_left(&g->b->site);
}

static void a_folder_that_holds_more_is_not_as_it_was_left(void **state)
{
	struct again *g = *state;
	struct shown x;
	show(g, &x);
	folder_put(g->f, "site/manifest.json", "{}");
	publish(g);
	for (int i = 0; i < 2; i++) {
		assert_true(holds(g));
		const char *more = folder_put(g->f, "site/posts/b/more", "");
		assert_false(holds(g));
		assert_int_equal(unlink(more), 0);
		assert_true(holds(g)); /* by listing it */
		more = folder_put(g->f, "site/posts/more/index.html", "");
		assert_false(holds(g));
		assert_int_equal(unlink(more), 0);
		assert_int_equal(rmdir(folder_path(g->f, "site/posts/more")), 0);
		old_enough();
		publish(g); /* now its folders are proved */
	}
	assert_int_equal(unlink(folder_path(g->f, "site/posts/b/index.html")), 0);
	assert_false(holds(g));
	folder_put(g->f, "site/posts/b/index.html", "other bytes, to be found later");
	assert_true(holds(g));
}

static void records_are_sure_while_they_are_the_same(void **state)
{
	struct again *g = *state;
	struct site *s = &g->b->site;
	struct shown x;
	show(g, &x);
	publish(g);
	made_again(g);
	reuse_records(s);
	assert_false(s->reuse.sure); /* the build read none */
	s->reuse.sure = true;
	publish(g);
	made_again(g);
	reuse_records(s);
	assert_true(s->reuse.sure);
	s->options.whole = true;
	s->reuse.sure = false;
	reuse_records(s);
	assert_false(s->reuse.sure);
	s->options.whole = false;
	s->reuse.digest = "other records";
	reuse_records(s);
	assert_false(s->reuse.sure);
}

/* They only save work. */
static void damaged_notes_are_not_believed(void **state)
{
	struct again *g = *state;
	struct shown x;
	struct str notes;
	struct err e = ERR_NONE;
	show(g, &x);
	publish(g);
	assert_true(file_read(notes_of(g), 1 << 20, &g->f->arena, &notes, &e));
	put_notes(g, "a b c\n\n1 2 3 4 5 posts/a/index.html\n");
	assert_string_equal(made_again(g), EVERYTHING);
	char *half = str_dup(&g->f->arena, notes);
	*strchr(half, '\n') = 0; /* the first line is there */
	put_notes(g, half);
	assert_string_equal(made_again(g), EVERYTHING);
	char *other = str_dup(&g->f->arena, notes), *path = strstr(other, "posts/a/");
	path[strlen("posts/")] = 'z';
	put_notes(g, other);
	assert_string_equal(made_again(g), EVERYTHING);
	assert_int_equal(g->b->site.reuse.ngone, 0); /* no preview removes posts/z */
	put_notes(g, notes.p);
	assert_string_equal(made_again(g), "");
}

/* In place is changed only what the notes list completely. */
static void the_notes_name_their_folder(void **state)
{
	struct again *g = *state;
	struct site *s = &g->b->site;
	struct shown x;
	struct str notes;
	struct err e = ERR_NONE;
	const char *path = notes_of(g);
	show(g, &x);
	assert_false(noted_is_output(s));
	publish(g);
	assert_false(noted_is_output(s)); /* a folder without a manifest is no site */
	folder_put(g->f, "site/manifest.json", "{}");
	publish(g);
	assert_true(noted_is_output(s));
	assert_true(file_read(path, 1 << 20, &g->f->arena, &notes, &e));
	for (size_t n = 0; n < notes.n; n += 17) {
		put_notes(g, arena_strndup(&g->f->arena, notes.p, n));
		assert_false(noted_is_output(s));
	}
	put_notes(g, notes.p);
	assert_true(noted_is_output(s));
	s->reuse.digest = NULL;
	assert_false(noted_is_output(s));
	s->reuse.digest = g->base.digest;
	replace_with_equal(folder_path(g->f, "site/manifest.json")); /* by another build */
	assert_false(noted_is_output(s));
}

static void what_is_not_made_any_more_is_gone(void **state)
{
	struct again *g = *state;
	struct site *s = &g->b->site;
	struct shown x;
	show(g, &x);
	publish(g);
	s->reuse.ngone = 0;
	made_again(g);
	assert_int_equal(s->reuse.ngone, 0);
	for (size_t i = 0; i < s->pages.n; i++)
		assert_true(s->pages.all[i]->output.replaces);
	const char *last = s->pages.all[--s->pages.n]->out;
	made_again(g);
	assert_int_equal(s->reuse.ngone, 1);
	assert_string_equal(s->reuse.gone[0], last);
	s->pages.n++;
}

static void a_whole_build_makes_everything(void **state)
{
	struct again *g = *state;
	struct shown x;
	show(g, &x);
	publish(g);
	g->b->site.options.whole = true;
	assert_string_equal(made_again(g), EVERYTHING);
	g->b->site.options.whole = false;
	assert_string_equal(made_again(g), "");
	g->b->site.reuse.digest = NULL; /* its inputs are too young, or nothing is committed */
	assert_string_equal(made_again(g), EVERYTHING);
	noted_write(&g->b->site); /* for nobody */
	g->b->site.reuse.digest = g->base.digest;
	assert_string_equal(made_again(g), EVERYTHING);
}

static void notes_that_cannot_be_written(void **state)
{
	struct again *g = *state;
	struct shown x;
	show(g, &x);
	publish(g);
	g->b->site.options.cache = folder_path(g->f, "no such folder");
	noted_write(&g->b->site);
	assert_string_equal(made_again(g), EVERYTHING);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(an_unchanged_source_is_not_read_again),
	        TEST(a_page_of_another_language_is_read_again),
	        TEST(a_page_that_failed_is_read_again),
	        TEST(each_change_of_a_source_counts),
	        TEST(a_source_that_was_too_young_is_read_again),
	        TEST(a_changed_picture_has_all_texts_read),
	        TEST(a_new_picture_has_all_texts_read),
	        TEST(the_look_and_other_texts_do_not_count),
	        TEST(a_changed_version_counts),
	        TEST(a_version_that_is_new_counts),
	        TEST(a_page_has_state_of_its_own),
	        TEST(a_published_build_reads_everything),
	        TEST(nothing_changed),
	        TEST(a_changed_text_has_its_readers_made_again),
	        TEST(a_changed_original_has_its_translation_made_again),
	        TEST(a_changed_face_has_everything_made_again),
	        TEST(what_any_page_depends_on),
	        TEST(only_what_is_still_published_stays),
	        TEST(what_nobody_has_touched_is_not_read),
	        TEST(a_folder_that_holds_more_is_not_as_it_was_left),
	        TEST(records_are_sure_while_they_are_the_same),
	        TEST(damaged_notes_are_not_believed),
	        TEST(the_notes_name_their_folder),
	        TEST(what_is_not_made_any_more_is_gone),
	        TEST(a_whole_build_makes_everything),
	        TEST(notes_that_cannot_be_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
