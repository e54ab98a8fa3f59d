/*
 * kernels/warp.h - the size of a warp, for host and device, C and C++.
 */
#ifndef KERNELS_WARP_H
#define KERNELS_WARP_H

enum { WARP = 32 /* lanes, that is threads, of a warp */ };

#endif
