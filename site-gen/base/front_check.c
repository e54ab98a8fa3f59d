#include "site-gen/base/front_check.h"

#include <stdbool.h>
#include <string.h>

#include "lib/hash.h"

static int digits(const char *s, int n)
{
	int v = 0;
	for (int i = 0; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return -1;
		v = v * 10 + s[i] - '0';
	}
	return v;
}

static bool leap(int y)
{
	return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

const char *front_check_date(const char *s)
{
	static const char form[] = "a date like 2026-11-21";
	static const char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	if (strlen(s) != 10 || s[4] != '-' || s[7] != '-')
		return form;
	int y = digits(s, 4), m = digits(s + 5, 2), d = digits(s + 8, 2);
	if (y < 0 || m < 0 || d < 0)
		return form;
	if (y < 1970 || m < 1 || m > 12 || d < 1 || d > days[m - 1] + (m == 2 && leap(y)))
		return "a day that the calendar has, from 1970 on";
	return NULL;
}

const char *front_check_name(const char *s, bool family)
{
	size_t n = 0;
	while (s[n] &&
	       (strchr("abcdefghijklmnopqrstuvwxyz0123456789-", s[n]) || (family && s[n] == '_')))
		n++;
	if (s[0] != '-' && !s[n] && n > 0 && n <= 64)
		return NULL;
	return family ? "1 to 64 of 'a-z', '0-9', '_' and '-', not starting with '-'"
	              : "1 to 64 of 'a-z', '0-9' and '-', not starting with '-'";
}

const char *front_check_slug(const char *s)
{
	return front_check_name(s, false);
}

const char *front_check_difficulty(const char *s)
{
	return strcmp(s, "introductory") && strcmp(s, "intermediate") && strcmp(s, "advanced")
	               ? "introductory, intermediate or advanced"
	               : NULL;
}

const char *front_check_status(const char *s)
{
	return strcmp(s, "written") && strcmp(s, "wip") && strcmp(s, "planned")
	               ? "written, wip or planned"
	               : NULL;
}

const char *front_check_task(const char *s)
{
	return strcmp(s, "move") && strcmp(s, "reduce") && strcmp(s, "rows") &&
	                       strcmp(s, "matrix") && strcmp(s, "sync")
	               ? "move, reduce, rows, matrix or sync"
	               : NULL;
}

const char *front_check_post(const char *s)
{
	size_t n = strlen(s);
	return n < 3 || s[0] != '/' || s[n - 1] != '/' || strchr(s, ' ')
	               ? "the address of a page, like /posts/scan/"
	               : NULL;
}

const char *front_check_blob(const char *s)
{
	return hash_is_hex(s, HASH_GIT_HEX) ? NULL : "a git blob id, 40 digits of 0-9 and a-f";
}

/* language -> 2..3 lower-case letters { '-' 2..8 letters or digits } ; common subset of BCP 47 */
const char *front_check_lang(const char *s)
{
	static const char want[] = "a language tag like en, de or zh-Hans";
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz");
	if (n < 2 || n > 3)
		return want;
	for (s += n; *s; s += n) {
		if (*s++ != '-')
			return want;
		n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
		if (n < 2 || n > 8)
			return want;
	}
	return NULL;
}
