/* Loading a page from its source: its address, its texts, and when it is left out. */
#include "site-gen/site/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "lib/array.h"
#include "site-gen/base/inputs.h"
#include "site-gen/git/git.h"
#include "site-gen/markdown/markdown.h"
#include "tests/unit/help/bare_site.h"
#include "tests/unit/help/folder.h"

/* A site whose work tree is a folder, in which the test runs. */
struct tree {
	struct bare *b;
	struct folder *f;
	char here[4096];
	struct err e;
};

static int setup(void **state)
{
	struct tree *t = calloc(1, sizeof *t);
	void *bare, *folder;
	if (!t || bare_setup(&bare) != 0 || folder_setup(&folder) != 0)
		return -1;
	t->b = bare;
	t->f = folder;
	t->e = ERR_NONE;
	*state = t;
	return !getcwd(t->here, sizeof t->here) || chdir(t->f->path) != 0;
}

static int teardown(void **state)
{
	struct tree *t = *state;
	void *bare = t->b, *folder = t->f;
	git_close(t->b->site.repo.git);
	int failed = chdir(t->here);
	folder_teardown(&folder);
	bare_teardown(&bare);
	free(t);
	return failed;
}

/* The page of a source, as site/content.h adds it. */
static struct page *of(struct tree *t, const char *kind, const char *path, const char *text)
{
	folder_put(t->f, path, text);
	struct page *p = site_add(&t->b->site, page_kind(&t->b->site, kind), NULL, NULL);
	p->path = path;
	return p;
}

static struct page *loads(struct tree *t, const char *kind, const char *path, const char *text)
{
	struct page *p = of(t, kind, path, text);
	if (!source_load(&t->b->maker, p, &t->e))
		fail_msg("%s", t->e.text);
	assert_string_equal(bare_said(t->b), "");
	return p;
}

/* The problems of the text, then the error that stops the page. */
static const char *fails(struct tree *t, const char *kind, const char *path, const char *text)
{
	struct page *p = of(t, kind, path, text);
	t->e = ERR_NONE;
	assert_false(source_load(&t->b->maker, p, &t->e));
	assert_false(p->loaded);
	return arena_printf(&t->b->arena, "%s%s", bare_said(t->b), t->e.text);
}

#define FRONT(more) "---\ntitle: Scans\ndate: 2026-01-02\n" more "---\n"

static void an_address_comes_from_the_name_or_the_slug(void **state)
{
	static const struct {
		const char *kind, *path, *front, *url;
	} c[] = {
	        {"post", "content/posts/scan.md", FRONT(""), "/posts/scan/"},
	        {"post", "content/posts/scan.md", FRONT("slug: prefix-sum\n"),
	         "/posts/prefix-sum/"},
	        {"post", "content/posts/folder/index.md", FRONT(""), "/posts/folder/"},
	        {"post", "content/posts/folder/index.md", FRONT("slug: other\n"), "/posts/other/"},
	        {"page", "content/pages/about.md", "---\ntitle: About\n---\n", "/about/"},
	        {"section", "content/sections/03-memory.md",
	         "---\ntitle: Memory\nstatus: wip\n---\n", "/handbook/memory/"},
	};
	struct tree *t = *state;
	for (size_t i = 0; i < ARRAY_LEN(c); i++) {
		const struct page *p = loads(t, c[i].kind, c[i].path, c[i].front);
		assert_true(p->loaded);
		assert_string_equal(p->url, c[i].url);
		assert_string_equal(p->out, site_out_of(&t->b->arena, c[i].url));
	}
}

static void the_texts_of_a_page(void **state)
{
	struct tree *t = *state;
	const struct page *p = loads(t, "post", "content/posts/scan.md",
	                             FRONT("updated: 2026-01-05\ntags: [gpu, scan]\n"
	                                   "description: In *one* pass\nseries: Sums\npart: "
	                                   "2\n") "Hello [all](/posts/).\n\n## How & "
	                                          "why\n\nText.\n");
	assert_string_equal(p->text.title, "Scans");
	assert_string_equal(p->text.description, "In *one* pass");
	assert_string_equal(p->text.lang, "en");
	assert_string_equal(p->front.date, "2026-01-02");
	assert_string_equal(p->front.updated, "2026-01-05");
	assert_int_equal(p->front.ntags, 2);
	assert_string_equal(p->front.tags[1], "scan");
	assert_string_equal(p->front.series, "Sums");
	assert_int_equal(p->front.part, 2);
	assert_int_equal(p->text.nheadings, 1);
	assert_string_equal(p->text.headings[0].text, "How & why");
	assert_int_equal(p->source.nlinks, 1);
	assert_string_equal(p->source.links[0].url, "/posts/");
	assert_string_equal(p->source.links[0].at.path, p->path);
	assert_int_equal(p->source.links[0].at.line, 10);
	assert_int_equal(p->source.minutes, 1);
	assert_true(str_starts(p->text.body, "<p>Hello <a "));
}

