package org.berth.machines;

import java.util.ArrayList;
import java.util.List;

/** Devices for machines that were recorded or described without them. */
public final class MachineDevices {
    private static final String DEVICES = """
            <object type="Bridge" gp_index="900001" bridge_type="0-1" depth="0" bridge_pci="0000:[a0-a4]">
              <object type="PCIDev" gp_index="900002" pci_busid="0000:a1:00.0" pci_type="0207 [15b3:1017] [15b3:0008] 00" pci_link_speed="15.753846">
                <object type="OSDev" gp_index="900003" name="ib0" osdev_type="2"/>
                <object type="OSDev" gp_index="900004" name="mlx5_0" osdev_type="3"/>
              </object>
              <object type="PCIDev" gp_index="900005" pci_busid="0000:a2:00.0" pci_type="0108 [144d:a821] [1014:0602] 01" pci_link_speed="3.938462">
                <object type="OSDev" gp_index="900006" name="nvme0n1" subtype="Disk" osdev_type="0"/>
              </object>
              <object type="PCIDev" gp_index="900007" pci_busid="0000:a3:00.0" pci_type="0302 [10de:15f9] [10de:116b] a1" pci_link_speed="15.753846">
                <object type="OSDev" gp_index="900008" name="card0" osdev_type="1"/>
              </object>
              <object type="PCIDev" gp_index="900009" pci_busid="0000:a4:00.0" pci_type="0200 [14e4:1657] [14e4:1981] 01" pci_link_speed="2.000000">
                <object type="OSDev" gp_index="900010" name="eth9" osdev_type="2"/>
              </object>
            </object>
            """;

    private MachineDevices() {}

    /** How many objects of a type in a machine's XML have room for devices below them. */
    public static int places(String xml, String type) {
        return openings(xml.lines().toList(), type).size();
    }

    /**
     * The machine with an InfiniBand adapter (ib0, mlx5_0), a disk (nvme0n1), a GPU (card0) and a network card (eth9) below
     * one of its objects.
     *
     * @param xml as {@link Machines} and {@link RandomMachine} give it: one tag a line, indented
     * @param type as hwloc writes it: "Package", "L3Cache"
     * @param number which of them, counted from 0 from the top of the file
     */
    public static String below(String xml, String type, int number) {
        List<String> lines = new ArrayList<>(xml.lines().toList());
        int opening = openings(lines, type).get(number);
        int closing = opening + lines.subList(opening, lines.size()).indexOf(indent(lines.get(opening)) + "</object>");
        lines.addAll(closing, DEVICES.lines().toList());
        return String.join("\n", lines) + "\n";
    }

    /** The {@code cpuset} of that object, in hwloc's own form ("0x000000ff,0x00000000"). */
    public static String cpuset(String xml, String type, int number) {
        List<String> lines = xml.lines().toList();
        String line = lines.get(openings(lines, type).get(number));
        int start = line.indexOf(" cpuset=\"") + " cpuset=\"".length();
        return line.substring(start, line.indexOf('"', start));
    }

    private static List<Integer> openings(List<String> lines, String type) {
        List<Integer> openings = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.strip().startsWith("<object type=\"" + type + "\" ") && !line.endsWith("/>")) {
                openings.add(i);
            }
        }
        return openings;
    }

    private static String indent(String line) {
        return line.substring(0, line.length() - line.stripLeading().length());
    }
}
