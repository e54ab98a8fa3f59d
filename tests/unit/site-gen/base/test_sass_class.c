/* The classes of machine instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/base/sass_class.h"

static void opcodes_have_a_class(void **state)
{
	(void)state;
	static const struct {
		const char *opcode;
		enum sass_class is;
	} rows[] = {{"LDG.E.128.CONSTANT", SASS_MEMORY},
	            {"UBLKPF.L2", SASS_MEMORY},
	            {"UTMALDG.2D", SASS_MEMORY},
	            {"STS", SASS_MEMORY},
	            {"HGMMA.64x128x16.F32.BF16", SASS_TENSOR},
	            {"IMMA.16832.S8.S8", SASS_TENSOR},
	            {"FFMA", SASS_ARITHMETIC},
	            {"IMAD.WIDE.U32", SASS_ARITHMETIC},
	            {"HFMA2.MMA", SASS_ARITHMETIC},
	            {"BRA", SASS_CONTROL},
	            {"BAR.SYNC.DEFER_BLOCKING", SASS_CONTROL},
	            {"SYNCS.PHASECHK.TRANS64.TRYWAIT", SASS_CONTROL},
	            {"LDC.64", SASS_OTHER},
	            {"S2R", SASS_OTHER},
	            {"SHFL.BFLY", SASS_OTHER}};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (sass_class_of(str_of(rows[i].opcode)) != rows[i].is)
			fail_msg("%s is of class %d", rows[i].opcode,
			         sass_class_of(str_of(rows[i].opcode)));
	assert_string_equal(sass_class_name(SASS_MEMORY), "memory");
	assert_null(sass_class_name(SASS_OTHER));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(opcodes_have_a_class)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
