package org.berth.cli;

import java.util.List;

/**
 * Commands by what they are for.
 *
 * @param names in the order of the help
 */
record HelpGroup(String title, List<String> names) {
    /** All groups in the order of the help. */
    static final List<HelpGroup> ALL = List.of(
            of("Look at a machine and its threads", "topo", "status", "doctor", "watch"),
            of("Place processes and threads", "run", "split", "bind", "unbind", "leases", "plan", "irq"),
            of("Configure engines", "conf"),
            of("Measure whether it pays", "compare", "bench", "study", "tune", "probe"),
            of("Carry data", "mapreduce", "transport"));

    HelpGroup {
        names = List.copyOf(names);
    }

    private static HelpGroup of(String title, String... names) {
        return new HelpGroup(title, List.of(names));
    }

    /** The commands of all groups. */
    static List<String> commands() {
        return ALL.stream().flatMap(group -> group.names().stream()).toList();
    }
}
