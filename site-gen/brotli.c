#include <brotli/encode.h>
#include <stdlib.h>

#include "site-gen/compress.h"

/* The step below the slowest: within a few per cent of it in size, several times as fast. */
enum { QUALITY = 9, WINDOW = 22 };

bool compress_brotli(struct str bytes, struct sb *to)
{
	size_t n = BrotliEncoderMaxCompressedSize(bytes.n);
	unsigned char *out = n ? malloc(n) : NULL;
	bool ok = out &&
	          BrotliEncoderCompress(QUALITY, WINDOW, BROTLI_MODE_TEXT, bytes.n,
	                                (const unsigned char *)bytes.p, &n, out) == BROTLI_TRUE;
	if (ok)
		sb_str(to, (struct str){(const char *)out, n});
	free(out);
	return ok;
}
