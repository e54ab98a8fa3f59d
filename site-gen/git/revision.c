/* Opens a repository at another commit, and writes its files to disk. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/git/inner.h"

/* Uses `commit` as HEAD from now on; takes ownership of it. */
static bool move_head(struct git *g, const char *rev, git_commit *commit, struct err *e)
{
	git_tree *tree = NULL;
	if (git_commit_tree(&tree, commit) != 0) {
		git_commit_free(commit);
		return err_set(e, "%s: cannot read its tree: %s", rev, git_why());
	}
	git_tree_free(g->tree);
	git_commit_free(g->head);
	g->head = commit;
	g->tree = tree;
	git_oid_tostr(g->head_hex, sizeof g->head_hex, git_commit_id(commit));
	return true;
}

bool git_open_at(const char *root, const char *rev, struct git **out, struct err *e)
{
	git_object *found = NULL, *commit = NULL;
	if (!git_open(root, out, e))
		return false;
	if (!*out)
		return err_set(e, "%s: there is no git repository", root);
	int rc = git_revparse_single(&found, (*out)->repo, rev);
	if (rc == 0)
		rc = git_object_peel(&commit, found, GIT_OBJECT_COMMIT);
	git_object_free(found);
	bool ok =
	        rc == 0 ? move_head(*out, rev, (git_commit *)commit, e)
	                : err_set(e,
	                          "'%s' names no commit here: %s; expected an id, a branch, a tag, "
	                          "or HEAD~1",
	                          rev, git_why());
	if (!ok) {
		git_close(*out);
		*out = NULL;
	}
	return ok;
}

/* Creates the folder of a path if it does not exist. */
static bool make_parent(const char *path, struct arena *a, struct err *e)
{
	const char *slash = strrchr(path, '/');
	return file_mkdirs(arena_strndup(a, path, (size_t)(slash - path)), e);
}

/* Does not sync, because exported files are read once and deleted. */
static bool write_new(const char *path, struct str bytes, struct err *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_sys(e, "%s: cannot be made", path);
	bool ok = file_put_all(fd, bytes, path, e);
	if (close(fd) != 0 && ok)
		ok = err_sys(e, "%s: cannot be written", path);
	return ok;
}

bool git_export(struct git *g, const char *folder, const char *without, const char *to,
                struct arena *a, struct err *e)
{
	struct git_file *file;
	size_t n;
	if (!git_files(g, folder, a, &file, &n, e))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct str bytes;
		bool found;
		if (without && str_starts(str_of(file[i].path), without))
			continue;
		const char *path = arena_printf(a, "%s/%s", to, file[i].path);
		if (!git_bytes(g, file[i].blob, a, &bytes, &found, e) || !make_parent(path, a, e))
			return false;
		if (!found)
			return err_set(e, "%s: its blob %s is not in this clone", file[i].path,
			               file[i].blob);
		if (!write_new(path, bytes, e))
			return false;
	}
	return true;
}
