/* Sizes of pictures from their first bytes, and what is wrong with those that have none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/base/image.h"

/* Exact memory, so that a read beyond the end is found. */
static bool read_copy(const char *bytes, size_t n, struct image *out, struct err *e)
{
	char *copy = malloc(n + 1);
	memcpy(copy, bytes, n);
	bool ok = image_read((struct str){copy, n}, out, e);
	free(copy);
	return ok;
}

static const struct known {
	const char *what, *bytes;
	size_t n;
	enum image_format format;
	int width, height;
	bool moves;
} known[] = {
#define BYTES(s) s, sizeof(s) - 1
        {"PNG", BYTES("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x02\0\0\0"),
         IMAGE_PNG, 640, 480, false},
        {"animated PNG",
         BYTES("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x05\0\0\0\x06\x08\x02\0\0\0crc.\0\0\0\x08"
               "acTL"),
         IMAGE_PNG, 5, 6, true},
        {"GIF", BYTES("GIF89a\x40\x01\xc8\0\xf0\0\0"), IMAGE_GIF, 320, 200, true},
        {"JPEG, with a segment before the frame",
         BYTES("\xff\xd8\xff\xe0\0\x06JF\0\0\xff\xff\xc2\0\x11\x08\x01\0\x02\x01\x03\x01"),
         IMAGE_JPEG, 513, 256, false},
        {"upright JPEG with Exif",
         BYTES("\xff\xd8\xff\xe1\0\x1e"
               "Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x01\0"
               "\0\0\xff\xc0\0\x11\x08\0\x03\0\x04\x03\x01"),
         IMAGE_JPEG, 4, 3, false},
        {"lossy WebP",
         BYTES("RIFF\x20\0\0\0WEBPVP8 \x14\0\0\0\x30\x01\0\x9d\x01\x2a\x20\x03\x58\x02\0"),
         IMAGE_WEBP, 800, 600, false},
        {"lossless WebP", BYTES("RIFF\x20\0\0\0WEBPVP8L\x14\0\0\0\x2f\xff\xc0\x3f\0\0"), IMAGE_WEBP,
         256, 256, false},
        {"extended WebP that moves",
         BYTES("RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x63\0\0\xc7\0\0"), IMAGE_WEBP, 100, 200,
         true},
        {"SVG", BYTES("<?xml version='1.0'?><!-- x --><svg width=\"12.4px\" height='20'/>"),
         IMAGE_SVG, 12, 20, false},
        {"SVG with a box only", BYTES("<svg viewBox=\"0 0 360 340\" width=\"100%\">"), IMAGE_SVG,
         360, 340, false},
};

static void sizes_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		const struct known *k = &known[i];
		struct image got;
		struct err e = ERR_NONE;
		if (!read_copy(k->bytes, k->n, &got, &e))
			fail_msg("%s: %s", k->what, e.text);
		if (got.format != k->format || got.width != k->width || got.height != k->height ||
		    got.moves != k->moves)
			fail_msg("%s: %d by %d, moves %d", k->what, got.width, got.height,
			         got.moves);
	}
}

/* Cut anywhere: an error or a size, and no byte beyond the end. */
static void what_is_cut_short_has_no_size(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		struct image got;
		for (size_t n = 0; n < known[i].n; n++) {
			struct err e = ERR_NONE;
			bool ok = read_copy(known[i].bytes, n, &got, &e);
			assert_true(ok == !e.set);
		}
		struct err e = ERR_NONE;
		assert_false(read_copy(known[i].bytes, 9, &got, &e));
	}
}

static void faults_are_named(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *says;
	} bad[] = {
	        {BYTES("BM....bitmap"), "expected a picture in PNG, JPEG, WebP, GIF or SVG"},
	        {BYTES(""), "expected a picture"},
	        {BYTES("RIFF\x20\0\0\0WAVEfmt "), "expected a picture"},
	        {BYTES("<svg width=\"100%\">"), "neither width and height"},
	        {BYTES("GIF89a\0\0\xc8\0"), "no size"},
	        {BYTES("\xff\xd8\xff\xe1\0\x1e"
	               "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06"
	               "\0\0\xff\xc0\0\x11\x08\0\x03\0\x04\x03\x01"),
	         "save it upright"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct image got;
		struct err e = ERR_NONE;
		assert_false(read_copy(bad[i].bytes, bad[i].n, &got, &e));
		if (!strstr(e.text, bad[i].says))
			fail_msg("%s instead of %s", e.text, bad[i].says);
	}
}

static void widths_go_up_to_its_own(void **state)
{
	int w[IMAGE_MOST_WIDTHS];
	(void)state;
	assert_int_equal(image_widths(&(struct image){IMAGE_PNG, 480, 9, false}, w), 0);
	assert_int_equal(image_widths(&(struct image){IMAGE_SVG, 4000, 9, false}, w), 0);
	assert_int_equal(image_widths(&(struct image){IMAGE_WEBP, 4000, 9, true}, w), 0);
	assert_int_equal(image_widths(&(struct image){IMAGE_JPEG, 1000, 9, false}, w), 3);
	assert_true(w[0] == 480 && w[1] == 960 && w[2] == 1000);
	assert_int_equal(image_widths(&(struct image){IMAGE_JPEG, 4000, 9, false}, w), 3);
	assert_int_equal(w[2], 1440);
}

static void names_of_sizes(void **state)
{
	struct sb to = {0};
	(void)state;
	image_address(STR("a.b/photo.large.jpg"), 480, &to);
	assert_string_equal(to.p, "a.b/photo.large-480.webp");
	sb_clear(&to);
	image_address(STR("a.b/photo"), 960, &to);
	assert_string_equal(to.p, "a.b/photo-960.webp");
	sb_free(&to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(sizes_are_read),   cmocka_unit_test(what_is_cut_short_has_no_size),
	        cmocka_unit_test(faults_are_named), cmocka_unit_test(widths_go_up_to_its_own),
	        cmocka_unit_test(names_of_sizes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