/* Without a description: the first paragraph, cut at a word, and never within a character. */
static void a_description_is_the_first_paragraph(void **state)
{
	struct tree *t = *state;
	assert_string_equal(
	        loads(t, "post", "content/posts/a.md", FRONT("") "A *short* one.\n\nTwo.\n")
	                ->text.description,
	        "A short one.");
	char text[2048] = FRONT("");
	for (int i = 0; i < 60; i++)
		strcat(text, "word ");
	const char *cut = loads(t, "post", "content/posts/a.md", text)->text.description;
	assert_int_equal(strlen(cut), 199 + strlen("…"));
	assert_true(str_ends(str_of(cut), "word…"));
	strcpy(text, FRONT("") "a");
	for (int i = 0; i < 150; i++)
		strcat(text, "字");
	cut = loads(t, "post", "content/posts/a.md", text)->text.description;
	assert_true(str_ends(str_of(cut), "字…"));
	assert_int_equal((strlen(cut) - strlen("a…")) % strlen("字"), 0);
	assert_true(strlen(cut) <= 200 + strlen("…"));
}

static void a_draft_is_left_out_unless_asked_for(void **state)
{
	struct tree *t = *state;
	const struct page *p = loads(t, "post", "content/posts/a.md", FRONT("draft: true\n"));
	assert_false(p->loaded);
	assert_true(p->front.draft);
	assert_null(p->url);
	t->b->site.options.drafts = true;
	p = loads(t, "post", "content/posts/a.md", FRONT("draft: true\n"));
	assert_true(p->loaded);
	assert_true(p->front.draft);
}

/* The present is HEAD's time, and a day begins where it begins first: at UTC+14. */
static void a_day_in_the_future_is_left_out(void **state)
{
	struct tree *t = *state;
	const char *command =
	        "git init -q . && GIT_COMMITTER_DATE='2026-01-01T12:00:00Z' git -c user.name=T -c "
	        "user.email=t@example.org commit -q --allow-empty -m one";
	assert_int_equal(system(command), 0);
	assert_true(git_open(".", &t->b->site.repo.git, &t->e));
	assert_true(loads(t, "post", "content/posts/a.md", FRONT(""))->loaded);
	const char *tomorrow = "---\ntitle: Scans\ndate: 2026-01-03\n---\n";
	const struct page *p = loads(t, "post", "content/posts/a.md", tomorrow);
	assert_false(p->loaded);
	assert_string_equal(p->front.scheduled, "2026-01-03");
	t->b->site.options.future = true;
	assert_true(loads(t, "post", "content/posts/a.md", tomorrow)->loaded);
}

static void a_page_of_another_language(void **state)
{
	struct tree *t = *state;
	struct page *p = of(t, "post", "content/posts/a.zh.md", FRONT(""));
	p->language = ZH;
	assert_true(source_load(&t->b->maker, p, &t->e));
	assert_string_equal(p->url, "/zh/posts/a/");
	assert_string_equal(p->text.lang, "zh");
	p = of(t, "post", "content/posts/folder/index.zh.md", FRONT(""));
	p->language = ZH;
	assert_true(source_load(&t->b->maker, p, &t->e));
	assert_string_equal(p->url, "/zh/posts/folder/");
	assert_string_equal(fails(t, "post", "content/posts/a.md", FRONT("lang: zh\n")),
	                    "content/posts/a.md:4:1: lang is 'zh', but the file's name says 'en'; "
	                    "expected NAME.zh.md [bilingual]");
}

