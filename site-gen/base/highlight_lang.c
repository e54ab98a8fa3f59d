/*
 * The languages of the highlighter.
 *
 * To add a language, write
 *  1. a row in highlight_lang_table, with the flags of highlight_lang.h that fit;
 *  2. its words, sorted by byte, each with its class
 *     (highlight.h lists the classes; a test checks the order);
 *  3. its name in highlight_lang_names();
 *  4. a sample with its expected markup in tests/unit/site-gen/base/test_highlight.c.
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
/* clang-format on */

#define WORDS(table) .word = (table), .nwords = ARRAY_LEN(table)

const struct highlight_lang highlight_lang_table[] = {
        {.name = "text",
         .aliases = "txt plain console",
         .paths = ".txt .md",
         .quotes = "",
         .word_start = "",
         .word_extra = ""},
        {.name = "cuda",
         .aliases = "cu cuh cpp c++ cxx hpp",
         .paths = ".cu .cuh .cpp .cc .hpp",
         .flags = HIGHLIGHT_PREPROCESSOR | HIGHLIGHT_DIGIT_QUOTE | HIGHLIGHT_RAW_STRING |
                  HIGHLIGHT_LAUNCH | HIGHLIGHT_CALLS,
         .line_comment = "//",
         .block_open = "/*",
         .block_close = "*/",
         .quotes = "\"'",
         .word_start = "",
         .word_extra = "",
         WORDS(cuda_words)},
        {.name = "c",
         .aliases = "h",
         .paths = ".c .h",
         .flags = HIGHLIGHT_PREPROCESSOR | HIGHLIGHT_DIGIT_QUOTE | HIGHLIGHT_CALLS,
         .line_comment = "//",
         .block_open = "/*",
         .block_close = "*/",
         .quotes = "\"'",
         .word_start = "",
         .word_extra = "",
         WORDS(c_words)},
        {.name = "ptx",
         .paths = ".ptx",
         .line_comment = "//",
         .block_open = "/*",
         .block_close = "*/",
         .quotes = "\"",
         .word_start = "%$.",
         .word_extra = "$",
         WORDS(ptx_words)},
        {.name = "sass",
         .paths = ".sass",
         .flags = HIGHLIGHT_OPCODES,
         .line_comment = "//",
         .block_open = "/*",
         .block_close = "*/",
         .quotes = "\"",
         .word_start = "",
         .word_extra = "",
         WORDS(sass_words)},
        {.name = "lua",
         .paths = ".lua",
         .flags = HIGHLIGHT_LONG_BRACKETS | HIGHLIGHT_CALLS,
         .line_comment = "--",
         .quotes = "\"'",
         .word_start = "",
         .word_extra = "",
         WORDS(lua_words)},
        {.name = "sh",
         .aliases = "bash shell",
         .paths = ".sh .bash",
         .flags = HIGHLIGHT_SHELL,
         .line_comment = "#",
         .quotes = "\"'",
         .word_start = "",
         .word_extra = "-.",
         WORDS(sh_words)},
        {.name = "python",
         .aliases = "py",
         .paths = ".py",
         .flags = HIGHLIGHT_TRIPLE | HIGHLIGHT_DECORATOR | HIGHLIGHT_CALLS,
         .line_comment = "#",
         .quotes = "\"'",
         .word_start = "",
         .word_extra = "",
         WORDS(python_words)},
        {.name = "make",
         .aliases = "makefile mk",
         .paths = ".mk Makefile GNUmakefile",
         .flags = HIGHLIGHT_MAKE,
         .line_comment = "#",
         .quotes = "",
         .word_start = "",
         .word_extra = "-.%/",
         WORDS(make_words)},
        {.name = "json",
         .aliases = "jsonl",
         .paths = ".json .jsonl",
         .flags = HIGHLIGHT_KEYS,
         .quotes = "\"",
         .word_start = "",
         .word_extra = "",
         WORDS(json_words)},
        {.name = "diff",
         .aliases = "patch",
         .paths = ".diff .patch",
         .flags = HIGHLIGHT_DIFF,
         .quotes = "",
         .word_start = "",
         .word_extra = ""},
};

const size_t highlight_lang_count = ARRAY_LEN(highlight_lang_table);

const char *highlight_lang_names(void)
{
	return "text, cuda, c, ptx, sass, lua, sh, python, make, json, diff";
}
