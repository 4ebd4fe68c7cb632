package org.berth.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.observation.internal.load.LoadSettings;
import org.berth.placement.internal.UnknownSettings;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.berth.topology.CpuSet;

/**
 * What an administrator set in the DataNode's configuration, checked. {@code docs/engines/hdfs.md} says what each one does.
 *
 * @param policy which places threads get
 * @param load how the load of the CPUs is watched and judged
 * @param loadRoot top of the tree whose proc/stat tells the load; another one where a container shows its own
 * @param network interface, or address of a client; that of the NameNode by default
 * @param diskCpus interrupt-handling CPUs by volume path, instead of those found
 * @param networkCpus interrupt-handling CPUs of the network adapter, instead of those found; empty for those found
 * @param connections of which ones the own CPU counts instead; of none by default when networkCpus are given
 * @param decisionLog file that gets a line for each decision; empty for none
 * @param scanMillis between two looks at the threads of the DataNode
 * @param refreshMillis between two looks at the machine's interrupts, which irqbalance may move
 */
record HdfsSettings(
        DynamicPolicy policy,
        LoadSettings load,
        Path loadRoot,
        String network,
        Map<String, CpuSet> diskCpus,
        CpuSet networkCpus,
        Connections connections,
        String decisionLog,
        long scanMillis,
        long refreshMillis) {
    static final String PREFIX = "berth.hdfs.";
    static final String POLICY = PREFIX + "policy";
    static final String NETWORK = PREFIX + "network";
    static final String DISK_CPUS = PREFIX + "disk.cpus";
    static final String NETWORK_CPUS = PREFIX + "network.cpus";
    static final String NETWORK_CONNECTIONS = PREFIX + "network.connections";
    static final String LOAD = PREFIX + "load.";
    static final String LOAD_ROOT = LOAD + "root";
    static final String LOAD_INTERVAL = LOAD + "interval.ms";
    static final String LOAD_WINDOW = LOAD + "window";
    static final String LOAD_IDLE = LOAD + "idle";
    static final String LOAD_BUSY = LOAD + "busy";
    static final String DECISION_LOG = PREFIX + "decision.log";
    static final String SCAN_MILLIS = PREFIX + "scan.interval.ms";
    static final String REFRESH_MILLIS = PREFIX + "interrupts.interval.ms";

    private static final String OLD_POLICY = "paper";

    private static final List<String> KNOWN = List.of(
            POLICY,
            AffinityVolumePolicy.DELEGATE,
            NETWORK,
            NETWORK_CPUS,
            NETWORK_CONNECTIONS,
            DISK_CPUS,
            LOAD_INTERVAL,
            LOAD_WINDOW,
            LOAD_IDLE,
            LOAD_BUSY,
            LOAD_ROOT,
            SCAN_MILLIS,
            REFRESH_MILLIS,
            DECISION_LOG);

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException one line, when one of them makes no sense
     */
    static HdfsSettings of(Configuration settings) {
        return new HdfsSettings(
                policy(settings.getTrimmed(POLICY, DynamicPolicy.INTERRUPT.word())),
                load(settings),
                Path.of(settings.getTrimmed(LOAD_ROOT, "/")),
                settings.getTrimmed(NETWORK, nameNode(settings)),
                diskCpus(settings.getTrimmed(DISK_CPUS, "")),
                cpus(NETWORK_CPUS, settings.getTrimmed(NETWORK_CPUS, "")),
                connections(settings),
                settings.getTrimmed(DECISION_LOG, ""),
                positive(settings, SCAN_MILLIS, 1000),
                positive(settings, REFRESH_MILLIS, 30_000));
    }

    /** One line for each setting that looks like one of these and is none, and for an old value; those for YARN may be in the same file. */
    static List<String> unknown(Configuration settings) {
        List<String> given = new ArrayList<>();
        for (Map.Entry<String, String> setting : settings) {
            if (setting.getKey().startsWith("berth.") && !setting.getKey().startsWith("berth.yarn.")) {
                given.add(setting.getKey());
            }
        }
        List<String> lines = new ArrayList<>(UnknownSettings.of(given, KNOWN));
        if (settings.getTrimmed(POLICY, "").equals(OLD_POLICY)) {
            lines.add(POLICY + "=" + OLD_POLICY + " is now " + DynamicPolicy.INTERRUPT.word()
                    + "; the old spelling goes with the next release");
        }
        return lines;
    }

    private static DynamicPolicy policy(String word) {
        try {
            return DynamicPolicy.parse(word);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(POLICY + ": " + FailureText.of(e), e);
        }
    }

    private static Connections connections(Configuration settings) {
        boolean given = !settings.getTrimmed(NETWORK_CPUS, "").isEmpty();
        Connections ordinary = given ? Connections.NONE : Connections.REMOTE;
        try {
            return Connections.parse(settings.getTrimmed(NETWORK_CONNECTIONS, ordinary.word()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(NETWORK_CONNECTIONS + ": " + FailureText.of(e), e);
        }
    }

    private static LoadSettings load(Configuration settings) {
        LoadSettings ordinary = LoadSettings.defaults();
        try {
            return new LoadSettings(
                    Duration.ofMillis(
                            settings.getLong(LOAD_INTERVAL, ordinary.interval().toMillis())),
                    settings.getInt(LOAD_WINDOW, ordinary.window()),
                    settings.getDouble(LOAD_IDLE, ordinary.idleAtMost()),
                    settings.getDouble(LOAD_BUSY, ordinary.busyAtLeast()));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(LOAD + "*: " + FailureText.of(e), e);
        }
    }

    /** Its host, or the first one's of several; the DataNode checks the addresses itself. */
    private static String nameNode(Configuration settings) {
        try {
            return DFSUtil.getNNServiceRpcAddressesForCluster(settings).values().stream()
                    .flatMap(nodes -> nodes.values().stream())
                    .map(InetSocketAddress::getHostString)
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    private static long positive(Configuration settings, String key, long ordinary) {
        long value;
        try {
            value = settings.getLong(key, ordinary);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + " is '" + settings.get(key) + "': give milliseconds", e);
        }
        if (value < 1) {
            throw new IllegalArgumentException(key + " is " + value + ": give at least 1 ms");
        }
        return value;
    }

    private static Map<String, CpuSet> diskCpus(String text) {
        Map<String, CpuSet> byVolume = new LinkedHashMap<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(";")) {
            int equals = part.lastIndexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(
                        DISK_CPUS + " has '" + part + "': give VOLUME=CPUS;VOLUME=CPUS, as in /data/1=0-3;/data/2=8");
            }
            byVolume.put(
                    part.substring(0, equals).strip(),
                    cpus(DISK_CPUS, part.substring(equals + 1).strip()));
        }
        return Map.copyOf(byVolume);
    }

    private static CpuSet cpus(String key, String text) {
        try {
            return text.isEmpty() ? CpuSet.empty() : CpuSet.parseList(text);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(key + ": " + FailureText.of(e), e);
        }
    }
}
