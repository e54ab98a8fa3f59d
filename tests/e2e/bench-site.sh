#!/bin/bash
# tests/bench-site --lines prints what `runner exec --lines` reads, so that `make bench-site-record`
# can make a record of it. Its posts are made up; they must pass the lint. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
said=$(tests/bench-site --lines 1500 2>&1)
for what in floor whole saved unchanged; do
	if grep -qE "^ridgepoint: $what posts=1500 [0-9]+ ms$" <<<"$said"; then
		echo "ok - it times: $what"
	else
		echo "not ok - it times: $what"
		sed 's/^/# /' <<<"$said"
	fi
done
