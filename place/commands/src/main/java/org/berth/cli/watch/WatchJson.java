package org.berth.cli.watch;

import java.util.List;
import java.util.Map;
import org.berth.drawing.timeline.ThreadSummary;
import org.berth.observation.Reading;
import org.berth.observation.memory.HeapMemory;
import org.berth.observation.threads.MigrationCount;
import org.berth.text.Json;

/** A watch as JSON: threads with their runs, times in seconds since the first sample. */
final class WatchJson {
    private WatchJson() {}

    static String render(
            WatchTarget target,
            WatchRecord record,
            List<ThreadSummary> threads,
            Reading<Map<Integer, String>> names,
            Reading<HeapMemory> heap) {
        Json.Fields all = Json.object()
                .with("format", "berth-watch")
                .with("version", 1)
                .with("pid", target.pid())
                .with("name", record.name())
                .with("seconds", record.seconds())
                .with("samples", record.samples())
                .with("allowed", record.allowed())
                .with("migrations", migrations(record.migrations()))
                .withEach("threads", threads, thread -> thread(thread, record.startNanos()));
        Json.Fields fields = names.refusal()
                .map(refusal -> all.with("namesUnknown", refusal.toString()))
                .orElse(all);
        return Json.of(heap.fold(
                found -> fields.withEach(
                        "heapByNode",
                        found.bytesByNode().entrySet(),
                        node -> Json.object()
                                .with("node", node.getKey())
                                .with("bytes", node.getValue())
                                .with("hugePageBytes", found.hugeBytesByNode().getOrDefault(node.getKey(), 0L))),
                noJvm -> fields,
                refusal -> fields.with("heapUnknown", refusal.toString())));
    }

    private static Json.Fields thread(ThreadSummary thread, long startNanos) {
        return Json.object()
                .with("tid", thread.track().tid())
                .with("name", thread.track().name())
                .with("cpuSeconds", thread.cpuNanos() / 1e9)
                .with("migrations", migrations(thread.migrations()))
                .withEach(
                        "runs",
                        thread.track().runs(),
                        run -> Json.object()
                                .with("from", (run.fromNanos() - startNanos) / 1e9)
                                .with("to", (run.toNanos() - startNanos) / 1e9)
                                .with("cpu", run.cpu()));
    }

    private static Json.Fields migrations(MigrationCount count) {
        return Json.object()
                .with("betweenCpusByKernel", count.kernelBetweenCpus())
                .with("betweenCpusSeen", count.seenBetweenCpus())
                .with("betweenCoresSeen", count.seenBetweenCores())
                .with("betweenCachesSeen", count.seenBetweenCaches())
                .with("betweenPackagesSeen", count.seenBetweenPackages())
                .with("betweenNodesSeen", count.seenBetweenNodes());
    }
}
