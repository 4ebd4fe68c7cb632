package org.berth.numavm;

import java.nio.file.Path;
import java.util.List;
import org.berth.binding.LocalMachine;

/**
 * What is checked in the guest, in one JVM. The first argument is the path of libberth.so; with a second one only that is
 * checked which a JVM of another version may do in another way.
 */
public final class GuestChecks {
    /** The last one is the JVM's own choice. */
    private static final List<String> COLLECTORS = List.of("UseSerialGC", "UseParallelGC", "UseG1GC", "UseZGC", "");

    /** The number of nodes of the guest in which everything is checked; in the others, what depends on the number of nodes. */
    private static final int WHOLE = 2;

    private GuestChecks() {}

    /** Prints a line for each check; the exit code is 0 when all hold. */
    public static void main(String[] arguments) {
        Checks checks = new Checks("[JDK " + Runtime.version().feature() + "] ");
        LocalMachine machine = LocalMachine.open();
        System.out.println("guest: " + machine.topology());
        Path library = Path.of(arguments[0]);
        boolean again = arguments.length > 1;
        boolean whole = machine.topology().nodeSet().size() == WHOLE;
        TopologyChecks.run(checks, machine.topology());
        MemoryChecks.run(checks, machine.topology(), machine.binder());
        BirthChecks.run(checks, machine.topology(), library, whole ? COLLECTORS : List.of(""));
        LiveChecks.run(checks, machine.topology(), whole ? COLLECTORS.subList(0, 4) : List.of("UseSerialGC"));
        if (whole) {
            CpusetChecks.run(checks, machine.topology(), library);
        }
        if (!again) {
            DeviceChecks.run(checks, machine.topology(), machine.binder());
            SharingChecks.run(checks, machine.topology(), library);
            MatrixChecks.run(checks, machine.topology());
        }
        if (whole && !again) {
            InterruptChecks.run(checks, machine.topology());
            PolicyChecks.run(checks, machine.topology(), machine.binder());
            CompareChecks.run(checks, machine.topology());
            RdmaTransportChecks.runShort(checks, machine.topology());
        }
        System.exit(checks.finish());
    }
}
