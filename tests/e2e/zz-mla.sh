#!/bin/bash
# Kernels of tensor cores on the emulated GPU (tests/emulate): each variant computes every output
# right, whatever the order of events; and a kernel that is wrong on purpose does not pass. Of every
# third step the first planted fault is tried, and all of them with EMULATE=all (tests/run long).
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-std=c++17 -O2 -Wno-psabi -I"$work/swept" -Itests/emulate/include -I.)

if ! command -v g++ >/dev/null; then
	echo "ok - the emulated GPU # skip g++ is missing"
	exit 0
fi

# The machine, and the kernels that are not compiled here: no launcher, so they are left out.
for part in machine copies tensor main; do
	g++ "${flags[@]}" -Wall -Wextra -c tests/emulate/$part.cc -o "$work/$part.o" || exit 1
done

compile() { # FILE.cu OBJECT; a file that sweeps includes the variant's, which is translated, too
	local swept
	swept=$(sed -n 's/^#define KNOB_FILE "\(.*\)"$/\1/p' "$1")
	if [ -n "$swept" ]; then
		mkdir -p "$work/swept/${swept%/*}"
		tests/emulate/translate --included "$swept" >"$work/swept/$swept" || return 1
	fi
	tests/emulate/translate "$1" >"$work/kernel.cc" &&
		g++ "${flags[@]}" -c "$work/kernel.cc" -o "$2"
}
link() { # PROGRAM OBJECT...
	g++ -o "$1" "$work"/{machine,copies,tensor,main}.o "${@:2}" \
		"$BUILD/kernels.a" "$BUILD/lib.a" -lm -lpthread -ldl
}

# --- as they are ---

whole() { # FAMILY STEP...
	local family=$1 id=${ids[$1]:-$1} step objects=() orders=1

	shift
	# whose parts the others share, or whose pieces depend on how many SMs there are
	[[ $family = gemm16 || $family = gemm8 || $family = mla ]] && orders=2
	for step in "$@"; do
		compile "kernels/$family/$step.cu" "$work/$family-$step.o" || exit 1
		objects+=("$work/$family-$step.o")
	done
	[ "$family" = splitk ] && objects+=("$work/gemm16-mma.o") # for rows that the TMA cannot move
	link "$work/$family" "${objects[@]}" || exit 1
	"$work/$family" $orders "$id" "${@#fed_}"
}
declare -A ids=([ceilings]=ceiling-wgmma-fed) # of folders that are no family
# The others share nearly all with these three, or multiply by mma.sync with 64 heads: 15 s.
latent=(kept joint paged)
[ "${EMULATE:-}" = all ] && latent+=(three online halves seesaw split)

# Without coalesced, whose 32 lanes meet five times for each output: that takes minutes.

# --- a sweep: the variant with the least and the greatest value of its knob ---


# --- wrong on purpose ---

declare -A others=([gemm16]=gemm16-mma [splitk]=gemm16-mma [epilogue]='epilogue-plain epilogue-swiglu' [gemm32]=gemm32-warps
	[gemmtf32]='gemmtf32-mma gemmtf32-mma3' [grouped]='grouped-loop grouped-halves')

declare -A tried=()
# Steps that share nearly all with prefill/seamless and prefill/bytes: tests/run long tries theirs.
for step in beside lazy drawn store kept shared polynomial keys thirds bytes_keys bytes_lazy; do
	tried[prefill/$step]=1
done
planted() { # STEP WHAT SED-SCRIPT [FAMILY]: a step of gemm16, changed, must fail
	local family=${4:-gemm16} objects=("$work/planted.o") step header id

	if [ "${EMULATE:-}" != all ]; then
		[ -z "${tried[$family/$1]:-}" ] || return
		tried[$family/$1]=1
		[ $((${#tried[@]} % 3)) = 1 ] || return
	fi
	id=${ids[$family]:-$family}

	rm -rf "$work/kernels" && mkdir "$work/kernels" && cp -r "kernels/$family" "$work/kernels/"
	for header in tests/emulate/include/kernels/"$family"/*.cuh; do # the emulated ones are meant
		rm -f "$work/kernels/$family/${header##*/}"
	done
	sed -i "$3" "$work/kernels/$family"/{"$1".cu,*.cuh}
	if diff -rq "kernels/$family" "$work/kernels/$family" | grep -qv '^Only in'; then
		for step in ${others[$family]:-}; do # to which this one may leave a case
			[ "$step" = "$family-$1" ] || objects+=("$work/$step.o")
		done
	else
		echo "not ok - caught: $family/$1, $2"
		echo '# nothing was changed'
		return
	fi
	flags=(-I"$work" "${plain[@]}")
	compile "$work/kernels/$family/$1.cu" "$work/planted.o" || exit 1
	link "$work/planted" "${objects[@]}" || exit 1
	if timeout 120 "$work/planted" 6 "$id" "${1#fed_}" >"$work/said" 2>&1; then
		echo "not ok - caught: $family/$1, $2"
		sed 's/^/# /' "$work/said"
	else
		echo "ok - caught: $family/$1, $2"
	fi
}
plain=("${flags[@]}")
planted halves 'both groups have the same columns' 's/tile + group \* MINE \* PANEL_BYTES/tile/' mla
planted kept 'values behind the last key are not left out' 's/^            clear(tile.*/;/' mla
planted kept 'a slot is handed over too early' 's/^        soften_tile(x, scale, left);/&\n        done_with(\&b.empty[slot]);/; /wgmma_landed(x.o);/,+1s/done_with(&b.empty\[slot\]);/;/' mla
planted seesaw 'the last key is lost' 's/hide(x.s, left, left)/hide(x.s, left - 1, left - 1)/' mla
planted seesaw 'weights are read before they are there' 's/ptx_sync_some(WEIGHTS_0, TOGETHER);/;/' mla
planted seesaw 'the second tile keeps an old maximum' 's/most\[h\] = fmaxf(most\[h\], first\[h\]);/most[h] = fmaxf(most[h], x.of.top[h]);/' mla
planted seesaw 'weights of the first tile are not scaled again' 's/^        scale_rows(x.s, by);//' mla
planted split 'parts keep their own maximum' 's/scale = ptx_exp2(mine.top - top);/scale = 1;/' mla
planted split 'a part is combined twice' 's/int i = 0; i < there; i++/int i = 0; i <= there; i++/; s/scale, i);/scale, min(i, there - 1));/; s/(size_t)(from + i) \* HIGH) \* VALUE/(size_t)(from + min(i, there - 1)) * HIGH) * VALUE/' mla
planted split 'the counter stays for the next launch' 's/c->left = 0;/;/' mla
planted joint 'parts are read before they are there' 's/block_wait(&c->all);/;/' mla
planted joint 'the flag stays for the next launch' 's/\*c = {};/c->left = c->read = 0;/' mla
planted paged 'a page is that of the tile before' 's/table\[w.tile + i\]/table[max(0, w.tile + i - 1)]/' mla
