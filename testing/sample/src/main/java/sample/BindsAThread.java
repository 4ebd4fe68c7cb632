package sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.binding.BoundScope;
import org.berth.binding.LocalMachine;
import org.berth.topology.CpuSet;

/**
 * Binds its thread to the last CPU that it may use, and prints what the kernel reports about that thread before, during
 * and after.
 */
final class BindsAThread {
    private BindsAThread() {}

    public static void main(String[] arguments) throws IOException {
        LocalMachine machine = LocalMachine.open();
        int last = machine.topology().allowedCpuSet().last();
        System.out.println("before " + allowed());
        try (BoundScope bound = machine.binder().bindThread(CpuSet.of(last))) {
            System.out.println("bound " + allowed());
        }
        System.out.println("after " + allowed());
    }

    private static String allowed() throws IOException {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow();
    }
}
