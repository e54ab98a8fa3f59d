/*
 * The words of each language, sorted by byte, each with its class (highlight.h lists the classes;
 * a test checks the order). To add one, write it at its place: "NAME k". Capitals and '_' come
 * before small letters.
 */
#include "site-gen/base/highlight_lang.h"

#include "lib/array.h"

/* clang-format off */
static const char *const c_words[] = {
        "FILE t", "NULL k", "_Alignas k", "_Alignof k", "_Atomic k", "_Bool t", "_Generic k",
        "_Noreturn k", "_Static_assert k", "_Thread_local k", "abort b", "alignas k", "alignof k",
        "assert b", "auto k", "bool t", "break k", "calloc b", "case k", "char t", "const k",
        "constexpr k", "continue k", "default k", "do k", "double t", "else k", "enum k", "exit b",
        "exp b", "extern k", "fabs b", "fabsf b", "false k", "float t", "fma b", "fmaf b",
        "fmax b", "fmin b", "for k", "fprintf b", "free b", "goto k", "if k", "inline k", "int t",
        "int16_t t", "int32_t t", "int64_t t", "int8_t t", "intptr_t t", "log b", "long t",
        "malloc b", "memcmp b", "memcpy b", "memmove b", "memset b", "nullptr k", "printf b",
        "ptrdiff_t t", "puts b", "realloc b", "register k", "restrict k", "return k", "short t",
        "signed t", "size_t t", "sizeof k", "snprintf b", "sqrt b", "sqrtf b", "ssize_t t",
        "static k", "static_assert k", "strcmp b", "strlen b", "strncmp b", "struct k", "switch k",
        "thread_local k", "true k", "typedef k", "typeof k", "uint16_t t", "uint32_t t",
        "uint64_t t", "uint8_t t", "uintptr_t t", "union k", "unsigned t", "va_list t", "void t",
        "volatile k", "while k",
};

