#!/bin/bash
# Edits of a published site whose manifest is mended: the audit names every file that was
# edited. Prints TAP lines. tests/mutation/edits.mjs makes the edits.
cd "$(dirname "$0")/../.." || exit 1
if ! command -v node >/dev/null; then
	echo 'ok - edits of a published site # skip no node'
	exit 0
fi
exec node tests/mutation/edits.mjs
