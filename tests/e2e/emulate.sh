#!/bin/bash
# Kernels of tensor cores on the emulated GPU (tests/emulate): each variant computes every output
# right, whatever the order of events; and a kernel that is wrong on purpose does not pass.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-std=c++17 -O2 -Wno-psabi -Itests/emulate/include -I.)

if ! command -v g++ >/dev/null; then
	echo "ok - the emulated GPU # skip g++ is missing"
	exit 0
fi

# The machine, and the kernels that are not compiled here: no launcher, so they are left out.
for part in machine copies tensor main; do
	g++ "${flags[@]}" -Wall -Wextra -c tests/emulate/$part.cc -o "$work/$part.o" || exit 1
done

compile() { # FILE.cu OBJECT
	tests/emulate/translate "$1" >"$work/kernel.cc" &&
		g++ "${flags[@]}" -c "$work/kernel.cc" -o "$2"
}
link() { # PROGRAM OBJECT...
	g++ -o "$1" "$work"/{machine,copies,tensor,main}.o "${@:2}" \
		"$BUILD/kernels.a" "$BUILD/lib.a" -lm -lpthread -ldl
}

# --- as they are ---

whole() { # FAMILY STEP...
	local family=$1 step objects=()

	shift
	for step in "$@"; do
		compile "kernels/$family/$step.cu" "$work/$family-$step.o" || exit 1
		objects+=("$work/$family-$step.o")
	done
	link "$work/$family" "${objects[@]}" || exit 1
	"$work/$family" 1 "$family" "$@"
}
whole gemm16 naive tile registers mma stages wgmma ring roles wide persistent order cluster store \
	late tall
whole gemv naive warp vector tokens resident

# --- wrong on purpose ---

planted() { # STEP WHAT SED-SCRIPT: a step of gemm16, changed, must fail
	rm -rf "$work/kernels" && mkdir "$work/kernels" && cp -r kernels/gemm16 "$work/kernels/"
	sed -i "$3" "$work"/kernels/gemm16/{"$1".cu,*.cuh}
	if diff -rq kernels/gemm16 "$work/kernels/gemm16" >/dev/null; then
		echo "not ok - caught: $1, $2"
		echo '# nothing was changed'
		return
	fi
	flags=(-I"$work" "${plain[@]}")
	compile "$work/kernels/gemm16/$1.cu" "$work/planted.o" || exit 1
	link "$work/planted" "$work/planted.o" $([ "$1" = mma ] || echo "$work/gemm16-mma.o") || exit 1
	if timeout 120 "$work/planted" 2 gemm16 "$1" >"$work/said" 2>&1; then
		echo "not ok - caught: $1, $2"
		sed 's/^/# /' "$work/said"
	else
		echo "ok - caught: $1, $2"
	fi
}
plain=("${flags[@]}")
planted tile 'a barrier is missing' '/nobody needs them any more/d'
planted tile 'a slice of k is left out' 's/int k = 0; k < p.k/int k = p.k > 64 ? SIDE : 0; k < p.k/'
planted registers 'a tile is skipped' 's/^    float sum\[MINE\]\[MINE\] = {};/&\n    if (top == SIDE \&\& left == SIDE) return;/'
planted mma 'a sum of the tile before stays' 's/float sum\[ROWS16\]\[COLS8\]\[4\] = {}/static &/'
planted mma 'the tail of k is read twice' 's/first + row, k + at)/first + row, max(0, min(k + at, depth - WIDTH)))/'
planted stages 'a copy is waited for too late' 's/ptx_copies_wait<STAGES - 2>/ptx_copies_wait<STAGES - 1>/'
planted wgmma 'sums are read before the products are done' 's/wgmma_wait<0>();//'
planted wgmma 'the tile is another one for half of the block' 's/at = wgmma_tile(a + group \* WGMMA_HIGH/at = wgmma_tile(a + (group ^ 1) * WGMMA_HIGH/'
planted ring 'a slot is asked for while it is read' '/the slot is free/d'
planted roles 'a slot is handed over too early' 's/wgmma_wait<1>();/wgmma_wait<2>();/'
planted wide 'the first slot does not count' 's/step > 0 || j > 0/step > 1 || j > 0/'
planted persistent 'the last slot is never handed over' '/wgmma_wait<0>();/,+1s/done((i - 1) % STAGES);//'
planted cluster 'only this block says that a slot is free' 's/if (block < PAIR)/if (block == cluster_rank())/; s/PAIR \* WARPS);/WARPS);/'
planted store 'a wrong swizzle in one corner' 's/(chunk ^ mine % 8)/((chunk ^ mine % 8) ^ (mine == 63))/'
planted store 'a panel is filled while the TMA reads it' 's/ptx_bulk_wait_read<PANELS - 1>();/;/'
planted store 'a panel leaves before it is whole' '/the panel is whole/d'
planted store 'a panel is not shown to the TMA' '/ptx_fence_async();/d'
planted late 'bits of the result are cut off' 's/bf16_pair(sum\[2 \* j\], sum\[2 \* j + 1\])/(& \& 0xfffefffeu)/'
planted late 'the last panel stays' 's/panel < ACROSS; panel++/panel < ACROSS - 1; panel++/'
