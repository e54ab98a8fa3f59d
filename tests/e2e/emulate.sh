#!/bin/bash
# Kernels of tensor cores on the emulated GPU (tests/emulate): each variant computes every output
# right, whatever the order of events; and a kernel that is wrong on purpose does not pass. Of every
# eighth step the first planted fault is tried, and all of them with EMULATE=all (tests/run long).
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
# one name in every run, so that the compiler's cache knows the files
work=$BUILD/emulate${EMULATE:+-all}
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
cxx=(${CCACHE:-} g++)
flags=(-std=c++17 -O2 -Wno-psabi -I"$work/swept" -Itests/emulate/include -I.)

if ! command -v g++ >/dev/null; then
	echo "ok - the emulated GPU # skip g++ is missing"
	exit 0
fi

# The machine, and the kernels that are not compiled here: no launcher, so they are left out.
for part in machine meet copies tensor main; do
	"${cxx[@]}" "${flags[@]}" -Wall -Wextra -c tests/emulate/$part.cc -o "$work/$part.o" || exit 1
done

compile() { # FILE.cu OBJECT; a file that sweeps includes the variant's, which is translated, too
	local swept
	swept=$(sed -n 's/^#define KNOB_FILE "\(.*\)"$/\1/p' "$1")
	if [ -n "$swept" ]; then
		mkdir -p "$work/swept/${swept%/*}"
		tests/emulate/translate --included "$swept" >"$work/swept/$swept" || return 1
	fi
	tests/emulate/translate "$1" >"$work/kernel.cc" &&
		"${cxx[@]}" "${flags[@]}" -c "$work/kernel.cc" -o "$2"
}
link() { # PROGRAM OBJECT...
	g++ -o "$1" "$work"/{machine,meet,copies,tensor,main}.o "${@:2}" \
		"$BUILD/kernels.a" "$BUILD/lib.a" -lm -lpthread -ldl
}

# --- as they are ---

# They take minutes in all, so only tests/run long runs them.
declare -A slow=()
for step in gemm32/{tile,column} gemmtf32/{mma,mma3,triple} gemm16/{stages,direct} gemm8/{late,direct,blocks} \
	epilogue/{apart,two,polynomial} grouped/{padded,pairs} decode/{last,waves,drawn} \
	prefill/{stages,tall,turns,lazy,drawn,shared,polynomial,thirds}; do
	slow[$step]=1
done
whole() { # FAMILY STEP...
	local family=$1 id=${ids[$1]:-$1} step objects=() run=() orders=1

	shift
	# whose parts the others share, or whose pieces depend on how many SMs there are
	case $family in
	mla | verify | allreduce) orders=2 ;;
	gemm16 | gemm8 | allnorm | exchange) [ "${EMULATE:-}" != all ] || orders=2 ;;
	esac
	for step in "$@"; do
		compile "kernels/$family/$step.cu" "$work/$family-$step.o" || exit 1
		objects+=("$work/$family-$step.o")
		[ -n "${slow[$family/$step]:-}" ] && [ "${EMULATE:-}" != all ] || run+=("${step#fed_}")
	done
	[ "$family" = splitk ] && objects+=("$work/gemm16-mma.o") # for rows that the TMA cannot move
	link "$work/$family" "${objects[@]}" || exit 1
	"$work/$family" $orders "$id" "${run[@]}"
}
declare -A ids=([ceilings]=ceiling-wgmma-fed) # of folders that are no family
# The others share nearly all with these: minutes.
products=(mma stages wgmma wide cluster store direct back split)
[ "${EMULATE:-}" = all ] && products+=(naive tile registers ring roles persistent order late tall four)
whole gemm16 "${products[@]}"
whole gemm8 wide late direct promote overlap three rows blocks turns
whole epilogue plain apart two inline polynomial late hidden swiglu bytes_after bytes
whole splitk tiles atomic ordered cluster streamk swap fitted overlap
whole grouped loop padded scheduler late pairs halves few pick gather swiglu_after swiglu fp8
whole prefill tiled mma stages tall wgmma roles turns overlap order resident pairs \
	beside lazy drawn store seamless kept shared polynomial keys thirds bytes bytes_keys bytes_lazy
whole decode mma last cluster waves swap early drawn abreast march paged bytes bytes_march \
	bytes_page bytes_token
# Steps that share nearly all with abreast, march, last or swap.
[ "${EMULATE:-}" = all ] && whole decode tall eager whole handed wgmma heads
# The others share nearly all with these four, or multiply by mma.sync with 64 heads: 15 s.
latent=(kept joint pairs paged)
[ "${EMULATE:-}" = all ] && latent+=(three online halves seesaw split)
whole mla "${latent[@]}"
whole verify early
# Tiles and masks are those of early.
[ "${EMULATE:-}" = all ] && whole verify loop together mma split joint
if [ "${EMULATE:-}" = all ]; then
	whole step audit stream fused ahead persistent words courier late early held branch meanwhile beyond fetched staged scaled capture update # the first is the check of the others
else
	whole step audit fused words fetched update # update records and launches graphs as graph and capture do
fi
# Without coalesced, whose 32 lanes meet five times for each output: that takes minutes.
whole gemm32 naive tile column square vectors warps stages bulk wide
whole gemmtf32 mma wgmma wide resident store mma3 triple parts
whole gemv naive warp vector tokens resident
whole allreduce engine one blocks push two bulk ring
# Its rows go both ways that the others have, as marked vectors and in shares.
whole allnorm relay
[ "${EMULATE:-}" = all ] && whole allnorm apart fused marked shares factor
# Most others count and meet as push does; it takes 15 s.
rows=(push)
[ "${EMULATE:-}" = all ] && rows+=(engine each pull bulk inband)
whole exchange "${rows[@]}"
# The others share nearly all with this one.
tiles=(gather)
[ "${EMULATE:-}" = all ] && tiles+=(flags sequential streams inside joined)
whole overlap "${tiles[@]}"
whole ceilings fed_held fed_own fed_pair
compile kernels/ceilings/latency.cu "$work/latency.o" || exit 1 # another family of that folder
link "$work/latency" "$work/latency.o" || exit 1
"$work/latency" 2 ceiling-latency
for step in shared registers; do # and another
	compile kernels/ceilings/width_$step.cu "$work/width-$step.o" || exit 1
done
link "$work/width" "$work"/width-{shared,registers}.o || exit 1
"$work/width" 1 ceiling-wgmma-width

# --- a sweep: the variant with the least and the greatest value of its knob ---

compile kernels/gemv/resident_slots.cu "$work/gemv-sweep.o" || exit 1
link "$work/gemv-sweep" "$work/gemv-sweep.o" "$work/gemv-resident.o" || exit 1
"$work/gemv-sweep" 1 gemv resident:slots

# --- wrong on purpose ---

