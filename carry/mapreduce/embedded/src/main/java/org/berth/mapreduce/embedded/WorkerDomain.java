package org.berth.mapreduce.embedded;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.berth.binding.leases.Lease;
import org.berth.binding.leases.Leases;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.internal.host.HostDivision;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of this host that worker threads use, by a lease that other clients see. All pools of this JVM with as many threads share it:
 * the jobs that tasks submit run while those wait. Thread-safe.
 */
final class WorkerDomain {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerDomain.class);
    private static final Map<Size, WorkerDomain> DOMAINS = new HashMap<>();

    private final CpuSet all;
    private final @Nullable Lease lease;
    private final boolean unseen;

    private record Size(OrderedLevel level, int threads) {}

    private WorkerDomain(CpuSet all, @Nullable Lease lease, boolean unseen) {
        this.all = all;
        this.lease = lease;
        this.unseen = unseen;
    }

    /**
     * The domain for the threads of a pool, for the life of this JVM.
     *
     * @throws RuntimeException one line, when no lease can be had: each client would take the first domain
     */
    static WorkerDomain of(Topology topology, EngineSettings settings) {
        synchronized (DOMAINS) {
            Size size = new Size(settings.level(), settings.threads());
            WorkerDomain domain = DOMAINS.get(size);
            if (domain == null) {
                domain = make(topology, size);
                DOMAINS.put(size, domain);
            }
            return domain;
        }
    }

    private static WorkerDomain make(Topology topology, Size size) {
        CpuSet all = topology.allowedCpuSet();
        Leases leases = Leases.ofHost();
        long pid = ProcessHandle.current().pid();
        // The agent or 'berth run' has given this JVM a domain.
        if (DOMAINS.isEmpty() && leases.list().stream().anyMatch(held -> held.isHeldBy(pid))) {
            return new WorkerDomain(all, null, false);
        }
        int cpus = HostDivision.cpusFor(topology, size.level().level(), size.threads());
        PlacementPlan domains = HostDivision.of(topology, Optional.of(size.level()), cpus, false)
                .domains();
        Lease lease = leases.claim(domains, false, "mapreduce");
        lease.warning().ifPresent(line -> LOG.warn("Berth: {}", line));
        LOG.info("Berth: {} worker threads on CPUs {}", size.threads(), lease.cpus());
        return new WorkerDomain(all, lease, leases.unseen().isPresent());
    }

    /** The CPUs of the domain, at present. */
    CpuSet cpus() {
        return lease == null ? all : lease.cpus();
    }

    /** Whether other processes may not see the lease, so that it moves away from them. */
    boolean isUnseen() {
        return unseen;
    }

    /**
     * Moves the lease where others use its CPUs; see {@link Lease#leaveCrowd}.
     *
     * @throws RuntimeException one line, when the ledger cannot be written
     */
    void leaveCrowd() {
        if (lease != null && unseen) {
            lease.leaveCrowd();
        }
    }
}
