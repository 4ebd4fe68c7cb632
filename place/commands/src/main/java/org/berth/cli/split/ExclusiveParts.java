package org.berth.cli.split;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.berth.binding.errors.BindingException;
import org.berth.binding.leases.Domain;
import org.berth.binding.leases.Lease;
import org.berth.binding.leases.LeaseRecord;
import org.berth.binding.leases.Leases;
import org.berth.cli.run.LeaseHolders;
import org.berth.cli.shared.CommandException;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.placement.internal.shape.ShapePart;
import org.berth.topology.CpuSet;

/** All parts of an exclusive split are free, or none of its processes starts. */
final class ExclusiveParts {
    private ExclusiveParts() {}

    /**
     * Claims the CPUs of all parts at once, for the time in which the processes take their own leases inside it: of two splits that start
     * together, one gets all parts. Empty when parts may be shared.
     *
     * @throws CommandException that names the lease of another process on one of the parts
     */
    static Optional<Lease> claim(SplitPlan plan) {
        if (!plan.exclusive()) {
            return Optional.empty();
        }
        Leases leases = plan.leases().map(Path::of).map(Leases::at).orElseGet(Leases::ofHost);
        requireFree(plan, leases);
        CpuSet all = plan.shape().parts().stream().map(ShapePart::cpus).reduce(CpuSet.empty(), CpuSet::union);
        try {
            return Optional.of(leases.claim(Domain.cpus(all).exclusive().named(plan.name())));
        } catch (BindingException e) {
            // Another split may have been faster.
            requireFree(plan, leases);
            throw CommandException.failure("--exclusive: " + e.getMessage() + "; no process was started", e);
        }
    }

    private static void requireFree(SplitPlan plan, Leases leases) {
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
