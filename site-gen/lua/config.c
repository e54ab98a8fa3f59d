/*
 * To add a key, add a row to `keys`, a field to struct config and a line to config.h.
 */
#include "site-gen/lua/config_inner.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/base/front_check.h"
#include "site-gen/base/html.h"
#include "site-gen/lua/script.h"

static const char *const site_path = "content/site.lua";

enum { MAX_FILE_BYTES = 1 << 20 };

static bool read_nav(struct config_reader *r, const struct script_value *v);
static bool read_languages(struct config_reader *r, const struct script_value *v);
static bool read_words(struct config_reader *r, const struct script_value *v);
static bool read_tags(struct config_reader *r, const struct script_value *v);
static bool read_licence_url(struct config_reader *r, const struct script_value *v);
static bool read_edit(struct config_reader *r, const struct script_value *v);

static const struct key {
	const char *name;
	enum script_kind kind;
	bool required;
	size_t field; /* a text or a flag */
	bool (*read)(struct config_reader *r,
	             const struct script_value *v); /* reads any other type */
} keys[] = {
        {"title", SCRIPT_TEXT, true, offsetof(struct config, title), NULL},
        {"base_url", SCRIPT_TEXT, true, offsetof(struct config, base_url), NULL},
        {"tagline", SCRIPT_TEXT, false, offsetof(struct config, tagline), NULL},
        {"description", SCRIPT_TEXT, false, offsetof(struct config, description), NULL},
        {"author", SCRIPT_TEXT, false, offsetof(struct config, author), NULL},
        {"licence", SCRIPT_TEXT, false, offsetof(struct config, licence), NULL},
        {"licence_url", SCRIPT_TEXT, false, 0, read_licence_url},
        {"repository", SCRIPT_TEXT, false, offsetof(struct config, repository), NULL},
        {"edit", SCRIPT_TEXT, false, 0, read_edit},
        {"language", SCRIPT_TEXT, false, offsetof(struct config, language), NULL},
        {"languages", SCRIPT_TABLE, false, 0, read_languages},
        {"default_device", SCRIPT_TEXT, false, offsetof(struct config, default_device), NULL},
        {"markdown", SCRIPT_FLAG, false, offsetof(struct config, markdown), NULL},
        {"cards", SCRIPT_FLAG, false, offsetof(struct config, cards), NULL},
        {"source", SCRIPT_FLAG, false, offsetof(struct config, source), NULL},
        {"theme", SCRIPT_TEXT, false, 0, config_read_theme},
        {"ridgepoint", SCRIPT_TEXT, false, 0, config_read_version},
        {"colours", SCRIPT_TABLE, false, 0, config_read_colours},
        {"logo", SCRIPT_TEXT, false, 0, config_read_logo},
        {"favicon", SCRIPT_TEXT, false, 0, config_read_favicon},
        {"nav", SCRIPT_LIST, false, 0, read_nav},
        {"tags", SCRIPT_TABLE, false, 0, read_tags},
        {"words", SCRIPT_TABLE, false, 0, read_words},
};
enum { NKEYS = ARRAY_LEN(keys) };

/* The place of a key of a table: ["name"] or name. */
static struct loc place_of_key(const struct config_reader *r, const char *key)
{
	struct sb quoted = {0};
	sb_printf(&quoted, "[\"%s\"]", key);
	const char *at = memmem(r->src.p, r->src.n, quoted.p, quoted.n);
	sb_free(&quoted);
	return at ? str_loc(r->src, r->path, at) : config_place(r, key);
}

/* --- keys -------------------------------------------------------------------------- */

static bool unknown_key(struct config_reader *r, const char *name)
{
	size_t best = 5;
	const char *nearest = NULL;
	for (size_t i = 0; i < NKEYS; i++) {
		size_t d = str_distance(str_of(name), str_of(keys[i].name), best);
		if (d < best) {
			best = d;
			nearest = keys[i].name;
		}
	}
	if (nearest)
		return err_at(r->err, config_place(r, name), "unknown key '%s', did you mean '%s'?",
		              name, nearest);
	return err_at(r->err, config_place(r, name),
	              "unknown key '%s', expected one of those in site-gen/lua/config.h", name);
}

