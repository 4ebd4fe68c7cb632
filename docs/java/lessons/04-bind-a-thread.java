import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.binding.BoundScope;
import org.berth.binding.LocalMachine;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/** Lesson 4: the example of the jhwloc paper: count cores, PUs and memory, then bind the thread to the first and the last PU. */
class BindAThread {
    public static void main(String[] arguments) throws Exception {
        LocalMachine machine = LocalMachine.open();
        Topology topology = machine.topology();
        System.out.println("cores " + topology.count(ObjectType.CORE) + ", PUs " + topology.count(ObjectType.PU)
                + ", memory " + topology.root().totalMemoryBytes() / (1 << 20) + " MiB");
        CpuSet allowed = topology.allowedCpuSet();
        CpuSet firstAndLast = CpuSet.of(allowed.first(), allowed.last());
        try (BoundScope bound = machine.binder().bindThread(firstAndLast)) {
            System.out.println("bound to " + firstAndLast + ", the kernel says " + mask());
        }
        System.out.println("and now " + mask());
    }

    private static String mask() throws Exception {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElseThrow()
                .substring("Cpus_allowed_list:".length())
                .strip();
    }
}
