# Sourced by guest: the guest of aarch64, QEMU's board 'virt' with a device tree.
# shellcheck shell=bash disable=SC2034,SC2154 # variables of guest

emulator=qemu-system-aarch64
emulator_package=qemu-system-arm
triple=aarch64-linux-gnu
debian=arm64
kernels=(linux-image-arm64)
console=ttyAMA0
bus=pcie.0
# shellcheck source=testing/numa-vm/machines/debian.sh
source "$here/machines/debian.sh"

# A second level of cache for each core and a third for each node with CPUs, and the node that the devices are near, which QEMU's own tree
# does not have.
device_tree() {
  local cpu core node of
  dtc -q -I dtb -O dts "$1"
  echo '/ { cpus {'
  for ((cpu = 0; cpu < cpus; cpu++)); do
    core=$((cpu / threads))
    echo "cpu@$cpu { next-level-cache = <&l2_$core>; };"
  done
  for ((core = 0; core * threads < cpus; core++)); do
    for node in "${!nodes[@]}"; do
      of=${nodes[node]%:*}
      [[ -z $of ]] || ((core * threads < ${of%-*} || core * threads > ${of#*-})) ||
        echo "l2_$core: l2-cache-$core { $(cache 2 1048576) next-level-cache = <&l3_$node>; };"
    done
  done
  for node in "${!nodes[@]}"; do
    [[ -z ${nodes[node]%:*} ]] || echo "l3_$node: l3-cache-$node { $(cache 3 16777216) };"
  done
  echo "}; pcie@10000000 { numa-node-id = <$near>; }; };"
}

cache() {
  echo "compatible = \"cache\"; cache-level = <$1>; cache-unified; cache-size = <$2>; cache-line-size = <64>; cache-sets = <$(($2 / 64 / 16))>;"
}

machine() {
  [[ -z $absent && $dies == 1 ]] || die "the shape $shape is x86-64's"
  options+=(-M "virt,gic-version=3" -cpu neoverse-n1 -smp "$cpus,sockets=$sockets,cores=$cores,threads=$threads"
    -device "virtio-net-pci,netdev=net,romfile=,bus=pcie.0" -device "virtio-blk-pci,drive=data,num-queues=4,bus=pcie.0"
    -device "virtio-blk-pci,drive=single,num-queues=1,bus=pcie.0")
  "$emulator" "${options[@]}" -machine "dumpdtb=$work/qemu.dtb" -m "${megabytes}M" -nographic -nodefaults >"$work/dtb.log" 2>&1 ||
    die "QEMU gives no device tree; see $work/dtb.log"
  device_tree "$work/qemu.dtb" >"$work/guest.dts"
  dtc -q -I dts -O dtb -o "$work/guest.dtb" "$work/guest.dts" || die "the device tree is not one; see $work/guest.dts"
  options+=(-dtb "$work/guest.dtb")
}
