package org.berth.hdfs;

import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.berth.binding.Binder;
import org.berth.binding.DiscoveryFlag;
import org.berth.binding.DiscoveryOptions;
import org.berth.binding.LocalMachine;
import org.berth.observation.LoadMonitor;
import org.berth.observation.LoadSnapshot;
import org.berth.placement.Decision;
import org.berth.placement.DynamicPolicy;
import org.berth.placement.DynamicState;
import org.berth.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The places of the threads of a DataNode: brings together what is known of disks and load with the threads that Hadoop's
 * hooks bring. Thread-safe.
 */
final class DataNodePlaces implements AutoCloseable {
    /** Hadoop makes our three classes apart from each other, so that they meet here. DataNodes of one process share it. */
    private static volatile @Nullable DataNodePlaces open;

    private static int users;

    private final HdfsSettings settings;
    private final Binder binder;
    private final Disks disks;
    private final Optional<LoadMonitor> load;
    private final Optional<DecisionLog> log;
    private final ConnectionCpu connections;
    private final PlacedThreads threads;
    private final Upkeep upkeep;
    private final AtomicReference<DynamicState> state = new AtomicReference<>(DynamicState.start());
    private final Failures failures = new Failures();
    private final PlaceMetrics metrics = new PlaceMetrics(failures);

    private DataNodePlaces(HdfsSettings settings, Collection<StorageLocation> volumes) {
        this.settings = settings;
        // Interrupts may be handled on CPUs that this process may not use; they count for what is near.
        LocalMachine machine =
                LocalMachine.open(DiscoveryOptions.defaults().withFlags(DiscoveryFlag.INCLUDE_DISALLOWED));
        Topology topology = machine.topology();
        binder = machine.binder();
        disks = new Disks(topology, settings);
        disks.add(volumes);
        log = settings.decisionLog().isEmpty()
                ? Optional.empty()
                : Optional.of(DecisionLog.open(settings.decisionLog()));
        load = settings.policy() == DynamicPolicy.INTERRUPT
                ? Optional.of(LoadMonitor.start(settings.load(), settings.loadRoot()))
                : Optional.empty();
        // No other policy looks at the network.
        connections = ConnectionCpu.of(
                settings.policy() == DynamicPolicy.INTERRUPT ? settings.connections() : Connections.NONE, binder);
        if (!connections.reason().isEmpty()) {
            failures.tellOnce(connections.reason());
        }
        threads = new PlacedThreads(binder);
        metrics.register();
        // The last that can fail: its thread would stay.
        upkeep = Upkeep.start(
                settings,
                threads,
                new ServiceThreads(binder, topology.allowedCpuSet(), disks::known),
                disks,
                load,
                metrics,
                failures);
        AffinityPlugin.LOG.info(
                "Berth: policy {}: {}; {}",
                settings.policy().word(),
                settings.policy().meaning(),
                disks.describe());
    }

    /**
     * Starts to place threads, or joins what another DataNode of this process started.
     *
     * @throws RuntimeException one line, when a setting makes no sense or this machine cannot bind
     * @throws IOException when Hadoop does not understand the list of volumes
     */
    static synchronized DataNodePlaces open(Configuration settings) throws IOException {
        Collection<StorageLocation> volumes = DataNode.getStorageLocations(settings);
        DataNodePlaces places = open;
        if (places == null) {
            places = new DataNodePlaces(HdfsSettings.of(settings), volumes);
            open = places;
        } else {
            places.join(settings, volumes);
        }
        users++;
        return places;
    }

    private void join(Configuration wanted, Collection<StorageLocation> volumes) {
        disks.add(volumes);
        AffinityPlugin.LOG.info("Berth: one more DataNode in this process; {}", disks.describe());
        String reason = "they differ";
        try {
            if (HdfsSettings.of(wanted).equals(settings)) {
                return;
            }
        } catch (IllegalArgumentException e) {
            reason = Failures.oneLine(e);
        }
        AffinityPlugin.LOG.warn(
                "Berth: the {}* of this DataNode do not count ({}): DataNodes of one process share those of the first",
                HdfsSettings.PREFIX,
                reason);
    }

    /** Places the calling thread, if it is one that works on blocks; never throws. */
    static void place(@Nullable FsVolumeSpi volume, BlockWork work) {
        DataNodePlaces places = open;
        if (places != null && volume != null) {
            try {
                if (PlacedThreads.isBlockWorker(Thread.currentThread())) {
                    places.placeCallingThread(volume, work);
                } else {
                    // The writer of lazily persisted blocks: the threads that it then starts are known by the volume's
                    // id.
                    Disk unused = places.disks.of(volume);
                }
            } catch (Exception | LinkageError e) {
                places.failures.add("a thread that works on a block runs unbound", e);
            }
        }
    }

    private void placeCallingThread(FsVolumeSpi volume, BlockWork work) throws IOException {
        long start = System.nanoTime();
        Disk disk = disks.of(volume);
        OptionalInt connectionCpu = connections.ofCallingThread(failures);
        Decision decision =
                disk.decide(load.map(LoadMonitor::snapshot).orElseGet(LoadSnapshot::unknown), state, connectionCpu);
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
                            disk,
                            Thread.currentThread().getName(),
                            connectionCpu);
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (DataNodePlaces.class) {
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
