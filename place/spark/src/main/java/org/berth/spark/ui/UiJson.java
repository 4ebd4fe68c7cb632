package org.berth.spark.ui;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.spark.status.ClusterStatus;
import org.berth.spark.status.ExecutorStatus;
import org.berth.spark.status.HeapStatus;
import org.json4s.JArray;
import org.json4s.JBool;
import org.json4s.JLong;
import org.json4s.JObject;
import org.json4s.JString;
import org.json4s.JValue;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The status of all executors as JSON, version 1. Sets of CPUs and nodes are the kernel's lists ("0-3,8"); times are
 * milliseconds since 1970; a counter of -1 is not known, and a note gives the reason.
 *
 * <pre>
 * { "format": "berth-affinity", "version": 1, "timeMillis",
 *   "total": COUNTERS, "endedExecutors",
 *   "hosts": [ { "host", "topologyProblem" (when the machine is not known), "packages", "cores", "pus", "numaNodes",
 *     "executors": [ { "executorId", "pid", "level", "reason", "topologyId", "cpus", "nodes",
 *       "statusMillis", "receivedMillis",
 *       "slots": [ { "index", "cpus", "nodes", "tasks": [ ID, … ] } ],
 *       "counters": COUNTERS,
 *       "heap": { "nodes": [ { "node", "bytes", "hugeBytes" } ], "reason" (why there are no nodes), "asked", "kernel" },
 *       "serviceThreads": [ { "role", "name", "cpus" } ], "notes": [ … ] } ] } ],
 *   "silentExecutors": [ { "executorId", "host", "addedMillis" } ], "executorsNotKept" }
 * COUNTERS: { "tasks", "sharedTasks", "rebinds", "bindFailures", "widenings", "migrations", "cacheMigrations",
 *   "nodeMigrations", "memoryBytes", "remoteBytes", "remotePages", "ownStartMillis", "ownCpuNanos", "ownAllocatedBytes" }
 * </pre>
 */
final class UiJson {
    private UiJson() {}

    /** The tree in the classes of Spark's UI. */
    static JValue render(ClusterStatus status) {
        return value(tree(status));
    }

    private static Map<String, Object> tree(ClusterStatus status) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("format", "berth-affinity");
        root.put("version", 1L);
        root.put("timeMillis", status.nowMillis());
        root.put("total", status.total().byName());
        root.put("endedExecutors", status.endedExecutors());
        root.put("hosts", status.hosts().stream().map(UiJson::host).toList());
        root.put(
                "silentExecutors",
                status.silent().stream()
                        .map(one -> Map.of(
                                "executorId", one.executorId(), "host", one.host(), "addedMillis", one.addedMillis()))
                        .toList());
        root.put("executorsNotKept", (long) status.notKept());
        return root;
    }

    private static Map<String, Object> host(ClusterStatus.Host host) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("host", host.name());
        host.machine()
                .topology()
                .ifPresent(
                        topology -> UiMachine.counts(topology).forEach((name, count) -> tree.put(name, (long) count)));
        if (host.machine().topology().isEmpty()) {
            tree.put("topologyProblem", host.machine().problem());
        }
        tree.put("executors", host.executors().stream().map(UiJson::executor).toList());
        return tree;
    }

    private static Map<String, Object> executor(ClusterStatus.Executor executor) {
        ExecutorStatus status = executor.status();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("executorId", status.executorId());
        tree.put("pid", status.pid());
        tree.put("level", status.level());
        tree.put("reason", status.reason());
        tree.put("topologyId", status.topologyId());
        tree.put("cpus", status.cpus());
        tree.put("nodes", status.nodes());
        tree.put("statusMillis", status.timeMillis());
        tree.put("receivedMillis", executor.receivedMillis());
        tree.put("slots", status.slots().stream().map(UiJson::slot).toList());
        tree.put("counters", status.counters().byName());
        tree.put("heap", heap(status.heap()));
        tree.put("serviceThreads", status.threads().stream().map(UiJson::thread).toList());
        tree.put("notes", status.notes());
        return tree;
    }

    private static Map<String, Object> slot(ExecutorStatus.SlotStatus slot) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("index", (long) slot.index());
        tree.put("cpus", slot.cpus());
        tree.put("nodes", slot.nodes());
        tree.put("tasks", slot.tasks());
        return tree;
    }

    private static Map<String, Object> heap(HeapStatus heap) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("nodes", heap.nodes().stream().map(UiJson::onNode).toList());
        if (heap.nodes().isEmpty()) {
            tree.put("reason", heap.reason());
        }
        tree.put("asked", heap.asked());
        tree.put("kernel", heap.kernel());
        return tree;
    }

    private static Map<String, Object> onNode(HeapStatus.OnNode one) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("node", (long) one.node());
        tree.put("bytes", one.bytes());
        tree.put("hugeBytes", one.hugeBytes());
        return tree;
    }

    private static Map<String, Object> thread(ExecutorStatus.ServiceThread thread) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("role", thread.role());
        tree.put("name", thread.name());
        tree.put("cpus", thread.cpus());
        return tree;
    }

    private static JValue value(Object tree) {
        if (tree instanceof Map<?, ?> map) {
            List<Tuple2<String, JValue>> fields = new ArrayList<>();
            map.forEach((name, value) -> fields.add(new Tuple2<>(String.valueOf(name), value(value))));
            return new JObject(CollectionConverters.asScala(fields).toList());
        }
        if (tree instanceof List<?> list) {
            List<JValue> values = new ArrayList<>();
            list.forEach(one -> values.add(value(one)));
            return new JArray(CollectionConverters.asScala(values).toList());
        }
        if (tree instanceof Long number) {
            return new JLong(number);
        }
        return tree instanceof Boolean flag ? new JBool(flag) : new JString(String.valueOf(tree));
    }
}
