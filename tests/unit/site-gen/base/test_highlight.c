#include "lib/array.h"
#include "site-gen/base/highlight.h"
#include "site-gen/base/highlight_lang.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/base/html.h"
#include "site-gen/base/html_scan.h"

/* Markup with the spans shortened, so that tests can be read: {k int} x */
static void shorten(struct sb *to, struct str s)
{
	for (size_t i = 0; i < s.n;) {
		struct str rest = str_sub(s, i, s.n);
		if (str_starts(rest, "<span class=\"")) {
			size_t q = str_find(rest, '"', 13);
			sb_char(to, '{');
			sb_str(to, str_sub(rest, 13, q));
			sb_char(to, ' ');
			i += q + 2;
		} else if (str_starts(rest, "</span>")) {
			sb_char(to, '}');
			i += 7;
		} else {
			sb_char(to, s.p[i++]);
		}
	}
}

static void check(const char *lang, const char *code, const char *want)
{
	struct sb markup = {0}, brief = {0};
	const struct highlight_lang *l = highlight_find(str_of(lang));
	assert_non_null(l);
	highlight_code(l, str_of(code), &markup);
	shorten(&brief, sb_view(&markup));
	assert_string_equal(sb_view(&brief).p, want);
	sb_free(&markup);
	sb_free(&brief);
}

static void test_cuda(void **state)
{
	(void)state;
	check("cuda", "__global__ void k(float *x)", "{k __global__} {t void} {f k}({t float} *x)");
	check("cuda", "k<<<grid, block, 0, s>>>(x);",
	      "{f k}{o &lt;&lt;&lt;}grid, block, {n 0}, s{o &gt;&gt;&gt;}(x);");
	check("cu", "A<B<C<int>>> a;", "A&lt;B&lt;C&lt;{t int}&gt;&gt;&gt; a;");
	check("cuda", "int i = threadIdx.x; __syncthreads();",
	      "{t int} i = {b threadIdx}.x; {b __syncthreads}();");
	check("cuda", "1'000'000 + 0x1Fu + 1e-3f + .5 + x1",
	      "{n 1'000'000} + {n 0x1Fu} + {n 1e-3f} + {n .5} + x1");
	check("cuda", "auto s = R\"q(a\n)\" b)q\"; 'c' '\\''",
	      "{k auto} s = {s R\"q(a}\n{s )\" b)q\"}; {s 'c'} {s '\\''}");
	check("cuda", "#define A \\\n  1 // x\nint b;",
	      "{p #define A \\}\n{p   1 }{c // x}\n{t int} b;");
	check("cuda", "  # pragma unroll\nx # y", "  {p # pragma unroll}\nx # y");
	check("cuda", "/* a\n\n b */ c", "{c /* a}\n\n{c  b */} c");
	check("cuda", "\"a\\\"b // c\" // d\n", "{s \"a\\\"b // c\"} {c // d}\n");
	check("cuda", "\"open\nint x;", "{s \"open}\n{t int} x;");
	check("cuda", "p.printf(x); s.size", "p.{f printf}(x); s.size");
	check("cuda", "asm volatile(\"bar.sync 0;\" ::: \"memory\");",
	      "{k asm} {k volatile}({s \"bar.sync 0;\"} ::: {s \"memory\"});");
}

static void test_c(void **state)
{
	(void)state;
	check("c", "static bool f(struct str *s)", "{k static} {t bool} {f f}({k struct} str *s)");
	check("h", "#include <stdio.h>\n", "{p #include &lt;stdio.h&gt;}\n");
	check("c", "class new", "class new"); /* no keywords of C */
	check("c", "x = 'a' + L'b';", "x = {s 'a'} + L{s 'b'};");
}

