/* `site-gen import`. */
#include <stdio.h>

#include "lib/array.h"
#include "site-gen/commands/commands.h"
#include "site-gen/commands/importer.h"
#include "site-gen/lua/config.h"

const struct cmd_option command_import_options[] = {
        OPTION_ROOT,
        {"out", 'o', CMD_STRING, "DIR", "where the posts go (content/posts)"},
        {"drafts", 0, CMD_FLAG, NULL, "drafts, too"},
        {"dry-run", 'n', CMD_FLAG, NULL, "report only, write nothing"},
        OPTION_END,
};

static const char *const kinds[IMPORT_KINDS] = {
        [IMPORT_FRONT] = "front matter without a counterpart",
        [IMPORT_SHORTCODE] = "unknown shortcodes, now text",
        [IMPORT_EXCEPTION] = "HTML that became a link or was left out",
        [IMPORT_PICTURE] = "pictures on other sites, now links, or without a text",
        [IMPORT_NAME] = "addresses that were taken",
        [IMPORT_LEFT_OUT] = "files left out",
        [IMPORT_LINK] = "links and pictures that lead nowhere here, now text",
        [IMPORT_FORMULA] = "formulas that cannot be set, now code",
        [IMPORT_TAG] = "tags of one address, merged",
        [IMPORT_OTHER] = "others",
};

static const char *const repairs[IMPORT_REPAIRS] = {
        [IMPORT_MADE_COMMENT] = "comments removed",
        [IMPORT_MADE_ALT] = "pictures named after their file",
        [IMPORT_MADE_TAG] = "HTML tags, now Markdown",
        [IMPORT_MADE_LINK] = "links to posts, now their addresses here",
        [IMPORT_MADE_FILE] = "pictures and files, now below static/",
        [IMPORT_MADE_FORMULA] = "formulas rewritten for our TeX",
        [IMPORT_MADE_BLOCK] = "HTML tables, lists and other blocks, now Markdown",
        [IMPORT_MADE_MODULE] = "imports and exports of MDX removed",
        [IMPORT_MADE_ADDRESS] = "links without a text, which have their address now",
        [IMPORT_MADE_MARK] = "footnotes, callouts and marks in our form",
        [IMPORT_MADE_DRAWING] = "typed numbers in drawings, waived",
        [IMPORT_MADE_ALIAS] = "former addresses, now aliases",
};

/* Prints the counts that are not 0, the highest first, and after the third one `others`. */
static void print_counts(const size_t *count, const char *const *what, int n, const char *before,
                         const char *others)
{
	size_t last = (size_t)-1;
	for (int printed = 0;;) {
		size_t next = 0;
		for (int i = 0; i < n; i++)
			if (count[i] < last && count[i] > next)
				next = count[i];
		if (!next)
			return;
		for (int i = 0; i < n; i++)
			if (count[i] == next) {
				fputs(printed++ == 3 ? others : "", stdout);
				printf("%7zu %s%s\n", next, before, what[i]);
			}
		last = next;
	}
}

/* "name (3 posts), other (1)" */
static void print_keys(const char *before, const struct import_key *key, size_t n)
{
	enum { MOST = 8 };
	for (size_t i = 0; i < n && i < MOST; i++)
		printf("%s" STR_FMT " (%zu)", i ? ", " : before, STR_ARG(key[i].name), key[i].n);
	if (n > MOST)
		printf(" and %zu more", n - MOST);
	fputs(n ? "\n" : "", stdout);
}

/* The languages of translations that the site does not have yet. */
static void print_languages(const struct import_report *r, const struct config *c)
{
	struct import_key missing[16];
	size_t n = 0;
	for (size_t i = 0; i < r->nlanguages && n < ARRAY_LEN(missing); i++) {
		bool has = false;
		for (size_t k = 0; k < c->nlanguages; k++)
			has |= str_is(r->language[i].name, c->languages[k].code);
		if (!has)
			missing[n++] = r->language[i];
	}
	print_keys("translations wait until 'languages' in content/site.lua has their language: ",
	           missing, n);
}

static void print_summary(const struct import_report *r, const struct config *c)
{
	printf("%zu posts, %zu places that need a hand", r->posts, r->notes);
	if (r->drafts)
		printf(", %zu drafts left out (--drafts brings them)", r->drafts);
	if (r->undated)
		printf(", %zu without a date, which are drafts now", r->undated);
	printf("; `site-gen check` finds the rest: links, numbers typed by hand\n");
	print_counts(r->of_kind, kinds, IMPORT_KINDS, "", "");
	print_keys("front matter that was left out, and in how many posts: ", r->key, r->nkeys);
	print_languages(r, c);
	for (int i = 0; i < IMPORT_REPAIRS; i++)
		if (r->repaired[i]) {
			puts("done without a hand, the three commonest repairs:");
			break;
		}
	print_counts(r->repaired, repairs, IMPORT_REPAIRS, "repaired: ", "and these:\n");
}

int command_import(const struct cmd_args *args, void *ctx)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct import_report r = {0};
	struct config c;
	(void)ctx;
	struct import_options o = {.to = command_option(args, "out", "content/posts"),
	                           .dry_run = command_option(args, "dry-run", NULL),
	                           .drafts = command_option(args, "drafts", NULL)};
	bool ok = command_enter_root(args) && config_load(&a, &c, &e);
	if (ok) {
		o.language = c.language;
		ok = importer_run(args->arg[0], &o, &a, &r, &e);
	}
	fputs(r.text.p ? r.text.p : "", stdout);
	if (ok)
		print_summary(&r, &c);
	sb_free(&r.text);
	arena_free(&a);
	return command_end(ok, &e);
}
