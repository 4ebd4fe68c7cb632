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
import org.berth.topology.xml.TopologyXml;
import org.jspecify.annotations.Nullable;

/**
 * Builds the status of an executor from its bindings and the kernel's counters. Thread-safe.
 *
 * <p>A status costs what {@link StatusSampler} costs; without requests there is no cost.
 */
public final class StatusBuilder implements AutoCloseable {
    private final PluginContext context;
    private final Supplier<BindingStatus> bindings;
    private final OwnCost cost;
    private final Supplier<Optional<Topology>> topology;
    private boolean prepared;
    private @Nullable StatusTopology machine;
    private @Nullable StatusSampler sampler;
    private final StatusHeap heap = new StatusHeap();
    private @Nullable ExecutorStatus last;

    /**
     * Creates a builder for the executor of the context.
     *
     * @param topology gives, once, the machine as the executor may use it; empty when it is not known
     * @param cost what Berth uses itself
     * @param bindings called for each status by any thread; must be quick
     */
    public StatusBuilder(
            PluginContext context,
            Supplier<Optional<Topology>> topology,
            OwnCost cost,
            Supplier<BindingStatus> bindings) {
        this.cost = cost;
        this.context = context;
        this.bindings = bindings;
        this.topology = topology;
    }

    /** Describing the machine takes longer than the rest of a status, and the executor's start need not wait for it. */
    private void prepare() {
        if (!prepared) {
            prepared = true;
            topology.get().ifPresent(known -> {
                machine = describe(known);
                sampler = new StatusSampler(known, cost);
            });
        }
    }

    /** Builds the status of this moment. */
    synchronized ExecutorStatus build() {
        prepare();
        BindingStatus known = bindings.get();
        List<String> notes = new ArrayList<>(known.notes());
        StatusSampler.Sample sample = sample(known.nodes());
        notes.addAll(sample.notes());
        ExecutorStatus.Counters counters = new ExecutorStatus.Counters(
                known.tasks(),
                known.shared(),
                known.rebinds(),
                known.bindFailures(),
                known.widenings(),
                sample.migrations(),
                sample.cacheMigrations(),
                sample.nodeMigrations(),
                sample.memoryBytes(),
                sample.remoteBytes(),
                sample.remotePages(),
                sample.cost());
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
                heap.sample(),
                known.threads(),
                notes);
        last = status;
        return status;
    }

    /** The newest status that was built; for metrics, which may be read often. */
    synchronized ExecutorStatus last() {
        return last == null ? build() : last;
    }

    /** The machine; empty when it is not known. */
    synchronized Optional<StatusTopology> machine() {
        prepare();
        return Optional.ofNullable(machine);
    }

    private StatusSampler.Sample sample(NodeSet domain) {
        if (sampler == null) {
            long unknown = ExecutorStatus.UNKNOWN;
            return new StatusSampler.Sample(
                    unknown, unknown, unknown, unknown, unknown, unknown, OwnCost.Sum.NONE, List.of());
        }
        return sampler.sample(domain);
    }

    /**
     * Spark's name of the host. Not {@code context.hostname()}, which throws in executors of a cluster; the block manager of
     * a local application has no id yet when plugins start.
     */
    private String host() {
        SparkEnv env = SparkEnv.get();
        BlockManagerId id = env == null ? null : env.blockManager().blockManagerId();
        return id == null ? context.conf().get("spark.driver.host", "localhost") : id.host();
    }

    /** The whole machine, since executors of one host may use different parts of it. */
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
        if (sampler != null) {
            sampler.close();
        }
    }
}
