#!/bin/sh
# runner/scripts/families.sh NAME... - writes the table of a blog's own kernel families, in place of
# kernels/families.c, kernels/products.c and kernels/knobs.c, to standard output. Each NAME is a
# folder of kernels/ whose family.c defines NAME_family, NAME_product() if its cases are matrix
# products, NAME_groups() if rows of those are dealt out to groups, and the array NAME_knobs if its
# variants have knobs.
set -eu
products= groups= knobs=
echo '/* Written by runner/scripts/families.sh. */'
echo '#include <string.h>'
echo
echo '#include "kernels/ceilings/ceilings.h"'
echo '#include "kernels/knob.h"'
echo '#include "kernels/product.h"'
echo
for f in "$@"; do
	echo "extern const struct kernel_family ${f}_family;"
	! grep -q "^bool ${f}_product(" "kernels/$f/family.c" || products="$products $f"
	! grep -q "^bool ${f}_groups(" "kernels/$f/family.c" || groups="$groups $f"
	! grep -q "^const struct kernel_knob ${f}_knobs\[\]" "kernels/$f/family.c" || knobs="$knobs $f"
done
echo
echo 'static const struct kernel_family *const families[] = {'
for f in "$@"; do echo "	&${f}_family,"; done
echo '	NULL,'
echo '};'
echo
echo 'const struct kernel_family *const *kernel_families(size_t *n)'
echo '{'
echo '	*n = sizeof families / sizeof families[0] - 1;'
echo '	return families;'
echo '}'
echo
for f in $products; do echo "bool ${f}_product(const struct kernel_case *c, struct kernel_product *p);"; done
echo 'bool kernel_product(const struct kernel_family *f, const struct kernel_case *c, struct kernel_product *p)'
echo '{'
for f in $products; do echo "	if (f == &${f}_family)" && echo "		return ${f}_product(c, p);"; done
echo '	return (void)f, (void)c, (void)p, false;'
echo '}'
echo
for f in $groups; do echo "bool ${f}_groups(const struct kernel_case *c, struct kernel_groups *g);"; done
echo 'bool kernel_groups(const struct kernel_family *f, const struct kernel_case *c, struct kernel_groups *g)'
echo '{'
for f in $groups; do echo "	if (f == &${f}_family)" && echo "		return ${f}_groups(c, g);"; done
echo '	return (void)f, (void)c, (void)g, false;'
echo '}'
echo
for f in $knobs; do echo "extern const struct kernel_knob ${f}_knobs[];"; done
echo 'const struct kernel_knob *kernel_knob_of(const struct kernel_family *f, const struct kernel_variant *v)'
echo '{'
echo '	const struct kernel_knob *k = NULL;'
for f in $knobs; do echo "	k = f == &${f}_family ? ${f}_knobs : k;"; done
echo '	for (; k && k->variant; k++)'
echo '		if (strcmp(k->variant, v->id) == 0)'
echo '			return k;'
echo '	return (void)f, (void)v, NULL;'
echo '}'
echo
echo '/* Ceilings are of Ridgepoint alone. */'
echo 'const struct kernel_family *const *kernel_ceilings(size_t *n)'
echo '{'
echo '	*n = 0;'
echo '	return families;'
echo '}'
