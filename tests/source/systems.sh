#!/usr/bin/env bash
# Only src/base/system*.c and system.h ask which system it is, and include headers that some system has not.
#
#   systems.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
cd "$1"
! grep -rnE '__linux__|__APPLE__|_WIN32|<(unistd|fcntl|poll|sched|signal|dlfcn|dirent|fts|spawn|sys/[a-z]+|linux/[a-z]+|windows|io)\.h>' src \
    --include='*.[ch]' --exclude='system*.[ch]'