declare -A others=([gemm16]=gemm16-mma [splitk]=gemm16-mma [epilogue]='epilogue-plain epilogue-swiglu' [gemm32]=gemm32-warps
	[gemmtf32]='gemmtf32-mma gemmtf32-mma3' [grouped]='grouped-loop grouped-halves'
	[step]=step-audit)

declare -A tried=()
# Steps that share nearly all with prefill/seamless and prefill/bytes: tests/run long tries theirs.
for step in beside lazy drawn store kept shared polynomial keys thirds bytes_keys bytes_lazy; do
	tried[prefill/$step]=1
done
for step in tall eager whole handed wgmma heads; do # as above
	tried[decode/$step]=1
done
planted() { # STEP WHAT SED-SCRIPT [FAMILY]: a step of gemm16, changed, must fail
	local family=${4:-gemm16} objects=("$work/planted.o") step header id name

	if [ "${EMULATE:-}" != all ]; then
		[ -z "${tried[$family/$1]:-}" ] || return 0
		tried[$family/$1]=1
		[ $((${#tried[@]} % 8)) = 1 ] || return 0
	fi
	id=${ids[$family]:-$family}
	[ "${1#width_}" = "$1" ] || id=ceiling-wgmma-width
	name=${1#fed_}

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
	# a limit of processor time, so that other tests beside this one do not matter
	(ulimit -St 120 && exec timeout 900 "$work/planted" 6 "$id" "${name#width_}") >"$work/said" 2>&1
	case $? in
	0)
		echo "not ok - caught: $family/$1, $2"
		sed 's/^/# /' "$work/said"
		;;
	124 | 137 | 152) # ended by a limit: nothing has said that it is wrong
		echo "not ok - caught: $family/$1, $2"
		echo '# it did not end within 120 s of processor time'
		;;
	*) echo "ok - caught: $family/$1, $2" ;;
	esac
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
planted persistent 'the last slot is never handed over' '/wgmma_wait<0>();/,+2s/done((i - 1) % STAGES);//'
planted cluster 'only this block says that a slot is free' 's/if (block < PAIR)/if (block == cluster_rank())/; s/PAIR \* WARPS);/WARPS);/'
planted store 'a wrong swizzle in one corner' 's/(chunk ^ mine % 8)/((chunk ^ mine % 8) ^ (mine == 63))/'
planted store 'a panel is filled while the TMA reads it' 's/ptx_bulk_wait_read<PANELS - 1>();/;/'
planted store 'a panel leaves before it is whole' '/the panel is whole/d'
planted store 'a panel is not shown to the TMA' '/ptx_fence_async();/d'
planted late 'bits of the result are cut off' 's/bf16_pair(sum\[2 \* j\], sum\[2 \* j + 1\])/(& \& 0xfffefffeu)/'
planted late 'the last panel stays' 's/panel < ACROSS; panel++/panel < ACROSS - 1; panel++/'
planted back 'the rest of k comes twice on the way back' 's/back ? steps - 1 - step : step/back ? steps - step : step/'
planted four 'one of four does not ask for its part of B' 's/if (block < PAIR)/if (block < PAIR - 1)/; s/PAIR \* WARPS);/(PAIR - 1) * WARPS);/'
planted split 'a step is left out where shares meet' 's/(rank + 1) \/ all)}/(rank + 1) \/ all - 1)}/'
planted split 'sums are added before they are there' '/block_wait(&from->flag);/d'
planted split 'the flag is raised before the sums are there' '/all have left theirs/d; s/leave(mine, sum);/block_tell(\&mine->flag), ptx_sync_some(1 + group, WGMMA_GROUP), leave(mine, sum);/'
planted split 'the flag is never raised' '/block_tell(&mine->flag);/s/.*/;/'
planted split 'the flag stays for the next launch' '/for the next launch/d'
planted split 'the other warp group gets the sums' 's/mine - PAIR \* GROUPS,/mine - PAIR * GROUPS + 1 - 2 * group,/'
planted late 'one of two scales is forgotten' 's/scales\[0\] \* scales\[1\]/scales[0]/' gemm8
planted late 'half of the products of a slot is left out' 's/int j = 0; j < STEP; j++/int j = 0; j < STEP \/ 2; j++/' gemm8
planted promote 'a part is added before it is there' 's/wgmma_wait<0>();/;/' gemm8
planted promote 'a part goes on in place of beginning anew' 's/wgmma_along(bt, j), j > 0/wgmma_along(bt, j), step > 0 || j > 0/' gemm8
planted promote 'both halves are of the same columns' 's/half \* HALF_WIDE \* TENSOR_MAP_PANEL/0/' gemm8
planted overlap 'a part is added too early' 's/add<1>(sum, one/add<2>(sum, one/' gemm8
planted overlap 'the last of an even number of slots is lost' 's/add<0>(sum, other, r, i);/;/' gemm8
planted rows 'two rows have the same scale' 's/a_scales\[mine + 8\]/a_scales[mine]/' gemm8
planted direct 'two lanes do not exchange' 's/high ? w.x : w.z, 2/high ? w.x : w.z, 0/' gemm16
planted direct 'with few steps some outputs stay' 's/eights_put(before, steps, true, p);/;/' gemm16
planted direct 'a row has the columns of another round' 's/col + i \/ 2 \* ROUND/col + (i \/ 2 ^ 1) * ROUND/' gemm16
planted three 'a part is added before it is there' 's/wgmma_wait<0>();/;/' gemm8
planted three 'the last tile stays' '/const place at = trio_place(p, pair);/,$ s/    trio_put(sum, p, row, col, scale);/    ;/' gemm8
planted three 'a half of A comes twice' 's/at.top + half \* TRIO_HIGH/at.top + 0 * TRIO_HIGH/' gemm8
planted rows 'two columns have the same scale' 's/s.upper \* y/s.upper * x/' gemm8
planted rows 'eight columns have the scales of others' 's/q % KEEPERS \* 4/(q ^ 1) % KEEPERS * 4/' gemm8
planted blocks 'a part is added before it is there' 's/wgmma_wait<0>();/;/' gemm8
planted blocks 'a slot is read before it is full' 's/ptx_mbar_wait(&r.full\[x.slot\], x.parity);/;/' gemm8
planted blocks 'a slot has the scales of the one before' 's/i++, a += p.m, b++/i++, a += k > DEEP ? p.m : 0, b++/' gemm8
planted blocks 'scales are told of before they are there' 's/^ *__syncwarp();.*//; s/if (lane == 0)/;/; s/^ *ptx_mbar_arrive(&r.tiles.full\[s\]);//; s/cluster_wait(&r.tiles.empty.*;/&  if (lane == 0) ptx_mbar_arrive(\&r.tiles.full[s]);/' gemm8
planted blocks 'both halves have the scale of the first' 's/scales\[HIGH + j\]/scales[HIGH]/' gemm8
planted blocks 'the last tile stays' '/for (int n = 0; n < P::COUNT; n++)$/,$ s/^ *put_part<P::AT_ONCE/        if (n < 0) &/' gemm8
planted turns 'a turn is never passed' 's/^ *parts_turn_pass(group);/;/' gemm8
planted turns 'a tile has the sections of its neighbour' 's/(at.left + lane \* P::SECTION)/(at.left + (lane + 1) * P::SECTION)/' gemm8
planted apart 'the bias is added to one of two columns' 's/bf16_second(x) + bf16_second(bias)/bf16_second(x)/' epilogue
planted two 'a vector has the biases of the next' 's/p.bias\[i % p.across\]/p.bias[(i + 1) % p.across]/' epilogue
planted two 'half of the vectors are left out' 's/if (i >= p.vectors)/if (i >= p.vectors - p.vectors \/ 2)/' epilogue
planted inline 'a column has the bias of the next' 's/first + bf16_first(bias)/first + bf16_second(bias)/' epilogue
planted inline 'biases are read before they are there' 's/ptx_copies_wait<0>();/;/' epilogue
planted inline 'a group does not wait for the threads that ask for biases' '/ptx_copies_wait<0>();/,+1s/ptx_sync_some(1 + group, WGMMA_GROUP);/;/' epilogue
planted polynomial 'far from 0 the polynomial bends back' 's/fminf(s, 25)/s/' epilogue
planted polynomial 'eight rows have the sums of the eight above' 's/i \* EIGHTS \* 4 + below \* 2/i * EIGHTS * 4/' epilogue
planted late 'the activation is applied twice' 's/act_gelu<ACT, WAY>(first + bf16_first(bias))/act_gelu<ACT, WAY>(&)/' epilogue
planted late 'a tile leaves when its sums are those of the next' 's/^        finish<ACT>.*;/;/; s/^ *if (step == 0)$/if (step == 0) finish<ACT>(before.word, sum, biases);\n&/' epilogue
planted late 'there is no activation' 's/half + half \* __tanhf(act_bent<ACT>(v))/v/' epilogue
planted hidden 'a turn is never passed' 's/ptx_arrive_some(TURN, IN_TURN);/;/' epilogue
planted hidden 'a slot is handed over twice where turns begin' 's/if (!first)/if (step > 0)/' epilogue
planted hidden 'sums begin anew where turns begin' 's/step > 0 || j > 0/!first || j > 0/' epilogue
planted hidden 'a short tile has turns' 's/return steps > HELD;/return steps > 0;/; s/steps - HELD/max(0, steps - HELD)/' epilogue
planted hidden 'the panels of the last tile stay' 's/^    waiting_send(before, 0, true, panels, c_map, group);/;/' epilogue
planted swiglu 'gate and up are swapped' 's/act_swiglu<WAY>(gate + bf16_first(g), up + bf16_first(u))/act_swiglu<WAY>(up + bf16_first(u), gate + bf16_first(g))/' epilogue
planted swiglu 'an up has the bias of its gate' 's/bias\[i \* 8 + 4\]/bias[i * 8]/' epilogue
planted swiglu 'outputs go to the columns of their gates' 's/at.left \/ (WIDE \/ outputs<ACT>::COLUMNS)/at.left/' epilogue
planted bytes 'two columns change places' 's/first \* scale, second \* scale/second * scale, first * scale/' epilogue
planted bytes 'a row has the scale of the row eight above' 's/scales, row + at, rows/scales, row + mine, rows/' epilogue
planted bytes 'a panel is not shown to the TMA' '/ptx_fence_async();/d' epilogue
planted bytes_after 'outputs have the scale of another row' 's/scales\[i \/ across\]/scales[vectors \/ across - 1 - i \/ across]/' epilogue
planted tiles 'a slice of k is left out' 's/int step = w.begin; step < w.end/int step = w.begin + (w.end > 8); step < w.end/; s/step > w.begin/step > w.begin + (w.end > 8)/' splitk
planted atomic 'a part is added twice' 's/part_add(&to->pair\[j\]\[threadIdx.x\], sum\[2 \* j\], sum\[2 \* j + 1\]);/{ & if (w.begin > 0) & }/' splitk
planted atomic 'sums stay for the next launch' 's/to->pair\[j\]\[threadIdx.x\] = make_float2(0, 0);/;/' splitk
planted atomic 'the counter stays for the next launch' 's/\*count = 0;/;/' splitk
planted ordered 'the counter stays for the next launch' 's/\*count = 0;/;/' splitk
planted ordered 'two pieces have the same step' 's/return {(int)blockIdx.x \/ splits, steps \* part \/ splits,/return {(int)blockIdx.x \/ splits, max(0, steps * part \/ splits - 1),/' splitk
planted ordered 'a step is left out where pieces meet' 's/steps \* (part + 1) \/ splits}/steps * (part + 1) \/ splits - (part == 1)}/' splitk
planted ordered 'the last piece is not waited for' 's/== parts - 1/== (parts > 1 ? parts - 2 : 0)/' splitk
planted ordered 'the parts are those of the tile before' 's/all + w.tile \* splits/all + max(0, w.tile - 1) * splits/' splitk
planted cluster 'sums are added before they are there' '/all sums are there/d' splitk
planted cluster 'a part is added twice, and another not' 's/PITCH + col), b);/PITCH + col), b \& ~1);/' splitk
planted cluster 'a part is left out' 's/if (b < blocks) {/if (b < blocks \&\& b != 1) {/' splitk
planted streamk 'both parts of a block lie in the same place' 's/+ (begins ? 1 : 0)//' splitk
planted streamk 'a step is left out where shares meet' 's/(int)(all \* (b + 1) \/ gridDim.x)}/(int)(all * (b + 1) \/ gridDim.x) - (b == 1)}/' splitk
planted streamk 'the last part of a tile is not added' 's/b <= last; b++/b < last; b++/' splitk
planted swap 'tokens are those of the next step' 's/x_map, (b.begin + i) \* DEEP/x_map, (b.begin + i + 1) * DEEP/' splitk
planted swap 'a slot is handed over too early' 's/wgmma_wait<1>();/wgmma_wait<2>();/' splitk
planted swap 'two outputs change places' 's/j \/ 2 % 2 \* 8/(1 - j \/ 2 % 2) * 8/' splitk
planted fitted 'both warp groups have the same weights' 's/group \* WGMMA_HIGH \* TENSOR_MAP_PANEL/0/' splitk
planted fitted 'sums are put where slots are still read' '/nobody needs the slots any more/d' splitk
planted overlap 'the first slots are asked for twice' 's/int i = early; i < steps/int i = 0; i < steps/' splitk
planted overlap 'the first slots get no tokens' 's/^        tokens(i);/if (i > 0) &/' splitk
planted coalesced 'half of the lanes are not added' 's/step = WARP \/ 2/step = WARP \/ 4/' gemm32
planted tile 'a barrier is missing' '/nobody needs them any more/d' gemm32
planted column 'two rows have the same sum' 's/p, top + y + r,/p, top + y + (r | 1),/' gemm32
planted square 'a tile is skipped' 's/^    float sum\[MINE\]\[MINE\] = {};/&\n    if (top == SIDE \&\& left == SIDE) return;/' gemm32
planted vectors 'a step of k comes twice, another not' 's/to\[at + 1\]\[row\] = v.y/to[at + 1][row] = v.z/' gemm32
planted warps 'two lanes have the same columns' 's/(lane >> 2 & 4)/(lane >> 2 \& 0)/' gemm32
planted stages 'a copy is waited for too late' 's/ptx_copies_wait<STAGES - 2>/ptx_copies_wait<STAGES - 1>/' gemm32
planted stages 'a wrong swizzle in one row' 's/(q ^ row % APART)/(q ^ row % APART ^ (row == 63 \&\& q > 3))/' gemm32
planted bulk 'a slot is asked for while it is read' '/the slot is free/d' gemm32
planted wide 'chunks are read before their slot has come' '/if (step + 1 < r.steps)/,+1d' gemm32
planted wide 'a slot is free before all warps have read it' 's/ptx_mbar_init(&r.empty\[s\], WARPS)/ptx_mbar_init(\&r.empty[s], 1)/' gemm32
planted wide 'a chunk of B comes twice, another not' 's/now = right ^ (q + 32);/now = right ^ (q + 16);/' gemm32
planted wide 'the ring is one slot too short' 's/++s == STAGES/++s == STAGES - 1/' gemm32
planted mma 'a sum of the tile before stays' 's/float sum\[ROWS16\]\[COLS8\]\[4\] = {}/static &/' gemmtf32
planted wgmma 'sums are read before the products are done' 's/wgmma_wait<0>();//' gemmtf32
planted wide 'a slot is believed to hold twice as much of k' 's/WIDE_PRODUCT_DEEP WGMMA_TF32_DEEP/WIDE_PRODUCT_DEEP (2 * WGMMA_TF32_DEEP)/' gemmtf32
planted resident 'a slot counts the arrivals of one block' 's/PAIR \* WARPS);/WARPS);/' gemmtf32
planted store 'a wrong swizzle in one corner' 's/(chunk ^ mine % 8)/((chunk ^ mine % 8) ^ (mine == 63))/' gemmtf32
planted store 'a panel is filled while the TMA reads it' 's/ptx_bulk_wait_read<PANELS - 1>();/;/' gemmtf32
planted store 'a panel leaves before it is whole' '/the panel is whole/d' gemmtf32
planted mma3 'what is left over of A is forgotten' '/multiply(sum, u_low, v);/d' gemmtf32
planted mma3 'what is left over of B is forgotten' '/multiply(sum, u, v_low);/d' gemmtf32
planted triple 'a part of B is not split' 's/j < B_BYTES \/ 16; j += SPLITTERS/j < B_BYTES \/ 16 - SPLITTERS; j += SPLITTERS/' gemmtf32
planted triple 'one number of four is not split' 's/split_low(x.z)/0u/' gemmtf32
planted triple 'the rows of A are those of the other warp group' 's/(group \* WGMMA_HIGH + row)/((group ^ 1) * WGMMA_HIGH + row)/' gemmtf32
planted triple 'what is left over is not shown to the tensor cores' '/ptx_fence_async();/d' gemmtf32
planted parts 'a part goes on in place of beginning anew' 's/multiply_slot(part, r, group, i, false)/multiply_slot(part, r, group, i, step > 0)/; s/float part\[WIDE \/ 2\];/float part[WIDE \/ 2] = {1};/' gemmtf32
planted parts 'a part is added before it is there' 's/wgmma_wait<0>();/;/' gemmtf32
planted parts 'a turn is never passed' 's/^    turn_pass(group);/;/' gemmtf32
planted loop 'an expert has the weights of the next' 's/g \* x.n, m->a/(g + 1 < x.e ? g + 1 : g) * x.n, m->a/' grouped
planted loop 'an expert begins at the row before' 's/begin\[g\], g \* x.n/max(0, begin[g] - 1), g * x.n/' grouped
planted padded 'outputs come back a row too far' 's/x.begin\[g\] + (int)(i % across \/ x.n)/x.begin[g] + (int)(i % across \/ x.n + 1) % from.most/' grouped
planted scheduler 'a tile is skipped' 's/int i = blockIdx.x; i < t.first/int i = blockIdx.x + (blockIdx.x == 1 ? gridDim.x : 0); i < t.first/' grouped
planted scheduler 'the last tile of an expert does not count' 's/return ceil_div(rows, high) \* across/return max(rows > 0, rows \/ high) * across/' grouped
planted scheduler 'an expert begins at the row before' 's/int begin = x.begin\[g\], end/int begin = x.begin[g] - (g == 2), end/' grouped
planted scheduler 'the rows of the next expert are overwritten' 's/tile{begin + at.top \* HIGH, at.left \* WIDE, end, g}/tile{begin + at.top * HIGH, at.left * WIDE, min(x.rows, begin + at.top * HIGH + HIGH), g}/' grouped
planted scheduler 'a slice of k is left out' 's/int k = 0; k < x.k/int k = x.k > 128 ? DEEP : 0; k < x.k/; s/int steps = ceil_div(x.k, DEEP)/int steps = ceil_div(x.k, DEEP) - (x.k > 128)/' grouped
planted scheduler 'weights are those of the tile before' 's/w.g \* x.n + w.left/w.g * x.n + max(0, w.left - WIDE)/' grouped
planted late 'a whole panel is stored behind the last row' 's/ \&\& l.row + WGMMA_HIGH <= l.end//' grouped
planted late 'the last outputs stay' 's/^    later_end(before, x, to);/;/' grouped
planted pairs 'both blocks fetch the same half' 's/row + rank \* half/row/' grouped
planted pairs 'only this block says that a slot is free' 's/if (block < PAIR)/if (block == cluster_rank())/; s/PAIR \* WARPS);/WARPS);/' grouped
planted pairs 'a pair shares weights where tiles stand side by side' 's/!w.weights/false/; s/w.weights,/true,/' grouped
planted pairs 'the last row of tiles is left out' 's/pairs_above(down, across) + down % PAIR/pairs_above(down, across) + (down > 1 ? 0 : down)/' grouped
planted halves 'a warp group with a single row is idle, too' 's/row >= w.is.end/row + 1 >= w.is.end/' grouped
planted halves 'an idle warp group does not give slots back' '/static __device__ __forceinline__ void skip/,/^}/s/tell_both{r}(i % STAGES);/;/' grouped
planted halves 'lanes of an idle warp group lose each other' '/no lane is left behind/d' grouped
planted few 'one row too many for the tile' 's/8 << size < tokens/8 << size < tokens - 1/' grouped
planted few 'two outputs change places' 's/odd ? got : keep/odd ? keep : got/; s/odd ? keep : got);/odd ? got : keep);/' grouped
planted few 'a slot is handed over too early' 's/wgmma_wait<1>();/wgmma_wait<2>();/' grouped
planted few 'tokens end with the expert of the tile before' 's/in % down \* MOST, in \/ down \* HIGH, end, g/in % down * MOST, in \/ down * HIGH, end - (down > 1 \&\& in % down == down - 1), g/' grouped
planted pick 'a row has the token of the row before' 's/from\[(size_t)row\[i \/ across\]/from[(size_t)row[i < across ? 0 : i \/ across - 1]/' grouped
planted gather 'a row has the token of the row before' 's/(int64_t)row\[i\]/(int64_t)row[i > 0 ? i - 1 : 0]/' grouped
planted gather 'tokens are announced before they are there' 's/ptx_copies_wait<AHEAD>/ptx_copies_wait<AHEAD + 1>/' grouped
planted gather 'a chunk lies where no swizzle would put it' 's/(chunk ^ i % 8)/chunk/' grouped
planted tiled 'the last key of a tile is lost' 's/j < SIDE; j++/j < SIDE - 1; j++/' prefill
planted tiled 'the mask is off by one' 's/seen_by(a, first + y \* MINE + r) - j - x \* MINE/1 + &/' prefill
planted tiled 'old sums keep their maximum' 's/o\[r\]\[c\] \*= back;/o[r][c] *= back > 0 ? 1 : 0;/' prefill
planted mma 'values are not turned' 's/ptx_ldmatrix_turned(/ptx_ldmatrix(/' prefill
planted stages 'a copy is waited for too late' 's/ptx_copies_wait<0>/ptx_copies_wait<1>/' prefill
planted tall 'both halves of a warp have the same maximum' 's/soften(s\[n\], scale, of\[n\], back)/soften(s[n], scale, of[0], back)/' prefill
planted wgmma 'scores are read before they are there' '0,/wgmma_wait<0>();/s//;/' prefill
planted wgmma 'panels of values are one' 's/(uint64_t)(panel_bytes >> 4)/(uint64_t)(0 * panel_bytes >> 4)/; s/wgmma_values(v, K_PANEL)/wgmma_values(v, 0)/' prefill
planted roles 'a slot is handed over too early' '/soften(s, scale, of, back);/i done_with(\&b.v_empty[slot]);
/wgmma_landed(o);/,+2s/done_with(&b.v_empty\[slot\]);/;/' prefill
planted turns 'a tile has the weights of the one before' 's/^            pack(x.p, x.s);/if (n > 0) &/' prefill
planted overlap 'sums are scaled while their product runs' '/and the sums/d' prefill
planted resident 'queries are overwritten while they are read' '/ptx_mbar_wait(q_empty, (piece \& 1) ^ 1);/d' prefill
planted resident 'two blocks have the same piece' 's/hands - 1 - hand : hand/hands - 1 - hand : max(0, hand - 1)/' prefill
planted pairs 'both blocks fetch the same half' 's/(int)cluster_rank() \* HALF/0 * HALF/' prefill
planted beside 'sums are scaled while their product runs' '/^        sums_there();/d' prefill
planted beside 'scores are read before they are there' '/the scores are there/d' prefill
planted lazy 'sums are never scaled' 's/^        scale_rows(x.o, back);//' prefill
planted lazy 'a row loses its sums when another maximum grows' 's/at) : 1;/at) : 0;/' prefill
planted drawn 'queries are overwritten while they are read' '/ptx_mbar_wait(&b.q_empty\[i % T::PLACES\],/,/;/d' prefill
planted drawn 'a piece is drawn by nobody' 's/tickets_draw(t, gridDim.x)/1 + &/' prefill
planted store 'outputs are not shown to the TMA' '/ptx_fence_async();/d' prefill
planted store 'outputs are overwritten while they leave' 's/ptx_bulk_wait_read<0>();/;/' prefill
planted seamless 'outputs have the sums of the next piece' 's/put(x.o, old, w);/put(x.o, x.of, w);/' prefill
planted seamless 'a piece has the queries of the one before' 's/start_scores(x, r, n + 1, place);/start_scores(x, r, n + 1, 1 - place);/' prefill
planted kept 'a piece has the queries of the first one' 's/queries<T::KEPT>::take(x, r, place);/if (!n) &/' prefill
planted kept 'halves of a row change places' 's/lane \/ PART) ^ row/1 - lane \/ PART) ^ row/' prefill
planted shared 'both blocks fetch the same share' 's/(int)cluster_rank() \* (T::KEYS/0 * (T::KEYS/' prefill
planted shared 'a slot is free when one block is done with it' 's/block < T::BLOCKS/block == cluster_rank()/; s/T::WARPS \* T::BLOCKS/T::WARPS/' prefill
planted polynomial 'the integer part is lost' 's/ + (__float_as_uint(sum) << 23)//' prefill
planted polynomial 'the rest is doubled' 's/in - (sum - more)/2 * (in - (sum - more))/' prefill
planted keys 'only the first tile has something to hide' 's/i < w.hidden/i < 1/' prefill
planted bytes 'bytes of two keys change places' 's/0x6420/0x6240/' prefill
planted bytes 'turned values are not shown to the tensor cores' '/ptx_fence_async();/d' prefill
planted bytes 'weights of two rows change places' 's/p\[j \/ 2\]\[j % 2 \* 2 + h\]/p[j \/ 2][j % 2 * 2 + 1 - h]/' prefill
planted bytes 'values are overwritten before they are turned' '/^            done_with(&b.v_empty\[s\]);/d; s/^            ptx_mbar_wait(&r.of->empty\[s\], !parity(n));/&\n            done_with(\&b.v_empty[s]);/' prefill
planted bytes_keys 'the second panel is the first one' 's/e \/ 4 \* T::T_PANEL/0 * T::T_PANEL/' prefill
planted bytes_keys 'only the first tile has something to hide' 's/j < w.hidden/j < 1/' prefill
planted bytes_lazy 'sums are never scaled' 's/^            scale_rows(x.o, back);//' prefill
planted thirds 'two groups have the same queries' 's/x.group \* WGMMA_HIGH/min(x.group, 1) * WGMMA_HIGH/' prefill
planted mma 'the last key is lost' 's/i % 2 >= left)/i % 2 >= left - 1)/' decode
planted stages 'a copy is waited for too late' 's/ptx_copies_wait<SLOTS - 2>/ptx_copies_wait<SLOTS - 1>/' decode
planted last 'a piece is combined twice' 's/join(p, h, n, at, all)/join(p, h, n + 1, [\&](int i) { return at(i < n ? i : n - 1); }, all)/' decode
planted last 'the counter stays for the next launch' 's/\*count = 0;/;/' decode
planted ring 'values behind the last key are not left out' 's/hide_values(b, left);/;/' decode
planted ring 'a slot is free before all warps have read it' 's/ptx_mbar_init(&empty\[s\], WARPS)/ptx_mbar_init(\&empty[s], 1)/' decode
planted cluster 'parts are read before they are there' '/the parts of all blocks are there/d' decode
planted waves 'the last block of a row does not count' 's/last - first + 1, (int)blockIdx.x/last - first + (last == first), (int)blockIdx.x/' decode
planted waves 'parts keep their own maximum' 's/ptx_exp2(mine.top - base_of(all.top))/(mine.sum > 0)/' decode
planted waves 'sums are overwritten while they are read' '/nobody reads the sums before/d' decode
planted waves 'a step is left out where shares meet' 's/begin, end, all, blocks, place_of/begin, end - (b == 0), all, blocks, place_of/' decode
planted swap 'weights are not turned' 's/= ptx_turn(/= (/' decode
planted drawn 'a piece is drawn by nobody' 's/tickets_draw(t, gridDim.x)/1 + &/' decode
planted drawn 'a slot says the piece of another' 's/piece\[i % SLOTS\] = n;/piece[i % SLOTS] = max(0, n - 1);/' decode
planted tall 'keys are overwritten before they are read' 's/ask(n + SLOTS - 1);/ask(n + SLOTS);/; s/n < SLOTS - 1; n++/n < SLOTS; n++/; s/ptx_copies_wait<SLOTS - 2>/ptx_copies_wait<SLOTS - 1>/' decode
planted tall 'values are those of the keys before' 's/next(2 \* i + 1), left/next(2 * i + (i > 0 ? 1 : 0)), left/' decode
planted abreast 'a tile is taken twice' 's/const int j = mine + i \* step;/const int j = mine + max(0, i - 1) * step;/' decode
planted eager 'a part more than there are blocks' 's/parts = splits_of(keys);/parts = splits_of(keys) + 1;/' decode
planted whole 'both halves have the same banks and keys' 's/g % 2 \* K_PITCH/g % 2 * 0/' decode
planted whole 'values behind the last key are not left out' 's/key >= left)$/key >= left + SIDE)/' decode
planted handed 'sums are overwritten while they are read' '/the sums before these/d' decode
planted handed 'sums are handed over before they are there' 's/^            ptx_mbar_arrive(&to.shown);/            ;/; s/^        if (n < c.all)$/        if (lane == 0) ptx_mbar_arrive(\&to.shown);\n&/' decode
planted march 'a piece has the tiles of its neighbour' 's/first = ABREAST ? part : part \* each/first = ABREAST ? max(0, part - 1) : part * each/' decode
planted march 'parts that a short row does not have are read' 's/part < parts ? min(each/tiles > first ? min(each/' decode
planted wgmma 'values behind the last key are not left out' 's/clear_behind(v, keys);/;/' decode
planted wgmma 'zeros are not shown to the tensor cores' '/ptx_fence_async();/d' decode
planted wgmma 'weights are made before the scores are there' '0,/wgmma_wait<0>();/s//;/' decode
planted heads 'a block with one tile more is not counted' 's/n < of_first ? n \/ (each + 1)/n < 0 ? n \/ (each + 1)/' decode
planted heads 'queries are those of the row before' '/the queries are there/d' decode
planted bytes_march 'bytes of two keys change places' 's/word_of(v.of\[i\]\[0\], e/word_of(v.of[1 - i][0], e/' decode
planted bytes_token 'a key has the scale of its neighbour' 's/two.x;/two.z;/' decode
planted bytes_token 'a value has the scale of its key' 's/two.y;/two.x;/' decode
planted bytes_token 'values behind the last key have scales' 's/first + j >= left)/false)/' decode
planted bytes_token 'a tile has the scales of the one before' 's/p.key(j) \/ SIDE \* PAIRS/max(0, p.key(j) \/ SIDE - 1) * PAIRS/' decode
planted bytes_token 'rows lie without room between them' 's/scales_pitch(&s, DECODE_SCALED)/s.l/' decode
planted bytes_page 'both pages have the scales of the first' 's/(first + j) \* PAIRS/0 * PAIRS/' decode
planted bytes_page 'two pages change their scales' 's/(first + j) \* PAIRS \/ SIDE;/((first + j) * PAIRS \/ SIDE ^ 1);/' decode
planted bytes 'queries are in another order than keys' 's/threadIdx.x % 4 \* 4;/threadIdx.x % 4 * 2;/' decode
planted bytes 'two values change places' 's/2 \* row + i \/ 2/2 * row + 1 - i \/ 2/' decode
planted paged 'pages are those of the neighbour' 's/? table\[first + at\]/? table[max(0, first + at - 1)]/' decode
planted paged 'entries of the table come twice' 's/next = look_up(i \* EACH + WARP)/next = look_up(i * EACH)/' decode
planted halves 'both groups have the same columns' 's/tile + group \* MINE \* PANEL_BYTES/tile/' mla
planted kept 'values behind the last key are not left out' 's/^            clear(tile.*/;/' mla
planted kept 'a slot is handed over too early' 's/^        soften_tile(x, scale, left);/&\n        done_with(\&b.empty[slot]);/; /wgmma_landed(x.o);/,+1s/done_with(&b.empty\[slot\]);/;/' mla
planted seesaw 'the last key is lost' 's/hide(x.s, left, left)/hide(x.s, left - 1, left - 1)/' mla
planted seesaw 'weights are read before they are there' 's/ptx_sync_some(WEIGHTS_0, TOGETHER);/;/' mla
planted seesaw 'the second tile keeps an old maximum' 's/most\[h\] = fmaxf(most\[h\], first\[h\]);/most[h] = fmaxf(most[h], x.of.top[h]);/' mla
planted seesaw 'weights of the first tile are not scaled again' 's/^        scale_rows(x.s, by);//' mla
planted split 'parts keep their own maximum' 's/scale = ptx_exp2(mine.top - top);/scale = 1;/' mla
planted split 'a part is combined twice' 's/int i = 0; i < there; i++/int i = 0; i <= there; i++/; s/scale, i);/scale, min(i, there - 1));/; s/(size_t)(from + i) \* HIGH/(size_t)(from + min(i, there - 1)) * HIGH/' mla
planted split 'the counter stays for the next launch' 's/c->left = 0;/;/' mla
planted joint 'parts are read before they are there' 's/block_wait(&c->all);/;/' mla
planted joint 'the flag stays for the next launch' 's/\*c = {};/c->left = c->read = 0;/' mla
planted pairs 'both blocks fetch the same rows' 's/cluster_rank() \* (KEYS/0 * (KEYS/' mla
planted pairs 'a slot is free when one block is done with it' 's/block < BLOCKS/block == cluster_rank()/; s/WARPS \* BLOCKS/WARPS/' mla
planted paged 'a page is that of the tile before' 's/table\[w.tile + i\]/table[max(0, w.tile + i - 1)]/' mla
planted loop 'each call has the last token' 's/(d.tokens - 1) + token/(d.tokens - 1) + d.tokens - 1/' verify
planted together 'a query sees what the next one may' 's/>> g % 4 \* 8, key/>> (g + 1) % 4 * 8, key/' verify
planted mma 'only a tile that is not full hides keys' 's/left < AT_ONCE + d.tokens/left < AT_ONCE/' verify
planted mma 'the upper eight keys are seen as the lower ones' 's/mine + i \/ 2 \* 8/mine/' verify
planted mma 'values behind the last key are no zeros' 's/row < left ? keys + row/true ? keys + row/; s/row < left);/true);/' verify
planted split 'queries are read before they are there' '/the queries are there/d' verify
planted split 'a copy is waited for too late' 's/ptx_copies_wait<SLOTS - 2>/ptx_copies_wait<SLOTS - 1>/' verify
planted split 'masks are those of the first sequence' 's/r.sequence \* d.tokens + token/token/' verify
planted joint 'parts are read before they are there' 's/block_wait(&c->all);/;/' verify
planted joint 'the flag stays for the next launch' 's/\*c = {};/c->left = c->read = 0;/' verify
planted early 'the counters stay as they are' 's/part_arrive(&c->read) == n - 1u/false/' verify
planted joint 'some queries are joined by nobody' 's/h += n \* WARPS/h += r.heads/' verify
planted gather 'tokens are not shown to the tensor cores' '/ptx_fence_async();/d' grouped
planted swiglu 'a gate has the up of its neighbour' 's/(s\[0\], s\[4\])/(s[0], s[5])/' grouped
planted swiglu 'a whole panel is stored behind the last row' 's/ \&\& l.row + WGMMA_HIGH <= l.end//' grouped
planted swiglu 'the last outputs stay' '/^    gated_send(before, y, to, 0, true);/d' grouped
planted swiglu_after 'half of the outputs stay' 's/i >= vectors/i >= vectors - vectors \/ 2/' grouped
planted fp8 'an expert has the scale of the first' 's/scales\[w.is.g\]/scales[0]/' grouped
planted fp8 'the last slot is left out' 's/steps = ceil_div(x.k, DEEP)/steps = max(1, ceil_div(x.k, DEEP) - 1)/' grouped
planted fed_own 'a slot is handed over too early' 's/wgmma_wait<1>();/wgmma_wait<2>();/' ceilings
planted fed_own 'a pass goes on with the sums of the one before' 's/panel > 0 ? 1 : p.again/i > 0 ? 1 : p.again/' ceilings
planted fed_pair 'both blocks fetch the same half' 's/left + share \* WIDE/left + 0 * WIDE/' ceilings
planted fed_held 'a slot is multiplied before it has come' 's/HELD ? 0 :/HELD ? 1 :/' ceilings
planted width_shared 'operands are not shown to the tensor cores' '/ptx_fence_async();/d' ceilings
planted width_shared 'a row has the swizzle of the first' 's/(i ^ row) % WIDTH_CHUNKS/i % WIDTH_CHUNKS/' ceilings
planted width_shared 'sums are read before the products are done' 's/wgmma_wait<0>();//' ceilings
planted width_registers 'the upper eight rows are the lower ones' 's/r % 2 \* 8/0/' ceilings
planted width_registers 'a sum goes on with the one before' 's/j > 0 ? 1 : p.again/i > 0 || j > 0/' ceilings
planted width_registers 'all pieces of A are the first' 's/a\[j % WIDTH_PIECES\]/a[0]/' ceilings
if [ "${EMULATE:-}" = all ]; then # tests/unit/kernels/test_step.c has such faults, too, and is quick
	planted fused 'the angle of the position before' 's/s->heads, s->kv, s->l - 1}/s->heads, s->kv, s->l - 2}/' step
	planted fused 'the newest key is not used' 's/if (blockIdx.x == 0 \&\& warp == 0)/if (false)/' step
	planted fused 'the residual is left out' 's/bf16_first(old) + a, bf16_second(old) + b/a, b/' step
	planted persistent 'blocks do not meet behind attention' 's/stay_meet(z, w, own, gain + hidden, hidden);/;/' step
	planted persistent 'values are the keys' 's/f.piece % 2 ? w.t.values : w.t.keys/w.t.keys/' step
	planted persistent 'a slot is asked for twice' 's/for (int i = 0; i < n; i++)$/for (int i = 0; i <= n; i++)/' step
	planted persistent 'a row of keys is joined too early' 's/t.done\[row\] = 0; \/\* for the next layer \*\//;/' step
	planted words 'the tag of the layer before counts' 's/words_norm(s, x.y, tag + 1,/words_norm(s, x.y, tag,/' step
	planted words 'a result has no tag of its own' 's/word_of_two(two, tag));/word_of_two(two, tag + 1));/' step
	planted words 'only one of two words must be there' 's/(uint32_t)v\[0\] != tag || (uint32_t)v\[1\] != tag/(uint32_t)v[0] != tag/' step
	planted late 'squares are of what is multiplied' 's/            sum.squares += by \* by;/;/; s/            by \*= of_eight(gain, i);/by *= of_eight(gain, i); sum.squares += by * by;/' step
	planted early 'the second half of the keys comes twice' 's/row \* t.past + first)/row * t.past + (first > 64 ? 0 : first))/' step
	planted fetched 'a slot is filled while it is read' 's/piece + FETCHED_SLOTS < pieces/piece + 1 < pieces \&\& piece > 0/; s/first, piece + FETCHED_SLOTS, once/first, piece + 1, once/' step
	planted fetched 'both rows are the first one' 's/first + (size_t)r.apart \* r.k + from/first + from/' step
	planted fused 'the counter of pieces stays for the next launch' 's/t.done\[row\] = 0;/;/' step
	planted staged 'a slot is multiplied before it has come' 's/ptx_mbar_wait(&r.full\[s\], i \/ F::STAGES & 1);/;/' step
	planted staged 'up is multiplied as gate' 's/k, mine.second, &r.full/k, mine.first, \&r.full/' step
	planted staged 'the newest key is not used' 's/i < old + page; i++/i < old; i++/' step
	planted staged 'keys are read before they have come' 's/ptx_copies_wait<KEYS_SLOTS - 2>();/;/' step
	planted scaled 'squares are those of the first vector' 's/to\[token\] = norm_factor/to[0] = norm_factor/; s/scaled_factors()\[token\]/scaled_factors()[0]/' step
	planted scaled 'gains are those of the norm before' 's/l.gain\[1\] + hidden);/l.gain[1]);/' step
fi
planted engine 'vectors are copied before the GPUs meet' '0,/^    meet_once<GPUS><<<.*;/s///' allreduce
planted one 'a GPU is forgotten' '/add_all(const uint4/,/^}/s/h < GPUS/h < GPUS - 1/' allreduce
planted one 'vectors are read before the flag' '/their vectors are there/d' allreduce
planted one 'a flag of the call before will do' 's/mine->ticket = ticket + 2;/;/' allreduce
planted blocks 'a vector may change while others read it' '/nobody reads mine any more/d' allreduce
planted blocks 'the next meeting is not taken for this one' 's/- ticket) >= 0/- ticket) == 0/' allreduce
planted push 'packets of two calls have the same place' 's/ticket % 2 \* GPUS/0 * GPUS/' allreduce
planted push 'a packet of the call before will do' 's/got\[h\].ticket == ticket/got[h].ticket > 0/' allreduce
planted two 'a GPU ends before all sums have come' '/my sum is whole, and my vector free/d' allreduce
planted two 'the last numbers are one GPU'"'"'s alone' 's/p.sum\[h\]\[i\] = v/p.sum[p.rank][i] = v/' allreduce
planted bulk 'a slot is asked for while it is read' 's/give<GPUS>(p, s, out, t);/;/; s/ask<GPUS>(p, s, r, slots, t + SLOTS);/give<GPUS>(p, s, out, t);/; s/ptx_mbar_wait(&r->full/if (asks) ask<GPUS>(p, s, r, slots, t + SLOTS);\n        &/' allreduce
planted bulk 'sums are not shown to the TMA' '/ptx_fence_async();/d' allreduce
planted bulk 'the flag overtakes the last stores' '/ptx_bulk_wait<0>();/s/.*/        ;/' allreduce
planted ring 'a term is lost on the way' 's/s > 0 ? in : nullptr/s > 1 ? in : nullptr/' allreduce
planted ring 'a sum is made before its last term has come' 's/hear(here, ticket + GPUS - 1);/;/' allreduce
planted ring 'the last chunk is not waited for' 's/hear(here, ticket + 2 \* GPUS - 2);/;/' allreduce
planted apart 'the residual is left out' 's/add_to<1>(load(at(s.r, s, row, i))/add_to<1>(make_uint4(0, 0, 0, 0)/' allnorm
planted apart 'a GPU ends before all sums have come' '/my sum is whole, and my rows free/d' allnorm
planted fused 'packets of two calls have the same place' 's/ticket % 2 \* GPUS/0 * GPUS/' allnorm
planted fused 'a packet of the call before will do' 's/got\[k\]\[h\].ticket == ticket/got[k][h].ticket > 0/' allnorm
planted fused 'a GPU is forgotten' 's/h == s.p.rank ? own/h == GPUS - 1 ? 0 : &/' allnorm
planted marked 'a place is not emptied' 's/^ *empty(place_of(g).*/;/' allnorm
planted marked 'vectors of two calls have the same place' 's/ticket % 2 \* GPUS/0 * GPUS/' allnorm
planted shares 'rows are read before the GPUs meet' '/their rows are there/d' allnorm
planted shares 'the norm is one GPU'"'"'s alone' 's/s.y\[g\]/s.y[s.p.rank]/' allnorm
planted shares 'a GPU ends before all rows have come' '/my rows are everywhere/d' allnorm
planted factor 'rows are scaled before they have come' '/h is whole everywhere/d' allnorm
planted factor 'the factor is that of the row before' 's/factors(s, me)\[row\]/factors(s, me)[max(0, row - 1)]/' allnorm
planted relay 'a sum leaves without the residual' 's/add_to<GPUS>(r\[k\]/add_to<GPUS>(make_uint4(0, 0, 0, 0)/' allnorm
planted relay 'a place is not emptied' 's/^ *empty(place_of(g).*/;/' allnorm
planted engine 'blocks are copied before the GPUs meet' 's/return packed ? packed : start_meeting(p, stream);/return packed;/' exchange
planted each 'a GPU ends before all rows have come' 's/meet(p, ticket); \/\* all rows are there/__syncthreads(); \/*/' exchange
planted push 'rows have the places of those of another GPU' 's/from < p.rank; from++/from < p.rank - 1; from++/' exchange
planted push 'a token counts itself' 's/(1u << token % WARP) - 1/(2u << token % WARP) - 1/' exchange
planted push 'rows of two calls have the same place' 's/ticket % 2 \* p.gpus/0 * p.gpus/' exchange
planted push 'rows are added before they have come' 's/(int)(i \/ gridDim.x) != p.rank/false/' exchange
planted pull 'rows may change while others fetch them' '/nobody reads mine any more/d' exchange
planted pull 'rows are fetched before they are there' '/their rows are there/d' exchange
planted bulk 'a slot is filled while it is stored from' 's/ptx_bulk_wait_read<1>();/;/' exchange
planted bulk 'marks are not shown to the TMA' '/ptx_fence_async();/d' exchange
planted bulk 'the flag overtakes the last rows' '/ptx_bulk_wait<0>();/s/.*/        ;/' exchange
planted bulk 'a slot is asked for while it is added' '/the slot is free \*\/$/d' exchange
planted inband 'packets of two calls have the same place' 's/ticket % 2 \* p.gpus/0 * p.gpus/' exchange
planted inband 'a packet of the call before will do' 's/got.ticket == ticket/got.ticket > 0/' exchange
planted inband 'a GPU is not waited for that has no rows' 's/^        receive(heads(p, p.rank, other, ticket), ticket);/        ;/' exchange
planted sequential 'terms are read before the GPUs meet' '/their terms are there/d' overlap
planted sequential 'a GPU is forgotten' '/uint4 sum_vectors/,/^}/s/h < GPUS/h < GPUS - 1/' overlap
planted sequential 'rows may change while others read them' '/nobody reads mine any more/d' overlap
planted streams 'rows are brought before the GPUs meet' 's/int rc = tie(stream, s.begun, s.side);/int rc = 0;/' overlap
planted streams 'a piece moves before it is made' 's/rc = tie(stream, s.at\[i\], s.side);/;/' overlap
planted flags 'the flag overtakes the stores' '/its panels are in memory/d' overlap
planted flags 'a tile is taken before its flag' 's/wait_for(flags_of(.*;/;/' overlap
planted flags 'two calls share slots' 's/ticket % TURNS/0/' overlap
planted inside 'the flag overtakes the last stores' '/the last panels are where they belong/d' overlap
planted inside 'sums begin before the others have sent' 's/wait_for(&box_of(t, t.rank, i .*;/;/' overlap
planted inside 'two calls share slots' 's/ticket % TURNS/0/' overlap
planted joined 'a tile does not wait for its other term' 's/^ *wait_for(flag_at(.*;/;/' overlap
planted joined 'a panel comes before the last one has left' '/what was there has left/d' overlap
planted joined 'two calls share slots' 's/ticket % TURNS/0/' overlap
planted gather 'parts are counted before they are stored' '/ptx_sync_some(MOVE_BARRIER/d' overlap
planted gather 'tiles do not wait for their rows' '/^    wait_for(counter_of/,/;$/d' overlap
planted gather 'two calls share the place of rows' 's/ticket % TURNS/0/' overlap
