package org.berth.yarn;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.binding.leases.LeaseRecord;
import org.berth.binding.leases.Leases;
import org.berth.topology.CpuSet;
import org.berth.yarn.YarnSettings.Way;

/**
 * Binds containers: changes the command before a container is launched, and when it runs, asks the kernel and the
 * ledger where it is. Thread-safe.
 */
final class ContainerBinder {
    private final YarnSettings settings;
    private final DomainChoice choice;
    private final LaunchCommand command;
    private final Leases ledger;
    private final OutsideBinding outside;
    private final boolean birthForbidden;
    private final YarnFailures failures;

    /** @param birthForbidden whether commands must stay as they are on this node */
    ContainerBinder(
            YarnSettings settings,
            DomainChoice choice,
            LaunchCommand command,
            Leases ledger,
            boolean birthForbidden,
            YarnFailures failures) {
        this.settings = settings;
        this.choice = choice;
        this.command = command;
        this.ledger = ledger;
        this.outside = new OutsideBinding(command, ledger);
        this.birthForbidden = birthForbidden;
        this.failures = failures;
    }

    YarnSettings settings() {
        return settings;
    }

    /** Changes the command of a container that is about to be launched, so that it is bound before the JVM starts. */
    void prepare(Container container) {
        Optional<String> domain = domain(container);
        ContainerLaunchContext launch = container.getLaunchContext();
        if (domain.isPresent() && launch != null && mayBeBorn(launch)) {
            // Setting the very list that it holds would leave none (ContainerLaunchContextPBImpl.setCommands).
            List<String> commands = List.copyOf(launch.getCommands());
            List<String> wrapped = command.wrap(commands, domain.get(), name(container));
            if (!wrapped.equals(commands)) {
                launch.setCommands(wrapped);
            }
        }
    }

    private boolean mayBeBorn(ContainerLaunchContext launch) {
        return settings.way() != Way.OUTSIDE && !birthForbidden && !EntryPoint.isUsed(launch.getEnvironment());
    }

    /** Whether there is something to check when it runs. */
    boolean concerns(Container container) {
        return domain(container).isPresent();
    }

    private Optional<String> domain(Container container) {
        return choice.of(container.getResource().getVirtualCores());
    }

    private static String name(Container container) {
        return container.getContainerId().toString();
    }

    /**
     * Checks where a container is, and binds it from outside when it has no lease.
     *
     * @param process its first process, which runs the container's command
     */
    void settle(Container container, ContainerProcess process) {
        String name = name(container);
        try {
            Optional<LeaseRecord> born = OutsideBinding.find(ledger, process.pid());
            if (born.isPresent()) {
                tell(container, process, born.get(), "holds");
            } else if (settings.way() == Way.BIRTH) {
                failures.add("unborn", name + " runs unbound: the reason is in its log, prelaunch.err");
            } else {
                String domain = domain(container).orElseThrow();
                tell(container, process, outside.bind(process, domain, name), "was bound from outside to");
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            if (process.stage() != ContainerProcess.Stage.ENDED) {
                failures.add("unbound " + e.getClass().getName(), name + " runs unbound: " + FailureText.of(e));
            }
        }
    }

    /** Mask and policy are the kernel's: a lease alone proves nothing. */
    private void tell(Container container, ContainerProcess process, LeaseRecord lease, String has) throws IOException {
        CpuSet cpus = process.cpus();
        if (lease.cpus().containsAll(cpus)) {
            AffinityListener.LOG.info(
                    "Berth: {} ({} vcores) {} {}: process {} on CPUs {}, memory {}",
                    name(container),
                    container.getResource().getVirtualCores(),
                    has,
                    lease.domain(),
                    process.pid(),
                    cpus,
                    process.memoryPolicy());
        } else {
            failures.add(
                    "elsewhere",
                    name(container) + " holds CPUs " + lease.cpus() + ", and its process " + process.pid()
                            + " may use CPUs " + cpus);
        }
    }
}
