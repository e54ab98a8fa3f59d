/*
 * tests/unit/help/listing.h - a SYNTHETIC file of listings (lib/sass.h), made by no disassembler.
 */
#ifndef TESTS_UNIT_HELP_LISTING_H
#define TESTS_UNIT_HELP_LISTING_H

#include "lib/array.h"
#include "lib/sass.h"

#define LISTING_ID "20260103T000000Z-sm_90a-0000000c"

/*
 * A unit of `file`, with this hash of its code. It has two functions, copy(float*) and
 * copy(double*), and in the first a loop from .L_x_1, of lines 5 and 6.
 */
static inline const char *listing_text(const char *file, const char *blob, const char *code,
                                       struct arena *a)
{
#define AT(line) .place = (const struct sass_place[]){{file, line}}, .nplaces = 1
	const struct sass_place inlined[] = {{"kernels/kernel.h", 3}, {file, 5}};
	const struct sass_instruction one[] = {
	        {.offset = 0x00, .text = "LDC R1, c[0x0][0x28]", AT(2)},
	        {.offset = 0x10,
	         .text = "LDG.E.128 R4, desc[UR4][R2.64]",
	         .place = inlined,
	         .nplaces = 2},
	        {.offset = 0x20, .text = "LDG.E R9, desc[UR4][R2.64+0x10]", AT(5)},
	        {.offset = 0x30, .text = "IADD3 R2, R2, 0x20, RZ", AT(4)},
	        {.offset = 0x40,
	         .text = "STG.E.128 desc[UR4][R8.64], R4",
	         AT(5),
	         .control = "?trans1"},
	        {.offset = 0x50, .text = "@P1 BRA `(.L_x_1)", AT(4)},
	        {.offset = 0x60, .text = "EXIT"},
	        {.offset = 0x70, .text = "NOP"},
	};
	const struct sass_instruction two[] = {{.offset = 0, .text = "EXIT", AT(9)}};
#undef AT
	const struct sass_label label[] = {{0x10, ".L_x_1"}};
	struct run_source source[] = {{file, blob}};
	const char *argv[] = {"sass", "transpose/tile"};
	const struct sass head = {.id = LISTING_ID,
	                          .arch = "sm_90a",
	                          .start = "2026-01-03T00:00:00Z",
	                          .reason = "SYNTHETIC",
	                          .tool = "nvdisasm 0.0.1",
	                          .runner_sha256 = code,
	                          .argv = argv,
	                          .nargv = ARRAY_LEN(argv)};
	const struct sass_unit unit = {file, "13.0.88", "-O3", code, source, 1};
	const struct sass_function f[] = {
	        {0, file, "_Z4copyPf", "copy(float*)", code, one, ARRAY_LEN(one), label, 1},
	        {0, file, "_Z4copyPd", "copy(double*)", code, two, 1, NULL, 0}};
	struct sb text = {0};
	sass_put_head(&text, &head);
	sass_put_unit(&text, &unit);
	for (size_t i = 0; i < ARRAY_LEN(f); i++)
		sass_put_function(&text, &f[i]);
	record_put_end(&text, "complete", head.start, 0, sb_view(&text));
	const char *out = str_dup(a, sb_view(&text));
	sb_free(&text);
	return out;
}

#endif
