#!/bin/bash
# tests/once.sh - checks that facts which belong in one place stand nowhere else; prints TAP lines.
set -u
cd "$(dirname "$0")/.." || exit 1

check() { # WHAT COMMAND...: passes if the command prints nothing
	local found
	found=$("${@:2}" 2>&1)
	if [ -z "$found" ]; then
		echo "ok - $1"
	else
		printf 'not ok - %s\n%s\n' "$1" "$(head -n 20 <<<"$found")"
	fi
}
code() { git ls-files 'lib/*.[ch]' 'runner/*.[ch]' 'runner/*.cu' 'site-gen/*.[ch]'; }

# A new way of measuring is a row in lib/ways.c: no other source compares against its words. (To the
# lint they are words of sentences.)
ways() {
	{
		code | grep -vE '^(lib/ways\.|site-gen/lint/)' | xargs grep -nE '"(side|load|burst|zeros)"'
		git grep -n '"sustained"' -- 'site-gen/*.[ch]' # in the runner it is an option, too
	} | grep -vE ':[0-9]+:[[:space:]]*(/?\*)' |
		grep -v '^runner/\(.*/\)\?way\.[ch]:' # distributions as records name them
}
# A kernel that records name stays as it was when it was measured (Makefile).
lengths() { code | grep -vE '^(lib/array\.h|runner/selftest_chain)' | xargs grep -nE 'sizeof *\(?([a-z_.>-]+)\)? */ *sizeof *(\(?\*|\(?\1\[0\])'; }

defaults() { git ls-files 'runner/*.[ch]' 'site-gen/*.[ch]' | xargs grep -nE '\(default [0-9.]+[^"]*"|default: [0-9.]+[^"]*"'; }
cold() { code | grep -v '^runner/plan/plan\.c' | xargs grep -nE '\b[0-9.]+(e9)? *\* *[^;,]*cache_bytes|cache_bytes *[*/] *[0-9]'; }

# Words of the generator stand in lua/words.c and templates/words.lua: no label of a Chinese page is
# English, and no source of what translated pages share writes a sentence as markup.
english() {
	grep -roP '(aria-label|title|alt|placeholder)="[^"]*[A-Za-z]{3,}[^"]*"' tests/golden/*/expected/zh --include=*.html |
		grep -vP '="[^"]*\p{Han}|="(RSS|JSON|Atom)'
}
typed() {
	git ls-files site-gen/{kinds,markdown,plot,look}/'*.c' site-gen/pages/body{,_writer}.c site-gen/numbers/number.c |
		xargs grep -nE '(html_raw|html_text|html_attr|sb_cstr|sb_printf)\([^"]*"([^"\\]|\\.)*(^|[">( ])[A-Za-z]{2,} [a-z]{2,}( [a-z]{2,}|[.:,])' |
		grep -vE '"[^"]*<[a-z]+ [a-z-]+(=|")'
}

# The text of a limit says its constant: STR_DIGITS (lib/str.h).
sizes() {
	code | grep -v '^site-gen/lua/words\.c' |
		xargs grep -nE '"[^"]*(than|most|within) [0-9.]+ ?([KMG]iB|bytes|m?s)\b'
	limit TEMPLATES_MIB 'share % MiB'
	limit SCRIPT_PAGE_CPU_S 'take % s of CPU time'
}
limit() { # MACRO TEXT: templates/README.md has the text, with the constant for %
	local n
	n=$(sed -n "s/^#define $1 \([0-9]*\).*/\1/p" site-gen/lua/script*.[ch])
	tr '\n' ' ' <templates/README.md | grep -q "${2/\%/$n}" || echo "templates/README.md: ${2/\%/$n}"
}

# Names of states stand in records/data_state.c; test_words.c holds words.lua to them.
states() {
	local names
	names=$(grep -ozP '\[DATA_\w+\] =\s*\{"\K[a-z-]+' site-gen/records/data_state.c | tr '\0' '\n')
	diff <(echo "$names") <(sed -n '/^- `page.state`/,/\. `page.state_text`/p' templates/README.md |
		grep -oP '`\K[a-z-]+(?=`)')
	git grep -ohP '\bdata-state="\K[a-z-]+' -- static | grep -vxF -e "$names"
}
# Names of the highlighter's languages stand in base/highlight_lang.c.
languages() {
	diff <(grep -oP '\{\.name = "\K\w+' site-gen/base/highlight_lang.c) \
		<(sed -n '/^Languages are /,/ and `[a-z]*`\./p' docs/writing.md | grep -oP '`\K\w+(?=`)')
}

# A reason of records/ is a word of lua/words.c, and each of those words is used.
reasons() {
	diff <(git grep -ohP '"\Kwhy_[a-z_]+(?=")' -- site-gen/records | sort -u) \
		<(grep -oP '^ +\{"\Kwhy_[a-z_]+' site-gen/lua/words.c)
	git ls-files 'site-gen/records/*.c' | xargs grep -nE 'why(_none)? = ("|arena_printf)'
}

# Chinese prose calls a lane, a bank, a block and a tile what the glossary calls them (通道, 存储体, 线程块, 分块).
# The cooperative groups of CUDA have tiles of their own.
terms() {
	local word='(bank|block|lane|tile)s?'
	git ls-files 'content/*.zh.md' templates/words.lua content/kernels/words.lua | grep -v glossary |
		xargs env LC_ALL=C.UTF-8 grep -nP "\p{Han} ?$word(?![\w=/:.(])|[（：，；。、] ?$word ?\p{Han}" |
		grep -vE 'tile.*(cooperative-groups|协作组|簇)|^content/(posts/cooperative-groups|posts/launch|kernels/coop)\.zh\.md:[0-9]+:.*tile'
}

check 'Chinese texts use the words of the glossary' terms
check 'reasons of records/ are words of words.c' reasons
check 'limits are said with their constants' sizes
check 'docs and styles have the states of data_state.c' states
check 'docs/writing.md has the languages of highlight_lang.c' languages
check 'Chinese golden pages have no English label' english
check 'what translated pages share writes no English sentence' typed
check 'help prints the constants of its defaults' defaults
check 'plan_flush_bytes alone says how cold is cold' cold
check 'the words of ways of measuring stand in lib/ways.c' ways
spaces() { code | grep -v '^lib/str\.h' | grep -v '^site-gen/\(lint\|audit/html\|base/unicode\)' | xargs grep -nE 'define NBSP|xC2.xA0'; }

check 'the no-break space stands in lib/str.h' spaces
check 'lengths of arrays are counted by ARRAY_LEN' lengths
