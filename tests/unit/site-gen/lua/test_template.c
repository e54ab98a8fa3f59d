/* The template language and its sandbox: templates/README.md is the contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/lua/template.h"

struct thing {
	const char *name;
	struct str html;
	int64_t n;
	bool yes;
};

static void make_list(struct script *s, void *ctx, const void *object)
{
	(void)ctx;
	script_begin(s, SCRIPT_VALUE, 0);
	script_cstr(s, NULL, ((const struct thing *)object)->name);
	script_cstr(s, NULL, "two");
	script_end(s);
}

static const struct script_field thing_fields[] = {
        {"name", SCRIPT_FIELD_TEXT, offsetof(struct thing, name), NULL},
        {"html", SCRIPT_FIELD_MARKUP, offsetof(struct thing, html), NULL},
        {"n", SCRIPT_FIELD_I64, offsetof(struct thing, n), NULL},
        {"yes", SCRIPT_FIELD_FLAG, offsetof(struct thing, yes), NULL},
        {"list", SCRIPT_FIELD_MADE, 0, make_list},
};
static const struct script_class thing_class = {"thing", thing_fields, 5};
static const struct thing thing = {"<x>", {"<b>", 3}, 7, true};

/* Variables that every test template sees. */
static void variables(struct script *s, void *ctx)
{
	(void)ctx;
	script_object(s, "thing", &thing_class, NULL, &thing);
	script_begin(s, "page", 4);
	script_cstr(s, "title", "a < \"b\" & 'c'");
	script_markup(s, "body", STR("<p>markup</p>"));
	script_markup(s, "empty", STR(""));
	script_int(s, "n", 42);
	script_flag(s, "yes", true);
	script_begin(s, "list", 0);
	for (int i = 1; i <= 3; i++) {
		script_begin(s, NULL, 1);
		script_int(s, "i", i);
		script_end(s);
	}
	script_end(s);
	script_end(s);
}

static struct template *translated(struct arena *a, const char *const *sources, size_t n,
                                   struct err *e)
{
	struct template *t = ARENA_ARRAY(a, struct template, n);
	for (size_t i = 0; i < n; i++) {
		const char *name = sources[2 * i];
		if (!template_translate(str_of(sources[2 * i + 1]), name,
		                        arena_printf(a, "templates/%s", name), a, &t[i], e))
			return NULL;
	}
	return t;
}

/*
 * Renders the first of n (name, source) pairs in this CPU time; the text of the page or of the
 * error.
 */
static const char *render_within(struct arena *a, const char *const *sources, size_t n, int cpu_s)
{
	struct err e = ERR_NONE;
	struct sb out = {0};
	struct template *t = translated(a, sources, n, &e);
	struct script *s = t ? template_compile(t, n, &e) : NULL;
	if (s) {
		script_limit_cpu(s, cpu_s);
		unchecked(script_render(s, sources[0], variables, NULL, &out,
		                        &e)); /* the caller reads e */
	}
	const char *text = arena_strdup(a, e.set ? e.text : out.p ? out.p : "");
	script_free(s);
	sb_free(&out);
	return text;
}

/* The other limits end each of these pages; with sanitizers, on a busy machine, that takes long. */
static const char *render_all(struct arena *a, const char *const *sources, size_t n)
{
	enum { AMPLE_S = 300 };
	return render_within(a, sources, n, AMPLE_S);
}

static const char *render(struct arena *a, const char *source)
{
	const char *pair[] = {"t.html", source};
	return render_all(a, pair, 1);
}

static void expect(const char *source, const char *wanted)
{
	struct arena a = {0};
	assert_string_equal(render(&a, source), wanted);
	arena_free(&a);
}

/* The error's text contains this. */
static void expect_error(const char *source, const char *wanted)
{
	struct arena a = {0};
	const char *got = render(&a, source);
	if (!strstr(got, wanted))
		fail_msg("'%s' gave '%s', expected '%s'", source, got, wanted);
	arena_free(&a);
}

