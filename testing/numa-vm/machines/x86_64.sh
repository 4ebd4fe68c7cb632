# Sourced by guest: the guest of x86-64. Its kernel is the host's Debian's, its programs are copies of the host's, its JREs are made of the
# host's JDKs.
# shellcheck shell=bash disable=SC2034,SC2154 # variables of guest

emulator=qemu-system-x86_64
console=ttyS0
bus=pcie.0

host_needs() {
  local pair
  for pair in qemu-system-x86_64:qemu-system-x86 lstopo-no-graphics:hwloc-nox numactl:numactl perl:perl-base dmsetup:dmsetup \
    rdma:iproute2; do
    command -v "${pair%%:*}" >/dev/null || echo "${pair#*:}"
  done
  # Soft-RoCE: UCX, and what libibverbs knows rxe by.
  for pair in ucx/libuct_ib.so.0:libucx0 libibverbs/librxe-rdmav\*.so:ibverbs-providers; do
    compgen -G "/usr/lib/*/${pair%%:*}" >/dev/null || echo "${pair#*:}"
  done
}

# A package, or the one that it depends on, from what apt knows.
fetch_kernel_of() {
  local package
  package=$(apt-cache depends "$1" 2>/dev/null | sed -n 's/.*Depends: \(linux-image-\)/\1/p' | head -1)
  package=${package:-$1}
  [[ -n $(apt-cache madison "$package" 2>/dev/null) ]] ||
    die "apt knows no $package; run: sudo apt-get update (the guest's kernel is Debian's)"
  fetch_kernel "$package"
}

# Of a later release than the host's, with an apt of its own.
fetch_stable_kernel() (
  debian=amd64
  # shellcheck source=testing/numa-vm/machines/debian.sh
  source "$here/machines/debian.sh"
  make_apt
  fetch_kernel_of linux-image-amd64
)

# The offset of a magic number, given as a pattern, in the kernel's image.
image_offset() {
  LC_ALL=C grep -abo -P "$1" "$work"/kernel/boot/vmlinuz-* | head -1 | cut -d: -f1 || true
}

kernel() {
  local offset unpack='xz -dc'
  if [[ ${BERTH_GUEST_KERNEL-} == stable ]]; then
    fetch_stable_kernel
  else
    fetch_kernel_of "${BERTH_GUEST_KERNEL:-linux-image-amd64}"
  fi
  # The image unpacks itself; unpacked once and booted by PVH it starts seconds sooner under TCG.
  offset=$(image_offset '\xFD7zXZ\x00')
  if [[ -z $offset ]]; then
    unpack='zstd -dc'
    command -v zstd >/dev/null || die "the image of this kernel is packed by zstd, which is missing; on Debian: apt-get install zstd"
    offset=$(image_offset '\x28\xB5\x2F\xFD')
  fi
  [[ -n $offset ]] || die "the image of this kernel is packed neither by xz nor by zstd"
  tail -c "+$((offset + 1))" "$work"/kernel/boot/vmlinuz-* | $unpack 2>/dev/null >"$work/vmlinux" || true
}

static_busybox() {
  command -v busybox
}

jre_modules=java.base,java.logging,java.management,jdk.management,java.instrument,java.xml,jdk.unsupported,jdk.attach,jdk.jcmd,jdk.jfr
# What Spark and Hadoop's client need in addition to these.
jre_modules+=,java.sql,java.naming,java.desktop,java.security.jgss,java.security.sasl,jdk.security.auth,java.net.http,java.scripting,jdk.net,jdk.zipfs,jdk.incubator.vector

copy_with_libraries() {
  local root=$1 program=$2
  install -D -m 755 "$(readlink -f "$program")" "$root/bin/${program##*/}"
  copy_libraries_of "$root" "$program"
}

library_with_libraries() {
  local root=$1 library=$2
  install -D -m 755 "$(readlink -f "$library")" "$root$library"
  copy_libraries_of "$root" "$library"
}

copy_libraries_of() {
  local root=$1 program=$2 library
  while read -r library; do
    [[ -e $root$library ]] || install -D -m 755 "$(readlink -f "$library")" "$root$library"
  done < <(libraries "$program")
}

