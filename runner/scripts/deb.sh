#!/bin/sh
# runner/scripts/deb.sh OUT - makes a Debian package, of both programs and the default look, in the
# folder OUT, with dpkg-buildpackage. `make deb` runs it from the root, with BUILD set.
#
# The package is what `make install PREFIX=/usr` installs, from the programs that are built already.
# Its packaging files are written here, below $BUILD/deb, which has all that is made. Its version is
# that of site-gen and the commit; its date is the commit's, so equal sources make equal files.
set -eu
build=$(realpath "${BUILD:-build}")
root=$PWD
out=$(realpath -m "${1:-$build/deb}")
tree=$build/deb/ridgepoint

command -v dpkg-buildpackage >/dev/null || {
	echo 'deb: no dpkg-buildpackage: apt-get install dpkg-dev' >&2
	exit 1
}
release=$(sed -n 's/^#define SITE_VERSION "\(.*\)"$/\1/p' site-gen/lua/config.h)
commit=$(git log -1 --format='%h' 2>/dev/null || echo unknown)
date=$(git log -1 --format='%aD' 2>/dev/null || date -R)
SOURCE_DATE_EPOCH=$(date -d "$date" +%s)
export SOURCE_DATE_EPOCH
changed=$(git status --porcelain --untracked-files=no 2>/dev/null || :)
version=$release+git$(date -u -d "$date" +%Y%m%d).$commit${changed:+.changed}
who="${DEBFULLNAME:-Ridgepoint authors} <${DEBEMAIL:-ridgepoint@localhost}>"

rm -rf "$tree"
mkdir -p "$tree/debian/source" "$out"
echo '3.0 (native)' >"$tree/debian/source/format"
cat >"$tree/debian/changelog" <<END
ridgepoint ($version) unstable; urgency=medium

  * Built from commit $commit.

 -- $who  $date
END
cat >"$tree/debian/control" <<END
Source: ridgepoint
Section: web
Priority: optional
Maintainer: $who
Rules-Requires-Root: no
Standards-Version: 4.6.2

Package: ridgepoint
Architecture: any
Depends: \${shlibs:Depends}, blahtexml, fonts-droid-fallback, gnuplot-nox | gnuplot, librsvg2-bin, webp, woff2
Recommends: gcc, git, libc6-dev, libjansson-dev, make, nettle-dev, rsync, zlib1g-dev
Suggests: nvidia-cuda-toolkit, python3
Description: static site generator and benchmark runner for blogs about GPU kernels
 The runner checks and measures CUDA, C and Python kernels, and writes records.
 The generator turns Markdown into pages, and takes every measured number from
 these records. 'site-gen init DIR' begins a blog.
END
{
	echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
	echo
	echo 'Files: *'
	sed -n 's/^Copyright (c) \(.*\)/Copyright: \1/p' LICENSE
	echo 'License: Expat'
	sed '1,/^Copyright/d; s/^$/./; s/^/ /' LICENSE | sed '1{/^ \.$/d}'
} >"$tree/debian/copyright"
cat >"$tree/debian/rules" <<'END'
#!/usr/bin/make -f
to := $(CURDIR)/debian/ridgepoint
doc := $(to)/usr/share/doc/ridgepoint
clean build build-arch build-indep binary-indep:
binary: binary-arch
binary-arch:
	rm -rf $(to) && mkdir -p $(to)/DEBIAN $(doc)
	cd $(ROOT) && BUILD=$(PROGRAMS) DESTDIR=$(to) PREFIX=/usr ./install.sh
	strip --remove-section=.comment $(to)/usr/bin/*
	gzip -9n $(to)/usr/share/man/man1/*.1
	cp debian/copyright $(doc) && gzip -9nc debian/changelog > $(doc)/changelog.gz
	dpkg-shlibdeps -O $(to)/usr/bin/site-gen $(to)/usr/bin/runner > debian/substvars
	cd $(to) && find usr -type f | LC_ALL=C sort | xargs md5sum > DEBIAN/md5sums
	chmod -R go=rX $(to)
	dpkg-gencontrol -Tdebian/substvars -P$(to)
	dpkg-deb -Zgzip --root-owner-group --build $(to) ..
END
chmod +x "$tree/debian/rules"

cd "$tree"
ROOT=$root PROGRAMS=$build dpkg-buildpackage -b -us -uc -nc -d >"$build/deb/log" 2>&1 || {
	tail -n 20 "$build/deb/log" >&2
	exit 1
}
name=ridgepoint_${version}_$(dpkg --print-architecture).deb
[ "$out" = "$build/deb" ] || mv "$build/deb/$name" "$out/"
echo "$out/$name"
