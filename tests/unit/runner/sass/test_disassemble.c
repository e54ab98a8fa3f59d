/*
 * The disassembler's output as functions, a disassembler that is not there, and the device code in
 * a program. The output in tests/fixtures and the programs are synthetic.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/file.h"
#include "runner/sass/device_code.h"
#include "runner/sass/disassemble.h"

static const struct run_source sources[] = {{"kernels/copy/vec4.cu", ""},
                                            {"kernels/copy/ptx.cuh", ""}};

static bool read_text(struct str text, struct arena *a, struct sass_function **f, size_t *n,
                      struct err *e)
{
	return disassemble_read(text, sources, ARRAY_LEN(sources), a, f, n, e);
}

static void functions_and_their_lines(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct str text;
	struct sass_function *f;
	size_t n;
	if (!file_read("tests/fixtures/nvdisasm-synthetic.txt", 1 << 20, &a, &text, &e) ||
	    !read_text(text, &a, &f, &n, &e))
		fail_msg("%s", e.text);
	assert_int_equal(n, 2);
	assert_string_equal(f[0].name, "_Z4copyPfPKf");
	assert_int_equal(f[0].n, 7);
	const struct sass_instruction *c = f[0].code;
	assert_string_equal(c[0].text, "LDC R1, c[0x0][0x28]");
	assert_string_equal(c[1].text, "@!P0 LDG.E.128 R4, desc[UR4][R2.64]");
	assert_int_equal(c[1].offset, 0x10);
	assert_int_equal(c[1].nplaces, 2);
	assert_string_equal(c[1].place[0].file, "kernels/copy/ptx.cuh");
	assert_int_equal(c[1].place[0].line, 3);
	assert_string_equal(c[1].place[1].file, "kernels/copy/vec4.cu");
	assert_int_equal(c[1].place[1].line, 9);
	assert_null(c[1].control);
	assert_string_equal(c[2].text, "STG.E.128 desc[UR4][R8.64], R4");
	assert_string_equal(c[2].control, "&req={0} ?trans1");
	assert_int_equal(c[2].nplaces, 2);                      /* those of the line before */
	assert_string_equal(c[3].place[0].file, "shuffle.hpp"); /* no source of the project */
	assert_int_equal(f[0].nlabels, 2); /* the last has no instruction behind it */
	assert_string_equal(f[0].label[0].name, ".L_x_1");
	assert_int_equal(f[0].label[0].offset, 0x10);
	assert_int_equal(f[0].label[1].offset, 0x50);
	assert_string_equal(f[1].name, "plain");
	assert_int_equal(f[1].code[0].nplaces, 0);
	assert_int_equal(f[1].nlabels, 0);
	arena_free(&a);
}

static void refused(const char *text, const char *why)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct sass_function *f;
	size_t n;
	assert_false(read_text(str_of(text), &a, &f, &n, &e));
	if (!strstr(e.text, why))
		fail_msg("got '%s', expected '%s'", e.text, why);
	arena_free(&a);
}

static void what_is_no_listing_is_refused(void **state)
{
	(void)state;
#define F "\t.section\t.text.f,\"ax\"\n"
	refused("", "printed no instruction");
	refused(F "f:\n", "printed no instruction");
	refused("/*0000*/ EXIT ;\n", "is no instruction of a function");
	refused(F "/*00x0*/ EXIT ;\n", "is no instruction of a function");
	refused(F "/*0000*/ ;\n", "does not follow");
	refused(F "/*0010*/ NOP ;\n/*0010*/ EXIT ;\n", "does not follow");
}

/* --- the program --- */

static const char *make_script(struct arena *a, const char *text)
{
	char *path = arena_strdup(a, "/tmp/ridgepoint-nvdisasm-XXXXXX");
	struct err e = ERR_NONE;
	int fd = mkstemp(path);
	if (fd < 0 || !file_put_all(fd, str_of(text), path, &e) || fchmod(fd, 0755) != 0)
		fail_msg("no script");
	close(fd);
	return path;
}

static void a_disassembler_gets_the_bytes(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct disassembler d;
	struct str text;
	const char *fake = make_script(
	        &a, "#!/bin/sh\n[ \"$1\" != --version ] || { echo 'tools, release 0, V0.0.1'; "
	            "exit; }\necho \"$1 $2\"\ncat \"$3\"\n");
	if (!disassemble_find(fake, &a, &d, &e) ||
	    !disassemble(&d, STR("the bytes"), &a, &text, &e))
		fail_msg("%s", e.text);
	assert_string_equal(d.version, "nvdisasm 0.0.1");
	assert_string_equal(text.p, "-c -gi\nthe bytes");
	unlink(fake);
	fake = make_script(&a, "#!/bin/sh\necho 'not an ELF file' >&2; exit 3\n");
	d.path = fake;
	assert_false(disassemble(&d, STR("x"), &a, &text, &e));
	assert_non_null(strstr(e.text, "ended with status 3: not an ELF file"));
	e = ERR_NONE;
	assert_false(disassemble_find(fake, &a, &d, &e));
	unlink(fake);
	arena_free(&a);
}

