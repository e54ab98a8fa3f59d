#!/bin/sh
# Makes static/fonts/*.woff2: the glyphs and weights that the style sheet uses.
# Needs fontTools with brotli, and the originals (README.md beside it names them):
#   subset.sh SourceSerif4Variable-Roman.ttf SourceSerif4Variable-Italic.ttf Inter-roman.var.ttf JetBrainsMono-Regular.ttf
set -eu
LATIN='U+0020-007E,U+00A0-00FF,U+0131,U+0152-0153,U+0160-0161,U+017D-017E,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+202F,U+2030,U+2032-2033,U+2044,U+20AC,U+2122'
MATH='U+03B1-03B5,U+03BB,U+03BC,U+03C0,U+03C3,U+0394,U+03A3,U+2070,U+2074-2079,U+207B,U+2080-2089,U+2190-2195,U+2212,U+2211,U+221A,U+221E,U+2248,U+2260,U+2264-2265,U+22C5,U+2308-230B'
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
py=${PYTHON:-python3}

instance() { "$py" -m fontTools.varLib.instancer -q -o "$tmp/$1" "$2" $3; }
subset() { # IN OUT FEATURES FAMILY: a subset is a modified font, so it takes a name of its own (OFL, clause 3)
	"$py" -m fontTools.subset "$tmp/$1" --unicodes="$LATIN,$MATH" --layout-features="$3" --no-hinting \
		--drop-tables+=MVAR,STAT,DSIG --name-IDs=0,1,2,4,6,13,14 --output-file="$tmp/$2.ttf"
	"$py" - "$tmp/$2.ttf" "$2.woff2" "$4" <<'EOF'
import sys
from fontTools.ttLib import TTFont
src, dst, family = sys.argv[1:]
f = TTFont(src)
for n in f["name"].names:
    if n.nameID in (1, 4):
        n.string = family
    elif n.nameID == 6:
        n.string = family.replace(" ", "")
f["head"].modified = f["head"].created
f.recalcTimestamp = False
f.flavor = "woff2"
f.save(dst)
EOF
}

instance r.ttf "$1" 'opsz=18 wght=400:700'
instance i.ttf "$2" 'opsz=18 wght=400'
instance s.ttf "$3" 'wght=400:700'
cp "$4" "$tmp/m.ttf"
subset r.ttf serif 'kern,liga,tnum,lnum' 'Ridgepoint Serif'
subset i.ttf serif-italic 'kern,liga' 'Ridgepoint Serif Italic'
subset s.ttf sans 'kern,tnum,zero,calt' 'Ridgepoint Sans'
subset m.ttf mono '' 'Ridgepoint Mono'