/* True if v is of kind k; an empty table counts both as a list and as a table of names. */
static bool is_kind(const struct script_value *v, enum script_kind k)
{
	return v->kind == k || (v->kind == SCRIPT_LIST && v->n == 0 && k == SCRIPT_TABLE);
}

static bool read_key(struct config_reader *r, const char *name, const struct script_value *v)
{
	for (size_t i = 0; i < NKEYS; i++) {
		const struct key *k = &keys[i];
		if (strcmp(k->name, name) != 0)
			continue;
		if (!is_kind(v, k->kind))
			return config_wrong_type(r, name, v->kind, k->kind);
		char *field = (char *)r->out + k->field;
		if (k->read)
			return k->read(r, v);
		if (k->kind == SCRIPT_FLAG)
			memcpy(field, &v->flag, sizeof v->flag);
		else
			memcpy(field, &v->text.p, sizeof v->text.p);
		return true;
	}
	return unknown_key(r, name);
}

static bool read_nav_list(struct config_reader *r, const struct script_value *v,
                          struct config_nav **nav, size_t *n)
{
	*n = v->n;
	*nav = ARENA_ARRAY(r->arena, struct config_nav, v->n);
	for (size_t i = 0; i < v->n; i++) {
		const struct script_value *item = v->member[i].value;
		const struct script_value *title = config_member(item, "title"),
		                          *url = config_member(item, "url");
		if (!title || !url || item->n != 2 || title->kind != SCRIPT_TEXT ||
		    url->kind != SCRIPT_TEXT)
			return err_at(
			        r->err, config_place(r, "nav"),
			        "item %zu of 'nav': expected { title = \"…\", url = \"/…/\" }",
			        i + 1);
		if (!html_url_allowed(url->text))
			return err_at(r->err, config_place(r, "nav"),
			              "item %zu of 'nav': '%s' is no address", i + 1, url->text.p);
		(*nav)[i] = (struct config_nav){title->text.p, url->text.p,
		                                config_place_of_text(r, url->text)};
	}
	return true;
}

/* edit -> { any } '{path}' { any } ; an address of another site */
static bool read_edit(struct config_reader *r, const struct script_value *v)
{
	if (!str_starts(v->text, "https://") || !strstr(v->text.p, "{path}") ||
	    strpbrk(v->text.p, " \"<>"))
		return err_at(r->err, config_place_of_text(r, v->text),
		              "'%s' is no address of sources, expected "
		              "\"https://host/…/edit/main/{path}\"",
		              v->text.p);
	r->out->edit = v->text.p;
	return true;
}

/* licence_url -> an address of another site */
static bool read_licence_url(struct config_reader *r, const struct script_value *v)
{
	if (!str_starts(v->text, "https://") || strpbrk(v->text.p, " \"<>"))
		return err_at(r->err, config_place_of_text(r, v->text),
		              "'%s' is no address of a licence, expected \"https://host/…\"",
		              v->text.p);
	r->out->licence_url = v->text.p;
	return true;
}

static bool read_nav(struct config_reader *r, const struct script_value *v)
{
	return read_nav_list(r, v, &r->out->nav, &r->out->nnav);
}

static bool read_language_key(struct config_reader *r, struct config_language *l,
                              const struct script_member *m)
{
	static const struct {
		const char *name;
		size_t field;
	} texts[] = {{"name", offsetof(struct config_language, name)},
	             {"tag", offsetof(struct config_language, tag)},
	             {"title", offsetof(struct config_language, title)},
	             {"tagline", offsetof(struct config_language, tagline)},
	             {"description", offsetof(struct config_language, description)}};
	const char *key = m->key ? m->key : "";
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (strcmp(key, texts[i].name) != 0)
			continue;
		if (m->value->kind != SCRIPT_TEXT)
			return config_wrong_type(r, key, m->value->kind, SCRIPT_TEXT);
		memcpy((char *)l + texts[i].field, &m->value->text.p, sizeof m->value->text.p);
		return true;
	}
	if (strcmp(key, "nav") != 0)
		return err_at(r->err, config_place(r, key),
		              "unknown key '%s' of language '%s', expected name, tag, title, "
		              "tagline, description or nav",
		              key, l->code);
	if (!is_kind(m->value, SCRIPT_LIST))
		return config_wrong_type(r, key, m->value->kind, SCRIPT_LIST);
	return read_nav_list(r, m->value, &l->nav, &l->nnav);
}

