/* kernels/saxpy/saxpy.h - what the variants share. */
#ifndef KERNELS_SAXPY_SAXPY_H
#define KERNELS_SAXPY_SAXPY_H

#include "kernels/kernel.h"

#define SAXPY_A 2.5f

#endif