static void test_assembly(void **state)
{
	(void)state;
	check("ptx", "ld.global.f32 %f1, [%rd2]; // x",
	      "{k ld}{p .global}{t .f32} %f1, [%rd2]; {c // x}");
	check("ptx", "mov.u32 %r1, %tid.x;", "{k mov}{t .u32} %r1, {b %tid}.x;");
	check("ptx", ".visible .entry k(.param .u64 p)",
	      "{p .visible} {p .entry} k({p .param} {t .u64} p)");
	check("ptx", "@%p1 bra $L__BB0_2;", "@%p1 {k bra} $L__BB0_2;");
	check("sass", "/*0010*/ @!P0 LDG.E.128 R4, [R2.64] ;",
	      "{c /*0010*/} @!{b P0} {k LDG.E.128} {b R4}, [{b R2}.{n 64}] ;");
	check("sass", "S2R R0, SR_TID.X ; IADD3 R1, RZ, 0x1, UR4 ;\n.L_x_1:\nEXIT ;",
	      "{k S2R} {b R0}, {b SR_TID}.X ; {k IADD3} {b R1}, {b RZ}, {n 0x1}, {b UR4} ;\n{f "
	      ".L_x_1:}\n{k EXIT} ;");
}

static void test_lua(void **state)
{
	(void)state;
	check("lua", "local s = [[a\nb]] -- c", "{k local} s = {s [[a}\n{s b]]} {c -- c}");
	check("lua", "--[==[ x\n]] ]==] y", "{c --[==[ x}\n{c ]] ]==]} y");
	check("lua", "print(t[1], string.format('%d', 2))",
	      "{b print}(t[{n 1}], {b string}.{f format}({s '%d'}, {n 2}))");
}

static void test_sh(void **state)
{
	(void)state;
	check("sh", "if test -f \"$x\"; then echo 'a # b' # c\nfi",
	      "{k if} {b test} -f {s \"$x\"}; {k then} {b echo} {s 'a # b'} {c # c}\n{k fi}");
	check("bash", "${a#b} $# $1 $name /usr/bin/test set=1",
	      "{b ${a#b}} {b $#} {b $1} {b $name} /usr/bin/test set={n 1}");
	check("sh", "cat <<'EOF' > f\ndon't $x\nEOF\nexit 1",
	      "{b cat} &lt;&lt;{s 'EOF'} &gt; f\n{s don't $x}\n{s EOF}\n{b exit} {n 1}");
	check("sh", "cat <<EOF", "{b cat} &lt;&lt;EOF");
	check("sh", "cat <<EOF\nnever closed", "{b cat} &lt;&lt;EOF\n{s never closed}");
	check("sh", "a='x\ny' \\' b", "a={s 'x}\n{s y'} \\' b");
	check("sh", "cat <<< word", "{b cat} &lt;&lt;&lt; word");
}

static void test_others(void **state)
{
	(void)state;
	check("python", "@jit\ndef f(x): # y\n  return \"\"\"a\nb\"\"\"",
	      "{p @jit}\n{k def} {f f}(x): {c # y}\n  {k return} {s \"\"\"a}\n{s b\"\"\"}");
	check("make", "all: a.o $(B)\n\t$(CC) -o $@ $^ # x\nV := 1\nifeq ($(V),1)\nendif",
	      "{f all}: a.o {b $(B)}\n\t{b $(CC)} -o {b $@} {b $^} {c # x}\nV := {n 1}\n{k ifeq} "
	      "({b $(V)},{n 1})\n{k endif}");
	check("json", "{\"a\" : [1, -2.5e+3, true, \"b\"]}",
	      "{{t \"a\"} : [{n 1}, -{n 2.5e+3}, {k true}, {s \"b\"}]}");
	check("diff", "--- a\n+++ b\n@@ -1 +1 @@\n-x <\n+y\n z\n",
	      "{p --- a}\n{p +++ b}\n{p @@ -1 +1 @@}\n{del -x &lt;}\n{ins +y}\n z\n");
	check("text", "int <x> \"y\" // z", "int &lt;x&gt; \"y\" // z");
}

