package org.berth.oracle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** What this machine offers to this process. Methods that require something abort the test with the reason. */
public final class Machine {
    private Machine() {}

    /** The CPUs that this process may use, ascending. */
    public static List<Integer> cpus() {
        return KernelList.numbers(cpuList());
    }

    /** The same as the kernel writes them, such as {@code 0-3,8}. */
    public static String cpuList() {
        return ProcStatus.self().cpus();
    }

    /** The CPUs that this process may use; the test is skipped when they are fewer than the count. */
    public static int[] requireCpus(int count) {
        List<Integer> cpus = cpus();
        Assumptions.assumeTrue(
                cpus.size() >= count, () -> "needs " + count + " CPUs, and this process may use " + cpuList());
        return cpus.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The effective user. */
    public static int uid() {
        return Integer.parseInt(ProcStatus.self().field("Uid").split("\\s+", -1)[1]);
    }

    public static void requireRoot() {
        Assumptions.assumeTrue(uid() == 0, "only root can set this up");
    }

    /** The nodes with memory that this process may use. */
    public static List<Integer> requireMemoryNodes() {
        requireNuma();
        List<Integer> allowed = KernelList.numbers(ProcStatus.self().nodes());
        return KernelList.numbers(Tool.output("cat", "/sys/devices/system/node/has_memory")).stream()
                .filter(allowed::contains)
                .toList();
    }

    /** A kernel that knows memory nodes. */
    public static void requireNuma() {
        Assumptions.assumeTrue(Files.exists(Path.of("/proc/self/numa_maps")), "this kernel has no memory nodes");
    }

    /** A JDK of this version or later runs the test. */
    public static void requireJava(int version) {
        Assumptions.assumeTrue(
                Runtime.version().feature() >= version, () -> "needs JDK " + version + ", not " + Runtime.version());
    }
}
