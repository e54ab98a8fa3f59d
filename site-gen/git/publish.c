/* Turns a folder into a commit. Nothing else writes to a repository; `deploy git:` uses it. */
#include <string.h>

#include "lib/file.h"
#include "site-gen/git/git.h"
#include "site-gen/git/inner.h"

enum { MAX_FILE_BYTES = 64 << 20 };

/* Writes the tree objects of a folder, innermost first. */
static bool write_tree(struct git *g, const char *folder, struct arena *a, git_oid *out,
                       struct err *e);

static bool add_entry(struct git *g, git_treebuilder *b, const char *folder,
                      const struct file_entry *entry, struct arena *a, struct err *e)
{
	const char *path = arena_printf(a, "%s/%s", folder, entry->name);
	struct str bytes;
	git_oid id;
	if (entry->is_dir) {
		if (!write_tree(g, path, a, &id, e))
			return false;
	} else if (!file_read(path, MAX_FILE_BYTES, a, &bytes, e)) {
		return false;
	} else if (git_blob_create_from_buffer(&id, g->repo, bytes.p, bytes.n) != 0) {
		return err_set(e, "%s: cannot be stored in git: %s", path, git_why());
	}
	git_filemode_t mode = entry->is_dir ? GIT_FILEMODE_TREE : GIT_FILEMODE_BLOB;
	return git_treebuilder_insert(NULL, b, entry->name, &id, mode) == 0 ||
	       err_set(e, "%s: cannot be stored in git: %s", path, git_why());
}

static bool write_tree(struct git *g, const char *folder, struct arena *a, git_oid *out,
                       struct err *e)
{
	git_treebuilder *b = NULL;
	struct file_entry *entry;
	size_t n;
	if (!file_list(folder, a, &entry, &n, e))
		return false;
	bool ok = git_treebuilder_new(&b, g->repo, NULL) == 0 ||
	          err_set(e, "%s: cannot be stored in git: %s", folder, git_why());
	for (size_t i = 0; ok && i < n; i++)
		ok = add_entry(g, b, folder, &entry[i], a, e);
	if (ok && git_treebuilder_write(out, b) != 0)
		ok = err_set(e, "%s: cannot be stored in git: %s", folder, git_why());
	git_treebuilder_free(b);
	return ok;
}

/* The tip of the branch; NULL if there is no such branch yet. */
static bool branch_tip(struct git *g, const char *name, git_commit **out, struct err *e)
{
	git_reference *ref = NULL;
	*out = NULL;
	int rc = git_reference_lookup(&ref, g->repo, name);
	if (rc == GIT_ENOTFOUND)
		return true;
	if (rc == 0)
		rc = git_reference_peel((git_object **)out, ref, GIT_OBJECT_COMMIT);
	git_reference_free(ref);
	return rc == 0 || err_set(e, "%s: cannot be read: %s", name, git_why());
}

/* Keeps the branch's CNAME, which names the host that a forge publishes it at. */
static bool keep_host(git_commit *tip, git_treebuilder *b)
{
	static const char name[] = "CNAME";
	git_tree *last = NULL;
	if (!tip)
		return true;
	if (git_commit_tree(&last, tip) != 0)
		return false;
	const git_tree_entry *host = git_tree_entry_byname(last, name);
	bool ok = !host || git_treebuilder_insert(NULL, b, name, git_tree_entry_id(host),
	                                          git_tree_entry_filemode(host)) == 0;
	git_tree_free(last);
	return ok;
}

/*
 * Adds what forges read that publish a branch. Without .nojekyll they would make another page of
 * the Markdown beside each page.
 */
static bool add_forge_files(struct git *g, git_commit *tip, git_oid *tree, struct err *e)
{
	git_tree *site = NULL;
	git_treebuilder *b = NULL;
	git_oid empty;
	bool ok = git_tree_lookup(&site, g->repo, tree) == 0 &&
	          git_treebuilder_new(&b, g->repo, site) == 0 &&
	          git_blob_create_from_buffer(&empty, g->repo, "", 0) == 0 &&
	          git_treebuilder_insert(NULL, b, ".nojekyll", &empty, GIT_FILEMODE_BLOB) == 0 &&
	          keep_host(tip, b) && git_treebuilder_write(tree, b) == 0;
	if (!ok)
		err_set(e, "the site cannot be stored in git: %s", git_why());
	git_treebuilder_free(b);
	git_tree_free(site);
	return ok;
}

static bool commit_tree(struct git *g, const char *ref, const git_oid *tree_id, git_commit *tip,
                        git_oid *out, struct err *e)
{
	git_tree *tree = NULL;
	const git_commit *parents[] = {tip};
	/* HEAD's committer and date, so that the same site of the same HEAD is the same commit */
	const git_signature *who = git_commit_committer(g->head);
	struct sb message = {0};
	sb_printf(&message, "The site of %s\n", g->head_hex);
	bool ok = git_tree_lookup(&tree, g->repo, tree_id) == 0 &&
	          git_commit_create(out, g->repo, ref, who, who, NULL, message.p, tree, tip ? 1 : 0,
	                            parents) == 0;
	if (!ok)
		err_set(e, "%s: cannot commit: %s", ref, git_why());
	git_tree_free(tree);
	sb_free(&message);
	return ok;
}

bool git_commit_allowed(struct git *g, const char *branch, struct err *e)
{
	struct arena a = {0};
	git_reference *head = NULL;
	int valid = 0;
	const char *ref = arena_printf(&a, "refs/heads/%s", branch);
	bool own = git_repository_head(&head, g->repo) == 0 &&
	           strcmp(git_reference_name(head), ref) == 0;
	git_reference_free(head);
	bool named = git_reference_name_is_valid(&valid, ref) == 0 && valid;
	arena_free(&a);
	if (!named)
		return err_set(e, "'%s' is no name of a branch", branch);
	if (!g->head)
		return err_set(e, "the repository has no commit yet");
	return !own || err_set(e,
	                       "branch '%s' is checked out here, expected one that holds "
	                       "nothing but the site",
	                       branch);
}

bool git_commit_folder(struct git *g, const char *branch, const char *folder, char commit[41],
                       bool *changed, struct err *e)
{
	struct arena a = {0};
	git_oid tree, id;
	git_commit *tip = NULL;
	const char *ref = arena_printf(&a, "refs/heads/%s", branch);
	bool ok = git_commit_allowed(g, branch, e) && branch_tip(g, ref, &tip, e) &&
	          write_tree(g, folder, &a, &tree, e) && add_forge_files(g, tip, &tree, e);
	*changed = ok && !(tip && git_oid_equal(git_commit_tree_id(tip), &tree));
	if (ok && *changed)
		ok = commit_tree(g, ref, &tree, tip, &id, e);
	else if (ok)
		git_oid_cpy(&id, git_commit_id(tip));
	if (ok)
		git_oid_tostr(commit, 41, &id);
	git_commit_free(tip);
	arena_free(&a);
	return ok;
}
