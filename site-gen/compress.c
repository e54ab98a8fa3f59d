/*
 * Which forms there are and which files get them. To add a form: a file with
 * its function, a row here, its line in the server rules (server.c).
 */
#include "site-gen/compress.h"

static const struct compress_form forms[] = {
        {"gzip", ".gz", compress_gzip},
        {"brotli", ".br", compress_brotli},
};

static const char *const text[] = {".html", ".css", ".js",  ".json", ".jsonl",      ".svg",
                                   ".xml",  ".txt", ".csv", ".md",   ".webmanifest"};

const struct compress_form *compress_forms(size_t *n)
{
	*n = sizeof forms / sizeof *forms;
	return forms;
}

bool compress_pays(struct str path)
{
	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		if (str_ends(path, text[i]))
			return true;
	return false;
}
