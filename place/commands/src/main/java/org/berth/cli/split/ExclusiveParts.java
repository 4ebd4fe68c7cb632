package org.berth.cli.split;

import java.nio.file.Path;
import java.util.List;
import org.berth.binding.leases.LeaseRecord;
import org.berth.binding.leases.Leases;
import org.berth.cli.run.LeaseHolders;
import org.berth.cli.shared.CommandException;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.placement.internal.shape.ShapePart;

/** All parts of an exclusive split are free, or none of its processes starts. */
final class ExclusiveParts {
    private ExclusiveParts() {}

    /** A failure that names the lease of another process on one of the parts. */
    static void require(SplitPlan plan) {
        if (!plan.exclusive()) {
            return;
        }
        Leases leases = plan.leases().map(Path::of).map(Leases::at).orElseGet(Leases::ofHost);
        ProcessFacts own = ProcessFacts.of(ProcessHandle.current().pid(), Path.of("/"));
        for (LeaseRecord lease : leases.list()) {
            for (ShapePart part : plan.shape().parts()) {
                // A part of the domain in which this command runs is its own.
                if (lease.cpus().intersects(part.cpus())
                        && LeaseHolders.leaseOf(own, List.of(lease)).isEmpty()) {
                    throw CommandException.failure("--exclusive: process " + lease.pid() + " has a lease of CPUs "
                            + lease.cpus() + ", and part " + part.index() + " is CPUs " + part.cpus()
                            + "; no process was started ('berth leases' lists all leases)");
                }
            }
        }
    }
}
