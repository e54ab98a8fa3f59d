#include "runner/base/stamp.h"

#include <string.h>

#include "lib/str.h"

const struct stamp_unit *stamp_unit_find(const char *file)
{
	for (size_t i = 0; i < stamp.nunits; i++)
		if (strcmp(stamp.units[i].file, file) == 0)
			return &stamp.units[i];
	return NULL;
}

bool stamp_jitters(void)
{
	return strstr(stamp.flags_c, "-DPTX_JITTER") != NULL;
}

const char *stamp_flags(const char *file)
{
	return str_ends(str_of(file), ".cu") ? stamp.flags_cuda : stamp.flags_c;
}
