#!/bin/sh
# check-library.sh LIBRARY [PROGRAM]: what a user's machine depends on, and that both are hardened.
# The library must load with glibc 2.17 (2014; 2.27 is the first one for riscv64), needs nothing
# but libc, and exports only what a JVM looks for.
set -eu
library=$1
newest=2.17
[ "$(uname -m)" != riscv64 ] || newest=2.27

fail() {
    echo "berth: $library $*" >&2
    exit 1
}

exported=$(readelf -W --dyn-syms "$library" | awk '$5 == "GLOBAL" && $7 != "UND" { print $8 }' | sort | xargs)
[ "$exported" = "Agent_OnAttach Agent_OnLoad JNI_OnLoad" ] || fail "exports: $exported"

needed=$(readelf -W -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^ld' | xargs)
[ "$needed" = libc.so.6 ] || fail "needs: $needed"

versions=$(readelf -W -V "$library" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -u -V)
[ -n "$versions" ] || fail "shows no glibc versions: the check is broken"
found=$(echo "$versions" | tail -n 1)
[ "$(printf '%s\n%s\n' "$found" "$newest" | sort -V | tail -n 1)" = "$newest" ] ||
    fail "needs glibc $found: $(readelf -W --dyn-syms "$library" | grep -o "[^ ]*@GLIBC_$found" | xargs)"

# Stack protector and checked copies leave calls behind; the loader makes what it has filled in read-only.
hardened() {
    symbols=$(readelf -W --dyn-syms "$library")
    echo "$symbols" | grep -q '__stack_chk_fail' || fail "has no stack protector"
    echo "$symbols" | grep -q '_chk@' || fail "has no checked copies (_FORTIFY_SOURCE)"
}
sealed() {
    readelf -W -l "$1" | grep -q GNU_RELRO || fail "$1 has no RELRO"
    readelf -W -l "$1" | grep 'GNU_STACK' | grep -q ' RW ' || fail "$1 has an executable stack"
}
hardened
sealed "$library"
if [ -f "${2:-}" ]; then
    sealed "$2"
    readelf -h "$2" | grep -q 'Type:.*DYN' || fail "$2 is not position-independent"
    readelf -W -d "$2" | grep -q NEEDED && fail "$2 needs a library"
    readelf -p .rodata "$2" | grep -q 'stack smashing detected' || fail "$2 has no stack protector"
fi