static void prints_and_escapes(void **state)
{
	(void)state;
	expect("plain {% not } {{ page.n }}", "plain {% not } 42");
	expect("{{ page.title }}", "a &lt; &quot;b&quot; &amp; &#39;c&#39;");
	expect("{{ page.body }}|{{ page.empty }}|", "<p>markup</p>||");
	expect("{{ \"}}\" .. '{{' }}", "}}{{");
	expect("{{ ({a={b=1}}).a.b }}", "1");
	expect("a{# b {{ nope }} #}c", "ac");
	expect("a\n{# alone #}\nb\n", "a\nb\n");
	expect("% if page.yes then\nyes\n% else\nno\n% end\n", "yes\n");
	expect("  % for i, x in ipairs(page.list) do\n{{ i }}{{ x.i }} \n% end\n",
	       "11 \n22 \n33 \n");
	expect_error("{{ nil }}", "templates/t.html:1: cannot print nil");
	expect_error("\n{{ page.list }}", "templates/t.html:2: cannot print table");
	expect_error("{{ page.yes }}", "cannot print boolean");
	expect_error("{{ page.body .. 'x' }}", "markup");
}

static void places_of_errors(void **state)
{
	(void)state;
	expect_error("a\nb {{ x", "templates/t.html:2:3: '{{' without its '}}'");
	expect_error("a {{ }}", "templates/t.html:1:3: an expression is expected");
	expect_error("{# x", "templates/t.html:1:1: '{#' without its '#}'");
	expect_error("a\nb\n{{ page.\n  titel }}",
	             "templates/t.html:4: undefined field 'titel', did you mean 'title'?");
	expect_error("\n\n{{ pgae }}",
	             "templates/t.html:3: undefined name 'pgae', did you mean 'page'?");
	expect_error("\n% for = 1\n", "templates/t.html:2:");
	expect_error("{{ page.list[9].i }}", "templates/t.html:1:");
	expect_error("% x = 1\n", "templates/t.html:1: assignment to undefined name 'x'");
	expect_error("% page.new = 1\n", "cannot add 'new'");
	expect_error("% string.len = nil\n", "cannot add 'len'");
	expect_error("{{ string.lenn('') }}", "undefined function 'lenn', did you mean 'len'?");
}

static void objects(void **state)
{
	(void)state;
	expect("{{ thing.name }}{{ thing.html }}{{ thing.n }}{{ #thing.list }}{{ thing.list[1] }}"
	       "{{ thing.yes and 'y' }}{{ type(thing) }}",
	       "&lt;x&gt;<b>72&lt;x&gt;ytable");
	expect_error("\n{{ thing.nam }}",
	             "templates/t.html:2: undefined field 'nam', did you mean 'name'?");
	expect_error("{{ thing }}", "cannot print thing");
	expect_error("% thing.n = 1\n", "index a thing value");
}

static void templates_inside_templates(void **state)
{
	struct arena a = {0};
	const char *const set[] = {
	        "t.html",
	        "% layout('base.html')\n{{ include('card.html', { x = 1 }) }}-{{ page.n }}\n",
	        "base.html",
	        "<{{ content }}>\n",
	        "card.html",
	        "[{{ x }}{{ page.n }}]\n",
	        "loop.html",
	        "{{ include('loop.html') }}",
	        "typo.html",
	        "\n{{ include('crd.html') }}",
	        "leak.html",
	        "{{ include('card.html', {x = 1}) }}{{ x }}",
	};
	(void)state;
	assert_string_equal(render_all(&a, set, 3), "<[142]-42>\n");
	const char *const loop[] = {set[6], set[7]};
	assert_non_null(strstr(render_all(&a, loop, 1), "nested more than"));
	const char *const typo[] = {set[8], set[9], set[4], set[5]};
	assert_string_equal(render_all(&a, typo, 2),
	                    "templates/typo.html:2: undefined template 'crd.html', did you mean "
	                    "'card.html'?");
	const char *const leak[] = {set[10], set[11], set[4], set[5]};
	assert_non_null(strstr(render_all(&a, leak, 2), "undefined name 'x'"));
	arena_free(&a);
}

