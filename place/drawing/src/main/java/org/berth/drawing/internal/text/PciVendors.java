package org.berth.drawing.internal.text;

import java.util.Optional;

/**
 * Names of the makers of devices that data engines care about, as in the PCI ID repository. hwloc names all devices
 * only where it was built with that database, and the one that comes with us was not.
 */
final class PciVendors {
    private PciVendors() {}

    static Optional<String> name(int vendorId) {
        return Optional.ofNullable(
                switch (vendorId) {
                    case 0x1002 -> "AMD";
                    case 0x1022 -> "AMD";
                    case 0x1077 -> "QLogic";
                    case 0x10de -> "NVIDIA";
                    case 0x10df -> "Emulex";
                    case 0x1414 -> "Microsoft";
                    case 0x1425 -> "Chelsio";
                    case 0x144d -> "Samsung";
                    case 0x14e4 -> "Broadcom";
                    case 0x15b3 -> "Mellanox";
                    case 0x1924 -> "Solarflare";
                    case 0x19e5 -> "Huawei";
                    case 0x1ae0 -> "Google";
                    case 0x1af4 -> "virtio";
                    case 0x1d0f -> "Amazon";
                    case 0x8086 -> "Intel";
                    default -> null;
                });
    }
}