static const char *const cuda_words[] = {
        "CUtensorMap t", "FILE t", "NULL k", "_Alignas k", "_Alignof k", "_Atomic k", "_Bool t",
        "_Generic k", "_Noreturn k", "_Static_assert k", "_Thread_local k", "__activemask b",
        "__align__ k", "__all_sync b", "__any_sync b", "__ballot_sync b", "__bfloat1622float2 b",
        "__bfloat162float b", "__block_size__ k", "__brev b", "__builtin_assume b",
        "__cluster_dims__ k", "__clz b", "__constant__ k", "__cosf b",
        "__cvta_generic_to_shared b", "__device__ k", "__dp4a b", "__expf b", "__fdividef b",
        "__ffs b", "__float22bfloat162_rn b", "__float2bfloat16 b", "__float2half b",
        "__fmaf_rn b", "__forceinline__ k", "__global__ k", "__grid_constant__ k", "__hadd2 b",
        "__half t", "__half2 t", "__half2float b", "__hfma2 b", "__hmul2 b", "__host__ k",
        "__launch_bounds__ k", "__ldca b", "__ldcg b", "__ldcs b", "__ldcv b", "__ldg b",
        "__ldlu b", "__logf b", "__managed__ k", "__match_all_sync b", "__match_any_sync b",
        "__maxnreg__ k", "__mul24 b", "__mulhi b", "__nanosleep b", "__noinline__ k",
        "__nv_bfloat16 t", "__nv_bfloat162 t", "__nv_fp8_e4m3 t", "__nv_fp8_e5m2 t", "__popc b",
        "__reduce_add_sync b", "__reduce_max_sync b", "__reduce_min_sync b", "__restrict__ k",
        "__sad b", "__shared__ k", "__shfl_down_sync b", "__shfl_sync b", "__shfl_up_sync b",
        "__shfl_xor_sync b", "__sinf b", "__stcg b", "__stcs b", "__stwb b", "__stwt b",
        "__syncthreads b", "__syncthreads_and b", "__syncthreads_count b", "__syncthreads_or b",
        "__syncwarp b", "__threadfence b", "__threadfence_block b", "__threadfence_system b",
        "__trap b", "__umulhi b", "alignas k", "alignof k", "and k", "array t", "asm k",
        "assert b", "atomicAdd b", "atomicAnd b", "atomicCAS b", "atomicDec b", "atomicExch b",
        "atomicInc b", "atomicMax b", "atomicMin b", "atomicOr b", "atomicSub b", "atomicXor b",
        "auto k", "blockDim b", "blockIdx b", "bool t", "break k", "case k", "catch k", "char t",
        "char1 t", "char2 t", "char3 t", "char4 t", "class k", "clock b", "clock64 b", "concept k",
        "const k", "const_cast k", "consteval k", "constexpr k", "constinit k", "continue k",
        "cudaDeviceSynchronize b", "cudaError_t t", "cudaEventCreate b", "cudaEventElapsedTime b",
        "cudaEventRecord b", "cudaEventSynchronize b", "cudaEvent_t t", "cudaFree b",
        "cudaFreeAsync b", "cudaFuncSetAttribute b", "cudaGetLastError b", "cudaGraphExec_t t",
        "cudaGraph_t t", "cudaLaunchKernel b", "cudaLaunchKernelEx b", "cudaMalloc b",
        "cudaMallocAsync b", "cudaMemcpy b", "cudaMemcpyAsync b", "cudaMemset b",
        "cudaMemsetAsync b", "cudaPeekAtLastError b", "cudaStreamSynchronize b", "cudaStream_t t",
        "decltype k", "default k", "delete k", "dim3 t", "do k", "double t", "double1 t",
        "double2 t", "double3 t", "double4 t", "dynamic_cast k", "else k", "enum k", "expf b",
        "explicit k", "export k", "extern k", "false k", "final k", "float t", "float1 t",
        "float2 t", "float3 t", "float4 t", "fmaf b", "fmaxf b", "fminf b", "for k", "free b",
        "friend k", "goto k", "gridDim b", "half t", "half2 t", "if k", "inline k", "int t",
        "int1 t", "int16_t t", "int2 t", "int3 t", "int32_t t", "int4 t", "int64_t t", "int8_t t",
        "intptr_t t", "logf b", "long t", "long1 t", "long2 t", "long3 t", "long4 t",
        "longlong1 t", "longlong2 t", "longlong3 t", "longlong4 t", "malloc b", "memcpy b",
        "memset b", "mutable k", "namespace k", "new k", "noexcept k", "not k", "nullptr k",
        "nv_bfloat16 t", "nv_bfloat162 t", "operator k", "or k", "override k", "pair t",
        "printf b", "private k", "protected k", "ptrdiff_t t", "public k", "register k",
        "reinterpret_cast k", "requires k", "restrict k", "return k", "rsqrtf b", "short t",
        "short1 t", "short2 t", "short3 t", "short4 t", "signed t", "size_t t", "sizeof k",
        "span t", "sqrtf b", "ssize_t t", "static k", "static_assert k", "static_cast k",
        "string t", "string_view t", "struct k", "switch k", "template k", "this k", "threadIdx b",
        "thread_local k", "throw k", "true k", "try k", "tuple t", "typedef k", "typeid k",
        "typename k", "typeof k", "uchar1 t", "uchar2 t", "uchar3 t", "uchar4 t", "uint1 t",
        "uint16_t t", "uint2 t", "uint3 t", "uint32_t t", "uint4 t", "uint64_t t", "uint8_t t",
        "uintptr_t t", "ulong1 t", "ulong2 t", "ulong3 t", "ulong4 t", "ulonglong1 t",
        "ulonglong2 t", "ulonglong3 t", "ulonglong4 t", "union k", "unsigned t", "ushort1 t",
        "ushort2 t", "ushort3 t", "ushort4 t", "using k", "va_list t", "vector t", "virtual k",
        "void t", "volatile k", "warpSize b", "while k",
};

