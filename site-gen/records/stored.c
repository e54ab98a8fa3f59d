#include "site-gen/records/stored.h"

#include <string.h>

#include "lib/file.h"
#include "lib/record.h"
#include "site-gen/base/rules.h"

bool stored_read(const char *root, struct git *git, const char *path, const char *blob,
                 struct arena *a, struct str *out, char id[HASH_GIT_HEX + 1], struct err *e)
{
	const char *full = arena_printf(a, "%s/%s", root, path);
	bool found;
	if (file_exists(full)) {
		if (!file_read(full, RECORD_MAX_BYTES, a, out, e))
			return false;
		hash_git_blob(*out, id);
		return !blob || strcmp(id, blob) == 0 ||
		       rule_err(e, RULE_WHOLE, (struct loc){.path = path},
		                "differs from the record in HEAD; a run file is never edited: "
		                "restore it with 'git checkout HEAD -- %s'",
		                path);
	}
	if (!blob || !git)
		return err_set(e, "%s: was removed while it was read", path);
	if (!git_bytes(git, blob, a, out, &found, e))
		return false;
	memcpy(id, blob, HASH_GIT_HEX + 1);
	return found || rule_err(e, RULE_WHOLE, (struct loc){.path = path},
	                         "its blob %s is not in this clone", blob);
}
