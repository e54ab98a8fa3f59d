/* Compresses with zlib, as gzip. */
#include <string.h>
#include <zlib.h>

#include "site-gen/output/compress.h"

enum { GZIP_WINDOW = 15 + 16, MEMORY = 9 }; /* + 16: with gzip's header, whose time is 0 */

bool compress_gzip(struct str bytes, struct sb *to)
{
	z_stream z = {0};
	unsigned char out[1 << 15];
	int status = Z_OK;
	if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY,
	                 Z_DEFAULT_STRATEGY) != Z_OK)
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

bool compress_gzip_holds(struct str small, struct str bytes)
{
	z_stream z = {.next_in = (unsigned char *)small.p, .avail_in = (unsigned)small.n};
	unsigned char out[1 << 15];
	int status = Z_OK;
	size_t at = 0;
	bool same = true;
	if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
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
