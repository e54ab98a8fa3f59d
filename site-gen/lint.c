#include "site-gen/lint.h"

struct lint {
	size_t nwords;
};

struct lint *lint_new(struct arena *a)
{
	return ARENA_NEW(a, struct lint);
}

size_t lint_text(const struct lint *l, struct str text, struct lint_finding *out, size_t cap)
{
	(void)text, (void)out, (void)cap;
	return l->nwords;
}

bool lint_head(const struct lint *l, struct str head)
{
	return l->nwords && head.n;
}

/* number -> [ '+' | '-' ] digit { digit | '.' | ',' } */
bool lint_bare_number(struct str cell)
{
	cell = str_trim(cell);
	size_t i = cell.n && (cell.p[0] == '+' || cell.p[0] == '-'), digits = 0;
	for (; i < cell.n; i++) {
		bool digit = cell.p[i] >= '0' && cell.p[i] <= '9';
		if (!digit && (digits == 0 || (cell.p[i] != '.' && cell.p[i] != ',')))
			return false;
		digits += digit;
	}
	return digits > 0;
}
