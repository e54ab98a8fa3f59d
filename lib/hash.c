#include "lib/hash.h"

#include <stdio.h>
#include <string.h>

#include <nettle/sha1.h>
#include <nettle/sha2.h>

static void to_hex(const uint8_t *digest, size_t n, char *out)
{
	static const char hex[] = "0123456789abcdef";
	for (size_t i = 0; i < n; i++) {
		out[2 * i] = hex[digest[i] >> 4];
		out[2 * i + 1] = hex[digest[i] & 15];
	}
	out[2 * n] = 0;
}

void hash_sha256(struct str bytes, char out[HASH_SHA256_HEX + 1])
{
	struct sha256_ctx ctx;
	uint8_t digest[SHA256_DIGEST_SIZE];
	sha256_init(&ctx);
	sha256_update(&ctx, bytes.n, (const uint8_t *)bytes.p);
	sha256_digest(&ctx, sizeof digest, digest);
	to_hex(digest, sizeof digest, out);
}

void hash_git_blob(struct str bytes, char out[HASH_GIT_HEX + 1])
{
	struct sha1_ctx ctx;
	uint8_t digest[SHA1_DIGEST_SIZE];
	char head[32];
	int n = snprintf(head, sizeof head, "blob %zu", bytes.n);
	sha1_init(&ctx);
	sha1_update(&ctx, (size_t)n + 1, (const uint8_t *)head);
	sha1_update(&ctx, bytes.n, (const uint8_t *)bytes.p);
	sha1_digest(&ctx, sizeof digest, digest);
	to_hex(digest, sizeof digest, out);
}

bool hash_is_hex(const char *s, size_t n)
{
	return strlen(s) == n && strspn(s, "0123456789abcdef") == n;
}
