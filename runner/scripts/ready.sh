#!/bin/sh
# runner/scripts/ready.sh [FOLDER] - says of what the ready-made parts of a runner are made.
#
# A blog of one's own links these parts instead of compiling them again: harness.o (lib/ and
# runner/), kernels.o (the files of kernels/ that families share) and device.o (their CUDA, and that
# of the runner). A part is fit only if its sources, its compiler and its flags are those of the
# blog, because a record names them. make runs this with CC, KFLAGS, NVCC and NVFLAGS set, and
# SOURCES as in stamp.sh. Without FOLDER it prints a line for each part; with it, the names of the
# parts in FOLDER whose line in FOLDER/facts is the same.
set -eu
export LC_ALL=C

# One hash for all of Ridgepoint's sources that can be in a runner.
sources=$(cd "${SOURCES:-.}" && find lib runner kernels -maxdepth 2 -type f ! -name '.*' ! -name '*.md' ! -path '*/__pycache__/*' |
	sort | xargs sha256sum | sha256sum | cut -c 1-12)
facts() {
	cc=$("$CC" --version | head -n 1)
	echo "harness $sources"
	echo "kernels $sources $cc $KFLAGS"
	[ -z "${NVCC:-}" ] || echo "device $sources $cc $("$NVCC" --version | sed -n 's/^.*release.*, V//p') $NVFLAGS"
}

if [ $# = 0 ]; then
	facts
elif [ -f "$1/facts" ]; then
	facts | grep -Fxf "$1/facts" | cut -d ' ' -f 1
fi
