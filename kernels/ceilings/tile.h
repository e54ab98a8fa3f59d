/* kernels/ceilings/tile.h - the tile of shared memory, host and device. */
#ifndef KERNELS_CEILINGS_TILE_H
#define KERNELS_CEILINGS_TILE_H

#include "kernels/kernel.h"

enum { SHARED_THREADS = 256, SHARED_FLOATS = 4096 };

#endif