static void one_error_if_it_is_missing(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct disassembler d;
	char *path = arena_strdup(&a, getenv("PATH"));
	setenv("PATH", "/nowhere", 1);
	setenv("CUDA_HOME", "/nowhere", 1);
	bool found = disassemble_find(NULL, &a, &d, &e);
	setenv("PATH", path, 1);
	if (!found) /* a toolkit in its usual folder is found all the same */
		assert_string_equal(e.text,
		                    "nvdisasm of the CUDA Toolkit is neither on PATH nor in "
		                    "$CUDA_HOME/bin; --nvdisasm FILE names it");
	unsetenv("CUDA_HOME");
	arena_free(&a);
}

static void names_stay_if_nothing_can_read_them(void **state)
{
	(void)state;
	struct arena a = {0};
	assert_string_equal(disassemble_title("plain", &a), "plain");
	arena_free(&a);
}

/* --- device code in a program --- */

/* A section of a synthetic ELF file. */
struct section {
	const char *name, *bytes;
	size_t n;
};

/* An ELF file with these sections and one of their names. */
static struct str elf_of(unsigned machine, const struct section *s, size_t n, struct arena *a)
{
	struct sb names = {0}, body = {0}, heads = {0}, out = {0};
	Elf64_Shdr h = {0};
	sb_char(&names, 0);
	sb_put(&heads, &h, sizeof h);
	for (size_t i = 0; i <= n; i++) {
		struct section own = {".shstrtab", NULL, 0}, one = i < n ? s[i] : own;
		h = (Elf64_Shdr){.sh_name = (Elf64_Word)names.n, .sh_type = SHT_PROGBITS};
		sb_cstr(&names, one.name);
		sb_char(&names, 0);
		h.sh_offset = sizeof(Elf64_Ehdr) + body.n;
		h.sh_size = i < n ? one.n : names.n;
		sb_str(&body, i < n ? (struct str){one.bytes, one.n} : sb_view(&names));
		while (body.n % 8)
			sb_char(&body, 0);
		sb_put(&heads, &h, sizeof h);
	}
	Elf64_Ehdr e = {.e_ident = ELFMAG "\2\1\1",
	                .e_machine = (Elf64_Half)machine,
	                .e_shoff = sizeof e + body.n,
	                .e_ehsize = sizeof e,
	                .e_shentsize = sizeof h,
	                .e_shnum = (Elf64_Half)(n + 2),
	                .e_shstrndx = (Elf64_Half)(n + 1)};
	sb_put(&out, &e, sizeof e);
	sb_str(&out, sb_view(&body));
	sb_str(&out, sb_view(&heads));
	struct str text = str_keep(a, sb_view(&out));
	sb_free(&names);
	sb_free(&body);
	sb_free(&heads);
	sb_free(&out);
	return text;
}

static const char *write_file(struct str bytes, struct arena *a)
{
	char *path = arena_strdup(a, "/tmp/ridgepoint-elf-XXXXXX");
	struct err e = ERR_NONE;
	int fd = mkstemp(path);
	if (fd < 0 || !file_put_all(fd, bytes, path, &e))
		fail_msg("no file");
	close(fd);
	return path;
}

static void each_file_of_device_code_has_a_hash(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct device_code *d;
	size_t n;
	char hash[HASH_SHA256_HEX + 1], want[HASH_SHA256_HEX + 1];
	const struct section one[] = {{".text.f", "01234567", 8}}, two[] = {{".text.g", "x", 1}};
	struct str first = elf_of(MACHINE_CUDA, one, 1, &a),
	           second = elf_of(MACHINE_CUDA, two, 1, &a);
	struct sb fat = {0};
	sb_cstr(&fat, "fatbin..");
	sb_str(&fat, first);
	sb_cstr(&fat, "between.");
	sb_str(&fat, second);
	const struct section host[] = {{".text", "host", 4}, {".nv_fatbin", fat.p, fat.n}};
	const char *program = write_file(elf_of(EM_X86_64, host, 2, &a), &a);
	if (!device_code_read(program, &a, &d, &n, &e))
		fail_msg("%s", e.text);
	assert_int_equal(n, 2);
	hash_sha256(first, want);
	assert_string_equal(d[0].sha256, want); /* no byte behind its end counts */
	hash_sha256(second, want);
	assert_string_equal(d[1].sha256, want);
	assert_true(device_code_function(&d[0], "f", hash));
	hash_sha256(STR("01234567"), want);
	assert_string_equal(hash, want);
	assert_false(device_code_function(&d[0], "g", hash));
	unlink(program);
	program = write_file(elf_of(EM_X86_64, host, 1, &a), &a);
	assert_false(device_code_read(program, &a, &d, &n, &e));
	assert_non_null(strstr(e.text, "was built without nvcc"));
	unlink(program);
	sb_free(&fat);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(functions_and_their_lines),
	        cmocka_unit_test(what_is_no_listing_is_refused),
	        cmocka_unit_test(a_disassembler_gets_the_bytes),
	        cmocka_unit_test(one_error_if_it_is_missing),
	        cmocka_unit_test(names_stay_if_nothing_can_read_them),
	        cmocka_unit_test(each_file_of_device_code_has_a_hash),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
