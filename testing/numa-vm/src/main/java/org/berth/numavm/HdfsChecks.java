package org.berth.numavm;

import java.util.EnumSet;
import java.util.Set;
import org.berth.binding.LocalMachine;
import org.berth.placement.AffinityClass;

/** What a DataNode's threads need, on a machine whose nodes have two last-level caches each. No argument. */
public final class HdfsChecks {
    private HdfsChecks() {}

    /** Prints a line for each check; the exit code is 0 when all hold. */
    public static void main(String[] arguments) {
        Checks checks = new Checks("[JDK " + Runtime.version().feature() + "] HDFS: ");
        LocalMachine machine = LocalMachine.open();
        System.out.println("guest: " + machine.topology());
        Set<AffinityClass> forced = PolicyChecks.run(checks, machine.topology(), machine.binder());
        checks.check(
                "all classes but [NS] were chosen",
                () -> Checks.same("classes", EnumSet.complementOf(EnumSet.of(AffinityClass.NS)), forced));
        ProbeChecks.run(checks);
        LayerChecks.run(checks);
        System.exit(checks.finish());
    }
}
