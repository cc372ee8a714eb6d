# Is there an MPI for the module of mpi/?  mpicc_abi, where there is one, builds for every MPI that keeps the standard's binary interface.
# Sets GIBBOUS_HAS_MPI to 1 or 0, and GIBBOUS_MPI_PACKAGE to the Debian package with the launcher of that MPI.
set(GIBBOUS_MPI AUTO CACHE STRING "Build the module for several machines: ON, OFF, or AUTO (if MPI is there)")
set(GIBBOUS_HAS_MPI 0)
set(GIBBOUS_MPI_PACKAGE mpich)
if(GIBBOUS_MPI AND NOT GIBBOUS_CORE)
  find_program(MPI_C_COMPILER NAMES mpicc_abi)
  if(NOT MPI_C_COMPILER)
    unset(MPI_C_COMPILER CACHE)
  endif()
  if(GIBBOUS_MPI STREQUAL AUTO)
    find_package(MPI 3.1 QUIET COMPONENTS C)
  else()
    find_package(MPI 3.1 REQUIRED COMPONENTS C)
  endif()
endif()
if(MPI_C_FOUND)
  set(GIBBOUS_HAS_MPI 1)
  # Debian's mpiexec is that of the MPI which was installed last: the tests keep the one that is there now.
  file(REAL_PATH "${MPIEXEC_EXECUTABLE}" GIBBOUS_MPIEXEC)
  if("${MPI_C_LIBRARIES} ${MPI_C_INCLUDE_DIRS}" MATCHES openmpi)
    set(GIBBOUS_MPI_PACKAGE openmpi-bin)
  endif()
endif()
file(RELATIVE_PATH lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_property(SOURCE src/team/open.c APPEND PROPERTY COMPILE_DEFINITIONS GIBBOUS_HAS_MPI=${GIBBOUS_HAS_MPI}
  GIBBOUS_MPI_PACKAGE="${GIBBOUS_MPI_PACKAGE}" GIBBOUS_LIBDIR="${CMAKE_INSTALL_FULL_LIBDIR}"
  GIBBOUS_LIB_FROM_BIN="${lib_from_bin}")
