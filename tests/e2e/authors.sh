#!/bin/bash
# Messages for authors: excerpts, warnings, omissions, misspelt words; and another look.
# Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
gen=$(realpath "${BUILD:-build}/site-gen") root=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
# says TEXT COMMAND...: it succeeds and prints that; refuses: it fails and prints that
says() { "${@:2}" >"$dir/out" 2>&1 && grep -qF -- "$1" "$dir/out" || { cat "$dir/out"; return 1; }; }
refuses() { ! "${@:2}" >"$dir/out" 2>&1 && grep -qF -- "$1" "$dir/out" || { cat "$dir/out"; return 1; }; }
silent() { ! grep -qF -- "$1" "$dir/out" || { cat "$dir/out"; return 1; }; }
post() { printf -- '---\ntitle: %s\ndate: %s\n%s---\n%s\n' "$2" "$3" "${5:-}" "$4" >"content/posts/$1.md"; }

cp -r tests/golden/whole-site/site "$dir/site"
cp -r tests/golden/look/templates tests/golden/look/static "$dir/site/"
cd "$dir/site" || exit 1

# --- excerpts
post wrong Wrong 2026-01-02 'A <<bench:valeu x>>.'
ok 'CI gets a line for a problem' refuses "content/posts/wrong.md:5:11: no placeholder kind 'valeu'" "$gen" check
ok 'and no more' silent '5 | A'
ok '--excerpts: the line' refuses '5 | A <<bench:valeu x>>.' "$gen" check --excerpts
ok 'and where in it' grep -qE '^  [|] {11}\^$' "$dir/out"
rm content/posts/wrong.md

# --- warnings
post noted Noted 2026-01-02 $'Text.\n\n[^gone]: A note.'
ok 'a warning has its place' says "content/posts/noted.md:7:1: warning: nothing refers to the footnote '[^gone]'" "$gen" build --no-sync
ok 'and fails nothing' test -e build/site/posts/noted/index.html
ok '--werror makes it an error' refuses 'noted.md:7:1: warning' "$gen" build --no-sync --werror
post noted Noted 2026-01-02 'To [a draft](/posts/hidden/).'
post hidden Hidden 2026-01-02 'Text.' $'draft: true\n'
ok 'a link to a draft: an error without it' refuses "link to '/posts/hidden/', which the site does not have" "$gen" check
ok 'a warning with it' says "content/posts/noted.md:5:4: warning: link to '/posts/hidden/', which is a draft" "$gen" check --drafts
ok 'drafts are listed' says 'content/posts/draft.md is left out: a draft (--drafts)' bash -c 'rm content/posts/noted.md; "$1" check' - "$gen"

# --- days to come
at() { GIT_AUTHOR_DATE=$1 GIT_COMMITTER_DATE=$1 git -c user.name=T -c user.email=t@example.org "${@:2}"; }
printf 'build\n' >.gitignore
post later Later 2026-01-07 'Text.'
ok 'without a repository there is no day to come' says 'no problems' "$gen" check
ok 'and nothing is scheduled' silent later.md
git init -q -b main && git add -A && at 2026-01-05T12:00:00Z commit -q -m site
ok 'a post of a day to come is left out, and listed' says 'content/posts/later.md is left out: scheduled for 2026-01-07 (--future)' "$gen" check
"$gen" build -q --no-sync
ok 'it has no page' test ! -e build/site/posts/later
"$gen" build -q --no-sync --future
ok '--future publishes it' test -e build/site/posts/later/index.html
at 2026-01-06T11:00:00Z commit -q --allow-empty -m 'its day has begun in Kiritimati'
"$gen" build -q --no-sync
ok 'so does a commit of its day' test -e build/site/posts/later/index.html

# --- spelling, by a program that knows few words
cat >"$dir/speller" <<'END'
#!/bin/sh
grep -vxE 'Text|by|hand|and'
exit 0
END
chmod +x "$dir/speller"
find content -name '*.md' ! -path '*/pages/*' -delete
rm -r content/pages/*.md content/posts/second
printf -- '---\ntitle: About\n---\nText\n' >content/pages/about.md
post spelt Spelt 2026-01-01 $'Text by hnad, `cdoe` and\n\n```\nvoid fucn;\n```\n[Text](/about/) by u_name hnad.'
ok 'a word is misspelt at its place' says "content/posts/spelt.md:5:9: warning: 'hnad' is no word" "$gen" check --spell "$dir/speller -l"
ok 'once a file' test "$(grep -c hnad "$dir/out")" = 1
ok 'code, placeholders, addresses and names are none' test "$(grep -c 'is no word' "$dir/out")" = 1
ok '--werror fails' refuses "'hnad' is no word" "$gen" check --werror --spell "$dir/speller"
echo hnad >content/words.txt
ok 'content/words.txt accepts it' says 'no problems' "$gen" check --werror --spell "$dir/speller"
ok 'which is no word list of a page' silent hnad
ok 'no program, no check' says "the spelling was not checked: no program 'nospell'" "$gen" check --spell 'nospell -l'