/* "zh" of "zh-Hans" */
static struct str language_of(const char *tag)
{
	return str_sub(str_of(tag), 0, strcspn(tag, "-"));
}

static bool read_language(struct config_reader *r, const struct script_member *m)
{
	struct config *c = r->out;
	struct config_language *l = &c->languages[c->nlanguages++];
	l->code = m->key ? m->key : "";
	const char *want = front_check_lang(l->code);
	if (want)
		return err_at(r->err, config_place(r, "languages"),
		              "'%s' in 'languages', expected %s", l->code, want);
	if (!is_kind(m->value, SCRIPT_TABLE))
		return config_wrong_type(r, l->code, m->value->kind, SCRIPT_TABLE);
	for (size_t i = 0; i < m->value->n; i++)
		if (!read_language_key(r, l, &m->value->member[i]))
			return false;
	l->tag = l->tag ? l->tag : l->code;
	want = front_check_lang(l->tag);
	if (!want && str_cmp(language_of(l->tag), language_of(l->code)) != 0)
		want = "one of the same language";
	if (want)
		return err_at(r->err, config_place(r, "tag"),
		              "'tag' of language '%s' is '%s', expected %s", l->code, l->tag, want);
	return (l->name && *l->name) ||
	       err_at(r->err, config_place(r, l->code),
	              "language '%s' has no name, expected %s = { name = \"…\" }", l->code,
	              l->code);
}

/* languages -> { code = { name = "…", … }, … } */
static bool read_languages(struct config_reader *r, const struct script_value *v)
{
	r->out->languages = ARENA_ARRAY(r->arena, struct config_language, v->n);
	for (size_t i = 0; i < v->n; i++)
		if (!read_language(r, &v->member[i]))
			return false;
	return true;
}

static int by_word(const void *a, const void *b)
{
	const struct config_word *x = a, *y = b;
	int d = strcmp(x->lang, y->lang);
	return d ? d : strcmp(x->key, y->key);
}

/* `known`: number of words before this file; only those can be replaced. */
static bool put_word(struct config_reader *r, const char *lang, const struct script_member *m,
                     size_t known)
{
	struct config *c = r->out;
	if (m->value->kind != SCRIPT_TEXT || !m->key)
		return err_at(r->err, config_place(r, m->key ? m->key : lang),
		              "words of '%s': expected texts", lang);
	for (size_t i = 0; i < known; i++)
		if (strcmp(c->word[i].lang, lang) == 0 && strcmp(c->word[i].key, m->key) == 0) {
			c->word[i].text = m->value->text.p;
			return true;
		}
	c->word[c->nwords++] = (struct config_word){lang, m->key, m->value->text.p};
	return true;
}

/* words -> { language = { key = "text", … }, … } */
static bool read_words(struct config_reader *r, const struct script_value *v)
{
	struct config *c = r->out;
	size_t known = c->nwords, n = known;
	for (size_t i = 0; i < v->n; i++)
		n += v->member[i].value->n;
	struct config_word *all = ARENA_ARRAY(r->arena, struct config_word, n);
	if (c->nwords)
		memcpy(all, c->word, c->nwords * sizeof *all);
	c->word = all;
	for (size_t i = 0; i < v->n; i++) {
		const struct script_value *lang = v->member[i].value;
		if (!is_kind(lang, SCRIPT_TABLE))
			return config_wrong_type(r, v->member[i].key ? v->member[i].key : "words",
			                         lang->kind, SCRIPT_TABLE);
		for (size_t k = 0; k < lang->n; k++)
			if (!put_word(r, v->member[i].key, &lang->member[k], known))
				return false;
	}
	return true;
}

