#!/bin/bash
# Help, manual page and completion of the programs, all made from the tables of commands.
# Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$(realpath "${BUILD:-build}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
for program in site-gen runner; do
	[ -x "$build/$program" ] || { echo "not ok - there is a $program"; continue; }
	PATH=$build:$PATH
	$program --help | sed -n '/^commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p' >"$dir/commands"
	ok "$program lists its commands" test "$(wc -l <"$dir/commands")" -ge 5
	while read -r c; do
		ok "$program $c --help" grep -q "^usage: $program $c" <($program "$c" --help)
		ok "$program's manual has $c" grep -q "^\.SS \"$c" <($program man | sed 's/\\-/-/g')
	done <"$dir/commands"
	$program man >"$dir/$program.1"
	if command -v groff >/dev/null; then
		ok "$program's manual is well-formed" test -z "$(groff -man -ww -z "$dir/$program.1" 2>&1)"
	else
		echo "ok - $program's manual is well-formed # skip no groff"
	fi
	$program completion bash >"$dir/$program.bash"
	ok "$program completes commands" bash -c '. "$1"; COMP_WORDS=("$2" ""); COMP_CWORD=1; "_${2//-/_}"; for c in $(cat "$3"); do [[ " ${COMPREPLY[*]} " == *" $c "* ]] || exit 1; done' - "$dir/$program.bash" $program "$dir/commands"
	first=$(head -n 1 "$dir/commands")
	ok "$program completes options" bash -c '. "$1"; COMP_WORDS=("$2" "$3" "--he"); COMP_CWORD=2; "_${2//-/_}"; [ "${COMPREPLY[*]}" = --help ]' - "$dir/$program.bash" $program "$first"
	for shell in zsh fish; do
		$program completion $shell >"$dir/$program.$shell"
		ok "$program completion $shell names every command" bash -c 'while read -r c; do grep -q -- "$c" "$1" || exit 1; done <"$2"' - "$dir/$program.$shell" "$dir/commands"
		command -v $shell >/dev/null && ok "$shell can read it" $shell -n "$dir/$program.$shell"
	done
	ok "$program refuses an unknown shell" bash -c '! "$1" completion csh' - $program
	for c in --help man "$first --help"; do
		# shellcheck disable=SC2086 # words
		$program $c >/dev/full 2>"$dir/lost"
		ok "$program $c fails where its output is lost" test $? -eq 1
		ok "and says so in one line" test "$(grep -c "^$program: cannot write all of the output" "$dir/lost")/$(wc -l <"$dir/lost")" = 1/1
	done
	ok "$program names the nearest command" grep -q "did you mean '$first'" <($program "${first}x" 2>&1)
done
for c in "show tests/fixtures/run-example.jsonl" verify list; do
	# shellcheck disable=SC2086 # words
	ok "runner $c fails where its output is lost" bash -c '! "$@" >/dev/full' - "$build/runner" $c
done
