# Kernels are one template compiled once per instruction set; the choice is made at run time.  -Wno-psabi: vectors are
# passed only between inlined functions, so how a call would pass them does not matter.
set(GIBBOUS_PLAIN_KERNELS src/token/dense_plain.c src/token/mh_plain.c src/coefficient/gram_plain.c
  src/coefficient/coordinate_plain.c)
set_source_files_properties(${GIBBOUS_PLAIN_KERNELS} PROPERTIES COMPILE_OPTIONS "-Wno-psabi")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(src/token/dense_avx2.c src/token/mh_avx2.c src/coefficient/gram_avx2.c
    src/coefficient/coordinate_avx2.c PROPERTIES COMPILE_OPTIONS
    "-mavx2;-mfma;-Wno-psabi")
  set_source_files_properties(src/token/dense_avx512.c src/token/mh_avx512.c src/coefficient/gram_avx512.c
    src/coefficient/coordinate_avx512.c PROPERTIES COMPILE_OPTIONS
    "-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mprefer-vector-width=512;-Wno-psabi")
endif()
