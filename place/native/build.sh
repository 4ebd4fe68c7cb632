#!/bin/sh
# Builds the native parts. Called by Maven, and by hand:
#   build.sh library   BUILD_DIR OUTPUT_DIR [PROCESSORS [HWLOC_DIR]]   libberth.so and berth-exec into OUTPUT_DIR/linux-<processor>, with
#                                             libhwloc.so if HWLOC_DIR has the content of LWJGL's jars
#   build.sh sanitized BUILD_DIR              unit tests under ASan and UBSan, and run them
#   build.sh emulated  BUILD_DIR PROCESSORS   unit tests for other processors, and run them under qemu-user
# PROCESSORS: own (the default), all, or names with commas: x86_64,aarch64,ppc64le,riscv64.
# JAVA_HOME names the JDK with the headers. With BERTH_CHECK_LIBRARY in the environment the library must pass check-library.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
own=$(uname -m)

fail() {
    echo "berth: $*" >&2
    exit 1
}

for tool in cmake cc make; do
    command -v $tool >/dev/null 2>&1 ||
        fail "cannot build place/native: '$tool' is missing; on Debian: apt-get install cmake gcc make libc6-dev"
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
        if grep -q 'cannot find -lc' "$log"; then
            fail "cannot build berth-exec: there is no static C library (libc.a); on Debian: apt-get install libc6-dev, on Fedora: dnf install glibc-static"
        fi
        fail "the native build failed; its output is above and in $log"
    }
}

# The names of Debian's tools and packages for a processor.
triple_of() {
    case $1 in
    x86_64) echo x86_64-linux-gnu ;;
    ppc64le) echo powerpc64le-linux-gnu ;;
    *) echo "$1-linux-gnu" ;;
    esac
}
# LWJGL's name of a processor.
lwjgl_name_of() {
    case $1 in
    x86_64) echo x64 ;;
    aarch64) echo arm64 ;;
    *) echo "$1" ;;
    esac
}
packages_of() {
    case $1 in
    x86_64) echo gcc-x86-64-linux-gnu libc6-dev-amd64-cross ;;
    aarch64) echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross ;;
    ppc64le) echo gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross ;;
    riscv64) echo gcc-riscv64-linux-gnu libc6-dev-riscv64-cross ;;
    esac
}

processors_of() {
    case $1 in
    own) echo "$own" ;;
    all) echo x86_64 aarch64 ppc64le riscv64 ;;
    *)
        for name in $(echo "$1" | tr , ' '); do
            case $name in
            x86_64 | aarch64 | ppc64le | riscv64) echo "$name" ;;
            *) fail "there is no native code for the processor '$name'; give own, all, or some of x86_64,aarch64,ppc64le,riscv64" ;;
            esac
        done
        ;;
    esac
}

# With Debian's compiler alone, without its package of the C library, there is no header.
require_compilers() {
    missing=
    packages=
    for machine; do
        [ "$machine" != "$own" ] || continue
        echo '#include <stdlib.h>' | "$(triple_of "$machine")-gcc" -E -x c -o /dev/null - 2>/dev/null || {
            missing="$missing $machine"
            packages="$packages $(packages_of "$machine")"
        }
    done
    [ -z "$missing" ] ||
        fail "cannot build place/native for$missing: no cross compiler with a C library; on Debian: apt-get install$packages"
}

# What CMake is told of a processor that is not this machine's.
cross_options() {
    echo "-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=$1 -DCMAKE_C_COMPILER=$(triple_of "$1")-gcc"
}

