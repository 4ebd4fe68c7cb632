package org.berth.cli;

import java.util.List;
import java.util.stream.Stream;

/** The commands by what they are for, in the order of the help. */
enum CommandGroups {
    LOOK("Look at a machine and its threads", "topo", "status", "doctor", "watch"),
    PLACE("Place processes and threads", "run", "split", "bind", "unbind", "leases", "plan", "irq"),
    CONFIGURE("Configure engines", "conf"),
    MEASURE("Measure whether it pays", "compare", "bench", "study", "tune", "probe"),
    CARRY("Carry data", "mapreduce", "transport");

    private final String title;
    private final List<String> names;

    CommandGroups(String title, String... names) {
        this.title = title;
        this.names = List.of(names);
    }

    String title() {
        return title;
    }

    List<String> names() {
        return names;
    }

    /** All commands of all groups. */
    static List<String> all() {
        return Stream.of(values()).flatMap(group -> group.names.stream()).toList();
    }
}
