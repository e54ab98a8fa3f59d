/*
 * The opcodes are those of NVIDIA's table for compute capability 9.0 ("CUDA Binary Utilities",
 * instruction set reference). To add one, add its name, up to the first '.', to its class. An
 * opcode in no list is arithmetic.
 */
#include "site-gen/base/sass_class.h"

#include <string.h>

#include "lib/array.h"

static const char *const opcodes[SASS_CLASSES] = {
        [SASS_MEMORY] = "LD LDG LDS LDL LDSM ST STG STS STL STSM ATOM ATOMG ATOMS RED REDG "
                        "CCTL UBLKCP UBLKPF UBLKRED UTMALDG UTMASTG UTMAREDG UTMAPF UTMACCTL "
                        "UTMACMDFLUSH LDGSTS STAS REDAS MEMBAR FENCE SULD SUST SUATOM SURED TEX "
                        "TLD",
        [SASS_TENSOR] = "HMMA IMMA DMMA BMMA QMMA HGMMA IGMMA QGMMA BGMMA WARPGROUP WARPGROUPSET",
        [SASS_CONTROL] = "BRA BRX BRXU JMP JMX JMXU CALL RET EXIT KILL BSSY BSYNC BREAK BMOV BPT "
                         "WARPSYNC BAR B2R SYNCS UCGABAR NANOSLEEP YIELD DEPBAR LDGDEPBAR "
                         "ARRIVES ERRBAR ELECT ENDCOLLECTIVE COLLECTIVE ACQBULK CGAERRBAR "
                         "USETMAXREG RPCMOV PREEXIT WARPGROUPDEPBAR",
        [SASS_OTHER] = "MOV UMOV MOVM S2R S2UR CS2R R2UR R2P P2R UP2UR UR2UP PRMT UPRMT SEL USEL "
                       "SHFL LDC ULDC NOP VOTE VOTEU PLOP3 UPLOP3 LEPC SGXT R2B B2UR GETLMEMBASE "
                       "SETLMEMBASE PMTRIG CSMTEST",
};

/* Does the list have the opcode's first word, which ends at '.'? */
static bool has(const char *list, struct str first)
{
	struct str rest = str_of(list), word;
	for (bool more = true; more;) {
		more = str_cut(rest, ' ', &word, &rest);
		if (str_eq(word, first))
			return true;
	}
	return false;
}

enum sass_class sass_class_of(struct str opcode)
{
	struct str first = str_sub(opcode, 0, str_find(opcode, '.', 0));
	for (int c = 0; c < SASS_CLASSES; c++)
		if (opcodes[c] && has(opcodes[c], first))
			return (enum sass_class)c;
	return SASS_ARITHMETIC;
}

const char *sass_class_name(enum sass_class c)
{
	static const char *const names[SASS_CLASSES] = {
	        [SASS_MEMORY] = "memory",
	        [SASS_TENSOR] = "tensor",
	        [SASS_ARITHMETIC] = "arithmetic",
	        [SASS_CONTROL] = "control",
	};
	return names[c];
}
