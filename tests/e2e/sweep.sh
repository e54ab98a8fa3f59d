#!/bin/bash
# A sweep of a knob (kernels/knob.h), from the runner to the page: measured on a pretended GPU, found
# only by who names the knob, and drawn with the chosen value marked. The record is SYNTHETIC: nothing
# in it was measured. No site takes records of a pretended device, so the test gives this one the
# schema of real ones, and ten seconds between its launches, in a folder that it throws away.
# Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD bin=$(realpath "${BUILD:-build}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
say() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; grep -v null= "$dir/log" | sed 's/^/# /' | tail -20; fi; }
planned() { "$bin/runner" run --dry-run "$@" 2>/dev/null | grep -v null= >log; }
export RIDGEPOINT_PRETEND=132
ring=op=copy,n=2^28

"$bin/runner" list stream/ring >log 2>&1 && grep -qx '    knob slots, slots: 2 3 4 5 \[6\] 7' log
say $? 'the runner lists the knob, and marks the chosen value'
planned "stream/ring:$ring" && [ "$(grep -c '^stream/ring:' log)" = 1 ] && ! grep -q slots= log
say $? 'who does not name it measures the variant alone'
planned "stream/ring:slots=*,$ring" && [ "$(grep -c '^stream/ring:.*,slots=[2-7],' log)" = 6 ]
say $? 'who names it measures each value'
planned "stream/ring:slots={4,6},$ring" && [ "$(grep -c '^stream/ring:' log)" = 2 ]
say $? 'or some of them'
"$bin/runner" check --verbose "stream/ring:op=copy,n=1023" >log 2>&1 && [ "$(grep -c '^ok .*slots=[2-7]' log)" = 6 ] && grep -q '^7 passed, 0 failed' log
say $? 'a check covers all of them'
RIDGEPOINT_PRETEND=132:wrong@stream/ring "$bin/runner" check "stream/ring:slots=2,op=copy,n=1023" >log 2>&1
[ $? = 1 ] && grep -q '^wrong .*slots=2' log
say $? 'and finds one that is wrong'

# --- measured, with the variant itself, and another one beside it ---

"$bin/runner" run --launches 3 --seed 5 --out runs "stream/{ring,tile}:$ring" "stream/ring:slots=*,$ring" >log 2>&1
say $? 'it is measured'
find runs -name '*.jsonl.gz' >found
read -r made <found
zcat "$made" >lines
[ "$(grep -v '"role":"null"' lines | grep -c '^{"type":"case",.*"knob":{"name":"slots","unit":"slots","chosen":6}')" = 6 ] &&
	! grep -q '"knob".*"source":\[\["kernels/stream/ring.cu"' lines
say $? 'the record says what was chosen'
if grep -q '"source":\[\["kernels/stream/tile.cu"' lines; then # without nvcc no source is known
	grep '"knob"' lines | grep -q '"source":\[\["kernels/stream/ring_slots.cu"'
	say $? 'and names the source of the sweep'
fi
site=$dir/site
mkdir -p "$site"/content/{posts,pages} "$site/data/runs/pretended-132"
cp -r "$root/templates" "$root/static" "$site/"
node -e '
	const crypto = require("crypto"), fs = require("fs"), zlib = require("zlib");
	const hash = (s) => crypto.createHash("sha256").update(s).digest("hex");
	const [from, to] = process.argv.slice(1);
	let n = 0;
	const text = zlib.gunzipSync(fs.readFileSync(from)).toString().replace("ridgepoint-pretended/", "ridgepoint-run/")
		.replace(/"t_ms":(\d+)/g, (_, ms) => `"t_ms":${Number(ms) + 10000 * n++}`)
		.replace(/"end":"([^"]*)"/, (_, end) => `"end":"${new Date(Date.parse(end) + 36e5).toISOString().slice(0, 19)}Z"`);
	const at = text.lastIndexOf("\n{") + 1, body = text.slice(0, at);
	const end = text.slice(at).replace(/"sha256":"[0-9a-f]*"/, `"sha256":"${hash(body)}"`).replace(/,"line_sha256".*/s, "");
	fs.writeFileSync(to, zlib.gzipSync(`${body}${end},"line_sha256":"${hash(end)}"}\n`));
