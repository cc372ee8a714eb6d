# The libraries of vendor/ (tools/vendor) as static ones, whose names the shared library keeps to itself.  Of liblzma, zstd and libarchive only what reads.
set(vendor ${PROJECT_SOURCE_DIR}/vendor)
set(settings ${PROJECT_SOURCE_DIR}/cmake/vendor)

# gibbous_vendored NAME SOURCE...: linked with the library; arguments behind DEFINE and INCLUDE are its own, those behind SHOW are for who uses it too.
function(gibbous_vendored name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEFINE;INCLUDE;SHOW")
  file(GLOB files ${arg_SOURCES})
  if(NOT files)
    message(FATAL_ERROR "vendor/ has no ${name}: run tools/vendor")
  endif()
  add_library(vendored_${name} STATIC EXCLUDE_FROM_ALL ${files})
  target_compile_options(vendored_${name} PRIVATE -w -ffunction-sections -fdata-sections)
  target_compile_definitions(vendored_${name} PRIVATE ${arg_DEFINE})
  target_include_directories(vendored_${name} PRIVATE ${arg_INCLUDE})
  target_include_directories(vendored_${name} SYSTEM INTERFACE ${arg_SHOW})
  target_include_directories(vendored_${name} PRIVATE ${arg_SHOW})
endfunction()
file(GLOB GIBBOUS_VENDORED RELATIVE ${vendor} ${vendor}/*) # each has its LICENSE

target_include_directories(gibbous_libraries SYSTEM INTERFACE ${vendor}/xxhash ${vendor}/uthash/src)
gibbous_vendored(jansson SOURCES ${vendor}/jansson/src/*.c DEFINE HAVE_CONFIG_H INCLUDE ${settings}/private
  SHOW ${vendor}/jansson/src ${settings})
gibbous_vendored(utf8proc SOURCES ${vendor}/utf8proc/utf8proc.c DEFINE UTF8PROC_STATIC SHOW ${vendor}/utf8proc)
target_compile_definitions(vendored_utf8proc INTERFACE UTF8PROC_STATIC)
target_link_libraries(gibbous_libraries INTERFACE vendored_jansson vendored_utf8proc)

if(GIBBOUS_ZLIB)
  gibbous_vendored(zlib SOURCES ${vendor}/zlib/*.c DEFINE HAVE_UNISTD_H SHOW ${vendor}/zlib)
  target_link_libraries(gibbous_libraries INTERFACE vendored_zlib)
endif()
if(GIBBOUS_PCRE2)
  configure_file(${vendor}/pcre2/src/pcre2.h.generic ${PROJECT_BINARY_DIR}/vendor/pcre2/pcre2.h COPYONLY)
  configure_file(${vendor}/pcre2/src/config.h.generic ${PROJECT_BINARY_DIR}/vendor/pcre2/config.h COPYONLY)
  configure_file(${vendor}/pcre2/src/pcre2_chartables.c.dist ${PROJECT_BINARY_DIR}/vendor/pcre2/pcre2_chartables.c COPYONLY)
  set(sources auto_possess chkdint compile compile_class config context convert dfa_match error extuni find_bracket jit_compile maketables match match_data newline ord2utf
    pattern_info script_run serialize string_utils study substitute substring tables ucd valid_utf xclass)
  list(TRANSFORM sources PREPEND ${vendor}/pcre2/src/pcre2_)
  list(TRANSFORM sources APPEND .c)
  gibbous_vendored(pcre2 SOURCES ${sources} ${PROJECT_BINARY_DIR}/vendor/pcre2/pcre2_chartables.c
    DEFINE HAVE_CONFIG_H PCRE2_CODE_UNIT_WIDTH=8 SUPPORT_PCRE2_8 SUPPORT_UNICODE SUPPORT_JIT HAVE_MEMMOVE HAVE_UNISTD_H INCLUDE ${vendor}/pcre2/src
    SHOW ${PROJECT_BINARY_DIR}/vendor/pcre2)
  target_compile_definitions(vendored_pcre2 INTERFACE PCRE2_STATIC)
  target_link_libraries(gibbous_libraries INTERFACE vendored_pcre2)
endif()
if(GIBBOUS_STEMMER)
  set(stemmer ${vendor}/libstemmer/c)
  gibbous_vendored(stemmer SOURCES ${stemmer}/src_c/*.c ${stemmer}/runtime/*.c ${stemmer}/libstemmer/libstemmer_utf8.c INCLUDE ${stemmer} SHOW ${stemmer}/include)
  target_link_libraries(gibbous_libraries INTERFACE vendored_stemmer)
endif()
if(GIBBOUS_ARCHIVE)
  set(bzip2 ${vendor}/bzip2)
  gibbous_vendored(bzip2 SOURCES ${bzip2}/blocksort.c ${bzip2}/bzlib.c ${bzip2}/compress.c ${bzip2}/crctable.c ${bzip2}/decompress.c ${bzip2}/huffman.c
    ${bzip2}/randtable.c SHOW ${bzip2})
  gibbous_vendored(zstd SOURCES ${vendor}/zstd/lib/common/*.c ${vendor}/zstd/lib/decompress/*.c DEFINE ZSTD_DISABLE_ASM ZSTD_MULTITHREAD=0 SHOW ${vendor}/zstd/lib)
  set(lzma ${vendor}/xz/src/liblzma)
  set(sources common/alone_decoder common/auto_decoder common/block_buffer_decoder common/block_decoder common/block_header_decoder common/block_util
    common/common common/easy_preset common/filter_buffer_decoder common/filter_common common/filter_decoder common/filter_flags_decoder common/index
    common/index_decoder common/index_hash common/lzip_decoder common/stream_buffer_decoder common/stream_decoder common/stream_flags_common
    common/stream_flags_decoder common/vli_decoder common/vli_size check/check check/crc32_fast check/crc64_fast check/sha256 lz/lz_decoder
    lzma/lzma_decoder lzma/lzma2_decoder lzma/lzma_encoder_presets delta/delta_common delta/delta_decoder simple/simple_coder simple/simple_decoder
    simple/x86 simple/powerpc simple/ia64 simple/arm simple/armthumb simple/arm64 simple/sparc simple/riscv)
  list(TRANSFORM sources PREPEND ${lzma}/)
  list(TRANSFORM sources APPEND .c)
  set(coders LZMA1 LZMA2 DELTA X86 POWERPC IA64 ARM ARMTHUMB ARM64 SPARC RISCV)
  list(TRANSFORM coders PREPEND HAVE_DECODER_)
  gibbous_vendored(lzma SOURCES ${sources} DEFINE ${coders} HAVE_DECODERS HAVE_LZIP_DECODER HAVE_CHECK_CRC32 HAVE_CHECK_CRC64 HAVE_CHECK_SHA256 HAVE_INTTYPES_H HAVE_STDINT_H
    HAVE_STDBOOL_H HAVE_LIMITS_H HAVE_STRING_H HAVE__BOOL TUKLIB_SYMBOL_PREFIX=lzma_ SIZEOF_SIZE_T=8 HAVE_VISIBILITY=1 TUKLIB_FAST_UNALIGNED_ACCESS=1
    ASSUME_RAM=128 NDEBUG INCLUDE ${vendor}/xz/src/common ${lzma}/common ${lzma}/check ${lzma}/lz ${lzma}/lzma ${lzma}/rangecoder ${lzma}/simple ${lzma}/delta
    SHOW ${lzma}/api)
  gibbous_vendored(archive SOURCES ${vendor}/libarchive/libarchive/archive_*.c ${vendor}/libarchive/libarchive/filter_fork_posix.c
    DEFINE PLATFORM_CONFIG_H="${vendor}/libarchive/contrib/android/config/linux_host.h" __LIBARCHIVE_CONFIG_H_INCLUDED=1 LIBARCHIVE_STATIC HAVE_BZLIB_H HAVE_LIBZSTD HAVE_ZSTD_H HAVE_LZMA_H
    SHOW ${vendor}/libarchive/libarchive)
  target_link_libraries(vendored_archive PUBLIC vendored_bzip2 vendored_zstd vendored_lzma vendored_zlib)
  target_link_libraries(gibbous_libraries INTERFACE vendored_archive)
endif()
if(GIBBOUS_COMMAND)
  gibbous_vendored(popt SOURCES ${vendor}/popt/src/*.c DEFINE PACKAGE="popt" VERSION="1.19" HAVE_STPCPY HAVE_UNISTD_H HAVE_STRERROR POPT_SYSCONFDIR="/etc" SHOW ${vendor}/popt/src)
  add_library(gibbous_popt ALIAS vendored_popt)
endif()
set(GIBBOUS_ICU OFF) # its data would be more than all the rest
