/*
 * site-gen/site/site.h - the model of one build: settings, repository, records
 * and pages. The parent makes it and forks; workers fill in their pages (page.h,
 * maker.h). The order of a build:
 *
 *   content_pages   find the sources
 *   load            (workers) read, parse, render the body of each page
 *   index_build     sort, neighbours, tags, generated pages
 *   index_files     files beside the pages, all outputs
 *   write           (workers) template, link scan, comparison, file
 *   links_check     check that every internal link has a target
 */
#ifndef SITE_GEN_SITE_SITE_H
#define SITE_GEN_SITE_SITE_H

#include <stdatomic.h>

#include "lib/arena.h"
#include "lib/hash.h"
#include "site-gen/base/inputs.h"
#include "site-gen/site/page.h"

struct backlinks;       /* backlinks.h */
struct code_files;      /* pages/code_page.h */
struct comparison;      /* pages/comparison.h */
struct config;          /* lua/config.h */
struct config_language; /* the same */
struct data;            /* records/data.h */
struct expand_ctx;      /* records/context.h */
struct first;           /* build/first.h */
struct first_shown;     /* build/first.c */
struct git;             /* git/git.h */
struct headlines;       /* numbers/headline.h */
struct lint;            /* lint/lint.h */
struct shortcodes;      /* kinds/shortcode.h */
struct log_check;       /* log_check.h */
struct maker;           /* maker.h */
struct need;            /* records/need.h */
struct noted;           /* build/noted.h */
struct plotter;         /* plot/plot.h */
struct problems;        /* base/problems.h */
struct publish;         /* output/publish.h */
struct published_log;   /* numbers/published.h */
struct reuse_base;      /* build/reuse.h */
struct site_asset;      /* assets.h */
struct site_output;     /* outputs.h */
struct template;        /* lua/template.h */
struct traced_record;   /* traced.h */
struct worker_pool;     /* base/worker.h */

/* Options of the command line. */
struct site_options {
	const char *out, *cache; /* "build/site", "build/cache" */
	const char *
	        sources; /* where the build tells the preview its pages (build/follow.h), or NULL */
	const struct first
	        *first; /* the page that a preview shows first (build/first.h), or NULL */
	bool drafts, strict, write, sync, quiet;
	bool whole;    /* make every file, also those that nothing has changed (build/reuse.h) */
	bool audit;    /* derive every number of the output again (audit/audit.h) */
	bool future;   /* also publish posts dated after HEAD's day */
	bool werror;   /* warnings fail the build */
	bool excerpts; /* show source lines with problems even if stderr is no terminal */
	int jobs;      /* 0: one per core */
};

/* The table of page kinds (build/page_kinds.h). */
struct page_table {
	const struct page_kind *row;
	size_t n;
};

/* The inputs of a build beside the records. */
struct site_repository {
	struct git *git;
	const char *head;    /* commit, 40 hex digits; "": none */
	struct inputs files; /* files of the work tree */
	struct template *templates;
	size_t ntemplates;
	struct site_asset *assets;
	size_t nassets;
};

/* The worker processes, and their reports in shared memory. */
struct site_workers {
	struct worker_pool *pool;
	struct page_list todo;     /* the pages of the work that runs, one for each job */
	struct problems *problems; /* one list per worker; the last is the parent's */
	struct str *rendered;      /* the page that jobs_render() has made, in shared memory */
	size_t *audited;           /* for each worker, the numbers derived again */
	atomic_bool *stopped;      /* a template hit a limit: make no more pages */
};

/* What is kept of earlier builds, by their process or by the preview's. */
struct site_reuse {
	const char *digest; /* of records, HEAD, settings and words; NULL: no output is kept */
	const char *judged; /* reuse_judged() of the records; NULL: ask it */
	bool is_base;       /* this site owns those pages (build_base) */
	struct page_list generated;     /* pages made from records */
	size_t next;                    /* of those: which is probably asked for next */
	struct code_files *code;        /* the files of numbers; NULL: find them */
	const struct comparison *pairs; /* runs to compare; NULL: find them */
	size_t npairs;
	const struct traced_record *traced; /* traced_records(); NULL: find them */
	size_t ntraced;
	const struct reuse_base *texts;    /* pages of sources; NULL: none */
	const struct headlines *headlines; /* NULL: load them */
	const struct config *config;       /* NULL: load it */
	const struct published_log *log;  /* the log, whose history was checked; NULL: not loaded */
	char around[HASH_SHA256_HEX + 1]; /* reuse_surroundings(); "": not known yet */
	bool sure;             /* the records were read for an audit, now or by the build before */
	const char *pieces_of; /* hashes of the files with page_kept.piece, or NULL */
	struct noted *noted;   /* what the last build left (build/noted.h), or NULL */
	bool in_place;         /* change the published folder file by file */
	const char **gone;     /* files that it has and this build does not make */
	size_t ngone;
};

/* The lists for readers of one language. */
struct site_list {
	/* posts in that language, and posts without a version in it; newest first */
	struct page_list posts;
	struct page_group *tags; /* sorted by name */
	size_t ntags;
	struct page_group *series; /* sorted by name */
	size_t nseries;
	struct page_list sections; /* sections of the handbook, in its order */
	struct page_list paths;    /* reading paths through it, sorted by title */
};

/* Lists and tables of pages. */
struct site_index {
	struct page_list posts;       /* in all languages, newest first */
	struct page_list unpublished; /* drafts and scheduled pages that are left out */
	struct site_list *lists;      /* one for each language */
	struct site_output *outputs;  /* hash table of addresses (outputs.h) */
	size_t outputs_cap;
};

struct site {
	struct site_options options;
	struct page_table kinds;
	struct arena *arena;  /* the parent's */
	struct arena *shared; /* the parent's slot of shared memory */
	struct site_workers workers;
	const struct config *config;
	struct site_repository repo;
	const struct data *data;
	const struct need *need; /* what is asked of the records; NULL: everything is loaded */
	const struct headlines *headlines;
	struct plotter *plots;         /* draws charts */
	struct shortcodes *shortcodes; /* NULL: templates are not loaded */
	const struct lint *lint;       /* NULL: texts are not checked */
	struct publish *publish;       /* NULL: nothing is published */
	struct site_reuse reuse;
	struct page_list pages; /* every output, in the order it is written */
	struct site_index index;
	struct backlinks
	        *backlinks;      /* parallel to data->numbers: the pages that show each number */
	struct code_files *code; /* the files that numbers were compiled from */
	const struct first_shown *first; /* the page that was shown first; NULL: none */
	struct log_check *log;           /* the log of published numbers, compared with the pages */
};

/* The expansion context of a page; device NULL: the site's default. */
struct expand_ctx site_context(struct maker *m, const char *device);
/* The same, with the device or devices of a page's front matter, once it is loaded. */
struct expand_ctx site_page_context(struct maker *m, const struct page *p);

/* Adds a page at the end of site->pages. Derives `out` from the URL if that ends in '/'. */
struct page *site_add(struct site *s, const struct page_kind *kind, const char *url,
                      const void *subject);

/* The settings of the page's language. */
const struct config_language *site_language(const struct site *s, const struct page *p);

/* The language of a page's text as browsers and feeds read it: "zh-Hans". */
const char *site_lang(const struct site *s, const struct page *p);

/* The version of a page in a language, or NULL. */
struct page *site_version(const struct page *p, size_t language);

/* "posts/x/index.html" for "/posts/x/", "feed.xml" for "/feed.xml". */
const char *site_out_of(struct arena *a, const char *url);

#endif