/* former -> { language = { old = "new", … }, … } ; adds one language's */
static bool read_former(struct config_reader *r, const struct script_member *lang)
{
	struct config *c = r->out;
	size_t n = lang->value->n;
	struct config_tag *all = ARENA_ARRAY(r->arena, struct config_tag, c->nformer + n);
	if (!lang->key || !is_kind(lang->value, SCRIPT_TABLE))
		return err_at(r->err, config_place(r, "former"),
		              "'former' in 'tags': expected { en = { old = \"new\" } }");
	if (c->nformer)
		memcpy(all, c->former, c->nformer * sizeof *all);
	c->former = all;
	for (size_t i = 0; i < n; i++) {
		const struct script_member *m = &lang->value->member[i];
		if (!m->key || m->value->kind != SCRIPT_TEXT)
			return err_at(r->err, config_place(r, "former"),
			              "'%s' in 'former': expected { old = \"new\" }", lang->key);
		all[c->nformer++] = (struct config_tag){lang->key, m->key, m->value->text.p,
		                                        place_of_key(r, m->key)};
	}
	return true;
}

/* tags -> { most = number, former = { … } } */
static bool read_tags(struct config_reader *r, const struct script_value *v)
{
	const struct script_value *most = config_member(v, "most"),
	                          *former = config_member(v, "former");
	r->out->tags_at = config_place(r, "tags");
	if (!v->n || v->n != (size_t)(most != NULL) + (former != NULL))
		return err_at(r->err, r->out->tags_at,
		              "'tags': expected { most = 12, former = { … } }, or one of the two");
	if (most && (most->kind != SCRIPT_INT || most->num < 1))
		return err_at(r->err, config_place(r, "most"),
		              "'most' in 'tags': expected a whole number from 1");
	if (former && !is_kind(former, SCRIPT_TABLE))
		return config_wrong_type(r, "former", former->kind, SCRIPT_TABLE);
	r->out->most_tags = most ? most->num : 0;
	for (size_t i = 0; former && i < former->n; i++)
		if (!read_former(r, &former->member[i]))
			return false;
	return true;
}

/* A former tag belongs to a language of the site. */
static bool check_former(struct config_reader *r)
{
	const struct config *c = r->out;
	for (size_t i = 0; i < c->nformer; i++)
		if (config_language(c, str_of(c->former[i].lang)) == c->nlanguages)
			return err_at(
			        r->err, c->former[i].at,
			        "'former' in 'tags' has '%s', which is no language of the site",
			        c->former[i].lang);
	return true;
}

/* --- the whole file ------------------------------------------------------------------ */

static bool required_keys(struct config_reader *r)
{
	for (size_t i = 0; i < NKEYS; i++) {
		const char *text = NULL;
		if (keys[i].kind != SCRIPT_TEXT || keys[i].read)
			continue;
		memcpy(&text, (char *)r->out + keys[i].field, sizeof text);
		if (keys[i].required && (!text || !*text))
			return err_set(r->err, "%s: the key '%s' is missing, expected a text",
			               r->path, keys[i].name);
	}
	return true;
}

static bool check_base_url(struct config_reader *r)
{
	struct config *c = r->out;
	struct str url = str_of(c->base_url);
	size_t host = str_starts(url, "https://") ? 8 : str_starts(url, "http://") ? 7 : 0;
	if (host == 0 || host == url.n || strpbrk(c->base_url, "?# \"<>\\"))
		return err_at(
		        r->err, config_place(r, "base_url"),
		        "'%s' is no base URL, expected \"https://host\" or \"https://host/path\"",
		        c->base_url);
	while (str_ends(url, "/"))
		url.n--;
	size_t slash = str_find(url, '/', host);
	c->base_url = str_dup(r->arena, url);
	c->base = c->base_url + (slash < url.n ? slash : url.n);
	return true;
}

static bool read_file(struct config_reader *r, struct script_value *v)
{
	return file_read(r->path, MAX_FILE_BYTES, r->arena, &r->src, r->err) &&
	       script_data(r->src, r->path, r->arena, v, r->err);
}

const char *config_words_path(const struct config *c, struct arena *a)
{
	return layers_file(&c->look, "templates/words.lua", a);
}

