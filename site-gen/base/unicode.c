#include "site-gen/base/unicode.h"

#include <stdlib.h>
#include <string.h>
#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>
#include <uniwidth.h>

#include "lib/arena.h"
#include "lib/array.h"

uint32_t unicode_at(struct str s, size_t i, size_t *n)
{
	ucs4_t c = (unsigned char)s.p[i];
	*n = 1;
	if (c >= 0x80)
		*n = (size_t)u8_mbtouc(&c, (const uint8_t *)s.p + i, s.n - i);
	return c;
}

bool unicode_is_word(uint32_t c)
{
	return uc_is_general_category_withtable(c, UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_M |
	                                                   UC_CATEGORY_MASK_Nd);
}

bool unicode_is_cjk(uint32_t c)
{
	static const char *const names[] = {"Han", "Hiragana", "Katakana"};
	if (c < 0x2e80) /* true for most characters */
		return false;
	const uc_script_t *script = uc_script(c);
	for (size_t i = 0; script && i < ARRAY_LEN(names); i++)
		if (strcmp(script->name, names[i]) == 0)
			return true;
	return false;
}

uint32_t unicode_lower(uint32_t c)
{
	return uc_tolower(c);
}

bool unicode_is_wide(uint32_t c)
{
	return uc_width(c, "UTF-8") == 2;
}

bool unicode_is_ignorable(uint32_t c)
{
	return uc_is_property_default_ignorable_code_point(c);
}

int unicode_digit(uint32_t c)
{
	return uc_decimal_value(c);
}

size_t unicode_compatible(uint32_t c, char out[UNICODE_COMPATIBLE])
{
	ucs4_t parts[UC_DECOMPOSITION_MAX_LENGTH];
	int tag;
	uint8_t self[8];
	size_t n = UNICODE_COMPATIBLE;
	if (c < 0xa0 || uc_decomposition(c, &tag, parts) < 0)
		return 0;
	int len = u8_uctomb(self, c, sizeof self);
	if (len < 0 ||
	    u8_normalize(UNINORM_NFKC, self, (size_t)len, (uint8_t *)out, &n) != (uint8_t *)out)
		arena_die("out of memory");
	return n == (size_t)len && memcmp(self, out, n) == 0 ? 0 : n;
}

void unicode_fold(struct sb *to, struct str s)
{
	size_t n, m;
	uint8_t *form = u8_normalize(UNINORM_NFKC, (const uint8_t *)s.p, s.n, NULL, &n);
	uint8_t *small = form ? u8_tolower(form, n, NULL, NULL, NULL, &m) : NULL;
	if (s.n && !small)
		arena_die("out of memory");
	sb_put(to, small, s.n ? m : 0);
	free(form);
	free(small);
}

static size_t digits_at(struct str s, size_t i)
{
	size_t n = 0;
	while (i + n < s.n && s.p[i + n] >= '0' && s.p[i + n] <= '9')
		n++;
	return n;
}

void unicode_powers(struct sb *to, struct str s)
{
	static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
	enum { MOST = 3 }; /* digits of an exponent */
	for (size_t i = 0, n; i < s.n; i++) {
		bool power = s.p[i] == '^' && i > 0 && digits_at(str_sub(s, i - 1, i), 0);
		n = power ? digits_at(s, i + 1) : 0;
		if (n == 0 || n > MOST) {
			sb_char(to, s.p[i]);
			continue;
		}
		while (n-- > 0)
			sb_cstr(to, raised[s.p[++i] - '0']);
	}
}

bool unicode_is_visible(struct str s)
{
	static const uint32_t unseen = UC_CATEGORY_MASK_Z | UC_CATEGORY_MASK_Cc |
	                               UC_CATEGORY_MASK_Cf | UC_CATEGORY_MASK_Co |
	                               UC_CATEGORY_MASK_Mn | UC_CATEGORY_MASK_Me;
	enum { EMPTY_BRAILLE = 0x2800, OBJECT = 0xfffc };
	for (size_t i = 0, n; i < s.n; i += n) {
		uint32_t c = unicode_at(s, i, &n);
		if (!uc_is_general_category_withtable(c, unseen) && !unicode_is_ignorable(c) &&
		    !uc_is_property_not_a_character(c) && c != EMPTY_BRAILLE && c != OBJECT)
			return true;
	}
	return false;
}
