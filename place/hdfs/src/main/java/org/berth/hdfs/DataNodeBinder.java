package org.berth.hdfs;

import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.berth.binding.Binder;
import org.berth.binding.LocalMachine;
import org.berth.binding.discovery.DiscoveryFlag;
import org.berth.binding.discovery.DiscoveryOptions;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.observation.internal.load.LoadMonitor;
import org.berth.observation.internal.load.LoadSnapshot;
import org.berth.placement.internal.dynamic.Decision;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Binds the threads of a DataNode: brings together what is known of disks and load with the threads that Hadoop's hooks
 * report. Thread-safe.
 */
final class DataNodeBinder implements AutoCloseable {
    /** Hadoop makes our three classes independently of each other; they meet here. DataNodes of one process share it. */
    private static volatile @Nullable DataNodeBinder open;

    private static int users;

    private final HdfsSettings settings;
    private final Binder binder;
    private final Volumes volumes;
    private final Optional<LoadMonitor> load;
    private final Optional<DecisionLog> log;
    private final ConnectionCpu connections;
    private final BoundThreads threads;
    private final Upkeep upkeep;
    private final SharedState state = new SharedState();
    private final HdfsFailures failures = new HdfsFailures();
    private final BindingMetrics metrics = new BindingMetrics(failures);

    private DataNodeBinder(HdfsSettings settings, Collection<StorageLocation> locations) {
        this.settings = settings;
        // Interrupts may be handled on CPUs that this process may not use; they count for what is near.
        LocalMachine machine =
                LocalMachine.open(DiscoveryOptions.defaults().withFlags(DiscoveryFlag.INCLUDE_DISALLOWED));
        Topology topology = machine.topology();
        binder = machine.binder();
        volumes = new Volumes(topology, settings);
        volumes.add(locations);
        log = settings.decisionLog().isEmpty()
                ? Optional.empty()
                : Optional.of(DecisionLog.open(settings.decisionLog()));
        boolean byInterrupts = settings.policy() == DynamicPolicy.INTERRUPT;
        load = byInterrupts ? Optional.of(LoadMonitor.start(settings.load(), settings.loadRoot())) : Optional.empty();
        // No other policy depends on the network.
        connections = ConnectionCpu.of(byInterrupts ? settings.connections() : Connections.NONE, binder);
        if (!connections.reason().isEmpty()) {
            failures.tellOnce(connections.reason());
        }
        threads = new BoundThreads(binder);
        metrics.register();
        // The last that can fail: its thread would stay.
        upkeep = Upkeep.start(
                settings,
                threads,
                new VolumeThreads(binder, topology.allowedCpuSet(), volumes::known),
                volumes,
                load,
                metrics,
                failures);
        HdfsAffinityPlugin.LOG.info(
                "Berth: policy {}: {}; {}",
                settings.policy().word(),
                settings.policy().meaning(),
                volumes.describe());
    }

    /**
     * Starts to bind threads, or joins what another DataNode of this process started.
     *
     * @throws RuntimeException one line, when a setting makes no sense or this machine cannot bind
     * @throws IOException when Hadoop does not understand the list of volumes
     */
    static synchronized DataNodeBinder open(Configuration settings) throws IOException {
        Collection<StorageLocation> locations = DataNode.getStorageLocations(settings);
        DataNodeBinder shared = open;
        HdfsSettings.unknown(settings).forEach(line -> HdfsAffinityPlugin.LOG.warn("Berth: {}", line));
        if (shared == null) {
            shared = new DataNodeBinder(HdfsSettings.of(settings), locations);
            open = shared;
        } else {
            shared.join(settings, locations);
        }
        users++;
        return shared;
    }

    private void join(Configuration wanted, Collection<StorageLocation> locations) {
        volumes.add(locations);
        HdfsAffinityPlugin.LOG.info("Berth: one more DataNode in this process; {}", volumes.describe());
        String reason = "they differ";
        try {
            if (HdfsSettings.of(wanted).equals(settings)) {
                return;
            }
        } catch (IllegalArgumentException e) {
            reason = FailureText.of(e);
        }
        HdfsAffinityPlugin.LOG.warn(
                "Berth: the {}* of this DataNode do not count ({}): DataNodes of one process share those of the first",
                HdfsSettings.PREFIX,
                reason);
    }

    /** Binds the calling thread, if it is one that works on blocks; never throws. */
    static void bind(@Nullable FsVolumeSpi volume, BlockWork work) {
        DataNodeBinder shared = open;
        if (shared != null && volume != null) {
            try {
                if (BoundThreads.isBlockWorker(Thread.currentThread())) {
                    shared.bindCallingThread(volume, work);
                } else {
                    // The writer of lazily persisted blocks: the names of the threads that it starts have the volume's
                    // id.
                    shared.volumes.learnId(volume);
                }
            } catch (Exception | LinkageError e) {
                shared.failures.add("a thread that works on a block runs unbound", e);
            }
        }
    }

    private void bindCallingThread(FsVolumeSpi volume, BlockWork work) throws IOException {
        long start = System.nanoTime();
        VolumePlacement placement = volumes.of(volume);
        OptionalInt connectionCpu = connections.ofCallingThread(failures);
        Decision decision = state.decide(
                placement.blocks(connectionCpu), load.map(LoadMonitor::snapshot).orElseGet(LoadSnapshot::unknown));
        metrics.decided(decision, work, connectionCpu.isPresent(), System.nanoTime() - start);
        if (decision.binds()) {
            threads.bind(decision.cpus());
        } else {
            threads.free();
        }
        if (log.isPresent()) {
            log.get()
                    .add(
                            binder.currentThreadId(),
                            decision,
                            work,
                            placement.disk(),
                            Thread.currentThread().getName(),
                            connectionCpu);
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (DataNodeBinder.class) {
            if (--users > 0) {
                return;
            }
            open = null;
        }
        upkeep.close();
        load.ifPresent(LoadMonitor::close);
        threads.freeAll();
        metrics.unregister();
        if (log.isPresent()) {
            log.get().close();
        }
    }
}
