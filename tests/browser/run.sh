#!/bin/bash
# tests/browser/run.sh - builds the site, then checks every page of it: in a real browser
# (pages.js), as markup (markup.js), as links and feeds (links.js). It prints TAP lines,
# then "N passed, N failed". SITE=folder checks that site instead. ONLY=text checks only
# pages whose address contains the text. ALL=1 checks every page, even of those kinds of
# which it otherwise checks only a few.
set -u
cd "$(dirname "$0")/../.." || exit 1
export BUILD=${BUILD:-build}
work=$BUILD/browser
mkdir -p "$work"

if [ -z "${SITE:-}" ]; then
	SITE=$work/site
	if ! "$BUILD/site-gen" build --no-sync --cache "$BUILD/cache" --out "$SITE" >"$work/build.log" 2>&1; then
		echo "not ok - the site builds"
		sed 's/^/# /' "$work/build.log"
		exit 1
	fi
fi

# The packages lie beside the build, and are installed again when the lock file changes.
if ! cmp -s tests/browser/package-lock.json "$work/installed.json"; then
	cp tests/browser/package.json tests/browser/package-lock.json "$work/"
	if ! (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund) >"$work/npm.log" 2>&1; then
		echo "not ok - npm ci"
		sed 's/^/# /' "$work/npm.log"
		exit 1
	fi
	cp tests/browser/package-lock.json "$work/installed.json"
fi

exec node tests/browser/main.js "$SITE" "$work"