static const char *const ptx_words[] = {
        "%aggr_smem_size b", "%clock b", "%clock64 b", "%cluster_ctaid b", "%cluster_ctarank b",
        "%clusterid b", "%ctaid b", "%dynamic_smem_size b", "%globaltimer b", "%gridid b",
        "%laneid b", "%lanemask_eq b", "%lanemask_ge b", "%lanemask_gt b", "%lanemask_le b",
        "%lanemask_lt b", "%nclusterid b", "%nctaid b", "%nsmid b", "%ntid b", "%nwarpid b",
        "%smid b", "%tid b", "%total_smem_size b", "%warpid b", ".address_size p", ".alias p",
        ".align p", ".b128 t", ".b16 t", ".b32 t", ".b64 t", ".b8 t", ".bf16 t", ".bf16x2 t",
        ".branchtargets p", ".callprototype p", ".calltargets p", ".const p", ".e4m3 t", ".e5m2 t",
        ".entry p", ".explicitcluster p", ".extern p", ".f16 t", ".f16x2 t", ".f32 t", ".f64 t",
        ".file p", ".func p", ".global p", ".loc p", ".local p", ".maxclusterrank p", ".maxnreg p",
        ".maxntid p", ".minnctapersm p", ".noreturn p", ".param p", ".pragma p", ".pred t",
        ".ptr p", ".reg p", ".reqnctapercluster p", ".reqntid p", ".s16 t", ".s32 t", ".s64 t",
        ".s8 t", ".section p", ".shared p", ".sreg p", ".target p", ".tex p", ".tf32 t", ".u16 t",
        ".u32 t", ".u64 t", ".u8 t", ".v2 t", ".v4 t", ".v8 t", ".version p", ".visible p",
        ".weak p", "WARP_SZ b", "abs k", "activemask k", "add k", "addc k", "and k",
        "applypriority k", "atom k", "bar k", "barrier k", "bfe k", "bfi k", "bfind k", "bmsk k",
        "bra k", "brev k", "brkpt k", "brx k", "call k", "clz k", "cnot k", "copysign k", "cos k",
        "cp k", "createpolicy k", "cvt k", "cvta k", "discard k", "div k", "dp2a k", "dp4a k",
        "elect k", "ex2 k", "exit k", "fence k", "fma k", "fns k", "getctarank k",
        "griddepcontrol k", "isspacep k", "istypep k", "ld k", "ldmatrix k", "ldu k", "lg2 k",
        "lop3 k", "mad k", "mad24 k", "madc k", "mapa k", "match k", "max k", "mbarrier k",
        "membar k", "min k", "mma k", "mov k", "movmatrix k", "mul k", "mul24 k", "multimem k",
        "nanosleep k", "neg k", "not k", "or k", "pmevent k", "popc k", "prefetch k",
        "prefetchu k", "prmt k", "rcp k", "red k", "redux k", "rem k", "ret k", "rsqrt k", "sad k",
        "selp k", "set k", "setmaxnreg k", "setp k", "shf k", "shfl k", "shl k", "shr k", "sin k",
        "slct k", "sqrt k", "st k", "stackrestore k", "stacksave k", "stmatrix k", "sub k",
        "subc k", "suld k", "suq k", "sured k", "sust k", "szext k", "tanh k", "tcgen05 k",
        "tensormap k", "testp k", "tex k", "tld4 k", "trap k", "txq k", "vabsdiff k", "vadd k",
        "vmad k", "vmax k", "vmin k", "vote k", "vset k", "vshl k", "vshr k", "vsub k", "wgmma k",
        "wmma k", "xor k",
};

static const char *const sass_words[] = {
        "PT b", "RZ b", "UPR b", "UPT b", "URZ b",
};

static const char *const lua_words[] = {
        "_ENV b", "_G b", "and k", "assert b", "break k", "coroutine b", "do k", "else k",
        "elseif k", "end k", "error b", "false k", "for k", "function k", "getmetatable b",
        "goto k", "if k", "in k", "io b", "ipairs b", "load b", "local k", "math b", "next b",
        "nil k", "not k", "or k", "os b", "pairs b", "pcall b", "print b", "rawequal b",
        "rawget b", "rawlen b", "rawset b", "repeat k", "require b", "return k", "select b",
        "self b", "setmetatable b", "string b", "table b", "then k", "tonumber b", "tostring b",
        "true k", "type b", "until k", "utf8 b", "while k", "xpcall b",
};

static const char *const sh_words[] = {
        "alias b", "awk b", "bg b", "break b", "case k", "cat b", "cd b", "chmod b", "command b",
        "continue b", "cp b", "cut b", "declare b", "do k", "done k", "echo b", "elif k", "else k",
        "env b", "esac k", "eval b", "exec b", "exit b", "export b", "false b", "fi k", "find b",
        "for k", "function k", "getopts b", "git b", "grep b", "head b", "if k", "in k", "kill b",
        "local b", "ls b", "make b", "mkdir b", "mktemp b", "mv b", "nvcc b", "nvidia-smi b",
        "printf b", "pwd b", "read b", "readonly b", "return b", "rm b", "sed b", "select k",
        "set b", "shift b", "sleep b", "sort b", "source b", "sudo b", "tail b", "tee b", "test b",
        "then k", "tr b", "trap b", "true b", "type b", "ulimit b", "umask b", "uniq b", "unset b",
        "until k", "wait b", "while k", "xargs b",
};