static void functions(void **state)
{
	(void)state;
	expect("% for k, v in pairs({b=2, a=1, [2]=4, [1]=3}) do\n{{ k }}{{ v }} \n% end\n",
	       "13 \n24 \na1 \nb2 \n");
	expect("{{ ('ab'):upper() }}{{ string.sub('hello', 2, 3) }}{{ #'abc' }}", "ABel3");
	expect("{{ string.rep('a', 3, '-') }}{{ ('%d of %s%%'):format(3, 'x') }}", "a-a-a3 of x%");
	expect("{{ table.concat({'a', 'b'}, ',') }}{{ math.max(1, 2) }}{{ math.floor(2.5) }}",
	       "a,b22");
	expect("% local t = {3, 1, 2}\n% table.sort(t)\n{{ table.concat(t) }}", "123");
	expect("{{ tostring({}) }} {{ type(page.body) }} {{ tostring(nil) }}", "table markup nil");
	expect("{{ tostring(holds('a.b', '.b')) }} {{ tostring(holds('a.b', 'a.*')) }}",
	       "true false");
	expect("{{ tostring(holds(page.body, '<')) }} {{ tostring(holds(page.body, '<no>')) }}",
	       "true false");
	expect_error("{{ holds({}, 'a') }}", "bad argument #1");
	expect_error("{{ ('%5d'):format(1) }}", "only %d, %s");
}

/* Things that a template must not reach. */
static void nothing_else_is_there(void **state)
{
	static const char *const names[] = {
	        "io",     "os",       "load",    "loadstring",     "loadfile", "dofile",
	        "debug",  "require",  "package", "pcall",          "xpcall",   "coroutine",
	        "select", "rawget",   "rawset",  "setmetatable",   "_G",       "getmetatable",
	        "error",  "rawequal", "rawlen",  "collectgarbage", "next",     "utf8",
	        "print",  "assert",   "warn",    "_VERSION",       "unpack",   "tonumber",
	};
	static const char *const fields[] = {
	        "string.dump", "string.find", "string.gsub",  "string.match", "string.gmatch",
	        "string.pack", "table.move",  "table.unpack", "table.pack",   "table.remove",
	        "math.random", "string.byte", "string.char",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char source[64];
		snprintf(source, sizeof source, "{{ tostring(%s) }}", names[i]);
		expect_error(source, "undefined name");
	}
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		char source[64];
		snprintf(source, sizeof source, "{{ tostring(%s) }}", fields[i]);
		expect_error(source, "undefined function");
	}
	expect_error("{{ ('x').dump }}", "undefined function 'dump'");
	expect_error("% local s <close> = setmetatable({}, {__close = 1})\n", "undefined name");
}

/* Six programs that a count hook cannot stop, and others that use too much. */
static void bombs_end(void **state)
{
	(void)state;
	expect_error("% while true do pcall(function() while true do end end) end\n",
	             "undefined name 'pcall'");
	expect_error("{{ string.find(('a'):rep(1000), ('a?'):rep(500) .. ('a'):rep(500)) }}",
	             "undefined function 'find'");
	expect_error("{{ string.find(('a'):rep(1000), ('.-'):rep(30) .. 'b') }}",
	             "undefined function 'find'");
	expect_error("% table.move({}, 1, 1e15, 2)\n", "undefined function 'move'");
	expect_error("% setmetatable({}, {__gc = function() while true do end end})\n",
	             "undefined name 'setmetatable'");
	expect_error("% collectgarbage()\n", "undefined name 'collectgarbage'");
	expect_error("% while true do end\n", "templates/t.html:1: too many instructions");
	expect_error("% for i = 1, 1e15 do end\n", "too many instructions");
	expect_error("% local s = 'x'\n% while true do s = s .. s end\n", "memory");
	expect_error("{{ ('x'):rep(1e9) }}", "at most 1000 times");
	expect_error("% local t = {}\n% for i = 1, 1e15 do t[i] = { i } end\n", "memory");
	expect_error("% for i = 1, 1e15 do\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n% "
	             "end\n",
	             "a page of more than");
	expect_error("% local function f() return f() + 1 end\n{{ f() }}", "stack overflow");
	expect_error("% table.sort({3, 2, 1, 5, 4}, function() while true do end end)\n",
	             "too many instructions");
	expect_error("{{ table.concat({}, '', 1, 1e15) }}", "templates/t.html:1:");
}

