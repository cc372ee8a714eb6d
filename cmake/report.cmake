# Makes report_page.c, the page of `gibbous report`, of report/: TypeScript, bundled by esbuild with the packages of its lock file.  Node
# and npm are needed for that; without them, or without the packages, the file says what is missing and the build goes on.
set(GIBBOUS_REPORT_C ${PROJECT_BINARY_DIR}/report_page.c)
set(GIBBOUS_REPORT_NOTICES ${PROJECT_BINARY_DIR}/report_notices.txt)
set(GIBBOUS_REPORT_FOLDER ${PROJECT_BINARY_DIR}/report)
# An archive of sources has the page made already.
if(EXISTS ${PROJECT_SOURCE_DIR}/report/made/report_page.c)
  configure_file(${PROJECT_SOURCE_DIR}/report/made/report_page.c ${GIBBOUS_REPORT_C} COPYONLY)
  configure_file(${PROJECT_SOURCE_DIR}/report/made/report_notices.txt ${GIBBOUS_REPORT_NOTICES} COPYONLY)
  return()
endif()
find_program(GIBBOUS_NODE node)
find_program(GIBBOUS_NPM npm)
file(GLOB REPORT_FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/report/src/*)
# A page that could not be made is tried again after each run of cmake.
if(EXISTS ${GIBBOUS_REPORT_C})
  file(STRINGS ${GIBBOUS_REPORT_C} without REGEX "^/. no page ./$")
  if(without)
    file(REMOVE ${GIBBOUS_REPORT_C})
  endif()
endif()
add_custom_command(OUTPUT ${GIBBOUS_REPORT_C}
  COMMAND ${CMAKE_COMMAND} -D "NODE=${GIBBOUS_NODE}" -D "NPM=${GIBBOUS_NPM}" -D SOURCE=${PROJECT_SOURCE_DIR}/report
    -D FOLDER=${GIBBOUS_REPORT_FOLDER} -D OUTPUT=${GIBBOUS_REPORT_C} -P ${PROJECT_SOURCE_DIR}/cmake/make_report.cmake
  DEPENDS ${REPORT_FILES} report/build.mjs report/package.json report/package-lock.json cmake/make_report.cmake
  COMMENT "Making the page of gibbous report" VERBATIM)
