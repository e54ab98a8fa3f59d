#include "runner/plan/family.h"

#include <string.h>

#include "kernels/knob.h"
#include "lib/array.h"
#include "lib/units.h"
#include "lib/ways.h"
#include "runner/base/stamp.h"

/* The name of the first member that the family leaves empty; NULL if none. */
static const char *family_lacks(const struct kernel_family *f)
{
	return !f->title       ? "title"
	       : !f->problem   ? "problem"
	       : !f->metric    ? "metric"
	       : !f->ncases    ? "cases"
	       : !f->nvariants ? "variants"
	       : !f->buffers   ? "buffers()"
	       : !f->model     ? "model()"
	       : !f->expect    ? "expect()"
	       : !f->terms     ? "terms()"
	       : !f->tolerance ? "tolerance()"
	                       : NULL;
}

static const char *variant_lacks(const struct kernel_variant *v)
{
	return !v->id ? "id" : !v->title ? "title" : !v->idea ? "idea" : !v->file ? "file" : NULL;
}

/* True if this program was linked with objects that nvcc compiled. */
static bool has_cuda(void)
{
	size_t n;
	const struct kernel_family *const *f = kernel_families(&n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < f[i]->nvariants; k++) {
			const struct kernel_variant *v = &f[i]->variants[k];
			if (v->launch && v->file && str_ends(str_of(v->file), ".cu"))
				return true;
		}
	return false;
}

/* Launchers are declared weak, so the linker accepts a name that nothing defines. */
static bool check_compiled(const struct kernel_family *f, const struct kernel_variant *v,
                           struct err *e)
{
	bool compiled = stamp_unit_find(v->file) != NULL;
	if (v->launch && !compiled)
		return err_set(e, "%s: variant '%s' names %s, which is no file of this build",
		               f->file, v->id, v->file);
	if (!v->launch && compiled && (v->where == KERNEL_CPU || has_cuda()))
		return err_set(e, "%s: variant '%s': %s does not define the function it launches",
		               f->file, v->id, v->file);
	return true;
}

bool family_same_case(const struct kernel_case *a, const struct kernel_case *b)
{
	bool same = a->nparams == b->nparams && a->dtype == b->dtype;
	for (int i = 0; i < a->nparams && same; i++) {
		const struct kernel_param *x = &a->param[i], *y = &b->param[i];
		same = strcmp(x->name, y->name) == 0 && !x->word == !y->word &&
		       (x->word ? strcmp(x->word, y->word) == 0 : x->num == y->num);
	}
	return same;
}

/* Two rows may be the same case only if each is measured in a different way. */
static bool check_rows(const struct kernel_family *f, struct err *e)
{
	const unsigned ways = KERNEL_CHECK | KERNEL_COLD | KERNEL_HOT | KERNEL_HOST |
	                      KERNEL_SUSTAINED | KERNEL_STEADY;
	for (size_t i = 0; i < f->ncases; i++)
		for (size_t k = 0; k < i; k++)
			if ((f->cases[i].use & f->cases[k].use & ways) &&
			    family_same_case(&f->cases[i], &f->cases[k]))
				return err_set(e, "%s: rows %zu and %zu of the cases are the same",
				               f->file, k + 1, i + 1);
	return true;
}

/* Why a name cannot be that of a knob; NULL: it can. */
static const char *knob_name_is_taken(const struct kernel_family *f, const struct kernel_knob *k)
{
	static const char *const keys[] = {"dtype", "cache", "device", "run", "role", "null"};
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (strcmp(k->name, keys[i]) == 0)
			return "a key of selectors";
	if (ways_find(str_of(k->name)))
		return "a way of measuring";
	for (size_t i = 0; i < f->ncases; i++)
		for (int p = 0; p < f->cases[i].nparams; p++)
			if (strcmp(k->name, f->cases[i].param[p].name) == 0)
				return "a parameter of the family";
	return NULL;
}

/* False if the values do not ascend from above 0, or the chosen one is not among them. */
static bool knob_values_hold(const struct kernel_knob *k)
{
	bool chosen = false;
	for (int i = 0; i < kernel_knob_values(k); i++) {
		chosen = chosen || k->value[i] == k->chosen;
		if (k->value[i] <= (i ? k->value[i - 1] : 0))
			return false;
	}
	return chosen;
}

static bool check_knob(const struct kernel_family *f, const struct kernel_variant *v, struct err *e)
{
	const struct kernel_knob *k = kernel_knob_of(f, v);
	if (!k)
		return true;
	if (!k->name || !k->unit || !k->file)
		return err_set(e, "%s: the knob of '%s' has no %s, see kernels/knob.h", f->file,
		               v->id,
		               !k->name   ? "name"
		               : !k->unit ? "unit"
		                          : "file");
	const char *taken = knob_name_is_taken(f, k);
	if (taken)
		return err_set(e, "%s: the knob of '%s' is called '%s', which is %s", f->file,
		               v->id, k->name, taken);
	if (!knob_values_hold(k))
		return err_set(e,
		               "%s: the values of the knob of '%s' must ascend from above 0, and "
		               "have the chosen one among them",
		               f->file, v->id);
	struct kernel_variant sweep = *v;
	sweep.file = k->file;
	sweep.launch = k->launch;
	return !stamp_unit_find(f->file) || check_compiled(f, &sweep, e);
}

bool family_check(const struct kernel_family *f, struct err *e)
{
	const char *lacks = family_lacks(f);
	if (lacks)
		return err_set(e, "%s: family '%s' has no %s, see kernels/kernel.h", f->file, f->id,
		               lacks);
	if (!metric_find(str_of(f->metric)))
		return err_set(e,
		               "%s: metric '%s': expected bandwidth, throughput, rate or latency",
		               f->file, f->metric);
	for (size_t i = 0; i < f->ncases; i++)
		if (f->grid_only && (f->cases[i].use & KERNEL_FULL))
			return err_set(e,
			               "%s: row %zu of the cases is marked KERNEL_FULL, but the "
			               "family has no full inputs: %s",
			               f->file, i + 1, f->grid_only);
	for (size_t i = 0; i < f->nvariants; i++) {
		const struct kernel_variant *v = &f->variants[i];
		lacks = variant_lacks(v);
		if (lacks)
			return err_set(e,
			               "%s: row %zu of the variants has no %s, see "
			               "kernels/kernel.h",
			               f->file, i + 1, lacks);
		if (v->chosen && v->chooses == KERNEL_CHOOSES_NOTHING)
			return err_set(e, "%s: variant '%s' has chosen(), but does not say when",
			               f->file, v->id);
		if (v->owns_result && v->launch && !v->prepare)
			return err_set(e,
			               "%s: variant '%s' owns its result, but has no prepare() "
			               "that says where it is",
			               f->file, v->id);
		if (kernel_variant_find(f, v->id) != v)
			return err_set(e, "%s: two variants are called '%s'", f->file, v->id);
		if ((stamp_unit_find(f->file) && !check_compiled(f, v, e)) || !check_knob(f, v, e))
			return false;
	}
	return check_rows(f, e);
}
