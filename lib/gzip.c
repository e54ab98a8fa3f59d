#include "lib/gzip.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

enum {
	WINDOW = 15 + 16, /* + 16: with gzip's header, whose time is 0 */
	MEMORY = 9,
	TRAILER = 8, /* checksum, and number of bytes before compression */
	PIECE = 1 << 15,
};

bool gzip_pack(struct str bytes, struct sb *to)
{
	z_stream z = {0};
	unsigned char out[PIECE];
	int status = Z_OK;
	if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, WINDOW, MEMORY, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		return false;
	z.next_in = (unsigned char *)bytes.p;
	z.avail_in = (unsigned)bytes.n;
	while (status == Z_OK) {
		z.next_out = out;
		z.avail_out = sizeof out;
		status = deflate(&z, Z_FINISH);
		sb_str(to, (struct str){(const char *)out, sizeof out - z.avail_out});
	}
	deflateEnd(&z);
	return status == Z_STREAM_END;
}

/* The count of bytes that the trailer states, modulo 2^32, in little-endian order. */
static size_t stated_bytes(struct str small)
{
	const unsigned char *p = (const unsigned char *)small.p + small.n - 4;
	return (size_t)p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 | (size_t)p[3] << 24;
}

bool gzip_unpack(struct str small, size_t max_bytes, const char *path, struct arena *a,
                 struct str *out, struct err *e)
{
	z_stream z = {.next_in = (unsigned char *)small.p, .avail_in = (unsigned)small.n};
	size_t n = small.n > TRAILER ? stated_bytes(small) : 0;
	if (small.n <= TRAILER || small.n > UINT32_MAX)
		return err_set(e, "%s: not a gzip file", path);
	if (n > max_bytes)
		return err_set(e, "%s: %zu bytes when inflated, expected at most %zu", path, n,
		               max_bytes);
	if (inflateInit2(&z, WINDOW) != Z_OK)
		return err_set(e, "%s: cannot be inflated", path);
	char *bytes = arena_alloc(a, n + 1);
	z.next_out = (unsigned char *)bytes;
	z.avail_out = (unsigned)n;
	int status = inflate(&z, Z_FINISH);
	bool whole = status == Z_STREAM_END && z.avail_in == 0 && z.avail_out == 0;
	inflateEnd(&z);
	bytes[whole ? n : 0] = '\0';
	*out = (struct str){bytes, whole ? n : 0};
	return whole || err_set(e, "%s: not a whole gzip file, or has bytes after its end", path);
}

bool gzip_content(struct str stored, size_t max_bytes, const char *path, struct arena *a,
                  struct str *out, struct err *e)
{
	if (str_ends(str_of(path), ".gz"))
		return gzip_unpack(stored, max_bytes, path, a, out, e);
	if (stored.n > max_bytes)
		return err_set(e, "%s: %zu bytes, expected at most %zu", path, stored.n, max_bytes);
	*out = stored;
	return true;
}

bool gzip_holds(struct str small, struct str bytes)
{
	z_stream z = {.next_in = (unsigned char *)small.p, .avail_in = (unsigned)small.n};
	unsigned char out[PIECE];
	int status = Z_OK;
	size_t at = 0;
	bool same = true;
	if (inflateInit2(&z, WINDOW) != Z_OK)
		return false;
	while (same && status == Z_OK) {
		z.next_out = out;
		z.avail_out = sizeof out;
		status = inflate(&z, Z_NO_FLUSH);
		size_t n = sizeof out - z.avail_out;
		same = n <= bytes.n - at && (n == 0 || memcmp(out, bytes.p + at, n) == 0);
		at += same ? n : 0;
	}
	same = same && status == Z_STREAM_END && z.avail_in == 0 && at == bytes.n;
	inflateEnd(&z);
	return same;
}
