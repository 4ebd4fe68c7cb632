package org.berth.topology;

import java.util.Map;

/** Short names of the PCI classes that hwloc shows (PCI Code and ID Assignment Specification). */
final class PciClasses {
    private static final Map<Integer, String> SUBCLASSES = Map.ofEntries(
            Map.entry(0x0100, "SCSI"),
            Map.entry(0x0101, "IDE"),
            Map.entry(0x0102, "Floppy"),
            Map.entry(0x0103, "IPI"),
            Map.entry(0x0104, "RAID"),
            Map.entry(0x0105, "ATA"),
            Map.entry(0x0106, "SATA"),
            Map.entry(0x0107, "SAS"),
            Map.entry(0x0108, "NVMExp"),
            Map.entry(0x0200, "Ethernet"),
            Map.entry(0x0201, "TokenRing"),
            Map.entry(0x0202, "FDDI"),
            Map.entry(0x0203, "ATM"),
            Map.entry(0x0204, "ISDN"),
            Map.entry(0x0205, "WorldFip"),
            Map.entry(0x0206, "PICMG"),
            Map.entry(0x0207, "InfiniBand"),
            Map.entry(0x0208, "Fabric"),
            Map.entry(0x0300, "VGA"),
            Map.entry(0x0301, "XGA"),
            Map.entry(0x0302, "3D"),
            Map.entry(0x0600, "Host"),
            Map.entry(0x0604, "PCI_B"),
            Map.entry(0x0b40, "Co-Processor"),
            Map.entry(0x1200, "ProcessingAccel"));

    private static final Map<Integer, String> CLASSES = Map.ofEntries(
            Map.entry(0x01, "Storage"),
            Map.entry(0x02, "Network"),
            Map.entry(0x03, "Display"),
            Map.entry(0x04, "MultiMedia"),
            Map.entry(0x05, "Memory"),
            Map.entry(0x06, "Bridge"),
            Map.entry(0x07, "Communication"),
            Map.entry(0x08, "System"),
            Map.entry(0x09, "Input"),
            Map.entry(0x0a, "Dock"),
            Map.entry(0x0b, "Processor"),
            Map.entry(0x0c, "Serial"),
            Map.entry(0x0d, "Wireless"),
            Map.entry(0x0e, "I2O"),
            Map.entry(0x0f, "Satellite"),
            Map.entry(0x10, "Crypto"),
            Map.entry(0x11, "Signal"),
            Map.entry(0x12, "ProcessingAccel"));

    private PciClasses() {}

    static String name(int classId) {
        String name = SUBCLASSES.get(classId);
        return name != null ? name : CLASSES.getOrDefault(classId >> 8, "Other");
    }
}
