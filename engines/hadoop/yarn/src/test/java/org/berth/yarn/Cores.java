package org.berth.yarn;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Cores as lscpu(1) counts them. */
final class Cores {
    private Cores() {}

    /** With a logical CPU that this process may use; a machine where they cannot be told apart is not for the caller. */
    static int all() {
        int cores = in(Tasks.ownMask());
        Assumptions.assumeTrue(cores > 1 && cores <= 32, "from 2 to 32 cores can be told apart here, not " + cores);
        return cores;
    }

    /** With one of the logical CPUs of a list. */
    static int in(String cpus) {
        Set<Integer> wanted = new TreeSet<>();
        for (String range : cpus.split(",", -1)) {
            String[] ends = range.split("-", -1);
            for (int cpu = Integer.parseInt(ends[0]); cpu <= Integer.parseInt(ends[ends.length - 1]); cpu++) {
                wanted.add(cpu);
            }
        }
        try {
            Process lscpu = new ProcessBuilder("lscpu", "--online", "--parse=core,socket,cpu").start();
            try (Stream<String> lines = lscpu.inputReader().lines()) {
                return (int) lines.filter(line -> !line.startsWith("#"))
                        .filter(line -> wanted.contains(Integer.valueOf(line.substring(line.lastIndexOf(',') + 1))))
                        .map(line -> line.substring(0, line.lastIndexOf(',')))
                        .distinct()
                        .count();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
