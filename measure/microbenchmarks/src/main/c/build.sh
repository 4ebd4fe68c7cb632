#!/bin/sh
# Builds the library of bare system calls into the folder given. The floor that bindings are measured against.
set -eu
here=$(dirname "$0")
mkdir -p "$1"
"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -Werror -fPIC -shared -fvisibility=hidden \
  -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" -o "$1/libbare.so" "$here/bare.c"
