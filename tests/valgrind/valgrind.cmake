# How programs of the tests are run: as they are, with -DGIBBOUS_VALGRIND=ON under valgrind's memcheck, or for another machine as its
# toolchain file says.
#   GIBBOUS_LAUNCHER          before a program and its arguments; empty, valgrind, or what runs programs of another machine
#   GIBBOUS_SCRIPT_LAUNCHER   before a script that starts such programs itself, by a name of gibbous_program()
#   gibbous_program(TARGET OUT)  what such a script starts for a target
#   gibbous_allow_time()      last in a folder: its tests may take as long as they do
set(GIBBOUS_LAUNCHER ${CMAKE_CROSSCOMPILING_EMULATOR})
set(GIBBOUS_SCRIPT_LAUNCHER "")
if(GIBBOUS_VALGRIND)
  if(GIBBOUS_SANITIZE)
    message(FATAL_ERROR "valgrind cannot run what is built with a sanitizer")
  endif()
  find_program(VALGRIND valgrind REQUIRED)
  # Messages go to files, which the script `run` looks at: tests see what they would see without valgrind, and errors in programs whose
  # status nobody asks for are errors, too.  One thread runs at a time; in turn, since some of ours wait for others without sleeping.
  set(MEMCHECK ${VALGRIND} --quiet --vgdb=no --fair-sched=try --log-file=%q{GIBBOUS_VALGRIND_LOGS}/%p --error-exitcode=99 --num-callers=30
    --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --suppressions=${CMAKE_CURRENT_LIST_DIR}/libraries.supp)
  set(GIBBOUS_SCRIPT_LAUNCHER ${CMAKE_CURRENT_LIST_DIR}/run)
  set(GIBBOUS_LAUNCHER ${GIBBOUS_SCRIPT_LAUNCHER} ${MEMCHECK})
endif()

function(gibbous_program target out)
  set(program $<TARGET_FILE:${target}>)
  if(GIBBOUS_VALGRIND)
    set(wrapper ${PROJECT_BINARY_DIR}/tests/valgrind/programs/${target})
    list(JOIN MEMCHECK "' '" words)
    file(GENERATE OUTPUT ${wrapper} CONTENT "#!/bin/sh\nexec '${words}' '${program}' \"$@\"\n"
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    set(program ${wrapper})
  endif()
  set(${out} ${program} PARENT_SCOPE)
endfunction()

function(gibbous_allow_time)
  if(GIBBOUS_VALGRIND OR CMAKE_CROSSCOMPILING_EMULATOR)
    get_property(tests DIRECTORY PROPERTY TESTS)
    foreach(test ${tests})
      set_tests_properties(${test} PROPERTIES TIMEOUT 3600)
    endforeach()
  endif()
endfunction()
