/* Packs HEAD's whole history into a bundle. */
#include "site-gen/git/git.h"
#include "site-gen/git/inner.h"

bool git_is_whole(const struct git *g)
{
	return g && g->head && git_repository_is_shallow(g->repo) == 0;
}

static int put(void *bytes, size_t n, void *to)
{
	sb_put(to, bytes, n);
	return 0;
}

/* Appends the pack of all objects that the walk reaches. One thread: equal bytes each time. */
static int pack(git_repository *repo, git_revwalk *walk, struct sb *to)
{
	git_packbuilder *pack = NULL;
	int rc = git_packbuilder_new(&pack, repo);
	if (rc == 0) {
		git_packbuilder_set_threads(pack, 1);
		rc = git_packbuilder_insert_walk(pack, walk);
	}
	if (rc == 0)
		rc = git_packbuilder_foreach(pack, put, to);
	git_packbuilder_free(pack);
	return rc;
}

bool git_bundle(struct git *g, struct sb *to, struct err *e)
{
	git_revwalk *walk = NULL;
	sb_printf(to, "# v2 git bundle\n%s HEAD\n%s refs/heads/main\n\n", g->head_hex, g->head_hex);
	int rc = git_revwalk_new(&walk, g->repo);
	if (rc == 0)
		rc = git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL);
	if (rc == 0)
		rc = git_revwalk_push(walk, git_commit_id(g->head));
	if (rc == 0)
		rc = pack(g->repo, walk, to);
	git_revwalk_free(walk);
	return rc == 0 || git_fail(g, e, "HEAD's history cannot be packed: %s", git_why());
}
