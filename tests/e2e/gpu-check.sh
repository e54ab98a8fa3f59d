#!/bin/bash
# On a machine with a GPU: every CUDA variant is right on the small cases, and
# a short run gives a record with clocks. Anywhere else: skipped, with the reason.
set -u
cd "$(dirname "$0")/../.." || exit 1
runner=${BUILD:-build}/runner
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
why=$("$runner" list | sed -n 's/^cuda  not here: //p')
if [ -n "$why" ]; then
	echo "ok - every CUDA variant is right # skip $why"
	echo "ok - a short CUDA run # skip $why"
	exit 0
fi
say() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 20 "$dir/log"; fi; }
"$runner" check --device cuda --small >"$dir/log" 2>&1
say $? 'every CUDA variant is right'
"$runner" run --device cuda --launches 2 --out "$dir" 'stream:op=copy,n=2^24' >"$dir/log" 2>&1 &&
	"$runner" verify "$dir"/*/*.jsonl >>"$dir/log" 2>&1
say $? 'a short CUDA run'
