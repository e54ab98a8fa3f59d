#!/bin/bash
# The hash of machine code changes with the code and with nothing else; and the output of
# `runner facts`.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$(realpath "${BUILD:-build}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
say() { # STATUS WHAT
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; cat "$dir/log" 2>/dev/null; fi
}

# hash NAME: of the object made from $dir/NAME, a C or CUDA file on stdin
hash() {
	cat >"$dir/$1"
	case $1 in
	*.cu) "$nvcc" -arch=sm_90a -lineinfo -Xcompiler -fPIE -c "$dir/$1" -o "$dir/$1.o" ;;
	*) (cd "$dir" && gcc -O2 -g -fPIE -c "$1" -o "$1.o") ;;
	esac >"$dir/log" 2>&1 || return
	"$build/codehash" "$dir/$1.o" 2>>"$dir/log"
}
same() { [ -n "$1" ] && [ "$1" = "$2" ]; }
differ() { [ -n "$1" ] && [ -n "$2" ] && [ "$1" != "$2" ]; }

code() {
	cat <<'END'
#include <math.h>
static const double table[] = {1, 2, 3};
extern int seen;
static double local(double x) { return x * table[(int)x & 1]; }
double twice(double x) { seen++; return local(x) + sqrt(x) + 2.0; }
END
}
first=$(code | hash a.c)
same "$first" "$({ printf '/* why */\n\n\n'; code; } | hash a.c)"
say $? 'a comment and other line numbers are the same code'
same "$first" "$(code | sed 's/double x/double value/g; s/\bx\b/value/g' | hash a.c)"
say $? 'so are other names of variables'
mkdir "$dir/deep"
same "$first" "$(code | hash deep/b.c)"
say $? 'so is another file name'
differ "$first" "$(code | sed 's/2\.0/2.5/' | hash a.c)"
say $? 'another constant is other code'
differ "$first" "$(code | sed 's/1, 2, 3/1, 4, 3/' | hash a.c)"
say $? 'another table is'
differ "$first" "$(code | sed 's/sqrt/cbrt/' | hash a.c)"
say $? 'a call to another function is, though it is the same bytes until linked'
differ "$first" "$(code | sed 's/seen++/seen--/' | hash a.c)"
say $? 'another instruction is'

code | hash a.c >/dev/null
code | sed 's/2\.0/2.5/' | hash b.c >/dev/null
differ "$("$build/codehash" "$dir/a.c.o" "$dir/b.c.o")" "$("$build/codehash" "$dir/b.c.o" "$dir/a.c.o")"
say $? 'the order of objects counts'
"$build/codehash" "$dir/a.c" >"$dir/log" 2>&1
[ $? = 1 ] && grep -q 'a.c: not a 64-bit little-endian ELF object' "$dir/log"
say $? 'a file that is no object is named'
bad=0
for i in $(seq 40); do # a truncated object gives an error or a hash, never a crash
	head -c $((i * 83)) "$dir/a.c.o" >"$dir/cut.o"
	"$build/codehash" "$dir/cut.o" >/dev/null 2>"$dir/log"
	[ $? -le 1 ] || bad=1