static const char *const python_words[] = {
        "Exception t", "False k", "IndexError t", "KeyError t", "None k", "OSError t",
        "RuntimeError t", "StopIteration t", "True k", "TypeError t", "ValueError t", "abs b",
        "all b", "and k", "any b", "as k", "assert k", "async k", "await k", "bool b", "break k",
        "bytes b", "callable b", "case k", "class k", "continue k", "def k", "del k", "dict b",
        "dir b", "elif k", "else k", "enumerate b", "except k", "filter b", "finally k", "float b",
        "for k", "format b", "from k", "getattr b", "global k", "hasattr b", "if k", "import k",
        "in k", "int b", "is k", "isinstance b", "iter b", "lambda k", "len b", "list b", "map b",
        "match k", "max b", "min b", "next b", "nonlocal k", "not k", "object b", "open b", "or k",
        "pass k", "print b", "raise k", "range b", "repr b", "return k", "reversed b", "round b",
        "self b", "set b", "setattr b", "sorted b", "str b", "sum b", "super b", "try k",
        "tuple b", "type b", "while k", "with k", "yield k", "zip b",
};

static const char *const make_words[] = {
        "define k", "else k", "endef k", "endif k", "export k", "ifdef k", "ifeq k",
        "ifndef k", "ifneq k", "include k", "override k", "private k", "sinclude k", "undefine k",
        "unexport k", "vpath k",
};

static const char *const json_words[] = {
        "false k", "null k", "true k",
};
static const char *const rust_words[] = {
        "Arc t", "Box t", "Cell t", "Cow t", "Err b", "HashMap t", "HashSet t", "Iterator t",
        "Mutex t", "None b", "Ok b", "Option t", "Rc t", "RefCell t", "Result t", "Self k",
        "Some b", "String t", "Vec t", "as k", "async k", "await k", "bool t", "box k", "break k",
        "char t", "const k", "continue k", "crate k", "drop b", "dyn k", "else k", "enum k",
        "extern k", "f32 t", "f64 t", "false k", "fn k", "for k", "i128 t", "i16 t", "i32 t",
        "i64 t", "i8 t", "if k", "impl k", "in k", "isize t", "let k", "loop k", "macro_rules k",
        "match k", "mod k", "move k", "mut k", "pub k", "ref k", "return k", "self k", "static k",
        "str t", "struct k", "super k", "trait k", "true k", "type k", "u128 t", "u16 t", "u32 t",
        "u64 t", "u8 t", "union k", "unsafe k", "use k", "usize t", "where k", "while k",
        "yield k",
};

static const char *const go_words[] = {
        "any t", "append b", "bool t", "break k", "byte t", "cap b", "case k", "chan k", "clear b",
        "close b", "comparable t", "complex b", "complex128 t", "complex64 t", "const k",
        "continue k", "copy b", "default k", "defer k", "delete b", "else k", "error t",
        "fallthrough k", "false k", "float32 t", "float64 t", "for k", "func k", "go k", "goto k",
        "if k", "imag b", "import k", "int t", "int16 t", "int32 t", "int64 t", "int8 t",
        "interface k", "iota k", "len b", "make b", "map k", "max b", "min b", "new b", "nil k",
        "package k", "panic b", "print b", "println b", "range k", "real b", "recover b",
        "return k", "rune t", "select k", "string t", "struct k", "switch k", "true k", "type k",
        "uint t", "uint16 t", "uint32 t", "uint64 t", "uint8 t", "uintptr t", "var k",
};

static const char *const javascript_words[] = {
        "Array t", "BigInt t", "Boolean t", "Date t", "Error t", "Float32Array t",
        "Float64Array t", "Infinity b", "Int32Array t", "Intl b", "JSON b", "Map t", "Math b",
        "NaN b", "Number t", "Object t", "Promise t", "Proxy t", "Reflect b", "RegExp t", "Set t",
        "String t", "Symbol t", "Uint32Array t", "Uint8Array t", "WeakMap t", "WeakSet t",
        "async k", "await k", "break k", "case k", "catch k", "class k", "console b", "const k",
        "continue k", "debugger k", "decodeURIComponent b", "default k", "delete k", "do k",
        "document b", "else k", "encodeURIComponent b", "export k", "extends k", "false k",
        "fetch b", "finally k", "for k", "from k", "function k", "get k", "globalThis b", "if k",
        "import k", "in k", "instanceof k", "isNaN b", "let k", "module b", "new k", "null k",
        "of k", "parseFloat b", "parseInt b", "process b", "require b", "return k", "set k",
        "static k", "super k", "switch k", "this k", "throw k", "true k", "try k", "typeof k",
        "undefined k", "var k", "void k", "while k", "window b", "with k", "yield k",
};

