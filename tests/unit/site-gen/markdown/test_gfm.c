/*
 * Our Markdown section by section of the specification of GitHub Flavored Markdown 0.29, on
 * examples of our own: what each construct becomes, and what we make of it on purpose
 * (docs/writing.md has the list).
 */
#include "lib/array.h"
#include "site-gen/markdown/markdown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A text, and its markup without what our pages add (see `plain` below). */
static const struct {
	const char *src, *html;
} examples[] = {
        /* --- Tabs --- */
        {"\tx = y;\n", "<pre><code>x = y;\n</code></pre>\n"},
        {" \t x\n", "<pre><code> x\n</code></pre>\n"},
        {"- a\n\n\tb\n", "<ul>\n<li><p>a</p>\n<p>b</p>\n</li>\n</ul>\n"},
        {"-\tone\n", "<ul>\n<li>one</li>\n</ul>\n"},
        {">\t\tcode\n", "<blockquote>\n<pre><code>  code\n</code></pre>\n</blockquote>\n"},

        /* --- Precedence --- */
        {"- `a\n- b`\n", "<ul>\n<li>`a</li>\n<li>b`</li>\n</ul>\n"},
        {"* a\n* * *\n* b\n", "<ul>\n<li>a</li>\n</ul>\n<hr>\n<ul>\n<li>b</li>\n</ul>\n"},

        /* --- Thematic breaks --- */
        {"***\n---\n___\n", "<hr>\n<hr>\n<hr>\n"},
        {"+++\n", "<p>+++</p>\n"},
        {" - - -\n", "<hr>\n"},
        {"    ***\n", "<pre><code>***\n</code></pre>\n"},
        {"a\n***\nb\n", "<p>a</p>\n<hr>\n<p>b</p>\n"},
        {"_ _ a\n", "<p>_ _ a</p>\n"},
        {"*-*\n", "<p><em>-</em></p>\n"},

        /* --- ATX headings --- */
        {"## Two\n### Three\n#### Four\n##### Five\n###### Six\n",
         "<h2>Two</h2>\n<h3>Three</h3>\n<h4>Four</h4>\n<h5>Five</h5>\n<h6>Six</h6>\n"},
        {"#7 is none\n", "<p>#7 is none</p>\n"},
        {"####### seven\n", "<p>####### seven</p>\n"},
        {"##no space\n", "<p>##no space</p>\n"},
        {"\\## escaped\n", "<p>## escaped</p>\n"},
        {"##   *wide*   \n", "<h2><em>wide</em></h2>\n"},
        {"   ## indented\n", "<h2>indented</h2>\n"},
        {"a\n    ## b\n", "<p>a\n## b</p>\n"},
        {"## closed ##\n", "<h2>closed</h2>\n"},
        {"## closed ## not\n", "<h2>closed ## not</h2>\n"},
        {"## c#\n", "<h2>c#</h2>\n"},
        {"## d \\##\n", "<h2>d ##</h2>\n"},
        {"a\n## b\nc\n", "<p>a</p>\n<h2>b</h2>\n<p>c</p>\n"},

        /* --- Setext headings --- */
        {"A *title*\n---\n", "<h2>A <em>title</em></h2>\n"},
        {"Two\nlines\n-------\n", "<h2>Two\nlines</h2>\n"},
        {"  a\n  --  \n", "<h2>a</h2>\n"},
        {"a\n= =\n\nb\n--- -\n", "<p>a\n= =</p>\n<p>b</p>\n<hr>\n"},
        {"`a\n---\nb`\n", "<h2>`a</h2>\n<p>b`</p>\n"},
        {"> a\n---\n", "<blockquote>\n<p>a</p>\n</blockquote>\n<hr>\n"},
        {"- a\n---\n", "<ul>\n<li>a</li>\n</ul>\n<hr>\n"},
        {"a\n---\nb\n", "<h2>a</h2>\n<p>b</p>\n"},

        /* --- Indented code blocks --- */
        {"    int a;\n      b\n", "<pre><code>int a;\n  b\n</code></pre>\n"},
        {"- a\n\n      code\n",
         "<ul>\n<li><p>a</p>\n<pre><code>code\n</code></pre>\n</li>\n</ul>\n"},
        {"    *a*\n\n    - b\n", "<pre><code>*a*\n\n- b\n</code></pre>\n"},
        {"    a\n\n\n    b\n", "<pre><code>a\n\n\nb\n</code></pre>\n"},
        {"a\n    b\n", "<p>a\nb</p>\n"},
        {"    a\nb\n", "<pre><code>a\n</code></pre>\n<p>b</p>\n"},
        {"    a  \n", "<pre><code>a  \n</code></pre>\n"},

        /* --- Fenced code blocks --- */
        {"```\na < b\n```\n", "<pre><code>a &lt; b\n</code></pre>\n"},
        {"~~~\na\n```\nb\n~~~\n", "<pre><code>a\n```\nb\n</code></pre>\n"},
        {"``\na\n``\n", "<p><code>a</code></p>\n"},
        {"````\na\n```\n`````\n", "<pre><code>a\n```\n</code></pre>\n"},
        {"```\nnever closed\n", "<pre><code>never closed\n</code></pre>\n"},
        {"> ```\n> a\n\nb\n",
         "<blockquote>\n<pre><code>a\n</code></pre>\n</blockquote>\n<p>b</p>\n"},
        {"```\n\n  \n```\n", "<pre><code>\n  \n</code></pre>\n"},
        {"  ```\n  a\n b\n   c\n  ```\n", "<pre><code>a\nb\n c\n</code></pre>\n"},
        {"    ```\n    a\n    ```\n", "<pre><code>```\na\n```\n</code></pre>\n"},
        {"a\n```\nb\n```\nc\n", "<p>a</p>\n<pre><code>b\n</code></pre>\n<p>c</p>\n"},
        {"``` ```\na\n", "<p><code> </code>\na</p>\n"},
        {"```text\n*a*\n```\n", "<pre><code>*a*\n</code></pre>\n"},
        {"```\n``` text\n```\n", "<pre><code>``` text\n</code></pre>\n"},

        /* --- Link reference definitions --- */
        {"[a]: /url 'title'\n\n[a]\n", "<p><a href=\"/url\" title=\"title\">a</a></p>\n"},
        {"   [a]: \n      /url  \n   'title'\n\n[a]\n",
         "<p><a href=\"/url\" title=\"title\">a</a></p>\n"},
        {"[a]: /url 'two\nlines'\n\n[a]\n", "<p><a href=\"/url\" title=\"two\nlines\">a</a></p>\n"},
        {"[a]:\n\n[a]\n", "<p>[a]:</p>\n<p>[a]</p>\n"},
        {"[a]: <>\n\nb\n", "<p>b</p>\n"},
        {"[a]: /u\\*v \"w\\\"x\"\n\n[a]\n", "<p><a href=\"/u*v\" title=\"w&quot;x\">a</a></p>\n"},
        {"[a]\n\n[a]: /url\n", "<p><a href=\"/url\">a</a></p>\n"},
        {"[a]\n\n[a]: /first\n[a]: /second\n", "<p><a href=\"/first\">a</a></p>\n"},
        {"[AbC]: /url\n\n[aBc]\n", "<p><a href=\"/url\">aBc</a></p>\n"},
        {"[ΑΓΩ]: /url\n\n[αγω]\n", "<p><a href=\"/url\">αγω</a></p>\n"},
        {"[\nb\n]: /url\na\n", "<p>a</p>\n"},
        {"[a]: /url \"title\" b\n", "<p>[a]: /url “title” b</p>\n"},
        {"    [a]: /url\n\n[a]\n", "<pre><code>[a]: /url\n</code></pre>\n<p>[a]</p>\n"},
        {"b\n[a]: /url\n\n[a]\n", "<p>b\n[a]: /url</p>\n<p>[a]</p>\n"},
        {"> [a]: /url\n\n[a]\n", "<blockquote>\n</blockquote>\n<p><a href=\"/url\">a</a></p>\n"},

        /* --- Paragraphs --- */
        {"a\n\nb\n", "<p>a</p>\n<p>b</p>\n"},
        {"a\nb\n\nc\n", "<p>a\nb</p>\n<p>c</p>\n"},
        {"a\n\n\nb\n", "<p>a</p>\n<p>b</p>\n"},
        {"  a\n b\n", "<p>a\nb</p>\n"},
        {"a\n          b\n", "<p>a\nb</p>\n"},
        {"a     \nb     \n", "<p>a<br>\nb</p>\n"},

        /* --- Blank lines --- */
        {"  \n\na\n  \n\n## b\n\n  \n", "<p>a</p>\n<h2>b</h2>\n"},

        /* --- Tables --- */
        {"| a | b |\n| - | - |\n| 1 | 2 |\n",
         "<table>\n<thead><tr><th>a</th><th>b</th></tr></thead>\n<tbody>\n<tr><td>1</td><td>2</"
         "td></tr>\n</tbody></table>\n"},
        {"| left | mid | right |\n|:--|:-:|--:|\n1 | 2 | 3\n",
         "<table>\n<thead><tr><th class=\"l\">left</th><th class=\"c\">mid</th><th "
         "class=\"r\">right</th></tr></thead>\n<tbody>\n<tr><td class=\"l\">1</td><td "
         "class=\"c\">2</td><td class=\"r\">3</td></tr>\n</tbody></table>\n"},
        {"| a |\n|---|\n| b `\\|` c |\n| **\\|** |\n",
         "<table>\n<thead><tr><th>a</th></tr></thead>\n<tbody>\n<tr><td>b <code>|</code> "
         "c</td></tr>\n<tr><td><strong>|</strong></td></tr>\n</tbody></table>\n"},
        {"| a |\n|---|\n| b |\n> c\n",
         "<table>\n<thead><tr><th>a</th></tr></thead>\n<tbody>\n<tr><td>b</td></tr>\n</tbody></"
         "table>\n<blockquote>\n<p>c</p>\n</blockquote>\n"},
        {"| a |\n|---|\n| b |\nc\n\nd\n",
         "<table>\n<thead><tr><th>a</th></tr></thead>\n<tbody>\n<tr><td>b</td></tr>\n<tr><td>c</"
         "td></tr>\n</tbody></table>\n<p>d</p>\n"},
        {"**d** e\n\n| a |\n|---|\n| b |\n",
         "<p><strong>d</strong> "
         "e</p>\n<table>\n<thead><tr><th>a</th></tr></thead>\n<tbody>\n<tr><td>b</"
         "td></tr>\n</tbody></table>\n"},
        {"**d**\n\n| a |\n|---|\n| b |\n\n**e**\n",
         "<p "
         "class=\"table-title\"><strong>d</strong></p>\n<table>\n<thead><tr><th>a</th></tr></"
         "thead>\n"
         "<tbody>\n<tr><td>b</td></tr>\n</tbody></table>\n<p><strong>e</strong></p>\n"},
        {"| a | b |\n|---|\n| c |\n", "<p>| a | b |\n|—|\n| c |</p>\n"},
        {"| a | b |\n|---|---|\n| c |\n| d | e | f |\n",
         "<table>\n<thead><tr><th>a</th><th>b</th></tr></thead>\n<tbody>\n<tr><td>c</td><td></td></"
         "tr>\n<tr><td>d</td><td>e</td></tr>\n</tbody></table>\n"},
        {"| a | b |\n|---|---|\n",
         "<table>\n<thead><tr><th>a</th><th>b</th></tr></thead>\n</table>\n"},

        /* --- Block quotes --- */
        {"> ## A\n> b\n> c\n", "<blockquote>\n<h2>A</h2>\n<p>b\nc</p>\n</blockquote>\n"},
        {">a\n>b\n", "<blockquote>\n<p>a\nb</p>\n</blockquote>\n"},
        {"    > a\n", "<pre><code>&gt; a\n</code></pre>\n"},
        {"> a\nb\n", "<blockquote>\n<p>a\nb</p>\n</blockquote>\n"},
        {"> a\n---\n", "<blockquote>\n<p>a</p>\n</blockquote>\n<hr>\n"},
        {"> - a\n- b\n",
         "<blockquote>\n<ul>\n<li>a</li>\n</ul>\n</blockquote>\n<ul>\n<li>b</li>\n</ul>\n"},
        {">     a\n    b\n",
         "<blockquote>\n<pre><code>a\n</code></pre>\n</blockquote>\n<pre><code>b\n</code></pre>\n"},
        {">\n", "<blockquote>\n</blockquote>\n"},
        {">\n> a\n>\n", "<blockquote>\n<p>a</p>\n</blockquote>\n"},
        {"> a\n\n> b\n",
         "<blockquote>\n<p>a</p>\n</blockquote>\n<blockquote>\n<p>b</p>\n</blockquote>\n"},
        {"> a\n>\n> b\n", "<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>\n"},
        {"a\n> b\n", "<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n"},
        {"> > > a\nb\n", "<blockquote>\n<blockquote>\n<blockquote>\n<p>a\nb</p>\n</blockquote>\n</"
                         "blockquote>\n</blockquote>\n"},
        {">     code\n\n>    no code\n",
         "<blockquote>\n<pre><code>code\n</code></pre>\n</blockquote>\n<blockquote>\n<p>no "
         "code</p>\n</blockquote>\n"},

        /* --- List items --- */
        {"1.  A\n    b.\n\n        code\n\n    > q\n",
         "<ol>\n<li><p>A\nb.</p>\n<pre><code>code\n</code></pre>\n<blockquote>\n<p>q</p>\n</"
         "blockquote>\n</li>\n</ol>\n"},
        {"- a\n\n b\n", "<ul>\n<li>a</li>\n</ul>\n<p>b</p>\n"},
        {"-    a\n\n     b\n", "<ul>\n<li><p>a</p>\n<p>b</p>\n</li>\n</ul>\n"},
        {"> > 1.  a\n>>\n>>     b\n", "<blockquote>\n<blockquote>\n<ol>\n<li><p>a</p>\n<p>b</p>\n</"
                                      "li>\n</ol>\n</blockquote>\n</blockquote>\n"},
        {"-a\n\n2.b\n", "<p>-a</p>\n<p>2.b</p>\n"},
        {"1234567890. a\n", "<p>1234567890. a</p>\n"},
        {"0. a\n", "<ol start=\"0\">\n<li>a</li>\n</ol>\n"},
        {"003. a\n", "<ol start=\"3\">\n<li>a</li>\n</ol>\n"},
        {"-1. a\n", "<p>-1. a</p>\n"},
        {"- a\n\n      code\n",
         "<ul>\n<li><p>a</p>\n<pre><code>code\n</code></pre>\n</li>\n</ul>\n"},
        {"1.     code\n", "<ol>\n<li>\n<pre><code>code\n</code></pre>\n</li>\n</ol>\n"},
        {"- \n  a\n-\n  ```\n  b\n  ```\n",
         "<ul>\n<li>a</li>\n<li>\n<pre><code>b\n</code></pre>\n</li>\n</ul>\n"},
        {"-\n\n  a\n", "<ul>\n<li></li>\n</ul>\n<p>a</p>\n"},
        {"- a\n-\n- b\n", "<ul>\n<li>a</li>\n<li></li>\n<li>b</li>\n</ul>\n"},
        {"*\n", "<ul>\n<li></li>\n</ul>\n"},
        {"a\n*\n", "<p>a\n*</p>\n"},
        {"   1.  a\nb\n", "<ol>\n<li>a\nb</li>\n</ol>\n"},
        {"> 1. > a\nb\n", "<blockquote>\n<ol>\n<li>\n<blockquote>\n<p>a\nb</p>\n</blockquote>\n</"
                          "li>\n</ol>\n</blockquote>\n"},
        {"- a\n  - b\n    - c\n",
         "<ul>\n<li>a\n<ul>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n</ul>\n"},
        {"10) a\n    - b\n", "<ol start=\"10\">\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ol>\n"},
        {"10) a\n   - b\n", "<ol start=\"10\">\n<li>a</li>\n</ol>\n<ul>\n<li>b</li>\n</ul>\n"},
        {"- - a\n", "<ul>\n<li>\n<ul>\n<li>a</li>\n</ul>\n</li>\n</ul>\n"},
        {"1. - 2. a\n", "<ol>\n<li>\n<ul>\n<li>\n<ol "
                        "start=\"2\">\n<li>a</li>\n</ol>\n</li>\n</ul>\n</li>\n</ol>\n"},

        /* --- Task list items --- */
        {"- [ ] a\n- [x] b\n- [X] c\n",
         "<ul>\n<li><input type=\"checkbox\" disabled> a</li>\n<li><input type=\"checkbox\" "
         "disabled checked> b</li>\n<li><input type=\"checkbox\" disabled checked> "
         "c</li>\n</ul>\n"},
        {"- [x] a\n  - [ ] b\n",
         "<ul>\n<li><input type=\"checkbox\" disabled checked> a\n<ul>\n<li><input "
         "type=\"checkbox\" disabled> b</li>\n</ul>\n</li>\n</ul>\n"},
        {"- [] a\n- [x]b\n", "<ul>\n<li>[] a</li>\n<li>[x]b</li>\n</ul>\n"},

        /* --- Lists --- */
        {"- a\n- b\n+ c\n", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ul>\n<li>c</li>\n</ul>\n"},
        {"1. a\n2. b\n3) c\n",
         "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n<ol start=\"3\">\n<li>c</li>\n</ol>\n"},
        {"a\n- b\n", "<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n"},
        {"a\n14. b\n", "<p>a\n14. b</p>\n"},
        {"a\n1. b\n", "<p>a</p>\n<ol>\n<li>b</li>\n</ol>\n"},
        {"- a\n\n- b\n\n\n- c\n",
         "<ul>\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n<li><p>c</p>\n</li>\n</ul>\n"},
        {"- a\n  - b\n\n\n    c\n",
         "<ul>\n<li>a\n<ul>\n<li><p>b</p>\n<p>c</p>\n</li>\n</ul>\n</li>\n</ul>\n"},
        {"- a\n - b\n  - c\n   - d\n",
         "<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n<li>d</li>\n</ul>\n"},
        {"- a\n- b\n\n- c\n",
         "<ul>\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n<li><p>c</p>\n</li>\n</ul>\n"},
        {"- a\n- ```\n  b\n\n\n  ```\n- c\n",
         "<ul>\n<li>a</li>\n<li>\n<pre><code>b\n\n\n</code></pre>\n</li>\n<li>c</li>\n</ul>\n"},
        {"- a\n  > b\n  >\n- c\n",
         "<ul>\n<li>a\n<blockquote>\n<p>b</p>\n</blockquote>\n</li>\n<li>c</li>\n</ul>\n"},
        {"- a\n  - b\n\n    c\n- d\n",
         "<ul>\n<li>a\n<ul>\n<li><p>b</p>\n<p>c</p>\n</li>\n</ul>\n</li>\n<li>d</li>\n</ul>\n"},
        {"1. ```\n   a\n   ```\n\n   b\n",
         "<ol>\n<li>\n<pre><code>a\n</code></pre>\n<p>b</p>\n</li>\n</ol>\n"},
        {"* a\n  * b\n\n  c\n",
         "<ul>\n<li><p>a</p>\n<ul>\n<li>b</li>\n</ul>\n<p>c</p>\n</li>\n</ul>\n"},

        /* --- Backslash escapes --- */
        {"\\!\\#\\$\\%\\&\\(\\)\\*\\+\\,\\-\\.\\/"
         "\\:\\;\\<\\=\\>\\?\\@\\[\\]\\^\\_\\`\\{\\|\\}\\~\n",
         "<p>!#$%&amp;()*+,-./:;&lt;=&gt;?@[]^_`{|}~</p>\n"},
        {"\\a\\ \\3\\中\\«\n", "<p>\\a\\ \\3\\中\\«</p>\n"},
        {"\\*a* \\[b](/c) \\`d` \\## e\n", "<p>*a* [b](/c) `d` ## e</p>\n"},
        {"\\\\*a*\n", "<p>\\<em>a</em></p>\n"},
        {"a\\\nb\n", "<p>a<br>\nb</p>\n"},
        {"`` \\[\\` ``\n", "<p><code>\\[\\`</code></p>\n"},
        {"    \\[\\]\n", "<pre><code>\\[\\]\n</code></pre>\n"},
        {"[a](/b\\*c \"d\\*e\")\n", "<p><a href=\"/b*c\" title=\"d*e\">a</a></p>\n"},

        /* --- Entities --- */
        {"&nbsp;&amp; &copy; &frac34; &Dcaron;\n", "<p> &amp; © ¾ Ď</p>\n"},
        {"&#35; &#1234; &#x22; &#XCAB;\n", "<p># Ӓ \" ಫ</p>\n"},
        {"&nbsp &x; &#; &#x; &hi?; &amp\n",
         "<p>&amp;nbsp &amp;x; &amp;#; &amp;#x; &amp;hi?; &amp;amp</p>\n"},
        {"`f&ouml;`\n\n    &ouml;\n",
         "<p><code>f&amp;ouml;</code></p>\n<pre><code>&amp;ouml;\n</code></pre>\n"},
        {"[a](/f&ouml; \"f&ouml;\")\n", "<p><a href=\"/f%C3%B6\" title=\"fö\">a</a></p>\n"},
        {"&#42;a&#42;\n", "<p>*a*</p>\n"},

        /* --- Code spans --- */
        {"`a`\n", "<p><code>a</code></p>\n"},
        {"`` a ` b ``\n", "<p><code>a ` b</code></p>\n"},
        {"` `` `\n", "<p><code>``</code></p>\n"},
        {"`  a  `\n", "<p><code> a </code></p>\n"},
        {"` a`\n", "<p><code> a</code></p>\n"},
        {"``\na\nb  \nc\n``\n", "<p><code>a b   c</code></p>\n"},
        {"`a\\`b`\n", "<p><code>a\\</code>b`</p>\n"},
        {"*a`*`\n", "<p>*a<code>*</code></p>\n"},
        {"[not a `link](/b`)\n", "<p>[not a <code>link](/b</code>)</p>\n"},
        {"```a``\n", "<p>```a``</p>\n"},
        {"`a\n", "<p>`a</p>\n"},

        /* --- Emphasis --- */
        {"*a b*\n", "<p><em>a b</em></p>\n"},
        {"a * b*\n", "<p>a * b*</p>\n"},
        {"a*\"b\"*\n", "<p>a*“b”*</p>\n"},
        {"a*b*c\n", "<p>a<em>b</em>c</p>\n"},
        {"5*6*78\n", "<p>5<em>6</em>78</p>\n"},
        {"_a b_\n", "<p><em>a b</em></p>\n"},
        {"a_\"b\"_\n", "<p>a_“b”_</p>\n"},
        {"a_b_c\n", "<p>a_b_c</p>\n"},
        {"中_文_字\n", "<p>中_文_字</p>\n"},
        {"_a*\n", "<p>_a*</p>\n"},
        {"*a *\n", "<p>*a *</p>\n"},
        {"*(*a*)*\n", "<p><em>(<em>a</em>)</em></p>\n"},
        {"**a b**\n", "<p><strong>a b</strong></p>\n"},
        {"** a**\n", "<p>** a**</p>\n"},
        {"a**b**c\n", "<p>a<strong>b</strong>c</p>\n"},
        {"__a__\n", "<p><strong>a</strong></p>\n"},
        {"a__b__\n", "<p>a__b__</p>\n"},
        {"__a, __b__, c__\n", "<p><strong>a, <strong>b</strong>, c</strong></p>\n"},
        {"**a (*b*)**\n", "<p><strong>a (<em>b</em>)</strong></p>\n"},
        {"*a [b](/c)*\n", "<p><em>a <a href=\"/c\">b</a></em></p>\n"},
        {"*a **b** c*\n", "<p><em>a <strong>b</strong> c</em></p>\n"},
        {"*a**b**c*\n", "<p><em>a<strong>b</strong>c</em></p>\n"},
        {"***a** b*\n", "<p><em><strong>a</strong> b</em></p>\n"},
        {"***a***\n", "<p><em><strong>a</strong></em></p>\n"},
        {"****a****\n", "<p><strong><strong>a</strong></strong></p>\n"},
        {"**a *b***\n", "<p><strong>a <em>b</em></strong></p>\n"},
        {"a ***\n", "<p>a ***</p>\n"},
        {"**a*\n", "<p>*<em>a</em></p>\n"},
        {"*a**\n", "<p><em>a</em>*</p>\n"},
        {"*a _b* c_\n", "<p><em>a _b</em> c_</p>\n"},
        {"*a `*`*\n", "<p><em>a <code>*</code></em></p>\n"},
        {"**a [b](/*c**)\n", "<p>**a <a href=\"/*c**\">b</a></p>\n"},

        /* --- Strikethrough --- */
        {"~~a~~ b\n", "<p><del>a</del> b</p>\n"},
        {"~~a\n\nb~~\n", "<p>~~a</p>\n<p>b~~</p>\n"},
        {"a ~~~b~~~\n", "<p>a ~~~b~~~</p>\n"},

        /* --- Links --- */
        {"[a](/b \"c\")\n", "<p><a href=\"/b\" title=\"c\">a</a></p>\n"},
        {"[a](/b)\n", "<p><a href=\"/b\">a</a></p>\n"},
        {"[a](/b\nc)\n", "<p>[a](/b\nc)</p>\n"},
        {"[a](/b(c(d)))\n", "<p><a href=\"/b(c(d))\">a</a></p>\n"},
        {"[a](/b\\(c)\n", "<p><a href=\"/b(c\">a</a></p>\n"},
        {"[a](#b) [c](/d#e) [f](/g?h=3#i)\n",
         "<p><a href=\"#b\">a</a> <a href=\"/d#e\">c</a> <a href=\"/g?h=3#i\">f</a></p>\n"},
        {"[a](/b%20c)\n", "<p><a href=\"/b%20c\">a</a></p>\n"},
        {"[a](/b \"c\" d)\n", "<p>[a](/b “c” d)</p>\n"},
        {"[a](/b 'c \"d\" e')\n", "<p><a href=\"/b\" title=\"c &quot;d&quot; e\">a</a></p>\n"},
        {"[a](   /b\n  \"c\"  )\n", "<p><a href=\"/b\" title=\"c\">a</a></p>\n"},
        {"[a] (/b)\n", "<p>[a] (/b)</p>\n"},
        {"[a [b]](/c)\n", "<p><a href=\"/c\">a [b]</a></p>\n"},
        {"[a *b `c`*](/d)\n", "<p><a href=\"/d\">a <em>b <code>c</code></em></a></p>\n"},
        {"[a [b](/c) d](/e)\n", "<p>[a <a href=\"/c\">b</a> d](/e)</p>\n"},
        {"*[a*](/b)\n", "<p>*<a href=\"/b\">a*</a></p>\n"},
        {"[a `](/b)`\n", "<p>[a <code>](/b)</code></p>\n"},
        {"[a][b]\n\n[b]: /c \"d\"\n", "<p><a href=\"/c\" title=\"d\">a</a></p>\n"},
        {"[a][]\n\n[a]: /b\n", "<p><a href=\"/b\">a</a></p>\n"},
        {"[a]\n\n[a]: /b\n", "<p><a href=\"/b\">a</a></p>\n"},
        {"[a] [b]\n\n[b]: /c\n", "<p>[a] <a href=\"/c\">b</a></p>\n"},
        {"[a][b][c]\n\n[b]: /d\n[c]: /e\n", "<p><a href=\"/d\">a</a><a href=\"/e\">c</a></p>\n"},
        {"[a \\] b]\n\n[a \\] b]: /c\n", "<p><a href=\"/c\">a ] b</a></p>\n"},
        {"[a](b) c\n\n[a]: /d\n", "<p><a href=\"b\">a</a> c</p>\n"},

        /* --- Images --- */
        {"![a *b*](/c.png)\n", "<p><img src=\"/c.png\" alt=\"a b\"></p>\n"},
        {"![a][b]\n\n[b]: /c.png\n", "<p><img src=\"/c.png\" alt=\"a\"></p>\n"},
        {"[![a](/b.png)](/c)\n", "<p><a href=\"/c\"><img src=\"/b.png\" alt=\"a\"></a></p>\n"},
        {"\\![a](/b)\n", "<p>!<a href=\"/b\">a</a></p>\n"},
        {"!\\[a]\n", "<p>![a]</p>\n"},
        {"![a [b](/c) d](/e.png)\n", "<p><img src=\"/e.png\" alt=\"a b d\"></p>\n"},

        /* --- Autolinks --- */
        {"<https://a.example/b?c=d>\n",
         "<p><a href=\"https://a.example/b?c=d\">https://a.example/b?c=d</a></p>\n"},
        {"<mailto:a@b.example> <a@b.example>\n",
         "<p><a href=\"mailto:a@b.example\">mailto:a@b.example</a> <a "
         "href=\"mailto:a@b.example\">a@b.example</a></p>\n"},
        {"< https://a.example>\n",
         "<p>&lt; <a href=\"https://a.example\">https://a.example</a>&gt;</p>\n"},

        /* --- Autolinks (extension) --- */
        {"see https://a.example/b, or (https://a.example/c_(d))\n",
         "<p>see <a href=\"https://a.example/b\">https://a.example/b</a>, or (<a "
         "href=\"https://a.example/c_(d)\">https://a.example/c_(d)</a>)</p>\n"},
        {"https://a.example/b&copy;\n",
         "<p><a href=\"https://a.example/b\">https://a.example/b</a>©</p>\n"},
        {"**https://a.example.**\n",
         "<p><strong><a href=\"https://a.example\">https://a.example</a>.</strong></p>\n"},

        /* --- Hard line breaks --- */
        {"a  \nb\n", "<p>a<br>\nb</p>\n"},
        {"a\\\nb\n", "<p>a<br>\nb</p>\n"},
        {"a       \n     b\n", "<p>a<br>\nb</p>\n"},
        {"*a  \nb*\n", "<p><em>a<br>\nb</em></p>\n"},
        {"`a  \nb`\n", "<p><code>a   b</code></p>\n"},
        {"a\\\n", "<p>a\\</p>\n"},
        {"a  \n", "<p>a</p>\n"},
        {"### a\\\n", "<h3>a\\</h3>\n"},

        /* --- Soft line breaks --- */
        {"a\nb\n", "<p>a\nb</p>\n"},
        {"a \n b\n", "<p>a\nb</p>\n"},

        /* --- Textual content --- */
        {"hello $.;\n", "<p>hello $.;</p>\n"},
        {"Ça va, 中文?\n", "<p>Ça va, 中文?</p>\n"},
        {"a     b\n", "<p>a     b</p>\n"},
};

/* Where we differ: what a text becomes here, or the error that it is. */
static const struct {
	const char *src, *html;
} others[] = {
        /* raw HTML: blocks, inline, disallowed tags, comments */
        {"<div>\na\n</div>\n", "p.md:1:1: '<div>' is raw HTML"},
        {"a\n\n<!-- b -->\n", "p.md:3:1: comment '<!--' is raw HTML"},
        {"<?php a ?>\n", "p.md:1:1: '<?php a ?>' is raw HTML"},
        {"<!DOCTYPE html>\n", "p.md:1:1: '<!DOCTYPE html>' is raw HTML"},
        {"<![CDATA[a]]>\n", "p.md:1:1: '<![CDATA[a]]>' is raw HTML"},
        {"a <b>c</b>\n", "p.md:1:3: '<b>' is raw HTML"},
        {"a <br/>\n", "p.md:1:3: '<br/>' is raw HTML"},
        {"a <script>b</script>\n", "p.md:1:3: '<script>' is raw HTML"},
        {"a <xmp> b\n", "p.md:1:3: '<xmp>' is raw HTML"},
        {"a < b > c <3\n", "<p>a &lt; b &gt; c &lt;3</p>\n"},
        /* the title is the heading of level 1 */
        {"# a\n", "p.md:1:1: heading of level 1"},
        {"a\n===\n", "p.md:1:1: heading of level 1"},
        {"##\n", "p.md:1:1: heading without a text"},
        {"## a {#b}\n", "<h2>a</h2>\n"},
        /* languages of code */
        {"```cobol\na\n```\n", "<pre><code>a\n</code></pre>\n"},
        {"```c a b\nc\n```\n", "p.md:1:1: code block has 'b' after its language"},
        /* addresses */
        {"[a](javascript:b)\n", "p.md:1:1: address 'javascript:b' is not allowed"},
        {"[a](</b c>)\n", "p.md:1:1: address '/b c' is not allowed"},
        {"<ftp://a.example>\n", "p.md:1:1: address 'ftp://a.example' is not allowed"},
        {"<made-up-scheme:a>\n", "p.md:1:1: address 'made-up-scheme:a' is not allowed"},
        {"[](/a)\n", "p.md:1:1: link without a text"},
        {"[a](<>)\n", "p.md:1:1: address '' is not allowed"},
        {"![](/a.png)\n", "p.md:1:1: image '/a.png' has no text"},
        {"![a](https://b.example/c.png)\n",
         "p.md:1:1: image 'https://b.example/c.png' is on another"},
        {"![a](/b.png \"c\")\n",
         "<figure><img src=\"/b.png\" alt=\"a\"><figcaption><span class=\"caption-no\">Figure 1:"
         "</span> c</figcaption></figure>\n"},
        {"www.a.example b@c.example\n", "<p>www.a.example b@c.example</p>\n"},
        {"https://localhost\n", "<p>https://localhost</p>\n"},
        {"https://a.example/中\n",
         "<p><a href=\"https://a.example/\">https://a.example/</a>中</p>\n"},
        /* one tilde is a sign of about */
        {"~a~ b\n", "<p>~a~ b</p>\n"},
        /* typography */
        {"\"a\" 'b' it's -- c --- d ... e\n", "<p>“a” ‘b’ it’s – c — d … e</p>\n"},
        {"\\\"a\\\" `\"--\"`\n", "<p>\"a\" <code>\"--\"</code></p>\n"},
        {"说\"好\"\n吗\n", "<p>说“好”吗</p>\n"},
        /* a task has a text */
        {"- [ ]\n", "<ul>\n<li>[ ]</li>\n</ul>\n"},
        /* characters */
        {"a&#0;b\n", "<p>a\uFFFDb</p>\n"},
        {"a&#1;b\n", "p.md:1:2: '&#1;' stands for a character that pages may not hold"},
        {"a\x01\n", "p.md:1:2: character U+0001 is a control"},
};

/* Replaces each part from `from` up to and with `to` by `with`. */
static void put(struct sb *b, const char *from, const char *to, const char *with)
{
	struct sb out = {0};
	const char *p = b->p ? b->p : "", *at;
	for (; (at = strstr(p, from)); p = strstr(at + strlen(from), to) + strlen(to)) {
		sb_put(&out, p, (size_t)(at - p));
		sb_cstr(&out, with);
	}
	sb_cstr(&out, p);
	sb_free(b);
	*b = out;
}

/* Without what our pages add: anchors of headings, frames of code and tables, lazy pictures. */
static void plain(struct sb *b)
{
	put(b, "<div class=\"code\" data-lang=\"", "<code>", "<pre><code>");
	put(b, "</code></pre></div>", "", "</code></pre>");
	put(b, " <a class=\"anchor\"", "</a>", "");
	put(b, " id=\"", "\"", "");
	put(b, " loading=\"lazy\" decoding=\"async\"", "", "");
	put(b, "<div class=\"table\"", ">", "");
	put(b, "</table></div>", "", "</table>");
	put(b, " scope=\"col\"", "", "");
	put(b, "<li class=\"task\">", "", "<li>");
	put(b, "<label>", "", "");
	put(b, "</label>", "", "");
}

static void check(const char *src, const char *want)
{
	struct arena arena = {0};
	struct expand_ctx ctx = {.base = "", .arena = &arena};
	struct md_doc doc;
	struct err e = ERR_NONE;
	struct sb html = {0};
	if (markdown_render(&ctx, str_of(src), "p.md", 1, &doc, &e)) {
		sb_str(&html, doc.html);
		plain(&html);
	} else {
		size_t n = strlen(want);
		sb_put(&html, e.text, strncmp(e.text, want, n) == 0 ? n : strlen(e.text));
	}
	if (strcmp(html.p ? html.p : "", want) != 0)
		fail_msg("%s\nis: %s\nwant: %s", src, html.p, want);
	sb_free(&html);
	arena_free(&arena);
}

static void test_sections(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		check(examples[i].src, examples[i].html);
}

static void test_differences(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		check(others[i].src, others[i].html);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_sections),
	        cmocka_unit_test(test_differences),
	};
	return cmocka_run_group_tests_name("markdown gfm", tests, NULL, NULL);
}