/* Templates whose time goes by in functions that are written in C. */
static void so_do_slow_functions(void **state)
{
	/* many calls; and one that would take hours: long texts that differ in their last letter */
	static const struct {
		const char *source, *error;
	} loops[] = {
	        {"\n% local s = ('x'):rep(1000):rep(1000)\n% while true do local t = s:upper() "
	         "end\n",
	         "templates/t.html:3: more than 2 s of CPU time"},
	        {"% local s, t = ('x'):rep(1000):rep(1000):rep(20), {}\n"
	         "% for i = 1, 99999 do t[i] = i % 2 == 0 and s or t[1] or s .. 'y' end\n"
	         "% table.sort(t)\n",
	         "templates/t.html:3: more than 2 s of CPU time"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(loops); i++) {
		struct arena a = {0};
		clock_t start = clock();
		const char *pair[] = {"t.html", loops[i].source};
		const char *got = render_within(&a, pair, 1, SCRIPT_PAGE_CPU_S);
		assert_non_null(strstr(got, loops[i].error));
		assert_true(clock() - start < 4 * CLOCKS_PER_SEC);
		arena_free(&a);
	}
}

/* Output counts towards the limit, too, and the error names the place. */
static void memory_is_counted(void **state)
{
	struct arena a = {0};
	(void)state;
	expect_error("\n% local s = 'x'\n% while true do s = s .. s end\n",
	             "templates/t.html:3: more than 256 MiB of memory wanted");
	expect_error("% local s = ('<'):rep(1000):rep(1000):rep(100)\n{{ s }}",
	             "templates/t.html:2: a page of more than 64 MiB");
	const char *const set[] = {
	        "t.html", "{{ ('x'):rep(1000):rep(1000):rep(20) }}\n{{ include('t.html') }}"};
	assert_non_null(strstr(render_all(&a, set, 1),
	                       "templates/t.html:1: includes of more than 128 MiB together (called "
	                       "from templates/t.html:2,"));
	arena_free(&a);
}

/* A file of another maker may be larger than any page; its memory is none of the next page's. */
static void a_large_file_before_a_page_does_not_count(void **state)
{
	enum { FILE_MIB = 200 };
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct sb html = {0};
	const char *const set[] = {"t.html", "{{ include('u.html') }}", "u.html", "{{ 1 }}"};
	(void)state;
	struct template *t = translated(&a, set, 2, &e);
	struct script *s = t ? template_compile(t, 2, &e) : NULL;
	assert_non_null(s);
	sb_room(&html, (size_t)FILE_MIB << 20);
	for (int page = 0; page < 3; page++) {
		assert_true(script_render(s, "t.html", variables, NULL, &html, &e));
		assert_string_equal(html.p, "1");
	}
	sb_free(&html);
	script_free(s);
	arena_free(&a);
}

/* Each compiles alone; together they do not, and the error says so. */
static void all_templates_share_the_memory(void **state)
{
	enum { N = 100, PIECES = 200000 };
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct sb src = {0};
	struct template one, t[N];
	(void)state;
	for (int i = 0; i < PIECES; i++)
		sb_cstr(&src, "{{1}}");
	assert_true(template_translate(sb_view(&src), "x", "templates/x", &a, &one, &e));
	for (int i = 0; i < N; i++) {
		t[i] = one;
		t[i].name = arena_printf(&a, "x%d.html", i);
	}
	struct script *s = template_compile(t, N, &e);
	assert_null(s);
	assert_string_equal(e.text,
	                    "templates/x: the templates together want more than 256 MiB of memory");
	script_free(s);
	sb_free(&src);
	arena_free(&a);
}

static void bytecode_is_refused(void **state)
{
	struct arena a = {0};
	struct script_value v;
	struct err e = ERR_NONE;
	(void)state;
	assert_false(script_data(STR("\033LuaS"), "content/site.lua", &a, &v, &e));
	assert_non_null(strstr(e.text, "content/site.lua"));
	arena_free(&a);
}

/* Pages cannot affect each other: the bytes are the same whatever was rendered before. */
static void pages_do_not_meet(void **state)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct sb out = {0};
	const char *const set[] = {"t.html", "% page.title = 'changed'\n{{ page.title }}", "u.html",
	                           "{{ page.n }}"};
	(void)state;
	struct template *t = translated(&a, set, 2, &e);
	struct script *s = template_compile(t, 2, &e);
	assert_non_null(s);
	for (int i = 0; i < 3; i++) {
		assert_true(script_render(s, "t.html", variables, NULL, &out, &e));
		assert_string_equal(out.p, "changed");
		assert_true(script_render(s, "u.html", variables, NULL, &out, &e));
		assert_string_equal(out.p, "42");
	}
	script_free(s);
	sb_free(&out);
	arena_free(&a);
}

