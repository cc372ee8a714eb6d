/* base/dtype.h - types of the elements of arrays, in memory and in files. */
#ifndef GB_BASE_DTYPE_H
#define GB_BASE_DTYPE_H

/** GB_OPAQUE: structures; they are never saved. */
typedef enum gb_dtype { GB_U8, GB_U16, GB_U32, GB_U64, GB_F32, GB_F64, GB_I32, GB_I64, GB_OPAQUE } gb_dtype;

enum { GB_MAX_DIMENSIONS = 3 };

#endif