libraries() {
  { ldd "$1" 2>/dev/null || true; } | awk '$3 ~ /^\// { print $3 } $1 ~ /^\// { print $1 }'
}

fill_root() {
  local root=$1 version jdk tool library
  mkdir -p "$root"/{bin,lib,lib64,usr}
  # One folder by two names, as in Debian: UCX looks for its parts next to itself, and libibverbs where it was built for.
  ln -s ../lib "$root/usr/lib"
  for tool in lstopo-no-graphics numactl taskset perl dmsetup mke2fs bash rdma; do
    copy_with_libraries "$root" "$(command -v "$tool")"
  done
  # Layers over disks and adapters; loaded where they are checked.
  modules "$root/modules" order dm_mod dm_crypt crypto_null ecb bonding md_mod raid0
  # Soft-RoCE; rxe finds no checksum without crc32_generic, and says ENOENT.
  modules "$root/modules" rdma crc32_generic ib_uverbs rdma_ucm rdma_rxe
  for library in /usr/lib/*/{ucx/libuct_ib,ucx/libuct_rdmacm,libucp,libuct,libucs,libucm}.so.0 \
    /usr/lib/*/libibverbs/librxe-rdmav*.so; do
    [[ -e $library ]] && library_with_libraries "$root" "$library"
  done
  install -D -m 644 /etc/libibverbs.d/rxe.driver "$root/etc/libibverbs.d/rxe.driver"
  while read -r jdk; do
    version=$(jdk_version "$jdk")
    [[ $version == 17 || $version == 25 ]] || continue
    [[ -e $root/jre/$version || ! -x $jdk/bin/jlink ]] && continue
    say "a JRE of JDK $version …"
    "$jdk/bin/jlink" --add-modules "$jre_modules" --strip-debug --no-header-files --no-man-pages --output "$root/jre/$version"
    "$root/jre/$version/bin/java" -Xshare:dump >/dev/null 2>&1 || true
    while read -r library; do
      for library in $(libraries "$library"); do
        [[ -e $root$library || $library == "$root"* ]] || install -D -m 755 "$(readlink -f "$library")" "$root$library"
      done
    done < <(find "$root/jre/$version" -name '*.so' -o -path '*/bin/java')
  done < <(jdks)
  [[ -n $(ls "$root/jre") ]] || die "no JDK 17 or 25 with jlink on this machine"
}

finish_disk() { :; }

# The host's JDKs, of which the JREs are made.
made_of() {
  jdks || true
}

machine() {
  # The CPUs before the empty socket are there from the start; those behind it are plugged in one by one, which the guest's
  # kernel does not notice.
  local to core thread present=$cpus
  if [[ -n $absent ]]; then
    present=$((absent * cores * threads))
    for ((to = absent + 1; to < sockets; to++)); do
      for ((core = 0; core < cores; core++)); do
        for ((thread = 0; thread < threads; thread++)); do
          options+=(-device "max-x86_64-cpu,socket-id=$to,core-id=$core,thread-id=$thread")
        done
      done
    done
  fi
  # Near the first node a disk with one queue, as those had that the policies for HDFS were found with. Bridges are
  # seen in the reverse order: it is the third disk.
  options+=(-device "pxb-pcie,id=first,bus_nr=64,bus=pcie.0,numa_node=0" -device "pcie-root-port,id=port3,bus=first,chassis=3,slot=3"
    -device "virtio-blk-pci,bus=port3,drive=single,num-queues=1")
  # A host bridge of its own puts the NIC and the second disk near the last node.
  options+=(-device "pxb-pcie,id=near,bus_nr=32,bus=pcie.0,numa_node=$near"
    -device "pcie-root-port,id=port1,bus=near,chassis=1,slot=1" -device "pcie-root-port,id=port2,bus=near,chassis=2,slot=2"
    -device "virtio-net-pci,bus=port1,netdev=net,romfile=" -device "virtio-blk-pci,bus=port2,drive=data,num-queues=4")
  # 'max' with Intel's name: with AMD's the guest's kernel sees no threads of a core.
  options+=(-M q35 -cpu "max,vendor=GenuineIntel" -smp "$present,maxcpus=$cpus,sockets=$sockets,dies=$dies,cores=$cores,threads=$threads")
  words+=" mitigations=off nokaslr tsc=reliable no_timer_check"
}
