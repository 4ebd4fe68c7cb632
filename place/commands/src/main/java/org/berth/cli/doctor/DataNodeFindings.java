package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.observation.Reading;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.text.Words;
import org.berth.topology.CpuSet;

/** The state of Berth's plugin in an HDFS DataNode, from command line, open files and threads. A pure function. */
final class DataNodeFindings {
    private static final String MAIN_CLASS = "org.apache.hadoop.hdfs.server.datanode.DataNode";
    private static final String SECURE_MAIN_CLASS = "org.apache.hadoop.hdfs.server.datanode.SecureDataNodeStarter";
    private static final String JAR = "berth-hdfs-";
    /** Kernel names of the plugin's own thread, and of threads that serve blocks. */
    private static final String PLUGIN_THREAD = "berth-upkeep";

    private static final String WORKER = "DataXceiver for";

    private DataNodeFindings() {}

    static boolean isDataNode(ProcessFacts process) {
        return process.arguments().contains(MAIN_CLASS) || process.arguments().contains(SECURE_MAIN_CLASS);
    }

    /** @param openFiles of the process */
    static List<Finding> of(ProcessFacts process, Reading<List<String>> openFiles) {
        boolean runs = process.names().containsValue(PLUGIN_THREAD);
        boolean there = openFiles.orElse(List.of()).stream()
                        .anyMatch(file ->
                                file.substring(file.lastIndexOf('/') + 1).startsWith(JAR))
                || process.arguments().stream().anyMatch(argument -> argument.contains(JAR));
        List<Finding> findings = new ArrayList<>();
        if (runs) {
            findings.add(Finding.ok(
                    "datanode-plugin", "Berth's plugin runs in this DataNode (thread " + PLUGIN_THREAD + ")"));
            findings.add(workers(process));
        } else if (there) {
            findings.add(Finding.warning(
                    "datanode-plugin",
                    "berth-hdfs is on the class path of this DataNode, but the plugin does not run (no thread "
                            + PLUGIN_THREAD + ")",
                    "name org.berth.hdfs.HdfsAffinityPlugin in dfs.datanode.plugins and restart it, or look for 'Berth' in"
                            + " its log"));
        } else {
            findings.add(openFiles
                    .refusal()
                    .map(refusal -> Finding.unknown("datanode-plugin", refusal))
                    .orElseGet(() -> Finding.info(
                            "datanode-plugin",
                            "this DataNode runs without Berth, according to its open files",
                            "three properties place its threads: docs/engines/hdfs.md")));
        }
        return findings;
    }

    private static Finding workers(ProcessFacts process) {
        // The first thread has all CPUs of the DataNode; a slot is smaller.
        CpuSet all = process.masks().getOrDefault((int) process.pid(), process.cpus());
        int workers = 0;
        int free = 0;
        for (Map.Entry<Integer, String> thread : process.names().entrySet()) {
            if (thread.getValue().equals(WORKER)) {
                workers++;
                CpuSet mask = process.masks().getOrDefault(thread.getKey(), CpuSet.empty());
                free += mask.equals(all) ? 1 : 0;
            }
        }
        if (workers == 0) {
            return Finding.info("datanode-threads", "no block is being transferred: no thread to examine", "");
        }
        String read =
                free + " of " + Words.count(workers, "thread") + " that serve blocks are allowed on all CPUs " + all;
        return free == 0
                ? Finding.ok("datanode-threads", read)
                : Finding.info(
                        "datanode-threads",
                        read + ": readers that wait for a request, and all threads with policy none",
                        "the counters show more: /jmx?qry=Hadoop:service=DataNode,name=BerthAffinity");
    }
}
