package org.berth.machines;

/**
 * What {@code lstopo} 2.9 reports about one recorded machine: the independent oracle for our own reading of it.
 *
 * @param l2 number of unified or data caches of level 2
 * @param l3 number of unified or data caches of level 3
 * @param pus processing units in the tree (those that the recorded process could not use are left out)
 * @param allowedCpus CPUs that the recorded process was allowed to use, in list form ({@code "0-3,8"})
 */
public record ExpectedCounts(
        String machine, int packages, int dies, int numaNodes, int l3, int l2, int cores, int pus, String allowedCpus) {

    static final String HEADER = "machine\tpackages\tdies\tnuma_nodes\tl3\tl2\tcores\tpus\tallowed_cpus";

    static ExpectedCounts parse(String line) {
        String[] columns = line.split("\t", -1);
        if (columns.length != 9) {
            throw new IllegalArgumentException("expected 9 columns in: " + line);
        }
        return new ExpectedCounts(
                columns[0],
                Integer.parseInt(columns[1]),
                Integer.parseInt(columns[2]),
                Integer.parseInt(columns[3]),
                Integer.parseInt(columns[4]),
                Integer.parseInt(columns[5]),
                Integer.parseInt(columns[6]),
                Integer.parseInt(columns[7]),
                columns[8]);
    }
}
