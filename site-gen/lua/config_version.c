/* The version that a site was written for, and the default look that it then lies over. */
#include "site-gen/lua/config.h"

/* version -> major '.' minor */
static bool split(const char *text, int64_t *major, int64_t *minor)
{
	struct str first, second;
	return str_cut(str_of(text), '.', &first, &second) && str_i64(first, major) &&
	       str_i64(second, minor) && *major >= 0 && *minor >= 0;
}

static bool fits(const char *version, struct err *e)
{
	int64_t major, minor, our_major = 0, our_minor = 0;
	if (!split(version, &major, &minor))
		return err_set(e, "'%s' is no version, expected \"" SITE_VERSION "\"", version);
	return (split(SITE_VERSION, &our_major, &our_minor) && major == our_major &&
	        minor <= our_minor) ||
	       err_set(e,
	               "the site was written for Ridgepoint %s, and this is " SITE_VERSION
	               "; docs/updating.md says how to go on",
	               version);
}

bool config_version(const char *version, struct layers *look, struct arena *a, struct err *e)
{
	if (!fits(version, e))
		return false;
	const char *under = layers_default(a);
	if (!under)
		return err_set(e, "the default look is not there, expected share/ridgepoint beside "
		                  "the program's bin/ ('make install')");
	if (*look->own || !layers_is_here(under))
		look->under = under;
	return true;
}
