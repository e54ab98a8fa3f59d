#!/bin/bash
# runner/scripts/reproduce.sh POST - measures again the cases that a post quotes.
# It measures on this machine, with the sources of their records, and compares with the records.
#
# Run by `make reproduce POST=slug` from the root, with BUILD set. For each run
# that the post quotes: checks out its commit under $BUILD/reproduce/<commit>,
# builds the runner there with that commit's own Makefile, measures there, and
# lets the runner of this checkout compare. The new run files lie in
# $BUILD/reproduce/runs; each says which run it is a replication of.
#
# LAUNCHES (`runner run` has the default), FAMILIES (all), NVCC and SITE_GEN may be set. Exit status: 0 if all
# comparable cases are equivalent, 1 if one is different, 2 otherwise.
set -u
post=${1:?usage: runner/scripts/reproduce.sh POST}
build=$(realpath "${BUILD:-build}")
runner=$build/runner
top=$build/reproduce
most=50 # cases in one command; the runner takes 64 arguments

die() {
	echo "reproduce: $*" >&2
	exit 2
}
say() { echo "reproduce: $*" >&2; }

# checkout COMMIT: checks it out and builds its runner; prints the folder
checkout() {
	local dir=$top/$1 log=$top/$1.log
	git worktree prune
	if [ ! -e "$dir" ]; then
		git cat-file -e "$1^{commit}" 2>/dev/null || { say "commit $1 is not in this clone"; return 1; }
		git worktree add --quiet --detach "$dir" "$1" || return 1
	fi
	if [ "$(git -C "$dir" rev-parse HEAD)" != "$1" ] || [ -n "$(git -C "$dir" status --porcelain)" ]; then
		say "$dir is not $1 as committed; remove it"
		return 1
	fi
	say "building the runner of $1; log: $log"
	make -C "$dir" -j"$(nproc)" BUILD=build ${NVCC+NVCC="$NVCC"} runner >"$log" 2>&1 ||
		{ tail -n 20 "$log" >&2; return 1; }
	echo "$dir"
}

worst=0
worse() { # the worse of two statuses: 1 beats 2 beats 0
	if [ "$1" = 1 ] || [ "$worst" = 1 ]; then worst=1; elif [ "$1" != 0 ]; then worst=2; fi
}

# measure RUN RECORD DIR FILE CASE...: measures with the recorded source, then compares; with a FILE
# in Python, which `runner python` reads, it measures that
measure() {
	local run=$1 record=$2 dir=$3 file=$4 out new
	shift 4
	out=$(cd "$dir" && build/runner ${file:+python} ${file:-run} ${LAUNCHES:+--launches "$LAUNCHES"} --out "$top/runs" \
		--reason "replication of $run" "$@")
	new=$(tail -n 1 <<<"$out")
	if [ ! -f "$new" ]; then
		printf '%-64s  NOT COMPARABLE: not measured here\n' "$@"
		return 2
	fi
	say "recorded: $new"
	"$runner" reproduce --against "$record" "$new" "$@"
}

one_run() { # RUN COMMIT FILE, the ids of its cases on stdin
	local record dir cases
	record=$(find data/runs -name "$1.jsonl.gz" -o -name "$1.jsonl" | head -n 1)
	[ -n "$record" ] || { say "no run $1 under data/runs"; return 2; }
	[ "$2" != none ] || { say "run $1 has no commit: its source cannot be checked out"; return 2; }
	dir=$(checkout "$2") || return 2
	mapfile -t cases
	for ((i = 0; i < ${#cases[@]}; i += most)); do
		measure "$1" "$record" "$dir" "$3" "${cases[@]:i:most}"
		worse $?
	done
	return "$worst"
}

[ -x "$runner" ] || die "no $runner: make runner"
mkdir -p "$top" || exit 2
list=$("${SITE_GEN:-$build/site-gen}" query --post "$post" --cases) || exit 2
[ -z "${FAMILIES:-}" ] || # only these
	list=$(awk -F '\t' -v all=" $FAMILIES " '{ split($3, f, "/"); if (index(all, " " f[1] " ")) print }' <<<"$list")
[ -n "$list" ] || die "post '$post' quotes no measured case"
while IFS=$'\t' read -r run commit file; do
	one_run "$run" "$commit" "$file" < <(awk -F '\t' -v run="$run" -v file="$file" '$1 == run && $4 == file { print $3 }' <<<"$list" | sort -u)
	worse $?
done < <(cut -f 1,2,4 <<<"$list" | sort -u)
exit "$worst"
