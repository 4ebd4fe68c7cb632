package org.berth.topology.internal.xml;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.berth.topology.ObjectDraft;
import org.berth.topology.type.ObjectAttributes.DeviceKind;

/** The uses of an OS device: bits in format 3, one number in format 2, which is translated as hwloc 3 does. */
final class DeviceKinds {
    /** In the order of format 3's bits. */
    private static final List<DeviceKind> BITS = List.of(
            DeviceKind.STORAGE,
            DeviceKind.MEMORY,
            DeviceKind.GPU,
            DeviceKind.COPROCESSOR,
            DeviceKind.NETWORK,
            DeviceKind.OPENFABRICS,
            DeviceKind.DMA);

    /** Subtypes of the devices that format 2 calls coprocessors, though most are GPUs too. */
    static final Set<String> COMPUTE_RUNTIMES = Set.of("CUDA", "LevelZero", "OpenCL");

    private DeviceKinds() {}

    static Set<DeviceKind> of(ObjectDraft device, int type, int version) {
        EnumSet<DeviceKind> kinds = EnumSet.noneOf(DeviceKind.class);
        if (version >= 3) {
            for (int bit = 0; bit < BITS.size(); bit++) {
                if ((type & 1 << bit) != 0) {
                    kinds.add(BITS.get(bit));
                }
            }
        } else {
            addOld(device, type, kinds);
        }
        return kinds;
    }

    private static void addOld(ObjectDraft device, int type, EnumSet<DeviceKind> kinds) {
        String name = device.name == null ? "" : device.name;
        String subtype = device.subtype == null ? "" : device.subtype;
        switch (type) {
            case 0 -> {
                boolean memory = name.startsWith("dax") || subtype.equals("CXLMem");
                boolean persistent = subtype.equals("NVM") || device.infos.first("CXLPMEMSize") != null;
                if (memory) {
                    kinds.add(DeviceKind.MEMORY);
                }
                if (!memory || persistent) {
                    kinds.add(DeviceKind.STORAGE);
                }
            }
            case 1 -> {
                kinds.add(DeviceKind.GPU);
                if (name.startsWith("rsmi") || name.startsWith("nvml")) {
                    kinds.add(DeviceKind.COPROCESSOR);
                }
            }
            case 2 -> kinds.add(DeviceKind.NETWORK);
            case 3 -> {
                kinds.add(DeviceKind.NETWORK);
                if (!subtype.equals("BXI")) {
                    kinds.add(DeviceKind.OPENFABRICS);
                }
            }
            case 4 -> kinds.add(DeviceKind.DMA);
            case 5 -> {
                kinds.add(DeviceKind.COPROCESSOR);
                boolean gpu = subtype.equals("CUDA")
                        || subtype.equals("LevelZero")
                        || (subtype.equals("OpenCL") && "GPU".equals(device.infos.first("OpenCLDeviceType")));
                if (gpu) {
                    kinds.add(DeviceKind.GPU);
                }
            }
            default -> {
                // a number of a newer hwloc: no kind is better than a wrong one
            }
        }
    }
}