case ${1:-} in
library)
    [ -f "${JAVA_HOME:-}/include/jni.h" ] ||
        fail "cannot build place/native: no include/jni.h in JAVA_HOME='${JAVA_HOME:-}'; a JDK is needed, not a JRE"
    machines=$(processors_of "${4:-own}")
    # shellcheck disable=SC2086 # words
    require_compilers $machines
    # What an earlier build made for others is older than the sources.
    rm -rf "$3"/linux-*
    for machine in $machines; do
        build=$2
        options=
        if [ "$machine" != "$own" ]; then
            build=$2-$machine
            options=$(cross_options "$machine")
        fi
        # shellcheck disable=SC2086 # words
        configure_and_build "$build" "-DBERTH_JAVA_HOME=$JAVA_HOME" $options
        # A jar for users loads on older systems than this one; what is built for use here need not.
        [ -z "${BERTH_CHECK_LIBRARY-}" ] || sh "$here/check-library.sh" "$machine" "$build/libberth.so" "$build/berth-exec"
        mkdir -p "$3/linux-$machine"
        cp "$build/libberth.so" "$build/berth-exec" "$3/linux-$machine"
        [ -z "${5-}" ] || cp "$5/linux/$(lwjgl_name_of "$machine")/org/lwjgl/hwloc/libhwloc.so" "$3/linux-$machine"
    done
    ;;
emulated)
    machines=$(processors_of "${3:-all}")
    # shellcheck disable=SC2086 # words
    require_compilers $machines
    for machine in $machines; do
        if [ "$machine" = "$own" ]; then
            continue
        fi
        emulator=qemu-$machine
        command -v "$emulator" >/dev/null 2>&1 ||
            fail "cannot run the unit tests for $machine: '$emulator' is missing; on Debian: apt-get install qemu-user"
        echo "berth: unit tests for $machine under $emulator"
        # shellcheck disable=SC2046 # words
        configure_and_build "$2-$machine" -DBERTH_TESTS=ON $(cross_options "$machine") \
            "-DCMAKE_CROSSCOMPILING_EMULATOR=$emulator;-L;/usr/$(triple_of "$machine")"
        ctest --test-dir "$2-$machine" -j 2 --output-on-failure --no-tests=error
    done
    ;;
sanitized)
    if command -v clang-format-19 >/dev/null 2>&1; then
        clang-format-19 --dry-run --Werror "$here"/src/*/c/*.[ch] ||
            fail "the C sources are not formatted: clang-format-19 -i place/native/src/*/c/*.[ch]"
    else
        echo "berth: the format of the C sources was not checked: clang-format-19 is missing" >&2
    fi
    if cc --version | grep -qi '^cc .*gcc\|^gcc\|Free Software'; then
        findings=$(printf '%s\n' "$here"/src/main/c/*.c | grep -v -e native_bridge -e jvmti_agent |
            xargs -P 2 -I '{}' cc -std=c11 -D_GNU_SOURCE -O1 -fanalyzer -I"$here/src/main/c" -c '{}' -o /dev/null 2>&1)
        [ -z "$findings" ] || { echo "$findings" >&2; fail "gcc -fanalyzer has findings, see above"; }
    else
        echo "berth: the C sources were not analysed: cc is not gcc" >&2
    fi
    if command -v clang >/dev/null 2>&1; then
        findings=$(printf '%s\n' "$here"/src/main/c/*.c | grep -v -e native_bridge -e jvmti_agent |
            xargs -P 2 -I '{}' clang --analyze --analyzer-output text -std=c11 -D_GNU_SOURCE \
                -I"$here/src/main/c" -o /dev/null '{}' 2>&1)
        [ -z "$findings" ] || { echo "$findings" >&2; fail "clang --analyze has findings, see above"; }
    else
        echo "berth: clang --analyze was left out: clang is missing" >&2
    fi
    configure_and_build "$2" -DBERTH_SANITIZE=ON
    rm -f "$2/failed"
    ctest --test-dir "$2" -j 2 --output-on-failure --no-tests=error || {
        [ -n "${BERTH_UNIT_TESTS_LATER-}" ] || exit 1
        # ./verify reads it after all other modules have had their tests.
        sed 's/^[0-9]*://' "$2/Testing/Temporary/LastTestsFailed.log" | xargs echo >"$2/failed"
    }
    ;;
*)
    fail "usage: build.sh library BUILD_DIR OUTPUT_DIR [PROCESSORS [HWLOC_DIR]] | sanitized BUILD_DIR | emulated BUILD_DIR PROCESSORS"
    ;;
esac
