#!/bin/sh
# Builds the native parts. Called by Maven, and by hand:
#   build.sh library   BUILD_DIR OUTPUT_DIR   libberth.so and berth-exec into OUTPUT_DIR/linux-<arch>
#   build.sh sanitized BUILD_DIR              unit tests under ASan and UBSan, and run them
# JAVA_HOME names the JDK with the headers.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

fail() {
    echo "berth: $*" >&2
    exit 1
}

for tool in cmake cc make; do
    command -v $tool >/dev/null 2>&1 ||
        fail "cannot build core/native: '$tool' is missing; on Debian: apt-get install cmake gcc make libc6-dev"
done

configure_and_build() {
    log=$1/build.log
    # CMake refuses a cache that was made in another place, as in a checkout that has been copied or moved.
    if [ -f "$1/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$here" "$1/CMakeCache.txt"; then
        rm -rf "$1"
    fi
    mkdir -p "$1"
    { cmake -S "$here" -B "$@" && cmake --build "$1" -j 2; } >"$log" 2>&1 || {
        cat "$log" >&2
        fail "the native build failed; its output is above and in $log"
    }
}

case ${1:-} in
library)
    [ -f "${JAVA_HOME:-}/include/jni.h" ] ||
        fail "cannot build core/native: no include/jni.h in JAVA_HOME='${JAVA_HOME:-}'; a JDK is needed, not a JRE"
    configure_and_build "$2" "-DBERTH_JAVA_HOME=$JAVA_HOME"
    sh "$here/check-library.sh" "$2/libberth.so" "$2/berth-exec"
    target=$3/linux-$(uname -m)
    mkdir -p "$target"
    cp "$2/libberth.so" "$target"
    [ ! -f "$2/berth-exec" ] || cp "$2/berth-exec" "$target"
    ;;
sanitized)
    if command -v clang-format-19 >/dev/null 2>&1; then
        clang-format-19 --dry-run --Werror "$here"/src/*/c/*.[ch] ||
            fail "the C sources are not formatted: clang-format-19 -i core/native/src/*/c/*.[ch]"
    else
        echo "berth: the format of the C sources was not checked: clang-format-19 is missing" >&2
    fi
    if cc --version | grep -qi '^cc .*gcc\|^gcc\|Free Software'; then
        findings=$(printf '%s\n' "$here"/src/main/c/*.c | grep -v -e jni_bridge -e jvmti_agent |
            xargs -P 2 -I '{}' cc -std=c11 -D_GNU_SOURCE -O1 -fanalyzer -I"$here/src/main/c" -c '{}' -o /dev/null 2>&1)
        [ -z "$findings" ] || { echo "$findings" >&2; fail "gcc -fanalyzer has findings, see above"; }
    else
        echo "berth: the C sources were not analysed: cc is not gcc" >&2
    fi
    if command -v clang >/dev/null 2>&1; then
        findings=$(printf '%s\n' "$here"/src/main/c/*.c | grep -v -e jni_bridge -e jvmti_agent |
            xargs -P 2 -I '{}' clang --analyze --analyzer-output text -std=c11 -D_GNU_SOURCE \
                -I"$here/src/main/c" -o /dev/null '{}' 2>&1)
        [ -z "$findings" ] || { echo "$findings" >&2; fail "clang --analyze has findings, see above"; }
    else
        echo "berth: clang --analyze was left out: clang is missing" >&2
    fi
    configure_and_build "$2" -DBERTH_SANITIZE=ON
    ctest --test-dir "$2" -j 2 --output-on-failure --no-tests=error
    ;;
*)
    fail "usage: build.sh library BUILD_DIR OUTPUT_DIR | sanitized BUILD_DIR"
    ;;
esac
