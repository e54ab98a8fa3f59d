/*
 * lib/array.h - the length of an array. Pass the array itself, never a pointer
 * to it (gcc warns: -Wsizeof-pointer-div).
 */
#ifndef LIB_ARRAY_H
#define LIB_ARRAY_H

#define ARRAY_LEN(array) (sizeof(array) / sizeof *(array))

#endif
