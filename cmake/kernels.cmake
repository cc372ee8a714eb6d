# Kernels are one template compiled once per instruction set; the choice is made at run time.  -Wno-psabi: vectors are
# passed only between inlined functions, so how a call would pass them does not matter.  PREFETCHW (-mprfchw) does nothing on
# the few of these processors that do not have it.
set(GIBBOUS_KERNELS src/token/dense src/token/expected src/token/mh src/coefficient/gram src/coefficient/coordinate
  src/design/scores src/design/products src/coefficient/word_products src/random/lanes src/prior/psi src/math/ldl_solve src/math/triangles)
list(TRANSFORM GIBBOUS_KERNELS APPEND _plain.c OUTPUT_VARIABLE GIBBOUS_PLAIN_KERNELS)
set_source_files_properties(${GIBBOUS_PLAIN_KERNELS} PROPERTIES COMPILE_OPTIONS "-Wno-psabi")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(TRANSFORM GIBBOUS_KERNELS APPEND _avx2.c OUTPUT_VARIABLE GIBBOUS_AVX2_KERNELS)
  list(TRANSFORM GIBBOUS_KERNELS APPEND _avx512.c OUTPUT_VARIABLE GIBBOUS_AVX512_KERNELS)
  set_source_files_properties(${GIBBOUS_AVX2_KERNELS} PROPERTIES COMPILE_OPTIONS "-mavx2;-mfma;-mprfchw;-Wno-psabi")
  set_source_files_properties(${GIBBOUS_AVX512_KERNELS} PROPERTIES COMPILE_OPTIONS
    "-mprfchw;-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mprefer-vector-width=512;-Wno-psabi")
  check_c_compiler_flag(-mevex512 GIBBOUS_HAS_mevex512)
  if(GIBBOUS_HAS_mevex512 AND CMAKE_C_COMPILER_ID MATCHES "Clang") # some that are told of a processor have it off otherwise
    set_property(SOURCE ${GIBBOUS_AVX512_KERNELS} APPEND PROPERTY COMPILE_OPTIONS -mevex512)
  endif()
endif()
# Square roots of numbers that are not negative set no errno: so several are taken at once.
set_property(SOURCE src/coefficient/coordinate_plain.c src/coefficient/coordinate_avx2.c src/coefficient/coordinate_avx512.c
  APPEND PROPERTY COMPILE_OPTIONS -fno-math-errno)
