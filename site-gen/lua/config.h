/*
 * site-gen/lua/config.h - settings of the site, from content/site.lua. The file is Lua
 * that returns one table; it is data and calls nothing. An unknown key, a wrong type
 * or a missing required key is an error with its place.
 *
 *   key             type   required  is
 *   title           text   yes       the site's name
 *   base_url        text   yes       "https://example.org", or with a path,
 *                                    "https://example.org/blog"
 *   tagline         text   no        the site's subject in a few words, for the home page's title
 *   description     text   no        one sentence, for the home page and the feed
 *   author          text   no        the author's name; not shown if ""
 *   licence         text   no        the licence of the text: "CC BY 4.0"
 *   licence_url     text   no        its address: "https://creativecommons.org/licenses/by/4.0/"
 *   repository      text   no        address of the sources: "https://…", no slash at the end
 *   edit            text   no        address to edit a source at, with {path} in it:
 *                                    "https://host/owner/repo/edit/main/{path}"
 *   language        text   no        "en": the language of content/posts/NAME.md
 *   languages       table  no        all languages of the site by code, including `language`
 *                                    (docs/languages.md):
 *                                    { en = { name = "English" }, zh = { name = "中文", … } };
 *                                    `name` is in the language itself; `tag`, the site's title,
 *                                    tagline, description and nav in that language may follow;
 *                                    `tag` is the language for browsers and feeds, "zh-Hans", if
 *                                    the code says less
 *   default_device  text   no        device of placeholders that name none: "h200"; required when
 *                                    data/runs has records of several GPUs, or of several CPUs and
 *                                    no GPU; else it is the GPU, if there is one
 *   nav             list   no        { { title = "Posts", url = "/posts/" }, … }
 *   markdown        flag   no        pages as Markdown, too, and /llms.txt (files/markdown_copy.h)
 *   cards           flag   no        a social card for each post (look/card.h)
 *   source          flag   no        publish HEAD's whole history (files/source_bundle.h)
 *   ridgepoint      text   no        "1.0": the version that the site was written for
 *                                    (docs/updating.md). The site's own templates/ and static/ then
 *                                    lie over the default look (lua/layers.h); without this key,
 *                                    they are the whole look
 *   colours         table  no        colours of both themes, in place of the look's, as "#rrggbb":
 *                                    { light = { accent = "…", background = "…", text = "…" },
 *                                    dark = { … } }; each of them may be absent. `accent` is that
 *                                    of links. A contrast below 4.5 is an error (lua/restyle.h)
 *   logo            text   no        "static/logo.svg": a picture before the site's title, in
 *                                    place of that in templates/logo.html
 *   favicon         text   no        "static/icon.png": the browser's picture for the site, in SVG,
 *                                    PNG or ICO; static/favicon.svg if it is not given
 *   theme           text   no        "NAME": themes/NAME/templates and themes/NAME/static are
 *                                    the look of the site, in place of templates and static
 *   tags            table  no        { most = 12, former = { en = { occupancy = "memory" } } }:
 *                                    the largest number of tags in one language, and tags by
 *                                    language whose pages lead to another tag now
 *   words           table  no        words of the interface by language:
 *                                    { en = { posts = "Posts" } }; they replace and add to
 *                                    templates/words.lua, which has the same shape
 */
#ifndef SITE_GEN_LUA_CONFIG_H
#define SITE_GEN_LUA_CONFIG_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/lua/layers.h"

/* Version of Ridgepoint: the second number grows with what is new, the first with what breaks. */
#define SITE_VERSION "1.0"

enum { CONFIG_LOGO_HEIGHT = 28 }; /* CSS pixels, as templates/logo.html has it */

struct config_nav {
	const char *title, *url;
	struct loc at;
};

/* A language of the site. */
struct config_language {
	const char *code, *name; /* "zh", "中文"; code: in addresses and files */
	const char *tag;         /* in markup and feeds: "zh-Hans" */
	const char *title, *tagline, *description; /* the site's, in this language */
	const char *prefix; /* prefix of its addresses: "/zh"; "" for the site's own language */
	struct config_nav *nav;
	size_t nnav;
};

/* A tag that another one replaced. */
struct config_tag {
	const char *lang, *former, *name;
	struct loc at;
};

/* Colours of a theme, "#rrggbb"; NULL: that of the look. */
struct config_colours {
	const char *accent, *background, *text;
};

struct config_word {
	const char *lang, *key, *text;
};

struct config {
	const char *title, *tagline, *base_url, *description, *author, *licence, *licence_url,
	        *repository, *edit, *language,
	        *default_device; /* NULL: not given; the others: "" */
	struct layers look;      /* its own templates/ and static/, and the default under them */
	const char *base;        /* path of base_url without its trailing slash: "", "/blog" */
	bool markdown, cards, source;
	struct config_colours colours[2]; /* of the light and the dark theme */
	const char *logo, *favicon;       /* below static/: "logo.svg"; "": not given */
	int logo_width;                   /* in CSS pixels, when it is CONFIG_LOGO_HEIGHT high */
	struct config_nav *nav;
	size_t nnav;
	struct config_language *languages; /* the site's own first, then the others by code */
	size_t nlanguages;                 /* at least one */
	int64_t most_tags;                 /* of one language; 0: any number */
	struct loc tags_at;
	struct config_tag *former;
	size_t nformer;
	struct config_word *word; /* sorted by language and key */
	size_t nwords;
};

/*
 * Translations of the kernels' titles and ideas. The file has the shape of the
 * look's words.lua, with the English text as the key.
 */
#define CONFIG_KERNEL_WORDS "content/kernels/words.lua"

/*
 * Reads content/site.lua and, if they are there, the look's templates/words.lua
 * and CONFIG_KERNEL_WORDS.
 */
MUST_CHECK bool config_load(struct arena *a, struct config *out, struct err *e);

/*
 * Puts the default look under `look` for a site that was written for `version`. The first number
 * must be that of SITE_VERSION, and the second not later.
 */
MUST_CHECK bool config_version(const char *version, struct layers *look, struct arena *a,
                               struct err *e);

/* The path of the look's words. */
const char *config_words_path(const struct config *c, struct arena *a);

/* The index of a language of the site; nlanguages if it has no such language. */
size_t config_language(const struct config *c, struct str code);

/* A word of the interface; NULL if there is none. */
const char *config_word(const struct config *c, const char *lang, struct str key);

#endif
