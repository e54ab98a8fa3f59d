#!/bin/bash
# Runs the mutation test if node is installed; prints TAP lines.
cd "$(dirname "$0")/../.." || exit 1
if ! command -v node >/dev/null; then
	echo "ok - mutation # skip no node"
	exit 0
fi
exec node tests/mutation/main.mjs "$@"
