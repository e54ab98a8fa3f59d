/*
 * An instruction of compute capability 7.0 to 9.0 has 16 bytes. Its lowest nine bits are
 * the opcode, whatever the operands; the three bits above them say where the operands
 * come from. Bits 73 to 75 are the width of a memory access. NVIDIA does not document
 * this encoding; it was read off the output of cuobjdump, which prints the bytes beside
 * each instruction. tests/e2e/gpu-check.sh compares the counts with cuobjdump's.
 */
#include "runner/codehash/mix.h"

#include <string.h>

#include "lib/array.h"

enum { BYTES = 16, NOP = 0x118, ANY = -1 };

enum { W_8 = 0, W_8S = 1, W_16 = 2, W_16S = 3, W_32 = 4, W_64 = 5, W_128 = 6 };

/* In order of output. Rows of the same name stand together. */
static const struct {
	const char *name;
	unsigned op;
	int width; /* bits 73 to 75; ANY matches all */
} classes[] = {
        {"FADD", 0x021, ANY},      {"FMUL", 0x020, ANY},      {"FFMA", 0x023, ANY},
        {"DADD", 0x029, ANY},      {"DMUL", 0x028, ANY},      {"DFMA", 0x02b, ANY},
        {"HADD2", 0x030, ANY},     {"HMUL2", 0x032, ANY},     {"HFMA2", 0x031, ANY},
        {"HFMA2", 0x035, ANY},     {"IMAD", 0x024, ANY},      {"IMAD", 0x025, ANY},
        {"IMAD", 0x027, ANY},      {"MUFU", 0x108, ANY},      {"HMMA", 0x03c, ANY},
        {"HGMMA", 0x1f0, ANY},     {"IGMMA", 0x1f1, ANY},     {"QGMMA", 0x1f3, ANY},
        {"LDG.8", 0x181, W_8},     {"LDG.8", 0x181, W_8S},    {"LDG.16", 0x181, W_16},
        {"LDG.16", 0x181, W_16S},  {"LDG.32", 0x181, W_32},   {"LDG.64", 0x181, W_64},
        {"LDG.128", 0x181, W_128}, {"STG.8", 0x186, W_8},     {"STG.8", 0x186, W_8S},
        {"STG.16", 0x186, W_16},   {"STG.16", 0x186, W_16S},  {"STG.32", 0x186, W_32},
        {"STG.64", 0x186, W_64},   {"STG.128", 0x186, W_128}, {"LDS.8", 0x184, W_8},
        {"LDS.8", 0x184, W_8S},    {"LDS.16", 0x184, W_16},   {"LDS.16", 0x184, W_16S},
        {"LDS.32", 0x184, W_32},   {"LDS.64", 0x184, W_64},   {"LDS.128", 0x184, W_128},
        {"STS.8", 0x188, W_8},     {"STS.8", 0x188, W_8S},    {"STS.16", 0x188, W_16},
        {"STS.16", 0x188, W_16S},  {"STS.32", 0x188, W_32},   {"STS.64", 0x188, W_64},
        {"STS.128", 0x188, W_128}, {"LD", 0x180, ANY},        {"ST", 0x185, ANY},
        {"LDL", 0x183, ANY},       {"STL", 0x187, ANY},       {"LDSM", 0x03b, ANY},
        {"LDGSTS", 0x1ae, ANY},    {"UBLKCP", 0x1ba, ANY},    {"UTMALDG", 0x1b4, ANY},
        {"UTMASTG", 0x1b5, ANY},   {"ATOMG", 0x1a3, ANY},     {"ATOMG", 0x1a8, ANY},
        {"ATOM", 0x18a, ANY},      {"ATOMS", 0x18c, ANY},     {"ATOMS", 0x18d, ANY},
        {"REDG", 0x18e, ANY},      {"REDG", 0x1a6, ANY},      {"SHFL", 0x189, ANY},
        {"REDUX", 0x1c4, ANY},     {"BAR", 0x11d, ANY},
};

enum { CLASSES = ARRAY_LEN(classes) };

_Static_assert(ARRAY_LEN(classes) <= MIX_MAX, "room for every class");

static void add_one(const char *p, struct mix *m)
{
	uint64_t lo, hi;
	memcpy(&lo, p, sizeof lo);
	memcpy(&hi, p + sizeof lo, sizeof hi);
	unsigned op = lo & 0x1ff;
	int width = (int)(hi >> (73 - 64) & 7);
	m->all += op != NOP;
	for (size_t i = 0; i < CLASSES; i++)
		if (classes[i].op == op && (classes[i].width == ANY || classes[i].width == width)) {
			m->count[i]++;
			return;
		}
}

bool mix_add(const struct elf *f, void *mix)
{
	Elf64_Shdr h;
	struct str code;
	for (size_t i = 0; elf_section(f, i, &h); i++) {
		if (h.sh_type != SHT_PROGBITS ||
		    !str_starts(elf_name(f->names, h.sh_name), ".text."))
			continue;
		if (!elf_contents(f, &h, &code))
			return false;
		for (size_t at = 0; at + BYTES <= code.n; at += BYTES)
			add_one(code.p + at, mix);
	}
	return true;
}

void mix_put(const struct mix *m, struct sb *to)
{
	for (size_t i = 0; i < CLASSES;) {
		size_t n = 0, first = i;
		for (; i < CLASSES && strcmp(classes[i].name, classes[first].name) == 0; i++)
			n += m->count[i];
		if (n)
			sb_printf(to, "%s %zu, ", classes[first].name, n);
	}
	sb_printf(to, "all %zu", m->all);
}
