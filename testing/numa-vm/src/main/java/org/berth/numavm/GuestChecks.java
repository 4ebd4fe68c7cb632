package org.berth.numavm;

import java.nio.file.Path;
import org.berth.binding.LocalMachine;

/** What is checked in the guest, in one JVM. The argument is the path of libberth.so. */
public final class GuestChecks {
    private GuestChecks() {}

    /** Prints a line for each check; the exit code is 0 when all hold. */
    public static void main(String[] arguments) {
        Checks checks = new Checks("[JDK " + Runtime.version().feature() + "] ");
        LocalMachine machine = LocalMachine.open();
        System.out.println("guest: " + machine.topology());
        TopologyChecks.run(checks, machine.topology());
        MemoryChecks.run(checks, machine.topology(), machine.binder());
        DeviceChecks.run(checks, machine.topology(), machine.binder());
        InterruptChecks.run(checks, machine.topology());
        // Once, with two nodes: a disk and a NIC near different ones. The JVM makes no difference.
        if (machine.topology().nodeSet().size() == 2 && Runtime.version().feature() == 17) {
            PolicyChecks.run(checks, machine.topology(), machine.binder());
        }
        BirthChecks.run(checks, machine.topology(), Path.of(arguments[0]));
        SharingChecks.run(checks, machine.topology(), Path.of(arguments[0]));
        CpusetChecks.run(checks, machine.topology(), Path.of(arguments[0]));
        LiveChecks.run(checks, machine.topology());
        CompareChecks.run(checks, machine.topology());
        MatrixChecks.run(checks, machine.topology());
        System.exit(checks.finish());
    }
}
