package org.berth.spark.conf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.OrderedLevel;
import org.berth.placement.internal.shape.Division;
import org.berth.placement.internal.shape.HostShape;
import org.berth.placement.internal.shape.ShapePart;
import org.berth.placement.internal.shape.ShapeRequest;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.text.Bytes;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;

/**
 * Settings that bind Spark's executors on hosts like a machine. Pure, immutable and safe for use by several threads.
 *
 * @param settings lines for spark-defaults.conf, in order
 * @param notes what the user should know in addition, one line each
 */
public record SparkSettings(Map<String, String> settings, List<String> notes) {
    /** The cluster manager, which decides how the agent's library gets to a host. */
    public enum Manager {
        LOCAL,
        STANDALONE,
        YARN,
        KUBERNETES
    }

    /**
     * What the settings are for.
     *
     * @param manager starts the executors
     * @param level empty for auto
     * @param executorsPerHost 0 for one in each memory node
     * @param memory where an executor's pages go
     * @param heapMemory where the pages of an executor's heap go, in the words of the agent's option {@code heap-memory=};
     * empty for no     policy of its own
     * @param library path of libberth.so: on the hosts, in the image, or (YARN) here
     */
    public record Request(
            Manager manager,
            Optional<OrderedLevel> level,
            int executorsPerHost,
            MemoryMode memory,
            Optional<String> heapMemory,
            String library) {
        /** Without a policy for the heap alone. */
        public Request(
                Manager manager,
                Optional<OrderedLevel> level,
                int executorsPerHost,
                MemoryMode memory,
                String library) {
            this(manager, level, executorsPerHost, memory, Optional.empty(), library);
        }
    }

    /** The domain of each executor, as the agent's option names it. */
    private record Part(String domain, int cpus, String words) {}

    /**
     * Returns the settings for hosts like this one.
     *
     * @param topology a host of the cluster; its allowed CPUs count
     */
    public static SparkSettings of(Topology topology, Request request) {
        List<TopologyObject> nodes = topology.objectsIntersecting(topology.allowedCpuSet(), ObjectType.NUMA_NODE);
        int nodeCount = Math.max(1, nodes.size());
        int executors = request.executorsPerHost() == 0 ? nodeCount : request.executorsPerHost();
        Map<String, String> settings = new LinkedHashMap<>();
        List<String> notes = new ArrayList<>();
        settings.put(SparkKeys.PLUGINS, SparkKeys.PLUGIN);
        settings.put(SparkKeys.LEVEL, request.level().map(OrderedLevel::word).orElse(SparkKeys.AUTO));
        if (request.manager() == Manager.LOCAL) {
            notes.add("in local mode the driver's JVM runs the tasks: to bind it to one node, start it with 'berth run"
                    + " --domain numa -- spark-submit ...'");
            return new SparkSettings(settings, withJar(notes, request));
        }
        Part part = part(topology, nodeCount, executors);
        settings.put("spark.executor.cores", Integer.toString(part.cpus()));
        boolean none = request.level().isPresent() && request.level().get().level() == AffinityLevel.NONE;
        int caches = caches(topology, nodeCount);
        boolean indifferent = request.level().isEmpty() && nodeCount == 1 && caches == 0;
        if (none || indifferent || part.domain().isEmpty()) {
            notes.add(
                    none
                            ? "level none binds nothing"
                            : part.domain().isEmpty()
                                    ? part.words() + ": executors are not bound at their start"
                                    : "one memory node and no several L3 caches: auto binds nothing here; give a level");
            return new SparkSettings(settings, withJar(notes, request));
        }
        notes.add(part.words());
        if (caches > 0 && executors < caches) {
            notes.add("a host has " + caches + " L3 caches: --executors-per-host " + caches
                    + " gives each executor one; auto spreads the tasks of larger executors over theirs");
        }
        int wide = topology.allowedCpuSet().size() / cores(topology);
        if (wide > 1 && request.level().map(OrderedLevel::level).equals(Optional.of(AffinityLevel.CORE))) {
            notes.add("spark.executor.cores counts hardware threads; spark.task.cpus=" + wide
                    + " gives each task a whole core");
        }
        birth(settings, notes, request, part);
        memory(notes, request, nodes, executors);
        return new SparkSettings(settings, withJar(notes, request));
    }

    /**
     * Returns the settings for hosts like this one whose executors are the parts of a shape, with the heap of a part.
     *
     * @param topology a host of the cluster; its allowed CPUs count
     * @param request its number of executors is not used
     * @param into the parts, and the heap of their executors
     */
    public static SparkSettings of(Topology topology, Request request, ShapeRequest into) {
        HostShape shape = HostShape.of(topology, into);
        Part part = part(shape, into.into());
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(SparkKeys.PLUGINS, SparkKeys.PLUGIN);
        settings.put(SparkKeys.LEVEL, request.level().map(OrderedLevel::word).orElse(SparkKeys.AUTO));
        settings.put("spark.executor.cores", Integer.toString(part.cpus()));
        List<String> notes = new ArrayList<>(List.of(part.words()));
        shape.parts().stream()
                .min(Comparator.comparingLong(ShapePart::heapBytes))
                .filter(least -> least.heapBytes() > 0)
                .ifPresent(least -> settings.put("spark.executor.memory", least.heapWord()));
        notes.addAll(shape.notes());
        notes.add("an application takes a whole host with spark.executor.instances="
                + shape.parts().size() + " for each host, or with dynamic allocation");
        birth(settings, notes, request, part);
        return new SparkSettings(settings, withJar(notes, request));
    }

