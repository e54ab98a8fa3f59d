/*
 * site-gen/site/site.h - the model of one build. The parent makes it, forks, and
 * workers fill in their pages; struct page and what it points to live in
 * memory that all processes share (base/worker.h), so a pointer means the same
 * everywhere. The order of a build:
 *
 *   content_pages   which sources there are
 *   load            (workers) read, parse, render the body of each page
 *   index_build     sort, neighbours, tags, generated pages, all outputs
 *   write           (workers) template, link scan, comparison, file
 *   links_check     every internal link meets an output
 */
#ifndef SITE_GEN_SITE_SITE_H
#define SITE_GEN_SITE_SITE_H

#include <stdatomic.h>

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/lua/config.h"
#include "site-gen/records/data.h"
#include "site-gen/kinds/expand.h"
#include "site-gen/base/inputs.h"
#include "site-gen/markdown/markdown.h"
#include "site-gen/base/problems.h"
#include "site-gen/output/publish.h"
#include "site-gen/lua/template.h"

struct page_kind;
struct reuse_base;
struct section;
struct worker_pool;

struct site_tag {
	const char *name, *url;
	struct page **posts; /* newest first */
	size_t nposts;
	struct page *page; /* of a tag; a series has none */
};

/* What a reader of one language is offered. */
struct site_list {
	/* in that language, and those that there are in no version of it; newest first */
	struct page **posts;
	size_t nposts;
	struct site_tag *tags; /* by name */
	size_t ntags;
	struct site_tag *series; /* by name; posts in reading order */
	size_t nseries;
	struct page **sections; /* of the handbook, in its order */
	size_t nsections;
	struct page **paths; /* through it, by title */
	size_t npaths;
};

/* A link that a template or a record made: to be checked when all pages are there. */
struct page_ref {
	const char *url; /* without the site's prefix */
	struct page_ref *next;
};

/* A goal that a page states, for lists of goals (numbers/goal.h). */
struct page_goal {
	const char *text;    /* the sentence, plain */
	struct str result;   /* what became of it, markup */
	const char *verdict; /* as in data-verdict */
	struct page_goal *next;
};

/* One output of the site. */
struct page {
	const struct page_kind *kind;
	const char *path; /* its source, for errors; NULL: made from records */
	const char *url;  /* "/posts/x/", without the site's prefix */
	const char *out;  /* "posts/x/index.html" */
	/* struct data_family, data_run, data_number, comparison, device, site_tag, input: by kind */
	const void *subject;
	int language; /* index in config.languages */
	/* by language, the page itself among them, NULL: not in that one; NULL: in no other */
	struct page **versions;

	/* by load */
	bool told;   /* of a problem or a warning, when it was loaded */
	bool loaded; /* false: in error, or a draft or scheduled, and left out */
	bool draft;
	const char *scheduled; /* the day, if that is after the last commit's; else NULL */
	const char *title, *description, *lang; /* plain; never NULL once loaded */
	struct str title_html, description_html, body;
	const char *key; /* of a post: its result in a few words; NULL: none */
	struct str key_html;
	struct str terminal; /* of the home page: lines of the newest run (pages/terminal.h) */
	struct str recorded
	        [2]; /* of a number, in a base: its parts of the records (pages/number_page.h) */
	struct md_heading *headings;
	size_t nheadings;
	struct md_lines *unshown; /* of the source: what the page leaves out */
	size_t nunshown;
	int blocks;      /* of numbers in the body so far: what is added to it counts on */
	bool made_links; /* placeholders may have put links into the body */
	struct md_link *links;
	size_t nlinks;
	struct md_picture *pictures; /* that it shows (files/image_sizes.h) */
	size_t npictures;
	struct expand_use *uses;
	const char **families; /* that it quotes numbers of, each once */
	size_t nfamilies;
	struct quote *quotes; /* every measured number it shows, in its order (numbers/number.h) */
	struct fact *facts;   /* and those of datasheets, derived from them, and counts */
	struct page_goal *goals; /* that it states, in its order */
	struct waiver *waivers;  /* exceptions that its source asks for (markdown/traced.h) */
	enum data_state state;
	const char **aliases; /* paths it once had (aliases.h) */
	size_t naliases;
	const struct translation *translation; /* how it stands to its original; NULL: it is one */
	const char *date, *updated;            /* posts; updated may be NULL */
	const char *category, *difficulty, *series;
	const char **tags;
	size_t ntags;
	struct section *section; /* of the handbook, or a path through it (handbook.h); or NULL */
	int64_t part, order;     /* in the series, among the posts of the day (base/front.h) */
	int minutes;