static void what_stops_a_page(void **state)
{
	struct tree *t = *state;
	assert_string_equal(fails(t, "post", "content/posts/Big Folder/index.zh.md", FRONT("")),
	                    "content/posts/Big Folder/index.zh.md: the folder's name is no slug, "
	                    "expected [a-z0-9-]{1,64}");
	struct page *gone = of(t, "post", "content/posts/gone.md", "");
	assert_int_equal(unlink("content/posts/gone.md"), 0);
	t->e = ERR_NONE;
	assert_false(source_load(&t->b->maker, gone, &t->e));
	assert_non_null(strstr(t->e.text, "content/posts/gone.md: "));
	char *large = arena_alloc(&t->b->arena, (256 << 10) + 2);
	memset(large, 'a', (256 << 10) + 1);
	large[(256 << 10) + 1] = 0;
	memcpy(large, FRONT(""), strlen(FRONT("")));
	assert_non_null(strstr(fails(t, "post", "content/posts/large.md", large),
	                       "content/posts/large.md: "));
}

/* An author sees all errors of a file together. */
static void errors_of_front_matter_and_body_come_together(void **state)
{
	struct tree *t = *state;
	const char *body = "<<bench:vlaue x>>\n";
	const char *wrong = arena_printf(&t->b->arena, "%s%s", FRONT("colour: red\n"), body);
	const char *said = fails(t, "post", "content/posts/a.md", wrong);
	assert_non_null(strstr(said, "content/posts/a.md:6:9: no placeholder kind 'vlaue'"));
	assert_non_null(strstr(said, "content/posts/a.md:4:1: "));
	/* without its device, a text may have errors that are none */
	said = fails(t, "post", "content/posts/a.md",
	             arena_printf(&t->b->arena, "%s%s", FRONT("device: A B\n"), body));
	assert_null(strstr(said, "vlaue"));
	said = fails(t, "post", "content/posts/a.md",
	             "---\ntitle: <<bench:wrong>>\ndate: 2026-01-02\n---\n<<bench:vlaue x>>\n");
	assert_non_null(strstr(said, "content/posts/a.md:5:9: no placeholder kind 'vlaue'"));
	assert_non_null(strstr(said, "content/posts/a.md:2:16: no placeholder kind 'wrong'"));
	said = fails(t, "post", "content/posts/a.md",
	             FRONT("") "> > > > > > > > > > > > > > > > > a\n");
	assert_non_null(strstr(said, "content/posts/a.md:5:1: line starts with more than 16 "));
}

/* A page that a build has kept without its body, of the file as that build lists it now. */
static struct page *kept_unread(struct tree *t, const char *path)
{
	struct inputs *in = &t->b->site.repo.files;
	*in = (struct inputs){0};
	assert_true(inputs_add(in, "content", &t->b->arena, &t->e));
	inputs_sort(in);
	struct page *p = site_add(&t->b->site, page_kind(&t->b->site, "post"), "/posts/a/", NULL);
	p->path = path;
	p->kept.unread = true;
	return p;
}

static void a_body_is_read_later(void **state)
{
	struct tree *t = *state;
	folder_put(t->f, "content/posts/a.md", FRONT("") "One.\n");
	struct page *p = kept_unread(t, "content/posts/a.md");
	assert_true(source_complete(&t->b->maker, p, &t->e));
	assert_false(p->kept.unread);
	assert_non_null(strstr(p->text.body.p, "One."));
}

/* Its title and its links are those of the file that was listed. */
static void a_body_of_another_file_is_refused(void **state)
{
	struct tree *t = *state;
	folder_put(t->f, "content/posts/a.md", FRONT("") "One.\n");
	struct page *p = kept_unread(t, "content/posts/a.md");
	folder_put(t->f, "content/posts/b.md", FRONT("") "Two.\n");
	assert_int_equal(rename("content/posts/b.md", "content/posts/a.md"), 0);
	assert_false(source_complete(&t->b->maker, p, &t->e));
	assert_string_equal(t->e.text,
	                    "content/posts/a.md: was changed during the build; build again");
	assert_true(p->kept.unread);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(an_address_comes_from_the_name_or_the_slug),
	        TEST(the_texts_of_a_page),
	        TEST(a_description_is_the_first_paragraph),
	        TEST(a_draft_is_left_out_unless_asked_for),
	        TEST(a_day_in_the_future_is_left_out),
	        TEST(a_page_of_another_language),
	        TEST(what_stops_a_page),
	        TEST(errors_of_front_matter_and_body_come_together),
	        TEST(a_body_is_read_later),
	        TEST(a_body_of_another_file_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