done
say $bad 'an object cut short is never read past its end'
[ -z "$("$build/codehash" --mix "$build/obj/lib/str.c.o")" ]
say $? 'what has no device code has no instructions of it'

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
kernel() {
	cat <<'END'
namespace { __device__ float factor[4]; }
static __global__ void scale(float *y, const float *x) { y[threadIdx.x] = factor[0] * x[threadIdx.x]; }
extern "C" void run(float *y, const float *x) { scale<<<8, 128>>>(y, x); }
END
}
if [ -n "$nvcc" ]; then
	first=$(kernel | hash k.cu)
	same "$first" "$({ printf '// why\n\n'; kernel; } | hash k.cu)"
	say $? 'device code: a comment is the same code'
	differ "$first" "$(kernel | sed 's/factor\[0\]/factor[1]/' | hash k.cu)"
	say $? 'device code: another operand is other code'
	differ "$first" "$(kernel | sed 's/<<<8/<<<16/' | hash k.cu)"
	say $? 'device code: another launch configuration is other code'
	"$build/codehash" --mix "$dir/k.cu.o" >"$dir/log" && grep -q '^FMUL 1, ' "$dir/log" && grep -q ', STG.32 1, ' "$dir/log"
	say $? 'its instructions are counted by class'
	kernel | sed 's/float \*y, const float \*x) { y\[threadIdx.x\] = .*/float4 *y, const float4 *x) { y[threadIdx.x] = x[threadIdx.x]; }/; s/float \*y, const float \*x) { scale/float4 *y, const float4 *x) { scale/' | hash wide.cu >/dev/null
	"$build/codehash" --mix "$dir/wide.cu.o" >"$dir/log" && grep -q 'LDG.128 1, STG.128 1, ' "$dir/log"
	say $? 'and loads by their width'
else
	echo 'ok - device code # skip no nvcc'
fi

"$build/runner" facts >"$dir/facts.json" 2>"$dir/log"
say $? 'facts prints'
units=$(grep -c '^{"file":"' "$dir/facts.json")
[ "$units" -gt 0 ] && [ "$units" = "$(grep -cE '"source":\[\[.*"code_sha256":"[0-9a-f]{64}"\},?$' "$dir/facts.json")" ]
say $? 'a line and a hash for each unit'
blob=$(git hash-object kernels/reduce/c_simd.c)
grep -qF "{\"file\":\"kernels/reduce/c_simd.c\",\"compiler\"" "$dir/facts.json" &&
	grep -qF "\"source\":[[\"kernels/reduce/c_simd.c\",\"$blob\"]" "$dir/facts.json"
say $? 'it names the blob that was compiled'
mkdir -p "$dir/stated"
sed '/kernels\/reduce\/c_simd.c","compiler"/s/"code_sha256":"./&0/' "$dir/facts.json" >"$dir/stated/old.json"
"$build/runner" facts --beside "$dir/stated" >"$dir/new.json" 2>"$dir/log" &&
	[ "$(grep -c '^{"file":"' "$dir/new.json")" = 1 ] && grep -q '^{"file":"kernels/reduce/c_simd.c"' "$dir/new.json"
say $? 'what another file states is left out'
gzip -9n "$dir/stated/old.json"
"$build/runner" facts --beside "$dir/stated" 2>"$dir/log" | cmp - "$dir/new.json" >>"$dir/log" 2>&1
say $? 'also if that file is in gzip'
cp "$dir/facts.json" "$dir/stated"
! "$build/runner" facts --beside "$dir/stated" >/dev/null 2>"$dir/log" && grep -q 'no unit of this build is new' "$dir/log"
say $? 'nothing new is an error'

# Objects left by an earlier build with nvcc are no part of a build without it.
mkdir -p "$dir/obj/kernels/stream"
printf 'x.o: kernels/stream/scalar.cu kernels/kernel.h\n' >"$dir/obj/kernels/stream/scalar.cu.d"
printf 'x.o: kernels/stream/c_scalar.c kernels/kernel.h\n' >"$dir/obj/kernels/stream/c_scalar.c.d"
touch "$dir/obj/kernels/stream/scalar.cu.o" "$dir/obj/kernels/stream/c_scalar.c.o"
stamped() { # NVCC: the files of the units
	OBJ=$dir/obj CODEHASH=$build/codehash CC=gcc NVCC=$1 CFLAGS= NVFLAGS= runner/scripts/stamp.sh 2>"$dir/log" |
		sed -n 's/^\t{"\(kernels[^"]*\)", unit.*/\1/p' | tr '\n' ' '
}
[ "$(stamped '')" = 'kernels/stream/c_scalar.c ' ]
say $? 'a build without nvcc has no CUDA units, whatever lies beside its objects'
[ "$(stamped true)" = 'kernels/stream/c_scalar.c kernels/stream/scalar.cu ' ]
say $? 'one with nvcc has them'
