package org.berth.placement;

/** hwloc XML of a regular machine: packages with memory nodes, with L3 caches, with cores of one PU. */
public final class LayeredMachine {
    private int pus;
    private int gp = 10;
    private int nodes;
    private int cores;

    private LayeredMachine() {}

    public static String xml(int packages, int nodesEach, int cachesEach, int coresEach) {
        LayeredMachine machine = new LayeredMachine();
        int all = packages * nodesEach * cachesEach * coresEach;
        StringBuilder inside = new StringBuilder();
        for (int p = 0; p < packages; p++) {
            StringBuilder groups = new StringBuilder();
            int first = machine.pus;
            for (int n = 0; n < nodesEach; n++) {
                groups.append(machine.node(cachesEach, coresEach));
            }
            inside.append(machine.object("Package", p, first, nodesEach * p, nodesEach * (p + 1), groups.toString()));
        }
        String root = "os_index=\"0\" cpuset=\"%1$s\" complete_cpuset=\"%1$s\" allowed_cpuset=\"%1$s\" nodeset=\"%2$s\""
                + " complete_nodeset=\"%2$s\" allowed_nodeset=\"%2$s\" gp_index=\"1\"";
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<topology version=\"2.0\">\n<object type=\"Machine\" "
                + root.formatted(mask(0, all), mask(0, packages * nodesEach)) + ">\n" + inside
                + "</object>\n</topology>\n";
    }

    private String node(int caches, int coresEach) {
        int first = pus;
        int number = nodes++;
        StringBuilder inside = new StringBuilder();
        for (int c = 0; c < caches; c++) {
            int from = pus;
            StringBuilder members = new StringBuilder();
            for (int i = 0; i < coresEach; i++) {
                int pu = pus++;
                String leaf = "<object type=\"PU\" os_index=\"%d\" %s gp_index=\"%d\"/>\n"
                        .formatted(pu, sets(pu, pu + 1, number, number + 1), gp++);
                members.append(object("Core", cores++, pu, number, number + 1, leaf));
            }
            inside.append(object("L3Cache", -1, from, number, number + 1, members.toString()));
        }
        String memory = "<object type=\"NUMANode\" os_index=\"%d\" %s gp_index=\"%d\" local_memory=\"1048576\"/>\n"
                .formatted(number, sets(first, pus, number, number + 1), gp++);
        return object("Group", -1, first, number, number + 1, memory + inside);
    }

    private String object(String type, int index, int firstPu, int firstNode, int endNode, String inside) {
        String own = switch (type) {
            case "L3Cache" ->
                " cache_size=\"1048576\" depth=\"3\" cache_linesize=\"64\" cache_associativity=\"8\" cache_type=\"0\"";
            case "Group" -> " kind=\"0\" subkind=\"0\"";
            default -> " os_index=\"" + index + "\"";
        };
        return "<object type=\"%s\"%s %s gp_index=\"%d\">\n%s</object>\n"
                .formatted(type, own, sets(firstPu, pus, firstNode, endNode), gp++, inside);
    }

    private static String sets(int fromPu, int toPu, int fromNode, int toNode) {
        return "cpuset=\"%1$s\" complete_cpuset=\"%1$s\" nodeset=\"%2$s\" complete_nodeset=\"%2$s\""
                .formatted(mask(fromPu, toPu), mask(fromNode, toNode));
    }

    private static String mask(int from, int to) {
        return "0x%08x".formatted((int) ((1L << to) - (1L << from)));
    }
}
