/*
 * The compressed forms, and the files that get them. To add a form: a file with its
 * function, a row here, and its line in the server rules (deploy/server_config.c).
 */
#include "site-gen/output/compress.h"

#include <string.h>

#include "lib/array.h"
#include "lib/gzip.h"

static const struct compress_form forms[] = {
        {"gzip", ".gz", gzip_pack, gzip_holds},
        {"brotli", ".br", compress_brotli, compress_brotli_holds},
};

static const char *const text[] = {".html", ".css", ".js",  ".json", ".jsonl",      ".svg",
                                   ".xml",  ".txt", ".csv", ".md",   ".webmanifest"};

const struct compress_form *compress_forms(size_t *n)
{
	*n = ARRAY_LEN(forms);
	return forms;
}

bool compress_pays(struct str path)
{
	for (size_t i = 0; i < ARRAY_LEN(text); i++)
		if (str_ends(path, text[i]))
			return true;
	return false;
}

const struct compress_form *compress_form_of(struct str path, struct str *page)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		if (!str_ends(path, forms[i].extension))
			continue;
		*page = str_sub(path, 0, path.n - strlen(forms[i].extension));
		return compress_pays(*page) ? &forms[i] : NULL;
	}
	return NULL;
}