static void test_compiled(void **state)
{
	(void)state;
	check("rust", "fn f<'a>(x: &'a str) -> Option<char> { Some('\\'') } // c",
	      "{k fn} f&lt;{t 'a}&gt;(x: &amp;{t 'a} {t str}) -&gt; {t Option}&lt;{t char}&gt; { "
	      "{b "
	      "Some}({s '\\''}) } {c // c}");
	check("rs", "#[inline]\nprintln!(\"{}\", r#\"a\"b\"#); a!=b; 'x'; 1_000u64",
	      "{p #[inline]}\n{b println!}({s \"{}\"}, {s r#\"a\"b\"#}); a!=b; {s 'x'}; {n "
	      "1_000u64}");
	check("go", "func f() { s := `a\\\n\"b` + 'c'; go g(nil) }",
	      "{k func} {f f}() { s := {s `a\\}\n{s \"b`} + {s 'c'}; {k go} {f g}({k nil}) }");
	check("js", "const r = /['\"/]+\\//g.test(`a ${\n1}`); a / b / c // d",
	      "{k const} r = {s /['\"/]+\\//g}.{f test}({s `a ${}\n{s 1}`}); a / b / c {c // d}");
	check("ts", "@dec\nlet x: number = f(await $y, this.#z);",
	      "{p @dec}\n{k let} x: {t number} = {f f}({k await} $y, {k this}.#z);");
	check("sql", "SELECT count(*) FROM t WHERE a = 'C:\\' AND b < 3 -- c",
	      "{k SELECT} {b count}(*) {k FROM} t {k WHERE} a = {s 'C:\\'} {k AND} b &lt; {n 3} {c "
	      "-- "
	      "c}");
}

static void test_settings(void **state)
{
	(void)state;
	check("yaml", "# c\non: [push]\n- name: it's a#b # c\n  \"a b\": 'x\\' \nurl: http://x",
	      "{c # c}\n{t on}: [push]\n- {t name}: it's a#b {c # c}\n  {t \"a b\"}: {s 'x\\'} "
	      "\n{t "
	      "url}: http://x");
	check("yml", "a: true\n--- \n- b\n- {c: 1}", "{t a}: {k true}\n--- \n- b\n- {c: {n 1}}");
	check("toml", "[a.b] # c\nx-y = \"z\"\n[[t]]\nd = 1979-05-27\ne = [\n  'a\\',\n]",
	      "{f [a.b]} {c # c}\n{t x-y} = {s \"z\"}\n{f [[t]]}\n{t d} = {n 1979}-{n 05}-{n "
	      "27}\n{t "
	      "e} = [\n  {s 'a\\'},\n]");
	check("cmake", "if(NOT ${X})\n  set(A \"b\" $ENV{C}) # d\nendif() #[[ e\n]] f",
	      "{k if}({b NOT} {b ${X}})\n  {f set}(A {s \"b\"} {b $ENV{C}}) {c # d}\n{k endif}() "
	      "{c #[[ "
	      "e}\n{c ]]} f");
}

static void test_machine(void **state)
{
	(void)state;
	check("asm", "main:\n\tmovq %rsp, 8(%rax) # c\n.L2: vaddps ymm1, ymm0, ymm2 ; d\n\tret",
	      "{f main:}\n\t{k movq} {b %rsp}, {n 8}({b %rax}) {c # c}\n{f .L2:} {k vaddps} {b "
	      "ymm1}, "
	      "{b ymm0}, {b ymm2} {c ; d}\n\t{k ret}");
	check("nasm", "\tLOCK ADD DWORD PTR [RBX], 1\n\t.text\n\tcall main",
	      "\t{k LOCK} {k ADD} {t DWORD} {t PTR} [{b RBX}], {n 1}\n\t{p .text}\n\t{k call} "
	      "main");
	check("arm", "add x0, x1, #4 // c\nb.ne .L3 @ d\nfmla v0.4s, v1.4s, v2.s[0]\nldr w2, [sp]",
	      "{k add} {b x0}, {b x1}, #{n 4} {c // c}\n{k b.ne} .L3 {c @ d}\n{k fmla} {b v0}.{n "
	      "4s}, "
	      "{b v1}.{n 4s}, {b v2}.s[{n 0}]\n{k ldr} {b w2}, [{b sp}]");
}

static void test_block(void **state)
{
	(void)state;
	struct sb b = {0};
	highlight_block(highlight_find(STR("text")), STR("a < b\n"), "kernels/<x>.cu", &b);
	assert_string_equal(b.p, "<div class=\"code\" data-lang=\"text\"><div class=\"caption\">"
	                         "kernels/&lt;x&gt;.cu</div><pre tabindex=\"0\"><code>a &lt; b\n"
	                         "</code></pre></div>\n");
	sb_clear(&b);
	highlight_block(highlight_find(STR("sh")), STR("ls"), NULL, &b);
	assert_string_equal(b.p, "<div class=\"code\" data-lang=\"sh\"><pre tabindex=\"0\"><code>"
	                         "<span class=\"b\">ls</span></code></pre></div>\n");
	sb_free(&b);
}

