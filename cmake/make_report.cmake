# Run by cmake/report.cmake in the build.
#   NODE, NPM  programs, or ...-NOTFOUND
#   SOURCE     report/
#   FOLDER     where packages are installed
#   OUTPUT     the C file
function(give_up why)
  message(STATUS "gibbous report will not work: ${why}")
  file(WRITE ${OUTPUT} "/* no page */\n#include \"report_page.h\"\n\nconst gb_report_parts gb_report_page = {.missing = \"${why}\"};\n")
endfunction()

if(NOT NODE OR NOT NPM)
  give_up("Node.js and npm were not there; install them, run cmake again and build")
  return()
endif()
file(MAKE_DIRECTORY ${FOLDER})
# Packages are installed once for each lock file.
file(SHA256 ${SOURCE}/package-lock.json wanted)
set(present "")
if(EXISTS ${FOLDER}/installed)
  file(READ ${FOLDER}/installed present)
endif()
if(NOT present STREQUAL wanted)
  foreach(file package.json package-lock.json .npmrc)
    file(COPY ${SOURCE}/${file} DESTINATION ${FOLDER})
  endforeach()
  execute_process(COMMAND ${NPM} ci --omit=dev --ignore-scripts --prefer-offline --fetch-retries=0 --fetch-timeout=15000
    WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE message TIMEOUT 120)
  if(NOT status EQUAL 0)
    give_up("npm could not get the packages of report/package-lock.json; run cmake again and build when it can")
    return()
  endif()
  file(WRITE ${FOLDER}/installed ${wanted})
endif()
execute_process(COMMAND ${NODE} ${SOURCE}/build.mjs ${SOURCE} ${FOLDER} ${OUTPUT} RESULT_VARIABLE status ERROR_VARIABLE message)
if(status EQUAL 0)
  return()
endif()
file(REMOVE ${OUTPUT})
message(FATAL_ERROR "report/ cannot be bundled:\n${message}")
