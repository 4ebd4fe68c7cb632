#!/bin/sh
# check-library.sh PROCESSOR LIBRARY [PROGRAM]: what a user's machine depends on, and that both are hardened.
# The library must load with glibc 2.17 (2014; 2.27 is the first one for riscv64), needs nothing
# but libc (of which libdl was a part before glibc 2.34), and exports only what a JVM looks for. readelf reads files of any processor.
set -eu
processor=$1
library=$2
program=${3:-}
newest=2.17
[ "$processor" != riscv64 ] || newest=2.27

refuse() {
    echo "berth: $*" >&2
    exit 1
}
fail() {
    refuse "$library" "$@"
}

# The words of readelf -h, and the largest pages that a distribution's kernel has there.
page=0x1000
case $processor in
x86_64) machine='Advanced Micro Devices X86-64' ;;
aarch64) machine=AArch64 page=0x10000 ;;
ppc64le) machine=PowerPC64 page=0x10000 ;;
riscv64) machine=RISC-V ;;
*) fail "is for '$processor', which is no processor that this checks" ;;
esac
matches() {
    readelf -h "$1" | grep -q "Machine: *$machine\$" || refuse "$1 is not for $processor"
    readelf -h "$1" | grep -q 'little endian' || refuse "$1 is big-endian"
    # A kernel maps whole pages only: with a smaller alignment the file does not load where pages are larger.
    readelf -W -l "$1" | awk '$1 == "LOAD" { print $NF }' | while read -r alignment; do
        [ $((alignment)) -ge $((page)) ] || refuse "$1 is aligned for pages of $alignment; $processor may have $page"
    done
}
matches "$library"

# With ppc64le a column of their entry points stands between the others.
symbols=$(readelf -W --dyn-syms "$library" | sed 's/\[<[^]]*\]//')
exported=$(echo "$symbols" | awk '$5 == "GLOBAL" && $7 != "UND" { print $8 }' | sort | xargs)
[ "$exported" = "Agent_OnAttach Agent_OnLoad JNI_OnLoad" ] || fail "exports: $exported"

needed=$(readelf -W -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^ld' | xargs)
[ "$needed" = "libdl.so.2 libc.so.6" ] || fail "needs: $needed"

versions=$(readelf -W -V "$library" | grep -o 'GLIBC_[0-9A-Z_.]*' | sed 's/GLIBC_//' | sort -u -V)
[ -n "$versions" ] || fail "shows no glibc versions: the check is broken"
# Such as GLIBC_PRIVATE, or GLIBC_ABI_DT_RELR, which an older loader refuses.
others=$(echo "$versions" | grep '[A-Z]' | xargs)
[ -z "$others" ] || fail "needs of glibc: $others"
found=$(echo "$versions" | tail -n 1)
[ "$(printf '%s\n%s\n' "$found" "$newest" | sort -V | tail -n 1)" = "$newest" ] ||
    fail "needs glibc $found: $(echo "$symbols" | grep -o "[^ ]*@GLIBC_$found" | xargs)"

# Stack protector and checked copies leave calls behind; the loader makes what it has filled in read-only.
hardened() {
    echo "$symbols" | grep -q '__stack_chk_fail' || fail "has no stack protector"
    echo "$symbols" | grep -q '_chk@' || fail "has no checked copies (_FORTIFY_SOURCE)"
}
sealed() {
    readelf -W -l "$1" | grep -q GNU_RELRO || refuse "$1 has no RELRO"
    readelf -W -l "$1" | grep 'GNU_STACK' | grep -q ' RW ' || refuse "$1 has an executable stack"
}
hardened
sealed "$library"
if [ -f "$program" ]; then
    matches "$program"
    sealed "$program"
    # glibc has start-up code for such static programs on these two.
    case $processor in
    x86_64 | aarch64) readelf -h "$program" | grep -q 'Type:.*DYN' || refuse "$program is not position-independent" ;;
    esac
    readelf -W -d "$program" | grep -q NEEDED && refuse "$program needs a library"
    readelf -p .rodata "$program" | grep -q 'stack smashing detected' || refuse "$program has no stack protector"
fi
