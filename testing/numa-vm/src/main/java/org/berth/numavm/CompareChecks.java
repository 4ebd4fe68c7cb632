package org.berth.numavm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * {@code berth compare} where there are several nodes: each run of a program counts its own pages in /proc/self/numa_maps
 * and prints what it may use; that is beside what {@code compare} wrote about the run, and what numactl was told.
 */
final class CompareChecks {
    private static final long BYTES = 60_000_000;

    /**
     * Fills memory, waits as long again as all that took (looks at pages come at 0.4, 0.8, 1.6, 3.2 s and so on, so one does
     * in that time), then tells. It is no JVM, whose memory would not keep still.
     */
    private static final String FILL = """
            my $x = 'x' x %d;
            open(my $u, '<', '/proc/uptime'); my ($now) = split ' ', <$u>;
            open(my $s, '<', '/proc/self/stat'); my $stat = <$s>; $stat =~ s/.*\\) //;
            my $took = $now - (split ' ', $stat)[19] / 100;
            select(undef, undef, undef, 1.5 * $took + 2);
            my %%n; open(my $m, '<', '/proc/self/numa_maps');
            while (<$m>) { my ($k) = /kernelpagesize_kB=(\\d+)/; while (/ N(\\d+)=(\\d+)/g) { $n{$1} += $2 * $k * 1024 } }
            print "node $_ $n{$_}\\n" for sort keys %%n;
            open(my $t, '<', '/proc/self/status'); print grep { /allowed_list/ } <$t>;
            """.formatted(BYTES);

    /** Its own words bind the CPUs to node 0 and the memory to node 1. */
    private static final String FAR = "${FAR:+numactl --cpunodebind=0 --membind=1}";

    /** The look was before the program opened its files and made strings of them. */
    private static final long MOST_DIFFERENT_BYTES = 256 << 10;

    private final Path results;
    private final String trials;

    private CompareChecks(Path results) throws IOException {
        this.results = results;
        this.trials = Files.readString(results.resolve("trials.jsonl"));
    }

    static void run(Checks checks, Topology machine) {
        // The runs are of a program that is no JVM: a second JRE would see the same, a minute later.
        if (machine.nodeSet().size() < 2 || Runtime.version().feature() > 17) {
            return;
        }
        checks.check(
                "compare tells the pages of each node and the remote share as its runs saw them themselves", () -> {
                    Path folder = Files.createTempDirectory("compare").resolve("r");
                    List<String> command = new ArrayList<>(LiveChecks.java());
                    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "org.berth.cli.Main"));
                    command.addAll(List.of("compare", "--levels", "none,numa", "--runs", "1", "--numactl", "--arm"));
                    command.addAll(List.of("far=FAR=1 --level none", "--results", folder.toString(), "--"));
                    command.addAll(List.of("sh", "-c", "exec " + FAR + " perl -e \"$0\"", FILL));
                    Process process = new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .start();
                    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    Checks.same("exit code of compare that said " + said, 0, process.waitFor());
                    CompareChecks found = new CompareChecks(folder);
                    for (int node : machine.nodeSet().toArray()) {
                        CpuSet cpus = machine.numaNode(node).orElseThrow().cpuSet();
                        found.require("numactl-" + node, cpus, node, machine);
                    }
                    CpuSet first = machine.numaNode(0).orElseThrow().cpuSet();
                    found.require("numa", first, 0, machine);
                    found.require("far", first, 1, machine);
                    found.require("none", machine.cpuSet(), -1, machine);
                });
    }

    /**
     * One arm: where the kernel let it run, and that both counts of its pages agree.
     *
     * @param home node of all that it filled; -1 for any
     */
    private void require(String arm, CpuSet cpus, int home, Topology machine) throws IOException {
        String log = log(arm);
        Checks.same("CPUs of " + arm, cpus.toString(), field(log, "Cpus_allowed_list"));
        Map<Integer, Long> own = new TreeMap<>();
        log.lines().filter(line -> line.startsWith("node ")).forEach(line -> {
            String[] words = line.split(" ", -1);
            own.put(Integer.parseInt(words[1]), Long.parseLong(words[2]));
        });
        Map<Integer, Long> told = bytes(arm);
        System.out.println(arm + ": " + told + " told, " + own + " counted, remote " + remoteShare(arm));
        for (int node : machine.nodeSet().toArray()) {
            long difference = Math.abs(own.getOrDefault(node, 0L) - told.getOrDefault(node, 0L));
            Checks.holds(arm + " has " + own + " and compare told " + told, difference <= MOST_DIFFERENT_BYTES);
        }
        if (home >= 0) {
            Checks.holds(arm + " has " + own + " for node " + home, own.getOrDefault(home, 0L) >= BYTES);
        }
        long near = 0;
        for (int node : machine.nodesNear(cpus).toArray()) {
            near += own.getOrDefault(node, 0L);
        }
        double remote = 1 - (double) near / sum(own);
        // The share is over all looks, also those at a program that was still small.
        Checks.holds(
                arm + " is remote by " + remote + " at its end and compare told " + remoteShare(arm),
                Math.abs(remote - remoteShare(arm)) < 0.15);
    }

    private String log(String arm) throws IOException {
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(results, "*-round-1-" + arm + ".log")) {
            return Files.readString(logs.iterator().next());
        }
    }

    private static String field(String log, String name) {
        return log.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .collect(Collectors.joining());
    }

    private Map<Integer, Long> bytes(String arm) {
        Map<Integer, Long> bytes = new TreeMap<>();
        Pattern.compile("\"(\\d+)\":(\\d+)")
                .matcher(trial(arm, "\"nodeBytes\":\\{([^}]*)}"))
                .results()
                .forEach(one -> bytes.put(Integer.parseInt(one.group(1)), Long.parseLong(one.group(2))));
        return bytes;
    }

    private double remoteShare(String arm) {
        return Double.parseDouble(trial(arm, "\"remoteShare\":([0-9.E-]+)"));
    }

    private String trial(String arm, String field) {
        Matcher matcher =
                Pattern.compile("\"round\":1,\"arm\":\"" + arm + "\".*" + field).matcher(trials);
        Checks.holds("no " + field + " of " + arm + " in " + trials, matcher.find());
        return matcher.group(1);
    }

    private static long sum(Map<Integer, Long> bytes) {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
}
