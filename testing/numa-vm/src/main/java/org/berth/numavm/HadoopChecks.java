package org.berth.numavm;

import org.berth.binding.LocalMachine;

/** Hadoop's real daemons on a machine with two nodes (jars in /hadoop/jars), and a client on the host. No argument. */
public final class HadoopChecks {
    private HadoopChecks() {}

    /** Prints a line for each check; the exit code is 0 when all hold. */
    public static void main(String[] arguments) {
        Checks checks = new Checks("[JDK " + Runtime.version().feature() + "] Hadoop: ");
        LocalMachine machine = LocalMachine.open();
        System.out.println("guest: " + machine.topology());
        DataNodeChecks.run(checks, machine.topology().cpuSet(), machine.binder());
        ContainerChecks.run(checks, machine.topology());
        System.exit(checks.finish());
    }
}