static void data_files(void **state)
{
	static const struct {
		const char *src, *error;
	} bad[] = {
	        {"x", "site.lua:1: syntax error"},
	        {"return 1", "expected 'return { … }'"},
	        {"return { a = os.time() }", "site.lua:1:"},
	        {"return { a = print }", NULL},
	        {"return { a = function() end }", "function is not data"},
	        {"return { a = 1.5 }", "not whole"},
	        {"return { 1, a = 2 }", "mixes names and positions"},
	        {"while true do end", "too many instructions"},
	        {"\nlocal s = 'x' while true do s = s .. s end",
	         "site.lua:2: more than 16 MiB of memory wanted"},
	        {"local t = {} t.t = t return t", "nested more than"},
	        {"return {[1] = 1, [5] = 2}", "mixes"},
	};
	struct arena a = {0};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct script_value v;
		struct err e = ERR_NONE;
		bool ok = script_data(str_of(bad[i].src), "site.lua", &a, &v, &e);
		assert_int_equal(ok, !bad[i].error);
		if (bad[i].error && !strstr(e.text, bad[i].error))
			fail_msg("'%s' gave '%s'", bad[i].src, e.text);
	}
	struct script_value v;
	struct err e = ERR_NONE;
	assert_true(
	        script_data(STR("return { b = 'x', a = { 1, true } }"), "site.lua", &a, &v, &e));
	assert_int_equal(v.kind, SCRIPT_TABLE);
	assert_string_equal(v.member[0].key, "a");
	assert_int_equal(v.member[0].value->kind, SCRIPT_LIST);
	assert_int_equal(v.member[0].value->member[0].value->num, 1);
	assert_true(v.member[0].value->member[1].value->flag);
	assert_string_equal(v.member[1].value->text.p, "x");
	arena_free(&a);
}

/* Parts that are the same on every page are rendered once, until the cache is cleared. */
static bool count(void *ctx, const struct str *arg, struct sb *to, struct err *e)
{
	static const char *const names[] = {"first", "second", "third"};
	int *calls = ctx;
	(void)arg;
	(void)e;
	sb_cstr(to, names[(*calls)++]);
	return true;
}

static void once_is_rendered_once(void **state)
{
	static const char *const sources[] = {"t.html",
	                                      "{{ once(\"foot.html\") }}|{{ once(\"foot.html\") }}",
	                                      "foot.html", "<i>{{ count(\"\") }}</i>\n"};
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct sb out = {0};
	int calls = 0;
	(void)state;
	struct script *s = template_compile(translated(&a, sources, 2, &e), 2, &e);
	assert_non_null(s);
	script_define(s, &(struct script_function){"count", 1, false, count}, &calls);
	for (int page = 0; page < 2; page++) {
		assert_true(script_render(s, "t.html", variables, NULL, &out, &e));
		assert_string_equal(out.p, "<i>first</i>|<i>first</i>");
	}
	script_forget(s);
	assert_true(script_render(s, "t.html", variables, NULL, &out, &e));
	assert_string_equal(out.p, "<i>second</i>|<i>second</i>");
	script_free(s);
	sb_free(&out);
	arena_free(&a);
}

static void once_sees_no_page(void **state)
{
	static const char *const sources[] = {"t.html", "{{ once(\"foot.html\") }}", "foot.html",
	                                      "a\n{{ page.title }}"};
	struct arena a = {0};
	(void)state;
	const char *got = render_all(&a, sources, 2);
	if (!strstr(got, "templates/foot.html:2: ") || !strstr(got, "page"))
		fail_msg("%s", got);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(prints_and_escapes),
	        cmocka_unit_test(once_is_rendered_once),
	        cmocka_unit_test(once_sees_no_page),
	        cmocka_unit_test(places_of_errors),
	        cmocka_unit_test(objects),
	        cmocka_unit_test(templates_inside_templates),
	        cmocka_unit_test(functions),
	        cmocka_unit_test(nothing_else_is_there),
	        cmocka_unit_test(bombs_end),
	        cmocka_unit_test(so_do_slow_functions),
	        cmocka_unit_test(memory_is_counted),
	        cmocka_unit_test(a_large_file_before_a_page_does_not_count),
	        cmocka_unit_test(all_templates_share_the_memory),
	        cmocka_unit_test(bytecode_is_refused),
	        cmocka_unit_test(pages_do_not_meet),
	        cmocka_unit_test(data_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
