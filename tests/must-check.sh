#!/bin/bash
# tests/must-check.sh - a function that takes a `struct err *` and returns a status
# is marked MUST_CHECK (lib/err.h), so that the compiler warns where a caller ignores
# the status; so is a pointer to such a function in a struct. Functions that only set
# an error are not marked: they are listed here. Prints TAP lines.
set -u
cd "$(dirname "$0")/.." || exit 1

setters='err_set|err_at|err_sys|rule_err|rule_mark|rule_add|git_fail'

# unmarked [FILE...]: declarations without the mark, as "FILE: declaration"
unmarked() {
	awk -v setters="^(bool|int) ($setters)\\\\(" '
		FNR == 1 { text = ""; comment = 0 }
		{
			for (line = ""; $0 != ""; ) { # without comments
				at = index($0, comment ? "*/" : "/*")
				if (!comment) line = line (at ? substr($0, 1, at - 1) " " : $0)
				$0 = at ? substr($0, at + 2) : ""
				if (at) comment = !comment
			}
			if (line ~ /^ *#/) next
			gsub(/^[ \t]+/, " ", line)
			text = text line
			if (line !~ /[;{}]/) next
			gsub(/^ +/, "", text)
			if (text ~ /[(,] *struct err \*/ && text ~ /;/ && text !~ /^(static|typedef|return|void|MUST_CHECK) ?/ &&
			    text !~ setters)
				print FILENAME ": " text
			text = ""
		}' "$@"
}
headers() { find lib runner site-gen -name '*.h' | LC_ALL=C sort; }

check() { # WHAT FOUND
	if [ -z "$2" ]; then
		echo "ok - $1"
	else
		printf 'not ok - %s\n%s\n' "$1" "$(head -n 20 <<<"$2")"
	fi
}

check 'a function that can fail is marked MUST_CHECK' "$(mapfile -t all < <(headers) && unmarked "${all[@]}" 2>&1)"

# the check itself sees a declaration without the mark, on one line and on two, and in a struct
try=$(mktemp)
trap 'rm -f "$try"' EXIT
cat >"$try" <<'HEADER'
/* A comment; struct err *e is in it: bool f(struct err *e); */
MUST_CHECK bool marked(int a, struct err *e);
bool one(int a, struct err *e);
const char *two(int a,
                struct err *e);
int four(int a, /* a comment before the error */ struct err *e);
struct table {
	bool (*three)(struct err *e);
	void (*fine)(struct err *e);
};
HEADER
missed=$(unmarked "$try" | wc -l)
check 'the check finds what is not marked' "$([ "$missed" = 4 ] || echo "found $missed of 4")"
