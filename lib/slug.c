#include "lib/slug.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/array.h"

/* Words that do not tell one chip from another. */
static bool is_noise(const char *word)
{
	static const char *const noise[] = {"nvidia", "cpu", "processor", "r", "tm", "core"};
	for (size_t i = 0; i < ARRAY_LEN(noise); i++)
		if (strcmp(word, noise[i]) == 0)
			return true;
	size_t n = strlen(word);
	return n > 5 && strcmp(word + n - 5, "-core") == 0;
}

void slug_device(const char *prefix, const char *name, char *out, size_t size)
{
	snprintf(out, size, "%s", prefix);
	char copy[128];
	snprintf(copy, sizeof copy, "%s", name);
	copy[strcspn(copy, "@")] = 0; /* "… @ 2.00GHz" */
	for (char *p = copy; *p; p++)
		*p = isalnum((unsigned char)*p) || *p == '-' ? (char)tolower((unsigned char)*p)
		                                             : ' ';
	char *save = NULL;
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		size_t n = strlen(out);
		if (is_noise(w) || n + strlen(w) + 2 > size)
			continue;
		snprintf(out + n, size - n, "%s%s", n ? "-" : "", w);
	}
}