static void test_find(void **state)
{
	(void)state;
	assert_ptr_equal(highlight_find(STR("c++")), highlight_find(STR("cuda")));
	assert_ptr_equal(highlight_for_path("kernels/x.cu"), highlight_find(STR("cuda")));
	assert_ptr_equal(highlight_for_path("a.b/Makefile"), highlight_find(STR("make")));
	assert_ptr_equal(highlight_for_path("a.c/none"), highlight_find(STR("text")));
	assert_null(highlight_find(STR("")));
	assert_null(highlight_find(STR("cobol")));
	assert_null(highlight_find(STR("cud")));
}

/* The tables: words sorted and with a known class, names once. */
static void test_tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < highlight_lang_count; i++) {
		const struct highlight_lang *l = &highlight_lang_table[i];
		assert_ptr_equal(highlight_find(str_of(l->name)), l);
		for (size_t k = 0; l->words && k < l->words->n; k++) {
			if (k && strcmp(l->words->word[k - 1], l->words->word[k]) >= 0)
				fail_msg("%s: '%s' is out of order", l->name, l->words->word[k]);
			const char *space = strchr(l->words->word[k], ' ');
			assert_non_null(space);
			assert_true(space[1] && strchr("ktbp", space[1]) && !space[2]);
		}
	}
}

/*
 * Whatever the bytes: the text of the markup is the code, and every line has
 * its spans closed. The inputs are all strings of four pieces that open and
 * close things, for every language.
 */
static void test_any_input(void **state)
{
	(void)state;
	static const char *const piece[] = {"\"",  "'",   "\n",  "/*", "*/", "#",  "\\",
	                                    "<<<", ">>>", "R\"", "[[", "]]", "$(", "<<EOF\n",
	                                    "x",   "1",   "${",  "//", ".",  "@",  ":",
	                                    "`",   "/",   "#[",  "r#", "- ", "=",  "%"};
	enum { N = ARRAY_LEN(piece) };
	struct sb markup = {0}, text = {0}, code = {0};
	for (size_t l = 0; l < highlight_lang_count; l++) {
		for (size_t k = 0; k < (size_t)N * N * N; k++) {
			sb_clear(&code);
			sb_cstr(&code, piece[k % N]);
			sb_cstr(&code, piece[k / N % N]);
			sb_cstr(&code, piece[k / N / N]);
			sb_clear(&markup);
			sb_clear(&text);
			/* in a block of exactly its size, so that a read beyond shows */
			char *exact = test_malloc(code.n);
			memcpy(exact, code.p, code.n);
			highlight_code(&highlight_lang_table[l], (struct str){exact, code.n},
			               &markup);
			test_free(exact);
			html_scan_strip(&text, sb_view(&markup));
			assert_string_equal(text.p, code.p);
			struct str rest = sb_view(&markup), line;
			for (bool more = true; more;) {
				more = str_cut(rest, '\n', &line, &rest);
				int open = 0;
				for (size_t i = 0; i < line.n; i++) {
					struct str s = str_sub(line, i, line.n);
					open += str_starts(s, "<span ");
					open -= str_starts(s, "</span>");
				}
				assert_int_equal(open, 0);
			}
		}
	}
	sb_free(&markup);
	sb_free(&text);
	sb_free(&code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_cuda),     cmocka_unit_test(test_c),
	        cmocka_unit_test(test_assembly), cmocka_unit_test(test_lua),
	        cmocka_unit_test(test_sh),       cmocka_unit_test(test_others),
	        cmocka_unit_test(test_block),    cmocka_unit_test(test_find),
	        cmocka_unit_test(test_tables),   cmocka_unit_test(test_any_input),
	        cmocka_unit_test(test_compiled), cmocka_unit_test(test_settings),
	        cmocka_unit_test(test_machine),
	};
	return cmocka_run_group_tests_name("highlight", tests, NULL, NULL);
}
