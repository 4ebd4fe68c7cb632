package org.berth.spark.status;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.storage.BlockManagerId;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyXml;
import org.jspecify.annotations.Nullable;

/**
 * Makes the status of an executor from what its plugin knows and what the kernel says. Thread-safe.
 *
 * <p>Costs what {@link StatusObserver} costs, and that only when a status is asked for.
 */
public final class StatusBuilder implements AutoCloseable {
    private final PluginContext context;
    private final Supplier<StatusPlaces> places;
    private final @Nullable StatusTopology machine;
    private final @Nullable StatusObserver observer;
    private @Nullable ExecutorStatus last;

    /**
     * A builder for the executor of the context.
     *
     * @param topology the machine as the executor may use it; empty when it could not be looked at
     * @param places asked for each status, by any thread; must be quick
     */
    public StatusBuilder(PluginContext context, Optional<Topology> topology, Supplier<StatusPlaces> places) {
        this.context = context;
        this.places = places;
        this.machine = topology.map(StatusBuilder::describe).orElse(null);
        this.observer = topology.map(StatusObserver::new).orElse(null);
    }

    /** The status now. */
    synchronized ExecutorStatus build() {
        StatusPlaces known = places.get();
        List<String> notes = new ArrayList<>(known.notes());
        StatusObserver.Seen seen = look(known.nodes());
        notes.addAll(seen.notes());
        ExecutorStatus.Counters counters = new ExecutorStatus.Counters(
                known.tasks(),
                known.shared(),
                known.rebinds(),
                known.bindFailures(),
                seen.migrations(),
                seen.nodeMigrations(),
                seen.memoryBytes(),
                seen.remoteBytes(),
                seen.remotePages());
        ExecutorStatus status = new ExecutorStatus(
                context.executorID(),
                host(),
                ProcessHandle.current().pid(),
                System.currentTimeMillis(),
                known.level(),
                known.reason(),
                machine == null ? "" : machine.id(),
                known.cpus().toString(),
                known.nodes().toString(),
                known.slots(),
                counters,
                known.threads(),
                notes);
        last = status;
        return status;
    }

    /** The newest status that was built, for metrics, which many may read at any time. */
    synchronized ExecutorStatus last() {
        return last == null ? build() : last;
    }

    /** The machine; empty when it could not be looked at. */
    Optional<StatusTopology> machine() {
        return Optional.ofNullable(machine);
    }

    private StatusObserver.Seen look(NodeSet home) {
        if (observer == null) {
            long unknown = ExecutorStatus.UNKNOWN;
            return new StatusObserver.Seen(unknown, unknown, unknown, unknown, unknown, List.of());
        }
        return observer.look(home);
    }

    /**
     * As Spark knows it. Not {@code context.hostname()}, which throws in executors of a cluster; and the block manager of
     * a local application has no id yet when plugins start.
     */
    private String host() {
        SparkEnv env = SparkEnv.get();
        BlockManagerId id = env == null ? null : env.blockManager().blockManagerId();
        return id == null ? context.conf().get("spark.driver.host", "localhost") : id.host();
    }

    /** Whole: two executors of a host that may use different parts of it are still on one machine. */
    private static StatusTopology describe(Topology topology) {
        String xml = TopologyXml.write(topology.withAllowed(topology.cpuSet(), topology.nodeSet()));
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(xml.getBytes(StandardCharsets.UTF_8));
            return new StatusTopology(HexFormat.of().formatHex(hash, 0, 8), xml);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public synchronized void close() {
        if (observer != null) {
            observer.close();
        }
    }
}