	/* by index_build */
	struct page *older, *newer;
	uint64_t kin;                 /* bits of its tags, families and category (related.h) */
	const struct site_tag **tag;  /* as tags */
	const struct site_tag *group; /* its series, or NULL */

	/* by reuse_outputs */
	char depends[HASH_SHA256_HEX + 1]; /* a digest; "": it is made again each time */
	bool reused;                       /* its file stays as it was published */

	/* by write */
	struct output_file file;
	uint64_t *ids; /* FNV-1a of the anchors; NULL: headings and body tell */
	size_t nids;
	struct page_ref *refs;
};

/* A file under static/ and its address (assets.h). */
struct site_asset {
	const char *name, *url;
};

struct site_options {
	const char *out, *cache; /* "build/site", "build/cache" */
	const char *
	        sources; /* where the build tells the preview its pages (build/follow.h), or NULL */
	bool drafts, strict, write, sync, quiet;
	bool audit;    /* derive every number of the output again (audit/audit.h) */
	bool future;   /* posts of days after HEAD's, too */
	bool werror;   /* warnings fail the build */
	bool excerpts; /* problems with the lines they are about; else where stderr is a terminal */
	int jobs;      /* 0: one per core */
};

struct site_output {
	const char *key; /* lower case */
	struct page *page;
};

/* The kinds of pages there are (build/page_kinds.h). */
struct page_table {
	const struct page_kind *row;
	size_t n;
};

struct site {
	struct site_options options;
	struct page_table kinds;
	struct arena *arena;  /* the parent's */
	struct arena *shared; /* the parent's slot of shared memory */
	struct worker_pool *pool;
	struct config config;
	struct git *git;
	const char *head;       /* 40 hex, or "" */
	const char *plot_cache; /* "build/cache/plots" */
	struct data data;
	struct data_family *families;
	size_t nfamilies;
	struct inputs inputs;
	struct template *templates;
	size_t ntemplates;
	struct site_asset *assets;
	size_t nassets;
	const struct lint *lint;   /* NULL: texts are not checked */
	struct problems *problems; /* one per worker, the parent's last; shared */
	size_t *audited;           /* numbers derived again, by worker; shared */
	atomic_bool *stopped;      /* a template came to a limit: no more pages; shared */
	struct publish publish;

	struct page **pages; /* every output, in the order it is written */
	size_t npages, page_cap;
	struct page **left_out; /* sources that are drafts or scheduled, and not published */
	size_t nleft_out;
	bool is_base;       /* its pages are loaded for several builds (build_base) */
	struct page **made; /* pages that an earlier build has loaded already */
	size_t nmade;
	const struct reuse_base *reuse; /* pages of sources that a builder keeps; NULL: none */
	struct page **posts;            /* in all languages, newest first */
	size_t nposts;
	struct site_list *lists; /* by language */
	struct site_quoted
	        *quoted; /* parallel to data.numbers: who shows what of it (backlinks.h) */
	struct noted
	        *noted; /* the log of published numbers, beside what pages show (log_check.h) */
	struct site_output *outputs; /* open addressing */
	size_t outputs_cap;          /* a power of two */
};

struct audit;
struct picture_fonts;

enum { MAKER_LINKS = 512 };

/* A process at work: the parent itself or a worker. */
struct maker {
	struct site *site;
	struct arena *shared; /* for results */
	struct arena *bulk;   /* for bodies of pages, shared too */
	struct arena scratch; /* emptied after each page */
	struct problems *problems;
	struct script *script;             /* when writing */
	const struct picture_fonts *fonts; /* of social cards, once there was one */
	struct str style;                  /* static/site.css, once it was asked for a colour */
	struct audit *audit;               /* the same; NULL: not asked for */
	size_t *audited;                   /* its place in site->audited */
	struct sb html;
	const struct page *page;           /* at work */
	const char *lang;                  /* the script's functions are for this language */
	int language;                      /* and for pages of this one of the site's */
	uint64_t known_links[MAKER_LINKS]; /* digests of links that meet an output (links.c) */
};

#define SITE_VERSION "1.0"

/* The expansion context of a page: device NULL = the site's. */
struct expand_ctx site_context(struct maker *m, const char *device);

/* A new page at the end of site->pages; `out` follows from the URL if it ends in '/'. */
struct page *site_add(struct site *s, const struct page_kind *kind, const char *url,
                      const void *subject);

/* The page's language as it is set up. */
const struct config_language *site_language(const struct site *s, const struct page *p);

/* The version of a page in a language, or NULL. */
struct page *site_version(const struct page *p, size_t language);

/* "posts/x/index.html" for "/posts/x/", "feed.xml" for "/feed.xml". */
const char *site_out_of(struct arena *a, const char *url);

#endif
