package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.berth.cli.bind.LiveState;
import org.berth.observation.internal.jvm.JvmFlags;
import org.berth.observation.internal.kernel.KernelSettings;
import org.berth.observation.internal.kernel.NodeMemory;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.observation.memory.MemoryLocality;
import org.berth.text.Bytes;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** Whether a JVM's settings fit its CPUs and nodes. A pure function of what was read. */
final class JvmFindings {
    /** Families of threads that work on the heap at the same time, by the beginning of their kernel names. */
    private static final List<String> COLLECTOR_THREADS =
            List.of("GC Thread#", "G1 Conc#", "ZWorkerYoung#", "ZWorkerOld#", "ZWorker#", "Shenand");

    private JvmFindings() {}

    /** @param missing why the JVM did not report its flags; empty when it did */
    static List<Finding> of(
            ProcessFacts process, JvmFlags flags, String missing, KernelSettings kernel, Topology topology) {
        List<Finding> findings = new ArrayList<>();
        CpuSet cpus = process.cpus();
        NodeSet near = topology.nodesOf(cpus);
        if (!missing.isEmpty()) {
            findings.add(new Finding(
                    Finding.Severity.UNKNOWN,
                    "jvm-flags",
                    "only flags of the command line are known, not the JVM's own choices (" + missing + ")",
                    "run as the JVM's user, with the jcmd of a JDK in PATH"));
        }
        findings.add(numa(flags, near, topology));
        findings.add(collectorThreads(process, flags, cpus));
        findings.add(heap(flags, near, kernel));
        findings.add(single(flags, cpus));
        return findings;
    }

    private static Finding numa(JvmFlags flags, NodeSet near, Topology topology) {
        Optional<Boolean> said = flags.isOn("UseNUMA");
        boolean on = said.orElse(false);
        if (topology.nodeSet().size() < 2) {
            return Finding.ok("jvm-numa", "this machine has one memory node: UseNUMA does not matter");
        }
        if (on && near.size() == 1) {
            return Finding.warning(
                    "jvm-numa",
                    "UseNUMA is on, but the CPUs are near node " + near + " only: the heap is spread over nodes"
                            + " where no thread runs",
                    "-XX:-UseNUMA, or start the JVM itself bound ('berth run --domain numa -- java …', or the agent in"
                            + " JAVA_TOOL_OPTIONS of its script), so that it sees one node");
        }
        if (on && near.size() < topology.nodeSet().size()) {
            return Finding.info(
                    "jvm-numa",
                    "UseNUMA is on, and the CPUs are near nodes " + near + " of " + topology.nodeSet()
                            + ": JVMs before JDK 25 spread their heap over all nodes unless they were started bound",
                    "if page-locality shows remote memory: -XX:-UseNUMA, or start it with 'berth run'");
        }
        if (!on && near.size() > 1 && (said.isPresent() || flags.complete())) {
            return Finding.warning(
                    "jvm-numa",
                    "UseNUMA is off, and the CPUs are near nodes " + near + ": new objects may be on any of them",
                    "-XX:+UseNUMA, or one JVM for each node ('berth run --domain numa')");
        }
        return said.isPresent() || flags.complete()
                ? Finding.ok("jvm-numa", "UseNUMA is " + (on ? "on" : "off") + ", the CPUs are near nodes " + near)
                : Finding.unknown(
                        "jvm-numa",
                        "UseNUMA is not on the command line, and the JVM could not be asked (see jvm-flags); the CPUs"
                                + " are near nodes " + near);
    }

