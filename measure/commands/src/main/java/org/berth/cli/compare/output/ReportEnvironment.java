package org.berth.cli.compare.output;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.berth.drawing.internal.text.Labels;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.kernel.KernelSettings;
import org.berth.observation.internal.kernel.NumaBalancing;
import org.berth.observation.internal.process.ControlGroupLimits;
import org.berth.report.ReportFact;
import org.berth.text.Bytes;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/** Facts about the machine and its state that affect the numbers. A fact that cannot be read is "unknown", with the reason. */
public final class ReportEnvironment {
    private static final String UNKNOWN = "unknown";
    private static final String NO_LIMIT = "no limit";

    private final Path root;
    private final SystemFiles files;

    /**
     * Reads the facts below a root directory.
     *
     * @param root of this machine ({@code /}), or of a recorded one
     */
    public ReportEnvironment(Path root) {
        this.root = root;
        this.files = new SystemFiles(root);
    }

    public List<ReportFact> facts(Topology topology) {
        KernelSettings settings = KernelSettings.read(root);
        ControlGroupLimits limits = ControlGroupLimits.of("self", root);
        List<ReportFact> facts = new ArrayList<>();
        add(facts, "Processor", processor(topology));
        add(facts, "Virtual machine", text(files.read("proc/cpuinfo").map(ReportEnvironment::virtual), UNKNOWN));
        add(
                facts,
                "CPUs",
                Words.count(topology.count(ObjectType.PU), "PU") + ", "
                        + Words.count(topology.count(ObjectType.CORE), "core") + ", "
                        + Words.count(topology.count(ObjectType.PACKAGE), "package") + ", "
                        + Words.count(topology.count(ObjectType.NUMA_NODE), "NUMA node"));
        add(facts, "Allowed CPUs", topology.allowedCpuSet().toString());
        add(facts, "SMT (several PUs in a core)", smt(settings));
        add(facts, "Frequency governor", governors(settings));
        add(facts, "Memory", memory());
        add(facts, "Limit of the control group: CPUs", cpus(limits));
        add(facts, "Limit of the control group: CPU time", quota(limits));
        add(facts, "Limit of the control group: memory", memoryLimit());
        add(
                facts,
                "Automatic NUMA balancing",
                text(NumaBalancing.read(root).mode().map(mode -> mode == 0 ? "off" : "on"), "not in this kernel"));
        add(facts, "Transparent huge pages", text(settings.hugePages().transparent(), "not in this kernel"));
        add(facts, "Load average after the runs (1, 5, 15 min)", load());
        add(facts, "Kernel", property("os.name") + " " + property("os.version") + ", " + property("os.arch"));
        add(facts, "JVM of berth", property("java.vm.name") + " " + property("java.vm.version"));
        return facts;
    }

    private static void add(List<ReportFact> facts, String label, String value) {
        facts.add(new ReportFact(label, value));
    }

    private static String property(String name) {
        return System.getProperty(name, UNKNOWN);
    }

    private static String processor(Topology topology) {
        String models = topology.objects(ObjectType.PACKAGE).stream()
                .flatMap(one -> Labels.processor(one.infos()).stream())
                .distinct()
                .collect(Collectors.joining(", "));
        return models.isEmpty() ? UNKNOWN : models;
    }

    /** Reads the flag "hypervisor" of x86; other processors do not report it. */
    private static String virtual(String cpuinfo) {
        return !cpuinfo.contains("\nflags") ? UNKNOWN : cpuinfo.contains(" hypervisor") ? "yes" : "no";
    }

    private static String smt(KernelSettings settings) {
        String control = settings.smtControl().orElse(UNKNOWN);
        return text(settings.smtActive().map(active -> active ? "active" : "not active (" + control + ")"), UNKNOWN);
    }

    private static String text(Reading<String> reading, String absent) {
        return reading.fold(text -> text, reason -> absent, refusal -> UNKNOWN + " (" + refusal.reason() + ")");
    }

    private static String governors(KernelSettings settings) {
        return text(
                settings.governors()
                        .map(governors -> governors.entrySet().stream()
                                .map(one -> one.getKey() + " on CPUs " + one.getValue())
                                .collect(Collectors.joining(", "))),
                "not reported (usual in a virtual machine)");
    }

    private static String cpus(ControlGroupLimits limits) {
        return text(limits.cpus().map(CpuSet::toString), NO_LIMIT);
    }

    private static String quota(ControlGroupLimits limits) {
        String unseen = limits.unseenQuota()
                .map(refusal -> UNKNOWN + " (" + refusal.reason() + ")")
                .orElse(NO_LIMIT);
        return limits.quotaCpus().isEmpty()
                ? unseen
                : String.format(
                        Locale.ROOT,
                        "that of %.2f CPUs on average",
                        limits.quotaCpus().getAsDouble());
    }

    private String memory() {
        return text(
                files.read("proc/meminfo")
                        .map(meminfo -> "total " + field(meminfo, "MemTotal") + ", available after the runs "
                                + field(meminfo, "MemAvailable")),
                UNKNOWN);
    }

    private static String field(String meminfo, String name) {
        Matcher line = Pattern.compile(name + ":\\s+(\\d+) kB").matcher(meminfo);
        return line.find() ? Bytes.text(Long.parseLong(line.group(1)) * 1024) : UNKNOWN;
    }

    /** Limit of this process' group; in a container the mount's top often is that group. */
    private String memoryLimit() {
        String path = files.read("proc/self/cgroup")
                .value()
                .flatMap(text -> text.lines()
                        .filter(line -> line.startsWith("0::/"))
                        .map(line -> line.substring(4))
                        .findFirst())
                .orElse("");
        Reading<String> limit = files.read("sys/fs/cgroup/" + path + "/memory.max")
                .ifAbsent(files.read("sys/fs/cgroup/memory.max"))
                .ifAbsent(files.read("sys/fs/cgroup/memory/memory.limit_in_bytes"));
        return text(limit.map(text -> text.equals("max") ? NO_LIMIT : bytes(text)), UNKNOWN);
    }

    /** Version 1 writes "no limit" as a number near the largest. */
    private static String bytes(String digits) {
        if (!digits.matches("\\d{1,18}")) {
            return NO_LIMIT;
        }
        long bytes = Long.parseLong(digits);
        return bytes > 1L << 60 ? NO_LIMIT : Bytes.text(bytes);
    }

    private String load() {
        return text(
                files.read("proc/loadavg").map(text -> {
                    String[] words = text.split(" ", -1);
                    return words.length < 3 ? UNKNOWN : words[0] + ", " + words[1] + ", " + words[2];
                }),
                UNKNOWN);
    }
}
