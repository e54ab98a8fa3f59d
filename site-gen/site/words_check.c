#include "site-gen/site/words_check.h"

#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/records/data.h"
#include "site-gen/lua/config.h"
#include "site-gen/base/problems.h"
#include "site-gen/site/site.h"
#include "lib/record.h"

struct config;

/* Texts checked so far; several cases share a text. */
struct seen {
	const char **text;
	size_t n, cap;
};

static bool is_new(struct seen *seen, const char *text, struct arena *a)
{
	for (size_t i = 0; i < seen->n; i++)
		if (strcmp(seen->text[i], text) == 0)
			return false;
	seen->text = arena_grow(a, seen->text, seen->n, &seen->cap, sizeof *seen->text);
	seen->text[seen->n++] = text;
	return true;
}

static void check_text(const struct config *c, const char *of, const char *text,
                       struct problems *to)
{
	for (size_t i = 0; i < c->nlanguages; i++) {
		const char *lang = c->languages[i].code;
		if (strncmp(lang, "en", 2) != 0 && !config_word(c, lang, str_of(text)))
			problems_warn(
			        to, (struct loc){.path = CONFIG_KERNEL_WORDS},
			        "%s: '%s' has no text for \"%s\", so its pages show the English",
			        of, lang, text);
	}
}

/* `before`: the texts of the case before, which mostly has the same; NULL: there is none. */
static void check_texts(struct site *s, const char *of, const char *const *text,
                        const char *const *before, size_t n, struct seen *seen, struct problems *to)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] && !(before && before[i] && strcmp(text[i], before[i]) == 0) &&
		    is_new(seen, text[i], s->arena))
			check_text(s->config, of, text[i], to);
}

void words_check(struct site *s, struct problems *to)
{
	enum { OF_A_CASE = 3 };
	struct seen seen = {0};
	const char *before[OF_A_CASE] = {NULL};
	if (!file_exists(CONFIG_KERNEL_WORDS))
		return;
	for (size_t i = 0; i < s->data->nnumbers; i++) {
		const struct data_number *n = &s->data->numbers[i];
		const struct run_case *c = n->in[n->newest < n->nruns ? n->newest : 0]->c;
		const char *kernel = arena_printf(s->arena, "%s/%s", c->family, c->variant);
		const char *text[OF_A_CASE] = {c->family_title, c->variant_title, c->idea};
		check_texts(s, kernel, text, before, OF_A_CASE, &seen, to);
		memcpy(before, text, sizeof before);
	}
	for (size_t i = 0; i < s->data->nspecs; i++) {
		const struct data_spec *x = &s->data->specs[i];
		const char *of = arena_printf(s->arena, "data sheet of %s", x->device_name);
		const char *text[] = {x->title, x->note};
		check_texts(s, of, text, NULL, ARRAY_LEN(text), &seen, to);
	}
}
