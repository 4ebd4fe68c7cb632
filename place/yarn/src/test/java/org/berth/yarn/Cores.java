package org.berth.yarn;

import java.util.List;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Assumptions;

/** Cores as lscpu(1) counts them. */
final class Cores {
    private Cores() {}

    /** Number of cores with a PU that this process may use; callers skip machines that do not tell cores apart. */
    static int all() {
        int cores = in(Machine.cpuList());
        Assumptions.assumeTrue(cores > 1 && cores <= 32, "from 2 to 32 cores can be told apart here, not " + cores);
        return cores;
    }

    /** Number of cores with one of the PUs of a list. */
    static int in(String cpus) {
        List<Integer> wanted = KernelList.numbers(cpus);
        return (int) Tool.output("lscpu", "--online", "--parse=core,socket,cpu")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .filter(line -> wanted.contains(Integer.valueOf(line.substring(line.lastIndexOf(',') + 1))))
                .map(line -> line.substring(0, line.lastIndexOf(',')))
                .distinct()
                .count();
    }
}
