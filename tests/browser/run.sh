#!/bin/bash
# tests/browser/run.sh - builds the site, then reads every page of it: in a
# real browser (pages.js), as markup (markup.js), as links and feed (links.js).
# TAP lines, then "N passed, N failed". With SITE=folder that site is read, with
# ONLY=text only the pages whose address contains the text, with ALL=1 also all
# pages of those kinds of which otherwise a few are read.
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

# The packages live beside the build, and stay while the lock file does.
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
