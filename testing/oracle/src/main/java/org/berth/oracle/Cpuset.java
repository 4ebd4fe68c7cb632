package org.berth.oracle;

import java.util.List;
import java.util.stream.Stream;

/** A cpuset for child processes, as a container runtime makes it; removed when closed. */
public final class Cpuset implements AutoCloseable {
    private final ControlGroup group;

    private Cpuset(ControlGroup group) {
        this.group = group;
    }

    /**
     * Makes one with these CPUs and all memory nodes; aborts the test with the reason when this process may not.
     *
     * @param cpus a list such as {@code 0-3,8}
     */
    public static Cpuset of(String cpus) {
        Cpuset cpuset = new Cpuset(ControlGroup.make("cpuset", "cpuset.cpus", "cpuset.cpus"));
        cpuset.set(cpus);
        if (cpuset.group.isFirstVersion()) {
            cpuset.group.write("cpuset.mems", cpuset.group.above("cpuset.effective_mems"));
        }
        return cpuset;
    }

    /** Changes the CPUs, also of the processes that are in it. */
    public void set(String cpus) {
        group.write("cpuset.cpus", cpus);
    }

    /** Words before a command that enter the cpuset first. */
    public List<String> prefix() {
        return group.prefix();
    }

    /** A command that enters the cpuset first. */
    public String[] command(String... words) {
        return Stream.concat(prefix().stream(), Stream.of(words)).toArray(String[]::new);
    }

    /** Ends the processes that are still in it, and removes it. */
    @Override
    public void close() {
        group.remove();
    }
}
