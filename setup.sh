#!/bin/sh
# setup.sh [GOAL...] - installs the Debian packages that the goals need and
# that are missing. Says what it will install; without root it prints the
# command. How to add a package: to the line of the goal that needs it.
set -eu

base="gcc libc6-dev make git ca-certificates libjansson-dev nettle-dev"
site="gnuplot-nox libcmark-gfm-dev libcmark-gfm-extensions-dev libgit2-dev liblua5.4-dev
      libmicrohttpd-dev libyaml-dev"
test="libcmocka-dev chromium nodejs tidy libxml2-utils curl strace clang clang-format"

want=$base
[ $# -gt 0 ] || set -- all
for goal in "$@"; do
	case $goal in
	site | serve | all | site-gen | bench-site) want="$want $site" ;;
	test | tests | bless) want="$want $site $test" ;;
	esac
done

missing=
for p in $want; do
	case " $missing " in *" $p "*) continue ;; esac
	case $(dpkg-query -W -f '${db:Status-Abbrev}' "$p" 2>/dev/null || :) in
	?i*) ;;
	*) missing="$missing $p" ;;
	esac
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
echo "setup: installing$missing"
$sudo apt-get -qq update
DEBIAN_FRONTEND=noninteractive $sudo $run >/dev/null
