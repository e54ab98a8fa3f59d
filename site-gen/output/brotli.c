/* Compresses with brotli, and checks the result. */
#include <brotli/decode.h>
#include <brotli/encode.h>
#include <stdlib.h>
#include <string.h>

#include "site-gen/output/compress.h"

/* Quality 9 is several times as fast as the best quality and a few per cent larger. */
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

bool compress_brotli_holds(struct str small, struct str bytes)
{
	BrotliDecoderState *s = BrotliDecoderCreateInstance(NULL, NULL, NULL);
	BrotliDecoderResult status = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
	const uint8_t *in = (const uint8_t *)small.p;
	size_t left = small.n, at = 0;
	bool same = s;
	while (same && status == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) {
		uint8_t out[1 << 15], *next = out;
		size_t room = sizeof out;
		status = BrotliDecoderDecompressStream(s, &left, &in, &room, &next, NULL);
		size_t n = sizeof out - room;
		same = n <= bytes.n - at && (n == 0 || memcmp(out, bytes.p + at, n) == 0);
		at += same ? n : 0;
	}
	if (s)
		BrotliDecoderDestroyInstance(s);
	return same && status == BROTLI_DECODER_RESULT_SUCCESS && left == 0 && at == bytes.n;
}
