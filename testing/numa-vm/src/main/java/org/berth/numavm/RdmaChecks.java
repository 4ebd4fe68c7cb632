package org.berth.numavm;

import org.berth.binding.LocalMachine;

/** What is checked with RDMA in software, in the guest of {@code check 2 rdma}. */
public final class RdmaChecks {
    private RdmaChecks() {}

    /** Prints a line for each check; the exit code is 0 when all hold. The arguments are names of what is checked. */
    public static void main(String[] arguments) {
        Checks checks = new Checks("[JDK " + Runtime.version().feature() + "] RDMA: ");
        LocalMachine machine = LocalMachine.open();
        checks.check("there is RDMA in software", SoftRdma::start);
        for (String name : arguments) {
            switch (name) {
                case "transport" -> RdmaTransportChecks.run(checks, machine.topology());
                case "rpc" -> RdmaRpcChecks.run(checks);
                case "spark" -> RdmaShuffleChecks.run(checks);
                case "down" -> RdmaDownChecks.run(checks);
                default -> throw new IllegalArgumentException(name);
            }
        }
        System.exit(checks.finish());
    }
}
