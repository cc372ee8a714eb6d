/* helper_memory.h - can a test replace the functions that allocate? */
#ifndef GB_TEST_HELPER_MEMORY_H
#define GB_TEST_HELPER_MEMORY_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_IS_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MEMORY_IS_WATCHED 1
#endif
#endif
#ifndef MEMORY_IS_WATCHED
#define MEMORY_IS_WATCHED 0 /* 1: a sanitizer has the functions that are replaced here */
#endif

#endif
