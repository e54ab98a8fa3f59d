#!/bin/sh
# install.sh - copies what was built, and the default look of a site, below $DESTDIR$PREFIX.
# `make install` runs it. Files that an earlier version installed and this one lacks go.
set -eu
build=${BUILD:-build}
to=${DESTDIR:-}${PREFIX:-/usr/local}
share=$to/share/ridgepoint

for program in site-gen runner; do
	install -D -m 755 "$build/$program" "$to/bin/$program"
	mkdir -p "$to/share/man/man1" "$to/share/bash-completion/completions" \
		"$to/share/zsh/site-functions" "$to/share/fish/vendor_completions.d"
	"$build/$program" man >"$to/share/man/man1/$program.1"
	"$build/$program" completion bash >"$to/share/bash-completion/completions/$program"
	"$build/$program" completion zsh >"$to/share/zsh/site-functions/_$program"
	"$build/$program" completion fish >"$to/share/fish/vendor_completions.d/$program.fish"
done
install -m 755 "$build/runner-trace" "$to/bin/runner-trace"

# What a blog's own runner is linked with, if this build has it: runner/scripts/ready.sh.
rm -rf "$to/lib/ridgepoint"
if [ -f "$build/ready/facts" ]; then
	mkdir -p "$to/lib/ridgepoint"
	install -m 755 "$build/ready/codehash" "$to/lib/ridgepoint"
	install -m 644 "$build/ready/facts" "$to/lib/ridgepoint"
	while read -r part _; do
		strip --strip-debug -o "$to/lib/ridgepoint/$part.o" "$build/ready/$part.o"
		chmod 644 "$to/lib/ridgepoint/$part.o"
	done <"$build/ready/facts"
fi

# What a site may lie over, copy, or build its runner from: docs/own-blog.md.
rm -rf "$share"
find templates static data/specs docs start kernels lib runner site.mk -type f \
	\( -path 'start/*' -o ! -name '.*' \) | while read -r file; do
	install -D -m 644 "$file" "$share/$file"
done
install -m 644 LICENSE LICENSE-text.md "$share"
