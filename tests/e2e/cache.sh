#!/bin/bash
# The cache of records: a site is the same with it, without it, and with whatever has become of
# it; and a false number in it is never published. The records are synthetic. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${BUILD:-build} gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/now" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; head -20 "$dir/said" "$dir/now" | sed 's/^/# /'; fi; }
run() { "$@" >"$dir/said" 2>&1; }
fails() { ! run "$@"; }
says() { grep -qE -- "$1" "$dir/said"; }

# A small site with 60 more runs
site=$dir/site cache=$dir/site/build/cache/records
tests/golden/site.sh cards "$site"
cp -r tests/golden/look/templates tests/golden/look/static "$site/" 2>/dev/null
cp -r templates/plots "$site/templates/"
gcc -std=c17 -D_GNU_SOURCE -O2 -I. tests/bench/copies.c "$build/lib.a" \
	-l:libjansson.a -l:libnettle.a -l:libz.a -lm -o "$dir/copies" || exit 1
"$dir/copies" "$site/data/runs" 60 0 1 "$site"/data/runs/*/*.jsonl*

# quick NAME: builds as a command does that trusts the cache
quick() { run "$gen" build -C "$site" --out "$dir/$1" --no-audit --no-sync; }
same() { diff -r "$dir/honest" "$dir/$1" >"$dir/said" 2>&1; }
other() { ! same "$1"; }
files() { find "$cache" -type f -name '????????????????????????????????????????' | wc -l; }
full() { [ "$(files)" = "$(find "$site/data/runs" -name '*.jsonl*' | wc -l)" ]; }

ok 'a build that audits' run "$gen" build -C "$site" --out "$dir/honest" --no-sync
ok 'leaves a file for each record' full
ok 'a build from the cache' quick warm
ok 'gives the same site' same warm
rm -r "$cache"
ok 'so does one without' quick cold
ok 'byte by byte' same cold
ok 'which makes it again' full
i=0
for f in "$cache"/*; do
	case $((i++ % 4)) in
	0) truncate -s $((i * 37)) "$f" ;;
	1) printf 'x' | dd of="$f" bs=1 seek=$((200 + i)) conv=notrunc status=none ;;
	2) : >"$f" ;;
	3) rm "$f" && mkdir "$f" ;;
	esac
done
ok 'damage does not stop a build' quick damaged
ok 'nor change it' same damaged
rm -r "$cache"
ok 'a cache that cannot be made, neither' sh -c ": >'$cache'"
ok 'it builds' quick none
ok 'the same' same none
rm "$cache"

# A false file with a right hash: every time of about a millisecond is a tenth longer.
if command -v python3 >/dev/null; then
	quick made
	cat >"$dir/plant.py" <<'END'
import hashlib, struct, sys
for path in sys.argv[1:]:
    program, digest = open(path, "rb").read().split(b"\n", 2)[1:]
    digest, at = bytearray(digest), 0
    while at + 8 <= len(digest):
        (v,) = struct.unpack_from("<d", digest, at)
        if 5e-4 < v < 2e-3:
            struct.pack_into("<d", digest, at, v * 1.1)
            at += 7
        at += 1
    body = program + b"\n" + bytes(digest)
    open(path, "wb").write(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
END
	ok 'somebody plants false numbers' run python3 "$dir/plant.py" "$cache"/*
	ok 'a build that does not audit believes them' quick planted
	ok 'so its site is another' other planted
	ok 'which the audit refuses' fails "$gen" audit --data-only --preview -C "$site" "$dir/planted"
	ok 'by the records' says 'the record says .* \[traced\]$'
	ok 'a build that audits believes the records' run "$gen" build -C "$site" --out "$dir/audited" --no-sync
	ok 'and publishes what they say' same audited
	ok 'the cache is honest again' quick mended
	ok 'as the site shows' same mended
else
	echo 'ok - false numbers are planted # skip no python3'
fi