    private static Finding collectorThreads(ProcessFacts process, JvmFlags flags, CpuSet cpus) {
        Map<String, Integer> counts = new TreeMap<>();
        for (String name : process.names().values()) {
            COLLECTOR_THREADS.stream()
                    .filter(name::startsWith)
                    .findFirst()
                    .ifPresent(family -> counts.merge(family, 1, Integer::sum));
        }
        int alive = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        OptionalLong most = flags.number("ParallelGCThreads");
        long threads = Math.max(alive, most.orElse(0));
        String read = (most.isPresent() ? "ParallelGCThreads is " + most.getAsLong() + ", " : "") + alive
                + " such threads run, for " + Words.count(cpus.size(), "CPU");
        if (threads <= cpus.size() && most.isEmpty() && !flags.complete()) {
            return Finding.unknown("gc-threads", read + "; how many there may be is not known (see jvm-flags)");
        }
        return threads > cpus.size()
                ? Finding.warning(
                        "gc-threads",
                        read + ": during a pause they compete for CPUs",
                        "-XX:ParallelGCThreads=" + cpus.size()
                                + ", or start it with 'berth run', so that the JVM counts its own CPUs")
                : Finding.ok("gc-threads", read);
    }

    private static Finding heap(JvmFlags flags, NodeSet near, KernelSettings kernel) {
        OptionalLong heap = flags.number("MaxHeapSize");
        if (kernel.memory().refusal().isPresent()) {
            return Finding.unknown("heap-size", kernel.memory().refusal().get());
        }
        long total = 0;
        for (Map.Entry<Integer, NodeMemory> node :
                kernel.memory().orElse(Collections.emptySortedMap()).entrySet()) {
            total += near.contains(node.getKey()) ? node.getValue().totalBytes() : 0;
        }
        if (heap.isEmpty() || total == 0) {
            return Finding.unknown(
                    "heap-size",
                    heap.isEmpty()
                            ? "the maximum heap size is not on the command line, and the JVM could not be asked"
                            : "the kernel does not tell the size of nodes " + near);
        }
        String read = "the heap may grow to " + Bytes.text(heap.getAsLong()) + "; nodes " + near + " have "
                + Bytes.text(total);
        return heap.getAsLong() > total
                ? Finding.warning(
                        "heap-size", read + ": the rest comes from remote nodes", "a smaller -Xmx, or more nodes")
                : Finding.ok("heap-size", read);
    }

    private static Finding single(JvmFlags flags, CpuSet cpus) {
        boolean serial = flags.isOn("UseSerialGC").orElse(false);
        if (cpus.size() != 1) {
            return Finding.ok("single-cpu", "the threads have " + cpus.size() + " CPUs");
        }
        return serial
                ? Finding.info(
                        "single-cpu",
                        "the JVM has one CPU and runs SerialGC, its default there",
                        "for another collector start it with more CPUs")
                : Finding.warning(
                        "single-cpu",
                        "all threads share CPU " + cpus + ", including collector and compiler threads",
                        "bind it to at least one core (--domain core:K); a JVM that starts on one CPU runs SerialGC");
    }

    /** The share of memory near the CPUs. */
    static Finding locality(ProcessFacts process, MemoryLocality locality, NodeSet near, NodeSet all) {
        String read = String.format(
                Locale.ROOT,
                "%.1f %% of its own %s (without pages of files) is on nodes %s, near the CPUs",
                100 * locality.share(),
                Bytes.text(locality.totalBytes()),
                near);
        return all.size() < 2 || locality.share() >= 0.9
                ? Finding.ok("page-locality", read)
                : Finding.warning(
                        "page-locality",
                        read,
                        "berth bind --cpus " + process.cpus() + " " + process.pid() + " migrates the rest");
    }

    /** Whether all threads have the same CPUs. */
    static Finding masks(ProcessFacts process) {
        Map<CpuSet, Integer> counts = LiveState.count(process.masks());
        String text = new LiveState(counts, Optional.empty(), "").threadsText();
        return counts.size() < 2
                ? Finding.ok("thread-masks", "all threads have the same mask: " + text)
                : Finding.info(
                        "thread-masks", "masks differ: " + text, "'berth watch PID' shows the CPUs of each thread");
    }
}
