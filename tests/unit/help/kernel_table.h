/*
 * tests/unit/help/kernel_table.h - the look-ups of kernels/look_up.c, over the array
 * `table_families` of the test that includes it. That test then links no real family.
 */
#ifndef TESTS_UNIT_HELP_KERNEL_TABLE_H
#define TESTS_UNIT_HELP_KERNEL_TABLE_H

#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "kernels/kernel.h"
#include "kernels/knob.h"
#include "kernels/product.h"

const struct kernel_family *const *kernel_families(size_t *n)
{
	*n = ARRAY_LEN(table_families);
	return table_families;
}

const struct kernel_family *kernel_family_find(const char *id)
{
	for (size_t i = 0; i < ARRAY_LEN(table_families); i++)
		if (strcmp(table_families[i]->id, id) == 0)
			return table_families[i];
	return NULL;
}

const struct kernel_variant *kernel_variant_find(const struct kernel_family *f, const char *id)
{
	for (size_t i = 0; i < f->nvariants; i++)
		if (strcmp(f->variants[i].id, id) == 0)
			return &f->variants[i];
	return NULL;
}

/* A test may define TABLE_KNOB(v), the knob of a variant. */
const struct kernel_knob *kernel_knob_of(const struct kernel_family *f,
                                         const struct kernel_variant *v)
{
	(void)f;
#ifdef TABLE_KNOB
	return TABLE_KNOB(v);
#else
	(void)v;
	return NULL;
#endif
}

/* A test may define TABLE_PRODUCT(c), the product of a case. */
bool kernel_product(const struct kernel_family *f, const struct kernel_case *c,
                    struct kernel_product *p)
{
	(void)f, (void)c, (void)p;
#ifdef TABLE_PRODUCT
	*p = TABLE_PRODUCT(c);
	return true;
#else
	return false;
#endif
}

/* A test may define TABLE_GROUPS(c, g), which describes the groups of a case. */
bool kernel_groups(const struct kernel_family *f, const struct kernel_case *c,
                   struct kernel_groups *g)
{
	(void)f, (void)c, (void)g;
#ifdef TABLE_GROUPS
	return TABLE_GROUPS(c, g);
#else
	return false;
#endif
}

int64_t kernel_num(const struct kernel_case *c, const char *name)
{
	for (int i = 0; i < c->nparams; i++)
		if (strcmp(c->param[i].name, name) == 0)
			return c->param[i].num;
	abort();
}

const char *kernel_word(const struct kernel_case *c, const char *name)
{
	for (int i = 0; i < c->nparams; i++)
		if (strcmp(c->param[i].name, name) == 0)
			return c->param[i].word;
	abort();
}

#endif
