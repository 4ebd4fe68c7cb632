package org.berth.uploads;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.berth.cluster.HdfsCluster;
import org.berth.topology.Topology;

/** One job on its cluster: the phases that it ran, and what each took. Belongs to one thread. */
final class UploadSession {
    private final HdfsCluster cluster;
    private final HdfsJobOptions options;
    private final Topology topology;
    private final List<UploadPhase> phases = new ArrayList<>();
    private double seconds;

    UploadSession(HdfsCluster cluster, HdfsJobOptions options, Topology topology) {
        this.cluster = cluster;
        this.options = options;
        this.topology = topology;
    }

    HdfsJobOptions options() {
        return options;
    }

    /** The number of clients of a job that has one. */
    int clients() {
        return options.clients().get(0);
    }

    /** The seconds of all phases together. */
    double seconds() {
        return seconds;
    }

    /** Files of that many clients. */
    Transfers transfers(int clients) {
        return new Transfers(cluster, clients, "/file-of-" + clients, options.megabytes());
    }

    /** Runs and measures it; its figures are printed by {@link #print}. */
    void phase(String name, Callable<Transfers.Result> work) throws Exception {
        List<ProcessHandle> dataNodes = dataNodes();
        double nodesBefore = cpuSeconds(dataNodes);
        double clientsBefore = cpuSeconds(List.of(ProcessHandle.current()));
        Instant from = Instant.now();
        try (BlockThreads threads = BlockThreads.watch(dataNodes, topology)) {
            Transfers.Result result = work.call();
            Instant to = Instant.now();
            seconds += result.seconds();
            phases.add(new UploadPhase(
                    name,
                    result,
                    cpuSeconds(dataNodes) - nodesBefore,
                    cpuSeconds(List.of(ProcessHandle.current())) - clientsBefore,
                    threads.stop(),
                    from,
                    to));
        }
    }

    /** Measures only the time, so that nothing else distorts the curve. */
    void uploadOf(Transfers files) throws Exception {
        Transfers.Result result = files.write();
        seconds += result.seconds();
        System.out.printf(
                Locale.ROOT,
                "berth-write-aggregate-mb-per-second-by-%d-clients=%.2f%n",
                files.clients(),
                result.aggregateRate());
    }

    /** Ends the DataNodes, which then write down their waits, and prints all that was measured. */
    void print(Path recordings) throws Exception {
        if (phases.isEmpty()) {
            return;
        }
        List<LockWaits> waits = LockWaits.ofEnded(dataNodes(), recordings, phases);
        for (int i = 0; i < phases.size(); i++) {
            phases.get(i).print();
            waits.get(i).print(phases.get(i));
        }
    }

    private List<ProcessHandle> dataNodes() {
        List<ProcessHandle> all = new ArrayList<>();
        for (int i = 0; i < options.dataNodes(); i++) {
            all.add(cluster.dataNode(i));
        }
        return all;
    }

    private static double cpuSeconds(List<ProcessHandle> processes) {
        return processes.stream()
                .mapToDouble(process ->
                        process.info().totalCpuDuration().orElseThrow().toMillis() / 1e3)
                .sum();
    }
}
