package org.berth.topology.internal.xml;

import java.util.List;
import java.util.Map;

/** Short names of PCI classes, as lstopo shows them (PCI Code and ID Assignment Specification). */
final class PciClasses {
    /** Names by class: that of the class itself, then those of its subclasses from 0 on. */
    private static final Map<Integer, List<String>> NAMES = Map.ofEntries(
            Map.entry(0x01, List.of("Storage", "SCSI", "IDE", "Floppy", "IPI", "RAID", "ATA", "SATA", "SAS", "NVMExp")),
            Map.entry(
                    0x02,
                    List.of(
                            "Network",
                            "Ethernet",
                            "TokenRing",
                            "FDDI",
                            "ATM",
                            "ISDN",
                            "WorldFip",
                            "PICMG",
                            "InfiniBand",
                            "Fabric")),
            Map.entry(0x03, List.of("Display", "VGA", "XGA", "3D")),
            Map.entry(0x04, List.of("Multimedia", "MultimediaVideo", "MultimediaAudio", "Telephony", "AudioDevice")),
            Map.entry(0x05, List.of("Memory", "RAM", "Flash", "CXLMem")),
            Map.entry(
                    0x06,
                    List.of(
                            "Bridge",
                            "HostBridge",
                            "ISABridge",
                            "EISABridge",
                            "MicroChannelBridge",
                            "PCIBridge",
                            "PCMCIABridge",
                            "NubusBridge",
                            "CardBusBridge",
                            "RACEwayBridge",
                            "SemiTransparentPCIBridge",
                            "InfiniBandPCIHostBridge")),
            Map.entry(
                    0x07,
                    List.of("Communication", "Serial", "Parallel", "MultiportSerial", "Modem", "GPIB", "SmartCard")),
            Map.entry(0x08, List.of("SystemPeripheral", "PIC", "DMA", "Timer", "RTC", "PCIHotPlug", "SDHost", "IOMMU")),
            Map.entry(0x09, List.of("Input", "Keyboard", "DigitizerPen", "Mouse", "Scanner", "Gameport")),
            Map.entry(0x0a, List.of("DockingStation")),
            Map.entry(0x0b, List.of("Processor", "386", "486", "Pentium")),
            Map.entry(
                    0x0c,
                    List.of(
                            "SerialBus",
                            "FireWire",
                            "ACCESS",
                            "SSA",
                            "USB",
                            "FibreChannel",
                            "SMBus",
                            "InfiniBand",
                            "IPMI-SMIC",
                            "SERCOS",
                            "CANBUS")),
            Map.entry(0x0d, List.of("Wireless", "IRDA", "ConsumerIR")),
            Map.entry(0x0e, List.of("Intelligent", "I2O")),
            Map.entry(0x0f, List.of("Satellite")),
            Map.entry(0x10, List.of("Encryption")),
            Map.entry(0x11, List.of("SignalProcessing")),
            Map.entry(0x12, List.of("ProcessingAccelerator")),
            Map.entry(0x13, List.of("Instrumentation")));

    private PciClasses() {}

    static String name(int classId) {
        if (classId == 0x0b40) {
            return "Co-Processor";
        }
        List<String> names = NAMES.getOrDefault(classId >> 8, List.of("Other"));
        int position = (classId & 0xff) + 1;
        return position < names.size() ? names.get(position) : names.get(0);
    }
}
