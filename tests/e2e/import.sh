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
Title: "Tiles: a \"story\""
Author: A. Guest
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

{{< chart abc >}}

A <b>bold</b> word, <a href="/about/">x</a>, `a<b>` and Vec<T>.
<!-- more -->
<!-- over
two lines -->
![](/warp-tiles.svg) ![p](https://x.example/p.png)
<script>
alert("<b>");
</script>
The end took 3 ms.
MD
printf -- '---\ntitle: Bundle\ndate: 2024-02-04\n---\n{{< figure src="p.svg" caption="A picture" >}}\n' >"$dir/hugo/content/posts/bundle/index.md"
cp tests/golden/look/static/* "$dir/hugo/content/posts/bundle/" 2>/dev/null
printf '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>' >"$dir/hugo/content/posts/bundle/p.svg"
mkdir "$dir/hugo/static" && cp "$dir/hugo/content/posts/bundle/p.svg" "$dir/hugo/static/warp-tiles.svg"
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
ok 'Hugo: front matter' bash -c 'head -10 "$1" | diff - <(printf -- "---\ntitle: \"Tiles: a ”story”\"\ndate: 2024-02-03\nupdated: 2024-03-01\ntags: [\"cuda\", \"shared memory\"]\ncategory: \"memory\"\nauthor: \"A. Guest\"\nimported: \"content/posts/tiles.md\"\n---\n\n")' - "$posts/tiles.md"
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
ok 'an unknown shortcode is told with its line' has "$dir/report" "tiles.md:25: '{{< chart abc >}}' is a shortcode that is not known here"
ok 'HTML is Markdown' grep -qx 'A \*\*bold\*\* word, \[x\](/about/), `a<b>` and Vec\\<T>.' "$posts/tiles.md"
ok 'a comment over lines is gone' bash -c '! grep -qE "more|two lines" "$1"' - "$posts/tiles.md"
ok 'a picture without a text is named after its file, and comes to static/' has "$posts/tiles.md" '![warp-tiles](/static/warp-tiles.svg)'
ok 'one on another site is a link, and that is told' has "$dir/report" "'https://x.example/p.png' is on another site"
ok 'a script is left out, and that is told' has "$dir/report" "'<script>' was left out"
ok 'and only that' bash -c '! grep -q alert "$1" && grep -qx "The end took 3 ms." "$1"' - "$posts/tiles.md"
ok 'the summary counts' grep -qE '^ +1 repaired: pictures named' "$dir/report"
ok 'so is what the front matter has beyond ours' has "$dir/report" "tiles.md:10: front matter 'params' has no counterpart"
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
import "$dir/hugo" >"$dir/again"
ok 'what is there is not replaced: a second import gets numbers' test -e "$posts/bundle-2/index.md"
ok 'which are told' has "$dir/again" 'the address /posts/bundle/ is taken: now /posts/bundle-2/'
rm -r "$posts"/*
mkdir -p "$dir/twice/a" "$dir/twice/b" "$dir/twice/ko"
for d in a b ko; do printf -- '---\ntitle: T\ndate: 2020-01-01\n---\n' >"$dir/twice/$d/same.md"; done
cp "$dir/twice/a/same.md" "$dir/twice/b/沉默.md"
cp "$dir/twice/a/same.md" "$dir/twice/b/same.es.md"
printf -- '---\ntitle: "open\n---\n' >"$dir/twice/b/broken.md"
printf -- '---\ntitle: T\ndate: 2020-01-01\ndraft: true\n---\n' >"$dir/twice/b/draft.md"
import "$dir/twice" >"$dir/report"
ok 'two sources of one address: the second gets a number' test -e "$posts/same.md" -a -e "$posts/same-2.md"
ok 'a folder or a file of another language has translations, which share a number' test -e "$posts/same.ko.md" -a -e "$posts/same-2.es.md"
ok 'a name without Latin letters has an address' test -e "$posts/post.md"
ok 'a file that cannot be read is left out, and that is told' has "$dir/report" 'broken.md:1: left out:'
ok 'drafts stay away' test ! -e "$posts/draft.md"
ok 'and are counted' has "$dir/report" '1 drafts left out'
rm -r "$posts"/*
import --drafts "$dir/twice" >"$dir/report"
ok '--drafts brings them' has "$posts/draft.md" 'draft: true'
ok 'all of it builds' "$gen" check -q --root "$dir/site"
rm -r "$posts"/*
mkdir -p "$dir/raw/_posts" "$dir/raw/assets"
cat >"$dir/raw/_posts/2021-03-04-raw.md" <<'MD'
---
layout: post
redirect_from: /old/raw.html
permalink: 2021/raw
oddity: 7
---
# Raw parts

Before.
<table>
  <tr><th>case</th><th>a|b</th></tr>
  <tr><td>one <b>bold</b></td><td colspan="1">x<sup>2</sup></td></tr>
</table>
<ol><li>first</li>
<li>second <ul><li>inner</li></ul></li></ol>
<pre><code class="language-c">int a = b &lt; c;
</code></pre>
<details><summary>More of <i>it</i></summary>

Folded *text*.
</details>
<h3>Third</h3>
<figure><img
  src="/assets/d.svg" alt="A drawing"><figcaption>What it shows</figcaption></figure>
<div class="box">
    Not code, though it is indented.
</div>
<canvas id="c">no drawing</canvas>

    indented <b>code</b> {{ stays }}

> [!QUESTION] Why
> Because[^1] and [^none].

{% assign where = "/assets" %}
![p]({{ where }}/d.svg) and ![][ref] {% raw %}{{ x }}{% endraw %}
[ref]: {{ site.url }}/assets/wrong.png
{{<unknown thing="x">}} [ftp](ftp://x.example/a) [](https://x.example/b) ((https://x.example/c))

[^1]: A note.
MD
printf '<?xml version="1.0"?>\n<!DOCTYPE svg [ <!ENTITY a "b"> ]>\n<!-- c --><svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://i.example" i:x="1" viewBox="0 0 4 3" onload="x()"><metadata><i:y/></metadata><script>x()</script><text>It took 3 ms</text></svg>' >"$dir/raw/assets/d.svg"
printf '\377\330\377\300\0\21\10\0\1\0\1\3\1\21\0\2\21\0\3\21\0\377\331' >"$dir/raw/assets/wrong.png"
cat >"$dir/raw/_posts/2021-03-05-parts.mdx" <<'MD'
---
title: Parts
tags: [a]
---
import Box from "./Box.jsx"
export const x = {
  y: 1 }

<Box kind="note">
Kept, {/* not this */} whole.
</Box>
<div style={{ width: "50%" }}>Half</div>
MD
printf -- '---\ntitle: Page\n---\n<div>\n     One * two * <b>three</b>.<br />\n     # four</div>\n' >"$dir/raw/_posts/2021-03-06-page.html"
printf '<html><body>a layout</body></html>' >"$dir/raw/_posts/layout.html"
import "$dir/raw" >"$dir/report"
cp "$posts/raw/index.md" "$dir/raw.md"
ok 'a title comes from the first heading' has "$dir/raw.md" 'title: "Raw parts"'
ok 'former addresses are aliases' has "$dir/raw.md" 'aliases: [/old/raw.html, /2021/raw/]'
ok 'an HTML table is a table' has "$dir/raw.md" '| case | a\|b |'
ok 'with what its cells hold' has "$dir/raw.md" '| one **bold** | x² |'
ok 'a list is a list' has "$dir/raw.md" '2. second'
ok 'with the one in it' has "$dir/raw.md" '   - inner'
ok 'code is code' has "$dir/raw.md" 'int a = b < c;'
ok 'in its language' has "$dir/raw.md" '```c'
ok 'details are folded' has "$dir/raw.md" '> [!MORE] More of it'
ok 'a heading is one' has "$dir/raw.md" '### Third'
ok 'a figure has its caption, over lines, too' has "$dir/raw.md" '![A drawing](d.svg "What it shows")'
ok 'the indent of HTML is no code' has "$dir/raw.md" 'Not code, though it is indented.'
ok 'what has no counterpart is kept, folded' has "$dir/raw.md" '> <canvas id="c">no drawing</canvas>'
ok 'and listed' has "$dir/report" "2021-03-04-raw.md:28: '<canvas>' has no counterpart: its source is kept, folded"
ok 'indented code is untouched' has "$dir/raw.md" '    indented <b>code</b> {{ stays }}'
ok 'another callout is one of ours' has "$dir/raw.md" '> [!NOTE]'
ok 'a footnote without a text is a bracket' has "$dir/raw.md" 'Because[^1] and \[^none].'
ok 'what Liquid prints is printed' has "$dir/raw.md" '![p](d.svg) and !['
ok 'a picture gets the ending of its format' test -s "$dir/site/static/wrong.png.jpg"
ok 'a note after HTML blocks has its line in the source' has "$dir/report" "2021-03-04-raw.md:38: 'ftp://x.example/a' leads nowhere"
ok 'a drawing is cleaned' bash -c '! grep -qE "metadata|script|onload|DOCTYPE|i:" "$1" && grep -q "took 3 ms" "$1"' - "$posts/raw/d.svg"
ok 'an unknown shortcode is text, in which no tag begins' has "$dir/raw.md" '{{\<unknown thing="x">}} ftp [https://x.example/b](https://x.example/b)'
ok 'modules of MDX go, components leave what they hold' bash -c 'grep -qx "Kept,  whole." "$1" && grep -qx "Half" "$1" && ! grep -qE "import |export|Box" "$1"' - "$posts/parts.md"
ok 'a page of HTML with front matter is a post, without Markdown' bash -c 'grep -qxF "One \\* two \\* **three**." "$1" && grep -qxF "\\# four" "$1" && ! test -e "$2"' - "$posts/page.md" "$posts/layout.md"
ok 'a component is told' has "$dir/report" "parts.mdx:9: '<Box>' is a component, which was left out; its content stays"
ok 'front matter that was left out is counted' has "$dir/report" 'left out, and in how many posts: oddity (1)'
ok 'the commonest repairs come first' grep -q '^done without a hand, the three commonest repairs:$' "$dir/report"
ok 'it builds, and the drawing waives its number' "$gen" build -q --root "$dir/site"
rm -r "$posts"/*
mkdir -p "$dir/zoo/content/posts" "$dir/zoo/static/img"
cp "$dir/hugo/static/warp-tiles.svg" "$dir/zoo/static/img/a b.svg"
echo 'version https://git-lfs.example' >"$dir/zoo/static/img/lfs.png"
printf -- '---\ntitle: One\ndate: 2020-01-01\ntags: [Web Dev, gpu]\n---\n[two](/2019/05/06/two.html), [gone](/gone/) and `[code](/gone/)`.\n\n![x](/img/a%%20b.svg) ![y](/img/lfs.png)\n\n[up](#a-part), [down](#no-part)\n\n## A part\n' >"$dir/zoo/content/posts/one.md"
cat >"$dir/zoo/content/posts/two.md" <<'MD'
---
title: Two
date: 2020-01-02
tags: [web-dev, GPU]
---
The bound is \(a \le b\), $\dfrac{1}{2}$, $x<y$ and $\nosuchthing$; it costs $5 or $6.

See: $$
a &= b \\
$$

\[ c = d \]

```sh
echo "$a < $b" '\(x\)'
```
MD
import "$dir/zoo" >"$dir/report"
ok 'tags of one address are one, and that is told' has "$dir/report" "the tag 'web-dev' has the address of 'Web Dev': now that one"
ok 'in the second post, too' has "$posts/two.md" 'tags: ["Web Dev", "gpu"]'
ok 'a link to a post leads to its address here' has "$posts/one.md" '[two](/posts/two/)'
ok 'one that leads nowhere is text, but not in code' has "$posts/one.md" ', gone and `[code](/gone/)`.'
ok 'which is told' has "$dir/report" "one.md:6: '/gone/' leads nowhere here"
ok 'a picture comes to static/' has "$posts/one.md" '![x](/static/img/a-b.svg) y'
ok 'one that is none stays away' test -e "$dir/site/static/img/a-b.svg" -a ! -e "$dir/site/static/img/lfs.png"
ok 'a link to a heading stays, one to none is text' has "$posts/one.md" '[up](#a-part), down'
ok 'formulas are in our form, or code' has "$posts/two.md" 'is $a \le b$, $\frac{1}{2}$, $x<y$ and ``` \nosuchthing ```; it costs $5 or $6.'
ok 'rows get an environment' grep -q 'See: $\\begin{aligned}a &= b' "$posts/two.md"
ok 'a display formula stands alone' grep -qxF '$$c = d$$' "$posts/two.md"
ok 'code is untouched' has "$posts/two.md" "echo \"\$a < \$b\" '\\(x\\)'"
ok 'that builds' "$gen" check -q --root "$dir/site"
rm -r "$posts"/*
mkdir -p "$dir/site/templates/shortcodes" "$dir/own/content/posts"
cat >"$dir/site/templates/shortcodes/youtube.html" <<'MD'
<p class="video"><a href="https://video.example/{{ words[1] }}">{{ arg("title", "Watch") }}</a></p>
MD
printf -- '---\ntitle: S\ndate: 2020-01-01\n---\nText:\n{{< youtube "a<b" >}}\n{{< youtube dQw4 title="A & B" >}}\n' >"$dir/own/content/posts/s.md"
import "$dir/own" >"$dir/report"
ok 'a shortcode that the site has becomes ours' has "$posts/s.md" '<<bench:shortcode youtube "dQw4" title="A & B">>'
ok 'unless its words cannot be ours' has "$dir/report" "s.md:6: '{{< youtube \"a<b\" >}}' is a shortcode"
ok 'it builds' "$gen" build -q --root "$dir/site"
ok 'and prints its template, escaped' grep -rqF '<p class="video"><a href="https://video.example/dQw4">A &amp; B</a></p>' "$dir/site/build/site/posts/s/index.html"
said() { # PLACEHOLDER TEMPLATE: the error of a post with it
	printf '%s\n' "$2" >"$dir/site/templates/shortcodes/bad.html"
	printf -- '---\ntitle: S\ndate: 2020-01-01\n---\nText.\n\n%s\n' "$1" >"$posts/s.md"
	"$gen" check -q --root "$dir/site" 2>&1
}
refuses() { said "$2" "$3" | grep -F -- "content/posts/s.md:7:$1" || { said "$2" "$3"; return 1; }; }
bad='<<bench:shortcode bad x="a">>'
ok 'an unknown shortcode names the others' refuses "19: no shortcode 'nope', expected one of bad, youtube" '<<bench:shortcode nope>>' x
ok 'a script is refused' refuses "1: shortcode 'bad': it prints <script>" "$bad" '<script>x</script>'
ok 'a style is refused' refuses "1: shortcode 'bad': it prints the attribute 'style'" "$bad" '<p style="x">x</p>'
ok 'so is a handler' refuses "1: shortcode 'bad': it prints the attribute 'onclick'" "$bad" '<p onclick="x">x</p>'
ok 'and an address that runs' refuses "1: shortcode 'bad': it prints the address 'javascript&#58;x'" "$bad" '<a href="javascript&#58;x">x</a>'
ok 'and what is not closed' refuses "1: shortcode 'bad': <p> is not closed" "$bad" '<p>x'
ok 'and the mark of a measured or an excused number' refuses "1: shortcode 'bad': it prints the class 'imported'" "$bad" '<p class="imported">x</p>'
ok 'and a typed number in its words' bash -c 'grep -q "3 ms.* \[traced\]"' - < <(said '<<bench:shortcode bad x="it took 3 ms">>' '<p>{{ args.x }}</p>')
ok 'an error in Lua names its line' refuses "1: shortcode 'bad': templates/shortcodes/bad.html:1:" "$bad" '{{ args.y }}'
ok 'a good one is none' test -z "$(said "$bad" '<p>{{ args.x }}</p>')"

# --- addresses that posts had ---

had() { # WHAT ALIAS SITE: imported alone, its post says that it was there
	rm -rf "$posts"/*
	import "$dir/$3" >/dev/null
	ok "$1" has <(grep -rh '^aliases' "$posts") "aliases: [$2]"
}
mkdir -p "$dir/was/_posts" "$dir/far/content/blog/deep" "$dir/odd/content/blog"
printf -- '---\ntitle: Two\ncategories: GPU cuda\n---\nText.\n' >"$dir/was/_posts/2024-01-03-Two-Tiles.md"
had "Jekyll's own form" /gpu/cuda/2024/01/03/Two-Tiles.html was
printf 'title: x\npermalink: "/notes/:year/:i_month/:title/" # as before\n' >"$dir/was/_config.yml"
had 'a form of _config.yml' /notes/2024/1/Two-Tiles/ was
echo 'permalink: pretty' >"$dir/was/_config.yml"
had 'a named form' /gpu/cuda/2024/01/03/Two-Tiles/ was
printf -- '---\ntitle: Two\npermalink: /mine/\n---\nText.\n' >"$dir/was/_posts/2024-01-03-Two-Tiles.md"
had "a post's own wins" /mine/ was
echo 'permalink: /:hour/:title/' >"$dir/was/_config.yml"
printf -- '---\ntitle: Two\n---\nText.\n' >"$dir/was/_posts/2024-01-03-Two-Tiles.md"
rm -rf "$posts"/*
import "$dir/was" >/dev/null
ok 'what is not known is no address' test -z "$(grep -rh '^aliases' "$posts")"
printf -- '---\ntitle: Hot\ndate: 2024-01-01\n---\nText.\n' >"$dir/far/content/blog/2024-01-01-Hot Path.md"
had 'the place of a source' /blog/2024-01-01-hot-path/ far
echo 'base_url = "https://x.example"' >"$dir/far/config.toml"
had 'which Zola gives no date' /blog/hot-path/ far
rm "$dir/far/content/blog/"*.md
printf -- '---\ntitle: Deep\ndate: 2024-01-01\nslug: deeper\n---\nText.\n' >"$dir/far/content/blog/deep/index.md"
had 'a folder, and a slug' /blog/deeper/ far
printf '[permalinks]\nblog = "/:year/:title/"\n' >"$dir/odd/hugo.toml"
printf -- '---\ntitle: Odd\ndate: 2024-01-01\n---\nText.\n' >"$dir/odd/content/blog/odd.md"
rm -rf "$posts"/*
import "$dir/odd" >/dev/null
ok 'nor is a form of which only Hugo knows the words' test -z "$(grep -rh '^aliases' "$posts")"

mkdir "$dir/none"
ok 'an empty folder is an error' grep -q 'no posts there' <(import "$dir/none" 2>&1)
