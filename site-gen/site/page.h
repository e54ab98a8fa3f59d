/*
 * site-gen/site/page.h - one output of the site: its identity, source, numbers,
 * neighbours, and file.
 *
 * A build fills the parts of a page in this order:
 *
 *   site_add        identity
 *   load            (workers) text, front, source, numbers, section, fragments, or kept
 *   index_build     place
 *   reuse_outputs   output.depends, output.reused
 *   write           (workers) the rest of output
 *
 * Pages and all data that they point to live in memory that all processes share
 * (base/worker.h), so pointers are valid in all of them.
 */
#ifndef SITE_GEN_SITE_PAGE_H
#define SITE_GEN_SITE_PAGE_H

#include <stdatomic.h>

#include "lib/str.h"
#include "site-gen/base/front.h"
#include "site-gen/output/output_file.h"
#include "site-gen/records/data_state.h"

struct expand_figure;   /* records/context.h */
struct expand_use;      /* the same */
struct fact;            /* numbers/number.h */
struct imported_number; /* imported.h */
struct md_heading;      /* markdown/markdown.h */
struct md_lines;        /* the same */
struct md_link;         /* the same */
struct md_picture;      /* the same */
struct page;
struct page_kind;   /* page_kind.h */
struct quote;       /* numbers/number.h */
struct section;     /* handbook.h */
struct translation; /* translation.h */
struct waiver;      /* markdown/traced.h */

struct page_list {
	struct page **all;
	size_t n, cap; /* cap: capacity of `all`, if the list grows */
};

/* Posts that share a tag or a series. */
struct page_group {
	const char *name, *url; /* url: NULL for a series without a page */
	struct page_list posts; /* tags: newest first; series: in reading order */
	struct page *page;      /* NULL likewise */
};

/* Texts for readers. title, description and lang are not NULL once the page is loaded. */
struct page_text {
	const char *title, *description; /* plain text */
	const char *lang;                /* "en" */
	struct str title_html, description_html, body;
	struct md_heading *headings;
	size_t nheadings;
};

/* Data from the front matter (base/front.h). */
struct page_front {
	bool draft;
	bool featured;         /* stands first on the home page */
	const char *scheduled; /* the page's date if it is after HEAD's, else NULL */
	const char *date, *updated, *category, *difficulty, *series; /* NULL: not given */
	const char *author;                                          /* NULL: the site's */
	int64_t part, order; /* position in the series; position among the posts of one date */
	const char **tags;
	size_t ntags;
	const char *key; /* a post's result in a few words; NULL: none */
	struct str key_html;
	int key_line;                  /* its line in the source; 0: none */
	const char *take[FRONT_TAKES]; /* a post's take-aways; all NULL: none */
	struct str take_html[FRONT_TAKES];
	const char **aliases; /* former addresses of the page (aliases.h) */
	size_t naliases;
	const char *device;   /* slug of the device of its numbers; NULL: the site's */
	const char **devices; /* slugs, if it is over several; its default first */
	size_t ndevices;
};

/* Slugs of the devices of which a switch shows one. */
struct page_devices {
	const char **all;
	size_t n;
};

/* Data from the source, for other parts of the build. */
struct page_source {
	bool has_problems; /* loading reported a problem or a warning */
	int minutes;       /* reading time */
	const struct translation
	        *translation;   /* differences from its original; NULL: an original */
	struct waiver *waivers; /* exceptions that the author asks for */
	struct md_link *links;  /* to check after all pages are written */
	size_t nlinks;
	struct md_picture *pictures; /* pictures on the page (files/image_sizes.h) */
	size_t npictures;
	struct md_lines *hidden; /* lines of unpublished text */
	size_t nhidden;
	struct imported_number *typed; /* of an imported post (imported.h) */
	size_t ntyped, typed_cap;
};

/* A goal that a page states, for lists of goals (numbers/goal.h). */
struct page_goal {
	const char *text;    /* the sentence as plain text */
	struct str result;   /* the result as markup */
	const char *verdict; /* value of data-verdict */
	struct page_goal *next;
};

/* The numbers that a page shows, in its order. */
struct page_numbers {
	struct quote *quotes; /* measured numbers (numbers/number.h) */
	struct fact *facts;   /* other numbers: data sheets, counts, counters, derived ones */
	struct page_goal *goals;
	struct expand_use *uses; /* the cases behind them */
	const char **families;   /* the families of those cases, each once */
	size_t nfamilies;
	enum data_state state;         /* the worst state among those cases */
	int blocks;                    /* number of tables and figures in the body so far */
	struct expand_figure *figures; /* those, newest first */
};

/* A page's part of the texts for search (files/search.h), in bytes of its language's file. */
struct page_piece {
	uint64_t at, n; /* n == 0: not known */
};

/* What an earlier build kept of the page (build/kept_pages.h). */
struct page_kept {
	atomic_bool unread; /* text.body is left out: source_complete() reads it */
	struct str bytes;   /* the page as it was kept; empty: it was read */
	struct page_piece piece;
};

/* The neighbours and groups of a post. */
struct page_place {
	struct page *older, *newer;
	uint64_t topics;                 /* bits of its tags, families and category (related.h) */
	const struct page_group **tags;  /* parallel to front.tags */
	const struct page_group *series; /* NULL: none */
};

/* A link from a template or a record, to check after all pages are written. */
struct page_link {
	const char *url; /* without the site's prefix */
	struct page_link *next;
};

/* The file of a page. */
struct page_output {
	char depends[HASH_SHA256_HEX + 1]; /* digest of its inputs; "": always made again */
	bool reused;                       /* the published file is kept */
	bool proved;                       /* it has the bytes that were noted of it */
	bool audited;                      /* those bytes were audited */
	bool replaces;                     /* the last build of a preview made the published file */
	struct output_file file;
	uint64_t *ids; /* FNV-1a of the anchors in the file; NULL: see headings and body */
	size_t nids;
	struct page_link *links;
};

/* The number of fragments of a page; number pages need all of them. */
enum { PAGE_FRAGMENTS = 2 };

struct page {
	const struct page_kind *kind;
	const char *path; /* path of its source, for errors; NULL: made from records */
	const char *url;  /* "/posts/x/", without the site's prefix */
	const char *out;  /* "posts/x/index.html" */
	/* by kind: data_family, data_run, data_number, comparison, device, page_group, input */
	const void *subject;
	int language; /* index in config.languages */
	/* by language, including this page; NULL: no version in that language */
	struct page **versions;

	bool loaded; /* false: it has errors, or is an omitted draft or scheduled page */
	struct page_text text;
	struct page_front front;
	struct page_devices made; /* of the part that is generated; n == 0: none */
	struct page_source source;
	struct page_numbers numbers;
	struct section *section; /* sections and paths of the handbook; else NULL */
	/* Markup beside the body. number: the parts made from the records alone
	 * (pages/number_page.h). */
	struct str fragments[PAGE_FRAGMENTS];
	struct page_kept kept;
	struct page_place place;
	struct page_output output;
};

#endif
