#!/bin/bash
# tests/rooms.sh - checks the rooms of lib, runner and site-gen by the include lines;
# prints TAP lines. WING/rooms lists the rooms, the lowest first. A room may include
# itself and those above it in that list; `.` is the wing's own folder.
# `tests/rooms.sh write` makes WING/README.md from that list and from the first
# sentences of the headers.
set -u
cd "$(dirname "$0")/.." || exit 1

wings=(lib runner site-gen)
wing=

sources() { find "$wing" -name '*.[ch]' -o -name '*.cu' | LC_ALL=C sort; }

# FILE INCLUDED, both from the wing's folder on, a line each
includes() {
	sources | xargs grep -HoE "^[[:space:]]*#[[:space:]]*include[[:space:]]+\"$wing/[^\"]+\"" |
		sed -E "s,^$wing/([^:]*):.*\"$wing/(.*)\",\1 \2,"
}
rooms() { cut -f 1 "$wing/rooms"; }

upward() {
	{ rooms | sed 's/^/room /'; includes; } | awk -v wing="$wing" '
		function room(f) { return sub(/\/.*/, "", f) ? f : "." }
		$1 == "room" { floor[$2] = ++n; next }
		$1 == "main.c" { next }
		!(room($1) in floor) { print $1 ": not in a room of " wing "/rooms"; next }
		floor[room($2)] > floor[room($1)] { print $1 " includes " $2 ", whose room stands below its own in " wing "/rooms" }'
}

# A check of no includes would pass: every wing includes its own headers.
blind() { [ -n "$(includes)" ] || echo "no include of $wing/ in $wing/"; }

# x.c, x.h and x_inner.h are one module; inner.h of a room is one with the module of its name
circles() {
	includes | awk '
		function module(f) {
			sub(/\.[chu]+$/, "", f); sub(/_(inner|lua)$/, "", f)
			if (f ~ /\/inner$/) { split(f, p, "/"); f = p[1] "/" p[1] }
			return f
		}
		{ a = module($1); b = module($2); if (a != b && !((a, b) in edge)) { edge[a, b]; out[a]++; to[a] = to[a] " " b; all[a]; all[b] } }
		END { # what includes nothing that is left is taken away, until nothing changes
			do {
				changed = 0
				for (m in all) {
					n = split(to[m], t, " "); left = 0
					for (i = 1; i <= n; i++) left += t[i] in all
					if (!left) { delete all[m]; changed = 1 }
				}
			} while (changed)
			do { # and what nothing left includes
				changed = 0
				for (m in all) seen[m] = 0
				for (m in all) { n = split(to[m], t, " "); for (i = 1; i <= n; i++) if (t[i] in all) seen[t[i]] = 1 }
				for (m in all) if (!seen[m]) { delete all[m]; changed = 1 }
			} while (changed)
			for (m in all) print m " is in a circle of includes"
		}'
}

# The audit shares nothing with what wrote the numbers; of site.lua it reads which device is the site's.
audit_sees() {
	includes | grep '^audit/' | grep -vE ' (audit|base|output|git|lint|records|numbers)/| lua/config\.h$'
}
# A source without a header of its own is part of the module that declares it: stats_rank.c of stats.h
crowded() {
	sources | grep '\.h$' | sed -E 's/(_inner|_lua)?\.h$//; s,/[^/]*$, &,' | sort -u | cut -d ' ' -f 1 | uniq -c |
		awk '$1 > 25 { print $2 " has " $1 " modules" }'
}

# "name - what it is" of a header: up to the end of its first sentence
line_of() {
	awk '
		/^\/\*/ || on { on = 1; line = $0; sub(/^ ?\/?\*+ ?/, "", line); end = /\*\//; sub(/ *\*\/.*/, "", line)
			if (line == "" && text != "") end = 1
			text = text (text == "" || line == "" ? "" : " ") line
			if (end) exit }
		END { sub(/^[a-z-]+\/[^ ]* - /, "", text); sub(/(\. |; |\.$).*/, "", text); sub(/:$/, "", text); print text }' "$1" |
		sed 's/|/\\|/g'
}
# A source without a header is declared in that of another: its own first comment, or nothing
part_of() { ! head -c 2 "$1" | grep -q '/\*' || line_of "$1"; }
files() { # FOLDER: a row each
	local file name
	printf '| file | is |\n|---|---|\n'
	for file in "$1"/*; do
		name=$(basename "$file")
		case $name in
		main.c) ;;
		*.h) printf '| `%s` | %s |\n' "${name%.h}" "$(line_of "$file")" ;;
		*.c | *.cu) [ -e "${file%.*}.h" ] || printf '| `%s` | %s |\n' "$name" "$(part_of "$file")" ;;
		*.sh) printf '| `%s` | %s |\n' "$name" "$(sed -nE "2s/^# [^ ]*( [A-Z[][^-]*)? - //p" "$file" | sed -E 's/(\. |: |, |\.$).*//')" ;;
		esac
	done
}
readme() {
	local room about
	if [ "$(rooms)" = . ]; then
		printf '%s\n' "# The files of $wing" '' "What they are for: $(cut -f 2 "$wing/rooms")." \
			'`tests/rooms.sh write` makes this page of the first sentence of each header.' ''
		files "$wing"
		return
	fi
	printf '%s\n' "# The rooms of $wing" '' \
		'A room includes itself and the rooms above it on this page; `tests/rooms.sh` holds that, and makes this page' \
		"of \`$wing/rooms\` and of the first sentence of each header: \`tests/rooms.sh write\`. \`main.c\` has the table of commands."
	while IFS=$'\t' read -r room about; do
		[ "$room" = . ] && printf '\n## %s\n\n' "$about" || printf '\n## %s/: %s\n\n' "$room" "$about"
		files "$wing/$room"
	done <"$wing/rooms"
}
if [ "${1:-}" = write ]; then
	for wing in "${wings[@]}"; do readme >"$wing/README.md"; done
	exit
fi

check() { # WHAT COMMAND: passes if the command prints nothing
	local found
	found=$("$2" 2>&1)
	if [ -z "$found" ]; then
		echo "ok - $1"
	else
		printf 'not ok - %s\n%s\n' "$1" "$(head -n 20 <<<"$found")"
	fi
}
stale() { diff <(readme) "$wing/README.md"; }
nameless() { readme | grep -E '^\| `[^`]*` \|  *\|$'; }
for wing in "${wings[@]}"; do
	check "a room of $wing includes itself and those above it in $wing/rooms" upward
	check "no module of $wing includes one that includes it" circles
	check "no room of $wing has more than 25 modules" crowded
	check "$wing/README.md is made of the headers as they are" stale
	check "each file of $wing says what it is" nameless
	check "the includes of $wing are found" blind
done
check 'the audit sees records, numbers and what is below' audit_sees
