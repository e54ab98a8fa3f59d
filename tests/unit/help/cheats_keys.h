/*
 * tests/unit/help/cheats_keys.h - planted wrong kernels with integer inputs and two outputs
 * of different types: counts of keys (i32), and each key minus CENTRE as i8. cheats.h
 * includes this file and says how to add one.
 */
#ifndef TESTS_UNIT_HELP_CHEATS_KEYS_H
#define TESTS_UNIT_HELP_CHEATS_KEYS_H

enum { KEYS_BINS = 200, KEYS_CENTRE = 100 };

static const struct kernel_case keys_cases[] = {
        CASE_N(1, KERNEL_CHECK),
        CASE_N(4099, KERNEL_CHECK | KERNEL_MEASURE_CPU | KERNEL_COLD | KERNEL_HOT),
};

static size_t keys_buffers(const struct kernel_case *c, struct kernel_buffer b[])
{
	b[0] = kernel_out("counts", KERNEL_I32, KEYS_BINS);
	b[1] = kernel_keys("keys", KERNEL_U8, cheat_n(c), KERNEL_ZIPF, KEYS_BINS);
	b[2] = kernel_out("centred", KERNEL_I8, cheat_n(c));
	return 3;
}

static void keys_model(const struct kernel_case *c, struct kernel_model *m)
{
	int64_t n = kernel_num(c, "n");
	*m = (struct kernel_model){n,    n,     n + 4 * KEYS_BINS, "one update each",
	                           NULL, "hbm", "update"};
}

static void keys_expect(const struct kernel_case *c, uint64_t seed, const size_t *idx, size_t n,
                        double *value, double *magnitude)
{
	for (size_t k = 0; k < n; k++) {
		value[k] = magnitude[k] = 0;
		if (idx[k] >= KEYS_BINS)
			value[k] = (double)input_key(KERNEL_ZIPF, KEYS_BINS, seed, 1,
			                             idx[k] - KEYS_BINS) -
			           KEYS_CENTRE;
		for (size_t i = 0; idx[k] < KEYS_BINS && i < cheat_n(c); i++)
			value[k] +=
			        input_key(KERNEL_ZIPF, KEYS_BINS, seed, 1, i) == (int64_t)idx[k];
	}
}

static size_t keys_terms(const struct kernel_case *c)
{
	return cheat_n(c);
}

static double keys_exact(const struct kernel_case *c, const char **why)
{
	(void)c;
	*why = "counts are exact";
	return 0;
}

/* Counts and centres the keys from..to. */
static void keys_do(void *const *buf, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		uint8_t key = ((const uint8_t *)buf[1])[i];
		((int32_t *)buf[0])[key]++;
		((int8_t *)buf[2])[i] = (int8_t)(key - KEYS_CENTRE);
	}
}

CHEAT(keys_honest)
{
	(void)env, (void)state;
	memset(buf[0], 0, KEYS_BINS * sizeof(int32_t));
	keys_do(buf, 0, cheat_n(c));
	return 0;
}

CHEAT(keys_uncleared) /* adds to the counts that are there */
{
	(void)env, (void)state;
	keys_do(buf, 0, cheat_n(c));
	return 0;
}

CHEAT(keys_few_bins) /* the bins behind the first hundred are never written */
{
	(void)env, (void)state;
	memset(buf[0], 0, KEYS_BINS / 2 * sizeof(int32_t));
	keys_do(buf, 0, cheat_n(c));
	return 0;
}

CHEAT(keys_one_short) /* the last of the second output is not written */
{
	(void)env, (void)state;
	memset(buf[0], 0, KEYS_BINS * sizeof(int32_t));
	keys_do(buf, 0, cheat_n(c) - 1);
	((int32_t *)buf[0])[((const uint8_t *)buf[1])[cheat_n(c) - 1]]++;
	return 0;
}

CHEAT(keys_second_off) /* the second output is wrong in one place in the middle */
{
	run_keys_honest(c, env, buf, state);
	((int8_t *)buf[2])[cheat_n(c) / 2]++;
	return 0;
}

CHEAT(keys_beside) /* writes the second output one element too far */
{
	run_keys_honest(c, env, buf, state);
	((int8_t *)buf[2])[cheat_n(c)] = 0;
	return 0;
}

static const struct kernel_variant keys_variants[] = {
        CHEAT_ROW_OF(keys_honest, ),     CHEAT_ROW_OF(keys_uncleared, ),
        CHEAT_ROW_OF(keys_few_bins, ),   CHEAT_ROW_OF(keys_one_short, ),
        CHEAT_ROW_OF(keys_second_off, ), CHEAT_ROW_OF(keys_beside, ),
};

static const struct kernel_family keys_family = {
        .id = "keys",
        .title = "Keys",
        .problem = "SYNTHETIC.",
        .metric = "rate",
        .file = "kernels/keys/family.c",
        .cases = keys_cases,
        .ncases = ARRAY_LEN(keys_cases),
        .variants = keys_variants,
        .nvariants = ARRAY_LEN(keys_variants),
        .buffers = keys_buffers,
        .model = keys_model,
        .expect = keys_expect,
        .terms = keys_terms,
        .tolerance = keys_exact,
        .finite_only = "keys are integers",
};

#endif