    /**
     * Spark has one size of executors: what the smallest part has. A number of parts is a number of cores for the
     * lease.
     */
    private static Part part(HostShape shape, Division into) {
        List<ShapePart> parts = shape.parts();
        int cpus = parts.stream().mapToInt(part -> part.cpus().size()).min().orElseThrow();
        String words = Words.count(parts.size(), "executor") + " per host, ";
        String each = switch (into.kind()) {
            case L3 -> "one on each L3 cache";
            case NUMA -> "one on each memory node";
            case PACKAGE -> "one on each package";
            case COUNT ->
                Words.count(parts.stream().mapToInt(ShapePart::cores).min().orElseThrow(), "core") + " each";
        };
        return new Part(shape.domain(into), cpus, words + each);
    }

    private static Part part(Topology topology, int nodes, int executors) {
        int cpus = topology.allowedCpuSet().size();
        int cores = cores(topology);
        if (executors == nodes) {
            return new Part(
                    "numa", cpus / nodes, Words.count(executors, "executor") + " per host, one on each memory node");
        }
        if (executors == caches(topology, nodes)) {
            return new Part(
                    "l3", cpus / executors, Words.count(executors, "executor") + " per host, one on each L3 cache");
        }
        if (executors < nodes) {
            return executors == topology.count(ObjectType.PACKAGE)
                    ? new Part(
                            "package",
                            cpus / executors,
                            Words.count(executors, "executor") + " per host, one on each package")
                    : new Part(
                            "",
                            cpus / executors,
                            Words.count(executors, "executor") + " on " + nodes + " memory nodes");
        }
        int each = executors % nodes == 0 ? cores / nodes / (executors / nodes) : cores / executors;
        return each == 0
                ? new Part("numa", Math.max(1, cpus / executors), "more executors than cores: they share the nodes")
                : new Part(
                        "core:" + each,
                        each * (cpus / cores),
                        executors + " executors per host, " + Words.count(each, "core") + " each");
    }

    /** The number of L3 caches where nodes have several, all alike and as Linux tells them; else 0. */
    private static int caches(Topology topology, int nodes) {
        List<List<CpuSet>> groups = PlacementPolicies.alikeCaches(topology);
        int count = topology.objectsIntersecting(topology.allowedCpuSet(), ObjectType.L3_CACHE)
                .size();
        return groups.size() == 1 && groups.get(0).size() == count && count > nodes ? count : 0;
    }

    private static int cores(Topology topology) {
        int cores = topology.objectsIntersecting(topology.allowedCpuSet(), ObjectType.CORE)
                .size();
        return cores == 0 ? topology.allowedCpuSet().size() : cores;
    }

    private static void birth(Map<String, String> settings, List<String> notes, Request request, Part part) {
        String file = request.library();
        if (request.manager() == Manager.YARN) {
            settings.put(SparkKeys.YARN_FILES, file + "#libberth.so");
            file = "./libberth.so";
        } else {
            notes.add((request.manager() == Manager.KUBERNETES ? "the image" : "every host") + " must have " + file
                    + ": without that file a JVM with -agentpath does not start");
        }
        AgentOptions agent = SparkKeys.agent(part.domain(), request.memory());
        settings.put(
                SparkKeys.JAVA_OPTIONS,
                request.heapMemory().map(agent::withHeap).orElse(agent).jvmOption(file));
        if (request.manager() == Manager.KUBERNETES) {
            notes.add("pods of one host share leases only through a common BERTH_LEASES directory; a pod with a cpuset"
                    + " of one node needs no agent");
        }
    }

    private static void memory(List<String> notes, Request request, List<TopologyObject> nodes, int executors) {
        long least = nodes.stream()
                .mapToLong(
                        node -> node.attributes() instanceof ObjectAttributes.NumaNode own ? own.localMemoryBytes() : 0)
                .min()
                .orElse(0);
        if (request.memory() == MemoryMode.BIND && least > 0) {
            notes.add("memory=bind: heap and off-heap memory of an executor must fit into "
                    + Bytes.text(least * nodes.size() / executors));
        }
    }

    /** Spark must find the plugin; where its jar is on the hosts of a cluster is not known here. */
    private static List<String> withJar(List<String> notes, Request request) {
        List<String> all = new ArrayList<>(notes);
        if (request.manager() != Manager.KUBERNETES) {
            all.add("spark.jars or --jars must name berth-spark-VERSION.jar unless the class path has it");
        }
        return all;
    }

    /** Lines of spark-defaults.conf, with notes as comments. */
    public String toText() {
        StringBuilder text = new StringBuilder();
        notes.forEach(note -> text.append("# ").append(note).append('\n'));
        int width = settings.keySet().stream().mapToInt(String::length).max().orElse(0);
        settings.forEach((key, value) -> text.append(key)
                .append(" ".repeat(width - key.length() + 2))
                .append(value)
                .append('\n'));
        return text.toString();
    }
}