static const char *const typescript_words[] = {
        "Array t", "BigInt t", "Boolean t", "Date t", "Error t", "Float32Array t",
        "Float64Array t", "Infinity b", "Int32Array t", "Intl b", "JSON b", "Map t", "Math b",
        "NaN b", "Number t", "Object t", "Partial t", "Pick t", "Promise t", "Proxy t",
        "Readonly t", "Record t", "Reflect b", "RegExp t", "Set t", "String t", "Symbol t",
        "Uint32Array t", "Uint8Array t", "WeakMap t", "WeakSet t", "abstract k", "any t", "as k",
        "asserts k", "async k", "await k", "bigint t", "boolean t", "break k", "case k", "catch k",
        "class k", "console b", "const k", "continue k", "debugger k", "declare k",
        "decodeURIComponent b", "default k", "delete k", "do k", "document b", "else k",
        "encodeURIComponent b", "enum k", "export k", "extends k", "false k", "fetch b",
        "finally k", "for k", "from k", "function k", "get k", "globalThis b", "if k",
        "implements k", "import k", "in k", "infer k", "instanceof k", "interface k", "is k",
        "isNaN b", "keyof k", "let k", "module b", "namespace k", "never t", "new k", "null k",
        "number t", "object t", "of k", "override k", "parseFloat b", "parseInt b", "private k",
        "process b", "protected k", "public k", "readonly k", "require b", "return k",
        "satisfies k", "set k", "static k", "string t", "super k", "switch k", "symbol t",
        "this k", "throw k", "true k", "try k", "type k", "typeof k", "undefined k", "unknown t",
        "var k", "void k", "while k", "window b", "with k", "yield k",
};

static const char *const sql_words[] = {
        "abs b", "add k", "all k", "alter k", "analyze k", "and k", "any k", "array t", "as k",
        "asc k", "avg b", "begin k", "between k", "bigint t", "bigserial t", "binary t", "blob t",
        "bool t", "boolean t", "by k", "bytea t", "cascade k", "case k", "cast b", "ceil b",
        "char t", "character t", "check k", "coalesce b", "column k", "commit k", "concat b",
        "conflict k", "constraint k", "count b", "create k", "cross k", "cube k", "current_date b",
        "current_timestamp b", "database k", "date t", "decimal t", "default k", "delete k",
        "dense_rank b", "desc k", "distinct k", "do k", "double t", "drop k", "else k", "end k",
        "escape k", "except k", "exists k", "explain k", "extract k", "false k", "fetch k",
        "filter k", "first k", "float t", "floor b", "following k", "for k", "foreign k", "from k",
        "full k", "function k", "grant k", "greatest b", "group k", "having k", "if k", "ilike k",
        "in k", "index k", "inner k", "insert k", "int t", "int2 t", "int4 t", "int8 t",
        "integer t", "intersect k", "interval t", "into k", "is k", "isnull k", "join k", "json t",
        "jsonb t", "key k", "lag b", "last k", "lateral k", "lead b", "least b", "left k",
        "length b", "like k", "limit k", "lower b", "materialized k", "max b", "min b",
        "natural k", "not k", "notnull k", "now b", "null k", "nullif b", "nulls k", "numeric t",
        "of k", "offset k", "on k", "or k", "order k", "outer k", "over k", "partition k",
        "percentile_cont b", "preceding k", "precision t", "primary k", "procedure k", "range k",
        "rank b", "real t", "recursive k", "references k", "rename k", "replace k", "returning k",
        "revoke k", "right k", "rollback k", "rollup k", "round b", "row k", "row_number b",
        "rows k", "schema k", "select k", "serial t", "set k", "smallint t", "some k", "start k",
        "stddev b", "substring b", "sum b", "table k", "temp k", "temporary k", "text t", "then k",
        "time t", "timestamp t", "timestamptz t", "tinyint t", "to k", "transaction k",
        "trigger k", "trim b", "true k", "truncate k", "unbounded k", "union k", "unique k",
        "update k", "upper b", "using k", "uuid t", "vacuum k", "values k", "varchar t",
        "varying t", "view k", "when k", "where k", "window k", "with k",
};

