# Sourced by guest: the guest of ppc64le, a logical partition of POWER with pages of 64 KiB. QEMU has no caches for it above the first level.
# shellcheck shell=bash disable=SC2034,SC2154 # variables of guest

emulator=qemu-system-ppc64
emulator_package=qemu-system-ppc
triple=powerpc64le-linux-gnu
debian=ppc64el
# Since Linux 6.12 Debian has pages of 64 KiB in a kernel of their own.
kernels=(linux-image-powerpc64le-64k linux-image-powerpc64le)
console=hvc0
bus=pci.0
# shellcheck source=testing/numa-vm/machines/debian.sh
source "$here/machines/debian.sh"

machine() {
  [[ -z $absent && $dies == 1 ]] || die "the shape $shape is x86-64's"
  # QEMU emulates no threads of a core here: each is a core of its own.
  cores=$((cores * threads)) threads=1
  # Without the capabilities that an emulated CPU does not have; vof: firmware of a few instructions, in place of SLOF's seconds.
  options+=(-M "pseries,x-vof=on,cap-cfpc=broken,cap-sbbc=broken,cap-ibs=broken,cap-ccf-assist=off" -cpu power9
    -smp "$cpus,sockets=$sockets,cores=$cores,threads=$threads"
    -device "spapr-pci-host-bridge,index=1,id=first,numa_node=0" -device "spapr-pci-host-bridge,index=2,id=near,numa_node=$near"
    -device "virtio-net-pci,netdev=net,romfile=,bus=near.0" -device "virtio-blk-pci,drive=data,num-queues=4,bus=near.0"
    -device "virtio-blk-pci,drive=single,num-queues=1,bus=first.0")
}
