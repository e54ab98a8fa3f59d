/*
 * site-gen/base/sass_class.h - what a machine instruction does, by its opcode: the classes that
 * listings colour.
 */
#ifndef SITE_GEN_BASE_SASS_CLASS_H
#define SITE_GEN_BASE_SASS_CLASS_H

#include "lib/str.h"

enum sass_class {
	SASS_MEMORY,     /* global, shared and local memory, atomics, bulk copies */
	SASS_TENSOR,     /* matrix operations */
	SASS_ARITHMETIC, /* numbers, addresses and comparisons */
	SASS_CONTROL,    /* branches, barriers, waits */
	SASS_OTHER,      /* moves between registers, constants, special registers */
	SASS_CLASSES,
};

enum sass_class sass_class_of(struct str opcode);

/* The class in markup, "memory"; NULL for SASS_OTHER. */
const char *sass_class_name(enum sass_class c);

#endif