static const char *const yaml_words[] = {
        "False k", "No k", "Null k", "Off k", "On k", "True k", "Yes k", "false k", "no k",
        "null k", "off k", "on k", "true k", "yes k", "~ k",
};

static const char *const toml_words[] = {
        "false k", "inf k", "nan k", "true k",
};

static const char *const cmake_words[] = {
        "AND b", "CACHE b", "COMMAND b", "DEFINED b", "DEPENDS b", "ENV b", "EQUAL b", "EXISTS b",
        "FALSE b", "FATAL_ERROR b", "FORCE b", "GREATER b", "IMPORTED b", "INTERFACE b",
        "INTERNAL b", "IN_LIST b", "IS_DIRECTORY b", "LANGUAGES b", "LESS b", "LINK_PUBLIC b",
        "MATCHES b", "MODULE b", "NOT b", "OFF b", "ON b", "OPTIONAL b", "OR b", "PARENT_SCOPE b",
        "POLICY b", "PRIVATE b", "PROPERTIES b", "PUBLIC b", "REQUIRED b", "SHARED b", "STATIC b",
        "STATUS b", "STREQUAL b", "STRING b", "TARGET b", "TRUE b", "VERSION b",
        "VERSION_GREATER b", "VERSION_GREATER_EQUAL b", "VERSION_LESS b", "WARNING b", "block k",
        "break k", "continue k", "else k", "elseif k", "endblock k", "endforeach k",
        "endfunction k", "endif k", "endmacro k", "endwhile k", "foreach k", "function k", "if k",
        "include k", "macro k", "return k", "while k",
};

static const char *const asm_words[] = {
        "ah b", "al b", "align p", "ax b", "bh b", "bits p", "bl b", "bp b", "bpl b", "bx b",
        "byte t", "ch b", "cl b", "cr# b", "cs b", "cx b", "db p", "dd p", "default p", "dh b",
        "di b", "dil b", "dl b", "dq p", "dr# b", "ds b", "dt p", "dw p", "dword t", "dx b",
        "eax b", "ebp b", "ebx b", "ecx b", "edi b", "edx b", "eflags b", "eip b", "equ p", "es b",
        "esi b", "esp b", "extern p", "fs b", "fword t", "global p", "gs b", "k# b", "lock k",
        "mm# b", "offset t", "oword t", "ptr t", "qword t", "r# b", "r#b b", "r#d b", "r#w b",
        "rax b", "rbp b", "rbx b", "rcx b", "rdi b", "rdx b", "rel t", "rep k", "repe k",
        "repne k", "repnz k", "repz k", "resb p", "resd p", "resq p", "resw p", "rflags b",
        "rip b", "rsi b", "rsp b", "section p", "si b", "sil b", "sp b", "spl b", "ss b", "st b",
        "tbyte t", "times p", "tmm# b", "word t", "xmm# b", "xmmword t", "ymm# b", "ymmword t",
        "zmm# b", "zmmword t",
};

static const char *const arm_words[] = {
        "apsr b", "asr t", "cpsr b", "d# b", "fp b", "fpsr b", "ip b", "lr b", "lsl t", "lsr t",
        "msl t", "nzcv b", "p# b", "pc b", "q# b", "r# b", "ror t", "rrx t", "s# b", "sb b",
        "sl b", "sp b", "spsr b", "sxtb t", "sxth t", "sxtw t", "sxtx t", "uxtb t", "uxth t",
        "uxtw t", "uxtx t", "v# b", "w# b", "wsp b", "wzr b", "x# b", "xzr b", "z# b", "za b",
};
/* clang-format on */

#define WORDS(name)                                                          \
	const struct highlight_words highlight_words_##name = {name##_words, \
	                                                       ARRAY_LEN(name##_words)}

WORDS(arm);
WORDS(asm);
WORDS(c);
WORDS(cmake);
WORDS(cuda);
WORDS(go);
WORDS(javascript);
WORDS(json);
WORDS(lua);
WORDS(make);
WORDS(ptx);
WORDS(python);
WORDS(rust);
WORDS(sass);
WORDS(sh);
WORDS(sql);
WORDS(toml);
WORDS(typescript);
WORDS(yaml);
