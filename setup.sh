#!/bin/sh
# setup.sh [GOAL...] - installs the missing Debian packages that the goals need. It prints
# what it will install; without root it only prints the command. To add a package, add it
# to the line of the goal that needs it.
set -eu

# A word is a package; command:package is wanted only if the command is missing.
base="gcc libc6-dev make git libjansson-dev nettle-dev"
site="blahtexml fonts-droid-fallback gnuplot:gnuplot-nox rsvg-convert:librsvg2-bin cwebp:webp
      woff2_decompress:woff2 libcmark-gfm-dev libcmark-gfm-extensions-dev libgit2-dev
      libbrotli-dev liblua5.4-dev libmicrohttpd-dev libunistring-dev libyaml-dev zlib1g-dev"
unit="libcmocka-dev"
test="g++ ccache chromium:chromium node:nodejs npm:npm java:default-jre-headless
      jq:jq python3-pandas libpython3.11 dpkg-buildpackage:dpkg-dev curl:curl pgrep:procps nginx:nginx-light rsync:rsync strace:strace
      slurmctld:slurmctld slurmd:slurmd sbatch:slurm-client munged:munge"

want=$base
[ $# -gt 0 ] || set -- all
for goal in "$@"; do
	case $goal in
	site | serve | all | site-gen | bench-site | install | new-blog) want="$want $site" ;;
	deb) want="$want $site dpkg-buildpackage:dpkg-dev" ;;
	check | tests | bless) want="$want $site $unit" ;;
	test) want="$want $site $unit $test" ;;
	esac
done

installed() { # PACKAGE
	case $(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null || :) in ?i*) ;; *) false ;; esac
}

missing=
for w in $want; do
	case $w in
	*:*) command -v "${w%%:*}" >/dev/null && continue ;;
	esac
	installed "${w#*:}" || missing="$missing ${w#*:}"
done
[ -n "$missing" ] || exit 0

run="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
	sudo=
elif sudo -n true 2>/dev/null; then
	sudo=sudo
else
	echo "setup: missing:$missing" >&2
	echo "setup: as root, run: apt-get update && $run" >&2
	exit 1
fi
# RUNLEVEL=1 keeps packages from starting services when they are installed
echo "setup: installing$missing"
$sudo apt-get -qq update
$sudo env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 $run >/dev/null
