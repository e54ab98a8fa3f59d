#!/bin/bash
# tests/rooms.sh - the rooms of site-gen, held by the include lines; prints TAP
# lines. site-gen/rooms lists them, the lowest first: a room includes itself
# and those above it in that list. `tests/rooms.sh write` makes site-gen/README.md
# of that list and of the first lines of the headers.
set -u
cd "$(dirname "$0")/.." || exit 1

sources() { find site-gen -name '*.[ch]' | LC_ALL=C sort; }

# FILE INCLUDED, both from site-gen/ on, a line each
includes() {
	sources | xargs grep -HoE '^#include "site-gen/[a-z_/]+\.h"' |
		sed -E 's,^site-gen/([^:]*):#include "site-gen/(.*)",\1 \2,'
}
rooms() { cut -f 1 site-gen/rooms; }

upward() {
	{ rooms | sed 's/^/room /'; includes; } | awk '
		$1 == "room" { floor[$2] = ++n; next }
		{ split($1, from, "/"); split($2, to, "/") }
		from[1] == "main.c" { next }
		!(from[1] in floor) { print $1 ": not in a room of site-gen/rooms"; next }
		floor[to[1]] > floor[from[1]] { print $1 " includes " $2 ", which is above it" }'
}

# x.c, x.h and x_inner.h are one module; inner.h of a room is one with the module of its name
circles() {
	includes | awk '
		function module(f) {
			sub(/\.[ch]$/, "", f); sub(/_(inner|lua)$/, "", f)
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
crowded() {
	sources | grep / | sed -E 's/\.[ch]$//' | sort -u | cut -d / -f 2 | uniq -c | awk '$1 > 25 { print $2 " has " $1 " modules" }'
}

# "name - what it is" of a header: up to the end of its first sentence
line_of() {
	awk '
		/^\/\*/ || on { on = 1; line = $0; sub(/^ ?\/?\*+ ?/, "", line); end = /\*\//; sub(/ *\*\/.*/, "", line)
			if (line == "" && text != "") end = 1
			text = text (text == "" || line == "" ? "" : " ") line
			if (end) exit }
		END { sub(/^site-gen\/[^ ]* - /, "", text); sub(/(\. |; |\.$).*/, "", text); sub(/:$/, "", text); print text }' "$1"
}
# A file without a header is declared in that of another: its own first comment, or nothing
part_of() { head -c 2 "$1" | grep -q '/\*' && line_of "$1" | sed 's/|/\\|/g'; }
readme() {
	local room about file name
	printf '%s\n' '# The rooms of site-gen' '' \
		'A room includes itself and the rooms above it on this page; `tests/rooms.sh` holds that, and makes this page' \
		'of `site-gen/rooms` and of the first sentence of each header: `tests/rooms.sh write`. `main.c` starts the command.'
	while IFS=$'\t' read -r room about; do
		printf '\n## %s/: %s\n\n| file | is |\n|---|---|\n' "$room" "$about"
		for file in site-gen/"$room"/*; do
			name=$(basename "$file")
			case $name in
			*.h) printf '| `%s` | %s |\n' "${name%.h}" "$(line_of "$file" | sed 's/|/\\|/g')" ;;
			*.c) [ -e "${file%.c}.h" ] || printf '| `%s` | %s |\n' "$name" "$(part_of "$file")" ;;
			esac
		done
	done <site-gen/rooms
}
if [ "${1:-}" = write ]; then
	readme >site-gen/README.md
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
stale() { diff <(readme) site-gen/README.md; }
check 'a room of site-gen includes itself and those below' upward
check 'no module of site-gen includes one that includes it' circles
check 'the audit sees records, numbers and what is below' audit_sees
check 'no room has more than 25 modules' crowded
check 'site-gen/README.md says what each file is' stale
