#!/bin/bash
# `site-gen import`: imports small sites of four generators; whatever it cannot import, it
# reports with its place. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
has() { grep -qF -- "$2" "$1" || { cat "$1"; return 1; }; }
mkdir "$dir/site"
cp -r tests/golden/whole-site/site/. tests/golden/look/templates tests/golden/look/static "$dir/site/"
posts=$dir/site/content/posts
import() { "$gen" import --root "$dir/site" "$@"; }

mkdir -p "$dir/hugo/content/posts/bundle" "$dir/jekyll/_posts" "$dir/zola/content/blog" "$dir/astro/src/data/blog"
cat >"$dir/hugo/content/posts/tiles.md" <<'MD'
---
title: "Tiles: a \"story\""
date: 2024-02-03T10:00:00+01:00
lastmod: 2024-03-01
tags: [cuda, "shared memory"]
categories:
  - memory
draft: false
params:
  hero: x.png
---
# A heading

See [the other]({{< ref "posts/bundle" >}}).

{{< highlight cuda "linenos=table" >}}
k<<<1, 2>>>(x); {{ not a shortcode }}
{{< /highlight >}}

{{< admonition type="warning" >}}
Careful.
{{< /admonition >}}

{{< youtube abc >}}

A <b>bold</b> word.
MD
printf -- '---\ntitle: Bundle\ndate: 2024-02-04\n---\n{{< figure src="p.svg" caption="A picture" >}}\n' >"$dir/hugo/content/posts/bundle/index.md"
cp tests/golden/look/static/* "$dir/hugo/content/posts/bundle/" 2>/dev/null
printf '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>' >"$dir/hugo/content/posts/bundle/p.svg"
printf -- '---\ntitle: List\n---\n' >"$dir/hugo/content/posts/_index.md"
cat >"$dir/jekyll/_posts/2023-01-02-old-post.markdown" <<'MD'
---
layout: post
title: Old post
tags:
- a
- b
---
{% highlight c %}
int main(void);
{% endhighlight %}
[x]({% post_url 2023-01-02-old-post %})
MD
cat >"$dir/zola/content/blog/rust.md" <<'MD'
+++
title = "From Zola"
date = 2022-05-06
[taxonomies]
tags = [
  "gpu",
  "roofline",
]
+++
[x](@/blog/rust.md)
MD
cat >"$dir/astro/src/data/blog/paper.md" <<'MD'
---
title: Paper
pubDatetime: 2021-07-08T09:10:11Z
modDatetime:
featured: true
postSlug: on-paper
description: From AstroPaper.
---
## Hello

~~~js
{% raw %}
~~~
MD

ok 'a dry run reports' grep -q '^2 posts' <(import --dry-run "$dir/hugo")
ok 'and writes nothing' test ! -e "$posts/tiles.md"
import "$dir/hugo" >"$dir/report"
ok 'Hugo: front matter' bash -c 'head -8 "$1" | diff - <(printf -- "---\ntitle: \"Tiles: a ”story”\"\ndate: 2024-02-03\nupdated: 2024-03-01\ntags: [\"cuda\", \"shared memory\"]\ncategory: \"memory\"\n---\n\n")' - "$posts/tiles.md"
ok 'a heading below the title' has "$posts/tiles.md" '## A heading'
ok 'a reference is a link' has "$posts/tiles.md" '[the other](/posts/bundle/)'
ok 'a code shortcode is a code block' has "$posts/tiles.md" '```cuda'
ok 'whose text is untouched' has "$posts/tiles.md" 'k<<<1, 2>>>(x); {{ not a shortcode }}'
ok 'an admonition is a callout' has "$posts/tiles.md" '> [!WARNING]'
ok 'with its text' has "$posts/tiles.md" '> Careful.'
ok 'a figure is a picture' has "$posts/bundle/index.md" '![A picture](p.svg "A picture")'
ok 'which comes along' cmp "$dir/hugo/content/posts/bundle/p.svg" "$posts/bundle/p.svg"
ok 'a style sheet does not, and that is told' has "$dir/report" 'bundle/site.css:1: a file of this kind is not published'
ok 'and left out' test ! -e "$posts/bundle/site.css"
ok 'an unknown shortcode is told with its line' has "$dir/report" "tiles.md:24: '{{< youtube abc >}}' is a shortcode that is not known here"
ok 'so is raw HTML' has "$dir/report" "tiles.md:26: '<b>' is raw HTML"
ok 'so is what the front matter has beyond ours' has "$dir/report" "tiles.md:9: front matter 'params' has no counterpart"
ok 'a list page is none of the posts' test ! -e "$posts/_index.md"
import "$dir/jekyll" >/dev/null
ok 'Jekyll: date and slug of the name' has "$posts/old-post.md" 'date: 2023-01-02'
ok 'tags as a list' has "$posts/old-post.md" 'tags: ["a", "b"]'
ok 'code' has "$posts/old-post.md" '```c'
ok 'a link to a post' has "$posts/old-post.md" '[x](/posts/old-post/)'
import "$dir/zola" >/dev/null
ok 'Zola: TOML, a list over lines' has "$posts/rust.md" 'tags: ["gpu", "roofline"]'
ok 'an internal link' has "$posts/rust.md" '[x](/posts/rust/)'
import "$dir/astro" >/dev/null
ok 'AstroPaper: its own names' has "$posts/on-paper.md" 'date: 2021-07-08'
ok 'code is left alone' has "$posts/on-paper.md" '{% raw %}'
rm "$posts/tiles.md"
ok 'what came in builds' "$gen" check -q --root "$dir/site"
ok 'what is there is not replaced' bash -c '! "$1" import --root "$2" "$3"' - "$gen" "$dir/site" "$dir/hugo"
ok 'and then nothing is written' test ! -e "$posts/tiles.md"
mkdir -p "$dir/twice/a" "$dir/twice/b"
for d in a b; do printf -- '---\ntitle: T\ndate: 2020-01-01\n---\n' >"$dir/twice/$d/same.md"; done
ok 'two sources of one file are an error' grep -q 'two sources give this file' <(import "$dir/twice" 2>&1)
mkdir "$dir/none"
ok 'an empty folder is an error' grep -q 'no posts there' <(import "$dir/none" 2>&1)