' "$made" "$site/data/runs/pretended-132/$(basename "$made")"
cd "$site" || exit 1
"$bin/runner" verify --add data/runs/pretended-132/*.gz >../log 2>&1
say $? 'under the schema of real records it is a whole record'
cat >content/site.lua <<END
return {
	title = "Swept", description = "A site of one synthetic record.", base_url = "https://swept.example/",
	author = "A test", default_device = "pretended-132", nav = { { title = "Posts", url = "/posts/" } },
}
END
post() { # NAME TEXT
	printf -- '---\ntitle: %s\ndescription: A test.\ndate: 2026-01-01\ntags: [test]\n---\n\n%s\n' "$1" "$2" >"content/posts/${1,,}.md"
}
post Swept '<<bench:plot stream/ring x=slots op=copy n=2^28 roof=none title="Of the rings, one was chosen">>

The ring takes <<bench:value stream/ring op=copy n=2^28 metric=time>>, with four slots
<<bench:value stream/ring op=copy n=2^28 slots=4 metric=time>>, and there are
<<bench:count cases stream/ring op=copy n=2^28>> and <<bench:count cases stream/ring op=copy n=2^28 slots=*>> cases.
As chosen it takes <<bench:ratio stream/ring op=copy n=2^28 slots=2 over=stream/ring:slots=6 metric=time>> less,
and <<bench:ratio stream/ring op=copy n=2^28 slots=2 over=stream/tile metric=time>> beside another variant.

<<bench:plot stream/{ring,tile} op=copy n=2^28 roof=none title="Two variants, no sweep">>'
git init -q . && git add -A && git -c user.name=test -c user.email=test@example.org commit -qm site
"$bin/site-gen" build >../log 2>&1
say $? 'the site builds'
page=build/site/posts/swept/index.html
node -e '
	const page = require("fs").readFileSync(process.argv[1], "utf8"), figures = page.split("<figure").slice(1);
	const wrong = [], want = (what, ok) => { if (!ok) wrong.push(what); };
	for (const svg of figures[0].match(/<svg.*?<\/svg>/gs)) {
		const mark = svg.match(/<path class="chosen"[^>]*d="M([0-9.]+)[ ,]/), at = {}, y = {};
		for (const [, slots, cx, cy] of svg.matchAll(/<title>[^<]*slots\s=\s(\d)[^<]*<\/title><circle[^>]*cx="([0-9.]+)"[^>]*cy="([0-9.]+)"/g))
			[at[slots], y[slots]] = [Number(cx), Number(cy)];
		want("a point for each value", Object.keys(at).join() === "2,3,4,5,6,7");
		want("a line at the chosen value", mark && Math.abs(mark[1] - at[6]) < 0.6);
		want("its name", />chosen: 6</.test(svg));
		want("the pretended optimum at the chosen value", Object.keys(y).every((k) => y[6] <= y[k]));
	}
	want("two drawings", figures[0].match(/<svg/g).length === 2);
	want("no mark and no sweep in the other plot", !/chosen|slots\s=/.test(figures[1].split("</figure>")[0]));
	want("one case and six", /there are\s.*>1<.* and .*>6<.* cases/s.test(page));
	if (wrong.length) { console.log(wrong.join("\n")); process.exit(1); }
' $page >../log 2>&1
say $? 'the plot has a point for each value, and a mark at the chosen one'
"$bin/site-gen" audit build/site >../log 2>&1
say $? 'the audit derives the numbers of the page again'
node "$root/tests/e2e/recompute.mjs" $page data/runs/pretended-132/*.gz
post Open '<<bench:plot stream/ring op=copy n=2^28 slots=4,6 title="Two rings">>

<<bench:value stream/ring op=copy n=2^28 slots=* metric=time>>'
"$bin/site-gen" build >../log 2>&1
[ $? != 0 ] && grep -q 'open.*slots= (2, 3, 4, 5, 6, 7)' ../log
say $? 'one number of a sweep needs the value'