static bool read_words_file(const char *path, struct arena *a, struct config *out, struct err *e)
{
	struct config_reader r = {.path = path, .arena = a, .out = out, .err = e};
	struct script_value v;
	if (!file_exists(path))
		return true;
	return read_file(&r, &v) &&
	       (is_kind(&v, SCRIPT_TABLE) ? read_words(&r, &v)
	                                  : err_set(e, "%s: expected { language = { … } }", path));
}

static const char *or_empty(const char *s)
{
	return s ? s : "";
}

/* Completes each language with the site's own texts, and puts the site's language first. */
static bool complete_languages(struct config_reader *r)
{
	struct config *c = r->out;
	if (c->nlanguages == 0) {
		c->languages = ARENA_ARRAY(r->arena, struct config_language, 1);
		c->languages[c->nlanguages++] = (struct config_language){
		        .code = c->language, .name = c->language, .tag = c->language};
	}
	size_t own = config_language(c, str_of(c->language));
	if (own == c->nlanguages)
		return err_at(r->err, config_place(r, "languages"),
		              "'languages' has no '%s', which is the site's language", c->language);
	struct config_language first = c->languages[own];
	memmove(c->languages + 1, c->languages, own * sizeof first);
	c->languages[0] = first;
	for (size_t i = 0; i < c->nlanguages; i++) {
		struct config_language *l = &c->languages[i];
		l->prefix = i ? arena_printf(r->arena, "/%s", l->code) : "";
		l->title = l->title ? l->title : c->title;
		l->tagline = l->tagline ? l->tagline : c->tagline;
		l->description = l->description ? l->description : c->description;
		l->nnav = l->nav ? l->nnav : c->nnav;
		l->nav = l->nav ? l->nav : c->nav;
	}
	return true;
}

/* Reads the look's and the kernels' words first, so that the site's words replace them. */
static bool read_look(struct config_reader *r, const struct script_value *v)
{
	const struct script_value *theme = config_member(v, "theme");
	const struct script_value *version = config_member(v, "ridgepoint");
	r->out->look = (struct layers){.own = ""};
	return (!theme || read_key(r, "theme", theme)) &&
	       (!version || read_key(r, "ridgepoint", version)) &&
	       read_words_file(config_words_path(r->out, r->arena), r->arena, r->out, r->err) &&
	       read_words_file(CONFIG_KERNEL_WORDS, r->arena, r->out, r->err);
}

bool config_load(struct arena *a, struct config *out, struct err *e)
{
	*out = (struct config){0};
	struct config_reader r = {.path = site_path, .arena = a, .out = out, .err = e};
	struct script_value v;
	if (!read_file(&r, &v))
		return false;
	if (v.kind != SCRIPT_TABLE)
		return err_set(e, "%s: expected a table of keys", site_path);
	if (!read_look(&r, &v))
		return false;
	for (size_t i = 0; i < v.n; i++)
		if (!read_key(&r, v.member[i].key, v.member[i].value))
			return false;
	if (!required_keys(&r) || !check_base_url(&r))
		return false;
	out->tagline = or_empty(out->tagline);
	out->description = or_empty(out->description);
	out->author = or_empty(out->author);
	out->licence = or_empty(out->licence);
	out->licence_url = or_empty(out->licence_url);
	out->repository = or_empty(out->repository);
	out->edit = or_empty(out->edit);
	out->logo = or_empty(out->logo);
	out->favicon = or_empty(out->favicon);
	out->language = out->language ? out->language : "en";
	if (out->nwords)
		qsort(out->word, out->nwords, sizeof *out->word, by_word);
	return complete_languages(&r) && check_former(&r);
}

size_t config_language(const struct config *c, struct str code)
{
	size_t i = 0;
	while (i < c->nlanguages && !str_is(code, c->languages[i].code))
		i++;
	return i;
}

const char *config_word(const struct config *c, const char *lang, struct str key)
{
	for (size_t lo = 0, hi = c->nwords; lo < hi;) {
		size_t mid = (lo + hi) / 2;
		int d = strcmp(c->word[mid].lang, lang);
		if (d == 0)
			d = str_cmp(str_of(c->word[mid].key), key);
		if (d == 0)
			return c->word[mid].text;
		if (d < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}
